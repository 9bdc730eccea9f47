// Lesson 6: the vision model: an image is cut into square patches, each patch becomes a token, the transformer works on them,
// and what it makes of them is pooled into one row, of which a last product makes the logits of the classes. Forward and
// backward by hand, and the training. n images have n·tokens rows. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "common/support/digits.hpp"
#include "start.hpp"
#include "train.hpp"
#include "transformer.hpp"

// --------------------------------------------------------------------------------------------------------- patches

// An image of rows x cols pixels as patches of patch x patch, row by row from the top.
struct PatchGrid {
  std::size_t rows = 0, cols = 0, patch = 1;

  std::size_t count() const { return (rows / patch) * (cols / patch); }
  std::size_t pixels() const { return patch * patch; }  // of a patch

  // Throws std::invalid_argument when the patches do not fill the image.
  void check() const {
    if (patch == 0 || rows == 0 || cols == 0 || rows % patch != 0 || cols % patch != 0)
      throw std::invalid_argument("an image of " + std::to_string(rows) + " x " + std::to_string(cols) +
                                  " pixels cannot be cut into patches of " + std::to_string(patch) + " x " +
                                  std::to_string(patch));
  }

  // f(pixel, number, place): the `patch` pixels of an image from that one on are those of that patch from that place on.
  template <class F>
  void for_each_strip(F f) const {
    const std::size_t across = cols / patch;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < across; ++c) f(r * cols + c * patch, (r / patch) * across + c, (r % patch) * patch);
  }
};

// n images, n x rows·cols, become n·count x patch² with the patches of an image one below the other.   (6.16)
template <class T>
void cut_patches(const Matrix<T>& images, const PatchGrid& grid, Matrix<T>& patches) {
  grid.check();
  check_shapes(images.cols() == grid.rows * grid.cols, "cut_patches", images.shape(), {grid.rows, grid.cols});
  make_room(patches, images.rows() * grid.count(), grid.pixels());
  for (std::size_t i = 0; i < images.rows(); ++i)
    grid.for_each_strip([&](std::size_t pixel, std::size_t number, std::size_t place) {
      const std::span<const T> strip = images.row(i).subspan(pixel, grid.patch);
      std::copy(strip.begin(), strip.end(), patches.row(i * grid.count() + number).subspan(place).begin());
    });
}

// The way back, for gradients: each pixel lies in one patch.
template <class T>
void cut_patches_back(const Matrix<T>& dpatches, const PatchGrid& grid, Matrix<T>& dimages) {
  make_room(dimages, dpatches.rows() / grid.count(), grid.rows * grid.cols);
  for (std::size_t i = 0; i < dimages.rows(); ++i)
    grid.for_each_strip([&](std::size_t pixel, std::size_t number, std::size_t place) {
      const std::span<const T> from = dpatches.row(i * grid.count() + number);
      const std::span<T> strip = dimages.row(i).subspan(pixel, grid.patch);
      for (std::size_t k = 0; k < strip.size(); ++k) strip[k] = from[place + k];  // n x rows·cols   (6.16) back
    });
}

// ----------------------------------------------------------------------------------------------------------- model

// One row out of many: their mean, or that of a token of its own, which stands first and has no patch.
enum class Pooling { mean, class_token };

struct VisionForm {
  PatchGrid grid;
  std::size_t classes = 10;
  Pooling pooling = Pooling::mean;
  TransformerForm transformer;  // never causal: an image has no order in time

  std::size_t before() const { return pooling == Pooling::class_token ? 1 : 0; }  // tokens before those of the patches
  std::size_t tokens() const { return before() + grid.count(); }
};

template <class T>
struct VisionModel {
  VisionForm form;
  Matrix<T> We, be;  // patch² x d, 1 x d: from a patch to a token; an empty be is no bias
  Matrix<T> P;       // tokens x d: what each place adds; for a class token it is all that the token begins with
  Transformer<T> transformer;
  Matrix<T> Wh, bh;  // d x classes, 1 x classes: the head

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width, or the patches do not fill
  // the image.
  explicit VisionModel(const VisionForm& f) : form(uncausal(f)), transformer(form.transformer) {
    const std::size_t d = f.transformer.width, row = f.transformer.biases ? 1 : 0;
    We = Matrix<T>(f.grid.pixels(), d), be = Matrix<T>(row, row * d);
    P = Matrix<T>(f.tokens(), d);
    Wh = Matrix<T>(d, f.classes), bh = Matrix<T>(row, row * f.classes);
  }

  Tensors<T> tensors() {
    Tensors<T> all{{"patch.W", We}};
    if (be.size() > 0) all.push_back({"patch.b", be});
    all.push_back({"pos", P});
    transformer.append_to(all);
    all.push_back({"head.W", Wh});
    if (bh.size() > 0) all.push_back({"head.b", bh});
    return all;
  }

  struct Trace {
    Matrix<T> images;   // n x rows·cols: used only for the gradient of the images
    Matrix<T> patches;  // n·count x patch²
    Matrix<T> E;        // n·count x d: the patches embedded
    Matrix<T> X, mask;  // n·tokens x d: what goes into the transformer; dropout, or empty
    typename Transformer<T>::Trace transformer;
    Matrix<T> Y;               // n·tokens x d: used only for the gradient of what comes out of it
    Matrix<T> pooled, logits;  // n x d, n x classes
  };

  // t.logits of n images, n x rows·cols. `random`: see Attention. Throws std::invalid_argument when they have another size.
  void forward(const Matrix<T>& images, Trace& t, Random* random = nullptr) const {
    cut_patches(images, form.grid, t.patches);                                    // n·count x patch²   (6.16)
    linear(t.patches, We, be, t.E);                                               // n·count x d        (6.16)
    add_places(t.E, t.X);                                                         // n·tokens x d       (6.16)
    draw_mask(t.mask, t.X.rows(), t.X.cols(), form.transformer.dropout, random);  //                    (6.12)
    apply_mask(t.X, t.mask);
    transformer.forward(t.X, {form.tokens()}, t.transformer, random);  // n·tokens x d
    pool(t.transformer.norm.Y, t.pooled);                              // n x d              (6.17)
    linear(t.pooled, Wh, bh, t.logits);                                // n x classes        (6.18)
  }

  // All gradients, set: of the parameters in a model of the same form, of the images in d.images. `d` is room to work in.
  void backward(const Trace& t, const Matrix<T>& dlogits, Trace& d, VisionModel& grad) const {
    linear_back(t.pooled, Wh, dlogits, grad.Wh, grad.bh, d.pooled);                              // n x d   (6.18) back
    pool_back(d.pooled, d.Y);                                                                    // (6.17) back
    transformer.backward(d.Y, {form.tokens()}, t.transformer, d.transformer, grad.transformer);  // n·tokens x d   back
    apply_mask(d.transformer.X, t.mask);                                                         // (6.12) back
    add_places_back(d.transformer.X, grad.P, d.E);                                               // (6.16) back
    linear_back(t.patches, We, d.E, grad.We, grad.be, d.patches);                                // (6.16) back
    cut_patches_back(d.patches, form.grid, d.images);                                            // (6.16) back
  }

 private:
  static VisionForm uncausal(VisionForm f) {
    f.grid.check();
    f.transformer.causal = false;
    return f;
  }

  // Row by row, image by image: the row of P for the place plus, where there is a patch, the patch.   (6.16)
  void add_places(const Matrix<T>& E, Matrix<T>& X) const {
    const std::size_t tokens = form.tokens(), before = form.before(), n = E.rows() / form.grid.count();
    make_room(X, n * tokens, E.cols());
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::span<const T> place = P.row(i % tokens);
      const std::span<T> x = X.row(i);
      std::copy(place.begin(), place.end(), x.begin());
      if (i % tokens < before) continue;
      const std::span<const T> patch = E.row(i / tokens * form.grid.count() + i % tokens - before);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += patch[j];
    }
  }

  void add_places_back(const Matrix<T>& dX, Matrix<T>& dP, Matrix<T>& dE) const {
    const std::size_t tokens = form.tokens(), before = form.before(), n = dX.rows() / tokens;
    make_room(dE, n * form.grid.count(), dX.cols());
    std::fill(dP.values().begin(), dP.values().end(), T(0));  // back
    for (std::size_t i = 0; i < dX.rows(); ++i) {
      const std::span<const T> dx = dX.row(i);
      const std::span<T> place = dP.row(i % tokens);
      for (std::size_t j = 0; j < dx.size(); ++j) place[j] += dx[j];  // tokens x d    (6.16) back
      if (i % tokens < before) continue;
      const std::span<T> patch = dE.row(i / tokens * form.grid.count() + i % tokens - before);
      for (std::size_t j = 0; j < dx.size(); ++j) patch[j] = dx[j];  // n·count x d   (6.16) back
    }
  }

  // How much of each token goes into the pooled row: the same of all, or only the class token.
  T share(std::size_t token) const {
    if (form.pooling == Pooling::mean) return T(1) / T(form.tokens());
    return token == 0 ? T(1) : T(0);
  }

  // pooled = Σ share·Y over the tokens of each image.   (6.17)
  void pool(const Matrix<T>& Y, Matrix<T>& pooled) const {
    const std::size_t tokens = form.tokens();
    make_room(pooled, Y.rows() / tokens, Y.cols());
    std::fill(pooled.values().begin(), pooled.values().end(), T(0));
    for (std::size_t i = 0; i < Y.rows(); ++i) {
      const std::span<const T> y = Y.row(i);
      const std::span<T> sum = pooled.row(i / tokens);
      for (std::size_t j = 0; j < y.size(); ++j) sum[j] += share(i % tokens) * y[j];
    }
  }

  void pool_back(const Matrix<T>& dpooled, Matrix<T>& dY) const {
    const std::size_t tokens = form.tokens();
    make_room(dY, dpooled.rows() * tokens, dpooled.cols());
    for (std::size_t i = 0; i < dY.rows(); ++i) {
      const std::span<const T> dp = dpooled.row(i / tokens);
      const std::span<T> dy = dY.row(i);
      for (std::size_t j = 0; j < dy.size(); ++j) dy[j] = share(i % tokens) * dp[j];  // n·tokens x d   (6.17) back
    }
  }
};

// -------------------------------------------------------------------------------------------------------- training

// A model as training starts: the rules of start.hpp.
template <class T>
VisionModel<T> fresh_vision(const VisionForm& form, std::uint64_t seed) {
  VisionModel<T> model(form);
  draw_start(model.tensors(), Start{}, form.transformer.layers, seed);
  return model;
}

// What part 7 trains with.
inline RunSettings vision_run() {
  RunSettings run;
  run.steps = 1500, run.batch = 32, run.rate = 5e-3, run.warm_up = 100;
  return run;
}

// The rows with these numbers, in this order.
template <class T>
void copy_rows(const Matrix<float>& from, std::span<const std::size_t> numbers, Matrix<T>& to) {
  make_room(to, numbers.size(), from.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy(from.row(numbers[i]).begin(), from.row(numbers[i]).end(), to.row(i).begin());
}

// What a training step needs room for, and the gradients that it finds.
template <class T>
struct VisionPass {
  typename VisionModel<T>::Trace trace, room;
  VisionModel<T> gradients;

  explicit VisionPass(const VisionForm& form) : gradients(form) {}

  // Returns the mean cross-entropy of a batch; its gradients, clipped to the norm `clip`, are then in `gradients`.
  double run(const VisionModel<T>& model, const Matrix<T>& images, std::span<const std::uint32_t> labels, double clip,
             Random* random) {
    model.forward(images, trace, random);
    const Loss<T> loss = softmax_cross_entropy<T>(std::move(trace.logits), labels);
    model.backward(trace, loss.gradient, room, gradients);  // back
    clip_global_norm(gradients.tensors(), clip);            // back
    return loss.value;
  }
};

// Trains in place on images drawn at random with replacement. Throws Diverged when the loss is ten times that of
// knowing nothing, or NaN.
template <class T>
void train(VisionModel<T>& model, const Images& images, const RunSettings& settings) {
  Random batches(settings.seed, 62), dropout(settings.seed, 63);
  VisionPass<T> pass(model.form);
  DecayedAdamW<T> adam(model.tensors(), pass.gradients.tensors(), settings.decay);
  std::vector<std::size_t> numbers(settings.batch);
  std::vector<std::uint32_t> labels(settings.batch);
  Matrix<T> X;
  for (long step = 0; step < settings.steps; ++step) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      numbers[i] = std::size_t(batches.below(images.labels.size()));
      labels[i] = images.labels[numbers[i]];
    }
    copy_rows(images.X, numbers, X);
    const double loss = pass.run(model, X, labels, settings.clip, &dropout);
    check_below(10 * std::log(double(model.form.classes)), loss, step);
    adam.step(cosine_rate(step, settings.steps, settings.rate, settings.warm_up, settings.last_rate));
  }
}

struct Score {
  double loss = 0;   // mean cross-entropy
  double right = 0;  // the share of images whose largest logit is that of their label
};

// Of a model on images, `chunk` of them at a time, so that many images need no more room than few.
template <class T>
Score score(const VisionModel<T>& model, const Images& images, std::size_t chunk = 64) {
  typename VisionModel<T>::Trace trace;
  const std::size_t n = images.labels.size();
  std::vector<std::size_t> numbers;
  Matrix<T> X;
  Score sum;
  for (std::size_t first = 0; first < n; first += chunk) {
    numbers.resize(std::min(chunk, n - first));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + i;
    copy_rows(images.X, numbers, X);
    model.forward(X, trace);
    const std::span labels = std::span(images.labels).subspan(first, numbers.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::span<const T> logits = std::as_const(trace.logits).row(i);
      sum.right += std::uint32_t(std::max_element(logits.begin(), logits.end()) - logits.begin()) == labels[i];
    }
    sum.loss += double(labels.size()) * softmax_cross_entropy<T>(trace.logits, labels).value;
  }
  return {sum.loss / double(n), sum.right / double(n)};
}

template <class T>
double accuracy(const VisionModel<T>& model, const Images& images) {
  return score(model, images).right;
}
