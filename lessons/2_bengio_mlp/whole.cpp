// Lesson 2 in one file: Bengio's language model, its gradients by hand, AdamW and writing. Numbers
// in brackets are README.md's equations. A matrix is stored row after row; dX is d loss / d X.
//   g++ -std=c++20 -O3 -march=native lessons/2_bengio_mlp/whole.cpp -o whole
//   ./whole [my.txt [steps]]
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>
using Size = std::size_t;
using Numbers = std::vector<float>;
using Indices = std::vector<Size>;
// A trained matrix: its numbers w, their gradient d, and AdamW's running means of d and of d².
struct Weights {
  Size rows, cols;
  float deviation;  // at the start
  Numbers w = Numbers(rows * cols), d = w, m = w, v = w;
  Numbers forward(const Numbers& X, const Weights& b) const {  // X·W + b
    Numbers Y;
    for (Size i = 0; i < X.size() / rows; ++i) {
      Y.insert(Y.end(), b.w.begin(), b.w.end());
      for (Size p = 0; p < rows; ++p)
        for (Size j = 0; j < cols; ++j) Y[i * cols + j] += X[i * rows + p] * w[p * cols + j];
    }
    return Y;
  }
  void backward(const Numbers& X, const Numbers& dY, Weights& b, Numbers& dX) {
    for (Size i = 0; i < dY.size() / cols; ++i) {
      const float* dy = &dY[i * cols];
      for (Size j = 0; j < cols; ++j) b.d[j] += dy[j];  // db = column sums of dY
      for (Size p = 0; p < rows; ++p)
        for (Size j = 0; j < cols; ++j) d[p * cols + j] += X[i * rows + p] * dy[j];  // dW = Xᵀ·dY
      for (Size p = 0; p < rows; ++p)
        dX[i * rows + p] = std::transform_reduce(dy, dy + cols, &w[p * cols], 0.f);  // dX = dY·Wᵀ
    }
  }
  void step(float rate, float fast, float slow) {  // of AdamW
    for (Size k = 0; k < w.size(); ++k) {
      m[k] = float(.9) * m[k] + float(.1) * d[k];
      v[k] = float(.99) * v[k] + float(.01) * d[k] * d[k];
      w[k] -= rate * (float(.01) * w[k] + m[k] / fast / (std::sqrt(v[k] / slow) + float(1e-8)));
    }
  }
};
struct Model {
  Size vocab, c, dim, h;
  Weights C{vocab + 1, dim, 1};  // the last row is the padding symbol's
  Weights W1{c * dim, h, 1 / std::sqrt(float(c*dim))}, b1{1, h, 0};
  Weights W2{h, vocab, float(.01)}, b2{1, vocab, 0};
  Numbers E = {}, H = {}, P = {};
  double loss = 0;  // the mean in nats
  long steps = 0;   // of AdamW
  std::vector<Weights*> weights() { return {&C, &W1, &b1, &W2, &b2}; }
  // Computes P, the probabilities of the symbol after each window of c symbols, and the loss.
  void forward(const Indices& windows, const Indices& targets) {
    E.clear();
    for (Size s : windows) E.insert(E.end(), &C.w[s * dim], &C.w[s * dim] + dim);  // (2.1)
    H = W1.forward(E, b1);                                                         // (2.2)
    for (float& z : H) z = std::tanh(z);                                           // (2.3)
    P = W2.forward(H, b2);                                                         // now S   (2.4)
    loss = 0;
    for (Size i = 0; i < targets.size(); ++i) {
      float* row = &P[i * vocab];
      const float top = *std::max_element(row, row + vocab);
      for (Size j = 0; j < vocab; ++j) row[j] = std::exp(row[j] - top);
      const float sum = std::accumulate(row, row + vocab, 0.f);
      for (Size j = 0; j < vocab; ++j) row[j] /= sum;                      // (2.5)
      loss -= std::log(double(row[targets[i]])) / double(targets.size());  // (2.5)
    }
  }
  void gradients(const Indices& windows, const Indices& targets) {
    forward(windows, targets);
    for (Weights* one : weights()) one->d.assign(one->w.size(), 0);
    Numbers dS = P, dZ(H.size()), dE(E.size());
    for (Size i = 0; i < targets.size(); ++i) dS[i * vocab + targets[i]] -= 1;  // (2.5) back
    for (float& ds : dS) ds /= float(targets.size());                           // (2.5) back
    W2.backward(H, dS, b2, dZ);                                     // dZ is dH   (2.4) back
    for (Size k = 0; k < dZ.size(); ++k) dZ[k] *= 1 - H[k] * H[k];  // (2.3) back
    W1.backward(E, dZ, b1, dE);                                     // (2.2) back
    for (Size k = 0; k < windows.size(); ++k)
      for (Size a = 0; a < dim; ++a) C.d[windows[k] * dim + a] += dE[k * dim + a];  // (2.1) back
  }
  void step(const Indices& windows, const Indices& targets, double rate) {  // (2.7)
    gradients(windows, targets);
    ++steps;
    const float fast = float(1 - std::pow(.9, steps)), slow = float(1 - std::pow(.99, steps));
    for (Weights* one : weights()) one->step(float(rate), fast, slow);
  }
};
int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "common/data/play.txt";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() < 100) std::fprintf(stderr, "whole: not 100 bytes in %s\n", path.c_str());
  if (text.size() < 100) return 2;
  std::string letters = text;
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  Model model{letters.size(), 3, 8, 128};
  std::mt19937_64 random(1);
  for (Weights* one : model.weights())
    for (float& w : one->w) w = one->deviation * std::normal_distribution<float>()(random);
  const auto add = [&](Indices& in, Indices& out, Size place) {  // the window before text[place]
    for (Size k = model.c; k > 0; --k)
      in.push_back(place < k ? letters.size() : letters.find(text[place - k]));
    out.push_back(place < text.size() ? letters.find(text[place]) : 0);
  };
  const long steps = argc > 2 ? std::max(std::atol(argv[2]), 1L) : 5000;
  while (model.steps < steps) {
    Indices in, out;
    while (out.size() < 128) add(in, out, random() % (text.size() * 9 / 10));  // nine tenths
    model.step(in, out, .005 * (1 + std::cos(3.14159265 * double(model.steps) / double(steps))));
    if (model.steps % std::max(steps / 5, 1L) != 0) continue;
    Indices seen, next;
    for (Size place = text.size() * 19 / 20; place < text.size(); ++place) add(seen, next, place);
    model.forward(seen, next);
    std::printf("%ld steps: %.3f nats per symbol of the last twentieth, not trained on\n",
                model.steps, model.loss);
  }
  for (int k = 0; k < 500; ++k) {
    Indices in, out;
    add(in, out, text.size());
    model.forward(in, out);
    std::discrete_distribution<Size> next(model.P.begin(), model.P.end());
    text += letters[next(random)];
  }
  return std::printf("%s\n", &text[text.size() - 500]) < 0;
}
