// What attention has to do: two tasks for one layer, predicting unseen text, writing.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/gradcheck.hpp"
#include "common/model_losses.hpp"
#include "lessons/6_bma/vision.hpp"

namespace lesson6 {

// ----------------------------------------------------------------------------- tasks for one layer

// Sequences, and targets for the first eight outputs at some rows.
template <class T>
struct Task {
  using Number = T;
  static constexpr std::size_t features = 8;

  Sequences<T> X;
  std::vector<std::size_t> asked;  // rows of X
  Matrix<T> target;                // a row for each

  Matrix<T> answer(const Matrix<T>& Y) const {
    Matrix<T> rows(asked.size(), features);
    for (std::size_t i = 0; i < asked.size(); ++i)
      std::copy_n(Y.row(asked[i]).begin(), features, rows.row(i).begin());
    return rows;
  }

  // Mean squared error there; other outputs have the gradient 0.
  Loss<T> loss(const Matrix<T>& Y) const {
    Loss<T> loss = mean_squared_error(answer(Y), target);
    Matrix<T> dY(Y.rows(), Y.cols());
    for (std::size_t i = 0; i < asked.size(); ++i)
      std::copy_n(loss.gradient.row(i).begin(), features,
                  dY.row(asked[i]).begin());  // in the shape of Y   back
    loss.gradient = std::move(dY);            // in the shape of Y   back
    return loss;
  }
};

// Has two tokens, a content c and a mask κ, and asks for κ ⊙ c at the second.
template <class T>
struct MaskTask : Task<T> {
  using Task<T>::features, Task<T>::X, Task<T>::asked, Task<T>::target;
  static constexpr std::size_t width = 2 * features;

  // Draws n pairs of rows (c, 0) and (0, 2κ - 1): c ~ N(0, I), κ 0 or 1 at even odds.
  void draw(std::size_t n, Random& random) {
    X = {Matrix<T>(2 * n, width), 2};
    target = Matrix<T>(n, features);
    asked.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t mask = random.bits() >> 32;
      for (std::size_t f = 0; f < features; ++f) {
        const T c = T(random.normal()), k = T(mask >> f & 1);
        X.X.row(2 * i)[f] = c;
        X.X.row(2 * i + 1)[features + f] = 2 * k - 1;
        target.row(i)[f] = k * c;
      }
      asked.push_back(2 * i + 1);
    }
  }

  // Standard attention, a head for each feature: at the second token head f scores 0 for the first
  // and -strength·(2κ[f] - 1) for itself, so its weight on the first is σ(strength·(2κ[f] - 1)).
  static Attention<T> by_hand(T strength) {
    Attention<T> a({.width = width, .heads = features});
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t column = f * a.form.head_width();
      const T root = std::sqrt(T(a.form.head_width()));
      a.bq(0, column) = -strength * root;  // the query is the same for all tokens
      a.Wk(features + f, column) = 1;      // the key is the mask
      a.Wv(f, column) = 1;                 // the value is the content
      a.Wo(column, f) = 1;
    }
    return a;
  }
};

// The mask task turned round: each of eight tokens brings a content and its own mask, and the last
// is to return the mean of all κ ⊙ c.
template <class T>
struct MirrorTask : Task<T> {
  using Task<T>::features, Task<T>::X, Task<T>::asked, Task<T>::target;
  static constexpr std::size_t width = 2 * features, tokens = 8;

  // Draws n sequences of rows (c, 2κ - 1): c ~ N(0, I), κ 0 or 1 at even odds.
  void draw(std::size_t n, Random& random) {
    X = {Matrix<T>(n * tokens, width), tokens};
    target = Matrix<T>(n, features);
    asked.clear();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t row = i * tokens; row < (i + 1) * tokens; ++row) {
        const std::uint64_t mask = random.bits() >> 32;
        for (std::size_t f = 0; f < features; ++f) {
          const T c = T(random.normal()), k = T(mask >> f & 1);
          X.X.row(row)[f] = c;
          X.X.row(row)[features + f] = 2 * k - 1;
          target.row(i)[f] += k * c / T(tokens);
        }
      }
      asked.push_back((i + 1) * tokens - 1);
    }
  }
};

// Triggers are to return the mean of the contents so far, others nothing. A marked first token has
// no content and no target.
template <class T>
struct SilenceTask : Task<T> {
  using Task<T>::features, Task<T>::X, Task<T>::asked, Task<T>::target;
  static constexpr std::size_t width = features + 2;  // content, trigger, mark
  std::size_t contents = 16;
  bool marked = false;
  double triggers = 0.25;  // their share

  bool is_trigger(std::size_t row) const { return X.X.row(row)[features] > 0; }

  void draw(std::size_t n, Random& random) {
    const std::size_t tokens = contents + marked;
    X = {Matrix<T>(n * tokens, width), tokens};
    target = Matrix<T>(n * contents, features);
    asked.clear();
    for (std::size_t s = 0; s < n; ++s) {
      std::array<T, features> sum{};
      if (marked) X.X.row(s * tokens)[features + 1] = 1;
      for (std::size_t i = 0; i < contents; ++i) {
        const std::size_t row = s * tokens + marked + i;
        const T trigger = T(random.uniform() < triggers);
        for (std::size_t f = 0; f < features; ++f) {
          const T content = T(random.normal());
          X.X.row(row)[f] = content;
          sum[f] += content;
          target.row(asked.size())[f] = trigger * sum[f] / T(i + 1);
        }
        X.X.row(row)[features] = 2 * trigger - 1;
        asked.push_back(row);
      }
    }
  }
};

// Draws weights N(0, 1/fan-in), then those of gates, N(0, gates²). Without biases standard and half
// would turn -X into -Y; of the target κ ⊙ c = c/2 + (κ - 1/2) ⊙ c only c/2 changes its sign with c
// and 2κ - 1, so their R² could not exceed 1/2.
template <class T>
Attention<T> fresh(const AttentionForm& form, double gates, Random& random) {
  Attention<T> a(form);
  for (Matrix<T>* W : {&a.Wq, &a.Wk, &a.Wv, &a.Wo})
    *W = normal_matrix<T>(form.width, form.width, 1 / std::sqrt(double(form.width)), random);
  for (Matrix<T>* W : {&a.Wg, &a.Wp}) *W = normal_matrix<T>(W->rows(), W->cols(), gates, random);
  return a;
}

// 1 - (mean squared error)/(mean square of the targets, whose mean is 0).
template <class Asked, class Layer>
double r_squared(Asked task, const Layer& layer, std::size_t examples, Random random) {
  typename Layer::Trace t;
  double error = 0, square = 0;
  for (std::size_t done = 0; done < examples; done += 500) {
    task.draw(std::min<std::size_t>(500, examples - done), random);
    layer.forward(task.X, t);
    error += mean_squared_error(task.answer(t.Y), task.target).value * double(task.target.rows());
    square += mean_square(task.target) * double(task.target.rows());
  }
  return 1 - error / square;
}

// Leaves out decay and clipping.
inline RunSettings task_run() {
  return {.steps = 600,
          .batch = 32,
          .rate = .03,
          .last_rate = 0,
          .warm_up = 0,
          .decay = 0,
          .clip = HUGE_VAL,
          .square = .999};
}

template <class Asked, class Layer>
void train_task(Asked task, Layer& layer, const RunSettings& settings, Random examples,
                const Watch& watch = {}) {
  AdamW<typename Asked::Number> adam(settings.adam());
  Pass<Layer> pass(layer);
  const auto loss_of = [&](const auto& Y) { return task.loss(Y); };
  const auto run = [&](long) {
    task.draw(settings.batch, examples);
    return pass.run(layer, task.X, loss_of);
  };
  train(layer, pass, adam, settings.schedule(), HUGE_VAL, run, watch);
}

// Trains on one stream of the seed, and returns R² on examples of the next, which taught nothing.
template <class Asked, class Layer>
double learn_and_judge(const Asked& task, Layer& layer, const RunSettings& settings,
                       std::size_t examples, std::uint64_t seed, std::uint64_t stream) {
  train_task(task, layer, settings, Random(seed, stream));
  return r_squared(task, layer, examples, Random(seed, stream + 1));
}

// ------------------------------------------------------------------ a text that was not trained on

// Returns the mean cross-entropy in nats of `count` symbols from `first` on, which a whole context
// must precede. The last `each` symbols of each window count, and windows overlap by the rest; with
// 0 all count, in adjacent windows, as in most papers.
template <class T>
double mean_loss(const LanguageModel<T>& model, Symbols text, std::size_t first, std::size_t count,
                 Pool& pool, std::size_t each = 0) {
  if (each == 0) each = model.form.context;
  constexpr std::size_t together = 8;  // windows in one forward
  // Sums over windows that count for `scored` symbols each, the first from `start` on.
  const auto sum_of_losses = [&](std::size_t start, std::size_t windows, std::size_t scored) {
    const std::size_t before = model.form.context - each, length = before + scored;
    std::vector<std::uint32_t> inputs;
    for (std::size_t k = 0; k < windows; ++k) {
      const Symbols window = text.subspan(start + k * each - before - 1, length);
      inputs.insert(inputs.end(), window.begin(), window.end());
    }
    typename LanguageModel<T>::Trace t;
    model.forward({inputs, length}, t);
    double sum = 0;
    for (std::size_t k = 0; k < windows; ++k)
      for (std::size_t i = 0; i < scored; ++i) {
        const std::span<T> logits = t.Y.row(k * length + before + i);
        const double target = double(logits[text[start + k * each + i]]);
        sum += softmax(logits).log_sum() - target;
      }
    return sum;
  };
  const std::size_t whole = count / each, rest = count % each;
  std::vector<double> sums((whole + together - 1) / together);
  pool.run(sums.size(), [&](std::size_t k) {
    const std::size_t begin = k * together;
    sums[k] = sum_of_losses(first + begin * each, std::min(together, whole - begin), each);
  });
  double sum = rest > 0 ? sum_of_losses(first + whole * each, 1, rest) : 0;
  for (const double s : sums) sum += s;
  return sum / double(count);
}

// ----------------------------------------------------------------------------------------- writing

// Keeps keys and mixed values, so a gate on its own token's value is applied only once.
template <class T>
class Writer {
 public:
  // The model must outlive the writer.
  explicit Writer(const LanguageModel<T>& model) : model_(model), caches_(model.blocks.size()) {
    for (Cache& cache : caches_)
      cache.K = cache.Vg = Matrix<T>(model.form.context, model.form.transformer.width);
  }

  // Takes in a symbol, returns the next one's logits, 1 x vocab. Of a full context the last half is
  // computed anew, since every place changes.
  const Matrix<T>& next(std::uint32_t symbol) {
    if (seen_.size() == model_.form.context) {
      const std::vector<std::uint32_t> kept(seen_.end() - std::ptrdiff_t(seen_.size() / 2),
                                            seen_.end());
      seen_.clear();
      for (const std::uint32_t old : kept) take_in(old);
    }
    take_in(symbol);
    return trace_.Y;
  }

  // Returns how many numbers the caches hold.
  std::size_t kept() const { return caches_.size() * (caches_[0].K.size() + caches_[0].Vg.size()); }

 private:
  // Of one block, context x width.
  struct Cache {
    Matrix<T> K, Vg;
  };

  void take_in(std::uint32_t symbol) {
    const std::size_t place = seen_.size();
    seen_.push_back(symbol);
    trace_.blocks.resize(1);
    auto& t = trace_.blocks[0];
    model_.embed({{&symbol, 1}, 1}, trace_.X, place);  // 1 x width   (6.14)
    for (std::size_t b = 0; b < caches_.size(); ++b) {
      const Block<T>& block = model_.blocks[b];
      block.norm1.forward(trace_.X, t.norm1);
      attend(block.attention, t.norm1.Y, caches_[b], place, t.attention);
      trace_.X += t.attention.Y;  // 1 x width   (6.13)
      block.norm2.forward(trace_.X, t.norm2);
      block.feed_forward.forward(t.norm2.Y, t.feed_forward);
      trace_.X += t.feed_forward.Y;  // 1 x width   (6.13)
    }
    model_.norm.forward(trace_.X, trace_.norm);
    model_.read_out(trace_.norm.Y, trace_.Y);  // 1 x vocab   (6.15)
  }

  void attend(const Attention<T>& attention, const Matrix<T>& X, Cache& cache, std::size_t place,
              typename Attention<T>::Trace& t) {
    attention.prepare(X, t);
    const std::span<const T> key = t.K.values(), value = attention.mixed(t).values();
    std::copy(key.begin(), key.end(), cache.K.row(place).begin());
    std::copy(value.begin(), value.end(), cache.Vg.row(place).begin());
    const std::size_t width = attention.form.head_width(), length = place + 1;
    resize(t.A, 1, model_.form.context);
    resize(t.M, 1, X.cols());
    const View<T> A = column_block(t.A, 0, length);
    for (std::size_t h = 0; h < attention.form.heads; ++h) {
      const auto kept = [&](auto& rows) {
        return column_block(row_block(rows, 0, length), h * width, width);
      };
      matmul_into(A, column_block(t.Q, h * width, width),
                  transpose(kept(cache.K)));                                // 1 x length   (6.2)
      attention.weigh(t.A.row(0).first(length), place);                     // 1 x length   (6.3)
      matmul_into(column_block(t.M, h * width, width), A, kept(cache.Vg));  // 1 x m       (6.4)
    }
    attention.read_out(t);
  }

  const LanguageModel<T>& model_;
  std::vector<Cache> caches_;
  std::vector<std::uint32_t> seen_;  // the context's symbols
  typename LanguageModel<T>::Trace trace_;
};

// Continues the prompt by `count` symbols, drawn from the logits over the temperature. An empty
// prompt starts after symbol 0.
template <class T>
std::vector<std::uint32_t> write(const LanguageModel<T>& model, std::vector<std::uint32_t> prompt,
                                 std::size_t count, double temperature, Random& random) {
  Writer<T> writer(model);
  if (prompt.empty()) prompt.push_back(0);
  for (std::size_t i = 0; i + 1 < prompt.size(); ++i) writer.next(prompt[i]);
  std::vector<std::uint32_t> text;
  std::uint32_t last = prompt.back();
  Matrix<T> distribution;
  while (text.size() < count) {
    scale(T(1 / temperature), writer.next(last), distribution);
    softmax(distribution.row(0));
    last = std::uint32_t(random.pick(std::span<const T>(distribution.row(0))));
    text.push_back(last);
  }
  return text;
}

// ----------------------------------------------------------------------------- small ones, to test

// Two sequences of five tokens, width 6, two heads; the loss is Σ R ⊙ Y.
struct SmallCase {
  static constexpr std::size_t tokens = 5, sequences = 2, width = 6, heads = 2;

  Attention<double> layer;
  Sequences<double> X;
  weighted_sum loss;

  // Draws N(0, .6²), so that nothing saturates. The form needs no sizes.
  SmallCase(const AttentionForm& form, std::uint64_t seed) : layer(with_sizes(form)) {
    Random random(seed);
    X = {normal_matrix<double>(sequences * tokens, width, 1, random), tokens,
         Random(seed_of_run(seed, 1))};
    loss = {normal_matrix<double>(sequences * tokens, width, 1, random)};
    fill_normal(layer.tensors(), random, 0.6);
  }

  static AttentionForm with_sizes(AttentionForm form) {
    form.width = width;
    form.heads = heads;
    return form;
  }
};

// README.md's example: scores 2·ln 3 and 4·ln 3, weights 1/10 and 9/10.
inline Attention<double> layer_by_hand(Gate gate) {
  Attention<double> a({.gate = gate, .width = 1, .biases = Biases::without});
  a.Wq(0, 0) = 1;
  a.Wo(0, 0) = 1;
  a.Wk(0, 0) = std::log(3.0);
  a.Wv(0, 0) = 2;
  for (double& w : a.Wg.values()) w = std::log(3.0);
  return a;
}
inline Sequences<double> tokens_by_hand() { return {{{1}, {2}}, 2}; }

// Two blocks of a SmallCase's sizes; the context is longer than a SmallModel's sequences.
inline LanguageForm small_form(const AttentionForm& attention) {
  constexpr std::size_t layers = 2;
  return {.vocab = 7, .context = 5, .transformer = {SmallCase::with_sizes(attention), layers}};
}

struct SmallModel {
  static constexpr std::size_t sequences = 3;

  LanguageModel<double> model;
  std::vector<std::uint32_t> inputs;
  cross_entropy loss;
  std::size_t tokens;

  // Draws weights N(0, 1/fan-in), and gains, shifts and biases off 1 and 0, which would hide terms.
  SmallModel(const LanguageForm& form, std::uint64_t seed, std::size_t length = 4)
      : model(form), tokens(length) {
    Random random(seed, 3);
    for (const auto& [name, tensor] : model.tensors()) {
      double deviation = tensor.rows() == 1 ? 0.2 : 1 / std::sqrt(double(tensor.rows()));
      if (name == "tok" || name == "pos") deviation = 1;
      tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), deviation, random);
      if (name.ends_with(".weight"))
        for (double& gain : tensor.values()) gain += 1;
    }
    for (std::size_t i = 0; i < sequences * tokens; ++i) {
      inputs.push_back(std::uint32_t(random.below(form.vocab)));
      loss.labels.push_back(std::uint32_t(random.below(form.vocab)));
    }
  }
  Texts texts() const { return {inputs, tokens, Random(9)}; }
};

// The gradients of keys' biases are 0 in theory, so a relative error says nothing.
inline GradientReport without_key_biases(GradientReport report) {
  std::erase_if(report.rows, [](const GradientRow& row) { return row.name.ends_with("bk"); });
  return report;
}

// Returns how far a gradient whose largest entry is wrong by a hundred-thousandth stands off: what
// a tolerance must still notice.
inline double slightly_wrong() {
  const SmallCase c({.gate = Gate::bma}, 4);
  Attention<double> layer = c.layer;
  Attention<double> wrong = gradients(layer, c.X, c.loss).parameters;
  double& largest = *std::ranges::max_element(
      wrong.Wg.values(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  largest *= 1 + 1e-5;
  const auto loss = [&] { return c.loss(output(layer, c.X)).value; };
  return without_key_biases(check_gradients(layer.tensors(), wrong.tensors(), loss)).worst();
}

// -------------------------------------------------------------------------- the list of all models

template <class Visitor>
void visit_attention(Visitor& visitor, std::uint64_t seed) {
  for (const Gate gate : all_gates) {
    const auto add = [&](const char* with, const AttentionForm& form) {
      const SmallCase c(form, seed);
      visitor.test_only(std::string(name_of(gate)) + with, c.layer, c.X, c.loss);
    };
    add("", {.gate = gate});
    add(", no biases, dropout", {.gate = gate, .biases = Biases::without, .dropout = 0.3});
  }
}

template <class Visitor>
void visit_language_models(Visitor& visitor, std::uint64_t seed) {
  const SmallModel own(small_form({.gate = Gate::bma}), seed);
  visitor.test_only("language model, bma", own.model, own.texts(), own.loss);
  for (const Gate gate : all_gates) {
    LanguageForm form = small_form({.gate = gate, .biases = Biases::without, .dropout = 0.2});
    form.tied = true;
    const SmallModel tied(form, seed);
    visitor.test_only(
        std::string("language model, ") + name_of(gate) + ", tied, no biases, dropout", tied.model,
        tied.texts(), tied.loss);
  }
  for (const Inside inside : {Inside::swish, Inside::product, Inside::swiglu}) {
    LanguageForm form = small_form({.gate = Gate::half});
    form.transformer.inside = inside;
    const SmallModel other(form, seed);
    visitor.test_only(std::string("language model, half, ") + bend_of(inside).name, other.model,
                      other.texts(), other.loss);
  }
}

template <class Visitor>
void visit_models(Visitor& visitor) {
  for (const Gate gate : all_gates) {
    const SmallCase c({.gate = gate}, 5);
    visitor.add(name_of(gate), c.layer, c.X, c.loss);
  }
  visit_attention(visitor, 1);
  visit_language_models(visitor, 1);
  const SmallVision mean(Gate::half, 6), shown(Gate::bma, 1);
  visitor.test_only("vision, mean", mean.model, mean.X, mean.loss);
  visitor.add("vision", shown.model, shown.X, shown.loss);
  Random random(5);
  MaskTask<double> task;
  task.draw(6, random);
  visitor.test_only(
      "mask task", fresh<double>({.gate = Gate::bma, .width = task.width, .heads = 4}, 0.5, random),
      task.X, [&]<class T>(const Matrix<T>& Y) {
        return Task<T>{{}, task.asked, Matrix<T>(task.target.view())}.loss(Y);
      });
}

extern template double mean_loss(const LanguageModel<float>&, Symbols, std::size_t, std::size_t,
                                 Pool&, std::size_t);
extern template void train_task(MaskTask<float>, Attention<float>&, const RunSettings&, Random,
                                const Watch&);
extern template void train_task(SilenceTask<float>, Attention<float>&, const RunSettings&, Random,
                                const Watch&);
extern template void train_task(MirrorTask<float>, Attention<float>&, const RunSettings&, Random,
                                const Watch&);
extern template class Writer<float>;

}  // namespace lesson6
