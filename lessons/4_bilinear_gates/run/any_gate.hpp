// Lesson 4: --gate and --truth, any gate of two or three inputs that the reader asks for: trained, named and explained.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "common/matrix.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"

namespace lesson4 {

// Returns the truth table that the flags ask for, four or eight digits; empty when they ask for none. Throws UserError.
std::string wanted_table(const std::string& gate, const std::string& truth);

// Returns corners and values as rows: the first input changes fastest, as in 00, 10, 01, 11.
struct TableRows {
  Matrix<double> X, T;
};
TableRows rows_of(const std::string& truth);

// Trains and explains it. Returns the exit status.
int explain_gate(Session& session, const std::string& truth);

}  // namespace lesson4
