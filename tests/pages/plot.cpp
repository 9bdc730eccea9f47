// Tests ticks, labels, places; every picture must be well-formed SVG, and text keep its width.
// SPDX-License-Identifier: MIT
#include <map>
#include <sstream>

#include "common/frame/plot/axes.hpp"
#include "common/frame/plot/scene.hpp"
#include "tests/check.hpp"

namespace test_plot {

using namespace plot;

static const double infinity = std::numeric_limits<double>::infinity();

// Returns what stands between the first `before` and the next `after`.
static std::string between(const std::string& text, const std::string& before,
                           const std::string& after) {
  const std::size_t from = text.find(before);
  if (from == std::string::npos) return {};
  return text.substr(from + before.size(),
                     text.find(after, from + before.size()) - from - before.size());
}

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

static void places(Checks& check, std::vector<double> ticks, const std::vector<double>& expected,
                   const std::string& what) {
  ticks.resize(expected.size(), nothing);
  for (std::size_t k = 0; k < ticks.size(); ++k)
    check.near(ticks[k], expected[k], 0.011, what);  // two roundings
}

static std::string labels(Checks& check, const Scale& scale, int most) {
  std::string all;
  for (const Tick& tick : ticks(scale, most).major) {
    all += tick.label + " ";
    check.near(tick.at, scale.at(std::strtod(tick.label.c_str(), nullptr)), 1e-9,
               "tick " + tick.label);
  }
  return all;
}

static void axes(Checks& check) {
  check.equal(labels(check, {false, -0.7, 1.2}, 5), "-0.5 0 0.5 1 ", "ticks on both sides of zero");
  check.equal(labels(check, {false, 0, 2e6}, 5), "0 5e5 1e6 1.5e6 2e6 ", "large ticks");
  check.equal(labels(check, {false, -7e299, 9e299}, 5), "-5e299 0 5e299 ", "the largest ticks");
  check.equal(labels(check, {true, -12, 0}, 8), "1e-12 1e-10 1e-8 1e-6 1e-4 1e-2 1 ",
              "every second decade");
  check.equal(labels(check, {true, std::log10(2), std::log10(30)}, 8), "2 5 10 20 ",
              "parts of a decade");
  check.equal(labels(check, {true, std::log10(1.1), std::log10(1.9)}, 8), "1.2 1.4 1.6 1.8 ",
              "a part of one");
  const auto fits = [&](const Axis& axis, const std::vector<double>& values, double margin,
                        double low, double high) {
    const Scale found = fit(axis, values, margin);
    check.near(found.low, low, 1e-12, "the low end of a scale");  // a few roundings of 13
    check.near(found.high, high, 1e-12, "the high end of a scale");
  };
  fits({}, {3, 3, 3}, 0, 1.5, 4.5);
  fits({}, {nothing, infinity}, 0, 0, 1);
  fits({"", true}, {0, -5, 1e-3, 1e2}, 0, -3, 2);
  fits({"", false, 0.0, 2.0}, {0.5, 7}, 0.05, 0, 2);
  fits({}, {0, 10}, 0.1, 0, 11);  // a margin does not cross zero
  check.equal(number(0.1234) + number(-1234) + number(2.5e-13) + number(-infinity),
              "0.123-12302.5e-13-inf", "numbers");
  check.that(lines_of("one two three abcdefghij", 7) ==
                 std::vector<std::string>{"one two", "three", "abcdefg", "hij"},
             "lines break at spaces, and within long words");
}

// Empty if tags close in order, attributes are quoted, each & is an entity, and bytes are legal.
static std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = xml.find_first_of("<&"); i < xml.size();
       i = xml.find_first_of("<&", i + 1)) {
    const std::string piece = xml.substr(i, 6), tag = between(xml.substr(i), "<", ">");
    if (xml[i] == '&' && !piece.starts_with("&amp;") && !piece.starts_with("&lt;") &&
        !piece.starts_with("&gt;") && !piece.starts_with("&quot;"))
      return "entity " + piece;
    if (xml[i] == '&') continue;
    if (count(tag, "\"") != 2 * count(tag, "=\"") || has(tag, "<")) return "a tag: " + tag;
    if (tag[0] != '/' && tag.back() != '/') open.push_back(tag.substr(0, tag.find(' ')));
    if (tag[0] != '/') continue;
    if (open.empty() || open.back() != tag.substr(1)) return "closing " + tag;
    open.pop_back();
  }
  return printable(xml) != xml ? "a control character"
         : open.empty()        ? ""
                               : "unclosed " + open.back();
}

template <class Picture>
static void sound(Checks& check, const Picture& picture, const std::string& what) {
  check.equal(malformed(svg(picture)), "", what);
  if constexpr (requires { text(picture); })
    for (const int width : {20, 33, 100}) {
      std::istringstream lines(text(picture, width));
      for (std::string line; std::getline(lines, line);) {
        check.that(columns_of(line) <= std::size_t(width), what + " as text is too wide: " + line);
        check.equal(line, one_line(line), what + " as text");
      }
    }
}

static void odd_pictures(Checks& check) {
  const std::string strange = "<&>\"'\x01\xFF\xC3\xA9\x1B[1m " + std::string(90, 'w');
  for (const char* points :  // x y x y ..
       {"", "2 3", "1 5 2 5 3 5", "1 1 2 nan 3 inf 4 2", "nan 1 1 nan", "-1 1 0 1 1 -1 2 0",
        "-1 0 0 -2", "1e-300 1e300 1 1 1e300 1e-300", "-1.7e308 1.7e308 1.7e308 -1.7e308",
        "5e-324 5e-324 1e-323 2e-323", "1 1 2 1.000000000001", "1 -1e-200 2 -1.0001e-200",
        "1e15 -1e9 1000000000000001 -1000000000.00001"})
    for (const bool log : {false, true}) {
      Chart chart{
          strange, {strange, log}, {"y", log}, {{strange, {}, {}}}, {{"level", 3}, {"", nothing}}};
      const std::vector<double> all = figures(points);
      for (std::size_t k = 0; k + 1 < all.size(); k += 2) chart.series[0].add(all[k], all[k + 1]);
      sound(check, chart, std::string("a chart of ") + points);
      chart.series.resize(60, chart.series[0]);
      sound(check, chart, std::string("many lines of ") + points);
      Sheet sheet{strange, all.size(), 1, {{strange, all}, {"", all}}, log};
      sound(check, sheet, std::string("images of ") + points);
      sheet.y.names.resize(all.size(), strange);
      sheet.x.names = {strange};
      sound(check, sheet, std::string("images with names of ") + points);
    }
}

static Chart known(const Series& series) {
  return {"", {"", false, 0.0, 10.0}, {"", false, 0.0, 10.0}, {series}, {}};
}

static void charts(Checks& check) {
  const auto line = [](const std::string& picture) {
    return figures(between(picture, "points=\"", "\""));
  };
  const std::string picture = svg(known({"", {0, 5, 10}, {0, 2.5, 10}}));
  const std::vector<double> axes =
      figures(between(picture, "plot-axis\" d=\"", "\""));  // left top bottom right
  const double left = axes.at(0), top = axes.at(1), bottom = axes.at(2), right = axes.at(3),
               third = (right - left) / 3;
  places(check, line(picture),
         {left, bottom, (left + right) / 2, bottom - (bottom - top) / 4, right, top}, "a line");
  places(check, line(svg(known({"", {0, 10}, {-10, 20}}))),
         {left + third, bottom, right - third, top},
         "a clipped segment, which enters at (3.33, 0) and leaves at (6.67, 10)");
  const std::string gap = svg(known({"", {0, 1, 2, 3, 4, 5}, {1, 2, nothing, 4, infinity, 6}}));
  check.that(count(gap, "<polyline") == 1, "a line beside a gap");
  check.that(count(gap, "class=\"plot-dot") == 4, "points that stand alone");
  Series many;  // thinned, but a peak of one point survives
  for (int i = 0; i < 100000; ++i) many.add(i * 1e-4, i == 54321 ? 9 : 5 + 0.01 * (i % 7));
  const std::vector<double> thinned = line(svg(known(many)));
  double high = bottom;
  for (std::size_t k = 1; k < thinned.size(); k += 2) high = std::min(high, thinned[k]);
  check.near(high, bottom - 0.9 * (bottom - top), 0.011, "a peak");

  const std::string axis = between(picture, "plot-axis\" d", "/>");
  for (const char* part : {"data-x=\"0 10\"", "data-y=\"0 10\"", "data-frame=\""})
    check.that(has(axis, part), std::string("an axis says its ") + part);
  Chart logs = known({"", {1, 10}, {1, 10}});
  logs.x = {.log = true};
  logs.y = {"loss", true};
  check.that(count(svg(logs), "logarithmic)<") == 1 && has(svg(logs), ">logarithmic<"),
             "logarithmic axes say so in SVG");
  check.that(has(svg(logs), "data-log=\"xy\""), "and to the page");
  check.that(has(text(logs), "loss (logarithmic)"), "and in text");

  Chart two = known({});
  two.series = {
      {"up", {0, 10}, {0, 10}}, {"the same", {0, 10}, {0, 10}}, {"flat", {0, 10}, {5, 5}}};
  two.levels = {{"floor", 2}};
  const std::string page = text(two, 60), drawn = page.substr(0, page.find("a up"));
  check.that(has(page, "a up   b the same   c flat   A╌╌ floor (2)"), "a legend in letters");
  check.that(has(page, "A╌╌╌"), "a level in letters");
  for (const char* letter : {"a", "b"})
    check.that(count(drawn, letter) >= 12, "both of two lines that coincide can be seen");
  check.that(count(svg(two), "plot-line plot-halo") == 1, "a covered line shows around the other");
  check.that(has(text(Chart{}), "(no data)"), "no data is said in text");
  check.that(has(svg(Chart{}), "(no data)"), "no data is said in SVG");
  two.x.names = {"own", "large"};
  two.series[0].points = true;
  check.that(has(svg(two), ">own<"), "names in SVG");
  check.that(has(text(two), "large"), "names in text");
  check.that(count(svg(two), "<polyline") == 2, "points without a line");
}

// Names stand beside the ends of what they name: within the frame where lines end early, else
// beside it, as those of references do; none is nearer to another than a line's height.
static void names_at_ends(Checks& check) {
  Chart chart = known({});
  chart.series = {{"up", {0, 10}, {0, 10}}, {"early", {0, 5}, {0, 4}}, {"too", {0, 10}, {0, 9.9}}};
  chart.levels = {{"floor", 2}};
  const std::string drawn = svg(chart);
  const std::vector<double> axes = figures(between(drawn, "plot-axis\" d=\"", "\""));
  const double left = axes.at(0), right = axes.at(3);
  std::map<std::string, Spot> at;
  for (const char* words : {"up", "early", "too", "floor 2"}) {
    const std::size_t from = drawn.rfind("<text", drawn.find(std::string(">") + words + "</text>"));
    const std::string tag = drawn.substr(from, drawn.find('>', from) - from);
    at[words] = {std::atof(between(tag, "x=\"", "\"").c_str()),
                 std::atof(between(tag, "y=\"", "\"").c_str())};
  }
  check.near(at["early"].x, (left + right) / 2 + 7, 0.011, "a line that ends early");
  check.near(at["up"].x, right + 7, 0.011, "a line that ends at the frame");
  check.near(at["floor 2"].x, right + 7, 0.011, "a reference");
  check.that(right + 7 + width_of({"floor 2"}) <= svg_width, "the longest name has room");
  check.near(at["too"].y - at["up"].y, 19, 0.011, "two names at almost one place");
  check.near(at["floor 2"].y - at["early"].y, 50, 0.011, "two names apart: a fifth of 250");
}

static void cells_and_boxes(Checks& check) {
  Sheet map{"", 2, 2, {{"", {-1, 0, 0.5, infinity}}}, true};
  map.x.names = {"u", "v"};
  map.y.names = {"p", "q"};
  for (
      const char* part :  // blue, plum, nothing, on paper of any colour
      {"\"plot-shade plot-value\">\n<path opacity=\"0.5\" d=\"M0 1h1\"/>\n</g>\n",
       "\"plot-shade plot-minus\">\n<path opacity=\"1\" d=\"M0 0h1\"/>\n</g>\n</g></g>", ">q<",
       ">u<",
       "data-cells=\"2 2 34 34\" data-values=\"-1 0 0.5 inf\" data-rows=\"p|q\" data-cols=\"u|v\""})
    check.that(has(svg(map), part), std::string("named cells with ") + part);
  map.diverging = false;
  map.low = 0;
  check.that(!has(svg(map), "plot-shade plot-minus"), "no sign where none is told apart");
  Sheet sheet{"Two", 1, 2, {{"left", {0, 1}}, {"right", {0, 4}}}};
  const char* const full = "<path opacity=\"1\"";
  check.that(count(svg(sheet), full) == 2,
             "one scale for both: its darkest blue in an image and in the bar");
  sheet.own_scale = true;
  check.that(count(svg(sheet), full) == 2, "a scale for each: its darkest blue in both images");
  check.that(has(svg(sheet), "Colours: from"), "a scale for each is said");
  sheet.images.resize(10, {"", {0, 1}});  // two rows of 5, of 448 px with gaps of 12
  check.that(count(svg(sheet), "translate(108 ") == 2, "10 images");
  check.that(!has(svg(sheet), ">x</text>"), "no axes without limits");
  sheet.x = sheet.y = {.title = "x", .low = 0, .high = 1};
  sheet.images = {{"", {0, 1}, {{0, 0, "at 0", "", "w=1"}}}};
  for (const char* part : {">x</text>", "data-x=\"0 1\"", "data-sets=\"w=1\"", ">at 0</text>"})
    check.that(has(svg(sheet), part), std::string("a square with ") + part);
}

static void scenes(Checks& check) {
  for (const auto& [number, words] : {std::pair(0.5, ".5"),
                                      {-3.0, "−3"},
                                      {12.46, "12.5"},
                                      {-0.0612, "−.061"},
                                      {1e-9, "~0"},
                                      {0.0, "0"},
                                      {123.4, "123"}})
    check.equal(short_number(number), words, "a number in a cell");
  check.near(width_of_flow(-2, 4), 4.6, 1e-12, "half the largest flow");  // (1.2 + 8)/2
  check.near(width_of_flow(1, 0), 1.2, 0, "a flow where all are 0");
  Scene scene("Two & three");
  scene.grid({{20, 10}, {40, 30}, "", Fill::stored}, {{"a", "<b>"}, {"c", "d"}});
  scene.arrow({0, 0}, {100, 0}, {Tone::gradient, 10});  // a head of 18, nine to either side
  scene.valve({50, 50}, false);
  scene.valve({50, 90}, true);
  scene.pin({9, 9}, "1", false);
  scene.label({0, 0}, {{"x", {}}, {"<y>", {.tone = Tone::minus}}});
  scene.text_up({0, 0}, "up");
  scene.touch({0, 0}, {9, 9}, "z", "1", "b");
  scene.region({0, 0}, 240, -1, 1, [](double x, double) { return x; });
  scene.end(100);
  const std::string drawn = svg(scene);
  check.equal(malformed(drawn), "", "a scene");
  const std::string top = between(drawn, "class=\"plot-box\" x=\"20\" y=\"", "\"");
  const double y = std::atof(top.c_str()) - 10;
  for (const std::string& part :
       {std::string("width=\"80\" height=\"60\" rx=\"0\""), std::string(">&lt;b&gt;</text>"),
        markup("M100 @L82 @L82 @z", y, y + 9, y - 9), std::string("data-knobs=\"b\""),
        std::string("rotate(-90)"), std::string("stroke-dasharray")})
    check.that(has(drawn, part), "a scene with " + part);
  check.that(count(drawn, "plot-stroke plot-gate") == 3, "a shut valve in one piece, open in two");
  // Columns of 1/12: the first has the middle -.958, the second -.875, so both differ by a shade.
  check.that(has(drawn, "plot-minus\">\n<path opacity=\"0.8\" d=\"M0 0h1M0 1h1"),
             "the darkest plum is the first column");
  check.that(count(drawn, "<path opacity") == 16, "a path for each shade");
}

static void refusals(Checks& check) {
  const auto refused = [&](const auto& picture, const char* words) {
    check.throws<std::invalid_argument>([&] { svg(picture); }, words, words);
  };
  const auto limits = [](bool log, double low, double high) {
    return Chart{"", {}, {"", log, low, high}, {}, {}};
  };
  refused(known({"lame", {1, 2, 3}, {1, 2}}), "'lame' has 3 x but 2 y");
  refused(limits(false, 2, 1), "the y axis do not ascend");
  refused(limits(true, 0, 1), "the y axis, which is logarithmic, is not positive");
  Sheet sheet{"s", 2, 2, {{"tile", {1, 2, 3}}}};
  refused(sheet, "'tile' has 3 values for 2 x 2");
  sheet.y.names = {"a", "b", "c"};
  refused(sheet, "'s' has 3 names for 2");
  sheet.y = {.low = 2, .high = 1};
  refused(sheet, "the axes of 's' do not ascend");
  check.throws<std::invalid_argument>([] { text(Chart{}, 19); }, "at least 20", "a width");

  check.that(curve("f", 0, 1, 0.25, [](double x) { return x * x; }).y.back() == 1,
             "a curve ends at its end");
  check.that(line("l", std::vector{5, 6}, 10, 2).x == std::vector<double>{10, 12},
             "values over their steps");
}

static const Listed here("plot", {axes, odd_pictures, charts, names_at_ends, cells_and_boxes,
                                  scenes, refusals});

}  // namespace test_plot
