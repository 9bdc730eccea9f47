// Lesson 6: small attention layers.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/9_small_case.hpp"

#include <cmath>

namespace lesson6 {

static GatedForm with_sizes(GatedForm form) {
  form.width = SmallCase::width;
  form.heads = SmallCase::heads;
  return form;
}

SmallCase::SmallCase(GatedForm form, const Layout& layout, std::uint64_t seed) : layer(with_sizes(form)) {
  Random random(seed);
  fill_normal(layer.tensors(), random, 0.6);
  X = {normal_matrix<double>(sequences * tokens, width, 1, random), layout, Random(seed_of_run(seed, 1))};
  R = normal_matrix<double>(sequences * tokens, width, 1, random);
}

Gradients<GatedAttention<double>> SmallCase::derive() const {
  return gradients(layer, X, [&](const Matrix<double>& Y) { return loss(Y); });
}

GradientReport SmallCase::check() {
  return without_key_biases(check_model(layer, X, [&](const Matrix<double>& Y) { return loss(Y); }));
}

GradientReport without_key_biases(GradientReport report) {
  std::erase_if(report.rows, [](const GradientRow& row) { return row.name.ends_with("bk"); });
  return report;
}

GatedAttention<double> layer_by_hand(Gate gate) {
  GatedAttention<double> a({.gate = gate, .width = 1, .biases = false});
  a.plain.Wq(0, 0) = 1;
  a.plain.Wk(0, 0) = std::log(3.0);
  a.plain.Wv(0, 0) = 2;
  a.plain.Wo(0, 0) = 1;
  if (a.Wg.size() > 0) a.Wg(0, 0) = std::log(3.0);
  return a;
}

Sequences<double> tokens_by_hand() { return {{{1}, {2}}, {2}}; }

}  // namespace lesson6
