// What the parts share.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>

#include "common/frame/lesson/part.hpp"
#include "common/spread.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"

namespace lesson5 {

// Labels that parts 7 and 9 ask for; own images must have them.
constexpr knob::Whole shown{"of", "the digit whose logit is taken apart", 3, {0, 9, 1}};
constexpr knob::Whole source{"source", "the digit of the image", 0, {0, 9, 1}};
constexpr knob::Whole wanted{"target", "the digit that it should be taken for", 3, {0, 9, 1}};

class Session {
 public:
  // Reads the images and the stored net. Throws UserError.
  explicit Session(const Options& o);

  bool shipped() const;   // are the images drawn?
  bool stored() const;    // does the net come from a file?
  bool standard() const;  // are the settings the text's?

  // Shorter when a reader has turned a knob and waits.
  ClassifierSettings training() const;

  // Says how long the net learned, and the text's, where that differs: while a reader waits.
  std::string which_net() const;

  // Has 24 products for drawn digits, 64 for others.
  NetForm form() const;

  template <class Model>
  Model trained(const decltype(Model::form)& form, std::uint64_t seed,
                const ClassifierSettings& settings, const Images& from) const {
    Random random(seed, 70);
    Model model(form, random);
    train(model, from, settings, Random(seed, 71));
    return model;
  }

  // Returns the product net, trained or loaded once; or one trained with this noise.
  const Net<float>& net() { return net(training().noise); }
  const Net<float>& net(double noise);

  // Trained once, at three times the rate, its best (part 6); has as many numbers as the product
  // net on drawn digits.
  const UnitNet<float>& relu_net();

  // Eigenvectors of the first net's ten slices, or of another's.
  const std::vector<Eigen>& spectra();
  std::vector<Eigen> spectra_of(const Net<float>& of);

  Options options;
  Pool pool;
  TrainTest images;
  TrainTest to_choose;  // to choose a rate by: images.train but its last sixth, and that sixth

 private:
  std::map<double, Net<float>> nets_;  // by the noise
  std::optional<UnitNet<float>> relu_;
  std::vector<Eigen> spectra_;
};

// Returns "[1 2; 3 4]", and "(1, 2)" for a row.
std::string text_of(const Matrix<double>& A);

inline Matrix<double> matrix_of(const std::vector<double>& numbers, std::size_t rows,
                                std::size_t cols) {
  Matrix<double> A(rows, cols);
  std::copy(numbers.begin(), numbers.end(), A.values().begin());
  return A;
}

// Returns points of a square from -2 to 2, x0 to the right, x1 upwards; and draws each column of
// Y over it.
Matrix<double> square_of_points();
plot::Sheet surfaces(const std::vector<std::string>& captions, const Matrix<double>& Y);

inline plot::Sheet sheet_for(const Images& images, const std::string& title) {
  return {.title = title, .rows = images.rows, .cols = images.cols, .diverging = true};
}

inline plot::Image image(const std::string& caption, const Matrix<double>& pixels) {
  return {caption, {pixels.values().begin(), pixels.values().end()}};
}

plot::Sheet top_eigenvectors(const std::vector<Eigen>& spectra, const Images& images,
                             const std::string& title);

// Returns the place of the class of this name, or another where own images have none.
std::size_t class_of(const Images& images, std::size_t name, std::size_t otherwise);

// Returns the first image of a class that the net gets right, or the first of all.
Matrix<double> example_of(const Net<float>& net, const Images& images, std::uint32_t label);

extern const Part<Session> part1, part2, part3, part4, part5, part6, part7, part8, part9, part10,
    part11, part12, part13;

}  // namespace lesson5
