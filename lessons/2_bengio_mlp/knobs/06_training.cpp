// Lesson 2, part 6: a small network beside a table of counts, on the play or on a text of the reader's own.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "common/support/ngram.hpp"
#include "lessons/2_bengio_mlp/knobs/shared.hpp"

namespace lesson2 {
namespace {

constexpr knob::Whole context{"see", "c, the symbols that the network sees", 3, {1, 8, 1}};
constexpr knob::Whole numbers{"numbers", "d, the numbers for each symbol", 8, {1, 32, 1}};
constexpr knob::Whole units{"units", "h, the hidden units", 32, {1, 128, 1}};
constexpr knob::Whole length{"train-steps", "steps of training", 300, {5, 2000, 5}};
constexpr knob::Whole order{"order", "of the table of counts: the symbols that it sees, and the next", 3, {1, 6, 1}};
constexpr knob::Real added{"pseudo", "a, how many counts the shorter table is worth", 4, {0.1, 50, 0.1}};
constexpr knob::TextFile own{"text", "a text of your own"};

// The loss of the network on the validation text, after some of the steps.
class Course {
 public:
  Course(Session& session, long steps) : session_(session), every_(std::max(1L, steps / 20)) {}

  void operator()(long step, double loss, const Bengio<float>& model) {
    train.add(double(step), loss);
    if ((step + 1) % every_ == 0) validation.add(double(step + 1), on_validation(model));
  }

  double on_validation(const Bengio<float>& model) const {
    const Corpus& corpus = session_.corpus;
    const std::size_t places = std::min<std::size_t>(corpus.part.validation.size(), 2000);
    return mean_loss(model, corpus.text, corpus.train_end(), places, session_.pool);
  }

  plot::Series train{"batch", {}, {}}, validation{"validation", {}, {}};

 private:
  Session& session_;
  long every_;
};

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const long steps = steps_now(lesson.options(), at[length]);
  Course course(session, steps);
  Random random(lesson.options().seed, 506);
  Bengio<float> model({corpus.vocab(), at[context], at[numbers], at[units]}, random);
  TrainingSettings settings = session.flags.training;
  settings.steps = steps;
  const std::span<const std::uint32_t> text = short_text(session), part = corpus.part.validation;
  train(model, text, settings, session.pool, random, [&](long step, double loss) { course(step, loss, model); });
  const Ngram table = Ngram::interpolated(text, corpus.vocab(), at[order], at[added]);
  const double counted = table.loss(part.first(std::min<std::size_t>(part.size(), 2000))),
               learned = course.on_validation(model);
  plot::Chart chart{.title = join("A network that sees ", at[context], ", and counts of order ", at[order])};
  chart.x = {.title = "steps taken", .low = 0, .high = double(steps)};
  chart.y = {.title = "nats a symbol", .low = 0, .high = 6};
  chart.series = {course.train, course.validation};
  chart.levels = {{join(at[order], "-gram, validation"), counted}};
  lesson.picture("turned_training", chart);
  lesson.show(
      Table{{"on validation", "numbers stored", "nats a symbol"},
            {{"the network", std::to_string(parameters_of(model)), fixed(learned, 3)},
             {join("the ", at[order], "-gram"), std::to_string(table.distinct_up_to(at[order])), fixed(counted, 3)}}});
  lesson.say("Trained just now for ", steps, " steps on ", text.size(), " symbols; the whole part trains for ",
             standard_steps, ", with more units.");
  std::vector<double> p(corpus.vocab());
  table.distribution(text, p);
  // Each probability is a sum of as many terms as the order, and there are at most 256 of them.
  lesson.claim("the table's probabilities of what follows the text sum to 1, off by",
               std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1), at_most(1e-12));
  // Mean and spread over 24 seeds.
  lesson.claim_trained("after so few steps the network is behind the counts, by", learned - counted,
                       within(0.480, 4.5 * 0.0269));
}

}  // namespace

Bench<Session> bench6() {
  return {"Which network beats which table of counts, and after how many steps?",
          {&context, &numbers, &units, &length, &order, &added, &own},
          run};
}

}  // namespace lesson2
