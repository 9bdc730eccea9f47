// What `make bench` runs: the machine's own limit, the matrix product as a share of it, and training steps.
// Run: make bench, or build/tests/bench [FILE]; it prints a table and writes {"name": {"value": ..., "unit": "..."}} to
// the file. Each value is a median of many timings after a warm-up; on a busy machine compare ratios within one run.
// Exit status 1 when anything is faster than the limit, which then was none. bench --quick looks at that alone, in some
// seconds.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "common/matrix.hpp"
#include "common/support/digits.hpp"
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/words.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"
#include "lessons/4_bilinear_gates/train.hpp"
#include "lessons/5_tensor_folding/spectra.hpp"
#include "lessons/5_tensor_folding/train.hpp"
#include "lessons/6_bma/store.hpp"

using Clock = std::chrono::steady_clock;

static double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The seconds that a call took: in the median, and at best: a tenth of the calls was faster. Best of all is none to
// compare, since clocks of a virtual machine jump.
struct Seconds {
  double median, best;
};
using Function = std::function<void()>;

// Each of some functions, timed in turn for so many rounds: what disturbs one disturbs the others. In a round each is
// repeated for a fifth of a millisecond at least: long enough for the clock, short enough that most rounds fall between
// the interruptions of a busy machine.
static std::vector<Seconds> time_in_turn(const std::vector<Function>& functions, int rounds) {
  struct Timed {
    const Function& f;
    long repeats;
    std::vector<double> times;
  };
  std::vector<Timed> all;
  for (const Function& f : functions) {
    f();
    const auto warm = Clock::now();
    long calls = 0;
    for (; seconds_since(warm) < 0.02; ++calls) f();
    all.push_back({f, 1 + calls / 100, {}});
  }
  for (int round = 0; round < rounds; ++round)
    for (Timed& timed : all) {
      const auto start = Clock::now();
      for (long call = 0; call < timed.repeats; ++call) timed.f();
      timed.times.push_back(seconds_since(start) / double(timed.repeats));
    }
  std::vector<Seconds> found;
  for (auto& [f, repeats, t] : all) {
    std::sort(t.begin(), t.end());
    found.push_back({t[t.size() / 2], t[t.size() / 10]});
  }
  return found;
}

class Report {
 public:
  void add(const std::string& name, double value, const std::string& unit, const std::string& note = "") {
    std::printf("%-34s %10.2f %-8s %s\n", name.c_str(), value, unit.c_str(), note.c_str());
    std::fflush(stdout);
    json_ += std::string(json_.empty() ? "{" : ",") + "\n  \"" + name + "\": {\"value\": " + fixed(value, 3) +
             ", \"unit\": \"" + unit + "\"}";
  }

  // What was measured beside the limit, as a share of it; what exceeds it by more than a clock may err shows that it is
  // none.
  void add(const std::string& name, double value, const std::string& unit, double share, const std::string& of) {
    add(name, value, unit, fixed(100 * share, 0) + " % of " + of);
    if (share <= 1.03) return;
    std::printf("FAIL %s is faster than the limit\n", name.c_str());
    holds_ = false;
  }

  // The median of a function that takes so many training steps.
  void step(const std::string& name, const Function& f, long steps = 1, int rounds = 1001) {
    add(name, time_in_turn({f}, rounds)[0].median / double(steps) * 1e6, "us", "a training step");
  }

  std::string json() const { return json_ + "\n}\n"; }
  bool holds() const { return holds_; }  // the limit

 private:
  std::string json_;
  bool holds_ = true;
};

// ---------------------------------------------------------------------------------------------------------- the limit

// Multiply-adds on numbers that stay in registers: `chains` of them do not wait for each other, of `width` numbers side
// by side. All numbers differ, or the compiler would compute equal ones once; they end up in memory, where clang looks
// for its vectors. The columns are outside, since g++ would unroll a short inner loop of them into single numbers.
template <class T, std::size_t chains, std::size_t width>
static double multiply_add(T factor, T term, T* out) {
  constexpr std::size_t rounds = (1 << 22) / (chains * width);  // long enough to start threads for
  T sum[chains][width];
  for (std::size_t i = 0; i < chains; ++i)
    for (std::size_t j = 0; j < width; ++j) sum[i][j] = T(i * width + j);
  for (std::size_t k = 0; k < rounds; ++k)
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t i = 0; i < chains; ++i) sum[i][j] = sum[i][j] * factor + term;
  for (std::size_t i = 0; i < chains; ++i)
    for (std::size_t j = 0; j < width; ++j) out[i * width + j] = sum[i][j];
  return 2.0 * double(rounds * chains * width);  // operations
}

// What so many threads can multiply and add at best: the fastest of many shapes, from few chains of the narrowest
// vectors of any machine to many of the widest. Which of them fits the registers and hides the time that an instruction
// takes depends on the machine, the compiler and its flags.
template <class T>
class Limit {
 public:
  explicit Limit(std::size_t threads = 1) : pool_(threads) {
    add_shapes<16 / sizeof(T)>(), add_shapes<32 / sizeof(T)>(), add_shapes<64 / sizeof(T)>();
    std::vector<Function> functions;
    for (const Shape shape : shapes_) functions.push_back([this, shape] { run(shape); });
    const std::vector<Seconds> seconds = time_in_turn(functions, 101);
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const double found = run(shapes_[k]) / seconds[k].median * 1e-9;
      if (found > gflops_) fastest_ = shapes_[k];
      gflops_ = std::max(gflops_, found);
    }
  }

  double gflops() const { return gflops_; }

  // What f, which takes so many operations, does in a second, and its share of the limit, which is measured beside it.
  struct Measured {
    double seconds, gflops, share;
  };
  Measured measure(double operations, const Function& f, int rounds) {
    const std::vector<Seconds> found = time_in_turn({f, [this] { run(fastest_); }}, rounds);
    const double share = (operations / found[0].best) / (run(fastest_) / found[1].best);
    return {found[0].median, operations / found[0].median * 1e-9, share};
  }

 private:
  using Shape = double (*)(T factor, T term, T* out);

  template <std::size_t width>
  void add_shapes() {
    for (const Shape shape : {multiply_add<T, 10, width>, multiply_add<T, 12, width>, multiply_add<T, 14, width>,
                              multiply_add<T, 24, width>})
      shapes_.push_back(shape);
  }

  // Returns the operations of all threads.
  double run(Shape shape) {
    std::atomic<double> operations = 0;
    pool_.run(pool_.threads(), [&](std::size_t) {
      thread_local T out[24 * 64 / sizeof(T)];
      operations = shape(factor_, term_, out);
    });
    return operations * double(pool_.threads());
  }

  Pool pool_;
  volatile T factor_ = T(0.999), term_ = T(0.001);  // read anew by each run, so that no run can be left out
  std::vector<Shape> shapes_;
  Shape fastest_ = nullptr;
  double gflops_ = 0;
};

struct Case {
  std::size_t m, k, n;
  const char* form;  // nn: A·B; tn: Aᵀ·B with A stored k x m; nt: A·Bᵀ with B stored n x k
};

template <class T>
static void products(Report& report, const std::string& type, const std::vector<Case>& cases, int rounds) {
  Limit<T> limit;
  report.add("peak." + type, limit.gflops(), "GFLOP/s", "multiply-add in registers, one core");
  Random random(1);
  for (const Case& c : cases) {
    const bool ta = c.form[0] == 't', tb = c.form[1] == 't';
    const auto A = normal_matrix<T>(ta ? c.k : c.m, ta ? c.m : c.k, 1, random);
    const auto B = normal_matrix<T>(tb ? c.n : c.k, tb ? c.k : c.n, 1, random);
    Matrix<T> C(c.m, c.n);
    const auto run = [&] { matmul_into(C, ta ? transpose(A) : A.view(), tb ? transpose(B) : B.view()); };
    const auto found = limit.measure(2.0 * double(c.m * c.k * c.n), run, rounds);
    report.add(join("matmul.", type, ".", c.m, "x", c.k, "x", c.n, ".", c.form), found.gflops, "GFLOP/s", found.share,
               "the peak");
  }
}

// ------------------------------------------------------------------------------------------------------ training steps

// Symbols at random: what is learned of them takes as long as of a text.
static std::vector<std::uint32_t> random_text() {
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
  return text;
}

// A lesson's whole loop is timed, so many steps of it at a time.
constexpr long steps_at_a_time = 100;

// One training step of lesson 2's model: draw the batch, forward, backward, AdamW.
static void bengio_step(Report& report, std::size_t context, std::size_t dim, std::size_t hidden, std::size_t batch,
                        std::size_t threads) {
  Random random(1);
  const std::vector<std::uint32_t> text = random_text();
  lesson2::Bengio<float> model({65, context, dim, hidden}, random);
  lesson2::TrainingSettings settings;
  settings.steps = steps_at_a_time;
  settings.batch = batch;
  settings.rate = 1e-3;
  Pool pool(threads);
  const auto train = [&] { lesson2::train(model, text, settings, pool, random); };
  const std::string form = join("c", context, "_d", dim, "_h", hidden, "_b", batch, ".t", threads);
  report.step("lesson2." + form, train, steps_at_a_time, 101);
}

// One training step of a model of lesson 3: pick the rows, forward, mean squared error, backward, AdamW.
template <class Model>
static void regression_step(Report& report, const std::string& name, Model model) {
  Random random(1);
  const auto [in, hidden, out] = lesson3::Sizes(model.form);
  const lesson3::Rows rows{normal_matrix<double>(4096, in, 1, random), normal_matrix<double>(4096, out, 1, random)};
  lesson3::TrainingSettings settings;
  settings.steps = steps_at_a_time;
  settings.rate = 1e-3;
  const std::string form = join(name, "_", in, "_", hidden, "_", out, "_b", settings.batch);
  report.step(
      "lesson3." + form, [&] { lesson3::train(model, rows, settings, random); }, steps_at_a_time, 101);
}

// One training step of lesson 4's smallest model, one product unit without read-out on the four points of XOR: forward,
// mean squared error, backward, AdamW. Its decay keeps the loss near 1e-10; without it, it sinks below 1e-200, and
// numbers that underflow are slow.
static void xor_step(Report& report) {
  Random random(1);
  lesson4::ProductLayer<double> unit({2, 1}, random);
  const Matrix<double> X{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, target{{0}, {1}, {1}, {0}};
  lesson4::FitSettings settings;
  settings.steps = steps_at_a_time;
  settings.rate = 1e-3;
  settings.enough = 0;  // all steps are taken
  settings.decay = 0.01;
  const auto fit = [&] { lesson4::fit(unit, X, lesson4::error_to(target), settings); };
  report.step("lesson4.xor_h1", fit, steps_at_a_time, 101);
}

// One training step of lesson 5's net, without embedding or biases, on drawn digits: draw the batch, forward,
// cross-entropy, backward without dX, AdamW.
static void digits_step(Report& report) {
  Random random(1);
  const Images images = draw_digits(6000, DigitSettings{}, random);
  lesson5::Net<float> net({images.X.cols(), 0, 24, 10, lesson5::Biases::without}, random);
  lesson5::ClassifierSettings settings;
  settings.steps = steps_at_a_time;
  const auto train = [&] { lesson5::train(net, images, settings, random); };
  report.step(join("lesson5.product_", images.X.cols(), "_24_10_b", settings.batch), train, steps_at_a_time, 101);
}

// All eigenvalues and eigenvectors of one symmetric 144 x 144 matrix, the size of a slice in lesson 5.
static void jacobi(Report& report) {
  Random random(1);
  const auto A = normal_matrix<double>(144, 144, 1, random);
  const Matrix<double> S = A + Matrix<double>(transpose(A));
  const Seconds seconds = time_in_turn({[&] { lesson5::eigen_symmetric(S); }}, 31)[0];
  report.add("lesson5.jacobi_144", seconds.median * 1e3, "ms", "a symmetric 144 x 144 matrix, with vectors");
}

// The recipe of nanoGPT's page for a computer without a graphics card (lesson 6), on symbols at random.
static lesson6::Recipe nanogpt() {
  lesson6::Recipe recipe = lesson6::recipe_of("nanogpt");
  recipe.form.vocab = 65;
  recipe.run.steps = 1'000'000'000;
  recipe.run.warm_up = 100;
  return recipe;
}

// One training step of it: draw the windows, forward, cross-entropy, backward, clip, AdamW.
static void transformer_step(Report& report, std::size_t threads, int rounds) {
  const lesson6::Recipe recipe = nanogpt();
  const std::vector<std::uint32_t> text = random_text();
  lesson6::LanguageModel<float> model(recipe.form);
  lesson6::draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
  Pool pool(threads);
  lesson6::LanguageTrainer<float> trainer(model, text, recipe.run, pool);
  Limit<float> limit(threads);
  const double operations = lesson6::operations_a_step(recipe.form, recipe.run.batch);
  const auto found = limit.measure(
      operations, [&] { trainer.step(); }, rounds);
  report.add(
      join("lesson6.l4_h4_w128_t64_b12.t", threads), found.seconds * 1e3, "ms", found.share,
      "what " + (threads == 1 ? "one thread" : join(threads, " threads")) + " can multiply and add: a training step");
}

// Writing with the cache, one symbol after another; the context is filled up and cut in half again and again.
static void generate(Report& report) {
  const lesson6::Recipe recipe = nanogpt();
  lesson6::LanguageModel<float> model(recipe.form);
  lesson6::draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
  Random random(1);
  constexpr std::size_t count = 320;
  const Seconds seconds = time_in_turn({[&] { lesson6::write(model, {0}, count, 1.0, random); }}, 21)[0];
  report.add("lesson6.generate", double(count) / seconds.median, "1/s",
             "symbols written with the cache, same model, one core");
}

// Under --quick what comes nearest to the limit.
static void measure(Report& report, bool quick) {
  std::vector<Case> cases{{256, 128, 128, "nn"}, {768, 512, 128, "nn"}};
  if (!quick)
    cases = {{32, 48, 256, "nn"},   {64, 80, 256, "nn"},   {256, 128, 128, "nn"},
             {768, 128, 512, "nn"}, {768, 512, 128, "nn"}, {512, 512, 512, "nn"},
             {256, 128, 128, "tn"}, {256, 128, 128, "nt"}, {61, 67, 65, "nn"}};
  products<float>(report, "f32", cases, quick ? 201 : 1001);
  products<double>(report, "f64", cases, quick ? 201 : 1001);
  transformer_step(report, 1, quick ? 21 : 101);
  if (quick) return;
  bengio_step(report, 8, 16, 256, 256, 1);
  bengio_step(report, 8, 16, 256, 256, 2);
  bengio_step(report, 8, 16, 256, 64, 1);
  bengio_step(report, 3, 10, 200, 32, 1);
  Random random(1);
  const lesson3::Sizes sizes{16, 64, 4};
  regression_step(report, "swish", lesson3::Swish<float>({sizes, false}, random));
  regression_step(report, "product", lesson3::Product<float>(sizes, random));
  xor_step(report);
  digits_step(report);
  jacobi(report);
  transformer_step(report, 2, 101);
  generate(report);
}

int main(int argc, char** argv) {
  return run_program("bench", [&] {
    const std::string argument = argc > 1 ? argv[1] : "";
    Report report;
    measure(report, argument == "--quick");
    if (!argument.empty() && argument != "--quick") write_file(argument, report.json());
    return report.holds() ? 0 : 1;
  });
}
