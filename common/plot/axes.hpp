// What the text and the SVG of a picture share: numbers that no locale can change, the check of a
// chart, and the geometry, from numbers to places between 0 and 1 along an axis, ticks at round
// numbers, lines interrupted and clipped.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "common/plot/plot.hpp"
#include "common/text/words.hpp"

namespace plot {

// ------------------------------------------------------------------------------ labels and numbers

// Breaks a label of any bytes, made printable, into lines of at most `width` columns.
inline std::vector<std::string> lines_of(const std::string& label, std::size_t width) {
  std::vector<std::string> lines;
  for (std::string rest = one_line(label); !rest.empty();) {
    std::size_t end = 0, space = 0;  // bytes that fit, and the last space among or behind them
    for (std::size_t columns = 0; end < rest.size();
         end += utf8::first(rest.substr(end, 4)).bytes) {
      if (rest[end] == ' ') space = end;
      if (++columns > std::max<std::size_t>(width, 1)) break;
    }
    if (end < rest.size() && space > 0) end = space;
    lines.push_back(rest.substr(0, end));
    rest.erase(0, end + (rest[end] == ' '));
  }
  return lines;
}

// Writes digits x 10^exponent, digit by digit, without superfluous zeros, as in -0.25 or
// (scientific) -2.5e-13.
inline std::string decimal(long long digits, int exponent, bool scientific) {
  if (digits == 0) return "0";
  for (; digits % 10 == 0; digits /= 10) ++exponent;
  std::string text = std::to_string(std::llabs(digits));
  const int count = int(text.size()),
            leading = exponent + count - 1;  // exponent of the first digit
  if (scientific) {
    if (count > 1) text.insert(1, 1, '.');
    text += "e" + std::to_string(leading);
  } else if (exponent >= 0) {
    text.append(std::size_t(exponent), '0');
  } else {
    if (leading < 0) text.insert(0, std::size_t(-leading), '0');
    text.insert(text.size() - std::size_t(-exponent), 1, '.');
  }
  return (digits < 0 ? "-" : "") + text;
}

// Writes v to three digits, scientific below 1e-4 and from 1e6 on, whatever the locale has for a
// point.
inline std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char text[48];
  std::snprintf(text, sizeof text, "%.2e", v);
  long long digits = 0;
  const char* c = text;
  for (; *c != 'e'; ++c)
    if (*c >= '0' && *c <= '9') digits = 10 * digits + (*c - '0');
  const int leading = std::atoi(c + 1);
  return decimal(v < 0 ? -digits : digits, leading - 2, leading < -4 || leading > 5);
}

// ------------------------------------------------------------------------------------------ checks

// Throws std::invalid_argument that says `what` unless it holds.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("plot: " + what);
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double largest =
    1e300;  // what can be drawn; the difference of two such numbers is still finite

inline bool drawable(double v, bool log) { return std::abs(v) <= largest && (!log || v > 0); }

inline void check_limits(std::optional<double> low, std::optional<double> high, bool log,
                         const std::string& of) {
  require(
      drawable(low.value_or(1), log) && drawable(high.value_or(1), log),
      "a limit of " + of + (log ? ", which is logarithmic, is not positive" : " is not finite"));
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

// An axis with its limits known; on a log axis they are exponents of ten.
struct Scale {
  bool log = false;
  double low = 0, high = 1;

  // Returns where v lies: 0 at the low end, 1 at the high end, beyond them outside (at most 1e6);
  // NaN if nowhere.
  double at(double v) const { return drawable(v, log) ? place(log ? std::log10(v) : v) : nothing; }
  double place(double on_axis) const {
    return std::clamp((on_axis - low) / (high - low), -1e6, 1e6);
  }
};

// Returns the scale for these values: the limits of the axis where given, otherwise those of the
// values, widened by `margin` of the range (but not across zero). Values that coincide, or none at
// all, give a scale around them.
inline Scale fit(const Axis& axis, std::vector<double> values, double margin) {
  const auto on_axis = [&](double v) { return axis.log ? std::log10(v) : v; };
  for (const auto& limit : {axis.low, axis.high}) values.push_back(limit.value_or(nothing));
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double v : values) {
    if (!drawable(v, axis.log)) continue;
    low = std::min(low, on_axis(v));
    high = std::max(high, on_axis(v));
  }
  if (low > high) return {axis.log, 0, 1};
  const double wider = (high - low) * margin;
  low = axis.log || low < 0 || low > wider ? low - wider : std::min(low, 0.0);
  high = axis.log || high > 0 || high < -wider ? high + wider : std::max(high, 0.0);
  if (axis.low) low = on_axis(*axis.low);
  if (axis.high) high = on_axis(*axis.high);

  // Thinner than some 64 roundings there is nothing to tell apart.
  const double size = std::max(std::abs(low), std::abs(high));
  const double thin = axis.log ? 1e-13 : 64 * std::numeric_limits<double>::epsilon() * size;
  if (high - low <= thin || size < 1e-290) {
    const double by = axis.log ? 0.5 : size < 1e-290 ? 1 : size / 2;
    if (!axis.low || axis.high) low -= by;
    if (!axis.high || axis.low) high += by;
  }
  return {axis.log, low, high};
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
    return digit == 5 ? Step{1, exponent + 1} : Step{digit == 1 ? 2 : 5, exponent};
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
  const int stride =
      int(std::lround(round_step(std::max(1.0, double(last - first) / (most - 1))).value()));
  const auto minor = [&](double exponent) {
    if (const double at = scale.place(exponent); at >= 0 && at <= 1) ticks.minor.push_back(at);
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
  const int first = int(std::ceil(scale.low - 1e-9)), last = int(std::floor(scale.high + 1e-9));
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
  Ticks found;
  for (std::size_t k = 0; k < axis.names.size(); ++k)
    if (const double at = scale.at(double(k + 1)); at >= 0 && at <= 1) found.add(at, axis.names[k]);
  if (!axis.names.empty()) return found;
  for (;; --most) {
    found = ticks(scale, std::max(most, 2));
    bool fits = true;
    for (std::size_t k = 1; k < found.major.size(); ++k) {
      const Tick &a = found.major[k - 1], &b = found.major[k];
      fits = fits &&
             (b.at - a.at) * length >= double(a.label.size() + b.label.size()) / 2 * letter + gap;
    }
    if (fits || most <= 2) return found;
  }
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

inline bool inside(Spot s) { return s.x >= 0 && s.x <= 1 && s.y >= 0 && s.y <= 1; }

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
  std::vector<Path> out;
  Spot last{nothing, nothing};
  bool open = false;  // the last piece ends at `last`
  const auto placed = [](Spot s) { return !std::isnan(s.x) && !std::isnan(s.y); };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Spot here{x.at(series.x[i]), y.at(series.y[i])};
    Spot from = last, to = here;
    if (!series.points && placed(here) && placed(last) && clip(from, to)) {
      if (!open) out.push_back({from});
      out.back().push_back(to);
    } else if (inside(here)) {
      out.push_back({here});
    }
    open = inside(here);
    last = here;
  }
  return out;
}

}  // namespace plot
