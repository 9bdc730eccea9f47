// Lesson 5, part 7: what the eigenvectors look like, and how few of them are needed.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/patterns.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

// Of each slice the most positive eigenvalue and its eigenvector alone.
std::vector<Eigen> positive_alone(const std::vector<Eigen>& spectra) {
  std::vector<Eigen> found;
  for (const Eigen& eigen : spectra) {
    const std::size_t k = most_positive(eigen);
    found.push_back({{eigen.values[k]}, Matrix<double>(row_block(eigen.vectors, k, 1))});
  }
  return found;
}

// What is right of the test images: by the net, by all eigenvectors, by the first of them, by the most positive.
struct Truncated {
  double net = 0, all = 0, positive = 0;
  std::vector<std::size_t> kept;
  std::vector<double> right;

  double at(std::size_t count) const {
    const auto found = std::find(kept.begin(), kept.end(), count);
    return found == kept.end() ? 0 : right[std::size_t(found - kept.begin())];
  }
};

Truncated truncate(const Net<float>& net, const std::vector<Eigen>& spectra, const Images& test) {
  const Matrix<double> X(test.X.view());
  const auto score = [&](const std::vector<Eigen>& of, std::size_t kept) {
    return accuracy_of(evaluate_truncated(of, X, kept), test.labels);
  };
  const std::size_t most = spectra[0].values.size();
  Truncated t{accuracy(net, test), score(spectra, most), score(positive_alone(spectra), 1), {}, {}};
  for (const std::size_t kept : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 24u, 48u}) {
    if (kept > most) continue;
    t.kept.push_back(kept);
    t.right.push_back(score(spectra, kept));
  }
  return t;
}

void show_truncated(Lesson& lesson, const Truncated& t, std::size_t pixels) {
  Table table{{"kept"}, {{"numbers"}, {"right"}}};
  for (std::size_t k = 0; k < t.kept.size(); ++k) {
    table.head.push_back(std::to_string(t.kept[k]));
    table.rows[0].push_back(std::to_string(t.kept[k] * 10 * (pixels + 1)));
    table.rows[1].push_back(fixed(t.right[k], 3));
  }
  lesson.show(table);
  plot::Chart chart;
  chart.title = "How many eigenvectors does a digit need?";
  chart.x = {.title = "eigenvectors kept for each digit", .log = true};
  chart.y = {.title = "right", .low = 0, .high = 1};
  chart.series = {{"product net, eigenvectors of largest |λ|", {t.kept.begin(), t.kept.end()}, t.right}};
  chart.levels = {{"the net itself", t.net}};
  lesson.figure("truncation", chart);
}

// Shows the patterns of a net on images that it takes for what they are. Of a net that was trained here it is the one
// whose training images were noisy (part 8): its patterns are cleaner.
void show_patterns(Lesson& lesson, Session& session) {
  constexpr std::size_t shown = 3;
  const Images& test = session.images.test;
  const bool stored = !session.flags.load.empty();
  const Net<float>& net = stored ? session.net() : session.net_with_noise(0.4);
  const std::vector<Eigen> spectra = session.spectra_of(net);
  std::vector<Matrix<double>> examples;
  for (std::uint32_t digit = 0; digit < spectra.size(); ++digit) examples.push_back(example_of(net, test, digit));
  lesson.note(stored
                  ? "The stored net on test images x that it takes for what they are."
                  : "The net trained with input noise .4 (part 8), on test images x that it takes for what they are.",
              " λ(v·x)² is what a pattern adds to the logit.");
  lesson.figure("eigenvectors", sheet_of_patterns(spectra, examples, test, shown));
  lesson.film("terms", film_of_terms(spectra[shown], examples[shown], test, shown));
}

}  // namespace

void part7(Lesson& lesson, Session& session) {
  const std::vector<Eigen>& spectra = session.spectra();
  const Images& test = session.images.test;
  const Truncated found = truncate(session.net(), spectra, test);
  const auto against = std::count_if(spectra.begin(), spectra.end(), [](const Eigen& e) { return e.values[0] < 0; });
  const double rank = mean_effective_rank(spectra);

  show_patterns(lesson, session);
  lesson.say("How many eigenvectors does a digit need? The net stores ", parameters_of(session.net()),
             " numbers and is right for ", fixed(found.net, 4), " of the images.");
  lesson.predict(
      "Which share of them, from 0 to 1, is right with one eigenvector for each digit, that of the largest |λ|?",
      found.at(1));
  show_truncated(lesson, found, test.X.cols());
  lesson.say("That λ is negative for ", against, " of the ", spectra.size(),
             " digits. With the most positive one of each in its place ", fixed(found.positive, 3),
             " are right. Effective rank: ", fixed(rank, 1), " of ", spectra[0].values.size(), ".");
  lesson.claim("all eigenvectors: as many right as the net", std::abs(found.all - found.net),
               at_most(0.001));  // the order of rounding may decide a tie
  // Means and spreads over 40 seeds.
  lesson.claim_trained("eight of them: behind the net by", found.net - found.at(8), at_most(0.0043 + 4.5 * 0.0022));
  lesson.claim_trained("effective rank", rank, within(15.7, 4.5 * 0.68));
  // The spreads are wide: in a few seeds the largest does better.
  lesson.claim_trained("one, of the largest |λ|: right", found.at(1), within(0.247, 4.5 * 0.048));
  lesson.claim_trained("one, of the most positive λ: right", found.positive, within(0.340, 4.5 * 0.048));
}

}  // namespace lesson5
