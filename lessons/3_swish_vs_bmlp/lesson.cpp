// Lesson 3: can a product replace the activation function?
// Run: make lesson3
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"

namespace lesson3 {

void equations(formula::EquationChecker& checker);
static const Part<Session>* const parts[] = {&part0, &part1, &part2, &part3, &part4,
                                             &part5, &part6, &part7, &part8, &part9};
static const knob::Knobs flags = {&rate_flag, &data_flag, &targets_flag, &save_flag, &load_flag};

Session::Session(const Options& o) : options(o), pool(pool_of(o)) {
  const knob::Settings& own = options.own;
  if (own.given(load_flag)) stored = stored_in(own[load_flag]);
  const std::size_t targets = stored ? stored->targets() : own[targets_flag];
  if (own.given(data_flag)) table = own_table_in(own[data_flag], targets);
  if (stored && table->X.cols() != stored->inputs())
    throw UserError(join("--load: '", own[load_flag], "' is made for ", stored->inputs(),
                         " inputs, and this table has ", table->X.cols()));
  check_save(own[save_flag], options, {own[data_flag]});
}

std::vector<Judged> judge(Session& session, const std::vector<Contender>& all,
                          const std::vector<Splits>& tasks, const TrainingSettings& settings) {
  const std::size_t runs = tasks[0].size();
  const std::uint64_t seed = session.options.seed;
  std::vector<Judged> judged(all.size());
  run_grid(session.pool, "training", {all.size()}, [&](std::size_t c) {
    judged[c].r2.assign(tasks.size(), std::vector<double>(runs));
    if (all[c].rate == Rate::standard) judged[c].sweep = {{settings.rate}, {0}};
    else judged[c].sweep = rates_of(all[c], tasks[0], seed, settings.rate);
  });
  run_grid(session.pool, "training", {all.size(), tasks.size(), runs},
           [&](std::size_t c, std::size_t s, std::size_t k) {
             const RateSweep& sweep = judged[c].sweep;
             judged[c].r2[s][k] =
                 score(all[c], *tasks[s][k], seed_of_run(seed, k), sweep.rates[sweep.best]);
           });
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
       "H = X W1 + cX u1^T; Y = H W2 + cH u2^T + X W3; cX, cH: the mean of each column of X, H, "
       "1 x in, 1 x h, so that cX u1^T is one number, added everywhere"}};
  add_matrix(all.file, "input.X", example.X);
  add_matrix(all.file, "input.T", example.T);
  visit_models(all);
  return write_export(path, all.file);
}

// Returns the options of a run; a table is for part 8 alone. Throws UserError for flags that would
// be ignored.
static Options with_part(Options options) {
  const knob::Settings& own = options.own;
  const bool has_table = own.given(data_flag);
  for (const knob::Knob* flag :
       {static_cast<const knob::Knob*>(&targets_flag), static_cast<const knob::Knob*>(&save_flag),
        static_cast<const knob::Knob*>(&load_flag)})
    if (own.given(*flag) && !has_table) throw UserError(flag->flag() + " needs --data");
  if (own.given(save_flag) && own.given(load_flag))
    throw UserError("--save: with --load nothing is trained that could be saved");
  if (own.given(targets_flag) && own.given(load_flag))
    throw UserError("--targets: the stored network has its own");
  if (has_table && options.part && options.part != own_table)
    throw UserError(join("--data goes with --part ", own_table));
  if (has_table) options.part = own_table;
  return options;
}

static int run(const Options& given) {
  const Options options = with_part(given);
  if (!options.export_file.empty()) return export_lesson3(options.export_file);
  Session session(options);
  Lesson lesson(options, "Lesson 3: can a product replace the activation function?");
  if (!options.own.standard()) lesson.training_is_not_standard();
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
