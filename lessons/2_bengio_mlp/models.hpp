// Lesson 2: windows of a text, Bengio's neural language model forward and backward, the same model
// with the classic mistake, and writing. README.md has the equations; its S is trace.Y here. Sizes:
// n windows of c symbols, dim numbers for each symbol, h hidden units. dX means d loss / d X.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/fast/elementary.hpp"
#include "common/loss.hpp"
#include "common/model.hpp"

namespace lesson2 {

using Symbols = std::span<const std::uint32_t>;

// n windows of `length` symbols, each with its target, the symbol that follows.
struct Windows {
  std::size_t length = 0;
  std::vector<std::uint32_t> contexts;  // n x length, row after row, oldest symbol first
  std::vector<std::uint32_t> targets;   // n

  std::size_t size() const { return targets.size(); }
  Symbols context(std::size_t i) const { return Symbols(contexts).subspan(i * length, length); }

  // Appends the window whose target is text[place]; `padding` stands in for what precedes the text.
  void add(Symbols text, std::size_t place, std::uint32_t padding) {
    for (std::size_t k = length; k > 0; --k)
      contexts.push_back(place >= k ? text[place - k] : padding);
    targets.push_back(text[place]);
  }
};

// Returns the windows whose targets are text[first] to text[first + count - 1].
inline Windows windows_of(Symbols text, std::size_t first, std::size_t count, std::size_t length,
                          std::uint32_t padding) {
  Windows windows{length, {}, {}};
  for (std::size_t place = first; place < first + count; ++place) windows.add(text, place, padding);
  return windows;
}

// Draws `count` places at random and returns their windows: a mini-batch.
inline Windows draw_windows(Symbols text, std::size_t count, std::size_t length,
                            std::uint32_t padding, Random& random) {
  Windows windows{length, {}, {}};
  for (std::size_t i = 0; i < count; ++i)
    windows.add(text, std::size_t(random.below(text.size())), padding);
  return windows;
}

// Returns the loss as a function of the logits; the windows must outlive it.   (2.5)
inline auto loss_of(const Windows& windows) {
  return [&windows](const auto& logits) {
    return softmax_cross_entropy(logits, Symbols(windows.targets));
  };
}

struct BengioForm {
  std::size_t vocab = 0, context = 0, dim = 0, hidden = 0;
  bool direct = false;  // connections from the embeddings straight to the logits (the paper's W)

  // The padding symbol comes after the vocabulary, and so does its row of C.
  std::uint32_t padding() const { return std::uint32_t(vocab); }
};

// Returns d loss / d z of a unit with h = tanh z.
template <class T>
T through_tanh(T dh, T h) {
  return dh * (1 - h * h);  // (2.3) back
}

template <class T>
struct Bengio {
  using Number = T;

  BengioForm form;
  Matrix<T> C;       // (vocab + 1) x dim: one row for each symbol, the last one for padding
  Matrix<T> W1, b1;  // c·dim x h, 1 x h
  Matrix<T> W2, b2;  // h x vocab, 1 x vocab
  Matrix<T> Wd;      // c·dim x vocab, or 0 x 0 without direct connections

  explicit Bengio(const BengioForm& f)
      : form(f),
        C(f.vocab + 1, f.dim),
        W1(f.context * f.dim, f.hidden),
        b1(1, f.hidden),
        W2(f.hidden, f.vocab),
        b2(1, f.vocab),
        Wd(f.direct ? f.context * f.dim : 0, f.direct ? f.vocab : 0) {}

  // Draws the start of training: C normal, W1 by lesson 1's law, and W2 small, so that the loss
  // starts near ln vocab.
  Bengio(const BengioForm& f, Random& random, double last_deviation = 0.01) : Bengio(f) {
    C = normal_matrix<T>(C.rows(), C.cols(), 1, random);
    W1 = normal_matrix<T>(W1.rows(), W1.cols(), 1 / std::sqrt(double(W1.rows())), random);
    W2 = normal_matrix<T>(W2.rows(), W2.cols(), last_deviation, random);
  }

  Tensors<T> tensors() {
    Tensors<T> all{{"C", C}, {"W1", W1}, {"b1", b1}, {"W2", W2}, {"b2", b2}};
    if (form.direct) all.push_back({"Wd", Wd});
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> E, H;  // n x c·dim, n x h
    Matrix<T> Y;     // n x vocab: S
  };

  void forward(const Windows& X, Trace& t) const {
    t.E = look_up(X);                                        // n x c·dim   (2.1)
    t.H = add_row(matmul(t.E, W1), b1);                      // n x h       (2.2)
    t.H = map_entries(std::move(t.H), elementary::tanh<T>);  // n x h       (2.3)
    t.Y = add_row(matmul(t.H, W2), b2);                      // n x vocab   (2.4)
    if (form.direct) matmul_into(t.Y, t.E, Wd, Write::add);  // n x vocab   (2.9)
  }

  void backward(const Windows& X, const Trace& t, const Matrix<T>& dS, Gradients<Bengio>& g) const {
    const Matrix<T> dE =
        backward_to_embeddings(t, dS, g.parameters);  // n x c·dim         (2.9) to (2.2) back
    g.parameters.C = scatter_add(X, dE);              // (vocab + 1) x dim (2.1) back
  }

  // Sets the gradients of all parameters but C, and returns dE.
  Matrix<T> backward_to_embeddings(const Trace& t, const Matrix<T>& dS, Bengio& d) const {
    Matrix<T> dE(t.E.rows(), t.E.cols());                           // n x c·dim
    if (form.direct) d.Wd = matmul(transpose(t.E), dS);             // c·dim x vocab (2.9) back
    if (form.direct) dE = matmul(dS, transpose(Wd));                // n x c·dim     (2.9) back
    d.W2 = matmul(transpose(t.H), dS);                              // h x vocab     (2.4) back
    d.b2 = column_sums(dS);                                         // 1 x vocab     (2.4) back
    Matrix<T> dH = matmul(dS, transpose(W2));                       // n x h         (2.4) back
    const Matrix<T> dZ = zip(std::move(dH), t.H, through_tanh<T>);  // n x h         (2.3) back
    d.W1 = matmul(transpose(t.E), dZ);                              // c·dim x h     (2.2) back
    d.b1 = column_sums(dZ);                                         // 1 x h         (2.2) back
    matmul_into(dE, dZ, transpose(W1), Write::add);                 // n x c·dim     (2.2) back
    return dE;
  }

  // E[i, k·dim + a] = C[context[i,k], a]   (2.1)
  Matrix<T> look_up(const Windows& X) const {
    Matrix<T> E(X.size(), form.context * form.dim);
    for (std::size_t i = 0; i < E.rows(); ++i)
      for (std::size_t k = 0; k < form.context; ++k) {
        const std::span<const T> row = C.row(X.context(i)[k]);
        std::copy(row.begin(), row.end(), E.row(i).begin() + std::ptrdiff_t(k * form.dim));
      }
    return E;
  }

  // dC[context[i,k], a] += dE[i, k·dim + a]   (2.1) back
  // A symbol that occurs twice collects two gradients: +=, never =.
  Matrix<T> scatter_add(const Windows& X, const Matrix<T>& dE) const {
    Matrix<T> dC(C.rows(), C.cols());
    for (std::size_t i = 0; i < dE.rows(); ++i)
      for (std::size_t k = 0; k < form.context; ++k) {
        const std::span<T> row = dC.row(X.context(i)[k]);
        for (std::size_t a = 0; a < form.dim; ++a) row[a] += dE(i, k * form.dim + a);  // (2.1) back
      }
    return dC;
  }
};

// The same model with the classic mistake: its scatter into dC writes = for +=, which is wrong
// wherever a symbol occurs twice.
template <class T>
struct Overwriting : Bengio<T> {
  using Bengio<T>::Bengio;
  using typename Bengio<T>::Trace;

  explicit Overwriting(const Bengio<T>& model) : Bengio<T>(model) {}

  void backward(const Windows& X, const Trace& t, const Matrix<T>& dS,
                Gradients<Overwriting>& g) const {
    const Matrix<T> dE =
        this->backward_to_embeddings(t, dS, g.parameters);  // n x c·dim (2.9) to (2.2) back
    Matrix<T>& dC = g.parameters.C;
    dC = Matrix<T>(dC.rows(), dC.cols());
    for (std::size_t i = 0; i < dE.rows(); ++i)
      for (std::size_t k = 0; k < X.length; ++k)
        for (std::size_t a = 0; a < dC.cols(); ++a)
          dC(X.context(i)[k], a) = dE(i, k * dC.cols() + a);  // (2.1) back
  }
};

extern template struct Bengio<float>;
extern template struct Bengio<double>;
extern template struct Overwriting<float>;
extern template struct Overwriting<double>;

// Returns the distribution of the symbol after `text`.   (2.8)
template <class T>
std::vector<T> next_distribution(const Bengio<T>& model, std::vector<std::uint32_t> text,
                                 double temperature) {
  text.push_back(0);  // the target's place; its value is never read
  const Windows window =
      windows_of(text, text.size() - 1, 1, model.form.context, model.form.padding());
  Matrix<T> logits = T(1 / temperature) * output(model, window);
  softmax(logits.row(0));
  return {logits.row(0).begin(), logits.row(0).end()};
}

// Draws `count` symbols that continue the prompt.
template <class T>
std::vector<std::uint32_t> sample(const Bengio<T>& model, const std::vector<std::uint32_t>& prompt,
                                  std::size_t count, double temperature, Random& random) {
  std::vector<std::uint32_t> text = prompt;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t seen = std::min(model.form.context, text.size());
    const std::vector<T> distribution =
        next_distribution(model, {text.end() - std::ptrdiff_t(seen), text.end()}, temperature);
    text.push_back(std::uint32_t(random.pick(std::span<const T>(distribution))));
  }
  return {text.begin() + std::ptrdiff_t(prompt.size()), text.end()};
}

// For tests and --export: ten windows in which symbols and padding repeat, and forms whose sizes
// all differ, so that no transpose fits by chance.
inline constexpr BengioForm small_form{.vocab = 7, .context = 3, .dim = 2, .hidden = 5};
inline constexpr BengioForm small_direct_form{
    .vocab = 7, .context = 3, .dim = 2, .hidden = 5, .direct = true};
inline Windows small_windows() {
  return windows_of(std::vector<std::uint32_t>{0, 1, 1, 2, 3, 3, 3, 4, 5, 6}, 0, 10,
                    small_form.context, small_form.padding());
}

inline Bengio<double> normal_model(const BengioForm& form, Random& random) {
  Bengio<double> model(form);
  fill_normal(model.tensors(), random);
  return model;
}

// Visits each model at a point, with windows (common/model_losses.hpp).
template <class Visitor>
void visit_models(Visitor& visitor) {
  const Windows windows = small_windows();
  for (const BengioForm& form : {small_form, small_direct_form}) {
    Random random(2);
    visitor.add(form.direct ? "bengio_direct" : "bengio", normal_model(form, random), windows,
                loss_of(windows));
  }
  Random random(3);
  const BengioForm square_form{.vocab = 4, .context = 2, .dim = 2, .hidden = 4, .direct = true};
  const Windows square{2, {4, 4, 4, 1, 1, 1, 1, 2}, {1, 1, 2, 0}}, one{3, {7, 2, 2}, {3}};
  visitor.test_only("all square", normal_model(square_form, random), square, loss_of(square));
  visitor.test_only("one window", normal_model(small_form, random), one, loss_of(one));
  // Overwriting is right where no symbol occurs twice.
  const Windows each_once{3, {7, 1, 2, 3, 0, 5}, {4, 0}};
  visitor.test_only("overwriting", Overwriting<double>(normal_model(small_direct_form, random)),
                    each_once, loss_of(each_once));
}

}  // namespace lesson2
