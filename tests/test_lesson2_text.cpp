// Tests what lesson 2 computes around its model: the text as numbers, windows, the chain of known entropy, the law of the
// next symbol, sampling, and that training sees nothing but the text it is given and is the same for every number of threads.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "common/support/corpus.hpp"
#include "common/support/file.hpp"
#include "lessons/2_bengio_mlp/markov.hpp"
#include "lessons/2_bengio_mlp/sample.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "tests/check.hpp"

static void test_windows(Checks& check) {
  const std::vector<std::uint32_t> text{3, 1, 4, 1, 5};
  const Windows w = windows_of(text, 0, 5, 2, 9);
  check.that(w.contexts == std::vector<std::uint32_t>{9, 9, 9, 3, 3, 1, 1, 4, 4, 1},
             "contexts, padded at the beginning");
  check.that(w.targets == text, "every place is predicted once");
  const Windows middle = windows_of(text, 3, 1, 2, 9);
  check.that(middle.contexts == std::vector<std::uint32_t>{1, 4}, "a window in the middle looks back over the text");
  Random random(1);
  const Windows drawn = draw_windows(text, 2000, 1, 9, random);
  std::array<int, 10> predicted{};
  for (const std::uint32_t t : drawn.targets) ++predicted[t];
  // 2,000 draws of 5 places: 400 each with a standard deviation of 18, symbol 1 stands at two of them; five of them.
  for (const std::uint32_t t : {3u, 4u, 5u}) check.near(predicted[t], 400, 90, "places are drawn alike");
  check.near(predicted[1], 800, 110, "a symbol that occurs twice is drawn twice as often");
  check.that(drawn.size() == 2000 && drawn.contexts.size() == 2000, "as many windows as asked for");
}

static double entropy(double p) { return -p * std::log(p) - (1 - p) * std::log(1 - p); }

static void test_markov_chain(Checks& check) {
  // Each symbol independent of the past: the entropy of a coin. Rounding only.
  check.near(MarkovChain(Matrix<double>{{.3, .7}, {.3, .7}, {.3, .7}, {.3, .7}}).entropy_rate(), entropy(.3), 1e-14,
             "a coin");
  // Depends on the last symbol alone: from 0 to 1 with .2, from 1 to 0 with .6; π = (.6, .2)/.8 by balance.
  const MarkovChain chain(Matrix<double>{{.8, .2}, {.6, .4}, {.8, .2}, {.6, .4}});
  check.near(chain.entropy_rate(), .75 * entropy(.2) + .25 * entropy(.6), 1e-14, "a chain of order 1");
  // Depends on the symbol before the last alone: two chains of order 1 in turn, so the same rate.
  check.near(MarkovChain(Matrix<double>{{.8, .2}, {.8, .2}, {.6, .4}, {.6, .4}}).entropy_rate(),
             .75 * entropy(.2) + .25 * entropy(.6), 1e-14, "a chain that looks two symbols back");
  check.near(chain.loss(std::vector<std::uint32_t>{0, 0, 1, 0}), (-std::log(.2) - std::log(.6)) / 2, 1e-15,
             "loss of 0 0 1 0 by hand");
  Random random(2);
  const std::vector<std::uint32_t> text = chain.draw(100'000, random);
  double ones = 0;
  for (const std::uint32_t s : text) ones += s;
  // Standard deviation √(π0·π1·(1 + λ)/(1 - λ)/N) with λ = 1 - .2 - .6 = .2: 0.0017; five of them.
  check.near(ones / 100'000, .25, .0085, "the drawn text follows the stationary law");
  check.throws<std::invalid_argument>([] { MarkovChain(Matrix<double>(3, 2)); }, "MarkovChain: 3 x 2 and 4 x 2",
                                      "a table of the wrong shape");
}

static void test_sampling(Checks& check) {
  Bengio<double> model({3, 2, 1, 1});
  model.b2 = {{std::log(.2), std::log(.3), std::log(.5)}};  // all weights 0: the law is that of b2
  const std::vector<double> law = next_symbol_law(model, {0, 1, 2}, 1);
  for (std::size_t s = 0; s < 3; ++s)
    check.near(law[s], std::array{.2, .3, .5}[s], 1e-14, "the law at temperature 1 is the model's own");
  const std::vector<double> cold = next_symbol_law(model, {}, 0.5);  // squares, made to sum to 1
  check.near(cold[2], .25 / (.04 + .09 + .25), 1e-14, "temperature 1/2 squares the odds");
  check.near(next_symbol_law(model, {1}, 1e-6)[2], 1, 0, "towards 0 the likeliest symbol always wins");
  Random random(3);
  std::array<int, 3> drawn{};
  for (const std::uint32_t s : sample(model, {}, 10'000, 1, random)) ++drawn[s];
  // Standard deviation at most √(10,000/4) = 50; five of them.
  for (std::size_t s = 0; s < 3; ++s) check.near(drawn[s], 10'000 * law[s], 250, "sampling follows the law");
  check.that(sample(model, {1, 2}, 0, 1, random).empty(), "no symbols on request");

  // A model that says: after 0 comes 1, after 1 comes 2, after 2 comes 0. H = tanh of a large number is ±1.
  Bengio<double> cycle({3, 1, 3, 3});
  cycle.C = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  cycle.W1 = {{50, 0, 0}, {0, 50, 0}, {0, 0, 50}};
  cycle.W2 = {{0, 99, 0}, {0, 0, 99}, {99, 0, 0}};
  check.that(sample(cycle, {0}, 4, 1, random) == std::vector<std::uint32_t>{1, 2, 0, 1}, "the window moves on");
}

static Bengio<float> trained(std::span<const std::uint32_t> text, std::size_t threads, std::size_t batch) {
  Random random(4);
  Bengio<float> model({5, 3, 2, 8}, random);
  TrainingSettings settings;
  settings.steps = 20, settings.batch = batch;
  Pool pool(threads);
  train(model, text, settings, pool, Random(5));
  return model;
}

static bool same(Bengio<float> a, Bengio<float> b) {
  const Tensors<float> left = a.tensors(), right = b.tensors();
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
  const auto law = next_symbol_law(before, {text.begin(), text.begin() + 1500}, 1);
  check.near(std::exp(log_p[1490]), double(law[text[1500]]), 1e-6,
             "ln p of a place = the law of the next symbol there");
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
  Trainer<double> trainer(model, text, settings, pool, Random(8));
  const double loss = trainer.step();

  Random again(8);
  const Windows batch = draw_windows(text, batch_size, 3, padding_of(start.sizes), again);
  const auto trace = start.forward(batch);
  const Loss<double> whole = softmax_cross_entropy(trace.logits, std::span(batch.targets));
  Bengio<double> expected = start.backward(batch, trace, whole.gradient), found = trainer.gradients();
  const std::string name = "a batch of " + std::to_string(batch_size) + ": ";
  check.near(loss, whole.value, 1e-14, name + "the loss of a step is the mean over the batch");
  const Tensors<double> left = found.tensors(), right = expected.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)  // sums of some hundred numbers below 1, in another order
    check.near(max_abs_difference(left[t].tensor, right[t].tensor), 0, 1e-14, name + "gradient of " + left[t].name);
}

// A text of all bytes that is read in several pieces, the last one short.
static void test_corpus(Checks& check) {
  std::string bytes;
  for (std::size_t i = 0; i < 200'001; ++i) bytes += static_cast<char>(i * i / 100);
  const std::string name = "test_lesson2_text_" + std::to_string(std::random_device()());
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  write_file(path, bytes);
  const Corpus corpus = read_corpus(path, "", 3);
  std::filesystem::remove(path);
  check.that(corpus.text == Vocabulary(bytes).encode(bytes), "a text read in pieces is encoded as one in one piece");
  check.that(corpus.vocabulary.decode(corpus.text) == bytes, "and decoded");
  check.that(corpus.hash == hash(bytes) && !corpus.shipped(), "its hash");
  check.that(corpus.text.capacity() == bytes.size(), "and it takes four bytes a symbol");
  check.that(corpus.train_end() == 180'000 && corpus.part.train.data() == corpus.text.data(), "its parts lie in it");
}

int main() {
  Checks check;
  test_corpus(check);
  for (const std::size_t batch : {64u, 65u, 129u, 257u}) test_shards(check, batch);  // 1, 2, 2 and 3 shards
  test_windows(check);
  test_markov_chain(check);
  test_sampling(check);
  test_training(check);
  return check.done("test_lesson2_text");
}
