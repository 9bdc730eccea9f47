// Diagrams as SVG. Boxes stand on a grid; arrows are straight and end at the borders; their labels
// lie above the boxes and lines.
// SPDX-License-Identifier: MIT
#include <numbers>

#include "common/plot/svg.hpp"

namespace plot {
namespace {

// A box on its place in the picture, in px: its middle and half its size.
struct Placed {
  const Box& box;
  double x, y, half_width, half_height;

  // Returns where the line from the middle towards another box leaves this one.
  Spot border(const Placed& other) const {
    const double dx = other.x - x, dy = other.y - y;
    const double by_width = dx == 0 ? HUGE_VAL : (half_width + 2) / std::abs(dx);
    const double by_height = dy == 0 ? HUGE_VAL : (half_height + 2) / std::abs(dy);
    const double part = std::min({by_width, by_height, 1.0});
    return {x + part * dx, y + part * dy};
  }
};

// Returns the box that arrows call by this name, where there is exactly one; else none.
const Box* box_of(const Diagram& diagram, const std::string& name) {
  const Box* match = nullptr;
  for (const Box& box : diagram.boxes) {
    if (box.name != name) continue;
    if (match) return nullptr;
    match = &box;
  }
  return match;
}

double half_width(const Box& box) {
  const double words = width_of({box.name, box.label, box.forward, box.back});
  return std::max(words, 2 * letter_width) / 2 + 10;
}

double height_of_lines(const Box& box) {
  return line_height * (1 + !box.label.empty() + !box.forward.empty() + !box.back.empty());
}

void draw_box(Svg& svg, const Placed& at) {
  const Box& box = at.box;
  const double top = at.y - at.half_height;
  if (box.kind != Box::Kind::alone)
    svg.element("<rect class=\"plot-box\" x=\"", at.x - at.half_width, "\" y=\"", top,
                "\" width=\"", 2 * at.half_width, "\" height=\"", 2 * at.half_height, "\" rx=\"",
                box.kind == Box::Kind::stored ? "1" : "9", "\"/>");
  double y = top + 4;
  const auto line = [&](const std::string& words, const std::string& classes,
                        const std::string& more = "") {
    if (words.empty()) return;
    y += line_height;
    svg.text(at.x, y, words, "middle", classes, more);
  };
  line(box.name, "plot-ink", " font-weight=\"600\"");
  line(box.label, "plot-soft");
  line(box.forward, "plot-ink");
  line(box.back, "plot-dot " + colour(1), " stroke-width=\"0\"");
}

void draw_arrow(Svg& svg, Spot from, Spot to) {
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  svg.line(from, {to.x - 5 * std::cos(angle), to.y - 5 * std::sin(angle)}, "plot-level",
           " stroke-width=\"1.5\"");
  svg.element("<path class=\"plot-soft\" transform=\"translate(", to.x, " ", to.y, ") rotate(",
              angle * 180 / std::numbers::pi, ")\" d=\"M0 0L-9-4.5V4.5z\"/>");
}

// Writes beside a level arrow, and into a line that is not level, which the words interrupt.
void draw_label(Svg& svg, const std::string& label, Spot from, Spot to) {
  if (label.empty()) return;
  const bool level = std::abs(to.y - from.y) < 1;
  const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2, width = width_of({label});
  if (!level)
    svg.element("<rect class=\"plot-page\" x=\"", x - width / 2, "\" y=\"", y - 10, "\" width=\"",
                width, "\" height=\"20\"/>");
  svg.text(x, y + (level ? -7 : 5), label, "middle");
}

// Returns how wide a column must be for boxes side by side, and for an arrow with its label between
// them.
double width_of_column(const Diagram& diagram) {
  double needed = 0;
  for (const Box& left : diagram.boxes)
    for (const Box& right : diagram.boxes) {
      double label = 0;
      for (const Arrow& arrow : diagram.arrows)
        if (box_of(diagram, arrow.from) == &left && box_of(diagram, arrow.to) == &right)
          label = width_of({arrow.label});
      const bool beside = std::abs(left.row - right.row) < 1 || label > 0;
      if (!beside || left.column >= right.column) continue;
      const double apart = half_width(left) + half_width(right) + label + 30;
      needed = std::max(needed, apart / (right.column - left.column));
    }
  return needed;
}

}  // namespace

std::string svg(const Diagram& diagram) {
  Svg svg(diagram.title);
  double columns = 0, rows = 0, row_height = 0;
  bool values = false;
  for (const Box& box : diagram.boxes) {
    require(box_of(diagram, box.name), "two boxes are named '" + box.name + "'");
    require(box.column >= 0 && box.column < 100 && box.row >= 0 && box.row < 100,
            "place of '" + box.name + "'");
    columns = std::max(columns, box.column);
    rows = std::max(rows, box.row);
    row_height = std::max(row_height, height_of_lines(box) + 46);
    values = values || !box.forward.empty() || !box.back.empty();
  }
  svg.width = std::max(svg_width, 32 + width_of_column(diagram) * (columns + 1));
  const double top = svg.height + 6, pitch = (svg.width - 32) / (columns + 1);
  svg.height = top + row_height * (rows + 1);
  const auto placed = [&](const Box& box) {
    return Placed{box, 16 + pitch * (box.column + 0.5), top + row_height * (box.row + 0.5),
                  half_width(box), height_of_lines(box) / 2 + 7};
  };
  // Draws each arrow, or its label, from border to border.
  const auto for_each_arrow = [&](auto draw) {
    for (const Arrow& arrow : diagram.arrows) {
      const Box *tail = box_of(diagram, arrow.from), *head = box_of(diagram, arrow.to);
      require(tail && head,
              "the arrow from '" + arrow.from + "' to '" + arrow.to + "' misses a box");
      const Placed from = placed(*tail), to = placed(*head);
      draw(arrow, from.border(to), to.border(from));
    }
  };
  for_each_arrow([&](const Arrow&, Spot from, Spot to) { draw_arrow(svg, from, to); });
  for (const Box& box : diagram.boxes) draw_box(svg, placed(box));
  for_each_arrow(
      [&](const Arrow& arrow, Spot from, Spot to) { draw_label(svg, arrow.label, from, to); });
  if (values) {
    svg.height += 6;
    svg.paragraph(16,
                  "In colour the gradient that comes back; above it the value of the way forward.");
  }
  return svg.str();
}

}  // namespace plot
