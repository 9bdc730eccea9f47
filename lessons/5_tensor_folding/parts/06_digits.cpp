// Part 6: straight, ReLU, product and square classifiers of digits.
// SPDX-License-Identifier: MIT
#include "common/verdict.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p6 {

// Its share that is right is 0 when training diverges.
struct Rival {
  std::string name;
  double rate;  // the best, as --all finds it at the standard seed
  std::size_t parameters;
  std::function<double(double rate, std::uint64_t seed, const TrainTest& images)> right;
};

template <class Model>
static Rival rival(const Session& session, const std::string& name, double rate,
                   const decltype(Model::form)& form) {
  const auto right = [&session, form](double at, std::uint64_t seed, const TrainTest& images) {
    ClassifierSettings settings = session.training();
    settings.rate = at;
    try {
      return accuracy(session.trained<Model>(form, seed, settings, images.train), images.test);
    } catch (const Diverged&) {
      return 0.0;
    }
  };
  return {.name = name, .rate = rate, .parameters = parameters_of(Model(form)), .right = right};
}

// Trains each at its best rate, which --all finds, and then at both neighbours. Returns the shares
// right on the test images, [rival][lower rate, best, higher][seed].
using Right = std::vector<std::array<std::vector<double>, 3>>;
static Right compete(Lesson& lesson, Session& session, std::size_t seeds,
                     const std::vector<Rival>& rivals) {
  const std::size_t count = rivals.size();
  const std::uint64_t seed = session.options.seed;
  const bool all = session.options.all;
  std::vector<double> best(count);
  Table table{{"net", "parameters", "rate", "validation", "right"}, {}};
  for (std::size_t k = 0; k < count; ++k) {
    best[k] = session.standard() ? rivals[k].rate : session.training().rate;
    table.rows.push_back(
        {rivals[k].name, std::to_string(rivals[k].parameters), significant(best[k], 2)});
  }
  run_grid(session.pool, "rates", {count}, [&](std::size_t k) {
    const auto wrong = [&](double at) { return 1 - rivals[k].right(at, seed, session.to_choose); };
    if (all) {
      const RateSweep sweep = sweep_rates(best[k], 3, wrong);
      best[k] = sweep.rates[sweep.best];
      table.rows[k].back() = sweep.text();
    }
    table.rows[k].push_back(fixed(1 - wrong(best[k]), 3));
  });
  Right right(count);
  for (auto& of_rival : right) of_rival.fill(std::vector<double>(seeds));
  constexpr double factors[] = {1 / 3.0, 1, 3};
  std::vector<std::size_t> rates{1};  // places among the factors, in the table's order
  if (all) rates = {1, 0, 2};
  run_grid(session.pool, "training", {rates.size(), seeds, count},
           [&](std::size_t rate, std::size_t run, std::size_t k) {
             const std::size_t at = rates[rate];
             right[k][at][run] =
                 rivals[k].right(factors[at] * best[k], seed_of_run(seed, run), session.images);
           });
  if (all) table.head.insert(table.head.end(), {"at a third of it", "at three times it"});
  for (std::size_t k = 0; k < count; ++k)
    for (const std::size_t at : rates) table.rows[k].push_back(spread_of(right[k][at]).text(3));
  lesson.show(table);
  return right;
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Images& images = session.images.train;
  plot::Sheet sheet = sheet_for(images, "The first image of each class");
  sheet.diverging = false;
  sheet.low = 0;
  sheet.high = 1;
  for (std::uint32_t label = 0; label < images.classes(); ++label) {
    const auto first = std::find(images.labels.begin(), images.labels.end(), label);
    if (first == images.labels.end()) continue;
    const auto pixels = images.X.row(std::size_t(first - images.labels.begin()));
    sheet.images.push_back({std::to_string(images.names[label]), {pixels.begin(), pixels.end()}});
  }
  lesson.figure("digits", sheet);
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, 3), pixels = images.X.cols(),
                    classes = images.classes();
  // As many parameters as products have: a unit has a bias, and so has a class.
  const std::size_t relu_units =
      (parameters_of(Net<float>(session.form())) - classes) / (pixels + 1 + classes);
  lesson.say("The nets learn from ", images.labels.size(), " images of ", images.rows, " × ",
             images.cols, " pixels and are judged by ", session.images.test.labels.size(),
             " others; ", session.training().steps, " steps, ", seeds, " seeds:");
  const Right right =
      compete(lesson, session, seeds,
              {rival<LinearNet<float>>(session, "softmax classifier", 0.009, {pixels, classes}),
               rival<UnitNet<float>>(session, join("ReLU net, ", relu_units, " units"), 0.027,
                                     {pixels, relu_units, classes}),
               rival<Net<float>>(session, join("product net, ", session.form().hidden, " products"),
                                 0.009, session.form()),
               rival<UnitNet<float>>(session, join("net of squares, ", relu_units, " units"), 0.027,
                                     {pixels, relu_units, classes, Unit::square})});
  const auto mean = [&](std::size_t k) { return spread_of(right[k][1]).mean; };
  // 60 seeds: .072 to .099, mean .085 and deviation .0056; ReLU less products, the nearest other
  // pair, is within .006 of 0.
  lesson.claim_trained("products get more right than the softmax classifier, by", mean(2) - mean(0),
                       between(0.06, 0.11));
  // Three counts of one net are equal at one seed in 200, those of all four nets never.
  double differ = 0;
  for (const auto& of_rival : right) differ = std::max(differ, spread_of(of_rival[1]).deviation);
  lesson.claim_trained("... and seeds differ: the largest standard deviation", differ,
                       at_least(1e-5));
  // 60 seeds: -.003 to .006, mean .001 and deviation .0017.
  lesson.claim_trained("products and ReLU, at best rates: apart by", std::abs(mean(2) - mean(1)),
                       at_most(0.008));
  // 60 seeds: -.007 to .003, mean -.003 and deviation .0016; the softmax classifier is .09 behind.
  lesson.claim_trained("products and squares, at best rates: apart by", std::abs(mean(2) - mean(3)),
                       at_most(0.01));
  if (!session.options.all) return;
  Verdict linear;
  for (std::size_t at = 0; at < 3; ++at) {
    std::vector<double> differences = right[2][at];
    for (std::size_t run = 0; run < seeds; ++run) differences[run] -= right[0][at][run];
    linear.difference[at] = spread_of(differences);
  }
  lesson.claim_trained("products are ahead at the neighbouring rates, too: 1",
                       linear.holds() ? 1 : 0, exactly(1));
}

}  // namespace lesson5::p6

const Part<lesson5::Session> lesson5::part6{
    .number = 6, .title = "Digits", .question = "", .run = p6::run, .settings = settings_text};
