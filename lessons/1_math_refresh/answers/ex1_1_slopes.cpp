// Exercise 1.1: the slopes of z·tanh(βz).
// Hint: In z, both factors of z·tanh(βz) move: product rule. In β, only one of them does.
// Hint: The chain rule: where z moves by a little, βz moves by β times as much. And where
// β moves by a little?
// Hint: In z: tanh(βz) + z·(slope of tanh(βz) in z). In β: z·(slope of tanh(βz) in β).
// SPDX-License-Identifier: MIT
#include <ex1_1_slopes.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_1 {

using lesson1::tanh_prime;

// tanh'(βz)
inline double prime_at(double z, double beta) {
  double prime = tanh_prime(beta * z);  // back
  slip(prime, 1 - std::tanh(beta * z), "tanh' is made of the square of tanh");
  slip(prime, 1 - beta * z * beta * z, "tanh' is made of the value of tanh, not of its place βz");
  slip(prime, tanh_prime(std::tanh(beta * z)),
       "tanh_prime computes the tanh on its own: give it the place βz, not tanh(βz)");
  slip(prime, tanh_prime(z), "tanh_prime stands at z; inside tanh there is βz");
  return prime;
}

// Both factors move: tanh(βz) + z·(slope of tanh(βz) in z), which is β·tanh'(βz).
inline double slope_in_z(double z, double beta) {
  double value = std::tanh(beta * z), inner = beta;
  slip(value, 0.0, "the term in which the factor z moves is missing");
  slip(inner, 1.0, "the chain rule: inside tanh, z is multiplied by β");
  slip(inner, -beta, "the sign between the two terms");
  double through_tanh = z * inner * prime_at(z, beta);  // back
  slip(through_tanh, 0.0, "tanh(βz) moves with z, too: a term is missing");
  slip(through_tanh, inner * prime_at(z, beta),
       "in a product rule each slope stands beside the other factor; the slope of tanh(βz) stands alone");
  double slope = value + through_tanh;  // back
  slip(slope, z * value, "that is the function itself, not its slope");
  slip(slope, prime_at(z, beta), "that is tanh' alone; the function is a product");
  slip(slope, z * z * prime_at(z, beta), "that is the slope in β");
  slip(slope, std::tanh(z) + z * tanh_prime(z), "β is missing: that is the slope of z·tanh z");
  slip(slope, z * tanh_prime(z),
       "tanh_prime stands at z, inside tanh there is βz; and the term in which the factor z moves is missing");
  return slope;
}

// Only tanh(βz) moves: z·(slope of tanh(βz) in β), which is z·tanh'(βz).
inline double slope_in_beta(double z, double beta) {
  double inner = z;
  slip(inner, 1.0, "a factor z is missing: the one in front, or the one by which βz moves");
  slip(inner, beta, "βz moves by z where β moves, not by β");
  double slope = z * inner * prime_at(z, beta);  // back
  slip(slope, slope + std::tanh(beta * z), "the factor in front does not move with β: there is one term too many");
  slip(slope, z * std::tanh(beta * z), "that is the function itself, not its slope");
  slip(slope, prime_at(z, beta), "that is tanh' alone: βz moves by z, and z stands in front");
  slip(slope, beta * prime_at(z, beta), "βz moves by z where β moves, not by β; and z stands in front");
  slip(slope, std::tanh(beta * z) + beta * z * prime_at(z, beta), "that is the slope in z");
  return slope;
}

}  // namespace ours::ex1_1

static Verdict check() {
  const std::vector<double> betas{-1, 0, 0.5, 1, 5}, zs{-3, -1, -0.3, 0, 0.5, 2};
  Matrix<double> z(1, betas.size() * zs.size()), beta(z);
  std::vector<std::string> places;
  for (std::size_t k = 0; k < z.size(); ++k) {
    z(0, k) = zs[k % zs.size()];
    beta(0, k) = betas[k / zs.size()];
    places.push_back(join("(", z(0, k), ", ", beta(0, k), ")"));
  }
  // The slope of a sum at one of its terms is that term's own.
  const auto sum = [&] { return dot(z, zip(z, beta, [](double x, double b) { return std::tanh(b * x); })); };
  const auto at = [&](auto f) { return zip(z, beta, f); };
  const Answer in_z{"slope_in_z", at(ex1_1::slope_in_z), numeric_gradient(z, sum), places},
      in_beta{"slope_in_beta", at(ex1_1::slope_in_beta), numeric_gradient(beta, sum), places};
  if (untouched(in_z) && untouched(in_beta)) return not_started();
  Findings findings;
  findings.add("slope_in_z", in_z, numeric, [&] { return at(ours::ex1_1::slope_in_z); });
  findings.add("slope_in_beta", in_beta, numeric, [&] { return at(ours::ex1_1::slope_in_beta); });
  return findings.verdict();
}
static const Exercise here{"1.1", "The slopes of z·tanh(βz)", check};
