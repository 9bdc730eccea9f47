// Lesson 5, part 13: looks for features in m numbers by a sparse dictionary of activations. Equations: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "common/matrix.hpp"

namespace lesson5 {

// Z = C·D: n rows of m numbers as sums of few atoms. C is n x k, not negative and mostly zero; the atoms, rows of D,
// k x m, have length 1. What is made small is |Z - C·D|²/2 + penalty·ΣC.   (5.26)
struct Dictionary {
  Matrix<double> D, C;
  double objective = HUGE_VAL;
};

// Returns what is made small. Codes are not negative, so their sum is that of their sizes.   (5.26)
double objective_of(const Dictionary& dict, const Matrix<double>& Z, double penalty);

// Returns the slope of that in the codes: (C·D - Z)·Dᵀ + penalty; n x k.   (5.27)
Matrix<double> slope_of_codes(const Dictionary& dict, const Matrix<double>& Z, double penalty);

// Takes some steps on the codes: down the slope, and no further than 0 (ISTA: Daubechies et al. 2004).   (5.27)
void improve_codes(Dictionary& dict, const Matrix<double>& Z, double penalty, int steps);

enum class Unused { keep, replace };

// Makes the atoms those that fit these codes best, by least squares. An atom that hardly a code uses is kept, or
// becomes the row that is told worst. `scale` is the mean length of the rows of Z.
void improve_atoms(Dictionary& dict, const Matrix<double>& Z, double scale, Unused unused);

// Returns a dictionary of k atoms for the rows of Z, the best of some starts by its own objective.
Dictionary learn_dictionary(const Matrix<double>& Z, std::size_t k, int starts, int rounds, Random& random);

}  // namespace lesson5
