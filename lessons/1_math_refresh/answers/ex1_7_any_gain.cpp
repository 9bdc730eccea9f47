// Exercise 1.7: the gain of any activation.
// Hint: How large is E[φ(z)²] for z from N(0, gain·M) with a gain of your choice? Is it too
// large or too small?
// Hint: It grows with the gain. So each try halves the interval in which the right gain
// lies; start with 1e-3 and 1e3.
// Hint: gaussian_mean([phi](double z) { return phi(z) * phi(z); }, gain * M) is what a try
// leaves. Thirty halvings of the interval's logarithms are enough.
// SPDX-License-Identifier: MIT
#include <ex1_7_any_gain.hpp>

#include "common/exercise/exercise.hpp"

using namespace exercise;

namespace ours::ex1_7 {

// E[φ(z)²] for z from N(0, variance)
inline double moment(double (*phi)(double), double variance) {
  return lesson1::gaussian_mean([phi](double z) { return phi(z) * phi(z); }, variance);
}

// E[φ(z)²] grows with the gain, so it tells on which side of the middle the right one lies. The middle is taken between
// logarithms, since the gain may be small or large.
inline double gain(double (*phi)(double), double M) {
  double low = 1e-3, high = 1e3, wanted = M;
  slip(wanted, M * M, "M is a mean of squares already: it is not squared again");
  slip(wanted, std::sqrt(M), "M is the mean of the squares, and E[φ(z)²] as well: no root");
  slip(wanted, 1.0, "that is the gain that makes 1 of every M");
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = std::sqrt(low * high);
    double variance = middle * M;
    slip(variance, std::sqrt(variance), "the second argument of gaussian_mean is a variance, and no root of it");
    slip(variance, variance * variance, "the second argument of gaussian_mean is a variance, and not its square");
    double left = moment(phi, variance);
    slip(left, left / middle, "E[φ(z)²] is compared with gain·M; M itself is to come back");
    slip(
        left, [&] { return lesson1::gaussian_mean(phi, variance); },
        "that is the gain with E[φ(z)] = M: the square is missing");
    slip(
        left, [&] { return std::pow(lesson1::gaussian_mean(phi, variance), 2); },
        "that is the square of a mean; asked is the mean of the square");
    slip(
        left, [&] { return left - std::pow(lesson1::gaussian_mean(phi, variance), 2); },
        "that keeps the variance of φ(z); asked is the mean of its square");
    bool too_small = left < wanted;
    slip(too_small, !too_small, "the search went the wrong way and ended at an end, as where its ends are exchanged");
    if (too_small) low = middle;
    else high = middle;
  }
  double gain = std::sqrt(low * high);
  slip(gain, gain * M, "that is the variance of z; the gain is what M is multiplied by to make it");
  slip(gain, gain / M, "divided by M once too often");
  slip(gain, std::sqrt(gain), "that scales the deviation, not the variance");
  slip(gain, 1 / gain, "upside down: what a layer takes has to be made up for");
  slip(
      gain, [&] { return M / moment(phi, M); },
      "one step from a gain of 1: right where φ only scales; else go on until it settles");
  slip(gain, 1 / moment(phi, M), "one step from a gain of 1, and M is to come back, not 1");
  slip(gain, 1 / moment(phi, 1), "that is for z from N(0, 1): the size of the signal counts");
  slip(gain, moment(phi, M), "that is what a gain of 1 leaves of M");
  return gain;
}

}  // namespace ours::ex1_7

// The gains lie from 0.03 to 400: no search in a part of 1e-3 to 1e3 finds them all.
struct Level {
  const char* name;
  double (*phi)(double);
  double M;
};
static const Level levels[] = {{"linear", lesson1::linear_activation.value, 3},
                               {"ReLU", lesson1::relu, 0.5},
                               {"leaky ReLU", lesson1::leaky_relu, 2},
                               {"tanh", lesson1::tanh_activation.value, 0.1},
                               {"tanh", lesson1::tanh_activation.value, 0.6},
                               {"swish", lesson1::swish, 0.01},
                               {"swish", lesson1::swish, 100},
                               {"z/20", [](double z) { return z / 20; }, 2},
                               {"6·tanh", [](double z) { return 6 * std::tanh(z); }, 1}};

static Matrix<double> at_levels(double (*gain)(double (*)(double), double)) {
  Matrix<double> found(1, std::size(levels));
  for (std::size_t k = 0; k < found.size(); ++k) found(0, k) = gain(levels[k].phi, levels[k].M);
  return found;
}

static Verdict check() {
  constexpr Judge six_digits{2e-6, "right"};
  Answer answer{"gain", at_levels(ex1_7::gain), at_levels(ours::ex1_7::gain)};
  for (const Level& l : levels) answer.places.push_back(join("gain(", l.name, ", ", l.M, ")"));
  if (untouched(answer)) return not_started();
  if (const double first = answer.yours(0, 0); answer.yours == Matrix<double>(1, answer.yours.size(), first))
    return wrong(first == 2 ? "gain: that is ReLU's, for every φ"
                            : join("gain: the same for every φ and M, ", significant(first),
                                   ": if that is an end of a search, it went the wrong way"));
  const std::string text = diagnose(
      answer, six_digits, [] { return at_levels(ours::ex1_7::gain); }, 10 * six_digits.tolerance);
  if (text.empty()) return done();
  if (agrees(answer.yours, answer.right, 0.1))
    return wrong("gain: near, but not to six digits: look closer, or halve more often");
  return wrong("gain: " + text);
}
static const Exercise here{"1.7", "The gain of any activation", check};
