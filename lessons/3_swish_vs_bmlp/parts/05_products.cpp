// Lesson 3, part 5: real products: four of them against numbers, two also by hand, the degree of the polynomial that each
// one is, and the floors that they have. The scene: one product against a line, on an interval that can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3 {

constexpr knob::Choice function{"f", "the curve", {"sin", "cos", "bump", "log", "tanh", "square", "cube", "exp"}};
constexpr knob::Real centre{"centre", "the middle of the interval of inputs", 0, {-3, 3, 0.05}};
constexpr knob::Real half{"half", "half its width", 3, {0.1, 4, 0.05}};

// The networks of README.md: two inputs, one product, one output; and two hidden numbers, one output, W2 not symmetric.
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
  lesson.note("The product layer by hand: y = ", y, ", dX = (", g.dX(0, 0), ", ", g.dX(0, 1), ").");
  lesson.claim("y by hand", y, exactly(9));
  lesson.claim_same("dX by hand", max_abs_difference(g.dX, {{39, -8}}));
  lesson.claim_same("dW and dV by hand", std::max(max_abs_difference(g.d.layer.W, {{2}, {4}}),
                                                  max_abs_difference(g.d.layer.V, {{12}, {24}})));
  Outer<double> outer({2, 2, 1});
  outer.W1 = {{1, 0}, {0, 1}};
  outer.W2 = {{1, 2, 5, 1}};
  const Matrix<double> H{{3, 4}};
  lesson.claim("H⊗H: y by hand", output(outer, H)(0, 0), exactly(109));
  lesson.claim_same("H⊗H: dH by hand", max_abs_difference(gradients(outer, H, weighted_sum{{{1}}}).dX, {{34, 29}}));
}

static void check_products(Lesson& lesson, Random& random) {
  const Sizes sizes{4, 8, 3};
  lesson.note("The product layer's gradients against numbers, through Σ R⊙Y with a step of 1, all numbers quarters:");
  lesson.claim_gradients("product layer", check_through_sum(Product<double>(sizes), random), 0);
  lesson.claim("W1 + mean(x)·U1: every gradient entry", check_through_sum(GatedMean<double>(sizes), random).worst(),
               exactly(0));
  lesson.claim("H⊗H: every gradient entry", check_through_sum(Outer<double>(sizes), random).worst(), exactly(0));
  lesson.claim("two product layers, with the small step: every gradient entry",
               check_through_loss(Product2<double>({{4, 5, 3}, 7, 2}), random).worst(), at_most(1e-7));
}

// The degree of f, a polynomial in rows of so many inputs, along a line that nobody chose; 6 where that is more than 5.
template <class F>
static std::size_t degree_of(F f, std::size_t inputs, Random& random) {
  const Matrix<double> x = uniform_matrix<double>(1, inputs, 1, random),
                       v = uniform_matrix<double>(1, inputs, 1, random);
  const std::vector<double> sizes = differences(plot::curve("", 0, 6, 1, [&](double t) { return f(x + t * v); }).y);
  std::size_t degree = sizes.size() - 1;
  // The last difference adds values with signs, 64 of them counted with their factors, each rounded by some 1e-15 of
  // the largest.
  while (degree > 0 && sizes[degree] < 1e-11) --degree;
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
  look("H⊗H", Outer<double>(s), 2);
  look("two product layers", Product2<double>({s, 7, 2}), 4);
  look("swish MLP", Swish<double>({s, true}), 6);
  lesson.say("Its degree along a line, by differences of neighbours at seven points, again and again: ", all, ".");
  Product2<double> two({s, 7, 2});
  fill_normal(two.tensors(), random, 0.5);
  bool quadratic = true;  // the second factor, J·Vb + cb, is what stands behind each of the layer's weights
  for (std::size_t j = 0; j < two.form.upper; ++j) {
    const auto factor = [&](const Matrix<double>& x) {
      Product2<double>::Trace t;
      two.forward(x, t);
      return t.layer.upper.Q(0, j);
    };
    quadratic = quadratic && degree_of(factor, two.form.in, random) == 2;
  }
  lesson.claim("second product layer: every weight is of degree 2 in x", quadratic);
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
  const PolynomialFit fit = fit_polynomials([&](double x, double) { return curve.f(middle + x); }, range, 4);
  plot::Chart chart{.title = std::string(curve.name) + ", and the best line and parabola where the inputs lie"};
  chart.x = {.title = "x", .low = -7, .high = 7};
  chart.y = {.title = "y", .low = -2, .high = 4};
  chart.series = {plot::curve(curve.name, -7, 7, 0.05, curve.f)};
  for (const std::size_t degree : {1u, 2u})
    chart.series.push_back(plot::curve(degree == 1 ? "line" : "parabola, one product", middle - range, middle + range,
                                       range / 40, [&](double x) {
                                         double y = 0;
                                         const auto values = unit_legendre(degree, (x - middle) / range);
                                         for (std::size_t i = 0; i <= degree; ++i) y += fit.weight(i, 0) * values[i];
                                         return y;
                                       }));
  lesson.picture("interval", chart);
  const auto share = [&](std::size_t degree) { return fixed(fit.share[degree], 4); };
  lesson.show(Table{{"R² of the best", "line", "parabola", "cubic", "degree 4"},
                    {{curve.name, share(1), share(2), share(3), share(4)}}});
  lesson.say("One product gains ", fixed(fit.share[2] - fit.share[1], 4),
             " over the straight line; two layers, which reach degree 4, at most ",
             fixed(fit.share[4] - fit.share[1], 4), ".");
  // Sums of 4,096 terms; where the curve hardly varies, rounding is 1e-8 of its variance.
  lesson.claim("no polynomial explains more than all: R² of degree 4", fit.share[4], at_most(1 + 1e-7));
  if (curve.odd && middle == 0)
    lesson.claim("an odd curve around 0: what the parabola gains", fit.share[2] - fit.share[1], at_most(1e-12));
}

extern const Part<Session> part5{5,
                                 "Real products",
                                 run,
                                 "On which inputs is one product better than a straight line?",
                                 {&function, &centre, &half},
                                 PartKind::core,
                                 scene};

}  // namespace lesson3
