// Lesson 6, the vision model: patches and poolings by hand, what must not depend on what, its start, training and
// score.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lessons/6_bma/run/train_vision.hpp"
#include "tests/check.hpp"

using namespace lesson6;

// Images of 4 x 6 pixels in 2 x 2 patches, three classes.
static VisionForm small_vision(Gate gate, Pooling pooling) { return {{4, 6, 2}, 3, pooling, {gate, 1, 2, 4}}; }

static Matrix<double> logits_of(const VisionModel<double>& model, const Matrix<double>& images) {
  return output(model, Pictures<double>{images});
}

static VisionModel<double> random_vision(Gate gate, Pooling pooling, std::uint64_t seed) {
  Random random(seed, 92);
  VisionModel<double> model(small_vision(gate, pooling));
  fill_normal(model.tensors(), random);
  return model;
}

// Two images of 4 x 6 pixels with the numbers 0 to 23 and 100 to 123.
static Matrix<double> numbered() {
  Matrix<double> images(2, 24);
  for (std::size_t k = 0; k < 24; ++k) {
    images(0, k) = double(k);
    images(1, k) = 100 + double(k);
  }
  return images;
}

static void patches(Checks& check) {
  const Matrix<double> images = numbered();
  Matrix<double> found, back;
  cut_patches(images, {4, 6, 2}, found);
  const Matrix<double> expected{{0, 1, 6, 7},         {2, 3, 8, 9},         {4, 5, 10, 11},       {12, 13, 18, 19},
                                {14, 15, 20, 21},     {16, 17, 22, 23},     {100, 101, 106, 107}, {102, 103, 108, 109},
                                {104, 105, 110, 111}, {112, 113, 118, 119}, {114, 115, 120, 121}, {116, 117, 122, 123}};
  check.that(found == expected, "4 x 6 pixels in patches of 2 x 2");
  cut_patches_back(found, {4, 6, 2}, back);
  check.that(back == images, "the way back");
  cut_patches(images, {4, 6, 1}, found);
  check.that(found.shape() == Shape{48, 1} && found(47, 0) == 123, "a patch of one pixel");
  cut_patches(images, {8, 3, 1}, found);
  cut_patches(images, {2, 12, 2}, found);
  check.that(found.shape() == Shape{12, 4} && found(1, 0) == 2 && found(1, 2) == 14, "another shape, same pixels");
  const std::string what = "an image of 4 x 6 pixels cannot be cut into patches of ";
  for (const std::size_t patch : {3u, 4u, 5u, 8u, 0u}) {
    const std::string size = std::to_string(patch) + " x " + std::to_string(patch);
    VisionForm form = small_vision(Gate::standard, Pooling::mean);
    form.grid.patch = patch;
    check.throws<std::invalid_argument>([&] { VisionModel<double> model(form); }, what + size, "a model, " + size);
    check.throws<std::invalid_argument>([&] { cut_patches(images, form.grid, found); }, what + size, "cut, " + size);
  }
  check.throws<std::invalid_argument>(
      [&] {
        cut_patches(images, {4, 4, 2}, found);
      },
      "cut_patches: 2 x 24 and 4 x 4", "images of another size");
  VisionForm form = small_vision(Gate::standard, Pooling::mean);
  form.transformer.heads = 3;
  check.throws<std::invalid_argument>([&] { VisionModel<double> model(form); }, "3 heads", "heads that do not divide");
}

// pooled by hand, and what the two poolings have in common: nothing but the model.
static void poolings(Checks& check) {
  Random random(3);
  const Matrix<double> images = normal_matrix<double>(2, 24, 1, random);
  for (const Gate gate : all_gates) {
    const std::string name = name_of(gate);
    VisionModel<double> mean = random_vision(gate, Pooling::mean, 4),
                        token = random_vision(gate, Pooling::class_token, 4);
    VisionModel<double>::Trace m, t;
    mean.forward({images}, m);
    check.that(m.X.shape() == Shape{12, 4} && m.Y.shape() == Shape{2, 3}, name + ": six tokens an image");
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 6; ++k) sum += m.transformer.norm.Y(6 * i + k, j) / 6;
        check.near(m.pooled(i, j), sum, 1e-14, name + ": pooled is the mean");
      }
    token.form.pooling = Pooling::class_token;
    token.forward({images}, t);
    check.that(t.X.shape() == Shape{14, 4}, name + ": a token more");
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        check.that(t.pooled(i, j) == t.transformer.norm.Y(7 * i, j), name + ": pooled is the first token");
    // The same numbers in both models; the mean pool has the places of the patches alone.
    const Tensors<double> from = token.tensors(), to = mean.tensors();
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k].tensor = to[k].name == "pos" ? Matrix<double>(row_block(token.P, 1, 6)) : from[k].tensor;
    check.that(max_abs_difference(logits_of(mean, images), t.Y) > 1e-3, name + ": the two poolings differ");
    // The class token stands first, so it would see nothing but itself if later tokens were hidden.
    check.that(std::abs(t.Y(0, 0) - t.Y(1, 0)) > 1e-6, name + ": the class token sees the patches");
  }
}

// The patches of each image in another order.
static Matrix<double> with_patches_in(const std::vector<std::size_t>& order, const Matrix<double>& images) {
  const PatchGrid grid{4, 6, 2};
  Matrix<double> cut, moved_images;
  cut_patches(images, grid, cut);
  Matrix<double> moved(cut.rows(), cut.cols());
  for (std::size_t r = 0; r < cut.rows(); ++r)
    for (std::size_t j = 0; j < cut.cols(); ++j) moved(r, j) = cut(r / 6 * 6 + order[r % 6], j);
  cut_patches_back(moved, grid, moved_images);
  return moved_images;
}

static void permutations(Checks& check) {
  Random random(5);
  const Matrix<double> images = normal_matrix<double>(3, 24, 1, random);
  const std::vector<std::size_t> order{4, 2, 0, 5, 1, 3};
  const Matrix<double> moved = with_patches_in(order, images);
  for (const Pooling pooling : {Pooling::mean, Pooling::class_token})
    for (const Gate gate : all_gates) {
      const std::string name = std::string(name_of(gate)) + (pooling == Pooling::mean ? ", mean" : ", class token");
      VisionModel<double> model = random_vision(gate, pooling, 6);
      const Matrix<double> before = logits_of(model, images);
      check.that(max_abs_difference(logits_of(model, moved), before) > 1e-3, name + ": the order of patches matters");
      const Matrix<double> P = model.P;
      const std::size_t first = model.form.before();
      for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t j = 0; j < 4; ++j) model.P(first + k, j) = P(first + order[k], j);
      check.near(max_abs_difference(logits_of(model, moved), before), 0, 1e-12,
                 name + ": places move with the patches");
      const Matrix<double> alone = logits_of(model, Matrix<double>(row_block(moved, 1, 1)));
      for (std::size_t j = 0; j < 3; ++j)
        check.near(alone(0, j), before(1, j), 1e-12, name + ": an image knows nothing of the others");
    }
}

static void starts_and_training(Checks& check) {
  Random random(7);
  const Images train_images = draw_digits(200, {}, random), test_images = draw_digits(150, {}, random);
  RunSettings run = vision_run();
  run.steps = 60;
  run.warm_up = 6;
  run.batch = 8;
  VisionForm form{{12, 12, 3}, 10, Pooling::mean, {Gate::standard, 1, 4, 16}};
  VisionModel<float> standard = fresh_vision(form, 8);
  for (const Pooling pooling : {Pooling::mean, Pooling::class_token})
    for (const Gate gate : all_gates) {
      const std::string name = std::string(name_of(gate)) + (pooling == Pooling::mean ? ", mean" : ", class token");
      form.pooling = pooling;
      form.transformer.gate = gate;
      VisionModel<float> model = fresh_vision(form, 8);
      for (const auto& [tensor_name, tensor] : model.tensors())
        for (const auto& [other_name, other] : standard.tensors())
          if (pooling == Pooling::mean && tensor_name == other_name)
            check.that(tensor == other, name + ": starts alike in " + tensor_name);
      const Score before = score(model, train_images);
      check.near(before.loss, std::log(10.0), 0.25, name + ": the first loss");
      train(model, train_images, run);
      check.that(score(model, train_images).loss < 2.2, name + ": training lowers the loss");
      const Score whole = score(model, test_images, 150), pieces = score(model, test_images, 7);
      check.near(pieces.loss, whole.loss, 1e-5, name + ": the loss in pieces");
      check.near(pieces.right, whole.right, 1e-12, name + ": what is right, in pieces");
    }
  VisionModel<float> again = standard;
  train(again, train_images, run);
  train(standard, train_images, run);
  check.that(again.Wh == standard.Wh && again.P == standard.P, "the same run twice");
  run.rate = 1e6;
  check.throws<Diverged>([&] { train(again, train_images, run); }, "diverged: at step", "a rate that is too large");
}

// A model whose logits are its bias: what is right is counted by hand.
static void counting(Checks& check) {
  VisionModel<float> model({{12, 12, 3}, 10, Pooling::mean, {Gate::standard, 1, 4, 32}});
  model.bh(0, 3) = 5;
  Random random(9);
  Images images = draw_digits(100, {}, random);
  check.near(score(model, images).right, 0.1, 1e-12, "a tenth are threes");
  images.labels.assign(100, 3);
  check.near(score(model, images).right, 1, 1e-12, "all are threes");
  check.near(score(model, images).loss, std::log(1 + 9 * std::exp(-5.0)), 1e-6, "and the loss says so");
}

// Images of three planes of 4 x 4, in patches of 2 x 2: a patch has its pixels of each plane, one plane behind the other.
static void planes(Checks& check) {
  const PatchGrid grid{4, 4, 2, 3};
  Matrix<double> image(1, 48), patches, back;
  for (std::size_t k = 0; k < 48; ++k) image(0, k) = double(k);
  cut_patches(image, grid, patches);
  check.that(patches.shape() == Shape{4, 12}, "four patches of twelve numbers");
  const Matrix<double> second{{2, 3, 6, 7, 18, 19, 22, 23, 34, 35, 38, 39}};
  check.that(Matrix<double>(row_block(patches, 1, 1)) == second, "the patch at the upper right, plane by plane");
  cut_patches_back(patches, grid, back);
  check.that(back == image, "and back");
}

// Pictures that are told apart by their colour alone, the planes having the same sum: they are learned.
static void colours(Checks& check) {
  Random random(11);
  Images images{4, 4, Matrix<float>(300, 48), {}, 3};
  for (std::size_t i = 0; i < 300; ++i) {
    images.labels.push_back(std::uint32_t(random.below(3)));
    for (std::size_t k = 0; k < 16; ++k) {
      const double ink = random.uniform(0.5, 1);
      for (std::size_t plane = 0; plane < 3; ++plane)
        images.X(i, plane * 16 + k) = float(plane == images.labels[i] ? ink : (1 - ink) / 2);
    }
  }
  VisionForm form{{4, 4, 2, 3}, 3, Pooling::mean, {.gate = Gate::bma, .layers = 1, .heads = 2, .width = 8}};
  VisionModel<float> model = fresh_vision(form, 3);
  RunSettings run = vision_run();
  run.steps = 150;
  run.seed = 3;
  train(model, images, run);
  const double right = score(model, images).right;
  check.that(right > 0.95, "colours are learned: " + std::to_string(right));  // 1/3 is chance; every seed tried gave 1
}

int main() {
  Checks check;
  patches(check);
  poolings(check);
  permutations(check);
  starts_and_training(check);
  counting(check);
  planes(check);
  colours(check);
  return check.done("test_lesson6_vision");
}
