// A small vision transformer, whose tokens are patches of N images: n rows. Equation numbers:
// README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/data/digits.hpp"
#include "common/model_losses.hpp"
#include "lessons/6_bma/train.hpp"

namespace lesson6 {

struct VisionForm {
  std::size_t tokens = 1, pixels = 1;  // of an image; numbers of a patch
  std::size_t pooled = 1;              // the first tokens, whose mean the read-out sees
  TransformerForm transformer;
  std::size_t classes = 10;
};

template <class T>
struct VisionModel {
  using Number = T;

  VisionForm form;
  Matrix<T> We, Pos;  // pixels x width; tokens x width: a row for each place
  std::vector<Block<T>> blocks;
  LayerNorm<T> norm;
  Matrix<T> Wh, bh;  // width x classes, 1 x classes: the read-out

  explicit VisionModel(const VisionForm& f)
      : form(f),
        We(f.pixels, f.transformer.width),
        Pos(f.tokens, f.transformer.width),
        norm(f.transformer.width, f.transformer.biases),
        Wh(f.transformer.width, f.classes),
        bh(bias_row<T>(f.transformer.biases, f.classes)) {
    form.transformer.causal = false;  // patches do not follow one another
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
  void start(Drawing<T>& draw) {
    draw.weights(We);
    draw.embedding(Pos);
    for (Block<T>& block : blocks) block.start(draw);
    norm.start(draw);
    draw.head(Wh);
  }

  struct Trace {
    Matrix<T> place, X;  // n x tokens: a 1 in each row; n x width: the residual stream
    std::vector<typename Block<T>::Trace> blocks;
    typename LayerNorm<T>::Trace norm;  // norm.Y is H
    Matrix<T> share, pooled, Y;  // N x n: of tokens in what is pooled; N x width; N x classes
  };
  using Scratch = typename Block<T>::Scratch;

  // Throws std::invalid_argument when the patches, n x pixels, are not whole images.
  void forward(const Matrix<T>& patches, Trace& t) const {
    t.place = Matrix<T>(patches.rows(), form.tokens);
    t.share = Matrix<T>(patches.rows() / form.tokens, patches.rows());
    for (std::size_t k = 0; k < t.share.rows(); ++k)
      for (std::size_t i = 0; i < form.tokens; ++i) {
        t.place(k * form.tokens + i, i) = 1;
        if (i < form.pooled) t.share(k, k * form.tokens + i) = 1 / T(form.pooled);
      }
    t.X = matmul(patches, We) + matmul(t.place, Pos);  // n x width   (6.22)
    t.blocks.resize(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
      blocks[b].forward(t.X, form.tokens, t.blocks[b], nullptr);  // n x width   (6.13) (6.23)
    norm.forward(t.X, t.norm);                                    // n x width   (6.11)
    t.pooled = matmul(t.share, t.norm.Y);                         // N x width   (6.24)
    linear(t.pooled, Wh, bh, t.Y);                                // N x classes   (6.25)
  }

  void backward(const Matrix<T>& patches, const Trace& t, const Matrix<T>& dY,
                Gradients<VisionModel>& g) const {
    VisionModel& d = g.parameters;
    Matrix<T> dpooled, dX(t.X.rows(), t.X.cols());
    linear_back(t.pooled, Wh, dY, d.Wh, d.bh, dpooled);        // N x width   (6.25) back
    const Matrix<T> dH = matmul(transpose(t.share), dpooled);  // n x width   (6.24) back
    norm.backward(t.norm, dH, d.norm, dX);                     // n x width   (6.11) back
    for (std::size_t b = blocks.size(); b-- > 0;)
      blocks[b].backward(dX, form.tokens, t.blocks[b], g.scratch, d.blocks[b]);  // (6.13) back
    d.Pos = matmul(transpose(t.place), dX);  // tokens x width   (6.22) back
    d.We = matmul(transpose(patches), dX);   // pixels x width   (6.22) back
    g.dX = matmul(dX, transpose(We));        // n x pixels   (6.22) back
  }
};

// ------------------------------------------------------------------------------ images as patches

inline constexpr std::size_t across = 4, patch_count = across * across;  // of an image

// The read-out sees the mean of all tokens, or a class token, whose patch is blank.
enum class Pooling { mean, class_token };

// Throws std::invalid_argument when such images do not fit.
inline VisionForm vision_form(const Images& images, Pooling pooling) {
  if (images.rows % across != 0 || images.cols % across != 0 || images.X.cols() > 4096)
    throw std::invalid_argument(join("images of ", images.rows, " x ", images.cols,
                                     " pixels are too large, or no 4 x 4 patches"));
  const bool mean = pooling == Pooling::mean;
  return {.tokens = mean ? patch_count : patch_count + 1,
          .pixels = images.X.cols() / patch_count,
          .pooled = mean ? patch_count : 1,
          .transformer = {{.width = 32, .heads = 4}},
          .classes = images.classes()};
}

// Cuts an image into the last rows, by patch, colour and row. Pixels come from `offset` further on,
// where the first follow the last.
inline void cut(const Images& images, std::size_t number, std::size_t offset,
                std::span<float> rows) {
  const std::size_t height = images.rows / across, width = images.cols / across,
                    area = images.rows * images.cols, size = images.X.cols() / patch_count;
  const std::span<float> pixels = rows.last(images.X.cols());
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    const std::size_t patch = k / size, line = k % size / width, colour = line / height;
    const std::size_t row = patch / across * height + line % height;
    const std::size_t col = patch % across * width + k % width;
    pixels[k] = images.X(number, colour * area + (row * images.cols + col + offset) % area);
  }
}

// Gates of one seed share start and batches. Large images move by up to a pixel along both axes,
// lest they be learned by heart.
inline VisionModel<float> trained_vision(const VisionForm& form, const Images& images,
                                         const RunSettings& settings) {
  VisionModel<float> model(form);
  draw_start(model, Start(), settings.seed);
  AdamW<float> adam(settings.adam());
  Random batches(settings.seed, 80);
  Matrix<float> X(settings.batch * form.tokens, form.pixels);
  cross_entropy loss_of{std::vector<std::uint32_t>(settings.batch)};
  Pass<VisionModel<float>> pass(model);
  train(model, pass, adam, settings.schedule(), HUGE_VAL, [&](long) {
    const std::size_t size = X.size() / settings.batch;
    for (std::size_t n = 0; n < settings.batch; ++n) {
      const std::size_t number = batches.below(images.labels.size());
      const std::size_t move = images.rows < 28 ? 4 : batches.below(9);  // 4: nowhere
      const std::size_t offset = images.X.cols() + (move / 3 - 1) * images.cols + move % 3 - 1;
      cut(images, number, offset, X.values().subspan(n * size, size));
      loss_of.labels[n] = images.labels[number];
    }
    const double loss = pass.run(model, X, loss_of);
    clip_global_norm(pass.gradients(), settings.clip);
    return loss;
  });
  return model;
}

// Returns the share of these images that are right: their label's score is the largest.
inline double share_right(const VisionModel<float>& model, const Images& images, std::size_t first,
                          std::size_t count) {
  Matrix<float> X(model.form.tokens, model.form.pixels);
  std::size_t right = 0;
  for (std::size_t number = first; number < first + count; ++number) {
    cut(images, number, 0, X.values());
    const Matrix<float> Y = output(model, X);
    if (std::ranges::max(Y.values()) == Y(0, images.labels[number])) ++right;
  }
  return double(right) / double(count);
}

// Three images of six patches of four pixels, seven classes.
struct SmallVision {
  VisionModel<double> model;
  Matrix<double> X;
  cross_entropy loss{{2, 0, 6}};

  SmallVision(Gate gate, std::size_t pooled)
      : model({6, 4, pooled, {{.gate = gate, .width = 6, .heads = 2}, 2}, 7}) {
    Random random(81);
    fill_normal(model.tensors(), random, 0.6);
    X = normal_matrix<double>(18, 4, 1, random);
  }
};

extern template void draw_start(VisionModel<float>&, const Start&, std::uint64_t);
extern template struct VisionModel<float>;
extern template struct VisionModel<double>;

}  // namespace lesson6
