// Checks elementary.hpp against long double functions, in units in the last place, in plain loops
// over arrays, as the lessons use it.
// SPDX-License-Identifier: MIT
#include "common/fast/elementary.hpp"

#include <algorithm>
#include <vector>

#include "tests/check.hpp"

namespace test_elementary {

template <class T>
using Limits = std::numeric_limits<T>;

template <class T, class F>
static std::vector<T> evaluate(const std::vector<T>& x, F f) {
  std::vector<T> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
  return y;
}

// Returns the error in steps of the format, fixed among subnormals; infinity and NaN must match.
template <class T>
static long double error_in_units(T y, long double exact) {
  const T rounded = static_cast<T>(exact);
  if (!std::isfinite(y) || !std::isfinite(rounded))
    return y == rounded || (std::isnan(y) && std::isnan(rounded)) ? 0
                                                                  : Limits<long double>::infinity();
  const int exponent = exact == 0 ? Limits<T>::min_exponent
                                  : std::max(std::ilogb(exact) + 1, Limits<T>::min_exponent);
  return std::abs(y - exact) / std::ldexp(1.0L, exponent - Limits<T>::digits);
}

// Spreads bit patterns over the whole format by the golden ratio; adds numbers where a function
// varies and around the ends of exp.
template <class T>
static std::vector<T> arguments() {
  using Bits = typename elementary::Format<T>::Bits;
  constexpr int count = 200'000;
  std::vector<T> x;
  std::uint64_t pattern = 0;
  for (int i = 0; i < count; ++i, pattern += 0x9e3779b97f4a7c15)
    x.push_back(std::bit_cast<T>(static_cast<Bits>(pattern >> (64 - Limits<Bits>::digits))));
  for (const T range : {T(1), T(20), T(105), T(750)})
    for (int i = 0; i < count; ++i) x.push_back(range * static_cast<T>(2.0 * i / count - 1));
  for (const int exponent :
       {Limits<T>::max_exponent, Limits<T>::min_exponent - Limits<T>::digits - 1})
    for (const T end : {Limits<T>::lowest(), Limits<T>::max()}) {
      T near = static_cast<T>(exponent * std::numbers::ln2_v<long double>);
      for (int i = 0; i < 100; ++i, near = std::nextafter(near, end)) x.push_back(near);
    }
  return x;
}

// A loop's vector part and its scalar end must agree.
template <class T, class F, class Exact>
static void accurate(Checks& check, const std::string& name, F f, Exact exact, long double bound) {
  // Where long double is no longer than T, the reference itself may be one unit off.
  if (Limits<long double>::digits == Limits<T>::digits) ++bound;
  const std::vector<T> x = arguments<T>(), y = evaluate(x, f);
  long double worst = 0;
  T where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double error = error_in_units(y[i], exact(static_cast<long double>(x[i])));
    if (error > worst) where = x[i];
    worst = std::max(worst, error);
  }
  check.near(double(worst), 0, double(bound),
             name + ", error in units, worst at " + std::to_string(where));
  const std::size_t first = x.size() - 150'000;  // among ordinary numbers
  for (std::size_t length = 67; length > 0; --length) {
    const std::vector<T> part = evaluate(std::vector<T>(&x[first], &x[first + length]), f);
    check.that(std::equal(part.begin(), part.end(), &y[first]),
               name + " does not depend on the place in the array");
  }
}

// The header states these bounds. Measured with g++ and clang++, contraction on and off: at most
// 1.03, 2.44 and 2.26.
template <class T>
static void all(Checks& check) {
  const std::string name = sizeof(T) == sizeof(float) ? "float " : "double ";
  using Exact = long double;
  const auto exp = [](T x) {
    return elementary::exp(x);
  };  // inlined into the loop, unlike a function's address
  const auto tanh = [](T x) { return elementary::tanh(x); };
  const auto sigmoid = [](T x) { return elementary::sigmoid(x); };
  const auto exact_exp = [](Exact x) { return std::exp(x); };
  const auto exact_tanh = [](Exact x) { return std::tanh(x); };
  const auto exact_sigmoid = [](Exact x) {
    return (x < 0 ? std::exp(x) : 1) / (1 + std::exp(-std::abs(x)));
  };
  accurate<T>(check, name + "exp", exp, exact_exp, 1.3L);
  accurate<T>(check, name + "tanh", tanh, exact_tanh, 2.6L);
  accurate<T>(check, name + "sigmoid", sigmoid, exact_sigmoid, 2.6L);
  // A few units would hide these: an exact 1, the sign of zero, tanh odd and at most 1.
  const T infinity = Limits<T>::infinity(), least = Limits<T>::denorm_min(),
          most = Limits<T>::max();
  const std::vector<T> ends{0, -T(0), least, -least, infinity, -infinity, most, -most};
  check.that(evaluate(ends, exp) == std::vector<T>{1, 1, 1, 1, infinity, 0, infinity, 0},
             name + "exp at the ends");
  check.that(evaluate(ends, sigmoid) == std::vector<T>{.5, .5, .5, .5, 1, 0, 1, 0},
             name + "sigmoid at the ends");
  check.that(evaluate(ends, tanh) == std::vector<T>{0, 0, least, -least, 1, -1, 1, -1},
             name + "tanh at the ends");
  bool odd = true;
  for (const T x : arguments<T>()) {
    const T y = tanh(x);
    odd = odd && (std::isnan(x) ||
                  (tanh(-x) == -y && std::signbit(y) == std::signbit(x) && std::abs(y) <= 1));
  }
  check.that(odd, name + "tanh(-x) = -tanh(x), also for the sign of zero, and at most 1");
}

static const Listed here("elementary", {all<float>, all<double>});

}  // namespace test_elementary
