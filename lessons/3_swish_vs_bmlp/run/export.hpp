// Lesson 3: writes a small fixed batch with all gradients, so that another system can check the derivation.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "bmlp.hpp"
#include "bmlp_batch.hpp"
#include "common/loss.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "gated_mean.hpp"
#include "outer.hpp"
#include "product.hpp"
#include "product2.hpp"
#include "swish.hpp"

template <class Model>
void export_tensors(safetensors::File& file, const std::string& prefix, Model& model) {
  add_tensors(file, prefix, model.tensors());
}

// W2 is stored o x h·h, one row after the other: the same numbers in the same order as o x h x h.
inline void export_tensors(safetensors::File& file, const std::string& prefix, Outer<double>& model) {
  const auto [in, hidden, out] = model.sizes;
  for (const auto& [name, tensor] : model.tensors()) {
    if (name == "W2") file.add(prefix + name, {out, hidden, hidden}, tensor.values());
    else add_matrix(file, prefix + name, tensor);
  }
}

// Fills the model anew, and writes it with its output, loss and gradients under its name.
template <class Model>
void export_model(safetensors::File& file, const std::string& name, Model model, const Matrix<double>& X,
                  const Matrix<double>& target, Random& random) {
  for (const auto& [tensor_name, tensor] : model.tensors())
    tensor = normal_matrix<double>(tensor.rows(), tensor.cols(), 0.7, random);
  const auto t = model.forward(X);
  const Loss<double> loss = mean_squared_error(t.Y, target);
  Gradients<Model> g = model.backward(t, loss.gradient);
  export_tensors(file, name + ".param.", model);
  add_matrix(file, name + ".output.Y", t.Y);
  add_scalar(file, name + ".loss", loss.value);
  export_tensors(file, name + ".grad.", g.d);
  add_matrix(file, name + ".grad.X", g.dX);
}

// Returns the exit status. Throws UserError when the file cannot be written.
inline int export_lesson3(const std::string& path) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "3"},
      {"loss", "mean over all entries of (Y - T)^2; * is entry by entry, X W is the matrix product"},
      {"swish", "H = X W1; Y = (H * sigmoid(H)) W2 + X W3"},
      {"swish_bias", "H = X W1 + b1; Y = (H * sigmoid(H)) W2 + X W3 + b2"},
      {"bmlp", "H = X W1 + mX u1; Y = H W2 + mH u2 + X W3; mX, mH: the mean of each row of X, H, n x 1"},
      {"bmlp_batch",
       "H = X W1 + mX.u1; Y = H W2 + mH.u2 + X W3; mX, mH: the means of the columns of X, H over the batch; the scalar "
       "products are added to every entry"},
      {"gated_mean", "H = X W1 + mX * (X U1) + b1; Y = H W2 + b2 + X W3; mX: the mean of each row of X, n x 1"},
      {"product", "Y = ((X W + b) * (X V + c)) W2 + X W3 + b2"},
      {"outer", "H = X W1; Y[i,o] = sum over p, q of H[i,p] H[i,q] W2[o,p,q] + (X W3)[i,o] + b2[0,o]"},
      {"product2", "G = ((X W + b) * (X V + c)) U + d; Y = ((G Wb + bb) * (G Vb + cb)) W2 + X W3 + b2"}};
  Random random(3);
  const Sizes sizes{4, 5, 3};
  const auto X = normal_matrix<double>(7, sizes.in, 1, random), target = normal_matrix<double>(7, sizes.out, 1, random);
  add_matrix(file, "input.X", X);
  add_matrix(file, "input.T", target);
  export_model(file, "swish", Swish<double>(sizes, false), X, target, random);
  export_model(file, "swish_bias", Swish<double>(sizes), X, target, random);
  export_model(file, "bmlp", Bmlp<double>(sizes), X, target, random);
  export_model(file, "bmlp_batch", BmlpBatch<double>(sizes), X, target, random);
  export_model(file, "gated_mean", GatedMean<double>(sizes), X, target, random);
  export_model(file, "product", Product<double>(sizes), X, target, random);
  export_model(file, "outer", Outer<double>(sizes), X, target, random);
  export_model(file, "product2", Product2<double>(sizes, 6, 2), X, target, random);
  return write_export(path, file);
}
