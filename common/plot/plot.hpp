// Pictures of numbers: line charts, labelled scatters, heat maps and sheets of small images, and
// diagrams of boxes and arrows, each as a self-contained SVG, line charts as text for a terminal,
// too. Fill in a struct, then store svg(it):
//   plot::Chart chart{.title = "Loss", .x = {.title = "step"}, .y = {.title = "loss", .log = true}};
//   chart.series.push_back({"train", steps, losses});
// A picture is a function of the struct alone: the same struct gives the same bytes. A number that
// is NaN, infinite, or not positive on a log axis is left out, and breaks the line it stands in; so
// is what lies beyond the limits of an axis.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace plot {

struct Axis {
  std::string title = {};
  bool log = false;
  std::optional<double> low = {}, high = {};  // limits; taken from the data where absent
  std::vector<std::string> names = {};        // what stands at 1, 2, ..., in the place of numbers
};

// Drawn as a line, or as points alone; a point that cannot be drawn interrupts the line.
struct Series {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  bool points = false;

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

// Returns the curve of f from `low` to `high`, at every `step`.
template <class Function>
Series curve(const std::string& name, double low, double high, double step, Function f) {
  Series drawn{name};
  for (long k = 0; k <= std::lround((high - low) / step); ++k)
    drawn.add(low + double(k) * step, f(low + double(k) * step));
  return drawn;
}

// Returns values as a line over first, first + every, ...: the losses of a training, say.
template <class Values>
Series line(const std::string& name, const Values& values, double first = 0, double every = 1) {
  Series drawn{name};
  for (const auto& value : values) drawn.add(first + every * double(drawn.x.size()), double(value));
  return drawn;
}

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
  std::vector<double> values = {};  // row by row, first row on top
  std::vector<std::string> row_labels = {},
                           col_labels = {};  // empty, or one for each row or column
  bool diverging = false;                    // zero in the middle, signs told apart
  bool numbers = false;                      // print the values in the cells
  std::optional<double> low = {},
                        high = {};  // ends of the colour scale; from the data where absent
};

struct Image {
  std::string caption = {};
  std::vector<double> values = {};  // row by row, first row on top
};

// Small images side by side, all of one size: digits, eigenvectors, the output of a gate over the
// plane.
struct Sheet {
  std::string title = {};
  std::size_t rows = 0, cols = 0;
  std::vector<Image> images = {};
  bool diverging = false;
  bool own_scale = false;   // each image has a colour scale of its own
  std::size_t per_row = 0;  // images in a row of the SVG; 0: chosen
  std::optional<double> low = {},
                        high = {};  // ends of the colour scale; from the data where absent
};

// A picture over time or over a parameter, "gain" say, with a label for each frame, "1.50". Give
// all frames the same limits.
template <class Picture>
struct Film {
  std::string parameter = {};
  std::vector<std::string> labels = {};
  std::vector<Picture> frames = {};

  void add(const std::string& label, Picture frame) {
    labels.push_back(label);
    frames.push_back(std::move(frame));
  }
};

// A box of a diagram, by its place in a grid: column 0 is at the left, row 0 on top; both may lie
// between two. `kind` tells what is stored (a rectangle), what is computed (rounded), and what
// stands alone, without a box.
struct Box {
  enum class Kind { stored, computed, alone };
  std::string name = {};
  double column = 0, row = 0;
  Kind kind = Kind::computed;
  std::string label = {};               // a second line: the shape, or the formula
  std::string forward = {}, back = {};  // values of an example, and the gradients that come back
};

struct Arrow {
  std::string from, to;  // names of boxes
  std::string label = {};
};

// Boxes and arrows: what computes what, with the shapes on the arrows.
struct Diagram {
  std::string title = {};
  std::vector<Box> boxes = {};
  std::vector<Arrow> arrows = {};
};

// Draws a chart in lines of at most `width` >= 20 letters, 16 of them inside the axes. Throws
// std::invalid_argument for a width that is too small and for a struct whose sizes or limits
// disagree.
std::string text(const Chart& chart, int width = 80);

// Draws a picture as SVG, 480 px wide, or wider where many small cells or images need it. Throws
// std::invalid_argument as text() does. Every picture stands alone, with a background, and follows
// the light or dark scheme of the page; all have the same style, whose classes begin with "plot-",
// so that several of them can stand in one HTML page.
std::string svg(const Chart& chart);
std::string svg(const Scatter& scatter);
std::string svg(const HeatMap& map);
std::string svg(const Sheet& sheet);
std::string svg(const Diagram& diagram);

// The style of all pictures, and a picture without it, for a page that has it.
extern const std::string_view svg_style;
std::string without_style(std::string svg);

// Throws std::invalid_argument unless a film has frames, and a label for each.
template <class Picture>
void check(const Film<Picture>& film) {
  if (film.frames.empty() || film.labels.size() != film.frames.size())
    throw std::invalid_argument("plot: frames and labels of the film over '" + film.parameter +
                                "'");
}

}  // namespace plot
