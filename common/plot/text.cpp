// Charts and scatters as text. In a chart one line alone is drawn in braille dots, 2 x 4 to a letter; several lines are
// drawn with a letter each, and where they meet the letters take turns, so that they can be told apart without colour.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "common/plot/parts.hpp"
#include "common/support/words.hpp"

namespace plot {
namespace {

using Letters = std::u32string;  // one element per code point

Letters letters(const std::string& label) {
  Letters found;
  const std::string line = one_line(label);
  for (std::string_view rest = line; !rest.empty(); rest.remove_prefix(utf8::first(rest).bytes))
    found += utf8::first(rest).code;
  return found;
}

std::string encode(const Letters& text) {
  std::string out;
  for (const char32_t c : text) out += utf8::encode(c);
  return out;
}

// Returns the letter that draws series k.
char32_t series_letter(std::size_t k) { return U"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[k % 52]; }

// A picture under construction: the cells inside the axes, and what surrounds them.
class Plane {
 public:
  // Throws std::invalid_argument for a width below 20: nothing can be read there.
  Plane(const Axis& x_axis, const Axis& y_axis, const Scale& x_scale, const Scale& y_scale, int width)
      : x(x_scale),
        y(y_scale),
        x_title_(x_axis.title),
        y_title_(y_axis.title),
        width_(std::size_t(std::max(width, 0))) {
    require(width >= 20, join("text needs a width of at least 20, not ", width));
    y_ticks_ = ticks_that_fit(y_axis, y, 6, double(rows - 1), 0, 2);
    for (const Tick& tick : y_ticks_.major) gutter_ = std::max(gutter_, columns_of(tick.label));
    gutter_ = std::min(gutter_, width_ / 2);
    columns = width_ - gutter_ - 2;
    x_ticks_ = ticks_that_fit(x_axis, x, 8, double(columns - 1), 1, 2);
    cells.assign(rows, Letters(columns, U' '));
  }

  // Returns the cell of a spot, or with dots > 1 the dot of which a cell has so many: from the left, from the top.
  std::size_t column(double at, std::size_t dots = 1) const {
    return std::size_t(std::lround(at * double(columns * dots - 1)));
  }
  std::size_t row(double at, std::size_t dots = 1) const {
    return rows * dots - 1 - std::size_t(std::lround(at * double(rows * dots - 1)));
  }

  // Calls visit(column, row) for the dots of a path, `across` x `down` to a cell.
  template <class Visit>
  void trace(const Path& path, std::size_t across, std::size_t down, Visit visit) const {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Spot &to = path[i], &from = path[i > 0 ? i - 1 : 0];
      const double c = double(column(from.x, across)), r = double(row(from.y, down));
      const double dc = double(column(to.x, across)) - c, dr = double(row(to.y, down)) - r;
      const double steps = std::max({std::abs(dc), std::abs(dr), 1.0});
      for (double k = 0; k <= steps; ++k)
        visit(std::size_t(std::lround(c + dc * k / steps)), std::size_t(std::lround(r + dr * k / steps)));
    }
  }

  // Returns the cells with axes, ticks and titles around them, and what is said below.
  std::string str(const std::string& title, const std::vector<std::string>& below) {
    const auto blank = [](const Letters& row) { return row.find_first_not_of(U' ') == Letters::npos; };
    if (std::all_of(cells.begin(), cells.end(), blank)) cells[rows / 2] = Letters(U" (no data)").substr(0, columns);
    add(title);
    add(y_title_);
    std::vector<std::string> labels(rows);
    for (const Tick& tick : y_ticks_.major) labels[row(tick.at)] = tick.label;
    for (std::size_t r = 0; r < rows; ++r)
      line(pad(encode(letters(labels[r]).substr(0, gutter_)), gutter_, Side::right) +
           (labels[r].empty() ? " │" : " ┤") + encode(cells[r]));
    Letters axis(columns, U'─'), names(width_, U' ');
    std::size_t end = 0;  // of the label before
    for (const Tick& tick : x_ticks_.major) {
      axis[column(tick.at)] = U'┬';
      const Letters label = letters(tick.label);
      const std::size_t at = gutter_ + 2 + column(tick.at), half = label.size() / 2;
      if (label.size() > width_ || at < half) continue;
      const std::size_t from = std::min(at - half, width_ - label.size());
      if (end > 0 && from <= end) continue;
      names.replace(from, label.size(), label);
      end = from + label.size();
    }
    line(std::string(gutter_ + 1, ' ') + "└" + encode(axis));
    line(encode(names));
    for (const std::string& part : lines_of(x_title_, columns))
      line(std::string(gutter_ + 2 + (columns - columns_of(part)) / 2, ' ') + part);
    for (const std::string& paragraph : below) add(paragraph);
    return text_;
  }

  // Puts entries side by side with gaps, as many to a line as fit.
  std::vector<std::string> rows_of(const std::vector<std::string>& entries) const {
    std::vector<std::string> all;
    for (const std::string& entry : entries)
      if (!all.empty() && columns_of(all.back()) + 3 + columns_of(entry) <= width_) all.back() += "   " + entry;
      else all.push_back(entry);
    return all;
  }

  Scale x, y;
  std::size_t columns = 0, rows = 16;
  std::vector<Letters> cells = {};  // rows of columns

 private:
  void line(const std::string& words) { text_ += words.substr(0, words.find_last_not_of(' ') + 1) + "\n"; }
  void add(const std::string& words) {
    for (const std::string& part : lines_of(words, width_)) line(part);
  }

  std::string x_title_, y_title_, text_;
  Ticks x_ticks_, y_ticks_;
  std::size_t width_, gutter_ = 0;  // columns, and those for the labels of the y axis
};

void draw_braille(Plane& p, const Series& series) {
  constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};  // Unicode chapter 21.1
  for (const Path& path : pieces(series, p.x, p.y))
    p.trace(path, 2, 4, [&](std::size_t column, std::size_t row) {
      char32_t& cell = p.cells[row / 4][column / 2];
      cell = (cell >= 0x2800 && cell <= 0x28FF ? cell : 0x2800) | bits[row % 4][column % 2];
    });
}

void draw_letters(Plane& p, const std::vector<Series>& all) {
  std::vector<std::vector<Letters>> met(p.rows, std::vector<Letters>(p.columns));  // which lines pass through a cell
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const Path& path : pieces(all[k], p.x, p.y))
      p.trace(path, 1, 1, [&](std::size_t column, std::size_t row) {
        Letters& here = met[row][column];
        if (here.find(series_letter(k)) == Letters::npos) here += series_letter(k);
      });
  for (std::size_t r = 0; r < p.rows; ++r)
    for (std::size_t c = 0; c < p.columns; ++c)
      if (!met[r][c].empty()) p.cells[r][c] = met[r][c][c % met[r][c].size()];
}

// Puts a label at the cell of its point, or at the nearest free place up to three cells away; false if all are taken.
bool place(Plane& p, Room& room, const Letters& label, double column, double row) {
  const double length = double(label.size()), apart = length > 1 ? 1 : 0;  // words need a space between them
  for (double d = 0; d <= 3; ++d)
    for (const auto& [c, r] :
         {Spot{column + d, row}, Spot{column - length - d + 1, row}, Spot{column, row - d}, Spot{column, row + d}}) {
      if (!room.free({c, r, length, 1})) continue;
      room.take({c - apart, r, length + 2 * apart, 1});
      p.cells[std::size_t(r)].replace(std::size_t(c), label.size(), label);
      return true;
    }
  return false;
}

}  // namespace

std::string text(const Chart& chart, int width) {
  check(chart);
  Plane p(chart.x, chart.y, x_scale(chart, 0), y_scale(chart, 0), width);
  std::vector<std::string> legend;
  const bool alone = chart.series.size() == 1;
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    if (const std::string& name = chart.series[k].name; !name.empty())
      legend.push_back((alone ? "⠤⠤" : encode({series_letter(k)})) + " " + one_line(name));
  for (std::size_t k = 0; k < chart.levels.size(); ++k) {  // dashed, with a capital letter in it again and again
    const Level& level = chart.levels[k];
    const char32_t letter = U'A' + char32_t(k % 26);
    legend.push_back(encode({letter}) + "╌╌ " + one_line(level.name) + " (" + number(level.y) + ")");
    const double at = p.y.at(level.y);
    for (std::size_t c = 0; at >= 0 && at <= 1 && c < p.columns; ++c)
      p.cells[p.row(at)][c] = c % 8 == k % 8 ? letter : U'╌';
  }
  if (alone) draw_braille(p, chart.series[0]);
  else draw_letters(p, chart.series);
  std::vector<std::string> below = p.rows_of(legend);
  below.push_back(left_out(chart, p.x, p.y));
  return p.str(chart.title, below);
}

// Draws each label at its point or beside it, in the order of the points. The legend lists the labels of each group.
std::string text(const Scatter& scatter, int width) {
  check(scatter);
  const Chart chart = chart_of(scatter);
  Plane p(scatter.x, scatter.y, x_scale(chart, 0), y_scale(chart, 0), width);
  Room room(double(p.columns), double(p.rows));
  const std::vector<Point>& points = scatter.points;
  const bool labels = std::any_of(points.begin(), points.end(), [](const Point& one) { return !one.label.empty(); });
  const auto mark = [&](std::size_t group) {  // a letter, or, where others have labels, a mark that is none
    return labels || scatter.groups.empty() ? U"•◦▪▫"[group % 4] : series_letter(group);
  };
  std::size_t unplaced = 0;
  std::vector<std::string> groups;
  for (std::size_t g = 0; g < scatter.groups.size(); ++g)
    groups.push_back(encode({mark(g)}) + " " + scatter.groups[g] + (labels ? ":" : ""));
  for (const Point& point : points) {
    const Spot at{p.x.at(point.x), p.y.at(point.y)};
    const Letters label = letters(point.label);
    if (!label.empty() && !groups.empty()) groups[point.group] += " " + point.label;
    if (!inside(at)) continue;
    const std::size_t column = p.column(at.x), row = p.row(at.y);
    if (!label.empty()) unplaced += !place(p, room, label, double(column), double(row));
    else if (room.free({double(column), double(row), 1, 1})) p.cells[row][column] = mark(point.group);
  }
  groups.push_back(left_out(chart, p.x, p.y, unplaced));
  return p.str(scatter.title, groups);
}

}  // namespace plot
