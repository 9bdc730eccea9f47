// Colours go from white to dark blue, or, diverging, from blue below zero over white to red. Each
// colour is one path over all its cells, which keeps the files small.
// SPDX-License-Identifier: MIT
#include <array>

#include "common/plot/svg.hpp"

namespace plot {
namespace {

constexpr std::size_t shade_steps = 64;

struct Shades {
  double low = 0, high = 0;
  bool diverging = false;

  // Returns the step of a value, or the one behind the last if it is not finite.
  std::size_t step(double v) const {
    if (!drawable(v, false)) return shade_steps + 1;
    const double shade = high > low ? std::clamp((v - low) / (high - low), 0.0, 1.0) : 0.5;
    return std::size_t(std::lround(shade * shade_steps));
  }

  // Tells whether white letters stand out on this colour.
  bool dark(std::size_t step) const { return diverging ? step < 12 || step > 48 : step > 36; }

  std::string colour(std::size_t k) const {
    using Scale = double[3][3];
    constexpr Scale two_sided = {{33, 102, 172}, {250, 250, 250}, {178, 24, 43}};
    constexpr Scale one_sided = {{255, 255, 255}, {107, 174, 214}, {8, 48, 107}};
    const Scale& scale = diverging ? two_sided : one_sided;
    const std::size_t below = k < shade_steps / 2 ? 0 : 1;
    const double share = 2 * double(k) / shade_steps - double(below);
    std::string out = "#";
    for (std::size_t i = 0; i < 3; ++i) {
      const double from = scale[below][i], to = scale[below + 1][i];
      const auto byte = std::size_t(std::lround(from + share * (to - from)));
      out += {"0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
    }
    return out;
  }
};

template <class Picture>
Shades shades_of(const std::vector<double>& values, const Picture& picture) {
  std::vector<double> finite;
  for (const double v : values)
    if (drawable(v, false)) finite.push_back(v);
  if (finite.empty()) finite.push_back(0);
  const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
  const auto [low, high] =
      std::minmax({picture.low.value_or(*least), picture.high.value_or(*most)});
  if (!picture.diverging) return {low, high, false};
  const double size = std::max(std::abs(low), std::abs(high));
  return {-size, size, true};
}

struct Grid {
  std::size_t rows, cols;
  double x, y, width, height;

  double middle_of_col(std::size_t c) const { return x + (double(c) + 0.5) * width; }
  double base_of_row(std::size_t r) const { return y + (double(r) + 0.5) * height + 4.5; }
};

template <class Picture>
void check_cells(const Picture& picture, const std::vector<double>& values,
                 const std::string& name) {
  require(
      values.size() == picture.rows * picture.cols,
      join("'", name, "' has ", values.size(), " values for ", picture.rows, " x ", picture.cols));
  check_limits(picture, "'" + picture.title + "'");
}

// Draws the cells with a frame; what is not finite stays empty.
void draw_cells(Svg& svg, const Grid& grid, const std::vector<double>& values,
                const Shades& shades) {
  std::array<std::string, shade_steps + 2> paths;
  const auto step = [&](std::size_t r, std::size_t c) {
    return shades.step(values[r * grid.cols + c]);
  };
  for (std::size_t r = 0; r < grid.rows; ++r)
    for (std::size_t c = 0, end = 0; c < grid.cols; c = end) {  // a run of the same colour
      for (end = c + 1; end < grid.cols && step(r, end) == step(r, c);) ++end;
      paths[step(r, c)] += join("M", c, " ", r, "h", end - c, "v1h-", end - c, "z");
    }
  svg.element(
      "<g transform=\"translate(@ @)\">"
      R"_(<g transform="scale(@ @)" shape-rendering="crispEdges">)_",
      grid.x, grid.y, grid.width, grid.height);
  for (std::size_t k = 0; k <= shade_steps; ++k)
    if (!paths[k].empty()) svg.element(R"(<path fill="@" d="@"/>)", shades.colour(k), paths[k]);
  svg.element(R"(</g><path class="plot-path plot-axis" d="M0 0H@V@H0z"/></g>)",
              double(grid.cols) * grid.width, double(grid.rows) * grid.height);
}

// Draws the colour scale as a bar below all else.
void draw_scale(Svg& svg, const Shades& shades, double left) {
  if (shades.low == shades.high) return svg.paragraph(left, "Every value is " + number(shades.low));
  const Series ramp = line("", std::vector<double>(shade_steps + 1));
  const double width = 4 * double(ramp.x.size());
  svg.height += 14;
  draw_cells(svg, {1, ramp.x.size(), left, svg.height, 4, 12}, ramp.x,
             {0, shade_steps, shades.diverging});
  svg.height += 28;
  svg.text(left, svg.height, number(shades.low));
  if (shades.diverging) svg.text(left + width / 2, svg.height, "0", "middle");
  svg.text(left + width, svg.height, number(shades.high), "end");
}

// Returns a size in whole hundredths, as the error of a cell adds up over a row.
double whole(double size) { return std::max(std::floor(size * 100), 1.0) / 100; }

std::size_t stride(double size) { return std::size_t(std::max(1.0, std::ceil(14 / size))); }

void draw_col_labels(Svg& svg, const Grid& grid, const Lines& labels, bool upright) {
  const double y = grid.y - 6;
  for (std::size_t c = 0; c < labels.size(); c += upright ? 1 : stride(grid.width)) {
    const double middle = grid.middle_of_col(c), x = middle + 4.5;
    if (upright) svg.text(middle, y, labels[c], "middle");
    else
      svg.text(x, y, labels[c], "start", "plot-soft",
               markup(R"_( transform="rotate(-90 @ @)")_", x, y));
  }
}

void draw_numbers(Svg& svg, const Grid& grid, const std::vector<double>& values,
                  const Lines& numbers, const Shades& shades) {
  for (std::size_t r = 0, k = 0; r < grid.rows; ++r)
    for (std::size_t c = 0; c < grid.cols; ++c, ++k) {
      const bool finite = std::isfinite(values[k]);
      const char* const letters = shades.dark(shades.step(values[k])) ? "#fff" : "#111";
      svg.text(grid.middle_of_col(c), grid.base_of_row(r), numbers[k], "middle",
               finite ? "" : "plot-ink", finite ? markup(R"( fill="@")", letters) : "");
    }
}

}  // namespace

std::string svg(const HeatMap& map) {
  check_cells(map, map.values, map.title);
  require(map.row_labels.empty() || map.row_labels.size() == map.rows,
          "row labels of '" + map.title + "'");
  require(map.col_labels.empty() || map.col_labels.size() == map.cols,
          "column labels of '" + map.title + "'");
  Lines numbers;
  for (const double v : map.values) numbers.push_back(number(v));
  const double left = map.row_labels.empty() ? 16 : 26 + width_of(map.row_labels);
  const double room = svg_width - left - 16;
  const double narrowest = map.numbers ? width_of(numbers) + 12 : 4;
  const double shared = std::min(34.0, room / std::max(double(map.cols), 1.0));
  const double cell = whole(std::max(narrowest, shared));
  Svg svg(map.title);
  svg.width = std::max(svg_width, std::ceil(left + cell * double(map.cols) + 16));

  const double widest = width_of(map.col_labels);
  const bool upright = widest + 4 <= cell;
  if (!map.col_labels.empty()) svg.height += upright ? line_height : widest + 8;
  const Grid grid{map.rows,       map.cols, left,
                  svg.height + 4, cell,     std::clamp(cell, map.numbers ? 28.0 : 4.0, 34.0)};
  draw_col_labels(svg, grid, map.col_labels, upright);
  for (std::size_t r = 0; r < map.row_labels.size(); r += stride(grid.height))
    svg.text(left - 8, grid.base_of_row(r), map.row_labels[r], "end");

  const Shades shades = shades_of(map.values, map);
  draw_cells(svg, grid, map.values, shades);
  if (map.numbers) draw_numbers(svg, grid, map.values, numbers, shades);
  svg.height = grid.y + double(map.rows) * grid.height;
  if (map.values.empty()) svg.paragraph(left, "(no values)");
  else draw_scale(svg, shades, left);
  return svg.str();
}

std::string svg(const Sheet& sheet) {
  check_limits(sheet, "'" + sheet.title + "'");
  std::vector<double> all;
  for (const Image& image : sheet.images) {
    check_cells(sheet, image.values, image.caption);
    all.insert(all.end(), image.values.begin(), image.values.end());
  }
  Svg svg(sheet.title);
  const std::size_t n = sheet.images.size(), rows = std::max<std::size_t>((n + 4) / 5, 1);
  const std::size_t equal = std::max<std::size_t>((n + rows - 1) / rows, 1);  // at most five
  const std::size_t per_row = sheet.per_row > 0 ? sheet.per_row : equal;
  const double gap = 12, across = double(per_row);
  const double room = (svg.width - 32 + gap) / across - gap;
  const double tile = std::clamp(room, 8.0, n == 1 ? 260.0 : 150.0);
  const double cell = whole(tile / double(std::max<std::size_t>(sheet.cols, 1)));
  svg.width = std::max(svg_width, 32 + across * (tile + gap));
  for (std::size_t first = 0; first < n; first += per_row) {
    const double top = svg.height + 4, below = top + cell * double(sheet.rows) + line_height;
    svg.height = below + 8;
    for (std::size_t k = first; k < std::min(first + per_row, n); ++k) {
      const Image& image = sheet.images[k];
      const double left = 16 + double(k - first) * (tile + gap);
      draw_cells(svg, {sheet.rows, sheet.cols, left, top, cell, cell}, image.values,
                 shades_of(sheet.own_scale ? image.values : all, sheet));
      const Lines caption = lines_in(image.caption, tile + gap);
      const double end = svg.lines(left + tile / 2, below, caption, "middle", "plot-ink");
      svg.height = std::max(svg.height, end + 8);
    }
  }
  const char* const own =
      sheet.diverging
          ? "Colours: full where a value is as large, of either sign, as any of its image"
          : "Colours: from the smallest to the largest value of each image";
  if (all.empty()) svg.paragraph(16, "(no values)");
  else if (sheet.own_scale) svg.paragraph(16, own);
  else draw_scale(svg, shades_of(all, sheet), 16);
  return svg.str();
}

}  // namespace plot
