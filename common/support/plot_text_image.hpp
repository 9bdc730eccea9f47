// Heat maps and sheets of small images as text: the darker the shade, the larger the value; on a diverging scale a sign
// stands before each shade. What is too wide is averaged over blocks, and the last line says so.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/plot_axis.hpp"
#include "common/support/plot_text.hpp"

namespace plot {

struct Grid {
  std::size_t rows = 0, cols = 0;
  const std::vector<double>& values;
};

inline std::size_t blocks(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

// The mean over the block of height x width values whose first one is (row, col); NaN where it meets a NaN.
inline double block_mean(const Grid& grid, std::size_t row, std::size_t col, std::size_t height, std::size_t width) {
  double mean = 0;
  const std::size_t row_end = std::min(row + height, grid.rows), col_end = std::min(col + width, grid.cols);
  const double share_of_one = 1 / static_cast<double>((row_end - row) * (col_end - col));
  for (std::size_t r = row; r < row_end; ++r)
    for (std::size_t c = col; c < col_end; ++c) mean += grid.values[r * grid.cols + c] * share_of_one;
  return mean;
}

inline Letters shade(double value, const Shades& scale, bool diverging, std::size_t length) {
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

// What the shades mean, and what '?' stands for where there is one.
inline Letters shade_note(const Shades& scale, bool diverging, const std::vector<double>& all) {
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

// Square cells of two letters; where these are too many for `columns`, the smallest blocks that fit. Without a sign two
// letters can hold two blocks of half the width.
inline Cells cells_that_fit(std::size_t cols, std::size_t columns, bool diverging) {
  Cells cells;
  while (2 * blocks(cols, cells.block_rows) > columns) ++cells.block_rows;
  cells.block_cols = cells.block_rows;
  if (!diverging && cells.block_rows % 2 == 0) cells.block_cols /= 2, cells.letters = 1;
  return cells;
}

inline Letters block_note(const Cells& cells) {
  if (cells.block_rows == 1) return {};
  return letters("Each cell is the mean of " + std::to_string(cells.block_rows) + " x " +
                 std::to_string(cells.block_cols) + " values.");
}

// The rows of a grid in shades.
inline std::vector<Letters> shaded(const Grid& grid, const Cells& cells, const Shades& scale, bool diverging) {
  std::vector<Letters> lines;
  for (std::size_t r = 0; r < grid.rows; r += cells.block_rows) {
    lines.emplace_back();
    for (std::size_t c = 0; c < grid.cols; c += cells.block_cols)
      lines.back() +=
          shade(block_mean(grid, r, c, cells.block_rows, cells.block_cols), scale, diverging, cells.letters);
  }
  return lines;
}

// The column labels above cells of `length` letters: side by side where they fit, otherwise written downwards.
inline void print_col_labels(Page& page, const std::vector<Letters>& labels, std::size_t gutter, std::size_t length,
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

// A heat map in lines of at most `width` >= 20 letters. Numbers are printed where they fit.
// Throws std::invalid_argument if the map is inconsistent (see check) or the width too small.
inline std::string text(const HeatMap& map, int width = 80) {
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

// A sheet in lines of at most `width` >= 20 letters. An image is at most 40 letters wide.
// Throws std::invalid_argument if an image is not rows x cols or the width too small.
inline std::string text(const Sheet& sheet, int width = 80) {
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
  else if (sheet.own_scale) page.paragraph(U"Shades: from the smallest to the largest value of each image.");
  else page.paragraph(shade_note(shades(sheet, 0), sheet.diverging, all));
  page.paragraph(block_note(cells));
  return page.str();
}

}  // namespace plot
