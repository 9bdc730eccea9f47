// The gradients of lesson 6's vision model, for its own test and for the gradient test of the lesson: every parameter and the
// images, both poolings, all gates, with and without biases and dropout.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/6_bma/vision.hpp"
#include "tests/gradients.hpp"

// Images of 4 x 6 pixels in six 2 x 2 patches, seven classes, five heads of two.
inline VisionForm vision_of_the_check(Gate gate, Pooling pooling) { return {{4, 6, 2}, 7, pooling, {gate, 1, 5, 10}}; }

// All but the key biases.
template <class T>
Tensors<T> without_key_bias(const Tensors<T>& tensors) {
  Tensors<T> rest;
  for (const Named<T>& named : tensors)
    if (!named.name.ends_with("bk")) rest.push_back(named);
  return rest;
}

// What training scales the gradients by, so that their common norm is at most `clip`.
inline double clip_factor(const Tensors<double>& gradients, double clip) {
  double square = 0;
  for (const auto& [name, tensor] : gradients) square += dot(tensor, tensor);
  return std::min(1.0, clip / std::sqrt(square));
}

// From the same numbers in double and in float, over gradients that held other numbers before: the gradients of the
// parameters and of the images.
template <class T>
Tensors<T> vision_gradients_of(const VisionModel<T>& model, const Matrix<T>& images,
                               const std::vector<std::uint32_t>& labels, std::uint64_t seed,
                               typename VisionModel<T>::Trace& room, VisionModel<T>& grad) {
  typename VisionModel<T>::Trace trace;
  Random dropout(seed, 91);
  for (const auto& [name, tensor] : grad.tensors()) tensor = Matrix<T>(tensor.rows(), tensor.cols(), 7);
  model.forward(images, trace, &dropout);
  model.backward(trace, softmax_cross_entropy<T>(trace.logits, labels).gradient, room, grad);
  Tensors<T> found = without_key_bias(grad.tensors());
  found.push_back({"images", room.images});
  return found;
}

// The gradients of a training step against those of backward, in both precisions. `expected` are the latter in double.
inline void vision_step(GradientTest& test, const std::string& name, const VisionModel<double>& wide,
                        const VisionModel<float>& narrow, const Matrix<double>& images,
                        const Matrix<float>& narrow_images, const std::vector<std::uint32_t>& labels,
                        std::uint64_t seed, VisionModel<double> expected, double clip) {
  const Tensors<double> whole = expected.tensors();
  const double factor = clip_factor(whole, clip);
  test.check.that((factor < 0.9) == (clip < 1), name + ": clipped or not");
  for (const auto& [tensor_name, tensor] : whole) tensor = factor * tensor;
  VisionPass<double> pass(wide.form);
  VisionPass<float> narrow_pass(wide.form);
  Random dropout(seed, 91), narrow_dropout(seed, 91);
  pass.run(wide, images, labels, clip, &dropout);
  narrow_pass.run(narrow, narrow_images, labels, clip, &narrow_dropout);
  const Tensors<double> found = pass.gradients.tensors();
  for (std::size_t t = 0; t < whole.size(); ++t)
    test.check.near(max_abs_difference(found[t].tensor, whole[t].tensor), 0, 1e-14, name + ": d" + whole[t].name);
  test.in_float(name, without_key_bias(narrow_pass.gradients.tensors()), without_key_bias(whole));
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
  for (const double clip : {1e9, 0.1})
    vision_step(test, name + (clip < 1 ? ", clipped step" : ", step"), wide, narrow, images, narrow_images, labels,
                seed, wide_grad, clip);
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
  test.list(name, tensors, derived, [&] { return loss().value; });
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
