// Checks every model (common/model_losses.hpp) at each point that its lesson lists: gradients
// against numbers, exactly for quadratic outputs, float against double, and the same bits from used
// traces and gradients, with dX and without.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <type_traits>

#include "common/gradcheck.hpp"
#include "common/model_losses.hpp"
#include "tests/check.hpp"

// A right derivation leaves rounding and the h⁴ term, below 1e-8 for O(1) parameters; a wrong one
// is off by more than 1e-4. Quadratic losses have no h⁴ term and a step of 1, so only a few hundred
// roundings of 1e-16 are left.
inline constexpr double smooth_tolerance = 1e-7, quadratic_tolerance = 1e-12;

// As a share of the tensor's largest entry: some hundred roundings of 6e-8 leave 1e-5, a factor
// wrong by a thousandth leaves 1e-3.
inline constexpr double float_tolerance = 1e-4;

// The same model and input in float; void for a model of doubles only. For inputs other than
// matrices or whole numbers, a lesson defines `narrowed`.
template <class Model>
struct InFloat {
  using type = void;
};
template <template <class> class Model>
struct InFloat<Model<double>> {
  using type = Model<float>;
};
inline Matrix<float> narrowed(const Matrix<double>& X) { return Matrix<float>(X.view()); }
template <class Input>
Input narrowed(const Input& X) {
  return X;
}

// Rounds the numbers of `wide` to float and gives them to both models.
inline void same_numbers(const Tensors<double>& wide, const Tensors<float>& narrow) {
  for (std::size_t t = 0; t < wide.size(); ++t) {
    narrow.at(t).tensor = Matrix<float>(wide[t].tensor.view());
    wide[t].tensor = Matrix<double>(narrow[t].tensor.view());
  }
}

// A model whose first gradient is off by a millionth: a lesson's own check must say so.
template <class Model>
struct Slipped {
  using Number = double;
  using Trace = typename Model::Trace;
  using Form = decltype(Model::form);
  Form form;
  Model net;

  explicit Slipped(const Form& f) : form(f), net(f) {}
  explicit Slipped(const Model& model) : form(model.form), net(model) {}
  Tensors<double> tensors() { return net.tensors(); }
  ConstTensors<double> tensors() const { return net.tensors(); }
  void forward(const Matrix<double>& X, Trace& t) const { net.forward(X, t); }
  void backward(const Matrix<double>& X, const Trace& t, const Matrix<double>& dY,
                Gradients<Slipped>& g) const {
    Gradients<Model> right(net);
    right.with_dX = g.with_dX;
    net.backward(X, t, dY, right);
    g.parameters.net = right.parameters;
    g.dX = right.dX;
    Matrix<double>& first = g.parameters.net.tensors()[0].tensor;
    first = (1 + 1e-6) * first;
  }
};

class GradientTest {
 public:
  // An exception, such as for shapes that do not fit, is a failed check.
  template <class Model, class Input, class LossOfY>
  void add(const std::string& name, Model model, Input X, const LossOfY& loss,
           Quadratic quadratic = Quadratic::none) {
    try {
      report(name, check_model(model, X, loss), smooth_tolerance);
      kept_passes(name, model, X, loss);
      narrow(name, model, X, loss);
      if (quadratic != Quadratic::none) exact(name, model, X, quadratic);
    } catch (const std::exception& error) {
      check.that(false, name + ": " + error.what() + "; " + gradients_set(model, X, loss));
    }
  }
  void test_only(const auto&... of) { add(of...); }

  // For gradients of no listed model; `loss()` reads the tensors as they stand.
  template <class Loss>
  void list(const std::string& name, const Tensors<double>& tensors,
            const Tensors<double>& gradients, Loss loss, Step step = Step::smooth) {
    report(name, check_gradients(tensors, gradients, loss, step),
           step == Step::smooth ? smooth_tolerance : quadratic_tolerance);
  }

  void in_float(const std::string& name, const Tensors<float>& found,
                const Tensors<double>& right) {
    double most = 0;
    for (const auto& [tensor, numbers] : right) most = std::max(most, largest_entry(numbers));
    for (std::size_t t = 0; t < right.size(); ++t) {
      // A gradient that is 0 in theory, such as that of keys' biases, is only rounding: in float,
      // as large as the others' rounding.
      const double own = largest_entry(right[t].tensor), size = own < 1e-12 * most ? most : own;
      check.near(max_abs_difference(Matrix<double>(found.at(t).tensor.view()), right[t].tensor), 0,
                 float_tolerance * size, name + ", in float: d" + right[t].name);
    }
  }

  int done(const char* name) const { return check.done(name); }

  Checks check;

 private:
  void report(const std::string& name, const GradientReport& gradients, double tolerance) {
    check.that(gradients.repeatable, name + ": a second forward gives the same loss");
    bool right = true;
    for (const GradientRow& row : gradients.rows) {
      // 0 in theory, as for keys' biases: a relative error says nothing about rounding.
      if (std::abs(row.derived) < 1e-12 && std::abs(row.numeric) < 1e-9) continue;
      right = right && row.worst <= tolerance;
      check.near(row.worst, 0, tolerance, name + ": relative error of d" + row.name);
      check.that(row.kinks == 0,
                 name + ", " + row.name + ": the point of the test lies off the kinks");
    }
    if (!right) print_table(gradients);
  }

  static void print_table(const GradientReport& gradients) {
    std::printf("  %-8s %-9s %12s  %-9s %14s %14s\n", "tensor", "shape", "worst error", "at",
                "derived", "numeric");
    for (const GradientRow& row : gradients.rows) {
      const std::string at = "(" + std::to_string(row.row) + ", " + std::to_string(row.col) + ")";
      std::printf("  %-8s %-9s %12.2g  %-9s %14.6g %14.6g\n", row.name.c_str(),
                  to_text(row.shape).c_str(), row.worst, at.c_str(), row.derived, row.numeric);
    }
  }

  // Says which gradients are set before a pass throws.
  template <class Model, class Input, class LossOfY>
  static std::string gradients_set(const Model& model, const Input& X, const LossOfY& loss) {
    Pass<Model> pass(model);
    pass.g.with_dX = true;
    try {
      pass.run(model, X, loss);
    } catch (const std::exception&) {  // already reported
    }
    std::string names;
    for (const auto& [name, tensor] : pass.g.parameters.tensors())
      if (largest_entry(tensor) > 0) names += " d" + name;
    return "before that, backward has set" + (names.empty() ? " nothing" : names);
  }

  // A trace and gradients that another model and batch have used must give the same bits.
  template <class Model, class Input, class LossOfY>
  void kept_passes(const std::string& name, const Model& model, const Input& X,
                   const LossOfY& loss) {
    Random random(91);
    const Gradients<Model> fresh = gradients(model, X, loss);
    Model other(model), right(fresh.parameters);
    Input another(X);
    fill_normal(other.tensors(), random);
    if (Matrix<double>* numbers = real_input(another))
      *numbers = normal_matrix<double>(numbers->rows(), numbers->cols(), 1, random);
    for (const bool with_dX : {true, false}) {
      Pass<Model> pass(model);
      pass.g.with_dX = with_dX;
      pass.run(other, another, loss);
      pass.run(model, X, loss);
      const Tensors<double> expected = right.tensors(), found = pass.g.parameters.tensors();
      for (std::size_t t = 0; t < expected.size(); ++t)
        check.that(found[t].tensor == expected[t].tensor, name + ": d" + expected[t].name +
                                                              " of a pass that is used again" +
                                                              (with_dX ? "" : ", without dX"));
      if (with_dX) check.that(pass.g.dX == fresh.dX, name + ": dX of a pass that is used again");
    }
  }

  template <class Model, class Input, class LossOfY>
  void narrow(const std::string& name, Model model, const Input& X, const LossOfY& loss) {
    using Narrow = typename InFloat<Model>::type;
    if constexpr (!std::is_void_v<Narrow>) {
      Narrow in_few(model.form);
      same_numbers(model.tensors(), in_few.tensors());
      Gradients<Model> right = gradients(model, X, loss);
      Gradients<Narrow> found = gradients(in_few, narrowed(X), loss);
      Tensors<double> all = right.parameters.tensors();
      Tensors<float> few = found.parameters.tensors();
      all.push_back({"X", right.dX});
      few.push_back({"X", found.dX});
      in_float(name, few, all);
    }
  }

  // The loss weighs the outputs by quarters, whose sums and products are exact.
  template <class Model, class Input>
  void exact(const std::string& name, Model model, Input X, Quadratic quadratic) {
    Random random(92);
    for (const auto& [tensor, numbers] : model.tensors())
      numbers = quarters(numbers.rows(), numbers.cols(), random);
    if (Matrix<double>* numbers = real_input(X))
      *numbers = quarters(numbers->rows(), numbers->cols(), random);
    const Matrix<double> Y = output(model, X);
    GradientReport found =
        check_model(model, X, weighted_sum{quarters(Y.rows(), Y.cols(), random)}, Step::quadratic);
    if (quadratic == Quadratic::parameters) found.rows.resize(model.tensors().size());
    report(name + ", whose outputs the list calls quadratic", found, quadratic_tolerance);
  }
};
