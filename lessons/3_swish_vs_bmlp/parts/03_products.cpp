// Lesson 3, part 3: real products: three of them against numbers, one also by hand, the degree of the polynomial that each
// one is, and the floors that they have. The scene: one product against a line, on an interval that can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Choice function{"f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half its width", 3, {0.1, 4, 0.05}};

static std::string settings() {
  return join("the biases of a product start within ", product_start, " of 0, those of two layers within ",
              stacked_start, ", and U at ", stacked_part, " of the usual size");
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

// The degree of f, a polynomial in rows of so many inputs, along a line that nobody chose; 6 where that is more than 5.
// Differences of neighbours, and of those again: of a polynomial of degree k all vanish behind the k-th.
template <class F>
static std::size_t degree_of(F f, std::size_t inputs, Random& random) {
  const Matrix<double> x = uniform_matrix<double>(1, inputs, 1, random),
                       v = uniform_matrix<double>(1, inputs, 1, random);
  std::vector<double> y = plot::curve("", 0, 6, 1, [&](double t) { return f(x + t * v); }).y;
  const auto size = [&] {
    double most = 0;
    for (const double value : y) most = std::max(most, std::abs(value));
    return most;
  };
  const double all = size();
  std::size_t degree = 0;
  for (std::size_t order = 1; order <= 6; ++order) {
    for (std::size_t t = 0; t + 1 < y.size(); ++t) y[t] = y[t + 1] - y[t];
    y.pop_back();
    // The last difference adds values with signs, 64 of them counted with their factors, each rounded by some 1e-15.
    if (size() > 1e-11 * all) degree = order;
  }
  return degree;
}

static void degrees(Lesson& lesson, Random& random) {
  std::string all;
  const auto look = [&](const std::string& name, auto model, std::size_t expected) {
    fill_normal(model.tensors(), random, 0.5);
    const auto first = [&](const Matrix<double>& x) { return output(model, x)(0, 0); };
    const std::size_t found = degree_of(first, model.form.in, random);
    all += (all.empty() ? "" : "; ") + name + " " + (found > 5 ? "more than 5" : std::to_string(found));
    lesson.claim(name + ": degree along a line, 6 where it is more than 5", double(found), exactly(double(expected)));
  };
  const Sizes s{4, 5, 3};
  look("BMLP as published", Bmlp<double>(s), 1);
  look("W1 + mean(x)·U1", GatedMean<double>(s), 2);
  look("product layer", Product<double>(s), 2);
  look("two product layers", Product2<double>({s, 7, 2}), 4);
  look("swish MLP", Swish<double>({s, true}), 6);
  lesson.say("Its degree along a line, by differences of neighbours at seven points, again and again: ", all, ".");
}

static void quadratic_floor(Lesson& lesson, Session& session) {
  const Rows& rows = session.suite().train;
  const Matrix<double> Phi = quadratic_features(rows.X);
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
  lesson.say("The floors on suite A: linear ", fixed(linear, 4), ", with mean(x)·x_i ", fixed(gated, 4), ", all ",
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
  degrees(lesson, random);
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
