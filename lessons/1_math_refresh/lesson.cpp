// Lesson 1: why does a deep network need a variance law?
// SPDX-License-Identifier: MIT
#include "lessons/1_math_refresh/lesson.hpp"

#include "common/frame/lesson/model_visitors.hpp"

namespace lesson1 {

void equations(formula::EquationChecker& checker);
static const Part<Pool>* const parts[] = {&part0, &part1, &part2, &part3, &part4,
                                          &part5, &part6, &part7, &part8, &part9};

// The first batch is named input, each other after its model.
struct ExportsWithBatch : Exports {
  template <class Model>
  void add(const std::string& name, const Model& model, const Matrix<double>& X,
           const squared_error& loss) {
    const std::string input = file.contains("input.X") ? name + ".input." : "input.";
    add_matrix(file, input + "X", X);
    add_matrix(file, input + "T", loss.target);
    Exports::add(name, model, X, loss);
  }
};

// z is never 0, where ReLU has a corner.
static void add_activations(safetensors::File& file) {
  Matrix<double> z(1, 41);
  for (std::size_t k = 0; k < z.cols(); ++k) z(0, k) = 0.25 * (double(k) - 20) + 0.01;
  add_matrix(file, "act.z", z);
  std::string formulas;
  for (const Activation& phi : activations) {
    if (phi == linear_activation) continue;
    const std::string name(phi.exported);
    add_matrix(file, "act." + name, map_entries(z, phi.value));
    add_matrix(file, "act." + name + "_prime", map_entries(z, phi.prime));
    formulas += join(name, phi.formula.empty() ? "" : " ", phi.formula, "; ");
  }
  file.metadata["act"] = formulas + "and slopes";
}

// Throws UserError.
static int export_to(const std::string& path) {
  ExportsWithBatch to;
  to.file.metadata = {
      {"lesson", "1"},
      {"mlp",
       "Z1 = X W1 + b1; H1 = tanh Z1; Y = H1 W2 + b2; loss = mean over all entries of (Y - T)^2"}};
  visit_models(to);
  add_activations(to.file);
  return write_export(path, to.file);
}

static int run(const Options& options) {
  if (!options.export_file.empty()) return export_to(options.export_file);
  check_memory("--steps", 100 * double(options.steps));  // part 7 draws the loss of each step
  Pool pool = pool_of(options);
  Lesson lesson(options, "Lesson 1: why does a deep network need a variance law?");
  lesson.equations(equations);
  run_parts<Pool>(lesson, pool, parts);
  return lesson.finish(
      "Every layer multiplies the second moment of its signal by n·Var W times what the activation lets through, and "
      "fifty layers raise this factor to the fiftieth power. Only one variance makes it 1. For ReLU this is 2/n, with "
      "weights that are symmetric around 0. In square layers the gradient follows the same rule. With 1/n, networks "
      "of more than some ten layers learn later, even at their best rate.");
}

}  // namespace lesson1

int main(int argc, char** argv) {
  return run_program("lesson1", [&] {
    return lesson1::run(read_flags<Pool>(
        argc, argv, "lesson1", "Why does a deep network need a variance law?", {}, lesson1::parts));
  });
}
