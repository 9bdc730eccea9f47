// Charts and scatters as SVG. Every picture stands alone: own background, system fonts, and a style that follows the
// light or dark scheme of the page; all classes begin with "plot-" and every picture has the same style, so that
// several of them can stand in one HTML page. Lines differ in colour and in dashes, groups of points in colour and shape.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/support/plot_axis.hpp"
#include "common/support/words.hpp"

namespace plot {

constexpr double svg_width = 720;
constexpr double letter_width = 7.6;  // of a 13 px letter, on the wide side: fonts differ
constexpr double line_height = 17;
constexpr std::size_t colours = 6;

// Colours after Okabe and Ito (2008), told apart with every kind of colour vision; darkened or lightened where the
// originals have too little contrast to the background.
constexpr const char* svg_style =
    ".plot{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".plot-page{fill:#fff}.plot-ink{fill:#1f2328}.plot-soft{fill:#59636e}.plot-title{font-size:16px;font-weight:600}"
    ".plot-grid{stroke:#e4e8ec}.plot-minor{stroke:#f1f3f5}.plot-axis{stroke:#818b98}.plot-level{stroke:#59636e}"
    ".plot-path{fill:none;stroke-linejoin:round}.plot-line{fill:none;stroke:currentColor;stroke-width:2;"
    "stroke-linejoin:round}.plot-dot{fill:currentColor;stroke:currentColor}"
    ".plot-0{color:#0072b2}.plot-1{color:#d55e00}.plot-2{color:#008a64}.plot-3{color:#b3588a}.plot-4{color:#a87400}"
    ".plot-5{color:#4a4f55}"
    "@media(prefers-color-scheme:dark){.plot-page{fill:#15191f}.plot-ink{fill:#e6edf3}.plot-soft{fill:#a0aab5}"
    ".plot-grid{stroke:#2b323b}.plot-minor{stroke:#1f252c}.plot-axis{stroke:#6e7884}.plot-level{stroke:#a0aab5}"
    ".plot-0{color:#56b4e9}.plot-1{color:#f0883e}.plot-2{color:#2fc79a}.plot-3{color:#e29cc4}.plot-4{color:#f0c24a}"
    ".plot-5{color:#cdd3da}}";

inline std::string escape(const Letters& text) { return escape_html(encode(text)); }

// An SVG under construction: elements in the order in which they are drawn.
class Svg {
 public:
  double width = svg_width, height = 0;  // the height grows with what is added

  void element(const std::string& markup) { body_ += markup + "\n"; }

  void text(double x, double y, const Letters& words, const std::string& classes, const std::string& anchor = "start",
            const std::string& more = "") {
    element("<text x=\"" + fixed(x) + "\" y=\"" + fixed(y) + "\" class=\"" + classes + "\" text-anchor=\"" + anchor +
            "\"" + more + ">" + escape(words) + "</text>");
  }

  void line(double x1, double y1, double x2, double y2, const std::string& classes, const std::string& more = "") {
    element("<path class=\"plot-path " + classes + "\" d=\"M" + fixed(x1) + " " + fixed(y1) + "L" + fixed(x2) + " " +
            fixed(y2) + "\"" + more + "/>");
  }

  // Lines of text under one another from the present height on.
  void paragraph(double x, const Letters& words, const std::string& classes, double size = 13) {
    const double letter = letter_width * size / 13;
    for (const Letters& part : wrap(words, static_cast<std::size_t>((width - x - 16) / letter))) {
      height += line_height * size / 13;
      text(x, height, part, classes);
    }
  }

  void title(const std::string& words) {
    height = 12;
    paragraph(16, letters(words), "plot-ink plot-title", 17);
    height += 10;
  }

  // The finished document, with a margin below.
  std::string str(const std::string& title) const {
    const std::string w = fixed(width), h = fixed(std::ceil(height + 14));
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"" + w + "\" height=\"" + h +
           "\" viewBox=\"0 0 " + w + " " + h + "\">\n<title>" + escape(title.empty() ? U"Chart" : letters(title)) +
           "</title>\n<style>" + svg_style + "</style>\n<rect class=\"plot-page\" width=\"" + w + "\" height=\"" + h +
           "\"/>\n" + body_ + "</svg>\n";
  }

 private:
  std::string body_;
};

// The dashes of line k: none first, and another pairing with the colours in each round.
inline std::string dashes(std::size_t k) {
  const char* patterns[colours] = {"", "8 3", "2 3", "9 3 2 3", "5 5", "12 3 2 3 2 3"};
  const std::string pattern = patterns[(k + k / colours) % colours];
  return pattern.empty() ? "" : " stroke-dasharray=\"" + pattern + "\"";
}

inline std::string colour(std::size_t k) { return "plot-" + std::to_string(k % colours); }

// The mark of group k, about 8 px in size.
inline std::string mark(double x, double y, std::size_t k) {
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

inline Entry entry(const std::string& sample, const std::string& name, double y) {
  return {sample, wrap(letters(name), 24), y};
}

inline double entry_height(const Entry& e) {
  return line_height * static_cast<double>(std::max(e.name.size(), std::size_t{1})) + 3;
}

// The axes on their place in the picture.
struct Frame {
  Scale x, y;
  double left = 0, top = 0, width = 0, height = 320;

  double px(double at) const { return left + at * width; }
  double py(double at) const { return top + (1 - at) * height; }
};

// Leaves room for the title, the labels of the y axis and the legend.
inline Frame frame(Svg& svg, const std::string& title, const Axis& y_axis, const Scale& x, const Scale& y,
                   const std::vector<Entry>& legend) {
  svg.title(title);
  Frame f{x, y};
  double needed = 0;
  std::size_t widest = 0;
  for (const Entry& e : legend) needed += entry_height(e), widest = std::max(widest, longest(e.name));
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

// Grid, axes, ticks and the title of the x axis; the height is then below them.
inline void draw_axes(Svg& svg, const Frame& f, const Axis& x_axis) {
  const Ticks y_ticks = ticks_that_fit(f.y, 9, f.height, 0, 26);
  const Ticks x_ticks = ticks_that_fit(f.x, 10, f.width, letter_width, 14);
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

// The legend, each entry as near to its wish as the others allow.
inline void draw_legend(Svg& svg, const Frame& f, std::vector<Entry> legend) {
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

inline void draw_note(Svg& svg, const Letters& note) {
  if (note.empty()) return;
  svg.height += 4;
  svg.paragraph(16, note, "plot-soft");
}

// One series: its pieces, thinned to what can be seen, with marks where the points are few or stand alone.
inline void draw_series(Svg& svg, const Frame& f, const Series& series, std::size_t k) {
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

// Where the visible part of a series ends, in its y; 0 if it has none.
inline double last_place(const Series& series, const Scale& x, const Scale& y) {
  const std::vector<Path> all = pieces(series, x, y);
  return all.empty() ? 0 : all.back().back().y;
}

// A chart 720 px wide. Throws std::invalid_argument if the chart is inconsistent (see check).
inline std::string svg(const Chart& chart) {
  check(chart);
  const Scale x = fit(chart.x, x_values(chart), 0), y = fit(chart.y, y_values(chart), 0.03);
  std::vector<Entry> legend;
  std::vector<double> places;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    if (chart.series.size() == 1 && chart.series[k].name.empty()) continue;
    legend.push_back(
        entry("<path class=\"plot-line " + colour(k) + "\"" + dashes(k) + " d=\"M0 0H26\"/>", chart.series[k].name, 0));
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

// Writes a label beside its mark, or further away at the end of a thin line; false if there is no room.
inline bool place(Svg& svg, const Frame& f, Room& room, const Letters& label, double x, double y, std::size_t group) {
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

// A scatter 720 px wide: a mark at each point, in the order of the points, and the labels beside them.
// Throws std::invalid_argument if the scatter is inconsistent (see check).
inline std::string svg(const Scatter& scatter) {
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

}  // namespace plot
