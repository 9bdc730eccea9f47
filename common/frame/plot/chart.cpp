// Lines differ in colour and dashes, groups in colour and shape.
// SPDX-License-Identifier: MIT
#include <array>
#include <numeric>
#include <set>

#include "common/frame/plot/svg.hpp"

namespace plot {
namespace {

// Returns the dashes or the shape of line or group k: others in each round of colours.
std::size_t pattern(std::size_t k) { return (k + k / colours) % colours; }

std::string dashes(std::size_t k) {
  constexpr const char* all[colours] = {"", "8 3", "2 3", "9 3 2 3", "5 5", "12 3 2 3 2 3"};
  return pattern(k) == 0 ? "" : markup(R"( stroke-dasharray="@")", all[pattern(k)]);
}

// References differ from one another and from lines, which have colours.
std::string level_dashes(std::size_t k) {
  constexpr const char* all[] = {"4 3", "1.5 3.5", "14 4", "10 3 1.5 3", "7 2 1.5 2 1.5 2"};
  return markup(R"( stroke-dasharray="@")", all[k % std::size(all)]);
}

// Returns a mark; a ring if `open`, around which others can be seen.
std::string mark(Spot at, std::size_t k, bool open = false) {
  constexpr const char* shapes[colours] = {"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                           "M-2.7-2.7h5.4v5.4h-5.4z",
                                           "M0-3.6L3.6 2.7h-7.2z",
                                           "M0-3.8L3.8 0L0 3.8L-3.8 0z",
                                           "M-3.5 0h7M0-3.5v7",
                                           "M-2.7-2.7l5.4 5.4m0-5.4l-5.4 5.4"};
  return markup(R"_(<path class="plot-dot@ @" transform="translate(@ @)@" d="@"/>)_",
                open ? " plot-open" : "", colour(k), at.x, at.y, open ? " scale(1.8)" : "",
                shapes[pattern(k)]);
}

constexpr double end_letter = 8.8;  // of the letters at the ends of lines, 15 px high

struct Frame {
  Scale x, y;
  double left = 0, top = 0, width = 0, height = 250;

  Spot px(Spot at) const { return {left + at.x * width, top + (1 - at.y) * height}; }
};

// Returns what a page needs to read numbers off a chart.
std::string data_of(const Chart& chart, const Frame& f) {
  const std::string all = data("frame", std::vector{f.left, f.top, f.width, f.height}) +
                          data("x", std::vector{f.x.low, f.x.high}) +
                          data("y", std::vector{f.y.low, f.y.high}) +
                          data("titles", Lines{chart.x.title, chart.y.title});
  const std::string logs = join(f.x.log ? "x" : "", f.y.log ? "y" : "");
  return all + data("log", logs) + data("names", chart.x.names);
}

// Returns the room that the longest name takes beside the frame.
double room_for_ends(const Chart& chart) {
  double room = 0;
  for (const Series& series : chart.series)
    if (chart.ends) room = std::max(room, end_letter * double(columns_of(series.name)) + 10);
  return room;
}

// The height of the picture is then below the axes, ticks and titles.
Frame draw_frame(Svg& svg, const Chart& chart, const Scale& x, const Scale& y) {
  svg.paragraph(16, title_of(chart.y));
  // The highest label lies half beside the frame, half above it.
  Frame f{.x = x, .y = y, .top = svg.height + (chart.y.title.empty() ? 12 : 18)};
  const auto labelled = [](const Series& series) { return !series.labels.empty(); };
  if (std::any_of(chart.series.begin(), chart.series.end(), labelled)) f.height = 400;
  const Ticks y_ticks = ticks_that_fit(chart.y, y, 9, f.height, 0, 26);
  double widest = 0;
  for (const Tick& tick : y_ticks.major) widest = std::max(widest, width_of({tick.label}));
  f.left = std::max(40.0, 18 + widest);
  f.width = svg.width - f.left - std::max(26.0, room_for_ends(chart));
  const Ticks x_ticks = ticks_that_fit(chart.x, x, 10, f.width, letter_width, 14);
  const auto level = [&](double at, const char* line) {
    svg.line(f.px({0, at}), f.px({1, at}), line);
  };
  for (const double at : y_ticks.minor) level(at, "plot-minor");
  for (const double at : x_ticks.minor) svg.line(f.px({at, 1}), f.px({at, 0}), "plot-minor");
  for (const auto& [at, label] : y_ticks.major) {
    level(at, "plot-grid");
    svg.text(f.left - 8, f.px({0, at}).y + 4.5, label, "end");
  }
  // A name is broken where it would run into the next.
  const double apart = f.width / double(std::max<std::size_t>(chart.x.names.size(), 1));
  const auto [right, bottom] = f.px({1, 0});
  svg.height = bottom + 26;
  for (const auto& [at, label] : x_ticks.major) {
    const double px = f.px({at, 0}).x;
    svg.line({px, f.top}, {px, bottom + 5}, "plot-grid");
    const double end = svg.lines(px, bottom + 22, lines_in(label, apart));
    svg.height = std::max(svg.height, end + 4);
  }
  svg.element(R"(<path class="plot-path plot-axis" d="M@ @V@H@"@/>)", f.left, f.top, bottom, right,
              data_of(chart, f));
  const Lines title = lines_in(title_of(chart.x), f.width);
  svg.height = svg.lines(f.left + f.width / 2, svg.height + line_height, title);
  return f;
}

// Samples around (0, 0), 26 px wide, and their names.
using Legend = std::vector<std::pair<std::string, std::string>>;

// Draws the legend below the axes, side by side where there is room, and ends the picture.
std::string finish(Svg& svg, const Frame& f, const Legend& legend, bool empty) {
  const Spot middle = f.px({0.5, 0.5});
  if (empty) svg.text(middle.x, middle.y, "(no data)", "middle");
  double at = 16;
  if (!legend.empty()) svg.height += 10 + line_height;
  for (const auto& [sample, words] : legend) {
    const Lines name = lines_in(words, svg.width - 64);
    const double wide = 34 + width_of(name) + 14;
    if (at > 16 && at + wide > svg.width) {
      at = 16;
      svg.height += line_height + 3;
    }
    svg.element(R"_(<g transform="translate(@ @)">@</g>)_", at, svg.height - 5, sample);
    const double end = svg.lines(at + 34, svg.height, name, "start", "plot-ink");
    svg.height = std::max(svg.height, end);
    at = name.size() > 1 ? svg.width : at + wide;
  }
  return svg.str();
}

// Keeps of the points in one of `columns` columns the first, lowest, highest and last, which looks
// the same.
Path thin(const Path& path, double columns) {
  Path out;
  const auto column = [&](std::size_t k) { return std::floor(path[k].x * columns); };
  for (std::size_t first = 0, end = 0; first < path.size(); first = end) {
    std::size_t low = first, high = first;
    for (end = first; end < path.size() && column(end) == column(first); ++end) {
      if (path[end].y < path[low].y) low = end;
      if (path[end].y > path[high].y) high = end;
    }
    for (const std::size_t k : std::set{first, low, high, end - 1}) out.push_back(path[k]);
  }
  return out;
}

// Tells whether later lines run over a fifth of this one, whose halo then shows.
bool is_covered(const std::vector<Series>& all, std::size_t k, const Frame& f) {
  const Series& own = all[k];
  const double near = 2 / f.height;
  std::size_t met = 0, apart = 0;
  for (std::size_t i = 0; i < own.x.size(); ++i) {
    const double y = f.y.at(own.y[i]);
    const auto meets = [&](const Series& other) {
      const auto at = std::lower_bound(other.x.begin(), other.x.end(), own.x[i] - 1e-9);
      const auto j = std::size_t(at - other.x.begin());
      return at != other.x.end() && std::abs(*at - own.x[i]) < 1e-9 &&
             std::abs(f.y.at(other.y[j]) - y) < near && other.points == own.points &&
             std::is_sorted(other.x.begin(), other.x.end());
    };
    if (std::any_of(all.begin() + std::ptrdiff_t(k) + 1, all.end(), meets)) ++met;
    else ++apart;
  }
  return 4 * met > apart;
}

// A point that stands as its label, which others may have pushed away.
struct Label {
  Spot point, at;
  double half_width;
  std::string words, name;
  std::size_t series;
};

std::vector<Label> labels_of(const Chart& chart, const Frame& f) {
  std::vector<Label> all;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& series = chart.series[k];
    for (std::size_t i = 0; i < series.labels.size(); ++i) {
      const Spot place{f.x.at(series.x[i]), f.y.at(series.y[i])};
      if (!inside(place)) continue;
      const Spot at = f.px(place);
      const std::string& words = series.labels[i];
      all.push_back({at, at, width_of({words}) / 2, words, join(words, " (", series.name, ")"), k});
    }
  }
  return all;
}

// Moves two labels that overlap apart, along the shorter way. Tells whether they did.
bool part(Label& a, Label& b) {
  constexpr double height = 18;
  const double dx = b.at.x - a.at.x, dy = b.at.y - a.at.y;
  const double over_x = a.half_width + b.half_width - std::abs(dx), over_y = height - std::abs(dy);
  if (over_x <= 0 || over_y <= 0) return false;
  const bool sideways = over_x < over_y;
  const double by = (sideways ? over_x : over_y) / 2 + 0.1;
  double &first = sideways ? a.at.x : a.at.y, &second = sideways ? b.at.x : b.at.y;
  const bool ordered = sideways ? dx >= 0 : dy >= 0;
  first -= ordered ? by : -by;
  second += ordered ? by : -by;
  return true;
}

void push_apart(std::vector<Label>& labels, const Frame& f) {
  bool pushed = labels.size() <= 200;  // each round looks at all pairs
  for (int round = 0; pushed && round < 300; ++round) {
    pushed = false;
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t j = i + 1; j < labels.size(); ++j)
        pushed = part(labels[i], labels[j]) || pushed;
    for (Label& label : labels) {
      label.at.x = std::clamp(label.at.x, f.left, f.left + f.width);
      label.at.y = std::clamp(label.at.y, f.top, f.top + f.height);
    }
  }
}

// Draws points as their labels, beside their places where others stand there, too.
void draw_labels(Svg& svg, const Frame& f, const Chart& chart) {
  std::vector<Label> labels = labels_of(chart, f);
  push_apart(labels, f);
  for (const auto& [point, at, half_width, words, name, series] : labels)
    svg.text(at.x - point.x, 6 + at.y - point.y, words, "middle", "plot-dot " + colour(series),
             markup(R"_( stroke-width="0" transform="translate(@ @)")_", point.x, point.y) +
                 data("name", name));
}

// Writes each name beside the last place of its line, a line's height from the next; beside the
// frame, unless a series ends in the first three quarters of it. A thin line leads to a name that
// stands off its line's end.
void draw_ends(Svg& svg, const Frame& f, const Chart& chart) {
  constexpr double apart = 19;
  struct End {
    double y, x;
    Spot last;
    std::size_t series;
  };
  std::vector<End> ends;
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    if (const std::vector<Path> all = pieces(chart.series[k], f.x, f.y); !all.empty()) {
      const Spot last = all.back().back();
      const bool within = f.x.at(chart.series[k].x.back()) < 0.75;
      const double lowest = f.top + f.height - (within ? 10 : 0);  // clear of the axis
      ends.push_back(
          {std::min(f.px(last).y, lowest), f.px({within ? last.x : 1, 0}).x, f.px(last), k});
    }
  std::vector<double> heights;
  for (const End& end : ends) heights.push_back(end.y);
  heights = pushed_apart(heights, apart, f.top, f.top + f.height);
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const auto& [_, x, last, k] = ends[e];
    if (const Spot to{x + 5, heights[e]}; to.x - last.x > 12 || std::abs(to.y - last.y) > 6)
      svg.line(last, to, "plot-dot " + colour(k), R"( stroke-width="1")");
    svg.text(x + 7, heights[e] + 5, one_line(chart.series[k].name), "start",
             "plot-end " + colour(k));
  }
}

// Draws the pieces of a series, with marks where the points are few or stand alone.
void draw_series(Svg& svg, const Frame& f, const Chart& chart, std::size_t k) {
  const std::vector<Series>& all = chart.series;
  const Series& series = all[k];
  if (!series.labels.empty()) return;  // draw_labels draws them
  const bool covered = is_covered(all, k, f);
  svg.element("<g@>", data("name", series.name));
  for (const Path& piece : pieces(series, f.x, f.y)) {
    Path path = thin(piece, 2 * f.width);
    std::string points;
    for (Spot& at : path) {
      at = f.px(at);
      points += markup(" @,@", at.x, at.y);
    }
    if (path.size() > 1)
      svg.element(R"(<polyline class="plot-line@ @"@ points="@"/>)", covered ? " plot-halo" : "",
                  colour(k), chart.ends ? "" : dashes(k), points.substr(1));
    if (series.x.size() <= 24 || path.size() == 1)
      for (const Spot& at : path) svg.element("@", mark(at, k, series.points && covered));
  }
  svg.element("</g>");
}

}  // namespace

std::vector<double> pushed_apart(std::vector<double> wanted, double least, double low,
                                 double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  double above = low - least, below = high + least;
  for (const std::size_t k : order) above = wanted[k] = std::max(wanted[k], above + least);
  for (auto k = order.rbegin(); k != order.rend(); ++k)
    below = wanted[*k] = std::min(wanted[*k], below - least);
  return wanted;
}

std::string svg(const Chart& chart) {
  check(chart);
  const auto [x, y] = scales(chart, 0, 0.03);
  Svg svg(chart.title);
  const Frame f = draw_frame(svg, chart, x, y);
  for (std::size_t k = 0; k < chart.levels.size(); ++k)
    if (const double at = y.at(chart.levels[k].y); on_axis(at))
      svg.line(f.px({0, at}), f.px({1, at}), "plot-level",
               level_dashes(k) + data("name", chart.levels[k].name) +
                   data("value", std::vector{chart.levels[k].y}));
  Legend legend;
  bool empty = chart.levels.empty();
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& series = chart.series[k];
    draw_series(svg, f, chart, k);
    empty = empty && pieces(series, x, y).empty();
    if (chart.series.size() == 1 && series.name.empty()) continue;
    if (!series.labels.empty() || chart.ends) continue;  // these say what they are
    const bool covered = is_covered(chart.series, k, f);
    const std::string line = markup(R"(<path class="plot-line@ @"@ d="M0 0H26"/>)",
                                    covered ? " plot-halo" : "", colour(k), dashes(k));
    legend.push_back({series.points ? mark({13, 0}, k, covered) : line, one_line(series.name)});
  }
  for (std::size_t k = 0; k < chart.levels.size(); ++k) {
    const auto& [name, at] = chart.levels[k];
    const std::string line =
        markup(R"(<path class="plot-path plot-level"@ d="M0 0H26"/>)", level_dashes(k));
    legend.push_back({line, one_line(name + " (" + number(at) + ")")});
  }
  draw_labels(svg, f, chart);
  if (chart.ends) draw_ends(svg, f, chart);
  for (const auto& [at_x, at_y, words] : chart.notes)
    if (const Spot at{x.at(at_x), y.at(at_y)}; inside(at))
      svg.text(f.px(at).x, f.px(at).y, words, "middle", "plot-note");
  for (const Grip& grip : chart.grips)
    if (const Spot at{x.at(grip.x), y.at(grip.y)}; inside(at)) svg.grip(f.px(at), grip);
  return finish(svg, f, legend, empty);
}

}  // namespace plot
