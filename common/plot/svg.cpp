// Pictures as SVG. Lines differ in colour and in dashes, groups of points in colour and shape. Heat
// maps and images go, in both schemes, from white to dark blue, or, on a diverging scale, from blue
// below zero over white to red above it. Each of 65 colours is one path over all its cells, which
// keeps the files small.
// SPDX-License-Identifier: MIT
#include <array>
#include <set>

#include "common/plot/axes.hpp"

namespace plot {

// Colours after Okabe and Ito (2008), told apart with every kind of colour vision; some with more
// contrast than there.
const std::string_view svg_style =
    ".plot{font:16px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".plot-page{fill:#fff}.plot-ink{fill:#1f2328}.plot-soft{fill:#59636e}.plot-title{font-size:18px;font-weight:600}"
    ".plot-grid{stroke:#e4e8ec}.plot-minor{stroke:#f1f3f5}.plot-axis{stroke:#818b98}.plot-level{stroke:#59636e}"
    ".plot-path{fill:none;stroke-linejoin:round}.plot-line{fill:none;stroke:currentColor;stroke-width:2;"
    "stroke-linejoin:round}.plot-dot{fill:currentColor;stroke:currentColor}"
    ".plot-0{color:#0072b2}.plot-1{color:#d55e00}.plot-2{color:#008a64}.plot-3{color:#b3588a}.plot-4{color:#a87400}"
    ".plot-5{color:#4a4f55}.plot-box{fill:#f3f5f7;stroke:#818b98}"
    "@media(prefers-color-scheme:dark){.plot-page{fill:#15191f}.plot-ink{fill:#e6edf3}.plot-soft{fill:#a0aab5}"
    ".plot-grid{stroke:#2b323b}.plot-minor{stroke:#1f252c}.plot-axis{stroke:#6e7884}.plot-level{stroke:#a0aab5}"
    ".plot-0{color:#56b4e9}.plot-1{color:#f0883e}.plot-2{color:#2fc79a}.plot-3{color:#e29cc4}.plot-4{color:#f0c24a}"
    ".plot-5{color:#cdd3da}.plot-box{fill:#1f252c;stroke:#6e7884}}";

namespace {

constexpr std::string_view style_begins = "<style>", style_ends = "</style>\n";
constexpr double svg_width = 480;  // on a telephone labels are then 11 px
constexpr double text_size = 16,
                 letter_width = 9.35;  // of a letter, on the wide side: fonts differ
constexpr double line_height = 21;
constexpr std::size_t colours = 6;

// Returns what the longest line takes, in px.
double width_of(const std::vector<std::string>& lines) {
  std::size_t most = 0;
  for (const std::string& line : lines) most = std::max(most, columns_of(line));
  return letter_width * double(most);
}

// Returns the class of colour k, which begins anew after the last.
std::string colour(std::size_t k) { return join("plot-", k % colours); }

// Joins pieces of markup; a number with a point is a coordinate, of at most two decimals, below
// 1e15.
template <class... Pieces>
std::string markup(const Pieces&... pieces) {
  const auto written = [](const auto& piece) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(piece)>>)
      return decimal(std::llround(piece * 100), -2, false);
    else return join(piece);
  };
  return (written(pieces) + ...);
}

// An SVG under construction: elements in the order in which they are drawn.
class Svg {
 public:
  explicit Svg(const std::string& title) : title_(title) {
    paragraph(16, title, "plot-ink plot-title", 18);
    height += 10;
  }

  double width = svg_width, height = 12;  // the height grows with what is added

  template <class... Pieces>
  void element(const Pieces&... pieces) {
    body_ += markup(pieces...) + "\n";
  }

  void text(double x, double y, const std::string& words, const std::string& classes,
            const std::string& anchor = "start", const std::string& more = "") {
    element("<text x=\"", x, "\" y=\"", y, "\" class=\"", classes, "\" text-anchor=\"", anchor,
            "\"", more, ">", escape_html(one_line(words)), "</text>");
  }

  void line(double x1, double y1, double x2, double y2, const std::string& classes,
            const std::string& more = "") {
    element("<path class=\"plot-path ", classes, "\" d=\"M", x1, " ", y1, "L", x2, " ", y2, "\"",
            more, "/>");
  }

  // Adds lines of text under one another from the present height on.
  void paragraph(double x, const std::string& words, const std::string& classes = "plot-soft",
                 double size = text_size) {
    for (const std::string& part :
         lines_of(words, std::size_t((width - x - 16) / (letter_width * size / text_size)))) {
      height += line_height * size / text_size;
      text(x, height, part, classes);
    }
  }

  // Returns the finished document, with a margin below.
  std::string str() const {
    const double w = width, h = std::ceil(height + 14);
    return markup("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"",
                  w, "\" height=\"", h, "\" viewBox=\"0 0 ", w, " ", h, "\">\n<title>",
                  escape_html(title_.empty() ? "Chart" : one_line(title_)), "</title>\n",
                  style_begins, svg_style, style_ends, "<rect class=\"plot-page\" width=\"", w,
                  "\" height=\"", h, "\"/>\n", body_, "</svg>\n");
  }

 private:
  std::string title_, body_;
};

// ----------------------------------------------------------------------------- charts and scatters

// Returns the dashes of line k: none first, and another pairing with the colours in each round.
std::string dashes(std::size_t k) {
  constexpr const char* patterns[colours] = {"", "8 3", "2 3", "9 3 2 3", "5 5", "12 3 2 3 2 3"};
  const std::string pattern = patterns[(k + k / colours) % colours];
  return pattern.empty() ? "" : " stroke-dasharray=\"" + pattern + "\"";
}

// Returns the mark of group k, about 8 px in size.
std::string mark(double x, double y, std::size_t k) {
  constexpr const char* shapes[colours] = {"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                           "M-2.7-2.7h5.4v5.4h-5.4z",
                                           "M0-3.6L3.6 2.7h-7.2z",
                                           "M0-3.8L3.8 0L0 3.8L-3.8 0z",
                                           "M-3.5 0h7M0-3.5v7",
                                           "M-2.7-2.7l5.4 5.4m0-5.4l-5.4 5.4"};
  return markup("<path class=\"plot-dot ", colour(k), "\" transform=\"translate(", x, " ", y,
                ")\" d=\"", shapes[(k + k / colours) % colours], "\"/>");
}

// One entry of the legend below the axes: a sample of what is drawn, and its name.
struct Entry {
  std::string sample;  // markup around (0, 0), 26 px wide
  std::string name;
};

// The axes on their place in the picture.
class Frame {
 public:
  // Makes room for the labels of the y axis, and draws grid, axes, ticks and titles; the height is
  // then below them.
  Frame(Svg& svg, const Axis& x_axis, const Axis& y_axis, const Scale& x_scale,
        const Scale& y_scale, const std::vector<Entry>& entries)
      : x(x_scale), y(y_scale), svg_(svg), legend_(entries) {
    const Ticks y_ticks = ticks_that_fit(y_axis, y, 9, height, 0, 26);
    svg.paragraph(16, y_axis.title);
    double label = 0;
    for (const Tick& tick : y_ticks.major) label = std::max(label, width_of({tick.label}));
    left = std::max(40.0, 18 + label);
    top = svg.height + 12;
    width = svg.width - left - 26;
    const Ticks x_ticks = ticks_that_fit(x_axis, x, 10, width, letter_width, 14);
    const double right = left + width, bottom = top + height;
    for (const double at : y_ticks.minor) svg.line(left, py_of(at), right, py_of(at), "plot-minor");
    for (const double at : x_ticks.minor) svg.line(px_of(at), top, px_of(at), bottom, "plot-minor");
    for (const Tick& tick : y_ticks.major) {
      svg.line(left, py_of(tick.at), right, py_of(tick.at), "plot-grid");
      svg.text(left - 8, py_of(tick.at) + 4.5, tick.label, "plot-soft", "end");
    }
    // A name is broken where it would run into the next one.
    const double apart = x_axis.names.empty() ? width : width / double(x_axis.names.size());
    std::size_t most = 1;
    for (const Tick& tick : x_ticks.major) {
      svg.line(px_of(tick.at), top, px_of(tick.at), bottom + 5, "plot-grid");
      const std::vector<std::string> name = lines_of(tick.label, std::size_t(apart / letter_width));
      for (std::size_t k = 0; k < name.size(); ++k)
        svg.text(px_of(tick.at), bottom + 22 + line_height * double(k), name[k], "plot-soft",
                 "middle");
      most = std::max(most, name.size());
    }
    svg.element("<path class=\"plot-path plot-axis\" d=\"M", left, " ", top, "V", bottom, "H",
                right, "\"/>");
    svg.height = bottom + 5 + line_height * double(most);
    for (const std::string& part : lines_of(x_axis.title, std::size_t(width / letter_width)))
      svg.text(left + width / 2, svg.height += line_height, part, "plot-soft", "middle");
  }

  double px_of(double at) const { return left + at * width; }
  double py_of(double at) const { return top + (1 - at) * height; }

  // Draws the legend, side by side as far as there is room.
  void finish(bool empty) {
    if (empty) svg_.text(px_of(0.5), py_of(0.5), "(no data)", "plot-soft", "middle");
    double at = 16;
    svg_.height += legend_.empty() ? 0 : 10 + line_height;
    for (const Entry& e : legend_) {
      const std::vector<std::string> name =
          lines_of(e.name, std::size_t((svg_.width - 64) / letter_width));
      const double wide = 34 + width_of(name) + 14;
      if (at > 16 && at + wide > svg_.width) {
        at = 16;
        svg_.height += line_height + 3;
      }
      svg_.element("<g transform=\"translate(", at, " ", svg_.height - 5, ")\">", e.sample, "</g>");
      for (std::size_t k = 0; k < name.size(); ++k)
        svg_.text(at + 34, svg_.height + line_height * double(k), name[k], "plot-ink");
      if (name.size() > 1) svg_.height += line_height * double(name.size() - 1);
      at = name.size() > 1 ? svg_.width : at + wide;
    }
  }

  Scale x, y;
  double left = 0, top = 0, width = 0, height = 250;

 private:
  Svg& svg_;
  std::vector<Entry> legend_;
};

// Returns a path of many points as one that looks the same: of consecutive points in one of
// `columns` columns only the first, the lowest, the highest and the last remain, in their order.
Path thin(const Path& path, double columns) {
  Path out;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i, low = i, high = i;
    for (;
         end < path.size() && std::floor(path[end].x * columns) == std::floor(path[i].x * columns);
         ++end) {
      if (path[end].y < path[low].y) low = end;
      if (path[end].y > path[high].y) high = end;
    }
    for (const std::size_t k : std::set<std::size_t>{i, low, high, end - 1}) out.push_back(path[k]);
    i = end;
  }
  return out;
}

// Draws the pieces of a series, thinned to what can be seen, with marks where the points are few or
// stand alone.
void draw_series(Svg& svg, const Frame& f, const Series& series, std::size_t k) {
  for (const Path& piece : pieces(series, f.x, f.y)) {
    const Path path = thin(piece, 2 * f.width);
    std::string points;
    for (const Spot& s : path)
      points += markup(points.empty() ? "" : " ", f.px_of(s.x), ",", f.py_of(s.y));
    if (path.size() > 1)
      svg.element("<polyline class=\"plot-line ", colour(k), "\"", dashes(k), " points=\"", points,
                  "\"/>");
    if (series.x.size() <= 24 || path.size() == 1)
      for (const Spot& s : path) svg.element(mark(f.px_of(s.x), f.py_of(s.y), k));
  }
}

// Labels beside their marks, so that they do not cover one another.
struct Labels {
  struct Area {  // inside the axes
    double x, y, width, height;
  };

  Svg& svg;
  const Frame& frame;
  std::vector<Area> taken = {};

  // Keeps the place of a mark free.
  void mark(double x, double y) {
    taken.push_back({std::round(x - frame.left) - 4, std::round(y - frame.top) - 4, 8, 8});
  }

  // Writes a label beside its mark, or further away at the end of a thin line, where there is room.
  void place(const std::string& label, double x, double y, std::size_t group) {
    const double w = std::ceil(width_of({label})), h = 17;
    for (const double d : {5.0, 14.0, 24.0}) {
      const double right = x + d, left = x - d - w, above = y - d - h, middle = y - h / 2,
                   below = y + d;
      for (const auto& [at_x, at_y] :
           {Spot{right, middle}, Spot{left, middle}, Spot{x - w / 2, above}, Spot{x - w / 2, below},
            Spot{right, above + h / 2}, Spot{left, above + h / 2}, Spot{right, below - h / 2},
            Spot{left, below - h / 2}}) {
        const Area area{std::round(at_x - frame.left), std::round(at_y - frame.top), w, h};
        if (!free(area)) continue;
        taken.push_back(area);
        if (d > 5)
          svg.line(x, y, std::clamp(x, at_x, at_x + w), std::clamp(y, at_y, at_y + h), "plot-axis");
        return svg.text(at_x + w / 2, at_y + h - 3, label, "plot-dot " + colour(group), "middle",
                        " stroke-width=\"0\"");
      }
    }
  }

  bool free(const Area& a) const {
    if (a.x < 0 || a.y < 0 || a.x + a.width > std::round(frame.width) ||
        a.y + a.height > std::round(frame.height))
      return false;
    return std::none_of(taken.begin(), taken.end(), [&](const Area& b) {
      return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
             b.y < a.y + a.height;
    });
  }
};

// ------------------------------------------------------------------------------------ maps, images

constexpr std::size_t shade_steps = 64;

// From values to shades: 0 at the low end, 1 at the high end; a diverging scale has zero at 0.5.
struct Shades {
  double low = 0, high = 0;
  bool diverging = false;

  // Returns the shades for these values, with the ends where they are given.
  Shades(const std::vector<double>& all, bool two_sided, std::optional<double> low_end,
         std::optional<double> high_end)
      : diverging(two_sided) {
    std::vector<double> finite;
    std::copy_if(all.begin(), all.end(), std::back_inserter(finite),
                 [](double v) { return drawable(v, false); });
    if (finite.empty()) finite.push_back(0);
    const auto ends = std::minmax_element(finite.begin(), finite.end());
    const double a = low_end.value_or(*ends.first), b = high_end.value_or(*ends.second);
    high = diverging ? std::max(std::abs(a), std::abs(b)) : std::max(a, b);
    low = diverging ? -high : std::min(a, b);
  }

  // Returns the step of a value, up to 64, or the one behind the last where it is not finite.
  std::size_t step(double v) const {
    if (!drawable(v, false)) return shade_steps + 1;
    return std::size_t(std::lround(
        (high > low ? std::clamp((v - low) / (high - low), 0.0, 1.0) : 0.5) * shade_steps));
  }

  // Tells whether white letters stand out better than black ones on this colour.
  bool dark(std::size_t step) const { return diverging ? step < 12 || step > 48 : step > 36; }

  // Returns the colour of step k <= 64, between the three colours of the scale.
  std::string colour(std::size_t k) const {
    using Colour = std::array<double, 3>;
    const Colour first = diverging ? Colour{33, 102, 172} : Colour{255, 255, 255};
    const Colour middle = diverging ? Colour{250, 250, 250} : Colour{107, 174, 214};
    const Colour last = diverging ? Colour{178, 24, 43} : Colour{8, 48, 107};
    const double t = 2 * double(k) / shade_steps;
    std::string out = "#";
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = t < 1 ? first[i] + t * (middle[i] - first[i])
                             : middle[i] + (t - 1) * (last[i] - middle[i]);
      const auto byte = std::size_t(std::lround(v));
      out += {"0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
    }
    return out;
  }
};

// A grid of cells: its upper left corner and the size of a cell, in px.
struct Grid {
  std::size_t rows, cols;
  double x, y, width, height;
};

void check_size(std::size_t values, std::size_t rows, std::size_t cols, const std::string& name) {
  require(values == rows * cols,
          join("'", name, "' has ", values, " values for ", rows, " x ", cols));
}

// Draws the cells of a grid with a frame; one that is not finite stays empty.
void draw_cells(Svg& svg, const Grid& grid, const std::vector<double>& all, const Shades& shades) {
  std::array<std::string, shade_steps + 2> paths;
  for (std::size_t r = 0; r < grid.rows; ++r)
    for (std::size_t c = 0, end = 0; c < grid.cols; c = end) {  // a run of cells of one colour
      const auto row = all.begin() + std::ptrdiff_t(r * grid.cols);
      const std::size_t step = shades.step(row[std::ptrdiff_t(c)]);
      for (end = c + 1; end < grid.cols && shades.step(row[std::ptrdiff_t(end)]) == step;) ++end;
      paths[step] += join("M", c, " ", r, "h", end - c, "v1h-", end - c, "z");
    }
  const double w = double(grid.cols) * grid.width, h = double(grid.rows) * grid.height;
  svg.element("<g transform=\"translate(", grid.x, " ", grid.y, ")\"><g transform=\"scale(",
              grid.width, " ", grid.height, ")\" shape-rendering=\"crispEdges\">");
  for (std::size_t k = 0; k <= shade_steps; ++k)
    if (!paths[k].empty())
      svg.element("<path fill=\"", shades.colour(k), "\" d=\"", paths[k], "\"/>");
  svg.element("</g><path class=\"plot-path plot-axis\" d=\"M0 0H", w, "V", h, "H0z\"/></g>");
}

// Draws the colour scale as a bar below all else, with its ends and, where it diverges, its zero.
void draw_scale(Svg& svg, const Shades& shades, double left) {
  if (shades.low == shades.high) return svg.paragraph(left, "Every value is " + number(shades.low));
  const double bar = 4 * (shade_steps + 1);
  std::vector<double> ramp;
  for (std::size_t k = 0; k <= shade_steps; ++k) ramp.push_back(double(k));
  svg.height += 14;
  Shades bar_of = shades;
  bar_of.low = 0;
  bar_of.high = shade_steps;
  draw_cells(svg, {1, ramp.size(), left, svg.height, 4, 12}, ramp, bar_of);
  svg.height += 28;
  svg.text(left, svg.height, number(shades.low), "plot-soft");
  if (shades.diverging) svg.text(left + bar / 2, svg.height, "0", "plot-soft", "middle");
  svg.text(left + bar, svg.height, number(shades.high), "plot-soft", "end");
}

// Returns a size that px() can write: at least 0.01 px, in whole hundredths, as the error of a cell
// adds up over a row.
double whole(double size) { return std::max(std::floor(size * 100), 1.0) / 100; }

// ---------------------------------------------------------------------------------------- diagrams

// A box on its place in the picture, in px: its middle and half its size.
struct Placed {
  const Box& box;
  double x, y, half_width, half_height;

  // Returns where the line from the middle towards another box leaves this one.
  Spot border(const Placed& other) const {
    const double dx = other.x - x, dy = other.y - y;
    const double by_width = dx == 0 ? HUGE_VAL : (half_width + 2) / std::abs(dx);
    const double by_height = dy == 0 ? HUGE_VAL : (half_height + 2) / std::abs(dy);
    const double part = std::min({by_width, by_height, 1.0});
    return {x + part * dx, y + part * dy};
  }
};

// Returns the box that arrows call by this name, where there is exactly one; else none.
const Box* box_of(const Diagram& diagram, const std::string& name) {
  const Box* found = nullptr;
  for (const Box& box : diagram.boxes) {
    if (box.name != name) continue;
    if (found) return nullptr;
    found = &box;
  }
  return found;
}

std::size_t lines_in(const Box& box) {
  return 1 + !box.label.empty() + !box.forward.empty() + !box.back.empty();
}

void draw_box(Svg& svg, const Placed& at) {
  const Box& box = at.box;
  if (box.kind != Box::Kind::alone)
    svg.element("<rect class=\"plot-box\" x=\"", at.x - at.half_width, "\" y=\"",
                at.y - at.half_height, "\" width=\"", 2 * at.half_width, "\" height=\"",
                2 * at.half_height, "\" rx=\"", box.kind == Box::Kind::stored ? "1" : "9", "\"/>");
  double y = at.y - at.half_height + 4;
  const auto line = [&](const std::string& words, const std::string& classes,
                        const std::string& more = "") {
    if (!words.empty()) svg.text(at.x, y += line_height, words, classes, "middle", more);
  };
  line(box.name, "plot-ink", " font-weight=\"600\"");
  line(box.label, "plot-soft");
  line(box.forward, "plot-ink");
  line(box.back, "plot-dot " + colour(1), " stroke-width=\"0\"");
}

void draw_arrow(Svg& svg, Spot from, Spot to) {
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  svg.line(from.x, from.y, to.x - 5 * std::cos(angle), to.y - 5 * std::sin(angle), "plot-level",
           " stroke-width=\"1.5\"");
  svg.element("<path class=\"plot-soft\" transform=\"translate(", to.x, " ", to.y, ") rotate(",
              angle * 180 / 3.14159265358979, ")\" d=\"M0 0L-9-4.5V4.5z\"/>");
}

// Writes beside a level arrow, and into a line that is not level, which the words interrupt.
void draw_label(Svg& svg, const std::string& label, Spot from, Spot to) {
  const bool level = std::abs(to.y - from.y) < 1;
  const double x = (from.x + to.x) / 2, y = (from.y + to.y) / 2, width = width_of({label});
  if (!level)
    svg.element("<rect class=\"plot-page\" x=\"", x - width / 2, "\" y=\"", y - 10, "\" width=\"",
                width, "\" height=\"20\"/>");
  svg.text(x, y + (level ? -7 : 5), label, "plot-soft", "middle");
}

}  // namespace

std::string without_style(std::string svg) {
  const std::size_t from = svg.find(style_begins), end = svg.find(style_ends, from);
  if (end != std::string::npos) svg.erase(from, end + style_ends.size() - from);
  return svg;
}

std::string svg(const Chart& chart) {
  check(chart);
  const auto [x, y] = scales(chart, 0, 0.03);
  std::vector<Entry> legend;
  bool drawn = !chart.levels.empty();
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& series = chart.series[k];
    const std::vector<Path> all = pieces(series, x, y);
    drawn = drawn || !all.empty();
    if (chart.series.size() == 1 && series.name.empty()) continue;
    const std::string line =
        join("<path class=\"plot-line ", colour(k), "\"", dashes(k), " d=\"M0 0H26\"/>");
    legend.push_back({series.points ? mark(13, 0, k) : line, one_line(series.name)});
  }
  const std::string dashed = " stroke-dasharray=\"4 3\"";
  for (const Level& level : chart.levels)
    legend.push_back({"<path class=\"plot-path plot-level\"" + dashed + " d=\"M0 0H26\"/>",
                      one_line(level.name + " (" + number(level.y) + ")")});
  Svg svg(chart.title);
  Frame f(svg, chart.x, chart.y, x, y, legend);
  for (const Level& level : chart.levels)
    if (const double at = y.at(level.y); at >= 0 && at <= 1)
      svg.line(f.left, f.py_of(at), f.left + f.width, f.py_of(at), "plot-level", dashed);
  for (std::size_t k = 0; k < chart.series.size(); ++k) draw_series(svg, f, chart.series[k], k);
  f.finish(!drawn);
  return svg.str();
}

// Draws a mark at each point, in the order of the points, and the labels beside them.
std::string svg(const Scatter& scatter) {
  for (const Point& p : scatter.points)
    require(p.group == 0 || p.group < scatter.groups.size(),
            join("point '", p.label, "' is of group ", p.group, ", of ", scatter.groups.size()));
  Chart chart{scatter.title, scatter.x, scatter.y, {Series{}}};
  for (const Point& p : scatter.points) chart.series[0].add(p.x, p.y);
  check(chart);
  const auto [x, y] = scales(chart, 0.04, 0.04);
  Svg svg(scatter.title);
  std::vector<Entry> legend;
  for (std::size_t g = 0; g < scatter.groups.size(); ++g)
    legend.push_back({mark(20, 0, g), one_line(scatter.groups[g])});
  Frame f(svg, scatter.x, scatter.y, x, y, legend);
  Labels labels{svg, f};
  std::vector<const Point*> visible;
  for (const Point& p : scatter.points) {
    const Spot at{x.at(p.x), y.at(p.y)};
    if (!inside(at)) continue;
    visible.push_back(&p);
    svg.element(mark(f.px_of(at.x), f.py_of(at.y), p.group));
    labels.mark(f.px_of(at.x), f.py_of(at.y));
  }
  for (const Point* p : visible)
    if (!p->label.empty())
      labels.place(p->label, f.px_of(x.at(p->x)), f.py_of(y.at(p->y)), p->group);
  f.finish(visible.empty());
  return svg.str();
}

std::string svg(const HeatMap& map) {
  check_size(map.values.size(), map.rows, map.cols, map.title);
  check_limits(map.low, map.high, false, "'" + map.title + "'");
  require(map.row_labels.empty() || map.row_labels.size() == map.rows,
          "row labels of '" + map.title + "'");
  require(map.col_labels.empty() || map.col_labels.size() == map.cols,
          "column labels of '" + map.title + "'");
  std::vector<std::string> numbers;
  for (const double v : map.values) numbers.push_back(number(v));
  const double left = map.row_labels.empty() ? 16 : 26 + width_of(map.row_labels),
               room = svg_width - left - 16;
  const double wide = map.numbers ? width_of(numbers) + 12 : 4;  // the least width of a cell
  const double cell = whole(std::max(wide, std::min(34.0, room / std::max(double(map.cols), 1.0))));
  const double tall = std::clamp(cell, map.numbers ? 28.0 : 4.0, 34.0);
  Svg svg(map.title);
  svg.width = std::max(svg_width, std::ceil(left + cell * double(map.cols) + 16));

  const double widest = width_of(map.col_labels);
  const bool upright = widest + 4 <= cell;
  if (!map.col_labels.empty()) svg.height += upright ? line_height : widest + 8;
  const double top = svg.height + 4;
  const auto stride = [](double size) {
    return std::size_t(std::max(1.0, std::ceil(14 / size)));
  };  // with room for it
  for (std::size_t c = 0; c < map.col_labels.size(); c += upright ? 1 : stride(cell)) {
    const double x = left + (double(c) + 0.5) * cell;
    if (upright) svg.text(x, top - 6, map.col_labels[c], "plot-soft", "middle");
    else
      svg.text(x + 4.5, top - 6, map.col_labels[c], "plot-soft", "start",
               markup(" transform=\"rotate(-90 ", x + 4.5, " ", top - 6, ")\""));
  }
  for (std::size_t r = 0; r < map.row_labels.size(); r += stride(tall))
    svg.text(left - 8, top + (double(r) + 0.5) * tall + 4.5, map.row_labels[r], "plot-soft", "end");

  const Shades shades(map.values, map.diverging, map.low, map.high);
  draw_cells(svg, {map.rows, map.cols, left, top, cell, tall}, map.values, shades);
  for (std::size_t k = 0; map.numbers && k < numbers.size(); ++k) {
    const bool finite = std::isfinite(map.values[k]),
               white = shades.dark(shades.step(map.values[k]));
    svg.text(left + (double(k % map.cols) + 0.5) * cell,
             top + (double(k / map.cols) + 0.5) * tall + 4.5, numbers[k], finite ? "" : "plot-ink",
             "middle", !finite ? "" : join(" fill=\"", white ? "#fff" : "#111", "\""));
  }
  svg.height = top + double(map.rows) * tall;
  if (map.values.empty()) svg.paragraph(left, "(no values)");
  else draw_scale(svg, shades, left);
  return svg.str();
}

std::string svg(const Sheet& sheet) {
  check_limits(sheet.low, sheet.high, false, "'" + sheet.title + "'");
  for (const Image& image : sheet.images)
    check_size(image.values.size(), sheet.rows, sheet.cols, image.caption);
  Svg svg(sheet.title);
  const std::size_t n = sheet.images.size(),
                    rows = (n + 4) / 5;  // equally long, of at most five images
  const std::size_t per_row = sheet.per_row > 0 ? sheet.per_row
                              : n == 0          ? 1
                                                : (n + rows - 1) / rows;
  const double gap = 12, across = double(per_row);
  const double tile =
      std::clamp((svg.width - 32 + gap) / across - gap, 8.0, n == 1 ? 260.0 : 150.0);
  const double cell = whole(tile / double(std::max<std::size_t>(sheet.cols, 1)));
  std::vector<double> all;
  for (const Image& image : sheet.images)
    all.insert(all.end(), image.values.begin(), image.values.end());
  svg.width = std::max(svg_width, 32 + across * (tile + gap));
  for (std::size_t first = 0; first < n; first += per_row) {
    const double top = svg.height + 4, bottom = top + cell * double(sheet.rows);
    std::size_t most_lines = 1;
    for (std::size_t k = first; k < std::min(first + per_row, n); ++k) {
      const Image& image = sheet.images[k];
      const double left = 16 + double(k - first) * (tile + gap);
      draw_cells(svg, {sheet.rows, sheet.cols, left, top, cell, cell}, image.values,
                 {sheet.own_scale ? image.values : all, sheet.diverging, sheet.low, sheet.high});
      const std::vector<std::string> caption =
          lines_of(image.caption, std::size_t((tile + gap) / letter_width));
      for (std::size_t i = 0; i < caption.size(); ++i)
        svg.text(left + tile / 2, bottom + line_height * double(i + 1), caption[i], "plot-ink",
                 "middle");
      most_lines = std::max(most_lines, caption.size());
    }
    svg.height = bottom + line_height * double(most_lines) + 8;
  }
  if (all.empty()) svg.paragraph(16, "(no values)");
  else if (sheet.own_scale)
    svg.paragraph(
        16, sheet.diverging
                ? "Colours: full where a value is as large, of either sign, as any of its image"
                : "Colours: from the smallest to the largest value of each image");
  else draw_scale(svg, {all, sheet.diverging, sheet.low, sheet.high}, 16);
  return svg.str();
}

// Boxes stand on a grid; arrows are straight and end at the borders; their labels lie above the
// boxes and lines.
std::string svg(const Diagram& diagram) {
  Svg svg(diagram.title);
  double columns = 0, rows = 0, row_height = 0;
  bool values = false;
  for (const Box& box : diagram.boxes) {
    require(box_of(diagram, box.name), "two boxes are named '" + box.name + "'");
    require(box.column >= 0 && box.column < 100 && box.row >= 0 && box.row < 100,
            "place of '" + box.name + "'");
    columns = std::max(columns, box.column);
    rows = std::max(rows, box.row);
    row_height = std::max(row_height, line_height * double(lines_in(box)) + 46);
    values = values || !box.forward.empty() || !box.back.empty();
  }
  // Boxes side by side stand so far apart that an arrow with its label has room.
  const auto half_width = [](const Box& box) {
    return std::max(width_of({box.name, box.label, box.forward, box.back}), 2 * letter_width) / 2 +
           10;
  };
  double needed = 0;
  for (const Box& left : diagram.boxes)
    for (const Box& right : diagram.boxes) {
      double label = 0;
      for (const Arrow& arrow : diagram.arrows)
        if (box_of(diagram, arrow.from) == &left && box_of(diagram, arrow.to) == &right)
          label = width_of({arrow.label});
      const bool beside = std::abs(left.row - right.row) < 1 || label > 0;
      if (!beside || left.column >= right.column) continue;
      needed = std::max(needed, (half_width(left) + half_width(right) + label + 30) /
                                    (right.column - left.column));
    }
  svg.width = std::max(svg_width, 32 + needed * (columns + 1));
  const double top = svg.height + 6, pitch = (svg.width - 32) / (columns + 1);
  svg.height = top + row_height * (rows + 1);
  const auto placed = [&](const Box& box) {
    return Placed{box, 16 + pitch * (box.column + 0.5), top + row_height * (box.row + 0.5),
                  half_width(box), line_height * double(lines_in(box)) / 2 + 7};
  };
  const auto ends = [&](const Arrow& arrow) {
    const Box *tail = box_of(diagram, arrow.from), *head = box_of(diagram, arrow.to);
    require(tail && head, "the arrow from '" + arrow.from + "' to '" + arrow.to + "' misses a box");
    const Placed from = placed(*tail), to = placed(*head);
    return std::pair{from.border(to), to.border(from)};
  };
  for (const Arrow& arrow : diagram.arrows) draw_arrow(svg, ends(arrow).first, ends(arrow).second);
  for (const Box& box : diagram.boxes) draw_box(svg, placed(box));
  for (const Arrow& arrow : diagram.arrows)
    if (!arrow.label.empty()) draw_label(svg, arrow.label, ends(arrow).first, ends(arrow).second);
  if (values) svg.height += 6;
  if (values)
    svg.paragraph(16,
                  "In colour the gradient that comes back; above it the value of the way forward.");
  return svg.str();
}

}  // namespace plot
