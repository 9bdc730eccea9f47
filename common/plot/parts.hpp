// What the text and the SVG of a picture share: labels of any bytes made safe, numbers that no locale can change, the
// check of what is drawn, and the geometry, from numbers to places between 0 and 1 along an axis, ticks at round
// numbers, lines interrupted and clipped, scales of shades.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/plot/plot.hpp"

namespace plot {

// ----------------------------------------------------------------------------------------------- letters and numbers

using Letters = std::u32string;  // one element per code point

// Returns the letters of a label that may hold any bytes. Line breaks and tabs become spaces; other control characters,
// which would be illegal in XML or drive a terminal, and invalid UTF-8 become U+FFFD.
Letters letters(const std::string& bytes);

// Returns letters as UTF-8.
std::string encode(const Letters& text);

// Breaks text into lines of at most `width` >= 1 letters, at spaces, and within a word that is longer than a line.
std::vector<Letters> wrap(Letters text, std::size_t width);

// Returns the length of the longest line.
std::size_t longest(const std::vector<Letters>& lines);

// Writes v to `significant` <= 17 digits, scientific below 1e-4 and from 1e6 on.
std::string number(double v, int significant = 3);

// Writes a coordinate: at most two decimals. |v| must be below 1e15.
std::string fixed(double v);

// Returns what the arrows of a diagram call a box.
const std::string& key_of(const Box& box);

// ------------------------------------------------------------------------------------------------------------ checks

// Throws std::invalid_argument that says `what` unless it holds.
void require(bool holds, const std::string& what);

// Throw std::invalid_argument naming what is wrong: the series whose x and y differ in size, the point whose group does
// not exist, the axis whose limits are wrong, the map whose values or labels are not as many as its rows and columns
// say, the image whose values are not rows x cols.
void check(const Chart& chart);
void check(const Scatter& scatter);
void check(const HeatMap& map);
void check(const Sheet& sheet);
void check(const Diagram& diagram);  // two boxes of one name, an arrow that leads nowhere

// -------------------------------------------------------------------------------------------------------------- axes

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

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
  std::string base;           // not empty: the number to which each label has to be added
};

// Returns at most `most` >= 2 major ticks. A log axis that holds fewer than two powers of ten has them at 1, 2 and 5
// times these, or, where that gives fewer than two as well, at round numbers.
Ticks ticks(const Scale& scale, int most);

// Returns as many ticks, up to `most`, as leave a `gap` between labels along an axis of this length, centred at their
// ticks; `letter` is the extent of a letter in the direction of the axis.
Ticks ticks_that_fit(const Scale& scale, int most, double length, double letter, double gap);

// Returns the same for an axis; where it has names, these stand at their numbers.
Ticks ticks_of(const Axis& axis, const Scale& scale, int most, double length, double letter, double gap);

// Returns the title of an axis with the base of its ticks.
Letters axis_title(const Axis& axis, const Ticks& ticks);

// Return all values along one axis.
std::vector<double> x_values(const Chart& chart);
std::vector<double> y_values(const Chart& chart);
std::vector<double> values(const std::vector<Point>& points, double Point::*coordinate);

// ------------------------------------------------------------------------------------------------------------- lines

struct Spot {
  double x, y;  // 0 to 1 inside the axes
};
using Path = std::vector<Spot>;

// Returns the visible pieces of a series. A piece of one spot is a point whose neighbours cannot be drawn.
std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y);

// Returns a path of many points as one that looks the same: of consecutive points in one of `columns` columns only the
// first, the lowest, the highest and the last remain, in their order.
Path thin(const Path& path, double columns);

// Counts what a picture leaves out, and says so.
struct Omissions {
  std::size_t not_finite = 0, not_positive = 0, beyond = 0, labels = 0;

  void count(double x, double y, const Scale& x_scale, const Scale& y_scale);
  Letters note() const;  // empty if nothing is left out
};

// Count what of the points and levels has no place on these scales.
Omissions omissions(const Chart& chart, const Scale& x, const Scale& y);
Omissions omissions(const Scatter& scatter, const Scale& x, const Scale& y);

// Which places of a grid are taken, so that labels do not cover one another.
class Room {
 public:
  Room(long columns, long rows);

  // Tells whether the box lies inside the grid and nothing is in it.
  bool free(long column, long row, long width, long height) const;

  // Takes the part of the box that lies inside the grid.
  void take(long column, long row, long width, long height);

 private:
  std::size_t index(long column, long row) const;

  long columns_, rows_;
  std::vector<bool> taken_;
};

// ------------------------------------------------------------------------------------------------------------ shades

// From values to shades: 0 at the low end, 1 at the high end; a diverging scale has zero at 0.5.
struct Shades {
  double low = 0, high = 0;

  double at(double v) const;  // NaN if v is not finite
};

// Returns the shades for these values, with the ends where they are given.
Shades shades(const std::vector<double>& all, bool diverging, std::optional<double> low, std::optional<double> high);

// Returns the scale of image k of a sheet, or the common one.
Shades shades(const Sheet& sheet, std::size_t k);

}  // namespace plot
