// SPDX-License-Identifier: MIT
#include "common/plot/parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "common/support/words.hpp"

namespace plot {

// ----------------------------------------------------------------------------------------------- letters and numbers

namespace {

// Writes digits x 10^exponent, digit by digit, without superfluous zeros, as in -0.25 or (scientific) -2.5e-13.
std::string decimal(long long digits, int exponent, bool scientific) {
  if (digits == 0) return "0";
  for (; digits % 10 == 0; digits /= 10) ++exponent;
  std::string text = std::to_string(std::llabs(digits));
  const int count = static_cast<int>(text.size()), leading = exponent + count - 1;  // exponent of the first digit
  if (scientific) {
    if (count > 1) text.insert(1, 1, '.');
    text += "e" + std::to_string(leading);
  } else if (exponent >= 0) {
    text.append(static_cast<std::size_t>(exponent), '0');
  } else {
    if (leading < 0) text.insert(0, static_cast<std::size_t>(-leading), '0');
    text.insert(text.size() - static_cast<std::size_t>(-exponent), 1, '.');
  }
  return (digits < 0 ? "-" : "") + text;
}

}  // namespace

Letters letters(const std::string& bytes) {
  Letters out;
  for (std::string_view rest = bytes; !rest.empty();) {
    const utf8::Character first = utf8::first(rest);
    rest.remove_prefix(std::max<std::size_t>(first.bytes, 1));
    const char32_t c = first.bytes == 0 ? U'\uFFFD' : first.code;
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF;
    out += c == '\n' || c == '\t' || c == '\r' ? U' ' : control ? U'\uFFFD' : c;
  }
  return out;
}

std::string encode(const Letters& text) {
  std::string out;
  for (const char32_t c : text) out += utf8::encode(c);
  return out;
}

std::vector<Letters> wrap(Letters text, std::size_t width) {
  std::vector<Letters> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(U' ', width);
    const bool at_space = space != Letters::npos && space > 0;
    lines.push_back(text.substr(0, at_space ? space : width));
    text.erase(0, at_space ? space + 1 : width);
  }
  if (!text.empty()) lines.push_back(text);
  return lines;
}

std::size_t longest(const std::vector<Letters>& lines) {
  std::size_t most = 0;
  for (const Letters& line : lines) most = std::max(most, line.size());
  return most;
}

// The digits are collected around whatever the locale has for a point.
std::string number(double v, int significant) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  char text[48];
  std::snprintf(text, sizeof text, "%.*e", significant - 1, v);
  long long digits = 0;
  const char* c = text;
  for (; *c != 'e'; ++c)
    if (*c >= '0' && *c <= '9') digits = 10 * digits + (*c - '0');
  const int leading = std::atoi(c + 1);
  return decimal(v < 0 ? -digits : digits, leading - (significant - 1), leading < -4 || leading > 5);
}

std::string fixed(double v) { return decimal(std::llround(v * 100), -2, false); }

// ------------------------------------------------------------------------------------------------------------ checks

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("plot: " + what);
}

namespace {

void check(const Axis& axis, const std::string& name) {
  for (const auto& limit : {axis.low, axis.high}) {
    if (!limit) continue;
    require(std::isfinite(*limit), "a limit of the " + name + " axis is not finite");
    require(std::abs(*limit) <= 1e308, "a limit of the " + name + " axis is beyond 1e308");  // no room for a tick
    require(!axis.log || *limit > 0, "a limit of the logarithmic " + name + " axis is not positive");
  }
  require(!axis.low || !axis.high || *axis.low < *axis.high, "the limits of the " + name + " axis do not ascend");
}

void check_limits(const std::optional<double>& low, const std::optional<double>& high, const std::string& name) {
  require(!low || std::isfinite(*low), "the low end of the scale of '" + name + "' is not finite");
  require(!high || std::isfinite(*high), "the high end of the scale of '" + name + "' is not finite");
  require(!low || !high || *low < *high, "the ends of the scale of '" + name + "' do not ascend");
}

void check_size(std::size_t values, std::size_t rows, std::size_t cols, const std::string& name) {
  require(values == rows * cols, "'" + name + "' has " + std::to_string(values) + " values for " +
                                     std::to_string(rows) + " x " + std::to_string(cols));
}

}  // namespace

void check(const Chart& chart) {
  check(chart.x, "x");
  check(chart.y, "y");
  for (const Series& s : chart.series)
    require(s.x.size() == s.y.size(), "series '" + s.name + "' has " + std::to_string(s.x.size()) + " x but " +
                                          std::to_string(s.y.size()) + " y");
}

void check(const Scatter& scatter) {
  check(scatter.x, "x");
  check(scatter.y, "y");
  for (const Point& p : scatter.points)
    require(p.group == 0 || p.group < scatter.groups.size(), "point '" + p.label + "' is of group " +
                                                                 std::to_string(p.group) + ", of " +
                                                                 std::to_string(scatter.groups.size()));
}

void check(const HeatMap& map) {
  check_size(map.values.size(), map.rows, map.cols, map.title);
  check_limits(map.low, map.high, map.title);
  require(map.row_labels.empty() || map.row_labels.size() == map.rows, "row labels of '" + map.title + "'");
  require(map.col_labels.empty() || map.col_labels.size() == map.cols, "column labels of '" + map.title + "'");
}

void check(const Sheet& sheet) {
  check_limits(sheet.low, sheet.high, sheet.title);
  for (const Image& image : sheet.images) check_size(image.values.size(), sheet.rows, sheet.cols, image.caption);
}

const std::string& key_of(const Box& box) { return box.key.empty() ? box.name : box.key; }

void check(const Diagram& diagram) {
  const auto known = [&](const std::string& name) {
    const auto is = [&](const Box& box) { return key_of(box) == name; };
    return std::count_if(diagram.boxes.begin(), diagram.boxes.end(), is) == 1;
  };
  for (const Box& box : diagram.boxes) {
    require(known(key_of(box)), "two boxes are named '" + key_of(box) + "'");
    require(box.column >= 0 && box.column < 100 && box.row >= 0 && box.row < 100, "place of '" + box.name + "'");
  }
  for (const auto& [from, to, label] : diagram.arrows)
    require(known(from) && known(to), "the arrow from '" + from + "' to '" + to + "' misses a box");
}

namespace {

template <class Picture>
void check_frames(const Film<Picture>& film) {
  require(!film.frames.empty(), "a film over '" + film.parameter + "' without frames");
  require(film.labels.size() == film.frames.size(), "labels of the film over '" + film.parameter + "'");
  for (const Picture& frame : film.frames) check(frame);
}

template <class Picture>
void check_limits_of_axes(const Film<Picture>& film) {
  check_frames(film);
  const Picture& first = film.frames.front();
  for (const Picture& frame : film.frames)
    for (Axis Picture::*axis : {&Picture::x, &Picture::y}) {
      const bool fixed_limits = (frame.*axis).low && (frame.*axis).high;
      require(fixed_limits && (frame.*axis).low == (first.*axis).low && (frame.*axis).high == (first.*axis).high,
              "the axes of the film over '" + film.parameter + "' move");
    }
}

template <class Picture>
void check_limits_of_shades(const Film<Picture>& film) {
  check_frames(film);
  for (const Picture& frame : film.frames)
    require(frame.low && frame.high && frame.low == film.frames.front().low && frame.high == film.frames.front().high,
            "the shades of the film over '" + film.parameter + "' move");
}

}  // namespace

void check(const Film<Chart>& film) { check_limits_of_axes(film); }
void check(const Film<Scatter>& film) { check_limits_of_axes(film); }
void check(const Film<HeatMap>& film) { check_limits_of_shades(film); }
void check(const Film<Sheet>& film) { check_limits_of_shades(film); }

// -------------------------------------------------------------------------------------------------------------- axes

namespace {

// Returns (v - low) / (high - low), in halves: high - low itself may exceed the largest double.
double share(double v, double low, double high) { return (v / 2 - low / 2) / (high / 2 - low / 2); }

// 1, 2 or 5 times a power of ten.
struct Step {
  int digit, exponent;
  double value() const { return digit * std::pow(10.0, exponent); }
  Step next() const { return digit == 5 ? Step{1, exponent + 1} : Step{digit == 1 ? 2 : 5, exponent}; }
};

// Returns the smallest round step that is at least `size` > 0, but for a rounding error.
Step round_step(double size) {
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  for (const int digit : {1, 2, 5})
    if (Step{digit, exponent}.value() >= size * (1 - 1e-9)) return {digit, exponent};
  return {1, exponent + 1};
}

// Returns the multiple of the largest power of ten that lies in [low, high]; high where that is beyond all numbers.
double roundest(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high)), slack = (high / 2 - low / 2) * 1e-3;
  for (int e = static_cast<int>(std::floor(std::log10(size)));; --e) {
    const double step = Step{1, e}.value(), found = std::floor(high / step + slack / step) * step;
    if (found >= low - slack || step <= slack) return std::isfinite(found) ? found : high;
  }
}

// The multiples of a step in [low, high], as factors; `error` is that of the ends.
struct Multiples {
  double first, last;
  Multiples(double low, double high, double step, double error)
      : first(std::ceil(low / step - error / step - 1e-9)), last(std::floor(high / step + error / step + 1e-9)) {}
  double count() const { return last - first + 1; }
};

// Returns at most `most` >= 2 ticks at multiples of a round step, which is at most 1e308. Where labels would need more
// than seven digits, they count from the roundest number in the range, the base.
Ticks linear_ticks(const Scale& scale, double low, double high, int most) {
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

// Returns powers of ten, every one or every second, fifth, tenth.. of them, with 2 to 9 times each or the others as
// minor ticks.
Ticks decade_ticks(const Scale& scale, int first, int last, int most) {
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

}  // namespace

double Scale::at(double v) const {
  if (!std::isfinite(v) || (log && v <= 0)) return nothing;
  return std::clamp(share(log ? std::log10(v) : v, low, high), -1e6, 1e6);
}

Scale fit(const Axis& axis, const std::vector<double>& values, double margin) {
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

Ticks ticks(const Scale& scale, int most) {
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

Ticks ticks_that_fit(const Scale& scale, int most, double length, double letter, double gap) {
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

Ticks ticks_of(const Axis& axis, const Scale& scale, int most, double length, double letter, double gap) {
  if (axis.names.empty()) return ticks_that_fit(scale, most, length, letter, gap);
  Ticks ticks;
  for (std::size_t k = 0; k < axis.names.size(); ++k)
    if (const double at = scale.at(double(k + 1)); at >= 0 && at <= 1) ticks.major.push_back({at, axis.names[k]});
  return ticks;
}

Letters axis_title(const Axis& axis, const Ticks& ticks) {
  if (ticks.base.empty()) return letters(axis.title);
  return letters(axis.title + (axis.title.empty() ? "" : " ") + "(each figure plus " + ticks.base + ")");
}

std::vector<double> x_values(const Chart& chart) {
  std::vector<double> all;
  for (const Series& s : chart.series) all.insert(all.end(), s.x.begin(), s.x.end());
  return all;
}

std::vector<double> y_values(const Chart& chart) {
  std::vector<double> all;
  for (const Series& s : chart.series) all.insert(all.end(), s.y.begin(), s.y.end());
  for (const Level& level : chart.levels) all.push_back(level.y);
  return all;
}

std::vector<double> values(const std::vector<Point>& points, double Point::*coordinate) {
  std::vector<double> all;
  for (const Point& p : points) all.push_back(p.*coordinate);
  return all;
}

// ------------------------------------------------------------------------------------------------------------- lines

namespace {

// Shortens the segment a b to its part inside the axes (Liang and Barsky 1984); false if there is none.
bool clip(Spot& a, Spot& b) {
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
  if (to < 1) b = {std::clamp(a.x + to * d.x, 0.0, 1.0), std::clamp(a.y + to * d.y, 0.0, 1.0)};
  if (from > 0) a = {std::clamp(a.x + from * d.x, 0.0, 1.0), std::clamp(a.y + from * d.y, 0.0, 1.0)};
  return true;
}

}  // namespace

std::vector<Path> pieces(const Series& series, const Scale& x, const Scale& y) {
  std::vector<Path> out;
  Spot last{nothing, nothing};
  bool open = false;  // the last piece ends at `last`
  const auto placed = [](Spot s) { return !std::isnan(s.x) && !std::isnan(s.y); };
  const auto inside = [](Spot s) { return s.x >= 0 && s.x <= 1 && s.y >= 0 && s.y <= 1; };
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

Path thin(const Path& path, double columns) {
  Path out;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i, low = i, high = i;
    for (; end < path.size() && std::floor(path[end].x * columns) == std::floor(path[i].x * columns); ++end) {
      if (path[end].y < path[low].y) low = end;
      if (path[end].y > path[high].y) high = end;
    }
    std::size_t next = i;  // the first that is not yet written
    for (const std::size_t k : {i, std::min(low, high), std::max(low, high), end - 1})
      if (k >= next) {
        out.push_back(path[k]);
        next = k + 1;
      }
    i = end;
  }
  return out;
}

void Omissions::count(double x, double y, const Scale& x_scale, const Scale& y_scale) {
  const auto out = [](double at) { return at < -1e-9 || at > 1 + 1e-9; };
  if (!std::isfinite(x) || !std::isfinite(y)) ++not_finite;
  else if ((x_scale.log && x <= 0) || (y_scale.log && y <= 0)) ++not_positive;
  else if (out(x_scale.at(x)) || out(y_scale.at(y))) ++beyond;
}

Letters Omissions::note() const {
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

Omissions omissions(const Chart& chart, const Scale& x, const Scale& y) {
  Omissions left_out;
  for (const Series& s : chart.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) left_out.count(s.x[i], s.y[i], x, y);
  for (const Level& level : chart.levels) left_out.count(0, level.y, Scale{}, y);
  return left_out;
}

Omissions omissions(const Scatter& scatter, const Scale& x, const Scale& y) {
  Omissions left_out;
  for (const Point& p : scatter.points) left_out.count(p.x, p.y, x, y);
  return left_out;
}

Room::Room(long columns, long rows)
    : columns_(columns), rows_(rows), taken_(static_cast<std::size_t>(columns * rows), false) {}

bool Room::free(long column, long row, long width, long height) const {
  if (column < 0 || row < 0 || column + width > columns_ || row + height > rows_) return false;
  for (long r = row; r < row + height; ++r)
    for (long c = column; c < column + width; ++c)
      if (taken_[index(c, r)]) return false;
  return true;
}

void Room::take(long column, long row, long width, long height) {
  for (long r = std::max(0L, row); r < std::min(row + height, rows_); ++r)
    for (long c = std::max(0L, column); c < std::min(column + width, columns_); ++c) taken_[index(c, r)] = true;
}

std::size_t Room::index(long column, long row) const { return static_cast<std::size_t>(row * columns_ + column); }

// ------------------------------------------------------------------------------------------------------------ shades

double Shades::at(double v) const {
  if (!std::isfinite(v)) return nothing;
  return high > low ? std::clamp(share(v, low, high), 0.0, 1.0) : 0.5;
}

Shades shades(const std::vector<double>& all, bool diverging, std::optional<double> low, std::optional<double> high) {
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

Shades shades(const Sheet& sheet, std::size_t k) {
  if (sheet.own_scale) return shades(sheet.images[k].values, sheet.diverging, sheet.low, sheet.high);
  std::vector<double> all;
  for (const Image& image : sheet.images) all.insert(all.end(), image.values.begin(), image.values.end());
  return shades(all, sheet.diverging, sheet.low, sheet.high);
}

}  // namespace plot
