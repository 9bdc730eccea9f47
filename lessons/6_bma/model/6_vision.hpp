// Lesson 6, the model: the vision model. An image is cut into square patches, each patch becomes a token, the
// transformer works on them, and what it makes of them is pooled into one row, of which a last product makes the logits
// of the classes. Forward and backward by hand: 6_vision.cpp. I images have I·tokens rows. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>

#include "lessons/6_bma/model/4_transformer.hpp"

namespace lesson6 {

// --------------------------------------------------------------------------------------------------------- patches

// An image of rows x cols pixels as patches of patch x patch, row by row from the top. One in colours has a plane for each,
// one behind the other, and so has each of its patches.
struct PatchGrid {
  std::size_t rows = 0, cols = 0, patch = 1, planes = 1;

  std::size_t count() const { return (rows / patch) * (cols / patch); }
  std::size_t pixels() const { return planes * patch * patch; }  // of a patch

  // Throws std::invalid_argument when the patches do not fill the image.
  void check() const;
};

// Makes of I images, I x planes·rows·cols, their patches, I·count x planes·patch², those of an image one below the other. Throws
// std::invalid_argument when the patches do not fill the image, or the images have another size.   (6.21)
template <class T>
void cut_patches(const Matrix<T>& images, const PatchGrid& grid, Matrix<T>& patches);

// The way back, for gradients: each pixel lies in one patch.
template <class T>
void cut_patches_back(const Matrix<T>& dpatches, const PatchGrid& grid, Matrix<T>& dimages);

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

// What a vision model is given.
template <class T>
struct Pictures {
  Matrix<T> X;  // I x rows·cols: an image is a row
  // What the dropout of a training step is drawn from, the same by each forward; without it nothing is dropped.
  std::optional<Random> dropout = {};
};

template <class T>
struct VisionModel {
  using Number = T;

  VisionForm form;
  Matrix<T> We, be;  // patch² x d, 1 x d: from a patch to a token; an empty be is no bias
  Matrix<T> P;       // tokens x d: what each place adds; for a class token it is all that the token begins with
  Transformer<T> transformer;
  Matrix<T> Wh, bh;  // d x classes, 1 x classes: the head

  // All parameters zero. Throws std::invalid_argument when the heads do not divide the width, or the patches do not
  // fill the image.
  explicit VisionModel(const VisionForm& f);

  // In forward order; only what there is.
  Tensors<T> tensors();

  struct Trace {
    Matrix<T> patches;  // I·count x patch²
    Matrix<T> E;        // I·count x d: the patches embedded
    Matrix<T> X, mask;  // I·tokens x d: the residual stream; dropout, or empty
    typename Transformer<T>::Trace transformer;
    Matrix<T> pooled;  // I x d
    Matrix<T> Y;       // I x classes: the logits
  };
  struct Room {
    Matrix<T> dpooled, dY, dX, dE, dpatches;  // dY and dX: behind the transformer and before it
    typename Transformer<T>::Room transformer;
  };

  // Throws std::invalid_argument when the images have another size.
  void forward(const Pictures<T>& pictures, Trace& t) const;
  void backward(const Pictures<T>& pictures, const Trace& t, const Matrix<T>& dY, Gradients<VisionModel>& g) const;

 private:
  void add_places(const Matrix<T>& E, Matrix<T>& X) const;
  void add_places_back(const Matrix<T>& dX, Matrix<T>& dP, Matrix<T>& dE) const;
  void pool(const Matrix<T>& Y, Matrix<T>& pooled) const;
  void pool_back(const Matrix<T>& dpooled, Matrix<T>& dY) const;
  T share(std::size_t token) const;
};

}  // namespace lesson6
