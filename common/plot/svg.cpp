// Pictures as SVG. Lines differ in colour and in dashes, groups of points in colour and shape. The colours of heat maps
// and images mean the same in the light and in the dark scheme: white to dark blue, or, on a diverging scale, blue
// below zero, white at zero and red above it. Each of 65 colours is one path over all its cells, which keeps the files
// small.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "common/plot/plot.hpp"
#include "common/plot/parts.hpp"
#include "common/support/svg.hpp"

namespace plot {
namespace {

// Returns the dashes of line k: none first, and another pairing with the colours in each round.
std::string dashes(std::size_t k) {
  const char* patterns[colours] = {"", "8 3", "2 3", "9 3 2 3", "5 5", "12 3 2 3 2 3"};
  const std::string pattern = patterns[(k + k / colours) % colours];
  return pattern.empty() ? "" : " stroke-dasharray=\"" + pattern + "\"";
}

// Returns the mark of group k, about 8 px in size.
std::string mark(double x, double y, std::size_t k) {
  const char* shapes[colours] = {
      "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "M-2.7-2.7h5.4v5.4h-5.4z", "M0-3.6L3.6 2.7h-7.2z",
      "M0-3.8L3.8 0L0 3.8L-3.8 0z",         "M-3.5 0h7M0-3.5v7",       "M-2.7-2.7l5.4 5.4m0-5.4l-5.4 5.4"};
  return "<path class=\"plot-dot " + colour(k) + "\" transform=\"translate(" + fixed(x) + " " + fixed(y) + ")\" d=\"" +
         shapes[(k + k / colours) % colours] + "\"/>";
}

// One entry of the legend at the right of the axes: a sample of what is drawn, and its name.
struct Entry {
  std::string sample;  // markup around (0, 0), 26 px wide
  std::vector<Letters> name;
  double y;  // where it would like to be: beside the end of its line
};

Entry entry(const std::string& sample, const std::string& name, double y) {
  return {sample, wrap(letters(name), 24), y};
}

double entry_height(const Entry& e) {
  return line_height * static_cast<double>(std::max(e.name.size(), std::size_t{1})) + 3;
}

// The axes on their place in the picture.
struct Frame {
  Scale x, y;
  double left = 0, top = 0, width = 0, height = 320;

  double px(double at) const { return left + at * width; }
  double py(double at) const { return top + (1 - at) * height; }
};

// Makes the axes with room for the title, the labels of the y axis and the legend.
Frame frame(Svg& svg, const std::string& title, const Axis& y_axis, const Scale& x, const Scale& y,
            const std::vector<Entry>& legend) {
  svg.title(title);
  Frame f{x, y};
  double needed = 0;
  std::size_t widest = 0;
  for (const Entry& e : legend) {
    needed += entry_height(e);
    widest = std::max(widest, longest(e.name));
  }
  f.height = std::max(f.height, needed);
  const Ticks y_ticks = ticks_that_fit(y, 9, f.height, 0, 26);
  svg.paragraph(16, axis_title(y_axis, y_ticks), "plot-soft");
  std::size_t label = 0;
  for (const Tick& tick : y_ticks.major) label = std::max(label, tick.label.size());
  f.left = std::max(44.0, 24 + letter_width * static_cast<double>(label));
  f.top = svg.height + 12;
  f.width = svg.width - f.left - (legend.empty() ? 36 : 50 + letter_width * static_cast<double>(widest));
  return f;
}

// Draws grid, axes, ticks and the title of the x axis; the height is then below them.
void draw_axes(Svg& svg, const Frame& f, const Axis& x_axis) {
  const Ticks y_ticks = ticks_that_fit(f.y, 9, f.height, 0, 26);
  const Ticks x_ticks = ticks_of(x_axis, f.x, 10, f.width, letter_width, 14);
  const double right = f.left + f.width, bottom = f.top + f.height;
  for (const double at : y_ticks.minor) svg.line(f.left, f.py(at), right, f.py(at), "plot-minor");
  for (const double at : x_ticks.minor) svg.line(f.px(at), f.top, f.px(at), bottom, "plot-minor");
  for (const Tick& tick : y_ticks.major) {
    svg.line(f.left, f.py(tick.at), right, f.py(tick.at), "plot-grid");
    svg.text(f.left - 8, f.py(tick.at) + 4.5, letters(tick.label), "plot-soft", "end");
  }
  for (const Tick& tick : x_ticks.major) {
    svg.line(f.px(tick.at), f.top, f.px(tick.at), bottom + 5, "plot-grid");
    svg.text(f.px(tick.at), bottom + 20, letters(tick.label), "plot-soft", "middle");
  }
  svg.element("<path class=\"plot-path plot-axis\" d=\"M" + fixed(f.left) + " " + fixed(f.top) + "V" + fixed(bottom) +
              "H" + fixed(right) + "\"/>");
  svg.height = bottom + 24;
  for (const Letters& part : wrap(axis_title(x_axis, x_ticks), static_cast<std::size_t>(f.width / letter_width))) {
    svg.height += line_height;
    svg.text(f.left + f.width / 2, svg.height, part, "plot-soft", "middle");
  }
}

// Draws the legend, each entry as near to its wish as the others allow.
void draw_legend(Svg& svg, const Frame& f, std::vector<Entry> legend) {
  std::stable_sort(legend.begin(), legend.end(), [](const Entry& a, const Entry& b) { return a.y < b.y; });
  double from = f.top - line_height / 2, below = f.top + f.height + line_height / 2;
  for (Entry& e : legend) {
    e.y = std::max(e.y - line_height / 2, from);
    from = e.y + entry_height(e);
  }
  for (std::size_t k = legend.size(); k-- > 0;) {
    legend[k].y = std::min(legend[k].y, below - entry_height(legend[k]));
    below = legend[k].y;
  }
  const double left = f.left + f.width + 10;
  for (const Entry& e : legend) {
    const double y = e.y + line_height / 2;
    svg.element("<g transform=\"translate(" + fixed(left) + " " + fixed(y) + ")\">" + e.sample + "</g>");
    for (std::size_t k = 0; k < e.name.size(); ++k)
      svg.text(left + 32, y + 4.5 + line_height * static_cast<double>(k), e.name[k], "plot-ink");
  }
}

void draw_note(Svg& svg, const Letters& note) {
  if (note.empty()) return;
  svg.height += 4;
  svg.paragraph(16, note, "plot-soft");
}

// Draws one series: its pieces, thinned to what can be seen, with marks where the points are few or stand alone.
void draw_series(Svg& svg, const Frame& f, const Series& series, std::size_t k) {
  const bool few = series.x.size() <= 24;
  for (const Path& piece : pieces(series, f.x, f.y)) {
    const Path path = thin(piece, 2 * f.width);
    std::string points;
    for (const Spot& s : path) {
      if (!points.empty()) points += " ";
      points += fixed(f.px(s.x)) + "," + fixed(f.py(s.y));
    }
    if (path.size() > 1)
      svg.element("<polyline class=\"plot-line " + colour(k) + "\"" + dashes(k) + " points=\"" + points + "\"/>");
    if (few || path.size() == 1)
      for (const Spot& s : path) svg.element(mark(f.px(s.x), f.py(s.y), k));
  }
}

// Returns where the visible part of a series ends, in its y; 0 if it has none.
double last_place(const Series& series, const Scale& x, const Scale& y) {
  const std::vector<Path> all = pieces(series, x, y);
  return all.empty() ? 0 : all.back().back().y;
}

// Writes a label beside its mark, or further away at the end of a thin line; false if there is no room.
bool place(Svg& svg, const Frame& f, Room& room, const Letters& label, double x, double y, std::size_t group) {
  const double w = std::ceil(letter_width * static_cast<double>(label.size())), h = 14;
  for (const double d : {5.0, 14.0, 24.0}) {
    const std::array<Spot, 8> corners{{{x + d, y - h / 2},
                                       {x - d - w, y - h / 2},
                                       {x - w / 2, y - d - h},
                                       {x - w / 2, y + d},
                                       {x + d, y - d - h / 2},
                                       {x - d - w, y - d - h / 2},
                                       {x + d, y + d - h / 2},
                                       {x - d - w, y + d - h / 2}}};
    for (const Spot& corner : corners) {
      const long column = std::lround(corner.x - f.left), row = std::lround(corner.y - f.top);
      if (!room.free(column, row, static_cast<long>(w), static_cast<long>(h))) continue;
      room.take(column, row, static_cast<long>(w), static_cast<long>(h));
      if (d > 5)
        svg.line(x, y, std::clamp(x, corner.x, corner.x + w), std::clamp(y, corner.y, corner.y + h), "plot-axis");
      svg.text(corner.x + w / 2, corner.y + h - 3, label, "plot-dot " + colour(group), "middle", " stroke-width=\"0\"");
      return true;
    }
  }
  return false;
}

constexpr std::size_t shade_steps = 64;

// Returns the colour of step k <= 64, between the three colours of the scale.
std::string shade_colour(std::size_t k, bool diverging) {
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

std::size_t shade_step(double at) { return static_cast<std::size_t>(std::lround(at * shade_steps)); }

// The first cell of a grid: its upper left corner and its size in px.
struct Cell {
  double x, y, width, height;
};

// Tells whether white letters stand out better than black ones on this colour.
bool dark(std::size_t step, bool diverging) { return diverging ? step < 12 || step > 48 : step > 36; }

// Draws the cells of a grid, cell_width x cell_height each, with a frame; one that is not finite stays empty.
void draw_cells(Svg& svg, std::size_t rows, std::size_t cols, const std::vector<double>& all, const Shades& scale,
                bool diverging, const Cell& cell) {
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

// Draws a cross in each cell whose value is not finite.
void draw_crosses(Svg& svg, std::size_t cols, const std::vector<double>& all, const Cell& cell) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (std::isfinite(all[k])) continue;
    const double left = cell.x + static_cast<double>(k % cols) * cell.width, right = left + cell.width;
    const double top = cell.y + static_cast<double>(k / cols) * cell.height, bottom = top + cell.height;
    svg.line(left, top, right, bottom, "plot-level");
    svg.line(left, bottom, right, top, "plot-level");
  }
}

// Draws the colour scale as a bar below all else, with its ends and, where it diverges, its zero.
void draw_scale(Svg& svg, const Shades& scale, bool diverging, double left) {
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

void explain_crosses(Svg& svg, const std::vector<double>& all) {
  const bool finite = std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); });
  if (!finite) svg.paragraph(16, U"A cross: the value is not finite", "plot-soft");
}

// Returns a size that fixed() can write: at least 0.01 px, in whole hundredths, as the error of a cell adds up over a
// row.
double whole(double size) { return std::max(std::floor(size * 100), 1.0) / 100; }

// Returns n: every n-th label has room where a label needs `needed` px and a cell has `cell`.
std::size_t label_stride(double needed, double cell) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
}

// Returns how many images stand in a row: as given, or as many as make equally long rows of at most eight.
std::size_t images_per_row(const Sheet& sheet) {
  if (sheet.per_row > 0) return sheet.per_row;
  const std::size_t n = std::max(sheet.images.size(), std::size_t{1}), rows = (n + 7) / 8;
  return (n + rows - 1) / rows;
}

}  // namespace

std::string svg(const Chart& chart) {
  check(chart);
  const Scale x = fit(chart.x, x_values(chart), 0), y = fit(chart.y, y_values(chart), 0.03);
  std::vector<Entry> legend;
  std::vector<double> places;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    if (chart.series.size() == 1 && chart.series[k].name.empty()) continue;
    const std::string line = "<path class=\"plot-line " + colour(k) + "\"" + dashes(k) + " d=\"M0 0H26\"/>";
    legend.push_back(entry(chart.series[k].points ? mark(13, 0, k) : line, chart.series[k].name, 0));
    places.push_back(last_place(chart.series[k], x, y));
  }
  for (const Level& level : chart.levels) {
    legend.push_back(entry("<path class=\"plot-path plot-level\" stroke-dasharray=\"4 3\" d=\"M0 0H26\"/>",
                           level.name + " (" + number(level.y) + ")", 0));
    places.push_back(std::isnan(y.at(level.y)) ? 0 : y.at(level.y));
  }
  Svg svg;
  const Frame f = frame(svg, chart.title, chart.y, x, y, legend);
  for (std::size_t k = 0; k < legend.size(); ++k) legend[k].y = f.py(std::clamp(places[k], 0.0, 1.0));
  draw_axes(svg, f, chart.x);
  for (const Level& level : chart.levels)
    if (const double at = y.at(level.y); at >= 0 && at <= 1)
      svg.line(f.left, f.py(at), f.left + f.width, f.py(at), "plot-level", " stroke-dasharray=\"4 3\"");
  bool drawn = !chart.levels.empty();
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    draw_series(svg, f, chart.series[k], k);
    drawn = drawn || !pieces(chart.series[k], x, y).empty();
  }
  if (!drawn) svg.text(f.px(0.5), f.py(0.5), U"(no data)", "plot-soft", "middle");
  draw_legend(svg, f, legend);
  draw_note(svg, omissions(chart, x, y).note());
  return svg.str(chart.title);
}

// Draws a mark at each point, in the order of the points, and the labels beside them.
std::string svg(const Scatter& scatter) {
  check(scatter);
  const Scale x = fit(scatter.x, values(scatter.points, &Point::x), 0.04);
  const Scale y = fit(scatter.y, values(scatter.points, &Point::y), 0.04);
  Svg svg;
  std::vector<Entry> legend;
  for (std::size_t g = 0; g < scatter.groups.size(); ++g) legend.push_back(entry(mark(20, 0, g), scatter.groups[g], 0));
  Frame f = frame(svg, scatter.title, scatter.y, x, y, legend);
  draw_axes(svg, f, scatter.x);

  Omissions left_out = omissions(scatter, x, y);
  Room room(std::lround(f.width), std::lround(f.height));
  std::vector<const Point*> visible;
  for (const Point& p : scatter.points) {
    const double at_x = x.at(p.x), at_y = y.at(p.y);
    if (!(at_x >= 0 && at_x <= 1 && at_y >= 0 && at_y <= 1)) continue;
    visible.push_back(&p);
    svg.element(mark(f.px(at_x), f.py(at_y), p.group));
    room.take(std::lround(f.px(at_x) - f.left) - 4, std::lround(f.py(at_y) - f.top) - 4, 8, 8);
  }
  for (const Point* p : visible) {
    const Letters label = letters(p->label);
    if (!label.empty() && !place(svg, f, room, label, f.px(x.at(p->x)), f.py(y.at(p->y)), p->group)) ++left_out.labels;
  }
  if (visible.empty()) svg.text(f.px(0.5), f.py(0.5), U"(no data)", "plot-soft", "middle");
  for (Entry& e : legend) e.y = f.top;
  draw_legend(svg, f, legend);
  draw_note(svg, left_out.note());
  return svg.str(scatter.title);
}

std::string svg(const HeatMap& map) {
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

std::string svg(const Sheet& sheet) {
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
    svg.paragraph(16,
                  sheet.diverging ? U"Colours: full where a value is as large, of either sign, as any of its image"
                                  : U"Colours: from the smallest to the largest value of each image",
                  "plot-soft");
  else draw_scale(svg, shades(sheet, 0), sheet.diverging, 16);
  explain_crosses(svg, all);
  return svg.str(sheet.title);
}

}  // namespace plot
