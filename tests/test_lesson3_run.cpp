// Tests of lesson 3's run/ apart from the training step and the reading of tables: the suites, R², the models side by
// side, stored models, names of columns.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "lessons/3_swish_vs_bmlp/run/own_table.hpp"
#include "lessons/3_swish_vs_bmlp/run/suites.hpp"
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"
#include "tests/check.hpp"

using namespace lesson3;

// The variances of suite B in closed form, from E[x²] = 3 and Var x² = 7.2: 1, 1.245, 1.26, 1.35. The sample variance
// of 4,096 rows errs by √((κ - 1)/4096) of itself, κ at most 9 for products of uniform numbers: 4.4 %; four of them.
static void suite_b_varies_as_it_must(Checks& check) {
  const SplitRows split = draw_suite(suites[1], 3);
  const double expected[] = {1, 1.245, 1.26, 1.35};
  const Matrix<double> sums = column_sums(hadamard(split.train.T, split.train.T));
  for (std::size_t o = 0; o < suite_outputs; ++o)
    check.near(sums(0, o) / 4096 / expected[o], 1, 4 * 0.044, "suite B, variance of output " + std::to_string(o));
  check.near(largest_entry(column_sums(split.train.T)), 0, 1e-10, "targets are centred");
  check.that(draw_suite(suites[1], 3).test.X == split.test.X, "the same seed, the same rows");
  check.that(!(draw_suite(suites[1], 4).test.X == split.test.X), "another seed, other rows");
}

static void scores(Checks& check) {
  const Matrix<double> T{{1, 5}, {3, 5}, {5, 8}};
  check.near(r_squared(T, T), 1, 0, "R² of perfect predictions");
  check.near(r_squared(Matrix<double>{{3, 6}, {3, 6}, {3, 6}}, T), 0, 0, "R² of each output's mean");
  check.near(r_squared(T + T, T), 1 - dot(T, T) / 14, 1e-15, "R² pools the outputs");
}

// The table of part 6 calls them models of equal size: these are the numbers in it.
static void the_models(Checks& check) {
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"bmlp", 1412},     {"gated_mean", 1326}, {"product", 1322},    {"outer", 1348},
      {"product2", 1360}, {"swish", 1344},      {"swish_bias", 1328},
  };
  std::vector<std::pair<std::string, std::size_t>> found;
  for_each_model(16, 4, [&](const std::string& key, const char*, auto start) {
    Random random(1);
    found.push_back({key, parameters_of(start(random))});
  });
  check.that(found == expected, "the models and their parameters");
  check.that(!visit_model("none", 16, 4, [](auto) {}), "a model that there is not");
}

static void stored_models(Checks& check) {
  Random random(6);
  Task task;
  task.train = {normal_matrix<double>(30, 3, 2, random), normal_matrix<double>(30, 2, 5, random)};
  task.test = {normal_matrix<double>(10, 3, 2, random), normal_matrix<double>(10, 2, 5, random)};
  task.inputs = {"a", "b", "c"};
  task.outputs = {"s", "t"};
  TrainingSettings settings;
  settings.steps = 5;
  settings.batch = 8;
  for_each_model(3, 2, [&](const std::string& key, const char*, auto) {
    const Kept kept = train_and_keep(key, task, settings, 1);
    const safetensors::File back = safetensors::parse(safetensors::serialize(kept.file));
    check.that(predict_from(back, task.test.X, 2) == kept.Y, key + " comes back as it was");
  });
  Kept kept = train_and_keep("product", task, settings, 1);
  check.throws<UserError>([&] { predict_from(kept.file, Matrix<double>(1, 4), 2); }, "for 3 inputs and 2 targets",
                          "a model for other columns");
  kept.file.metadata["model"] = "\n" + std::string(100, 'x');
  check.throws<UserError>([&] { predict_from(kept.file, Matrix<double>(1, 3), 2); },
                          "' " + std::string(59, 'x') + "...'", "a model whose name is long");
  task.train.X = Matrix<double>(30, 3, 0.1);
  check.throws<UserError>([&] { task.scales(); }, "column \"a\" is constant", "a column that rounding alone spreads");
}

// Inputs and targets far from 0 and of other sizes: what is kept predicts in their own units. The truth is linear, so
// that every model can say nearly all of it, and a model that is trained on anything else, or answers in other units,
// says nothing.
static void kept_models_have_learned(Checks& check) {
  Random random(8);
  const Matrix<double> w{{30, -1}, {10, 2}, {-20, 0.5}};
  const auto draw = [&](std::size_t n) {
    const auto x = normal_matrix<double>(n, 3, 4, random);
    return Rows{add_row(x, {{100, -50, 7}}), add_row(matmul(x, w), {{-1000, 3}})};
  };
  Task task{draw(200), draw(50), {"a", "b", "c"}, {"s", "t"}};
  TrainingSettings settings;
  settings.steps = 400;
  settings.batch = 32;
  for_each_model(3, 2, [&](const std::string& key, const char*, auto) {
    const double r2 = r_squared(train_and_keep(key, task, settings, 1).Y, task.test.T);
    check.that(r2 > 0.95, key + " has learned a linear map, R² " + std::to_string(r2));
  });
}

static void names_of_columns(Checks& check) {
  const std::string wide = "\U0001F600", long_name(5'000'000, 'n');
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
  };
  const std::vector<std::string> found =
      short_names({"a", std::string(16, 'b'), std::string(17, 'c'), repeated(wide, 16), repeated(wide, 17), long_name});
  const std::vector<std::string> expected{"a",
                                          std::string(16, 'b'),
                                          std::string(16, 'c') + "~",
                                          repeated(wide, 16),
                                          repeated(wide, 16) + "~",
                                          std::string(16, 'n') + "~"};
  check.that(found == expected, "names are cut to 16 columns");
}

// The scales bring the training rows to mean 0 and deviation 1, and back.
static void scaling(Checks& check) {
  Random random(7);
  const Matrix<double> values = map(normal_matrix<double>(50, 3, 4, random), [](double x) { return x + 100; });
  const Scale scale = scale_of(values);
  const Matrix<double> standard = scale.to_standard(values);
  check.near(mean_square(standard), 1, 1e-13, "standardised: second moment 1");
  check.near(largest_entry(column_sums(standard)), 0, 1e-12, "standardised: mean 0");
  check.near(max_abs_difference(scale.from_standard(standard), values), 0, 1e-13, "and back");
}

int main() {
  Checks check;
  suite_b_varies_as_it_must(check);
  scores(check);
  the_models(check);
  stored_models(check);
  kept_models_have_learned(check);
  names_of_columns(check);
  scaling(check);
  return check.done("test_lesson3_run");
}
