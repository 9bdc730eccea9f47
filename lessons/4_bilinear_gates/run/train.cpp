// Lesson 4: the training loops. What a step needs is kept from one to the next.
// SPDX-License-Identifier: MIT
#include "lessons/4_bilinear_gates/run/train.hpp"

#include <algorithm>
#include <cmath>

#include "common/loss.hpp"
#include "lessons/4_bilinear_gates/model/4_forms.hpp"
#include "lessons/4_bilinear_gates/model/5_hidden_net.hpp"

namespace lesson4 {

Update adamw(const AdamWSettings& settings) {
  return [adam = AdamW<double>(settings)](const Tensors<double>& parameters, const Tensors<double>& gradients,
                                          double rate) mutable { adam.step(parameters, gradients, rate); };
}

Update plain_descent() {
  return [sgd = Sgd<double>()](const Tensors<double>& parameters, const Tensors<double>& gradients,
                               double rate) mutable { sgd.step(parameters, gradients, rate); };
}

template <class Model>
Fit fit(Model& model, const Update& update, const Matrix<double>& X, const Matrix<double>& T,
        const FitSettings& settings, const Watch& watch) {
  typename Model::Trace trace;
  Gradients<Model> g(model);
  g.with_dX = false;
  const Tensors<double> parameters = model.tensors(), slopes = g.d.tensors();
  Fit result;
  for (;; ++result.steps) {
    model.forward(X, trace);
    const Loss<double> loss = mean_squared_error(trace.Y, T);
    result.loss = loss.value;
    if (watch) watch(result.steps, loss.value);
    if (result.steps == settings.steps || loss.value < settings.enough) return result;
    model.backward(X, trace, loss.gradient, g);  // back
    const double rate = settings.cosine ? cosine_rate(result.steps, settings.steps, settings.rate) : settings.rate;
    update(parameters, slopes, rate);
  }
}

template Fit fit(ProductLayer&, const Update&, const Matrix<double>&, const Matrix<double>&, const FitSettings&,
                 const Watch&);
template Fit fit(ProductNet&, const Update&, const Matrix<double>&, const Matrix<double>&, const FitSettings&,
                 const Watch&);
template Fit fit(HiddenNet&, const Update&, const Matrix<double>&, const Matrix<double>&, const FitSettings&,
                 const Watch&);
template Fit fit(Bottleneck&, const Update&, const Matrix<double>&, const Matrix<double>&, const FitSettings&,
                 const Watch&);

double fit_weighted(Bottleneck& model, const Update& update, const WeightedRows& rows, long steps, double rate) {
  Bottleneck::Trace trace;
  Gradients<Bottleneck> g(model);
  g.with_dX = false;
  const Tensors<double> parameters = model.tensors(), slopes = g.d.tensors();
  for (long step = 0;; ++step) {
    model.forward(rows.X, trace);
    const Loss<double> loss = expected_error(trace.Y, rows);
    if (step == steps) return loss.value;
    model.backward(rows.X, trace, loss.gradient, g);  // back
    update(parameters, slopes, cosine_rate(step, steps, rate));
  }
}

double fit_weighted(Bottleneck& model, const WeightedRows& rows, long steps, double rate) {
  return fit_weighted(model, adamw(FitSettings{}.adam), rows, steps, rate);
}

double best_distance(const Matrix<double>& S, std::size_t units, Random random) {
  double best = HUGE_VAL;
  for (int start = 0; start < 10; ++start) {
    auto w = normal_matrix<double>(3, units, 0.5, random), v = normal_matrix<double>(3, units, 0.5, random);
    for (int step = 0; step < 3000; ++step) {
      const FormDistance from = distance_from(S, w, v);
      w += -0.05 * from.dw;
      v += -0.05 * from.dv;
    }
    best = std::min(best, std::sqrt(distance_from(S, w, v).squared));
  }
  return best;
}

}  // namespace lesson4
