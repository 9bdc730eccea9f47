// Lesson 4, part 8: all 256 functions of three bits: which are one quadratic, and with how many units; and any that is
// asked for, by a knob, or by --gate and --truth.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4 {

constexpr knob::Numbers table{
    "table", "0 or 1 at 000, 100, 010, 110, 001, 101, 011, 111", {0, 1, 1, 0, 1, 0, 0, 1}, {0, 1, 1}};

// Returns the values at the corners of the quadratic nearest to f. On the cube the eight products of signs, one for
// each subset of the axes, are at right angles to each other; seven of them are quadratic, so each is given its share
// of f, Σ f·product/8.
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

static void all_functions(Lesson& lesson) {
  int exact = 0, one = 0, two = 0, multiplexers = 0, thresholded = 0;
  double off = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    const std::array<double, 8> nearest = best_quadratic(f);
    const double kappa = cubic_coefficient(f);
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i) {
      right = right && (nearest[i] - 0.5) * (output_bit(f, i) - 0.5) > 0;
      off = std::max(off, std::abs(std::abs(nearest[i] - output_bit(f, i)) - std::abs(kappa) / 8));
    }
    thresholded += right;
    if (kappa != 0) continue;
    ++exact;
    const bool alone = one_unit_does(f);
    one += alone;
    two += !alone;
    multiplexers += !alone && is_multiplexer(f);
  }
  lesson.say("Where does one layer end? Of the 256 functions of three bits ", exact, " are exact, ", one,
             " of them with one unit; ", thresholded, " are right when thresholded at 1/2.");
  lesson.claim("exact as a quadratic: 8 over 4", exact, exactly(70));
  lesson.claim("of these with one unit, by search", one, exactly(46));
  lesson.claim("the others, every one a multiplexer", two == 24 && multiplexers == 24);
  lesson.claim_same("the best quadratic misses every corner by |κ|/8", off);  // eighths
  lesson.claim("right when thresholded: all but the two parities", thresholded, exactly(254));
}

// Parity by the sign of one unit, and from two product layers: first (x - y)² and z·1, then the square of their difference.
static void parity(Lesson& lesson) {
  ProductLayer<double> layer({3, 2});
  layer.W = {{1, 0}, {-1, 0}, {0, 1}};
  layer.V = {{1, 0}, {-1, 0}, {0, 0}};
  layer.c = {{0, 1}};
  const ProductLayer<double> behind = unit_of({1, -1, 0}, {1, -1, 0});
  int even_right = 0;
  double off = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const Matrix<double> x{{input_bit(i, 0), input_bit(i, 1), input_bit(i, 2)}};
    const double ones = x(0, 0) + x(0, 1) + x(0, 2), odd = parity_sign(i) > 0 ? 1 : 0;
    even_right += ((ones - 0.5) * (ones - 1.5) > 0) == (odd == 0);
    off = std::max(off, std::abs(output(behind, output(layer, x))(0, 0) - odd));
  }
  lesson.say("Parity: one unit's sign is right at ", even_right, " of 8 corners; two layers are off by ", off, ".");
  lesson.claim("even parity by one unit's sign: corners right", even_right, exactly(7));
  lesson.claim_same("odd parity by two layers, ((x - y)² - z)²", off);
}

static void run(Lesson& lesson, Session&, const knob::Settings&) {
  all_functions(lesson);
  parity(lesson);
}

// -------------------------------------------------------------------------------- one that is asked for

// The whole net as a symmetric matrix over its inputs and 1, read-out included, as (4.9) has it.
static Table matrix_table(const ProductNet<double>& net) {
  const std::size_t one = net.layer.W.rows();
  Matrix<double> as_they_are(one, one);  // the inputs
  for (std::size_t i = 0; i < one; ++i) as_they_are(i, i) = 1;
  const Matrix<double> S = folded(as_they_are, net)[0];
  std::vector<std::string> names{"x", "y", "z"};
  names.resize(one);
  names.push_back("1");
  Table shown{{""}, {}};
  shown.head.insert(shown.head.end(), names.begin(), names.end());
  for (std::size_t i = 0; i <= one; ++i) {
    shown.rows.push_back({names[i]});
    for (std::size_t j = 0; j <= one; ++j) shown.rows[i].push_back(fixed(S(i, j), 3));
  }
  return shown;
}

// Says what theory knows of a table before anything is trained: how many units to train it with, and the lowest loss.
static std::pair<std::size_t, double> expected_of(Lesson& lesson, const std::string& truth) {
  const auto bit = [&](std::size_t i) { return double(truth[i] - '0'); };
  if (truth.size() == 4) {
    const Gate& gate = *gate_of({bit(0), bit(1), bit(2), bit(3)});
    lesson.say("This is ", gate.name, ". One unit computes it exactly: ", text_of(gate.w, gate.v), ".");
    return {1, 0};
  }
  std::size_t function = 0;
  for (std::size_t i = 0; i < 8; ++i) function |= std::size_t(bit(i)) << i;
  const double k = cubic_coefficient(function);
  if (k != 0) {
    lesson.say("Multiplied out on {0, 1}, this function has the coefficient ", k,
               " of xyz, so no quadratic is it. The best one misses every corner by ", std::abs(k) / 8, ", a loss of ",
               k * k / 64, std::abs(k) < 4 ? ", and is right when thresholded at 1/2." : ": it says 1/2 everywhere.");
    return {4, k * k / 64};
  }
  const std::size_t units = one_unit_does(function) ? 1 : 2;
  lesson.say("Multiplied out on {0, 1}, this function has no xyz, so a quadratic is it, with ", units,
             units == 1 ? " unit." : " units: it is a multiplexer.");
  return {units, 0};
}

void explain(Lesson& lesson, Session& session, const std::string& truth) {
  const auto [units, lowest] = expected_of(lesson, truth);
  Matrix<double> X(truth.size(), truth.size() == 4 ? 2 : 3), T(truth.size(), 1);  // the first input changes fastest
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = input_bit(i, j);
    T(i, 0) = truth[i] - '0';
  }
  const auto best = best_of<ProductNet<double>>(session, 10, 52, NetForm{X.cols(), units, 1}, X, error_to(T),
                                                {.steps = session.steps(3000, 100)});
  lesson.say("Trained: ", units, units == 1 ? " product" : " products", " and a read-out, the best of ten seeds, loss ",
             significant(best.fit.loss, 2), " after ", best.fit.steps, " steps.");
  // Training stops at a loss of 1e-6, or settles at the bound; twice that is room.
  lesson.claim_trained("its loss minus the lowest possible", best.fit.loss - lowest, between(-1e-12, 2e-6));
  Table shown{{"inputs", "wanted", "trained"}, {}};
  const Matrix<double> Y = output(best.model, X);
  plot::Chart chart{.title = "What is wanted, and what was trained",
                    .x = {.title = "inputs", .low = 0.5, .high = double(X.rows()) + 0.5},
                    .y = {.low = -0.5, .high = 1.5},
                    .series = {plot::line("wanted", T.values(), 1), plot::line("trained", Y.values(), 1)}};
  for (plot::Series& series : chart.series) series.points = true;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::string inputs;
    for (const double x : X.row(i)) inputs += x > 0.5 ? '1' : '0';
    chart.x.names.push_back(inputs);
    shown.rows.push_back({inputs, significant(T(i, 0)), fixed(Y(i, 0), 3)});
  }
  lesson.figure("bits", chart);
  lesson.show(shown);
  lesson.say(
      "Read from its weights, all units and the read-out multiplied out, as a symmetric matrix. On {0, 1} x² = x: "
      "of an entry on the diagonal and twice the one at its end only the sum counts.");
  lesson.show(matrix_table(best.model));
}

// The function that the knob names, trained and read.
static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  std::string digits;
  for (const double bit : at[table]) digits += bit >= 0.5 ? '1' : '0';
  explain(lesson, session, digits);
}

extern const Part<Session> part8{8,        "Three inputs", run,  "Which functions are quadratics?",
                                 {&table}, PartKind::core, scene};

}  // namespace lesson4
