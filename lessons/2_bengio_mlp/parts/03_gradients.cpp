// Lesson 2, part 3: the backward pass, checked entry by entry, and the mistake that a symbol seen twice brings out: what
// the check says of it, and what training does.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "common/gradcheck.hpp"
#include "common/loss.hpp"
#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/bengio.hpp"
#include "lessons/2_bengio_mlp/rivals.hpp"
#include "lessons/2_bengio_mlp/session.hpp"

struct SmallCase {
  Bengio<double> model;
  Windows windows;

  // 7 symbols, context 3, d = 2, 5 hidden units, all parameters N(0, 1); 10 windows with symbols that repeat.
  SmallCase(bool direct, Random& random) : model(BengioSizes{7, 3, 2, 5, direct}) {
    for (const auto& [name, tensor] : model.tensors())
      tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 1, random);
    const std::vector<std::uint32_t> text{0, 1, 1, 2, 3, 3, 3, 4, 5, 6};
    windows = windows_of(text, 0, text.size(), 3, 7);
  }

  Loss<double> loss() const { return softmax_cross_entropy(model.forward(windows).logits, std::span(windows.targets)); }
  Bengio<double> gradients() const { return model.backward(windows, model.forward(windows), loss().gradient); }
  GradientReport check(Bengio<double> derived) {
    return check_gradients(model.tensors(), derived.tensors(), [this] { return loss().value; });
  }
};

// The model with the classic mistake: its scatter into dC writes = in the place of +=, and the last place that shows a
// symbol wins.
template <class T>
struct Overwriting : Bengio<T> {
  explicit Overwriting(const Bengio<T>& model) : Bengio<T>(model) {}

  Bengio<T> backward(const Windows& windows, const typename Bengio<T>::Trace& trace, const Matrix<T>& dlogits) const {
    Bengio<T> d(this->sizes);
    const Matrix<T> dE = this->backward_to_embeddings(trace, dlogits, d);
    for (std::size_t i = 0; i < dE.rows(); ++i)
      for (std::size_t k = 0; k < windows.length; ++k)
        for (std::size_t a = 0; a < d.C.cols(); ++a) d.C(windows.context(i)[k], a) = dE(i, k * d.C.cols() + a);
    return d;
  }
};

// The row of README.md, "By hand": three logits, the second symbol is the target.
inline void softmax_by_hand(Lesson& lesson) {
  const std::vector<std::uint32_t> target{1};
  const Loss<double> loss = softmax_cross_entropy(Matrix<double>{{0, std::log(2.0), 0}}, std::span(target));
  lesson.say("By hand, with the numbers of README.md: logits (0, ln 2, 0), target 1. Loss ", loss.value, ", dS = (",
             loss.gradient(0, 0), ", ", loss.gradient(0, 1), ", ", loss.gradient(0, 2), ").");
  lesson.claim("loss by hand is ln 2, off by", std::abs(loss.value - std::log(2.0)), at_most(4e-16));  // two roundings
  lesson.claim("dS by hand, max |diff|", max_abs_difference(loss.gradient, {{0.25, -0.5, 0.25}}), at_most(2e-16));
}

// One window that shows the same symbol twice: its row of C must get the gradients of both places. A fixed case, whatever
// the seed: among random ones are some where the place that is lost hardly counts, or where the loss hangs on nothing.
inline void one_symbol_twice(Lesson& lesson) {
  Random fixed_case(1);
  SmallCase twice(false, fixed_case);
  twice.windows = Windows{3, {4, 4, 2}, {1}};
  const Bengio<double> right = twice.gradients();
  const auto trace = twice.model.forward(twice.windows);
  const Matrix<double> dlogits = twice.loss().gradient;
  Bengio<double> d(twice.model.sizes);
  const Matrix<double> dE = twice.model.backward_to_embeddings(trace, dlogits, d);
  lesson.say(
      "A window that shows symbol 4 twice: the row of C for it is used in two places and collects both gradients.");
  lesson.claim("dC of the symbol = sum of its two places", std::abs(right.C(4, 0) - (dE(0, 0) + dE(0, 2))),
               at_most(1e-15));
  const Overwriting<double> mistaken(twice.model);
  const GradientReport wrong = twice.check(mistaken.backward(twice.windows, trace, dlogits));
  lesson.say("The classic mistake writes = instead of +=. The gradient table points at C and at nothing else:");
  Table table{{"gradient", "worst relative error"}, {}};
  for (const GradientRow& row : wrong.rows) table.rows.push_back({row.name, significant(row.worst, 2)});
  lesson.show(table);
  lesson.claim("overwriting is found: error in C", wrong.rows[0].worst, at_least(0.1));  // one of two summands is lost
  double others = 0;
  for (std::size_t r = 1; r < wrong.rows.size(); ++r) others = std::max(others, wrong.rows[r].worst);
  lesson.claim("and elsewhere nothing", others, at_most(1e-7));
}

// Trains `model` on the text in short, as part 6 does; its loss on the last tenth.
template <class Model>
double loss_after_training(const Corpus& corpus, Model model, long steps, std::uint64_t seed) {
  Pool alone(1);
  TrainingSettings settings;
  settings.steps = steps;
  Trainer<float, Model> trainer(model, corpus.part.train, settings, alone, Random(seed, 1));
  for (long step = 0; step < steps; ++step) trainer.step();
  return held_out(model, corpus, alone).both;
}

// The share of dC that the mistake loses on one batch, |dC wrong - dC| / |dC|.
inline double lost_share(const Bengio<float>& model, const Corpus& corpus, Random random) {
  const Windows batch = draw_windows(corpus.part.train, 128, model.sizes.context, padding_of(model.sizes), random);
  const auto trace = model.forward(batch);
  const Matrix<float> dlogits = softmax_cross_entropy(trace.logits, std::span(batch.targets)).gradient;
  const Matrix<float> right = model.backward(batch, trace, dlogits).C;
  const Matrix<float> apart = Overwriting(model).backward(batch, trace, dlogits).C - right;
  return std::sqrt(dot(apart, apart) / dot(right, right));
}

// The network of part 6, trained with the right scatter and with the mistaken one from the same start on the same batches.
inline void training_with_the_mistake(Lesson& lesson, Session& session) {
  const Corpus& corpus = session.corpus;
  const std::uint64_t seed = lesson.options().seed;
  const long steps = lesson.steps(standard_steps, 60);
  Random random(seed);
  const Bengio<float> start({corpus.vocab(), 3, 8, 128}, random);
  double right = 0, wrong = 0;
  session.pool.run(2, [&](std::size_t k) {
    if (k == 0) right = loss_after_training(corpus, start, steps, seed);
    else wrong = loss_after_training(corpus, Overwriting(start), steps, seed);
  });
  const double trigram =
      held_out(Ngram::interpolated(corpus.part.train, corpus.vocab(), 3, pseudo_counts), corpus).both;
  const std::string before = fixed(held_out(start, corpus, session.pool).both, 4);
  const double lost = lost_share(start, corpus, Random(seed, 1));
  lesson.say("Does training find it? The network of part 6, ", steps,
             " steps with either scatter, from the same start ",
             "on the same batches of 128 windows. On the first of them the wrong one loses ", fixed(100 * lost, 0),
             " % of dC. Predict what it costs.");
  lesson.show(Table{{"scatter into dC", "loss of the last tenth, before", "after training"},
                    {{"+=, right", before, fixed(right, 4)}, {"=, wrong", before, fixed(wrong, 4)}}});
  // Means and spreads over 24 seeds.
  lesson.claim_trained("the share of dC that it loses on the first batch", lost, within(0.95, 4.5 * 0.017));
  lesson.claim_trained("trained with it the loss falls, too: below the trigram table's by", trigram - wrong,
                       at_least(0));
  lesson.claim_trained("and ends above that of the right one by, nats", wrong - right, within(0.009, 4.5 * 0.0064));
}

inline void part3(Lesson& lesson, Session& session) {
  softmax_by_hand(lesson);
  Random random(lesson.options().seed);
  SmallCase plain(false, random), direct(true, random);
  lesson.say("7 symbols, context 3, d = 2, 5 hidden units, 10 windows in which symbols repeat, and padding.");
  lesson.claim_gradients("without direct connections", plain.check(plain.gradients()), 1e-7);
  lesson.claim("with direct connections: every gradient entry", direct.check(direct.gradients()).worst(),
               at_most(1e-7));
  one_symbol_twice(lesson);
  training_with_the_mistake(lesson, session);
}
