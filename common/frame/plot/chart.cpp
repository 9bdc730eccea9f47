// Lines differ in colour, groups in colour and shape; each has its name at its end.
// SPDX-License-Identifier: MIT
#include <numeric>
#include <set>

#include "common/frame/plot/svg.hpp"

namespace plot {
namespace {

// Returns a mark, of another shape in each round of colours; a ring if `open`, around which others
// can be seen.
std::string mark(Spot at, std::size_t k, bool open = false) {
  constexpr const char* shapes[colours] = {"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                           "M-2.7-2.7h5.4v5.4h-5.4z",
                                           "M0-3.6L3.6 2.7h-7.2z",
                                           "M0-3.8L3.8 0L0 3.8L-3.8 0z",
                                           "M-3.5 0h7M0-3.5v7",
                                           "M-2.7-2.7l5.4 5.4m0-5.4l-5.4 5.4"};
  return markup(R"_(<path class="plot-dot@ @" transform="translate(@ @)@" d="@"/>)_",
                open ? " plot-open" : "", colour(k), at.x, at.y, open ? " scale(1.8)" : "",
                shapes[(k + k / colours) % colours]);
}

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

// A name beside the end of what it names, with places between 0 and 1.
struct End {
  Spot at;
  std::string words, colour;
};

// Returns the names of lines and groups, at their right ends, but beside the frame where these lie
// in its last quarter; and of references, with their numbers.
std::vector<End> ends_of(const Chart& chart, const Scale& x, const Scale& y) {
  std::vector<End> ends;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& series = chart.series[k];
    Spot end{-1, 0};
    for (const Path& path : pieces(series, x, y))
      for (const Spot& at : path)
        if (at.x >= end.x) end = at;
    if (end.x < 0 || series.name.empty()) continue;
    ends.push_back({{end.x < 0.75 ? end.x : 1, end.y}, one_line(series.name), colour(k)});
  }
  for (const auto& [name, at] : chart.levels)
    if (on_axis(y.at(at)))
      ends.push_back({{1, y.at(at)}, one_line(name + " " + number(at)), "plot-soft"});
  return ends;
}

double room_for(const std::vector<End>& ends) {
  double room = 26;
  for (const End& end : ends)
    if (end.at.x == 1) room = std::max(room, width_of({end.words}) + 10);
  return std::min(room, svg_width / 2);
}

// The height of the picture is then below the axes, ticks and titles.
Frame draw_frame(Svg& svg, const Chart& chart, const Scale& x, const Scale& y, double room) {
  const Lines y_title = lines_in(title_of(chart.y), svg_width - 32);
  svg.height = svg.lines({16, svg.height + line_height}, y_title, "start");
  // The highest label lies half beside the frame, half above it.
  Frame f{.x = x, .y = y, .top = svg.height + (chart.y.title.empty() ? 12 : 18)};
  const Ticks y_ticks = ticks_that_fit(chart.y, y, 9, f.height, 0, 26);
  double widest = 0;
  for (const Tick& tick : y_ticks.major) widest = std::max(widest, width_of({tick.label}));
  f.left = std::max(40.0, 18 + widest);
  f.width = svg_width - f.left - room;
  const Ticks x_ticks = ticks_that_fit(chart.x, x, 10, f.width, letter_width, 14);
  const auto level = [&](double at, const char* line) {
    svg.line(f.px({0, at}), f.px({1, at}), line);
  };
  for (const double at : y_ticks.minor) level(at, "plot-minor");
  for (const double at : x_ticks.minor) svg.line(f.px({at, 1}), f.px({at, 0}), "plot-minor");
  for (const auto& [at, label] : y_ticks.major) {
    level(at, "plot-grid");
    svg.text({f.left - 8, f.px({0, at}).y + to_foot}, label, "end");
  }
  // A name is broken where it would run into the next.
  const double apart = f.width / double(std::max<std::size_t>(chart.x.names.size(), 1));
  const auto [right, bottom] = f.px({1, 0});
  svg.height = bottom + 26;
  for (const auto& [at, label] : x_ticks.major) {
    const double px = f.px({at, 0}).x;
    svg.line({px, f.top}, {px, bottom + 5}, "plot-grid");
    const double end = svg.lines({px, bottom + 21}, lines_in(label, apart));
    svg.height = std::max(svg.height, end + 4);
  }
  svg.element(R"(<path class="plot-path plot-axis" d="M@ @V@H@"@/>)", f.left, f.top, bottom, right,
              data_of(chart, f));
  const Lines title = lines_in(title_of(chart.x), f.width);
  svg.height = svg.lines({f.left + f.width / 2, svg.height + line_height}, title);
  return f;
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

// Tells whether a later line runs over a fifth of this one, whose halo then shows.
bool is_covered(const std::vector<Series>& all, std::size_t k, const Frame& f) {
  const Series& own = all[k];
  const auto covers = [&](const Series& other) {
    std::size_t met = 0;
    for (std::size_t i = 0; i < std::min(own.x.size(), other.x.size()); ++i) {
      const double apart = f.height * std::abs(f.y.at(own.y[i]) - f.y.at(other.y[i]));
      if (own.x[i] == other.x[i] && apart < 2) ++met;
    }
    return own.points == other.points && 5 * met > own.x.size();
  };
  return std::any_of(all.begin() + std::ptrdiff_t(k) + 1, all.end(), covers);
}

// Writes names a line's height from one another.
void draw_ends(Svg& svg, const Frame& f, const std::vector<End>& ends) {
  const double bottom = f.top + f.height;
  std::vector<double> heights;
  for (const End& end : ends)  // clear of the axis
    heights.push_back(std::min(f.px(end.at).y, bottom - (end.at.x < 1 ? 10 : 0)));
  heights = pushed_apart(heights, line_height - 1, f.top, bottom);
  for (std::size_t e = 0; e < ends.size(); ++e)
    svg.text({f.px(ends[e].at).x + 7, heights[e] + to_foot}, ends[e].words, "start",
             "plot-fill plot-clear " + ends[e].colour);
}

// Draws the pieces of a series, with marks where the points are few or stand alone.
void draw_series(Svg& svg, const Frame& f, const Chart& chart, std::size_t k) {
  const std::vector<Series>& all = chart.series;
  const Series& series = all[k];
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
      svg.element(R"(<polyline class="plot-line@ @" points="@"/>)", covered ? " plot-halo" : "",
                  colour(k), points.substr(1));
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
  const auto [x, y] = scales(chart, 0.03);
  const std::vector<End> ends = ends_of(chart, x, y);
  Svg svg(chart.title);
  const Frame f = draw_frame(svg, chart, x, y, room_for(ends));
  for (const auto& [name, value] : chart.levels)
    if (const double at = y.at(value); on_axis(at))
      svg.line(f.px({0, at}), f.px({1, at}), "plot-level",
               data("name", name) + data("value", std::vector{value}));
  bool empty = chart.levels.empty();
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    draw_series(svg, f, chart, k);
    empty = empty && pieces(chart.series[k], x, y).empty();
  }
  if (empty) svg.text(f.px({0.5, 0.5}), "(no data)", "middle");
  draw_ends(svg, f, ends);
  for (const auto& [at_x, at_y, words] : chart.notes)
    if (const Spot at{x.at(at_x), y.at(at_y)}; inside(at))
      svg.text(f.px(at), words, "middle", "plot-ink plot-slant");
  for (const Grip& grip : chart.grips)
    if (const Spot at{x.at(grip.x), y.at(grip.y)}; inside(at)) svg.grip(f.px(at), grip);
  return svg.str();
}

}  // namespace plot
