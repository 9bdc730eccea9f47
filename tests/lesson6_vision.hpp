// The gradients of lesson 6's vision model, for its own test and for the gradient test of the lesson: every parameter and the
// images, both poolings, all gates, with and without biases and dropout.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/6_bma/vision.hpp"
#include "tests/gradients.hpp"

// Images of 4 x 6 pixels in 2 x 2 patches, three classes.
inline VisionForm small_vision(Gate gate, Pooling pooling) { return {{4, 6, 2}, 3, pooling, {gate, 1, 2, 4}}; }

inline void check_vision(GradientTest& test, const std::string& name, const VisionForm& form, std::uint64_t seed) {
  Random random(seed, 90);
  VisionModel<double> model(form), gradients(form);
  // Rows N(0, 1), weights N(0, 4/fan-in): large enough that no slope drowns in the rounding of the loss.
  for (const auto& [tensor_name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(),
                                   tensor.rows() > 1 ? 2 / std::sqrt(double(tensor.rows())) : 1, random);
  Matrix<double> images = normal_matrix<double>(2, form.grid.rows * form.grid.cols, 1, random);
  const std::vector<std::uint32_t> labels{2, 0};
  VisionModel<double>::Trace trace, room;
  const auto loss = [&] {
    Random dropout(seed, 91);
    model.forward(images, trace, &dropout);
    return softmax_cross_entropy<double>(trace.logits, labels);
  };
  const Loss<double> at = loss();
  for (const auto& [tensor_name, tensor] : gradients.tensors())
    tensor = Matrix<double>(tensor.rows(), tensor.cols(), 7);
  model.backward(trace, at.gradient, room, gradients);  // twice: gradients are set, not added to
  model.backward(trace, at.gradient, room, gradients);
  Tensors<double> tensors, derived;
  const Tensors<double> all = model.tensors(), found = gradients.tensors();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name.ends_with(".bk")) {
      // A bias of the keys adds the same to all scores of a row, which the softmax takes away again: its gradient is 0.
      test.check.near(mean_square(found[k].tensor), 0, 1e-30, name + ": " + all[k].name + " has no gradient");
    } else {
      tensors.push_back(all[k]), derived.push_back(found[k]);
    }
  tensors.push_back({"images", images});
  derived.push_back({"images", room.images});
  test.model(name, tensors, derived, [&] { return loss().value; });
}

inline void vision_gradients(GradientTest& test) {
  for (const Pooling pooling : {Pooling::mean, Pooling::class_token})
    for (const Gate gate : all_gates) {
      VisionForm form = small_vision(gate, pooling);
      const std::string name =
          std::string("vision, ") + name_of(gate) + (pooling == Pooling::mean ? ", mean" : ", class token");
      check_vision(test, name, form, 1);
    }
  VisionForm plain = small_vision(Gate::post, Pooling::mean);
  plain.transformer.biases = false;
  check_vision(test, "vision, no biases", plain, 2);
  VisionForm dropped = small_vision(Gate::bma, Pooling::class_token);
  dropped.transformer.dropout = 0.25;
  dropped.transformer.layers = 2;
  check_vision(test, "vision, dropout, two layers", dropped, 3);
}
