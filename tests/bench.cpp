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
#include "lessons/6_bma/model/8_writer.hpp"
#include "lessons/6_bma/run/recipe.hpp"

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The seconds that a call took: in the median, and at best: a tenth of the calls was faster. Best of all is none to
// compare, since clocks of a virtual machine jump.
struct Timed {
  std::function<void()> f;
  double median = 0, best = 0;
};

// Times some functions in turn for so many rounds: what disturbs one disturbs the others. In a round each is repeated
// for a fifth of a millisecond at least: long enough for the clock, short enough that most rounds fall between the
// interruptions of a busy machine.
static void time_in_turn(std::vector<Timed>& all, int rounds) {
  std::vector<long> repeats;
  std::vector<std::vector<double>> times(all.size());
  for (const Timed& timed : all) {
    timed.f();
    const double warm = now();
    long calls = 0;
    for (; now() - warm < 0.02; ++calls) timed.f();
    repeats.push_back(1 + calls / 100);
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double start = now();
      for (long call = 0; call < repeats[k]; ++call) all[k].f();
      times[k].push_back((now() - start) / double(repeats[k]));
    }
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::sort(times[k].begin(), times[k].end());
    all[k].median = times[k][times[k].size() / 2];
    all[k].best = times[k][times[k].size() / 10];
  }
}

static double median_seconds(const std::function<void()>& f, int rounds) {
  std::vector<Timed> one{{f}};
  time_in_turn(one, rounds);
  return one[0].median;
}

struct Report {
  std::string json;
  bool holds = true;  // the limit

  void add(const std::string& name, double value, const std::string& unit, const std::string& note) {
    print(pad(name, 34) + pad(fixed(value, 2), 11, Side::right) + " " + pad(unit, 8) + " " + note + "\n");
    json += (json.empty() ? "{" : ",") + ("\n  \"" + name) + "\": {\"value\": " + fixed(value, 3) + ", \"unit\": \"" +
            unit + "\"}";
  }

  // Of a lesson's whole loop, so many steps of it at a time.
  static constexpr long steps = 100;
  void step(const std::string& name, const std::function<void()>& train) {
    add(name, median_seconds(train, 101) / steps * 1e6, "us", "a training step");
  }

  // What was measured beside the limit, as a share of it; what exceeds it by more than a clock may err shows that it is
  // none.
  void add(const std::string& name, double value, const std::string& unit, double share, const std::string& of) {
    add(name, value, unit, fixed(100 * share, 0) + " % of " + of);
    if (share > 1.03) print("FAIL " + name + " is faster than the limit\n");
    holds = holds && share <= 1.03;
  }
};

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
    std::vector<double (*)(T, T, T*)> shapes;
    const auto add = [&]<std::size_t... w>(std::index_sequence<w...>) {
      (shapes.insert(shapes.end(),
                     {multiply_add<T, 10, (16 << w) / sizeof(T)>, multiply_add<T, 12, (16 << w) / sizeof(T)>,
                      multiply_add<T, 14, (16 << w) / sizeof(T)>, multiply_add<T, 24, (16 << w) / sizeof(T)>}),
       ...);
    };
    add(std::index_sequence<0, 1, 2>());  // registers of 16, 32 and 64 bytes
    std::vector<Timed> timed;
    for (const auto shape : shapes) timed.push_back({[this, shape] { run(shape); }});
    time_in_turn(timed, 101);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const double found = run(shapes[k]) / timed[k].median * 1e-9;
      if (found > gflops) fastest_ = shapes[k];
      gflops = std::max(gflops, found);
    }
  }

  double gflops = 0;

  // Returns the seconds of f, which takes so many operations, and its share of the limit, which is measured beside it.
  std::pair<double, double> measure(double operations, const std::function<void()>& f, int rounds) {
    std::vector<Timed> both{{f}, {[this] { run(fastest_); }}};
    time_in_turn(both, rounds);
    return {both[0].median, (operations / both[0].best) / (run(fastest_) / both[1].best)};
  }

 private:
  // Returns the operations of all threads.
  double run(double (*shape)(T, T, T*)) {
    std::atomic<double> operations = 0;
    pool_.run(pool_.threads(), [&](std::size_t) {
      thread_local T out[24 * 64 / sizeof(T)];
      operations = shape(factor_, term_, out);
    });
    return operations * double(pool_.threads());
  }

  Pool pool_;
  volatile T factor_ = T(0.999), term_ = T(0.001);  // read anew by each run, so that no run can be left out
  double (*fastest_)(T, T, T*) = nullptr;
};

struct Case {
  std::size_t m, k, n;
  const char* form = "nn";  // nn: A·B; tn: Aᵀ·B with A stored k x m; nt: A·Bᵀ with B stored n x k
};

template <class T>
static void products(Report& report, const std::string& type, const std::vector<Case>& cases, int rounds) {
  Limit<T> limit;
  report.add("peak." + type, limit.gflops, "GFLOP/s", "multiply-add in registers, one core");
  Random random(1);
  for (const auto& [m, k, n, form] : cases) {
    const bool ta = form[0] == 't', tb = form[1] == 't';
    const auto A = normal_matrix<T>(ta ? k : m, ta ? m : k, 1, random);
    const auto B = normal_matrix<T>(tb ? n : k, tb ? k : n, 1, random);
    Matrix<T> C(m, n);
    const auto run = [&, a = ta, b = tb] { matmul_into(C, a ? transpose(A) : A.view(), b ? transpose(B) : B.view()); };
    const double operations = 2.0 * double(m * k * n);
    const auto [seconds, share] = limit.measure(operations, run, rounds);
    report.add(join("matmul.", type, ".", m, "x", k, "x", n, ".", form), operations / seconds * 1e-9, "GFLOP/s", share,
               "the peak");
  }
}

// Symbols at random: what is learned of them takes as long as of a text.
static std::vector<std::uint32_t> random_text() {
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
  return text;
}

// One training step of lesson 2's model: draw the batch, forward, backward, AdamW.
static void bengio_step(Report& report, std::size_t context, std::size_t dim, std::size_t hidden, std::size_t batch,
                        std::size_t threads) {
  Random random(1);
  const std::vector<std::uint32_t> text = random_text();
  lesson2::Bengio<float> model({65, context, dim, hidden}, random);
  lesson2::TrainingSettings settings;
  settings.steps = Report::steps;
  settings.batch = batch;
  settings.rate = 1e-3;
  Pool pool(threads);
  const auto train = [&] { lesson2::train(model, text, settings, pool, random); };
  const std::string form = join("c", context, "_d", dim, "_h", hidden, "_b", batch, ".t", threads);
  report.step("lesson2." + form, train);
}

// One training step of a model of lesson 3: pick the rows, forward, mean squared error, backward, AdamW.
template <class Model>
static void regression_step(Report& report, const std::string& name, Model model) {
  Random random(1);
  const auto [in, hidden, out] = lesson3::Sizes(model.form);
  const lesson3::Rows rows{normal_matrix<double>(4096, in, 1, random), normal_matrix<double>(4096, out, 1, random)};
  lesson3::TrainingSettings settings;
  settings.steps = Report::steps;
  settings.rate = 1e-3;
  const std::string form = join(name, "_", in, "_", hidden, "_", out, "_b", settings.batch);
  report.step("lesson3." + form, [&] { lesson3::train(model, rows, settings, random); });
}

// One training step of lesson 4's smallest model, one product unit without read-out on the four points of XOR: forward,
// mean squared error, backward, AdamW. Its decay keeps the loss near 1e-10; without it, it sinks below 1e-200, and
// numbers that underflow are slow.
static void xor_step(Report& report) {
  Random random(1);
  lesson4::ProductLayer<double> unit({2, 1}, random);
  const Matrix<double> X{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, target{{0}, {1}, {1}, {0}};
  lesson4::FitSettings settings;
  settings.steps = Report::steps;
  settings.rate = 1e-3;
  settings.enough = 0;  // all steps are taken
  settings.update = lesson4::adamw({});
  const auto fit = [&] { lesson4::fit(unit, X, lesson4::error_to(target), settings); };
  report.step("lesson4.xor_h1", fit);
}

// One training step of lesson 5's net, without embedding or biases, on drawn digits: draw the batch, forward,
// cross-entropy, backward without dX, AdamW.
static void digits_step(Report& report) {
  Random random(1);
  const Images images = draw_digits(6000, DigitSettings{}, random);
  lesson5::Net<float> net({images.X.cols(), 0, 24, 10, lesson5::Biases::without}, random);
  lesson5::ClassifierSettings settings;
  settings.steps = Report::steps;
  const auto train = [&] { lesson5::train(net, images, settings, random); };
  report.step(join("lesson5.product_", images.X.cols(), "_24_10_b", settings.batch), train);
}

// All eigenvalues and eigenvectors of one symmetric 144 x 144 matrix, the size of a slice in lesson 5.
static void jacobi(Report& report) {
  Random random(1);
  const auto A = normal_matrix<double>(144, 144, 1, random);
  const Matrix<double> S = A + Matrix<double>(transpose(A));
  const double seconds = median_seconds([&] { lesson5::eigen_symmetric(S); }, 31);
  report.add("lesson5.jacobi_144", seconds * 1e3, "ms", "a symmetric 144 x 144 matrix, with vectors");
}

// Lesson 6, the recipe of nanoGPT's page for a computer without a graphics card, on symbols at random: a training step
// draws the windows, forward, cross-entropy, backward, clip, AdamW; then it writes with the cache, one symbol after
// another, while the context is filled up and cut in half again and again.
static void transformer(Report& report, std::size_t threads, int rounds) {
  lesson6::Recipe recipe = lesson6::recipe_of("nanogpt", "bench");
  recipe.form.vocab = 65;
  recipe.run.steps = 1'000'000'000;
  recipe.run.warm_up = 100;
  const std::vector<std::uint32_t> text = random_text();
  lesson6::LanguageModel<float> model(recipe.form);
  lesson6::draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
  Pool pool(threads);
  lesson6::LanguageTrainer<float> trainer(model, text, recipe.run, pool);
  Limit<float> limit(threads);
  const double operations = lesson6::operations_a_step(recipe.form, recipe.run.batch);
  const auto step = [&] { trainer.step(); };
  const auto [seconds, share] = limit.measure(operations, step, rounds);
  report.add(join("lesson6.l4_h4_w128_t64_b12.t", threads), seconds * 1e3, "ms", share,
             join("what ", threads, " threads can multiply and add: a training step"));
  if (threads == 1 || rounds < 100) return;
  Random random(1);
  constexpr std::size_t count = 320;
  const auto write = [&] { lesson6::write(model, {0}, count, 1.0, random); };
  report.add("lesson6.generate", count / median_seconds(write, 21), "1/s", "symbols written with the cache, one core");
}

// Under --quick what comes nearest to the limit.
static void measure(Report& report, bool quick) {
  std::vector<Case> cases{{256, 128, 128}, {768, 512, 128}};
  if (!quick)
    cases.insert(cases.end(), {{32, 48, 256},
                               {64, 80, 256},
                               {768, 128, 512},
                               {512, 512, 512},
                               {61, 67, 65},
                               {256, 128, 128, "tn"},
                               {256, 128, 128, "nt"}});
  products<float>(report, "f32", cases, quick ? 201 : 1001);
  products<double>(report, "f64", cases, quick ? 201 : 1001);
  transformer(report, 1, quick ? 21 : 101);
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
  transformer(report, 2, 101);
}

int main(int argc, char** argv) {
  return run_program("bench", [&] {
    const std::string argument = argc > 1 ? argv[1] : "";
    Report report;
    measure(report, argument == "--quick");
    if (!argument.empty() && argument != "--quick") write_file(argument, report.json + "\n}\n");
    return report.holds ? 0 : 1;
  });
}
