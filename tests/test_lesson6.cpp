// Lesson 6 beyond its claims: gradients (--dump prints them), layers by definition, a training
// step, writing, files, errors.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/spread.hpp"
#include "lessons/6_bma/export.hpp"
#include "lessons/6_bma/pairs.hpp"
#include "tests/files.hpp"
#include "tests/gradients.hpp"

namespace lesson6 {  // where the gradient test looks
static Sequences<float> narrowed(const Sequences<double>& X) {
  return {Matrix<float>(X.X.view()), X.tokens, X.dropout};
}
}  // namespace lesson6

using namespace lesson6;

// ----------------------------------------------------------------------------------- by definition

// Computes a layer by loops, Σ_j A_ij·(gate ⊙ v_j); a gate of values is that of the reading token.
static void by_definition(Checks& check, const SmallCase& c, const std::string& name) {
  const Attention<double>& m = c.layer;
  const Variant<double>& variant = variant_of(m.form.gate);
  const std::size_t n = c.X.X.rows(), tokens = c.X.tokens, dh = m.form.head_width();
  const auto affine = [](const Matrix<double>& X, const Matrix<double>& W,
                         const Matrix<double>& b) {
    return b.size() > 0 ? add_row(matmul_by_definition(X, W), b) : matmul_by_definition(X, W);
  };
  const Matrix<double> Q = affine(c.X.X, m.Wq, m.bq), K = affine(c.X.X, m.Wk, m.bk),
                       V = affine(c.X.X, m.Wv, m.bv);
  Matrix<double> G(n, m.form.width, variant.start), A(m.form.heads * n, tokens), O(n, m.form.width);
  if (variant.source == GateSource::by_input) G = affine(c.X.X, m.Wp, m.bp);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < m.form.width; ++k) {
      const std::size_t first = k / dh * dh;
      if (variant.source == GateSource::by_query) G(i, k) = 0;
      for (std::size_t a = 0; a < dh && variant.source == GateSource::by_query; ++a)
        G(i, k) += Q(i, first + a) * m.Wg(first + a, k - first);
    }
  if (variant.gated()) variant.open(G.values());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t h = 0; h < m.form.heads; ++h) {
      const std::size_t first = i / tokens * tokens,
                        row = (i / tokens * m.form.heads + h) * tokens + i % tokens;
      double sum = 0;
      for (std::size_t j = 0; j < tokens; ++j) {
        double score = 0;
        for (std::size_t k = h * dh; k < (h + 1) * dh; ++k) score += Q(i, k) * K(first + j, k);
        const bool sees = j <= i % tokens || !m.form.causal;
        if (sees) A(row, j) = std::exp(score / std::sqrt(double(dh)));
        sum += A(row, j);
      }
      for (std::size_t j = 0; j < tokens; ++j) {
        if (sum > 0) A(row, j) /= sum;
        for (std::size_t k = h * dh; k < (h + 1) * dh; ++k)
          O(i, k) += A(row, j) * G(variant.target == GateTarget::values ? first + j : i, k) *
                     V(first + j, k);
      }
    }
  Attention<double>::Trace t;
  m.forward(c.X, t);
  check.near(max_abs_difference(t.A, A), 0, 1e-14, name + ": the weights");
  check.near(max_abs_difference(t.Y, affine(O, m.Wo, m.bo)), 0, 1e-13, name + ": the output");
}

static void definitions(Checks& check) {
  for (const Gate gate : all_gates) {
    by_definition(check, SmallCase({.gate = gate}, 2), name_of(gate));
    by_definition(check, SmallCase({.gate = gate, .biases = Biases::without}, 2),
                  std::string(name_of(gate)) + ", no biases");
    by_definition(check, SmallCase({.gate = gate, .causal = false}, 2),
                  std::string(name_of(gate)) + ", not causal");
  }
  // No float holds the exponentials of scores of ±1e4: the weights are 0, 1, or ½ for equals.
  Attention<float> model({.gate = Gate::bma, .width = 1, .biases = Biases::without});
  model.Wq = {{100}};
  model.Wk = model.Wv = model.Wo = model.Wg = {{1}};
  Attention<float>::Trace t;
  model.forward({{{100}, {-100}, {100}}, 3}, t);
  check.that(t.A == Matrix<float>{{1, 0, 0}, {0, 1, 0}, {0.5, 0, 0.5}}, "scores of a million");
  check.that(t.Y == Matrix<float>{{100}, {0}, {100}}, "gates of σ(±10000) are 1 and 0");
  LayerNorm<double> norm(19, Biases::with);  // beyond the 16 parts of sum_of
  Random random(3);
  fill_normal(norm.tensors(), random);
  const Matrix<double> X = normal_matrix<double>(1, 19, 2, random);
  LayerNorm<double>::Trace n;
  norm.forward(X, n);
  const Spread row = spread_of({X.values().begin(), X.values().end()});
  for (std::size_t j = 0; j < 19; ++j)
    check.near(n.Y(0, j),
               norm.gain(0, j) * (X(0, j) - row.mean) /
                       std::sqrt(row.deviation * row.deviation * 18 / 19 + 1e-5) +
                   norm.shift(0, j),
               1e-13, "layer norm");
  for (const double z : {-3.0, -0.5, 0.0, 2.0})
    check.near(gelu(z), z / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (z + 0.044715 * z * z * z))),
               1e-14, "GELU");
}

// A feed-forward by loops, and equally many parameters with a third matrix as without.
static void feed_forwards(Checks& check) {
  Random random(6);
  for (const Inside inside : {Inside::swish, Inside::product, Inside::swiglu}) {
    const std::string name = bend_of(inside).name;
    FeedForward<double> f(6, Biases::with, inside);
    fill_normal(f.tensors(), random, 0.6);
    const Matrix<double> X = normal_matrix<double>(3, 6, 1, random);
    const auto made = [&](const Matrix<double>& W, const Matrix<double>& b) {
      return add_row(matmul_by_definition(X, W), b);
    };
    Matrix<double> H = made(f.W1, f.b1);
    if (inside != Inside::product)
      for (double& z : H.values()) z = z / (1 + std::exp(-z));
    if (inside != Inside::swish) {
      const Matrix<double> U = made(f.W3, f.b3);
      for (std::size_t k = 0; k < H.size(); ++k) H.values()[k] *= U.values()[k];
    }
    FeedForward<double>::Trace t;
    f.forward(X, t);
    check.near(max_abs_difference(t.Y, add_row(matmul_by_definition(H, f.W2), f.b2)), 0, 1e-13,
               name + ": the feed-forward");
    const auto numbers = [](Inside kind) {
      FeedForward<double> of(32, Biases::with, kind);
      double count = 0;
      for (const auto& [tensor, values] : of.tensors()) count += double(values.size());
      return count;
    };
    check.near(numbers(inside), numbers(Inside::gelu), 10, name + ": as many parameters");
  }
}

// Of N factors a share p ± √(p(1-p)/N) is 0, the others are 1/(1-p).
static void dropout(Checks& check) {
  Random random(1);
  Matrix<double> mask;
  draw_mask(mask, 100, 200, 0.3, &random);
  const auto zeros = std::count(mask.values().begin(), mask.values().end(), 0.0);
  check.that(zeros + std::count(mask.values().begin(), mask.values().end(), 1 / 0.7) == 20'000,
             "two factors");
  check.near(double(zeros) / 20'000, 0.3, 4.5 * std::sqrt(0.21 / 20'000),
             "the share that is dropped");
}

static void errors(Checks& check) {
  using Error = std::invalid_argument;
  const auto attend = [](std::size_t rows, std::size_t tokens) {
    return [=] {
      output(Attention<double>({.gate = Gate::half, .width = 6, .heads = 2}),
             Sequences<double>{Matrix<double>(rows, 6), tokens});
    };
  };
  check.throws<Error>([] { Attention<double>({.gate = Gate::bma, .width = 6, .heads = 4}); },
                      "6 is not divisible by 4 heads", "heads");
  check.throws<Error>(attend(7, 5), "7 rows are not sequences of 5",
                      "sequences that do not divide the rows");
  check.throws<Error>(attend(7, 0), "7 rows are not sequences of 0", "sequences of nothing");
  const std::vector<std::uint32_t> symbols(6, 1);
  const LanguageModel<double> model(small_form({.gate = Gate::half}));
  for (const std::size_t tokens : {0u, 4u, 6u})
    check.throws<Error>(
        [&] {
          output(model, Texts{symbols, tokens});
        },
        "do not fit a context of 5", "no sequences");
}

// --------------------------------------------------------------------------------- a training step

static LanguageForm form_of(Gate gate, double drop = 0) {
  const AttentionForm attention{.gate = gate, .width = 8, .heads = 2, .dropout = drop};
  return {.vocab = 7, .context = 8, .transformer = {attention, 2}};
}
static RunSettings settings_of(long steps) {
  return {.steps = steps, .batch = 5, .others = 4, .outputs = 0.5, .warm_up = 3};
}

template <class T>
static LanguageModel<T> random_model(const LanguageForm& form) {
  LanguageModel<T> model(form);
  Random random(2);
  fill_normal(model.tensors(), random, 0.3);
  return model;
}

static std::vector<std::uint32_t> random_text(std::size_t length) {
  Random random(4);
  std::vector<std::uint32_t> text(length);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(7));
  return text;
}

template <class T>
static bool same(const LanguageModel<T>& a, const LanguageModel<T>& b) {
  bool all = true;
  for (std::size_t t = 0; t < a.tensors().size(); ++t)
    all = all && a.tensors()[t].tensor == b.tensors()[t].tensor;
  return all;
}

// k of the five sequences are the text's second window. Loss and gradients must be means for a
// whole k, which shards counted alike whatever their length would miss. Then come clipping and, to
// the last step, AdamW and the schedule: only matrices decay, matrices of blocks have a rate of
// their own, and Wo half of it.
static void step_is_a_mean(Checks& check, double clip) {
  const std::vector<std::uint32_t> text = random_text(10);
  LanguageModel<double> model = random_model<double>(form_of(Gate::bma)), expected = model;
  RunSettings settings = settings_of(8);
  settings.clip = clip;
  Pool pool(2);
  double losses[2];
  LanguageModel<double> means[2] = {model, model};
  for (std::size_t w = 0; w < 2; ++w) {
    const Symbols inputs = Symbols(text).subspan(w, 8);
    const cross_entropy loss{
        {text.begin() + std::ptrdiff_t(w) + 1, text.begin() + std::ptrdiff_t(w) + 9}};
    means[w] = gradients(model, Texts{inputs, 8}, loss).parameters;
    losses[w] = loss(output(model, Texts{inputs, 8})).value;
  }
  LanguageTrainer<double> trainer(model, text, settings, pool);
  const double k = 5 * (trainer.step() - losses[0]) / (losses[1] - losses[0]);
  check.near(k, std::round(k), 1e-9, "whole sequences are the second window");
  const Tensors<double> first = means[0].tensors(), second = means[1].tensors();
  for (std::size_t t = 0; t < first.size(); ++t)
    first[t].tensor = (1 - k / 5) * std::move(first[t].tensor) + k / 5 * second[t].tensor;
  check.that((clip_global_norm(first, clip) > clip) == (clip < 1), "clipped or not");
  std::vector<AdamW<double>> adam;
  for (const auto& [name, tensor] : expected.tensors())
    adam.push_back(
        AdamW<double>({.beta2 = 0.99, .decay = tensor.rows() == 1 ? 0 : settings.decay}));
  for (std::size_t t = 0; t < first.size(); ++t)
    check.near(max_abs_difference(trainer.gradients()[t].tensor, first[t].tensor), 0, 1e-12,
               "d" + first[t].name);
  for (long step = 0; step < settings.steps; ++step) {
    if (step > 0) trainer.step();
    for (std::size_t t = 0; t < first.size(); ++t) {
      const Named<Matrix<double>> then = expected.tensors()[t];
      const bool matrix_of_block = then.name.starts_with("blocks.") && then.tensor.rows() > 1;
      double times = matrix_of_block ? 1 : settings.others;
      if (then.name.ends_with(".Wo")) times = settings.outputs;
      adam[t].step({then}, {trainer.gradients()[t]},
                   times * cosine_rate(step, 8, settings.rate, 3, settings.last_rate));
      check.near(max_abs_difference(model.tensors()[t].tensor, then.tensor), 0, 1e-14,
                 join(then.name, " after step ", step, " of AdamW"));
    }
  }
}

static LanguageModel<float> trained(double drop, std::size_t threads, std::uint64_t seed = 1) {
  const std::vector<std::uint32_t> text = random_text(100);
  LanguageModel<float> model = random_model<float>(form_of(Gate::bma, drop));
  RunSettings settings = settings_of(8);
  settings.seed = seed;
  Pool pool(threads);
  LanguageTrainer<float> trainer(model, text, settings, pool);
  for (int s = 0; s < 8; ++s) trainer.step();
  return model;
}

static void runs(Checks& check) {
  for (const double drop : {0.0, 0.2})
    for (const std::size_t count : {2u, 3u})
      check.that(same(trained(drop, count), trained(drop, 1)),
                 std::to_string(count) + " threads: the same bits");
  check.that(!same(trained(0, 1, 2), trained(0, 1)), "another seed");
  // One window and a rate of 0: losses differ only by what is dropped. A batch of one is the first
  // shard of a batch of four; if all shards dropped the same, the losses would be equal.
  const std::vector<std::uint32_t> text = random_text(9), longer = random_text(100);
  LanguageModel<double> still = random_model<double>(form_of(Gate::bma, 0.3));
  Pool pool(2);
  const auto two_losses = [&](std::size_t batch) {
    LanguageTrainer<double> trainer(still, text, {.batch = batch, .rate = 0}, pool);
    const double one = trainer.step();
    return std::pair(one, trainer.step());
  };
  const auto [one, next] = two_losses(1);
  check.that(std::abs(one - next) > 1e-3, "each step drops anew");
  check.that(std::abs(one - two_losses(4).first) > 1e-3, "each shard drops anew");
  LanguageModel<float> model = random_model<float>(form_of(Gate::post));
  LanguageTrainer<float> wild(model, longer, {.steps = 50, .batch = 5, .rate = 1e4, .warm_up = 0},
                              pool);
  check.throws<Diverged>(
      [&] {
        for (int s = 0; s < 50; ++s) wild.step();
      },
      "diverged", "a rate of 10,000");
  check.throws([&] { LanguageTrainer<float>(model, Symbols(text).first(8), settings_of(1), pool); },
               "no longer than the context", "a text without a window");
}

// ---------------------------------------------------------------------------------- what it is for

// A drawn symbol follows the whole window's distribution, by the same random numbers.
static void writing(Checks& check) {
  LanguageModel<float> model(small_form({.gate = Gate::bma}));
  Random start(3);
  fill_normal(model.tensors(), start);
  for (Matrix<float>* W : {&model.Wh, &model.bh})
    *W = 0.1f * std::move(*W);  // else one symbol is nearly certain
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed), again(seed);
    std::vector<std::uint32_t> seen{1, 5, 2};
    for (const std::uint32_t symbol : write(model, seen, 3, 0.5, random)) {
      const Matrix<float> logits = output(model, Texts{seen, seen.size()});
      Matrix<float> last = 2.0f * Matrix<float>(row_block(logits, seen.size() - 1, 1));
      softmax(last.row(0));
      check.that(symbol == again.pick(std::span<const float>(last.row(0))),
                 "a symbol of the distribution");
      seen.push_back(symbol);
    }
  }
  Random random(1);
  check.that(write(model, {}, 2, 1.0, random).size() == 2, "an empty prompt");
  // A full context keeps its last half before the next symbol.
  for (const Gate gate : all_gates) {
    LanguageForm form = small_form({.gate = gate});
    form.context = 6;
    form.transformer.inside = Inside(std::size_t(gate) % std::size_t(Inside::count));
    const SmallModel small(form, 3, 6);
    Writer<double> writer(small.model);
    std::vector<std::uint32_t> seen;
    for (const std::uint32_t symbol : small.inputs) {
      if (seen.size() == 6) seen.erase(seen.begin(), seen.end() - 3);
      seen.push_back(symbol);
      const Matrix<double> whole = output(small.model, Texts{seen, seen.size()});
      check.near(max_abs_difference(writer.next(symbol),
                                    Matrix<double>(row_block(whole, seen.size() - 1, 1))),
                 0, 1e-12, std::string(name_of(gate)) + ": the cache changes nothing");
    }
  }
}

static void files(Checks& check) {
  const Folder folder;
  for (const Gate gate : all_gates) {
    Recipe recipe = recipe_of("nanogpt");
    recipe.form = small_form({.gate = gate,
                              .biases = gate == Gate::bma ? Biases::without : Biases::with,
                              .dropout = 0.25});
    recipe.form.vocab = 3;
    recipe.form.transformer.inside = Inside(std::size_t(gate) % std::size_t(Inside::count));
    recipe.form.tied = gate == Gate::half;
    Run run{recipe, Vocabulary("abc"), 1, LanguageModel<float>(recipe.form)};
    draw_start(run.model, starts[0], 1);
    save_run(folder / "run", run);
    const Run found = load_run(folder / "run", "--load");
    check.that(same(found.model, run.model),
               std::string(name_of(gate)) + ": stored and read, the same bits");
    const RunSettings &asked = recipe.run, &read = found.recipe.run;
    check.that(read.rate == asked.rate && read.last_rate == asked.last_rate &&
                   read.decay == asked.decay && read.clip == asked.clip &&
                   read.batch == asked.batch && read.square == asked.square,
               "how it is trained further");
    check.that(found.recipe.form.transformer.dropout == 0.25, "its dropout");
  }
}

// One word of millions of letters, or none, has no perplexity to print.
static void perplexities(Checks& check) {
  check.equal(Comparable{0.5, 12.3}.text(), "0.5000 nats per byte, perplexity 12 a word.",
              "a perplexity");
  for (const double none : {HUGE_VAL, std::nan("")}) {
    const std::string said = Comparable{0.5, none}.text();
    for (const char* number : {"inf", "nan"})
      check.that(said.find(number) == said.npos, std::string("no number: ") + number);
    check.that(said.find("no perplexity") < said.npos, "no perplexity a word");
  }
}

static void vision(Checks& check) {
  Images images{4, 8, Matrix<float>(1, 96), {0}};  // three colours
  std::iota(images.X.values().begin(), images.X.values().end(), 0.f);
  std::vector<float> rows(97);  // the first stays blank
  cut(images, 0, 0, rows);
  check.that(std::vector(rows.begin() + 37, rows.begin() + 43) ==
                 std::vector<float>{12, 13, 44, 45, 76, 77},
             "the third patch of the second row, colour by colour");
  cut(images, 0, 31, rows);
  check.that(rows[0] == 0 && rows[1] == 31 && rows[2] == 0 && rows[5] == 95, "a pixel back");
  SmallVision small(Gate::half, 1);
  const Matrix<double> before = output(small.model, small.X);
  small.X(5, 0) += 1;
  const Matrix<double> after = output(small.model, small.X);
  check.that(before(0, 0) != after(0, 0), "the first token sees the last");
  check.that(before(1, 0) == after(1, 0), "and that of no other image");
  check.throws([&] { output(small.model, Matrix<double>(7, 4)); }, "7 rows are not sequences of 6");
  Random random(9);
  const Images drawn = draw_digits(10, random);
  VisionModel<float> threes(vision_form(drawn, Pooling::class_token));
  threes.bh(0, 3) = 1;
  check.near(share_right(threes, drawn, 0, 10), 0.1, 1e-12, "one in ten is a three");
}

// A mean loss by definition, symbol by symbol: nothing is dropped, and each is predicted from all
// that stands before it in its window.
static void held_out(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(60);
  const LanguageModel<double> dropping = random_model<double>(form_of(Gate::bma, 0.4)),
                              model = random_model<double>(form_of(Gate::bma));
  constexpr std::size_t first = 20, count = 37, context = 8;
  Pool pool(2);
  for (const std::size_t each : {context, context / 2, std::size_t(3)}) {
    double loss = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = first + i / each * each + each - context - 1;
      const Symbols seen = Symbols(text).subspan(begin, first + i - begin);
      const Matrix<double> S = output(model, Texts{seen, seen.size()});
      const Matrix<double> last(row_block(S, S.rows() - 1, 1));
      loss += softmax_cross_entropy<double>(last, {{text[first + i]}}).value / double(count);
    }
    check.near(mean_loss(dropping, text, first, count, pool, each == context ? 0 : each), loss,
               1e-12, join("the mean loss of windows of ", each));
  }
}

// Notes the sequences that it draws, by their number in a draw.
struct Noting : MaskTask<float> {
  std::map<std::size_t, std::set<std::vector<float>>>* noted;

  void draw(std::size_t n, Random& random) {
    MaskTask::draw(n, random);
    for (std::size_t i = 0; i < n; ++i) {
      const auto content = X.X.row(2 * i);
      (*noted)[n].insert({content.begin(), content.end()});
    }
  }
};

static void fresh_examples(Checks& check) {
  std::map<std::size_t, std::set<std::vector<float>>> noted;
  Noting task;
  task.noted = &noted;
  Random random(1);
  auto layer = fresh<float>({.gate = Gate::bma, .width = task.width}, 0.02, random);
  RunSettings settings = task_run();
  settings.steps = 20;
  learn_and_judge(task, layer, settings, 500, 1, 65);
  std::size_t both = 0;
  for (const std::vector<float>& one : noted[settings.batch]) both += noted[500].count(one);
  check.near(double(noted[500].size()), 500, 0, "examples that judge");
  check.near(double(both), 0, 0, "... of which a layer has learned");
}

static void pairs(Checks& check) {
  Compared c;
  c.runs = {{Gate::standard, {2.1, 2.3, 2.2}},
            {Gate::half, {2.06, 2.25, 2.14}},
            {starts_at_half, {2.2, 2.2, 2.2}}};
  check.equal(in_thousandths(c.difference(Gate::half, Gate::standard)), "-50.0 (5.8)*", "pairs");
  check.equal(in_thousandths(c.difference(starts_at_half, Gate::standard)), "0.0 (57.7)",
              "and within luck");
  // Student's factor for three is 4.303.
  check.that(!beyond_luck({4.2, std::sqrt(3.0), 3}) && beyond_luck({-4.4, std::sqrt(3.0), 3}),
             "three numbers and luck");
  const Recipe recipe = recipe_of("C"), start = starts_at_half.in(recipe),
               rate = moves_by_half.in(recipe), post = Contender(Gate::post).in(recipe);
  check.that(start.start.outputs == 0.5 && start.run.outputs == 1, "half of a start");
  check.that(rate.start.outputs == 1 && rate.run.outputs == 0.5, "half of a rate");
  check.that(post.form.transformer.gate == Gate::post && post.start.outputs == 1, "a gate");
}

// Karpathy's page: 4 layers, 4 heads, width 128, context 64, batches of 12, 2,000 steps.
static void recipes(Checks& check) {
  const Recipe r = recipe_of("nanogpt");
  const TransformerForm& f = r.form.transformer;
  check.that(f.layers == 4 && f.heads == 4 && f.width == 128 && r.form.context == 64 &&
                 r.form.tied && r.run.batch == 12 && r.run.steps == 2000 && r.run.rate == 1e-3,
             "the recipe's sizes");
  check.that(r.start.weights == 0.02 && r.start.shrinks, "and its start");
}

static void fill_from(const safetensors::File& file, const std::string& prefix,
                      const Tensors<double>& tensors) {
  for (const auto& [name, tensor] : tensors)
    std::ranges::copy(file.values<double>(prefix + name), tensor.values().begin());
}

// Gradients in the file are slopes of the loss in the file, at the weights in the file.
static void exports(GradientTest& test) {
  const safetensors::File file = exported();
  for (const Gate gate : all_gates) {
    const std::string name = name_of(gate);
    Attention<double> layer(SmallCase::with_sizes({.gate = gate})), slopes = layer;
    Sequences<double> X{Matrix<double>(10, 6), 5};
    Matrix<double> R(10, 6), Y(10, 6), dX(10, 6);
    fill_from(file, name + ".param.", layer.tensors());
    fill_from(file, name + ".grad.", slopes.tensors());
    fill_from(file, "", {{"input.X", X.X}, {"input.R", R}});
    fill_from(file, name, {{".output.Y", Y}, {".grad.X", dX}});
    Tensors<double> tensors = layer.tensors(), gradients = slopes.tensors();
    tensors.push_back({"X", X.X});
    gradients.push_back({"X", dX});
    test.check.near(max_abs_difference(output(layer, X), Y), 0, 1e-13, name + ": exported Y");
    test.check.near(file.values<double>(name + ".loss")[0], dot(R, Y), 1e-12, name + ": its loss");
    test.list("exported " + name, tensors, gradients, [&] { return dot(R, output(layer, X)); });
  }
  LanguageModel<double> model(small_form({.gate = Gate::bma})), slopes = model;
  read_state_dict(file, model, "lm.param.");
  read_state_dict(file, slopes, "lm.grad.");
  // A state_dict's weights are out x in.
  const SmallModel small(small_form({.gate = Gate::bma}), 6);
  const Matrix<double> out(transpose(small.model.blocks[0].attention.Wo));
  const auto written = file.values<double>("lm.param.blocks.0.attn.proj.weight");
  test.check.that(
      std::equal(written.begin(), written.end(), out.values().begin(), out.values().end()),
      "Wo is turned in a state_dict");
  const auto symbols = [&](const char* name) {
    const std::vector<std::int64_t> all = file.values<std::int64_t>(name);
    return std::vector<std::uint32_t>(all.begin(), all.end());
  };
  const std::vector<std::uint32_t> inputs = symbols("input.tokens");
  const cross_entropy loss{symbols("input.targets")};
  const Texts texts{inputs, file.at("input.tokens").shape[1]};
  const auto lost = [&] { return loss(output(model, texts)).value; };
  test.check.near(file.values<double>("lm.loss")[0], lost(), 1e-13, "the model's exported loss");
  test.list("exported model", model.tensors(), slopes.tensors(), lost);
}

int main() {
  GradientTest test;
  perplexities(test.check);
  visit_models(test);
  definitions(test.check);
  feed_forwards(test.check);
  dropout(test.check);
  errors(test.check);
  for (const double clip : {1e9, 0.1}) step_is_a_mean(test.check, clip);
  runs(test.check);
  writing(test.check);
  files(test.check);
  held_out(test.check);
  fresh_examples(test.check);
  pairs(test.check);
  recipes(test.check);
  exports(test);
  vision(test.check);
  return test.done("test_lesson6");
}
