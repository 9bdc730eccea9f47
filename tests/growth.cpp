// What `make bench PLOT=1` runs after the bench: how a training step of lesson 6's transformer grows with its width,
// context, batch and depth, beside the count of its operations. Prints a table and a picture for each, and writes the
// pictures to a folder. Run: build/tests/growth FOLDER
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/plot/plot.hpp"
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/table.hpp"
#include "common/support/terminal.hpp"
#include "common/support/words.hpp"
#include "lessons/6_bma/store.hpp"

using Clock = std::chrono::steady_clock;

// What is varied, and what it does to a recipe.
struct Quantity {
  std::string name;
  std::vector<std::size_t> values;
  void (*set)(lesson6::Recipe&, std::size_t);
};

// Every point is measured beside its neighbours, round after round: what disturbs one disturbs the others.
struct TimedStep {
  std::size_t value;
  lesson6::Recipe recipe;
  lesson6::LanguageModel<float> model;
  lesson6::LanguageTrainer<float> trainer;
  std::vector<double> seconds = {};

  TimedStep(std::size_t v, const lesson6::Recipe& r, const std::vector<std::uint32_t>& text, Pool& pool)
      : value(v), recipe(r), model(r.form), trainer(model, text, r.run, pool) {
    lesson6::draw_start(model.tensors(), r.start, r.form.transformer.layers, 1);
  }

  double operations() const { return lesson6::operations_a_step(recipe.form, recipe.run.batch); }
  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

// A width of 64, a context of 64, batches of 8 and two layers, but for the quantity that grows.
static lesson6::Recipe middle() {
  lesson6::Recipe recipe = lesson6::recipe_of("A");
  recipe.form.vocab = 65;
  recipe.run.batch = 8;
  recipe.run.steps = 1'000'000'000;
  recipe.run.warm_up = 100;
  return recipe;
}

static plot::Chart measure(const Quantity& quantity, const std::vector<std::uint32_t>& text, Pool& pool) {
  std::vector<std::unique_ptr<TimedStep>> steps;  // a trainer refers to its model, which must not move
  for (const std::size_t value : quantity.values) {
    lesson6::Recipe recipe = middle();
    quantity.set(recipe, value);
    steps.push_back(std::make_unique<TimedStep>(value, recipe, text, pool));
    steps.back()->trainer.step();
  }
  for (int round = 0; round < 31; ++round)
    for (const auto& step : steps) {
      const auto start = Clock::now();
      step->trainer.step();
      step->seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
  Table table{{quantity.name, "operations/1e6", "ms", "1e9/s", "exponent: ms", "operations"}, {}};
  plot::Chart chart{.title = "A training step of lesson 6 by its " + quantity.name,
                    .x = {.title = quantity.name, .log = true},
                    .y = {.title = "ms", .log = true}};
  plot::Series time{.name = "measured"}, count{.name = "operations, at the rate of the largest"};
  TimedStep& largest = *steps.back();
  const TimedStep* before = nullptr;
  for (const auto& step : steps) {
    const double ms = 1e3 * step->median(), rate = step->operations() / step->median();
    // The exponent between neighbours: 1 where doubling doubles, 2 where it makes four times as much.
    const auto exponent = [&](double now, double then) {
      return before ? fixed(std::log(now / then) / std::log(double(step->value) / double(before->value)), 2) : "-";
    };
    table.rows.push_back({std::to_string(step->value), fixed(step->operations() * 1e-6, 1), fixed(ms, 3),
                          fixed(rate * 1e-9, 1), exponent(ms, before ? time.y.back() : ms),
                          exponent(step->operations(), before ? before->operations() : 1)});
    time.add(double(step->value), ms);
    count.add(double(step->value), 1e3 * step->operations() / largest.operations() * largest.median());
    before = step.get();
  }
  print("\n" + table.text());
  chart.series = {time, count};
  return chart;
}

int main(int argc, char** argv) {
  return run_program("growth", [&]() -> int {
    if (argc != 2) throw UserError("give a folder for the pictures");
    const std::filesystem::path folder(argv[1]);
    std::filesystem::create_directories(folder);
    Random random(1);
    std::vector<std::uint32_t> text(1'000'000);
    for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
    Pool pool(1);
    const std::vector<Quantity> quantities{
        {"width", {16, 32, 64, 128, 256}, [](auto& r, std::size_t v) { r.form.transformer.width = v; }},
        {"context", {16, 32, 64, 128, 256}, [](auto& r, std::size_t v) { r.form.context = v; }},
        {"batch", {1, 2, 4, 8, 16, 32}, [](auto& r, std::size_t v) { r.run.batch = v; }},
        {"depth", {1, 2, 4, 8}, [](auto& r, std::size_t v) { r.form.transformer.layers = v; }}};
    print(
        "A training step of lesson 6's transformer on one thread: width 64, context 64, batches of 8 and two\n"
        "layers, but for what the table varies.\n");
    for (const Quantity& quantity : quantities) {
      const plot::Chart chart = measure(quantity, text, pool);
      print("\n" + plot::text(chart) + "\n");
      write_file((folder / (quantity.name + ".svg")).string(), plot::svg(chart));
    }
    return 0;
  });
}
