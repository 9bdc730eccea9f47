// Diagrams as SVG and as lines of text. Boxes stand on a grid; arrows are straight and end at the borders.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/plot/plot.hpp"
#include "common/plot/parts.hpp"
#include "common/support/svg.hpp"
#include "common/support/words.hpp"

namespace plot {
namespace {

// A box on its place in the picture, in px.
struct Place {
  double x, y;  // its middle
  double half_width, half_height;
  std::size_t lines;
};

bool has_values(const Box& box) { return !box.forward.empty() || !box.back.empty(); }

const Box& box_of(const Diagram& diagram, const std::string& name) {
  return *std::find_if(diagram.boxes.begin(), diagram.boxes.end(), [&](const Box& box) { return key_of(box) == name; });
}

// Returns where the line from the middle of a box towards (x, y) leaves it.
Spot border(const Place& place, double x, double y) {
  const double dx = x - place.x, dy = y - place.y;
  const double by_width = dx == 0 ? HUGE_VAL : (place.half_width + 2) / std::abs(dx);
  const double by_height = dy == 0 ? HUGE_VAL : (place.half_height + 2) / std::abs(dy);
  const double part = std::min({by_width, by_height, 1.0});
  return {place.x + part * dx, place.y + part * dy};
}

class Drawing {
 public:
  explicit Drawing(const Diagram& diagram) : diagram_(diagram) {
    svg_.title(diagram.title);
    top_ = svg_.height + 6;
    for (const Box& box : diagram.boxes) {
      columns_ = std::max(columns_, box.column);
      row_height_ = std::max(row_height_, line_height * double(lines_of(box)) + 46);
      rows_ = std::max(rows_, box.row);
    }
    svg_.height = top_ + row_height_ * (rows_ + 1);
  }

  std::string str() {
    for (const Arrow& arrow : diagram_.arrows) draw(arrow);
    for (const Box& box : diagram_.boxes) draw(box);
    for (const Arrow& arrow : diagram_.arrows) label(arrow);  // above the boxes and lines
    if (std::any_of(diagram_.boxes.begin(), diagram_.boxes.end(), has_values)) {
      svg_.height += 6;
      svg_.paragraph(16, U"In colour the gradient that comes back; above it the value of the way forward.",
                     "plot-soft");
    }
    return svg_.str(diagram_.title);
  }

 private:
  static std::size_t lines_of(const Box& box) {
    return 1 + !box.label.empty() + !box.forward.empty() + !box.back.empty();
  }

  Place place(const Box& box) const {
    const double pitch = (svg_width - 32) / (columns_ + 1);
    const std::size_t letters_across = std::max(
        {columns_of(box.name), columns_of(box.label), columns_of(box.forward), columns_of(box.back), std::size_t{2}});
    return {16 + pitch * (box.column + 0.5), top_ + row_height_ * (box.row + 0.5),
            letter_width * double(letters_across) / 2 + 10, line_height * double(lines_of(box)) / 2 + 7, lines_of(box)};
  }

  void draw(const Box& box) {
    const Place at = place(box);
    if (box.kind != Box::Kind::alone)
      svg_.element("<rect class=\"plot-box\" x=\"" + fixed(at.x - at.half_width) + "\" y=\"" +
                   fixed(at.y - at.half_height) + "\" width=\"" + fixed(2 * at.half_width) + "\" height=\"" +
                   fixed(2 * at.half_height) + "\" rx=\"" + (box.kind == Box::Kind::stored ? "1" : "9") + "\"/>");
    double y = at.y - at.half_height + 4;
    const auto line = [&](const std::string& words, const std::string& classes, const std::string& more = "") {
      if (!words.empty()) svg_.text(at.x, y += line_height, letters(words), classes, "middle", more);
    };
    line(box.name, "plot-ink", " font-weight=\"600\"");
    line(box.label, "plot-soft");
    line(box.forward, "plot-ink");
    line(box.back, "plot-dot " + colour(1), " stroke-width=\"0\"");
  }

  void draw(const Arrow& arrow) {
    const Place a = place(box_of(diagram_, arrow.from)), b = place(box_of(diagram_, arrow.to));
    const Spot from = border(a, b.x, b.y), to = border(b, a.x, a.y);
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    svg_.line(from.x, from.y, to.x - 5 * std::cos(angle), to.y - 5 * std::sin(angle), "plot-level",
              " stroke-width=\"1.5\"");
    svg_.element("<path class=\"plot-soft\" transform=\"translate(" + fixed(to.x) + " " + fixed(to.y) + ") rotate(" +
                 fixed(angle * 180 / 3.14159265358979) + ")\" d=\"M0 0L-9-4.5V4.5z\"/>");
  }

  void label(const Arrow& arrow) {
    if (arrow.label.empty()) return;
    const Place a = place(box_of(diagram_, arrow.from)), b = place(box_of(diagram_, arrow.to));
    const Spot from = border(a, b.x, b.y), to = border(b, a.x, a.y);
    const bool level = std::abs(to.y - from.y) < 1;
    const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
    const Letters words = letters(arrow.label);
    const double width = letter_width * double(words.size());
    if (!level)  // the words interrupt the line
      svg_.element("<rect class=\"plot-page\" x=\"" + fixed(x - width / 2) + "\" y=\"" + fixed(y - 8) + "\" width=\"" +
                   fixed(width) + "\" height=\"16\"/>");
    svg_.text(x, y + (level ? -6 : 4), words, "plot-soft", "middle");
  }

  const Diagram& diagram_;
  Svg svg_;
  double top_ = 0, columns_ = 0, rows_ = 0, row_height_ = 0;
};

}  // namespace

std::string svg(const Diagram& diagram) {
  check(diagram);
  return Drawing(diagram).str();
}

std::string text(const Diagram& diagram, int width) {
  check(diagram);
  require(width >= 20, "a picture needs a width of at least 20 letters");
  std::string lines = diagram.title + "\n";
  for (const auto& [from, to, label] : diagram.arrows)
    lines += "  " + box_of(diagram, from).name + " -> " + box_of(diagram, to).name +
             (label.empty() ? "" : "   (" + label + ")") + "\n";
  for (const Box& box : diagram.boxes)
    if (has_values(box))
      lines += "  " + box.name + " = " + box.forward + (box.back.empty() ? "" : ", gradient " + box.back) + "\n";
  return fold(lines, static_cast<std::size_t>(width));
}

}  // namespace plot
