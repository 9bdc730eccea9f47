// Charts as text. Each line is drawn with a letter of its own, and where they meet the letters take turns, so that they can
// be told apart without colour.
// SPDX-License-Identifier: MIT
#include "common/plot/axes.hpp"

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

  // Returns the cell of a spot: from the left, from the top.
  std::size_t column(double at) const { return std::size_t(std::lround(at * double(columns - 1))); }
  std::size_t row(double at) const { return rows - 1 - std::size_t(std::lround(at * double(rows - 1))); }

  // Calls visit(column, row) for the cells of a path.
  template <class Visit>
  void trace(const Path& path, Visit visit) const {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Spot &to = path[i], &from = path[i > 0 ? i - 1 : 0];
      const double c = double(column(from.x)), r = double(row(from.y));
      const double dc = double(column(to.x)) - c, dr = double(row(to.y)) - r;
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

void draw_letters(Plane& p, const std::vector<Series>& all) {
  std::vector<std::vector<Letters>> met(p.rows, std::vector<Letters>(p.columns));  // which lines pass through a cell
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const Path& path : pieces(all[k], p.x, p.y))
      p.trace(path, [&](std::size_t column, std::size_t row) {
        Letters& here = met[row][column];
        if (here.find(series_letter(k)) == Letters::npos) here += series_letter(k);
      });
  for (std::size_t r = 0; r < p.rows; ++r)
    for (std::size_t c = 0; c < p.columns; ++c)
      if (!met[r][c].empty()) p.cells[r][c] = met[r][c][c % met[r][c].size()];
}

}  // namespace

std::string text(const Chart& chart, int width) {
  check(chart);
  Plane p(chart.x, chart.y, x_scale(chart, 0), y_scale(chart, 0), width);
  std::vector<std::string> legend;
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    if (const std::string& name = chart.series[k].name; !name.empty())
      legend.push_back(encode({series_letter(k)}) + " " + one_line(name));
  for (std::size_t k = 0; k < chart.levels.size(); ++k) {  // dashed, with a capital letter in it again and again
    const Level& level = chart.levels[k];
    const char32_t letter = U'A' + char32_t(k % 26);
    legend.push_back(encode({letter}) + "╌╌ " + one_line(level.name) + " (" + number(level.y) + ")");
    const double at = p.y.at(level.y);
    for (std::size_t c = 0; at >= 0 && at <= 1 && c < p.columns; ++c)
      p.cells[p.row(at)][c] = c % 8 == k % 8 ? letter : U'╌';
  }
  draw_letters(p, chart.series);
  return p.str(chart.title, p.rows_of(legend));
}

}  // namespace plot
