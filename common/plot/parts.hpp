// What the text and the SVG of a picture share: numbers that no locale can change, the check of what is drawn, and the
// geometry, from numbers to places between 0 and 1 along an axis, ticks at round numbers, lines interrupted and clipped.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/plot/plot.hpp"

namespace plot {

// ------------------------------------------------------------------------------------------------- labels and numbers

// Breaks a label of any bytes, made printable, into lines of at most `width` columns.
std::vector<std::string> lines_of(const std::string& label, std::size_t width);

// Returns the columns of the longest line.
std::size_t longest(const std::vector<std::string>& lines);

// Writes v to `significant` <= 17 digits, scientific below 1e-4 and from 1e6 on.
std::string number(double v, int significant = 3);

// Writes a coordinate: at most two decimals. |v| must be below 1e15.
std::string px(double v);

// ------------------------------------------------------------------------------------------------------------ checks

// Throws std::invalid_argument that says `what` unless it holds.
void require(bool holds, const std::string& what);

// Throw std::invalid_argument naming what is wrong: the series whose x and y differ in size, the point whose group does
// not exist, the axis whose limits are wrong, the map whose values or labels are not as many as its rows and columns
// say, the image whose values are not rows x cols, two boxes of one name, an arrow that leads nowhere.
void check(const Chart& chart);
void check(const Scatter& scatter);
void check(const HeatMap& map);
void check(const Sheet& sheet);
void check(const Diagram& diagram);

// Returns the box that arrows call by this name, where there is exactly one; else none.
const Box* box_of(const Diagram& diagram, const std::string& name);

// -------------------------------------------------------------------------------------------------------------- axes

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = 1e300;  // what can be drawn; the difference of two such numbers is still finite

// An axis with its limits known; on a log axis they are exponents of ten.
struct Scale {
  bool log = false;
  double low = 0, high = 1;

  // Returns where v lies: 0 at the low end, 1 at the high end, beyond them outside (at most 1e6); NaN if it has no
  // place.
  double at(double v) const;
};

// Returns the scale for these values: the limits of the axis where given, otherwise those of the values, widened by
// `margin` of the range (but not across zero). Values that coincide, or none at all, give a scale around them.
Scale fit(const Axis& axis, const std::vector<double>& values, double margin);

struct Tick {
  double at;  // between 0 and 1
  std::string label;
};

struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;  // places between 0 and 1
};

// Returns at most `most` >= 2 major ticks. A log axis that holds fewer than two powers of ten has them at 1, 2 and 5
// times these, or, where that gives fewer than two as well, at round numbers.
Ticks ticks(const Scale& scale, int most);

// Returns as many ticks, up to `most`, as leave a `gap` between labels along an axis of this length, centred at their
// ticks; `letter` is the extent of a letter in the direction of the axis. An axis with names has these at their numbers.
Ticks ticks_that_fit(const Axis& axis, const Scale& scale, int most, double length, double letter, double gap);

// Return the scales that fit the values of a chart.
Scale x_scale(const Chart& chart, double margin);
Scale y_scale(const Chart& chart, double margin);

// ------------------------------------------------------------------------------------------------------------- lines

struct Spot {
  double x, y;  // 0 to 1 inside the axes
};
using Path = std::vector<Spot>;

inline bool inside(Spot s) { return s.x >= 0 && s.x <= 1 && s.y >= 0 && s.y <= 1; }

// Returns the visible pieces of a series. A piece of one spot is a point whose neighbours cannot be drawn.
std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y);

}  // namespace plot
