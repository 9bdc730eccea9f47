// Trains, stores and loads classifiers of images.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "common/frame/files/checkpoint.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "common/loss.hpp"
#include "common/training.hpp"
#include "lessons/5_tensor_folding/models.hpp"

namespace lesson5 {

struct ClassifierSettings {
  long steps = 1500;
  std::size_t batch = 128;
  double rate = 9e-3;  // the peak, the best for products (part 6); half a cosine takes it to 0
  double decay = 0.01;
  double noise = 0;  // standard deviation of noise on each pixel of each batch
};

inline std::string settings_text() {
  const ClassifierSettings s;
  return join("batches of ", s.batch, " images, ", s.steps, " steps of AdamW at a rate of ",
              significant(s.rate), " that falls to 0 along half a cosine, weight decay ",
              significant(s.decay));
}

// Splits the images for choosing a rate: the last sixth judges.
inline TrainTest without_test(const Images& all) {
  std::vector<std::size_t> rows(all.labels.size());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  const std::span<const std::size_t> order = rows,
                                     learned = order.first(rows.size() - (rows.size() + 4) / 6);
  return {select(all, learned), select(all, order.subspan(learned.size()))};
}

// Each row's noise is a random stretch of a store, since drawing noise would take longer than
// training. Throws Diverged at a hundred times the loss of knowing nothing.
template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random) {
  AdamW<float> adam({.decay = settings.decay});
  Matrix<float> X(settings.batch, images.X.cols());
  std::vector<float> noise(settings.noise > 0 ? X.cols() + 100'000 : 0);
  for (float& number : noise) number = float(settings.noise * random.normal());
  std::vector<std::uint32_t> labels(settings.batch);
  Pass<Model> pass(model);
  const auto run = [&](long) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      const std::size_t picked = std::size_t(random.below(images.labels.size()));
      std::copy(images.X.row(picked).begin(), images.X.row(picked).end(), X.row(i).begin());
      labels[i] = images.labels[picked];
      if (noise.empty()) continue;
      const float* stretch = noise.data() + random.below(noise.size() - X.cols());
      for (std::size_t p = 0; p < X.cols(); ++p) X(i, p) += stretch[p];
    }
    return pass.run(
        model, X, [&](const Matrix<float>& Y) { return softmax_cross_entropy<float>(Y, labels); });
  };
  ::train(model, pass, adam, {settings.steps, settings.rate},
          100 * std::log(double(images.classes())), run);
}

extern template void train(Net<float>&, const Images&, const ClassifierSettings&, Random);
extern template void train(LinearNet<float>&, const Images&, const ClassifierSettings&, Random);
extern template void train(UnitNet<float>&, const Images&, const ClassifierSettings&, Random);

struct OperationSettings {
  std::size_t products = 64;
  long steps = 600;
  double rate = 0.02, decay = 1;
  double start = 0.4;  // standard deviation of the weights
  double seen = 0.7;   // the share of pairs to learn from
};

// Trains a product net by mean squared error on random pairs a, b below a modulus, one-hot
// beside each other; targets are operation(a, b), one-hot. Records the shares of seen and
// unseen pairs that are right after every tenth step. Throws std::out_of_range for a target not
// below the modulus.
struct Learned {
  Net<float> net = Net<float>(NetForm());
  std::vector<double> seen = {}, unseen = {};
};
using Operation = std::function<std::size_t(std::size_t a, std::size_t b)>;
Learned learn(const Operation& operation, std::size_t modulus, const OperationSettings& settings,
              Random random);

inline safetensors::File file_of(const Net<float>& net) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "5"}, {"model", "net"}, {"formula", "H = (X W) * (X V); logits = H U"}};
  add_tensors(file, "", net.tensors());
  return file;
}

// Returns the net of products in a file. Throws std::runtime_error.
inline Net<float> net_in(const safetensors::File& file, std::size_t inputs, std::size_t classes) {
  const auto entry = [&](const std::string& key) {
    const auto value = file.metadata.find(key);
    return value == file.metadata.end() ? std::string("none") : value->second;
  };
  if (entry("lesson") != "5" || entry("model") != "net")
    throw UserError("holds no net of lesson 5 (lesson: " + excerpt(entry("lesson")) +
                    ", model: " + excerpt(entry("model")) + ")");
  const safetensors::Shape& shape = file.at("W").shape;
  if (shape.size() != 2 || shape[1] == 0) throw UserError("tensor 'W' is not a matrix");
  if (shape[0] != inputs)
    throw UserError(join("is made for ", shape[0], " pixels, and these images have ", inputs));
  const safetensors::Shape& behind = file.at("U").shape;
  if (behind.size() == 2 && behind[1] != classes)
    throw UserError(join("tells ", behind[1], " classes apart, and these images have ", classes));
  Net<float> net(of_products(inputs, shape[1], classes));
  read_tensors(file, net.tensors());
  check_finite(net.tensors());
  return net;
}

}  // namespace lesson5
