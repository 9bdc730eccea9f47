// Heat maps and sheets of small images as SVG. The colours mean the same in the light and in the dark scheme: white to
// dark blue, or, on a diverging scale, blue below zero, white at zero and red above it. Each of 65 colours is one path
// over all its cells, which keeps the files small.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/plot_axis.hpp"
#include "common/support/plot_svg.hpp"

namespace plot {

constexpr std::size_t shade_steps = 64;

// The colour of step k <= 64, between the three colours of the scale.
inline std::string shade_colour(std::size_t k, bool diverging) {
  using Colour = std::array<double, 3>;
  const Colour low = diverging ? Colour{33, 102, 172} : Colour{255, 255, 255};
  const Colour middle = diverging ? Colour{250, 250, 250} : Colour{107, 174, 214};
  const Colour high = diverging ? Colour{178, 24, 43} : Colour{8, 48, 107};
  const double t = static_cast<double>(k) / shade_steps;
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double v = t < 0.5 ? low[i] + 2 * t * (middle[i] - low[i]) : middle[i] + (2 * t - 1) * (high[i] - middle[i]);
    const auto byte = static_cast<std::size_t>(std::lround(v));
    out += "0123456789abcdef"[byte / 16];
    out += "0123456789abcdef"[byte % 16];
  }
  return out;
}

inline std::size_t shade_step(double at) { return static_cast<std::size_t>(std::lround(at * shade_steps)); }

// The first cell of a grid: its upper left corner and its size in px.
struct Cell {
  double x, y, width, height;
};

// White letters stand out better than black ones.
inline bool dark(std::size_t step, bool diverging) { return diverging ? step < 12 || step > 48 : step > 36; }

// The cells of a grid, cell_width x cell_height each, with a frame; one that is not finite stays empty.
inline void draw_cells(Svg& svg, std::size_t rows, std::size_t cols, const std::vector<double>& all,
                       const Shades& scale, bool diverging, const Cell& cell) {
  std::array<std::string, shade_steps + 2> paths;
  const auto step_of = [&](std::size_t k) {
    return std::isfinite(all[k]) ? shade_step(scale.at(all[k])) : shade_steps + 1;
  };
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0, end = 0; c < cols; c = end) {  // a run of cells of one colour
      const std::size_t step = step_of(r * cols + c);
      for (end = c + 1; end < cols && step_of(r * cols + end) == step;) ++end;
      const std::string length = std::to_string(end - c);
      paths[step] += "M";
      paths[step] += std::to_string(c) + " " + std::to_string(r) + "h" + length + "v1h-" + length + "z";
    }
  const std::string w = fixed(static_cast<double>(cols) * cell.width),
                    h = fixed(static_cast<double>(rows) * cell.height);
  svg.element("<g transform=\"translate(" + fixed(cell.x) + " " + fixed(cell.y) + ")\"><g transform=\"scale(" +
              fixed(cell.width) + " " + fixed(cell.height) + ")\" shape-rendering=\"crispEdges\">");
  for (std::size_t k = 0; k <= shade_steps; ++k)
    if (!paths[k].empty()) svg.element("<path fill=\"" + shade_colour(k, diverging) + "\" d=\"" + paths[k] + "\"/>");
  svg.element("</g><path class=\"plot-path plot-axis\" d=\"M0 0H" + w + "V" + h + "H0z\"/></g>");
}

// A cross in each cell whose value is not finite.
inline void draw_crosses(Svg& svg, std::size_t cols, const std::vector<double>& all, const Cell& cell) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (std::isfinite(all[k])) continue;
    const double left = cell.x + static_cast<double>(k % cols) * cell.width, right = left + cell.width;
    const double top = cell.y + static_cast<double>(k / cols) * cell.height, bottom = top + cell.height;
    svg.line(left, top, right, bottom, "plot-level");
    svg.line(left, bottom, right, top, "plot-level");
  }
}

// The colour scale as a bar below all else, with its ends and, where it diverges, its zero.
inline void draw_scale(Svg& svg, const Shades& scale, bool diverging, double left) {
  if (scale.low == scale.high) return svg.paragraph(left, letters("Every value is " + number(scale.low)), "plot-soft");
  const double bar = 4 * (shade_steps + 1);
  std::vector<double> ramp;
  for (std::size_t k = 0; k <= shade_steps; ++k) ramp.push_back(static_cast<double>(k));
  svg.height += 14;
  draw_cells(svg, 1, ramp.size(), ramp, {0, shade_steps}, diverging, {left, svg.height, 4, 12});
  svg.height += 28;
  svg.text(left, svg.height, letters(number(scale.low)), "plot-soft");
  if (diverging) svg.text(left + bar / 2, svg.height, U"0", "plot-soft", "middle");
  svg.text(left + bar, svg.height, letters(number(scale.high)), "plot-soft", "end");
}

inline void explain_crosses(Svg& svg, const std::vector<double>& all) {
  const bool finite = std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); });
  if (!finite) svg.paragraph(16, U"A cross: the value is not finite", "plot-soft");
}

// A size that fixed() can write: at least 0.01 px, in whole hundredths, as the error of a cell adds up over a row.
inline double whole(double size) { return std::max(std::floor(size * 100), 1.0) / 100; }

// Every n-th label has room where a label needs `needed` px and a cell has `cell`.
inline std::size_t label_stride(double needed, double cell) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
}

// A heat map, at least 720 px wide. Throws std::invalid_argument if the map is inconsistent (see check).
inline std::string svg(const HeatMap& map) {
  check(map);
  std::vector<Letters> row_labels, col_labels, numbers;
  for (const std::string& label : map.row_labels) row_labels.push_back(letters(label));
  for (const std::string& label : map.col_labels) col_labels.push_back(letters(label));
  for (const double v : map.values) numbers.push_back(letters(number(v)));
  const auto width_of = [](const std::vector<Letters>& all) {
    return letter_width * static_cast<double>(longest(all));
  };
  const double rows = static_cast<double>(map.rows), cols = static_cast<double>(map.cols);
  const double left = row_labels.empty() ? 16 : 26 + width_of(row_labels), room = svg_width - left - 16;
  const double wide = map.numbers ? width_of(numbers) + 12 : 4;  // the least width of a cell
  const double cell = whole(std::max(wide, std::min(34.0, room / std::max(cols, 1.0))));
  const double tall = std::clamp(cell, map.numbers ? 28.0 : 4.0, 34.0);
  Svg svg;
  svg.width = std::max(svg_width, std::ceil(left + cell * cols + 16));
  svg.title(map.title);

  const bool upright = width_of(col_labels) + 4 <= cell;
  if (!col_labels.empty()) svg.height += upright ? line_height : width_of(col_labels) + 8;
  const double top = svg.height + 4;
  for (std::size_t c = 0; c < col_labels.size(); c += upright ? 1 : label_stride(14, cell)) {
    const double x = left + (static_cast<double>(c) + 0.5) * cell;
    const std::string at = fixed(x + 4.5) + " " + fixed(top - 6);
    if (upright) svg.text(x, top - 6, col_labels[c], "plot-soft", "middle");
    else svg.text(x + 4.5, top - 6, col_labels[c], "plot-soft", "start", " transform=\"rotate(-90 " + at + ")\"");
  }
  for (std::size_t r = 0; r < row_labels.size(); r += label_stride(14, tall))
    svg.text(left - 8, top + (static_cast<double>(r) + 0.5) * tall + 4.5, row_labels[r], "plot-soft", "end");

  const Shades scale = shades(map.values, map.diverging, map.low, map.high);
  const Cell first{left, top, cell, tall};
  draw_cells(svg, map.rows, map.cols, map.values, scale, map.diverging, first);
  if (!map.numbers) draw_crosses(svg, map.cols, map.values, first);
  for (std::size_t k = 0; map.numbers && k < numbers.size(); ++k) {
    const double x = left + (static_cast<double>(k % map.cols) + 0.5) * cell;
    const double y = top + (static_cast<double>(k / map.cols) + 0.5) * tall + 4.5;
    const bool finite = std::isfinite(map.values[k]);
    const bool white = finite && dark(shade_step(scale.at(map.values[k])), map.diverging);
    svg.text(x, y, numbers[k], finite ? "" : "plot-ink", "middle",
             finite ? white ? " fill=\"#fff\"" : " fill=\"#111\"" : "");
  }
  svg.height = top + rows * tall;
  if (map.values.empty()) svg.paragraph(left, U"(no values)", "plot-soft");
  else draw_scale(svg, scale, map.diverging, left);
  if (!map.numbers) explain_crosses(svg, map.values);
  return svg.str(map.title);
}

// As given, or as many as make equally long rows of at most eight.
inline std::size_t images_per_row(const Sheet& sheet) {
  if (sheet.per_row > 0) return sheet.per_row;
  const std::size_t n = std::max(sheet.images.size(), std::size_t{1}), rows = (n + 7) / 8;
  return (n + rows - 1) / rows;
}

// A sheet, 720 px wide, or wider where images of 8 px are. Throws std::invalid_argument if an image is not rows x cols.
inline std::string svg(const Sheet& sheet) {
  check(sheet);
  Svg svg;
  svg.title(sheet.title);
  const std::size_t n = sheet.images.size(), per_row = images_per_row(sheet);
  const double gap = 12, across = static_cast<double>(per_row);
  const double tile = std::clamp((svg.width - 32 + gap) / across - gap, 8.0, 150.0);
  const double cell = whole(tile / static_cast<double>(std::max(sheet.cols, std::size_t{1})));
  std::vector<double> all;
  svg.width = std::max(svg_width, 32 + across * (tile + gap));
  for (std::size_t first = 0; first < n; first += per_row) {
    const double top = svg.height + 4;
    std::size_t most_lines = 1;
    for (std::size_t k = first; k < std::min(first + per_row, n); ++k) {
      const Image& image = sheet.images[k];
      const double left = 16 + static_cast<double>(k - first) * (tile + gap);
      const double bottom = top + cell * static_cast<double>(sheet.rows);
      const Cell corner{left, top, cell, cell};
      draw_cells(svg, sheet.rows, sheet.cols, image.values, shades(sheet, k), sheet.diverging, corner);
      draw_crosses(svg, sheet.cols, image.values, corner);
      const auto width = static_cast<std::size_t>(std::max(1.0, (tile + gap) / letter_width));
      const std::vector<Letters> caption = wrap(letters(image.caption), width);
      for (std::size_t i = 0; i < caption.size(); ++i)
        svg.text(left + tile / 2, bottom + line_height * static_cast<double>(i + 1), caption[i], "plot-ink", "middle");
      most_lines = std::max(most_lines, caption.size());
      svg.height = std::max(svg.height, bottom);
      all.insert(all.end(), image.values.begin(), image.values.end());
    }
    svg.height += line_height * static_cast<double>(most_lines) + 8;
  }
  if (all.empty()) svg.paragraph(16, U"(no values)", "plot-soft");
  else if (sheet.own_scale)
    svg.paragraph(16, U"Colours: from the smallest to the largest value of each image", "plot-soft");
  else draw_scale(svg, shades(sheet, 0), sheet.diverging, 16);
  explain_crosses(svg, all);
  return svg.str(sheet.title);
}

}  // namespace plot
