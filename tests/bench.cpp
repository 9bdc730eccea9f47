// What `make bench` runs: the machine's own limit, the matrix product as a share of it, and training steps.
// Prints a table and writes {"name": {"value": ..., "unit": "..."}} to the file given. Each value is a median of many
// timings after a warm-up; on a busy machine compare ratios within one run.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/matrix.hpp"
#include "common/support/digits.hpp"
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "lessons/3_swish_vs_bmlp/product.hpp"
#include "lessons/3_swish_vs_bmlp/swish.hpp"
#include "lessons/4_bilinear_gates/product_layer.hpp"
#include "lessons/5_tensor_folding/jacobi.hpp"
#include "lessons/5_tensor_folding/net.hpp"
#include "lessons/6_bma/recipe.hpp"
#include "lessons/6_bma/writer.hpp"

using Clock = std::chrono::steady_clock;

static double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Median over rounds of the seconds that one call of f takes. A round repeats f for a fifth of a millisecond at least: long
// enough for the clock, short enough that most rounds fall between the interruptions of a busy machine.
template <class F>
static double median_seconds(F f, int rounds = 1001) {
  f();
  const auto warm = Clock::now();
  long calls = 0;
  for (; seconds_since(warm) < 0.05; ++calls) f();
  const long repeats = 1 + calls / 250;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    for (long k = 0; k < repeats; ++k) f();
    times.push_back(seconds_since(start) / double(repeats));
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[std::size_t(rounds) / 2];
}

class Report {
 public:
  void add(const std::string& name, double value, const std::string& unit, const std::string& note = "") {
    std::printf("%-34s %10.2f %-8s %s\n", name.c_str(), value, unit.c_str(), note.c_str());
    std::fflush(stdout);
    json_ += std::string(json_.empty() ? "{" : ",") + "\n  \"" + name + "\": {\"value\": " + fixed(value, 3) +
             ", \"unit\": \"" + unit + "\"}";
  }
  std::string json() const { return json_ + "\n}\n"; }

 private:
  std::string json_;
};

// GFLOP/s of multiply-adds on numbers that stay in registers: what so many threads can do together at best.
template <class T>
static double peak(std::size_t threads = 1) {
  constexpr std::size_t lanes = 1024 / sizeof(T), rounds = 16384;  // sixteen of the widest registers
  volatile T factor_source = T(0.999), term_source = T(0.001), kept = T(0);
  Pool pool(threads);
  const auto run = [&](std::size_t) {
    const T factor = factor_source, term = term_source;
    T local[lanes];
    for (std::size_t j = 0; j < lanes; ++j) local[j] = T(j);
    for (std::size_t k = 0; k < rounds; ++k)
      for (std::size_t j = 0; j < lanes; ++j) local[j] = local[j] * factor + term;
    T sum = 0;
    for (const T x : local) sum += x;
    if (sum == factor) kept = sum;  // the sums are used, so the loop cannot be left out
  };
  const double seconds = median_seconds([&] { pool.run(threads, run); }, 301);
  return 2.0 * double(lanes * rounds * threads) / seconds * 1e-9;
}

struct Case {
  std::size_t m, k, n;
  const char* form;  // nn: A·B; tn: Aᵀ·B with A stored k x m; nt: A·Bᵀ with B stored n x k
};

template <class T>
static void products(Report& report, const std::string& type) {
  const double limit = peak<T>();
  report.add("peak." + type, limit, "GFLOP/s", "multiply-add in registers, one core");
  Random random(1);
  for (const Case& c : {Case{32, 48, 256, "nn"}, Case{64, 80, 256, "nn"}, Case{256, 128, 128, "nn"},
                        Case{768, 128, 512, "nn"}, Case{768, 512, 128, "nn"}, Case{512, 512, 512, "nn"},
                        Case{256, 128, 128, "tn"}, Case{256, 128, 128, "nt"}, Case{61, 67, 65, "nn"}}) {
    const bool ta = c.form[0] == 't', tb = c.form[1] == 't';
    const auto A = normal_matrix<T>(ta ? c.k : c.m, ta ? c.m : c.k, 1, random);
    const auto B = normal_matrix<T>(tb ? c.n : c.k, tb ? c.k : c.n, 1, random);
    Matrix<T> C(c.m, c.n);
    const auto run = [&] { matmul_into(C, ta ? transpose(A) : A.view(), tb ? transpose(B) : B.view()); };
    const double gflops = 2.0 * double(c.m * c.k * c.n) / median_seconds(run) * 1e-9;
    report.add(join("matmul.", type, ".", c.m, "x", c.k, "x", c.n, ".", c.form), gflops, "GFLOP/s",
               fixed(100 * gflops / limit, 0) + " % of the peak");
  }
}

// One training step of lesson 2's model: draw the batch, forward, backward, AdamW.
static void bengio_step(Report& report, std::size_t context, std::size_t dim, std::size_t hidden, std::size_t batch,
                        std::size_t threads) {
  constexpr std::size_t vocab = 65;
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(vocab));
  Bengio<float> model({vocab, context, dim, hidden}, random);
  TrainingSettings settings;
  settings.steps = 1'000'000'000;
  settings.batch = batch, settings.rate = 1e-3;
  Pool pool(threads);
  Trainer<float> trainer(model, text, settings, pool, random);
  const double seconds = median_seconds([&] { trainer.step(); });
  report.add(join("lesson2.c", context, "_d", dim, "_h", hidden, "_b", batch, ".t", threads), seconds * 1e6, "us",
             "a training step");
}

// One training step of a model of lesson 3 on a fixed batch: forward, mean squared error, backward, AdamW.
template <class Model>
static void regression_step(Report& report, const std::string& name, Model model, std::size_t batch) {
  Random random(1);
  const auto X = normal_matrix<float>(batch, model.sizes.in, 1, random);
  const auto target = normal_matrix<float>(batch, model.sizes.out, 1, random);
  AdamW<float> adam;
  const double seconds = median_seconds([&] {
    const auto trace = model.forward(X);
    Gradients<Model> g = model.backward(trace, mean_squared_error(trace.Y, target).gradient);
    adam.step(model.tensors(), g.d.tensors(), 1e-3);
  });
  const auto [in, hidden, out] = model.sizes;
  report.add(join("lesson3.", name, "_", in, "_", hidden, "_", out, "_b", batch), seconds * 1e6, "us",
             "a training step");
}

// One training step of lesson 4's smallest model, one product unit without read-out on the four points of XOR: forward,
// mean squared error, backward, AdamW. Its decay keeps the loss near 1e-10; without it, it sinks below 1e-200, and numbers
// that underflow are slow.
static void xor_step(Report& report) {
  Random random(1);
  ProductLayer unit(2, 1, true, random);
  const Matrix<double> X{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, target{{0}, {1}, {1}, {0}};
  AdamW<double> adam;
  const double seconds = median_seconds([&] {
    const auto trace = unit.forward(X);
    ProductLayer::Gradients g = unit.backward(trace, mean_squared_error(trace.H, target).gradient);
    adam.step(unit.tensors(), g.d.tensors(), 1e-3);
  });
  report.add("lesson4.xor_h1", seconds * 1e6, "us", "a training step");
}

// One training step of lesson 5's net, without embedding or biases, on drawn digits: draw the batch, forward, cross-entropy,
// backward without dX, AdamW.
static void digits_step(Report& report) {
  constexpr std::size_t hidden = 24, outputs = 10, batch = 128;
  Random random(1);
  const Images images = draw_digits(6000, DigitSettings{}, random);
  Net<float> net({images.X.cols(), 0, hidden, outputs, false}, random);
  AdamW<float> adam({0.9, 0.999, 1e-8, 0.01});
  Matrix<float> X(batch, images.X.cols());
  std::vector<std::uint32_t> labels(batch);
  const double seconds = median_seconds([&] {
    for (std::size_t i = 0; i < batch; ++i) {
      const std::size_t picked = random.below(images.labels.size());
      std::copy(images.X.row(picked).begin(), images.X.row(picked).end(), X.row(i).begin());
      labels[i] = images.labels[picked];
    }
    const auto trace = net.forward(X);
    auto gradients = net.backward(trace, softmax_cross_entropy<float>(trace.logits, labels).gradient, false);
    adam.step(net.tensors(), gradients.d.tensors(), 3e-3);
  });
  report.add(join("lesson5.product_", images.X.cols(), "_", hidden, "_", outputs, "_b", batch), seconds * 1e6, "us",
             "a training step");
}

// All eigenvalues and eigenvectors of one symmetric 144 x 144 matrix, the size of a slice in lesson 5.
static void jacobi(Report& report) {
  Random random(1);
  const auto A = normal_matrix<double>(144, 144, 1, random);
  const Matrix<double> S = A + Matrix<double>(transpose(A));
  const double seconds = median_seconds([&] { eigen_symmetric(S); }, 31);
  report.add("lesson5.jacobi_144", seconds * 1e3, "ms", "a symmetric 144 x 144 matrix, with vectors");
}

// The recipe of nanoGPT's page for a computer without a graphics card (lesson 6), on symbols at random.
static Recipe nanogpt() {
  Recipe recipe = recipe_of("nanogpt", "bench");
  recipe.form.vocab = 65;
  recipe.run.steps = 1'000'000'000;
  recipe.run.warm_up = 100;
  return recipe;
}

// One training step of it: draw the windows, forward, cross-entropy, backward, clip, AdamW.
static void transformer_step(Report& report, std::size_t threads) {
  const Recipe recipe = nanogpt();
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
  LanguageModel<float> model(recipe.form);
  draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
  Pool pool(threads);
  LanguageTrainer<float> trainer(model, text, recipe.run, pool);
  const double seconds = median_seconds([&] { trainer.step(); }, 101);
  const double gflops = operations_a_step(recipe.form, recipe.run.batch) / seconds * 1e-9, limit = peak<float>(threads);
  report.add(join("lesson6.l4_h4_w128_t64_b12.t", threads), seconds * 1e3, "ms",
             "a training step, " + fixed(100 * gflops / limit, 0) + " % of what " +
                 (threads == 1 ? "one thread" : join(threads, " threads")) + " can multiply and add");
}

// Writing with the cache, one symbol after another; the context is filled up and cut in half again and again.
static void generate(Report& report) {
  const Recipe recipe = nanogpt();
  LanguageModel<float> model(recipe.form);
  draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
  Random random(1);
  constexpr std::size_t count = 320;
  const double seconds = median_seconds([&] { write(model, {0}, count, 1.0, random); }, 21);
  report.add("lesson6.generate", double(count) / seconds, "1/s",
             "symbols written with the cache, same model, one core");
}

int main(int argc, char** argv) {
  return run_program("bench", [&] {
    Report report;
    products<float>(report, "f32");
    products<double>(report, "f64");
    bengio_step(report, 8, 16, 256, 256, 1);
    bengio_step(report, 8, 16, 256, 256, 2);
    bengio_step(report, 8, 16, 256, 64, 1);
    bengio_step(report, 3, 10, 200, 32, 1);
    Random random(1);
    const Sizes sizes{16, 64, 4};
    regression_step(report, "swish", Swish<float>(sizes, false, random), 128);
    regression_step(report, "product", Product<float>(sizes, random), 128);
    xor_step(report);
    digits_step(report);
    jacobi(report);
    transformer_step(report, 1);
    transformer_step(report, 2);
    generate(report);
    if (argc > 1) write_file(argv[1], report.json());
    return 0;
  });
}
