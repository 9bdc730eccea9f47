// What attention with a factor in it is, apart from its gradients: sums by their definitions, identities between the
// forms, who may look where, dropout, errors, and the counts of parameters.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "common/optimizer.hpp"
#include "lessons/6_bma/model/5_language_model.hpp"
#include "tests/check.hpp"

using namespace lesson6;

using Hidden = std::vector<std::uint8_t>;

// Sums of a few dozen numbers of size 1 in another order.
static constexpr double rounding = 1e-14;

// A model with weights N(0, 1/fan-in), and the X of some sequences.
struct Example {
  GatedAttention<double> model;
  Sequences<double> X;
  GatedAttention<double>::Trace t{};

  Example(const GatedForm& form, std::size_t sequences, const Layout& layout) : model(form) {
    Random random(1);
    fill_normal(model.tensors(), random, 1 / std::sqrt(double(form.width)));
    X = {normal_matrix<double>(sequences * layout.tokens, form.width, 1, random), layout};
  }

  const GatedAttention<double>::Trace& forward() {
    model.forward(X, t);
    return t;
  }

  // What goes into the last product.
  const Matrix<double>& mixtures() const {
    return model.form.gate == Gate::attending || model.form.gate == Gate::post ? t.O : t.C;
  }
};

// Two heads of three, five tokens.
static GatedForm form_of(Gate gate) { return {gate, 6, 2}; }
static GatedForm form_of(Gate gate, bool causal) { return {.gate = gate, .width = 6, .heads = 2, .causal = causal}; }
static GatedForm without_biases(GatedForm form) {
  form.biases = false;
  return form;
}
static GatedForm dropping(GatedForm form) {
  form.dropout = 0.5;
  return form;
}

static std::string with_gate(Gate gate, const std::string& what) { return std::string(name_of(gate)) + ": " + what; }

static bool same_row(const Matrix<double>& A, const Matrix<double>& B, std::size_t i) {
  return std::equal(A.row(i).begin(), A.row(i).end(), B.row(i).begin());
}

// ---------------------------------------------------------------------------------------------------- by definition

static double sigmoid(double z) { return 1 / (1 + std::exp(-z)); }

// The weight of token j for token i, both rows of X, among the rows from `first` on: exp(q_i·k_j/√dh) over their sum.
static double weight(const Example& e, const Matrix<double>& Q, const Matrix<double>& K, std::size_t h,
                     std::size_t first, std::size_t i, std::size_t j) {
  const std::size_t width = e.model.plain.form.head_width(),
                    last = e.model.form.causal ? i + 1 : first + e.X.layout.tokens;
  const auto power = [&](std::size_t of) {
    if (!e.X.layout.seen.empty() && !e.X.layout.seen[of]) return 0.0;
    double score = 0;
    for (std::size_t k = h * width; k < (h + 1) * width; ++k) score += Q(i, k) * K(of, k);
    return std::exp(score / std::sqrt(double(width)));
  };
  double sum = 0;
  for (std::size_t of = first; of < last; ++of) sum += power(of);
  return j < last && sum > 0 ? power(j) / sum : 0;
}

// The gate of row i at column k of head h: σ(q_i·Wg) with the head's square, or σ(x_i·Wp + bp) of post; ½ and 1 else.
static double gate_at(const Example& e, const Matrix<double>& Q, std::size_t i, std::size_t k) {
  const GatedAttention<double>& m = e.model;
  const std::size_t width = m.plain.form.head_width(), first = k / width * width;
  if (m.form.gate == Gate::standard) return 1;
  if (m.form.gate == Gate::half) return 0.5;
  double z = m.form.gate == Gate::post && m.form.biases ? m.bp(0, k) : 0;
  if (m.form.gate == Gate::post)
    for (std::size_t a = 0; a < m.form.width; ++a) z += e.X.X(i, a) * m.Wp(a, k);
  else
    for (std::size_t a = 0; a < width; ++a) z += Q(i, first + a) * m.Wg(first + a, k - first);
  return sigmoid(z);
}

static Matrix<double> affine(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& b) {
  const Matrix<double> Y = matmul_by_definition(X, W);
  return b.size() > 0 ? add_row(Y, b) : Y;
}

// Σ_j A_ij (gate ⊙ V_j): with the gate of the token that is looked at in bma, of the one that looks in attending and
// post.
static Matrix<double> gated_mixtures(const Example& e) {
  const Attention<double>& m = e.model.plain;
  const Matrix<double>& X = e.X.X;
  const Matrix<double> Q = affine(X, m.Wq, m.bq), K = affine(X, m.Wk, m.bk), V = affine(X, m.Wv, m.bv);
  const std::size_t tokens = e.X.layout.tokens;
  Matrix<double> O(X.rows(), m.form.width);
  for (std::size_t i = 0; i < O.rows(); ++i)
    for (std::size_t k = 0; k < O.cols(); ++k) {
      const std::size_t first = i / tokens * tokens, h = k / m.form.head_width();
      for (std::size_t j = first; j < first + tokens; ++j)
        O(i, k) += weight(e, Q, K, h, first, i, j) * gate_at(e, Q, e.model.form.gate == Gate::bma ? j : i, k) * V(j, k);
    }
  return O;
}

// Tokens 0 and 6 of three sequences of five are hidden, so in the causal form row 0 sees nothing.
static const Hidden two_hidden{0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1};

// All forms against loops. That a gate of the attending query leaves the sum, which `attending` relies on, is here too:
// the loops leave it inside. Bma, whose gate stays in the sum, needs the gate of token j.
static void by_definition(Checks& check) {
  for (const Gate gate : all_gates)
    for (const bool causal : {false, true})
      for (const bool biases : {false, true})
        for (const bool hides : {false, true}) {
          const GatedForm form = biases ? form_of(gate, causal) : without_biases(form_of(gate, causal));
          Example e(form, 3, {5, hides ? std::span(two_hidden) : std::span<std::uint8_t>()});
          const auto& t = e.forward();
          const Matrix<double> O = gated_mixtures(e);
          const std::string where = std::string(causal ? ", causal" : "") + (hides ? ", mask" : "");
          check.near(max_abs_difference(e.mixtures(), O), 0, rounding, with_gate(gate, "mixtures" + where));
          check.near(max_abs_difference(t.Y, affine(O, e.model.plain.Wo, e.model.plain.bo)), 0, rounding,
                     with_gate(gate, "output" + where));
        }
}

// ------------------------------------------------------------------------------------------ identities between forms

// The standard variant is the plain attention inside it.
static void standard_is_plain(Checks& check) {
  Example e(dropping(form_of(Gate::standard)), 3, {5, two_hidden});
  e.X.dropout = Random(1);
  check.that(output(e.model.plain, e.X) == e.forward().Y, "standard is plain attention, to the bit");
}

// Without weights every gate is σ(0) = ½, and halves are exact: the same bits as half, and half of standard but for bo.
static void shut_gates(Checks& check) {
  for (const bool causal : {false, true}) {
    Example standard(without_biases(form_of(Gate::standard, causal)), 3, {5});
    const Matrix<double> Y = standard.forward().Y, halved = 0.5 * Y;
    for (const Gate gate : {Gate::half, Gate::bma, Gate::attending, Gate::post}) {
      GatedAttention<double> shut(without_biases(form_of(gate, causal)));
      shut.plain = standard.model.plain;
      check.that(output(shut, standard.X) == halved,
                 with_gate(gate, "without gate weights half of standard, to the bit"));
    }
  }
}

// The first token of a causal sequence sees itself alone, with weight 1: whose gate it is makes no difference. Later on
// it does.
static void first_rows_agree(Checks& check) {
  Example bma(form_of(Gate::bma), 3, {5});
  Example attending = bma;
  attending.model.form.gate = Gate::attending;
  const Matrix<double> Y = bma.forward().Y, other = attending.forward().Y;
  for (std::size_t i = 0; i < Y.rows(); ++i)
    check.that(same_row(Y, other, i) == (i % 5 == 0), "bma and attending agree in row 0 of a sequence and in no other");
}

// ------------------------------------------------------------------------------------------------ who may look where

// The rows of Y that change when row `changed` of X does.
static std::vector<bool> rows_that_change(const Example& e, std::size_t changed) {
  Sequences<double> X = e.X;
  for (double& x : X.X.row(changed)) x += 1;
  const Matrix<double> before = output(e.model, e.X), after = output(e.model, X);
  std::vector<bool> changes;
  for (std::size_t i = 0; i < before.rows(); ++i) changes.push_back(!same_row(before, after, i));
  return changes;
}

// Exactly: a weight of 0 adds 0 whatever the value, and a row of a product has the same bits whatever stands in others.
static void causality(Checks& check) {
  for (const Gate gate : all_gates)
    for (const bool causal : {false, true}) {
      const Example e(form_of(gate, causal), 2, {5});
      for (std::size_t changed = 0; changed < 10; ++changed) {
        const std::vector<bool> changes = rows_that_change(e, changed);
        for (std::size_t i = 0; i < 10; ++i)
          check.that(changes[i] == (i / 5 == changed / 5 && (!causal || i >= changed)),
                     with_gate(gate, "token " + std::to_string(changed) + " reaches row " + std::to_string(i) +
                                         " when it may, and only then"));
      }
    }
}

// What is hidden reaches its own row alone, and hidden tokens at the end are as good as none.
static void hidden_tokens(Checks& check) {
  const Hidden seen{1, 1, 0, 1, 1};
  for (const Gate gate : all_gates) {
    Example e(form_of(gate, false), 1, {5, seen});
    const std::vector<bool> changes = rows_that_change(e, 2);
    check.that(!changes[0] && !changes[1] && !changes[3] && !changes[4], with_gate(gate, "nobody sees a hidden token"));
    check.that(changes[2], with_gate(gate, "a hidden token sees others"));

    const Hidden padding{1, 1, 1, 0, 0};
    e.X.layout.seen = padding;
    const Matrix<double> padded(row_block(e.forward().Y, 0, 3));
    e.X = {Matrix<double>(row_block(e.X.X, 0, 3)), {3}};
    check.near(max_abs_difference(padded, e.forward().Y), 0, rounding, with_gate(gate, "padding changes nothing"));
  }
}

// Without a mask of causality attention knows no order: permuted tokens, permuted rows.
static void permutation(Checks& check) {
  const std::size_t order[] = {3, 0, 4, 1, 2};
  for (const Gate gate : all_gates)
    for (const bool causal : {false, true}) {
      Example e(form_of(gate, causal), 1, {5});
      Matrix<double> expected(5, 6), X(5, 6);
      const Matrix<double> Y = e.forward().Y;
      for (std::size_t i = 0; i < 5; ++i) {
        std::copy(Y.row(order[i]).begin(), Y.row(order[i]).end(), expected.row(i).begin());
        std::copy(e.X.X.row(order[i]).begin(), e.X.X.row(order[i]).end(), X.row(i).begin());
      }
      e.X.X = X;
      const double difference = max_abs_difference(e.forward().Y, expected);
      if (causal) check.that(difference > 0.01, with_gate(gate, "causal attention knows the order"));
      else check.near(difference, 0, rounding, with_gate(gate, "permuted tokens, permuted rows"));
    }
}

// ----------------------------------------------------------------------------------------------------------- weights

static void weights(Checks& check) {
  for (const bool causal : {false, true}) {
    Example e(form_of(Gate::standard, causal), 3, {5, two_hidden});
    const Matrix<double> A = e.forward().A;
    check.that(A.shape() == Shape{30, 5}, "a row of weights for each token of each head");
    for (std::size_t r = 0; r < A.rows(); ++r) {
      const std::size_t sequence = r / 10, i = r % 5;
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        const bool sees = two_hidden[5 * sequence + j] && (!causal || j <= i);
        check.that(sees ? A(r, j) > 0 : A(r, j) == 0, "a weight where a token may look, exactly 0 elsewhere");
        sum += A(r, j);
      }
      check.near(sum, causal && sequence == 0 && i == 0 ? 0 : 1, 1e-15,
                 "weights of a row sum to 1, or it sees nothing");
    }
  }
}

// Scores of ±1e4, whose exponentials no float holds: the weights are 0 and 1, of two equal ones ½.
static void extreme_scores(Checks& check) {
  GatedAttention<float> model({.gate = Gate::bma, .width = 1, .causal = false, .biases = false});
  model.plain.Wq = {{100}};
  model.plain.Wk = {{1}};
  model.plain.Wv = {{1}};
  model.plain.Wo = {{1}};
  model.Wg = {{1}};
  GatedAttention<float>::Trace t;
  model.forward({{{100}, {-100}, {100}}, {3}}, t);
  check.that(t.A == Matrix<float>{{0.5, 0, 0.5}, {0, 1, 0}, {0.5, 0, 0.5}}, "scores of a million");
  check.that(t.Y == Matrix<float>{{100}, {0}, {100}}, "gates of σ(±10000) are 1 and 0");
  model.plain.Wq = {{1}};
  model.forward({{{100}, {-100}, {98}}, {3}}, t);
  check.that(t.A == Matrix<float>{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}}, "scores of 1e4");
}

// A trace that has served another form of run holds nothing of it.
static void used_rooms(Checks& check) {
  for (const Gate gate : all_gates) {
    Example e(dropping(form_of(gate)), 3, {5, two_hidden});
    e.X.dropout = Random(1);
    e.forward();
    e.X = {Matrix<double>(row_block(e.X.X, 1, 8)), {4}};
    const Matrix<double> used = e.forward().Y;
    e.t = {};
    check.that(used == e.forward().Y, with_gate(gate, "a used trace is as good as a new one"));
  }
}

// ----------------------------------------------------------------------------------------------------------- dropout

// Of N factors a share p ± √(p(1-p)/N) is 0.
static void dropout_masks(Checks& check) {
  for (const double p : {0.1, 0.5, 0.8}) {
    Random random(1);
    Matrix<double> mask;
    draw_mask(mask, 100, 200, p, &random);
    std::size_t dropped = 0;
    bool right = true;
    for (const double factor : mask.values()) {
      if (factor == 0) ++dropped;
      else right = right && factor == 1 / (1 - p);
    }
    check.that(right, "factors are 0 or 1/(1 - p)");
    check.near(double(dropped) / 20000, p, 4 * std::sqrt(p * (1 - p) / 20000), "the share of zeros");
    draw_mask(mask, 100, 200, p, nullptr);
    check.that(mask.size() == 0, "in evaluation nothing is dropped");
  }
  Random used(1), unused(1);
  Matrix<double> mask(2, 3, 7);
  draw_mask(mask, 2, 3, 0, &used);
  check.that(mask.size() == 0 && used.bits() == unused.bits(),
             "at probability 0 nothing is dropped, and nothing drawn");
}

static void dropout_of_weights(Checks& check) {
  for (const Gate gate : all_gates) {
    Example e(dropping(form_of(gate)), 3, {5}), without(form_of(gate), 3, {5});
    const Matrix<double> Y = without.forward().Y;
    check.that(e.forward().Y == Y, with_gate(gate, "evaluation is the model without dropout, to the bit"));
    e.X.dropout = Random(1);
    const auto& t = e.forward();
    check.that(t.D == hadamard(t.A, t.mask), with_gate(gate, "dropout multiplies the weights"));
    check.that(t.Y != Y, with_gate(gate, "and changes the output"));
    const Matrix<double> first = t.Y;
    check.that(e.forward().Y == first, with_gate(gate, "the same numbers drop the same weights"));
  }
}

// ------------------------------------------------------------------------------------------------------------ layers

static void sums(Checks& check) {
  for (std::size_t count = 0; count < 50; ++count)
    check.that(sum_of<double>(count, [](std::size_t j) { return double(j * j + 1); }) ==
                   double(count) + double((count * (2 * count * count + 1) - 3 * count * count) / 6),
               "Σ (j² + 1) over j < " + std::to_string(count));
}

// N has mean 0 and variance v/(v + ε); the rest is the definition.
static void layer_norms(Checks& check) {
  Random random(1);
  for (const std::size_t d : {5u, 19u}) {
    LayerNorm<double> norm(d, true);
    fill_normal(norm.tensors(), random);
    const auto X = normal_matrix<double>(3, d, 2, random);
    LayerNorm<double>::Trace t;
    norm.forward(X, t);
    for (std::size_t i = 0; i < 3; ++i) {
      double mean = 0, variance = 0;
      for (const double x : X.row(i)) mean += x / double(d);
      for (const double x : X.row(i)) variance += (x - mean) * (x - mean) / double(d);
      for (std::size_t j = 0; j < d; ++j)
        check.near(t.Y(i, j), norm.gain(0, j) * (X(i, j) - mean) / std::sqrt(variance + 1e-5) + norm.shift(0, j),
                   rounding, "layer norm by definition");
    }
  }
  LayerNorm<double> plain(3, false);
  plain.gain = {{1, 1, 1}};
  LayerNorm<double>::Trace t;
  plain.forward({{7, 7, 7}}, t);
  check.that(t.Y == Matrix<double>(1, 3), "a constant row becomes 0, not NaN");
}

// In Hendrycks and Gimpel's form with the tanh.
static void gelus(Checks& check) {
  for (double z = -6; z <= 6; z += 0.25) {
    const double u = std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z);
    check.near(gelu(z), z / 2 * (1 + std::tanh(u)), rounding, "gelu of " + std::to_string(z));
  }
  check.that(gelu(-1e4f) == 0 && gelu(1e4f) == 1e4f, "gelu far out");
}

// ------------------------------------------------------------------------------------------------------ whole models

static LanguageModel<double> random_model(const LanguageForm& form, std::uint64_t seed = 1) {
  LanguageModel<double> model(form);
  Random random(seed);
  fill_normal(model.tensors(), random, 0.5);
  return model;
}

static const std::vector<std::uint32_t> some_symbols{0, 3, 3, 6, 1, 0, 5, 3};
static const Texts some_texts{some_symbols, 4};

// The blocks put together from their parts as README.md draws them.
static void blocks(Checks& check) {
  for (const bool tied : {false, true}) {
    const LanguageModel<double> model =
        random_model({7, 5, {.gate = Gate::bma, .layers = 2, .heads = 2, .width = 6, .dropout = 0.5}, tied});
    Matrix<double> X(8, 6);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 6; ++j) X(i, j) = model.E(some_symbols[i], j) + model.P(i % 4, j);
    for (const Block<double>& block : model.transformer.blocks) {
      Block<double>::Trace t;
      block.norm1.forward(X, t.norm1);
      block.attention.forward(t.norm1.Y, {4}, t.attention, nullptr);
      X += t.attention.Y;
      block.norm2.forward(X, t.norm2);
      const Matrix<double> H = map(affine(t.norm2.Y, block.feed_forward.W1, block.feed_forward.b1), gelu<double>);
      X += affine(H, block.feed_forward.W2, block.feed_forward.b2);
    }
    LayerNorm<double>::Trace last;
    model.transformer.norm.forward(X, last);
    const Matrix<double> logits =
        tied ? affine(last.Y, Matrix<double>(transpose(model.E)), {}) : affine(last.Y, model.Wh, model.bh);
    check.near(max_abs_difference(output(model, some_texts), logits), 0, 1e-13,
               "a language model by its parts");  // logits of size 10
  }
}

// Dropout of the embeddings and of the branches: each multiplies by its mask, and draws one after the other.
static void dropout_of_models(Checks& check) {
  LanguageModel<double> model =
      random_model({7, 5, {.gate = Gate::standard, .layers = 1, .heads = 2, .width = 6, .dropout = 0.5}});
  LanguageModel<double>::Trace t;
  model.forward({some_symbols, 4, Random(1)}, t);
  const auto& block = t.transformer.blocks[0];
  for (const Shape shape : {t.mask.shape(), block.mask1.shape(), block.mask2.shape()})
    check.that(shape == Shape{8, 6}, "the embeddings and both branches have masks");
  check.that(t.mask != block.mask1 && block.mask1 != block.mask2, "of their own");
  Matrix<double> X;
  model.embed(some_texts, X);
  X = hadamard(X, t.mask) + block.attention.Y + block.feed_forward.Y;
  check.near(max_abs_difference(t.X, X), 0, rounding, "the stream is the sum of what the masks leave");
  for (std::size_t k = 0; k < 48; ++k)
    check.that((block.mask1.values()[k] == 0) == (block.attention.Y.values()[k] == 0),
               "a dropped entry of a branch is 0");
  model.forward(some_texts, t);
  check.that(t.mask.size() + block.mask1.size() + block.mask2.size() + block.attention.mask.size() == 0,
             "in evaluation nothing is dropped");
}

// The logits before a symbol do not know it; those from it on do. Sequences do not know of each other.
static void language_models_look_back(Checks& check) {
  for (const Gate gate : all_gates) {
    const LanguageModel<double> model = random_model({7, 5, {gate, 2, 2, 6}});
    const Matrix<double> before = output(model, some_texts);
    for (std::size_t changed = 0; changed < 8; ++changed) {
      std::vector<std::uint32_t> symbols = some_symbols;
      symbols[changed] = 2;
      const Matrix<double> after = output(model, Texts{symbols, 4});
      for (std::size_t i = 0; i < 8; ++i)
        check.that(same_row(after, before, i) == (i / 4 != changed / 4 || i < changed),
                   with_gate(gate, "symbols reach logits from their place on"));
    }
  }
}

// The embedding of one symbol at a later place, as one who writes text symbol by symbol needs it.
static void places(Checks& check) {
  const LanguageModel<double> model = random_model({7, 5, {Gate::standard, 1, 2, 6}});
  Matrix<double> all, one;
  model.embed({Symbols(some_symbols).first(5), 5}, all);
  for (std::size_t i = 0; i < 5; ++i) {
    model.embed({Symbols(some_symbols).subspan(i, 1), 1}, one, i);
    check.that(same_row(Matrix<double>(row_block(all, i, 1)), one, 0), "the embedding at place " + std::to_string(i));
  }
}

// ------------------------------------------------------------------------------------------------------------ errors

static void errors(Checks& check) {
  using Error = std::invalid_argument;
  const auto make = [](std::size_t width, std::size_t heads) {
    return [=] { GatedAttention<double>({Gate::bma, width, heads}); };
  };
  check.throws<Error>(make(6, 4), "a width of 6 is not divisible by 4 heads", "heads that do not divide the width");
  check.throws<Error>(make(6, 0), "0 heads", "no heads");
  check.throws<Error>(
      [] {
        LanguageModel<double>({7, 5, {Gate::half, 1, 4, 6}});
      },
      "4 heads", "nor in a language model");

  const auto attend = [](std::size_t rows, Layout layout) {
    return [=] {
      output(GatedAttention<double>(form_of(Gate::standard)), Sequences<double>{Matrix<double>(rows, 6), layout});
    };
  };
  check.throws<Error>(attend(7, {5}), "7 rows are no sequences of 5", "a layout that does not divide the rows");
  check.throws<Error>(attend(7, {0}), "7 rows are no sequences of 0", "sequences of nothing");
  check.throws<Error>(attend(10, {5, two_hidden}), "a mask of 15 for 10 rows", "a mask of another length");
  check.throws<Error>(
      [] {
        output(GatedAttention<double>(form_of(Gate::standard)), Sequences<double>{Matrix<double>(5, 4), {5}});
      },
      "matmul", "an X of another width");

  const auto read = [](std::size_t count, std::size_t tokens) {
    return [=] {
      const std::vector<std::uint32_t> symbols(count, 1);
      output(LanguageModel<double>({7, 5, {Gate::standard, 1, 2, 6}}), Texts{symbols, tokens});
    };
  };
  check.throws<Error>(read(6, 6), "6 symbols in sequences of 6 do not fit a context of 5", "longer than the context");
  check.throws<Error>(read(6, 4), "6 symbols in sequences of 4", "symbols that are no sequences");
  check.throws<Error>(read(6, 0), "sequences of 0", "sequences of no symbols");
}

// ------------------------------------------------------------------------------------------------------------ counts

// Bma adds a square for each head, heads·dh² = d²/heads; post a product and a bias, d² + d.
static void counts(Checks& check) {
  const auto attention = [](Gate gate, std::size_t width, std::size_t heads) {
    return parameters_of(GatedAttention<float>({gate, width, heads}));
  };
  for (const auto& [width, heads] : {std::pair{512u, 8u}, {64u, 4u}, {6u, 3u}}) {
    const std::size_t standard = attention(Gate::standard, width, heads);
    check.that(standard == 4 * (width * width + width), "four products");
    check.that(attention(Gate::half, width, heads) == standard, "half adds none");
    for (const Gate gate : {Gate::bma, Gate::attending})
      check.that(attention(gate, width, heads) - standard == width * width / heads, with_gate(gate, "adds d²/heads"));
    check.that(attention(Gate::post, width, heads) - standard == width * width + width, "post adds d² + d");
  }
  check.that(attention(Gate::bma, 512, 8) - attention(Gate::standard, 512, 8) == 32'768, "8 heads of 64: bma 32,768");
  check.that(attention(Gate::post, 512, 8) - attention(Gate::standard, 512, 8) == 262'656,
             "8 heads of 64: post 262,656");

  const auto model = [](Gate gate, std::size_t context, std::size_t layers, std::size_t width) {
    return parameters_of(LanguageModel<float>({65, context, {gate, layers, 4, width}}));
  };
  check.that(model(Gate::standard, 64, 2, 64) == 112'577, "two layers of 64: 112,577");
  check.that(model(Gate::bma, 64, 2, 64) == 112'577 + 2'048, "bma +2,048");
  check.that(model(Gate::post, 64, 2, 64) == 112'577 + 8'320, "post +8,320");
  check.that(model(Gate::standard, 32, 1, 32) == 18'017, "one layer of 32: 18,017");
}

int main() {
  Checks check;
  by_definition(check);
  standard_is_plain(check);
  shut_gates(check);
  first_rows_agree(check);
  causality(check);
  hidden_tokens(check);
  permutation(check);
  weights(check);
  extreme_scores(check);
  used_rooms(check);
  dropout_masks(check);
  dropout_of_weights(check);
  sums(check);
  layer_norms(check);
  gelus(check);
  blocks(check);
  dropout_of_models(check);
  language_models_look_back(check);
  places(check);
  errors(check);
  counts(check);
  return check.done("test_lesson6_attention");
}
