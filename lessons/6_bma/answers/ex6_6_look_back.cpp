// Exercise 6.6: a head that looks back by one.
// Hint: Scores must not look at content at all, only at places. Which rows of Wq and Wk belong to the content, and what
// must stand in them?
// Hint: The key of a place may be that place itself. What must the query of place 3 be, to fit the key of place 2 and no
// other?
// Hint: Softmax gives the rest a weight of about e^(-score/3) each. How large must the score be, for .01?
// SPDX-License-Identifier: MIT
#include <ex6_6_look_back.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

namespace ours::ex6_6 {

struct Head {
  Matrix<double> Wq{9, 9}, Wk{9, 9}, Wv{9, 9}, Wo{9, 9};  // zeros
};

inline Head look_back() {
  constexpr std::size_t content = 3, tokens = 6;
  Head h;
  for (std::size_t place = 0; place < tokens; ++place) {
    if (place > 0) h.Wq(content + place, content + place - 1) = 60;
    h.Wk(content + place, content + place) = 1;
  }
  for (std::size_t k = 0; k < content; ++k) h.Wv(k, k) = h.Wo(k, k) = 1;
  return h;
}

}  // namespace ours::ex6_6

// The column of the largest entry of a row.
static std::size_t largest_of(const Matrix<double>& A, std::size_t i) {
  const std::span<const double> row = A.row(i);
  return std::size_t(std::max_element(row.begin(), row.end()) - row.begin());
}

// What a head does that shall look back by one, from its mean weights over contents: which token row i attends to;
// `unmasked` has what it would attend to if it saw all.
static std::string diagnose_weights(const Matrix<double>& A, const Matrix<double>& unmasked, std::size_t i) {
  const std::size_t most = largest_of(A, i);
  if (largest_of(unmasked, i) == i + 1)
    return join("token ", i, " asks for the token behind it, where it may not look: the shift goes the other way");
  const std::string weight = join("token ", i, " gives token ", most, " its largest weight, ", fixed(A(i, most), 3));
  if (most + 1 == i && A(i, most) < 0.9) return "the right token, scores too near one another. " + weight;
  if (A(i, most) < 1.5 / double(i + 1)) return "the weights are even: do places meet in the scores? " + weight;
  if (most == i) return "tokens look at themselves: the query must ask for another place. " + weight;
  if (most + 1 == i) return "the right token, but not enough of it: scores must differ by more. " + weight;
  return "tokens look at another place than the one before. " + weight;
}

static Verdict check() {
  constexpr std::size_t content = 3, tokens = 6, width = content + tokens;
  const ex6_6::Head head = calling("look_back", [] { return ex6_6::look_back(); });
  bool zero = true;
  for (const auto& [name, W] :
       {std::pair("Wq", &head.Wq), std::pair("Wk", &head.Wk), std::pair("Wv", &head.Wv), std::pair("Wo", &head.Wo)}) {
    const Answer answer{name, *W, Matrix<double>(width, width)};
    if (W->shape() != answer.right.shape()) return wrong(std::string(name) + ": " + diagnose_shape(answer));
    if (const std::string text = diagnose_not_finite(answer); !text.empty()) return wrong(name + (": " + text));
    zero = zero && untouched(answer);
  }
  if (zero) return not_started();
  Random random(9);
  Matrix<double> mean(tokens, tokens), unmasked(tokens, tokens);
  double worst = 0, handed_on = 0;  // of the outputs, and of what the values make of content, times Wo
  std::size_t row = 0;
  for (int round = 0; round < 50; ++round) {
    Matrix<double> X(tokens, width);
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t k = 0; k < content; ++k) X(i, k) = random.normal();
      X(i, content + i) = 1;
    }
    const Matrix<double> Q = matmul(X, head.Wq), K = matmul(X, head.Wk), A = causal_weights(Q, K);
    const Matrix<double> told = matmul(matmul(X, head.Wv), head.Wo), Y = matmul(A, told);
    mean += 1 / 50.0 * A;
    unmasked += 1 / 50.0 * softmax_rows(scores(Q, K), scale_of_scores(Q), [](auto, auto) { return true; });
    for (std::size_t i = 1; i < tokens; ++i)
      for (std::size_t k = 0; k < content; ++k) {
        const double off = std::abs(Y(i, k) - X(i - 1, k));
        handed_on = std::max(handed_on, std::abs(told(i - 1, k) - X(i - 1, k)));
        if (off <= worst) continue;
        row = i;
        worst = off;  // a NaN, too: it is below nothing
      }
  }
  if (worst <= 0.01) return done();
  if (handed_on > 0.01)
    return wrong(
        join("Wv and Wo do not hand the content on: X·Wv·Wo differs from it by up to ", significant(handed_on, 2)));
  return wrong(diagnose_weights(mean, unmasked, row == tokens - 1 ? 1 : row));
}
static const Exercise here{"6.6", "A head that looks back", check};
