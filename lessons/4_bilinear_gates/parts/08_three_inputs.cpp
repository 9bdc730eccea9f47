// Part 8: which functions of three bits are quadratics, and which one unit.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p8 {

constexpr knob::Numbers table{"table",
                              "0 or 1 at 000, 100, 010, 110, 001, 101, 011, 111",
                              {0, 1, 1, 0, 1, 0, 0, 1},
                              {0, 1, 1}};

constexpr std::size_t choice = 0b10101100;  // if z then x else y

// Returns the nearest quadratic's values. The eight products of signs, one for each subset of the
// axes, are orthogonal, and seven are quadratic: each gets its share, Σ f·product/8.
static std::array<double, 8> best_quadratic(std::size_t function) {
  std::array<double, 8> values{};
  const auto product = [](std::size_t subset, std::size_t corner) {
    return std::popcount(subset & corner) % 2 == 0 ? 1.0 : -1.0;
  };
  for (std::size_t subset = 0; subset < 7; ++subset) {  // 7 is all three axes: cubic
    double share = 0;
    for (std::size_t i = 0; i < 8; ++i) share += output_bit(function, i) * product(subset, i) / 8;
    for (std::size_t i = 0; i < 8; ++i) values[i] += share * product(subset, i);
  }
  return values;
}

// Returns what exchanging and negating inputs makes of a function.
static std::set<std::size_t> variants(std::size_t function) {
  std::set<std::size_t> all;
  std::array<std::size_t, 3> axes{0, 1, 2};
  do {
    for (std::size_t negated = 0; negated < 8; ++negated) {
      std::size_t variant = 0;
      for (std::size_t corner = 0; corner < 8; ++corner) {
        std::size_t from = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          from |= ((corner ^ negated) >> axes[axis] & 1) << axis;
        variant |= (function >> from & 1) << corner;
      }
      all.insert(variant);
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
  return all;
}

static void all_functions(Lesson& lesson) {
  int exact = 0, rounded = 0;
  double caught = 0;              // R², added up
  std::set<std::size_t> not_one;  // quadratics that are not one unit
  double off = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    const std::array<double, 8> nearest = best_quadratic(f);
    const double kappa = cubic_coefficient(f);
    for (std::size_t i = 0; i < 8; ++i)
      off = std::max(off, std::abs(std::abs(nearest[i] - output_bit(f, i)) - std::abs(kappa) / 8));
    exact += kappa == 0;
    const double ones = double(std::popcount(f)) / 8, variance = ones * (1 - ones);
    if (variance > 0) caught += 1 - kappa * kappa / 64 / variance;
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i)
      right = right && (nearest[i] > 0.5) == (output_bit(f, i) > 0.5);
    rounded += right;
    if (kappa == 0 && !one_unit_does(f)) not_one.insert(f);
  }
  const int one = exact - int(not_one.size());
  lesson.predict("How many of the 256 functions of three bits are quadratics?", 70, {});
  const auto whole = double(whole_units(3).size());
  lesson.say("Where does one layer end? Of the 256 functions of three bits ", exact,
             " are quadratics. One unit is ", one, " of them, or ", whole,
             " if all its numbers are to be whole.");
  lesson.claim("quadratics: 8 over 4", exact, exactly(70));
  lesson.claim("right if the best quadratic's answers are rounded at 1/2", rounded, exactly(254));
  lesson.claim("R² of the best quadratic, mean over the 254 that are not constant", caught / 254,
               within(0.857, 5e-4));  // three digits
  lesson.claim("of these one unit, with one factor of -1, 0 and 1", one, exactly(46));
  lesson.claim("... with both factors of whole numbers from -3 to 3", whole, exactly(30));
  lesson.claim("the other 24: if z then x else y, its inputs exchanged or negated",
               not_one == variants(choice));
  lesson.claim_same("the best quadratic misses every corner by |κ|/8", off);  // eighths
}

// The unit (z + ε·y)·(x + (1 - z)/ε) is off by ε·x·y.
static void near_choice(Lesson& lesson) {
  constexpr double epsilon = 0x1p-10;  // a power of 2: nothing is rounded
  double off = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const double x = input_bit(i, 0), y = input_bit(i, 1), z = input_bit(i, 2);
    const double unit = (z + epsilon * y) * (x + (1 - z) / epsilon);
    off = std::max(off, std::abs(unit - output_bit(choice, i)));
  }
  lesson.claim("one unit as near to that as you like: off by, over ε", off / epsilon, exactly(1));
}

// Two layers: first (x - y)² and z·1, then the square of their difference.
static void parity(Lesson& lesson) {
  ProductLayer<double> layer({3, 2});
  layer.W = {{1, 0}, {-1, 0}, {0, 1}};
  layer.V = {{1, 0}, {-1, 0}, {0, 0}};
  layer.c = {{0, 1}};
  const ProductLayer<double> behind = unit_of({1, -1, 0}, {1, -1, 0});
  double off = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Matrix<double> x{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2)}};
    const double said = output(behind, output(layer, x))(0, 0), wanted = parity_sign(i) > 0;
    off = std::max(off, std::abs(said - wanted));
  }
  lesson.claim_same("odd parity by two layers, ((x - y)² - z)²", off);
}

// Where a corner of the cube is drawn: x to the right, y up, z away.
static plot::Spot place_of(std::size_t corner) {
  const double z = input_bit(corner, 2);
  return {44 + 176 * input_bit(corner, 0) + 88 * z, 306 - 170 * input_bit(corner, 1) - 60 * z};
}

static void draw_edges(plot::Scene& scene) {
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const std::size_t other = i | std::size_t(1) << axis; other != i)
        scene.line(place_of(i), place_of(other), {.width = 1.3});
}

// Writes how many corners of one kind are 1, as blocks one upon the other.
static void draw_pile(plot::Scene& scene, double left, int count, plot::Tone tone,
                      const std::string& name, const std::string& of_one) {
  for (int k = 0; k < count; ++k)
    scene.cell({.corner = {left, 244 - 36.0 * k},
                .size = {52, 32},
                .words = of_one,
                .fill = tone == plot::Tone::value ? plot::Fill::value : plot::Fill::minus,
                .round = 4,
                .type = {tone, "middle", true}});
  scene.line({left, 280}, {left + 52, 280}, {plot::Tone::ink, 2.2});
  scene.text({left + 26, 300}, name, {tone});
}

// The function on a cube: κ is the ones at odd corners less those at even ones.
static plot::Scene cube(const std::vector<double>& bits, const std::array<double, 8>& nearest,
                        double kappa) {
  const std::string words = text_of(kappa);
  plot::Scene scene(kappa == 0 ? "κ = 0: odd and even corners balance"
                               : join("κ = ", words, ": no quadratic is this function"));
  draw_edges(scene);
  int odd = 0, even = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const bool is_odd = parity_sign(i) > 0;
    (is_odd ? odd : even) += bits[i] == 1;
    const plot::Spot at = place_of(i);
    std::vector<double> turned = bits;
    turned[i] = 1 - bits[i];
    std::string sets;
    for (const double bit : turned) sets += (sets.empty() ? "table=" : ",") + text_of(bit);
    scene.band({at.x - 20, at.y - 16}, {40, 32}, is_odd ? plot::Tone::value : plot::Tone::minus,
               16);
    scene.grip(at, {.name = text_of(bits[i]), .sets = sets});
    const std::string corner = join(input_bit(i, 0), input_bit(i, 1), input_bit(i, 2));
    const double off = input_bit(i, 1) == 1 ? -23 : 33;  // clear of the upright edges
    scene.label(
        {at.x, at.y + off},
        {{corner, {.tone = plot::Tone::soft, .clear = true}},
         {" (" + plot::short_number(nearest[i] + 0.0) + ")", {.slant = true, .clear = true}}},
        "middle");
  }
  const plot::Type soft{.tone = plot::Tone::soft, .anchor = "start"};
  scene.text({16, 6}, "κ: ones at odd corners (blue) less ones at even ones;", soft);
  scene.text({16, 27}, "a quadratic always has κ = 0", soft);
  draw_pile(scene, 346, odd, plot::Tone::value, "odd", "+1");
  draw_pile(scene, 410, even, plot::Tone::minus, "even", "−1");
  scene.text({404, 328}, "κ = " + words, {.strong = true});
  scene.text({16, 372}, "in brackets: the nearest quadratic",
             {.tone = plot::Tone::soft, .anchor = "start", .slant = true});
  scene.end(378);
  return scene;
}

static void one_function(Lesson& lesson, const knob::Settings& at) {
  const std::vector<double> bits = at[table];
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i) function |= std::size_t(bits[i] >= 0.5) << i;
  const std::array<double, 8> nearest = best_quadratic(function);
  const double kappa = cubic_coefficient(function);
  lesson.figure("cube", cube(bits, nearest, kappa));
  std::string kind = "it is a quadratic, but the search found no unit for it.";
  if (kappa != 0)
    kind = join("the best quadratic misses every corner by ", std::abs(kappa) / 8, ".");
  else if (one_unit_does(function)) kind = "one unit does it.";
  lesson.note("The function that you chose has κ = ", kappa, ": ", kind);
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  all_functions(lesson);
  near_choice(lesson);
  parity(lesson);
  one_function(lesson, at);
}

}  // namespace lesson4::p8

const Part<lesson4::Session> lesson4::part8{.number = 8,
                                            .title = "Three inputs",
                                            .question = "Which functions are quadratics?",
                                            .run = p8::run,
                                            .knobs = {&p8::table}};
