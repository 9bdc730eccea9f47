// Runs for `make bench`: the machine's limit, the matrix product as a share of it, and training
// steps, on screen and in build/bench.json. Values are medians; on a busy machine compare ratios
// within one run. Exit status 1 when anything beats the limit, which then was none.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "common/frame/files/file.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "common/matrix.hpp"
#include "lessons/2_bengio_mlp/train.hpp"
#include "lessons/6_bma/store.hpp"

using Function = std::function<void()>;

// ----------------------------------------------------------------------------------------- figures

struct Figure {
  std::string name;
  double value = 0;
  std::string unit = {}, note = {};
  int repetitions = 0;
  // In GFLOP/s, and the share of it; 0 when nothing is compared.
  double limit = 0, share = 0;
};

class Report {
 public:
  void add(Figure figure) {
    if (figure.limit > 0) figure.note = fixed(100 * figure.share, 0) + " % of the limit";
    std::printf("%-34s %10.2f %-8s %s\n", figure.name.c_str(), figure.value, figure.unit.c_str(),
                figure.note.c_str());
    if (figure.share > 1.03) {  // clocks err a little
      std::printf("FAIL %s is faster than the limit\n", figure.name.c_str());
      limit_holds_ = false;
    }
    std::fflush(stdout);
    figures_.push_back(std::move(figure));
  }

  bool limit_holds() const { return limit_holds_; }

  std::string json() const {
    std::string text = "[\n";
    for (const Figure& f : figures_) {
      text += text.size() > 2 ? ",\n" : "";
      text += join("{\"name\": \"", f.name, "\", \"value\": ", number(f.value), ", \"unit\": \"",
                   f.unit, "\", \"repetitions\": ", f.repetitions);
      if (f.limit > 0)
        text += join(", \"limit, GFLOP/s\": ", number(f.limit),
                     ", \"share of the limit\": ", number(f.share));
      text += join(", \"note\": \"", f.note, "\"}");
    }
    return text + "\n]\n";
  }

 private:
  // JSON has neither infinity nor NaN.
  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::isfinite(value) ? text : "null";
  }

  std::vector<Figure> figures_;
  bool limit_holds_ = true;
};

// ------------------------------------------------------------------------------------------ clocks

static double seconds_of(const Function& f, long calls = 1) {
  const auto start = std::chrono::steady_clock::now();
  for (long call = 0; call < calls; ++call) f();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / double(calls);
}

// Seconds a call; best is the fastest tenth, since clocks of virtual machines jump.
struct Seconds {
  double median = 0, best = 0;
};

// Times the functions in turn, so that what disturbs one disturbs all, and repeats each for 0.2 ms:
// long enough for the clock, short enough to fall between most interruptions.
static std::vector<Seconds> time_in_turn(const std::vector<Function>& functions, int rounds) {
  std::vector<long> calls;
  for (const Function& f : functions) {
    f();
    calls.push_back(1 + long(2e-4 / seconds_of(f, 3)));
  }
  std::vector<std::vector<double>> times(functions.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < functions.size(); ++k)
      times[k].push_back(seconds_of(functions[k], calls[k]));
  std::vector<Seconds> seconds;
  for (std::vector<double>& t : times) {
    std::sort(t.begin(), t.end());
    seconds.push_back({.median = t[t.size() / 2], .best = t[t.size() / 10]});
  }
  return seconds;
}

// ------------------------------------------------------------------------------------------- limit

// Multiplies and adds `chains` independent vectors of `width` numbers in registers. The compiler
// would compute equal numbers once, and unused ones not at all. Returns the number of operations.
template <class T, std::size_t chains, std::size_t width>
#if defined(__clang__)  // else takes AVX-512 registers for two halves
__attribute__((min_vector_width(512)))
#endif
static double
multiply_add(T factor, T term, T* out) {
  using Numbers __attribute__((vector_size(width * sizeof(T)))) = T;
  constexpr std::size_t rounds = (1 << 22) / (chains * width);  // long enough to start threads for
  Numbers sum[chains];
  for (std::size_t i = 0; i < chains; ++i)
    for (std::size_t j = 0; j < width; ++j) sum[i][j] = T(i * width + j);
  for (std::size_t k = 0; k < rounds; ++k)
    for (std::size_t i = 0; i < chains; ++i) sum[i] = sum[i] * factor + term;
  for (std::size_t i = 0; i < chains; ++i)
    for (std::size_t j = 0; j < width; ++j) out[i * width + j] = sum[i][j];
  return 2.0 * double(rounds * chains * width);
}

// Finds the fastest of many shapes: which fits the registers depends on machine and compiler.
template <class T>
class Limit {
 public:
  static constexpr int rounds = 101;

  explicit Limit(std::size_t threads = 1) : pool_(threads) {}

  // Returns the limit in GFLOP/s.
  double find() {
    add_shapes<16 / sizeof(T)>();
    add_shapes<32 / sizeof(T)>();
    add_shapes<64 / sizeof(T)>();
    std::vector<Function> functions;
    for (const Shape shape : shapes_) functions.push_back([this, shape] { run(shape); });
    const std::vector<Seconds> seconds = time_in_turn(functions, rounds);
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const double gflops = run(shapes_[k]) / seconds[k].median * 1e-9;
      if (gflops <= gflops_) continue;
      gflops_ = gflops;
      fastest_ = shapes_[k];
    }
    return gflops_;
  }

  // Returns the GFLOP/s of f and its share of the limit, measured beside it.
  Figure measure(const std::string& name, double operations, const Function& f, int repetitions) {
    const Function fastest = [this] { run(fastest_); };
    const std::vector<Seconds> seconds = time_in_turn({f, fastest}, repetitions);
    return {.name = name,
            .value = operations / seconds[0].median * 1e-9,
            .unit = "GFLOP/s",
            .repetitions = repetitions,
            .limit = gflops_,
            .share = (operations / seconds[0].best) / (run(fastest_) / seconds[1].best)};
  }

 private:
  using Shape = double (*)(T factor, T term, T* out);

  template <std::size_t width>
  void add_shapes() {
    shapes_.insert(shapes_.end(), {multiply_add<T, 10, width>, multiply_add<T, 12, width>,
                                   multiply_add<T, 14, width>, multiply_add<T, 24, width>});
  }

  double run(Shape shape) {
    std::atomic<double> operations = 0;
    pool_.run(pool_.threads(), [&](std::size_t) {
      thread_local T out[24 * 64 / sizeof(T)];
      operations = shape(factor_, term_, out);
    });
    return operations * double(pool_.threads());
  }

  Pool pool_;
  // Volatile, so that no run is optimised away.
  volatile T factor_ = T(0.999);
  volatile T term_ = T(0.001);
  std::vector<Shape> shapes_;
  Shape fastest_ = nullptr;
  double gflops_ = 0;
};

// -------------------------------------------------------------------------------- what is measured

template <class T>
static void products(const std::string& type, Report& report) {
  Limit<T> limit;
  report.add({.name = "peak." + type,
              .value = limit.find(),
              .unit = "GFLOP/s",
              .note = "multiply-add in registers, one core: the limit",
              .repetitions = limit.rounds});
  Random random(1);
  struct Case {
    std::size_t m, k, n;
    const char* form;  // nn: A·B; tn: Aᵀ·B with A stored k x m; nt: A·Bᵀ with B stored n x k
  };
  for (const auto& [m, k, n, form] : {Case{32, 48, 256, "nn"},
                                      {64, 80, 256, "nn"},
                                      {256, 128, 128, "nn"},
                                      {768, 128, 512, "nn"},
                                      {512, 512, 512, "nn"},
                                      {256, 128, 128, "tn"},
                                      {256, 128, 128, "nt"},
                                      {61, 67, 65, "nn"}}) {
    const bool ta = form[0] == 't', tb = form[1] == 't';
    const auto A = normal_matrix<T>(ta ? k : m, ta ? m : k, 1, random);
    const auto B = normal_matrix<T>(tb ? n : k, tb ? k : n, 1, random);
    const auto a = ta ? transpose(A) : A.view();
    const auto b = tb ? transpose(B) : B.view();
    Matrix<T> C(m, n);
    report.add(limit.measure(
        join("matmul.", type, ".", m, "x", k, "x", n, ".", form), 2.0 * double(m * k * n),
        [&] { matmul_into(C, a, b); }, 1001));
  }
}

static std::vector<std::uint32_t> random_text() {
  Random random(1);
  std::vector<std::uint32_t> text(1'000'000);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(65));
  return text;
}

// Times lesson 2's training loop, a hundred steps at a time.
static void bengio(Report& report) {
  constexpr int repetitions = 51;
  constexpr long steps = 100;
  const std::vector<std::uint32_t> text = random_text();
  for (const std::size_t batch : {64u, 256u})
    for (const std::size_t threads : {1u, 2u}) {
      Random random(1);
      lesson2::Bengio<float> model({.vocab = 65, .context = 8, .dim = 16, .hidden = 256}, random);
      lesson2::TrainingSettings settings;
      settings.steps = steps;
      settings.batch = batch;
      settings.rate = 1e-3;
      Pool pool(threads);
      const Function train = [&] { lesson2::train(model, text, settings, pool, random); };
      const double seconds = time_in_turn({train}, repetitions)[0].median / double(steps);
      const std::string name = join("lesson2.c8_d16_h256_b", batch, ".t", threads);
      report.add({.name = name,
                  .value = 1e6 * seconds,
                  .unit = "us",
                  .note = "a training step",
                  .repetitions = repetitions});
      report.add({.name = name + ".rate",
                  .value = 1 / seconds,
                  .unit = "1/s",
                  .note = "training steps",
                  .repetitions = repetitions});
    }
}

// Times what a training step of lesson 2 consists of, each piece by itself at its own shapes, as
// shares of the step. What no piece has is the last line: memory, sums over shards, and on a busy
// machine what others took.
static void shares_of_step(Report& report, std::size_t batch) {
  constexpr int repetitions = 101;
  constexpr long steps = 20;
  const std::size_t rows = batch > 128 ? 128 : 64, shards = batch / rows;  // as train() cuts them
  const std::vector<std::uint32_t> text = random_text();
  Random random(1);
  using Model = lesson2::Bengio<float>;
  const lesson2::BengioForm form{.vocab = 65, .context = 8, .dim = 16, .hidden = 256};
  Model model(form, random), trained = model;
  const lesson2::Windows windows =
      lesson2::draw_windows(text, rows, form.context, form.padding(), random);
  Model::Trace t;
  model.forward(windows, t);
  const Matrix<float> dS = lesson2::loss_of(windows)(t.Y).gradient, dH = t.H, dE = t.E;
  const Matrix<float> flat = 0.1f * t.H;  // slopes near 1: no product of many falls to nothing
  Gradients<Model> g(model);
  model.backward(windows, t, dS, g);
  AdamW<float> adam;
  Matrix<float> Z(rows, form.hidden), Y(rows, form.vocab), E(rows, t.E.cols());
  Matrix<float> dW1(E.cols(), Z.cols()), dW2(Z.cols(), Y.cols());
  Pool pool(1);
  struct Piece {
    const char* name;
    std::size_t times;
    Function run;
  };
  const std::vector<Piece> pieces{
      {"products", shards,
       [&] {
         matmul_into(Z, t.E, model.W1);
         matmul_into(Y, t.H, model.W2);
         matmul_into(dW2, transpose(t.H), dS);
         matmul_into(Z, dS, transpose(model.W2));
         matmul_into(dW1, transpose(t.E), dH);
         matmul_into(E, dH, transpose(model.W1));
       }},
      {"tanh", shards, [&] { Z = map_entries(std::move(Z), elementary::tanh<float>); }},
      {"tanh.back", shards, [&] { Z = zip(std::move(Z), flat, lesson2::through_tanh<float>); }},
      {"softmax", shards, [&] { lesson2::loss_of(windows)(t.Y); }},
      {"biases", shards,
       [&] {
         Z = add_row(std::move(Z), model.b1);
         Y = add_row(std::move(Y), model.b2);
         column_sums(dS);
         column_sums(dH);
       }},
      {"look_up", shards, [&] { model.look_up(windows); }},
      {"scatter", shards, [&] { model.scatter_add(windows, dE); }},
      {"windows", shards,
       [&] { lesson2::draw_windows(text, rows, form.context, form.padding(), random); }},
      {"adamw", 1, [&] { adam.step(trained.tensors(), g.parameters.tensors(), 1e-3); }}};
  std::vector<Function> functions{[&] {
    lesson2::TrainingSettings settings;
    settings.steps = steps;
    settings.batch = batch;
    settings.rate = 1e-3;
    lesson2::train(model, text, settings, pool, random);
  }};
  for (const Piece& piece : pieces) functions.push_back(piece.run);
  const std::vector<Seconds> seconds = time_in_turn(functions, repetitions);
  const double step = seconds[0].best / double(steps);  // as all that is compared with it
  double rest = step;
  const auto add = [&](const std::string& name, double taken) {
    report.add({.name = join("lesson2.step.b", batch, ".", name),
                .value = 1e6 * taken,
                .unit = "us",
                .note = fixed(100 * taken / step, 0) + " % of the step",
                .repetitions = repetitions});
  };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const double taken = double(pieces[k].times) * seconds[k + 1].best;
    rest -= taken;
    add(pieces[k].name, taken);
  }
  add("rest", rest);
}

// Writing fills the cached context and halves it, again and again.
static void transformers(Report& report) {
  lesson6::Recipe recipe = lesson6::recipe_of("nanogpt");
  recipe.form.vocab = 65;
  recipe.run.steps = 1'000'000'000;
  const std::vector<std::uint32_t> text = random_text();
  for (const std::size_t threads : {1u, 2u}) {
    lesson6::LanguageModel<float> model(recipe.form);
    lesson6::draw_start(model, recipe.start, 1);
    Pool pool(threads);
    lesson6::LanguageTrainer<float> trainer(model, text, recipe.run, pool);
    Limit<float> limit(threads);
    limit.find();
    const double operations = lesson6::operations_a_step(recipe.form, recipe.run.batch);
    Figure step = limit.measure(
        join("lesson6.l4_h4_w128_t64_b12.t", threads), operations, [&] { trainer.step(); }, 101);
    step.value = operations / step.value * 1e-6;
    step.unit = "ms";
    report.add(step);
    if (threads > 1) continue;
    Random random(1);
    const Function write = [&] { lesson6::write(model, {0}, 320, 1.0, random); };
    report.add({.name = "lesson6.generate",
                .value = 320 / time_in_turn({write}, 21)[0].median,
                .unit = "1/s",
                .note = "symbols written with the cache, same model, one core",
                .repetitions = 21});
  }
}

// The smallest transformer that people train by hand, a name at a time: 26 letters and the line's
// end make 27 symbols. The speed does not depend on the text, so a random one stands for the names.
static void names(Report& report) {
  constexpr long steps = 1000;
  lesson6::Recipe recipe = lesson6::recipe_of("C");
  recipe.form.vocab = 27;
  recipe.form.context = 16;
  recipe.form.transformer.width = 16;
  recipe.run.batch = 1;
  recipe.run.set_steps(steps);
  std::vector<std::uint32_t> text = random_text();
  for (std::uint32_t& symbol : text) symbol %= 27;
  Pool pool(1);
  const Function train = [&] {
    lesson6::LanguageModel<float> model(recipe.form);
    lesson6::draw_start(model, recipe.start, 1);
    lesson6::LanguageTrainer<float> trainer(model, text, recipe.run, pool);
    for (long step = 0; step < steps; ++step) trainer.step();
  };
  report.add({.name = "lesson6.names.l1_h4_w16_t16_b1",
              .value = time_in_turn({train}, 11)[0].median,
              .unit = "s",
              .note = "1,000 steps; with names: build/lesson6 --text names.txt --recipe C "
                      "--width 16 --context 16 --batch 1 --steps 1000 --threads 1",
              .repetitions = 11});
}

int main() {
  return run_program("bench", [] {
    Report report;
    products<float>("f32", report);
    products<double>("f64", report);
    bengio(report);
    for (const std::size_t batch : {64u, 256u}) shares_of_step(report, batch);
    transformers(report);
    names(report);
    write_file("build/bench.json", report.json());
    std::printf("wrote build/bench.json\n");
    return report.limit_holds() ? 0 : 1;
  });
}
