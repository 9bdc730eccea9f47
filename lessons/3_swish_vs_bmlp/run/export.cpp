// Lesson 3: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/run/export.hpp"

#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {
namespace {

// The batch, and what is written.
struct Export {
  safetensors::File file;
  Matrix<double> X, target;
  Random random;

  // Fills the model anew, and adds it under its name.
  template <class Model>
  void add(const std::string& name, Model model) {
    fill_normal(model.tensors(), random, 0.7);
    add_model(file, name, "Y", model, X, [&](const Matrix<double>& Y) { return mean_squared_error(Y, target); });
  }
};

// W2 of H⊗H lies here as o x h·h, one row after the other: the same numbers in the order of o x h x h, which it is.
safetensors::File with_three_indices(const safetensors::File& from, const Sizes& s) {
  safetensors::File file;
  file.metadata = from.metadata;
  for (safetensors::Tensor tensor : from.tensors()) {
    if (tensor.name == "outer.param.W2" || tensor.name == "outer.grad.W2") tensor.shape = {s.out, s.hidden, s.hidden};
    file.add(std::move(tensor));
  }
  return file;
}

}  // namespace

int export_lesson3(const std::string& path) {
  const Sizes sizes{4, 5, 3};
  Random random(3);
  auto X = normal_matrix<double>(7, sizes.in, 1, random), target = normal_matrix<double>(7, sizes.out, 1, random);
  Export all{{}, std::move(X), std::move(target), random};
  all.file.metadata = {
      {"lesson", "3"},
      {"loss", "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
      {"swish", "H = X W1; Y = (H * sigmoid(H)) W2 + X W3"},
      {"swish_bias", "H = X W1 + b1; Y = (H * sigmoid(H)) W2 + X W3 + b2"},
      {"bmlp", "H = X W1 + mX u1; Y = H W2 + mH u2 + X W3; mX, mH: the mean of each row of X, H, n x 1"},
      {"bmlp_batch",
       "H = X W1 + mX.u1; Y = H W2 + mH.u2 + X W3; mX, mH: the means of the columns of X, H over the batch; "
       "the scalar products are added to every entry"},
      {"gated_mean", "H = X W1 + mX * (X U1) + b1; Y = H W2 + b2 + X W3; mX: the mean of each row of X, n x 1"},
      {"product", "Y = ((X W + b) * (X V + c)) W2 + X W3 + b2"},
      {"outer", "H = X W1; Y[i,o] = sum over p, q of H[i,p] H[i,q] W2[o,p,q] + (X W3)[i,o] + b2[0,o]"},
      {"product2", "G = ((X W + b) * (X V + c)) U + d; Y = ((G Wb + bb) * (G Vb + cb)) W2 + X W3 + b2"}};
  add_matrix(all.file, "input.X", all.X);
  add_matrix(all.file, "input.T", all.target);
  all.add("swish", Swish<double>({sizes, false}));
  all.add("swish_bias", Swish<double>({sizes, true}));
  all.add("bmlp", Bmlp<double>(sizes));
  all.add("bmlp_batch", BmlpBatch<double>(sizes));
  all.add("gated_mean", GatedMean<double>(sizes));
  all.add("product", Product<double>(sizes));
  all.add("outer", Outer<double>(sizes));
  all.add("product2", Product2<double>({sizes, 6, 2}));
  return write_export(path, with_three_indices(all.file, sizes));
}

}  // namespace lesson3
