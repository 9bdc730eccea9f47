// Lesson 2 beyond its claims: every gradient, shards, training, your own optimizer, writing.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <vector>

#include "common/frame/files/file.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"
#include "tests/gradients.hpp"

using namespace lesson2;

static constexpr BengioForm small_network{.vocab = 5, .context = 3, .dim = 2, .hidden = 8};

static std::vector<std::uint32_t> random_text(std::size_t size) {
  Random random(6);
  std::vector<std::uint32_t> text(size);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(5));
  return text;
}

static void shards(GradientTest& test) {
  const std::vector<std::uint32_t> text = random_text(300);
  Random random(7);
  BengioForm form = small_network;
  form.direct = true;
  Bengio<double> model = normal_model(form, random);
  const std::vector<Windows> cut{windows_of(text, 0, 60, 3, 5), windows_of(text, 60, 60, 3, 5),
                                 windows_of(text, 120, 9, 3, 5)};
  const Windows whole = windows_of(text, 0, 129, 3, 5);
  const auto loss = [&] { return loss_of(whole)(output(model, whole)).value; };
  Pool pool(2);
  ShardedPass<Bengio<double>> pass(model, cut.size());
  test.check.near(pass_over(cut, model, pass, pool), loss(), 1e-14,
                  "a batch in shards: the mean loss");
  test.list("a batch in shards", model.tensors(), pass.gradients(), loss);
}

// The README's settings but for the number of steps, of which 2 in 100 climb.
static constexpr long steps = 100;

static Bengio<float> trained(Symbols text, std::size_t threads) {
  Random random(4);
  Bengio<float> model(small_network, random);
  TrainingSettings settings;
  settings.steps = steps;
  Pool pool(threads);
  train(model, text, settings, pool, Random(5));
  return model;
}

// No header knows this optimizer: each entry moves by the rate, against its gradient's sign.
struct Signs {
  void step(const Tensors<float>& parameters, const Tensors<float>& gradients, double rate) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i].tensor += map_entries(gradients[i].tensor, [rate](float g) {
        return g == 0 ? 0 : float(std::copysign(rate, -g));
      });
  }
};

static void own_optimizer(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(3000);
  Random random(4);
  Bengio<float> model(small_network, random);
  const Bengio<float> before = model;
  Signs signs;
  Pool pool(1);
  train(model, signs, text, {.steps = 1, .rate = 0.5, .warm_up = 0}, pool, Random(5));
  check.near(max_abs_difference(model.W2, before.W2), 0.5, 1e-6, "an optimizer of one's own");
}

static void training(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(3000);
  const Bengio<float> model = trained(text, 1);
  for (const std::size_t threads : {2u, 3u, 8u})
    check.that(trained(text, threads).W1 == model.W1, "the same bits on any number of threads");

  // Trains again, a whole batch at a time.
  Random start(4), draws(5);
  Bengio<float> other(small_network, start);
  AdamW<float> adam({.beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8, .decay = 0.01});
  for (long step = 0; step < steps; ++step) {
    Windows batch = draw_windows(text, 64, 3, 5, draws);
    const Windows half = draw_windows(text, 64, 3, 5, draws);
    batch.contexts.insert(batch.contexts.end(), half.contexts.begin(), half.contexts.end());
    batch.targets.insert(batch.targets.end(), half.targets.begin(), half.targets.end());
    auto g = gradients(other, batch, loss_of(batch));
    adam.step(other.tensors(), g.parameters.tensors(), cosine_rate(step, steps, 0.01, 2));
  }
  // In float, where AdamW divides small gradients by their size; a wrong batch, rate or decay moves
  // W1 by more than .01.
  check.near(max_abs_difference(other.W1, model.W1), 0, 1e-3, "training is README's loop");

  Pool pool(2);
  double sum = 0;
  for (std::size_t at = 0; at < 1100; ++at)  // over the end of a chunk of 1,024
    sum -= std::log(double(
        next_distribution(model, {text.begin(), text.begin() + std::ptrdiff_t(at)}, 1)[text[at]]));
  // A mean of 1,100 roundings in float.
  check.near(mean_loss(model, text, 0, 1100, pool), sum / 1100, 1e-6,
             "the mean loss is that of the next symbols");
  const std::vector<double> each = losses_of(model, Symbols(text), 0, 1100);
  check.that(each.size() == 1100, "a loss for each symbol");
  check.near(mean_of(each), sum / 1100, 1e-6, "their mean");
  check.near(each[1050],
             -std::log(double(
                 next_distribution(model, {text.begin(), text.begin() + 1050}, 1)[text[1050]])),
             1e-5, "in the text's order");  // one rounding in float of some 2
  // 2,000 draws of 5: 400 each, with five standard deviations of 18.
  std::array<int, 10> drawn{};
  Random random(1);
  for (const std::uint32_t s :
       draw_windows(std::vector<std::uint32_t>{3, 1, 4, 1, 5}, 2000, 1, 9, random).targets)
    ++drawn[s];
  for (const std::uint32_t s : {3u, 4u, 5u})
    check.near(drawn[s], 400, 90, "places are drawn alike");
}

// The README's start: variances 1 for C, 1/(c·d) for W1, 0.01² for W2; biases 0.
static void start(Checks& check) {
  Random random(9);
  const BengioForm form{.vocab = 60, .context = 4, .dim = 20, .hidden = 70};
  const Bengio<double> model(form, random);
  const auto variance = [&](const Matrix<double>& A, double expected, const char* name) {
    // Six standard deviations.
    check.near(mean_square(A) / expected, 1, 6 * std::sqrt(2 / double(A.size())), name);
  };
  variance(model.C, 1, "C");
  variance(model.W1, 1.0 / 80, "W1");
  variance(model.W2, 1e-4, "W2");
  check.near(mean_square(model.b1) + mean_square(model.b2), 0, 0, "biases");
}

static void writing(Checks& check) {
  Bengio<double> model(BengioForm{.vocab = 3, .context = 2, .dim = 1, .hidden = 1});
  // All weights are 0, so b2 gives the distribution.
  model.b2 = {{std::log(.2), std::log(.3), std::log(.5)}};
  check.near(next_distribution(model, {0, 1, 2}, 1)[1], .3, 1e-14,
             "at temperature 1 the model's own distribution");
  check.near(next_distribution(model, {}, 0.5)[2], .25 / (.04 + .09 + .25), 1e-14,
             "at 1/2 the squares");
  Random random(3);
  std::array<int, 3> drawn{};
  for (const std::uint32_t s : sample(model, {}, 10'000, 1, random)) ++drawn[s];
  // Five standard deviations of 50.
  check.near(drawn[2], 5000, 250, "sampling follows the distribution");
  check.that(sample(model, {1, 2}, 0, 1, random).empty(), "no symbols on request");

  // It repeats the older of two symbols, by direct connections alone.
  Bengio<double> older(BengioForm{.vocab = 3, .context = 2, .dim = 3, .hidden = 1, .direct = true});
  older.C = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  older.Wd = {{99, 0, 0}, {0, 99, 0}, {0, 0, 99}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  check.that(sample(older, {0, 2}, 3, 1, random) == std::vector<std::uint32_t>{0, 2, 0},
             "the whole window counts");
}

// Two whole blocks, 0 and 1, and half a third one.
static void errors(Checks& check) {
  std::vector<double> losses(250, 2);
  std::fill(losses.begin(), losses.begin() + 100, 0);
  std::fill(losses.begin() + 100, losses.begin() + 200, 1);
  const Spread spread = over_text(losses);
  check.near(spread.mean, 0.8, 1e-15, "the mean is of all symbols");
  check.near(spread.standard_error(), 0.5, 1e-15, "blocks are the units");
  check.near(minus({3, 1}, {1, 4})[1], -3, 0, "differences are paired");
  check.equal(over_text({}, 3), "", "of no symbol there is no mean");

  const std::vector<std::size_t> times{0, 1, 10, 11, 100, 101};
  for (std::size_t rarity = 0; rarity < rarities.size(); ++rarity) {
    constexpr std::size_t as_many[] = {1, 2, 2, 1};
    check.that(of_rarity(rarity, std::vector<double>(6), times).size() == as_many[rarity],
               "windows seen " + rarities[rarity]);
  }
}

static std::vector<std::string> sorted_lines(const Corpus& corpus) {
  std::istringstream in(corpus.vocabulary.decode(corpus.text));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

static void shuffling(Checks& check) {
  const auto play = [](LineOrder lines) {
    return read_corpus("common/data/play.txt", 3, SymbolKind::bytes, lines);
  };
  const Corpus straight = play(LineOrder::in_order), mixed = play(LineOrder::shuffled);
  const std::string as_it_is = read_file("common/data/play.txt");
  check.that(straight.vocabulary.decode(straight.text) == as_it_is, "in order, it is the file");
  check.that(play(LineOrder::shuffled).text == mixed.text, "shuffled alike each time");
  check.that(sorted_lines(mixed) == sorted_lines(straight), "no line is lost, or made");
  const auto same =
      std::mismatch(mixed.text.begin(), mixed.text.end(), straight.text.begin()).first;
  check.that(same - mixed.text.begin() < 1000, "another order from the first page on");
}

int main() {
  GradientTest test;
  visit_models(test);
  shards(test);
  own_optimizer(test.check);
  training(test.check);
  start(test.check);
  writing(test.check);
  errors(test.check);
  shuffling(test.check);
  return test.done("test_lesson2");
}
