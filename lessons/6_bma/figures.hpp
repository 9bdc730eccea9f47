// The pictures of this lesson that show how a mechanism works, from the numbers of their parts.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <vector>

#include "common/frame/plot/scene.hpp"
#include "common/matrix.hpp"

namespace lesson6 {

// Of two tokens the second asks, and mixes what both offer.
struct TwoTokens {
  std::array<double, 2> tokens, scores, weights, offers;
  double mixture;
};
plot::Scene asks_of(const TwoTokens& two);

// The weights of a head, as many rows as columns, of which each token sees the last `window`.
plot::Scene head_of(const Matrix<double>& A, std::size_t window);

// Numbers in a row of cells.
struct Strip {
  std::string name, about;
  std::vector<double> values;
  bool is_mask = false;  // of zeros and ones: holes of a stencil
};
plot::Scene stencil_of(const std::string& title, const std::vector<Strip>& strips);

// What a block's attention adds to a token, both as root mean squares.
struct Stream {
  std::string name;
  double token, added;
};
plot::Scene stream_of(const std::string& title, const std::vector<Stream>& streams);

// One loss less another, pair by pair, in thousandths of a nat.
struct Pairs {
  std::string name;
  plot::Tone tone;
  std::vector<double> differences;
};
plot::Scene pairs_of(const std::string& title, const std::vector<Pairs>& rows);

// The weights of tokens that may read a first one without content; of the others some are triggers.
plot::Scene sink_of(const Matrix<double>& A, const std::vector<bool>& triggers);

// A line over steps, with its name at its end.
struct Curve {
  std::string name;
  plot::Tone tone;
  double width;
  std::vector<double> steps = {}, losses = {};
};
plot::Scene curves_of(const std::string& title, const std::string& contenders,
                      const std::vector<Curve>& curves);

}  // namespace lesson6
