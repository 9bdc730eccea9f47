// Part 4: the whole transformer, checked.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/at_its_best.hpp"
#include "lessons/6_bma/inspect.hpp"

namespace lesson6::p4 {

constexpr std::size_t tokens = 64;

// Counts the numbers that the backward pass reads: those that spoil a gradient when spoiled.
static std::size_t kept_for_backward(const Attention<float>& layer) {
  const Sequences<float> X{Matrix<float>(tokens, layer.form.width), tokens};
  Attention<float>::Trace t;
  std::size_t kept = 0;
  for (Matrix<float>* part : {&t.Q, &t.K, &t.V, &t.G, &t.Vg, &t.A, &t.M, &t.O, &t.Y}) {
    layer.forward(X, t);
    *part = NAN * *part;
    Gradients<Attention<float>> g(layer);
    layer.backward(X, t, X.X, g);
    double sum = 0;
    for (const auto& [name, gradient] : read_only(g.parameters)) sum += mean_square(gradient);
    if (std::isnan(sum)) kept += part->size();
  }
  return kept;
}

static void costs(Lesson& lesson, const Session& session) {
  const bool asked = session.own.given(flag::heads) || session.own.given(flag::width);
  const std::size_t width = session.own.given(flag::width) ? session.own[flag::width] : 512,
                    heads = asked ? session.own[flag::heads] : 8;
  const auto width_squared = double(width * width);
  Table table{{"attention", "more parameters", "KB for backward", "KB for writing"}, {}};
  std::vector<double> more;
  double off = 0;
  for (const Gate gate : all_gates) {
    const AttentionForm form{.gate = gate, .width = width, .heads = heads};
    const Attention<float> layer(form);
    const LanguageModel<float> model({.vocab = 2, .context = tokens, .transformer = {form, 1}});
    more.push_back(double(parameters_of(layer)) - 4 * (width_squared + double(width)));
    const double backward = double(kept_for_backward(layer)),
                 writing = double(Writer<float>(model).kept()),
                 each = variant_of(gate).gated() ? 6 : 4;  // Q, K, V, M; G and a product
    off = std::max({off,
                    std::abs(backward - tokens * (each * double(width) + double(heads * tokens))),
                    std::abs(writing - double(2 * tokens * width))});
    table.rows.push_back(
        {name_of(gate), fixed(more.back(), 0), fixed(backward / 256, 0), fixed(writing / 256, 0)});
  }
  const double bma = more[std::size_t(Gate::bma)], post = more[std::size_t(Gate::post)];
  lesson.predict(
      "How many times bma's further parameters does post need? The write-up says four times.",
      post / bma, {.times = 1.1});
  lesson.say("Width ", width, ", ", heads, " heads, ", tokens, " tokens, in float:");
  lesson.show(table);
  for (const Gate gate : {Gate::bma, Gate::attending})
    lesson.claim(join(name_of(gate), " has more parameters: heads·m²"), more[std::size_t(gate)],
                 exactly(width_squared / double(heads)));
  lesson.claim("post's further parameters over bma's, but for the bias: the number of heads",
               (post - double(width)) / bma, exactly(double(heads)));
  lesson.claim_same(
      "for backward a gate keeps two more numbers for each of its own, for writing none: off by",
      off);
}

struct Worst {
  double error = 0;
  std::size_t models = 0, numbers = 0;

  void test_only(const std::string&, LanguageModel<double> model, Texts texts,
                 const cross_entropy& loss) {
    error = std::max(error, without_key_biases(check_model(model, texts, loss)).worst());
    ++models;
    numbers = std::max(numbers, parameters_of(model));
  }
};

// Compares what multiplies in a feed-forward with swish alone, each at its best rate.
static void feed_forwards(Lesson& lesson, Session& session) {
  static constexpr std::array kinds{Inside::swish, Inside::product, Inside::swiglu};
  const Recipe recipe = session.recipe(Gate::standard);
  const auto with = [&](std::size_t kind) {
    Recipe one = recipe;
    one.form.transformer.inside = kinds[kind];
    return one;
  };
  std::array<RateSweep, kinds.size()> sweeps;
  run_grid(session.pool, "rates", {kinds.size()},
           [&](std::size_t kind) { sweeps[kind] = sweep_of(session, with(kind)); });
  std::array<std::vector<double>, kinds.size()> losses;
  losses.fill(std::vector<double>(session.seeds()));
  run_grid(session.pool, "feed-forwards", {kinds.size(), session.seeds()},
           [&](std::size_t kind, std::size_t k) {
             const RateSweep& sweep = sweeps[kind];
             losses[kind][k] =
                 loss_at(session, with(kind), session.corpus.part.test, sweep.rates[sweep.best], k);
           });
  Table table{{"feed-forward", "parameters", "best rate", "loss", "minus swish"}, {}};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    std::vector<double> differences = losses[kind];
    for (std::size_t k = 0; k < differences.size(); ++k) differences[k] -= losses[0][k];
    table.rows.push_back({bend_of(kinds[kind]).name,
                          join(parameters_of(session.fresh(with(kind)).model)), sweeps[kind].text(),
                          fixed(spread_of(losses[kind]).mean, 3),
                          kind == 0 ? "" : in_thousandths(spread_of(differences))});
  }
  lesson.say("Feed-forwards, ", recipe.run.steps, " steps, each at its best rate; ",
             session.seeds(), " pairs, in thousandths of a nat:");
  lesson.show(table);
}

// What of the loss's gradient reaches each of three blocks in the first batch.
static void show_flow(Lesson& lesson, const Session& session) {
  Table table{{"norm of the gradients", "block 1", "block 2", "block 3"}, {}};
  std::vector<double> lowest;
  for (const Gate gate : all_gates) {
    Recipe recipe = session.recipe(gate);
    recipe.form.transformer.layers = 3;
    std::vector<std::string> row{name_of(gate)};
    for (const char* block : {"blocks.0.", "blocks.1.", "blocks.2."}) {
      const double norm = gradient_norm(
          session, recipe, [&](const std::string& name) { return name.starts_with(block); });
      row.push_back(fixed(norm, 3));
      if (block[7] == '0') lowest.push_back(norm);
    }
    table.rows.push_back(row);
  }
  lesson.detail(table);
  // Seeds 1 to 10: .995 to 1.000; standard's .93 to 1.10, deviation .07.
  const double half = lowest[std::size_t(Gate::half)];
  lesson.claim_trained("three blocks: of half's gradients in the first, bma's are",
                       lowest[std::size_t(Gate::bma)] / half, within(1, 0.02));
  lesson.claim_trained("and standard's", lowest[std::size_t(Gate::standard)] / half,
                       between(0.7, 1.4));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  costs(lesson, session);
  show_flow(lesson, session);
  if (session.options.all) feed_forwards(lesson, session);
  constexpr double tolerance = 1e-6;
  Worst all;
  visit_language_models(all, lesson.options().seed);
  // Ten times what a layer is held to: some slopes are small beside others, and the h⁴ term is not.
  lesson.claim(join("every gradient of ", all.models, " language models of up to ", all.numbers,
                    " numbers, but that of the keys' biases, which is 0: worst relative error"),
               all.error, at_most(tolerance));
  lesson.claim("an entry wrong by a hundred-thousandth is noticed", slightly_wrong(),
               between(5 * tolerance, 2e-5));
}

}  // namespace lesson6::p4

const Part<lesson6::Session> lesson6::part4{
    .number = 4, .title = "The transformer", .run = p4::run};
