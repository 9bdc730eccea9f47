// Exercise 3.6: which polynomial is in the box?
// Hint: Along a straight line x + k·v a polynomial in x is a polynomial in k. How do you find the
// degree of that one from its values at k = 0, 1, 2, ...?
// Hint: x0·x1 is straight along both axes, and x0² - x1² is 0 along the diagonal. Which line is
// special for no function? One that nobody chose.
// Hint: Take the differences of neighbours at six points, then the differences of those, and so on.
// The last that is not 0 gives the degree. What counts as 0? Less than 1e-12 of the largest value.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <functional>

#include "common/matrix.hpp"
#include "common/random.hpp"

// For the check:
#include <ex3_6_degree.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

using namespace exercise;

namespace ours::ex3_6 {

using BlackBox = std::function<double(const Matrix<double>& row)>;

// Returns the degree of f, 0 to 4, or 5 for anything else: the order of the last difference that is
// not 0, on a random line. A difference of order 5 adds 32 values, counted with their factors, each
// rounded by 1e-15 of the largest: what exceeds 1e-12 of that is not rounding.
inline std::size_t degree_of(const BlackBox& f, std::size_t inputs) {
  constexpr std::size_t highest = 5;
  Random random(1);
  const auto x = normal_matrix<double>(1, inputs, 1, random),
             v = normal_matrix<double>(1, inputs, 1, random);
  std::vector<double> values;
  double largest = 0;
  for (std::size_t k = 0; k <= highest; ++k) {
    values.push_back(f(x + double(k) * v));
    largest = std::max(largest, std::abs(values.back()));
  }
  std::size_t degree = 0;
  for (std::size_t order = 1; order <= highest; ++order) {
    for (std::size_t k = 0; k + 1 < values.size(); ++k) values[k] = values[k + 1] - values[k];
    values.pop_back();
    if (std::abs(values[0]) > 1e-12 * largest) degree = order;
  }
  return degree;
}

}  // namespace ours::ex3_6

// A function of known degree, and what is likely wrong with an answer too low or too high.
struct Box {
  const char* name;
  std::size_t inputs, degree;
  ex3_6::BlackBox f;
  const char *too_low, *too_high;
};

// The first output of a model with entries of size 1/2.
template <class Model>
static ex3_6::BlackBox box_of(Model model) {
  Random random(8);
  fill_normal(model.tensors(), random, 0.5);
  return [model](const Matrix<double>& x) { return output(model, x)(0, 0); };
}

static std::vector<Box> boxes() {
  using namespace lesson3;
  const char *const
      axis =
          "along an axis this function looks simpler than it is: where does your line run? Or are there too few differences?",
      *const noise =
          "rounding was taken for a difference: how large may rounding be beside the values?",
      *const small = "a small bend is not rounding, which is some 1e-15 of the values",
      *const few = "more differences are needed to see the highest degree",
      *const no = "your answer takes one difference too many";
  return {
      {"a constant", 3, 0, [](const auto&) { return 3.0; }, no, noise},
      {"an affine function with large numbers", 2, 1,
       [](const auto& x) { return 1e6 + 1000 * x(0, 0) - 0.3 * x(0, 1); }, small, noise},
      {"x0·x1", 2, 2, [](const auto& x) { return x(0, 0) * x(0, 1); }, axis, noise},
      {"x0·x1·x2", 3, 3, [](const auto& x) { return x(0, 0) * x(0, 1) * x(0, 2); }, axis, noise},
      {"x0² - x1²", 2, 2, [](const auto& x) { return x(0, 0) * x(0, 0) - x(0, 1) * x(0, 1); },
       "along the diagonal this function is 0 throughout: where does your line run?", noise},
      {"x0 + x1·x2/1000", 3, 2, [](const auto& x) { return x(0, 0) + 1e-3 * x(0, 1) * x(0, 2); },
       small, noise},
      {"x0 + x1·x2/10⁸", 3, 2, [](const auto& x) { return x(0, 0) + 1e-8 * x(0, 1) * x(0, 2); },
       small, noise},
      {"(2·x0 - x1)²", 2, 2, [](const auto& x) { return std::pow(2 * x(0, 0) - x(0, 1), 2); },
       "along (1, 2, ...) this function is 0 throughout: where does your line run?", noise},
      {"(x0 - 2·x1)²", 2, 2, [](const auto& x) { return std::pow(x(0, 0) - 2 * x(0, 1), 2); },
       "along (..., 2, 1) this function is 0 throughout: where does your line run?", noise},
      {"1e12·(x0 - 0.3)²", 2, 2, [](const auto& x) { return 1e12 * std::pow(x(0, 0) - 0.3, 2); },
       few, noise},
      {"1e-12·x0³", 2, 3, [](const auto& x) { return 1e-12 * std::pow(x(0, 0), 3); },
       "all its values are small, and so is their rounding: which difference is 0 beside them?",
       noise},
      {"the BMLP as published", 4, 1, box_of(Bmlp<double>({4, 5, 1})), no, noise},
      {"a product layer", 4, 2, box_of(Product<double>({4, 5, 1})), axis, noise},
      {"two product layers", 4, 4, box_of(Product2<double>({{4, 5, 1}, 7, 2})), few, noise},
      {"a swish MLP", 4, 5, box_of(Swish<double>({{4, 5, 1}, Biases::with})), few, no},
      {"sin(π·x0)", 2, 5, [](const auto& x) { return std::sin(std::acos(-1.0) * x(0, 0)); },
       "at whole numbers this function is 0: at which places do you ask?", no}};
}

static Assessment check() {
  std::vector<std::size_t> said;
  const std::vector<Box> all = boxes();
  double farthest = 0;  // entry of a row that was asked
  for (const Box& box : all) {
    const ex3_6::BlackBox f = [&](const Matrix<double>& row) {
      farthest = std::max(farthest, largest_entry(row));
      return box.f(row);
    };
    said.push_back(calling("degree_of", [&] { return ex3_6::degree_of(f, box.inputs); }));
  }
  if (std::count(said.begin(), said.end(), said[0]) == std::ptrdiff_t(said.size()))
    return said[0] == 99 ? not_started()
                         : wrong(join("you say ", said[0],
                                      " of every function: the answer does not depend on f"));
  const auto all_off_by = [&](int off) {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (said[k] != all[k].degree + std::size_t(off)) return false;
    return true;
  };
  for (const int off : {1, -1})
    if (all_off_by(off))
      return wrong(join("degree_of: each answer is one too ", off > 0 ? "many" : "few"));
  Findings findings;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::string cause = said[k] < all[k].degree ? all[k].too_low : all[k].too_high;
    if (farthest > 100)
      cause = join("you ask at rows with entries of up to ", significant(farthest, 2),
                   ", where one term or its rounding drowns all others");
    findings.add(all[k].name,
                 said[k] == all[k].degree ? "" : join(cause, " (you say ", said[k], ")"));
    if (said[k] != all[k].degree) break;  // one cause at a time
  }
  return findings.verdict();
}
static const Exercise here{"3.6", "Which polynomial is in the box?", check};
