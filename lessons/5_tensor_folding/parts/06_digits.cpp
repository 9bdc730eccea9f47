// Lesson 5, part 6: digits: a straight classifier, a ReLU net and a product net side by side.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/parts/part2_folding.hpp"
#include "lessons/5_tensor_folding/session.hpp"

inline plot::Sheet some_images(const Images& images) {
  plot::Sheet sheet;
  sheet.title = "Images to learn from, the first of each class";
  sheet.rows = images.rows, sheet.cols = images.cols;
  sheet.per_row = 5;
  sheet.low = 0, sheet.high = 1;
  for (std::uint32_t label = 0; label < 10; ++label)
    for (std::size_t i = 0; i < images.labels.size(); ++i)
      if (images.labels[i] == label) {
        sheet.images.push_back({std::to_string(label), {images.X.row(i).begin(), images.X.row(i).end()}});
        break;
      }
  return sheet;
}

// Test accuracies of the three for each seed.
struct SideBySide {
  std::vector<double> linear, relu, product;
};

inline SideBySide side_by_side(Session& session, std::size_t seeds, std::size_t relu_units) {
  SideBySide found{std::vector<double>(seeds), std::vector<double>(seeds), std::vector<double>(seeds)};
  const std::size_t pixels = session.images.train.X.cols();
  session.run("training", 3 * seeds, [&](std::size_t job) {
    const std::size_t k = job / 3;
    const std::uint64_t seed = seed_of_run(session.options.seed, k);
    const auto score = [&](auto model) {
      train(model, session.images.train, session.training(), Random(seed, 71));
      return accuracy(model, session.images.test);
    };
    Random random(seed, 70);
    if (job % 3 == 0) found.linear[k] = score(LinearNet<float>(pixels, 10));
    else if (job % 3 == 1) found.relu[k] = score(ReluNet<float>(pixels, relu_units, 10, random));
    else found.product[k] = accuracy(session.trained(seed, session.training()), session.images.test);
  });
  return found;
}

inline void part6(Lesson& lesson, Session& session) {
  const Images& images = session.images.train;
  lesson.say(
      images.labels.size(), " images of ", images.rows, " × ", images.cols, " pixels to learn from, ",
      session.images.test.labels.size(), " others to be judged by. ",
      session.shipped() ? "They are drawn: ten glyphs, moved, turned, stretched, thick or thin, with noise." : "");
  lesson.picture("digits", some_images(images));
  const std::size_t seeds = session.quick_or<std::size_t>(2, 3), pixels = images.X.cols();
  const NetForm form = session.form();
  const std::size_t product_size = 2 * pixels * form.hidden + 10 * form.hidden;
  const std::size_t relu_units = (product_size - 10) / (pixels + 11);
  const SideBySide found = side_by_side(session, seeds, relu_units);
  Table table{{"net", "parameters", "right, of the test images"}, {}};
  table.rows = {{"softmax classifier", std::to_string(10 * pixels + 10), spread_of(found.linear).text(3)},
                {join("ReLU net, ", relu_units, " units"),
                 std::to_string((pixels + 1) * relu_units + 10 * (relu_units + 1)), spread_of(found.relu).text(3)},
                {join("product net, ", form.hidden, " products, no biases"), std::to_string(product_size),
                 spread_of(found.product).text(3)}};
  lesson.say("Three classifiers, ", session.training().steps, " steps, ", seeds, " seeds:");
  lesson.show(table);
  const double product = spread_of(found.product).mean;
  // Means and spreads over 40 seeds; the images differ from seed to seed.
  lesson.claim_trained("product net: right", product, at_least(0.983 - 4.5 * 0.0026));
  lesson.claim_trained("product net minus softmax classifier", product - spread_of(found.linear).mean,
                       within(0.095, 4.5 * 0.0053));
  lesson.claim_trained("product net minus ReLU net", product - spread_of(found.relu).mean,
                       within(0.0039, 4.5 * 0.0023));

  Random random(lesson.options().seed, 65);
  lesson.claim("product net, every gradient entry", check_net({6, 0, 4, 10, false}, 12, random).worst(), at_most(1e-7));
}
