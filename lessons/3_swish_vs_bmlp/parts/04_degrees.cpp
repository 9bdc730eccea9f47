// Lesson 3, part 4: two product layers, and the degree of each network.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/landing.hpp"
#include "lessons/3_swish_vs_bmlp/lesson.hpp"

namespace lesson3::p4 {

static std::string settings() {
  return join("weights drawn within 1/√r of 0 in a matrix of r rows, but in E within ",
              stacked_part, "/√r of 0. Biases are drawn within ", product_start,
              " of 0 for one product layer, and within ", stacked_start, " for two");
}

static void which_polynomial(Lesson& lesson, Random& random) {
  constexpr std::size_t degrees[] = {1, 2, 3, 4}, none = 5;
  const Sizes sizes{3, 5, 1};
  const auto X = uniform_matrix<double>(400, sizes.in, 1, random);
  Table table{{"1 - R² of the best sum of terms"}, {}};
  for (const std::size_t k : degrees) table.head.push_back(join("degree ", k));
  const auto look = [&](const std::string& name, const Matrix<double>& Y, std::size_t degree) {
    table.rows.push_back({name});
    std::size_t lowest = none;
    for (const std::size_t k : degrees) {
      const Matrix<double> Phi = monomials(X, k);
      const double missed = std::max(0.0, 1 - r_squared(matmul(Phi, least_squares(Phi, Y)), Y));
      table.rows.back().push_back(significant(missed, 1));
      // Rounding leaves some 1e-15. Over 40 seeds a bend leaves 5e-5 for swish (times or over
      // e^1.7), for others more.
      if (missed <= 1e-12) lowest = std::min(lowest, k);
    }
    lesson.claim(name + ": its degree, or 5 if none up to 4 fits", double(lowest),
                 exactly(double(degree)));
  };
  const auto drawn = [&](auto model) {
    fill_normal(model.tensors(), random);
    return output(model, X);
  };
  look("BMLP as published", drawn(Bmlp<double>(sizes)), 1);
  look("W1 + mean(x)·U1", drawn(GatedMean<double>(sizes)), 2);
  look("product layer", drawn(Product<double>(sizes)), 2);
  Matrix<double> cubic(X.rows(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) cubic(i, 0) = X(i, 0) * X(i, 1) * X(i, 2);
  look("x[0]·x[1]·x[2]", cubic, 3);
  look("two product layers", drawn(Product2<double>({sizes, 7, 2})), 4);
  look("swish MLP", drawn(Swish<double>({sizes, Biases::with})), none);
  lesson.say("Which degree has each of these networks of 3 inputs, drawn at random, and a cubic?");
  lesson.show(table);
}

static void quadratic_floor(Lesson& lesson, Session& session) {
  const Rows& rows = session.suite().train;
  const Matrix<double> Phi = monomials(rows.X, 2);
  const double linear = floor_of(rows.X, rows.T),
               gated = floor_of(gated_mean_features(rows.X), rows.T),
               quadratic = floor_of(Phi, rows.T);
  Random start = session.start();
  Product<float> product(suite_forms.product, start);
  Product2<float> two(suite_forms.product2, start);
  const TrainingSettings settings = session.training();
  const std::vector<plot::Series> curves =
      session.side_by_side({session.watched("product layer", product, settings),
                            session.watched("two product layers", two, settings)});
  const double one_end = curves[0].y.back(), two_end = curves[1].y.back();
  lesson.say("On suite A the floor of linear maps is ", fixed(linear, 4), ", with mean(x)·x[j] ",
             fixed(gated, 4), ", and with all ", Phi.cols(), " terms up to degree 2 ",
             fixed(quadratic, 4), ". One product layer ends at ", fixed(one_end, 4),
             ", two end at ", fixed(two_end, 4), ".");
  lesson.figure(
      "floors",
      land::landing("Each degree has a floor of its own",
                    "networks of products; suite A: sums of curves to learn",
                    "loss on the training rows (logarithmic)",
                    {{"1 product layer", curves[0], plot::Tone::value}, {"2 layers", curves[1]}},
                    {{"no line gets below " + fixed(linear, 3).substr(1), linear},
                     {"no quadratic below " + fixed(quadratic, 3).substr(1), quadratic}}));
  lesson.claim_trained("the floor with mean(x)·x[j] over the linear one", gated / linear,
                       within(0.975, 0.012));  // 31 seeds: .970 to .979
  // 31 seeds: .0017 to .0024, and never below 0.
  lesson.claim_trained("product layer: on its floor, loss over floor - 1", one_end / quadratic - 1,
                       within(0.004, 0.004));
  // 31 seeds: .51 to .66, with a standard deviation of .036. The floor of degree 4 is .39.
  lesson.claim_trained("two product layers: through it, loss over floor", two_end / quadratic,
                       between(0.42, 0.75));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  Random random(lesson.options().seed, 35);
  claim_gradients(lesson, "two product layers: every gradient entry",
                  Product2<double>({{4, 5, 3}, 7, 2}), random);
  which_polynomial(lesson, random);
  quadratic_floor(lesson, session);
}

}  // namespace lesson3::p4

const Part<lesson3::Session> lesson3::part4{.number = 4,
                                            .title = "Degrees, and their floors",
                                            .question = "",
                                            .run = p4::run,
                                            .settings = p4::settings};
