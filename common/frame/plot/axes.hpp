// What the text and the SVG of a picture share.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "common/frame/plot/plot.hpp"
#include "common/frame/text/words.hpp"

namespace plot {

using Lines = std::vector<std::string>;

// Breaks a label of any bytes into printable lines of at most `width` letters.
inline Lines lines_of(const std::string& label, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::istringstream all(fold(wrap(one_line(label), width), width));
  Lines lines;
  for (std::string line; std::getline(all, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

// Writes v without superfluous zeros, as -0.25 or (scientific) -2.5e-13.
inline std::string decimal(double v, bool scientific, int digits = 15) {
  if (v == 0) return "0";
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, v);
  std::string all = text;
  const std::size_t e = all.find('e');
  const int exponent = std::atoi(text + e + 1);
  all = scientific ? all.substr(0, e) : fixed(std::atof(text), std::max(digits - 1 - exponent, 0));
  if (all.find('.') != all.npos) all.erase(all.find_last_not_of("0") + 1);
  if (all.back() == '.') all.pop_back();
  return scientific ? join(all, "e", exponent) : all;
}

// Writes v to three digits, scientific below 1e-4 and from 1e6 on.
inline std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  return decimal(v, std::abs(v) < 0.00009995 || std::abs(v) >= 999500, 3);
}

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("plot: " + what);
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Tells whether v can be drawn; the difference of two such numbers is still finite.
inline bool drawable(double v, bool log = false) { return std::abs(v) <= 1e300 && (!log || v > 0); }

inline void check_limits(const auto& axis, const std::string& name, bool log = false) {
  const char* const wrong = log ? ", which is logarithmic, is not positive" : " is not finite";
  for (const auto& limit : {axis.low, axis.high})
    require(drawable(limit.value_or(1), log), "a limit of " + name + wrong);
  require(!axis.low || !axis.high || *axis.low < *axis.high,
          "the limits of " + name + " do not ascend");
}

inline void check(const Chart& chart) {
  check_limits(chart.x, "the x axis", chart.x.log);
  check_limits(chart.y, "the y axis", chart.y.log);
  for (const Series& series : chart.series) {
    const std::size_t count = series.x.size();
    require(count == series.y.size(),
            join("series '", series.name, "' has ", count, " x but ", series.y.size(), " y"));
  }
}

// -------------------------------------------------------------------------------------------- axes

inline bool on_axis(double at) { return at >= 0 && at <= 1; }

// An axis with its limits known; on a log axis these are exponents of ten.
struct Scale {
  bool log = false;
  double low = 0, high = 1;

  double coordinate(double v) const { return log ? std::log10(v) : v; }
  double place(double coordinate) const {
    return std::clamp((coordinate - low) / (high - low), -1e6, 1e6);
  }

  // Returns where v lies: 0 at the low end, 1 at the high end; NaN if nowhere.
  double at(double v) const { return drawable(v, log) ? place(coordinate(v)) : nothing; }
};

// Returns the limits of the axis, else those of the values, widened by `margin` of the range, but
// not across zero.
inline Scale fit(const Axis& axis, std::vector<double> values, double margin) {
  Scale scale{axis.log, HUGE_VAL, -HUGE_VAL};
  auto& [log, low, high] = scale;
  for (const auto& limit : {axis.low, axis.high}) values.push_back(limit.value_or(nothing));
  for (const double v : values) {
    if (!drawable(v, log)) continue;
    low = std::min(low, scale.coordinate(v));
    high = std::max(high, scale.coordinate(v));
  }
  if (low > high) return {.log = log};
  const double wider = (high - low) * margin;
  const bool from_zero = !log && low >= 0 && low <= wider;
  const bool to_zero = !log && high <= 0 && high >= -wider;
  low = from_zero ? 0 : low - wider;
  high = to_zero ? 0 : high + wider;
  if (axis.low) low = scale.coordinate(*axis.low);
  if (axis.high) high = scale.coordinate(*axis.high);
  const double size = std::max(std::abs(low), std::abs(high));
  const double roundings = 64 * std::numeric_limits<double>::epsilon() * size;
  const bool tiny = size < 1e-290;
  if (high - low > (log ? 1e-13 : roundings) && !tiny) return scale;
  const double by = log ? 0.5 : tiny ? 1 : size / 2;
  if (!axis.low || axis.high) low -= by;
  if (!axis.high || axis.low) high += by;
  return scale;
}

// Returns the title of an axis, which says when it is logarithmic.
inline std::string title_of(const Axis& axis) {
  if (!axis.log || axis.title.find("logarithmic") != std::string::npos) return axis.title;
  return axis.title.empty() ? "logarithmic" : axis.title + " (logarithmic)";
}

struct Tick {
  double at;  // between 0 and 1
  std::string label;
};

struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;  // between 0 and 1

  void add(double at, const std::string& label) {
    major.push_back({std::clamp(at, 0.0, 1.0), label});
  }
};

// Returns the least of 1, 2, 5, 10.. times a power of ten that is at least `size`.
inline double round_step(double size) {
  const double power = std::pow(10, std::floor(std::log10(size)));
  for (const int digit : {1, 2, 5})
    if (digit * power >= size * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

// Returns at most `most` ticks at multiples of a round step.
inline Ticks linear_ticks(const Scale& scale, double low, double high, int most) {
  Ticks ticks;
  double step = round_step((high - low) / (most + 1));
  const auto first = [&] { return std::ceil(low / step - 1e-9); };
  const auto last = [&] { return std::floor(high / step + 1e-9); };
  while (last() - first() + 1 > most) step = round_step(1.5 * step);
  const bool scientific = std::max(std::abs(low), std::abs(high)) >= 1e6 || step < 0.99e-4;
  for (double k = first(); k <= last(); ++k)
    ticks.add(scale.at(k * step), decimal(k * step, scientific));
  return ticks;
}

// Returns all powers of ten, or every second, fifth.., with 2 to 9 times each or the others as
// minor ticks.
inline Ticks decade_ticks(const Scale& scale, int first, int last, int most) {
  Ticks ticks;
  const int stride = int(round_step(std::max(1.0, double(last - first) / (most - 1))));
  const auto minor = [&](double exponent) {
    const double at = scale.place(exponent);
    if (on_axis(at)) ticks.minor.push_back(at);
  };
  const bool plain = first >= -3 && last <= 5;  // all labels in the same style
  for (int e = first - 1; e <= last; ++e) {
    for (int digit = 2; digit <= 9 && stride == 1; ++digit) minor(e + std::log10(digit));
    if (e < first) continue;
    if (e % stride == 0) ticks.add(scale.place(e), decimal(std::pow(10, e), !plain && e != 0, 1));
    else if (last - first <= 60) minor(e);
  }
  return ticks;
}

// Returns at most `most` >= 2 major ticks. A log axis with fewer than two powers of ten has them at
// 1, 2 and 5 times these, or, where these are too few, at round numbers.
inline Ticks ticks(const Scale& scale, int most) {
  if (!scale.log) return linear_ticks(scale, scale.low, scale.high, most);
  const int first = int(std::ceil(scale.low - 1e-9));
  const int last = int(std::floor(scale.high + 1e-9));
  if (last > first) return decade_ticks(scale, first, last, most);
  Ticks fine;
  for (int e = first - 1; e <= last; ++e)
    for (const int digit : {1, 2, 5}) {
      const double exponent = e + std::log10(digit), at = scale.place(exponent);
      if (at >= -1e-9 && at <= 1 + 1e-9)
        fine.add(at, decimal(std::pow(10, exponent), e < -3 || e > 5, 1));
    }
  const bool good = fine.major.size() >= 2 && fine.major.size() <= std::size_t(most);
  if (good || scale.low < -290) return fine;  // round steps below 1e-290 would vanish
  return linear_ticks(scale, std::pow(10, scale.low), std::pow(10, scale.high), most);
}

// Returns as many ticks, up to `most`, as leave a `gap` between labels; `letter` is the size of a
// letter along the axis. An axis with names has these at their numbers.
inline Ticks ticks_that_fit(const Axis& axis, const Scale& scale, int most, double length,
                            double letter, double gap) {
  Ticks all;
  for (std::size_t k = 0; k < axis.names.size(); ++k)
    if (const double at = scale.at(double(k + 1)); on_axis(at)) all.add(at, axis.names[k]);
  if (!axis.names.empty()) return all;
  const auto collide = [&](const Tick& a, const Tick& b) {
    return (b.at - a.at) * length < double(a.label.size() + b.label.size()) / 2 * letter + gap;
  };
  for (; most >= 2; --most) {
    all = ticks(scale, most);
    const auto end = all.major.end();
    if (std::adjacent_find(all.major.begin(), end, collide) == end) break;
  }
  return all;
}

inline std::pair<Scale, Scale> scales(const Chart& chart, double y_margin) {
  std::vector<double> x, y;
  for (const Series& s : chart.series) {
    x.insert(x.end(), s.x.begin(), s.x.end());
    y.insert(y.end(), s.y.begin(), s.y.end());
  }
  for (const Level& level : chart.levels) y.push_back(level.y);
  return {fit(chart.x, x, 0), fit(chart.y, y, y_margin)};
}

// ------------------------------------------------------------------------------------------- lines

struct Spot {
  double x, y;
};
using Path = std::vector<Spot>;

inline bool inside(Spot s) { return on_axis(s.x) && on_axis(s.y); }

// Shortens the segment a b to its part inside the axes, if any (Liang and Barsky 1984).
inline bool clip(Spot& a, Spot& b) {
  double from = 0, to = 1;
  const Spot d{b.x - a.x, b.y - a.y};
  const auto side = [&](double rise, double distance) {  // inside where rise * t <= distance
    if (rise < 0) from = std::max(from, distance / rise);
    else if (rise > 0) to = std::min(to, distance / rise);
    else if (distance < 0) to = -1;
  };
  side(-d.x, a.x);
  side(d.x, 1 - a.x);
  side(-d.y, a.y);
  side(d.y, 1 - a.y);
  const auto along = [&, a](double t) {
    return Spot{std::clamp(a.x + t * d.x, 0.0, 1.0), std::clamp(a.y + t * d.y, 0.0, 1.0)};
  };
  if (to < 1) b = along(to);
  if (from > 0) a = along(from);
  return from <= to;
}

// Returns the visible pieces of a series; a piece of one spot is a point.
inline std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y) {
  std::vector<Path> all;
  Spot last{nothing, nothing};
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Spot here{x.at(series.x[i]), y.at(series.y[i])};
    Spot from = last, to = here;
    const bool drawn = !std::isnan(last.x + last.y + here.x + here.y);
    if (!series.points && drawn && clip(from, to)) {
      if (!inside(last)) all.push_back({from});
      all.back().push_back(to);
    } else if (inside(here)) {
      all.push_back({here});
    }
    last = here;
  }
  return all;
}

}  // namespace plot
