// Lesson 5, part 6: a digit that the reader draws, and what three nets take it for.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "common/loss.hpp"
#include "lessons/5_tensor_folding/knobs/shared.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

constexpr knob::Cells drawn{"digit", "a digit as you draw it", drawn_three, digits::side};
constexpr knob::Whole products{"products", "h, the products of the product net", 24, {1, 64, 1}};
constexpr knob::Whole units{"units", "the units of the ReLU net", 46, {1, 64, 1}};
constexpr knob::Whole examples{"examples", "images to learn from, at most 1,200 drawn ones", 1200, {20, 1200, 20}};

// A row for each net: the probabilities that it gives the ten classes for one image, and what it gets right.
struct Answers {
  plot::HeatMap map{.title = "What each net takes the digit for: percent", .cols = 10, .numbers = true};
  Table table{{"net", "numbers", "right of others", "takes it for", "percent"}, {}};
};

// Trains one more net, and adds its row.
template <class Model>
void add(Answers& answers, Session& session, const std::string& name, const decltype(Model::form)& form,
         const Images& images, const Matrix<double>& x) {
  Random random(session.options.seed, 506);
  Model model(form, random);
  train(model, images, short_training(session, ClassifierSettings().decay, 0), random);
  Matrix<double> p(output(model, Matrix<float>(x.view())).view());
  softmax(p.row(0));
  for (double& value : p.values()) value = std::round(100 * value);
  const std::uint32_t answer = largest_of_rows(p)[0];
  answers.map.row_labels.push_back(name);
  answers.map.values.insert(answers.map.values.end(), p.values().begin(), p.values().end());
  ++answers.map.rows;
  answers.table.rows.push_back({name, std::to_string(parameters_of(model)),
                                fixed(accuracy(model, session.images.test), 3), std::to_string(answer),
                                fixed(p(0, answer), 0)});
}

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Images& all = session.images.train;
  std::vector<std::size_t> first(std::min(at[examples], all.labels.size()));
  for (std::size_t k = 0; k < first.size(); ++k) first[k] = k;
  const Images images = select(all, first);
  const Matrix<double> x = image_of(at[drawn], all);
  const std::size_t pixels = all.X.cols();
  Answers answers;
  for (std::size_t digit = 0; digit < 10; ++digit) answers.map.col_labels.push_back(std::to_string(digit));
  answers.map.low = 0;
  answers.map.high = 100;
  add<LinearNet<float>>(answers, session, "softmax", {pixels, 10}, images, x);
  add<ReluNet<float>>(answers, session, "ReLU", {pixels, at[units], 10}, images, x);
  const NetForm form{pixels, 0, at[products], 10, Biases::without};
  add<Net<float>>(answers, session, "products", form, images, x);
  lesson.picture("turned_digit", answers.map);
  lesson.show(answers.table);
  lesson.say("Trained just now for ", short_training(session, 0, 0).steps, " steps on ", images.labels.size(),
             " images, and judged by ", session.images.test.labels.size(),
             " others. The product net sees a digit and its negative, x and -x, as the same.");
  Random random(session.options.seed, 606);
  lesson.claim("product net of so many products, every gradient entry",
               check_net({6, 0, at[products], 10, Biases::without}, 12, random).worst(), at_most(1e-7));
}

}  // namespace

Bench<Session> bench6() {
  return {"What do three nets take your digit for?", {&drawn, &products, &units, &examples}, run};
}

}  // namespace lesson5
