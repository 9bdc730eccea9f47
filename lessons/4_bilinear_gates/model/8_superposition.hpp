// Lesson 4, part 9: more features than dimensions. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/7_bottleneck.hpp"

namespace lesson4 {

// Returns how many features survive m dimensions: with biases as many as there are monomials of degree 1 and 2, without
// as there are of degree 2 alone.   (4.14)
std::size_t most_features(std::size_t m, Biases biases);

// Returns a row for each feature alone; and at the end, if wanted, one with none at all.
enum class ZeroRow { without, with };
Matrix<double> one_at_a_time(std::size_t features, ZeroRow zero);

// Inputs, and how probable each is; the weights sum to 1. An error of feature j counts importance[j] times, or once where
// that is empty.
struct WeightedRows {
  Matrix<double> X;
  std::vector<double> weight;
  std::vector<double> importance = {};

  double importance_of(std::size_t j) const { return importance.empty() ? 1 : importance[j]; }
};

// Returns all 2ⁿ inputs, when every feature is on with probability p, independently.
WeightedRows all_inputs(std::size_t features, double p);

// Returns the expected squared error of a feature when Y answers the rows: Σ_i weight_i·Σ_j r_j·(y_ij - x_ij)² / features
// with r_j the importance; and its gradient.   (4.16)
Loss<double> expected_error(const Matrix<double>& Y, const WeightedRows& rows);

// Returns for each feature the share of its variance that Y gives back, 1 - Σ_i weight_i·(y_ij - x_ij)² / variance: 0 for
// its mean said to all rows, 1 for itself.
std::vector<double> shares_given_back(const Matrix<double>& Y, const WeightedRows& rows);

// Returns the six quadratic functions 1, x, y, x², xy, y² of two numbers, at each row of E and at 0, (n + 1) x 6. With
// biases and the input 0 five features need rank 6: less, and one relation binds what any output says at the six
// points.
Matrix<double> quadratics_at(const Matrix<double>& E);

// Returns the rows of E (n x 2) after the change of basis that makes EᵀE = (n/2)·I. E·A with A⁻¹ in W and V is the same
// network, so only what such a change leaves alone says something about it.
Matrix<double> in_plain_basis(const Matrix<double>& E);

// Returns the angles between neighbouring rows of a matrix n x 2, in degrees; they add up to 360.
std::vector<double> gaps_between(const Matrix<double>& rows);

// Returns the network as one table, for each output a symmetric matrix over the features and the
// constant 1: F[o,i,j] = ½ Σ_k U[k,o]·(w_ik·v_jk + w_jk·v_ik), where w is [E·W; b] and v is [E·V; c], and d[o] is added
// at the corner.   (4.15)
std::vector<Matrix<double>> folded(const Bottleneck& model);

// Returns in how many directions of the input, the constant among them, the table varies: the rank of its slices side
// by side.
std::size_t input_rank(const std::vector<Matrix<double>>& F, double zero);

// Returns r·F[o]·rᵀ for one output's slice, r the features of a row and the constant 1.
double answer(const Matrix<double>& slice, std::span<const double> features);

// Returns what the table says of feature i alone, for output o: F[o,i,i] + 2·F[o,i,one] + F[o,one,one].
double response(const std::vector<Matrix<double>>& F, std::size_t o, std::size_t i);

}  // namespace lesson4
