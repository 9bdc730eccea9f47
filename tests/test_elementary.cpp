// common/support/elementary.hpp against the long double functions of the standard library, in units in the last place:
// over the bit patterns of all numbers, over the range where the function varies, and on both sides of every reduction
// boundary, through a plain loop over an array, which is how the lessons use it.
// SPDX-License-Identifier: MIT
#include <algorithm>
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

// How far y is from the exact value, in units. What rounds to infinity or NaN must be just that: any other value counts
// as infinitely far.
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

// Appends the 2·reach + 1 neighbours of x in ascending order.
template <class T>
static void add_neighbours(std::vector<T>& all, T x, int reach) {
  for (int i = 0; i < reach; ++i) x = std::nextafter(x, Limits<T>::lowest());
  for (int i = -reach; i <= reach; ++i, x = std::nextafter(x, Limits<T>::max())) all.push_back(x);
}

// Bit patterns spread evenly over the whole format by the golden ratio (all exponents, both signs, NaN), as many evenly
// spaced numbers in each range where a function varies, and those around the places where exp leaves the format.
template <class T>
static std::vector<T> arguments() {
  using Bits = typename elementary::Format<T>::Bits;
  constexpr int count = 400'000;
  std::vector<T> x;
  std::uint64_t pattern = 0;
  for (int i = 0; i < count; ++i, pattern += 0x9e3779b97f4a7c15)
    x.push_back(std::bit_cast<T>(static_cast<Bits>(pattern >> (64 - Limits<Bits>::digits))));
  for (const T range : {T(1), T(20), T(105), T(750)})
    for (int i = 0; i < count; ++i) x.push_back(range * static_cast<T>(2.0 * i / count - 1));
  const int lowest_exponent = Limits<T>::min_exponent - Limits<T>::digits;  // of the smallest subnormal
  for (const int exponent : {Limits<T>::max_exponent, lowest_exponent - 1})
    add_neighbours(x, static_cast<T>(exponent * std::numbers::ln2_v<long double>), 100);
  return x;
}

// f agrees with `exact` within `bound` units everywhere, and from one number to the next it falls by at most `fall`:
// where the integer n of the reduction changes, at x·step = (n + 1/2)·ln 2, the pieces meet. Nor does the value depend
// on the place in the array: the vector part of a loop and its scalar end agree.
template <class T, class F, class Exact>
static void accurate(Checks& check, const std::string& name, F f, Exact exact, long double bound, T step, double fall) {
  // Where long double is no longer than T, as with some compilers, the reference may itself be one unit off.
  if (Limits<long double>::digits == Limits<T>::digits) ++bound;
  std::vector<T> x = arguments<T>();
  const std::vector<T> y = evaluate(x, f);
  long double worst = 0, worst_fall = 0;
  T where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double error = error_in_units(y[i], exact(static_cast<long double>(x[i])));
    if (error > worst) where = x[i];
    worst = std::max(worst, error);
  }
  check.near(double(worst), 0, double(bound), name + ", error in units, worst at " + std::to_string(where));

  for (int n = -150; n < 128; ++n) {
    std::vector<T> near_x;
    add_neighbours(near_x, (static_cast<T>(n) + T(0.5)) * std::numbers::ln2_v<T> / step, 300);
    const std::vector<T> near_y = evaluate(near_x, f);
    for (std::size_t i = 1; i < near_y.size(); ++i)
      worst_fall = std::max(worst_fall, (near_y[i - 1] - near_y[i]) / unit<T>(near_y[i]));
  }
  check.near(double(worst_fall), 0, fall, name + ", largest fall in units");

  bool same = true;
  const std::size_t first = x.size() - 300'000;  // among ordinary numbers
  for (std::size_t length = 67; length > 0; --length) {
    const std::vector<T> part = evaluate(std::vector<T>(&x[first], &x[first + length]), f);
    same = same && std::equal(part.begin(), part.end(), y.begin() + std::ptrdiff_t(first));
  }
  check.that(same, name + " depends on the place in the array");
}

// What an error of a few units would not show: the sign of zero, what is exactly 1, and that tanh is odd and at most 1.
template <class T>
static void exact_values(Checks& check, const std::string& name) {
  const T infinity = Limits<T>::infinity(), smallest = Limits<T>::denorm_min();
  // Through a loop over an array, as above: the compiler must not have evaluated them in advance.
  const std::vector<T> ends{0, -T(0), smallest, -smallest, infinity, -infinity, Limits<T>::max(), -Limits<T>::max()};
  const std::vector<T> e = evaluate(ends, elementary::exp<T>), s = evaluate(ends, elementary::sigmoid<T>);
  check.that(e == std::vector<T>{1, 1, 1, 1, infinity, 0, infinity, 0}, name + "exp at 0 and at the ends");
  check.that(s == std::vector<T>{.5, .5, .5, .5, 1, 0, 1, 0}, name + "sigmoid at 0 and at the ends");
  check.that(evaluate(ends, elementary::tanh<T>) == std::vector<T>{0, 0, smallest, -smallest, 1, -1, 1, -1},
             name + "tanh at 0 and at the ends");
  bool odd = true;
  for (const T x : arguments<T>()) {
    const T y = elementary::tanh(x), mirrored = elementary::tanh(-x);
    odd = odd && (std::isnan(x) || (mirrored == -y && std::signbit(y) == std::signbit(x) && std::abs(y) <= 1));
  }
  check.that(odd, name + "tanh(-x) = -tanh(x), also for the sign of zero, and at most 1");
}

// The bounds are those that the header states. Measured with g++ and clang++, contraction on and off: at most 1.03, 2.44
// and 2.26. exp never falls. The division in the others may leave them two units apart, within their accuracy.
template <class T>
static void all(Checks& check, const std::string& name) {
  using Exact = long double;
  const auto exp = [](T x) { return elementary::exp(x); };  // inlined into the loop, unlike a function's address
  const auto tanh = [](T x) { return elementary::tanh(x); };
  const auto sigmoid = [](T x) { return elementary::sigmoid(x); };
  accurate<T>(
      check, name + "exp", exp, [](Exact x) { return std::exp(x); }, 1.3L, 1, 0);
  accurate<T>(
      check, name + "tanh", tanh, [](Exact x) { return std::tanh(x); }, 2.6L, 2, 2);
  accurate<T>(check, name + "sigmoid", sigmoid, exact_sigmoid, 2.6L, 1, 2);
  exact_values<T>(check, name);
}

int main() {
  Checks check;
  all<float>(check, "float ");
  all<double>(check, "double ");
  return check.done("test_elementary");
}
