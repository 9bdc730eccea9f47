// Tests of common/support/plot.hpp: ticks, labels of any bytes, the place of what is drawn, and that every picture,
// however odd its numbers, is well-formed SVG and text that keeps its width.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>

#include "common/support/plot.hpp"
#include "common/support/plot_parts.hpp"
#include "tests/check.hpp"

using namespace plot;

static const double infinity = std::numeric_limits<double>::infinity();

static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

static std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// What stands between two marks, after the first occurrence of the first one.
static std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t from = text.find(before);
  if (from == std::string::npos) return {};
  return text.substr(from + before.size(), text.find(after, from + before.size()) - from - before.size());
}

static std::vector<double> figures(std::string text) {
  for (char& c : text)
    if (!(c >= '0' && c <= '9') && c != '.' && c != '-') c = ' ';
  std::istringstream in(text);
  std::vector<double> all;
  for (double v; in >> v;) all.push_back(v);
  return all;
}

// Empty if every tag is closed in order, every attribute quoted and distinct, every & an entity, and every byte legal.
static std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "entity " + entity;
    }
    if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n') return "a control character";
    if (xml[i] != '<') {
      ++i;
      continue;
    }
    const std::string tag = between(xml.substr(i), "<", ">");
    i += tag.size() + 2;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closing " + tag;
      open.pop_back();
      continue;
    }
    if (count(tag, "\"") % 2 != 0 || count(tag, "=\"") * 2 != count(tag, "\"")) return "quotes in " + tag;
    if (has(tag, "<")) return "unclosed " + tag;
    if (tag.back() != '/') open.push_back(tag.substr(0, tag.find(' ')));
    if (i >= xml.size() || (open.empty() && i + 1 < xml.size())) return "text after the end";
  }
  return open.empty() ? "" : "unclosed " + open.back();
}

// Every line of the text has at most `width` code points and no control character.
static bool keeps_width(const std::string& text, std::size_t width) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::size_t letters_in_line = 0;
    for (const char c : line) {
      letters_in_line += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
      if (static_cast<unsigned char>(c) < 0x20) return false;
    }
    if (letters_in_line > width || (!line.empty() && line.back() == ' ')) return false;
  }
  return text.empty() || text.back() == '\n';
}

static std::string labels(const Ticks& ticks) {
  std::string all;
  for (const Tick& tick : ticks.major) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

static void ticks_at_round_numbers(Checks& check) {
  const auto linear = [](double low, double high, int most) { return ticks({false, low, high}, most); };
  check.that(labels(linear(0, 1, 6)) == "0 0.2 0.4 0.6 0.8 1", "ticks of 0 to 1");
  check.that(labels(linear(-0.7, 1.2, 5)) == "-0.5 0 0.5 1", "ticks of -0.7 to 1.2");
  check.that(labels(linear(0, 3000, 8)) == "0 500 1000 1500 2000 2500 3000", "ticks of 0 to 3000");
  check.that(labels(linear(0, 2e6, 5)) == "0 5e5 1e6 1.5e6 2e6", "large ticks are scientific");
  check.that(labels(linear(0, 3e-5, 4)) == "0 1e-5 2e-5 3e-5", "small ticks are scientific");
  check.that(labels(linear(-1.5e308, 1.5e308, 4)) == "-1e308 0 1e308", "ticks of a range beyond the largest double");
  check.that(labels(linear(-1.7e308, 1.7e308, 2)) == "-1e308 0 1e308", "the largest step");
  const Ticks close = linear(1, 1 + 1e-12, 6);
  check.that(labels(close) == "0 2e-13 4e-13 6e-13 8e-13 1e-12" && close.base == "1", "ticks of 1 to 1 + 1e-12");
  check.that(linear(-1, 1, 5).base.empty(), "no base where labels are short");

  check.that(labels(ticks({true, -2, 3}, 8)) == "0.01 0.1 1 10 100 1000", "decades, plain");
  check.that(labels(ticks({true, -12, 0}, 8)) == "1e-12 1e-10 1e-8 1e-6 1e-4 1e-2 1", "every second decade");
  check.that(labels(ticks({true, -300, 300}, 8)) == "1e-300 1e-200 1e-100 1 1e100 1e200 1e300", "600 decades");
  check.that(labels(ticks({true, std::log10(2), std::log10(30)}, 8)) == "2 5 10 20", "one decade has 1, 2 and 5");
  check.that(labels(ticks({true, std::log10(1.1), std::log10(1.9)}, 8)) == "1.2 1.4 1.6 1.8", "less than a decade");
  check.that(ticks({true, 0, 1}, 8).minor.size() == 8, "minor ticks at 2 to 9");

  // A label names the number at its place. The places are doubles, so 1e-9 of the axis is far above their rounding,
  // except close to 1, where the numbers themselves have no more than 2e-16 / 1e-12 = 2e-4 of the range.
  for (const Scale& scale : {Scale{false, -3.7, 12.9}, Scale{false, 1e-7, 9.3e-7}, Scale{false, 1, 1 + 1e-12},
                             Scale{true, -12.3, 2.2}, Scale{true, 0.1, 0.9}, Scale{false, -7e300, 9e300}})
    for (int most = 2; most <= 12; ++most) {
      const Ticks found = ticks(scale, most);
      check.that(static_cast<int>(found.major.size()) <= most, "too many ticks: " + labels(found));
      check.that(most < 5 || found.major.size() >= 2, "too few ticks: " + labels(found));
      for (const Tick& tick : found.major) {
        const double base = found.base.empty() ? 0 : std::strtod(found.base.c_str(), nullptr);
        check.near(tick.at, scale.at(base + std::strtod(tick.label.c_str(), nullptr)), found.base.empty() ? 1e-9 : 3e-4,
                   "tick " + tick.label);
      }
    }
  for (int high = 1; high < 2000; high = high * 5 / 3 + 1)
    for (const double length : {12.0, 40.0, 400.0}) {
      const Ticks found = ticks_that_fit({false, 0, high * 1e-3}, 10, length, 1, 2);
      for (std::size_t k = 1; k < found.major.size(); ++k) {
        const Tick &a = found.major[k - 1], &b = found.major[k];
        const double widths = static_cast<double>(a.label.size() + b.label.size()) / 2;
        check.that((b.at - a.at) * length >= widths + 2, "labels overlap: " + labels(found));
      }
    }
}

static void scales_for_odd_values(Checks& check) {
  const Scale constant = fit({}, {3, 3, 3}, 0);
  check.that(constant.low == 1.5 && constant.high == 4.5, "constant data stand in the middle");
  const Scale zero = fit({}, {0}, 0), none = fit({}, {nothing, infinity}, 0);
  check.that(zero.low == -1 && zero.high == 1, "a zero alone");
  check.that(none.low == 0 && none.high == 1, "no data: 0 to 1");
  const Scale decades = fit({.log = true}, {0, -5, 1e-3, 1e2}, 0);
  check.that(decades.low == -3 && decades.high == 2, "a log scale skips what is not positive");
  const Scale wide = fit({}, {-1.7e308, 1.7e308}, 0.05);
  check.near(wide.at(0), 0.5, 1e-12, "the middle of the largest range");
  check.that(std::isnan(Scale{true, 0, 1}.at(0)) && std::isnan(Scale{}.at(infinity)), "no place for 0 on a log axis");
  check.that(Scale{false, 0, 1e-10}.at(1.7e308) == 1e6, "places remain finite");
  const Scale given = fit({.low = 0.0, .high = 2.0}, {0.5, 7}, 0.05);
  check.that(given.low == 0 && given.high == 2, "given limits hold");
  check.that(fit({.low = 5.0}, {1, 2}, 0).high > 5, "a lower limit above all data");
  check.that(fit({}, {0, 10}, 0.1).low == 0, "a margin does not cross zero");
  check.near(fit({}, {2, 12}, 0.1).high, 13, 1e-12, "a margin of a tenth");  // a few roundings of 13
}

static void letters_and_numbers(Checks& check) {
  check.that(letters("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == U"a\u00E9\u20AC\U0001F600", "valid UTF-8");
  check.that(encode(letters("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")) == "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
             "encode");
  check.that(letters(std::string("\0\x01\x7F", 3)) == U"\uFFFD\uFFFD\uFFFD", "control characters");
  check.that(letters("\x1B[31m") == U"\uFFFD[31m", "no escape sequence reaches a terminal");
  check.that(letters("a\nb\tc") == U"a b c", "line breaks are spaces");
  check.that(letters("\xC0\x80") == U"\uFFFD\uFFFD", "an overlong form");
  check.that(letters("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD", "a surrogate");
  check.that(letters("\xF4\x90\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD", "above U+10FFFF");
  check.that(letters("\xE2\x82") == U"\uFFFD\uFFFD" && letters("\xFF"
                                                               "a") ==
                                                           U"\uFFFD"
                                                           "a",
             "cut short, and never legal");
  check.that(letters("\xEF\xBF\xBE") == U"\uFFFD", "U+FFFE is illegal in XML");
  check.that(has(svg(Chart{.title = "<a & \"b\">"}), ">&lt;a &amp; &quot;b&quot;&gt;<"), "escaping for XML");
  check.that(wrap(U"one two three", 7) == std::vector<Letters>{U"one two", U"three"}, "wrap at spaces");
  check.that(wrap(U"abcdefgh", 3) == std::vector<Letters>{U"abc", U"def", U"gh"}, "wrap within a word");

  check.that(number(0.1234) == "0.123" && number(-1234) == "-1230" && number(9.999) == "10", "three digits");
  check.that(number(2.5e-13) == "2.5e-13" && number(1e6) == "1e6" && number(0) == "0", "scientific numbers");
  check.that(number(nothing) == "nan" && number(-infinity) == "-inf", "no numbers");
  check.that(fixed(-0.004) == "0" && fixed(12.345678) == "12.35" && fixed(-7.5) == "-7.5" && fixed(0.05) == "0.05",
             "coordinates");
}

// Charts of every kind of trouble.
static std::vector<Chart> odd_charts() {
  const auto one = [](std::vector<double> x, std::vector<double> y, bool log = false) {
    return Chart{"t", {"x", log}, {"y", log}, {{"s", std::move(x), std::move(y)}}};
  };
  std::vector<double> many(100000), noise(100000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = double(i), noise[i] = double(i * 7919 % 1000);
  Chart crowd{"Many lines", {}, {}, {}};
  for (int k = 0; k < 60; ++k) crowd.series.push_back({"line " + std::to_string(k), {0, 1}, {double(k), 1}});
  crowd.levels = {{"a level", 3}, {"not finite", nothing}, {"", 7}};
  Chart strange = one({1, 2}, {3, 4});
  strange.title = strange.x.title = strange.series[0].name =
      "<&>\"'\x01\xFF\xC3\xA9" + std::string(1, '\0') + "\x1B[1m";
  Chart wordy = one({1, 2}, {3, 4});
  for (int k = 0; k < 40; ++k) wordy.title += "word" + std::to_string(k) + " ", wordy.series[0].name += "name ";
  wordy.y.title = wordy.x.title = wordy.title, wordy.levels = {{std::string(90, 'w'), 3.5}};
  Chart beyond = one({0, 1, 2, 3}, {-9, 9, -9, 9});
  beyond.x.low = 0.5, beyond.y.high = 4.0, beyond.y.low = -4.0;
  return {Chart{},
          one({}, {}),
          one({2}, {3}),
          one({1, 2, 3}, {5, 5, 5}),
          one({1, 1}, {1, 1}),
          one({0, 0}, {0, 0}),
          one({1, 2, 3, 4}, {1, nothing, infinity, 2}),
          one({nothing, 1}, {1, nothing}),
          one({1, 2, 3}, {nothing, nothing, nothing}, true),
          one({-1, 0, 1, 2}, {1, 1, -1, 0}, true),
          one({-1, 0}, {0, -2}, true),
          one({1e-300, 1, 1e300}, {1e300, 1, 1e-300}, true),
          one({1e-300, 1, 1e300}, {1e300, 1, 1e-300}),
          one({-1.7e308, 1.7e308}, {1.7e308, -1.7e308}),
          one({5e-324, 1e-323}, {5e-324, 2e-323}, true),
          one({5e-324, 1e-323}, {5e-324, 2e-323}),
          one({1, 2}, {1, 1 + 1e-12}),
          one({1, 2}, {1, 1 + 1e-12}, true),
          one({1, 2}, {-1e-200, -1.0001e-200}),
          one({1e15, 1e15 + 1}, {-1e9, -1e9 - 1e-5}),
          one({1, 1 + 3e-16}, {1, 1 + 3e-16}, true),
          one(many, noise),
          one(noise, many, true),
          crowd,
          strange,
          wordy,
          beyond};
}

static std::vector<Scatter> odd_scatters() {
  Scatter same{"All at one place", {}, {}, {}, {"one", "two"}};
  for (std::size_t k = 0; k < 65; ++k) same.points.push_back({1, 1, "label" + std::to_string(k), k % 2});
  Scatter some{
      "Some", {"x", true}, {"y"}, {{1, 2, "a\x02<", 0}, {0, 1, "zero", 0}, {10, nothing, "nan", 0}, {5, 5, "", 0}}};
  some.x.high = 8.0;
  some.points.push_back({3, 3, std::string(200, 'l'), 0});
  return {Scatter{}, same, some};
}

static std::vector<HeatMap> odd_maps() {
  HeatMap numbers{"Numbers", 2, 3, {1, -2.5, nothing, infinity, 1e-9, 1e9}};
  numbers.numbers = true, numbers.row_labels = {"a & b", std::string(60, 'r')},
  numbers.col_labels = {"x", "longer name", "z"};
  HeatMap wide{"Wide", 3, 500, std::vector<double>(1500, 0.5)};
  wide.values[77] = nothing, wide.diverging = wide.numbers = true, wide.col_labels.assign(500, "column");
  HeatMap huge{"Huge", 1, 3, {-1.7e308, 0, 1.7e308}};
  return {HeatMap{},
          {"Empty", 0, 5, {}},
          {"No columns", 3, 0, {}},
          {"Constant", 2, 2, {4, 4, 4, 4}},
          {"All NaN", 1, 2, {nothing, nothing}},
          {"Zero", 1, 2, {0, 0}, {}, {}, true},
          numbers,
          wide,
          huge};
}

static std::vector<Sheet> odd_sheets() {
  Sheet digits{"Digits", 28, 28, {}};
  for (int k = 0; k < 10; ++k)
    digits.images.push_back({"a caption that is long " + std::to_string(k), std::vector<double>(784, k)});
  digits.images[3].values[5] = infinity;
  Sheet own = digits;
  own.own_scale = own.diverging = true, own.per_row = 100;
  return {Sheet{}, {"Empty images", 0, 0, {{"none", {}}}}, {"One value", 1, 1, {{"", {1}}}}, digits, own};
}

template <class Picture>
static void sound(Checks& check, const std::vector<Picture>& all, const char* kind) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string what = std::string(kind) + " " + std::to_string(k) + ": ", picture = svg(all[k]);
    check.that(malformed(picture).empty(), what + malformed(picture));
    check.that(picture == svg(all[k]), what + "the SVG is not reproducible");
    check.that(!has(picture, "nan\"") && !has(picture, "inf\"") && !has(picture, "nan "),
               what + "a coordinate is no number");
    check.that(picture.size() < 1500000, what + "the SVG has " + std::to_string(picture.size()) + " bytes");
    check.that(has(picture, "<title>") && has(picture, "prefers-color-scheme:dark") && !has(picture, " id="),
               what + "style");
    for (const int width : {20, 33, 80}) {
      const std::string page = text(all[k], width);
      check.that(keeps_width(page, static_cast<std::size_t>(width)),
                 what + "text at " + std::to_string(width) + "\n" + page);
      check.that(page == text(all[k], width), what + "the text is not reproducible");
    }
    check.throws<std::invalid_argument>([&] { text(all[k], 19); }, "at least 20", what + "width 19");
  }
}

// A chart with given limits, so that every place is known.
static Chart known() { return {"", {"", false, 0.0, 10.0}, {"", false, 0.0, 10.0}, {{"", {0, 5, 10}, {0, 2.5, 10}}}}; }

static void places_in_svg(Checks& check) {
  const std::string picture = svg(known());
  const std::vector<double> axes = figures(between(picture, "plot-axis\" d=\"", "\""));  // left top bottom right
  const std::vector<double> line = figures(between(picture, "points=\"", "\""));
  check.that(axes.size() == 4 && line.size() == 6, "axes and one line of three points");
  if (axes.size() != 4 || line.size() != 6) return;
  const double left = axes[0], top = axes[1], bottom = axes[2], right = axes[3];
  const double expected[] = {left, bottom, (left + right) / 2, bottom - (bottom - top) / 4, right, top};
  for (std::size_t k = 0; k < 6; ++k) check.near(line[k], expected[k], 0.011, "coordinate");  // two roundings to 0.01

  Chart gap = known();
  gap.series[0] = {"", {0, 1, 2, 3, 4, 5}, {1, 2, nothing, 4, infinity, 6}};
  check.that(count(svg(gap), "<polyline") == 1, "a line of two points between points that are not finite");
  check.that(count(svg(gap), "class=\"plot-dot") == 4, "points that stand alone have marks");
  check.that(has(svg(gap), "Not drawn: 2 not finite"), "a note counts what is not finite");
  gap.x = {"", true}, gap.y = {};
  check.that(has(svg(gap), "1 not positive on a log axis"), "a note counts what is not positive");

  Chart steep = known();
  steep.series[0] = {"", {0, 10}, {-10, 20}};  // enters at (3.33, 0), leaves at (6.67, 10)
  const std::vector<double> cut = figures(between(svg(steep), "points=\"", "\""));
  const double third = (right - left) / 3;
  check.that(cut.size() == 4, "one clipped segment");
  if (cut.size() == 4) {
    check.near(cut[0], left + third, 0.011, "where it enters");  // two roundings to 0.01
    check.near(cut[1], bottom, 0.011, "enters at the bottom");
    check.near(cut[2], right - third, 0.011, "where it leaves");
    check.near(cut[3], top, 0.011, "leaves at the top");
  }
  steep.series[0] = {"", {0, 3, 7, 10}, {5, 15, 15, 5}};
  check.that(count(svg(steep), "<polyline") == 2, "a line that leaves and comes back is two");
  check.that(has(svg(steep), "2 beyond the limits"), "a note counts what is beyond the limits");

  Scatter dots{"", known().x, known().y, {{5, 2.5, "m", 0}}};
  const std::string scatter = svg(dots);
  const std::vector<double> frame_of = figures(between(scatter, "plot-axis\" d=\"", "\""));
  const std::vector<double> at = figures(between(scatter, "translate(", ")"));
  check.that(at.size() == 2 && frame_of.size() == 4, "one mark");
  if (at.size() == 2 && frame_of.size() == 4) {
    check.near(at[0], (frame_of[0] + frame_of[3]) / 2, 0.011, "x of the mark");  // two roundings to 0.01
    check.near(at[1], frame_of[2] - (frame_of[2] - frame_of[1]) / 4, 0.011, "y of the mark");
  }
  check.that(has(scatter, ">m</text>"), "the label of the mark");
  const std::string crowded = svg(odd_scatters()[1]);
  const std::string left_out = between(crowded, "Not drawn: ", " labels");
  check.that(count(crowded, ">label") + static_cast<std::size_t>(std::atoi(left_out.c_str())) == 65 &&
                 count(crowded, ">label") >= 8 && count(crowded, ">label") <= 24,
             "labels at one place are drawn beside it or counted");
}

static void long_lines_are_thinned(Checks& check) {
  Chart chart = known();
  chart.x.high = 1e5, chart.series[0] = {"", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    chart.series[0].x.push_back(i);
    chart.series[0].y.push_back(i == 54321 ? 9 : i == 54325 ? 1 : 5 + 0.01 * (i % 7));
  }
  const std::string picture = svg(chart);
  check.that(picture.size() < 150000, "100000 points in " + std::to_string(picture.size()) + " bytes");
  const std::vector<double> axes = figures(between(picture, "plot-axis\" d=\"", "\""));
  const std::vector<double> line = figures(between(picture, "points=\"", "\""));
  double top = 1e9, bottom = 0;
  for (std::size_t k = 1; k < line.size(); k += 2) top = std::min(top, line[k]), bottom = std::max(bottom, line[k]);
  check.near(top, axes[2] - 0.9 * (axes[2] - axes[1]), 0.011, "a peak of one point survives");  // two roundings to 0.01
  check.near(bottom, axes[2] - 0.1 * (axes[2] - axes[1]), 0.011, "a dip of one point survives");  // likewise
}

static std::vector<Letters> lines(const std::string& page) {
  std::vector<Letters> all;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) all.push_back(letters(line));
  return all;
}

static void places_in_text(Checks& check) {
  Chart named = known();  // beside a second line the first is drawn with letters
  named.series.push_back({"", {}, {}});
  const std::vector<Letters> plain = lines(text(named, 40));
  check.that(plain[0] == U"10 ┤" + Letters(35, U' ') + U'a', "the last point is at the upper right");
  check.that(plain[15].substr(0, 6) == U" 0 ┤aa", "the first point is at the lower left");
  // 36 columns and 16 rows: x = 5 is column round(17.5), y = 2.5 is row 15 - round(3.75) from above.
  check.that(plain[11][4 + 17] == U'a' || plain[11][4 + 18] == U'a', "the point in the middle");
  Chart dot = known();
  dot.series[0] = {"", {10}, {10}};
  check.that(lines(text(dot, 40))[0].back() == 0x2808, "the upper right braille dot");
  dot.series[0] = {"", {0}, {0}};
  check.that(lines(text(dot, 40))[15].back() == 0x2840, "the lower left braille dot");

  Chart two = known();
  two.series = {{"up", {0, 10}, {0, 10}}, {"the same", {0, 10}, {0, 10}}, {"flat", {0, 10}, {5, 5}}};
  const std::string page = text(two, 40);
  check.that(has(page, "ab") || has(page, "ba") || count(page, "a") > 12, "lines that coincide take turns");
  check.that(has(page, "a up   b the same   c flat"), "the legend names the letters");
  std::size_t a = 0, b = 0;
  for (std::size_t r = 0; r < 16; ++r) {
    const Letters row = lines(page)[r];
    a += static_cast<std::size_t>(std::count(row.begin(), row.end(), U'a'));
    b += static_cast<std::size_t>(std::count(row.begin(), row.end(), U'b'));
  }
  check.that(a >= 12 && b >= 12, "both of two lines that coincide can be seen");
  two.series[0].name = "a name of three words";
  check.that(has(text(two, 40), "   b the same\nc flat\n"), "entries of the legend are not broken");
  two.levels = {{"floor", 2}};
  check.that(has(text(two, 60), "A╌╌ floor (2)") && has(text(two, 60), "A╌╌╌"), "a level and its name");
  check.that(has(text(Chart{}), "(no data)") && has(svg(Chart{}), "(no data)"), "no data is said");
  check.that(!has(text(known()), "(no data)") && !has(svg(known()), "(no data)"), "data are not denied");

  Scatter dots{"", known().x, known().y, {{0, 10, "p", 0}, {0, 10, "q", 0}, {10, 0, "r", 1}}, {"left", "right"}};
  const std::vector<Letters> scatter = lines(text(dots, 40));
  check.that(scatter[0].substr(4) == U"pq", "the second of two labels stands beside the first");
  check.that(scatter[15].size() == 40 && scatter[15].back() == U'r', "a label at the lower right");
  check.that(has(text(dots, 40), "a left: p q\nb right: r\n"), "the legend lists the labels");
  const std::string crowded = text(odd_scatters()[1], 60);
  check.that(has(crowded, "labels for lack of room"), "labels without room are counted");
}

static void heat_maps(Checks& check) {
  const HeatMap map{"", 2, 2, {-1, 0, 0.5, 1}, {"p", "q"}, {"u", "v"}, true};
  check.that(has(text(map), "  u v\np -\xE2\x96\x88\nq +\xE2\x96\x92+\xE2\x96\x88\n"),
             "signs and shades:\n" + text(map));
  HeatMap grey{"", 1, 3, {0, 1, 2}};
  check.that(text(grey, 80).starts_with("  ▒▒██\n"), "shades without sign:\n" + text(grey, 80));
  grey.low = -2.0, grey.high = 2.0;
  check.that(text(grey, 80).starts_with("▒▒▓▓██\n"), "given ends of the scale:\n" + text(grey, 80));
  check.that(has(text(HeatMap{"", 1, 3, {-1, 0, 4}, {}, {}, true}, 80), "-░  +█\n"), "zero in the middle");
  HeatMap numbers = map;
  numbers.numbers = true;
  check.that(has(text(numbers), "p   -1   0\nq  0.5   1\n"), "numbers in cells:\n" + text(numbers));
  check.that(has(svg(numbers), ">0.5</text>") && !has(svg(map), ">0.5</text>"), "numbers only where wanted");
  numbers.values[1] = infinity;
  check.that(has(text(numbers), "inf") && has(svg(numbers), ">inf</text>"), "an infinite number is printed");
  HeatMap missing = map;
  missing.values[1] = nothing;
  check.that(has(text(missing), "??") && has(svg(missing), "A cross"), "a missing value is seen and explained");

  const std::string picture = svg(map);
  check.that(has(picture, "fill=\"#2166ac\" d=\"M0 0h1v1h-1z\""), "-1 is blue, at the upper left");
  check.that(has(picture, "fill=\"#b2182b\" d=\"M1 1h1v1h-1z\""), "1 is red, at the lower right");
  check.that(has(picture, "fill=\"#fafafa\" d=\"M1 0h1v1h-1z\""), "0 is white");
  const HeatMap run{"", 1, 4, {3, 3, 3, 7}};
  check.that(has(svg(run), "fill=\"#ffffff\" d=\"M0 0h3v1h-3z\""), "equal neighbours are one run");

  const HeatMap wide{"", 2, 80, std::vector<double>(160, 1)};
  check.that(has(text(wide, 80), "mean of 2 x 1 values"), "a note on blocks");
  HeatMap halves{"", 3, 20, std::vector<double>(60, 0)};  // two rows to a cell, and one in the last
  halves.low = 0.0;
  halves.high = 4.0;
  halves.values[0] = 1;
  halves.values[20] = 3;
  halves.values[40] = 4;
  check.that(text(halves, 20).starts_with("▒\n█\n"),
             "the mean of a block, and of one at the edge:\n" + text(halves, 20));
}

static void sheets(Checks& check) {
  Sheet sheet{"Two", 1, 2, {{"left", {0, 1}}, {"right", {0, 4}}}};
  check.that(has(text(sheet, 40), "left   right\n  ░░     ██\n"), "one scale for all:\n" + text(sheet, 40));
  sheet.own_scale = true;
  check.that(has(text(sheet, 40), "left   right\n  ██     ██\n"), "a scale of its own:\n" + text(sheet, 40));
  check.that(has(svg(sheet), ">left</text>") && has(svg(sheet), ">right</text>"), "captions");
  sheet.images.resize(16, {"", {0, 1}});
  // Of 720 px, less 16 at either side, each of n images has (688 + 12) / n with its gap of 12.
  check.that(count(svg(sheet), "translate(103.5 ") == 2, "16 images in two rows of 8");
  sheet.images.resize(10);
  check.that(count(svg(sheet), "translate(156 ") == 2, "10 images in two rows of 5");
}

static void inconsistent_input(Checks& check) {
  using bad = std::invalid_argument;
  Chart chart = known();
  chart.series[0] = {"lame", {1, 2, 3}, {1, 2}};
  check.throws<bad>([&] { svg(chart); }, "'lame' has 3 x but 2 y", "sizes of a series, SVG");
  check.throws<bad>([&] { text(chart); }, "'lame' has 3 x but 2 y", "sizes of a series, text");
  const auto limits = [](bool log, double low, double high) { return Chart{"", {}, {"", log, low, high}, {}}; };
  check.throws<bad>([&] { svg(limits(false, 2, 1)); }, "the y axis do not ascend", "descending limits");
  check.throws<bad>([&] { text(limits(true, 0, 1)); }, "y axis is not positive", "a log axis from zero");
  check.throws<bad>([&] { svg(limits(false, 0, infinity)); }, "y axis is not finite", "an infinite limit");
  Chart beyond = known();  // the axis would have no room above this low, or below this high
  beyond.y = {"", false, std::numeric_limits<double>::max(), {}};
  check.throws<bad>([&] { svg(beyond); }, "a limit of the y axis is beyond 1e308",
                    "the lowest limit that there is room for");
  beyond.y = {"", false, {}, -std::numeric_limits<double>::max()};
  check.throws<bad>([&] { text(beyond); }, "a limit of the y axis is beyond 1e308", "the like of a high");
  check.throws<bad>(
      [&] {
        svg(Scatter{"", {}, {}, {{0, 0, "p", 2}}, {"one", "two"}});
      },
      "'p' is of group 2", "a group");
  check.throws<bad>([&] { text(HeatMap{"map", 2, 2, {1, 2, 3}}); }, "'map' has 3 values for 2 x 2", "size of a map");
  check.throws<bad>([&] { svg(HeatMap{"map", 1, 2, {1, 2}, {"a", "b"}}); }, "row labels of 'map'", "row labels");
  check.throws<bad>([&] { svg(HeatMap{"map", 1, 2, {1, 2}, {}, {"a"}}); }, "column labels of 'map'", "column labels");
  HeatMap ends{"map", 1, 1, {1}};
  ends.low = 2.0, ends.high = 2.0;
  check.throws<bad>([&] { svg(ends); }, "do not ascend", "ends of a scale");
  check.throws<bad>([&] { text(Sheet{"s", 2, 2, {{"tile", {1}}}}); }, "'tile' has 1 values", "size of an image");
}

// No comma and no grouping in a picture, whatever locale a program has set: by C++, and by C where one is installed.
static void any_locale(Checks& check) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  Chart chart{"", {}, {}, {{"", {0.125, 12345.5}, {0.001, 1234567.25}}}, {{"level", 1234.5}}};
  const std::string picture = svg(chart), page = text(chart);
  std::locale::global(std::locale(std::locale::classic(), new Comma));
  check.that(svg(chart) == picture && text(chart) == page, "a C++ locale changes nothing");
  std::locale::global(std::locale::classic());
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", "German"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    check.that(svg(chart) == picture && text(chart) == page, std::string("the C locale changes nothing: ") + name);
    break;
  }
  std::setlocale(LC_ALL, "C");
}

static void titles_are_whole(Checks& check) {
  Chart chart = known();
  for (int k = 100; k < 160; ++k) chart.title += std::to_string(k) + " ";
  for (const std::string& out : {between(svg(chart), "<rect", "</svg>"), text(chart, 40)})
    for (int k = 100; k < 160; ++k) check.that(has(out, std::to_string(k)), "a long title is cut");
}

int main() {
  Checks check;
  ticks_at_round_numbers(check);
  scales_for_odd_values(check);
  letters_and_numbers(check);
  sound(check, odd_charts(), "chart");
  sound(check, odd_scatters(), "scatter");
  sound(check, odd_maps(), "heat map");
  sound(check, odd_sheets(), "sheet");
  places_in_svg(check);
  long_lines_are_thinned(check);
  places_in_text(check);
  heat_maps(check);
  sheets(check);
  inconsistent_input(check);
  any_locale(check);
  titles_are_whole(check);
  return check.done("plot");
}
