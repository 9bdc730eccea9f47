// Lesson 1: its models, compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

template Matrix<double> each<relu>(Matrix<double>);
template Matrix<double> each<relu_prime>(Matrix<double>);
template struct Mlp<double>;
template double descend(Mlp<double>&, const Matrix<double>&, const Matrix<double>&, Sgd<double>&,
                        double);

}  // namespace lesson1
