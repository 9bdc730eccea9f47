// Lesson 1's first picture: networks that differ in the size of their weights alone, each a strip
// with a cell for each layer.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/frame/plot/scene.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

inline constexpr double strips_apart = 1.3;  // the ratio of neighbouring variances

struct Strip {
  double factor;                // by how much its weights are larger than the middle one's
  std::vector<double> moments;  // E[h²], layer by layer

  bool burns() const { return !(moments.back() < 1e3); }
  bool fades() const { return moments.back() <= 1e-3; }
};

// Returns seven strips, the largest weights first; variance is the middle one's rule.
template <class VarianceRule>
std::vector<Strip> seven_strips(const std::vector<Matrix<double>>& unit, const Activation& phi,
                                const Matrix<double>& X, const VarianceRule& variance) {
  std::vector<Strip> strips;
  for (int k = 3; k >= -3; --k) {
    const double factor = std::pow(strips_apart, k);
    Strip strip{std::sqrt(factor), {mean_square(X)}};
    Matrix<double> H = X;
    for (const Matrix<double>& W : unit) {
      const double of_middle = std::sqrt(variance(double(W.rows()), double(W.cols())));
      H = map_entries(strip.factor * of_middle * matmul(H, W), phi.value);
      strip.moments.push_back(mean_square(H));
    }
    strips.push_back(strip);
  }
  return strips;
}

// Returns "Three grow, one stays, three fade".
inline std::string fates_of(const std::vector<Strip>& strips) {
  constexpr const char* numbers[] = {"no", "one", "two", "three", "four", "five", "six", "seven"};
  std::string all;
  const auto add = [&](long count, const char* one, const char* many) {
    if (count == 0) return;
    all += join(all.empty() ? "" : ", ", numbers[count], " ", count == 1 ? one : many);
  };
  const auto count = [&](auto is) { return std::count_if(strips.begin(), strips.end(), is); };
  const long burnt = count([](const Strip& strip) { return strip.burns(); });
  const long faded = count([](const Strip& strip) { return strip.fades(); });
  add(burnt, "grows", "grow");
  add(long(strips.size()) - burnt - faded, "stays", "stay");
  add(faded, "fades", "fade");
  all[0] = char(all[0] - 'a' + 'A');
  return all;
}

// Returns 2e16, 7.4, .15 or .092.
inline std::string short_moment(double moment) {
  if (moment < 1e3 && moment >= 0.00995) return plot::short_number(moment);
  return std::isfinite(moment) ? plot::decimal(moment, true, 1) : "lost";
}

inline plot::Scene picture_of(const std::vector<Strip>& strips) {
  using plot::Tone;
  constexpr double left = 72, right = 410, tall = 24, apart = 31, top = 30;
  constexpr plot::Type soft{.tone = Tone::soft}, soft_end{.tone = Tone::soft, .anchor = "end"};
  plot::Scene scene(fates_of(strips));
  scene.text({16, 16}, "weights", {.tone = Tone::soft, .anchor = "start"});
  scene.text({(left + right) / 2, 16}, "mean square, layer by layer", soft);
  scene.text({470, 16}, "ends at", soft_end);
  const std::size_t layers = strips[0].moments.size() - 1;
  const double wide = (right - left) / double(layers);
  for (std::size_t k = 0; k < strips.size(); ++k) {
    const Strip& strip = strips[k];
    const double y = top + apart * double(k), foot = y + tall / 2 + 5.3;
    const bool is_middle = k == strips.size() / 2;
    for (std::size_t l = 1; l <= layers; ++l) {
      // Mean squares from 1e-6 to 1e6 have eight shades; above, a cell is burnt.
      const double shade = std::round(8 * (0.5 + std::log10(strip.moments[l]) / 12));
      const plot::Spot corner{left + wide * double(l - 1), y};
      const plot::Spot size{wide * 0.85, tall};
      if (!(shade <= 8)) scene.bar(corner, size, Tone::ink);
      else if (shade > 0) scene.bar(corner, size, Tone::value, shade / 9);
    }
    scene.frame({left - 2, y - 2}, {right - left + 3, tall + 4},
                {is_middle ? Tone::ink : Tone::soft, is_middle ? 2.2 : 0.6}, 3);
    scene.text({left - 8, foot}, "× " + plot::short_number(strip.factor),
               {.anchor = "end", .strong = is_middle});
    scene.text({470, foot}, short_moment(strip.moments.back()),
               {.tone = Tone::value, .anchor = "end", .strong = is_middle});
  }
  const double below = top + apart * double(strips.size()) + 12;
  scene.text({left, below}, "layer 1", {.tone = Tone::soft, .anchor = "start"});
  scene.text({right, below}, join("layer ", layers), soft_end);
  scene.text({left, below + 24}, "stronger: larger; solid: over 1e6; empty: under 1e-6",
             {.tone = Tone::soft, .anchor = "start"});
  scene.end(below + 30);
  return scene;
}

}  // namespace lesson1
