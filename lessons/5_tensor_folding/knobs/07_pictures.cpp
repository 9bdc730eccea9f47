// Lesson 5, part 7: the terms λ(v·x)² of a logit for a digit that the reader draws.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"

namespace lesson5 {
namespace {

constexpr knob::Cells drawn{"digit", "a digit as you draw it", drawn_three, digits::side};
constexpr knob::Whole shown{"of", "the digit whose logit is taken apart", 3, {0, 9, 1}};
constexpr knob::Whole kept{"kept", "eigenvectors kept for each digit", 8, {1, 48, 1}};

// λ(v·x)² for each eigenvector, largest |λ| first.
std::vector<double> terms_of(const Eigen& eigen, const Matrix<double>& x) {
  const Matrix<double> products = matmul(x, transpose(eigen.vectors));
  std::vector<double> terms;
  for (std::size_t k = 0; k < eigen.values.size(); ++k)
    terms.push_back(eigen.values[k] * products(0, k) * products(0, k));
  return terms;
}

plot::Chart chart_of(const std::vector<double>& terms, std::size_t digit, std::size_t count) {
  plot::Chart chart{.title = join("Terms of the logit of ", digit, ", largest |λ| first, and their sum so far")};
  chart.x = {.title = "eigenvector", .low = -1, .high = double(terms.size())};
  chart.y = {.title = "λ(v·x)²", .low = -15, .high = 15};
  plot::Series sum{"sum so far", {}, {}};
  double so_far = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) sum.add(double(k), so_far += terms[k]);
  const std::vector<double> first(terms.begin(), terms.begin() + std::ptrdiff_t(std::min(count, terms.size())));
  chart.series = {bars(join("the first ", first.size()), first, 0.35), sum};
  return chart;
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Net<float> net = net_of(session, 7, 0.4);
  const std::vector<Eigen> spectra = session.spectra_of(net);
  const Images& test = session.images.test;
  const Matrix<double> x = image_of(at[drawn], test), X(test.X.view());
  const std::vector<double> terms = terms_of(spectra[at[shown]], x);
  lesson.picture("turned_terms", chart_of(terms, at[shown], at[kept]));
  const Matrix<double> some = evaluate_truncated(spectra, x, at[kept]), all = precise_logits(net, x);
  Table table{{"logit of"}, {{join("from ", at[kept])}, {"the net's"}}};
  for (std::size_t o = 0; o < 10; ++o) {
    table.head.push_back(std::to_string(o));
    table.rows[0].push_back(fixed(some(0, o), 1));
    table.rows[1].push_back(fixed(all(0, o), 1));
  }
  lesson.show(table);
  const double truncated = accuracy_of(evaluate_truncated(spectra, X, at[kept]), test.labels),
               whole = accuracy(net, test);
  lesson.say("With ", at[kept], " eigenvectors for each digit it is a ", largest_of_rows(some)[0],
             ", with all of them a ", largest_of_rows(all)[0], ". Of ", test.labels.size(), " test images ",
             fixed(truncated, 3), " are then right, and ", fixed(whole, 3), " by the net itself.");
  double size = 1e-6;  // so that a picture without ink is no division by 0
  for (const double term : terms) size += std::abs(term);
  // Directions whose μ in (5.14) is small are known to some 1e-12 of the largest.
  lesson.claim("the terms together are the net's logit, relative to the sum of their sizes",
               std::abs(std::accumulate(terms.begin(), terms.end(), 0.0) - all(0, at[shown])) / size, at_most(1e-9));
  // Mean and spread over 24 seeds.
  lesson.claim_trained("eight of them: behind the net by", whole - truncated, within(0.0102, 4.5 * 0.0078));
}

}  // namespace

Bench<Session> bench7() {
  return {"Which patterns does a logit add up for your digit, and how many of them does it need?",
          {&drawn, &shown, &kept},
          run};
}

}  // namespace lesson5
