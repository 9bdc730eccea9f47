// Exercise 2.9 (change, open, 30 minutes): an optimizer. This one is plain descent. AdamW keeps
// two numbers for each parameter, m and v. Which of them does it owe more? Keep one number for
// each parameter, and a count of the steps, and be as good as AdamW. The check trains section 6's
// network for 300 steps with your optimizer and with AdamW, each at its best rate, and compares
// their losses on the validation text.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <vector>

#include "common/optimizer.hpp"

namespace ex2_9 {

template <class T>
class Optimizer {
 public:
  // Moves the parameters by one step.
  void step(const Tensors<T>& parameters, const Tensors<T>& gradients, double rate) {
    // TODO: do better, without AdamW. prepare_averages(kept_, parameters) fills it with zeros.
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i].tensor += T(-rate) * gradients[i].tensor;
  }

 private:
  std::vector<Matrix<T>> kept_;  // one matrix for each tensor
  long steps_ = 0;
};

}  // namespace ex2_9
