// Lesson 1: the wrong answers to its exercises that come to mind, and what is wrong with each. check.cpp compares with
// them what does not pass, so that a reader learns the cause and not only where two numbers differ.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/support/exercise.hpp"
#include "lessons/1_math_refresh/model/3_signal.hpp"

namespace exercise {

// ------------------------------------------------------------------------------------------------------------- 1.1

// Pairs of z and β, in two rows.
inline Matrix<double> z_and_beta() {
  Matrix<double> places(2, 30);
  std::size_t k = 0;
  for (const double beta : {-1.0, 0.0, 0.5, 1.0, 5.0})
    for (const double z : {-3.0, -1.0, -0.3, 0.0, 0.5, 2.0}) {
      places(0, k) = z;
      places(1, k++) = beta;
    }
  return places;
}

// What a formula in z, β, tanh(βz) and tanh'(βz) gives at each pair.
template <class F>
Matrix<double> at_pairs(F f) {
  const Matrix<double> places = z_and_beta();
  Matrix<double> found(1, places.cols());
  for (std::size_t k = 0; k < found.cols(); ++k) {
    const double z = places(0, k), beta = places(1, k), t = std::tanh(beta * z);
    found(0, k) = f(z, beta, t, 1 - t * t);
  }
  return found;
}

inline double slope_at(double z) { return 1 - std::tanh(z) * std::tanh(z); }

inline const std::vector<Mistake> wrong_slopes_in_z{
    {at_pairs([](double z, double, double t, double) { return z * t; }), "that is the function itself, not its slope"},
    {at_pairs([](double, double, double t, double) { return t; }), "tanh(βz) moves with z, too: a term is missing"},
    {at_pairs([](double z, double b, double, double p) { return b * z * p; }),
     "the term in which the factor z moves is missing"},
    {at_pairs([](double, double, double, double p) { return p; }), "that is tanh' alone; the function is a product"},
    {at_pairs([](double, double b, double, double p) { return b * p; }),
     "the slope of tanh(βz) alone; the function has a second factor"},
    {at_pairs([](double z, double, double t, double p) { return t + z * p; }),
     "the chain rule: inside tanh, z is multiplied by β"},
    {at_pairs([](double, double b, double t, double p) { return t + b * p; }),
     "in a product rule each slope stands beside the other factor; the slope of tanh(βz) stands alone"},
    {at_pairs([](double z, double b, double t, double p) { return t - b * z * p; }), "the sign between the two terms"},
    {at_pairs([](double z, double b, double t, double) { return t + b * z * (1 - t); }),
     "tanh' is made of the square of tanh"},
    {at_pairs([](double z, double b, double t, double) { return t + b * z * (1 - b * z * b * z); }),
     "tanh' is made of the value of tanh, not of its place βz"},
    {at_pairs([](double z, double b, double t, double) { return t + b * z * (1 - std::tanh(t) * std::tanh(t)); }),
     "tanh_prime computes the tanh on its own: give it the place βz, not tanh(βz)"},
    {at_pairs([](double z, double b, double t, double) { return t + b * z * slope_at(z); }),
     "tanh_prime stands at z; inside tanh there is βz"},
    {at_pairs([](double z, double, double, double) { return z * slope_at(z); }),
     "tanh_prime stands at z, inside tanh there is βz; and the term in which the factor z moves is missing"},
    {at_pairs([](double z, double, double, double p) { return z * p; }),
     "the term in which the factor z moves is missing; and inside tanh, z is multiplied by β"},
    {at_pairs([](double z, double, double, double) { return std::tanh(z) + z * slope_at(z); }),
     "β is missing: that is the slope of z·tanh z"},
    {at_pairs([](double z, double, double, double p) { return z * z * p; }), "that is the slope in β"}};

inline const std::vector<Mistake> wrong_slopes_in_beta{
    {at_pairs([](double z, double, double t, double) { return z * t; }), "that is the function itself, not its slope"},
    {at_pairs([](double, double, double, double p) { return p; }),
     "that is tanh' alone: βz moves by z, and z stands in front"},
    {at_pairs([](double z, double, double, double p) { return z * p; }),
     "a factor z is missing: the one in front, or the one by which βz moves"},
    {at_pairs([](double, double b, double, double p) { return b * p; }), "βz moves by z where β moves, not by β"},
    {at_pairs([](double z, double b, double, double p) { return b * z * p; }), "βz moves by z where β moves, not by β"},
    {at_pairs([](double z, double, double t, double p) { return t + z * z * p; }),
     "the factor in front does not move with β: there is one term too many"},
    {at_pairs([](double z, double, double t, double p) { return t + z * p; }),
     "the factor in front does not move with β: there is one term too many"},
    {at_pairs([](double z, double, double t, double) { return z * z * (1 - t); }),
     "tanh' is made of the square of tanh"},
    {at_pairs([](double z, double, double t, double) { return z * z * (1 - std::tanh(t) * std::tanh(t)); }),
     "tanh_prime computes the tanh on its own: give it the place βz, not tanh(βz)"},
    {at_pairs([](double z, double, double, double) { return z * z * slope_at(z); }),
     "tanh_prime stands at z; inside tanh there is βz"},
    {at_pairs([](double z, double, double, double) { return z * slope_at(z); }),
     "tanh_prime stands at z, inside tanh there is βz; and a factor z is missing"},
    {at_pairs([](double z, double b, double t, double p) { return t + b * z * p; }), "that is the slope in z"}};

// ------------------------------------------------------------------------------------------------------------- 1.2

// n and out differ from each other, and so do the counts that one might divide by.
inline std::vector<Mistake> wrong_loss_gradients(const Matrix<double>& D) {
  const double entries = double(D.size()), rows = double(D.rows()), cols = double(D.cols());
  const Matrix<double> sum = map(D, [](double d) { return d / std::sqrt(1 + d * d); });  // of the sum of all entries
  const auto mean = [&](auto f) { return 1 / entries * map(D, f); };
  return {
      {sum, "the loss is a mean: divide by the number of entries"},
      {1 / rows * sum, "the mean runs over all entries, not over the rows alone"},
      {1 / cols * sum, "the mean runs over all entries, not over the columns alone"},
      {1 / (entries * entries) * sum, "divided by the number of entries twice"},
      {1 / (entries * rows) * sum, "divided once more by the number of rows: the mean has it already"},
      {-1 / entries * sum, "the error is Y - T, not T - Y"},
      {2 / entries * sum, "the 2 of the square stays, but the root has a 1/2"},
      {0.5 / entries * sum, "the 1/2 of the root is there, but the square has a 2"},
      {mean([](double d) { return d; }), "the root is missing: that is half the gradient of a square"},
      {mean([](double d) { return 2 * d; }), "that is the gradient of the mean square; here a root stands around it"},
      {mean([](double d) { return 1 / std::sqrt(1 + d * d); }), "the slope of what stands under the root is missing"},
      {mean([](double d) { return 0.5 / std::sqrt(1 + d * d); }), "the slope of what stands under the root is missing"},
      {mean([](double d) { return d / (1 + d * d); }), "divided by what stands under the root, not by the root"},
      {mean([](double d) { return d * std::sqrt(1 + d * d); }), "multiplied by the root: its slope divides by it"},
      {mean([](double d) { return std::sqrt(1 + d * d) - 1; }), "that is the loss, entry by entry, not its slope"},
      {mean([](double d) { return d > 0 ? 1.0 : -1.0; }), "the sign of the error is what a huge error would give"}};
}

// ------------------------------------------------------------------------------------------------------------- 1.3

inline const std::vector<Misreading> wrong_relu_moments{
    {0.5, "that is one layer; each of the twenty does it again"},
    {1, "level would need Var W = 2/n"},
    {1.0 / 40, "like 1/(2l) is how tanh decays; a ReLU layer multiplies"},
    {1.0 / 20, "a layer multiplies; it does not subtract or divide by its number"},
    {std::pow(0.5, 19), "one layer too few: E[h²] behind layer 1 is halved already"},
    {std::pow(0.5, 21), "one layer too many"},
    {std::pow(0.5, 10), "that is ten layers, or how h shrinks in twenty; asked is its square"},
    {std::pow(0.5, 40), "each layer halves the square, not the number itself"},
    {1e-6, "rounded too far: an answer may be off by 1 %"},
    {std::pow(0.5, 50), "that is fifty layers; asked are twenty"},
    {9e-16, "that is fifty layers, rounded; asked are twenty"},
    {1.0 / 724, "that is how h shrinks in nineteen layers; asked is its square, in twenty"},
    {1.0 / 512, "that is how a gradient of part 7 shrinks; asked is h², behind twenty layers"},
    {std::pow(2, 20), "upside down: a layer halves"},
    {std::pow(0.341, 20), "0.341 is what is left of the variance; asked is the second moment"}};

// The same, and what a run measures where the law says 2^-layers: its luck has the deviation √(5·layers/n) in ln E[h²], over
// five networks of width 256 at most 0.44, so that 2.5 times as much or as little are two deviations.
inline std::vector<Misreading> wrong_relu_moments_and(double yours) {
  std::vector<Misreading> all = wrong_relu_moments;
  for (const int layers : {10, 20, 50})
    if (const double luck = yours / std::pow(0.5, layers); luck > 1 / 2.5 && luck < 2.5)
      all.push_back({yours, layers == 20
                                ? "near, but a run measures this, with its luck; asked is what the law predicts"
                                : "that is behind " + std::to_string(layers) + " layers, with the luck of a run"});
  return all;
}
inline const std::vector<Misreading> wrong_tanh_slopes{
    {1 - std::tanh(0.8) * std::tanh(0.8), "that is the slope at z = 0.8; here the value is 0.8"},
    {0.2, "1 - tanh, but the slope is made of the square of tanh"},
    {0.16, "σ(1 - σ) is the slope of the sigmoid"},
    {0.64, "that is the square of the value"},
    {std::atanh(0.8), "that is the place z, not the slope there"},
    {0.6, "that is the root of the slope"},
    {std::tanh(0.8), "that is tanh at z = 0.8; here the value is 0.8"},
    {1 - std::tanh(0.8), "1 - tanh at z = 0.8; here the value is 0.8, and its square counts"},
    {1.64, "the sign: the square is taken off"},
    {1, "that is the slope at 0, where it is largest"},
    {0.25, "that is the sigmoid's largest slope"}};
inline const std::vector<Misreading> wrong_squares{
    {20, "divide by 2δ, not by δ"},
    {28, "that is the function at 3 alone"},
    {15, "that is the function at 2; asked is a slope"},
    {13, "from 2 to 3 alone; the central difference goes to both sides"},
    {7, "from 1 to 2 alone; the central difference goes to both sides"},
    {12, "the slope of 3x² alone; the line -2x has one, too"},
    {11, "truncation needs a third derivative, which a quadratic has not"},
    {14, "12 + 2, or half of f(3): the line -2x falls, and both places count"},
    {5, "divided by 2δ twice"},
    {8, "that is the function at 1 alone"},
    {18, "the two values are subtracted, f(3) - f(1)"},
    {17, "the 7 is the same on both sides: it has no slope"}};
inline const std::vector<Misreading> wrong_cubes{
    {3, "that is the slope of x³; the central difference errs by its truncation"},
    {0.25, "that is the error; asked is the difference itself"},
    {1.0 / 12, "that is the relative error; asked is the difference itself"},
    {4, "that is for δ = 1"},
    {6.5, "2δ is 1: it is divided by 2δ, not by δ"},
    {1.625, "2δ is 1, not 2"},
    {2.75, "the sign of the truncation: a cube is steeper further out"},
    {4.75, "from 1 to 1.5 alone; the central difference goes to both sides"},
    {1.75, "from 0.5 to 1 alone; the central difference goes to both sides"},
    {13, "divided by δ², which is 1/4; 2δ is 1"},
    {3.5, "the two values are subtracted, 1.5³ - 0.5³"},
    {3.125, "the truncation of x³ is δ², not δ³"},
    {3.375, "that is the function at 1.5 alone"},
    {1, "that is the function at 1; asked is a slope"}};
inline const std::vector<Misreading> wrong_da{
    {-6, "one use of a is missing: it also goes into p"},
    {12, "one use of a is missing: it also goes into q"},
    {18, "the two uses add with their signs: dp·b is positive here, dq is not"},
    {-72, "the two uses of a are multiplied; they add"},
    {-18, "that is db, or dp·a; p moves by b where a moves"},
    {3, "half of it: the slope of q² is 2q"},
    {9, "that is r itself"},
    {54, "that is for b = 2; b is -2"},
    {24, "q is p there; a is a part of q, too"},
    {-1, "that is the slope of q in a; r is its square"},
    {-2, "that is the slope of p in a; q and r come behind it"}};
inline const std::vector<Misreading> wrong_db{{-6, "that is dp; b has a as its factor"},
                                              {12, "that is dp·b; where b moves, p moves by a"},
                                              {6, "that is da; b goes into p alone"},
                                              {3, "that is the slope of p; q and r come behind it"},
                                              {-9, "half of it: the slope of q² is 2q"},
                                              {18, "the sign: dq is negative here"},
                                              {54, "that is for b = 2; b is -2"},
                                              {-36, "q is p there; a is a part of q, too"},
                                              {9, "that is r itself"}};

// ------------------------------------------------------------------------------------------------------------- 1.4

inline const std::vector<double> slopes_below_zero{0, 0.01, 0.2, 0.5, 1};

// 1 x as many: what a formula gives at each place.
template <class F>
Matrix<double> at_each(const std::vector<double>& places, F f) {
  Matrix<double> found(1, places.size());
  for (std::size_t k = 0; k < places.size(); ++k) found(0, k) = f(places[k]);
  return found;
}

template <class F>
Matrix<double> gains(F gain) {
  return at_each(slopes_below_zero, gain);
}

inline const std::vector<Mistake> wrong_leaky_gains{
    {gains([](double) { return 2.0; }), "the same for every a, but what passes below zero adds to E[h²]"},
    {gains([](double) { return 1.0; }), "that is the gain without any activation"},
    {gains([](double a) { return std::sqrt(2 / (1 + a * a)); }), "this scales the deviation, not the variance"},
    {gains([](double a) { return 1 / (1 + a * a); }), "each half of the z has a weight of 1/2 in the mean"},
    {gains([](double a) { return (1 + a * a) / 2; }), "upside down: a layer does this to E[z²]; undo it"},
    {gains([](double a) { return 2 / (1 + a); }), "below zero the square of h counts, and a with it"},
    {gains([](double a) { return 2 / ((1 + a) * (1 + a)); }), "the two halves of the z never add up to one number"},
    {gains([](double a) { return 2 * (1 + a * a); }), "more gets through, so Var W must be smaller, not larger"},
    {gains([](double a) { return 2 - a * a; }), "undo a factor by dividing, not by subtracting"},
    {gains([](double a) { return 2 / (1 - a * a); }), "squares add: below zero, too, h² is positive"}};

// ------------------------------------------------------------------------------------------------------------- 1.5

// Variances of uniform weights that come to mind. `in` and `out` differ.
inline std::vector<Misreading> wrong_variances(double in, double out) {
  return {{2 / out, "their variance is 2/out; the sum of a unit runs over the numbers that come in"},
          {4 / (out * out), "their variance is (2/out)²; the sum runs over what comes in, and a root is missing"},
          {2 / (3 * out), "their variance is 2/(3·out): the bound is not the deviation, and out is not in"},
          {1 / in, "their variance is 1/in: the 2 that makes up for ReLU is missing"},
          {0.5 / in, "their variance is 1/(2·in): the bound is half of what it should be"},
          {1 / (3 * in), "their variance is 1/(3·in): the bound is not the deviation, and ReLU's 2 is missing"},
          {2 / (in + out), "their variance is 2/(in + out), Xavier's compromise"},
          {std::sqrt(2 / in), "their variance is √(2/in): a root was taken twice"},
          {36 / (in * in) / 3, "their variance is 12/in²: the bound lacks its root"},
          {4 / (in * in) / 3, "their variance is 4/(3·in²): the bound lacks its root"},
          {4 / in, "their variance is 4/in: 12 is for numbers between 0 and 1, whose interval is half as long"},
          {8 / in, "their variance is 8/in: 12 is for numbers between 0 and 1, whose interval is half as long"},
          {6 / in, "their variance is 6/in: a 3 belongs under the root, and once"},
          {2 / (9 * in), "their variance is 2/(9·in): the bound went the wrong way, and is smaller than it was"},
          {2 / (27 * in), "their variance is 2/(27·in): the bound went the wrong way, and outside its root"},
          {8 / (3 * in), "their variance is 8/(3·in): twice the bound makes four times the variance"},
          {4 / (3 * in),
           "their variance is 4/(3·in): it is a third of the bound's square, and the 2 stands under the root"},
          {2 / (in * in), "their variance is 2/in²: in stands outside the root"},
          {2 / (3 * in * in), "their variance is 2/(3·in²): in stands outside the root, and the bound is no deviation"},
          {2 / (in * out), "their variance is 2/(in·out); the sum of a unit runs over the numbers that come in"},
          {4 / (in + out), "their variance is 4/(in + out); the sum of a unit runs over the numbers that come in"},
          {2 / (3 * (in + out)), "their variance is 2/(3·(in + out)), Xavier's; and the bound is no deviation"},
          {std::sqrt(6 / in) / 3, "their variance falls with the root of in: a root was taken twice"},
          {std::sqrt(6 / in), "their variance is as large as a bound: what is squared there?"},
          {2 * in, "their variance grows with in: more numbers come in, so each weight must be smaller"},
          {2 * in / 3, "their variance grows with in: more numbers come in, so each weight must be smaller"},
          {2.0, "their variance is 2, whatever the width"},
          {2.0 / 3, "their variance is 2/3, whatever the width"},
          {1.0 / 3, "their variance is 1/3, whatever the width"}};
}

// What the variance of the weights is instead of 2/in. A measured one errs by less than 2 %.
inline std::string name_variance(double variance, double in, double out) {
  for (const Misreading& misreading : wrong_variances(in, out))
    if (std::abs(variance / misreading.value - 1) < 0.02) return misreading.reason;
  return join("their variance is ", significant(variance * in, 3), "/in");
}

// ------------------------------------------------------------------------------------------------------------- 1.6

struct WrongGradients {
  std::vector<Mistake> dX, dW, db;
};

// The mistakes in each gradient of H = X + S, S = tanh(X·W + b).
inline WrongGradients wrong_around(const Matrix<double>& X, const Matrix<double>& W, const Matrix<double>& S,
                                   const Matrix<double>& dH) {
  const auto through = [&](auto slope) { return hadamard(dH, map(S, slope)); };
  const Matrix<double> dZ = through([](double s) { return 1 - s * s; });
  const Matrix<double> twice = through([](double s) { return 1 - std::tanh(s) * std::tanh(s); });
  const Matrix<double> no_square = through([](double s) { return 1 - s; }), back = matmul(dZ, transpose(W));
  const char* const tanh_of_S = "tanh' was taken at S; S is tanh(Z) already";
  const char* const square = "tanh' is made of the square of tanh";
  const char* const no_slope = "tanh' is missing on the way through the layer";
  const double n = double(X.rows());
  WrongGradients wrong;
  wrong.dX = {{back, "X goes into H by two ways, and one of them is missing"},
              {dH, "X goes into H by two ways, and the one through the layer is missing"},
              {dZ, "dZ has to go back through W, and there is a second way"},
              {dZ + dH, "dZ has to go back through W before it is a part of dX"},
              {back - dH, "both ways are there; they add: the sign between them"},
              {back + 2 * dH, "the way around is counted twice"},
              {back + X, "X is what went forward; around the layer comes what came back"},
              {back + dZ, "around the layer nothing bends: dH comes back there as it is"},
              {hadamard(back, dH), "the two ways are multiplied; they add"},
              {matmul(dZ, W) + dH, "both ways are there, but W lacks its transpose"},
              {matmul(dZ, W), "W lacks its transpose, and there is a second way"},
              {matmul(dH, transpose(W)) + dH, no_slope},
              {matmul(dH, transpose(W)), no_slope},
              {matmul(dZ + dH, transpose(W)), "the way around does not pass through W"},
              {matmul(twice, transpose(W)) + dH, tanh_of_S},
              {matmul(twice, transpose(W)), tanh_of_S},
              {matmul(no_square, transpose(W)) + dH, square}};
  wrong.dW = {{matmul(transpose(X), dH), no_slope},
              {matmul(transpose(X), twice), tanh_of_S},
              {matmul(transpose(X), no_square), square},
              {matmul(transpose(X), dZ + dH), "W is not on the way around the layer"},
              {matmul(transpose(S), dZ), "W was multiplied by X, not by S"},
              {1 / n * matmul(transpose(X), dZ), "divided by n; dH has the mean over the examples already"}};
  wrong.db = {{column_sums(dH), no_slope},
              {column_sums(twice), tanh_of_S},
              {column_sums(no_square), square},
              {column_sums(dZ + dH), "b is not on the way around the layer"},
              {1 / n * column_sums(dZ), "divided by n; dH has the mean over the examples already"},
              {Matrix<double>(row_block(dZ, X.rows() - 1, 1)), "that is the last row alone; every example used b"},
              {Matrix<double>(row_block(dZ, 0, 1)), "that is the first row alone; every example used b"}};
  return wrong;
}

// ------------------------------------------------------------------------------------------------------------- 1.7

inline const std::vector<double> shares_kept{0.25, 0.4, 0.7, 0.9};  // 1 - keep is another, and never 0

template <class F>
Matrix<double> at_shares(F gain) {
  return at_each(shares_kept, gain);
}

inline const std::vector<Mistake> wrong_gains{
    {at_shares([](double) { return 2.0; }), "that is ReLU alone; what drops out takes its squares with it"},
    {at_shares([](double r) { return 1 / r; }), "ReLU lets only half of the squares through, too"},
    {at_shares([](double r) { return 2 / (r * r); }), "a number stays or goes; it is not multiplied by keep"},
    {at_shares([](double r) { return 2 * r; }), "upside down: less gets through, so Var W must be larger"},
    {at_shares([](double r) { return r / 2; }), "upside down: a layer does this to E[z²]; undo it"},
    {at_shares([](double r) { return 2 / std::sqrt(r); }), "asked is the variance, not the deviation"},
    {at_shares([](double r) { return std::sqrt(2 / r); }), "this scales the deviation, not the variance"},
    {at_shares([](double r) { return 2 / (2 - r); }), "keep is the probability to stay, 1 - keep that to drop out"},
    {at_shares([](double r) { return 2 / (1 - r); }), "1 - keep drops out; what stays is a share of keep"},
    {at_shares([](double r) { return 1 / (1 - r); }), "1 - keep drops out; and ReLU lets half of the squares through"},
    {at_shares([](double r) { return 2 * (1 - r); }), "1 - keep drops out; and the share has to be undone"},
    {at_shares([](double r) { return 2 / ((1 - r) * (1 - r)); }), "1 - keep drops out; and a number stays or goes"},
    {at_shares([](double r) { return 1 / (r * r); }),
     "ReLU lets half of the squares through; and a number stays or goes"},
    {at_shares([](double r) { return 4 / r; }), "ReLU's half is undone twice"},
    {at_shares([](double r) { return r; }),
     "upside down: less gets through, so Var W must be larger; and ReLU takes half"},
    {at_shares([](double) { return 1.0; }), "that is the gain without any activation"},
    {at_shares([](double r) { return 2 + r; }), "undo a factor by dividing, not by adding"},
    {at_shares([](double r) { return 2 * (2 - r); }), "undo a factor by dividing, not by adding"}};

inline const std::vector<Mistake> wrong_divided_gains{
    {at_shares([](double) { return 2.0; }), "the division keeps the mean of h; its mean square is another matter"},
    {at_shares([](double r) { return 2 / r; }), "that is without the division"},
    {at_shares([](double r) { return 2 * r * r; }), "the squares grow by the division, but only a share of them stays"},
    {at_shares([](double r) { return 2 / (r * r); }), "what is divided becomes larger, so Var W must be smaller"},
    {at_shares([](double r) { return r; }), "ReLU lets only half of the squares through, too"},
    {at_shares([](double r) { return r * r; }), "only a share of the squares stays, and ReLU lets half through"},
    {at_shares([](double r) { return 2 / (1 - r); }), "1 - keep drops out; and what is divided becomes larger"},
    {at_shares([](double r) { return 2 * (1 - r); }), "1 - keep drops out; what stays is a share of keep"},
    {at_shares([](double r) { return 1 / (1 - r); }), "1 - keep drops out; and ReLU lets half of the squares through"},
    {at_shares([](double r) { return 1 / r; }), "ReLU lets only half through; and what is divided becomes larger"},
    {at_shares([](double r) { return r / 2; }), "ReLU's half has to be undone, not done again"},
    {at_shares([](double r) { return 4 * r; }), "ReLU's half is undone twice"},
    {at_shares([](double) { return 1.0; }),
     "the division keeps the mean of h, not its mean square; and ReLU takes half"},
    {at_shares([](double r) { return 1 / (2 * r); }), "upside down: a layer does this to E[z²]; undo it"},
    {at_shares([](double r) { return 2 * std::sqrt(r); }), "asked is the variance, not the deviation"},
    {at_shares([](double r) { return std::sqrt(2 * r); }), "this scales the deviation, not the variance"}};

// ------------------------------------------------------------------------------------------------------------- 1.8

struct Level {
  lesson1::Activation phi;
  double M;
};

inline constexpr lesson1::Activation faint{"z/20", [](double z) { return z / 20; }, [](double) { return 0.05; }};
inline constexpr lesson1::Activation steep_tanh{"6·tanh", [](double z) { return 6 * std::tanh(z); },
                                                [](double z) { return 6 * lesson1::tanh_prime(z); }};

// Their gains lie from 0.03 to 400: no search in a part of 1e-3 to 1e3 finds them all.
inline const std::vector<Level> levels{{lesson1::linear_activation, 3},
                                       {lesson1::relu_activation, 0.5},
                                       {lesson1::leaky_relu_activation, 2},
                                       {lesson1::tanh_activation, 0.1},
                                       {lesson1::tanh_activation, 0.6},
                                       {lesson1::swish_activation, 0.01},
                                       {lesson1::swish_activation, 100},
                                       {faint, 2},
                                       {steep_tanh, 1}};

// E[φ(z)²] for z from N(0, v).
inline double moment_behind(const Level& level, double v) {
  return lesson1::gaussian_mean([&](double z) { return level.phi.value(z) * level.phi.value(z); }, v);
}

// Halves the interval from 1e-3 to 1e3 around the place where `left`, which grows with the gain, passes `wanted`.
template <class F>
double searched(F left, double wanted) {
  double low = 1e-3, high = 1e3;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = std::sqrt(low * high);
    (left(middle) < wanted ? low : high) = middle;
  }
  return low;
}

inline double right_gain(const Level& level) {
  return searched([&](double gain) { return moment_behind(level, gain * level.M); }, level.M);
}

template <class F>
Matrix<double> at_levels(F gain) {
  Matrix<double> found(1, levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) found(0, k) = gain(levels[k]);
  return found;
}

inline std::vector<Mistake> wrong_any_gains() {
  const Matrix<double> right = at_levels(right_gain);
  const auto of_right = [&](auto f) { return zip(right, at_levels([](const Level& l) { return l.M; }), f); };
  const auto mean = [](const Level& l, double v) { return lesson1::gaussian_mean(l.phi.value, v); };
  const auto within = [](double gain) { return std::clamp(gain, 1e-3, 1e3); };
  return {
      {of_right([](double gain, double M) { return gain * M; }),
       "that is the variance of z; the gain is what M is multiplied by to make it"},
      {of_right([](double gain, double M) { return gain / M; }), "divided by M once too often"},
      {of_right([](double gain, double) { return std::sqrt(gain); }), "that scales the deviation, not the variance"},
      {of_right([](double gain, double) { return 1 / gain; }), "upside down: what a layer takes has to be made up for"},
      {at_levels([](const Level& l) { return l.M / moment_behind(l, l.M); }),
       "one step from a gain of 1: right where φ only scales; else go on until it settles"},
      {at_levels([](const Level& l) { return 1 / moment_behind(l, l.M); }),
       "one step from a gain of 1, and M is to come back, not 1"},
      {at_levels([&](const Level& l) {
         return searched([&](double g) { return mean(l, g * l.M) * mean(l, g * l.M); }, l.M);
       }),
       "that is the square of a mean; asked is the mean of the square"},
      {at_levels([](const Level& l) { return searched([&](double g) { return moment_behind(l, g * l.M) / g; }, l.M); }),
       "E[φ(z)²] is compared with gain·M; M itself is to come back"},
      {at_levels([](const Level& l) { return 1 / moment_behind(l, 1); }),
       "that is for z from N(0, 1): the size of the signal counts"},
      {at_levels([](const Level& l) { return moment_behind(l, l.M); }), "that is what a gain of 1 leaves of M"},
      {at_levels([&](const Level& l) { return searched([&](double g) { return mean(l, g * l.M); }, l.M); }),
       "that is the gain with E[φ(z)] = M: the square is missing"},
      {of_right([&](double gain, double M) { return within(gain * gain * M); }),
       "the second argument of gaussian_mean is a variance, and no root of it"},
      {of_right([&](double gain, double M) { return within(std::sqrt(gain / M)); }),
       "the second argument of gaussian_mean is a variance, and not its square"},
      {at_levels(
           [](const Level& l) { return searched([&](double g) { return moment_behind(l, g * l.M); }, l.M * l.M); }),
       "M is a mean of squares already: it is not squared again"},
      {at_levels([](const Level& l) {
         return searched([&](double g) { return moment_behind(l, g * l.M); }, std::sqrt(l.M));
       }),
       "M is the mean of the squares, and E[φ(z)²] as well: no root"},
      {at_levels([](const Level& l) { return searched([&](double g) { return moment_behind(l, g * l.M); }, 1); }),
       "that is the gain that makes 1 of every M"},
      {at_levels([&](const Level& l) {
         return searched([&](double g) { return moment_behind(l, g * l.M) - mean(l, g * l.M) * mean(l, g * l.M); },
                         l.M);
       }),
       "that keeps the variance of φ(z); asked is the mean of its square"},
      {at_levels([](const Level&) { return 2.0; }), "that is ReLU's, for every φ"},
      {at_levels([](const Level&) { return 1e-3; }),
       "the search ended at its lower end: it went the wrong way, as where its ends are exchanged or M is divided by the gain"},
      {at_levels([](const Level&) { return 1e3; }),
       "the search ended at its upper end: it went the wrong way, as where its ends are exchanged or M is divided by the gain"}};
}

// Says why a search for the right gains ended beside them; empty where it does not look like one.
inline std::string diagnose_search(const Matrix<double>& yours, const Matrix<double>& right, double near) {
  const auto stopped = [&](int halvings, double low, bool between_logarithms) {
    Matrix<double> ends(3, right.cols());  // the lower end, the middle and the upper end
    for (std::size_t k = 0; k < right.cols(); ++k) {
      double from = low, to = 1e3;
      const auto middle = [&] { return between_logarithms ? std::sqrt(from * to) : (from + to) / 2; };
      for (int halving = 0; halving < halvings; ++halving) {
        const double half = middle();
        (half < right(0, k) ? from : to) = half;
      }
      ends(0, k) = from;
      ends(1, k) = middle();
      ends(2, k) = to;
    }
    for (std::size_t end = 0; end < 3; ++end)
      if (agrees(yours, Matrix<double>(row_block(ends, end, 1)), 1e-9)) return true;
    return false;
  };
  for (int halvings = 1; halvings <= 40; ++halvings)
    if (stopped(halvings, 1e-3, true) || stopped(halvings, 1e-3, false) || stopped(halvings, 0, false))
      return "the search stops too early: more halvings";
  double end = 0, apart = 0, largest = 0, least = 1e300;  // the last two of what is right
  bool same = true;
  for (std::size_t k = 0; k < right.cols(); ++k) {
    const double found = yours(0, k);
    if (std::abs(found / right(0, k) - 1) <= near) {
      largest = std::max(largest, found);
      least = std::min(least, found);
    } else {
      same = same && (end == 0 || std::abs(found / end - 1) <= near);
      end = found;
      apart = std::max(apart, std::abs(found / right(0, k) - 1));
    }
  }
  same = same && apart > 0.01;  // else all are near
  if (largest > 0 && same && (end > largest * (1 - near) || end < least * (1 + near)))
    return "where it is wrong it is always " + significant(end, 3) +
           ": a constant, or the end of a search, and the gains go from 1e-3 to 1e3";
  if (largest == 0 && same)
    return "the same for every φ and M, " + significant(end, 3) +
           ": if that is an end of a search, it went the wrong way";
  return agrees(yours, right, 0.1) ? "near, but not to six digits: look closer" : "";
}

}  // namespace exercise
