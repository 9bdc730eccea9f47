// Lesson 6, the models: a small vision transformer. Patches of an image are tokens, and each sees all
// others of its image. N images have n = N·tokens rows. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/data/digits.hpp"
#include "common/model_losses.hpp"
#include "lessons/6_bma/train.hpp"

namespace lesson6 {

struct VisionForm {
  std::size_t tokens = 1, pixels = 1, classes = 10;  // of an image; numbers of a patch
  std::size_t pooled = 1;  // the first tokens of an image, whose mean the read-out sees
  TransformerForm transformer;
};

template <class T>
struct VisionModel {
  using Number = T;

  VisionForm form;
  Matrix<T> We, Pos;  // pixels x width: from patch to token; tokens x width: places
  std::vector<Block<T>> blocks;
  LayerNorm<T> norm;
  Matrix<T> Wh, bh;  // width x classes, 1 x classes: the read-out

  // All parameters zero.
  explicit VisionModel(const VisionForm& f)
      : form(f),
        We(f.pixels, f.transformer.width),
        Pos(f.tokens, f.transformer.width),
        norm(f.transformer.width, f.transformer.biases),
        Wh(f.transformer.width, f.classes),
        bh(bias_row<T>(f.transformer.biases, f.classes)) {
    form.transformer.causal = false;  // patches have no order in time
    blocks.assign(f.transformer.layers, Block<T>(form.transformer));
  }

  Tensors<T> tensors() {
    Tensors<T> all{{"patch", We}, {"pos", Pos}};
    for (std::size_t b = 0; b < blocks.size(); ++b)
      append(all, "blocks." + std::to_string(b) + ".", blocks[b].tensors());
    append(all, "norm.", norm.tensors());
    append(all, "head.", {{"W", Wh}, {"b", bh}});
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  struct Trace {
    Matrix<T> X, shares;  // n x width: the residual stream; N x n: of tokens in what is pooled
    std::vector<typename Block<T>::Trace> blocks;
    typename LayerNorm<T>::Trace norm;  // norm.Y is H
    Matrix<T> pooled, Y;                // N x width; N x classes: the scores
  };
  struct Scratch {
    typename Block<T>::Scratch block;
    Matrix<T> dX, dH, dpooled;
  };

  // Throws std::invalid_argument when the patches, n x pixels, are no whole images.
  void forward(const Matrix<T>& patches, Trace& t) const {
    t.X = matmul(patches, We);  // n x width   (6.21)
    for (std::size_t i = 0; i < t.X.rows(); ++i)
      for (std::size_t j = 0; j < t.X.cols(); ++j)
        t.X.row(i)[j] += Pos.row(i % form.tokens)[j];  // n x width   (6.21)
    t.blocks.resize(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
      blocks[b].forward(t.X, form.tokens, t.blocks[b], nullptr);  // n x width   (6.14) (6.22)
    norm.forward(t.X, t.norm);                                    // n x width   (6.12)
    t.shares = Matrix<T>(patches.rows() / form.tokens, patches.rows());
    for (std::size_t k = 0; k < t.shares.rows(); ++k)
      for (std::size_t i = 0; i < form.pooled; ++i)
        t.shares(k, k * form.tokens + i) = 1 / T(form.pooled);
    t.pooled = matmul(t.shares, t.norm.Y);  // N x width   (6.23)
    linear(t.pooled, Wh, bh, t.Y);          // N x classes   (6.24)
  }

  void backward(const Matrix<T>& patches, const Trace& t, const Matrix<T>& dY,  // N x classes
                Gradients<VisionModel>& g) const {
    VisionModel& d = g.parameters;
    auto& [block, dX, dH, dpooled] = static_cast<Scratch&>(g.scratch);
    linear_back(t.pooled, Wh, dY, d.Wh, d.bh, dpooled);  // N x width   (6.24) back
    dH = matmul(transpose(t.shares), dpooled);           // n x width   (6.23) back
    dX = Matrix<T>(dH.rows(), dH.cols());                // to which the norm adds
    norm.backward(t.norm, dH, d.norm, dX);               // n x width   (6.12) back
    for (std::size_t b = blocks.size(); b-- > 0;)
      blocks[b].backward(dX, form.tokens, t.blocks[b], block, d.blocks[b]);  // (6.22) (6.14) back
    std::fill(d.Pos.values().begin(), d.Pos.values().end(), T(0));           // back
    for (std::size_t i = 0; i < dX.rows(); ++i)
      for (std::size_t j = 0; j < dX.cols(); ++j)
        d.Pos.row(i % form.tokens)[j] += dX.row(i)[j];  // tokens x width   (6.21) back
    d.We = matmul(transpose(patches), dX);              // pixels x width   (6.21) back
    g.dX = matmul(dX, transpose(We));                   // n x pixels   (6.21) back
  }
};

// -------------------------------------------------------------------------------- images as patches

inline constexpr std::size_t across = 4;  // patches of an image, along both axes

// What the read-out sees: the mean of all tokens, or a class token, whose patch is blank.
enum class Pooling { mean, class_token };

// Returns the form for such images. Throws std::invalid_argument when they do not fit.
inline VisionForm vision_form(const Images& images, Pooling pooling) {
  constexpr std::size_t patches = across * across;
  if (images.rows % across != 0 || images.cols % across != 0 || images.X.cols() > 4096)
    throw std::invalid_argument(join("images of ", images.rows, " x ", images.cols,
                                     " pixels are too large, or no ", across, " x ", across,
                                     " patches"));
  const bool mean = pooling == Pooling::mean;
  return {.tokens = mean ? patches : patches + 1,
          .pixels = images.X.cols() / patches,
          .pooled = mean ? patches : 1,
          .transformer = {{.width = 32, .heads = 4}}};
}

// Returns which numbers of an image its patches hold: patch by patch, colour by colour, row by row;
// `offset` numbers further on, where behind the last pixel stands the first.
using Pixels = std::vector<std::size_t>;
inline Pixels patch_pixels(const Images& images, std::size_t offset = 0) {
  const std::size_t height = images.rows / across, width = images.cols / across;
  const std::size_t area = images.rows * images.cols;
  Pixels pixels;
  for (std::size_t patch = 0; patch < across * across; ++patch)
    for (std::size_t k = 0; k < images.X.cols() / (across * across); ++k) {
      const std::size_t line = k / width, colour = line / height;
      const std::size_t row = patch / across * height + line % height;
      const std::size_t col = patch % across * width + k % width;
      pixels.push_back(colour * area + (row * images.cols + col + offset) % area);
    }
  return pixels;
}

// Cuts an image into the last of its rows; that of a class token stays blank.
inline void cut(std::span<const float> image, const Pixels& pixels, std::span<float> rows) {
  std::ranges::transform(pixels, rows.last(pixels.size()).begin(),
                         [&](std::size_t pixel) { return image[pixel]; });
}

// -------------------------------------------------------------------------------- training, counting

using Numbers = std::span<const std::size_t>;  // of images

// Returns a model trained on images drawn out of these; large ones move by up to a pixel along both
// axes, lest they be learned by heart. Gates of one seed share start and batches.
inline VisionModel<float> trained_vision(const VisionForm& form, const Images& images,
                                         Numbers numbers, const RunSettings& settings) {
  VisionModel<float> model(form);
  draw_start(model.tensors(), Start(), form.transformer.layers, settings.seed);
  std::vector<Pixels> moved;
  const std::size_t reach = images.rows < 28 ? 0 : 1,
                    back = images.X.cols() - reach * (images.cols + 1);
  for (std::size_t down = 0; down <= 2 * reach; ++down)
    for (std::size_t right = 0; right <= 2 * reach; ++right)
      moved.push_back(patch_pixels(images, back + down * images.cols + right));
  AdamW<float> adam(settings.adam());
  Random batches(settings.seed, 80);
  Matrix<float> patches(settings.batch * form.tokens, form.pixels);
  cross_entropy loss_of{std::vector<std::uint32_t>(settings.batch)};
  train(model, adam, settings.schedule(), HUGE_VAL, [&](long, auto& pass) {
    const std::size_t size = form.tokens * form.pixels;
    for (std::size_t n = 0; n < settings.batch; ++n) {
      const std::size_t number = numbers[std::size_t(batches.below(numbers.size()))];
      const Pixels& pixels = moved[std::size_t(batches.below(moved.size()))];
      cut(images.X.row(number), pixels, patches.values().subspan(n * size, size));
      loss_of.labels[n] = images.labels[number];
    }
    const double loss = pass.run(model, patches, loss_of);
    clip_global_norm(pass.g.parameters.tensors(), settings.clip);
    return loss;
  });
  return model;
}

// Returns the share of these images whose largest score is that of their label.
inline double share_right(const VisionModel<float>& model, const Images& images, Numbers numbers) {
  const Pixels pixels = patch_pixels(images);
  VisionModel<float>::Trace t;
  Matrix<float> patches(model.form.tokens, model.form.pixels);
  std::size_t right = 0;
  for (const std::size_t number : numbers) {
    cut(images.X.row(number), pixels, patches.values());
    model.forward(patches, t);
    const auto best = std::ranges::max_element(t.Y.values()) - t.Y.values().begin();
    if (std::uint32_t(best) == images.labels[number]) ++right;
  }
  return double(right) / double(numbers.size());
}

// Three images of six patches of four pixels, seven classes.
struct SmallVision {
  VisionModel<double> model;
  Matrix<double> X;
  cross_entropy loss{{2, 0, 6}};

  SmallVision(Gate gate, std::size_t pooled) : model({6, 4, 7, pooled, {{.gate = gate, .width = 6, .heads = 2}, 2}}) {
    Random random(81);
    fill_normal(model.tensors(), random, 0.6);
    X = normal_matrix<double>(18, 4, 1, random);
  }
};

template <class Visitor>
void visit_vision_models(Visitor& visitor) {
  for (const Gate gate : all_gates) {
    const SmallVision mean(gate, 6);
    visitor.test_only(join("vision, ", name_of(gate)), mean.model, mean.X, mean.loss);
  }
  const SmallVision shown(Gate::bma, 1);
  visitor.add("vision", shown.model, shown.X, shown.loss);
}

extern template struct VisionModel<float>;  // compiled once, in models.cpp
extern template struct VisionModel<double>;

}  // namespace lesson6
