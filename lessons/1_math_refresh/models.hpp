// Lesson 1: its models in reading order, with README.md's equation numbers in brackets. Rows are
// examples, Y = X·W + b, and W is in x out; dX means d loss / d X and has the shape of X.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/model.hpp"
#include "common/model_losses.hpp"
#include "common/training.hpp"

namespace lesson1 {

// An input, and what the neuron should answer.
struct Example {
  double x;
  double target;
};

struct Neuron {
  double w = 0, b = 0;

  double operator()(double x) const { return w * x + b; }  // (1.1)
};

// Takes one step of gradient descent on the mean of (y - target)²; returns the loss before it.
inline double descend(Neuron& neuron, std::span<const Example> examples, double rate) {
  double loss = 0, dw = 0, db = 0;
  for (const auto& [x, target] : examples) {
    const double error = neuron(x) - target;
    loss += error * error / double(examples.size());        // (1.2)
    const double dy = 2 * error / double(examples.size());  // (1.2) back
    dw += dy * x;                                           // (1.1) back
    db += dy;                                               // (1.1) back
  }
  neuron.w -= rate * dw;  // a step against the gradient, back
  neuron.b -= rate * db;  // back
  return loss;
}

// A graph of five nodes. Since a is used twice, it collects two gradients.
struct Graph {
  double a, b, p, q, r;
  double da = 0, db = 0, dp = 0, dq = 0;  // the gradients of r

  Graph(double a_, double b_) : a(a_), b(b_), p(a * b), q(a + p), r(q * q) {
    dq = 2 * q;    // r = q²
    da += dq;      // q = a + p, first use of a
    dp = dq;       // q = a + p
    da += dp * b;  // p = a·b, second use of a: it adds
    db = dp * a;   // p = a·b
  }
};

// -------------------------------------------------------------------- activations and their slopes

// Returns max(0, z). There is no slope at z = 0; we use 0, as most programs do.   (1.4)
inline double relu(double z) { return z > 0 ? z : 0; }
inline double relu_prime(double z) {
  return z > 0 ? 1.0 : 0.0;  // (1.4) back
}

// A ReLU that lets a little through below zero, so that a unit can come back to life.   (1.14)
inline constexpr double leak = 0.01;
inline double leaky_relu(double z) { return z > 0 ? z : leak * z; }
inline double leaky_relu_prime(double z) {
  return z > 0 ? 1 : leak;  // (1.14) back
}

// 1 / (1 + e^-z), written so that exp never overflows.   (1.5)
inline double sigmoid(double z) {
  const double e = std::exp(-std::abs(z));  // at most 1
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}
// σ(1 - σ), and 1 - σ(z) = σ(-z)
inline double sigmoid_prime(double z) {
  return sigmoid(z) * sigmoid(-z);  // (1.5) back
}

// (e^z - e^-z) / (e^z + e^-z)   (1.6)
inline double tanh_prime(double z) {
  return 1 - std::tanh(z) * std::tanh(z);  // (1.6) back
}

// z·σ(βz). β = 1 is swish, β = 0 the straight line z/2, large β is nearly ReLU.   (1.15)
inline double swish_beta(double z, double beta) { return z * sigmoid(beta * z); }
inline double swish_beta_prime(double z, double beta) {
  return sigmoid(beta * z) + beta * z * sigmoid_prime(beta * z);  // (1.15) back: the product rule
}
inline double swish(double z) { return swish_beta(z, 1); }
inline double swish_prime(double z) {
  return swish_beta_prime(z, 1);  // (1.15) back
}

// An activation: its names, then φ and φ' of a number and of each entry of a matrix. The matrix
// forms are compiled for each φ, so that its code goes straight into their loop.
struct ActivationNames {
  const char* name;       // in tables and pictures
  std::string_view flag;  // behind --activation
  std::string_view exported = flag;
  std::string_view formula = {};  // what the export says of it
};
struct Activation : ActivationNames {
  double (*value)(double z);
  double (*prime)(double z);
  Matrix<double> (*values)(Matrix<double> Z);
  Matrix<double> (*primes)(Matrix<double> Z);

  // By name: a compiler may give one lambda another address in each file.
  constexpr bool operator==(const Activation& other) const { return flag == other.flag; }
};

template <double f(double)>
Matrix<double> each(Matrix<double> Z) {
  return map_entries(std::move(Z), [](double z) { return f(z); });
}
extern template Matrix<double> each<relu>(Matrix<double>);
extern template Matrix<double> each<relu_prime>(Matrix<double>);

template <double value(double), double prime(double)>
constexpr Activation activation(const ActivationNames& names) {
  return {names, value, prime, each<value>, each<prime>};
}

inline constexpr Activation linear_activation =
    activation<[](double z) { return z; }, [](double) { return 1.0; }>({"linear", "linear"});
inline constexpr Activation relu_activation = activation<relu, relu_prime>({"ReLU", "relu"});
inline constexpr Activation leaky_relu_activation = activation<leaky_relu, leaky_relu_prime>(
    {"leaky ReLU", "leaky", "leaky_relu", "with slope 0.01 below 0"});
inline constexpr Activation sigmoid_activation =
    activation<sigmoid, sigmoid_prime>({"sigmoid", "sigmoid"});
inline constexpr Activation tanh_activation =
    activation<[](double z) { return std::tanh(z); }, tanh_prime>({"tanh", "tanh"});
inline constexpr Activation swish_activation =
    activation<swish, swish_prime>({.name = "swish", .flag = "swish", .formula = "z sigmoid(z)"});

inline constexpr std::array activations{relu_activation, leaky_relu_activation, sigmoid_activation,
                                        tanh_activation, swish_activation,      linear_activation};

// ------------------------------------------------------------------------ a multi-layer perceptron

struct MlpForm {
  Activation activation;            // after each layer but the last
  std::vector<std::size_t> widths;  // inputs, hidden layers, outputs
};

template <class T>
struct Mlp {
  using Number = T;

  MlpForm form;
  std::vector<Matrix<T>> W, b;  // layer l: widths[l] x widths[l+1] and 1 x widths[l+1]

  // Throws std::invalid_argument for fewer than two widths.
  explicit Mlp(const MlpForm& f) : form(f) {
    if (f.widths.size() < 2)
      throw std::invalid_argument("a network needs the widths of its inputs and outputs");
    for (std::size_t l = 0; l + 1 < f.widths.size(); ++l) {
      W.emplace_back(f.widths[l], f.widths[l + 1]);
      b.emplace_back(1, f.widths[l + 1]);
    }
  }

  std::size_t layers() const { return W.size(); }
  Tensors<T> tensors() {  // W1, b1, W2, ...
    Tensors<T> all;
    for (std::size_t l = 0; l < layers(); ++l) {
      all.push_back({std::string("W").append(std::to_string(l + 1)), W[l]});
      all.push_back({std::string("b").append(std::to_string(l + 1)), b[l]});
    }
    return all;
  }
  ConstTensors<T> tensors() const { return read_only(*this); }

  // H[l] enters W[l], so H[0] is X; Z[l] comes out, before the activation. What comes out of the
  // last layer is Y.
  struct Trace {
    std::vector<Matrix<T>> H, Z;
    Matrix<T> Y;
  };

  void forward(const Matrix<T>& X, Trace& t) const {
    t = {};
    t.H.push_back(X);
    for (std::size_t l = 0; l < layers(); ++l) {
      t.Y = add_row(matmul(t.H[l], W[l]), b[l]);   // rows x out   (1.3)
      if (l + 1 == layers()) return;               // the output has no activation
      t.H.push_back(form.activation.values(t.Y));  // rows x out   (1.7)
      t.Z.push_back(std::move(t.Y));
    }
  }

  void backward(const Matrix<T>&, const Trace& t, const Matrix<T>& dY, Gradients<Mlp>& g) const {
    const auto primes = form.activation.primes;  // φ'
    Matrix<T> dZ = dY;                           // the output has no activation, back
    for (std::size_t l = layers(); l-- > 0;) {
      g.parameters.W[l] = matmul(transpose(t.H[l]), dZ);  // in x out     (1.3) back
      g.parameters.b[l] = column_sums(dZ);                // 1 x out      (1.3) back
      Matrix<T> dH = matmul(dZ, transpose(W[l]));         // rows x in    (1.3) back
      if (l == 0) g.dX = std::move(dH);                   // H[0] is X, back
      else dZ = hadamard(dH, primes(t.Z[l - 1]));         // rows x in    (1.7) back
    }
  }
};

extern template struct Mlp<double>;

// --------------------------------------------------------------- a signal in a deep random network

// Draws weights from N(0, 1) for each layer. An experiment scales them afterwards, so that the rows
// of its table differ in scale alone, not in luck.
inline std::vector<Matrix<double>> unit_weights(const std::vector<std::size_t>& widths,
                                                Random& random) {
  std::vector<Matrix<double>> weights;
  for (std::size_t l = 0; l + 1 < widths.size(); ++l)
    weights.push_back(normal_matrix<double>(widths[l], widths[l + 1], 1, random));
  return weights;
}

// Scales each layer's weights to the variance that a rule gives: variance(inputs, outputs).
template <class VarianceRule>
std::vector<Matrix<double>> scaled(std::vector<Matrix<double>> weights, VarianceRule variance) {
  for (Matrix<double>& W : weights) W = std::sqrt(variance(double(W.rows()), double(W.cols()))) * W;
  return weights;
}

// The variance that the textbooks give to a layer's weights, from how many numbers go in and come
// out. LeCun's keeps the forward pass of linear layers, Xavier's lies between what forward and
// backward ask for (1.12), Kaiming's makes up for the half that a ReLU takes away.
struct Rule {
  const char *name, *formula;
  double (*variance)(double in, double out);
};
inline constexpr std::array rules{
    Rule{"LeCun", "1/n_in", [](double in, double) { return 1 / in; }},
    Rule{"Xavier", "2/(n_in + n_out)", [](double in, double out) { return 2 / (in + out); }},
    Rule{"Kaiming", "2/n_in", [](double in, double) { return 2 / in; }}};

// Returns the variance over examples, averaged over units. The mean is subtracted first, since
// E[h²] - E[h]² would leave only rounding once the inputs have become nearly equal.
inline double variance_across_inputs(const Matrix<double>& H) {
  return mean_square(add_row(H, (-1 / double(H.rows())) * column_sums(H)));
}

// Measurements at layer 0 (the inputs), 1, ..., L.
struct Signal {
  std::vector<double> forward;   // E[h²]
  std::vector<double> across;    // variance across inputs
  std::vector<double> backward;  // E[g²], g = d loss / d h
  Matrix<double> dX;             // g at the inputs
};

// Sends X forward through h ← φ(h·W), layer by layer, and the gradient G back from the last one.
inline Signal send(const std::vector<Matrix<double>>& W, const Activation& phi,
                   const Matrix<double>& X, Matrix<double> G) {
  Signal signal;
  std::vector<Matrix<double>> Z;
  Matrix<double> H = X;
  for (std::size_t l = 0; l <= W.size(); ++l) {
    signal.forward.push_back(mean_square(H));
    signal.across.push_back(variance_across_inputs(H));
    if (l == W.size()) break;
    Z.push_back(matmul(H, W[l]));
    H = map_entries(Z[l], phi.value);
  }
  signal.backward.assign(W.size() + 1, mean_square(G));
  for (std::size_t l = W.size(); l-- > 0;) {
    const Matrix<double> dZ =
        hadamard(std::move(G), map_entries(Z[l], phi.prime));  // rows x out   (1.7) back
    G = matmul(dZ, transpose(W[l]));                           // rows x in    (1.3) back
    signal.backward[l] = mean_square(G);
  }
  signal.dX = std::move(G);  // back
  return signal;
}

// Returns E[f(z)] for z from N(0, variance), by the trapezoid rule. It is exact to rounding for
// smooth f, because the bell curve and all its slopes vanish at both ends.
template <class F>
double gaussian_mean(F f, double variance) {
  constexpr int points = 2400;
  constexpr double reach = 12, step = 2 * reach / points;
  double sum = 0;
  for (int k = 0; k <= points; ++k) {
    const double z = -reach + k * step;
    sum += std::exp(-z * z / 2) * f(std::sqrt(variance) * z);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

// Returns E[h²] at each layer of an infinitely wide network that M enters; gain is n·Var W.
inline std::vector<double> predicted_forward(const Activation& phi, double gain, double M,
                                             std::size_t layers) {
  std::vector<double> moments{M};
  for (std::size_t l = 0; l < layers; ++l) {
    const auto square = [phi](double z) { return phi.value(z) * phi.value(z); };
    moments.push_back(gaussian_mean(square, gain * moments.back()));  // (1.16)
  }
  return moments;
}

// Returns the variance of ln(E[h_L²]/E[h_0²]) over ReLU networks with Var W = 2/n. The mean of the
// logarithm is minus half of it.
inline double log_moment_variance(std::size_t layers, std::size_t n) {
  return 5 * double(layers) / double(n);  // (1.17)
}

// ------------------------------------------------------------------------ deep networks that learn

inline constexpr std::size_t pairs = 128, hidden_width = 64;
inline constexpr double momentum = 0.9;

// Inputs with second moment 1, and what the network should answer.
struct Examples {
  Matrix<double> X, target;
};

// Draws pairs of numbers; the target is 1 when both have the same sign, else -1.
inline Examples same_sign(std::size_t count, Random& random) {
  Examples examples{Matrix<double>(count, 2), Matrix<double>(count, 1)};
  for (std::size_t i = 0; i < count; ++i) {
    for (double& x : examples.X.row(i)) x = random.uniform(-std::sqrt(3.0), std::sqrt(3.0));
    examples.target(i, 0) = examples.X(i, 0) * examples.X(i, 1) > 0 ? 1 : -1;
  }
  return examples;
}

// Draws a ReLU network of two inputs and one output. Var W is gain/n, and 1/n in the last layer,
// since no ReLU follows it.
inline Mlp<double> deep_network(double gain, std::size_t layers, Random& random,
                                std::size_t width = hidden_width) {
  std::vector<std::size_t> widths(layers + 1, width);
  widths.front() = 2;
  widths.back() = 1;
  Mlp<double> net({relu_activation, widths});
  for (std::size_t l = 0; l < layers; ++l) {
    const double variance = (l + 1 < layers ? gain : 1) / double(widths[l]);
    net.W[l] = normal_matrix<double>(widths[l], widths[l + 1], std::sqrt(variance), random);
  }
  return net;
}

// A network has learnt when its loss is below 1/2; always answering 0 scores 1. Training ends at
// `lost`, and NaN counts as lost.
inline constexpr double learnt = 0.5, lost = 1e30;

enum class Descent { sgd, adam };  // Adam is AdamW (2.7) without decay

// Returns the loss before each step. A network that has not learnt goes on, for up to `patience`
// times as many steps.
std::vector<double> train_deep(double gain, std::size_t layers, double rate, std::size_t steps,
                               std::size_t patience, Random random, Descent by = Descent::sgd);

constexpr std::size_t wide_layers = 3, wide_steps = 60;

// The rate of a matrix with n inputs, which have this second moment at the start.
using RateOf = double (*)(double base, double n, double moment);

// Returns the loss before each step and after the last, for part 7's task. Inputs are `size` times
// as large and W₁ as much smaller, so that z stays the same.
std::vector<double> train_wide(std::size_t width, double base, RateOf rate_of, double size,
                               Random random, std::size_t steps = wide_steps,
                               Descent by = Descent::sgd);

// Runs of a kind: from `first`, `count` of them.
struct Starts {
  std::size_t first, count;
};

// Returns the last of these losses, averaged over starts.
inline double wide_loss(std::size_t width, double base, RateOf rate_of, double size,
                        std::uint64_t seed, const Starts& starts, std::size_t steps = wide_steps,
                        Descent by = Descent::sgd) {
  double sum = 0;
  for (std::size_t k = starts.first; k < starts.first + starts.count; ++k)
    sum +=
        train_wide(width, base, rate_of, size, Random(seed_of_run(seed, k), 8), steps, by).back();
  return sum / double(starts.count);
}

// The rate of a matrix: base itself, or less of it the more numbers enter a unit.
inline double one_rate(double base, double, double) { return base; }
inline double rate_by_inputs(double base, double n, double) { return base * 64 / n; }  // (1.13)

// Returns the smallest |z|. A gradient check errs when a moved number takes some z past a corner of
// its activation, or of its slope.
inline double nearest_to_0(const std::vector<Matrix<double>>& Z) {
  double nearest = HUGE_VAL;
  for (const Matrix<double>& layer : Z)
    for (const double z : layer.values()) nearest = std::min(nearest, std::abs(z));
  return nearest;
}

// Visits each network with a batch (common/model_losses.hpp). Each draws from its own generator, so
// that another activation changes no other network.
template <class Visitor>
void visit_models(Visitor& visitor) {
  const auto at_random = [](const MlpForm& form, std::size_t rows, auto add) {
    Random random(1);
    Mlp<double> net(form);
    Matrix<double> X;
    Mlp<double>::Trace t;
    do {
      fill_normal(net.tensors(), random, 0.7);
      X = normal_matrix<double>(rows, form.widths.front(), 1, random);
      net.forward(X, t);
    } while (nearest_to_0(t.Z) < 0.006);
    add(net, X, squared_error(normal_matrix<double>(rows, form.widths.back(), 1, random)));
  };
  at_random({tanh_activation, {4, 6, 3}}, 7, [&](const auto&... of) { visitor.add("mlp", of...); });
  const auto test = [&](const std::string& name, const MlpForm& form, std::size_t rows,
                        auto... quadratic) {
    at_random(form, rows, [&](const auto&... of) { visitor.test_only(name, of..., quadratic...); });
  };
  for (const Activation& phi : activations) {
    test(phi.name, {phi, {4, 6, 5, 3}}, 7);
    test(phi.name + std::string(", square"), {phi, {3, 3, 3, 3}}, 1);
  }
  test("one layer", {tanh_activation, {3, 2}}, 5, Quadratic::all);
  test("six layers", {swish_activation, {3, 5, 2, 6, 4, 7, 1}}, 7);
}

}  // namespace lesson1
