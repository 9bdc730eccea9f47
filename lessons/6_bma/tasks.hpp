// Lesson 6, the models: what attention is asked to do beside learning a text. Two tasks for one
// layer (parts 3 and 7), a text that it has not seen (part 5), writing symbol by symbol (part 8).
// Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/gradcheck.hpp"
#include "common/model_losses.hpp"
#include "lessons/6_bma/vision.hpp"

namespace lesson6 {

// ----------------------------------------------------------------------------- tasks for one layer

// Sequences, and what a layer is to say of them: at some rows the first eight numbers of its
// output.
template <class T>
struct Task {
  using Number = T;
  static constexpr std::size_t features = 8;

  Sequences<T> X;
  std::vector<std::size_t> asked;  // rows of X
  Matrix<T> target;                // one row for each

  // Returns what the layer says there, in the shape of the target.
  Matrix<T> answer(const Matrix<T>& Y) const {
    Matrix<T> said(asked.size(), features);
    for (std::size_t i = 0; i < asked.size(); ++i)
      std::copy_n(Y.row(asked[i]).begin(), features, said.row(i).begin());
    return said;
  }

  // Returns the mean squared error of that; all other outputs have the gradient 0.
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

// Two tokens: the first holds a content c, the second a mask κ; at the second, κ ⊙ c is asked for.
template <class T>
struct MaskTask : Task<T> {
  using Task<T>::features, Task<T>::X, Task<T>::asked, Task<T>::target;
  static constexpr std::size_t width = 2 * features;

  // Draws n examples, rows 2i = (c, 0) and 2i + 1 = (0, 2κ - 1): c ~ N(0, I), each entry of κ 0 or
  // 1 with probability 1/2.
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

  // Returns standard attention that solves the task with one head for each feature, set by hand: at
  // the second token the scores of head f are 0 for the first and -strength·(2κ[f] - 1) for itself,
  // so its weight on the first is σ(strength·(2κ[f] - 1)).
  static Attention<T> by_hand(T strength) {
    Attention<T> a({Gate::standard, width, features});
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t column = f * a.form.head_width();
      a.bq(0, column) =
          -strength * std::sqrt(T(a.form.head_width()));  // the query is the same for all tokens
      a.Wk(features + f, column) = 1;                     // the key is the mask
      a.Wv(f, column) = a.Wo(column, f) = 1;              // the value is the content
    }
    return a;
  }
};

// Each token has a content and is a trigger or not. A trigger shall say the mean of the contents up
// to its own, all others nothing. Where there is a mark, a first token without content bears it, of
// which nothing is asked.
template <class T>
struct SilenceTask : Task<T> {
  using Task<T>::features, Task<T>::X, Task<T>::asked, Task<T>::target;
  static constexpr std::size_t width = features + 2;  // content, trigger, mark
  std::size_t contents = 16;
  bool marked = false;
  double triggers = 0.25;  // their share

  bool is_trigger(std::size_t row) const { return X.X.row(row)[features] > 0; }

  // Draws n sequences of `contents` tokens; contents are N(0, I).
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
          sum[f] += X.X.row(row)[f] = T(random.normal());
          target.row(asked.size())[f] = trigger * sum[f] / T(i + 1);
        }
        X.X.row(row)[features] = 2 * trigger - 1;
        asked.push_back(row);
      }
    }
  }
};

// Returns a causal attention layer with its output product and nothing else, as its training
// starts: weights normal with standard deviation 1/√fan-in, gates `gates`, and last; biases 0. It
// has biases: without them standard and half give -Y for -X, and of the target κ ⊙ c = c/2 + (κ -
// 1/2) ⊙ c only the first part turns its sign when c and 2κ - 1 do, so that R² = 1/2 would be their
// ceiling.
template <class T>
Attention<T> fresh(const AttentionForm& form, double gates, Random& random) {
  Attention<T> a(form);
  for (Matrix<T>* W : {&a.Wq, &a.Wk, &a.Wv, &a.Wo})
    *W = normal_matrix<T>(form.width, form.width, 1 / std::sqrt(double(form.width)), random);
  for (Matrix<T>* W : {&a.Wg, &a.Wp}) *W = normal_matrix<T>(W->rows(), W->cols(), gates, random);
  return a;
}

// Returns 1 - (mean squared error)/(mean square of the targets, whose mean is 0) on fresh examples
// of the task.
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

// Half a cosine takes the rate from its peak to 0; nothing decays, nothing is clipped.
inline RunSettings task_run() {
  RunSettings run{.steps = 600,
                  .batch = 32,
                  .rate = .03,
                  .last_rate = 0,
                  .warm_up = 0,
                  .decay = 0,
                  .square = .999};
  run.clip = HUGE_VAL;
  return run;
}

// Trains a layer in place; watch(step, loss) looks on before each step.
using Watch = std::function<void(long, double)>;
template <class Asked, class Layer>
void train_task(
    Asked task, Layer& layer, const RunSettings& settings, Random examples,
    const Watch& watch = [](long, double) {}) {
  AdamW<typename Asked::Number> adam(settings.adam());
  train(
      layer, adam, settings.schedule(), HUGE_VAL,
      [&](long, auto& pass) {
        task.draw(settings.batch, examples);
        return pass.run(layer, task.X, [&](const auto& Y) { return task.loss(Y); });
      },
      watch);
}

// ------------------------------------------------------------------------ a text that was not
// trained on

// Returns the mean cross-entropy in nats of the symbols first .. first + count - 1, before which as
// many as the context must stand. Of each window the last `each` symbols count, and the windows
// overlap by the rest; 0: all count, and the windows stand side by side, as most papers measure:
// then the first symbol of each is predicted from a single one.
template <class T>
double mean_loss(const LanguageModel<T>& model, Symbols text, std::size_t first, std::size_t count,
                 Pool& pool, std::size_t each = 0) {
  if (each == 0) each = model.form.context;
  constexpr std::size_t together = 8;  // windows in one forward
  // The sum of the losses of `windows` windows, of which the first counts from symbol `start` on,
  // and each for `scored`.
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
        sum += softmax(logits) - target;
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

// Writes with a model one symbol at a time. What earlier symbols need to give to later ones, their
// keys and the values that are mixed, is kept: a gate of the value's own token is applied once and
// never again.
template <class T>
class Writer {
 public:
  // The model must outlive the writer.
  explicit Writer(const LanguageModel<T>& model) : model_(model), caches_(model.blocks.size()) {
    for (Cache& cache : caches_)
      cache.K = cache.Vg = Matrix<T>(model.form.context, model.form.transformer.width);
  }

  // Takes in one more symbol. Returns the logits of the next one, 1 x vocab. When the context is
  // full, its last half is kept and computed anew, since every symbol then stands at another place.
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

 private:
  // Of one block, context x width: a row for each symbol so far.
  struct Cache {
    Matrix<T> K, Vg;
  };

  void take_in(std::uint32_t symbol) {
    const std::size_t place = seen_.size();
    seen_.push_back(symbol);
    trace_.blocks.resize(1);
    auto& t = trace_.blocks[0];
    model_.embed({{&symbol, 1}, 1}, trace_.X, place);  // 1 x width   (6.15)
    for (std::size_t b = 0; b < caches_.size(); ++b) {
      const Block<T>& block = model_.blocks[b];
      block.norm1.forward(trace_.X, t.norm1);
      attend(block.attention, t.norm1.Y, caches_[b], place, t.attention);
      trace_.X += t.attention.Y;  // 1 x width   (6.14)
      block.norm2.forward(trace_.X, t.norm2);
      block.feed_forward.forward(t.norm2.Y, t.feed_forward);
      trace_.X += t.feed_forward.Y;  // 1 x width   (6.14)
    }
    model_.norm.forward(trace_.X, trace_.norm);
    model_.read_out(trace_.norm.Y, trace_.Y);  // 1 x vocab   (6.16)
  }

  // The attention of one row over all that is kept and itself.
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
  std::vector<std::uint32_t> seen_;  // what the context holds
  typename LanguageModel<T>::Trace trace_;
};

// Returns `count` symbols that continue the prompt, drawn from the model's distribution with the
// logits divided by the temperature. An empty prompt starts after symbol 0.
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

// ------------------------------------------------------------------------ small ones, to look at
// closely

// Attention on two sequences of five tokens, width 6, two heads; the loss is Σ R ⊙ Y.
struct SmallCase {
  static constexpr std::size_t tokens = 5, sequences = 2, width = 6, heads = 2;

  Attention<double> layer;
  Sequences<double> X;
  weighted_sum loss;

  // Draws weights with standard deviation .6, so that no gate and no weight is near its end. The
  // form needs no sizes.
  SmallCase(AttentionForm form, std::uint64_t seed)
      : layer({form.gate, width, heads, form.biases, form.dropout, form.causal}) {
    Random random(seed);
    X = {normal_matrix<double>(sequences * tokens, width, 1, random), tokens,
         Random(seed_of_run(seed, 1))};
    loss = {normal_matrix<double>(sequences * tokens, width, 1, random)};
    fill_normal(layer.tensors(), random, 0.6);
  }
};

// The example of README.md: width 1, one head, causal. Its tokens are 1 and 2; scores 2·ln 3 and
// 4·ln 3 make weights of 1/10 and 9/10.
inline Attention<double> layer_by_hand(Gate gate) {
  Attention<double> a({.gate = gate, .width = 1, .biases = false});
  a.Wq(0, 0) = a.Wo(0, 0) = 1;
  a.Wk(0, 0) = std::log(3.0);
  a.Wv(0, 0) = 2;
  for (double& w : a.Wg.values()) w = std::log(3.0);
  return a;
}
inline Sequences<double> tokens_by_hand() { return {{{1}, {2}}, 2}; }

// A language model of small sizes, and a batch of it.
struct SmallModel {
  LanguageModel<double> model;
  std::vector<std::uint32_t> inputs;
  cross_entropy loss;
  std::size_t tokens;

  // Draws all weights with standard deviation 1/√fan-in; gains, shifts and biases lie off 1 and 0,
  // where terms would hide.
  SmallModel(const LanguageForm& form, std::size_t sequences, std::size_t length,
             std::uint64_t seed)
      : model(form), tokens(length) {
    Random random(seed, 3);
    for (const auto& [name, tensor] : model.tensors()) {
      const bool row = tensor.rows() == 1, embeds = name == "tok" || name == "pos";
      const double deviation = embeds ? 1 : row ? 0.2 : 1 / std::sqrt(double(tensor.rows()));
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

// Takes the rows of the keys' biases out of a report: their gradients are zero in theory, and so
// are both sides of a relative error.
inline GradientReport without_key_biases(GradientReport report) {
  std::erase_if(report.rows, [](const GradientRow& row) { return row.name.ends_with("bk"); });
  return report;
}

// -------------------------------------------------------------------------- the list of all models

// Every variant: as in the language model; with dropout, without biases.
template <class Visitor>
void visit_attention(Visitor& visitor, std::uint64_t seed) {
  for (const Gate gate : all_gates) {
    const auto add = [&](const char* with, const AttentionForm& form) {
      const SmallCase c(form, seed);
      visitor.test_only(std::string(name_of(gate)) + with, c.layer, c.X, c.loss);
    };
    add("", {gate});
    add(", no biases, dropout", {.gate = gate, .biases = false, .dropout = 0.3});
  }
}

// Two blocks of width 6 and two heads, a context longer than the sequences.
template <class Visitor>
void visit_language_models(Visitor& visitor, std::uint64_t seed) {
  const SmallModel own({7, 5, {Gate::bma, 2, 2, 6}}, 3, 4, seed);
  visitor.test_only("language model, bma", own.model, own.texts(), own.loss);
  for (const Gate gate : all_gates) {
    const SmallModel tied({7, 5, {gate, 2, 2, 6, false, 0.2}, true}, 3, 4, seed);
    visitor.test_only(
        std::string("language model, ") + name_of(gate) + ", tied, no biases, dropout", tied.model,
        tied.texts(), tied.loss);
  }
}

template <class Visitor>
void visit_models(Visitor& visitor) {
  for (const Gate gate : all_gates) {
    const SmallCase c({gate}, 5);
    visitor.add(name_of(gate), c.layer, c.X, c.loss);
  }
  visit_attention(visitor, 1);
  visit_language_models(visitor, 1);
  visit_vision_models(visitor);
  Random random(5);
  MaskTask<double> task;
  task.draw(6, random);
  visitor.test_only("mask task", fresh<double>({Gate::bma, task.width, 4}, 0.5, random), task.X,
                    [&]<class T>(const Matrix<T>& Y) {
                      return Task<T>{{}, task.asked, Matrix<T>(task.target.view())}.loss(Y);
                    });
}

extern template double mean_loss(const LanguageModel<float>&, Symbols, std::size_t, std::size_t,
                                 Pool&, std::size_t);
extern template void train_task(MaskTask<float>, Attention<float>&, const RunSettings&, Random,
                                const Watch&);
extern template void train_task(SilenceTask<float>, Attention<float>&, const RunSettings&, Random,
                                const Watch&);
extern template class Writer<float>;

}  // namespace lesson6
