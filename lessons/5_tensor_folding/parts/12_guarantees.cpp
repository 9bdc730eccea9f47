// Lesson 5, part 12: what can be promised of a net without running it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/11_bounds.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

// For each output the eigenvector of the largest |λ|: the input that comes nearest to the bound.
Matrix<double> top_eigenvectors(const std::vector<Eigen>& spectra, std::size_t pixels) {
  Matrix<double> top(spectra.size(), pixels);
  for (std::size_t o = 0; o < spectra.size(); ++o)
    std::copy(spectra[o].vectors.row(0).begin(), spectra[o].vectors.row(0).end(), top.row(o).begin());
  return top;
}

}  // namespace

void part12(Lesson& lesson, Session& session) {
  const std::vector<Eigen>& spectra = session.spectra();
  const std::size_t pixels = session.images.train.X.cols(), rows = session.options.quick_or<std::size_t>(1000, 10'000);
  Random random(session.options.seed, 67);
  const auto noise = normal_matrix<double>(rows, pixels, 1, random);
  const Matrix<double> images(session.images.test.X.view());
  const ReluNet<float>& relu = session.relu_net();
  const double random_near = share_of_bound(session.net(), spectra, noise),
               image_near = share_of_bound(session.net(), spectra, images),
               top_near = share_of_bound(session.net(), spectra, top_eigenvectors(spectra, pixels)),
               relu_near = std::max(share_of_bound(relu, noise), share_of_bound(relu, images));

  lesson.say("How near does any input come to the bound max|λ|·|x|²?");
  lesson.show(Table{{"inputs", "largest |y| over the bound"},
                    {{join(rows, " random ones"), fixed(random_near, 4)},
                     {join(images.rows(), " test images"), fixed(image_near, 4)},
                     {"the ten top eigenvectors", fixed(top_near, 6)},
                     {"ReLU net, over its product of norms", fixed(relu_near, 4)}}});
  // The eigenvalue, and so the bound, is known to some 1e-12 of itself.
  lesson.claim("no input exceeds the bound: largest ratio", std::max({random_near, image_near, top_near}),
               at_most(1 + 1e-9));
  lesson.claim("and one reaches it: distance from 1", std::abs(top_near - 1),
               at_most(1e-9));  // float weights, exact in double
  lesson.claim("the ReLU net's bound holds, too: largest ratio", relu_near, at_most(1));
}

}  // namespace lesson5
