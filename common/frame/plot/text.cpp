// Charts as text. Each line has a letter of its own; where lines meet, their letters take turns.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/axes.hpp"

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

char32_t series_letter(std::size_t k) {
  return U"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[k % 52];
}

// The cells inside the axes, the first row on top.
struct Plane {
  std::size_t columns, rows = 16;
  std::vector<Letters> cells = std::vector<Letters>(rows, Letters(columns, U' '));

  std::size_t column(double at) const { return std::size_t(std::lround(at * double(columns - 1))); }
  std::size_t row(double at) const {
    return rows - 1 - std::size_t(std::lround(at * double(rows - 1)));
  }

  void draw(const std::vector<Series>& all, const Scale& x, const Scale& y) {
    std::vector<Letters> met(rows * columns);  // which lines pass through a cell
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const Path& path : pieces(all[k], x, y))
        for (std::size_t i = 0; i < path.size(); ++i) {
          const Spot &to = path[i], &from = path[i > 0 ? i - 1 : 0];
          const double c = double(column(from.x)), r = double(row(from.y));
          const double dc = double(column(to.x)) - c, dr = double(row(to.y)) - r;
          const double steps = std::max({std::abs(dc), std::abs(dr), 1.0});
          for (double step = 0; step <= steps; ++step) {
            Letters& here = met[std::size_t(std::lround(r + dr * step / steps)) * columns +
                                std::size_t(std::lround(c + dc * step / steps))];
            if (here.find(series_letter(k)) == Letters::npos) here += series_letter(k);
          }
        }
    for (std::size_t k = 0; k < met.size(); ++k)
      if (!met[k].empty()) cells[k / columns][k % columns] = met[k][k % columns % met[k].size()];
  }
};

}  // namespace

std::string text(const Chart& chart, int most) {
  check(chart);
  require(most >= 20, join("text needs a width of at least 20, not ", most));
  const auto width = std::size_t(most);
  const auto [x, y] = scales(chart, 0);
  const Ticks y_ticks = ticks_that_fit(chart.y, y, 6, 15, 0, 2);
  std::size_t gutter = 0;  // for the labels of the y axis
  for (const Tick& tick : y_ticks.major) gutter = std::max(gutter, columns_of(tick.label));
  gutter = std::min(gutter, width / 2);
  Plane p{width - gutter - 2};
  const Ticks x_ticks = ticks_that_fit(chart.x, x, 8, double(p.columns - 1), 1, 2);

  std::vector<std::string> legend;  // as many side by side to a line as fit
  const auto enter = [&](const std::string& entry) {
    if (!legend.empty() && columns_of(legend.back()) + 3 + columns_of(entry) <= width)
      legend.back() += "   " + entry;
    else legend.push_back(entry);
  };
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    if (const std::string& name = chart.series[k].name; !name.empty())
      enter(encode({series_letter(k)}) + " " + one_line(name));
  for (std::size_t k = 0; k < chart.levels.size(); ++k) {  // dashed, with a capital letter in it
    const char32_t letter = U'A' + char32_t(k % 26);
    enter(encode({letter}) + "╌╌ " + one_line(chart.levels[k].name) + " (" +
          number(chart.levels[k].y) + ")");
    const double at = y.at(chart.levels[k].y);
    for (std::size_t c = 0; at >= 0 && at <= 1 && c < p.columns; ++c)
      p.cells[p.row(at)][c] = c % 8 == k % 8 ? letter : U'╌';
  }
  p.draw(chart.series, x, y);
  const auto blank = [](const Letters& row) {
    return row.find_first_not_of(U' ') == Letters::npos;
  };
  if (std::all_of(p.cells.begin(), p.cells.end(), blank))
    p.cells[p.rows / 2] = Letters(U" (no data)").substr(0, p.columns);

  std::string all;
  const auto line = [&](const std::string& words) {
    all += words.substr(0, words.find_last_not_of(' ') + 1) + "\n";
  };
  const auto add = [&](const std::string& words) {
    for (const std::string& part : lines_of(words, width)) line(part);
  };
  add(chart.title);
  add(title_of(chart.y));
  std::vector<Letters> labels(p.rows);
  for (const Tick& tick : y_ticks.major) labels[p.row(tick.at)] = letters(tick.label);
  for (std::size_t r = 0; r < p.rows; ++r)
    line(pad(encode(labels[r].substr(0, gutter)), gutter, Side::right) +
         (labels[r].empty() ? " │" : " ┤") + encode(p.cells[r]));
  Letters axis(p.columns, U'─'), names(width, U' ');
  std::size_t end = 0;  // of the label before
  for (const Tick& tick : x_ticks.major) {
    axis[p.column(tick.at)] = U'┬';
    const Letters label = letters(tick.label);
    const std::size_t at = gutter + 2 + p.column(tick.at), half = label.size() / 2;
    if (label.size() > width || at < half) continue;
    const std::size_t from = std::min(at - half, width - label.size());
    if (end > 0 && from <= end) continue;
    names.replace(from, label.size(), label);
    end = from + label.size();
  }
  line(std::string(gutter + 1, ' ') + "└" + encode(axis));
  line(encode(names));
  for (const std::string& part : lines_of(title_of(chart.x), p.columns))
    line(std::string(gutter + 2 + (p.columns - columns_of(part)) / 2, ' ') + part);
  for (const std::string& entries : legend) add(entries);
  return all;
}

}  // namespace plot
