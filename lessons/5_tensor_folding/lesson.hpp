// Lesson 5: what its parts share: the flags, the threads, the images, the trained nets, and how several of them show.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "common/support/part.hpp"
#include "common/support/spread.hpp"
#include "common/verdict.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"

namespace lesson5 {

class Session {
 public:
  // Reads the images and the stored net that the flags name. Throws UserError.
  explicit Session(const Options& o);

  bool shipped() const;   // are the images the drawn ones?
  bool stored() const;    // does the net come from a file?
  bool standard() const;  // are nets trained as the text has it?

  // Returns how nets are trained in this run: shortly where a knob is turned, whose picture is awaited.
  ClassifierSettings training() const;

  // Returns the form of the product net, without embedding or biases: 24 products for drawn digits, 64 for others.
  NetForm form() const;

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  // Returns a model of this form, trained on the images.
  template <class Model>
  Model trained(const decltype(Model::form)& form, std::uint64_t seed, const ClassifierSettings& settings,
                const Images& from) const {
    Random random(seed, 70);
    Model model(form, random);
    train(model, from, settings, Random(seed, 71));
    return model;
  }

  // Returns the product net of the run's seed, trained or loaded once, and stored under --save; or the like, trained on
  // images with noise of this deviation. Of a stored net there is no other.
  const Net<float>& net() { return net(training().noise); }
  const Net<float>& net(double noise);

  // Returns a ReLU net of 46 units, as many numbers as the product net has on drawn digits, trained once.
  const ReluNet<float>& relu_net();

  // Returns the eigenvalues and eigenvectors of the ten slices of the first net.
  const std::vector<Eigen>& spectra();

  // Returns those of another net.
  std::vector<Eigen> spectra_of(const Net<float>& of);

  Options options;
  Pool pool;
  TrainTest images, to_choose;  // to choose a rate by: five sixths of images.train, and the last sixth

 private:
  std::map<double, Net<float>> nets_;  // by the noise
  std::optional<ReluNet<float>> relu_;
  std::vector<Eigen> spectra_;
};

// -------------------------------------------------------------------------------------------------- rivals, part 6

// A model that takes part: its size, and the share that is right when it is trained at a rate for a seed: of the test
// images; or of every sixth training image, when it learns from the others, to choose the rate by. None is right
// where training diverges.
enum class Judged { validation, test };
struct Rival {
  std::string name;
  double rate;  // the best, as --all finds it at the standard seed
  std::size_t parameters;
  std::function<double(double rate, std::uint64_t seed, Judged by)> right;
};

template <class Model>
Rival rival(const Session& session, const std::string& name, double rate, const decltype(Model::form)& form) {
  return {name, rate, parameters_of(Model(form)), [&session, form](double at, std::uint64_t seed, Judged by) {
            const bool test = by == Judged::test;
            ClassifierSettings settings = session.training();
            settings.rate = at;
            const Images& from = test ? session.images.train : session.to_choose.train;
            try {
              return accuracy(session.trained<Model>(form, seed, settings, from),
                              test ? session.images.test : session.to_choose.test);
            } catch (const Diverged&) {
              return 0.0;
            }
          }};
}

// Returns how many units of a ReLU net have about as many numbers as the product net.
inline std::size_t units_beside(const Session& session) {
  return (parameters_of(Net<float>(session.form())) - 10) / (session.images.train.X.cols() + 11);
}

// Trains each for so many seeds at its best rate, and shows what is right on the test images. With --all it finds that
// rate on validation images, and trains at a third of it and at three times it as well. Returns
// [rival][at the lower rate, at the best, at the higher][seed].
using Right = std::vector<std::array<std::vector<double>, 3>>;
Right compete(Lesson& lesson, Session& session, std::size_t seeds, const std::vector<Rival>& rivals);

// Returns how much more of the images one gets right than another, seed by seed.
Verdict ahead(const Right& right, std::size_t one, std::size_t other);

// ----------------------------------------------------------------------------------------------- numbers and images

// Returns a matrix as README.md writes it, [1 2; 3 4], and a row as (1, 2).
std::string text_of(const Matrix<double>& A);

// Returns numbers as a matrix, row by row.
inline Matrix<double> matrix_of(const std::vector<double>& numbers, std::size_t rows, std::size_t cols) {
  Matrix<double> A(rows, cols);
  std::copy(numbers.begin(), numbers.end(), A.values().begin());
  return A;
}

// Returns the points of a square, x0 from -2 to 2 to the right and x1 from -2 to 2 upwards; points x 2. And draws what each
// column of Y says at those points, each in colours of its own, or all in the same.
Matrix<double> square_of_points();
enum class Colours { own, common };
plot::Sheet surfaces(const std::string& title, const std::vector<std::string>& captions, const Matrix<double>& Y,
                     Colours colours);

// Returns an empty sheet for images of that size, in colours about 0.
inline plot::Sheet sheet_for(const Images& images, const std::string& title, std::size_t per_row = 0) {
  plot::Sheet sheet{.title = title, .rows = images.rows, .cols = images.cols};
  sheet.diverging = true;
  sheet.per_row = per_row;
  return sheet;
}

// Returns a row of pixels as an image of a sheet.
inline plot::Image image(const std::string& caption, const Matrix<double>& pixels) {
  return {caption, {pixels.values().begin(), pixels.values().end()}};
}

// Returns the first image of a class that the net takes for what it is, 1 x pixels; the first of all where there is none.
Matrix<double> example_of(const Net<float>& net, const Images& images, std::uint32_t label);

}  // namespace lesson5
