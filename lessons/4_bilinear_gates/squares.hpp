// Lesson 4: pictures of products over the square whose corners are the pairs of bits.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/frame/plot/scene.hpp"
#include "lessons/4_bilinear_gates/forms.hpp"

namespace lesson4 {

using Height = std::function<double(double x, double y)>;

// The square [low, high]² as a map; y grows upwards.
struct Square {
  plot::Spot corner;  // the upper left one, on paper
  double side, low = -0.5, high = 1.5;

  plot::Spot at(double x, double y) const {
    const double scale = side / (high - low);
    return {corner.x + scale * (x - low), corner.y + scale * (high - y)};
  }
};

// Returns the ends of the line on which a factor is 0, within [low, high]², if it crosses that.
inline std::optional<std::pair<plot::Spot, plot::Spot>> zero_line(const Factor& f, double low,
                                                                  double high) {
  const plot::Spot ring[] = {{low, low}, {high, low}, {high, high}, {low, high}, {low, low}};
  std::vector<plot::Spot> ends;
  for (int k = 0; k < 4; ++k) {
    const auto [x, y] = ring[k];
    const auto [next_x, next_y] = ring[k + 1];
    const double here = f.at(x, y), next = f.at(next_x, next_y);
    if ((here < 0) == (next < 0)) continue;
    const double share = here / (here - next);
    ends.push_back({x + share * (next_x - x), y + share * (next_y - y)});
  }
  if (ends.size() != 2) return {};
  return std::pair{ends[0], ends[1]};
}

// Returns the part of a polygon where a line is not above 0 (Sutherland and Hodgman 1974).
inline plot::Path where_off(const plot::Path& polygon, const Factor& line) {
  plot::Path kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const plot::Spot &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
    const double here = line.at(from.x, from.y), next = line.at(to.x, to.y);
    if (here <= 0) kept.push_back(from);
    if ((here <= 0) == (next <= 0)) continue;
    const double share = here / (here - next);
    kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
  return kept;
}

inline bool same_line(const Factor& w, const Factor& v) {
  return w.x * v.y == w.y * v.x && w.x * v.one == w.one * v.x && w.y * v.one == w.one * v.y;
}

// Draws the lines on which a product is 0: two, side by side where they coincide. Their round ends
// stay within the square.
inline void draw_zero_lines(plot::Scene& scene, const Square& square, const Factor& w,
                            const Factor& v, double width = 2.2) {
  const double apart = same_line(w, v) ? 0.9 * width : 0;
  for (const auto& [factor, side] : {std::pair{w, -apart}, {v, apart}}) {
    const auto ends = zero_line(factor, square.low, square.high);
    if (!ends) continue;
    const plot::Spot from = square.at(ends->first.x, ends->first.y),
                     to = square.at(ends->second.x, ends->second.y);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length == 0) continue;
    const double dx = side * (from.y - to.y) / length, dy = side * (to.x - from.x) / length;
    const double cut = (std::abs(side) + width / 2) / length;
    const double cut_x = cut * (to.x - from.x), cut_y = cut * (to.y - from.y);
    scene.line({from.x + dx + cut_x, from.y + dy + cut_y}, {to.x + dx - cut_x, to.y + dy - cut_y},
               {plot::Tone::ink, width});
  }
}

// Writes the sign of f along the map's rim, where f is clear of 0.
inline void draw_signs(plot::Scene& scene, const Square& square, const Height& f) {
  const double low = square.low + 0.16, high = square.high - 0.16;
  for (const auto& [x, y] : {std::pair{low, low},
                             {0.5, low},
                             {high, low},
                             {high, 0.5},
                             {high, high},
                             {0.5, high},
                             {low, high},
                             {low, 0.5}}) {
    const double height = f(x, y);
    if (std::abs(height) < 0.12) continue;
    const plot::Spot at = square.at(x, y);
    scene.text({at.x, at.y + 5}, height > 0 ? "+" : "−",
               {.tone = height > 0 ? plot::Tone::value : plot::Tone::minus,
                .strong = true,
                .clear = true});
  }
}

// A surface over the square, turned by 28 degrees; 373 wide at scale 1.
struct View {
  plot::Spot middle;
  double scale = 1;

  static constexpr double low = -0.15, high = 1.15, turned = 0.49;

  static double back(double x, double y) {
    return (x - 0.5) * std::sin(turned) + (y - 0.5) * std::cos(turned);
  }
  plot::Spot seen(double x, double y, double height) const {
    const double right = (x - 0.5) * std::cos(turned) - (y - 0.5) * std::sin(turned);
    return {middle.x + scale * 212 * right,
            middle.y - scale * (127 * back(x, y) + 76 * std::clamp(height, -1.3, 1.3))};
  }
};

inline void draw_surface(plot::Scene& scene, const View& view, const Height& f) {
  constexpr int parts = 11;
  const auto at = [](int k) { return View::low + (View::high - View::low) * k / parts; };
  std::vector<std::pair<double, std::pair<int, int>>> far_first;
  for (int i = 0; i < parts; ++i)
    for (int j = 0; j < parts; ++j) far_first.push_back({-View::back(at(i), at(j)), {i, j}});
  std::sort(far_first.begin(), far_first.end());
  for (const auto& [back, place] : far_first) {
    const double x0 = at(place.first), x1 = at(place.first + 1);
    const double y0 = at(place.second), y1 = at(place.second + 1);
    const auto corner = [&](double x, double y) { return view.seen(x, y, f(x, y)); };
    scene.facet({corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)},
                f((x0 + x1) / 2, (y0 + y1) / 2) / 1.3);
  }
}

// Draws the square itself, from which the surface rises and falls.
inline void draw_ground(plot::Scene& scene, const View& view) {
  scene.curve({view.seen(0, 0, 0), view.seen(1, 0, 0), view.seen(1, 1, 0), view.seen(0, 1, 0),
               view.seen(0, 0, 0)},
              {.width = 1, .dashed = true});
}

}  // namespace lesson4
