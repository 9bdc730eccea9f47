// Lesson 4, part 8: the 256 functions of three bits: which are one quadratic, and with how many units. Equation
// numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include "common/matrix.hpp"

namespace lesson4 {

// Corner i of the cube: x, y, z are the bits of i, x the lowest. Function f says bit i of f there.
double input_bit(std::size_t corner, std::size_t axis);
double output_bit(std::size_t function, std::size_t corner);

// Returns 1 at an odd corner, -1 at an even one.
double parity_sign(std::size_t corner);

// Returns κ, the coefficient of xyz. Multiplied out on the cube, where x² = x, every function is a polynomial in which
// each variable stands at most once; this coefficient is the sum of its values, those at odd corners counted plus, the
// others minus.   (4.12)
double cubic_coefficient(std::size_t function);

// Returns the values at the corners of the quadratic nearest to f. On the cube the eight products of signs, one for
// each subset of the axes, are at right angles to each other; seven of them are quadratic, so each is given its share
// of f, Σ f·product/8.
std::array<double, 8> best_quadratic(std::size_t function);

// Says whether there is an affine q with p·q = f on the cube, p given by its weights of x, y, z, 1. Where p is not 0, q
// must be f/p; four numbers for up to eight equations: solvable when the right side adds nothing to the rank.
bool has_partner(std::size_t function, const std::array<double, 4>& p);

// Says so of any p over the whole numbers from -3 to 3, by search.
bool one_unit_does(std::size_t function);

// Says whether f is a multiplexer, "if s then ±a else ±b". Those are s·a + (1 - s)·b, two products by their look.
bool is_multiplexer(std::size_t function);

// The proof that no product is a multiplexer. A product has rank 2, so that three minors D1, D2, D3 of its matrix are 0;
// but (α + β + 1)·D3 + ((α + β)² + 1)·(D1/2 + D2) + (α - β)² + 1 is 0 for all α, β, γ. Neither holds a power above the
// third of any of them, so that the identity holds everywhere when it does on a grid of four values each. All numbers
// are whole.
struct MultiplexerProof {
  double identity = 0;  // how far from 0 it is
  double corners = 0;   // how far the quadratics are from the multiplexer
};
MultiplexerProof prove_multiplexer();

// Returns the determinant of three rows and three columns of S.
using Triple = std::array<std::size_t, 3>;
double minor_of(const Matrix<double>& S, const Triple& rows, const Triple& cols);

}  // namespace lesson4
