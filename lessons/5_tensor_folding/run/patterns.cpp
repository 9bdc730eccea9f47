// Lesson 5, part 7: patterns as images, beside a digit, and a logit that is built up from them.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/support/words.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"

namespace lesson5 {

Matrix<double> example_of(const Net<float>& net, const Images& images, std::uint32_t label) {
  const std::vector<std::uint32_t> answers = largest_of_rows(output(net, images.X));
  std::size_t found = 0;
  for (std::size_t i = answers.size(); i-- > 0;)
    if (images.labels[i] == label && answers[i] == label) found = i;
  return Matrix<double>(row_block(images.X, found, 1).view());
}

// A pattern on an image: v with the sign that makes v·x positive, and v·x.
struct Match {
  double lambda, product;
  Matrix<double> v;

  double term() const { return lambda * product * product; }
};
static Match match(const Eigen& eigen, std::size_t k, const Matrix<double>& x) {
  const Matrix<double> v(row_block(eigen.vectors, k, 1));
  const double product = dot(v, x);
  return {eigen.values[k], std::abs(product), product < 0 ? -1 * v : v};
}

static std::vector<double> pixels(const Matrix<double>& image) {
  return {image.values().begin(), image.values().end()};
}

// Three lines of a caption, each kept together by spaces that do not break.
static std::string caption_of(const std::string& name, const Match& m) {
  return name + ":\u00a0λ\u00a0=\u00a0" + fixed(m.lambda, 2) + " v·x\u00a0=\u00a0" + fixed(m.product, 2) +
         " λ(v·x)²\u00a0=\u00a0" + fixed(m.term(), 1);
}

plot::Sheet sheet_of_patterns(const std::vector<Eigen>& spectra, const std::vector<Matrix<double>>& examples,
                              const Images& images, std::size_t shown) {
  plot::Sheet sheet;
  sheet.title = join("What speaks for each digit; below, a ", shown, " laid over two patterns");
  sheet.rows = images.rows;
  sheet.cols = images.cols;
  sheet.diverging = sheet.own_scale = true;
  sheet.per_row = 5;
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const Match m = match(spectra[o], most_positive(spectra[o]), examples[o]);
    sheet.images.push_back({caption_of(std::to_string(o), m), pixels(m.v)});
  }
  const Eigen& eigen = spectra[shown];
  const Matrix<double>& x = examples[shown];
  const Match against = match(eigen, most_negative(eigen), x);
  const auto laid_over = [&](const Match& m) { return pixels(hadamard(m.v, x)); };
  sheet.images.push_back({join("x, a ", shown), pixels(x)});
  const Match speaks = match(eigen, most_positive(eigen), x);
  sheet.images.push_back({join("the pattern for ", shown), pixels(speaks.v)});
  sheet.images.push_back({caption_of("v\u00a0⊙\u00a0x", speaks), laid_over(speaks)});
  sheet.images.push_back({"the one against it", pixels(against.v)});
  sheet.images.push_back({caption_of("v\u00a0⊙\u00a0x", against), laid_over(against)});
  return sheet;
}

plot::Film<plot::Sheet> film_of_terms(const Eigen& eigen, const Matrix<double>& x, const Images& images,
                                      std::size_t digit) {
  const std::size_t all = eigen.values.size();
  std::vector<Matrix<double>> terms;
  std::vector<double> sizes;
  for (std::size_t k = 0; k < all; ++k) {
    const Match m = match(eigen, k, x);
    terms.push_back(m.lambda * m.product * m.v);
    sizes.push_back(m.term());
  }
  std::vector<Matrix<double>> sums{Matrix<double>(1, x.cols())};
  std::vector<double> logits{0};
  for (std::size_t k = 0; k < all; ++k) {
    sums.push_back(sums[k] + terms[k]);
    logits.push_back(logits[k] + sizes[k]);
  }
  double most = largest_entry(x);
  for (const Matrix<double>& sum : sums) most = std::max(most, largest_entry(sum));

  plot::Film<plot::Sheet> film{.parameter = "terms"};
  for (std::size_t k = 1; k <= std::min<std::size_t>(all, 12); ++k) {
    plot::Sheet sheet{.title = join("The logit of ", digit, " for one image, from ", k, " of its ", all, " terms"),
                      .rows = images.rows,
                      .cols = images.cols};
    sheet.diverging = true;
    sheet.low = -most;
    sheet.high = most;
    sheet.images = {
        {join("x, a ", digit), pixels(x)},
        {join("term ", k, ": λ\u00a0=\u00a0", fixed(eigen.values[k - 1], 2), " adds\u00a0", fixed(sizes[k - 1], 2)),
         pixels(terms[k - 1])},
        {join("the first ", k, ": logit\u00a0", fixed(logits[k], 2)), pixels(sums[k])},
        {join("all ", all, ": logit\u00a0", fixed(logits[all], 2)), pixels(sums[all])}};
    film.add(std::to_string(k), sheet);
  }
  return film;
}

}  // namespace lesson5
