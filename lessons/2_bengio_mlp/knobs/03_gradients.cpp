// Lesson 2, part 3: the gradient check of a model of any small size, with the right scatter and with the mistaken one.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "common/gradcheck.hpp"
#include "lessons/2_bengio_mlp/knobs/shared.hpp"
#include "lessons/2_bengio_mlp/model/3_overwriting.hpp"

namespace lesson2 {
namespace {

constexpr knob::Whole rows{"rows", "n, the windows of the batch", 10, {1, 24, 1}};
constexpr knob::Whole symbols{"vocab", "distinct symbols, drawn at random", 7, {2, 20, 1}};
constexpr knob::Whole context{"see", "c, the symbols that a window shows", 3, {1, 5, 1}};
constexpr knob::Whole units{"units", "h, the hidden units", 5, {1, 12, 1}};
constexpr knob::Choice scatter{"scatter", "how dC is collected: += or =", {"add", "overwrite"}};

void run(Lesson& lesson, Session&, const knob::Settings& at) {
  Random random(lesson.options().seed, 503);
  Bengio<double> model({at[symbols], at[context], 2, at[units]});
  for (const auto& [name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), name == "C" ? 1 : 1 / std::sqrt(double(tensor.rows())),
                                   random);
  std::vector<std::uint32_t> text;
  for (std::size_t k = 0; k < at[rows]; ++k) text.push_back(std::uint32_t(random.below(at[symbols])));
  const Windows windows = windows_of(text, 0, text.size(), at[context], padding_of(model.form));
  const GradientReport right = check_model(model, windows, loss_of(windows));
  Overwriting<double> mistaken(model);
  const GradientReport shown = at[scatter] == 0 ? right : check_model(mistaken, windows, loss_of(windows));
  plot::Chart chart{.title = "Worst relative error of each gradient", .x = {.low = 0, .high = 6}};
  chart.x.names = {"C", "W1", "b1", "W2", "b2"};
  chart.y = {.title = "relative error", .log = true, .low = 1e-14, .high = 10};
  plot::Series worst{"worst entry", {}, {}, true};
  for (std::size_t k = 0; k < shown.rows.size(); ++k) worst.add(double(k + 1), std::max(shown.rows[k].worst, 1e-14));
  chart.series = {worst};
  chart.levels = {{"what the check allows", 1e-7}};
  lesson.picture("turned_check", chart);
  std::vector<std::size_t> uses(at[symbols] + 1);
  for (const std::uint32_t s : windows.contexts) ++uses[s];
  const auto often = std::count_if(uses.begin(), uses.end(), [](std::size_t count) { return count > 1; });
  lesson.say(often, " of ", uses.size(),
             " rows of C stand at more than one place of the batch, padding among them. "
             "An = in the place of += loses all but the last of these places",
             at[scatter] == 1 ? join(": the error in C is ", shown.rows[0].worst, ".") : ".");
  // Lesson 1, part 4; over 60 seeds at each of eight corners of the knobs at most 2.8e-8.
  lesson.claim("the right backward pass: every gradient entry", right.worst(), at_most(1e-7));
}

}  // namespace

Bench<Session> bench3() {
  return {"Does the check hold for every size, and when does it see the mistake?",
          {&rows, &symbols, &context, &units, &scatter},
          run};
}

}  // namespace lesson2
