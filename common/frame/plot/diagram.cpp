// Boxes stand on a grid, arrows end at the borders, labels lie above both.
// SPDX-License-Identifier: MIT
#include <numbers>

#include "common/frame/plot/svg.hpp"

namespace plot {
namespace {

// A box at its place, by its middle and half its size.
struct Placed {
  const Box& box;
  double x, y, half_width, half_height;

  // Returns where the line from the middle towards another box leaves this one.
  Spot border(const Placed& other) const {
    const double dx = other.x - x, dy = other.y - y;
    const auto part = [](double half, double way) {
      return way == 0 ? 1 : std::min((half + 2) / std::abs(way), 1.0);
    };
    const double all = std::min(part(half_width, dx), part(half_height, dy));
    return {x + all * dx, y + all * dy};
  }
};

const Box* box_of(const Diagram& diagram, const std::string& name) {
  const auto& boxes = diagram.boxes;
  const auto named = [&](const Box& box) { return box.name == name; };
  if (std::count_if(boxes.begin(), boxes.end(), named) != 1) return nullptr;
  return &*std::find_if(boxes.begin(), boxes.end(), named);
}

double half_width(const Box& box) {
  const double words = width_of({box.name, box.label, box.forward, box.back});
  return std::max(words, 2 * letter_width) / 2 + 10;
}

double height_of_lines(const Box& box) {
  return line_height * (1 + !box.label.empty() + !box.forward.empty() + !box.back.empty());
}

// Returns what a page says of a box, and which knobs it finds there.
std::string data_of(const Box& box) {
  std::string words = box.label;
  if (!box.forward.empty()) words = "value " + box.forward;
  if (!box.back.empty()) words += ", gradient " + box.back;
  return data("name", box.name) + data("value", words) + data("knobs", box.knobs);
}

void draw_box(Svg& svg, const Placed& at) {
  const Box& box = at.box;
  const double top = at.y - at.half_height;
  svg.element(R"(<rect class="plot-box" x="@" y="@" width="@" height="@" rx="@"@/>)",
              at.x - at.half_width, top, 2 * at.half_width, 2 * at.half_height,
              box.kind == Box::Kind::stored ? 1 : 9, data_of(box));
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

void draw_arrow(Svg& svg, Spot from, Spot to, double width) {
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  const double head = std::max(1.0, width / 4);  // as wide as twice the line, or more
  const double line = 5 * head;
  svg.line(from, {to.x - line * std::cos(angle), to.y - line * std::sin(angle)}, "plot-level",
           markup(R"( stroke-width="@")", width));
  const std::string scale = head > 1 ? markup(" scale(@)", head) : "";
  svg.element(
      R"_(<path class="plot-soft" transform="translate(@ @) rotate(@)@" d="M0 0L-9-4.5V4.5z"/>)_",
      to.x, to.y, angle * 180 / std::numbers::pi, scale);
}

// Writes beside a level arrow; another line is interrupted.
void draw_label(Svg& svg, const std::string& label, Spot from, Spot to) {
  if (label.empty()) return;
  const bool level = std::abs(to.y - from.y) < 1;
  const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2, width = width_of({label});
  if (!level)
    svg.element(R"(<rect class="plot-page" x="@" y="@" width="@" height="20"/>)", x - width / 2,
                y - 10, width);
  svg.text(x, y + (level ? -7 : 5), label, "middle");
}

// Returns how wide a column is where an arrow with its label has room between boxes side by side.
double column_width(const Diagram& diagram) {
  double needed = 0;
  for (const Box& left : diagram.boxes)
    for (const Box& right : diagram.boxes) {
      double label = 0;
      for (const Arrow& arrow : diagram.arrows)
        if (arrow.from == left.name && arrow.to == right.name) label = width_of({arrow.label});
      const bool beside = std::abs(left.row - right.row) < 1 || label > 0;
      const double columns = right.column - left.column;
      if (beside && columns > 0)
        needed = std::max(needed, (half_width(left) + half_width(right) + label + 30) / columns);
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
  svg.width = std::max(svg_width, 32 + column_width(diagram) * (columns + 1));
  const double top = svg.height + 6, pitch = (svg.width - 32) / (columns + 1);
  svg.height = top + row_height * (rows + 1);
  const auto placed = [&](const Box& box) {
    return Placed{box, 16 + pitch * (box.column + 0.5), top + row_height * (box.row + 0.5),
                  half_width(box), height_of_lines(box) / 2 + 7};
  };
  const auto for_each_arrow = [&](auto draw) {
    for (const Arrow& arrow : diagram.arrows) {
      const Box *tail = box_of(diagram, arrow.from), *head = box_of(diagram, arrow.to);
      require(tail && head,
              "the arrow from '" + arrow.from + "' to '" + arrow.to + "' misses a box");
      draw(arrow, placed(*tail).border(placed(*head)), placed(*head).border(placed(*tail)));
    }
  };
  for_each_arrow(
      [&](const Arrow& arrow, Spot from, Spot to) { draw_arrow(svg, from, to, arrow.width); });
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
