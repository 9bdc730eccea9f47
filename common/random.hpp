// A seeded generator of random numbers. Its integers and uniforms are the same on every platform,
// unlike the distributions of the standard library; normals agree to 4 units in the last place,
// since log and cos come from the platform. A copy repeats what its original draws.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>

#include "common/matrix.hpp"

// Returns the seed of a run of a repeated experiment; run 0 has the program's own seed. For seeds
// below 2^48 and runs below 2^16 no two pairs give the same number, as seed + run would. You can
// repeat a run alone, with --seed set to its number.
inline std::uint64_t seed_of_run(std::uint64_t seed, std::uint64_t run) {
  return seed + (run << 48);
}

class Random {
 public:
  // Streams make many generators of one seed. These never start alike, since mix is a bijection;
  // other seeds with other streams do so with probability 2^-64.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    // The state is the output of SplitMix64 (Steele, Lea and Flood 2014), as the authors of xoshiro
    // advise: neighbouring seeds give unrelated states. mix(0) = 0, so stream 0 seeds as others do.
    std::uint64_t counter = seed ^ mix(stream);
    for (std::uint64_t& word : state_) {
      counter += 0x9e3779b97f4a7c15;
      word = mix(counter);
    }
  }

  // Draws 64 random bits: xoshiro256** 1.0 (Blackman and Vigna, ACM Trans. Math. Software 47, 2021;
  // prng.di.unimi.it). The state runs through all 2^256 - 1 values that are not zero: shifts and
  // exclusive ors are a linear map, which the two multiplications hide.
  std::uint64_t bits() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = std::rotl(b * 5, 7) * 9;
    const std::uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return result;
  }

  // Draws one of the 2^53 multiples of 2^-53 in [0, 1), each equally likely.
  double uniform() { return double(bits() >> 11) * 0x1p-53; }

  // Draws from [low, high), never high itself. Throws std::invalid_argument unless low < high and
  // their difference is finite.
  double uniform(double low, double high) {
    if (!(low < high && std::isfinite(high - low)))
      throw std::invalid_argument("Random::uniform: empty or infinite range");
    // std::fma rounds once, on every machine. It may still round up to `high`.
    const double x = std::fma(high - low, uniform(), low);
    return x < high ? x : std::nextafter(high, low);
  }

  // Draws a normal of mean 0 and variance 1 (Box and Muller 1958). The second normal, with sin, is
  // not kept, so that the state is the four words alone. 1 - uniform lies in (0, 1], where log is
  // finite; no normal is larger than 8.6.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  // Draws an integer in [0, n), each equally likely. Throws std::invalid_argument for n = 0. The
  // lowest 2^64 mod n draws are rejected: the rest are a multiple of n, so that every remainder has
  // the same share.
  std::uint64_t below(std::uint64_t n) {
    if (n == 0) throw std::invalid_argument("Random::below: n is 0");
    const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n, since 0 - n is 2^64 - n
    std::uint64_t draw = bits();
    while (draw < rejected) draw = bits();
    return draw % n;
  }

  // Puts the items into random order: each place, from the last, takes an item that is left (Fisher
  // and Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[std::size_t(below(left))]);
  }

  // Draws an index with the probabilities in `law`, which sum to 1; the last index where rounding
  // leaves a gap.
  template <class T>
  std::size_t pick(std::span<const T> law) {
    double u = uniform();
    std::size_t index = 0;
    while (index + 1 < law.size() && u >= double(law[index])) {
      u -= double(law[index]);
      ++index;
    }
    return index;
  }

 private:
  // Spreads every bit over all 64, in a bijection: the output of SplitMix64.
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, double deviation, Random& random) {
  return map_entries(Matrix<T>(rows, cols), [&](T) { return T(deviation * random.normal()); });
}

// Draws independent numbers from U[-bound, bound).
template <class T>
Matrix<T> uniform_matrix(std::size_t rows, std::size_t cols, double bound, Random& random) {
  return map_entries(Matrix<T>(rows, cols), [&](T) { return T(random.uniform(-bound, bound)); });
}

// Draws weights from U[-1/√in, 1/√in): the sum of each unit starts with a third of the second
// moment of its inputs.
template <class T>
Matrix<T> uniform_weights(std::size_t in, std::size_t out, Random& random) {
  return uniform_matrix<T>(in, out, 1 / std::sqrt(double(in)), random);
}
