// Lesson 5, part 6: digits: a straight classifier, a ReLU net and a product net side by side.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Images& images = session.images.train;
  plot::Sheet sheet = sheet_for(images, "Images to learn from, the first of each class", 5);
  sheet.diverging = false;
  sheet.low = 0;
  sheet.high = 1;
  for (std::uint32_t label = 0; label < 10; ++label) {
    const auto first = std::find(images.labels.begin(), images.labels.end(), label);
    if (first == images.labels.end()) continue;
    const auto pixels = images.X.row(std::size_t(first - images.labels.begin()));
    sheet.images.push_back({std::to_string(label), {pixels.begin(), pixels.end()}});
  }
  lesson.figure("digits", sheet);
  const std::size_t seeds = session.options.quick_or<std::size_t>(2, 3), pixels = images.X.cols(),
                    relu_units = units_beside(session);
  lesson.say(images.labels.size(), " images of ", images.rows, " × ", images.cols, " pixels to learn from, ",
             session.images.test.labels.size(), " to be judged by, ", session.training().steps, " steps, ", seeds,
             " seeds:");
  const Right right = compete(
      lesson, session, seeds,
      {rival<LinearNet<float>>(session, "softmax classifier", 0.009, {pixels, 10}),
       rival<ReluNet<float>>(session, join("ReLU net, ", relu_units, " units"), 0.027, {pixels, relu_units, 10}),
       rival<Net<float>>(session, join("product net, ", session.form().hidden, " products"), 0.009, session.form())});
  const Verdict linear = ahead(right, 2, 0), relu = ahead(right, 2, 1);
  lesson.claim_trained("products ahead of the softmax classifier: right", linear.difference[1].mean, at_least(0.05));
  lesson.claim_trained("... and no two seeds the same: standard deviation", spread_of(right[2][1]).deviation,
                       at_least(1e-5));
  if (session.options.all)
    lesson.claim_trained("... at the neighbouring rates, too: 1", linear.holds() ? 1 : 0, exactly(1));
  lesson.claim_trained("products and ReLU, each at its best rate: apart by", std::abs(relu.difference[1].mean),
                       at_most(0.01));
}

extern const Part<Session> part6(6, "Digits", run, "", {}, nullptr, settings_text);

}  // namespace lesson5
