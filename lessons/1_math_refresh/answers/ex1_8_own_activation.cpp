// Exercise 1.8: an activation of your own.
// Hint: First choose a curve that you can differentiate, such as sin, atan, asinh, exp or a sum of
// them. Is it bounded? Then E[φ(z)²] is, too, and a factor in front may have to lift it above 1.
// Hint: E[φ(z)²] for one gain is gaussian_mean([](double z) { return phi(z) * phi(z); }, gain).
// This mostly grows with the gain, so each try halves the interval in which the right gain lies;
// start with 1e-3 and 1e3.
// Hint: For the last number E[h²] = 100 enters, and so z is from N(0, 100·gain). If a signal that
// is too large loses less of itself than one that is right, luck piles up. Then choose a φ that
// climbs more slowly further out.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "lessons/1_math_refresh/models.hpp"

// For the check:
#include <ex1_8_own_activation.hpp>

#include "common/frame/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_8 {

// It lets all of a small signal through but half of a large one: what is too large comes back.
inline double phi(double z) { return z > 0 ? z : std::atan(z); }
inline double phi_prime(double z) {
  return z > 0 ? 1 : 1 / (1 + z * z);  // back
}

// E[φ(z)²] for z from N(0, variance)
inline double moment(double (*of)(double), double variance) {
  return lesson1::gaussian_mean([of](double z) { return of(z) * of(z); }, variance);
}

// E[φ(z)²] grows with the gain, so we bisect the logarithm: the gain may be small or large.
inline double gain_of(double (*of)(double)) {
  double low = 1e-3, high = 1e3;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = std::sqrt(low * high);
    double output = moment(of, middle);
    slip(
        output, lesson1::gaussian_mean(of, middle),
        "that is the gain with E[φ(z)] = 1, or with its square; we ask for the mean of the square");
    slip(output, output - std::pow(lesson1::gaussian_mean(of, middle), 2),
         "that keeps the variance of φ(z); we ask for the mean of its square");
    slip(output, output / middle,
         "E[φ(z)²] should be the 1 that entered, not the E[z²] of the middle");
    bool too_small = output < 1;
    slip(too_small, !too_small,
         "the search went the wrong way and stopped at one end, as when its ends are exchanged");
    if (too_small) low = middle;
    else high = middle;
  }
  double gain = std::sqrt(low * high);
  slip(gain, std::sqrt(gain),
       "that is its root: the gain is a variance, and so is what gaussian_mean takes");
  slip(gain, gain * gain,
       "that is its square: the second argument of gaussian_mean is a variance, not its root");
  slip(gain, 1 / gain, "upside down: the gain has to make up for what a layer takes");
  slip(
      gain, 1 / moment(of, 1),
      "that is one step from a gain of 1, which is right if φ only scales; else go on until it settles");
  slip(gain, moment(of, 1), "that is what a gain of 1 leaves of E[h²] = 1");
  slip(gain, 2.0, "that is the gain of ReLU");
  slip(gain, 1.0, "that is the gain of a straight line");
  return gain;
}
inline double gain() { return gain_of(phi); }

// φ does not scale: it makes less than 100 of 100.
inline double made_of_100_by(double (*of)(double), double gain) {
  double variance = 100 * gain;
  slip(variance, 10 * gain, "a signal ten times as large has a hundred times the E[h²]");
  slip(variance, 100.0, "that is without the gain: z is from N(0, 100·gain)");
  slip(variance, gain, "that is what the layer makes of 1; now 100 enters");
  slip(variance, std::sqrt(variance),
       "the second argument of gaussian_mean is a variance, not its root");
  slip(variance, variance * variance,
       "the second argument of gaussian_mean is a variance, not its square");
  double output = moment(of, variance);
  slip(output, 100.0,
       "a straight line makes 100 of it, and so does ReLU at its gain, but this φ does not scale");
  slip(output, std::sqrt(output), "that is its root; we ask for E[h²]");
  slip(output, lesson1::gaussian_mean(of, variance), "that is E[φ(z)]: the square is missing");
  return output;
}
inline double made_of_100() { return made_of_100_by(phi, gain()); }

}  // namespace ours::ex1_8

using ours::ex1_8::moment, ours::ex1_8::gain_of, ours::ex1_8::made_of_100_by;
using Function = double (*)(double);

// Returns why φ is no new activation, or nothing.
static std::string diagnose_phi(const Matrix<double>& z, Function phi) {
  const Matrix<double> h = map_entries(z, phi);
  if (const std::string text = misfit_of({"phi", h, h}); !text.empty()) return text;
  const auto is = [&](const Matrix<double>& other) { return agrees(h, other, 1e-9); };
  if (is(map_entries(z, [=](double x) { return phi(x + 1e-4); })))
    return "flat except for jumps, so no gradient comes back";
  if (is(map_entries(z, [=](double x) { return phi(0) + x * (phi(1) - phi(0)); })))
    return "that is a straight line: two layers of it collapse into one";
  if (is(0.5 * map_entries(2 * z, phi)))
    return "two straight lines that meet at 0 are a leaky ReLU, and exercise 1.5 has its gain";
  for (const lesson1::Activation& known : lesson1::activations) {
    const Matrix<double> other = map_entries(z, known.value);
    if (is(dot(h, other) / dot(other, other) * other))
      return join("the course already has ", known.name, " and its multiples");
  }
  return "";
}

static Matrix<double> numeric_slopes(Matrix<double> z, Function phi) {
  const auto numeric_at = [phi](Matrix<double> at) {
    return numeric_gradient(
        at, [&] { return dot(map_entries(at, phi), Matrix<double>(1, at.size(), 1)); });
  };
  Matrix<double> slopes = numeric_at(z);
  const Matrix<double> h = map_entries(z, phi), right = slopes;
  slip(slopes, h, "that is φ, not its slope");
  slip(slopes, numeric_at(h), "the slope is taken at φ(z); take it at z");
  slip(slopes, hadamard(right, right), "that is the square of the slope: is a root missing?");
  slip(slopes, 2 * hadamard(h, right), "that is the slope of φ²");
  slip(slopes, Matrix<double>(1, z.size(), 1),
       "1 is the slope of the straight line that stood there");
  slip(slopes, 0 * z, "with 0 nothing comes back, and nothing is learnt");
  slip(slopes, hadamard(right, map_entries(z, lesson1::relu_prime)), "φ has a slope below 0, too");
  return slopes;
}

// ln E[h²] after thirty layers, averaged over networks, beside what (1.17) says for this φ. A layer
// multiplies E[h²] by a mean of n numbers with variance κ, and an earlier error by χ.
struct ThirtyLayers {
  double measured = 0, expected = 0, variance = 0;
  double chi = 0;
};
constexpr std::size_t width = 256, networks = 4;

static ThirtyLayers thirty_layers(Function phi, double gain) {
  const auto to_the_fourth = [phi](double z) { return std::pow(phi(z), 4); };
  const double kappa =
      lesson1::gaussian_mean(to_the_fourth, gain) / std::pow(moment(phi, gain), 2) - 1;
  ThirtyLayers sum;
  sum.chi = std::log(moment(phi, gain * 1.001) / moment(phi, gain * 0.999)) / 0.002;
  std::vector<Matrix<double>> h(networks, Matrix<double>(1, width, 1));
  for (std::size_t l = 0; l < 30; ++l) {
    sum.variance += kappa / width * std::pow(sum.chi, 2 * double(l));
    sum.expected -= kappa / (2 * width) * std::pow(sum.chi, double(l));
    Random random(1, 150 + l);
    for (Matrix<double>& one : h) {
      const auto W = normal_matrix<double>(width, width, std::sqrt(gain / width), random);
      one = map_entries(matmul(one, W), phi);
    }
  }
  for (const Matrix<double>& one : h) sum.measured += std::log(mean_square(one)) / networks;
  return sum;
}

// Returns the known cause of a wrong number, or nothing.
template <class Ours>
static std::string cause_or(const std::string& unnamed, double yours, bool fits, const Ours& ours) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); };
  if (slips().tested) test_slips(ours, near, near);
  if (fits) return "";
  const std::string cause = cause_of(yours, ours, near);
  return cause.empty() ? unnamed : cause;
}

static std::string diagnose_gain(Function phi, double gain) {
  if (!(gain > 0 && gain < HUGE_VAL)) return "not a finite number above 0";
  double least = HUGE_VAL, most = 0;  // of E[φ(z)²]
  for (double tried = 1e-3; tried < 2e3; tried *= 2) {
    least = std::min(least, moment(phi, tried));
    most = std::max(most, moment(phi, tried));
  }
  const std::string none = "there is none: E[φ(z)²] is never ",
                    factor = "; a factor in front of φ ";
  if (most < 1) return join(none, "above ", most, factor, "lifts it");
  if (least > 1) return join(none, "below ", least, factor, "lowers it");
  const double output = moment(phi, gain);
  const std::string cause =
      cause_or("not that", gain, std::abs(output - 1) <= 1e-3, [&] { return gain_of(phi); });
  const ThirtyLayers deep = thirty_layers(phi, gain);
  const double last = std::exp(deep.measured);
  const std::string layers =
      "thirty layers leave E[h²] = " + (std::isnan(last) ? "no number" : significant(last));
  if (!cause.empty())
    return join(cause, "; by (1.16) a layer makes ", output, " of E[h²] = 1, and ", layers);
  if (deep.variance > 1)  // a factor of e either way; ReLU's is 0.6
    return join("right by (1.16), but networks do not keep to it: what is 1 % too large is ",
                deep.chi, " % too large a layer later; ", layers);
  const double luck = 4.5 * std::sqrt(deep.variance / double(networks));
  return std::abs(deep.measured - deep.expected) <= luck ? "" : "right by (1.16), but " + layers;
}

static Assessment check() {
  Matrix<double> z(1, 21);
  Answer slopes{"phi_prime", z, z};
  for (std::size_t k = 0; k < z.size(); ++k) {
    z(0, k) = -6.1 + 0.613 * double(k);  // at no likely corner
    slopes.places.push_back(join("phi_prime(", z(0, k), ")"));
  }
  const double gain = ex1_8::gain(), output = ex1_8::made_of_100();
  if (map_entries(z, ex1_8::phi) == z && gain == 1)
    return not_started("phi: a straight line, of which two layers collapse into one");
  slopes.yours = map_entries(z, ex1_8::phi_prime);
  slopes.right = numeric_slopes(z, ex1_8::phi);
  Findings findings;
  findings.add("phi", diagnose_phi(z, ex1_8::phi));
  findings.add(
      "phi_prime", slopes, numeric, [&] { return numeric_slopes(z, ex1_8::phi); },
      numeric.relative);
  findings.add("gain", diagnose_gain(ex1_8::phi, gain));
  const double right = moment(ex1_8::phi, 100 * gain);
  const bool fits = std::abs(output - right) <= 0.01 * right;
  findings.add("made_of_100", cause_or(output > right ? "too large" : "too small", output, fits,
                                       [&] { return made_of_100_by(ex1_8::phi, gain); }));
  return findings.verdict();
}
static const Exercise here{"1.8", "An activation of your own", check};
