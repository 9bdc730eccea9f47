// Lesson 5, part 2: folding linear maps into the tensor, in either order; all weights of a small net can be turned.
// SPDX-License-Identifier: MIT
#include <set>

#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Numbers embedding{"e", "E, row by row: two inputs, two numbers", {1, 0, 0, 1}, {-2, 2, 0.25}};
constexpr knob::Numbers first{"w", "W, row by row: two numbers, two products", {1, 2, 3, 0}, {-3, 3, 0.5}};
constexpr knob::Numbers second{"v", "V, likewise", {2, 1, -1, 1}, {-3, 3, 0.5}};
constexpr knob::Numbers behind{"u", "U: how much of each product the output takes", {1, 2}, {-2, 2, 0.25}};

// Draws a net layer by layer, its product layer as the tensor B, and the whole of it as one tensor.
static plot::Diagram diagram() {
  using enum plot::Box::Kind;
  plot::Diagram d{.title = "Layer by layer, the product layer as B, the whole net as T"};
  d.boxes = {{"x", 0.75, 0, alone},
             {"E", 0.75, 1.2, stored, "n × m"},
             {"W", 0.15, 2.6, stored, "m × h"},
             {"V", 1.35, 2.6, stored, "m × h"},
             {"⊙", 0.75, 4, computed, "product"},
             {"U", 0.75, 5.3, stored, "h × outputs"},
             {"logits", 0.75, 6.5, alone},
             {"J[i]", 2.25, 1.2, alone},
             {"J[j]", 3.45, 1.2, alone},
             {"B[k,i,j]", 2.85, 2.6, stored, "h × m × m"},
             {"product k", 2.85, 4, alone},
             {"x[p]", 4.35, 0, alone},
             {"x[q]", 5.55, 0, alone},
             {"T[o,p,q]", 4.95, 2.6, stored, "outputs × n × n"},
             {"logit o", 4.95, 4, alone}};
  d.arrows = {{"x", "E", "n"},          {"E", "W", "m"},           {"E", "V", "m"},      {"W", "⊙", "h"},
              {"V", "⊙", "h"},          {"⊙", "U", "h"},           {"U", "logits", ""},  {"J[i]", "B[k,i,j]", ""},
              {"J[j]", "B[k,i,j]", ""}, {"B[k,i,j]", "product k"}, {"x[p]", "T[o,p,q]"}, {"x[q]", "T[o,p,q]"},
              {"T[o,p,q]", "logit o"}};
  return d;
}

// What the gradients of the lesson's first model are wrong by, for its list of models (common/cases.hpp).
struct WorstGradient {
  Lesson& lesson;
  void add(const std::string&, auto model, auto X, const auto& loss, Quadratic = {}) {
    lesson.claim("every gradient of the net: worst relative error", check_model(model, X, loss).worst(), at_most(1e-7));
  }
  void also(const auto&...) {}
};

// Claims that two layers are one table with four places for inputs, whose entries are as many terms as can differ.
static void claim_two_layers(Lesson& lesson, Random random) {
  constexpr std::size_t n = 5, h = 6;  // four inputs and the constant
  const auto W = normal_matrix<double>(n, h, 1, random), V = normal_matrix<double>(n, h, 1, random),
             upper_W = normal_matrix<double>(h, 1, 1, random), upper_V = normal_matrix<double>(h, 1, 1, random);
  const Tensor3 lower = product_tensor(W, V), upper = product_tensor(upper_W, upper_V);
  const Matrix<double> x = with_one(normal_matrix<double>(1, n - 1, 1, random));
  double sum = evaluate(upper, evaluate(lower, x))(0, 0);
  std::set<std::multiset<std::size_t>> terms;
  for (std::size_t place = 0; place < n * n * n * n; ++place) {
    const std::size_t p = place / (n * n * n), q = place / (n * n) % n, r = place / n % n, s = place % n;
    terms.insert({p, q, r, s});
    for (std::size_t i = 0; i < h; ++i)
      for (std::size_t j = 0; j < h; ++j)
        sum -= upper[0](i, j) * lower[i](p, q) * lower[j](r, s) * x(0, p) * x(0, q) * x(0, r) * x(0, s);  // (5.23)
  }
  lesson.claim("two layers, four inputs: less the sum of all entries", std::abs(sum), at_most(1e-9));
  lesson.claim("... whose terms, counted, are", double(terms.size()), exactly(5 * 6 * 7 * 8 / 24));
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> E = matrix_of(at[embedding], 2, 2), W = matrix_of(at[first], 2, 2),
                       V = matrix_of(at[second], 2, 2), U = matrix_of(at[behind], 2, 1);
  const Matrix<double> X = square_of_points(), J = matmul(X, E), H = hadamard(matmul(J, W), matmul(J, V)),
                       Y = matmul(H, U);
  const Tensor3 B = product_tensor(W, V), T = fold_factors(matmul(E, W), matmul(E, V), U);
  const Tensor3 behind_first = fold_in_front(fold_behind(B, U), E), front_first = fold_behind(fold_in_front(B, E), U);
  lesson.figure("folding", diagram());
  lesson.figure("net", surfaces("The two products at x·E, and the net's output, over x0 and x1 from -2 to 2",
                                {"product 0", "product 1", "the output"}, beside(H, Y), Colours::own));
  lesson.say("U first: ", text_of(behind_first[0]), ", E first: ", text_of(front_first[0]),
             ", by (5.5): ", text_of(T[0]), ".");
  // E·W has entries up to 12 and T up to 576, each the sum of some ten roundings of 1e-13.
  lesson.claim("U then E = E then U, and = straight from the factors: max |diff|",
               std::max(max_abs_difference(behind_first[0], front_first[0]), max_abs_difference(behind_first[0], T[0])),
               at_most(1e-11));
  // Outputs up to 9,216.
  lesson.claim("the slice says what the net says all over the square: max |diff|",
               max_abs_difference(evaluate(T, X), Y), at_most(1e-10));
  // 22,500 products, each up to some hundred, and as many roundings.
  claim_two_layers(lesson, Random(lesson.options().seed, 66));
  WorstGradient worst{lesson};
  cases(worst);
}

extern const Part<Session> part2(2, "Folding", run, "Which surfaces can a net of two products make?",
                                 {&embedding, &first, &second, &behind});

}  // namespace lesson5
