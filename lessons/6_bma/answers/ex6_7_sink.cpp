// Exercise 6.7: a head that can say nothing.
// Hint: exp(1000) is infinite. From all that stands in an exponential subtract the largest: from
// every z[j], and from b.
// Hint: Think of b as the score of one more token, whose value is 0 and whose weight is what the
// others lack. Softmax's backward pass holds for all of them. The gradient of this token's weight
// is 0, since nobody uses it.
// Hint: With that token, Σ_j da[j]·a[j] is the sum over the others alone. Its own line gives db:
// its weight times (0 - that sum).
// SPDX-License-Identifier: MIT
#include <span>

#include "common/loss.hpp"

// For the check:
#include <ex6_7_sink.hpp>

#include "lessons/6_bma/answers/shared.hpp"
#include "lessons/6_bma/tasks.hpp"

using namespace shared;

namespace ours::ex6_7 {

template <class T>
void weigh(std::span<T> row, T b) {
  T top = b;
  for (const T z : row) top = std::max(top, z);
  T sum = std::exp(b - top);
  slip(sum, T(0), "exp(b) is missing below the line");
  slip(sum, std::exp(b), "what is subtracted from the scores must be subtracted from b as well");
  slip(sum, b, "b is in the sum as it is; exp(b) stands there");
  slip(sum, -std::exp(b - top), "exp(b) is added below the line");
  slip(sum, T(1), "a 1 is in the place of exp(b)");
  slip(sum, std::exp(-top), "a 1 is in the place of exp(b)");
  for (T& z : row) {
    z = std::exp(z - top);
    sum += z;
  }
  for (T& z : row) z /= sum;
}

template <class T>
void weigh_back(std::span<const T> row, std::span<T> d, [[maybe_unused]] T b, T& db) {
  const auto sum_of = [&](auto term) {
    T sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) sum += term(j);
    return sum;
  };
  T mean = sum_of([&](std::size_t j) { return d[j] * row[j]; });
  const T given = sum_of([&](std::size_t j) { return row[j]; });
  T kept = 1 - given;  // the weight that nobody gets
  slip(kept, T(1), "the weight that nobody gets is missing");
  slip(kept, std::exp(b),
       "exp(b) is not a weight: divide by the sum, or take what the others lack");
  slip(kept, given, "that is what the others get; b has what they lack");
  slip(kept, given - 1, "the sign is wrong: a larger b takes weight from all");
  slip(mean, mean / given, "the sum Σ da[j]·a[j] is not to be divided by Σ a[j]");
  T more = -mean * kept;
  slip(more, T(0), "it is left as it was");
  slip(more, -kept, "the sum Σ da[j]·a[j] is missing");
  slip(more, -kept * sum_of([&](std::size_t j) { return d[j]; }),
       "da[j] alone is summed; Σ da[j]·a[j] is wanted");
  db += more;
  slip(db, more, "each row adds to it; yours sets it");
  for (std::size_t j = 0; j < row.size(); ++j) {
    T slope = row[j] * (d[j] - mean);
    slip(slope, row[j] * d[j], "the sum Σ da[j]·a[j] is missing");
    slip(slope, d[j] * row[j] * (1 - row[j]), "each score moves the other weights, too");
    d[j] = slope;
  }
  slip(db, db - more - kept * sum_of([&](std::size_t j) { return d[j] * row[j]; }),
       "d is no longer dA there");
}

}  // namespace ours::ex6_7

// The lesson's layer with other weights.
template <class T, class With>
struct Head : lesson6::Attention<T> {
  using Layer = lesson6::Attention<T>;
  using typename Layer::Trace, typename Layer::Scratch;
  Matrix<T> b{1, 1};

  using Layer::Layer;
  Tensors<T> tensors() {
    Tensors<T> all = Layer::tensors();
    all.push_back({"b", b});
    return all;
  }
  void forward(const lesson6::Sequences<T>& X, Trace& t) const {
    Layer::prepare(X.X, t);
    Layer::mix(X.tokens, t, nullptr, [&](std::span<T> row, std::size_t i) {
      std::fill(row.begin() + std::ptrdiff_t(i) + 1, row.end(), T(0));
      for (T& score : row.first(i + 1)) score *= this->scale_of_scores();
      With::weigh(row.first(i + 1), b(0, 0));
    });
    Layer::read_out(t);
  }
  void backward(const lesson6::Sequences<T>& X, const Trace& t, const Matrix<T>& dY,
                Gradients<Head>& g) const {
    T db = 0;
    Layer::read_out_back(t, dY, g.scratch, g.parameters);
    Layer::mix_back(X.tokens, t, g.scratch, [&](const lesson6::HeadBlock& at, Matrix<T>& dA) {
      for (std::size_t i = 0; i < at.tokens; ++i) {
        const std::span<T> row = dA.row(i);
        std::fill(row.begin() + std::ptrdiff_t(i) + 1, row.end(), T(0));
        With::weigh_back(t.A.row(at.top + i).first(i + 1), row.first(i + 1), b(0, 0), db);
        for (T& score : row) score *= this->scale_of_scores();
      }
    });
    Layer::prepare_back(X.X, t, g.scratch, g.parameters, g.dX);
    g.parameters.b(0, 0) = db;
  }
};

struct Yours {
  static void weigh(auto row, auto b) { ex6_7::weigh(row, b); }
  static void weigh_back(auto row, auto d, auto b, auto& db) { ex6_7::weigh_back(row, d, b, db); }
};
struct Ours {
  static void weigh(auto row, auto b) { ours::ex6_7::weigh(row, b); }
  static void weigh_back(auto row, auto d, auto b, auto& db) {
    ours::ex6_7::weigh_back(row, d, b, db);
  }
};

static const Matrix<double> scores_of_row{{0.3, -1.2, 2, 0.7}}, incoming{{0.9, -0.4, 0.25, 1.3}};
constexpr double of_nobody = 0.4, db_before = 0.25;

template <class With>
static Matrix<double> weights(Matrix<double> z = scores_of_row, double b_of_row = of_nobody) {
  With::weigh(z.row(0), b_of_row);
  return z;
}

template <class With>
static std::pair<Matrix<double>, Matrix<double>> sent_back(const Matrix<double>& right) {
  Matrix<double> d = incoming, db{{db_before}};
  With::weigh_back(right.row(0), d.row(0), of_nobody, db(0, 0));
  return {d, db};
}

static std::string diagnose_large() {
  for (const auto& [z, b_of_row] : {std::pair(Matrix<double>{{1000, 999, -1000}}, 3.0),
                                    std::pair(Matrix<double>{{1, 2, 3}}, 1000.0),
                                    std::pair(Matrix<double>{{-1000, -1001, -999}}, -1000.0)})
    if (!agrees(weights<Yours>(z, b_of_row), weights<Ours>(z, b_of_row), rounding))
      return join(
          "wrong for b = ", b_of_row, " and a score of ", z(0, 0),
          ": exp overflows, or all below the line is 0. Subtract the largest of all, b among them");
  return "";
}

// Trains the reader's head as part 7 does.
static Assessment trained() {
  lesson6::SilenceTask<float> task;
  Random start(1, 74);
  Head<float, Yours> head({.width = task.width});
  static_cast<lesson6::Attention<float>&>(head) = lesson6::fresh<float>(head.form, 0, start);
  lesson6::train_task(task, head, lesson6::task_run(), Random(1, 75));
  const double caught = lesson6::r_squared(task, head, 4000, Random(1, 76));
  const std::string text =
      join("R² on the silence task: ", fixed(caught, 4), ", with a softmax .25");
  return caught >= 0.99 ? Assessment{State::done, text} : wrong(text);
}

static Assessment check() {
  const Answer a{"weights", weights<Yours>(), weights<Ours>()};
  const auto yours = sent_back<Yours>(a.right), right = sent_back<Ours>(a.right);
  const Answer dz{"dz", yours.first, right.first}, db{"db", yours.second, right.second};
  Matrix<double> plain = scores_of_row;
  softmax(plain.row(0));
  if (agrees(a.yours, plain, rounding) && agrees(db.yours, {{db_before}}, rounding))
    return not_started();
  Findings findings;
  const std::string small = diagnose(a, by_formula, [] { return weights<Ours>(); });
  findings.add("weigh", small.empty() ? diagnose_large() : small);
  findings.add("weigh_back", dz, by_formula, [&] { return sent_back<Ours>(a.right).first; });
  findings.add("weigh_back", db, by_formula, [&] { return sent_back<Ours>(a.right).second; });
  const Assessment verdict = findings.verdict();
  return verdict.state == State::done && !slips().tested ? trained() : verdict;
}
static const Exercise here{"6.7", "A weight for nobody", check};
