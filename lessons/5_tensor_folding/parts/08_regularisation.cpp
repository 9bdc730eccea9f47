// Lesson 5, part 8: what weight decay and input noise do to the spectrum and to the pictures.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

struct Regularised {
  double decay, noise;
  std::vector<double> right = {}, rank = {}, border = {};  // for each seed
  std::vector<Eigen> spectra = {};                         // of the first seed's net
};

double mean_border_energy(const std::vector<Eigen>& spectra, const Images& images) {
  double sum = 0;
  for (const Eigen& eigen : spectra)
    sum += border_energy(eigen.vectors.row(most_positive(eigen)), images.rows, images.cols);
  return sum / double(spectra.size());
}

std::vector<Regularised> regularise(Session& session, std::size_t seeds) {
  std::vector<Regularised> all{{0, 0}, {0.01, 0}, {0.1, 0}, {0.3, 0}, {1, 0}, {0.01, 0.2}, {0.01, 0.4}};
  std::vector<Net<float>> nets(all.size() * seeds, Net<float>(session.form()));
  session.run("training", nets.size(), [&](std::size_t job) {
    ClassifierSettings settings = session.training();
    settings.decay = all[job / seeds].decay;
    settings.noise = all[job / seeds].noise;
    nets[job] = session.trained<Net<float>>(session.form(), seed_of_run(session.options.seed, job % seeds), settings);
  });
  for (std::size_t job = 0; job < nets.size(); ++job) {
    const std::vector<Eigen> spectra = session.spectra_of(nets[job]);
    Regularised& r = all[job / seeds];
    r.right.push_back(accuracy(nets[job], session.images.test));
    r.rank.push_back(mean_effective_rank(spectra));
    r.border.push_back(mean_border_energy(spectra, session.images.test));
    if (job % seeds == 0) r.spectra = spectra;
  }
  return all;
}

// The pattern of each digit's most positive λ, a row for each of the two.
plot::Sheet compared_patterns(const Regularised& plain, const Regularised& noisy, const Images& images) {
  plot::Sheet sheet;
  sheet.title = "Each digit's pattern of the most positive λ: above trained without noise, below with input noise .4";
  sheet.rows = images.rows;
  sheet.cols = images.cols;
  sheet.diverging = sheet.own_scale = true;
  sheet.per_row = plain.spectra.size();
  for (const Regularised* trained : {&plain, &noisy})
    for (std::size_t o = 0; o < trained->spectra.size(); ++o) {
      const Eigen& eigen = trained->spectra[o];
      const std::size_t k = most_positive(eigen);
      const auto v = eigen.vectors.row(k);
      sheet.images.push_back({std::to_string(o) + " +" + fixed(eigen.values[k], 1), {v.begin(), v.end()}});
    }
  return sheet;
}

}  // namespace

void part8(Lesson& lesson, Session& session) {
  const Images& test = session.images.test;
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, 3);
  const std::vector<Regularised> all = regularise(session, seeds);
  lesson.say("What do weight decay and noise on the training images change? ", seeds,
             " seeds; the border's share would be ",
             fixed(double(2 * (test.rows + test.cols) - 4) / double(test.rows * test.cols), 3), " if it were even:");
  Table table{{"decay", "input noise", "right", "effective rank", "in the border"}, {}};
  for (const Regularised& r : all)
    table.rows.push_back({significant(r.decay), significant(r.noise), spread_of(r.right).text(3),
                          spread_of(r.rank).text(1), spread_of(r.border).text(3)});
  lesson.show(table);

  const Regularised &none = all[0], &little = all[1], &much = all[4], &noisy = all[6];
  const auto mean = [](const std::vector<double>& figures) { return spread_of(figures).mean; };
  // Means and spreads over 40 seeds.
  lesson.claim_trained("decay 1 in the place of 0: effective rank over", mean(much.rank) / mean(none.rank),
                       within(0.512, 4.5 * 0.0143));
  lesson.claim_trained("... energy in the border over", mean(much.border) / mean(none.border),
                       within(0.771, 4.5 * 0.045));
  lesson.claim_trained("... and costs, right", mean(none.right) - mean(much.right), within(0, 4.5 * 0.0016));
  lesson.claim_trained("noise .4: energy in the border over that without", mean(noisy.border) / mean(little.border),
                       within(0.359, 4.5 * 0.034));
  lesson.claim_trained("noise .4: effective rank over that without", mean(noisy.rank) / mean(little.rank),
                       within(1.06, 4.5 * 0.026));
  lesson.claim_trained("noise .4: gained, right", mean(noisy.right) - mean(little.right), within(0.0126, 4.5 * 0.0021));
  lesson.figure("eigenvectors_noise", compared_patterns(little, noisy, test));
}

}  // namespace lesson5
