// Lesson 3: can a product replace the activation function?
// Run: make lesson3
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"

namespace lesson3 {

void equations(formula::EquationChecker& checker);
static const Part<Session>* const parts[] = {&part0, &part1, &part2, &part3,
                                             &part4, &part5, &part6, &part7};
static const knob::Knobs flags = {&rate_flag};

std::vector<Judged> judge(Session& session, const std::vector<Contender>& all, std::size_t count,
                          std::size_t runs) {
  std::vector<Judged> judged(all.size());
  std::vector<Splits> splits;
  for (std::size_t s = 0; s < count; ++s) splits.push_back(session.suite(s, runs));
  const std::uint64_t seed = session.options.seed;
  const double standard = session.training().rate;
  run_grid(session.pool, "training", {all.size()}, [&](std::size_t c) {
    judged[c].r2.fill(std::vector<double>(runs));
    if (all[c].rate == Rate::standard) judged[c].sweep = {{standard}, {0}};
    else judged[c].sweep = rates_of(all[c], splits[0], seed, standard);
  });
  const auto run = [&](std::size_t c, std::size_t s, std::size_t k) {
    const RateSweep& sweep = judged[c].sweep;
    judged[c].r2[s][k] =
        score(all[c], *splits[s][k], seed_of_run(seed, k), sweep.rates[sweep.best]);
  };
  run_grid(session.pool, "training", {all.size(), count, runs}, run);
  return judged;
}

static int export_lesson3(const std::string& path) {
  Random random(3);
  const Rows example = example_rows(random);
  Exports all;
  all.file.metadata = {
      {"lesson", "3"},
      {"loss",
       "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
      {"swish", "H = X W1; Y = (H * sigmoid(H)) W2 + X W3"},
      {"swish_bias", "H = X W1 + b1; Y = (H * sigmoid(H)) W2 + X W3 + b2"},
      {"bmlp",
       "H = X W1 + mX u1; Y = H W2 + mH u2 + X W3; mX, mH: the mean of each row of X, H, n x 1"},
      {"gated_mean",
       "H = X W1 + mX * (X U1) + b1; Y = H W2 + b2 + X W3; mX: the mean of each row of X, n x 1"},
      {"product", "Y = ((X W + b) * (X V + c)) W2 + X W3 + b2"},
      {"product2",
       "J = ((X W + b) * (X V + c)) E + e; Y = ((J W~ + b~) * (J V~ + c~)) W2 + X W3 + b2"},
      {"batch_bmlp",
       "H = X W1 + mX u1^T; Y = H W2 + mH u2^T + X W3; mX, mH: the mean of each column of X, H, "
       "1 x in, 1 x h, so that mX u1^T is one number, added everywhere"}};
  add_matrix(all.file, "input.X", example.X);
  add_matrix(all.file, "input.T", example.T);
  visit_models(all);
  return write_export(path, all.file);
}

static int run(const Options& options) {
  if (!options.export_file.empty()) return export_lesson3(options.export_file);
  Session session(options);
  Lesson lesson(options, "Lesson 3: can a product replace the activation function?");
  if (options.own[rate_flag] != TrainingSettings().rate) lesson.training_is_not_standard();
  lesson.equations(equations);
  run_parts<Session>(lesson, session, parts);
  return lesson.finish(
      "Yes, if both factors depend on the input. In the published network only one does, so it is "
      "one matrix, and stops where least squares stops. A product layer is exact when the truth is "
      "a product; of an odd curve, with inputs spread evenly around 0, it catches no more than a "
      "line. On the curves of suite A, each network at its own best rate, a bend is better, and no "
      "polynomial of degree 4, which is all that two product layers can be, can reach it. Part 6 "
      "says by how much.");
}

}  // namespace lesson3

int main(int argc, char** argv) {
  return run_program("lesson3", [&] {
    return lesson3::run(read_flags<lesson3::Session>(
        argc, argv, "lesson3", "Can a product replace the activation function?", lesson3::flags,
        lesson3::parts));
  });
}
