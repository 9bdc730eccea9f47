// Lesson 5, part 12: what can be promised of a net without running it.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/session.hpp"
#include "lessons/5_tensor_folding/svd.hpp"

inline double squared_length(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

// The largest |y_o|/(max|λ_o|·|x|²) over all rows and outputs: 1 is what the bound allows.   (5.25)
inline double how_near(const Net<float>& net, const std::vector<Eigen>& spectra, const Matrix<double>& X) {
  const Net<double> precise = [&] {
    Net<double> wide(net.form);
    wide.W = Matrix<double>(net.W.view()), wide.V = Matrix<double>(net.V.view()), wide.U = Matrix<double>(net.U.view());
    return wide;
  }();
  const Matrix<double> Y = precise.forward(X).logits;
  double nearest = 0;
  for (std::size_t r = 0; r < X.rows(); ++r)
    for (std::size_t o = 0; o < Y.cols(); ++o)
      nearest = std::max(nearest, std::abs(Y(r, o)) / (std::abs(spectra[o].values[0]) * squared_length(X.row(r))));
  return nearest;
}

// The same for a ReLU net and the bound that its norms give: |y_o - d_o| <= |u_o|·(largest singular value of W·|x| + |b|).
inline double how_near(const ReluNet<float>& net, const Matrix<double>& X) {
  const Svd of_W = svd(Matrix<double>(net.W.view()));
  const Matrix<float> Y = net.forward(Matrix<float>(X.view())).logits;
  const double b = std::sqrt(dot(net.b, net.b));
  double nearest = 0;
  for (std::size_t o = 0; o < Y.cols(); ++o) {
    double u = 0;
    for (std::size_t k = 0; k < net.U.rows(); ++k) u += double(net.U(k, o)) * double(net.U(k, o));
    for (std::size_t r = 0; r < X.rows(); ++r) {
      const double bound = std::sqrt(u) * (of_W.values[0] * std::sqrt(squared_length(X.row(r))) + b);
      nearest = std::max(nearest, std::abs(double(Y(r, o)) - double(net.d(0, o))) / bound);
    }
  }
  return nearest;
}

inline void part12(Lesson& lesson, Session& session) {
  const std::vector<Eigen>& spectra = session.spectra();
  const std::size_t pixels = session.images.train.X.cols(), rows = session.quick_or<std::size_t>(1000, 10'000);
  Random random(session.options.seed, 67);
  const auto noise = normal_matrix<double>(rows, pixels, 1, random);
  const Matrix<double> images(session.images.test.X.view());
  Matrix<double> top(spectra.size(), pixels);
  for (std::size_t o = 0; o < spectra.size(); ++o)
    std::copy(spectra[o].vectors.row(0).begin(), spectra[o].vectors.row(0).end(), top.row(o).begin());

  Random start(session.options.seed, 70);
  ReluNet<float> relu(pixels, 46, 10, start);
  train(relu, session.images.train, session.training(), Random(session.options.seed, 71));

  lesson.say("From y = Σ λ·(v·x)² and the v at right angles: |y| <= max|λ|·|x|², for every x there is, known from the ",
             "weights. How near is it come to? For a ReLU net the norms of its matrices give a bound, too.");
  const double random_near = how_near(session.net(), spectra, noise),
               image_near = how_near(session.net(), spectra, images);
  const double top_near = how_near(session.net(), spectra, top);
  const double relu_near = std::max(how_near(relu, noise), how_near(relu, images));
  lesson.show(Table{{"inputs", "largest |y| over the bound"},
                    {{join(rows, " random ones"), fixed(random_near, 4)},
                     {join(images.rows(), " test images"), fixed(image_near, 4)},
                     {"the ten top eigenvectors", fixed(top_near, 6)},
                     {"ReLU net, random inputs and images", fixed(relu_near, 4)}}});
  lesson.claim("no input exceeds the bound: largest ratio", std::max({random_near, image_near, top_near}),
               at_most(1 + 1e-9));
  lesson.claim("and one reaches it: distance from 1", std::abs(top_near - 1),
               at_most(1e-9));  // float weights, exact in double
  lesson.say(
      "The bound is sharp, and the input that reaches it is known. That of the ReLU net holds, too, but which input "
      "would ",
      "come nearest its weights do not say: that depends on which units are on.");
  lesson.claim("the ReLU net's bound holds, too: largest ratio", relu_near, at_most(1));
}
