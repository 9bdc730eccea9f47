// Exercise 6.5: a head that looks back by one.
// Hint: Scores must not look at content at all, only at places. Which rows of Wq and Wk belong to
// the content, and what must stand in them?
// Hint: The key of a place may be that place itself. What must the query of place 3 be, to fit the
// key of place 2 and no other?
// Hint: If the right token has the score x, softmax gives each of the others e^(-x/3) times its
// weight. Five of them are to have .001 in all.
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/matrix.hpp"

// For the check:
#include <ex6_5_look_back.hpp>

#include "lessons/6_bma/answers/shared.hpp"

using namespace shared;

namespace ours::ex6_5 {

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

const double smallest_score = 26;

}  // namespace ours::ex6_5

// 5·e^(-x/3)/(1 + 5·e^(-x/3)) = .001 at x = 3·ln(5·999) = 25.55.
static const Prediction number = counted(
    "smallest_score", ex6_5::smallest_score, 26,
    {{25, "at 25 their weight is .0012: round up"},
     {9, "the scores are divided by √m = 3 first"},
     {8, "the scores are divided by √m = 3 first"},
     {21,
      "that is for one other token, or for .001 each; there are five, and they have .001 in all"},
     {20,
      "that is for one other token, or for .001 each; there are five, and they have .001 in all"},
     {27,
      "rounded up before the scale, or for six others: round last, and count the right token out"},
     {7, "five others have .001 in all, and the scores are divided by √m = 3 first"},
     {6, "five others have .001 in all, and the scores are divided by √m = 3 first"},
     {19, "that is for .01"}});

static std::size_t largest_of(const Matrix<double>& A, std::size_t i) {
  const std::span<const double> row = A.row(i);
  return std::size_t(std::max_element(row.begin(), row.end()) - row.begin());
}

constexpr std::size_t content = 3, tokens = 6, width = content + tokens;

static std::string diagnose_scores(const ex6_5::Head& head) {
  const auto largest = [](const Matrix<double>& W, std::size_t first, std::size_t count) {
    return largest_entry(Matrix<double>(row_block(W, first, count)));
  };
  for (const auto& [name, W] : {std::pair("Wq", &head.Wq), std::pair("Wk", &head.Wk)})
    if (largest(*W, content + 3, 3) == 0 && largest(*W, 0, content) > 0)
      return join(
          name,
          ": places are the last six of a token's numbers, rows 3 to 8; yours stand in rows 0 to 5");
  const Matrix<double> S = matmul(head.Wq, transpose(head.Wk));
  double of_content = 0;
  for (std::size_t a = 0; a < width; ++a)
    for (std::size_t b = 0; b < width; ++b)
      if (a < content || b < content) of_content = std::max(of_content, std::abs(S(a, b)));
  if (of_content > 0)
    return "the scores look at contents, too: rows 0 to 2 of Wq and of Wk must be 0";
  const std::span<const double> of_two = S.row(content + 2).subspan(content, 3);
  return of_two[1] < std::min(of_two[0], of_two[2])
             ? "the score for the token before is the lowest: its sign is wrong"
             : "";
}

// Names the token that row i attends to; `unmasked` is the row without a mask.
static std::string diagnose_weights(const Matrix<double>& A, const Matrix<double>& unmasked,
                                    std::size_t i) {
  const std::size_t most = largest_of(A, i);
  if (largest_of(unmasked, i) == i + 1)
    return join(
        "token ", i,
        " asks for the token after it, where it may not look: the shift goes the other way");
  const std::string weight =
      join("token ", i, " gives token ", most, " its largest weight, ", fixed(A(i, most), 3));
  if (A(i, most) < 1.1 / double(i + 1))
    return "the weights are even: do places meet in the scores? " + weight;
  if (most + 1 == i && A(i, most) < 0.9)
    return "it is the right token, but the scores are too near one another. " + weight;
  if (most == i)
    return "tokens look at themselves: the query must ask for another place. " + weight;
  if (most + 1 == i)
    return "it is the right token, but not enough of it: scores must differ by more. " + weight;
  return "tokens look at another place than the one before them. " + weight;
}

static std::string diagnose_head(const ex6_5::Head& head) {
  Random random(9);
  Matrix<double> mean(tokens, tokens), unmasked(tokens, tokens);
  double worst = 0, handed_on = 0;  // of the outputs, and of X·Wv·Wo
  std::size_t row = 0;
  for (int round = 0; round < 50; ++round) {
    Matrix<double> X(tokens, width);
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t k = 0; k < content; ++k) X(i, k) = random.normal();
      X(i, content + i) = 1;
    }
    const Matrix<double> Q = matmul(X, head.Wq), K = matmul(X, head.Wk), A = causal_weights(Q, K);
    const Matrix<double> values = matmul(matmul(X, head.Wv), head.Wo), Y = matmul(A, values);
    mean += 1 / 50.0 * A;
    unmasked +=
        1 / 50.0 * softmax_rows(scores(Q, K), scale_of_scores(Q), [](auto, auto) { return true; });
    for (std::size_t i = 1; i < tokens; ++i)
      for (std::size_t k = 0; k < content; ++k) {
        const double off = std::abs(Y(i, k) - X(i - 1, k));
        handed_on = std::max(handed_on, std::abs(values(i - 1, k) - X(i - 1, k)));
        if (off <= worst) continue;
        row = i;
        worst = off;  // also when it is NaN
      }
  }
  if (worst <= 0.01) return "";
  if (handed_on > 0.01)
    return join("Wv and Wo do not hand the content on: X·Wv·Wo differs from it by up to ",
                significant(handed_on, 2));
  const std::string scores = diagnose_scores(head);
  return scores.empty() ? diagnose_weights(mean, unmasked, row == tokens - 1 ? 1 : row) : scores;
}

static Assessment check() {
  const ex6_5::Head head = calling("look_back", [] { return ex6_5::look_back(); });
  bool zero = std::isnan(ex6_5::smallest_score);
  for (const auto& [name, W] : {std::pair("Wq", &head.Wq), std::pair("Wk", &head.Wk),
                                std::pair("Wv", &head.Wv), std::pair("Wo", &head.Wo)}) {
    const Answer answer{name, *W, Matrix<double>(width, width)};
    if (const std::string text = misfit_of(answer); !text.empty())
      return wrong(name + (": " + text));
    zero = zero && untouched(answer);
  }
  if (zero) return not_started();
  Findings findings;
  findings.add("look_back", diagnose_head(head));
  findings.add(number.name, diagnose(number));
  return findings.verdict();
}
static const Exercise here{"6.5", "A head that looks back", check};
