// Lesson 2, part 5: a source of known entropy tells whether a loss is good.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p5 {

constexpr knob::Whole vocab{"vocab", "distinct symbols of the source", 5, {2, 8, 1}};
constexpr knob::Real sharpness{
    "sharpness", "k of its table's 0.01 + u^k, u uniform", 2, {0, 12, 0.25}};
constexpr knob::Whole context{"context", "c, the symbols that the network sees", 2, {1, 4, 1}};
constexpr knob::Whole hidden{"hidden", "h, the hidden units", 48, {1, 64, 1}};
constexpr knob::Whole length{"steps", "steps of training", 300, {5, 3000, 5}};

// A random chain of symbols: row x y of its table is the distribution of z.
class MarkovChain {
 public:
  MarkovChain(std::size_t symbols, double power, Random& random)
      : symbols_(symbols), p_(symbols * symbols, symbols) {
    for (std::size_t pair = 0; pair < p_.rows(); ++pair) {
      double sum = 0;
      for (double& p : p_.row(pair)) {
        p = 0.01 + std::pow(random.uniform(), power);
        sum += p;
      }
      for (double& p : p_.row(pair)) p /= sum;
    }
  }

  const Matrix<double>& table() const { return p_; }

  // Draws a text that begins after symbols 0, 0.
  std::vector<std::uint32_t> draw(std::size_t count, Random& random) const {
    std::vector<std::uint32_t> text;
    std::uint32_t x = 0, y = 0;
    while (text.size() < count) {
      text.push_back(std::uint32_t(random.pick(p_.row(pair_of(x, y)))));
      x = y;
      y = text.back();
    }
    return text;
  }

  // Returns the share of each pair x y, a row for x: pairs flow until nothing changes.
  Matrix<double> shares() const {
    Matrix<double> share(symbols_, symbols_);
    share(0, 0) = 1;
    for (int round = 0; round < 3000; ++round) {
      Matrix<double> next(symbols_, symbols_);
      for (std::size_t x = 0; x < symbols_; ++x)
        for (std::size_t y = 0; y < symbols_; ++y)
          for (std::size_t z = 0; z < symbols_; ++z)
            next(y, z) += share(x, y) * p_(pair_of(x, y), z);
      share = std::move(next);
    }
    return share;
  }

  // Returns nats per symbol.   (2.6)
  double entropy_rate() const {
    const Matrix<double> share = shares();
    double rate = 0;
    for (std::size_t pair = 0; pair < p_.rows(); ++pair)
      for (const double p : p_.row(pair)) rate -= share.values()[pair] * p * std::log(p);
    return rate;
  }

  // Returns the chain's own nats, from the third symbol on.
  std::vector<double> losses(Symbols text) const {
    std::vector<double> nats;
    for (std::size_t k = 2; k < text.size(); ++k)
      nats.push_back(-std::log(p_(pair_of(text[k - 2], text[k - 1]), text[k])));
    return nats;
  }

 private:
  std::size_t pair_of(std::size_t x, std::size_t y) const { return x * symbols_ + y; }

  std::size_t symbols_;
  Matrix<double> p_;  // symbols² x symbols
};

void source(formula::EquationChecker& checker) {
  constexpr std::size_t n = 4;
  Random random(1);
  const MarkovChain chain(n, 2, random);
  formula::Scope s;
  s.values = {{"share", chain.shares()},
              {"p", formula::Value({n, n, n},
                                   {chain.table().values().begin(), chain.table().values().end()})},
              {"entropy", chain.entropy_rate()}};
  checker.holds("2.6", s);
}

constexpr std::size_t dim = 4, symbols_to_learn = 200'000;

static TrainingSettings training_for(long steps) {
  return {.steps = steps, .batch = 256, .adam = {.beta2 = 0.99, .decay = 0}};
}

// Returns how far a trained network ends above the chain, in nats.
static double learn_chain(Lesson& lesson, Session& session, const knob::Settings& at,
                          std::size_t train_size, const TrainingSettings& settings) {
  const std::size_t symbols = at[vocab], test_size = train_size / 4;
  const std::uint64_t seed = lesson.options().seed;
  Random random(seed, 5);
  const MarkovChain chain(symbols, at[sharpness], random);
  const std::vector<std::uint32_t> text = chain.draw(train_size + test_size, random);
  const Symbols test = Symbols(text).last(test_size);
  const Spread own = spread_of(chain.losses(test));
  const double entropy = chain.entropy_rate(), best = own.mean, uniform = std::log(double(symbols));

  const BengioForm form{.vocab = symbols, .context = at[context], .dim = dim, .hidden = at[hidden]};
  Bengio<float> model(form, random);
  plot::Chart chart{
      .title = join("A source of ", symbols, " symbols, and a network that sees ", at[context]),
      .x = {.title = "step", .low = 0, .high = double(settings.steps)},
      .y = {.title = "nats per symbol", .low = 0, .high = 2.5},
      .series = {{"loss of the batch"}},
      .levels = {{"uniform", uniform}, {"entropy rate", entropy}}};
  const auto watch = [&](long step, double loss) {
    chart.series[0].add(double(step), loss);
    lesson.draft(chart);
    return true;
  };
  train(model, Symbols(text).first(train_size), settings, session.pool, Random(seed, 6), watch);
  const double reached = mean_loss(model, test, 2, test_size - 2, session.pool);

  lesson.say("Does a model that sees the last ", at[context],
             " learn all there is to learn of a source of ", symbols, " symbols?");
  lesson.predict("The entropy rate is " + fixed(entropy, 4) +
                     " nats. Which loss does the trained model reach?",
                 entropy, {.plus = 0.02});
  lesson.figure("source", chart);
  lesson.show(Table{{"nats per symbol", "loss"},
                    {{join("uniform, ln ", symbols), fixed(uniform, 4)},
                     {"entropy rate, from the table", fixed(entropy, 4)},
                     {"the chain itself, on the test text", fixed(best, 4)},
                     {"the model, on the same text", fixed(reached, 4)}}});
  // Neighbours in a text are not independent: twice the standard error's room.
  lesson.claim("the chain's own loss is its entropy rate, but for luck", best - entropy,
               within(0, 2 * 4.5 * own.standard_error() + 1e-12));
  // Over texts drawn from p, q/p has mean 1: by Markov's inequality q gains 20 nats with a chance
  // of at most e^-20.
  lesson.claim("and the model's is not below that by more than luck", reached - best,
               at_least(-20 / double(test_size)));
  return reached - best;
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  // 31 seeds: .0002 to .0009. A network that sees one symbol is above it by .23 to .36.
  lesson.claim_trained(
      "the model has learned all there is to learn: it is above the chain by",
      learn_chain(lesson, session, at, symbols_to_learn, training_for(lesson.steps(3000, 100))),
      at_most(0.002));
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  learn_chain(lesson, session, at, 40'000,
              training_for(lesson.options().quick_or(60L, long(at[length]))));
}

static std::string settings() {
  return join(symbols_to_learn, " symbols, ",
              settings_of({.context = std::size_t(context.usual[0]),
                           .dim = dim,
                           .hidden = std::size_t(hidden.usual[0])},
                          training_for(3000)));
}

}  // namespace lesson2::p5

const Part<lesson2::Session> lesson2::part5{
    .number = 5,
    .title = "A source of known entropy",
    .question = "How near does a network come to what can be known of a source?",
    .run = p5::run,
    .scene = p5::scene,
    .knobs = {&p5::vocab, &p5::sharpness, &p5::context, &p5::hidden, &p5::length},
    .settings = p5::settings};
