// An SVG under construction, and how all our pictures look.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "common/plot/parts.hpp"

namespace plot {

constexpr double svg_width = 720;
constexpr double letter_width = 7.6;  // of a 13 px letter, on the wide side: fonts differ
constexpr double line_height = 17;
constexpr std::size_t colours = 6;

// The style of all pictures; it stands in each, between these two.
extern const std::string_view svg_style;
constexpr std::string_view style_begins = "<style>", style_ends = "</style>\n";

// Returns a picture without its style, for a page that has it.
std::string without_style(std::string svg);

// Returns the class of colour k, which begins anew after the last.
std::string colour(std::size_t k);

// Elements in the order in which they are drawn.
class Svg {
 public:
  double width = svg_width, height = 0;  // the height grows with what is added

  void element(const std::string& markup) { body_ += markup + "\n"; }

  void text(double x, double y, const Letters& words, const std::string& classes, const std::string& anchor = "start",
            const std::string& more = "");

  void line(double x1, double y1, double x2, double y2, const std::string& classes, const std::string& more = "");

  // Adds lines of text under one another from the present height on.
  void paragraph(double x, const Letters& words, const std::string& classes, double size = 13);

  void title(const std::string& words);

  // Returns the finished document, with a margin below.
  std::string str(const std::string& title) const;

 private:
  std::string body_;
};

}  // namespace plot
