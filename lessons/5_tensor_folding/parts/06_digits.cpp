// Lesson 5, part 6: digits: a straight classifier, a ReLU net and a product net side by side. When a knob is turned: what
// they take a digit for that the reader draws.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Whole products{"products", "h, the products of the product net", 24, {1, 64, 1}};
constexpr knob::Whole units{"units", "the units of the ReLU net", 46, {1, 64, 1}};
constexpr knob::Whole examples{"examples", "images to learn from, at most 1,200 drawn ones", 1200, {20, 1200, 20}};

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

// The probabilities that a net, trained in a moment, gives the ten classes for one image.
template <class Model>
static std::vector<double> answer(const Session& session, const decltype(Model::form)& form, const Images& images,
                                  const Matrix<double>& x) {
  Random random(session.options.seed, 506);
  Model model(form, random);
  train(model, images, session.training(), random);
  Matrix<double> p(output(model, Matrix<float>(x.view())).view());
  softmax(p.row(0));
  return {p.values().begin(), p.values().end()};
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Images& all = session.images.train;
  std::vector<std::size_t> first(std::min(at[examples], all.labels.size()));
  std::iota(first.begin(), first.end(), std::size_t(0));
  const Images images = select(all, first);
  const Matrix<double> x = image_of(at[drawn], all);
  const std::size_t pixels = all.X.cols();
  const std::pair<const char*, std::vector<double>> answers[] = {
      {"softmax", answer<LinearNet<float>>(session, {pixels, 10}, images, x)},
      {"ReLU", answer<ReluNet<float>>(session, {pixels, at[units], 10}, images, x)},
      {"products", answer<Net<float>>(session, {pixels, 0, at[products], 10, Biases::without}, images, x)}};
  plot::HeatMap map{.title = "What each net takes the digit for: percent", .rows = 3, .cols = 10, .numbers = true};
  map.low = 0;
  map.high = 100;
  double off = 0;
  for (std::size_t digit = 0; digit < 10; ++digit) map.col_labels.push_back(std::to_string(digit));
  for (const auto& [name, p] : answers) {
    map.row_labels.push_back(name);
    for (const double share : p) map.values.push_back(std::round(100 * share));
    off = std::max(off, std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1));
  }
  lesson.picture("drawn_digit", map);
  lesson.say("Trained just now for ", session.training().steps, " steps on ", images.labels.size(),
             " images. The product net sees a digit and its negative, x and -x, as the same.");
  lesson.claim("probabilities sum to 1, but for rounding in float: off by", off, at_most(1e-5));
}

extern const Part<Session> part6(6, "Digits", run, "What do three nets take your digit for?",
                                 {&drawn, &products, &units, &examples}, scene, settings_text);

}  // namespace lesson5
