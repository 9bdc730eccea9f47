// A picture of a mechanism: cells with values, bands, arrows, valves. Blue is a value, orange a
// gradient, green a gate, plum a minus; what is stored has square corners, what is computed round
// ones; dashes mean absent, or only guide the eye. Coordinates begin below the title, which says
// the finding; the picture is 480 wide.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "common/frame/plot/svg.hpp"

namespace plot {

enum class Tone { ink, soft, value, gradient, gate, minus };

// How a cell is filled: not at all, as what is stored, as what is not used, or in a tone.
enum class Fill { none, stored, absent, value, gradient, gate, minus };
Fill fill_of(double number);  // blue, plum, or none for 0

// How words are written.
struct Type {
  Tone tone = Tone::ink;
  const char* anchor = "middle";
  bool strong = false, slant = false;
  bool clear = false;  // a rim in the colour of the paper, where lines pass below
};

struct Pen {
  Tone tone = Tone::soft;
  double width = 1.3;
  bool dashed = false;
};

struct Cell {
  Spot corner, size;
  std::string words = {};
  Fill fill = Fill::none;
  double round = 0;
  Type type = {};
};

// How many shades lie between 0 and 1, and how much ink the fullest has.
struct Shading {
  int steps = 8;
  double ink = 0.8;

  int of(double number) const;  // from -steps to steps
  double opacity_of(int shade) const { return ink * std::abs(shade) / steps; }
};

// A part of a label, in a tone of its own.
struct Piece {
  std::string words;
  Type type = {};
};

// Returns .5, −3 or 12.5: at most five letters for numbers below 1,000, with two decimals, three
// below .1, and ~0 for what rounds to nothing.
std::string short_number(double number);

// Returns the line's width for a flow of this size, between 1.2 and 8.
double width_of_flow(double size, double most);

using Words = std::vector<std::vector<std::string>>;  // by rows

class Scene {
 public:
  explicit Scene(const std::string& title);

  std::string title;

  void end(double y);  // where the picture ends

  void text(Spot at, const std::string& words, const Type& type = {});
  void text_up(Spot at, const std::string& words, const Type& type = {});  // along a vertical axis
  void label(Spot at, const std::vector<Piece>& pieces, const char* anchor = "start");
  void chip(Spot at, const std::string& words, const Type& type = {});  // interrupts a line

  void cell(const Cell& cell);
  // Cells of one size under one outline; the corner is the upper left one's.
  void grid(const Cell& cell, const Words& rows);
  void band(Spot corner, Spot size, Tone tone, double round = 4);
  void bar(Spot corner, Spot size, Tone tone, double opacity = 1);
  void frame(Spot corner, Spot size, const Pen& pen, double round = 0);

  void line(Spot from, Spot to, const Pen& pen = {});
  void curve(const Path& path, const Pen& pen);
  void arrow(Spot from, Spot to, const Pen& pen);
  void turn(Spot from, Spot by, Spot to, const Pen& pen);  // an arrow that sets out towards `by`
  void valve(Spot at, bool open);                          // across a level line

  void dot(Spot at, double radius, Tone tone = Tone::ink);
  void pin(Spot at, const std::string& words, bool firm = true);  // a value at a corner
  void facet(const Path& corners, double height);  // of a surface, in the shade of a region

  // Fills cells, by rows of this many, by numbers from -1, plum, over 0, empty, to 1, blue; what is
  // not finite stays empty. `more` says what they hold.
  void cells(const Cell& cell, std::size_t columns, const std::vector<double>& numbers,
             const Shading& shading = {}, const std::string& more = {});
  // Fills a square of side `side` so with f over [low, high]².
  void region(Spot corner, double side, double low, double high,
              const std::function<double(double, double)>& f);

  void grip(Spot at, const Grip& grip);  // by which a reader takes hold of a knob

  // Lets the page say what stands here, and a press find its knobs.
  void touch(Spot corner, Spot size, const std::string& name, const std::string& value,
             const std::string& knobs = {});

  std::string str() const { return svg_.str(); }

 private:
  Spot down(Spot at) const { return {at.x, at.y + top_}; }
  std::string points(const Path& path) const;

  Svg svg_;
  double top_;
};

}  // namespace plot
