// Lesson 2: draws from a random chain, and computes its entropy.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/model/4_markov.hpp"

#include <cmath>
#include <utility>

namespace lesson2 {

MarkovChain::MarkovChain(std::size_t symbols, Random& random) : symbols_(symbols), next_(symbols * symbols, symbols) {
  for (std::size_t pair = 0; pair < next_.rows(); ++pair) {
    double sum = 0;
    for (double& p : next_.row(pair)) {
      p = 0.01 + std::pow(random.uniform(), 2);
      sum += p;
    }
    for (double& p : next_.row(pair)) p /= sum;
  }
}

MarkovChain::MarkovChain(Matrix<double> next) : symbols_(next.cols()), next_(std::move(next)) {
  check_shapes(next_.rows() == symbols_ * symbols_, "MarkovChain", next_.shape(), {symbols_ * symbols_, symbols_});
}

std::vector<std::uint32_t> MarkovChain::draw(std::size_t count, Random& random) const {
  std::vector<std::uint32_t> text;
  std::size_t a = 0, b = 0;
  while (text.size() < count) {
    const std::size_t symbol = random.pick(next_.row(a * symbols_ + b));
    text.push_back(std::uint32_t(symbol));
    a = b;
    b = symbol;
  }
  return text;
}

// Pairs flow until they change by less than rounding.
std::vector<double> MarkovChain::stationary() const {
  std::vector<double> pi(next_.rows(), 1 / double(next_.rows()));
  for (int round = 0; round < 10'000; ++round) {
    std::vector<double> moved(pi.size());
    for (std::size_t pair = 0; pair < pi.size(); ++pair)
      for (std::size_t s = 0; s < symbols_; ++s) moved[pair % symbols_ * symbols_ + s] += pi[pair] * next_(pair, s);
    double change = 0;
    for (std::size_t pair = 0; pair < pi.size(); ++pair) change += std::abs(moved[pair] - pi[pair]);
    pi = moved;
    if (change < 1e-15) break;
  }
  return pi;
}

double MarkovChain::entropy_rate() const {
  const std::vector<double> pi = stationary();
  double rate = 0;
  for (std::size_t pair = 0; pair < pi.size(); ++pair)
    for (const double p : next_.row(pair)) rate -= pi[pair] * p * std::log(p);
  return rate;
}

double MarkovChain::loss(std::span<const std::uint32_t> text) const {
  double sum = 0;
  for (std::size_t t = 2; t < text.size(); ++t) sum -= std::log(next_(text[t - 2] * symbols_ + text[t - 1], text[t]));
  return sum / double(text.size() - 2);
}

}  // namespace lesson2
