// The gradients of lesson 6's vision model, for the gradient test of the lesson: every parameter and the images, both
// poolings, all gates, with and without biases and dropout; and those of a training step.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/6_bma/run/train_vision.hpp"
#include "tests/gradients.hpp"

using namespace lesson6;

// Images of 4 x 6 pixels in six 2 x 2 patches, seven classes, four heads of two.
inline VisionForm vision_of_the_check(Gate gate, Pooling pooling) { return {{4, 6, 2}, 7, pooling, {gate, 1, 4, 8}}; }

// All but the key biases.
template <class List>
List without_key_bias(const List& tensors) {
  List rest;
  for (const auto& named : tensors)
    if (!named.name.ends_with("bk")) rest.push_back(named);
  return rest;
}

// What training scales the gradients by, so that their common norm is at most `clip`.
inline double clip_factor(const Tensors<double>& gradients, double clip) {
  double square = 0;
  for (const auto& [name, tensor] : gradients) square += dot(tensor, tensor);
  return std::min(1.0, clip / std::sqrt(square));
}

template <class T>
auto cross_entropy_with(const std::vector<std::uint32_t>& labels) {
  return [&labels](const Matrix<T>& Y) { return softmax_cross_entropy<T>(Y, labels); };
}

// A model in both precisions from the same numbers, and a batch.
struct VisionCase {
  VisionModel<double> wide;
  VisionModel<float> narrow;
  Pictures<double> pictures;
  Pictures<float> narrow_pictures;
  std::vector<std::uint32_t> labels;

  // Rows N(0, 1), weights N(0, 4/fan-in): large enough that no slope drowns in the rounding of the loss.
  VisionCase(const VisionForm& form, std::uint64_t seed)
      : wide(form), narrow(form), labels{2, 0, std::uint32_t(form.classes - 1)} {
    Random random(seed, 90);
    for (const auto& [name, tensor] : wide.tensors())
      tensor = normal_matrix<double>(tensor.rows(), tensor.cols(),
                                     tensor.rows() > 1 ? 2 / std::sqrt(double(tensor.rows())) : 1, random);
    pictures = {normal_matrix<double>(3, form.grid.rows * form.grid.cols, 1, random), Random(seed, 91)};
    narrow_pictures.dropout = pictures.dropout;
    same_numbers(wide.tensors(), narrow.tensors());
    same_numbers({{"images", pictures.X}}, {{"images", narrow_pictures.X}});
  }
};

// The gradients of the parameters and of the images, found over others that were there before.
template <class T>
Gradients<VisionModel<T>> vision_gradients_of(const VisionModel<T>& model, const Pictures<T>& pictures,
                                              const std::vector<std::uint32_t>& labels) {
  typename VisionModel<T>::Trace t;
  Gradients<VisionModel<T>> g(model);
  for (const auto& [name, tensor] : g.d.tensors()) tensor = Matrix<T>(tensor.rows(), tensor.cols(), 7);
  g.dX = Matrix<T>(pictures.X.rows(), pictures.X.cols(), 7);
  model.forward(pictures, t);
  const Matrix<T> dY = cross_entropy_with<T>(labels)(t.Y).gradient;
  model.backward(pictures, t, dY, g);  // twice: gradients are set, not added to
  model.backward(pictures, t, dY, g);
  return g;
}

template <class T>
Tensors<T> vision_list(Gradients<VisionModel<T>>& g) {
  Tensors<T> all = without_key_bias(g.d.tensors());
  all.push_back({"images", g.dX});
  return all;
}

// The gradients of a training step against those of backward, in both precisions. `expected` are the latter in double.
inline void vision_step(GradientTest& test, const std::string& name, const VisionCase& c, VisionModel<double> expected,
                        double clip) {
  const Tensors<double> whole = expected.tensors();
  const double factor = clip_factor(whole, clip);
  test.check.that((factor < 0.9) == (clip < 1), name + ": clipped or not");
  for (const auto& [tensor_name, tensor] : whole) tensor = factor * tensor;
  Pass<VisionModel<double>> pass(c.wide);
  Pass<VisionModel<float>> narrow_pass(c.narrow);
  vision_pass(pass, c.wide, c.pictures, c.labels, clip);
  vision_pass(narrow_pass, c.narrow, c.narrow_pictures, c.labels, clip);
  const Tensors<double> found = pass.g.d.tensors();
  for (std::size_t t = 0; t < whole.size(); ++t)
    test.check.near(max_abs_difference(found[t].tensor, whole[t].tensor), 0, 1e-14, name + ": d" + whole[t].name);
  test.in_float(name, without_key_bias(narrow_pass.g.d.tensors()), without_key_bias(whole));
}

inline void check_vision(GradientTest& test, const std::string& name, const VisionForm& form, std::uint64_t seed) {
  VisionCase c(form, seed);
  Gradients<VisionModel<double>> g = vision_gradients_of(c.wide, c.pictures, c.labels);
  // A bias of the keys adds the same to all scores of a row, which the softmax takes away again: its gradient is 0.
  for (const auto& [tensor_name, tensor] : g.d.tensors())
    if (tensor_name.ends_with(".bk"))
      test.check.near(mean_square(tensor), 0, 1e-30, name + ": " + tensor_name + " has no gradient");
  Tensors<double> tensors = without_key_bias(c.wide.tensors());
  tensors.push_back({"images", c.pictures.X});
  VisionModel<double>::Trace t;
  test.list(name, tensors, vision_list(g), [&] {
    c.wide.forward(c.pictures, t);
    return cross_entropy_with<double>(c.labels)(t.Y).value;
  });
  Gradients<VisionModel<float>> narrow = vision_gradients_of(c.narrow, c.narrow_pictures, c.labels);
  test.in_float(name, vision_list(narrow), vision_list(g));
  for (const double clip : {1e9, 0.1}) vision_step(test, name + (clip < 1 ? ", clipped step" : ", step"), c, g.d, clip);
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
  VisionForm deep{{4, 6, 2}, 3, Pooling::class_token, {Gate::bma, 5, 2, 4}};
  deep.transformer.dropout = 0.25;
  check_vision(test, "vision, dropout, five layers", deep, 3);
}
