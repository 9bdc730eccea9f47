// Lesson 5, part 13: a net of squares on the digits, and what degree a stack of layers has.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Choice units{"units", "what each layer is made of", {"products", "squares", "relu"}};
constexpr knob::Whole depth{"layers", "layers one behind the other", 2, {1, 4, 1}};
constexpr knob::Whole width{"width", "units of each layer", 8, {1, 32, 1}};

// --------------------------------------------------------------------------------------------------------- squares

static void squares_on_digits(Lesson& lesson, Session& session) {
  const std::size_t seeds = session.options.quick_or<std::size_t>(1, 3), pixels = session.images.train.X.cols(),
                    beside = units_beside(session);
  lesson.say("Is a product worth more than a square? About as many numbers each, ", seeds, " seeds:");
  const Right right =
      compete(lesson, session, seeds,
              {rival<SquareNet<float>>(session, join(beside, " squares"), 0.009, {pixels, beside, 10}),
               rival<Net<float>>(session, join(session.form().hidden, " products"), 0.009, session.form())});
  lesson.claim_trained("squares and products, each at its best rate: apart by",
                       std::abs(ahead(right, 0, 1).difference[1].mean), at_most(0.01));
}

static void products_as_squares(Lesson& lesson, Random& random) {
  Net<double> net({6, 0, 5, 3});
  fill_normal(net.tensors(), random);
  const auto X = normal_matrix<double>(50, 6, 1, random);
  const Matrix<double> Y = output(net, X);
  // Sums of some twenty products.
  lesson.claim("five products as ten squares: the same outputs, relative",
               max_abs_difference(output(squares_of(net), X), Y) / largest_entry(Y), at_most(1e-13));
}

// ---------------------------------------------------------------------------------------------------------- degree

// The differences along a drawn line of some layers of such units, with drawn weights. Each layer's numbers are brought to
// a second moment of 1, so that four layers stay in sight.
static std::vector<double> differences_of(std::size_t kind, std::size_t layers, std::size_t h, Random& random) {
  constexpr std::size_t places = 41;
  const auto from = normal_matrix<double>(1, 4, 1, random), step = normal_matrix<double>(1, 4, 0.3, random);
  Matrix<double> H(places, 4);
  for (std::size_t k = 0; k < places; ++k)
    for (std::size_t j = 0; j < 4; ++j) H(k, j) = from(0, j) + (double(k) - places / 2) * step(0, j);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto factor = [&] {
      const auto W = normal_matrix<double>(H.cols(), h, 1 / std::sqrt(double(H.cols())), random);
      return add_row(matmul(H, W), normal_matrix<double>(1, h, 1, random));
    };
    const Matrix<double> P = factor();
    H = kind == 0   ? hadamard(P, factor())
        : kind == 1 ? map(P, Square::value<double>)
                    : map(P, [](double p) { return double(Relu::value(p)); });
    H = 1 / std::sqrt(std::max(mean_square(H), 1e-300)) * H;
  }
  return differences_along(H);
}

// A difference of order k adds 2^k values, each with a few roundings of the largest number on its way; layers lose some
// digits where numbers cancel: a thousand roundings are allowed.
static double rounding_at(std::size_t order) { return std::ldexp(1e-13, int(order)); }

static void degree(Lesson& lesson, Session& session, const knob::Settings& at) {
  Random random(session.options.seed, 514);
  const std::vector<double> found = differences_of(at[units], at[depth], at[width], random);
  plot::Chart chart{.title = join("Differences along a line of ", at[depth], " layers of ", at.name_of(units))};
  chart.x = {.title = "order of the difference", .low = 0, .high = 20};
  chart.y = {.title = "largest, as a part of f", .log = true, .low = 1e-18, .high = 1e4};
  chart.series = {{"differences", {}, {}}};
  for (std::size_t k = 0; k < 21; ++k) chart.series[0].add(double(k), std::max(found[k], 1e-18));
  lesson.figure("degree", chart);
  const std::size_t degree = std::size_t(1) << at[depth];
  if (at[units] == 2) {
    lesson.say("ReLU layers are straight between their corners, and no difference is 0 where a corner lies between.");
    return;
  }
  lesson.note(at[depth], " layers of ", at.name_of(units), " are a polynomial of degree ", degree,
              " or less: the difference of order ", degree + 1, " is ", found[degree + 1], ", which is rounding.");
  lesson.claim(join("the difference of order ", degree + 1, " is rounding"), found[degree + 1],
               at_most(rounding_at(degree + 1)));
}

static void degrees(Lesson& lesson, Random& random) {
  bool doubles = true;
  for (const std::size_t layers : {1u, 2u, 3u})
    for (const std::size_t kind : {0u, 1u}) {
      const std::vector<double> found = differences_of(kind, layers, 8, random);
      std::size_t degree = 0;  // the last order whose differences are more than rounding
      for (std::size_t order = 0; order < 12; ++order)
        if (found[order] > rounding_at(order)) degree = order;
      doubles = doubles && degree == (std::size_t(1) << layers);
    }
  std::vector<double> bent = differences_of(2, 1, 20, random);
  bent.resize(12);
  lesson.claim("L layers of products, or of squares, are of degree 2 to the L", doubles);
  lesson.claim("20 ReLU units: the smallest difference up to order 11 over rounding",
               *std::min_element(bent.begin(), bent.end()) / rounding_at(11), at_least(1));
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  Random random(lesson.options().seed, 76);
  squares_on_digits(lesson, session);
  products_as_squares(lesson, random);
  degrees(lesson, random);
  degree(lesson, session, at);
}

extern const Part<Session> part13{13,
                                  "Squares",
                                  run,
                                  "Which degree has a stack of layers, and does ReLU have one?",
                                  {&depth, &units, &width},
                                  PartKind::further,
                                  degree};

}  // namespace lesson5
