// What the text and the SVG of a picture share: labels, the check of a chart, scales and ticks of
// the axes, and lines clipped to the frame.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "common/plot/plot.hpp"
#include "common/text/words.hpp"

namespace plot {

// Breaks a label of any bytes, made printable, into lines of at most `width` columns.
inline std::vector<std::string> lines_of(const std::string& label, std::size_t width) {
  std::vector<std::string> lines;
  std::string rest = one_line(label);
  while (!rest.empty()) {
    std::size_t end = 0, columns = 0;
    std::size_t space = 0;  // the last one among the bytes that fit, or behind them
    for (; end < rest.size(); ++end) {
      if (rest[end] == ' ') space = end;
      if (!utf8::continues(rest[end])) ++columns;
      if (columns > std::max<std::size_t>(width, 1)) break;
    }
    if (end < rest.size() && space > 0) end = space;
    lines.push_back(rest.substr(0, end));
    rest.erase(0, end + (rest[end] == ' '));
  }
  return lines;
}

// Writes digits x 10^exponent without superfluous zeros, as in -0.25 or (scientific) -2.5e-13.
inline std::string decimal(long long digits, int exponent, bool scientific) {
  if (digits == 0) return "0";
  for (; digits % 10 == 0; digits /= 10) ++exponent;
  if (!scientific) return fixed(double(digits) * std::pow(10, exponent), std::max(-exponent, 0));
  std::string text = std::to_string(digits);
  const std::size_t first = digits < 0 ? 2 : 1;  // the bytes of the first digit and its sign
  const std::size_t others = text.size() - first;
  if (others > 0) text.insert(first, ".");
  return join(text, "e", exponent + int(others));
}

// Writes v to three digits, scientific below 1e-4 and from 1e6 on.
inline std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.2e", v);
  char* const e = std::strchr(text, 'e');
  const int leading = std::atoi(e + 1);
  *e = '\0';
  const bool scientific = leading < -4 || leading > 5;
  return decimal(std::llround(100 * std::atof(text)), leading - 2, scientific);
}

// ------------------------------------------------------------------------------------------ checks

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("plot: " + what);
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = 1e300;  // the difference of two such numbers is still finite

inline bool drawable(double v, bool log) { return std::abs(v) <= largest && (!log || v > 0); }

inline void check_limits(const std::optional<double>& low, const std::optional<double>& high,
                         bool log, const std::string& of) {
  const char* const wrong = log ? ", which is logarithmic, is not positive" : " is not finite";
  for (const auto& limit : {low, high})
    require(drawable(limit.value_or(1), log), "a limit of " + of + wrong);
  require(!low || !high || *low < *high, "the limits of " + of + " do not ascend");
}

inline void check(const Chart& chart) {
  check_limits(chart.x.low, chart.x.high, chart.x.log, "the x axis");
  check_limits(chart.y.low, chart.y.high, chart.y.log, "the y axis");
  for (const Series& s : chart.series)
    require(s.x.size() == s.y.size(),
            join("series '", s.name, "' has ", s.x.size(), " x but ", s.y.size(), " y"));
}

// -------------------------------------------------------------------------------------------- axes

inline bool on_axis(double at) { return at >= 0 && at <= 1; }

// An axis with its limits known; on a log axis they are exponents of ten.
struct Scale {
  bool log = false;
  double low = 0, high = 1;

  double coordinate(double v) const { return log ? std::log10(v) : v; }
  double place(double coordinate) const {
    return std::clamp((coordinate - low) / (high - low), -1e6, 1e6);
  }

  // Returns where v lies: 0 at the low end, 1 at the high end, beyond them outside; NaN if nowhere.
  double at(double v) const { return drawable(v, log) ? place(coordinate(v)) : nothing; }
};

// Returns the scale for these values: the limits of the axis where given, otherwise those of the
// values, widened by `margin` of the range, but not across zero. Values that coincide, or none at
// all, give a scale around them.
inline Scale fit(const Axis& axis, std::vector<double> values, double margin) {
  Scale scale{axis.log, HUGE_VAL, -HUGE_VAL};
  for (const auto& limit : {axis.low, axis.high}) values.push_back(limit.value_or(nothing));
  for (const double v : values) {
    if (!drawable(v, axis.log)) continue;
    scale.low = std::min(scale.low, scale.coordinate(v));
    scale.high = std::max(scale.high, scale.coordinate(v));
  }
  auto& [log, low, high] = scale;
  if (low > high) return {.log = log};
  const double wider = (high - low) * margin;
  const bool from_zero = !log && low >= 0 && low <= wider;
  const bool to_zero = !log && high <= 0 && high >= -wider;
  low = from_zero ? 0 : low - wider;
  high = to_zero ? 0 : high + wider;
  if (axis.low) low = scale.coordinate(*axis.low);
  if (axis.high) high = scale.coordinate(*axis.high);

  // Thinner than some 64 roundings there is nothing to tell apart.
  const double size = std::max(std::abs(low), std::abs(high));
  const bool tiny = size < 1e-290;
  const double thin = log ? 1e-13 : 64 * std::numeric_limits<double>::epsilon() * size;
  if (high - low > thin && !tiny) return scale;
  const double around = tiny ? 1 : size / 2;
  const double by = log ? 0.5 : around;
  if (!axis.low || axis.high) low -= by;
  if (!axis.high || axis.low) high += by;
  return scale;
}

struct Tick {
  double at;  // between 0 and 1
  std::string label;
};

struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;  // places between 0 and 1

  void add(double at, const std::string& label) {
    major.push_back({std::clamp(at, 0.0, 1.0), label});
  }
};

// 1, 2 or 5 times a power of ten.
struct Step {
  int digit, exponent;

  double value() const { return digit * std::pow(10.0, exponent); }
  Step next() const {
    if (digit == 5) return {1, exponent + 1};
    return {digit == 1 ? 2 : 5, exponent};
  }
};

// Returns the smallest round step that is at least `size` > 0, but for a rounding error.
inline Step round_step(double size) {
  Step step{1, int(std::floor(std::log10(size)))};
  while (step.value() < size * (1 - 1e-9)) step = step.next();
  return step;
}

// Returns at most `most` >= 2 ticks at multiples of a round step.
inline Ticks linear_ticks(const Scale& scale, double low, double high, int most) {
  Ticks ticks;
  const auto first = [&](const Step& step) { return std::ceil(low / step.value() - 1e-9); };
  const auto last = [&](const Step& step) { return std::floor(high / step.value() + 1e-9); };
  Step step = round_step((high - low) / (most + 1));
  while (last(step) - first(step) + 1 > most) step = step.next();
  const bool scientific = std::max(std::abs(low), std::abs(high)) >= 1e6 || step.exponent < -4;
  for (double k = first(step); k <= last(step); ++k)
    ticks.add(scale.at(k * step.value()),
              decimal(std::llround(k) * step.digit, step.exponent, scientific));
  return ticks;
}

// Returns powers of ten, all or every second, fifth.. of them, with 2 to 9 times each or the others
// as minor ticks.
inline Ticks decade_ticks(const Scale& scale, int first, int last, int most) {
  Ticks ticks;
  const double least = std::max(1.0, double(last - first) / (most - 1));
  const int stride = int(std::lround(round_step(least).value()));
  const auto minor = [&](double exponent) {
    const double at = scale.place(exponent);
    if (on_axis(at)) ticks.minor.push_back(at);
  };
  const bool plain = first >= -3 && last <= 5;  // all labels in one style
  for (int e = first - 1; e <= last; ++e) {
    for (int digit = 2; digit <= 9 && stride == 1; ++digit) minor(e + std::log10(digit));
    if (e < first) continue;
    if (e % stride == 0) ticks.add(scale.place(e), decimal(1, e, !plain && e != 0));
    else if (last - first <= 60) minor(e);
  }
  return ticks;
}

// Returns at most `most` >= 2 major ticks. A log axis that holds fewer than two powers of ten has
// them at 1, 2 and 5 times these, or, where that gives fewer than two as well, at round numbers.
inline Ticks ticks(const Scale& scale, int most) {
  if (!scale.log) return linear_ticks(scale, scale.low, scale.high, most);
  const int first = int(std::ceil(scale.low - 1e-9));
  const int last = int(std::floor(scale.high + 1e-9));
  if (last > first) return decade_ticks(scale, first, last, most);
  Ticks fine;
  for (int e = first - 1; e <= last; ++e)
    for (const int digit : {1, 2, 5})
      if (const double at = scale.place(e + std::log10(digit)); at >= -1e-9 && at <= 1 + 1e-9)
        fine.add(at, decimal(digit, e, e < -3 || e > 5));
  const bool good = fine.major.size() >= 2 && fine.major.size() <= std::size_t(most);
  if (good || scale.low < -290) return fine;  // round steps below 1e-290 would vanish
  return linear_ticks(scale, std::pow(10, scale.low), std::pow(10, scale.high), most);
}

// Returns as many ticks, up to `most`, as leave a `gap` between labels along an axis of this
// length, centred at their ticks; `letter` is the extent of a letter in the direction of the axis.
// An axis with names has these at their numbers.
inline Ticks ticks_that_fit(const Axis& axis, const Scale& scale, int most, double length,
                            double letter, double gap) {
  Ticks all;
  for (std::size_t k = 0; k < axis.names.size(); ++k)
    if (const double at = scale.at(double(k + 1)); on_axis(at)) all.add(at, axis.names[k]);
  if (!axis.names.empty()) return all;
  const auto collide = [&](const Tick& a, const Tick& b) {
    return (b.at - a.at) * length < double(a.label.size() + b.label.size()) / 2 * letter + gap;
  };
  for (int count = std::max(most, 2); count >= 2; --count) {
    all = ticks(scale, count);
    const auto end = all.major.end();
    if (std::adjacent_find(all.major.begin(), end, collide) == end) break;
  }
  return all;
}

// Returns the scales of x and y that fit the values of a chart.
inline std::pair<Scale, Scale> scales(const Chart& chart, double x_margin, double y_margin) {
  std::vector<double> x, y;
  for (const Series& s : chart.series) {
    x.insert(x.end(), s.x.begin(), s.x.end());
    y.insert(y.end(), s.y.begin(), s.y.end());
  }
  for (const Level& level : chart.levels) y.push_back(level.y);
  return {fit(chart.x, x, x_margin), fit(chart.y, y, y_margin)};
}

// ------------------------------------------------------------------------------------------- lines

struct Spot {
  double x, y;  // 0 to 1 inside the axes
};
using Path = std::vector<Spot>;

inline bool inside(Spot s) { return on_axis(s.x) && on_axis(s.y); }

// Shortens the segment a b to its part inside the axes (Liang and Barsky 1984); false if there is
// none.
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
  if (from > to) return false;
  const auto along = [&](double t) {
    return Spot{std::clamp(a.x + t * d.x, 0.0, 1.0), std::clamp(a.y + t * d.y, 0.0, 1.0)};
  };
  if (to < 1) b = along(to);
  if (from > 0) a = along(from);
  return true;
}

// Returns the visible pieces of a series. A piece of one spot is a point whose neighbours cannot be
// drawn.
inline std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y) {
  std::vector<Path> all;
  Spot last{nothing, nothing};
  const auto drawn = [](Spot s) { return !std::isnan(s.x + s.y); };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Spot here{x.at(series.x[i]), y.at(series.y[i])};
    Spot from = last, to = here;
    if (!series.points && drawn(here) && drawn(last) && clip(from, to)) {
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
