// Lesson 6, the model: the forward and the backward pass of the vision model. Equation numbers: README.md.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/model/6_vision.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

namespace lesson6 {

// --------------------------------------------------------------------------------------------------------- patches

void PatchGrid::check() const {
  if (patch == 0 || rows == 0 || cols == 0 || rows % patch != 0 || cols % patch != 0)
    throw std::invalid_argument("an image of " + std::to_string(rows) + " x " + std::to_string(cols) +
                                " pixels cannot be cut into patches of " + std::to_string(patch) + " x " +
                                std::to_string(patch));
}

// f(pixel, number, place): the `patch` pixels of an image from that one on are those of that patch from that place on.
template <class F>
static void for_each_strip(const PatchGrid& grid, F f) {
  const std::size_t across = grid.cols / grid.patch;
  for (std::size_t plane = 0; plane < grid.planes; ++plane)
    for (std::size_t r = 0; r < grid.rows; ++r)
      for (std::size_t c = 0; c < across; ++c)
        f((plane * grid.rows + r) * grid.cols + c * grid.patch, (r / grid.patch) * across + c,
          (plane * grid.patch + r % grid.patch) * grid.patch);
}

template <class T>
void cut_patches(const Matrix<T>& images, const PatchGrid& grid, Matrix<T>& patches) {
  grid.check();
  check_shapes(images.cols() == grid.planes * grid.rows * grid.cols, "cut_patches", images.shape(),
               {grid.planes * grid.rows, grid.cols});
  make_room(patches, images.rows() * grid.count(), grid.pixels());
  for (std::size_t i = 0; i < images.rows(); ++i)
    for_each_strip(grid, [&](std::size_t pixel, std::size_t number, std::size_t place) {
      const std::span<const T> strip = images.row(i).subspan(pixel, grid.patch);
      std::copy(strip.begin(), strip.end(), patches.row(i * grid.count() + number).subspan(place).begin());
    });
}

template <class T>
void cut_patches_back(const Matrix<T>& dpatches, const PatchGrid& grid, Matrix<T>& dimages) {
  make_room(dimages, dpatches.rows() / grid.count(), grid.planes * grid.rows * grid.cols);
  for (std::size_t i = 0; i < dimages.rows(); ++i)
    for_each_strip(grid, [&](std::size_t pixel, std::size_t number, std::size_t place) {
      const std::span<const T> from = dpatches.row(i * grid.count() + number);
      const std::span<T> strip = dimages.row(i).subspan(pixel, grid.patch);
      for (std::size_t k = 0; k < strip.size(); ++k) strip[k] = from[place + k];  // I x rows·cols   (6.21) back
    });
}

// ----------------------------------------------------------------------------------------------------------- model

static VisionForm uncausal(VisionForm f) {
  f.grid.check();
  f.transformer.causal = false;
  return f;
}

template <class T>
VisionModel<T>::VisionModel(const VisionForm& f) : form(uncausal(f)), transformer(form.transformer) {
  const std::size_t d = f.transformer.width;
  We = Matrix<T>(f.grid.pixels(), d);
  be = bias_row<T>(f.transformer.biases, d);
  P = Matrix<T>(f.tokens(), d);
  Wh = Matrix<T>(d, f.classes);
  bh = bias_row<T>(f.transformer.biases, f.classes);
}

template <class T>
Tensors<T> VisionModel<T>::tensors() {
  Tensors<T> all;
  append(all, "", {{"patch.W", We}, {"patch.b", be}, {"pos", P}});
  append(all, "", transformer.tensors());
  append(all, "", {{"head.W", Wh}, {"head.b", bh}});
  return all;
}

template <class T>
void VisionModel<T>::forward(const Pictures<T>& pictures, Trace& t) const {
  std::optional<Random> drops = pictures.dropout;
  Random* const random = drops ? &*drops : nullptr;
  const double drop = form.transformer.dropout;
  cut_patches(pictures.X, form.grid, t.patches);                     // I·count x patch²   (6.21)
  linear(t.patches, We, be, t.E);                                    // I·count x d        (6.21)
  add_places(t.E, t.X);                                              // I·tokens x d       (6.21)
  draw_mask(t.mask, t.X.rows(), t.X.cols(), drop, random);           //                    (6.17)
  apply_mask(t.X, t.mask);                                           // I·tokens x d       (6.17)
  transformer.forward(t.X, {form.tokens()}, t.transformer, random);  // I·tokens x d       (6.18)
  pool(t.transformer.norm.Y, t.pooled);                              // I x d              (6.22)
  linear(t.pooled, Wh, bh, t.Y);                                     // I x classes        (6.23)
}

template <class T>
void VisionModel<T>::backward(const Pictures<T>&,                   // as t.patches
                              const Trace& t, const Matrix<T>& dY,  // I x classes
                              Gradients<VisionModel>& g) const {
  VisionModel& d = g.d;
  Room& room = g.room;
  linear_back(t.pooled, Wh, dY, d.Wh, d.bh, room.dpooled);       // I x d   (6.23) back
  pool_back(room.dpooled, room.dY);                              // I·tokens x d   (6.22) back
  transformer.backward({form.tokens()}, t.transformer, room.dY,  // I·tokens x d   back
                       room.transformer, d.transformer, room.dX);
  apply_mask(room.dX, t.mask);                                      // I·tokens x d   (6.17) back
  add_places_back(room.dX, d.P, room.dE);                           // I·count x d   (6.21) back
  linear_back(t.patches, We, room.dE, d.We, d.be, room.dpatches);   // I·count x patch²  (6.21) back
  if (g.with_dX) cut_patches_back(room.dpatches, form.grid, g.dX);  // I x rows·cols   (6.21) back
}

// Row by row, image by image: the row of P for the place plus, where there is a patch, the patch.   (6.21)
template <class T>
void VisionModel<T>::add_places(const Matrix<T>& E, Matrix<T>& X) const {
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

template <class T>
void VisionModel<T>::add_places_back(const Matrix<T>& dX, Matrix<T>& dP, Matrix<T>& dE) const {
  const std::size_t tokens = form.tokens(), before = form.before(), n = dX.rows() / tokens;
  make_room(dE, n * form.grid.count(), dX.cols());
  std::fill(dP.values().begin(), dP.values().end(), T(0));  // back
  for (std::size_t i = 0; i < dX.rows(); ++i) {
    const std::span<const T> dx = dX.row(i);
    const std::span<T> place = dP.row(i % tokens);
    for (std::size_t j = 0; j < dx.size(); ++j) place[j] += dx[j];  // tokens x d    (6.21) back
    if (i % tokens < before) continue;
    const std::span<T> patch = dE.row(i / tokens * form.grid.count() + i % tokens - before);
    for (std::size_t j = 0; j < dx.size(); ++j) patch[j] = dx[j];  // I·count x d   (6.21) back
  }
}

// The part of a token in what is pooled: the same of all, or only the class token.
template <class T>
T VisionModel<T>::share(std::size_t token) const {
  if (form.pooling == Pooling::mean) return T(1) / T(form.tokens());
  return token == 0 ? T(1) : T(0);
}

// pooled = Σ share·Y over the tokens of each image.   (6.22)
template <class T>
void VisionModel<T>::pool(const Matrix<T>& Y, Matrix<T>& pooled) const {
  const std::size_t tokens = form.tokens();
  make_room(pooled, Y.rows() / tokens, Y.cols());
  std::fill(pooled.values().begin(), pooled.values().end(), T(0));
  for (std::size_t i = 0; i < Y.rows(); ++i) {
    const std::span<const T> y = Y.row(i);
    const std::span<T> sum = pooled.row(i / tokens);
    for (std::size_t j = 0; j < y.size(); ++j) sum[j] += share(i % tokens) * y[j];
  }
}

template <class T>
void VisionModel<T>::pool_back(const Matrix<T>& dpooled, Matrix<T>& dY) const {
  const std::size_t tokens = form.tokens();
  make_room(dY, dpooled.rows() * tokens, dpooled.cols());
  for (std::size_t i = 0; i < dY.rows(); ++i) {
    const std::span<const T> dp = dpooled.row(i / tokens);
    const std::span<T> dy = dY.row(i);
    for (std::size_t j = 0; j < dy.size(); ++j) dy[j] = share(i % tokens) * dp[j];  // I·tokens x d   (6.22) back
  }
}

template void cut_patches(const Matrix<float>&, const PatchGrid&, Matrix<float>&);
template void cut_patches(const Matrix<double>&, const PatchGrid&, Matrix<double>&);
template void cut_patches_back(const Matrix<float>&, const PatchGrid&, Matrix<float>&);
template void cut_patches_back(const Matrix<double>&, const PatchGrid&, Matrix<double>&);
template struct VisionModel<float>;
template struct VisionModel<double>;

}  // namespace lesson6
