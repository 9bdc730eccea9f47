// Lesson 2, part 3: the backward pass, checked entry by entry, and the mistake that a symbol seen twice brings out:
// what the check says of it, and what training does.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "common/gradcheck.hpp"
#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/model/3_overwriting.hpp"
#include "lessons/2_bengio_mlp/run/rivals.hpp"
#include "lessons/2_bengio_mlp/run/small_case.hpp"

namespace lesson2 {
namespace {

// From the symbols of a window to the loss.
plot::Diagram model_diagram() {
  using enum plot::Box::Kind;
  return {.title = "From three symbols to the loss",
          .boxes = {{"F", 0, 0.4, alone},
                    {"i", 0, 1, alone},
                    {"r", 0, 1.6, alone},
                    {"C[18]", 0.75, 0.4, stored},
                    {"C[47]", 0.75, 1, stored},
                    {"C[56]", 0.75, 1.6, stored},
                    {"E", 1.75, 1},
                    {"W1, b1", 2.8, 0, stored, "c·d × h, 1 × h"},
                    {"H", 2.85, 1, computed, "tanh"},
                    {"E·Wd", 2.85, 2, computed, "optional"},
                    {"S", 4.05, 1, computed, "logits"},
                    {"W2, b2", 4.6, 0, stored, "h × vocab, 1 × vocab"},
                    {"P", 5.6, 1, computed, "softmax"},
                    {"loss", 6.6, 1},
                    {"target: s", 6.6, 0, alone}},
          .arrows = {{"F", "C[18]"},
                     {"i", "C[47]"},
                     {"r", "C[56]"},
                     {"C[18]", "E"},
                     {"C[47]", "E", "d"},
                     {"C[56]", "E"},
                     {"W1, b1", "H"},
                     {"E", "H", "n × c·d"},
                     {"E", "E·Wd"},
                     {"E·Wd", "S"},
                     {"W2, b2", "S"},
                     {"H", "S", "n × h"},
                     {"S", "P", "n × vocab"},
                     {"P", "loss"},
                     {"target: s", "loss"}}};
}

// The row of README.md, "By hand": three logits, the second symbol is the target.
void softmax_by_hand(Lesson& lesson) {
  const std::vector<std::uint32_t> target{1};
  const Loss<double> loss = softmax_cross_entropy(Matrix<double>{{0, std::log(2.0), 0}}, std::span(target));
  lesson.note("Logits (0, ln 2, 0), target 1: loss ", loss.value, ", dS = (", loss.gradient(0, 0), ", ",
              loss.gradient(0, 1), ", ", loss.gradient(0, 2), ").");
  lesson.claim("loss by hand is ln 2, off by", std::abs(loss.value - std::log(2.0)), at_most(4e-16));  // two roundings
  // Numbers of at most 1/2, each made by some roundings of half an ε of 1/2.
  lesson.claim("dS by hand, max |diff|", max_abs_difference(loss.gradient, {{0.25, -0.5, 0.25}}), at_most(2e-16));
}

void every_entry(Lesson& lesson) {
  const Windows windows = small_windows();
  Random random(lesson.options().seed);
  Bengio<double> plain = small_model(Connections::hidden_alone, random);
  Bengio<double> direct = small_model(Connections::direct_too, random);
  lesson.note("7 symbols, context 3, d = 2, 5 hidden units, 10 windows in which symbols repeat, and padding.");
  lesson.claim_gradients("without direct connections", check_model(plain, windows, loss_of(windows)), 1e-7);
  lesson.claim("with direct connections: every gradient entry", check_model(direct, windows, loss_of(windows)).worst(),
               at_most(1e-7));
}

// One window that shows the same symbol twice: its row of C must get the gradients of both places. A fixed case,
// whatever the seed: among random ones are some where the place that is lost hardly counts, or where the loss hangs on
// nothing.
void one_symbol_twice(Lesson& lesson) {
  Random fixed_case(1);
  const Bengio<double> model = small_model(Connections::hidden_alone, fixed_case);
  const Windows twice{3, {4, 4, 2}, {1}};
  Bengio<double>::Trace trace;
  model.forward(twice, trace);
  Gradients<Bengio<double>> g(model);
  const Matrix<double> dE = model.backward_to_embeddings(trace, loss_of(twice)(trace.Y).gradient, g.d);
  const Matrix<double> dC = gradients(model, twice, loss_of(twice)).d.C;
  // One addition of numbers near 1.
  lesson.claim("dC of the symbol = sum of its two places", std::abs(dC(4, 0) - (dE(0, 0) + dE(0, 2))), at_most(1e-15));
  Overwriting<double> mistaken(model);
  const GradientReport wrong = check_model(mistaken, twice, loss_of(twice));
  lesson.say("Which rows of the gradient table show = for += in the scatter into C?");
  Table table{{"gradient", "worst relative error"}, {}};
  for (const GradientRow& row : wrong.rows) table.rows.push_back({row.name, significant(row.worst, 2)});
  lesson.show(table);
  lesson.claim("overwriting is found: error in C", wrong.rows[0].worst, at_least(0.1));  // one of two summands is lost
  double others = 0;
  for (std::size_t r = 1; r < wrong.rows.size(); ++r) others = std::max(others, wrong.rows[r].worst);
  lesson.claim("and elsewhere nothing", others, at_most(1e-7));
}

// Trains `model` on the text as part 6 does; its loss on the last tenth.
template <class Model>
double loss_after_training(const Corpus& corpus, Model model, long steps, std::uint64_t seed) {
  Pool alone(1);
  TrainingSettings settings;
  settings.steps = steps;
  train(model, corpus.part.train, settings, alone, Random(seed, 1));
  return held_out(model, corpus, alone).both;
}

// Returns the dC of the first step of training.
template <class Model>
Matrix<float> first_dC(Model model, const Corpus& corpus, const Random& random) {
  Pool alone(1);
  Trainer<Model> trainer(model, corpus.part.train, TrainingSettings{}, alone, random);
  trainer.step();
  return trainer.gradients().C;
}

// The share of dC that the mistake loses in the first step, |dC wrong - dC| / |dC|.
double lost_share(const Bengio<float>& model, const Corpus& corpus, const Random& random) {
  const Matrix<float> right = first_dC(model, corpus, random);
  const Matrix<float> apart = first_dC(Overwriting<float>(model), corpus, random) - right;
  return std::sqrt(dot(apart, apart) / dot(right, right));
}

// The network of part 6, trained with the right scatter and with the mistaken one from the same start on the same
// batches.
void training_with_the_mistake(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::uint64_t seed = lesson.options().seed;
  const long steps = lesson.steps(standard_steps, 60);
  Random random(seed);
  const Bengio<float> start({corpus.vocab(), 3, 8, 128}, random);
  double right = 0, wrong = 0;
  session.pool.run(2, [&](std::size_t k) {
    if (k == 0) right = loss_after_training(corpus, start, steps, seed);
    else wrong = loss_after_training(corpus, Overwriting<float>(start), steps, seed);
  });
  const double trigram = held_out(interpolated(corpus, 3), corpus).both;
  const std::string before = fixed(held_out(start, corpus, session.pool).both, 4);
  const double lost = lost_share(start, corpus, Random(seed, 1));
  lesson.say("Does training find it? The network of part 6, ", steps,
             " steps with either scatter, from the same start on the same batches.");
  lesson.predict("Which share of dC does the wrong one lose in the first step, from 0 to 1?", lost);
  lesson.show(Table{{"scatter into dC", "loss of the last tenth, before", "after training"},
                    {{"+=, right", before, fixed(right, 4)}, {"=, wrong", before, fixed(wrong, 4)}}});
  // Means and spreads over 24 seeds.
  lesson.claim_trained("the share of dC that it loses in the first step", lost, within(0.907, 4.5 * 0.023));
  lesson.claim_trained("trained with it the loss falls, too: below the trigram table's by", trigram - wrong,
                       at_least(0));
  lesson.claim_trained("and ends above that of the right one by, nats", wrong - right, within(0.009, 4.5 * 0.0064));
}

}  // namespace

void part3(Lesson& lesson, Session& session) {
  lesson.figure("model", model_diagram());
  softmax_by_hand(lesson);
  every_entry(lesson);
  one_symbol_twice(lesson);
  training_with_the_mistake(lesson, session);
}

}  // namespace lesson2
