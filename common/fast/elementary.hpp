// exp, tanh and sigmoid for float and double, without branches or calls, so that the compiler turns
// a plain loop into vector code. exp is off by 1.3 units in the last place at most, tanh and
// sigmoid by 2.6. The last place may differ between machines, and between two loops where the
// compiler fuses multiply and add differently.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

// -ffast-math, which -Ofast includes, takes (x + shift) - shift for x, and exp is wrong by 41 %.
#ifdef __FAST_MATH__
#error "exp, tanh and sigmoid would be wrong: drop -Ofast or -ffast-math, and keep the others"
#endif

// The steps below count on every result being rounded to its own type, unlike in the old
// floating-point unit of 32-bit x86. 16 speaks of float16 alone.
static_assert(
    FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
    "exp, tanh and sigmoid would be wrong: x87 arithmetic keeps more digits; build with -msse2 -mfpmath=sse");

namespace elementary {

// ln 2 = ln2_high + ln2_low: the high part ends in enough zero bits that n·ln2_high is exact for
// every n that occurs. exp rounds to 0 below -limit and to infinity above limit; NaN compares as
// neither and is kept. Adding `shift`, 1.5·2^(digits-1), leaves no bits for a fraction: the sum
// holds the nearest integer in its last bits.
template <class T>
struct Format;  // only float and double

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float limit = 104, shift = 0x1.8p23f;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double limit = 746, shift = 0x1.8p52;
};

template <class T>
inline T nearest_integer(T x) {
  return (x + Format<T>::shift) - Format<T>::shift;
}

// condition ? a : b on the bits. g++ may make a branch of a ternary, and a loop with a branch does
// not vectorise. (Nor does one with a call: g++ needs the hint `inline` throughout.)
template <class T>
inline T choose(bool condition, T a, T b) {
  using Bits = typename Format<T>::Bits;
  const Bits mask = Bits(0) - Bits(condition);
  return std::bit_cast<T>((std::bit_cast<Bits>(a) & mask) | (std::bit_cast<Bits>(b) & ~mask));
}

// 2^n: n + bias, moved to where the exponent stands.
template <class T>
inline T power_of_two(T n) {
  constexpr T bias = std::numeric_limits<T>::max_exponent - 1;
  const auto bits = std::bit_cast<typename Format<T>::Bits>(n + (Format<T>::shift + bias));
  return std::bit_cast<T>(bits << (std::numeric_limits<T>::digits - 1));
}

// first + r·(second + r·(third + ...))
template <class T, class... Rest>
inline T horner(T r, T first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return first;
  else return first + r * horner(r, rest...);
}

// x = n·ln 2 + r with n an integer and |r| <= (ln 2)/2, so that exp x = 2^n·(1 + q) with q = exp r
// - 1 (Cody and Waite, Software Manual for the Elementary Functions, 1980). q is the Taylor series
// r + r²/2! + r³/3! + ..., cut after r^7 in float and r^13 in double: the first term left out is at
// most 0.12 units in the last place of exp r. Minimax coefficients would save a term or two, but
// could not be checked by eye.
template <class T>
struct Reduced {
  T n, q;
};
template <class T>
inline Reduced<T> reduce(T x) {
  const T n = nearest_integer(x * std::numbers::log2e_v<T>);
  const T r = (x - n * Format<T>::ln2_high) - n * Format<T>::ln2_low;
  T tail = 1 / T(5040);
  if constexpr (std::numeric_limits<T>::digits > 24)
    tail = horner(r, tail, 1 / T(40320), 1 / T(362880), 1 / T(3628800), 1 / T(39916800),
                  1 / T(479001600), 1 / T(6227020800));
  return {n, r + r * r * horner(r, 1 / T(2), 1 / T(6), 1 / T(24), 1 / T(120), 1 / T(720), tail)};
}

// e^x; overflows to infinity and underflows to 0 as std::exp does, through the subnormal numbers,
// and is 1 at 0. The factor 2^n, which may lie outside the format, is applied in two halves.
template <class T>
inline T exp(T x) {
  constexpr T limit = Format<T>::limit;
  const auto [n, q] = reduce(choose(std::abs(x) > limit, std::copysign(limit, x), x));
  const T half = nearest_integer(n / 2);
  return (1 + q) * power_of_two(half) * power_of_two(n - half);
}

// (e^2x - 1) / (e^2x + 1) for x > 0, mirrored for x < 0: tanh(-x) is exactly -tanh(x). e^2x - 1 =
// (2^n - 1) + 2^n·q loses nothing near 0, where n = 0. From |x| = 20 on the result is ±1.
template <class T>
inline T tanh(T x) {
  const T size = std::abs(x);
  const auto [n, q] = reduce(2 * choose(size > 20, T(20), size));
  const T scale = power_of_two(n), e = (scale - 1) + scale * q;
  return std::copysign(e / (e + 2), x);
}

// 1 / (1 + e^-x) from e^-|x|, which cannot overflow; for x < 0 it is e^x / (1 + e^x), down
// to underflow.
template <class T>
inline T sigmoid(T x) {
  const T e = elementary::exp(-std::abs(x));
  return choose(x < 0, e, T(1)) / (1 + e);
}

}  // namespace elementary
