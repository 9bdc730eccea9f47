// Lesson 5, part 8: what weight decay and input noise do to the spectrum and to the pictures.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part7_pictures.hpp"

struct Regularised {
  double decay, noise;
  std::vector<double> right, rank, border;  // for each seed
};

inline void part8(Lesson& lesson, Session& session) {
  const std::size_t rows = session.images.test.rows, cols = session.images.test.cols;
  const std::size_t seeds = session.quick_or<std::size_t>(2, 3);
  std::vector<Regularised> all{{0, 0, {}, {}, {}},     {0.01, 0, {}, {}, {}}, {0.1, 0, {}, {}, {}},
                               {0.3, 0, {}, {}, {}},   {1, 0, {}, {}, {}},    {0.01, 0.2, {}, {}, {}},
                               {0.01, 0.4, {}, {}, {}}};
  std::vector<Net<float>> nets(all.size() * seeds, Net<float>(session.form()));
  session.run("training", nets.size(), [&](std::size_t job) {
    ClassifierSettings settings = session.training();
    settings.decay = all[job / seeds].decay, settings.noise = all[job / seeds].noise;
    nets[job] = session.trained(seed_of_run(session.options.seed, job % seeds), settings);
  });
  for (std::size_t job = 0; job < nets.size(); ++job) {
    const std::vector<Eigen> spectra = session.spectra_of(nets[job]);
    Regularised& r = all[job / seeds];
    r.right.push_back(accuracy(nets[job], session.images.test));
    r.rank.push_back(mean_effective_rank(spectra));
    r.border.push_back(mean_border_energy(spectra, session.images.test));
  }
  lesson.say(
      "The same net with other weight decays, and with noise added to the images of each batch; ", seeds,
      " seeds. The last column is the part of the top pattern's sum of squares that lies in the outer ring of pixels, ",
      "where ink is rare: ", fixed(double(2 * (rows + cols) - 4) / double(rows * cols), 3),
      " if it were spread evenly.");
  Table table{{"decay", "input noise", "right", "effective rank", "in the border"}, {}};
  for (const Regularised& r : all)
    table.rows.push_back({significant(r.decay), significant(r.noise), spread_of(r.right).text(3),
                          spread_of(r.rank).text(1), spread_of(r.border).text(3)});
  lesson.show(table);
  const auto mean = [&](std::size_t k, auto which) { return spread_of(all[k].*which).mean; };
  // Means and spreads over 40 seeds.
  lesson.claim_trained("decay 1 in the place of 0: effective rank over",
                       mean(4, &Regularised::rank) / mean(0, &Regularised::rank), within(0.512, 4.5 * 0.0143));
  lesson.claim_trained("... energy in the border over", mean(4, &Regularised::border) / mean(0, &Regularised::border),
                       within(0.771, 4.5 * 0.045));
  lesson.claim_trained("... and costs, right", mean(0, &Regularised::right) - mean(4, &Regularised::right),
                       within(0, 4.5 * 0.0016));
  lesson.claim_trained("noise .4: energy in the border over that without",
                       mean(6, &Regularised::border) / mean(1, &Regularised::border), within(0.359, 4.5 * 0.034));
  lesson.claim_trained("noise .4: effective rank over that without",
                       mean(6, &Regularised::rank) / mean(1, &Regularised::rank), within(1.06, 4.5 * 0.026));
  lesson.claim_trained("noise .4: gained, right", mean(6, &Regularised::right) - mean(1, &Regularised::right),
                       within(0.0126, 4.5 * 0.0021));

  const Net<float>& clean = nets[6 * seeds];
  lesson.picture("eigenvectors_noise", picture_of_eigenvectors(session.spectra_of(clean), session.images.test, 10, {1},
                                                               "The most positive ones, trained with input noise 0.4"));
}
