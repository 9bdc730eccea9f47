// Pictures of numbers as SVG, charts as text, too. Fill in a struct, then store svg(it):
//   plot::Chart chart{.title = "Loss", .x = {.title = "step"}, .y = {.log = true}};
//   chart.series.push_back({"train", steps, losses});
// The same struct gives the same bytes. A number that is NaN, infinite, beyond the limits, or not
// positive on a log axis is left out, and breaks its line.
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
  std::optional<double> low = {}, high = {};  // from the data where absent
  std::vector<std::string> names = {};        // at 1, 2, ... in place of numbers
};

struct Series {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  bool points = false;  // stand alone

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

template <class Function>
Series curve(const std::string& name, double low, double high, double step, Function f) {
  Series drawn{name};
  for (long k = 0; k <= std::lround((high - low) / step); ++k)
    drawn.add(low + double(k) * step, f(low + double(k) * step));
  return drawn;
}

// Returns values as a line over first, first + every, ....
template <class Values>
Series line(const std::string& name, const Values& values, double first = 0, double every = 1) {
  Series drawn{name};
  for (const auto& value : values) drawn.add(first + every * double(drawn.x.size()), double(value));
  return drawn;
}

// A horizontal reference line, which says its name and its number.
struct Level {
  std::string name = {};
  double y = 0;
};

// A place by which a reader takes hold of a knob, in the units of the axes. `moves` holds, for each
// knob that follows, NAME or NAME:ENTRY, what it follows (x, y, the angle clockwise from the top in
// degrees, or one), a factor and a summand: "z x 1 0". `sets` is loaded by a press, such as
// "w=1,0,0&v=0,1,0".
struct Grip {
  double x = 0, y = 0;
  std::string name = {}, moves = {}, sets = {};
};

// Returns heights of labels, none nearer to another than `least`: as near to those that are wanted
// as a push downwards leaves them, and from low to high, if there is room.
std::vector<double> pushed_apart(std::vector<double> wanted, double least, double low, double high);

// A word where something happens, in the units of the axes.
struct Note {
  double x = 0, y = 0;
  std::string words = {};
};

struct Chart {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Level> levels = {};
  std::vector<Grip> grips = {};
  std::vector<Note> notes = {};
};

struct Image {
  std::string caption = {};
  std::vector<double> values = {};  // row by row from the top
  std::vector<Grip> grips = {};     // shown by their names
};

// Images of one size side by side, at most six in a row.
struct Sheet {
  std::string title = {};
  std::size_t rows = 0, cols = 0;
  std::vector<Image> images = {};
  bool diverging = false;                     // zero is empty, signs are told apart
  bool own_scale = false;                     // each image has colours of its own
  std::optional<double> low = {}, high = {};  // of the colours; else from the values
  // With limits, from the middle of the first cell to that of the last; or with the names of all
  // columns and rows; else none.
  Axis x = {}, y = {};
};

// Draws a chart in lines of at most `width` >= 20 letters. Throws std::invalid_argument for less,
// and for a struct whose sizes or limits disagree.
std::string text(const Chart& chart, int width = 80);

// Draws a picture that stands alone, 480 px wide, in the reader's light or dark scheme; throws as
// text() does.
std::string svg(const Chart& chart);
std::string svg(const Sheet& sheet);
class Scene;  // scene.hpp
std::string svg(const Scene& scene);

extern const std::string_view svg_style;
std::string without_style(std::string svg);

}  // namespace plot
