// What `make bench` runs: the machine's own limit, the matrix product as a share of it, and
// training steps. Each value is a median of many timings after a warm-up; on a busy machine compare
// ratios within one run. Exit status 1 when anything is faster than the limit, which then was none.
//
// Run: make bench
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "common/matrix.hpp"
#include "common/terminal/flags.hpp"
#include "common/text/words.hpp"
#include "lessons/6_bma/store.hpp"

using Function = std::function<void()>;

static double seconds_of(const Function& f, long calls = 1) {
  const auto start = std::chrono::steady_clock::now();
  for (long call = 0; call < calls; ++call) f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
         double(calls);
}

// The seconds that a call took: in the median, and at best: a tenth of the calls was faster. Best
// of all is none to compare, since clocks of a virtual machine jump.
struct Seconds {
  double median, best;
};

// Each of some functions, timed in turn for so many rounds: what disturbs one disturbs the others.
// In a round each is repeated for a fifth of a millisecond at least: long enough for the clock,
// short enough that most rounds fall between the interruptions of a busy machine.
static std::vector<Seconds> time_in_turn(const std::vector<Function>& functions, int rounds) {
  std::vector<long> calls;
  std::vector<std::vector<double>> times(functions.size());
  std::vector<Seconds> found;
  for (const Function& f : functions) {
    f();
    calls.push_back(1 + long(2e-4 / seconds_of(f, 3)));
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < functions.size(); ++k)
      times[k].push_back(seconds_of(functions[k], calls[k]));
  for (auto& t : times) {
    std::sort(t.begin(), t.end());
    found.push_back({t[t.size() / 2], t[t.size() / 10]});
  }
  return found;
}

static bool limit_holds = true;
static void report(const std::string& name, double value, const std::string& unit,
                   const std::string& note) {
  std::printf("%-34s %10.2f %-8s %s\n", name.c_str(), value, unit.c_str(), note.c_str());
  std::fflush(stdout);
}

// What was measured beside the limit, as a share of it; what exceeds it by more than a clock may
// err shows that it is none.
static void report_share(const std::string& name, double value, const std::string& unit,
                         double share) {
  report(name, value, unit, fixed(100 * share, 0) + " % of the limit");
  if (share <= 1.03) return;
  std::printf("FAIL %s is faster than the limit\n", name.c_str());
  limit_holds = false;
}

// Multiply-adds on numbers that stay in registers: `chains` of them do not wait for each other, of
// `width` numbers side by side. All numbers differ, or the compiler would compute equal ones once;
// they end up in memory, where clang looks for its vectors. The columns are outside, since g++
// would unroll a short inner loop of them into single numbers.
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

// What so many threads can multiply and add at best: the fastest of many shapes, from few chains of
// the narrowest vectors of any machine to many of the widest. Which of them fits the registers and
// hides the time that an instruction takes depends on the machine, the compiler and its flags.
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
      if (found > gflops) fastest_ = shapes_[k];
      gflops = std::max(gflops, found);
    }
  }

  // What f, which takes so many operations, does in a second, and its share of the limit, which is
  // measured beside it.
  struct Measured {
    double seconds, gflops, share;
  };
  Measured measure(double operations, const Function& f, int rounds) {
    const std::vector<Seconds> found = time_in_turn({f, [this] { run(fastest_); }}, rounds);
    const double share = (operations / found[0].best) / (run(fastest_) / found[1].best);
    return {found[0].median, operations / found[0].median * 1e-9, share};
  }

  double gflops = 0;

 private:
  using Shape = double (*)(T factor, T term, T* out);

  template <std::size_t width>
  void add_shapes() {
    for (const Shape shape : {multiply_add<T, 10, width>, multiply_add<T, 12, width>,
                              multiply_add<T, 14, width>, multiply_add<T, 24, width>})
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
  volatile T factor_ = T(0.999),
             term_ = T(0.001);  // read anew by each run, so that no run can be left out
  std::vector<Shape> shapes_;
  Shape fastest_ = nullptr;
};

template <class T>
static void products(const std::string& type) {
  Limit<T> limit;
  report("peak." + type, limit.gflops, "GFLOP/s", "multiply-add in registers, one core: the limit");
  Random random(1);
  struct Case {
    std::size_t m, k, n;
    const char* form;  // nn: A·B; tn: Aᵀ·B with A stored k x m; nt: A·Bᵀ with B stored n x k
  };
  for (const Case& c : {Case{64, 80, 256, "nn"},
                        {256, 128, 128, "nn"},
                        {768, 128, 512, "nn"},
                        {512, 512, 512, "nn"},
                        {256, 128, 128, "tn"},
                        {256, 128, 128, "nt"},
                        {61, 67, 65, "nn"}}) {
    const bool ta = c.form[0] == 't', tb = c.form[1] == 't';
    const auto A = normal_matrix<T>(ta ? c.k : c.m, ta ? c.m : c.k, 1, random);
    const auto B = normal_matrix<T>(tb ? c.n : c.k, tb ? c.k : c.n, 1, random);
    Matrix<T> C(c.m, c.n);
    const auto run = [&] {
      matmul_into(C, ta ? transpose(A) : A.view(), tb ? transpose(B) : B.view());
    };
    const auto found = limit.measure(2.0 * double(c.m * c.k * c.n), run, 1001);
    report_share(join("matmul.", type, ".", c.m, "x", c.k, "x", c.n, ".", c.form), found.gflops,
                 "GFLOP/s", found.share);
  }
}

// Training steps of the recipe of nanoGPT's page for a computer without a graphics card, and
// writing with the cache: one symbol after another; the context is filled up and cut in half again
// and again. Symbols at random take as long as a text.
static void transformers() {
  lesson6::Recipe recipe = lesson6::recipe_of("nanogpt");
  recipe.form.vocab = 65;
  recipe.run.steps = 1'000'000'000;
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
  for (const std::size_t threads : {1u, 2u}) {
    lesson6::LanguageModel<float> model(recipe.form);
    lesson6::draw_start(model.tensors(), recipe.start, recipe.form.transformer.layers, 1);
    Pool pool(threads);
    lesson6::LanguageTrainer<float> trainer(model, text, recipe.run, pool);
    Limit<float> limit(threads);
    const double operations = lesson6::operations_a_step(recipe.form, recipe.run.batch);
    const auto found = limit.measure(
        operations, [&] { trainer.step(); }, 101);
    report_share(join("lesson6.l4_h4_w128_t64_b12.t", threads), found.seconds * 1e3, "ms",
                 found.share);
    if (threads > 1) continue;
    const Seconds writing =
        time_in_turn({[&] { lesson6::write(model, {0}, 320, 1.0, random); }}, 21)[0];
    report("lesson6.generate", 320 / writing.median, "1/s",
           "symbols written with the cache, same model, one core");
  }
}

int main() {
  return run_program("bench", [&] {
    products<float>("f32");
    products<double>("f64");
    transformers();
    return limit_holds ? 0 : 1;
  });
}
