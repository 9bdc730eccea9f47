// Lesson 5, part 9: a pattern that fools the net, made of its weights alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/session.hpp"

// M = S[target] - mean S as the net of one output whose slice it is: U's column less the mean column.
inline Net<double> contrast(const Net<float>& net, std::size_t target) {
  NetForm form = net.form;
  form.outputs = 1;
  Net<double> one(form);
  one.W = Matrix<double>(net.W.view()), one.V = Matrix<double>(net.V.view());
  for (std::size_t k = 0; k < net.U.rows(); ++k) {
    double mean = 0;
    for (const float u : net.U.row(k)) mean += double(u) / double(net.U.cols());
    one.U(k, 0) = double(net.U(k, target)) - mean;
  }
  return one;
}

// x·M from the factors, for each row x of X: ½·((x·W ⊙ u)·Vᵀ + (x·V ⊙ u)·Wᵀ), u the only column of U.
inline Matrix<double> times_M(const Net<double>& one, const Matrix<double>& X) {
  Matrix<double> P = matmul(X, one.W), Q = matmul(X, one.V);  // n x h
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t k = 0; k < P.cols(); ++k) {
      P(r, k) *= one.U(k, 0) / 2;
      Q(r, k) *= one.U(k, 0) / 2;
    }
  return matmul(P, transpose(one.V)) + matmul(Q, transpose(one.W));  // n x inputs
}

// The unit vector along which x·M·xᵀ grows fastest from x = 0: M's eigenvector of the most positive eigenvalue. Of its two
// signs the one for which ink, all of it positive, gains: 1·M·v = λ·(1·v) > 0.   (5.20)
inline Matrix<double> fooling_direction(const Net<double>& one) {
  const Eigen eigen = eigen_through_factors(one, 0);
  const auto top = std::size_t(std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
  const Matrix<double> v(row_block(eigen.vectors, top, 1));
  return (std::accumulate(v.values().begin(), v.values().end(), 0.0) < 0 ? -1.0 : 1.0) * v;
}

// M·1 at length 1: the direction in which x·M·xᵀ grows fastest from an image of even ink, to first order.
inline Matrix<double> ink_direction(const Net<double>& one) {
  const Matrix<double> v = times_M(one, Matrix<double>(1, one.W.rows(), 1));
  return 1 / std::sqrt(dot(v, v)) * v;
}

// Means over the ten targets, the net's images moved by size·v.
struct Attack {
  double success = 0;       // share of the images of other classes that are taken for the target
  double accuracy = 0;      // share of all images still right
  double from_image = 0;    // 2·size·x·M·vᵀ, mean over the images
  double from_pattern = 0;  // size²·v·M·vᵀ
};

// The first two of these, for one target.
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

inline Matrix<double> mean_image(const Images& images) {
  return 1 / double(images.labels.size()) * column_sums(Matrix<double>(images.X.view()));
}

// The mean over the ten targets, for the direction that direction_of(contrast, target) gives.
template <class DirectionOf>
Attack attack_all(Session& session, const Net<float>& net, double size, DirectionOf direction_of) {
  const Images& images = session.images.test;
  const Matrix<double> mean = mean_image(images);
  std::vector<Attack> found(10);
  session.run("attacks", 10, [&](std::size_t target) {
    const Net<double> one = contrast(net, target);
    const Matrix<double> v = direction_of(one, target), v_M = times_M(one, v);
    found[target] = attack(net, images, target, v.row(0), size);
    found[target].from_image = 2 * size * dot(v_M, mean);
    found[target].from_pattern = size * size * dot(v_M, v);
  });
  Attack all;
  for (const Attack& one : found) {
    all.success += one.success / 10, all.accuracy += one.accuracy / 10;
    all.from_image += one.from_image / 10, all.from_pattern += one.from_pattern / 10;
  }
  return all;
}

// The two directions from the weights, and a random one.
struct Attacks {
  Attack fooling, ink, random;
};
inline Attacks attacks_on(Session& session, const Net<float>& net, double size) {
  return {attack_all(session, net, size, [](const Net<double>& one, std::size_t) { return fooling_direction(one); }),
          attack_all(session, net, size, [](const Net<double>& one, std::size_t) { return ink_direction(one); }),
          attack_all(session, net, size, [&](const Net<double>& one, std::size_t target) {
            Random random(session.options.seed, 73 + target);
            const auto v = normal_matrix<double>(1, one.W.rows(), 1, random);
            return 1 / std::sqrt(dot(v, v)) * v;
          })};
}

// The first image that is no 3 and that the net takes for what it is, the pattern for 3, and both together.
inline plot::Sheet picture_of_fooling(const Net<float>& net, const Images& images, double size) {
  plot::Sheet sheet;
  sheet.title = "A test image, the pattern for 3, and both together";
  sheet.rows = images.rows, sheet.cols = images.cols;
  sheet.diverging = true;
  const std::vector<std::uint32_t> found = largest_of_rows(net.forward(images.X).logits);
  std::size_t example = 0;
  while (example + 1 < found.size() && (found[example] == 3 || found[example] != images.labels[example])) ++example;
  const Matrix<float> image(row_block(images.X, example, 1));
  const Matrix<double> pattern = size * fooling_direction(contrast(net, 3));
  const Matrix<float> both = image + Matrix<float>(pattern.view());
  const auto add = [&](const std::string& name, const auto& pixels) {
    sheet.images.push_back({name, {pixels.values().begin(), pixels.values().end()}});
  };
  const auto taken_for = [&](const Matrix<float>& x) {
    return "taken for " + std::to_string(largest_of_rows(net.forward(x).logits)[0]);
  };
  add(taken_for(image), image);
  add("the pattern", pattern);
  add(taken_for(both), both);
  return sheet;
}

inline double mean_length(const Images& images) {
  double length = 0;
  for (std::size_t i = 0; i < images.labels.size(); ++i) {
    double square = 0;
    for (const float x : images.X.row(i)) square += double(x) * double(x);
    length += std::sqrt(square) / double(images.labels.size());
  }
  return length;
}

// The session's net where its settings have this input noise, else another trained with it.
inline Net<float> trained_with_noise(Session& session, double noise) {
  ClassifierSettings settings = session.training();
  if (settings.noise == noise) return session.net();
  settings.noise = noise;
  return session.trained(session.options.seed, settings);
}

inline void part9(Lesson& lesson, Session& session) {
  const Images& images = session.images.test;
  const double length = mean_length(images), size = length / 3;
  const Net<float> trained = trained_with_noise(session, 0), hardened = trained_with_noise(session, 0.4);
  const Attacks plain = attacks_on(session, trained, size), hard = attacks_on(session, hardened, size),
                large = attacks_on(session, trained, 3 * length);
  lesson.say(
      "Which one pattern, added to any image, makes the net see a 3? M = S[3] minus the mean slice says how the logit ",
      "of 3 stands against the others. Moved from an image x by s·v, it gains 2·s·x·M·vᵀ from the image and s²·v·M·vᵀ ",
      "from the pattern itself. The second is known without an image and largest along M's top eigenvector. The first "
      "is ",
      "largest along M·x, which is M·1 where an image is taken for even ink. Neither looks at an image, and the net "
      "is ",
      "not run. Added to every test image with a length of s = ", fixed(size, 2), ", a third of an image's own (",
      fixed(length, 2), "), means over the ten targets:");
  Table table{{"net", "direction", "from image", "from pattern", "fooled", "still right"}, {}};
  const auto row = [&](const std::string& net, const std::string& direction, const Attack& a) {
    table.rows.push_back(
        {net, direction, fixed(a.from_image, 2), fixed(a.from_pattern, 2), fixed(a.success, 3), fixed(a.accuracy, 3)});
  };
  for (const auto& [name, attacks] : {std::pair("as trained", &plain), std::pair("noise .4", &hard)}) {
    row(name, "top eigenvector", attacks->fooling);
    row(name, "M·1", attacks->ink);
    row(name, "random", attacks->random);
  }
  lesson.show(table);
  lesson.say(
      "(Fooled: the share of the images of other classes that are taken for the target.) The eigenvector answers for "
      "a ",
      "start from nothing, and an image is not nothing: it is three times as long as the pattern, and M·1 gains more "
      "from ",
      "it. With a pattern of three images' length the pattern's own term decides: the eigenvector fools ",
      fixed(large.fooling.success, 3), ", M·1 ", fixed(large.ink.success, 3), ".");
  lesson.picture("fooling", picture_of_fooling(trained, images, size));
  // Means and spreads over 40 seeds.
  lesson.claim_trained("fooled: eigenvector minus random", plain.fooling.success - plain.random.success,
                       within(0.336, 4.5 * 0.050));
  lesson.claim_trained("M·1 gains more from the image than the eigenvector, by",
                       plain.ink.from_image - plain.fooling.from_image, within(15.7, 4.5 * 1.8));
  lesson.claim("... and less from the pattern, as it must: eigenvector minus M·1",
               plain.fooling.from_pattern - plain.ink.from_pattern, at_least(0));
  lesson.claim_trained("... and fools more, by", plain.ink.success - plain.fooling.success, within(0.309, 4.5 * 0.046));
  lesson.claim_trained("a random direction is harmless: still right", plain.random.accuracy,
                       at_least(0.960 - 4.5 * 0.006));
  lesson.claim_trained("input noise in training helps: fooled, less by", plain.fooling.success - hard.fooling.success,
                       within(0.239, 4.5 * 0.050));
}
