// Charts and scatters as text. One line alone is drawn in braille dots, 2 x 4 to a letter; several lines are drawn with
// a letter each, and where they meet the letters take turns, so that they can be told apart without colour.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "common/support/plot_axis.hpp"

namespace plot {

// Lines of text under one another, none longer than the width.
class Page {
 public:
  // Throws std::invalid_argument for a width below 20: nothing can be read there.
  explicit Page(int width) : width_(static_cast<std::size_t>(std::max(width, 0))) {
    require(width >= 20, "text needs a width of at least 20, not " + std::to_string(width));
  }

  std::size_t width() const { return width_; }

  void line(Letters text) {
    while (!text.empty() && text.back() == U' ') text.pop_back();
    out_ += encode(text) + "\n";
  }

  void paragraph(const Letters& text) {
    for (const Letters& part : wrap(text, width_)) line(part);
  }

  // Entries side by side with gaps, as many to a line as fit.
  void entries(const std::vector<Letters>& all) {
    Letters row;
    for (const Letters& entry : all) {
      if (!row.empty() && row.size() + 3 + entry.size() > width_) paragraph(row), row.clear();
      row += (row.empty() ? U"" : U"   ") + entry;
    }
    paragraph(row);
  }

  const std::string& str() const { return out_; }

 private:
  std::size_t width_;
  std::string out_;
};

// A text of exactly this length: cut with '~' or filled with spaces, at the right or, for numbers, at the left.
inline Letters padded(Letters text, std::size_t length, bool right_aligned = false) {
  if (text.size() > length) text = text.substr(0, length - 1) + U'~';
  return right_aligned ? Letters(length - text.size(), U' ') + text : text + Letters(length - text.size(), U' ');
}

// The cells inside the axes, with what surrounds them.
struct Plane {
  Axis x_axis, y_axis;
  Scale x, y;
  Ticks x_ticks, y_ticks;
  std::size_t gutter = 0;  // columns for the labels of the y axis
  std::size_t columns = 0, rows = 16;
  std::vector<Letters> cells = {};  // rows of columns

  // The cell of a spot, or with dots > 1 the dot of which a cell has so many: from the left, from the top.
  std::size_t column(double at, std::size_t dots = 1) const { return round(at, columns * dots); }
  std::size_t row(double at, std::size_t dots = 1) const { return rows * dots - 1 - round(at, rows * dots); }

 private:
  static std::size_t round(double at, std::size_t n) {
    return static_cast<std::size_t>(std::lround(at * static_cast<double>(n - 1)));
  }
};

inline Plane plane(const Axis& x_axis, const Scale& x, const Axis& y_axis, const Scale& y, std::size_t width) {
  Plane p{x_axis, y_axis, x, y, {}, {}};
  p.y_ticks = ticks_that_fit(y, 6, static_cast<double>(p.rows - 1), 0, 2);
  for (const Tick& tick : p.y_ticks.major) p.gutter = std::max(p.gutter, tick.label.size());
  p.columns = width - p.gutter - 2;  // at least 4, as no label is longer than -1.000005e-200
  p.x_ticks = ticks_that_fit(x, 8, static_cast<double>(p.columns - 1), 1, 2);
  p.cells.assign(p.rows, Letters(p.columns, U' '));
  return p;
}

// The cells with axes, ticks and the titles of the axes around them.
inline void print(Page& page, Plane p) {
  const auto blank = [](const Letters& row) { return row.find_first_not_of(U' ') == Letters::npos; };
  if (std::all_of(p.cells.begin(), p.cells.end(), blank)) p.cells[p.rows / 2] = U" (no data)";
  page.paragraph(axis_title(p.y_axis, p.y_ticks));
  std::vector<Letters> labels(p.rows);
  for (const Tick& tick : p.y_ticks.major) labels[p.row(tick.at)] = letters(tick.label);
  for (std::size_t r = 0; r < p.rows; ++r) {
    const char32_t axis = labels[r].empty() ? U'│' : U'┤';
    page.line(padded(labels[r], p.gutter, true) + U' ' + axis + p.cells[r]);
  }
  Letters axis(p.columns, U'─'), below(page.width(), U' ');
  const long start = static_cast<long>(p.gutter) + 2;
  Room room(static_cast<long>(page.width()), 1);
  for (const Tick& tick : p.x_ticks.major) {
    axis[p.column(tick.at)] = U'┬';
    const Letters label = letters(tick.label);
    const long length = static_cast<long>(label.size());
    const long centred = start + static_cast<long>(p.column(tick.at)) - length / 2;
    const long from = std::min(centred, static_cast<long>(page.width()) - length);
    if (!room.free(from, 0, length, 1)) continue;
    room.take(from - 1, 0, length + 2, 1);
    below.replace(static_cast<std::size_t>(from), label.size(), label);
  }
  page.line(Letters(p.gutter + 1, U' ') + U'└' + axis);
  page.line(below);
  const Letters title = axis_title(p.x_axis, p.x_ticks);
  for (const Letters& part : wrap(title, p.columns))
    page.line(Letters(p.gutter + 2 + (p.columns - part.size()) / 2, U' ') + part);
}

// Calls visit(column, row) for the dots of a path, `dots_x` x `dots_y` to a cell.
template <class Visit>
void trace(const Plane& p, const Path& path, std::size_t dots_x, std::size_t dots_y, Visit visit) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Spot &to = path[i], &from = path[i > 0 ? i - 1 : 0];
    const double c = static_cast<double>(p.column(from.x, dots_x)), r = static_cast<double>(p.row(from.y, dots_y));
    const double dc = static_cast<double>(p.column(to.x, dots_x)) - c;
    const double dr = static_cast<double>(p.row(to.y, dots_y)) - r;
    const double steps = std::max({std::abs(dc), std::abs(dr), 1.0});
    for (double k = 0; k <= steps; ++k)
      visit(static_cast<std::size_t>(std::lround(c + dc * k / steps)),
            static_cast<std::size_t>(std::lround(r + dr * k / steps)));
  }
}

inline void draw_braille(Plane& p, const Series& series) {
  const unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};  // Unicode chapter 21.1
  for (const Path& path : pieces(series, p.x, p.y))
    trace(p, path, 2, 4, [&](std::size_t column, std::size_t row) {
      char32_t& cell = p.cells[row / 4][column / 2];
      cell = (cell >= 0x2800 && cell <= 0x28FF ? cell : 0x2800) | bits[row % 4][column % 2];
    });
}

// The letter that draws series k.
inline char32_t series_letter(std::size_t k) {
  const Letters all = U"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return all[k % all.size()];
}

inline void draw_letters(Plane& p, const std::vector<Series>& all, const Letters& marks) {
  std::vector<std::vector<Letters>> met(p.rows, std::vector<Letters>(p.columns));  // which lines pass through a cell
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const Path& path : pieces(all[k], p.x, p.y))
      trace(p, path, 1, 1, [&](std::size_t column, std::size_t row) {
        Letters& here = met[row][column];
        if (here.find(marks[k]) == Letters::npos) here += marks[k];
      });
  for (std::size_t r = 0; r < p.rows; ++r)
    for (std::size_t c = 0; c < p.columns; ++c)
      if (!met[r][c].empty()) p.cells[r][c] = met[r][c][c % met[r][c].size()];
}

// A dashed line with the capital letter of the level in it again and again.
inline void draw_level(Plane& p, std::size_t k, double y, char32_t dash) {
  const double at = p.y.at(y);
  if (!(at >= 0 && at <= 1)) return;
  Letters& row = p.cells[p.row(at)];
  for (std::size_t c = 0; c < p.columns; ++c) row[c] = c % 8 == k % 8 ? static_cast<char32_t>(U'A' + k % 26) : dash;
}

// A chart of 16 rows and what surrounds it, in lines of at most `width` >= 20 letters.
// Throws std::invalid_argument if the chart is inconsistent (see check) or the width too small.
inline std::string text(const Chart& chart, int width = 80) {
  check(chart);
  Page page(width);
  Plane p = plane(chart.x, fit(chart.x, x_values(chart), 0), chart.y, fit(chart.y, y_values(chart), 0), page.width());
  for (std::size_t k = 0; k < chart.levels.size(); ++k) draw_level(p, k, chart.levels[k].y, U'╌');
  const bool alone = chart.series.size() == 1;
  Letters marks;
  for (std::size_t k = 0; k < chart.series.size(); ++k) marks += series_letter(k);
  if (alone) draw_braille(p, chart.series[0]);
  else draw_letters(p, chart.series, marks);

  page.paragraph(letters(chart.title));
  print(page, p);
  std::vector<Letters> legend;
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    if (const Letters name = letters(chart.series[k].name); !name.empty())
      legend.push_back((alone ? Letters(U"⠤⠤") : Letters(1, marks[k])) + U' ' + name);
  for (std::size_t k = 0; k < chart.levels.size(); ++k)
    legend.push_back(static_cast<char32_t>(U'A' + k % 26) + Letters(2, U'╌') + U' ' +
                     letters(chart.levels[k].name + " (" + number(chart.levels[k].y) + ")"));
  page.entries(legend);
  page.paragraph(omissions(chart, p.x, p.y).note());
  return page.str();
}

// Puts a label at the cell of its point, or at the nearest free place up to three cells away; false if all are taken.
inline bool place(Plane& p, Room& room, const Letters& label, long column, long row) {
  const long length = static_cast<long>(label.size()), apart = length > 1 ? 1 : 0;  // words need a space between them
  const auto put = [&](long c, long r) {
    if (!room.free(c, r, length, 1)) return false;
    room.take(c - apart, r, length + 2 * apart, 1);
    p.cells[static_cast<std::size_t>(r)].replace(static_cast<std::size_t>(c), label.size(), label);
    return true;
  };
  if (put(column, row)) return true;
  for (long d = 1; d <= 3; ++d) {
    const long left = column - length - d + 1;
    for (const auto& [c, r] : std::initializer_list<std::array<long, 2>>{{column + d, row},
                                                                         {left, row},
                                                                         {column, row - d},
                                                                         {column, row + d},
                                                                         {column + d, row - d},
                                                                         {left, row - d},
                                                                         {column + d, row + d},
                                                                         {left, row + d}})
      if (put(c, r)) return true;
  }
  return false;
}

// A scatter of 20 rows: each label at its point or beside it, in the order of the points. Points without a label show
// the letter of their group. The legend lists the labels of each group. Width and exceptions as for a chart.
inline std::string text(const Scatter& scatter, int width = 80) {
  check(scatter);
  Page page(width);
  const std::vector<Point>& points = scatter.points;
  const Scale x = fit(scatter.x, values(points, &Point::x), 0), y = fit(scatter.y, values(points, &Point::y), 0);
  Plane p = plane(scatter.x, x, scatter.y, y, page.width());
  Omissions left_out = omissions(scatter, x, y);
  Room room(static_cast<long>(p.columns), static_cast<long>(p.rows));
  std::vector<Letters> members(scatter.groups.size());
  for (const Point& point : points) {
    const double at_x = x.at(point.x), at_y = y.at(point.y);
    const Letters label = letters(point.label);
    if (!label.empty() && !members.empty()) members[point.group] += U' ' + label;
    if (!(at_x >= 0 && at_x <= 1 && at_y >= 0 && at_y <= 1)) continue;
    const std::size_t column = p.column(at_x), row = p.row(at_y);
    if (label.empty() && room.free(static_cast<long>(column), static_cast<long>(row), 1, 1))
      p.cells[row][column] = members.empty() ? U'•' : series_letter(point.group);
    if (!label.empty() && !place(p, room, label, static_cast<long>(column), static_cast<long>(row))) ++left_out.labels;
  }
  page.paragraph(letters(scatter.title));
  print(page, p);
  for (std::size_t g = 0; g < members.size(); ++g)
    page.paragraph(series_letter(g) + Letters(U" ") + letters(scatter.groups[g]) + (members[g].empty() ? U"" : U":") +
                   members[g]);
  page.paragraph(left_out.note());
  return page.str();
}

}  // namespace plot
