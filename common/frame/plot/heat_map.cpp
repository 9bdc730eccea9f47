// Colours go from the page's to a blue, or, diverging, from a blue below zero over the page's to a
// red, so that zero is pale by day and dark by night. Each shade is one path over all its cells,
// which keeps the files small.
// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include "common/frame/plot/svg.hpp"

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

  // Returns how much of its ink a step has, from 0 to 1.
  double ink(std::size_t step) const {
    const double share = double(step) / shade_steps;
    return diverging ? std::abs(2 * share - 1) : share;
  }

  std::string_view colour(std::size_t step) const {
    if (!diverging) return "more";
    return 2 * step < shade_steps ? "cold" : "hot";
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

// Returns what a page needs to say what a cell holds.
std::string data_of(const Grid& grid, const std::vector<double>& values, int digits) {
  const std::vector<double> size{double(grid.rows), double(grid.cols), grid.width, grid.height};
  return data("cells", size) + data("values", values, digits);
}

// Draws the cells with a frame; what is not finite stays empty. `more` says what they hold.
void draw_cells(Svg& svg, const Grid& grid, const std::vector<double>& values, const Shades& shades,
                const std::string& more = "") {
  std::array<std::string, shade_steps + 2> paths;
  const auto step = [&](std::size_t r, std::size_t c) {
    return shades.step(values[r * grid.cols + c]);
  };
  for (std::size_t r = 0; r < grid.rows; ++r)
    for (std::size_t c = 0, end = 0; c < grid.cols;
         c = end) {  // a run of the same colour, a stroke
      for (end = c + 1; end < grid.cols && step(r, end) == step(r, c);) ++end;
      paths[step(r, c)] += join("M", c, " ", r, "h", end - c);
    }
  svg.element(
      "<g transform=\"translate(@ @)\"@>"
      R"_(<g transform="scale(@ @)translate(0 .5)" shape-rendering="crispEdges">)_",
      grid.x, grid.y, more, grid.width, grid.height);
  std::string_view colour;
  for (std::size_t k = 0; k <= shade_steps; ++k) {
    if (paths[k].empty()) continue;
    if (colour != shades.colour(k))
      svg.element(R"(@<g class="plot-@">)", colour.empty() ? "" : "</g>", shades.colour(k));
    colour = shades.colour(k);
    svg.element(R"(<path opacity="@" d="@"/>)", shades.ink(k), paths[k]);
  }
  svg.element(R"(@</g><path class="plot-path plot-axis" d="M0 0H@V@H0z"/></g>)",
              colour.empty() ? "" : "</g>", double(grid.cols) * grid.width,
              double(grid.rows) * grid.height);
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
      // On half of the ink either letters have a contrast above 4.5.
      const bool full = std::isfinite(values[k]) && shades.ink(shades.step(values[k])) > 0.55;
      svg.text(grid.middle_of_col(c), grid.base_of_row(r), numbers[k], "middle",
               full ? "plot-page" : "plot-ink");
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
  if (!map.col_labels.empty()) svg.height += upright ? line_height : widest + 14;
  const Grid grid{map.rows,       map.cols, left,
                  svg.height + 4, cell,     std::clamp(cell, map.numbers ? 28.0 : 4.0, 34.0)};
  draw_col_labels(svg, grid, map.col_labels, upright);
  for (std::size_t r = 0; r < map.row_labels.size(); r += stride(grid.height))
    svg.text(left - 8, grid.base_of_row(r), map.row_labels[r], "end");

  const Shades shades = shades_of(map.values, map);
  draw_cells(
      svg, grid, map.values, shades,
      data_of(grid, map.values, 3) + data("rows", map.row_labels) + data("cols", map.col_labels));
  if (map.numbers) draw_numbers(svg, grid, map.values, numbers, shades);
  svg.height = grid.y + double(map.rows) * grid.height;
  if (map.values.empty()) svg.paragraph(left, "(no values)");
  else draw_scale(svg, shades, left);
  return svg.str();
}

// Draws the ticks and the names of both axes beside a square, and what stands in it.
static void draw_axes(Svg& svg, const Grid& grid, const Sheet& sheet, const Image& image) {
  const auto scale_of = [](const Axis& axis) { return Scale{false, *axis.low, *axis.high}; };
  const Scale x = scale_of(sheet.x), y = scale_of(sheet.y);
  const auto px = [&](double at) {
    return grid.x + grid.width * (0.5 + at * double(grid.cols - 1));
  };
  const auto py = [&](double at) {
    return grid.y + grid.height * (0.5 + (1 - at) * double(grid.rows - 1));
  };
  const double left = grid.x - 5, below = grid.y + grid.height * double(grid.rows) + 17;
  const auto along = [&](const Axis& axis, const Scale& scale, auto write) {
    double last = 0.5, before = 0.5;
    for (const auto& [at, label] : ticks(scale, 3).major) {
      write(at, label);
      before = std::exchange(last, at);
    }
    write((last + before) / 2, axis.title);
  };
  along(sheet.x, x,
        [&](double at, const std::string& label) { svg.text(px(at), below, label, "middle"); });
  along(sheet.y, y,
        [&](double at, const std::string& label) { svg.text(left, py(at) + 5, label, "end"); });
  for (const Grip& grip : image.grips) svg.grip({px(x.at(grip.x)), py(y.at(grip.y))}, grip);
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
  const bool axes = sheet.x.low && sheet.x.high && sheet.y.low && sheet.y.high;
  const double beside = axes ? 22 : 0, gap = 12 + beside, across = double(per_row);
  const double room = (svg.width - 32 + gap - beside) / across - gap;
  const double tile = std::clamp(room, 8.0, n == 1 ? 260.0 : 150.0);
  const double cell = whole(tile / double(std::max<std::size_t>(sheet.cols, 1)));
  const std::string ranges = !axes ? ""
                                   : data("x", std::vector{*sheet.x.low, *sheet.x.high}) +
                                         data("y", std::vector{*sheet.y.low, *sheet.y.high}) +
                                         data("titles", Lines{sheet.x.title, sheet.y.title});
  svg.width = std::max(svg_width, 32 + across * (tile + gap));
  for (std::size_t first = 0; first < n; first += per_row) {
    const double top = svg.height + 4,
                 below = top + cell * double(sheet.rows) + beside + line_height;
    svg.height = below + 8;
    for (std::size_t k = first; k < std::min(first + per_row, n); ++k) {
      const Image& image = sheet.images[k];
      const double left = 16 + beside + double(k - first) * (tile + gap);
      const Grid grid{sheet.rows, sheet.cols, left, top, cell, cell};
      draw_cells(svg, grid, image.values, shades_of(sheet.own_scale ? image.values : all, sheet),
                 data_of(grid, image.values, 2) + data("name", image.caption) + ranges);
      if (axes) draw_axes(svg, grid, sheet, image);
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
