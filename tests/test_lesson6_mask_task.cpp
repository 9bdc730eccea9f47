// Lesson 6, the mask task: its examples, how a layer is read, what solves it, and what is left when weights see the
// mask alone.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>
#include <vector>

#include "lessons/6_bma/run/train_mask.hpp"
#include "tests/check.hpp"

using namespace lesson6;

static void examples(Checks& check) {
  mask_task::Batch<double> batch;
  Random random(10);
  mask_task::draw(1000, random, batch);
  check.that(batch.X.X.shape() == Shape{2000, 16} && batch.target.shape() == Shape{1000, 8}, "shapes");
  double wrong = 0, ones = 0, square = 0;
  std::set<std::vector<double>> masks;
  for (std::size_t i = 0; i < 1000; ++i) {
    std::vector<double> mask;
    for (std::size_t f = 0; f < 8; ++f) {
      const double c = batch.X.X(2 * i, f), sign = batch.X.X(2 * i + 1, 8 + f);
      wrong += batch.X.X(2 * i, 8 + f) != 0 || batch.X.X(2 * i + 1, f) != 0 || std::abs(sign) != 1;
      wrong += batch.target(i, f) != (sign > 0 ? c : 0);
      ones += (sign + 1) / 2 / 8000;
      square += c * c / 8000;
      mask.push_back(sign);
    }
    masks.insert(mask);
  }
  check.near(wrong, 0, 0, "the target is the content where the mask is 1, and 0 elsewhere");
  check.near(ones, 0.5, 0.0224, "half of the mask is 1");   // 4 standard deviations of 8,000 tosses
  check.near(square, 1, 0.0632, "contents of variance 1");  // √(2/8000)
  check.that(masks.size() > 230, "all masks come");         // 256·(1 - e^(-1000/256)) = 251 are expected
}

static void reading(Checks& check) {
  Matrix<double> Y(4, 16);
  for (std::size_t k = 0; k < Y.size(); ++k) Y.values()[k] = double(k);
  const Matrix<double> answer = mask_task::read_output(Y), back = mask_task::read_output_back(answer);
  const Matrix<double> expected{{16, 17, 18, 19, 20, 21, 22, 23}, {48, 49, 50, 51, 52, 53, 54, 55}};
  check.that(answer == expected, "the answer is read at the second token");
  check.that(back.shape() == Y.shape() && dot(back, back) == dot(answer, answer) && dot(back, Y) == dot(answer, answer),
             "and its gradient goes back there");
}

static void solutions(Checks& check) {
  const double missed = 1 - mask_task::r_squared(mask_task::by_hand<double>(10), 2000, Random(11));
  check.near(missed, 4.12e-9, 0.3e-9, "solved by hand");
  check.near(mask_task::r_squared_of_half(20'000, Random(12)), 0.5, 0.009, "c/2 explains a half");
  RunSettings settings = mask_task::run_settings();
  settings.steps = 300;
  check.that(mask_task::r_squared(mask_task::trained(Gate::attending, 1, settings), 2000, Random(13)) > 0.95,
             "who attends can apply the mask");
  check.that(mask_task::r_squared(mask_task::trained(Gate::bma, 1, settings), 2000, Random(13)) < 0.65,
             "who is attended to cannot");
}

// Weights set by hand look at the mask alone: nothing of their variance comes from the content, and averaging changes
// nothing. With contents in their keys they do not.
static void averaged_weights(Checks& check) {
  GatedAttention<double> layer = mask_task::by_hand<double>(1);
  const mask_task::Averaged averaged = mask_task::average_weights(layer, 20, Random(14));
  check.near(averaged.share, 0, 1e-25, "weights that see no content");
  const double sigmoid = 1 / (1 + std::exp(-1.0));
  check.near(averaged.weights(5, 0), sigmoid, 1e-12, "the weight of head 0 where the mask 00000101 lets through");
  check.near(averaged.weights(5, 1), 1 - sigmoid, 1e-12, "and that of head 1, where it does not");
  check.near(mask_task::r_squared(layer, averaged, 2000, Random(15)), mask_task::r_squared(layer, 2000, Random(15)),
             1e-12, "averaging changes nothing");
  layer.plain.Wk(0, 0) = 1;  // the content of feature 0 in the key of head 0
  const mask_task::Averaged other = mask_task::average_weights(layer, 20, Random(14));
  check.that(other.share > 0.01, "weights that see the content");
  check.that(
      mask_task::r_squared(layer, other, 2000, Random(15)) > mask_task::r_squared(layer, 2000, Random(15)) + 0.01,
      "what they see of it does harm here");
}

int main() {
  Checks check;
  examples(check);
  reading(check);
  solutions(check);
  averaged_weights(check);
  return check.done("test_lesson6_mask_task");
}
