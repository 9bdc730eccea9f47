// Fuzzes pictures and tables: any numbers, limits and labels give lines that fit and well-formed SVG and HTML, or an
// error that says what disagrees.
// SPDX-License-Identifier: MIT
#include "common/plot/plot.hpp"

#include <sstream>

#include "common/support/table.hpp"
#include "common/support/words.hpp"
#include "tests/fuzz/markup.hpp"

static std::string label(Input& in) { return in.ConsumeRandomLengthString(12); }

static double number(Input& in) {
  return in.ConsumeBool() ? in.ConsumeFloatingPoint<double>() : in.ConsumeIntegralInRange(-3, 12);
}

static std::vector<double> numbers(Input& in, std::size_t most) {
  std::vector<double> found(in.ConsumeIntegralInRange<std::size_t>(0, most));
  for (double& each : found) each = number(in);
  return found;
}

static plot::Axis axis(Input& in) {
  plot::Axis made{.title = label(in), .log = in.ConsumeBool()};
  if (in.ConsumeBool()) made.low = number(in);
  if (in.ConsumeBool()) made.high = number(in);
  if (in.ConsumeBool()) made.names = {label(in), label(in)};
  return made;
}

template <class F>
static void refuse_or(F f) {
  try {
    f();
  } catch (const std::invalid_argument&) {  // says what disagrees; a label in it may hold a line break
  }
}

template <class Picture>
static void draw(const Picture& picture, int width) {
  refuse_or([&] {
    std::istringstream lines(plot::text(picture, width));
    for (std::string line; std::getline(lines, line);)
      require(columns_of(line) <= std::size_t(width), "a line of a picture fits");
  });
  refuse_or([&] { require_well_formed(plot::svg(picture)); });
}

static void draw_chart(Input& in, int width) {
  plot::Chart chart{.title = label(in), .x = axis(in), .y = axis(in)};
  for (int k = in.ConsumeIntegralInRange(0, 3); k > 0; --k)
    chart.series.push_back({label(in), numbers(in, 4), numbers(in, 4), in.ConsumeBool()});
  for (plot::Series& series : chart.series)
    if (in.ConsumeBool()) series.y.resize(series.x.size(), 1);
  if (in.ConsumeBool()) chart.levels.push_back({label(in), number(in)});
  draw(chart, width);
}

static void draw_scatter(Input& in, int width) {
  plot::Scatter scatter{.title = label(in), .x = axis(in), .y = axis(in)};
  for (int k = in.ConsumeIntegralInRange(0, 4); k > 0; --k)
    scatter.points.push_back({number(in), number(in), label(in), in.ConsumeIntegralInRange<std::size_t>(0, 1)});
  if (in.ConsumeBool()) scatter.groups = {label(in), label(in)};
  draw(scatter, width);
}

static void draw_map(Input& in, int width) {
  plot::HeatMap map{.title = label(in)};
  map.rows = in.ConsumeIntegralInRange<std::size_t>(0, 3), map.cols = in.ConsumeIntegralInRange<std::size_t>(0, 3);
  map.values = numbers(in, 9);
  if (in.ConsumeBool()) map.values.resize(map.rows * map.cols, 1);
  for (std::size_t k = in.ConsumeIntegralInRange<std::size_t>(0, 3); k > 0; --k) map.row_labels.push_back(label(in));
  for (std::size_t k = in.ConsumeIntegralInRange<std::size_t>(0, 3); k > 0; --k) map.col_labels.push_back(label(in));
  map.diverging = in.ConsumeBool(), map.numbers = in.ConsumeBool();
  if (in.ConsumeBool()) map.low = number(in);
  if (in.ConsumeBool()) map.high = number(in);
  draw(map, width);
}

static void draw_sheet(Input& in, int width) {
  plot::Sheet sheet{.title = label(in), .rows = 2, .cols = in.ConsumeIntegralInRange<std::size_t>(0, 3)};
  for (int k = in.ConsumeIntegralInRange(0, 3); k > 0; --k) sheet.images.push_back({label(in), numbers(in, 6)});
  for (plot::Image& image : sheet.images)
    if (in.ConsumeBool()) image.values.resize(sheet.rows * sheet.cols, 1);
  sheet.diverging = in.ConsumeBool(), sheet.own_scale = in.ConsumeBool();
  sheet.per_row = in.ConsumeIntegralInRange<std::size_t>(0, 3);
  draw(sheet, width);
}

static void draw_diagram(Input& in, int width) {
  plot::Diagram diagram{.title = label(in)};
  for (int k = in.ConsumeIntegralInRange(0, 3); k > 0; --k)
    diagram.boxes.push_back({.name = label(in),
                             .column = double(k),
                             .row = double(in.ConsumeIntegralInRange(0, 2)),
                             .label = label(in),
                             .forward = label(in),
                             .back = label(in),
                             .key = label(in)});
  for (int k = in.ConsumeIntegralInRange(0, 2); k > 0 && !diagram.boxes.empty(); --k)
    diagram.arrows.push_back(
        {in.ConsumeBool() ? diagram.boxes.front().name : label(in), diagram.boxes.back().name, label(in)});
  draw(diagram, width);
}

static void draw_table(Input& in) {
  Table table;
  const std::size_t columns = in.ConsumeIntegralInRange<std::size_t>(1, 4);
  const auto row = [&] {
    std::vector<std::string> cells(columns);
    for (std::string& cell : cells) cell = printable(label(in));  // whoever fills in a table makes its text printable
    return cells;
  };
  table.head = row();
  for (int k = in.ConsumeIntegralInRange(0, 3); k > 0; --k) table.rows.push_back(row());
  table.text();
  require_well_formed(table.html());
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const int kind = in.ConsumeIntegralInRange(0, 5), width = in.ConsumeIntegralInRange(10, 100);
  if (kind == 0) draw_chart(in, width);
  else if (kind == 1) draw_scatter(in, width);
  else if (kind == 2) draw_map(in, width);
  else if (kind == 3) draw_sheet(in, width);
  else if (kind == 4) draw_diagram(in, width);
  else draw_table(in);
  return 0;
}
