// Pictures as text. In a chart one line alone is drawn in braille dots, 2 x 4 to a letter; several lines are drawn with
// a letter each, and where they meet the letters take turns, so that they can be told apart without colour. Of heat
// maps and images: the darker the shade, the larger the value; on a diverging scale a sign stands before each shade.
// What is too wide is averaged over blocks, and the last line says so.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "common/plot/plot.hpp"
#include "common/plot/parts.hpp"

namespace plot {
namespace {

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

  // Adds entries side by side with gaps, as many to a line as fit.
  void entries(const std::vector<Letters>& all) {
    Letters row;
    for (const Letters& entry : all) {
      if (!row.empty() && row.size() + 3 + entry.size() > width_) {
        paragraph(row);
        row.clear();
      }
      row += (row.empty() ? U"" : U"   ") + entry;
    }
    paragraph(row);
  }

  const std::string& str() const { return out_; }

 private:
  std::size_t width_;
  std::string out_;
};

// Makes a text of exactly this length: cut with '~' or filled with spaces, at the right or, for numbers, at the left.
Letters padded(Letters text, std::size_t length, bool right_aligned = false) {
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

Plane plane(const Axis& x_axis, const Scale& x, const Axis& y_axis, const Scale& y, std::size_t width) {
  Plane p{x_axis, y_axis, x, y, {}, {}};
  p.y_ticks = ticks_that_fit(y, 6, static_cast<double>(p.rows - 1), 0, 2);
  for (const Tick& tick : p.y_ticks.major) p.gutter = std::max(p.gutter, tick.label.size());
  p.columns = width - p.gutter - 2;  // at least 4, as no label is longer than -1.000005e-200
  p.x_ticks = ticks_of(x_axis, x, 8, static_cast<double>(p.columns - 1), 1, 2);
  p.cells.assign(p.rows, Letters(p.columns, U' '));
  return p;
}

// Prints the cells with axes, ticks and the titles of the axes around them.
void print(Page& page, Plane p) {
  const auto blank = [](const Letters& row) { return row.find_first_not_of(U' ') == Letters::npos; };
  if (std::all_of(p.cells.begin(), p.cells.end(), blank)) {
    const Letters words = U" (no data)";  // without its space, or cut, where the labels leave little room
    p.cells[p.rows / 2] = words.substr(p.columns < words.size(), p.columns);
  }
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

void draw_braille(Plane& p, const Series& series) {
  const unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};  // Unicode chapter 21.1
  for (const Path& path : pieces(series, p.x, p.y))
    trace(p, path, 2, 4, [&](std::size_t column, std::size_t row) {
      char32_t& cell = p.cells[row / 4][column / 2];
      cell = (cell >= 0x2800 && cell <= 0x28FF ? cell : 0x2800) | bits[row % 4][column % 2];
    });
}

// Returns the letter that draws series k.
char32_t series_letter(std::size_t k) {
  const Letters all = U"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return all[k % all.size()];
}

void draw_letters(Plane& p, const std::vector<Series>& all, const Letters& marks) {
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

// Draws a dashed line with the capital letter of the level in it again and again.
void draw_level(Plane& p, std::size_t k, double y, char32_t dash) {
  const double at = p.y.at(y);
  if (!(at >= 0 && at <= 1)) return;
  Letters& row = p.cells[p.row(at)];
  for (std::size_t c = 0; c < p.columns; ++c) row[c] = c % 8 == k % 8 ? static_cast<char32_t>(U'A' + k % 26) : dash;
}

// Puts a label at the cell of its point, or at the nearest free place up to three cells away; false if all are taken.
bool place(Plane& p, Room& room, const Letters& label, long column, long row) {
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

struct Grid {
  std::size_t rows = 0, cols = 0;
  const std::vector<double>& values;
};

std::size_t blocks(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

// Returns the mean over the block of height x width values whose first one is (row, col); NaN where it meets a NaN.
double block_mean(const Grid& grid, std::size_t row, std::size_t col, std::size_t height, std::size_t width) {
  double mean = 0;
  const std::size_t row_end = std::min(row + height, grid.rows), col_end = std::min(col + width, grid.cols);
  const double share_of_one = 1 / static_cast<double>((row_end - row) * (col_end - col));
  for (std::size_t r = row; r < row_end; ++r)
    for (std::size_t c = col; c < col_end; ++c) mean += grid.values[r * grid.cols + c] * share_of_one;
  return mean;
}

Letters shade(double value, const Shades& scale, bool diverging, std::size_t length) {
  const double at = scale.at(value);
  if (std::isnan(at)) return Letters(length, U'?');
  const Letters ramp = U" ░▒▓█";
  const double strength = diverging ? std::abs(2 * at - 1) : at;
  const std::size_t k =
      std::min(static_cast<std::size_t>(strength * static_cast<double>(ramp.size())), ramp.size() - 1);
  Letters out(length, ramp[k]);
  if (diverging && k > 0) out[0] = at > 0.5 ? U'+' : U'-';
  return out;
}

// Says what the shades mean, and what '?' stands for where there is one.
Letters shade_note(const Shades& scale, bool diverging, const std::vector<double>& all) {
  const Letters full(1, U'█');
  const Letters low = letters(number(scale.low)), high = letters(number(scale.high));
  Letters note = U"Shades: ";
  if (scale.low == scale.high) note += U"every value is " + low;
  else if (diverging) note += U'-' + full + U" is " + low + U", blank is 0, +" + full + U" is " + high;
  else note += U"blank is " + low + U", " + full + U" is " + high;
  for (const double v : all)
    if (!std::isfinite(v)) return note + U"; ? is not finite";
  return note;
}

// How a grid is cut into cells: each shows block_rows x block_cols values in `letters` letters.
struct Cells {
  std::size_t block_rows = 1, block_cols = 1, letters = 2;
};

// Returns square cells of two letters; where these are too many for `columns`, the smallest blocks that fit. Without a
// sign two letters can hold two blocks of half the width.
Cells cells_that_fit(std::size_t cols, std::size_t columns, bool diverging) {
  Cells cells;
  while (2 * blocks(cols, cells.block_rows) > columns) ++cells.block_rows;
  cells.block_cols = cells.block_rows;
  if (!diverging && cells.block_rows % 2 == 0) {
    cells.block_cols /= 2;
    cells.letters = 1;
  }
  return cells;
}

Letters block_note(const Cells& cells) {
  if (cells.block_rows == 1) return {};
  return letters("Each cell is the mean of " + std::to_string(cells.block_rows) + " x " +
                 std::to_string(cells.block_cols) + " values.");
}

// Returns the rows of a grid in shades.
std::vector<Letters> shaded(const Grid& grid, const Cells& cells, const Shades& scale, bool diverging) {
  std::vector<Letters> lines;
  for (std::size_t r = 0; r < grid.rows; r += cells.block_rows) {
    lines.emplace_back();
    for (std::size_t c = 0; c < grid.cols; c += cells.block_cols)
      lines.back() +=
          shade(block_mean(grid, r, c, cells.block_rows, cells.block_cols), scale, diverging, cells.letters);
  }
  return lines;
}

// Prints the column labels above cells of `length` letters: side by side where they fit, otherwise written downwards.
void print_col_labels(Page& page, const std::vector<Letters>& labels, std::size_t gutter, std::size_t length,
                      bool right_aligned) {
  if (labels.empty()) return;
  const std::size_t tallest = std::min(longest(labels), std::size_t{12});
  const bool upright = longest(labels) < length || (longest(labels) == length && length == 1);
  for (std::size_t line = 0; line < (upright ? 1 : tallest); ++line) {
    Letters row(gutter, U' ');
    for (const Letters& label : labels) {
      const Letters column = padded(label, upright ? length : tallest, !upright);
      row += padded(upright ? label : Letters(1, column[line]), length, right_aligned);
    }
    page.line(row);
  }
}

}  // namespace

std::string text(const Chart& chart, int width) {
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

// Returns what a point of a group without a label shows: a letter, or, where others have labels, a mark that is none.
char32_t group_mark(const Scatter& scatter, std::size_t group) {
  const bool labels =
      std::any_of(scatter.points.begin(), scatter.points.end(), [](const Point& p) { return !p.label.empty(); });
  const Letters marks = U"•◦▪▫";
  return labels || scatter.groups.empty() ? marks[group % marks.size()] : series_letter(group);
}

// Draws each label at its point or beside it, in the order of the points. The legend lists the labels of each group.
std::string text(const Scatter& scatter, int width) {
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
      p.cells[row][column] = group_mark(scatter, point.group);
    if (!label.empty() && !place(p, room, label, static_cast<long>(column), static_cast<long>(row))) ++left_out.labels;
  }
  page.paragraph(letters(scatter.title));
  print(page, p);
  for (std::size_t g = 0; g < members.size(); ++g)
    page.paragraph(group_mark(scatter, g) + Letters(U" ") + letters(scatter.groups[g]) +
                   (members[g].empty() ? U"" : U":") + members[g]);
  page.paragraph(left_out.note());
  return page.str();
}

std::string text(const HeatMap& map, int width) {
  check(map);
  Page page(width);
  page.paragraph(letters(map.title));
  std::vector<Letters> row_labels, col_labels, numbers;
  for (const std::string& label : map.row_labels) row_labels.push_back(letters(label));
  for (const std::string& label : map.col_labels) col_labels.push_back(letters(label));
  for (const double v : map.values) numbers.push_back(letters(number(v)));
  const std::size_t gutter = row_labels.empty() ? 0 : std::min(longest(row_labels), page.width() / 3) + 1;
  const std::size_t room = page.width() - gutter, wide = std::max(longest(numbers), longest(col_labels)) + 1;
  const bool in_numbers = map.numbers && wide * map.cols <= room;

  const Shades scale = shades(map.values, map.diverging, map.low, map.high);
  Cells cells = cells_that_fit(map.cols, room, map.diverging);
  if (in_numbers) cells = {1, 1, wide};
  else if ((longest(col_labels) + 1) * map.cols <= room)
    cells.letters = std::max(cells.letters, longest(col_labels) + 1);
  if (cells.block_cols == 1) print_col_labels(page, col_labels, gutter, cells.letters, in_numbers);
  std::vector<Letters> lines = shaded({map.rows, map.cols, map.values}, cells, scale, map.diverging);
  for (std::size_t r = 0; r < lines.size(); ++r) {
    if (in_numbers) lines[r].clear();
    for (std::size_t c = 0; in_numbers && c < map.cols; ++c) lines[r] += padded(numbers[r * map.cols + c], wide, true);
    const bool labelled = gutter > 0 && cells.block_rows == 1;
    page.line((labelled ? padded(row_labels[r], gutter - 1) + U' ' : Letters(gutter, U' ')) + lines[r]);
  }
  if (map.values.empty()) page.paragraph(U"(no values)");
  else if (!in_numbers) page.paragraph(shade_note(scale, map.diverging, map.values));
  if (map.numbers && !in_numbers) page.paragraph(U"The numbers do not fit in this width.");
  page.paragraph(block_note(cells));
  return page.str();
}

std::string text(const Sheet& sheet, int width) {
  check(sheet);
  Page page(width);
  page.paragraph(letters(sheet.title));
  const Cells cells = cells_that_fit(sheet.cols, std::min(page.width(), std::size_t{40}), sheet.diverging);
  std::size_t longest_caption = 0;
  for (const Image& image : sheet.images) longest_caption = std::max(longest_caption, letters(image.caption).size());
  const std::size_t drawn = blocks(sheet.cols, cells.block_cols) * cells.letters;
  const std::size_t tile = std::max({drawn, std::min(longest_caption, std::size_t{16}), std::size_t{1}});
  const std::size_t per_row = std::max((page.width() + 2) / (tile + 2), std::size_t{1});
  std::vector<double> all;
  for (std::size_t first = 0; first < sheet.images.size(); first += per_row) {
    if (first > 0) page.line({});
    std::vector<Letters> lines(1 + blocks(sheet.rows, cells.block_rows));
    for (std::size_t k = first; k < std::min(first + per_row, sheet.images.size()); ++k) {
      const Image& image = sheet.images[k];
      std::vector<Letters> picture =
          shaded({sheet.rows, sheet.cols, image.values}, cells, shades(sheet, k), sheet.diverging);
      picture.insert(picture.begin(), letters(image.caption));
      for (std::size_t r = 0; r < lines.size(); ++r) lines[r] += padded(picture[r], tile) + U"  ";
      all.insert(all.end(), image.values.begin(), image.values.end());
    }
    for (const Letters& line : lines) page.line(line);
  }
  if (all.empty()) page.paragraph(U"(no values)");
  else if (sheet.own_scale)
    page.paragraph(sheet.diverging ? U"Shades: full where a value is as large, of either sign, as any of its image."
                                   : U"Shades: from the smallest to the largest value of each image.");
  else page.paragraph(shade_note(shades(sheet, 0), sheet.diverging, all));
  page.paragraph(block_note(cells));
  return page.str();
}

}  // namespace plot
