// Lesson 5, part 6: trains classifiers of images, with noise on them where that is wanted.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/train.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/model/14_squares.hpp"

namespace lesson5 {
namespace {

// Normal numbers to take from: drawing one for each pixel of each batch would take longer than the training. Each row
// of a batch gets a stretch that starts at random.
class NoiseBank {
 public:
  NoiseBank(double deviation, std::size_t longest, Random& random)
      : numbers_(deviation > 0 ? longest + 100'000 : 0), longest_(longest) {
    for (float& number : numbers_) number = float(deviation * random.normal());
  }

  void add_to(std::span<float> row, Random& random) const {
    if (numbers_.empty()) return;
    const float* from = numbers_.data() + random.below(numbers_.size() - longest_);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += from[j];
  }

 private:
  std::vector<float> numbers_;
  std::size_t longest_;
};

}  // namespace

template <class Model>
void train(Model& model, const Images& images, const ClassifierSettings& settings, Random random) {
  AdamW<float> adam({.decay = settings.decay});
  const NoiseBank noise(settings.noise, images.X.cols(), random);
  Matrix<float> X(settings.batch, images.X.cols());
  std::vector<std::uint32_t> labels(settings.batch);
  Pass<Model> pass(model);
  for (long step = 0; step < settings.steps; ++step) {
    for (std::size_t i = 0; i < settings.batch; ++i) {
      const std::size_t picked = std::size_t(random.below(images.labels.size()));
      std::copy(images.X.row(picked).begin(), images.X.row(picked).end(), X.row(i).begin());
      labels[i] = images.labels[picked];
      noise.add_to(X.row(i), random);
    }
    const auto loss_of = [&](const Matrix<float>& Y) { return softmax_cross_entropy<float>(Y, labels); };
    check_below(100 * std::log(10.0), pass.run(model, X, loss_of), step);
    adam.step(model.tensors(), pass.g.d.tensors(), cosine_rate(step, settings.steps, settings.rate));
  }
}

template void train(Net<float>&, const Images&, const ClassifierSettings&, Random);
template void train(LinearNet<float>&, const Images&, const ClassifierSettings&, Random);
template void train(ReluNet<float>&, const Images&, const ClassifierSettings&, Random);
template void train(SquareNet<float>&, const Images&, const ClassifierSettings&, Random);

}  // namespace lesson5
