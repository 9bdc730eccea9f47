// Lesson 6 in one file: a transformer with any of five gates in its attention, gradients by hand,
// training, sampling.
//   g++ -std=c++20 -O3 -march=native lessons/6_bma/whole.cpp -o whole && ./whole      twenty
//   seconds, from the root
//   ./whole attending my.txt          another gate (standard, half, bma, attending, post), another
//   text
// A matrix is its rows, one after the other; they are tokens. dX is d loss / d X. Numbers behind
// lines: README.md's.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using Size = std::size_t;
using Numbers = std::vector<float>;

// Y += A·B, n x k times k x m; four steps of k at a time, so that Y is read and written a quarter
// as often.
void add_product(Size n, Size k, Size m, const Numbers& A, const Numbers& B, Numbers& Y) {
  for (Size i = 0, p; i < n; ++i) {
    const float *a = &A[i * k], *b = &B[0];
    for (p = 0; p + 4 <= k; p += 4, b += 4 * m)
      for (Size j = 0; j < m; ++j)
        Y[i * m + j] +=
            a[p] * b[j] + a[p + 1] * b[m + j] + a[p + 2] * b[2 * m + j] + a[p + 3] * b[3 * m + j];
    for (; p < k; ++p, b += m)
      for (Size j = 0; j < m; ++j) Y[i * m + j] += a[p] * b[j];
  }
}

Numbers transposed(Size cols, const Numbers& A) {
  Numbers B(A.size());
  for (Size k = 0; k < A.size(); ++k) B[k % cols * (A.size() / cols) + k / cols] = A[k];
  return B;
}

// What is trained: numbers, their gradient, and AdamW's running averages of it and of its square.
struct Weights {
  Size rows, cols;
  float start = 0;
  Numbers w = Numbers(rows * cols, start), d = w, mean = Numbers(w.size()), square = mean;
  void forward(const Numbers& X, Numbers& Y) const {
    add_product(X.size() / rows, rows, cols, X, w, Y);
  }                                                                         // (6.1)
  void backward(const Numbers& X, const Numbers& dY, Numbers& dX) {         // dX +=
    add_product(rows, X.size() / rows, cols, transposed(rows, X), dY, d);   // (6.1) back
    add_product(X.size() / rows, cols, rows, dY, transposed(cols, w), dX);  // (6.1) back
  }
};

struct Norm {
  Size width;
  Weights gain{1, width, 1};
  Numbers hat = {}, root = {},
          Y = {};  // rows of mean 0 and variance 1; 1/√(variance + ε) of each; what comes out
  void forward(const Numbers& X) {
    hat = Y = X;
    root.assign(X.size() / width, 0);
    for (Size i = 0; i < root.size(); ++i) {
      float *x = &hat[i * width], mean = 0, variance = 0;
      for (Size j = 0; j < width; ++j) mean += x[j] / float(width);
      for (Size j = 0; j < width; ++j) variance += (x[j] - mean) * (x[j] - mean) / float(width);
      root[i] = 1 / std::sqrt(variance + float(1e-5));
      for (Size j = 0; j < width; ++j) x[j] = (x[j] - mean) * root[i];       // (6.12)
      for (Size j = 0; j < width; ++j) Y[i * width + j] = gain.w[j] * x[j];  // (6.12)
    }
  }
  void backward(const Numbers& dY, Numbers& dX) {  // dX +=
    for (Size i = 0; i < root.size(); ++i) {
      const float *dy = &dY[i * width], *x = &hat[i * width];
      float mean = 0, along = 0;  // of d hat and of d hat ⊙ hat, over the row
      for (Size j = 0; j < width; ++j) mean += gain.w[j] * dy[j] / float(width);
      for (Size j = 0; j < width; ++j) along += gain.w[j] * dy[j] * x[j] / float(width);
      for (Size j = 0; j < width; ++j) gain.d[j] += dy[j] * x[j];  // (6.12) back
      for (Size j = 0; j < width; ++j)
        dX[i * width + j] += root[i] * (gain.w[j] * dy[j] - mean - x[j] * along);  // (6.12) back
    }
  }
};

// Makes n scores weights that sum to 1, in place.
void softmax(float* s, Size n) {
  const float largest = *std::max_element(s, s + n);
  float sum = 0;
  for (Size j = 0; j < n; ++j) sum += s[j] = std::exp(s[j] - largest);
  for (Size j = 0; j < n; ++j) s[j] /= sum;
}

float sigmoid(float z) { return 1 / (1 + std::exp(-z)); }

enum Gate { standard, half, bma, attending, post };

// Each head has m columns of Q, K, V, M and of the gate G, m rows of Wg, and a square of A for each
// window.
struct Attention {
  Gate gate;
  Size width, heads, context, m = width / heads;
  bool asks = gate == bma || gate == attending;     // the query makes the gate; of half it is σ(0)
  bool before = gate == bma || gate == half;        // it multiplies the values
  bool behind = gate == attending || gate == post;  // or the mixture
  Weights Wq{width, width}, Wk = Wq, Wv = Wq, Wp = Wq, Wo = Wq, Wg{width, m};
  Numbers Q = {}, K = {}, V = {}, G = {}, Vg = {}, A = {}, M = {},
          O = {};                               // Vg: V~, the values that are mixed
  void forward(const Numbers& X, Numbers& Y) {  // Y +=
    Q = K = V = G = M = Numbers(X.size());
    A = Numbers(X.size() / m * context);
    Wq.forward(X, Q), Wk.forward(X, K), Wv.forward(X, V);  // (6.1)
    if (gate == post) Wp.forward(X, G);                    // (6.10)
    for (Size x = 0; x < X.size() && asks; ++x)
      for (Size c = 0; c < m; ++c) G[x - x % m + c] += Q[x] * Wg.w[x % width * m + c];  // (6.6)
    for (float& z : G) z = sigmoid(z);  // (6.6) (6.10)
    Vg = V;
    for (Size x = 0; x < V.size() && before; ++x) Vg[x] *= G[x];  // (6.7)
    for (Size x = 0; x < X.size();
         x += m) {  // one head of token i, which sees its window's tokens from `first` to i
      const Size i = x / width, first = i - i % context, head = x % width;
      float* a = &A[x / m * context];
      for (Size j = first; j <= i; ++j)
        for (Size c = 0; c < m; ++c)
          a[j - first] += Q[x + c] * K[j * width + head + c] / std::sqrt(float(m));  // (6.2)
      softmax(a, i - first + 1);                                                     // (6.3)
      for (Size j = first; j <= i; ++j)
        for (Size c = 0; c < m; ++c) M[x + c] += a[j - first] * Vg[j * width + head + c];  // (6.4)
    }
    O = M;
    for (Size x = 0; x < M.size() && behind; ++x) O[x] *= G[x];  // (6.9) (6.10)
    Wo.forward(O, Y);                                            // (6.5)
  }
  void backward(const Numbers& X, const Numbers& dY, Numbers& dX) {  // dX +=
    Numbers dM(X.size()), dG(dM), dQ(dM), dK(dM), dV(dM), da(context);
    Wo.backward(O, dY, dM);  // (6.5) back
    for (Size x = 0; x < dM.size() && behind; ++x)
      dG[x] = dM[x] * M[x], dM[x] *= G[x];  // (6.9) (6.10) back
    for (Size x = 0; x < X.size(); x += m) {
      const Size i = x / width, first = i - i % context, head = x % width;
      const float* a = &A[x / m * context];
      float sum = 0;
      for (Size j = first, y = j * width + head; j <= i; ++j, y += width) {
        da[j - first] = 0;
        for (Size c = 0; c < m; ++c) da[j - first] += dM[x + c] * Vg[y + c];  // (6.4) back
        for (Size c = 0; c < m; ++c) dV[y + c] += a[j - first] * dM[x + c];   // (6.4) back
        sum += da[j - first] * a[j - first];                                  // (6.3) back
      }
      for (Size j = first, y = j * width + head; j <= i; ++j, y += width) {
        const float ds = a[j - first] * (da[j - first] - sum) / std::sqrt(float(m));  // (6.3) back
        for (Size c = 0; c < m; ++c) dQ[x + c] += ds * K[y + c];                      // (6.2) back
        for (Size c = 0; c < m; ++c) dK[y + c] += ds * Q[x + c];                      // (6.2) back
      }
    }
    for (Size x = 0; x < dV.size() && before; ++x)
      dG[x] = dV[x] * V[x], dV[x] *= G[x];                            // (6.7) back
    for (Size x = 0; x < dG.size(); ++x) dG[x] *= G[x] * (1 - G[x]);  // now dZ   (6.6) (6.10) back
    for (Size x = 0; x < X.size() && asks; ++x)
      for (Size c = 0; c < m; ++c) {
        Wg.d[x % width * m + c] += Q[x] * dG[x - x % m + c];   // (6.6) back
        dQ[x] += dG[x - x % m + c] * Wg.w[x % width * m + c];  // (6.6) back
      }
    if (gate == post) Wp.backward(X, dG, dX);                                // (6.10) back
    Wq.backward(X, dQ, dX), Wk.backward(X, dK, dX), Wv.backward(X, dV, dX);  // (6.1) back
  }
};

// Two branches, attention and feed-forward; each reads the stream X through a norm and adds to it.
struct Block {
  static constexpr float steep = float(1.5957691216057308),
                         cubic = float(0.044715);  // 2·√(2/π), and GPT-2's
  Attention attention;
  Norm norm1{attention.width}, norm2 = norm1;
  Weights W1{norm1.width, 4 * norm1.width}, W2{W1.cols, W1.rows};
  Numbers Z = {}, H = {};  // before GELU and behind it
  void forward(Numbers& X) {
    norm1.forward(X);
    attention.forward(norm1.Y, X);  // (6.14)
    norm2.forward(X);
    Z = Numbers(X.size() * 4);
    W1.forward(norm2.Y, Z);  // (6.13)
    H = Z;
    for (float& z : H) z *= sigmoid(steep * (z + cubic * z * z * z));  // (6.13)
    W2.forward(H, X);                                                  // (6.13) (6.14)
  }
  void backward(Numbers& dX) {
    Numbers dH(H.size()), dnorm2(dX.size()), dnorm1(dX.size());
    W2.backward(H, dX, dH);  // (6.13) back
    for (Size k = 0; k < Z.size(); ++k) {
      const float z = Z[k], g = sigmoid(steep * (z + cubic * z * z * z));
      dH[k] *= g + z * g * (1 - g) * steep * (1 + 3 * cubic * z * z);  // now dZ   (6.13) back
    }
    W1.backward(norm2.Y, dH, dnorm2);  // (6.13) back
    norm2.backward(dnorm2, dX);        // (6.14) back
    attention.backward(norm1.Y, dX, dnorm1);
    norm1.backward(dnorm1, dX);  // (6.14) back
  }
};

struct Model {
  Size vocab, width, context;
  std::vector<Block> blocks;
  Weights C{vocab, width}, Pos{context, width},
      Wh{width, vocab};  // a row for each symbol and for each place; read-out
  Norm norm{width};
  long steps = 0;

  std::vector<Weights*> weights() {
    std::vector<Weights*> all{&C, &Pos, &norm.gain, &Wh};
    for (Block& b : blocks) {
      Attention& a = b.attention;
      all.insert(all.end(), {&b.norm1.gain, &a.Wq, &a.Wk, &a.Wv, &a.Wg, &a.Wp, &a.Wo, &b.norm2.gain,
                             &b.W1, &b.W2});
    }
    return all;
  }
  // Returns the scores S of the symbol behind each.
  Numbers forward(const std::vector<Size>& symbols) {
    Numbers X(symbols.size() * width), S(symbols.size() * vocab);
    for (Size x = 0; x < X.size(); ++x)
      X[x] = C.w[symbols[x / width] * width + x % width] + Pos.w[x % (context * width)];  // (6.15)
    for (Block& b : blocks) b.forward(X);
    norm.forward(X);
    Wh.forward(norm.Y, S);  // (6.16)
    return S;
  }
  // Turns scores into probabilities, and returns the mean loss.   (2.6)
  float loss(Numbers& S, const std::vector<Size>& targets) const {
    float mean = 0;
    for (Size i = 0; i < targets.size(); ++i) {
      softmax(&S[i * vocab], vocab);
      mean -= std::log(S[i * vocab + targets[i]]) / float(targets.size());
    }
    return mean;
  }
  // Sets all gradients on windows. Returns the mean loss.
  float gradients(const std::vector<Size>& symbols, const std::vector<Size>& targets) {
    for (Weights* one : weights()) one->d.assign(one->w.size(), 0);
    Numbers S = forward(symbols), dX(symbols.size() * width), dH = dX;
    const float mean = loss(S, targets);
    for (Size i = 0; i < targets.size(); ++i) S[i * vocab + targets[i]] -= 1;  // (2.6) back
    for (float& s : S) s /= float(targets.size());  // now dS   (2.6) back
    Wh.backward(norm.Y, S, dH);                     // (6.16) back
    norm.backward(dH, dX);
    for (Size b = blocks.size(); b-- > 0;) blocks[b].backward(dX);
    for (Size x = 0; x < dX.size(); ++x) {
      C.d[symbols[x / width] * width + x % width] += dX[x];  // (6.15) back
      Pos.d[x % (context * width)] += dX[x];                 // (6.15) back
    }
    return mean;
  }
  // One step of AdamW; all gradients together are clipped at 1, and only matrices decay.   (2.8)
  float step(const std::vector<Size>& symbols, const std::vector<Size>& targets, double rate) {
    const float mean = gradients(symbols, targets);
    double squares = 0;
    for (Weights* one : weights())
      for (float d : one->d) squares += double(d) * double(d);
    const float clip = float(std::min(1.0, 1 / std::sqrt(squares))),
                fast = float(1 - std::pow(.9, ++steps)), slow = float(1 - std::pow(.99, steps)),
                r = float(rate);
    for (Weights* one : weights())
      for (Size k = 0; k < one->w.size(); ++k) {
        const float d = clip * one->d[k];
        one->mean[k] += float(.1) * (d - one->mean[k]);
        one->square[k] += float(.01) * (d * d - one->square[k]);
        if (one->rows > 1) one->w[k] *= 1 - r * float(.1);
        one->w[k] -= r * one->mean[k] / fast / (std::sqrt(one->square[k] / slow) + float(1e-8));
      }
    return mean;
  }
};

int main(int argc, char** argv) {
  const std::vector<std::string> gates{"standard", "half", "bma", "attending", "post"};
  const std::string name = argc > 1 ? argv[1] : "bma",
                    path = argc > 2 ? argv[2] : "common/data/play.txt";
  const auto gate = std::find(gates.begin(), gates.end(), name) - gates.begin();
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr Size context = 64, width = 64, heads = 4, layers = 1, steps = 1500;
  if (gate == std::ssize(gates) || text.size() < 20 * context) {
    std::fprintf(stderr, "no gate %s, or not %zu bytes in %s\n", name.c_str(), 20 * context,
                 path.c_str());
    return 2;
  }
  std::string letters;
  for (char c : text)
    if (letters.find(c) == letters.npos) letters += c;
  Model model{letters.size(), width, context,
              std::vector<Block>(layers, Block{{Gate(gate), width, heads, context}})};
  std::mt19937_64 random(1);
  for (Weights* one : model.weights())  // gains, which are rows, stay 1
    for (Size k = 0; k < one->w.size() && one->rows > 1; ++k)
      one->w[k] = std::normal_distribution<float>(0, 1 / std::sqrt(float(one->rows)))(random);
  std::vector<Size> in, out;
  const auto draw = [&](Size windows, Size from, Size to) {  // of that part of the text
    in.clear(), out.clear();
    for (Size k = 0, at = 0; k < windows * context; ++k) {
      at = k % context == 0 ? from + random() % (to - from - context) : at + 1;
      in.push_back(letters.find(text[at])), out.push_back(letters.find(text[at + 1]));
    }
  };
  const Size seen = text.size() / 10 * 9;
  for (Size step = 0; step < steps; ++step) {
    draw(8, 0, seen);
    const double falls = .0005 + .00225 * (1 + std::cos(3.14159 * double(step) / steps));
    model.step(in, out, std::min(1., double(step + 1) / 100) * falls);
    if (step % 300 != 299) continue;
    draw(100, seen, text.size());
    Numbers S = model.forward(in);
    std::printf("%4zu steps: %.3f nats a character of the last tenth, not trained on\n", step + 1,
                model.loss(S, out));
  }
  in = {0};
  for (int k = 0; k < 600; ++k) {
    in.erase(in.begin(), in.end() - std::ptrdiff_t(std::min(in.size(), context)));
    Numbers S = model.forward(in);
    model.loss(S, in);
    in.push_back(std::discrete_distribution<Size>(S.end() - std::ptrdiff_t(letters.size()),
                                                  S.end())(random));
    std::putchar(letters[in.back()]);
  }
  return std::putchar('\n') == EOF;
}
