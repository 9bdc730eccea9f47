// Lesson 5, part 9: a pattern that fools the net, made of its weights alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/session.hpp"

// The unit vector along which output `target` grows fastest against the mean of all outputs: the eigenvector of the most
// positive eigenvalue of S[target] - mean S, which is the slice of one output with U's column less the mean column.   (5.20)
inline std::vector<double> fooling_direction(const Net<float>& net, std::size_t target) {
  NetForm form = net.form;
  form.outputs = 1;
  Net<float> contrast(form);
  contrast.W = net.W, contrast.V = net.V;
  for (std::size_t k = 0; k < net.U.rows(); ++k) {
    float mean = 0;
    for (const float u : net.U.row(k)) mean += u / float(net.U.cols());
    contrast.U(k, 0) = net.U(k, target) - mean;
  }
  const Eigen eigen = eigen_through_factors(contrast, 0);
  const std::size_t top =
      std::size_t(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
  std::vector<double> v(eigen.vectors.row(top).begin(), eigen.vectors.row(top).end());
  // Of the two signs the one that gains with ink, which is never negative: 1·S·v > 0, that is λ·(1·v) > 0.
  double ink = 0;
  for (const double x : v) ink += x;
  if (ink < 0)
    for (double& x : v) x = -x;
  return v;
}

// M·1 of the same M = S[target] - mean S, at length 1: along it the output grows fastest from an image of even ink. From the
// factors: ½ Σ_k u_k·(w_k·(v_k·1) + v_k·(w_k·1)), u_k the difference of U's column and its mean.
inline std::vector<double> ink_direction(const Net<float>& net, std::size_t target) {
  std::vector<double> v(net.W.rows());
  for (std::size_t k = 0; k < net.U.rows(); ++k) {
    double mean = 0, of_W = 0, of_V = 0;
    for (const float u : net.U.row(k)) mean += double(u) / double(net.U.cols());
    for (std::size_t i = 0; i < v.size(); ++i) of_W += double(net.W(i, k)), of_V += double(net.V(i, k));
    const double u = double(net.U(k, target)) - mean;
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] += u * (double(net.W(i, k)) * of_V + double(net.V(i, k)) * of_W) / 2;
  }
  double square = 0;
  for (const double x : v) square += x * x;
  for (double& x : v) x /= std::sqrt(square);
  return v;
}

struct Attack {
  double success = 0;   // share of the images of other classes that are taken for the target
  double accuracy = 0;  // share of all images still right
};

// All images moved by size·direction.
inline Attack attack(const Net<float>& net, const Images& images, std::size_t target, std::span<const double> direction,
                     double size) {
  Images moved = images;
  for (std::size_t i = 0; i < images.labels.size(); ++i)
    for (std::size_t j = 0; j < direction.size(); ++j) moved.X(i, j) += float(size * direction[j]);
  const std::vector<std::uint32_t> found = largest_of_rows(net.forward(moved.X).logits);
  Attack result;
  std::size_t others = 0, fooled = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    others += images.labels[i] != target;
    fooled += images.labels[i] != target && found[i] == target;
    result.accuracy += double(found[i] == images.labels[i]) / double(found.size());
  }
  result.success = others > 0 ? double(fooled) / double(others) : 0;
  return result;
}

// Means over the ten targets: the two directions from the weights, and a random one.
struct Attacks {
  Attack fooling, ink, random;
};
inline Attacks attack_all(Session& session, const Net<float>& net, double size) {
  const Images& images = session.images.test;
  std::vector<Attacks> found(10);
  session.run("attacks", 10, [&](std::size_t target) {
    const std::vector<double> v = fooling_direction(net, target);
    found[target].fooling = attack(net, images, target, v, size);
    found[target].ink = attack(net, images, target, ink_direction(net, target), size);
    Random random(session.options.seed, 73 + target);
    Matrix<double> other = normal_matrix<double>(1, v.size(), 1, random);
    other = 1 / std::sqrt(dot(other, other)) * other;
    found[target].random = attack(net, images, target, other.row(0), size);
  });
  Attacks mean;
  for (const Attacks& one : found) {
    mean.fooling.success += one.fooling.success / 10, mean.fooling.accuracy += one.fooling.accuracy / 10;
    mean.ink.success += one.ink.success / 10, mean.ink.accuracy += one.ink.accuracy / 10;
    mean.random.success += one.random.success / 10, mean.random.accuracy += one.random.accuracy / 10;
  }
  return mean;
}

inline void part9(Lesson& lesson, Session& session) {
  const Images& images = session.images.test;
  double length = 0;
  for (std::size_t i = 0; i < images.labels.size(); ++i) {
    double square = 0;
    for (const float x : images.X.row(i)) square += double(x) * double(x);
    length += std::sqrt(square) / double(images.labels.size());
  }
  ClassifierSettings noisy = session.training();
  noisy.noise = 0.4;
  const Net<float> hardened = session.trained(session.options.seed, noisy);
  const double size = length / 3;
  lesson.say(
      "Which one pattern, added to any image, makes the net see a 3? M = S[3] minus the mean slice says how the logit "
      "of 3 ",
      "stands against the others. From nothing, v·M·vᵀ grows fastest along its top eigenvector. From an image x there "
      "is ",
      "2·x·M·vᵀ besides, and the sign is chosen so that ink, which is never negative, gains. No image is looked at, "
      "and ",
      "the net is not run. Added to every test image with a length of ", fixed(size, 2),
      ", a third of an image's own (", fixed(length, 2), "), means over the ten targets:");
  ClassifierSettings clean = session.training();
  clean.noise = 0;
  const Net<float> trained =
      session.training().noise > 0 ? session.trained(session.options.seed, clean) : session.net();
  const Attacks plain = attack_all(session, trained, size), hard = attack_all(session, hardened, size);
  Table table{{"net", "direction", "taken for the target", "still right"}, {}};
  const auto row = [&](const std::string& net, const std::string& direction, const Attack& a) {
    table.rows.push_back({net, direction, fixed(a.success, 3), fixed(a.accuracy, 3)});
  };
  for (const auto& [name, attacks] : {std::pair("as trained", &plain), std::pair("with input noise .4", &hard)}) {
    row(name, "top eigenvector of M", attacks->fooling);
    row(name, "M·1", attacks->ink);
    row(name, "random", attacks->random);
  }
  lesson.show(table);

  plot::Sheet sheet;
  sheet.title = "A test image, the pattern for 3, and both together";
  sheet.rows = images.rows, sheet.cols = images.cols;
  sheet.diverging = true;
  std::vector<double> v = fooling_direction(trained, 3);
  const std::vector<std::uint32_t> found = largest_of_rows(trained.forward(images.X).logits);
  std::size_t example = 0;  // the first image that is no 3 and that the net takes for what it is
  while (example + 1 < found.size() && (found[example] == 3 || found[example] != images.labels[example])) ++example;
  std::vector<double> image(images.X.row(example).begin(), images.X.row(example).end()), both = image;
  for (std::size_t j = 0; j < v.size(); ++j) v[j] *= size, both[j] += v[j];
  const auto taken_for = [&](const std::vector<double>& pixels) {
    Matrix<float> x(1, pixels.size());
    for (std::size_t j = 0; j < pixels.size(); ++j) x(0, j) = float(pixels[j]);
    return std::to_string(largest_of_rows(trained.forward(x).logits)[0]);
  };
  sheet.images = {{"taken for " + taken_for(image), image}, {"the pattern", v}, {"taken for " + taken_for(both), both}};
  lesson.picture("fooling", sheet);
  lesson.claim_trained("taken for the target: from the weights minus random",
                       plain.fooling.success - plain.random.success, at_least(0.1));
  lesson.claim_trained("M·1, best from an image of even ink, fools more still, by",
                       plain.ink.success - plain.fooling.success, at_least(0.05));
  lesson.claim_trained("a random direction is harmless: still right", plain.random.accuracy, at_least(0.9));
  lesson.claim_trained("input noise in training helps: taken for the target, less by",
                       plain.fooling.success - hard.fooling.success, at_least(0.05));
}
