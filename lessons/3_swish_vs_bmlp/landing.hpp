// Lesson 3: a picture of losses that fall over the steps of a training, each as a ball that comes
// to rest on a floor, or goes through it.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include "common/frame/plot/scene.hpp"

namespace lesson3::land {

using plot::Scene, plot::short_number, plot::Spot, plot::Tone;

// Without a name a ball has no label: it rests where another does. The hint stands beside the fall.
struct Fall {
  std::string name;
  plot::Series losses;
  plot::Tone tone = plot::Tone::ink;
  std::string hint = {};
};

struct Floor {
  std::string name;
  double loss;
};

inline constexpr double left = 40, wide = 250, top = 44, tall = 250, label_height = 20;
inline constexpr double radius = 6;  // of a ball

// The losses from high to low, logarithmic, and the steps up to `last`.
struct Shaft {
  double high, low, last;

  Spot place(double step, double loss) const {
    const double share = std::log(high / std::clamp(loss, low, high)) / std::log(high / low);
    return {left + wide * step / last, top + tall * share};
  }
};

inline Shaft shaft_of(const std::vector<Fall>& falls, const std::vector<Floor>& floors) {
  Shaft shaft{0, HUGE_VAL, 1};
  for (const Fall& fall : falls) {
    for (const double loss : fall.losses.y) {
      shaft.high = std::max(shaft.high, loss);
      shaft.low = std::min(shaft.low, loss);
    }
    shaft.last = std::max(shaft.last, fall.losses.x.back());
  }
  for (const Floor& floor : floors) shaft.low = std::min(shaft.low, floor.loss);
  shaft.low = std::max(shaft.low, 1e-6);
  shaft.high = std::max(shaft.high, 2 * shaft.low);
  shaft.low /= std::pow(shaft.high / shaft.low, 0.13);  // room for a name below a floor
  return shaft;
}

inline void draw_axes(Scene& scene, const Shaft& shaft) {
  for (double power = 1e-6; power < 1e6; power *= 10)
    for (const double digit : {1, 2, 5})
      if (const double loss = digit * power; loss < shaft.high / 1.2 && loss > shaft.low * 1.05) {
        const double y = shaft.place(0, loss).y;
        scene.line({left - 4, y}, {left, y}, {.width = 1});
        scene.text({left - 8, y + 5}, short_number(loss), {.tone = Tone::soft, .anchor = "end"});
      }
  const double bottom = top + tall;
  scene.line({left, top}, {left, bottom}, {.width = 1});
  scene.text({left, bottom + 19}, "0", {.tone = Tone::soft});
  scene.text({left + wide, bottom + 19}, short_number(shaft.last), {.tone = Tone::soft});
  scene.text({left + wide / 2, bottom + 19}, "steps", {.tone = Tone::soft});
}

// A floor, and its name below it.
inline void draw_floor(Scene& scene, const Shaft& shaft, const Floor& floor) {
  const Spot at = shaft.place(0, floor.loss);
  scene.bar({at.x, at.y}, {wide + 14, 3}, Tone::soft, 0.55);
  scene.text({at.x + wide - 4, at.y + 22}, floor.name,
             {.tone = Tone::ink, .anchor = "end", .slant = true, .clear = true});
}

struct Ball {
  Spot at;
  const Fall* fall;
};

// Puts names at the heights of the balls, no two nearer than a line; a thin line leads to each.
inline void draw_names(Scene& scene, const std::vector<Ball>& balls) {
  std::vector<double> heights;
  for (const Ball& ball : balls) heights.push_back(ball.at.y);
  heights = plot::pushed_apart(heights, label_height, top, top + tall);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const auto& [at, fall] = balls[k];
    const Spot to{left + wide + 32, heights[k]};
    scene.line({at.x + radius, at.y}, {to.x - 4, to.y}, {fall->tone, 1});
    scene.text({to.x, to.y + 5}, fall->name,
               {.tone = fall->tone, .anchor = "start", .strong = true, .clear = true});
  }
}

// Writes a hint to the right of a curve, where it has made a third of its fall.
inline void draw_hint(Scene& scene, const plot::Path& path, const Fall& fall) {
  const double height = path[0].y + (path.back().y - path[0].y) / 3;
  const auto below = [&](Spot at) { return at.y > height; };
  const Spot at = *std::find_if(path.begin(), path.end(), below);
  scene.text({at.x + 12, at.y}, fall.hint, {.tone = fall.tone, .anchor = "start", .clear = true});
}

// `nets` says which networks these are.
inline Scene landing(const std::string& title, const std::string& nets, const std::string& measure,
                     const std::vector<Fall>& falls, const std::vector<Floor>& floors) {
  Scene scene(title);
  scene.text({16, 6}, nets, {.anchor = "start"});
  scene.text({16, 26}, measure, {.tone = Tone::soft, .anchor = "start"});
  const Shaft shaft = shaft_of(falls, floors);
  draw_axes(scene, shaft);
  for (const Floor& floor : floors) draw_floor(scene, shaft, floor);
  std::vector<Ball> balls;
  for (const Fall& fall : falls) {
    plot::Path path;
    for (std::size_t k = 0; k < fall.losses.x.size(); ++k)
      path.push_back(shaft.place(fall.losses.x[k], fall.losses.y[k]));
    scene.curve(path, {fall.tone, fall.tone == Tone::value ? 2.6 : 1.8});
    scene.dot(path.back(), radius, fall.tone);
    if (!fall.name.empty()) balls.push_back({path.back(), &fall});
    if (!fall.hint.empty()) draw_hint(scene, path, fall);
  }
  draw_names(scene, balls);
  scene.end(top + tall + 26);
  return scene;
}

}  // namespace lesson3::land
