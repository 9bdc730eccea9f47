// Lesson 6 in one file: a transformer with one of five kinds of attention (bma when none is named),
// gradients by hand, training, sampling. It leaves out the biases and the shifts of the norms.
//   g++ -std=c++20 -O3 -march=native lessons/6_bma/whole.cpp -o whole && ./whole attending my.txt
// Rows of a matrix are tokens, dX is d loss / d X, and numbers behind lines are README.md's.
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
enum Gate { standard, half, bma, attending, post };

float sigmoid(float z) { return 1 / (1 + std::exp(-z)); }
float dot(Size n, auto* x, auto* y) { return std::inner_product(x, x + n, y, float(0)); }

// Adds factor·x to y; both have n numbers.
void add(Size n, float factor, const float* x, float* y) {
  for (Size k = 0; k < n; ++k) y[k] += factor * x[k];
}

// Adds A·B, n x k times k x m, to Y. Four steps of k at a time read and write Y less often.
void add_product(Size n, Size k, Size m, const Numbers& A, const Numbers& B, Numbers& Y) {
  for (Size i = 0; i < n; ++i) {
    float* y = &Y[i * m];
    for (Size p = 0; p < k - k % 4; p += 4) {
      const float *a = &A[i * k + p], *b = &B[p * m];
      for (Size j = 0; j < m; ++j)
        y[j] += a[0] * b[j] + a[1] * b[m + j] + a[2] * b[2 * m + j] + a[3] * b[3 * m + j];
    }
    for (Size p = k - k % 4; p < k; ++p) add(m, A[i * k + p], &B[p * m], y);
  }
}

Numbers hadamard(Numbers A, const Numbers& B) {
  for (Size k = 0; k < A.size(); ++k) A[k] *= B[k];
  return A;
}

Numbers transposed(Size cols, const Numbers& A) {
  Numbers B(A.size());
  for (Size i = 0; i < A.size() / cols; ++i)
    for (Size j = 0; j < cols; ++j) B[j * (A.size() / cols) + i] = A[i * cols + j];
  return B;
}

// What is trained: numbers w, their gradient d, AdamW's running averages of d and of its square.
struct Weights {
  Size rows, cols;
  float start = 0;
  Numbers w = Numbers(rows * cols, start), d = w, mean = Numbers(w.size()), square = mean;
  void forward(const Numbers& X, Numbers& Y) const {    // Y +=
    add_product(X.size() / rows, rows, cols, X, w, Y);  // (6.1)
  }
  void backward(const Numbers& X, const Numbers& dY, Numbers& dX) {         // dX +=
    add_product(rows, X.size() / rows, cols, transposed(rows, X), dY, d);   // (6.1) back
    add_product(X.size() / rows, cols, rows, dY, transposed(cols, w), dX);  // (6.1) back
  }
};

struct Norm {
  Size width;
  Weights gain{.rows = 1, .cols = width, .start = 1};
  Numbers hat = {}, root = {}, Y = {};  // (X - mean)·root, root = 1/√(variance + ε), what comes out
  void forward(const Numbers& X) {
    hat = Y = X;
    root.assign(X.size() / width, 0);
    for (Size i = 0; i < root.size(); ++i) {
      float* x = &hat[i * width];
      const float mean = std::accumulate(x, x + width, float(0)) / float(width);
      for (Size j = 0; j < width; ++j) x[j] -= mean;  // (6.11)
      root[i] = 1 / std::sqrt(dot(width, x, x) / float(width) + float(1e-5));
      for (Size j = 0; j < width; ++j) x[j] *= root[i];                      // (6.11)
      for (Size j = 0; j < width; ++j) Y[i * width + j] = gain.w[j] * x[j];  // (6.11)
    }
  }
  void backward(const Numbers& dY, Numbers& dX) {  // dX +=
    for (Size i = 0; i < root.size(); ++i) {
      const float *dy = &dY[i * width], *x = &hat[i * width];
      const float mean = dot(width, &gain.w[0], dy) / float(width);  // of d hat, over the row
      float along = 0;                                               // of d hat ⊙ hat
      for (Size j = 0; j < width; ++j) along += gain.w[j] * dy[j] * x[j] / float(width);
      for (Size j = 0; j < width; ++j) gain.d[j] += dy[j] * x[j];  // (6.11) back
      for (Size j = 0; j < width; ++j)
        dX[i * width + j] += root[i] * (gain.w[j] * dy[j] - mean - x[j] * along);  // (6.11) back
    }
  }
};

// Turns n scores into weights that sum to 1, in place.
void softmax(float* s, Size n) {
  const float largest = *std::max_element(s, s + n);
  for (Size j = 0; j < n; ++j) s[j] = std::exp(s[j] - largest);
  const float sum = std::accumulate(s, s + n, float(0));
  for (Size j = 0; j < n; ++j) s[j] /= sum;
}

// Each head has m columns of Q, K, V, M and the gate G, m rows of Wg, a row of A for each token.
struct Attention {
  Gate gate;
  Size width, heads, context, m = width / heads;
  bool asks = gate == bma || gate == attending;     // the query makes G; for half, G is σ(0)
  bool before = gate == bma || gate == half;        // G multiplies the values
  bool behind = gate == attending || gate == post;  // G multiplies the mixture
  Weights Wq{width, width}, Wk = Wq, Wv = Wq, Wp = Wq, Wo = Wq, Wg{width, m};
  Numbers Q = {}, K = {}, V = {}, G = {}, Vg = {}, A = {}, M = {}, O = {};  // Vg: V~, what is mixed
  // Calls f for each head of each token: where head and window begin, how many tokens it sees.
  void for_each_head(const auto& f) const {
    for (Size token = 0; token < Q.size() / width; ++token)
      for (Size at = token * width; at < (token + 1) * width; at += m)
        f(at, at - token % context * width, token % context + 1);
  }
  void forward(const Numbers& X, Numbers& Y) {  // Y +=
    Q = K = V = G = M = Numbers(X.size());
    A = Numbers(X.size() / m * context);
    Wq.forward(X, Q);                                     // (6.1)
    Wk.forward(X, K);                                     // (6.1)
    Wv.forward(X, V);                                     // (6.1)
    if (gate == post) Wp.forward(X, G);                   // (6.10)
    for (Size q = 0; q < Q.size() && asks; ++q)           // each number of Q has a row of Wg
      add(m, Q[q], &Wg.w[q % width * m], &G[q - q % m]);  // and adds to its head's gate   (6.6)
    for (float& z : G) z = sigmoid(z);                    // (6.6) (6.10)
    Vg = before ? hadamard(V, G) : V;                     // (6.7)
    for_each_head([&](Size at, Size first, Size seen) {
      const float *query = &Q[at], *keys = &K[first], *values = &Vg[first];
      float* weights = &A[at / m * context];
      for (Size j = 0; j < seen; ++j)
        weights[j] = dot(m, query, keys + j * width) / std::sqrt(float(m));            // (6.2)
      softmax(weights, seen);                                                          // (6.3)
      for (Size j = 0; j < seen; ++j) add(m, weights[j], values + j * width, &M[at]);  // (6.4)
    });
    O = behind ? hadamard(M, G) : M;  // (6.9) (6.10)
    Wo.forward(O, Y);                 // (6.5)
  }
  void backward(const Numbers& X, const Numbers& dY, Numbers& dX) {  // dX +=
    Numbers dM(X.size()), dG(dM), dQ(dM), dK(dM), dV(dM), da(context);
    Wo.backward(O, dY, dM);            // (6.5) back
    if (behind) dG = hadamard(dM, M);  // (6.9) (6.10) back
    if (behind) dM = hadamard(dM, G);  // (6.9) (6.10) back
    for_each_head([&](Size at, Size first, Size seen) {
      const float *keys = &K[first], *values = &Vg[first], *weights = &A[at / m * context];
      for (Size j = 0; j < seen; ++j) {
        da[j] = dot(m, &dM[at], values + j * width);          // (6.4) back
        add(m, weights[j], &dM[at], &dV[first + j * width]);  // (6.4) back
      }
      const float mean = dot(seen, &da[0], weights);  // (6.3) back
      for (Size j = 0; j < seen; ++j) {
        const float ds = weights[j] * (da[j] - mean) / std::sqrt(float(m));  // (6.3) back
        add(m, ds, keys + j * width, &dQ[at]);                               // (6.2) back
        add(m, ds, &Q[at], &dK[first + j * width]);                          // (6.2) back
      }
    });
    if (before) dG = hadamard(dV, V);                                 // (6.7) back
    if (before) dV = hadamard(dV, G);                                 // (6.7) back
    for (Size x = 0; x < dG.size(); ++x) dG[x] *= G[x] * (1 - G[x]);  // now dZ   (6.6) (6.10) back
    for (Size q = 0; q < Q.size() && asks; ++q) {
      const Size row = q % width * m, head = q - q % m;  // the row of Wg; where the head begins
      add(m, Q[q], &dG[head], &Wg.d[row]);               // (6.6) back
      for (Size c = 0; c < m; ++c) dQ[q] += dG[head + c] * Wg.w[row + c];  // (6.6) back
    }
    if (gate == post) Wp.backward(X, dG, dX);  // (6.10) back
    Wq.backward(X, dQ, dX);                    // (6.1) back
    Wk.backward(X, dK, dX);                    // (6.1) back
    Wv.backward(X, dV, dX);                    // (6.1) back
  }
};

// Two branches, attention and feed-forward. Each reads the stream X through a norm, and adds to X.
struct Block {
  static constexpr float steep = float(1.5957691216057308), cubic = float(0.044715);  // 2·√(2/π)
  Attention attention;
  Norm norm1{attention.width}, norm2 = norm1;
  Weights W1{norm1.width, 4 * norm1.width}, W2{W1.cols, W1.rows};
  Numbers Z = {}, H = {};  // before and behind GELU
  void forward(Numbers& X) {
    norm1.forward(X);
    attention.forward(norm1.Y, X);  // (6.13)
    norm2.forward(X);
    Z = Numbers(X.size() * 4);
    W1.forward(norm2.Y, Z);  // (6.12)
    H = Z;
    for (float& z : H) z *= sigmoid(steep * (z + cubic * z * z * z));  // (6.12)
    W2.forward(H, X);                                                  // (6.12) (6.13)
  }
  void backward(Numbers& dX) {
    Numbers dH(H.size()), dnorm2(dX.size()), dnorm1(dX.size());
    W2.backward(H, dX, dH);  // (6.12) back
    for (Size k = 0; k < Z.size(); ++k) {
      const float z = Z[k], g = sigmoid(steep * (z + cubic * z * z * z));
      dH[k] *= g + z * g * (1 - g) * steep * (1 + 3 * cubic * z * z);  // now dZ   (6.12) back
    }
    W1.backward(norm2.Y, dH, dnorm2);  // (6.12) back
    norm2.backward(dnorm2, dX);        // (6.13) back
    attention.backward(norm1.Y, dX, dnorm1);
    norm1.backward(dnorm1, dX);  // (6.13) back
  }
};

struct Model {
  Size vocab, width, context;
  std::vector<Block> blocks;
  Weights C{vocab, width}, Pos{context, width}, Wh{width, vocab};  // symbols, places, read-out
  Norm norm{width};
  long steps = 0;
  std::vector<Weights*> weights() {
    std::vector<Weights*> all{&C, &Pos, &norm.gain, &Wh};
    for (Block& b : blocks)
      all.insert(all.end(),
                 {&b.norm1.gain, &b.attention.Wq, &b.attention.Wk, &b.attention.Wv, &b.attention.Wg,
                  &b.attention.Wp, &b.attention.Wo, &b.norm2.gain, &b.W1, &b.W2});
    return all;
  }
  // Returns the scores S of the symbol after each.
  Numbers forward(const std::vector<Size>& symbols) {
    Numbers X(symbols.size() * width), S(symbols.size() * vocab);
    for (Size i = 0; i < symbols.size(); ++i) {
      add(width, 1, &C.w[symbols[i] * width], &X[i * width]);     // (6.14)
      add(width, 1, &Pos.w[i % context * width], &X[i * width]);  // (6.14)
    }
    for (Block& b : blocks) b.forward(X);
    norm.forward(X);
    Wh.forward(norm.Y, S);  // (6.15)
    return S;
  }
  // Turns the scores into probabilities, and returns the mean loss.   (2.5)
  float loss(Numbers& S, const std::vector<Size>& targets) const {
    float mean = 0;
    for (Size i = 0; i < targets.size(); ++i) {
      softmax(&S[i * vocab], vocab);
      mean -= std::log(S[i * vocab + targets[i]]) / float(targets.size());
    }
    return mean;
  }
  // Sets all gradients on these windows, and returns the mean loss.
  float gradients(const std::vector<Size>& symbols, const std::vector<Size>& targets) {
    for (Weights* one : weights()) one->d.assign(one->w.size(), 0);
    Numbers S = forward(symbols), dX(symbols.size() * width), dH = dX;
    const float mean = loss(S, targets);
    for (Size i = 0; i < targets.size(); ++i) S[i * vocab + targets[i]] -= 1;  // (2.5) back
    for (float& s : S) s /= float(targets.size());  // now dS   (2.5) back
    Wh.backward(norm.Y, S, dH);                     // (6.15) back
    norm.backward(dH, dX);
    for (Size b = blocks.size(); b-- > 0;) blocks[b].backward(dX);
    for (Size i = 0; i < symbols.size(); ++i) {
      add(width, 1, &dX[i * width], &C.d[symbols[i] * width]);     // (6.14) back
      add(width, 1, &dX[i * width], &Pos.d[i % context * width]);  // (6.14) back
    }
    return mean;
  }
  // Takes a step of AdamW. All gradients together are clipped at 1; only matrices decay.   (2.7)
  float step(const std::vector<Size>& symbols, const std::vector<Size>& targets, double rate) {
    const float mean = gradients(symbols, targets);
    double squares = 0;
    for (Weights* one : weights())
      for (float d : one->d) squares += double(d) * double(d);
    ++steps;
    const float clip = float(std::min(1.0, 1 / std::sqrt(squares))), r = float(rate);
    const float fast = float(1 - std::pow(.9, steps)), slow = float(1 - std::pow(.99, steps));
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
  const char* const name = argc > 1 ? argv[1] : "bma";
  const char* const path = argc > 2 ? argv[2] : "common/data/play.txt";
  const auto gate = std::find(gates.begin(), gates.end(), name) - gates.begin();
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr Size context = 64, width = 64, heads = 4, layers = 1, steps = 1500;
  if (gate == std::ssize(gates) || text.size() < 20 * context) {
    std::fprintf(stderr, "no gate %s, or not %zu bytes in %s\n", name, 20 * context, path);
    return 2;
  }
  std::string letters;
  std::vector<Size> symbols, in, out;
  for (char c : text) {
    if (letters.find(c) == letters.npos) letters += c;
    symbols.push_back(letters.find(c));
  }
  const Block block{{Gate(gate), width, heads, context}};
  Model model{letters.size(), width, context, std::vector<Block>(layers, block)};
  std::mt19937_64 random(1);
  for (Weights* one : model.weights())
    for (Size k = 0; k < one->w.size() && one->rows > 1; ++k)  // gains, which have one row, stay 1
      one->w[k] = std::normal_distribution<float>(0, 1 / std::sqrt(float(one->rows)))(random);
  const auto draw = [&](Size windows, Size from, Size to) {  // from that part of the text
    in = out = {};
    for (Size k = 0; k < windows; ++k) {
      const Size* first = &symbols[from + random() % (to - from - context)];
      in.insert(in.end(), first, first + context);
      out.insert(out.end(), first + 1, first + 1 + context);
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
    const float* last = &S[S.size() - letters.size()];
    in.push_back(std::discrete_distribution<Size>(last, last + letters.size())(random));
    std::putchar(letters[in.back()]);
  }
  return std::putchar('\n') == EOF;
}
