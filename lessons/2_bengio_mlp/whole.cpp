// Lesson 2 in one file: Bengio's language model, gradients by hand, AdamW, writing. From the root,
// some ten seconds:
//   g++ -std=c++20 -O3 -march=native lessons/2_bengio_mlp/whole.cpp -o whole && ./whole      or
//   ./whole my.txt
// A matrix is its rows, one behind the other. dX is d loss / d X. The numbers behind lines are
// README.md's equations.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using Size = std::size_t;
using Numbers = std::vector<float>;

// What is trained: numbers, their gradient, and AdamW's running means of it and of its square.
struct Weights {
  Size rows, cols;
  float deviation;  // at the start
  Numbers w = Numbers(rows * cols), d = w, m = w, v = w;
  void forward(const Numbers& X, const Weights& b, Numbers& Y) const {  // Y = X·W + b
    for (Size i = 0; i < Y.size() / cols; ++i) {
      std::copy(b.w.begin(), b.w.end(), &Y[i * cols]);
      for (Size p = 0; p < rows; ++p)
        for (Size j = 0; j < cols; ++j) Y[i * cols + j] += X[i * rows + p] * w[p * cols + j];
    }
  }
  void backward(const Numbers& X, const Numbers& dY, Weights& b, Numbers& dX) {
    for (Size i = 0; i < dY.size() / cols; ++i) {
      const float *x = &X[i * rows], *dy = &dY[i * cols];
      for (Size j = 0; j < cols; ++j) b.d[j] += dy[j];
      for (Size p = 0; p < rows; ++p) {
        for (Size j = 0; j < cols; ++j) d[p * cols + j] += x[p] * dy[j];  // dW = Xᵀ·dY
        dX[i * rows + p] += std::transform_reduce(dy, dy + cols, w.begin() + long(p * cols),
                                                  float());  // dX = dY·Wᵀ
      }
    }
  }
};
struct Model {
  Size vocab, c, dim, h;
  Weights C{vocab + 1, dim, 1};  // the last row is padding's
  Weights W1{c * dim, h, 1 / std::sqrt(float(c*dim))}, b1{1, h, 0}, W2{h, vocab, float(.01)},
      b2{1, vocab, 0};
  Numbers E = {}, H = {}, P = {};
  double loss = 0, steps = 0;  // the mean in nats; those of AdamW
  std::vector<Weights*> weights() { return {&C, &W1, &b1, &W2, &b2}; }
  // Makes P, the probabilities of what comes after each window of c symbols, and the loss.
  void forward(const std::vector<Size>& windows, const std::vector<Size>& targets) {
    const Size n = targets.size();
    E.resize(n * c * dim), H.resize(n * h), P.resize(n * vocab);
    for (Size x = 0; x < E.size(); ++x) E[x] = C.w[windows[x / dim] * dim + x % dim];  // (2.1)
    W1.forward(E, b1, H);                                                              // (2.2)
    for (float& z : H) z = std::tanh(z);                                               // (2.3)
    W2.forward(H, b2, P);  // now S   (2.4)
    loss = 0;
    for (Size i = 0; i < n; ++i) {
      float *s = &P[i * vocab], top = *std::max_element(s, s + vocab), sum = 0;
      for (Size j = 0; j < vocab; ++j) sum += s[j] = std::exp(s[j] - top);
      for (Size j = 0; j < vocab; ++j) s[j] /= sum;         // (2.6)
      loss -= std::log(double(s[targets[i]])) / double(n);  // (2.6)
    }
  }
  // The same, and all gradients.
  void gradients(const std::vector<Size>& windows, const std::vector<Size>& targets) {
    forward(windows, targets);
    for (Weights* one : weights()) one->d.assign(one->w.size(), 0);
    Numbers dS(P.size()), dZ(H.size()), dE(E.size());
    for (Size x = 0; x < P.size(); ++x)
      dS[x] =
          (P[x] - float(x % vocab == targets[x / vocab])) / float(targets.size());  // (2.6) back
    W2.backward(H, dS, b2, dZ);                                     // dZ is dH   (2.4) back
    for (Size x = 0; x < dZ.size(); ++x) dZ[x] *= 1 - H[x] * H[x];  // (2.3) back
    W1.backward(E, dZ, b1, dE);                                     // (2.2) back
    for (Size x = 0; x < dE.size(); ++x)
      C.d[windows[x / dim] * dim + x % dim] += dE[x];  // (2.1) back
  }
  // One step of AdamW.   (2.8)
  void step(const std::vector<Size>& windows, const std::vector<Size>& targets, double rate) {
    gradients(windows, targets);
    const float fast = float(1 - std::pow(.9, ++steps)), slow = float(1 - std::pow(.99, steps)),
                r = float(rate);
    for (Weights* one : weights())
      for (Size k = 0; k < one->w.size(); ++k) {
        one->m[k] = float(.9) * one->m[k] + float(.1) * one->d[k];
        one->v[k] = float(.99) * one->v[k] + float(.01) * one->d[k] * one->d[k];
        one->w[k] -= r * (float(.01) * one->w[k] +
                          one->m[k] / fast / (std::sqrt(one->v[k] / slow) + float(1e-8)));
      }
  }
};
int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "common/data/play.txt";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}}, letters = text;
  if (text.size() < 100)
    return std::fprintf(stderr, "whole: not 100 bytes in %s\n", path.c_str()), 2;
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  Model model{letters.size(), 3, 8, 128};
  std::mt19937_64 random(1);
  for (Weights* one : model.weights())
    for (float& w : one->w) w = one->deviation * std::normal_distribution<float>()(random);
  std::vector<Size> in, out;
  const auto add = [&](Size place) {  // the window whose target is text[place]
    for (Size k = model.c; k > 0; --k)
      in.push_back(place < k ? letters.size() : letters.find(text[place - k]));
    out.push_back(place < text.size() ? letters.find(text[place]) : 0);
  };
  while (model.steps < 5000) {
    in.clear(), out.clear();
    while (out.size() < 128) add(random() % (text.size() * 9 / 10));  // on the first nine tenths
    model.step(in, out, .005 * (1 + std::cos(3.14159265 * model.steps / 5000)));
    if (std::fmod(model.steps, 1000) != 0) continue;
    in.clear(), out.clear();
    for (Size place = text.size() * 19 / 20; place < text.size(); ++place) add(place);
    model.forward(in, out);
    std::printf("%.0f steps: %.3f nats a symbol of the last twentieth, not trained on\n",
                model.steps, model.loss);
  }
  for (int k = 0; k < 500; ++k) {
    in.clear(), out.clear(), add(text.size());
    model.forward(in, out);
    text += letters[std::discrete_distribution<Size>(model.P.begin(), model.P.end())(random)];
  }
  return std::printf("%s\n", &text[text.size() - 500]) < 0;
}
