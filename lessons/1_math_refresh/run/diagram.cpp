// Lesson 1, part 3: draws the network that is done by hand.
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/run/diagram.hpp"

#include <string>

#include "common/support/words.hpp"

namespace lesson1 {

// Returns "(1, 2)" for one row, [1 2; 3 4] for several.
static std::string in_words(const Matrix<double>& M) {
  std::string words;
  for (std::size_t i = 0; i < M.rows(); ++i)
    for (std::size_t j = 0; j < M.cols(); ++j)
      words += (i + j == 0 ? "" : j == 0 ? "; " : M.rows() == 1 ? ", " : " ") + significant(M(i, j) + 0.0);  // -0 is 0
  if (M.size() == 1) return words;
  return M.rows() == 1 ? "(" + words + ")" : "[" + words + "]";
}

plot::Diagram diagram_by_hand(const Mlp& net, const Mlp::Trace& t, const Loss<double>& loss, const Gradients<Mlp>& g) {
  using enum plot::Box::Kind;
  const Matrix<double> dH = matmul(loss.gradient, transpose(net.W[1]));
  const Matrix<double> dZ = hadamard(dH, map(t.Z[0], net.form.activation.prime));
  const auto box = [](const char* name, double column, double row, plot::Box::Kind kind, const Matrix<double>& forward,
                      const Matrix<double>& back) {
    return plot::Box{name, column, row, kind, "", in_words(forward), in_words(back)};
  };
  return {
      .title = join("Two inputs, two ", net.form.activation.name, " units, one output"),
      .boxes = {box("X", 0, 1, stored, t.H[0], g.dX), box("W₁", 0.4, 0, stored, net.W[0], g.d.W[0]),
                box("b₁", 1.5, 0, stored, net.b[0], g.d.b[0]), box("Z₁", 1, 1, computed, t.Z[0], dZ),
                box("H₁", 2, 1, computed, t.H[1], dH), box("W₂", 2.5, 0, stored, net.W[1], g.d.W[1]),
                box("b₂", 3.4, 0, stored, net.b[1], g.d.b[1]), box("Y", 3, 1, computed, t.Y, loss.gradient),
                plot::Box{"loss", 4, 1, computed, "", significant(loss.value), "1"}},
      .arrows = {
          {"X", "Z₁"}, {"W₁", "Z₁"}, {"b₁", "Z₁"}, {"Z₁", "H₁"}, {"H₁", "Y"}, {"W₂", "Y"}, {"b₂", "Y"}, {"Y", "loss"}}};
}

}  // namespace lesson1
