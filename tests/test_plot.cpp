// Tests of common/plot/plot.hpp: ticks, labels of any bytes, the place of what is drawn, and that every picture,
// however odd its numbers, is well-formed SVG and text that keeps its width.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>

#include "common/plot/plot.hpp"
#include "common/plot/parts.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

using namespace plot;

static const double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();

// What stands between two marks, after the first occurrence of the first one.
static std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t from = text.find(before);
  if (from == std::string::npos) return {};
  return text.substr(from + before.size(), text.find(after, from + before.size()) - from - before.size());
}

// The numbers in a text, whatever stands between them.
static std::vector<double> figures(const std::string& text) {
  std::vector<double> all;
  for (const char* c = text.c_str(); *c != '\0';) {
    char* end = nullptr;
    const double v = std::strtod(c, &end);
    if (end == c) ++end;
    else all.push_back(v);
    c = end;
  }
  return all;
}

static void shows(Checks& check, const std::string& picture, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    check.that(has(picture, part), "'" + part + "' in:\n" + picture.substr(0, 2000));
}

static void places(Checks& check, const std::vector<double>& found, const std::vector<double>& expected,
                   const std::string& what) {
  check.that(found.size() == expected.size(), what + ": " + std::to_string(found.size()) + " coordinates");
  for (std::size_t k = 0; k < std::min(found.size(), expected.size()); ++k)
    check.near(found[k], expected[k], 0.011, what);  // two roundings to 0.01
}

static std::vector<std::string> lines_of(const std::string& page) {
  std::vector<std::string> all;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

// ------------------------------------------------------------------------------------------------------------- parts

static std::string labels(const Ticks& ticks) {
  std::string all = ticks.base.empty() ? "" : ticks.base + " plus";
  for (const Tick& tick : ticks.major) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

static void ticks_at_round_numbers(Checks& check) {
  struct Case {
    Scale scale;
    int most;
    const char* expected;
  };
  // A label names the number at its place. The places are doubles, so 1e-9 of the axis is far above their rounding,
  // except close to 1, where the numbers themselves have no more than 2e-16 / 1e-12 = 2e-4 of the range.
  for (const auto& [scale, best, expected] :
       {Case{{false, 0, 1}, 6, "0 0.2 0.4 0.6 0.8 1"},
        {{false, -0.7, 1.2}, 5, "-0.5 0 0.5 1"},
        {{false, 0, 3000}, 8, "0 500 1000 1500 2000 2500 3000"},
        {{false, 0, 2e6}, 5, "0 5e5 1e6 1.5e6 2e6"},
        {{false, 0, 3e-5}, 4, "0 1e-5 2e-5 3e-5"},
        {{false, -1.5e308, 1.5e308}, 4, "-1e308 0 1e308"},
        {{false, -1.7e308, 1.7e308}, 2, "-1e308 0 1e308"},
        {{false, 1, 1 + 1e-12}, 6, "1 plus 0 2e-13 4e-13 6e-13 8e-13 1e-12"},
        {{true, -2, 3}, 8, "0.01 0.1 1 10 100 1000"},
        {{true, -12, 0}, 8, "1e-12 1e-10 1e-8 1e-6 1e-4 1e-2 1"},
        {{true, -300, 300}, 8, "1e-300 1e-200 1e-100 1 1e100 1e200 1e300"},
        {{true, std::log10(2), std::log10(30)}, 8, "2 5 10 20"},
        {{false, -7e300, 9e300}, 5, "-5e300 0 5e300"},
        {{false, -1.7976931e308, -1.7976930e308}, 6, "-1.797693e308 plus -1e301 -8e300 -6e300 -4e300 -2e300 0"},
        {{false, -largest, -1.79769313e308}, 6, "-1.79769313e308 plus -4e299 -3e299 -2e299 -1e299 0"},
        {{false, 1.79769313e308, largest}, 6, "1.79769313e308 plus 0 1e299 2e299 3e299 4e299"},
        {{true, std::log10(1.1), std::log10(1.9)}, 8, "1.2 1.4 1.6 1.8"}}) {
    check.equal(labels(ticks(scale, best)), expected, "ticks");
    for (int most = 2; most <= 12; ++most) {
      const Ticks found = ticks(scale, most);
      const int allowed = scale.high > 1e308 ? std::max(most, 3) : most;  // there is no larger step
      check.that(static_cast<int>(found.major.size()) <= allowed, "too many ticks: " + labels(found));
      check.that(most < 5 || found.major.size() >= 2, "too few ticks: " + labels(found));
      for (const Tick& tick : found.major) {
        const double base = found.base.empty() ? 0 : std::strtod(found.base.c_str(), nullptr);
        check.near(tick.at, scale.at(base + std::strtod(tick.label.c_str(), nullptr)), found.base.empty() ? 1e-9 : 3e-4,
                   "tick " + tick.label);
      }
    }
  }
  check.that(ticks({true, 0, 1}, 8).minor.size() == 8, "minor ticks at 2 to 9");
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
  struct Case {
    Axis axis;
    std::vector<double> values;
    double margin, low, high;
  };
  const std::vector<Case> cases = {{{}, {3, 3, 3}, 0, 1.5, 4.5},
                                   {{}, {0}, 0, -1, 1},
                                   {{}, {nothing, infinity}, 0, 0, 1},
                                   {{"", true}, {0, -5, 1e-3, 1e2}, 0, -3, 2},
                                   {{"", false, 0.0, 2.0}, {0.5, 7}, 0.05, 0, 2},
                                   {{"", false, 5.0}, {1, 2}, 0, 5, 7.5},
                                   {{}, {0, 10}, 0.1, 0, 11},  // a margin does not cross zero
                                   {{}, {2, 12}, 0.1, 1, 13}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Scale found = fit(cases[k].axis, cases[k].values, cases[k].margin);
    check.near(found.low, cases[k].low, 1e-12, "low of scale " + std::to_string(k));  // a few roundings of 13
    check.near(found.high, cases[k].high, 1e-12, "high of scale " + std::to_string(k));
  }
  check.near(fit({}, {-1.7e308, 1.7e308}, 0.05).at(0), 0.5, 1e-12, "the middle of the largest range");
  check.that(std::isnan(Scale{true, 0, 1}.at(0)) && std::isnan(Scale{}.at(infinity)), "no place for 0 on a log axis");
  check.that(Scale{false, 0, 1e-10}.at(1.7e308) == 1e6, "places remain finite");
}

static void letters_and_numbers(Checks& check) {
  struct Case {
    std::string bytes;
    Letters expected;
  };
  const std::vector<Case> cases = {{"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", U"a\u00E9\u20AC\U0001F600"},
                                   {{'\0', '\1', '\x7F'}, U"\uFFFD\uFFFD\uFFFD"},
                                   {"\x1B[31m", U"\uFFFD[31m"},
                                   {"a\nb\tc", U"a b c"},
                                   {"\xC0\x80", U"\uFFFD\uFFFD"},                      // overlong
                                   {"\xED\xA0\x80", U"\uFFFD\uFFFD\uFFFD"},            // a surrogate
                                   {"\xF4\x90\x80\x80", U"\uFFFD\uFFFD\uFFFD\uFFFD"},  // above U+10FFFF
                                   {"\xE2\x82", U"\uFFFD\uFFFD"},                      // cut short
                                   {"\xFF#", U"\uFFFD#"},
                                   {"\xC2\xC2", U"\uFFFD\uFFFD"},
                                   {"\xEF\xBF\xBE", U"\uFFFD"}};  // U+FFFE is illegal in XML
  for (const auto& [bytes, expected] : cases) check.that(letters(bytes) == expected, "letters of " + bytes);
  check.that(encode(cases[0].expected) == cases[0].bytes, "encode");
  check.that(has(svg(Chart{.title = "<a & \"b\">"}), ">&lt;a &amp; &quot;b&quot;&gt;<"), "escaping for XML");
  check.that(wrap(U"one two three", 7) == std::vector<Letters>{U"one two", U"three"}, "wrap at spaces");
  check.that(wrap(U"abcdefgh", 3) == std::vector<Letters>{U"abc", U"def", U"gh"}, "wrap within a word");

  const auto several = [](std::string (*write)(double), const std::vector<double>& all) {
    std::string out;
    for (const double v : all) out += write(v) + " ";
    return out;
  };
  check.equal(several([](double v) { return number(v); }, {0.1234, -1234, 9.999, 2.5e-13, 1e6, 0, nothing, -infinity}),
              "0.123 -1230 10 2.5e-13 1e6 0 nan -inf ", "numbers");
  check.equal(several([](double v) { return plot::fixed(v); }, {-0.004, 12.345678, -7.5, 0.05}), "0 12.35 -7.5 0.05 ",
              "coordinates");
}

// ------------------------------------------------------------------------------------------------------ odd pictures

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

// Charts of every kind of trouble.
static std::vector<Chart> odd_charts() {
  const auto one = [](std::vector<double> x, std::vector<double> y, bool log = false) {
    return Chart{"t", {"x", log}, {"y", log}, {{"s", std::move(x), std::move(y)}}};
  };
  std::vector<Chart> all{Chart{}};
  for (const char* points :  // x y x y ..
       {"", "2 3", "1 5 2 5 3 5", "1 1 1 1", "0 0 0 0", "1 1 2 nan 3 inf 4 2", "nan 1 1 nan", "1 nan 2 nan 3 nan",
        "-1 1 0 1 1 -1 2 0", "-1 0 0 -2", "1e-300 1e300 1 1 1e300 1e-300", "-1.7e308 1.7e308 1.7e308 -1.7e308",
        "5e-324 5e-324 1e-323 2e-323", "1 1 2 1.000000000001", "1 -1e-200 2 -1.0001e-200",
        "1000000000000000 -1000000000 1000000000000001 -1000000000.00001",
        "1 1 1.0000000000000003 1.0000000000000003"}) {
    std::vector<double> x, y;
    for (const double v : figures(points)) (x.size() == y.size() ? x : y).push_back(v);
    for (const bool log : {false, true}) all.push_back(one(x, y, log));
  }
  std::vector<double> many(100000), noise(100000);
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i] = double(i);
    noise[i] = double(i * 7919 % 1000);
  }
  Chart crowd{"Many lines", {}, {}, {}};
  for (int k = 0; k < 60; ++k) crowd.series.push_back({"line " + std::to_string(k), {0, 1}, {double(k), 1}});
  crowd.levels = {{"a level", 3}, {"not finite", nothing}, {"", 7}};
  Chart strange = one({1, 2}, {3, 4}), wordy = strange, beyond = one({0, 1, 2, 3}, {-9, 9, -9, 9});
  strange.title = strange.x.title = strange.series[0].name =
      "<&>\"'\x01\xFF\xC3\xA9" + std::string(1, '\0') + "\x1B[1m";
  for (int k = 100; k < 160; ++k) wordy.title += std::to_string(k) + " ";
  wordy.series[0].name = wordy.y.title = wordy.x.title = wordy.title;
  wordy.levels = {{std::string(90, 'w'), 3.5}};
  beyond.x.low = 0.5;
  beyond.y = {"", false, -4.0, 4.0};
  Chart empty;  // "(no data)" beside labels of nine letters
  empty.y = {"", false, 9.941e307, 9.944e307};
  all.insert(all.end(), {one(many, noise), one(noise, many, true), crowd, strange, beyond, empty, wordy});
  return all;
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
  numbers.numbers = true;
  numbers.row_labels = {"a & b", std::string(60, 'r')};
  numbers.col_labels = {"x", "longer name", "z"};
  HeatMap wide{"Wide", 3, 500, std::vector<double>(1500, 0.5)};
  wide.values[77] = nothing;
  wide.diverging = wide.numbers = true;
  wide.col_labels.assign(500, "column");
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
  own.own_scale = own.diverging = true;
  own.per_row = 100;
  return {Sheet{}, {"Empty images", 0, 0, {{"none", {}}}}, {"One value", 1, 1, {{"", {1}}}}, digits, own};
}

template <class Picture>
static void sound(Checks& check, const std::vector<Picture>& all, const char* kind) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string what = std::string(kind) + " " + std::to_string(k) + ": ", picture = svg(all[k]);
    check.equal(malformed(picture), "", what);
    check.that(picture == svg(all[k]), what + "the SVG is not reproducible");
    check.that(!has(picture, "nan\"") && !has(picture, "inf\"") && !has(picture, "nan "),
               what + "a coordinate is no number");
    check.that(picture.size() < 1500000, what + "the SVG has " + std::to_string(picture.size()) + " bytes");
    check.that(has(picture, "<title>") && has(picture, "prefers-color-scheme:dark") && !has(picture, " id="),
               what + "style");
    for (const int width : {20, 33, 80}) {
      const std::string page = text(all[k], width);
      check.that(page.empty() || page.back() == '\n', what + "the last line ends");
      for (const std::string& line : lines_of(page)) {
        const bool plain = std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= 0x20; });
        check.that(columns_of(line) <= static_cast<std::size_t>(width) && plain && !line.ends_with(' '), what + line);
      }
      check.that(page == text(all[k], width), what + "the text is not reproducible");
    }
    check.throws<std::invalid_argument>([&] { text(all[k], 19); }, "at least 20", what + "width 19");
  }
}

static void titles_are_whole(Checks& check) {
  const Chart wordy = odd_charts().back();
  for (int k = 100; k < 160; ++k)
    check.that(
        has(between(svg(wordy), "<rect", "</svg>"), std::to_string(k)) && has(text(wordy, 40), std::to_string(k)),
        "a long title is cut");
}

// ------------------------------------------------------------------------------------------------------------- places

// A chart with given limits, so that every place is known.
static Chart known() { return {"", {"", false, 0.0, 10.0}, {"", false, 0.0, 10.0}, {{"", {0, 5, 10}, {0, 2.5, 10}}}}; }
static Chart known(const Series& series) {
  Chart chart = known();
  chart.series[0] = series;
  return chart;
}

static void places_in_svg(Checks& check) {
  const auto line = [](const std::string& picture) { return figures(between(picture, "points=\"", "\"")); };
  const std::string picture = svg(known());
  const std::vector<double> axes = figures(between(picture, "plot-axis\" d=\"", "\""));  // left top bottom right
  check.that(axes.size() == 4, "axes");
  if (axes.size() != 4) return;
  const double left = axes[0], top = axes[1], bottom = axes[2], right = axes[3];
  const double third = (right - left) / 3, middle = (left + right) / 2, quarter = bottom - (bottom - top) / 4;
  places(check, line(picture), {left, bottom, middle, quarter, right, top}, "a line");
  places(check, line(svg(known({"", {0, 10}, {-10, 20}}))), {left + third, bottom, right - third, top},
         "a clipped segment, which enters at (3.33, 0) and leaves at (6.67, 10)");
  const Scatter dots{"", known().x, known().y, {{5, 2.5, "m", 0}}};
  const std::vector<double> at = figures(between(svg(dots), "plot-axis\" d=\"", "\""));
  places(check, figures(between(svg(dots), "translate(", ")")), {(at[0] + at[3]) / 2, at[2] - (at[2] - at[1]) / 4},
         "a mark");
  shows(check, svg(dots), {">m</text>"});

  Chart gap = known({"", {0, 1, 2, 3, 4, 5}, {1, 2, nothing, 4, infinity, 6}});
  check.that(count(svg(gap), "<polyline") == 1, "a line of two points between points that are not finite");
  check.that(count(svg(gap), "class=\"plot-dot") == 4, "points that stand alone have marks");
  const std::string comes_back = svg(known({"", {0, 3, 7, 10}, {5, 15, 15, 5}})), crowded = svg(odd_scatters()[1]);
  check.that(count(comes_back, "<polyline") == 2, "a line that leaves and comes back is two");
  const std::size_t drawn = count(crowded, ">label");
  check.that(drawn >= 8 && drawn <= 24, "labels at one place are drawn beside it");
  shows(check, svg(gap) + comes_back + crowded,
        {"Not drawn: 2 not finite", "2 beyond the limits", "Not drawn: " + std::to_string(65 - drawn) + " labels"});
  gap.x = {"", true};
  gap.y = {};
  shows(check, svg(gap), {"1 not positive on a log axis"});

  // Of 100,000 points those that cannot be seen are left out; a peak and a dip of one point survive.
  Chart chart = known({});
  chart.x.high = 1e5;
  for (int i = 0; i < 100000; ++i) {
    chart.series[0].x.push_back(i);
    chart.series[0].y.push_back(i == 54321 ? 9 : i == 54325 ? 1 : 5 + 0.01 * (i % 7));
  }
  const std::vector<double> thinned = line(svg(chart));
  double high = bottom, low = top;
  for (std::size_t k = 1; k < thinned.size(); k += 2) {
    high = std::min(high, thinned[k]);
    low = std::max(low, thinned[k]);
  }
  check.that(svg(chart).size() < 150000, "100000 points in " + std::to_string(svg(chart).size()) + " bytes");
  places(check, {high, low}, {bottom - 0.9 * (bottom - top), bottom - 0.1 * (bottom - top)}, "a peak and a dip");
}

static void places_in_text(Checks& check) {
  const auto row = [](const std::string& page, std::size_t k) { return letters(lines_of(page).at(k)); };
  Chart named = known();  // beside a second line the first is drawn with letters
  named.series.push_back({"", {}, {}});
  const std::string plain = text(named, 40);
  check.that(row(plain, 0) == U"10 ┤" + Letters(35, U' ') + U'a', "the last point is at the upper right");
  check.that(row(plain, 15).substr(0, 6) == U" 0 ┤aa", "the first point is at the lower left");
  // 36 columns and 16 rows: x = 5 is column round(17.5), y = 2.5 is row 15 - round(3.75) from above.
  check.that(row(plain, 11)[4 + 17] == U'a' || row(plain, 11)[4 + 18] == U'a', "the point in the middle");
  check.that(row(text(known({"", {10}, {10}}), 40), 0).back() == 0x2808, "the upper right braille dot");
  check.that(row(text(known({"", {0}, {0}}), 40), 15).back() == 0x2840, "the lower left braille dot");

  Chart two = known();
  two.series = {{"up", {0, 10}, {0, 10}}, {"the same", {0, 10}, {0, 10}}, {"flat", {0, 10}, {5, 5}}};
  const std::string page = text(two, 40);
  shows(check, page, {"a up   b the same   c flat"});
  const std::string drawn = page.substr(0, page.find("a up"));
  check.that(count(drawn, "a") >= 12 && count(drawn, "b") >= 12, "both of two lines that coincide can be seen");
  two.series[0].name = "a name of three words";
  shows(check, text(two, 40), {"   b the same\nc flat\n"});  // entries of the legend are not broken
  two.levels = {{"floor", 2}};
  shows(check, text(two, 60), {"A╌╌ floor (2)", "A╌╌╌"});
  check.that(has(text(Chart{}), "(no data)") && has(svg(Chart{}), "(no data)"), "no data is said");
  check.that(!has(text(known()) + svg(known()), "(no data)"), "data are not denied");

  const Scatter dots{"", known().x, known().y, {{0, 10, "p", 0}, {0, 10, "q", 0}, {10, 0, "r", 1}}, {"left", "right"}};
  const std::string scatter = text(dots, 40);
  check.that(row(scatter, 0).substr(4) == U"pq", "the second of two labels stands beside the first");
  check.that(row(scatter, 15).size() == 40 && row(scatter, 15).back() == U'r', "a label at the lower right");
  shows(check, scatter + text(odd_scatters()[1], 60), {"• left: p q\n◦ right: r\n", "labels for lack of room"});
}

static void heat_maps(Checks& check) {
  const HeatMap map{"", 2, 2, {-1, 0, 0.5, 1}, {"p", "q"}, {"u", "v"}, true};
  HeatMap numbers = map, missing = map;
  shows(check, text(map),
        {"  u v\np -\xE2\x96\x88\nq +\xE2\x96\x92+\xE2\x96\x88\n"});  // letters would join the escapes
  shows(check, svg(map),                                              // blue, red, white
        {"\"#2166ac\" d=\"M0 0h1v1h-1z\"", "\"#b2182b\" d=\"M1 1h1v1h-1z\"", "\"#fafafa\" d=\"M1 0h1v1h-1z\""});
  numbers.numbers = true;
  shows(check, text(numbers), {"p   -1   0\nq  0.5   1\n"});
  check.that(has(svg(numbers), ">0.5</text>") && !has(svg(map), ">0.5</text>"), "numbers only where wanted");
  numbers.values[1] = infinity;
  missing.values[1] = nothing;
  shows(check, text(numbers) + text(missing) + svg(numbers) + svg(missing),
        {"inf", "??", "? is not finite", ">inf</text>", "A cross"});

  HeatMap grey{"", 1, 3, {0, 1, 2}}, halves{"", 3, 20, std::vector<double>(60, 0)};
  check.that(text(grey).starts_with("  ▒▒██\n"), "shades without sign:\n" + text(grey));
  grey.low = -2.0;
  grey.high = 2.0;
  check.that(text(grey).starts_with("▒▒▓▓██\n"), "given ends of the scale:\n" + text(grey));
  shows(check, text(HeatMap{"", 1, 3, {-1, 0, 4}, {}, {}, true}), {"-░  +█\n"});
  shows(check, text(HeatMap{"", 2, 80, std::vector<double>(160, 1)}), {"mean of 2 x 1 values"});
  shows(check, svg(HeatMap{"", 1, 4, {3, 3, 3, 7}}), {"fill=\"#ffffff\" d=\"M0 0h3v1h-3z\""});  // one run
  halves.high = 4.0;  // two rows to a cell, and one in the last
  halves.values[0] = 1;
  halves.values[20] = 3;
  halves.values[40] = 4;
  check.that(text(halves, 20).starts_with("▒\n█\n"), "the mean of a block, and of one at the edge");
}

static void sheets(Checks& check) {
  Sheet sheet{"Two", 1, 2, {{"left", {0, 1}}, {"right", {0, 4}}}};
  shows(check, text(sheet, 40), {"left   right\n  ░░     ██\n"});  // one scale for all
  sheet.own_scale = true;
  shows(check, text(sheet, 40), {"left   right\n  ██     ██\n"});
  shows(check, svg(sheet), {">left</text>", ">right</text>"});
  check.that(count(svg(sheet), "#08306b") == 2, "the darkest blue in each of two images");
  // Of 720 px, less 16 at either side, each of n images has (688 + 12) / n with its gap of 12: 16 in two rows of 8,
  // then 10 in two of 5.
  sheet.images.resize(16, {"", {0, 1}});
  check.that(count(svg(sheet), "translate(103.5 ") == 2, "16 images");
  sheet.images.resize(10);
  check.that(count(svg(sheet), "translate(156 ") == 2, "10 images");
}

// ------------------------------------------------------------------------------------------------------------- inputs

// Boxes keep their place in the grid, and arrows end at their borders.
static void diagrams(Checks& check) {
  const Diagram diagram{"A layer",
                        {{"x", 0, 0, Box::Kind::stored, "n × d"},
                         {"z", 1, 0, Box::Kind::computed, "x·W", "2", "-1"},
                         {"c", 1, 1, Box::Kind::alone}},
                        {{"x", "z", "n × d"}, {"c", "z"}}};
  check.equal(text(diagram), "A layer\n  x -> z   (n × d)\n  c -> z\n  z = 2, gradient -1\n", "a diagram as text");
  const std::string drawn = svg(diagram);
  // Two columns of (720 - 32)/2 px: middles at 188 and 532. The widest line of x has five letters, of z three.
  shows(check, drawn,
        {">A layer<", "x=\"188\"", "x=\"532\"", ">x·W<", "plot-dot plot-1", "the gradient that comes back"});
  check.that(count(drawn, "<rect class=\"plot-box\"") == 2, "what stands alone has no box");
  const double right = 188 + 2.5 * 7.6 + 10 + 2, left = 532 - 1.5 * 7.6 - 10 - 2;
  shows(check, drawn, {"d=\"M" + fixed(right) + " ", "translate(" + fixed(left) + " "});
  const Diagram twins{"d", {{.name = "H", .key = "1"}, {.name = "H", .column = 1, .key = "2"}}, {{"1", "2"}}};
  check.equal(text(twins), "d\n  H -> H\n", "keys are not shown");
  check.that(!has(svg(Diagram{"d", {{"x"}}, {}}), "gradient"), "no values, no key to them");
}

static void inconsistent_input(Checks& check) {
  const auto refused = [&](const auto& picture, const char* words) {
    check.throws<std::invalid_argument>([&] { svg(picture); }, words, words);
    check.throws<std::invalid_argument>([&] { text(picture); }, words, words);
  };
  const auto limits = [](bool log, std::optional<double> low, std::optional<double> high) {
    return Chart{"", {}, {"", log, low, high}, {}};
  };
  refused(known({"lame", {1, 2, 3}, {1, 2}}), "'lame' has 3 x but 2 y");
  refused(limits(false, 2, 1), "the y axis do not ascend");
  refused(limits(true, 0, 1), "y axis is not positive");
  refused(limits(false, 0, infinity), "y axis is not finite");
  refused(limits(false, largest, {}), "a limit of the y axis is beyond 1e308");  // no room above it, or below it
  refused(limits(false, {}, -largest), "a limit of the y axis is beyond 1e308");
  refused(Scatter{"", {}, {}, {{0, 0, "p", 2}}, {"one", "two"}}, "'p' is of group 2");
  refused(HeatMap{"map", 2, 2, {1, 2, 3}}, "'map' has 3 values for 2 x 2");
  refused(HeatMap{"map", 1, 2, {1, 2}, {"a", "b"}}, "row labels of 'map'");
  refused(HeatMap{"map", 1, 2, {1, 2}, {}, {"a"}}, "column labels of 'map'");
  refused(HeatMap{"map", 1, 1, {1}, {}, {}, false, false, 2.0, 2.0}, "do not ascend");
  refused(Sheet{"s", 2, 2, {{"tile", {1}}}}, "'tile' has 1 values");
  refused(Diagram{"d", {{"x"}, {"x"}}, {}}, "two boxes are named 'x'");
  refused(Diagram{"d", {{.name = "x", .key = "1"}, {.name = "y", .key = "1"}}, {}}, "two boxes are named '1'");
  refused(Diagram{"d", {{"x", -1}}, {}}, "place of 'x'");
  refused(Diagram{"d", {{"x"}}, {{"x", "y"}}}, "from 'x' to 'y' misses a box");
}

// No comma and no grouping in a picture, whatever locale a program has set: by C++, and by C where one is installed.
// Names in the place of numbers, and points that no line joins.
static void names_and_points(Checks& check) {
  Chart chart;
  chart.x = {"start", false, 0.5, 2.5, {"own", "large", "beyond"}};
  chart.series = {{"pairs", {1, 1, 2}, {3, 4, 5}, true}};
  const std::string drawn = svg(chart);
  check.that(has(drawn, ">own<") && has(drawn, ">large<") && !has(drawn, ">beyond<"), "names stand where they belong");
  check.that(count(drawn, "<polyline") == 0 && count(drawn, "plot-dot plot-0") == 4,
             "points alone, with one in the key");
  check.that(has(text(chart), "own") && has(text(chart), "large"), "names in the text");
}

// What would make a film jump.
static void inconsistent_films(Checks& check) {
  const auto refused = [&](const auto& film, const char* words) {
    check.throws<std::invalid_argument>([&] { plot::check(film); }, words, words);
  };
  Chart still;
  still.x = still.y = {"", false, 0, 1};
  Chart moved = still;
  moved.y.high = 2;
  const Film<Chart> film{"t", {"1", "2"}, {still, still}};
  plot::check(film);
  refused(Film<Chart>{"t", {}, {}}, "over 't' without frames");
  refused(Film<Chart>{"t", {"1"}, {still, still}}, "labels of the film over 't'");
  refused(Film<Chart>{"t", {"1", "2"}, {still, moved}}, "the axes of the film over 't' move");
  refused(Film<Chart>{"t", {"1"}, {Chart{}}}, "the axes of the film over 't' move");
  refused(Film<Scatter>{"t", {"1"}, {Scatter{}}}, "the axes of the film over 't' move");
  refused(Film<HeatMap>{"t", {"1"}, {HeatMap{}}}, "the shades of the film over 't' move");
  refused(Film<Sheet>{"t", {"1"}, {Sheet{}}}, "the shades of the film over 't' move");
}

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

int main() {
  Checks check;
  ticks_at_round_numbers(check);
  scales_for_odd_values(check);
  letters_and_numbers(check);
  sound(check, odd_charts(), "chart");
  sound(check, odd_scatters(), "scatter");
  sound(check, odd_maps(), "heat map");
  sound(check, odd_sheets(), "sheet");
  titles_are_whole(check);
  places_in_svg(check);
  places_in_text(check);
  heat_maps(check);
  sheets(check);
  diagrams(check);
  names_and_points(check);
  inconsistent_input(check);
  inconsistent_films(check);
  any_locale(check);
  return check.done("plot");
}
