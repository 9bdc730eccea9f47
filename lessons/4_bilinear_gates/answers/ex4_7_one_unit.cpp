// Exercise 4.7: an activation that finds XOR with one unit.
// Hint: With z = x - y the corners have z = 0, 1, -1 and 0. What must φ do between -1 and 1, which
// ReLU does not?
// Hint: A kink is enough on paper. But a start may put all four z on one side of it, where φ is
// straight and the net affine: the loss stops at 1/4. If φ is flat at three corners, it stops at
// 1/6. What is nowhere straight, and nowhere flat?
// Hint: The starts have z between -2.1 and 2.1. A wave is bent nearly everywhere and turns
// everywhere: cos z, with the slope -sin z. √(1 + z²) and z·tanh z will do as well.
// SPDX-License-Identifier: MIT
#include <cmath>

// For the check:
#include <ex4_7_one_unit.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"
#include "lessons/4_bilinear_gates/train.hpp"

using namespace exercise;
using namespace lesson4;

namespace ours::ex4_7 {

// φ(z). A wave is nowhere straight or flat for long.
inline double value(double z) { return std::cos(z); }

inline double slope(double z) { return -std::sin(z); }

}  // namespace ours::ex4_7

// Diagnoses φ before training, from its values at equal steps.
static std::string by_shape(const std::vector<double>& phi) {
  double rise = 0, fall = 0, third = 0, largest = 0;
  for (std::size_t k = 0; k + 3 < phi.size(); ++k) {
    rise = std::max(rise, phi[k + 1] - phi[k]);
    fall = std::max(fall, phi[k] - phi[k + 1]);
    third = std::max(third, std::abs(phi[k + 3] - 3 * phi[k + 2] + 3 * phi[k + 1] - phi[k]));
    largest = std::max(largest, std::abs(phi[k]));
  }
  if (rise == 0 && fall == 0) return "it is a constant: nothing of x and y comes through";
  if (fall == 0) return "it never falls, and no unit that only rises is XOR (section 1)";
  if (rise == 0) return "it never rises, and no unit that only falls is XOR (section 1)";
  if (third <= 1e-12 * largest)
    return "it is a polynomial of degree 2: that is a product of equal factors";  // rounding
  return "";
}

// Trains one unit from a start of section 6. Says how φ leaves no slope there, or "".
static std::string failure(const Activation& phi, std::size_t start, double rate) {
  Random random(seed_of_run(1, start), xor_stream);
  HiddenNet<double> net({phi, 2, 1, 1}, random);
  const Fit end = fit(net, corner_rows(), error_to(column_of(xor_gate.truth)), {.rate = rate});
  if (end.succeeded()) return "";
  if (!std::isfinite(end.loss) || end.loss > 1) return "leave all bounds: φ is too steep";
  const Matrix<double> Z = add_row(matmul(corner_rows(), net.W), net.b);
  std::vector<double> slopes;
  for (const double z : Z.values()) slopes.push_back(phi.slope(z));
  std::sort(slopes.begin(), slopes.end());
  const double size = std::max(std::abs(slopes[0]), std::abs(slopes[3]));
  const auto flat =
      std::count_if(slopes.begin(), slopes.end(), [&](double s) { return std::abs(s) <= 0.02; });
  if (flat >= 2)
    return "stop where φ is flat at several corners, and gives them all one number (section 6)";
  if (slopes[3] - slopes[0] <= 0.05 * size)
    return "stop at 1/4, where φ is straight over all four corners: an affine net";
  if (end.loss < 0.05) return "come near XOR and do not settle: φ turns too sharply";
  return "stop in other ways: is φ much larger than the 0 and 1 of XOR, or too steep?";
}

static Assessment check() {
  const Activation phi{ex4_7::value, ex4_7::slope};
  Matrix<double> Z(1, 160);  // from -8 to 8, off round numbers, where kinks lie
  std::vector<std::string> places;
  for (std::size_t k = 0; k < Z.size(); ++k) {
    Z(0, k) = -7.97 + 0.1003 * double(k);
    places.push_back(join("at z = ", fixed(Z(0, k), 4)));
  }
  const Matrix<double> values = map_entries(Z, phi.value), slopes = map_entries(Z, phi.slope),
                       of_relu = map_entries(Z, relu_activation.slope);
  if (values == map_entries(Z, relu_activation.value) && slopes == of_relu) return not_started();
  const std::string not_finite = misfit_of({"", values, values, places});
  if (!not_finite.empty()) return wrong("value " + not_finite);
  const auto sum = [&] { return dot(Matrix<double>(1, Z.size(), 1), map_entries(Z, phi.value)); };
  std::string cause = diagnose({"", slopes, numeric_gradient(Z, sum), places}, numeric);
  if (!cause.empty()) {
    if (slopes == of_relu) cause = "that is still the slope of ReLU";
    else if (slopes == values) cause = "that is φ itself; we ask for its slope";
    return wrong("slope: " + cause);
  }
  const std::string shape = by_shape({values.values().begin(), values.values().end()});
  if (!shape.empty()) return wrong("value: " + shape);

  constexpr std::size_t starts = 100, wanted = 95;
  std::size_t fewest = starts + 1;
  std::string best;
  for (const double rate : xor_rates) {
    std::map<std::string, std::size_t> failures;
    for (std::size_t k = 0; k < starts; ++k) ++failures[failure(phi, k, rate)];
    const std::size_t failed = starts - failures[""];
    failures.erase("");
    if (failed <= starts - wanted) return done();
    if (failed >= fewest) continue;
    fewest = failed;
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto& [how, count] = *std::max_element(failures.begin(), failures.end(), fewer);
    best = join("at best ", starts - failed, " of ", starts, " starts find XOR, at the rate ", rate,
                ". Of the others ", count, " ", how);
  }
  return wrong(best);
}
static const Exercise here{"4.7", "An activation that finds XOR", check};
