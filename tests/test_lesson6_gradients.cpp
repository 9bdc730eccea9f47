// The gradients of lesson 6 against numbers: each layer alone, attention in all its forms, the transformer, the
// language model, the mask task, the solutions of exercises; in float against double; and those that training adds up
// from shards and clips against those of the whole batch. Then by hand, and what a forgotten path of the gate does.
// With --dump it prints the gradients.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "common/support/words.hpp"
#include "lessons/6_bma/answers/one_head.hpp"
#include "lessons/6_bma/answers/solutions/ex6_1_without_sigmoid.hpp"
#include "lessons/6_bma/answers/solutions/ex6_2_squares.hpp"
#include "lessons/6_bma/answers/solutions/ex6_4_gated_values.hpp"
#include "lessons/6_bma/answers/solutions/ex6_8_root_mean_square.hpp"
#include "lessons/6_bma/run/train.hpp"
#include "lessons/6_bma/run/train_mask.hpp"
#include "tests/gradients.hpp"
#include "tests/lesson6_vision.hpp"

using namespace lesson6;

using Hidden = std::span<const std::uint8_t>;

// ------------------------------------------------------------------------------------------------- starting points

static bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Where the loss is curved moderately, so that the h⁴ term of the numeric slope stays far below the tolerance: weights
// N(0, 1/fan-in), which keep every sum of size 1, embeddings of size 1, gains near 1, small biases.
static void start(const Tensors<double>& tensors, Random& random) {
  for (const auto& [name, tensor] : tensors) {
    const bool gain = ends_with(name, "weight"), embedding = name == "tok" || name == "pos";
    const double fan_in = double(ends_with(name, "Wg") ? tensor.cols() : tensor.rows());  // Wg: a square for each head
    const double deviation = embedding ? 1 : tensor.rows() == 1 ? 0.2 : 1 / std::sqrt(fan_in);
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), deviation, random);
    for (double& x : tensor.values()) x += gain ? 1 : 0;
  }
}

// A key bias adds q·bk to every score of a row, and softmax does not notice: its gradient is 0, and a relative error of
// it says nothing. Found is what Σ_j dS_ij leaves of rounding, times the queries, summed over the rows: a few hundred
// roundings at most of numbers as large as those in dWk, which has the same terms but for a factor X of size 1.
static void key_biases(GradientTest& test, const std::string& name, const Tensors<double>& gradients) {
  constexpr double bound = 300 * std::numeric_limits<double>::epsilon();
  for (std::size_t t = 1; t < gradients.size(); ++t)
    if (ends_with(gradients[t].name, "bk"))
      test.check.near(largest_entry(gradients[t].tensor) / largest_entry(gradients[t - 1].tensor), 0, bound,
                      name + ": d" + gradients[t].name + " over d" + gradients[t - 1].name);
}

// Every tensor of two lists.
template <class Loss>
static void compare(GradientTest& test, const std::string& name, Tensors<double> tensors, Tensors<double> gradients,
                    Loss loss, Step step = Step::smooth) {
  key_biases(test, name, gradients);
  test.list(name, without_key_bias(tensors), without_key_bias(gradients), loss, step);
}

// Float gradients against double ones. A key bias has the gradient 0, of which float leaves some hundred roundings of
// 6e-8.
static void compare_in_float(GradientTest& test, const std::string& name, const Tensors<float>& found,
                             const Tensors<double>& expected) {
  for (std::size_t t = 1; t < found.size(); ++t)
    if (ends_with(found[t].name, "bk"))
      test.check.near(max_abs_difference(Matrix<double>(found[t].tensor.view()), expected[t].tensor) /
                          largest_entry(expected[t - 1].tensor),
                      0, float_tolerance, name + ", float: d" + found[t].name);
  test.in_float(name, without_key_bias(found), without_key_bias(expected));
}

// Σ R ⊙ Y, through which the gradients are large beside the rounding of the loss. Lesson 2 has the cross-entropy.
template <class T>
static auto weighted_by(const Matrix<T>& R) {
  return [R](const Matrix<T>& Y) { return Loss<T>{dot(R, Y), R}; };
}

// The gradients of a model, found over others that were there before: they must be set, not added to.
template <class Model, class Input, class LossOfY>
static Gradients<Model> found_over_others(const Model& model, const Input& X, LossOfY loss) {
  using T = typename Model::Number;
  Random random(8);
  typename Model::Trace t;
  model.forward(X, t);
  const Matrix<T> dY = loss(t.Y).gradient;
  Gradients<Model> g(model);
  model.backward(X, t, dY, g);
  fill_normal(g.d.tensors(), random);
  g.dX = normal_matrix<T>(g.dX.rows(), g.dX.cols(), 1, random);
  model.backward(X, t, dY, g);
  return g;
}

// A model's gradients as a list, that of its input with them where this is real-valued.
template <class Model>
static auto list_of(Gradients<Model>& g) {
  auto all = g.d.tensors();
  if (g.dX.size() > 0) all.push_back({"X", g.dX});
  return all;
}

// Every parameter of a model, and its input.
template <class Model, class Input, class LossOfY>
static void compare_model(GradientTest& test, const std::string& name, Model& model, Input& X, LossOfY loss) {
  Gradients<Model> g = found_over_others(model, X, loss);
  Tensors<double> tensors = model.tensors();
  if (Matrix<double>* numbers = numbers_of(X)) tensors.push_back({"X", *numbers});
  typename Model::Trace t;
  compare(test, name, tensors, list_of(g), [&] {
    model.forward(X, t);
    return loss(t.Y).value;
  });
}

// ------------------------------------------------------------------------------------------------- the single layers

// Y is linear in each of X, W, b; with the weights R, and D for what other layers have sent to dX, the loss is a sum of
// products of three quarters, exact in double.
static void linear_layer(GradientTest& test, bool biases, Write write, Random& random) {
  const std::size_t n = 3, in = 4, out = 2;
  Matrix<double> X = quarters(n, in, random), W = quarters(in, out, random), b = quarters(biases ? 1 : 0, out, random);
  if (!biases) b = {};
  const Matrix<double> R = quarters(n, out, random), D = quarters(n, in, random);
  Matrix<double> Y, dW = W, db = b, dX = D;
  linear_back(X, W, R, dW, db, dX, write);
  const auto loss = [&] {
    linear(X, W, b, Y);
    return dot(R, Y) + (write == Write::add ? dot(D, X) : 0);
  };
  Tensors<double> tensors{{"X", X}, {"W", W}}, gradients{{"X", dX}, {"W", dW}};
  if (biases) {
    tensors.push_back({"b", b});
    gradients.push_back({"b", db});
  }
  const std::string name = std::string("linear") + (biases ? ", bias" : "") + (write == Write::add ? ", add" : "");
  test.list(name, tensors, gradients, loss, Step::quadratic);
}

// `width` is once below and once above the 16 parts of sum_of. D is what has come to dX before.
static void layer_norm(GradientTest& test, std::size_t width, bool biases, Random& random) {
  const std::size_t n = 3;
  LayerNorm<double> norm(width, biases), grad(width, biases);
  fill_normal(norm.tensors(), random);
  fill_normal(grad.tensors(), random);
  auto X = normal_matrix<double>(n, width, 2, random);
  const auto R = normal_matrix<double>(n, width, 1, random), D = normal_matrix<double>(n, width, 1, random);
  LayerNorm<double>::Trace t;
  const auto loss = [&] {
    norm.forward(X, t);
    return dot(R, t.Y) + dot(D, X);
  };
  loss();
  Matrix<double> dX = D;
  norm.backward(t, R, grad, dX);
  Tensors<double> tensors = norm.tensors(), gradients = grad.tensors();
  tensors.push_back({"X", X});
  gradients.push_back({"X", dX});
  test.list("layer norm " + std::to_string(width) + (biases ? ", shift" : ""), tensors, gradients, loss);
}

static void feed_forward(GradientTest& test, bool biases, Random& random) {
  const std::size_t n = 5, width = 3;
  FeedForward<double> layer(width, biases), grad(width, biases);
  auto X = normal_matrix<double>(n, width, 1, random), dX = normal_matrix<double>(n, width, 1, random);
  const auto R = normal_matrix<double>(n, width, 1, random);
  Tensors<double> tensors = layer.tensors(), gradients = grad.tensors();
  tensors.push_back({"X", X});
  gradients.push_back({"X", dX});
  fill_normal(tensors, random);
  fill_normal(gradients, random);
  FeedForward<double>::Trace t;
  FeedForward<double>::Room room;
  const auto loss = [&] {
    layer.forward(X, t);
    return dot(R, t.Y);
  };
  loss();
  layer.backward(X, t, R, room, grad, dX);
  test.list(std::string("feed-forward") + (biases ? ", biases" : ""), tensors, gradients, loss);
}

static void layers(GradientTest& test, Random& random) {
  for (const bool biases : {false, true}) {
    for (const Write write : {Write::set, Write::add}) linear_layer(test, biases, write, random);
    for (const std::size_t width : {5u, 19u}) layer_norm(test, width, biases, random);
    feed_forward(test, biases, random);
  }
}

// -------------------------------------------------------------------------------------------------------- attention

// Of four sequences of five tokens: one whose first token is hidden, so that its first row sees nothing when it may
// look back only; two with hidden tokens further on; one that is hidden altogether.
static constexpr std::uint8_t some_hidden[]{0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0};

static std::string name_of(const GatedForm& f, const Layout& layout) {
  return std::string(name_of(f.gate)) + (f.causal ? ", causal" : "") + (layout.seen.empty() ? "" : ", mask") +
         (f.biases ? ", biases" : "") + (f.dropout > 0 ? ", dropout" : "");
}

// A row that sees nothing has weights 0, others have weights above 0 for just what they may see.
static void weights_are_where_they_may_be(GradientTest& test, const GatedAttention<double>& model,
                                          const Sequences<double>& X) {
  const GatedForm& f = model.form;
  const Layout& layout = X.layout;
  GatedAttention<double>::Trace t;
  model.forward(X, t);
  bool right = true;
  for (std::size_t r = 0; r < t.A.rows(); ++r) {
    const std::size_t sequence = r / (f.heads * layout.tokens), i = r % layout.tokens;
    for (std::size_t j = 0; j < layout.tokens; ++j) {
      const bool sees =
          (!f.causal || j <= i) && (layout.seen.empty() || layout.seen[sequence * layout.tokens + j] != 0);
      right = right && (sees ? t.A(r, j) > 0 : t.A(r, j) == 0);
    }
  }
  test.check.that(right, name_of(f, layout) + ": weights stand where they may");
}

// Drawn tokens, and the weights R of the loss. The dropout, if any, is the same in each forward.
struct Drawn {
  Sequences<double> X;
  Matrix<double> R;

  Drawn(std::size_t sequences, std::size_t width, const Layout& layout, Random& random)
      : X{normal_matrix<double>(sequences * layout.tokens, width, 1, random), layout, Random(9)},
        R(normal_matrix<double>(X.X.rows(), width, 1, random)) {}
};

// In both precisions from the same numbers, and in double against numbers.
template <class Wide, class Narrow>
static void attention(GradientTest& test, const std::string& name, Wide wide, Narrow narrow, Drawn drawn) {
  compare_model(test, name, wide, drawn.X, weighted_by(drawn.R));
  Sequences<float> narrow_X{{}, drawn.X.layout, drawn.X.dropout};
  Matrix<float> narrow_R;
  same_numbers(wide.tensors(), narrow.tensors());
  same_numbers({{"X", drawn.X.X}, {"R", drawn.R}}, {{"X", narrow_X.X}, {"R", narrow_R}});
  Gradients<Wide> expected = found_over_others(wide, drawn.X, weighted_by(drawn.R));
  Gradients<Narrow> found = found_over_others(narrow, narrow_X, weighted_by(narrow_R));
  compare_in_float(test, name, list_of(found), list_of(expected));
}

// Four sequences, five tokens, two heads of three: no two sizes alike. Any three of the four settings meet in every
// way.
static void attentions(GradientTest& test, Random& random) {
  for (const bool causal : {false, true})
    for (const bool hides : {false, true})
      for (const bool drops : {false, true}) {
        const bool biases = (causal != hides) != drops;
        const Layout layout{5, hides ? Hidden(some_hidden) : Hidden()};
        for (const Gate gate : all_gates) {
          const GatedForm form{gate, 6, 2, causal, biases, drops ? 0.3 : 0};
          GatedAttention<double> model(form);
          start(model.tensors(), random);
          const Drawn drawn(4, form.width, layout, random);
          weights_are_where_they_may_be(test, model, drawn.X);
          attention(test, name_of(form, layout), model, GatedAttention<float>(form), drawn);
          if (gate == Gate::standard)
            attention(test, "plain " + name_of(form, layout), model.plain, Attention<float>(form.plain()), drawn);
        }
      }
}

// ------------------------------------------------------------------------------- transformer and language model

// The residual stream that comes in is the X of this check.
static void transformer(GradientTest& test, const TransformerForm& form, const Layout& layout, Random& random) {
  const std::size_t n = 4 * layout.tokens;
  Transformer<double> model(form), grad(form);
  Tensors<double> tensors = model.tensors(), gradients = grad.tensors();
  start(tensors, random);
  fill_normal(gradients, random);
  auto X = normal_matrix<double>(n, form.width, 1, random), dX = normal_matrix<double>(n, form.width, 1, random);
  const auto R = normal_matrix<double>(n, form.width, 1, random);
  Transformer<double>::Trace t;
  Transformer<double>::Room room;
  Matrix<double> stream;
  const auto loss = [&] {
    Random drops(9);
    stream = X;
    model.forward(stream, layout, t, &drops);
    return dot(R, t.norm.Y);
  };
  loss();
  model.backward(layout, t, R, room, grad, dX);
  tensors.push_back({"X", X});
  gradients.push_back({"X", dX});
  compare(test, "transformer, " + name_of(form.attention(), layout), tensors, gradients, loss);
}

// Two sequences of four symbols of seven, of which some occur often and one never.
static constexpr std::uint32_t some_symbols[]{0, 3, 3, 6, 1, 0, 5, 3};
static constexpr std::size_t some_tokens = 4;

static std::string name_of(const LanguageForm& form) {
  return join("language model, ", form.transformer.layers, " layers, ", form.tied ? "tied, " : "",
              name_of(form.transformer.attention(), {some_tokens}));
}

// A context longer than the sequences, so that a place is never used.
static const Texts some_texts{some_symbols, some_tokens, Random(9)};

static void language_model(GradientTest& test, const LanguageForm& form, Random& random) {
  LanguageModel<double> model(form);
  start(model.tensors(), random);
  const auto R = normal_matrix<double>(std::size(some_symbols), form.vocab, 1, random);
  compare_model(test, name_of(form), model, some_texts, weighted_by(R));
}

static void language_model_in_float(GradientTest& test, const LanguageForm& form, Random& random) {
  LanguageModel<double> wide(form);
  LanguageModel<float> narrow(form);
  start(wide.tensors(), random);
  auto R = normal_matrix<double>(std::size(some_symbols), form.vocab, 1, random);
  Matrix<float> narrow_R;
  same_numbers(wide.tensors(), narrow.tensors());
  same_numbers({{"R", R}}, {{"R", narrow_R}});
  Gradients<LanguageModel<double>> expected = found_over_others(wide, some_texts, weighted_by(R));
  Gradients<LanguageModel<float>> found = found_over_others(narrow, some_texts, weighted_by(narrow_R));
  compare_in_float(test, name_of(form), list_of(found), list_of(expected));
}

// Two layers, two heads of three. Any two of tied, biases and dropout meet in every way. And five layers, so that no
// layer is the first, the last or beside one of them.
static void models(GradientTest& test, Random& random) {
  struct Settings {
    Gate gate;
    bool tied = false, biases = true;
    double dropout = 0;
  };
  for (const Settings& s : {Settings{.gate = Gate::standard, .dropout = 0.2},
                            {.gate = Gate::half, .tied = true, .biases = false, .dropout = 0.2},
                            {.gate = Gate::bma, .biases = false},
                            {.gate = Gate::attending, .tied = true},
                            {.gate = Gate::post, .tied = true, .dropout = 0.2}})
    for (const std::size_t layers : {2u, 5u}) {
      const LanguageForm form{7, 5, {s.gate, layers, 2, 6, true, s.biases, s.dropout}, s.tied};
      if (layers == 2 || s.gate == Gate::bma || s.gate == Gate::post) language_model(test, form, random);
      language_model_in_float(test, form, random);
    }
  transformer(test, {.gate = Gate::bma, .layers = 2, .heads = 2, .width = 4, .causal = false}, {5, some_hidden},
              random);
  transformer(test, {.gate = Gate::post, .layers = 1, .heads = 2, .width = 6, .biases = false, .dropout = 0.2},
              {5, some_hidden}, random);
}

// ------------------------------------------------------------------------------------------------------- the mask task

// Eight examples, two tokens, 16 numbers a token of which eight are read, four heads. The loss is the mean squared
// error, through which the training goes.
static void mask_task_gradients(GradientTest& test, Gate gate, Random& random) {
  mask_task::Batch<double> batch;
  mask_task::draw(8, random, batch);
  GatedAttention<double> wide = mask_task::layer<double>(gate, 4);
  GatedAttention<float> narrow = mask_task::layer<float>(gate, 4);
  start(wide.tensors(), random);
  mask_task::Batch<float> narrow_batch;
  same_numbers({{"X", batch.X.X}, {"target", batch.target}},
               {{"X", narrow_batch.X.X}, {"target", narrow_batch.target}});
  same_numbers(wide.tensors(), narrow.tensors());
  Pass<GatedAttention<double>> expected(wide);
  Pass<GatedAttention<float>> found(narrow);
  fill_normal(expected.g.d.tensors(), random);  // must be set, not added to
  fill_normal(found.g.d.tensors(), random);
  const auto loss_of = [](const auto& target) {
    return [&target](const auto& Y) { return mask_task::loss_of(Y, target); };
  };
  const double loss = expected.run(wide, batch.X, loss_of(batch.target));
  found.run(narrow, narrow_batch.X, loss_of(narrow_batch.target));
  const std::string name = std::string("mask task, ") + name_of(gate);
  GatedAttention<double>::Trace t;
  const auto loss_now = [&] {
    wide.forward(batch.X, t);
    return mask_task::loss_of(t.Y, batch.target).value;
  };
  test.check.near(loss, loss_now(), 0, name + ": the loss of a step");
  compare(test, name, wide.tensors(), expected.g.d.tensors(), loss_now);
  compare_in_float(test, name, found.g.d.tensors(), expected.g.d.tensors());
}

// --------------------------------------------------------------------------------------------------- training's shards

// What a step trains on, found once more: the windows of the batch, one below the other, from the trainer's random
// numbers.
struct WholeBatch {
  std::vector<std::uint32_t> inputs, targets;

  WholeBatch(Symbols text, std::size_t context, const RunSettings& settings, long step) {
    Random random(settings.seed, 1000 + std::uint64_t(step) * 5);
    for (std::size_t k = 0; k < settings.batch; ++k) {
      const Symbols window = text.subspan(std::size_t(random.below(text.size() - context)), context + 1);
      inputs.insert(inputs.end(), window.begin(), window.end() - 1);
      targets.insert(targets.end(), window.begin() + 1, window.end());
    }
  }

  // One forward, one backward.
  LanguageModel<double> gradients_of(const LanguageModel<double>& model) const {
    const auto loss = [&](const Matrix<double>& Y) { return softmax_cross_entropy<double>(Y, targets); };
    return gradients(model, Texts{inputs, model.form.context}, loss).d;
  }
};

// Seven windows of five symbols, in shards of two, two, two and one; several steps, so that what a shard keeps from a
// step before would show. The gradients that a trainer adds up and clips, in double to some roundings and in float to
// float_tolerance.
static void shards(GradientTest& test, Gate gate, double clip, Random& random) {
  const LanguageForm form{6, 5, {gate, 2, 2, 8}, gate == Gate::half};
  std::vector<std::uint32_t> text(100);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(form.vocab));
  RunSettings settings;
  settings.steps = 3;
  settings.batch = 7;
  settings.clip = clip;
  LanguageModel<double> wide(form);
  LanguageModel<float> narrow(form);
  start(wide.tensors(), random);
  Pool pool(2);
  LanguageTrainer<double> trainer(wide, text, settings, pool);
  LanguageTrainer<float> float_trainer(narrow, text, settings, pool);
  for (long step = 0; step < settings.steps; ++step) {
    same_numbers(wide.tensors(), narrow.tensors());  // after steps that differed by roundings
    LanguageModel<double> expected = WholeBatch(text, form.context, settings, step).gradients_of(wide);
    trainer.step();
    float_trainer.step();
    const std::string name = join("shards, ", name_of(gate), clip < 1 ? ", clipped" : "", ", step ", step);
    const Tensors<double> whole = expected.tensors();
    const double factor = clip_factor(whole, clip);
    test.check.that((factor < 0.9) == (clip < 1), name + ": clipped or not");
    for (const auto& [tensor_name, tensor] : whole) tensor = factor * tensor;
    for (std::size_t t = 0; t < whole.size(); ++t)
      test.check.near(max_abs_difference(trainer.gradients()[t].tensor, whole[t].tensor), 0, 1e-14,
                      name + ": d" + whole[t].name);
    test.in_float(name, without_key_bias(float_trainer.gradients()), without_key_bias(whole));
  }
}

// ------------------------------------------------------------------------------------------ the solutions of exercises

// Five tokens, three columns.
static void solutions(GradientTest& test, Random& random) {
  constexpr std::size_t n = 5, dh = 3;
  auto Q = normal_matrix<double>(n, dh, 1, random), K = normal_matrix<double>(n, dh, 1, random),
       V = normal_matrix<double>(n, dh, 1, random), Wg = normal_matrix<double>(dh, dh, 1, random),
       S = normal_matrix<double>(n, n, 1, random);
  const auto R = normal_matrix<double>(n, dh, 1, random), dA = normal_matrix<double>(n, n, 1, random);
  ex6_1::Gradients product = ex6_1::backward(Q, V, Wg, R);
  test.list(
      "solution 6.1", {{"Q", Q}, {"V", V}, {"Wg", Wg}}, {{"Q", product.dQ}, {"V", product.dV}, {"Wg", product.dWg}},
      [&] { return dot(R, ex6_1::mixed_values(Q, V, Wg)); }, Step::quadratic);

  Matrix<double> dS = ex6_2::squares_backward(S, dA);
  test.list("solution 6.2", {{"S", S}}, {{"S", dS}}, [&] {
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double squares = 0, weighted = 0;
      for (std::size_t k = 0; k < n; ++k) {
        squares += S(i, k) * S(i, k);
        weighted += dA(i, k) * S(i, k) * S(i, k);
      }
      loss += weighted / squares;
    }
    return loss;
  });

  const Matrix<double> A = causal_weights(Q, K);
  const Matrix<double> M = hadamard(map(matmul(Q, Wg), elementary::sigmoid<double>), V);
  const Matrix<double> from_scores = softmax_back(A, matmul(R, transpose(M)), scale_of_scores(Q));
  ex6_4::Gradients gated = ex6_4::backward({Q, K, V, Wg, A}, R, from_scores);
  test.list("solution 6.4", {{"Q", Q}, {"K", K}, {"V", V}, {"Wg", Wg}},
            {{"Q", gated.dQ}, {"K", gated.dK}, {"V", gated.dV}, {"Wg", gated.dWg}},
            [&] { return dot(R, gated_mixture(Q, K, V, Wg)); });

  auto gain = normal_matrix<double>(1, dh, 1, random);
  ex6_8::Gradients norm = ex6_8::backward(V, gain, R);
  test.list("solution 6.8", {{"X", V}, {"gain", gain}}, {{"X", norm.dX}, {"gain", norm.dgain}},
            [&] { return dot(R, ex6_8::forward(V, gain)); });
}

// ---------------------------------------------------------------------------------------------------------- by hand

// One head of width 1, two tokens x = 1, 2, causal; Wq = Wo = 1, Wk = ln 3/2, Wv = 40, Wg = ln 3. So q = 1, 2; the
// scores of token 1 are ln 3 and 2·ln 3, A = [1 0; 1/4 3/4], and the gates are σ(ln 3) = 3/4, σ(2·ln 3) = 9/10. V = 40,
// 80; dY = 1, 4.
//   bma: V~ = 30, 72; Y = 30, 7.5 + 54. dV~ = 1 + 1, 3; row 1 of dA = 120, 288, whose mean is 246; dS = -31.5, 31.5.
//     dQ = 0, 31.5·ln 3/2; dK = -63, 63; dV = 1.5, 2.7; dG = 80, 240; dZ = 80·3/16, 240·9/100 = 15, 21.6.
//   attending: C = 40, 70; Y = 30, 63. dC = 0.75, 3.6; row 1 of dA = 144, 288, mean 252; dS = -27, 27.
//     dQ = 0, 27·ln 3/2; dK = -54, 54; dV = 0.75 + 0.9, 2.7; dG = 40, 280; dZ = 7.5, 25.2.
// Then dQ += dZ·ln 3, and dX = dQ + dK·ln 3/2 + dV·40.
static void by_hand(GradientTest& test, Gate gate, const std::vector<std::vector<double>>& expected) {
  const double ln3 = std::log(3.0);
  GatedAttention<double> model({gate, 1, 1});
  model.plain.Wq = {{1}};
  model.plain.Wk = {{ln3 / 2}};
  model.plain.Wv = {{40}};
  model.plain.Wo = {{1}};
  model.Wg = {{ln3}};
  const Sequences<double> X{{{1}, {2}}, {2}};
  GatedAttention<double>::Trace t;
  model.forward(X, t);
  Gradients<GatedAttention<double>> g(model);
  model.backward(X, t, {{1}, {4}}, g);
  const Attention<double>& d = g.d.plain;
  const Matrix<double>* const found[] = {&t.Y, &d.Wq, &d.bq, &d.Wk, &d.bk, &d.Wv, &d.bv, &g.d.Wg, &d.Wo, &d.bo, &g.dX};
  const char* const names[] = {"Y", "dWq", "dbq", "dWk", "dbk", "dWv", "dbv", "dWg", "dWo", "dbo", "dX"};
  for (std::size_t k = 0; k < std::size(found); ++k)
    for (std::size_t i = 0; i < expected[k].size(); ++i)  // numbers up to 300, a few roundings each
      test.check.near(found[k]->values()[i], expected[k][i], 1e-12,
                      std::string("by hand, ") + name_of(gate) + ": " + names[k]);
}

static void by_hand(GradientTest& test) {
  const double ln3 = std::log(3.0);
  by_hand(test, Gate::bma,
          {{30, 61.5},
           {89.7 * ln3},
           {52.35 * ln3},
           {63},
           {0},
           {6.9},
           {4.2},
           {58.2},
           {276},
           {5},
           {60 - 16.5 * ln3, 108 + 68.85 * ln3}});
  by_hand(test, Gate::attending,
          {{30, 63},
           {84.9 * ln3},
           {46.2 * ln3},
           {54},
           {0},
           {7.05},
           {4.35},
           {57.9},
           {282},
           {5},
           {66 - 19.5 * ln3, 108 + 65.7 * ln3}});
}

// ----------------------------------------------------------------------------------------------------- further checks

static double relative_error(const Matrix<double>& wrong, const Matrix<double>& right) {
  const Matrix<double> difference = wrong - right;
  return std::sqrt(dot(difference, difference) / dot(right, right));
}

// In bma a query feeds the scores and the gate. Who forgets the gate's part, dQ += dZ·Wgᵀ, has half of dQ wrong and all
// else right: four heads of 16, 64 tokens and Wg of .3 give a relative error of .48 ± .03 over forty seeds; 4.5 of
// these .03 are allowed. Backward reads Wg for that part alone, so a copy of the model without Wg forgets it.
static void forgotten_path(GradientTest& test) {
  Random random(1);
  GatedAttention<double> model({.gate = Gate::bma, .width = 64, .heads = 4, .biases = false});
  start(model.tensors(), random);
  model.Wg = normal_matrix<double>(64, 16, 0.3, random);
  const Sequences<double> X{normal_matrix<double>(64, 64, 1, random), {64}};
  const auto dY = normal_matrix<double>(64, 64, 1, random);
  GatedAttention<double>::Trace t;
  model.forward(X, t);
  GatedAttention<double> forgetful = model;
  forgetful.Wg = Matrix<double>(64, 16);
  Gradients<GatedAttention<double>> right(model), wrong(model);
  model.backward(X, t, dY, right);
  forgetful.backward(X, t, dY, wrong);
  test.check.that(wrong.room.dK == right.room.dK && wrong.room.dV == right.room.dV && wrong.d.Wg == right.d.Wg,
                  "without the gate's part of dQ: dK, dV, dWg are right");
  test.check.near(relative_error(wrong.room.dQ, right.room.dQ), 0.48, 4.5 * 0.03,
                  "without the gate's part of dQ: the relative error of dQ");
}

// What is not listed is not trained.
static void what_is_listed(GradientTest& test) {
  const auto names = [](auto model) {
    std::string all;
    for (const auto& [name, tensor] : model.tensors()) all += name + " ";
    return all;
  };
  const auto of_attention = [&](Gate gate, bool biases) {
    return names(GatedAttention<double>({.gate = gate, .width = 4, .heads = 2, .biases = biases}));
  };
  for (const Gate gate : {Gate::standard, Gate::half}) {
    test.check.that(of_attention(gate, true) == "Wq bq Wk bk Wv bv Wo bo ", "standard and half list the same");
    test.check.that(of_attention(gate, false) == "Wq Wk Wv Wo ", "without biases none");
  }
  for (const Gate gate : {Gate::bma, Gate::attending})
    test.check.that(of_attention(gate, true) == "Wq bq Wk bk Wv bv Wg Wo bo ", "the gates of queries have no bias");
  test.check.that(of_attention(Gate::post, true) == "Wq bq Wk bk Wv bv Wp bp Wo bo ", "post has one");
  test.check.that(of_attention(Gate::post, false) == "Wq Wk Wv Wp Wo ", "post without biases");
  const std::string block =
      "blocks.0.norm1.weight blocks.0.norm1.bias blocks.0.attn.Wq blocks.0.attn.bq blocks.0.attn.Wk blocks.0.attn.bk "
      "blocks.0.attn.Wv blocks.0.attn.bv blocks.0.attn.Wo blocks.0.attn.bo blocks.0.norm2.weight blocks.0.norm2.bias "
      "blocks.0.mlp.W1 blocks.0.mlp.b1 blocks.0.mlp.W2 blocks.0.mlp.b2 ";
  const TransformerForm one{Gate::standard, 1, 2, 4};
  const TransformerForm none{.gate = Gate::standard, .layers = 0, .heads = 2, .width = 4, .biases = false};
  test.check.that(
      names(LanguageModel<double>({5, 3, one})) == "tok pos " + block + "norm.weight norm.bias head.W head.b ",
      "a language model lists all in forward order");
  test.check.that(names(LanguageModel<double>({.vocab = 5, .context = 3, .transformer = one, .tied = true})) ==
                      "tok pos " + block + "norm.weight norm.bias ",
                  "a tied head has nothing of its own");
  test.check.that(names(LanguageModel<double>({5, 3, none})) == "tok pos norm.weight head.W ",
                  "without layers and biases");
}

int main(int argc, char** argv) {
  GradientTest test(argc, argv);
  Random random(6);
  layers(test, random);
  attentions(test, random);
  models(test, random);
  vision_gradients(test);
  for (const Gate gate : all_gates) {
    mask_task_gradients(test, gate, random);
    for (const double clip : {1e9, 0.1}) shards(test, gate, clip, random);
  }
  solutions(test, random);
  by_hand(test);
  forgotten_path(test);
  what_is_listed(test);
  return test.done("test_lesson6_gradients");
}
