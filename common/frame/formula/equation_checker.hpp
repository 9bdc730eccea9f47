// The equations of a README, executed: each formula is computed from the text
// and compared with what the program holds. A lesson binds its equations in
// `void equations(formula::EquationChecker&)`.
// SPDX-License-Identifier: MIT
#pragma once

#include "common/frame/formula/derivation.hpp"
#include "common/model.hpp"

namespace formula {

class EquationChecker {
 public:
  explicit EquationChecker(std::string_view readme);

  // Computes the sides of the formulas with these numbers, "1.12 1.13", in a scope, and compares
  // them, or those of the lines back. Of m ← ... the scope holds the new value as "m←", with which
  // later lines go on.
  void holds(const std::string& numbers, const Scope& scope, bool back = false);

  // Does so with a model's forward lines; compares what its lines back make of dY with the
  // gradients in `scope`, and with central differences through Σ dY ⊙ Y. No line makes `inputs`.
  // The lines back are run as they stand in the README, or in the order of the numbers `back`.
  void model(const std::string& numbers, const Scope& scope, const std::vector<std::string>& inputs,
             const std::string& output = "Y", const std::string& back = "");

  // Binds a model of the course: its tensors, `named(trace)`, the input X, and the gradients.
  template <class Model, class Input, class LossOfY, class NamedOf>
  void model(const std::string& numbers, const Model& model, const Input& X, const LossOfY& loss_of,
             const NamedOf& named, Scope scope = {});

  // Says why a number, such as a law of random numbers or a bound, does not run, and what
  // replaces it.
  void instead(const std::string& number, const std::string& why);

  // Prints a line for each number. Returns 0 if all that run are equal and the others are spoken
  // of, else 1.
  int report() const;

  // Returns what the page says of each number that runs: "equal to 2e-16".
  std::map<std::string, std::string> marks() const;

  // Returns how many lines hold, and a sentence for each that does not, is not run, or stops the
  // program that runs it: "(4.4), line 120: H = P ⊙ P differs by .3".
  std::size_t held() const;
  std::vector<std::string> complaints() const;

 private:
  struct Entry {
    Line line;
    bool runs = false;
    double error = 0, difference = 0;    // to the program's value, and to central differences
    std::string why = {}, problem = {};  // why it does not run, and what stopped it

    bool is_equal() const;  // as far as it runs
    std::string text() const;
    std::string complaint() const;  // empty where it holds
  };
  static void work_out(Entry& entry, Scope& scope);
  static void compare(Entry& entry, const Equation& equation, const Scope& scope);

  // Call f for the lines with these numbers, in the order of the numbers, or of the text.
  void forward(const std::string& numbers, const std::function<void(Entry&)>& f);
  void backward(const std::string& numbers, const std::function<void(Entry&)>& f);
  static void call(const std::function<void(Entry&)>& f, Entry& entry);

  std::vector<Entry> entries_;
  std::vector<std::string> missing_;  // numbers that the README does not have
};

template <class Model, class Input, class LossOfY, class NamedOf>
void EquationChecker::model(const std::string& numbers, const Model& model, const Input& X,
                            const LossOfY& loss_of, const NamedOf& named, Scope scope) {
  std::vector<std::string> inputs;
  const auto g = gradients(model, X, loss_of);
  typename Model::Trace trace;
  model.forward(X, trace);
  const auto own = read_only(model), slopes = read_only(g.parameters);
  for (std::size_t k = 0; k < own.size(); ++k) {
    inputs.push_back(own[k].name);
    scope.values[own[k].name] = own[k].tensor;
    scope.values["d" + own[k].name] = slopes[k].tensor;
  }
  for (const auto& [name, value] : named(trace)) scope.values[name] = value;
  if constexpr (requires { Matrix<double>(X.view()); }) {
    scope.values["X"] = X;
    scope.values["dX"] = g.dX;
  }
  scope.values["dY"] = loss_of(trace.Y).gradient;
  for (const auto& [name, value] : scope.values)
    if (name[0] != 'd') inputs.push_back(name);
  this->model(numbers, scope, inputs);
}

}  // namespace formula
