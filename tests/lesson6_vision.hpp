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

// Images of 4 x 6 pixels in six 2 x 2 patches, seven classes, five heads of two.
inline VisionForm vision_of_the_check(Gate gate, Pooling pooling) { return {{4, 6, 2}, 7, pooling, {gate, 1, 5, 10}}; }

// From the same numbers in double and in float: the gradients of the parameters and of the images.
template <class T>
Tensors<T> vision_gradients_of(const VisionModel<T>& model, const Matrix<T>& images,
                               const std::vector<std::uint32_t>& labels, std::uint64_t seed,
                               typename VisionModel<T>::Trace& room, VisionModel<T>& grad) {
  typename VisionModel<T>::Trace trace;
  Random dropout(seed, 91);
  model.forward(images, trace, &dropout);
  model.backward(trace, softmax_cross_entropy<T>(trace.logits, labels).gradient, room, grad);
  Tensors<T> found;
  for (const Named<T>& named : grad.tensors())
    if (!named.name.ends_with(".bk")) found.push_back(named);
  found.push_back({"images", room.images});
  return found;
}

inline void vision_in_float(GradientTest& test, const std::string& name, VisionModel<double> wide,
                            Matrix<double> images, const std::vector<std::uint32_t>& labels, std::uint64_t seed) {
  VisionModel<double> wide_grad(wide.form);
  VisionModel<float> narrow(wide.form), narrow_grad(wide.form);
  VisionModel<double>::Trace wide_room;
  VisionModel<float>::Trace narrow_room;
  Matrix<float> narrow_images;
  same_numbers(wide.tensors(), narrow.tensors());
  same_numbers({{"images", images}}, {{"images", narrow_images}});
  const Tensors<double> expected = vision_gradients_of(wide, images, labels, seed, wide_room, wide_grad);
  test.in_float(name, vision_gradients_of(narrow, narrow_images, labels, seed, narrow_room, narrow_grad), expected);
}

inline void check_vision(GradientTest& test, const std::string& name, const VisionForm& form, std::uint64_t seed) {
  Random random(seed, 90);
  VisionModel<double> model(form), gradients(form);
  // Rows N(0, 1), weights N(0, 4/fan-in): large enough that no slope drowns in the rounding of the loss.
  for (const auto& [tensor_name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(),
                                   tensor.rows() > 1 ? 2 / std::sqrt(double(tensor.rows())) : 1, random);
  Matrix<double> images = normal_matrix<double>(3, form.grid.rows * form.grid.cols, 1, random);
  const std::vector<std::uint32_t> labels{2, 0, std::uint32_t(form.classes - 1)};
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
  vision_in_float(test, name, model, images, labels, seed);
}

inline void vision_gradients(GradientTest& test) {
  for (const Pooling pooling : {Pooling::mean, Pooling::class_token})
    for (const Gate gate : all_gates) {
      const VisionForm form = vision_of_the_check(gate, pooling);
      const std::string name =
          std::string("vision, ") + name_of(gate) + (pooling == Pooling::mean ? ", mean" : ", class token");
      check_vision(test, name, form, 1);
    }
  VisionForm plain = vision_of_the_check(Gate::post, Pooling::mean);
  plain.transformer.biases = false;
  check_vision(test, "vision, no biases", plain, 2);
  const VisionForm deep{{4, 6, 2}, 3, Pooling::class_token, {Gate::bma, 5, 2, 4, false, true, 0.25}};
  check_vision(test, "vision, dropout, five layers", deep, 3);
}
