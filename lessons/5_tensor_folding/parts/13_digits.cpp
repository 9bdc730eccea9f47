// Lesson 5, part 13: a sparse dictionary of the digit net's products, and what its atoms name.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/05_spectrum.hpp"
#include "lessons/5_tensor_folding/model/12_dictionary.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

// Numbers that are not negative, a column for each thing that may name a digit, and what each image is.
struct Uses {
  Matrix<double> C;  // images x things
  std::vector<std::uint32_t> labels;
};

// How far the columns name digits. Of a column's sum a part comes from the images of each digit; if all were alike it
// would be a tenth.
struct Named {
  double part = 0;               // that of the digit with the most, the mean over the columns
  std::size_t half = 0, of = 0;  // columns in which it is more than half, of all
  std::size_t digits = 0;        // how many digits these columns name
};

Named named(const Uses& uses) {
  Named found;
  std::array<bool, 10> seen{};
  for (std::size_t a = 0; a < uses.C.cols(); ++a) {
    std::array<double, 10> by_digit{};
    for (std::size_t i = 0; i < uses.C.rows(); ++i) by_digit.at(uses.labels[i]) += uses.C(i, a);
    const double all = std::accumulate(by_digit.begin(), by_digit.end(), 0.0);
    const auto most = std::max_element(by_digit.begin(), by_digit.end());
    ++found.of;
    if (all == 0) continue;  // of no use to any
    found.part += *most / all;
    if (*most <= all / 2) continue;
    ++found.half;
    seen.at(std::size_t(most - by_digit.begin())) = true;
  }
  found.part /= double(found.of);
  found.digits = std::size_t(std::count(seen.begin(), seen.end(), true));
  return found;
}

Matrix<double> products_of(const Net<float>& net, const Matrix<float>& X) {
  Net<float>::Trace trace;
  net.forward(X, trace);
  return Matrix<double>(trace.H.view());
}

// Each product twice, as far as it is positive and as far as it is negative.
Matrix<double> by_sign(const Matrix<double>& H) {
  Matrix<double> both(H.rows(), 2 * H.cols());
  for (std::size_t i = 0; i < H.rows(); ++i)
    for (std::size_t k = 0; k < H.cols(); ++k) both(i, H(i, k) > 0 ? k : H.cols() + k) = std::abs(H(i, k));
  return both;
}

// (v·x)² for the eigenvector of the most positive λ of each digit.
Matrix<double> by_eigenvectors(const std::vector<Eigen>& spectra, const Matrix<double>& X) {
  Matrix<double> squares(X.rows(), spectra.size());
  for (std::size_t o = 0; o < spectra.size(); ++o) {
    const Matrix<double> along = matmul(X, transpose(row_block(spectra[o].vectors, most_positive(spectra[o]), 1)));
    for (std::size_t i = 0; i < X.rows(); ++i) squares(i, o) = along(i, 0) * along(i, 0);
  }
  return squares;
}

// The codes of new rows H for a dictionary that was learned from others.
struct Learned {
  Matrix<double> codes;
  double told = 0;  // the part of the squares of H that codes·atoms give back
};

Learned learned_codes(const Matrix<double>& from, const Matrix<double>& H, const Options& options) {
  Random random(options.seed, 77);
  const std::size_t atoms = 2 * H.cols();
  Dictionary dict = learn_dictionary(from, atoms, options.quick_or(1, 2), options.quick_or(5, 60), random);
  dict.C = Matrix<double>(H.rows(), atoms);
  double scale = 0;
  for (std::size_t i = 0; i < from.rows(); ++i) scale += std::sqrt(squared_length(from.row(i))) / double(from.rows());
  improve_codes(dict, H, 0.1 * scale, options.quick_or(20, 300));
  const Matrix<double> rest = H - matmul(dict.C, dict.D);
  return {dict.C, 1 - dot(rest, rest) / dot(H, H)};
}

}  // namespace

void dictionary_of_digits(Lesson& lesson, Session& session) {
  const Images& test = session.images.test;
  const std::size_t rows = test.X.rows() / 3;  // to learn from, and as many others to judge by
  const Matrix<float> X(row_block(test.X, 0, rows)), others(row_block(test.X, rows, rows));
  const std::vector<std::uint32_t> labels(test.labels.begin() + std::ptrdiff_t(rows),
                                          test.labels.begin() + std::ptrdiff_t(2 * rows));
  const Net<float>& net = session.net();
  Random random(session.options.seed, 78);
  const Net<float> untrained(net.form, random);
  const Matrix<double> H = products_of(net, others);
  std::array<Learned, 2> learned;
  session.run("dictionaries of digits", 2, [&](std::size_t k) {
    const Net<float>& of = k == 0 ? net : untrained;
    learned[k] = learned_codes(products_of(of, X), products_of(of, others), session.options);
  });
  const std::vector<std::pair<std::string, Named>> found{
      {"eigenvectors, one a digit", named({by_eigenvectors(session.spectra(), Matrix<double>(others.view())), labels})},
      {"products, by their sign", named({by_sign(H), labels})},
      {"dictionary", named({learned[0].codes, labels})},
      {"dictionary, net untrained", named({learned[1].codes, labels})}};
  Table table{{"who", "of its use by one digit", "more than half", "digits"}, {}};
  for (const auto& [who, names] : found)
    table.rows.push_back({who, fixed(names.part, 2), join(names.half, " of ", names.of), std::to_string(names.digits)});
  lesson.say("And the digit net? Of ", rows, " new images, the part that the digit has which uses a thing most:");
  lesson.show(table);
  lesson.note("The atoms tell ", fixed(learned[0].told, 3), " of the squares of the products.");
  const double part = found[2].second.part;
  // Means and spreads over 20 seeds.
  lesson.claim_trained("digits: of an atom's use by one digit", part, within(0.579, 4.5 * 0.029));
  lesson.claim_trained("... more than of an eigenvector's", part - found[0].second.part, within(0.344, 4.5 * 0.032));
  lesson.claim_trained("... more than of a product's", part - found[1].second.part, within(0.234, 4.5 * 0.026));
  lesson.claim_trained("... more than without training", part - found[3].second.part, within(0.305, 4.5 * 0.034));
}

}  // namespace lesson5
