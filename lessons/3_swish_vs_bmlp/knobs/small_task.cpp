// Lesson 3: a task that a bench learns while one waits.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/knobs/small_task.hpp"

#include <cmath>

#include "lessons/3_swish_vs_bmlp/floors.hpp"

namespace lesson3 {

Rows draw_rows(const SmallTask& task, Random& random) {
  Rows rows{Matrix<double>(task.count, small_inputs), Matrix<double>(task.count, 1)};
  for (double& x : rows.X.values()) x = random.uniform(-suite_range, suite_range);
  const double k = double(task.degree), d = double(small_inputs);
  const double straight = std::sqrt(3 * (1 - task.bent) / d), bent = std::sqrt((2 * k + 1) * task.bent / d);
  for (std::size_t i = 0; i < task.count; ++i) {
    double& target = rows.T(i, 0);
    for (const double x : rows.X.row(i)) {
      const std::vector<double> values = legendre(task.degree, x / suite_range);
      target += straight * values[1] + bent * values[task.degree];
    }
    target += task.noise * random.normal();
  }
  return rows;
}

double affine_floor(const Rows& rows) {
  const Matrix<double> Phi = affine_features(rows.X);
  return mean_square(matmul(Phi, least_squares(Phi, rows.T)) - rows.T);
}

plot::Series series_of(const std::string& name, const Curve& curve) { return {name, curve.steps, curve.losses}; }

}  // namespace lesson3
