// Lesson 5, part 3: biases by a constant one, and the constant, linear and quadratic part of each output.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/03_fold.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

void by_hand(Lesson& lesson) {
  const Matrix<double> W{{1, 2}, {3, 0}}, b{{5, -1}}, x{{2, 1}};
  const Matrix<double> W_extended = extended(W, b), outputs = matmul(with_one(x), W_extended);
  lesson.note("By hand: W~ = ", text_of(W_extended), ", and ", text_of(with_one(x)), "·W~ = ", text_of(outputs), ".");
  lesson.claim_same("extended by hand", max_abs_difference(outputs, {{10, 3, 1}}));
}

// How far what is read from the slices is from what the net says, at worst.
struct PartsOff {
  double constant = 0, linear = 0, quadratic = 0, mixed = 0;
};

// Constant, linear, quadratic: read from the slice, and found from the net by adding and subtracting outputs.
PartsOff compare_parts(const Net<double>& net, const Tensor3& S) {
  const std::size_t n = net.form.inputs;
  const auto axis = [n](std::size_t p) { return Matrix<double>(row_block(identity(n), p, 1)); };
  PartsOff off;
  const auto enlarge = [](double& worst, double difference) { worst = std::max(worst, std::abs(difference)); };
  for (std::size_t o = 0; o < S.outputs(); ++o) {
    const auto at = [&](const Matrix<double>& point) { return output(net, point)(0, o); };
    const double zero = at(Matrix<double>(1, n));
    enlarge(off.constant, zero - S(o, n, n));
    for (std::size_t p = 0; p < n; ++p) {
      const Matrix<double> e = axis(p);
      enlarge(off.linear, (at(e) - at(-1 * e)) / 2 - 2 * S(o, p, n));
      for (std::size_t q = p + 1; q < n; ++q)
        enlarge(off.mixed, at(e + axis(q)) - at(e) - at(axis(q)) + zero - S(o, p, q) - S(o, q, p));
      enlarge(off.quadratic, (at(e) + at(-1 * e)) / 2 - zero - S(o, p, p));
    }
  }
  return off;
}

}  // namespace

void part3(Lesson& lesson, Session&) {
  by_hand(lesson);
  Random random(lesson.options().seed, 62);
  Net<double> net({6, 4, 5, 3});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> Y = output(net, X);
  const double size = largest_entry(Y);
  const Tensor3 S = symmetric(fold(net));
  const PartsOff off = compare_parts(net, S);

  const double outputs = max_abs_difference(evaluate(S, with_one(X)), Y) / size;
  const double parts = std::max({off.constant, off.linear, off.quadratic, off.mixed}) / size;
  lesson.say("Can biases be folded, and told apart in the tensor? A net with all of them, ", net.form.inputs,
             " inputs and the 1, has ", S.outputs(), " slices of ", to_text(S.shape()), " that say what it says, to ",
             significant(outputs, 2), " of the largest output. The parts read from them are its outputs' own, to ",
             significant(parts, 2), ".");
  // Sums of some hundred products: some 1e-15 of the largest output each. A number at a wrong place costs a part of 1.
  lesson.claim("tensor = net, relative", outputs, at_most(1e-12));
  lesson.claim("constant S[o,n,n] = f(0), relative", off.constant / size, at_most(1e-12));
  lesson.claim("linear 2·S[o,p,n] = (f(e) - f(-e))/2, relative", off.linear / size, at_most(1e-12));
  lesson.claim("quadratic S[o,p,p] = (f(e) + f(-e))/2 - f(0), relative", off.quadratic / size, at_most(1e-12));
  lesson.claim("mixed S[o,p,q] + S[o,q,p] = f(e_p + e_q) - f(e_p) - f(e_q) + f(0), relative", off.mixed / size,
               at_most(1e-12));
}

}  // namespace lesson5
