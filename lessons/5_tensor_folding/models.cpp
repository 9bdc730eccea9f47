// What is compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/models.hpp"

#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"

namespace lesson5 {

template struct Net<float>;
template struct LinearNet<float>;
template struct UnitNet<float>;

template std::size_t sweep(Matrix<double>&, Matrix<double>&);

Products find_products(const Net<double>& net, std::size_t h, Random random) {
  constexpr long steps = 1000;
  // Of 48 starts on six nets .1 finds all in 34, .2 in 45, .3 in 46, .5 in 1.
  constexpr double rate = 0.2;
  NetForm form = net.form;
  form.hidden = h;
  Products products{Net<double>(form, random)};
  Net<double> of_net(net.form);
  const double whole = square_of_slices(net, of_net);
  AdamW<double> adam({.decay = 0});
  Pass<Net<double>> pass(products.net);
  ::train(products.net, pass, adam, {.steps = steps, .rate = rate}, HUGE_VAL, [&](long) {
    const Net<double> difference = minus(products.net, net);
    Net<double> of_both(difference.form);
    products.left =
        std::sqrt(std::max(square_of_slices(difference, of_both), 0.0) / std::max(whole, 1e-300));
    Net<double>& d = pass.g.parameters;
    d.W = Matrix<double>(column_block(of_both.W, 0, h));
    d.V = Matrix<double>(column_block(of_both.V, 0, h));
    d.U = Matrix<double>(row_block(of_both.U, 0, h));
    return products.left;
  });
  return products;
}

Learned learn(const Operation& operation, std::size_t modulus, const OperationSettings& settings,
              Random random) {
  std::vector<std::size_t> pairs(modulus * modulus);
  std::iota(pairs.begin(), pairs.end(), std::size_t(0));
  random.shuffle(std::span<std::size_t>(pairs));
  Matrix<float> X(pairs.size(), 2 * modulus), target(pairs.size(), modulus);
  std::vector<std::uint32_t> right;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::size_t a = pairs[k] / modulus, b = pairs[k] % modulus;
    right.push_back(std::uint32_t(operation(a, b)));
    X(k, a) = 1;
    X(k, modulus + b) = 1;
    target(k, right[k]) = 1;
  }
  const auto count = std::size_t(settings.seen * double(pairs.size()));
  const Matrix<float> seen(row_block(X, 0, count)), asked(row_block(target, 0, count));
  Learned learned{.net = Net<float>(of_products(2 * modulus, settings.products, modulus))};
  fill_normal(learned.net.tensors(), random, settings.start);
  AdamW<float> adam({.decay = settings.decay});
  Pass<Net<float>> pass(learned.net);
  const auto loss_of = [&](const Matrix<float>& Y) { return mean_squared_error(Y, asked); };
  const auto judge = [&](long steps, double) {
    if (steps == 0 || steps % 10 != 0) return true;
    const std::vector<std::uint32_t> answers = largest_of_rows(output(learned.net, X));
    const auto hits = [&](std::size_t from, std::size_t to) {  // as a share
      std::size_t equal = 0;
      for (std::size_t k = from; k < to; ++k) equal += answers[k] == right[k];
      return double(equal) / double(to - from);
    };
    learned.seen.push_back(hits(0, count));
    learned.unseen.push_back(hits(count, answers.size()));
    return true;
  };
  const Schedule schedule{.steps = settings.steps, .rate = settings.rate, .last = 1};
  ::train(
      learned.net, pass, adam, schedule, HUGE_VAL,
      [&](long) { return pass.run(learned.net, seen, loss_of); }, judge);
  judge(settings.steps, 0);
  return learned;
}

template void train(Net<float>&, const Images&, const ClassifierSettings&, Random);
template void train(LinearNet<float>&, const Images&, const ClassifierSettings&, Random);
template void train(UnitNet<float>&, const Images&, const ClassifierSettings&, Random);

}  // namespace lesson5
