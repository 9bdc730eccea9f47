// Tests the training of lesson 2: that it sees nothing but the text it is given, that it is the same for every number
// of threads and of shards, and what a model is said to lose on a text.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lessons/2_bengio_mlp/model/5_sample.hpp"
#include "lessons/2_bengio_mlp/run/train.hpp"
#include "tests/check.hpp"

using namespace lesson2;

static Bengio<float> trained(std::span<const std::uint32_t> text, std::size_t threads, std::size_t batch) {
  Random random(4);
  Bengio<float> model({5, 3, 2, 8}, random);
  TrainingSettings settings;
  settings.steps = 20;
  settings.batch = batch;
  Pool pool(threads);
  train(model, text, settings, pool, Random(5));
  return model;
}

static bool same(const Bengio<float>& a, const Bengio<float>& b) {
  const ConstTensors<float> left = a.tensors(), right = b.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)
    if (!(left[t].tensor == right[t].tensor)) return false;
  return true;
}

static void test_training(Checks& check) {
  Random random(6);
  std::vector<std::uint32_t> text(3000);
  for (std::uint32_t& s : text) s = std::uint32_t(random.below(5));
  for (const std::size_t batch : {32u, 128u, 300u, 500u})
    for (const std::size_t threads : {2u, 3u, 8u})
      check.that(same(trained(text, 1, batch), trained(text, threads, batch)),
                 "the same bits on any number of threads");
  const std::span<const std::uint32_t> train_part = std::span(text).first(2000);
  const Bengio<float> before = trained(train_part, 1, 64);
  for (std::size_t place = 2000; place < text.size(); ++place) text[place] = 0;
  check.that(same(before, trained(train_part, 1, 64)), "training sees nothing behind its part of the text");
  text[1000] = (text[1000] + 1) % 5;
  text[1001] = (text[1001] + 1) % 5;
  text[1500] = (text[1500] + 1) % 5;
  check.that(!same(before, trained(train_part, 1, 64)), "and it does see its part");

  Pool pool(2);
  const std::vector<double> log_p = log_probabilities(before, text, 10, 2500, pool);  // more than two chunks
  double sum = 0;
  for (std::size_t i = 0; i < log_p.size(); ++i) sum -= log_p[i] / double(log_p.size());
  check.near(mean_loss(before, text, 10, 2500, pool), sum, 1e-12, "mean loss = mean of -ln p");
  const auto distribution = next_distribution(before, {text.begin(), text.begin() + 1500}, 1);
  check.near(std::exp(log_p[1490]), double(distribution[text[1500]]), 1e-6,
             "ln p of a place = the distribution of the next symbol there");
  check.throws<Diverged>([] { check_loss(std::nan(""), 5, 7); }, "step 7", "a loss that is no number stops the run");
}

// A batch in shards, the last one smaller: their gradients must add up to those of the mean loss over the whole batch.
static void test_shards(Checks& check, std::size_t batch_size) {
  Random random(7);
  std::vector<std::uint32_t> text(3000);
  for (std::uint32_t& s : text) s = std::uint32_t(random.below(5));
  const Bengio<double> start({5, 3, 2, 8}, random, 1);
  Bengio<double> model = start;
  TrainingSettings settings;
  settings.batch = batch_size;
  Pool pool(1);
  Trainer trainer(model, text, settings, pool, Random(8));
  const double loss = trainer.step();

  Random again(8);
  const Windows batch = draw_windows(text, batch_size, 3, padding_of(start.form), again);
  const Gradients<Bengio<double>> expected = gradients(start, batch, loss_of(batch));
  const std::string name = "a batch of " + std::to_string(batch_size) + ": ";
  check.near(loss, loss_of(batch)(output(start, batch)).value, 1e-14,
             name + "the loss of a step is the mean over the batch");
  const ConstTensors<double> left = trainer.gradients().tensors(), right = expected.d.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)  // sums of some hundred numbers below 1, in another order
    check.near(max_abs_difference(left[t].tensor, right[t].tensor), 0, 1e-14, name + "gradient of " + left[t].name);
}

int main() {
  Checks check;
  for (const std::size_t batch : {64u, 65u, 129u, 257u}) test_shards(check, batch);  // 1, 2, 2 and 3 shards
  test_training(check);
  return check.done("test_lesson2_training");
}
