// Tests common/model.hpp with a model of three lines: Y = X·W + b.
// Run: make test, or build/tests/test_model
// SPDX-License-Identifier: MIT
#include "common/loss.hpp"
#include "common/model.hpp"
#include "common/random.hpp"
#include "tests/check.hpp"

template <class T>
struct Layer {
  using Number = T;

  Shape form;
  Matrix<T> W, b;

  explicit Layer(const Shape& f) : form(f), W(f.rows, f.cols), b(1, f.cols) {}

  Tensors<T> tensors() { return {{"W", W}, {"b", b}}; }

  struct Trace {
    Matrix<T> Y;
  };
  struct Room {
    int passes = 0;
  };

  void forward(const Matrix<T>& X, Trace& t) const { t.Y = add_row(matmul(X, W), b); }
  void backward(const Matrix<T>& X, const Trace&, const Matrix<T>& dY, Gradients<Layer>& g) const {
    ++g.room.passes;
    g.d.W = matmul(transpose(X), dY);
    g.d.b = column_sums(dY);
    if (g.with_dX) g.dX = matmul(dY, transpose(W));
  }
};

static Layer<double> example() {
  Layer<double> layer({2, 2});
  layer.W = {{1, 0}, {-1, 2}};
  layer.b = {{1, -2}};
  return layer;
}

// Whole numbers throughout: every step is exact.
static void passes(Checks& check) {
  const Layer<double> layer = example();
  const Matrix<double> X{{1, 2}, {3, 4}}, Y{{0, 2}, {0, 6}}, dY{{1, -1}, {2, 0}};
  check.that(output(layer, X) == Y, "output is the Y of the trace");
  const auto loss_of = [&](const Matrix<double>& found) { return Loss<double>{dot(found, dY), dY}; };
  const Gradients<Layer<double>> g = gradients(layer, X, loss_of);
  check.that(g.d.W == Matrix<double>{{7, -1}, {10, -2}} && g.d.b == Matrix<double>{{3, -1}}, "gradients: parameters");
  check.that(g.dX == Matrix<double>{{1, -3}, {2, -2}}, "gradients: inputs");

  Pass<Layer<double>> pass(layer);
  check.that(!pass.g.with_dX, "training asks for no dX");
  check.that(pass.run(layer, 2 * X, loss_of) == dot(output(layer, 2 * X), dY), "a pass returns its loss");
  pass.run(layer, X, loss_of);
  check.that(pass.trace.Y == Y && pass.g.d.W == g.d.W && pass.g.d.b == g.d.b, "what an earlier pass left is gone");
  check.that(pass.g.dX.size() == 0 && pass.g.room.passes == 2, "no dX; the model's own room stays from pass to pass");
}

static void lists(Checks& check) {
  const Layer<double> layer = example();
  const ConstTensors<double> tensors = read_only(layer);
  check.that(tensors.size() == 2 && tensors[0].name == "W" && &tensors[1].tensor == &layer.b, "read_only: the model's");
  check.that(parameters_of(layer) == 6, "two times two weights and two biases");
}

// 90,000 draws: their mean has a deviation of 2/300, their mean square one of 4·√2/300; five of each.
static void drawn(Checks& check) {
  Layer<double> layer({300, 300});
  Random random(5, 1);
  fill_normal(layer.tensors(), random, 2);
  const double sum = dot(layer.W, Matrix<double>(300, 300, 1));
  check.near(sum / double(layer.W.size()), 0, 5 * 2 / 300.0, "fill_normal: mean");
  check.near(mean_square(layer.W), 4, 5 * 4 * std::sqrt(2.0) / 300, "fill_normal: deviation");
  check.that(layer.b != Matrix<double>(1, 300), "fill_normal: all tensors");
}

int main() {
  Checks check;
  passes(check);
  lists(check);
  drawn(check);
  return check.done("test_model");
}
