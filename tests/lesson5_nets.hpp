// What the tests of lesson 5 fold and take apart: nets of all forms with random numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "common/support/words.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"

using Numbers = Matrix<double>;

// Sums of at most a few hundred products of numbers of size 1, relative to the largest result: some 100 roundings of
// 1e-16, and room for what cancels.
inline constexpr double exact_enough = 1e-12;

// No two sizes alike, with and without each part.
inline const std::vector<lesson5::NetForm> forms{
    {6, 4, 5, 3}, {6, 4, 5, 3, lesson5::Biases::without}, {6, 0, 5, 3}, {6, 0, 5, 3, lesson5::Biases::without}};

inline std::string name_of(const lesson5::NetForm& f) {
  return join("net of ", f.inputs, ", ", f.embedding, ", ", f.hidden, ", ", f.outputs,
              f.biases == lesson5::Biases::with ? " with biases" : "");
}

// Returns a net with entries N(0, 1) in all tensors.
template <class T>
lesson5::Net<T> random_net(const lesson5::NetForm& form, Random& random) {
  lesson5::Net<T> net(form);
  fill_normal(net.tensors(), random);
  return net;
}
