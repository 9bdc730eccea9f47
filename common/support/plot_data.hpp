// What can be drawn: plain structs, and the check that each is consistent before anything is drawn.
// A number that is NaN, infinite, or not positive on a log axis is left out, breaks the line it stands in, and is
// counted in a note under the picture; a struct whose sizes disagree is refused.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace plot {

struct Axis {
  std::string title = {};
  bool log = false;
  std::optional<double> low = {}, high = {};  // limits; taken from the data where absent
};

// Drawn as a line; a point that cannot be drawn interrupts it.
struct Series {
  std::string name = {};
  std::vector<double> x = {}, y = {};
};

// A horizontal reference line, such as the least squares floor under a loss.
struct Level {
  std::string name = {};
  double y = 0;
};

struct Chart {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Level> levels = {};
};

struct Point {
  double x = 0, y = 0;
  std::string label = {};  // empty: a mark alone
  std::size_t group = 0;   // index into Scatter::groups
};

struct Scatter {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Point> points = {};
  std::vector<std::string> groups = {};  // empty: all points are of one group without a name
};

struct HeatMap {
  std::string title = {};
  std::size_t rows = 0, cols = 0;
  std::vector<double> values = {};                            // row by row, first row on top
  std::vector<std::string> row_labels = {}, col_labels = {};  // empty, or one for each row or column
  bool diverging = false;                                     // zero in the middle, signs told apart
  bool numbers = false;                                       // print the values in the cells
  std::optional<double> low = {}, high = {};                  // ends of the colour scale; from the data where absent
};

struct Image {
  std::string caption = {};
  std::vector<double> values = {};  // row by row, first row on top
};

// Small images side by side, all of one size: digits, eigenvectors, the output of a gate over the plane.
struct Sheet {
  std::string title = {};
  std::size_t rows = 0, cols = 0;
  std::vector<Image> images = {};
  bool diverging = false;
  bool own_scale = false;                     // each image has a colour scale of its own
  std::size_t per_row = 0;                    // images in a row of the SVG; 0: chosen
  std::optional<double> low = {}, high = {};  // ends of the colour scale; from the data where absent
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("plot: " + what);
}

inline void check(const Axis& axis, const std::string& name) {
  for (const auto& limit : {axis.low, axis.high}) {
    if (!limit) continue;
    require(std::isfinite(*limit), "a limit of the " + name + " axis is not finite");
    require(std::abs(*limit) <= 1e308, "a limit of the " + name + " axis is beyond 1e308");  // no room for a tick
    require(!axis.log || *limit > 0, "a limit of the logarithmic " + name + " axis is not positive");
  }
  require(!axis.low || !axis.high || *axis.low < *axis.high, "the limits of the " + name + " axis do not ascend");
}

// Throws std::invalid_argument naming the series whose x and y differ in size, or the axis whose limits are wrong.
inline void check(const Chart& chart) {
  check(chart.x, "x");
  check(chart.y, "y");
  for (const Series& s : chart.series)
    require(s.x.size() == s.y.size(), "series '" + s.name + "' has " + std::to_string(s.x.size()) + " x but " +
                                          std::to_string(s.y.size()) + " y");
}

// Throws std::invalid_argument naming the point whose group does not exist, or the axis whose limits are wrong.
inline void check(const Scatter& scatter) {
  check(scatter.x, "x");
  check(scatter.y, "y");
  for (const Point& p : scatter.points)
    require(p.group == 0 || p.group < scatter.groups.size(), "point '" + p.label + "' is of group " +
                                                                 std::to_string(p.group) + ", of " +
                                                                 std::to_string(scatter.groups.size()));
}

inline void check_limits(const std::optional<double>& low, const std::optional<double>& high, const std::string& name) {
  require(!low || std::isfinite(*low), "the low end of the scale of '" + name + "' is not finite");
  require(!high || std::isfinite(*high), "the high end of the scale of '" + name + "' is not finite");
  require(!low || !high || *low < *high, "the ends of the scale of '" + name + "' do not ascend");
}

inline void check_size(std::size_t values, std::size_t rows, std::size_t cols, const std::string& name) {
  require(values == rows * cols, "'" + name + "' has " + std::to_string(values) + " values for " +
                                     std::to_string(rows) + " x " + std::to_string(cols));
}

// Throws std::invalid_argument naming the map whose values or labels are not as many as its rows and columns say.
inline void check(const HeatMap& map) {
  check_size(map.values.size(), map.rows, map.cols, map.title);
  check_limits(map.low, map.high, map.title);
  require(map.row_labels.empty() || map.row_labels.size() == map.rows, "row labels of '" + map.title + "'");
  require(map.col_labels.empty() || map.col_labels.size() == map.cols, "column labels of '" + map.title + "'");
}

// Throws std::invalid_argument naming the image whose values are not rows x cols.
inline void check(const Sheet& sheet) {
  check_limits(sheet.low, sheet.high, sheet.title);
  for (const Image& image : sheet.images) check_size(image.values.size(), sheet.rows, sheet.cols, image.caption);
}

}  // namespace plot
