// Tests of common/support/elementary.hpp against the long double functions of the standard library, in units in the last
// place: over the bit patterns of all numbers, over the range where the function varies, and on both sides of every
// reduction boundary, through a plain loop over an array, which is how the lessons use it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "common/support/elementary.hpp"
#include "tests/check.hpp"

template <class T>
using Limits = std::numeric_limits<T>;

template <class T, class F>
static std::vector<T> evaluate(const std::vector<T>& x, F f) {
  std::vector<T> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
  return y;
}

// The distance from one number of format T to the next, where `value` lies; among the subnormals their fixed step.
template <class T>
static long double unit(long double value) {
  const int exponent = value == 0 ? Limits<T>::min_exponent : std::ilogb(value) + 1;
  return std::ldexp(1.0L, std::max(exponent, Limits<T>::min_exponent) - Limits<T>::digits);
}

// How far y is from the exact value, in units. What rounds to infinity or NaN must be just that: any other value counts as
// infinitely far.
template <class T>
static long double error_in_units(T y, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isfinite(y) && std::isfinite(rounded)) return std::abs(y - exact) / unit<T>(exact);
  const bool same = y == rounded || (std::isnan(y) && std::isnan(rounded));
  return same ? 0 : Limits<long double>::infinity();
}

static long double exact_sigmoid(long double x) {
  const long double e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// 400,000 bit patterns spread evenly over the whole format by the golden ratio (all exponents, both signs, NaN), and as
// many evenly spaced numbers in each range where a function varies.
template <class T>
static std::vector<T> arguments() {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  constexpr int count = 400'000;
  std::vector<T> x;
  std::uint64_t pattern = 0;
  for (int i = 0; i < count; ++i, pattern += golden) {
    using Bits = typename elementary::Format<T>::Bits;
    x.push_back(std::bit_cast<T>(static_cast<Bits>(pattern >> (64 - Limits<Bits>::digits))));
  }
  for (const T range : {T(1), T(20), T(105), T(750)})
    for (int i = 0; i < count; ++i) x.push_back(range * static_cast<T>(2.0 * i / count - 1));
  return x;
}

// The 2·reach + 1 neighbours of x in ascending order, with x in the middle.
template <class T>
static std::vector<T> neighbours(T x, std::size_t reach) {
  std::vector<T> list(2 * reach + 1);
  for (std::size_t i = 0; i < reach; ++i) x = std::nextafter(x, Limits<T>::lowest());
  for (T& entry : list) {
    entry = x;
    x = std::nextafter(x, Limits<T>::max());
  }
  return list;
}

// f agrees with `exact` within `bound` units everywhere. Where long double is no longer than T, as with some compilers,
// the reference may itself be one unit off.
template <class T, class F, class Exact>
static void accurate(Checks& check, const std::string& name, F f, Exact exact, long double bound) {
  const std::vector<T> x = arguments<T>(), y = evaluate(x, f);
  if (Limits<long double>::digits == Limits<T>::digits) ++bound;
  long double worst = 0;
  T where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double error = error_in_units(y[i], exact(static_cast<long double>(x[i])));
    if (error > worst) worst = error, where = x[i];
  }
  char place[40];
  std::snprintf(place, sizeof place, ", worst at %.9g", static_cast<double>(where));
  check.near(static_cast<double>(worst), 0, static_cast<double>(bound), name + ", error in units" + place);
}

// Where the integer n of the reduction changes, at x·step = (n + 1/2)·ln 2, the pieces meet: from one number to the next
// f falls by at most `bound` units.
template <class T, class F>
static void rising(Checks& check, const std::string& name, F f, T step, long double bound) {
  long double worst = 0;
  for (int n = -150; n < 128; ++n) {
    const std::vector<T> x = neighbours((static_cast<T>(n) + T(0.5)) * std::numbers::ln2_v<T> / step, 300);
    const std::vector<T> y = evaluate(x, f);
    for (std::size_t i = 1; i < y.size(); ++i) worst = std::max(worst, (y[i - 1] - y[i]) / unit<T>(y[i]));
  }
  check.near(static_cast<double>(worst), 0, static_cast<double>(bound), name + ", largest fall in units");
}

// The value does not depend on the place in the array: the vector part of a loop and its scalar end agree.
template <class T, class F>
static void independent_of_place(Checks& check, const std::string& name, F f) {
  std::vector<T> all;
  for (int i = 0; i < 67; ++i) all.push_back(static_cast<T>(i * i % 67) / 7 - 4);
  const std::vector<T> expected = evaluate(all, f);
  bool same = true;
  for (std::size_t length = 1; length < all.size(); ++length) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(length);
    const std::vector<T> part = evaluate(std::vector<T>(all.begin(), end), f);
    same = same && std::equal(part.begin(), part.end(), expected.begin());
  }
  check.that(same, name + " depends on the place in the array");
}

// exp becomes infinite, and 0, at the very argument where the exact value rounds to that.
template <class T>
static void thresholds(Checks& check, const std::string& name) {
  const long double ln2 = std::numbers::ln2_v<long double>;
  const int lowest_exponent = Limits<T>::min_exponent - Limits<T>::digits;  // of the smallest subnormal
  bool same = true;
  for (const int exponent : {Limits<T>::max_exponent, lowest_exponent - 1})
    for (const T x : neighbours(static_cast<T>(exponent * ln2), 100)) {
      const T y = elementary::exp(x), exact = static_cast<T>(std::exp(static_cast<long double>(x)));
      same = same && std::isinf(y) == std::isinf(exact) && (y == 0) == (exact == 0);
    }
  check.that(same, name + "exp leaves the format at another argument than the exact function");
}

template <class T>
static void special_values(Checks& check, const std::string& name) {
  const T infinity = Limits<T>::infinity(), nan = Limits<T>::quiet_NaN(), smallest = Limits<T>::denorm_min();
  // Through a loop over an array, as above: the compiler must not have evaluated them in advance.
  const std::vector<T> x{0,    -T(0),    infinity,  -infinity,        nan,
                         -nan, smallest, -smallest, Limits<T>::max(), -Limits<T>::max()};
  const std::vector<T> e = evaluate(x, elementary::exp<T>), t = evaluate(x, elementary::tanh<T>),
                       s = evaluate(x, elementary::sigmoid<T>);
  check.that(e[0] == 1 && e[1] == 1 && e[6] == 1 && e[7] == 1, name + "exp(0) = exp(smallest) = 1");
  check.that(e[2] == infinity && e[8] == infinity && e[3] == 0 && e[9] == 0, name + "exp at the ends");
  check.that(std::isnan(e[4]) && std::isnan(e[5]), name + "exp(NaN)");
  check.that(t[0] == 0 && !std::signbit(t[0]) && t[1] == 0 && std::signbit(t[1]), name + "tanh keeps the sign of zero");
  check.that(t[6] == smallest && t[7] == -smallest, name + "tanh of the smallest number");
  check.that(t[2] == 1 && t[3] == -1 && t[8] == 1 && t[9] == -1, name + "tanh at the ends");
  check.that(std::isnan(t[4]) && std::isnan(t[5]), name + "tanh(NaN)");
  check.that(s[0] == T(0.5) && s[1] == T(0.5) && s[6] == T(0.5) && s[7] == T(0.5), name + "sigmoid(0) = 1/2");
  check.that(s[2] == 1 && s[3] == 0 && s[8] == 1 && s[9] == 0, name + "sigmoid at the ends");
  check.that(std::isnan(s[4]) && std::isnan(s[5]), name + "sigmoid(NaN)");
}

template <class T>
static void odd_and_limited(Checks& check, const std::string& name) {
  const std::vector<T> x = arguments<T>(), y = evaluate(x, elementary::tanh<T>);
  const std::vector<T> minus_x = evaluate(x, std::negate<T>()), mirrored = evaluate(minus_x, elementary::tanh<T>);
  bool odd = true, limited = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    odd = odd && mirrored[i] == -y[i];
    limited = limited && std::abs(y[i]) <= 1;
  }
  check.that(odd, name + "tanh(-x) = -tanh(x)");
  check.that(limited, name + "|tanh| <= 1");
}

template <class T>
static void all(Checks& check, const std::string& name) {
  const auto exp = [](T x) { return elementary::exp(x); };
  const auto tanh = [](T x) { return elementary::tanh(x); };
  const auto sigmoid = [](T x) { return elementary::sigmoid(x); };
  // The bounds are those that the header states. Measured with g++ and clang++, contraction on and off: at most 1.03,
  // 2.44 and 2.26.
  accurate<T>(
      check, name + "exp", exp, [](long double x) { return std::exp(x); }, 1.3L);
  accurate<T>(
      check, name + "tanh", tanh, [](long double x) { return std::tanh(x); }, 2.6L);
  accurate<T>(check, name + "sigmoid", sigmoid, exact_sigmoid, 2.6L);
  // exp never falls. The division in the others may leave them two units apart, within their accuracy.
  rising<T>(check, name + "exp", exp, 1, 0);
  rising<T>(check, name + "tanh", tanh, 2, 2);
  rising<T>(check, name + "sigmoid", sigmoid, 1, 2);
  independent_of_place<T>(check, name + "exp", exp);
  independent_of_place<T>(check, name + "tanh", tanh);
  independent_of_place<T>(check, name + "sigmoid", sigmoid);
  thresholds<T>(check, name);
  special_values<T>(check, name);
  odd_and_limited<T>(check, name);
}

int main() {
  Checks check;
  all<float>(check, "float ");
  all<double>(check, "double ");
  return check.done("elementary");
}
