// Lesson 3, part 3: real products: three of them against numbers, one also by hand, which polynomial each of them is, and
// the floors that they have. The scene: one product against a line, on an interval that can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Choice function{"f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half its width", 3, {0.1, 4, 0.05}};

static std::string settings() {
  return join("weights started within 1/√(their rows) of 0 (E: ", stacked_part, " of that), biases within ",
              product_start, " for one product layer, ", stacked_start, " for two");
}

// The network of README.md: two inputs, one product, one output.
static void by_hand(Lesson& lesson) {
  Product<double> product({2, 1, 1});
  product.layer.W = {{1}, {2}};
  product.layer.b = {{1}};
  product.layer.V = {{3}, {-1}};
  product.readout.W2 = {{2}};
  product.readout.W3 = {{1}, {0}};
  product.readout.b2 = {{-4}};
  const Matrix<double> x{{1, 2}};
  const double y = output(product, x)(0, 0);
  const Gradients<Product<double>> g = gradients(product, x, weighted_sum{{{1}}});
  lesson.claim("y by hand", y, exactly(9));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{39, -8}}));
  lesson.claim_same("dW and dV by hand", std::max(max_abs_difference(g.d.layer.W, {{2}, {4}}),
                                                  max_abs_difference(g.d.layer.V, {{12}, {24}})));
}

static void check_products(Lesson& lesson, Random& random) {
  const Sizes sizes{4, 8, 3};
  lesson.claim("product layer: every gradient entry", check_through_loss(Product<double>(sizes), random).worst(),
               at_most(1e-7));
  lesson.claim("W1 + mean(x)·U1: every gradient entry", check_through_loss(GatedMean<double>(sizes), random).worst(),
               at_most(1e-7));
  lesson.claim("two product layers: every gradient entry",
               check_through_loss(Product2<double>({{4, 5, 3}, 7, 2}), random).worst(), at_most(1e-7));
}

// What the best weighted sum of all terms up to a degree misses of each network: nothing, where it is one.
static void which_polynomial(Lesson& lesson, Random& random) {
  constexpr std::size_t degrees[] = {1, 2, 4};
  const Sizes sizes{3, 5, 1};
  const auto X = uniform_matrix<double>(400, sizes.in, 1, random);
  Table table{{"1 - R² of the best sum of terms", "degree 1", "degree 2", "degree 4"}, {}};
  const auto look = [&](const std::string& name, auto model, std::size_t degree) {
    fill_normal(model.tensors(), random);
    const Matrix<double> Y = output(model, X);
    table.rows.push_back({name});
    for (const std::size_t k : degrees) {
      const Matrix<double> Phi = monomials(X, k);
      const double missed = std::max(0.0, 1 - r_squared(matmul(Phi, least_squares(Phi, Y)), Y));
      table.rows.back().push_back(significant(missed, 1));
      // Rounding leaves some 1e-15. What a bend leaves, logarithms of 40 seeds: swish 5e-5 times or over e^1.7, others more.
      if (k == degree) lesson.claim(join(name, ": missed by degree ", k), missed, at_most(1e-12));
      if (k < degree) lesson.claim(join(name, ": missed by degree ", k), missed, at_least(1e-9));
    }
  };
  look("BMLP as published", Bmlp<double>(sizes), 1);
  look("W1 + mean(x)·U1", GatedMean<double>(sizes), 2);
  look("product layer", Product<double>(sizes), 2);
  look("two product layers", Product2<double>({sizes, 7, 2}), 4);
  look("swish MLP", Swish<double>({sizes, true}), 5);
  lesson.say("Networks of 3 inputs, drawn at random: which polynomial is each?");
  lesson.show(table);
}

static void quadratic_floor(Lesson& lesson, Session& session) {
  const Rows& rows = session.suite().train;
  const Matrix<double> Phi = monomials(rows.X, 2);
  const double linear = floor_of(rows.X, rows.T), gated = floor_of(gated_mean_features(rows.X), rows.T),
               quadratic = floor_of(Phi, rows.T);
  Random start = session.start();
  Product<float> product(suite_forms.product, start);
  Product2<float> two(suite_forms.product2, start);
  plot::Series one_layer, two_layers;
  session.run(2, [&](std::size_t k) {
    const TrainingSettings settings = session.training();
    if (k == 0) one_layer = train_and_watch("product layer", product, rows, settings, session.batches());
    else two_layers = train_and_watch("two product layers", two, rows, settings, session.batches());
  });
  const double one_end = one_layer.y.back(), two_end = two_layers.y.back();
  lesson.say("The floors on suite A: linear ", fixed(linear, 4), ", with mean(x)·x[j] ", fixed(gated, 4), ", all ",
             Phi.cols(), " monomials up to degree 2 ", fixed(quadratic, 4), ". One product layer ends at ",
             fixed(one_end, 4), ", two at ", fixed(two_end, 4), ".");
  plot::Chart chart{.title = "Suite A: each kind of network has its floor"};
  chart.x.title = "step";
  chart.y = {.title = "mean squared error, training rows (logarithmic)", .log = true};
  chart.series = {one_layer, two_layers};
  chart.levels = {{"linear", linear}, {"quadratic", quadratic}};
  lesson.figure("floors", chart);
  lesson.claim("product layer: not below its floor, loss over floor - 1", one_end / quadratic - 1,
               at_least(-1e-6));  // float outputs
  lesson.claim_trained("product layer: near its floor, loss over floor - 1", one_end / quadratic - 1, at_most(0.01));
  lesson.claim_trained("two product layers: through it, loss over floor", two_end / quadratic, at_most(0.9));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  by_hand(lesson);
  Random random(lesson.options().seed, 33);
  check_products(lesson, random);
  which_polynomial(lesson, random);
  quadratic_floor(lesson, session);
}

struct Curved {
  const char* name;
  double (*f)(double x);
  bool odd = false;
};
static const Curved curves[] = {{"sin 2x", [](double x) { return std::sin(2 * x); }, true},
                                {"cos 1.5x", [](double x) { return std::cos(1.5 * x); }},
                                {"2·exp(-x²)", bump},
                                {"log(|x| + 1)", [](double x) { return std::log(std::abs(x) + 1); }},
                                {"tanh x", [](double x) { return std::tanh(x); }, true},
                                {"x²/4", [](double x) { return x * x / 4; }},
                                {"x³/16", [](double x) { return x * x * x / 16; }, true},
                                {"exp(x)/8", [](double x) { return std::exp(x) / 8; }}};

static void scene(Lesson& lesson, Session&, const knob::Settings& at) {
  const Curved& curve = curves[at[function]];
  const double middle = at[centre], range = at[half];
  plot::Chart chart{.title = std::string(curve.name) + ", and the best line and parabola where the inputs lie"};
  chart.x = {.title = "x", .low = -7, .high = 7};
  chart.y = {.title = "y", .low = -2, .high = 4};
  chart.series = {plot::curve(curve.name, -7, 7, 0.05, curve.f)};
  const Polynomial line = fit_polynomial(curve.f, middle, range, 1),
                   parabola = fit_polynomial(curve.f, middle, range, 2);
  const double fourth = fit_polynomial(curve.f, middle, range, 4).r2;
  chart.series.push_back(plot::curve("line", middle - range, middle + range, range / 40, line));
  chart.series.push_back(plot::curve("parabola, one product", middle - range, middle + range, range / 40, parabola));
  lesson.picture("interval", chart);
  lesson.say("R² of the best line: ", fixed(line.r2, 4), ", of the best parabola, which one product can be, ",
             fixed(parabola.r2, 4), ", of degree 4, which two layers reach, ", fixed(fourth, 4), ".");
  // Sums of 4,000 terms; where the curve hardly varies, rounding is 1e-8 of its variance.
  lesson.claim("no polynomial explains more than all: R² of degree 4", fourth, at_most(1 + 1e-7));
  if (curve.odd && middle == 0)
    lesson.claim("an odd curve around 0: what the parabola gains", parabola.r2 - line.r2, at_most(1e-10));
}

extern const Part<Session> part3(3, "Real products", run, "On which inputs is one product better than a straight line?",
                                 {&function, &centre, &half}, scene, settings);

}  // namespace lesson3
