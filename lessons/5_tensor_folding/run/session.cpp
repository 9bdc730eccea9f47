// Lesson 5: reads flags and images, trains nets when they are asked for.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/run/session.hpp"

#include <utility>

#include "lessons/5_tensor_folding/run/store.hpp"

namespace lesson5 {

FoldingFlags folding_flags(Flags& flags) {
  FoldingFlags f;
  f.images = flags.text("--images", "FILE", "", "images in IDX form, as MNIST ships them (drawn digits)");
  f.labels = flags.text("--labels", "FILE", "", "their labels, in IDX form");
  f.rate = flags.real("--lr", f.rate, 0, 100, "peak learning rate (0.003)");
  f.save = flags.text("--save", "FILE", "", "store the trained product net (safetensors)");
  f.load = flags.text("--load", "FILE", "", "use a stored product net instead of training one");
  if (f.images.empty() != f.labels.empty()) throw UserError("--images and --labels need each other");
  if (!f.save.empty() && !f.load.empty()) throw UserError("--save: with --load nothing is trained that could be saved");
  return f;
}

// How many drawn digits to judge by; few where a knob is turned, whose picture is awaited, and hardly any for a part that
// looks at none.
static std::size_t drawn_digits(const Options& o) {
  if (!o.settings.turned()) return o.quick_or<std::size_t>(600, 3000);
  const bool used = (o.part >= 6 && o.part <= 9) || o.part == 12;
  return used ? 600 : 10;
}

// Drawn digits, those and twice as many to learn from; or four of five of the images in the files, at random.
static TrainTest read_images(const FoldingFlags& f, const Options& o) {
  Random random(o.seed, 72);
  TrainTest all = read_or_draw(f.images, f.labels, drawn_digits(o), random);
  const double numbers = double(all.train.X.size() + all.test.X.size());
  check_memory("--images", 4 * numbers * (3 + 2 * double(o.threads)));  // each thread judges a net on them
  if (all.train.X.cols() > 4096) throw UserError("--images: at most 4,096 pixels an image can be folded");
  return all;
}

Session::Session(const FoldingFlags& f, const Options& o)
    : flags(f), options(o), pool(pool_of(o)), images(read_images(f, o)) {
  if (!f.load.empty()) nets_.emplace(options.seed, load_net(f.load, images.train.X.cols()));
  check_save(f.save, options, {f.images, f.labels});
}

ClassifierSettings Session::training() const {
  ClassifierSettings settings;
  settings.steps = options.steps_or(shipped() ? settings.steps : 3000, 60);
  settings.rate = flags.rate;
  if (!shipped()) {
    settings.noise = 0.4;
    settings.decay = 0.3;
  }
  return settings;
}

NetForm Session::form() const {
  const std::size_t inputs = images.train.X.cols();
  return {inputs, 0, inputs <= 200 ? std::size_t(24) : std::size_t(64), 10, Biases::without};
}

const Net<float>& Session::net() {
  const auto found = nets_.find(options.seed);
  if (found != nets_.end()) return found->second;
  const Net<float>& made =
      nets_.emplace(options.seed, trained<Net<float>>(form(), options.seed, training())).first->second;
  if (!flags.save.empty()) save_net(flags.save, made);
  return made;
}

const Net<float>& Session::net_with_noise(double noise) {
  ClassifierSettings settings = training();
  if (settings.noise == noise) return net();
  const auto found = noisy_.find(noise);
  if (found != noisy_.end()) return found->second;
  settings.noise = noise;
  return noisy_.emplace(noise, trained<Net<float>>(form(), options.seed, settings)).first->second;
}

const ReluNet<float>& Session::relu_net() {
  if (!relu_) relu_ = trained<ReluNet<float>>({images.train.X.cols(), 46, 10}, options.seed, training());
  return *relu_;
}

const std::vector<Eigen>& Session::spectra() {
  if (spectra_.empty()) spectra_ = spectra_of(net());
  return spectra_;
}

std::vector<Eigen> Session::spectra_of(const Net<float>& of) {
  std::vector<Eigen> found(of.form.outputs);
  run("eigenvectors", found.size(), [&](std::size_t o) { found[o] = eigen_through_factors(of, o); });
  return found;
}

}  // namespace lesson5
