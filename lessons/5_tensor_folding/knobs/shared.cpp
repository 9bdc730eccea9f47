// Lesson 5: what several of its benches share.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/knobs/shared.hpp"

#include <algorithm>

namespace lesson5 {

static constexpr std::size_t surface_side = 23;

Matrix<double> matrix_of(const std::vector<double>& numbers, std::size_t rows, std::size_t cols) {
  Matrix<double> A(rows, cols);
  std::copy(numbers.begin(), numbers.end(), A.values().begin());
  return A;
}

Matrix<double> square_of_points() {
  Matrix<double> X(surface_side * surface_side, 2);
  for (std::size_t i = 0; i < surface_side; ++i)
    for (std::size_t j = 0; j < surface_side; ++j) {
      X(i * surface_side + j, 0) = -2 + 4 * double(j) / (surface_side - 1);
      X(i * surface_side + j, 1) = 2 - 4 * double(i) / (surface_side - 1);
    }
  return X;
}

plot::Image surface(const std::string& caption, const Matrix<double>& Y, std::size_t column) {
  plot::Image image{caption, {}};
  for (std::size_t r = 0; r < Y.rows(); ++r) image.values.push_back(Y(r, column));
  return image;
}

plot::Sheet surfaces(const std::string& title, const std::vector<plot::Image>& images, bool own_scale) {
  plot::Sheet sheet{.title = title, .rows = surface_side, .cols = surface_side, .images = images};
  sheet.diverging = true;
  sheet.own_scale = own_scale;
  return sheet;
}

plot::Series bars(const std::string& name, const std::vector<double>& heights, double half_width) {
  plot::Series outline{name, {}, {}};
  for (std::size_t k = 0; k < heights.size(); ++k) {
    outline.add(double(k) - half_width, 0);
    outline.add(double(k) - half_width, heights[k]);
    outline.add(double(k) + half_width, heights[k]);
    outline.add(double(k) + half_width, 0);
  }
  return outline;
}

Matrix<double> image_of(const std::vector<double>& cells, const Images& images) {
  Matrix<double> image(1, images.rows * images.cols);
  for (std::size_t r = 0; r < images.rows; ++r)
    for (std::size_t c = 0; c < images.cols; ++c)
      image(0, r * images.cols + c) =
          cells[r * digits::side / images.rows * digits::side + c * digits::side / images.cols];
  return image;
}

ClassifierSettings short_training(const Session& session, double decay, double noise) {
  ClassifierSettings settings = session.training();
  settings.steps = session.options.steps_or(300, 60);
  settings.decay = decay;
  settings.noise = noise;
  return settings;
}

Net<float> net_of(Session& session, int part, double noise) {
  if (!session.flags.load.empty()) return session.net();
  Random random(session.options.seed, 500 + std::uint64_t(part));
  Net<float> net(session.form(), random);
  train(net, session.images.train, short_training(session, ClassifierSettings().decay, noise), random);
  return net;
}

Matrix<double> precise_logits(const Net<float>& net, const Matrix<double>& X) {
  const auto in_double = [](const Matrix<float>& A) { return Matrix<double>(A.view()); };
  return matmul(hadamard(matmul(X, in_double(net.W)), matmul(X, in_double(net.V))), in_double(net.U));
}

}  // namespace lesson5
