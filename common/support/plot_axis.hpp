// The geometry that text and SVG share: from numbers to places between 0 and 1 along an axis, ticks at round numbers,
// lines interrupted and clipped, colour scales.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/support/plot_data.hpp"
#include "common/support/plot_letters.hpp"

namespace plot {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// (v - low) / (high - low), in halves: high - low itself may exceed the largest double.
inline double share(double v, double low, double high) { return (v / 2 - low / 2) / (high / 2 - low / 2); }

// An axis with its limits known; on a log axis they are exponents of ten.
struct Scale {
  bool log = false;
  double low = 0, high = 1;

  // Where v lies: 0 at the low end, 1 at the high end, beyond them outside (at most 1e6); NaN if it has no place.
  double at(double v) const {
    if (!std::isfinite(v) || (log && v <= 0)) return nothing;
    return std::clamp(share(log ? std::log10(v) : v, low, high), -1e6, 1e6);
  }
};

// The scale for these values: the limits of the axis where given, otherwise those of the values, widened by `margin` of
// the range (but not across zero). Values that coincide, or none at all, give a scale around them.
inline Scale fit(const Axis& axis, const std::vector<double>& values, double margin) {
  constexpr double largest = std::numeric_limits<double>::max();
  double low = largest, high = -largest;
  const auto include = [&](double v) {
    if (!std::isfinite(v) || (axis.log && v <= 0)) return;
    low = std::min(low, axis.log ? std::log10(v) : v);
    high = std::max(high, axis.log ? std::log10(v) : v);
  };
  for (const double v : values) include(v);
  if (axis.low) include(*axis.low);
  if (axis.high) include(*axis.high);
  if (low > high) return {axis.log, 0, 1};
  const double above = axis.log ? -largest : 0, lowest = low;
  if (low != above) low = std::max(low - (high / 2 - low / 2) * (2 * margin), low > above ? above : -largest);
  if (high != above) high = std::min(high + (high / 2 - lowest / 2) * (2 * margin), high < above ? above : largest);
  if (axis.low) low = axis.log ? std::log10(*axis.low) : *axis.low;
  if (axis.high) high = axis.log ? std::log10(*axis.high) : *axis.high;

  // Thinner than some 64 roundings there is nothing to tell apart.
  const double size = std::max(std::abs(low), std::abs(high));
  const double thin = axis.log ? 1e-13 : 64 * std::numeric_limits<double>::epsilon() * size;
  if (high / 2 - low / 2 <= thin / 2 || size < 1e-290) {
    const double by = axis.log ? 0.5 : size < 1e-290 ? 1 : size / 2;
    if (!axis.low || axis.high) low = std::max(low - by, -largest);
    if (!axis.high || axis.low) high = std::min(high + by, largest);
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
  std::string base;           // not empty: the number to which each label has to be added
};

// 1, 2 or 5 times a power of ten.
struct Step {
  int digit, exponent;
  double value() const { return digit * std::pow(10.0, exponent); }
  Step next() const { return digit == 5 ? Step{1, exponent + 1} : Step{digit == 1 ? 2 : 5, exponent}; }
};

// The smallest round step that is at least `size` > 0, but for a rounding error.
inline Step round_step(double size) {
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  for (const int digit : {1, 2, 5})
    if (Step{digit, exponent}.value() >= size * (1 - 1e-9)) return {digit, exponent};
  return {1, exponent + 1};
}

// The multiple of the largest power of ten that lies in [low, high].
inline double roundest(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high)), slack = (high / 2 - low / 2) * 1e-3;
  double found = high;
  for (int e = static_cast<int>(std::floor(std::log10(size))); Step{1, e}.value() > slack; --e) {
    found = std::floor((high + slack) / Step{1, e}.value()) * Step{1, e}.value();
    if (found >= low - slack) break;
  }
  return found;
}

// The multiples of a step in [low, high], as factors; `error` is that of the ends.
struct Multiples {
  double first, last;
  Multiples(double low, double high, double step, double error)
      : first(std::ceil(low / step - error / step - 1e-9)), last(std::floor(high / step + error / step + 1e-9)) {}
  double count() const { return last - first + 1; }
};

// At most `most` >= 2 ticks at multiples of a round step, which is at most 1e308. Where labels would need more than seven digits, they count
// from the roundest number in the range, the base.
inline Ticks linear_ticks(const Scale& scale, double low, double high, int most) {
  Ticks ticks;
  const double half = high / 2 - low / 2, size = std::max(std::abs(low), std::abs(high));
  double base = 0;
  if (size / half > 2e5) {
    base = roundest(low, high);
    ticks.base = number(base, 16);
  }
  const double from = low - base, to = high - base;
  const double error = base == 0 ? 0 : 2 * std::numeric_limits<double>::epsilon() * size;
  Step step = round_step(std::min(half / (most + 1) * 2, 1e308));
  while (step.exponent < 308 && Multiples(from, to, step.value(), error).count() > most) step = step.next();
  const Multiples found(from, to, step.value(), error);
  const bool scientific = (base == 0 && size >= 1e6) || step.exponent < -4 || step.exponent > 5;
  for (double k = found.first; k <= found.last; ++k) {
    const double at = scale.at(base + k * step.value());
    const long long digits = std::llround(k) * step.digit;
    ticks.major.push_back({std::clamp(at, 0.0, 1.0), decimal(digits, step.exponent, scientific)});
  }
  return ticks;
}

// Powers of ten, every one or every second, fifth, tenth.. of them, with 2 to 9 times each or the others as minor ticks.
inline Ticks decade_ticks(const Scale& scale, int first, int last, int most) {
  Ticks ticks;
  const Step step = round_step(std::max(1.0, static_cast<double>(last - first) / (most - 1)));
  const int stride = static_cast<int>(std::lround(step.value()));
  const auto place = [&](double exponent) { return share(exponent, scale.low, scale.high); };
  const auto minor = [&](double at) {
    if (at >= 0 && at <= 1) ticks.minor.push_back(at);
  };
  const bool plain = first >= -3 && last <= 5;  // all labels in one style
  for (int e = first - 1; e <= last; ++e) {
    if (stride == 1)
      for (int digit = 2; digit <= 9; ++digit) minor(place(e + std::log10(digit)));
    if (e < first) continue;
    if (e % stride == 0) ticks.major.push_back({std::clamp(place(e), 0.0, 1.0), decimal(1, e, !plain && e != 0)});
    else if (last - first <= 60) minor(place(e));
  }
  return ticks;
}

// At most `most` >= 2 major ticks. A log axis that holds fewer than two powers of ten has them at 1, 2 and 5 times
// these, or, where that gives fewer than two as well, at round numbers.
inline Ticks ticks(const Scale& scale, int most) {
  if (!scale.log) return linear_ticks(scale, scale.low, scale.high, most);
  const int first = static_cast<int>(std::ceil(scale.low - 1e-9));
  const int last = static_cast<int>(std::floor(scale.high + 1e-9));
  if (last > first) return decade_ticks(scale, first, last, most);
  Ticks fine;
  for (int e = first - 1; e <= last; ++e)
    for (const int digit : {1, 2, 5}) {
      const double at = share(e + std::log10(digit), scale.low, scale.high);
      if (at >= -1e-9 && at <= 1 + 1e-9)
        fine.major.push_back({std::clamp(at, 0.0, 1.0), decimal(digit, e, e < -3 || e > 5)});
    }
  const bool good = fine.major.size() >= 2 && fine.major.size() <= static_cast<std::size_t>(most);
  if (good || scale.low < -290) return fine;  // round steps below 1e-290 would vanish
  constexpr double largest = std::numeric_limits<double>::max();
  return linear_ticks(scale, std::pow(10, scale.low), std::min(std::pow(10, scale.high), largest), most);
}

// As many ticks, up to `most`, as leave a `gap` between labels along an axis of this length, centred at their ticks;
// `letter` is the extent of a letter in the direction of the axis.
inline Ticks ticks_that_fit(const Scale& scale, int most, double length, double letter, double gap) {
  for (int n = most;; --n) {
    const Ticks found = ticks(scale, std::max(n, 2));
    bool fits = true;
    for (std::size_t k = 1; k < found.major.size(); ++k) {
      const Tick &a = found.major[k - 1], &b = found.major[k];
      const double needed = static_cast<double>(a.label.size() + b.label.size()) / 2 * letter + gap;
      fits = fits && (b.at - a.at) * length >= needed;
    }
    if (fits || n <= 2) return found;
  }
}

// The title of an axis with the base of its ticks.
inline Letters axis_title(const Axis& axis, const Ticks& ticks) {
  if (ticks.base.empty()) return letters(axis.title);
  return letters(axis.title + (axis.title.empty() ? "" : " ") + "(each figure plus " + ticks.base + ")");
}

struct Spot {
  double x, y;  // 0 to 1 inside the axes
};
using Path = std::vector<Spot>;

// Shortens the segment a b to its part inside the axes (Liang and Barsky 1984); false if there is none.
inline bool clip(Spot& a, Spot& b) {
  double from = 0, to = 1;
  const Spot d{b.x - a.x, b.y - a.y};
  const auto side = [&](double rise, double distance) {  // inside where rise * t <= distance
    if (rise < 0) from = std::max(from, distance / rise);
    else if (rise > 0) to = std::min(to, distance / rise);
    else if (distance < 0) to = -1;
  };
  side(-d.x, a.x), side(d.x, 1 - a.x), side(-d.y, a.y), side(d.y, 1 - a.y);
  if (from > to) return false;
  if (to < 1) b = {std::clamp(a.x + to * d.x, 0.0, 1.0), std::clamp(a.y + to * d.y, 0.0, 1.0)};
  if (from > 0) a = {std::clamp(a.x + from * d.x, 0.0, 1.0), std::clamp(a.y + from * d.y, 0.0, 1.0)};
  return true;
}

// The visible pieces of a series. A piece of one spot is a point whose neighbours cannot be drawn.
inline std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y) {
  std::vector<Path> out;
  Spot last{nothing, nothing};
  bool open = false;  // the last piece ends at `last`
  const auto placed = [](Spot s) { return !std::isnan(s.x) && !std::isnan(s.y); };
  const auto inside = [](Spot s) { return s.x >= 0 && s.x <= 1 && s.y >= 0 && s.y <= 1; };
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Spot here{x.at(series.x[i]), y.at(series.y[i])};
    Spot from = last, to = here;
    if (placed(here) && placed(last) && clip(from, to)) {
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

// A path of many points as one that looks the same: of consecutive points in one of `columns` columns only the first,
// the lowest, the highest and the last remain, in their order.
inline Path thin(const Path& path, double columns) {
  Path out;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i, low = i, high = i;
    for (; end < path.size() && std::floor(path[end].x * columns) == std::floor(path[i].x * columns); ++end) {
      if (path[end].y < path[low].y) low = end;
      if (path[end].y > path[high].y) high = end;
    }
    std::size_t next = i;  // the first that is not yet written
    for (const std::size_t k : {i, std::min(low, high), std::max(low, high), end - 1})
      if (k >= next) out.push_back(path[k]), next = k + 1;
    i = end;
  }
  return out;
}

// Counts what a picture leaves out, and says so.
struct Omissions {
  std::size_t not_finite = 0, not_positive = 0, beyond = 0, labels = 0;

  void count(double x, double y, const Scale& x_scale, const Scale& y_scale) {
    const auto out = [](double at) { return at < -1e-9 || at > 1 + 1e-9; };
    if (!std::isfinite(x) || !std::isfinite(y)) ++not_finite;
    else if ((x_scale.log && x <= 0) || (y_scale.log && y <= 0)) ++not_positive;
    else if (out(x_scale.at(x)) || out(y_scale.at(y))) ++beyond;
  }

  // Empty if nothing is left out.
  Letters note() const {
    std::string text;
    const auto add = [&](std::size_t n, const char* what) {
      if (n > 0) text += (text.empty() ? "Not drawn: " : ", ") + std::to_string(n) + what;
    };
    add(not_finite, " not finite");
    add(not_positive, " not positive on a log axis");
    add(beyond, " beyond the limits");
    add(labels, labels == 1 ? " label for lack of room" : " labels for lack of room");
    return letters(text);
  }
};

// What of the points and levels of a chart has no place on these scales.
inline Omissions omissions(const Chart& chart, const Scale& x, const Scale& y) {
  Omissions left_out;
  for (const Series& s : chart.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) left_out.count(s.x[i], s.y[i], x, y);
  for (const Level& level : chart.levels) left_out.count(0, level.y, Scale{}, y);
  return left_out;
}

inline Omissions omissions(const Scatter& scatter, const Scale& x, const Scale& y) {
  Omissions left_out;
  for (const Point& p : scatter.points) left_out.count(p.x, p.y, x, y);
  return left_out;
}

// All values along one axis.
inline std::vector<double> x_values(const Chart& chart) {
  std::vector<double> all;
  for (const Series& s : chart.series) all.insert(all.end(), s.x.begin(), s.x.end());
  return all;
}

inline std::vector<double> y_values(const Chart& chart) {
  std::vector<double> all;
  for (const Series& s : chart.series) all.insert(all.end(), s.y.begin(), s.y.end());
  for (const Level& level : chart.levels) all.push_back(level.y);
  return all;
}

inline std::vector<double> values(const std::vector<Point>& points, double Point::*coordinate) {
  std::vector<double> all;
  for (const Point& p : points) all.push_back(p.*coordinate);
  return all;
}

// From values to shades: 0 at the low end, 1 at the high end; a diverging scale has zero at 0.5.
struct Shades {
  double low = 0, high = 0;

  double at(double v) const {
    if (!std::isfinite(v)) return nothing;
    return high > low ? std::clamp(share(v, low, high), 0.0, 1.0) : 0.5;
  }
};

inline Shades shades(const std::vector<double>& all, bool diverging, std::optional<double> low,
                     std::optional<double> high) {
  const double largest = std::numeric_limits<double>::max();
  Shades found{largest, -largest};
  for (const double v : all)
    if (std::isfinite(v)) found = {std::min(found.low, v), std::max(found.high, v)};
  if (found.low > found.high) found = {0, 0};
  if (low) found.low = *low;
  if (high) found.high = *high;
  if (!diverging) return {std::min(found.low, found.high), std::max(found.low, found.high)};
  const double size = std::max(std::abs(found.low), std::abs(found.high));
  return {-size, size};
}

// The scale of image k of a sheet, or the common one.
inline Shades shades(const Sheet& sheet, std::size_t k) {
  if (sheet.own_scale) return shades(sheet.images[k].values, sheet.diverging, sheet.low, sheet.high);
  std::vector<double> all;
  for (const Image& image : sheet.images) all.insert(all.end(), image.values.begin(), image.values.end());
  return shades(all, sheet.diverging, sheet.low, sheet.high);
}

// Which places of a grid are taken, so that labels do not cover one another.
class Room {
 public:
  Room(long columns, long rows)
      : columns_(columns), rows_(rows), taken_(static_cast<std::size_t>(columns * rows), false) {}

  // The box lies inside the grid and nothing is in it.
  bool free(long column, long row, long width, long height) const {
    if (column < 0 || row < 0 || column + width > columns_ || row + height > rows_) return false;
    for (long r = row; r < row + height; ++r)
      for (long c = column; c < column + width; ++c)
        if (taken_[index(c, r)]) return false;
    return true;
  }

  // Takes the part of the box that lies inside the grid.
  void take(long column, long row, long width, long height) {
    for (long r = std::max(0L, row); r < std::min(row + height, rows_); ++r)
      for (long c = std::max(0L, column); c < std::min(column + width, columns_); ++c) taken_[index(c, r)] = true;
  }

 private:
  std::size_t index(long column, long row) const { return static_cast<std::size_t>(row * columns_ + column); }
  long columns_, rows_;
  std::vector<bool> taken_;
};

}  // namespace plot
