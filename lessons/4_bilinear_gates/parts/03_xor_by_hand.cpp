// Lesson 4, part 3: XOR in one product, on paper; and what one ReLU unit makes of it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/3_gates.hpp"
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"
#include "lessons/4_bilinear_gates/run/session.hpp"
#include "lessons/4_bilinear_gates/run/surface.hpp"
#include "lessons/4_bilinear_gates/run/train.hpp"

namespace lesson4 {
namespace {

// The first of some seeds with which a ReLU net of width 4 learns XOR.
HiddenNet trained_relu(const Options& options) {
  for (std::uint64_t k = 0;; ++k) {
    Random random(seed_of_run(options.seed, k), 41);
    HiddenNet net({Bend::relu, 2, 4, 1}, random);
    FitSettings settings;
    settings.steps = options.steps_or(settings.steps, 100);
    const Fit found = fit(net, corner_rows(), column_of(gate_named("XOR").truth), settings);
    if (found.succeeded(settings) || options.quick || options.steps > 0) return net;
  }
}

// The lowest loss that one ReLU unit with a read-out reaches from any of some starts.
double best_single_relu(Session& session) {
  const std::size_t starts = session.options.quick_or<std::size_t>(4, 50);
  std::vector<double> losses(starts);
  session.run("training", starts, [&](std::size_t k) {
    Random random(seed_of_run(session.options.seed, k), 42);
    HiddenNet net({Bend::relu, 2, 1, 1}, random);
    FitSettings settings;
    settings.steps = session.options.steps_or(settings.steps, 100);
    losses[k] = fit(net, corner_rows(), column_of(gate_named("XOR").truth), settings).loss;
  });
  return *std::min_element(losses.begin(), losses.end());
}

// The loss on XOR of u·relu(w·x + b) + d.
double loss_of_unit(const Factor& w, double u, double d) {
  HiddenNet net({Bend::relu, 2, 1, 1});
  net.W = {{w.x}, {w.y}};
  net.b = {{w.one}};
  net.U = {{u}};
  net.d = {{d}};
  return mean_squared_error(output(net, corner_rows()), column_of(gate_named("XOR").truth)).value;
}

void one_relu_unit(Lesson& lesson, Session& session) {
  const double rising = loss_of_unit({1, -1, 0}, 2 / 3.0, 1 / 3.0),
               falling = loss_of_unit({1, 1, -1}, -2 / 3.0, 2 / 3.0);
  const double best = best_single_relu(session);
  lesson.predict("How near to XOR can one ReLU unit with a read-out come, as a mean squared error?", rising);
  lesson.say("One ReLU unit on XOR: ", fixed(rising, 6), " and ", fixed(falling, 6), " by hand; the best of ",
             session.options.quick_or(4, 50), " trained ones ", fixed(best, 6), ".");
  lesson.claim("1/3 + (2/3)·relu(x - y): loss", rising, within(1 / 6.0, 1e-15));  // a few roundings
  lesson.claim("2/3 - (2/3)·relu(x + y - 1): loss", falling, within(1 / 6.0, 1e-15));
  lesson.claim("one ReLU unit, trained: best loss", best, at_least(1.0 / 6 - 1e-12));  // the rounding of a loss
  lesson.claim_trained("one ReLU unit, trained, comes near that", best, at_most(1.0 / 6 + 1e-3));
}

}  // namespace

void part3(Lesson& lesson, Session& session) {
  const ProductLayer unit = unit_of({1, -1, 0}, {1, -1, 0});
  ProductLayer::Trace t;
  unit.forward(corner_rows(), t);
  lesson.say("Can one product be XOR? (x - y)² at 00, 10, 01, 11: ", t.Y(0, 0), " ", t.Y(1, 0), " ", t.Y(2, 0), " ",
             t.Y(3, 0), ".");
  Table table{{"x", "y", "p = x - y", "q = x - y", "p·q", "XOR"}, {}};
  for (std::size_t k = 0; k < corners.size(); ++k)
    table.rows.push_back({significant(corners[k][0]), significant(corners[k][1]), significant(t.P(k, 0)),
                          significant(t.Q(k, 0)), significant(t.Y(k, 0)), significant(gate_named("XOR").truth[k])});
  lesson.detail(table);
  lesson.claim_same("(x - y)² is XOR on the four corners", max_abs_difference(t.Y, column_of(gate_named("XOR").truth)));

  plot::Sheet sheet;
  sheet.title = "XOR over the square from -1/2 to 3/2";
  sheet.rows = sheet.cols = surface_side;
  sheet.images = {surface(unit, "(x - y)²"), surface(trained_relu(session.options), "4 ReLU units")};
  sheet.low = 0;
  sheet.high = 1;
  lesson.figure("xor_surface", sheet);

  one_relu_unit(lesson, session);
}

}  // namespace lesson4
