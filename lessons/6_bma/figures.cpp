// The pictures of mechanisms.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/figures.hpp"

#include <algorithm>
#include <cmath>

#include "common/frame/text/words.hpp"

namespace lesson6 {

using plot::Fill, plot::Pen, plot::Scene, plot::short_number, plot::Spot, plot::Tone, plot::Type;

namespace {

constexpr Type aside{.tone = Tone::soft}, left_aside{.tone = Tone::soft, .anchor = "start"},
    named{.anchor = "start", .strong = true}, of_value{.tone = Tone::value, .strong = true};

// Return a number as it is written in a picture, with one decimal, with three.
std::string tenths(double number) { return short_number(std::round(10 * number) / 10); }
std::string thousandths(double number) {
  const std::string words = fixed(number, 3);
  return words.starts_with("0.") ? words.substr(1) : words;
}

// A number in a round cell with its middle at `at`.
void draw_value(Scene& scene, Spot at, double number, double width = 56) {
  scene.cell({.corner = {at.x - width / 2, at.y - 17},
              .size = {width, 34},
              .words = short_number(number),
              .fill = Fill::value,
              .round = 9,
              .type = {.strong = true}});
}

}  // namespace

// ------------------------------------------------------------------------------------ two tokens

Scene asks_of(const TwoTokens& two) {
  constexpr double left = 130, right = 350, token = 46, offer = 150, mixture = 276;
  Scene scene("Token 2 asks, and mixes two offers");
  scene.text({left, token - 26}, "token 1", aside);
  scene.text({right, token - 26}, "token 2 asks", {.strong = true});
  scene.arrow({right - 30, token}, {left + 32, token}, {Tone::value, 1.5});
  scene.chip({(left + right) / 2, token}, join("score ", tenths(two.scores[0])),
             {.tone = Tone::value});
  scene.turn({right + 30, token - 6}, {right + 84, token}, {right + 32, token + 8},
             {Tone::value, 1.5});
  scene.text({right + 74, token + 30}, join("score ", tenths(two.scores[1])),
             {.tone = Tone::value});
  for (std::size_t k = 0; k < 2; ++k) {
    const double x = k == 0 ? left : right;
    draw_value(scene, {x, token}, two.tokens[k]);
    scene.arrow({x, token + 19}, {x, offer - 19}, {});
    scene.chip({x, (token + offer) / 2 + 8}, "offers", aside);
    draw_value(scene, {x, offer}, two.offers[k]);
    const double weight = two.weights[k];
    const Spot to{k == 0 ? right - 34 : right, k == 0 ? mixture - 4 : mixture - 19};
    const double thick = 1.2 + 10 * weight;
    scene.arrow({x + (k == 0 ? 20 : 0), offer + 19 + thick / 2}, to, {Tone::value, thick});
    const Spot middle{(x + to.x) / 2, (offer + 19 + to.y) / 2 - 6};
    scene.chip(middle, short_number(weight), of_value);
  }
  const double middle = (left + right) / 2, softmax = (token + offer) / 2 + 12;
  scene.text({middle, softmax - 10}, "softmax makes", of_value);
  scene.text({middle, softmax + 10},
             join("them ", short_number(two.weights[0]), " and ", short_number(two.weights[1])),
             of_value);
  draw_value(scene, {right, mixture}, two.mixture);
  scene.text({right, mixture + 40},
             join("it gets ", short_number(two.weights[0]), "·", short_number(two.offers[0]), " + ",
                  short_number(two.weights[1]), "·", short_number(two.offers[1])),
             {.tone = Tone::value});
  scene.end(mixture + 46);
  return scene;
}

// ------------------------------------------------------------------------------- a head's weights

Scene head_of(const Matrix<double>& A, std::size_t window) {
  const double side = 50, left = 44, top = 30;
  const std::size_t n = A.rows();
  Scene scene("Each row of weights sums to 1");
  const double bottom = top + side * double(n);
  scene.band({left, bottom - side}, {side * double(n), side}, Tone::value);
  for (std::size_t i = 0; i < n; ++i) {
    const double y = top + side * double(i);
    scene.text({left - 12, y + side / 2 + 5}, join(i), aside);
    scene.text({left + side * (double(i) + 0.5), bottom + 20}, join(i), aside);
    for (std::size_t j = i + 1 - std::min(i + 1, window); j <= i; ++j) {
      const double x = left + side * double(j);
      scene.bar({x + 1, y + 1}, {side - 2, side - 2}, Tone::value, 0.55 * A(i, j));
      scene.frame({x, y}, {side, side}, {.width = 1});
      scene.text({x + side / 2, y + side / 2 + 5}, short_number(std::round(100 * A(i, j)) / 100));
    }
  }
  scene.text({left + side * double(n) - 4, top - 10}, "row: the token that reads",
             {.tone = Tone::soft, .anchor = "end"});
  scene.text({left + side * double(n) / 2, bottom + 42}, "column: the token that is read", aside);
  scene.end(bottom + 48);
  return scene;
}

// -------------------------------------------------------------------------------------- a stencil

namespace {

constexpr double cell_side = 56, cells_left = 16;

// A bar from the middle of its cell, up for plus, and the number at its end.
void draw_bar(Scene& scene, Spot corner, double height, double number, double most) {
  const double middle = corner.y + height / 2, room = height / 2 - 18;
  const double tall = std::abs(number) / most * room;
  const bool minus = number <= -0.05, none = std::abs(number) < 0.05;
  const Tone tone = none ? Tone::soft : minus ? Tone::minus : Tone::value;
  if (!none)
    scene.bar({corner.x + 12, minus ? middle : middle - tall}, {cell_side - 24, tall}, tone, 0.75);
  scene.text({corner.x + cell_side / 2, minus ? middle + tall + 15 : middle - tall - 4},
             tenths(number), {.tone = tone});
}

// A hole is named by what it does; the rest of the stencil is grey.
void draw_hole(Scene& scene, Spot corner, double height, bool open) {
  const Spot at{corner.x + 4, corner.y + 4}, size{cell_side - 8, height - 8};
  scene.cell({.corner = at,
              .size = size,
              .words = open ? "open" : "shut",
              .fill = open ? Fill::gate : Fill::stored,
              .round = 6,
              .type = {.tone = open ? Tone::gate : Tone::soft}});
}

}  // namespace

Scene stencil_of(const std::string& title, const std::vector<Strip>& strips) {
  Scene scene(title);
  double most = 0, y = 6;
  for (const Strip& strip : strips)
    for (const double number : strip.values) most = std::max(most, std::abs(number));
  for (const Strip& strip : strips) {
    const double tall = strip.is_mask ? 38 : 88;
    const bool falls =
        strip.is_mask || *std::min_element(strip.values.begin(), strip.values.end()) <= -0.05;
    const double wide = cell_side * double(strip.values.size());
    scene.label({cells_left, y + 8}, {{strip.name, {.strong = true}}, {strip.about, aside}});
    y += strip.is_mask ? 14 : 12;
    if (!strip.is_mask)
      scene.line({cells_left, y + tall / 2}, {cells_left + wide, y + tall / 2}, {.width = 1});
    for (std::size_t k = 0; k < strip.values.size(); ++k) {
      const Spot corner{cells_left + cell_side * double(k), y};
      if (strip.is_mask) draw_hole(scene, corner, tall, strip.values[k] > 0);
      else draw_bar(scene, corner, tall, strip.values[k], most);
    }
    y += (falls ? tall : tall / 2 + 8) + 14;
  }
  scene.end(y - 14);
  return scene;
}

// ---------------------------------------------------------------------------------------- streams

Scene stream_of(const std::string& title, const std::vector<Stream>& streams) {
  Scene scene(title);
  double most = 0, y = 8;
  for (const Stream& one : streams) most = std::max({most, one.token, one.added});
  constexpr double left = 16, longest = 250, thick = 22;
  scene.text({left, y}, "size (root mean square) of a token, and of what", left_aside);
  scene.text({left, y + 20}, "attention adds to it, with the weights not yet trained", left_aside);
  y += 36;
  const auto bar = [&](double top, double size, const std::string& words, Tone tone) {
    const double length = std::max(1.2, longest * size / most);
    scene.bar({left, top}, {length, thick}, tone, 0.8);
    scene.text({left + length + 8, top + thick / 2 + 5}, words + " " + thousandths(size),
               {.tone = tone, .anchor = "start"});
  };
  for (const Stream& one : streams) {
    scene.text({left, y + 14}, one.name, named);
    bar(y + 24, one.token, "the token", Tone::soft);
    bar(y + 24 + thick + 2, one.added, "attention adds", Tone::value);
    y += 2 * thick + 46;
  }
  scene.end(y - 4);
  return scene;
}

// ------------------------------------------------------------------------------------------ pairs

namespace {

// A dot for each number at its place on the level line, moved off it where dots would meet.
void draw_dots(Scene& scene, std::vector<Spot> dots, Tone tone) {
  constexpr double radius = 4.5, line = 2 * radius + 1;
  std::sort(dots.begin(), dots.end(), [](Spot a, Spot b) { return a.x < b.x; });
  for (std::size_t k = 0; k < dots.size(); ++k) {
    const double level = dots[k].y;
    const auto meets = [&](Spot other) {
      return std::hypot(other.x - dots[k].x, other.y - dots[k].y) < line;
    };
    for (int off = 1; std::any_of(&dots[0], &dots[k], meets); ++off)
      dots[k].y = level + line * (off % 2 == 0 ? off / 2 : -(off / 2 + 1));
    scene.dot(dots[k], radius, tone);
  }
}

}  // namespace

Scene pairs_of(const std::string& title, const std::vector<Pairs>& rows) {
  constexpr double left = 30, right = 450, top = 26, tall = 118;
  Scene scene(title);
  double low = 0, high = 0;
  for (const Pairs& row : rows) {
    const auto [least, largest] =
        std::minmax_element(row.differences.begin(), row.differences.end());
    low = std::min(low, *least);
    high = std::max(high, *largest);
  }
  const auto place = [&](double difference) {
    return left + (right - left) * (difference - low) / (high - low);
  };
  const double bottom = top + tall * double(rows.size());
  scene.text({left - 14, 6}, "a dot: the difference of two runs from one start", left_aside);
  scene.line({place(0), top - 16}, {place(0), bottom}, {.tone = Tone::ink, .width = 1});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Pairs& row = rows[r];
    const double y = top + tall * double(r), level = y + 58;
    const auto ahead = std::count_if(row.differences.begin(), row.differences.end(),
                                     [](double difference) { return difference < 0; });
    scene.label({left - 14, y + 12},
                {{row.name, {.tone = row.tone, .strong = true}},
                 {join(" ahead in ", ahead, " of ", row.differences.size(), " pairs"), aside}});
    std::vector<Spot> dots;
    double mean = 0;
    for (const double difference : row.differences) {
      dots.push_back({place(difference), level});
      mean += difference / double(row.differences.size());
    }
    draw_dots(scene, dots, row.tone);
    scene.line({place(mean), level - 26}, {place(mean), level + 26}, {row.tone, 2.5});
    scene.text({place(mean), level + 43}, join("mean ", short_number(std::round(mean))),
               {.tone = row.tone});
  }
  scene.text({place(0), bottom + 20}, "0", {});
  scene.text({place(0) - 12, bottom + 20}, "← first one's loss is lower, thousandths of a nat",
             {.tone = Tone::soft, .anchor = "end"});
  scene.end(bottom + 26);
  return scene;
}

// ----------------------------------------------------------------------------------------- a sink

Scene sink_of(const Matrix<double>& A, const std::vector<bool>& triggers) {
  constexpr double left = 72, top = 62;
  const std::size_t n = A.rows();
  const double side = std::floor((480 - left - 16) / double(n));
  Scene scene("Silent tokens look at the first token");
  scene.text({16, 6}, "a row: how a token spreads its attention, darker is more", left_aside);
  scene.text({left, top - 12}, "columns: the tokens that are read", left_aside);
  bool said[2] = {false, false};  // of a silent row, of a trigger's
  for (std::size_t i = 0; i < n; ++i) {
    const double y = top + side * double(i);
    const bool speaks = i > 0 && triggers[i - 1];
    const std::string name = i == 0 ? "first" : speaks ? "trigger" : "silent";
    scene.text({left - 6, y + side / 2 + 5}, name,
               {.tone = speaks ? Tone::ink : Tone::soft, .anchor = "end"});
    for (std::size_t j = 0; j <= i; ++j) {
      const Spot at{left + side * double(j), y};
      if (A(i, j) > 0.01) scene.bar(at, {side, side}, Tone::value, 0.25 + 0.75 * A(i, j));
      scene.frame(at, {side, side}, {.width = 0.25});
    }
    if (i < 2 || said[speaks]) continue;
    said[speaks] = true;
    scene.text({left + side * double(i + 1) + 10, y + side / 2 + 5},
               speaks ? "all but the first, evenly" : "all weight on the first",
               {.anchor = "start", .slant = true});
  }
  const double bottom = top + side * double(n);
  scene.text({16, bottom + 24}, "A trigger shall give the mean up to its own place,", left_aside);
  scene.text({16, bottom + 44}, "a silent token 0: the first token's value is 0.", left_aside);
  scene.end(bottom + 50);
  return scene;
}

// ----------------------------------------------------------------------------------------- curves

Scene curves_of(const std::string& title, const std::string& contenders,
                const std::vector<Curve>& curves) {
  constexpr double left = 44, right = 330, top = 44, tall = 240;
  Scene scene(title);
  double first = HUGE_VAL, last = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
  for (const Curve& curve : curves) {
    const auto [from, to] = std::minmax_element(curve.steps.begin(), curve.steps.end());
    const auto [least, largest] = std::minmax_element(curve.losses.begin(), curve.losses.end());
    first = std::min(first, *from);
    last = std::max(last, *to);
    low = std::min(low, *least);
    high = std::max(high, *largest);
  }
  first = 50 * std::floor(first / 50);
  last = 100 * std::ceil(last / 100);
  low = std::floor(10 * low) / 10;
  const auto place = [&](double step, double loss) {
    return Spot{left + (right - left) * (step - first) / (last - first),
                top + tall * (high - loss) / (high - low)};
  };
  for (double loss = std::ceil(10 * low) / 10; loss <= high; loss += 0.1) {
    const Spot at = place(first, loss);
    scene.line({left, at.y}, {right, at.y}, {.width = 0.25});
    scene.text({left - 6, at.y + 5}, fixed(loss, 1), {.tone = Tone::soft, .anchor = "end"});
  }
  scene.text({left, top + tall + 22}, join(first), aside);
  for (double step = 100; step <= last; step += 100)
    scene.text({place(step, low).x, top + tall + 22}, join(step), aside);
  std::vector<double> ends;
  for (const Curve& curve : curves)
    ends.push_back(place(curve.steps.back(), curve.losses.back()).y);
  ends = plot::pushed_apart(ends, 19, top, top + tall);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    plot::Path path;
    for (std::size_t k = 0; k < curve.steps.size(); ++k)
      path.push_back(place(curve.steps[k], curve.losses[k]));
    scene.curve(path, {curve.tone, curve.width});
    scene.text({right + 8, ends[c] + 5}, curve.name,
               {.tone = curve.tone, .anchor = "start", .strong = true});
  }
  scene.text({right, top + tall + 44}, "steps", {.tone = Tone::soft, .anchor = "end"});
  scene.text({16, 6}, contenders, {.anchor = "start"});
  scene.text({16, 27}, "training loss, nats per symbol", left_aside);
  scene.end(top + tall + 48);
  return scene;
}

}  // namespace lesson6
