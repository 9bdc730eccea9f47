// Images whose cells are coloured by numbers: from the paper's colour to blue, or, diverging, also
// to plum below zero, so that zero is pale by day and dark by night.
// SPDX-License-Identifier: MIT
#include <utility>

#include "common/frame/plot/scene.hpp"

namespace plot {
namespace {

constexpr Shading fine{64, 1};
const Type aside{.tone = Tone::soft, .anchor = "start"};
const Type before{.tone = Tone::soft, .anchor = "end"};

// The numbers without and with the most ink.
struct Span {
  double empty = 0, full = 0;
  bool diverging = false;

  // Returns 0 to 1, or -1 to 1 where signs are told apart; NaN for what is not finite.
  double share(double v) const {
    if (!drawable(v)) return nothing;
    return full > empty ? std::clamp((v - empty) / (full - empty), diverging ? -1.0 : 0.0, 1.0) : 0;
  }
};

Span span_of(const std::vector<double>& values, const Sheet& sheet) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double v) { return drawable(v); });
  if (finite.empty()) finite.push_back(0);
  const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
  const auto [low, high] = std::minmax({sheet.low.value_or(*least), sheet.high.value_or(*most)});
  if (sheet.diverging) return {0, std::max(std::abs(low), std::abs(high)), true};
  return {low, high};
}

void draw_cells(Scene& scene, const Cell& cell, std::size_t columns,
                const std::vector<double>& shares, const std::string& more = "") {
  scene.cells(cell, columns, shares, fine, more);
  const auto [width, height] = cell.size;
  const std::size_t rows = columns > 0 ? shares.size() / columns : 0;
  scene.frame(cell.corner, {width * double(columns), height * double(rows)}, {Tone::soft, 1});
}

// Returns where a line below would stand.
double write(Scene& scene, Spot at, const Lines& lines, const Type& type = aside) {
  for (const std::string& line : lines) {
    scene.text(at, line, type);
    at.y += line_height;
  }
  return at.y;
}

// Draws all shades, as a bar with the numbers below that they stand for.
double draw_scale(Scene& scene, const Span& span, Spot at) {
  if (span.empty == span.full)
    return write(scene, {at.x, at.y + 14}, {"Every value is " + number(span.full)});
  const double width = 260, below = at.y + 28;
  std::vector<double> shares;
  for (int k = span.diverging ? -fine.steps : 0; k <= fine.steps; ++k)
    shares.push_back(double(k) / fine.steps);
  draw_cells(scene, {at, {width / double(shares.size()), 12}}, shares.size(), shares);
  const double middle = at.x + width / 2, right = at.x + width;
  if (span.diverging) scene.text({middle, below}, "0", {.tone = Tone::soft});
  scene.text({right, below}, number(span.full), before);
  return write(scene, {at.x, below}, {number(span.diverging ? -span.full : span.empty)});
}

bool has_limits(const Axis& axis) { return axis.low && axis.high; }

// Writes the ticks and the titles of axes beside an image, and what it holds in their units.
void draw_axes(Scene& scene, const Sheet& sheet, const Image& image, Spot corner, double cell) {
  const Scale x{false, *sheet.x.low, *sheet.x.high}, y{false, *sheet.y.low, *sheet.y.high};
  const double foot = corner.y + cell * double(sheet.rows);
  const auto px = [&](double at) { return corner.x + cell * (0.5 + at * double(sheet.cols - 1)); };
  const auto py = [&](double at) { return foot - cell * (0.5 + at * double(sheet.rows - 1)); };
  const auto along = [&](const Axis& axis, const Scale& scale, auto write_at) {
    double last = 0.5, second = 0.5;
    for (const auto& [at, label] : ticks(scale, 3).major) {
      write_at(at, label);
      second = std::exchange(last, at);
    }
    write_at((last + second) / 2, axis.title);
  };
  along(sheet.x, x, [&](double at, const std::string& label) {
    scene.text({px(at), foot + 16}, label, {.tone = Tone::soft});
  });
  along(sheet.y, y, [&](double at, const std::string& label) {
    scene.text({corner.x - 5, py(at) + to_foot}, label, before);
  });
  for (const Grip& grip : image.grips) scene.grip({px(x.at(grip.x)), py(y.at(grip.y))}, grip);
}

// Writes the names of rows to the left of an image, of columns above it; some where all would
// overlap.
void draw_names(Scene& scene, const Lines& rows, const Lines& columns, Spot corner, double cell) {
  const auto every = std::size_t(std::ceil(14 / cell));
  const auto foot = [&](std::size_t k) { return (double(k) + 0.5) * cell + to_foot; };
  for (std::size_t k = 0; k < rows.size(); k += every)
    scene.text({corner.x - 8, corner.y + foot(k)}, rows[k], before);
  for (std::size_t k = 0; k < columns.size(); k += every)
    scene.text_up({corner.x + foot(k), corner.y - 6}, columns[k], aside);
}

// Returns the names of an axis, cut where they are long.
Lines short_names(const Axis& axis) {
  Lines names;
  for (const std::string& name : axis.names) {
    const Lines all = lines_in(name, 120);
    names.push_back(all.empty() ? "" : all[0]);
  }
  return names;
}

void check(const Sheet& sheet) {
  check_limits(sheet, "'" + sheet.title + "'");
  for (const auto& [axis, count] : {std::pair(&sheet.x, sheet.cols), {&sheet.y, sheet.rows}}) {
    check_limits(*axis, "the axes of '" + sheet.title + "'");
    require(axis->names.empty() || axis->names.size() == count,
            join("'", sheet.title, "' has ", axis->names.size(), " names for ", count));
  }
  for (const auto& [caption, values, grips] : sheet.images)
    require(
        values.size() == sheet.rows * sheet.cols,
        join("'", caption, "' has ", values.size(), " values for ", sheet.rows, " x ", sheet.cols));
}

// Returns what a page needs to say what a cell holds.
std::string data_of(const Sheet& sheet, const Image& image, double cell) {
  const std::vector<double> size{double(sheet.rows), double(sheet.cols), cell, cell};
  const std::string held = data("cells", size) +
                           data("values", image.values, sheet.images.size() == 1 ? 3 : 2) +
                           data("name", image.caption);
  if (!has_limits(sheet.x) || !has_limits(sheet.y))
    return held + data("rows", sheet.y.names) + data("cols", sheet.x.names);
  return held + data("x", std::vector{*sheet.x.low, *sheet.x.high}) +
         data("y", std::vector{*sheet.y.low, *sheet.y.high}) +
         data("titles", Lines{sheet.x.title, sheet.y.title});
}

}  // namespace

std::string svg(const Sheet& sheet) {
  check(sheet);
  std::vector<double> all;
  for (const Image& image : sheet.images)
    all.insert(all.end(), image.values.begin(), image.values.end());
  const std::size_t count = sheet.images.size(), rows = std::max<std::size_t>((count + 5) / 6, 1);
  const std::size_t per_row = std::max<std::size_t>((count + rows - 1) / rows, 1);
  const bool axes = has_limits(sheet.x) && has_limits(sheet.y);
  const Lines names = short_names(sheet.y), heads = short_names(sheet.x);
  const double beside = axes ? 22 : names.empty() ? 0 : width_of(names) + 10;
  const double above = heads.empty() ? 0 : width_of(heads) + 10, below = axes ? 20 : 0,
               gap = 12 + beside;
  const double room = (svg_width - 32 + gap - beside) / double(per_row) - gap;
  const double columns = std::max(double(sheet.cols), 1.0);
  const double most = !names.empty() ? 34 * columns : count == 1 ? 260 : 150;
  // Whole hundredths, as the error of a cell adds up over a row.
  const double tile = std::min(room, most),
               cell = std::max(std::floor(tile / columns * 100), 1.0) / 100;

  Scene scene(sheet.title);
  double y = 0;
  for (std::size_t first = 0; first < count; first += per_row) {
    const double top = y + above, under = top + cell * double(sheet.rows) + below + 18;
    for (std::size_t k = first; k < std::min(first + per_row, count); ++k) {
      const Image& image = sheet.images[k];
      const Spot corner{16 + beside + double(k - first) * (tile + gap), top};
      const Span span = span_of(sheet.own_scale ? image.values : all, sheet);
      std::vector<double> shares;
      for (const double v : image.values) shares.push_back(span.share(v));
      draw_cells(scene, {corner, {cell, cell}}, sheet.cols, shares, data_of(sheet, image, cell));
      if (axes) draw_axes(scene, sheet, image, corner, cell);
      draw_names(scene, names, heads, corner, cell);
      const Lines caption = lines_in(image.caption, tile + gap);
      y = std::max(y, write(scene, {corner.x + tile / 2, under}, caption, {}) - 8);
    }
  }
  const char* const own =
      sheet.diverging
          ? "Colours: full where a value is as large, of either sign, as any of its image"
          : "Colours: from the smallest to the largest value of each image";
  if (all.empty()) y = write(scene, {16, y + 12}, {"(no values)"});
  else if (sheet.own_scale) y = write(scene, {16, y + 14}, lines_in(own, svg_width - 32));
  else y = draw_scale(scene, span_of(all, sheet), {16 + beside, y + 6});
  scene.end(y - line_height + 2);
  return scene.str();
}

}  // namespace plot
