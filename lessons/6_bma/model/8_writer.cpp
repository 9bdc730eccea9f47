// Lesson 6: writing with a model one symbol at a time. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/8_writer.hpp"

#include <algorithm>

#include "common/loss.hpp"

namespace lesson6 {

template <class T>
Writer<T>::Writer(const LanguageModel<T>& model) : model_(model), caches_(model.transformer.blocks.size()) {
  for (Cache& cache : caches_) cache.K = cache.M = Matrix<T>(model.form.context, model.form.transformer.width);
}

template <class T>
const Matrix<T>& Writer<T>::next(std::uint32_t symbol) {
  if (seen_.size() == model_.form.context) {
    const std::vector<std::uint32_t> kept(seen_.end() - std::ptrdiff_t(seen_.size() / 2), seen_.end());
    seen_.clear();
    for (const std::uint32_t old : kept) take_in(old);
  }
  take_in(symbol);
  return trace_.Y;
}

template <class T>
std::size_t Writer<T>::bytes_kept() const {
  std::size_t numbers = 0;
  for (const Cache& cache : caches_) numbers += cache.K.size() + cache.M.size();
  return numbers * sizeof(T);
}

template <class T>
void Writer<T>::take_in(std::uint32_t symbol) {
  const std::size_t place = seen_.size();
  seen_.push_back(symbol);
  trace_.transformer.blocks.resize(1);
  auto& t = trace_.transformer.blocks[0];
  model_.embed({{&symbol, 1}, 1}, trace_.X, place);  // 1 x d   (6.19)
  for (std::size_t b = 0; b < caches_.size(); ++b) {
    const Block<T>& block = model_.transformer.blocks[b];
    block.norm1.forward(trace_.X, t.norm1);
    attend(block.attention, t.norm1.Y, caches_[b], place, t.attention);
    trace_.X += t.attention.Y;  // 1 x d   (6.18)
    block.norm2.forward(trace_.X, t.norm2);
    block.feed_forward.forward(t.norm2.Y, t.feed_forward);
    trace_.X += t.feed_forward.Y;  // 1 x d   (6.18)
  }
  model_.transformer.norm.forward(trace_.X, trace_.transformer.norm);
  model_.put_out(trace_.transformer.norm.Y, trace_.Y);  // 1 x vocab   (6.20)
}

// The attention of one row over all that is kept and itself.
template <class T>
void Writer<T>::attend(const GatedAttention<T>& attention, const Matrix<T>& X, Cache& cache, std::size_t place,
                       typename GatedAttention<T>::Trace& t) {
  const Matrix<T>& values = attention.prepare(X, t);
  std::copy(t.K.values().begin(), t.K.values().end(), cache.K.row(place).begin());
  std::copy(values.values().begin(), values.values().end(), cache.M.row(place).begin());
  const std::size_t width = attention.plain.form.head_width(), length = place + 1;
  make_room(t.A, 1, model_.form.context);
  make_room(t.C, 1, X.cols());
  const std::span<T> weights = t.A.row(0).first(length);
  const View<T> A = column_block(t.A, 0, length);
  for (std::size_t h = 0; h < attention.form.heads; ++h) {
    const auto kept = [&](const Matrix<T>& rows) { return column_block(row_block(rows, 0, length), h * width, width); };
    matmul_into(A, column_block(t.Q, h * width, width), transpose(kept(cache.K)));  // 1 x length   (6.2)
    attention.plain.weigh(weights, place, 0, {length});                             // 1 x length   (6.3)
    matmul_into(column_block(t.C, h * width, width), A, kept(cache.M));             // 1 x dh       (6.4)
  }
  attention.put_out(t);
}

template <class T>
std::vector<std::uint32_t> write(const LanguageModel<T>& model, std::vector<std::uint32_t> prompt, std::size_t count,
                                 double temperature, Random& random) {
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

template class Writer<float>;
template class Writer<double>;
template std::vector<std::uint32_t> write(const LanguageModel<float>&, std::vector<std::uint32_t>, std::size_t, double,
                                          Random&);

}  // namespace lesson6
