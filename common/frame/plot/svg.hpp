// An SVG under construction.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/plot/axes.hpp"

namespace plot {

constexpr double svg_width = 480;     // letters are then 10.6 px on a telephone
constexpr double letter_width = 8.8;  // of letters 15 px high, on the wide side: fonts differ
constexpr double text_size = 15, title_size = 19, line_height = 20;
constexpr double to_foot = 5.3;  // from the middle of a letter down to its foot
constexpr std::size_t colours = 6;

double width_of(const Lines& lines);

// Breaks a label into lines of at most `width` px.
Lines lines_in(const std::string& label, double width);

// Returns the class of colour k, which begins anew after the last.
std::string colour(std::size_t k);

// Returns an attribute that the page reads: data-NAME="WORDS", or nothing without words.
std::string data(const std::string& name, const std::string& words);
// Numbers with blanks between, names with strokes.
std::string data(const std::string& name, const std::vector<double>& numbers, int digits = 9);
std::string data(const std::string& name, const Lines& names);

// Puts pieces in place of the @ of a pattern; a number with a point is a coordinate, of
// two decimals.
template <class... Pieces>
std::string markup(std::string_view pattern, const Pieces&... pieces) {
  std::string all;
  [[maybe_unused]] const auto add = [&](const auto& piece) {
    const std::size_t at = pattern.find('@');
    all += pattern.substr(0, at);
    pattern.remove_prefix(at + 1);
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(piece)>>)
      all += decimal(std::round(piece * 100) / 100, false);
    else all += join(piece);
  };
  (add(pieces), ...);
  return all.append(pattern);
}

class Svg {
 public:
  explicit Svg(const std::string& title);

  double height = 12;  // grows with what is added

  template <class... Pieces>
  void element(std::string_view pattern, const Pieces&... pieces) {
    body_ += markup(pattern, pieces...) + "\n";
  }

  void text(Spot at, const std::string& words, const std::string& anchor = "start",
            const std::string& classes = "plot-soft", const std::string& more = "");

  // Adds lines under one another, the first at `at`, and returns the y of the last.
  double lines(Spot at, const Lines& lines, const std::string& anchor = "middle");

  void line(Spot from, Spot to, const std::string& classes, const std::string& more = "");
  void rect(Spot corner, Spot size, const std::string& classes, double round = 0,
            const std::string& more = "");

  // Draws what a knob can be taken by.
  void grip(Spot at, const Grip& grip);

  std::string str() const;

 private:
  std::string title_, body_;
};

}  // namespace plot
