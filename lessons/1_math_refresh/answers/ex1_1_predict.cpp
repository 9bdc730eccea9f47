// Exercise 1.1: six numbers on paper.
// Hint: relu_moment: which part of E[z²] does ReLU let through, and what is n·Var W?
// tanh_slope: the slope of tanh can be written with its value alone.
// difference_of_...: put x + δ and x - δ into the function.
// da, db: walk backwards from r, and look for the node that is used twice.
// Hint: relu_moment: each layer halves. tanh_slope: 1 - tanh². The squares: 28 and 8. The
// cubes: 1.5³ and 0.5³. da: a goes into p and into q.
// Hint: relu_moment: 1/2 to the power 20. tanh_slope: 1 - 0.8². Both differences are
// divided by 2δ, which is 2 and 1. dq = 2q = -6 = dp; da = dq + dp·b, db = dp·a.
// SPDX-License-Identifier: MIT
#include <ex1_1_predict.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/1_math_refresh/models.hpp"

using namespace exercise;
using namespace lesson1;

namespace ours::ex1_1 {

// A layer multiplies E[h²] by n·Var W/2 = 1/2, twenty of them by 2^-20: a millionth.
inline const double relu_moment = std::pow(0.5, 20);
// tanh' = 1 - tanh²: the value is all that is needed, not the place.
inline const double tanh_slope = 1 - 0.8 * 0.8;
// (28 - 8)/2. The x² of both sides cancel whatever δ is, so nothing is truncated, and this is the slope 6x - 2.
inline const double difference_of_square = 10;
// (1.5³ - 0.5³)/1 = 3.375 - 0.125. The slope is 3, and the truncation δ² is 1/4.
inline const double difference_of_cube = 3.25;
// p = -6, q = -3, r = 9. dq = 2q = -6 and dp = dq. a is used twice and collects both: da = dq + dp·b = -6 + 12.
inline const double da = 6;
// b is used once: db = dp·a.
inline const double db = -18;

}  // namespace ours::ex1_1

static const std::vector<Misreading> of_relu_moment{
    {0.5, "that is one layer; each of the twenty does it again"},
    {1, "level would need Var W = 2/n"},
    {1.0 / 20, "a layer multiplies; it does not subtract or divide by its number"},
    {std::pow(0.5, 19), "one layer too few: E[h²] after layer 1 is halved already"},
    {std::pow(0.5, 21), "one layer too many"},
    {std::pow(0.5, 10), "that is ten layers, or how h shrinks in twenty; asked is its square"},
    {std::pow(0.5, 40), "each layer halves the square, not the number itself"},
    {1e-6, "rounded too far: an answer may be off by 1 %"},
    {std::pow(0.5, 50), "that is fifty layers; asked are twenty"},
    {std::pow(2, 20), "upside down: a layer halves"},
    {std::pow(0.341, 20), "0.341 is what is left of the variance; asked is the second moment"}};
static const std::vector<Misreading> of_tanh_slope{
    {1 - std::tanh(0.8) * std::tanh(0.8), "that is the slope at z = 0.8; here the value is 0.8"},
    {0.2, "1 - tanh, but the slope is made of the square of tanh"},
    {0.16, "σ(1 - σ) is the slope of the sigmoid"},
    {0.64, "that is the square of the value"},
    {std::atanh(0.8), "that is the place z, not the slope there"},
    {1 - std::tanh(0.8), "1 - tanh at z = 0.8; here the value is 0.8, and its square counts"},
    {1, "that is the slope at 0, where it is largest"}};
static const std::vector<Misreading> of_difference_of_square{
    {20, "divide by 2δ, not by δ"},
    {28, "that is the function at 3 alone"},
    {15, "that is the function at 2; asked is a slope"},
    {13, "from 2 to 3 alone; the central difference goes to both sides"},
    {7, "from 1 to 2 alone; the central difference goes to both sides"},
    {12, "the slope of 3x² alone; the line -2x has one, too"},
    {11, "truncation needs a third derivative, which a quadratic has not"},
    {14, "12 + 2, or half of f(3): the line -2x falls, and both places count"},
    {8, "that is the function at 1 alone"}};
static const std::vector<Misreading> of_difference_of_cube{
    {3, "the slope of x³ itself, which the difference misses by its truncation; or whole numbers: 27 / 8 is 3 in C++"},
    {3.0625, "that is for δ = 1/4: from x - δ to x + δ it is 2δ"},
    {0.25, "that is the error; asked is the difference itself"},
    {1.0 / 12, "that is the relative error; asked is the difference itself"},
    {4, "that is for δ = 1"},
    {6.5, "2δ is 1: it is divided by 2δ, not by δ"},
    {1.625, "2δ is 1, not 2"},
    {2.75, "the sign of the truncation: a cube is steeper further out"},
    {4.75, "from 1 to 1.5 alone; the central difference goes to both sides"},
    {1.75, "from 0.5 to 1 alone; the central difference goes to both sides"},
    {13, "divided by δ², which is 1/4; 2δ is 1"}};
static const std::vector<Misreading> of_da{{-6, "one use of a is missing: it also goes into p"},
                                           {12, "one use of a is missing: it also goes into q"},
                                           {18, "the two uses add with their signs: dp·b is positive here, dq is not"},
                                           {-18, "that is db, or dp·a; p moves by b where a moves"},
                                           {3, "half of it: the slope of q² is 2q"},
                                           {9, "that is r itself"},
                                           {54, "that is for b = 2; b is -2"}};
static const std::vector<Misreading> of_db{
    {-6, "that is dp; b has a as its factor"}, {12, "that is dp·b; where b moves, p moves by a"},
    {6, "that is da; b goes into p alone"},    {3, "that is the slope of p; q and r come after it"},
    {-9, "half of it: the slope of q² is 2q"}, {18, "the sign: dq is negative here"},
    {54, "that is for b = 2; b is -2"}};

static Verdict check() {
  constexpr double percent = 0.01;
  Matrix<double> a{{3}}, b{{-2}};
  const auto r = [&] { return std::pow(a(0, 0) + a(0, 0) * b(0, 0), 2); };
  const auto square = [](double x) { return 3 * x * x - 2 * x + 7; };
  const auto cube = [](double x) { return x * x * x; };
  const double moment = predicted_forward(relu_activation, 1, 1, 20).back(), slope = tanh_prime(std::atanh(0.8)),
               of_a = numeric_gradient(a, r)(0, 0), of_b = numeric_gradient(b, r)(0, 0);
  return compare(
      {{"relu_moment", ex1_1::relu_moment, moment, percent, of_relu_moment},
       {"tanh_slope", ex1_1::tanh_slope, slope, percent, of_tanh_slope},
       {"difference_of_square", ex1_1::difference_of_square, (square(3) - square(1)) / 2, percent,
        of_difference_of_square},
       {"difference_of_cube", ex1_1::difference_of_cube, cube(1.5) - cube(0.5), percent, of_difference_of_cube},
       {"da", ex1_1::da, of_a, percent, of_da},
       {"db", ex1_1::db, of_b, percent, of_db}});
}
static const Exercise here{"1.1", "Six numbers on paper", check};
