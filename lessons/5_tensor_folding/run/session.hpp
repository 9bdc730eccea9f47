// Lesson 5: what its parts share: the flags of this lesson, the threads, the images and the trained nets.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/02_net.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/train.hpp"

namespace lesson5 {

struct FoldingFlags {
  std::string images, labels, save, load;
  double rate = ClassifierSettings().rate;
};

// Asks for them. Throws UserError where two do not fit each other.
FoldingFlags folding_flags(Flags& flags);

class Session {
 public:
  // Reads the images and the stored net that the flags name. Throws UserError.
  Session(const FoldingFlags& f, const Options& o);

  bool shipped() const { return flags.images.empty(); }
  bool is_standard() const { return shipped() && flags.load.empty() && flags.rate == ClassifierSettings().rate; }

  // Returns how nets are trained in this run.
  ClassifierSettings training() const;

  // Returns the form of the product net, without embedding or biases: 24 products for drawn digits, 64 for others.
  NetForm form() const;

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  // Returns a model of this form, trained on the images to learn from.
  template <class Model>
  Model trained(const decltype(Model::form)& form, std::uint64_t seed, const ClassifierSettings& settings) const {
    Random random(seed, 70);
    Model model(form, random);
    train(model, images.train, settings, Random(seed, 71));
    return model;
  }

  // Returns the product net of the run's seed, trained or loaded once, and stored under --save.
  const Net<float>& net();

  // Returns the like, trained on images with noise of this deviation; it is the run's own where that is its setting.
  const Net<float>& net_with_noise(double noise);

  // Returns a ReLU net of 46 units, as many numbers as the product net has on drawn digits, trained once.
  const ReluNet<float>& relu_net();

  // Returns the eigenvalues and eigenvectors of the ten slices of the first.
  const std::vector<Eigen>& spectra();

  // Returns those of another net.
  std::vector<Eigen> spectra_of(const Net<float>& of);

  FoldingFlags flags;
  Options options;
  Pool pool;
  TrainTest images;

 private:
  std::map<std::uint64_t, Net<float>> nets_;
  std::map<double, Net<float>> noisy_;  // by the noise
  std::optional<ReluNet<float>> relu_;
  std::vector<Eigen> spectra_;
};

}  // namespace lesson5
