// Lesson 5, part 6: digits: a straight classifier, a ReLU net and a product net side by side.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "common/support/spread.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/5_tensor_folding/run/show.hpp"

namespace lesson5 {
namespace {

plot::Sheet some_images(const Images& images) {
  plot::Sheet sheet;
  sheet.title = "Images to learn from, the first of each class";
  sheet.rows = images.rows;
  sheet.cols = images.cols;
  sheet.per_row = 5;
  sheet.low = 0;
  sheet.high = 1;
  for (std::uint32_t label = 0; label < 10; ++label)
    for (std::size_t i = 0; i < images.labels.size(); ++i)
      if (images.labels[i] == label) {
        sheet.images.push_back({std::to_string(label), {images.X.row(i).begin(), images.X.row(i).end()}});
        break;
      }
  return sheet;
}

// The forms of the three, and their test accuracies for each seed.
struct SideBySide {
  LinearForm linear_form;
  ReluForm relu_form;
  NetForm product_form;
  std::vector<double> linear, relu, product;
};

// The ReLU net gets as many units as its number of parameters may hold beside the product net's.
SideBySide side_by_side(Session& session, std::size_t seeds) {
  const std::size_t pixels = session.images.train.X.cols();
  const NetForm form = session.form();
  const std::size_t relu_units = (parameters_of(Net<float>(form)) - 10) / (pixels + 11);
  SideBySide s{{pixels, 10}, {pixels, relu_units, 10}, form, {}, {}, {}};
  for (std::vector<double>* scores : {&s.linear, &s.relu, &s.product}) scores->resize(seeds);
  session.run("training", 3 * seeds, [&](std::size_t job) {
    const std::size_t k = job / 3;
    const std::uint64_t seed = seed_of_run(session.options.seed, k);
    const Images& test = session.images.test;
    const ClassifierSettings settings = session.training();
    if (job % 3 == 0) s.linear[k] = accuracy(session.trained<LinearNet<float>>(s.linear_form, seed, settings), test);
    else if (job % 3 == 1) s.relu[k] = accuracy(session.trained<ReluNet<float>>(s.relu_form, seed, settings), test);
    else s.product[k] = accuracy(session.trained<Net<float>>(s.product_form, seed, settings), test);
  });
  return s;
}

Table table_of(const SideBySide& s) {
  const auto row = [](const std::string& name, std::size_t parameters, const std::vector<double>& right) {
    return std::vector<std::string>{name, std::to_string(parameters), spread_of(right).text(3)};
  };
  return {{"net", "parameters", "right"},
          {row("softmax classifier", parameters_of(LinearNet<float>(s.linear_form)), s.linear),
           row(join("ReLU net, ", s.relu_form.hidden, " units"), parameters_of(ReluNet<float>(s.relu_form)), s.relu),
           row(join("product net, ", s.product_form.hidden, " products, no biases"),
               parameters_of(Net<float>(s.product_form)), s.product)}};
}

}  // namespace

void part6(Lesson& lesson, Session& session) {
  const Images& images = session.images.train;
  lesson.figure("digits", some_images(images));
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, 3);
  const SideBySide found = side_by_side(session, seeds);
  lesson.say("What are products worth? ", images.labels.size(), " images of ", images.rows, " × ", images.cols,
             " pixels to learn from, ", session.images.test.labels.size(),
             " others to be judged by (right: of these); ", session.training().steps, " steps, ", seeds, " seeds:");
  lesson.show(table_of(found));
  const double product = spread_of(found.product).mean;
  // Means and spreads over 40 seeds; the images differ from seed to seed.
  lesson.claim_trained("product net: right", product, at_least(0.983 - 4.5 * 0.0026));
  lesson.claim_trained("product net minus softmax classifier", product - spread_of(found.linear).mean,
                       within(0.095, 4.5 * 0.0053));
  lesson.claim_trained("product net minus ReLU net", product - spread_of(found.relu).mean,
                       within(0.0039, 4.5 * 0.0023));

  Random random(lesson.options().seed, 65);
  lesson.claim("product net, every gradient entry", check_net({6, 0, 4, 10, Biases::without}, 12, random).worst(),
               at_most(1e-7));
}

}  // namespace lesson5
