// Training of lesson 6's language model: what a step computes, the same bits with any number of threads and after a
// stop, no request for memory once a run is warm, clipping, decay, and runs that diverge.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "common/loss.hpp"
#include "common/support/flags.hpp"
#include "lessons/6_bma/run/start.hpp"
#include "lessons/6_bma/run/train.hpp"
#include "tests/check.hpp"

using namespace lesson6;

// Sanitizers bring their own operator new.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_REQUESTS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define COUNTS_REQUESTS 0
#endif
#endif
#ifndef COUNTS_REQUESTS
#define COUNTS_REQUESTS 1
#endif

static std::atomic<long> requests = 0;  // for memory, by any thread

#if COUNTS_REQUESTS
// The forms for arrays end here too. By a volatile pointer, since g++ warns when it sees through to a free() of what
// came from new.
static void (*volatile const give_back)(void*) = std::free;
void* operator new(std::size_t size) {
  ++requests;
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
#endif

// ------------------------------------------------------------------------------------------------- models and texts

// Two layers, two heads of four, seven symbols.
static LanguageForm form_of(Gate gate, double dropout = 0) {
  return {7, 6, {.gate = gate, .layers = 2, .heads = 2, .width = 8, .dropout = dropout}, gate == Gate::post};
}

template <class T>
static LanguageModel<T> random_model(const LanguageForm& form, double deviation = 0.3) {
  LanguageModel<T> model(form);
  Random random(1);
  for (const auto& [name, tensor] : model.tensors()) {
    const bool gain = name.find("weight") != std::string::npos;
    tensor =
        gain ? Matrix<T>(1, tensor.cols(), T(1)) : normal_matrix<T>(tensor.rows(), tensor.cols(), deviation, random);
  }
  return model;
}

static std::vector<std::uint32_t> random_text(std::size_t length) {
  Random random(2);
  std::vector<std::uint32_t> text(length);
  for (std::uint32_t& symbol : text) symbol = std::uint32_t(random.below(7));
  return text;
}

// Five sequences a step: shards of two, one, one, one.
static RunSettings settings_of(long steps) { return {.steps = steps, .batch = 5, .warm_up = 3}; }

template <class T>
static bool same(const LanguageModel<T>& a, const LanguageModel<T>& b) {
  const ConstTensors<T> left = a.tensors(), right = b.tensors();
  for (std::size_t t = 0; t < left.size(); ++t)
    if (left[t].tensor != right[t].tensor) return false;
  return true;
}

template <class T>
static double norm_of(const Tensors<T>& tensors) {
  double square = 0;
  for (const auto& [name, tensor] : tensors) square += dot(tensor, tensor);
  return std::sqrt(square);
}

// ---------------------------------------------------------------------------------------------------------- one step

// Loss and gradients of one window, found without a trainer.
struct Direct {
  LanguageModel<double> gradients;
  double loss;

  Direct(const LanguageModel<double>& model, Symbols window) : gradients(model.form) {
    const Texts texts{window.first(model.form.context), model.form.context};
    const auto loss_of = [&](const Matrix<double>& Y) { return softmax_cross_entropy(Y, window.subspan(1)); };
    loss = loss_of(output(model, texts)).value;
    gradients = ::gradients(model, texts, loss_of).d;
  }
};

// A text with two windows: k of the five sequences are the second. The loss must be the mean for some whole k, and the
// gradients must be the mean for the same k. Shards that counted alike whatever their length would fit no k.
static void steps_are_means(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(8);
  const LanguageModel<double> model = random_model<double>(form_of(Gate::bma));
  Direct first(model, Symbols(text).first(7)), second(model, Symbols(text).subspan(1, 7));
  check.that(std::abs(first.loss - second.loss) > 0.01, "two windows with losses of their own");
  Pool pool(2);
  bool mixed = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RunSettings settings = settings_of(1);
    settings.seed = seed;
    settings.clip = 1e9;
    LanguageModel<double> trained = model;
    LanguageTrainer<double> trainer(trained, text, settings, pool);
    const double loss = trainer.step();
    const double k = std::round(5 * (loss - first.loss) / (second.loss - first.loss));
    check.that(k >= 0 && k <= 5, "each sequence is one of the two windows");
    check.near(loss, first.loss + k / 5 * (second.loss - first.loss), 1e-14,
               "the loss is the mean over five sequences");
    mixed = mixed || (k > 0 && k < 5);
    const Tensors<double> one = first.gradients.tensors(), other = second.gradients.tensors();
    for (std::size_t t = 0; t < one.size(); ++t)
      check.near(
          max_abs_difference(trainer.gradients()[t].tensor, (1 - k / 5) * one[t].tensor + (k / 5) * other[t].tensor), 0,
          1e-14, "the gradient is the mean: " + one[t].name);
  }
  check.that(mixed, "both windows in one batch");
}

// Root mean squares of the matrices, by start: embeddings, weights of the fan-in 64 and 256, branch outputs of two
// layers, the head, the gates. Each is found from thousands of numbers, its deviation 1/√(2·count) of it; 4.5 of these
// are allowed.
static void where_weights_start(Checks& check) {
  struct Expected {
    const char *start, *tensor;
    double deviation;
  };
  const double by_fan_in = 1 / 8.0, half = 1 / 2.0;  // 1/√64; and √(2·2) for two layers
  const std::vector<Expected> all{{"own", "tok", 0.05},
                                  {"own", "blocks.1.attn.Wq", by_fan_in},
                                  {"own", "blocks.1.attn.Wo", by_fan_in * half},
                                  {"own", "blocks.1.mlp.W2", by_fan_in * half * half},  // 1/√256
                                  {"own", "blocks.0.attn.Wg", 0.02},
                                  {"own", "head.W", by_fan_in / 2},
                                  {"large", "tok", 0.5},
                                  {"large", "pos", 0.5},
                                  {"large", "blocks.1.attn.Wo", by_fan_in * half},
                                  {"small", "tok", 0.02},
                                  {"small", "blocks.1.mlp.W2", 0.02 * half},
                                  {"small", "head.W", 0.02},
                                  {"published", "pos", 0.02},
                                  {"published", "blocks.1.attn.Wo", 0.02},
                                  {"published", "blocks.1.mlp.W2", 0.02},
                                  {"published", "blocks.0.attn.Wg", 0.02},
                                  {"published", "head.W", 0.02}};
  for (const Expected& e : all) {
    LanguageModel<double> model({65, 48, {Gate::bma, 2, 4, 64}});
    draw_start(model.tensors(), start_named(e.start), 2, 3);
    bool found = false;
    for (const auto& [name, tensor] : model.tensors())
      if (name == e.tensor) {
        found = true;
        check.near(std::sqrt(mean_square(tensor)), e.deviation,
                   4.5 * e.deviation / std::sqrt(2 * double(tensor.size())), std::string(e.start) + ": " + name);
      }
    check.that(found, std::string("there is ") + e.tensor);
  }
  check.throws<UserError>([] { start_named("gpt"); }, "'gpt' is none of own, large, small, published", "a start");
}

// Small weights leave logits z near 0, and the loss is ln vocab + Var z/2 or so: the head's .02 times rows of 8 numbers
// of variance 1 gives Var z = 8·.02² = .003.
static void first_loss(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  Pool pool(1);
  for (const Gate gate : all_gates) {
    LanguageModel<float> model = random_model<float>(form_of(gate), 0.02);
    LanguageTrainer<float> trainer(model, text, settings_of(10), pool);
    check.near(trainer.step(), std::log(7.0), 0.05, std::string(name_of(gate)) + ": the first loss is ln vocab");
  }
}

// One factor for all gradients, so that their common norm is `clip`; below that none.
static void clipping(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  Pool pool(2);
  const auto gradients = [&](double clip) {
    LanguageModel<float> model = random_model<float>(form_of(Gate::bma));
    RunSettings settings = settings_of(1);
    settings.clip = clip;
    LanguageTrainer<float> trainer(model, text, settings, pool);
    trainer.step();
    std::vector<Matrix<float>> found;
    for (const auto& [name, tensor] : trainer.gradients()) found.push_back(tensor);
    return std::pair(found, norm_of(trainer.gradients()));
  };
  const auto [free, norm] = gradients(1e9);
  constexpr double few_roundings = 4 * std::numeric_limits<float>::epsilon();
  for (const double part : {0.1, 0.999, 1.001}) {
    const auto [clipped, clipped_norm] = gradients(part * norm);
    const double factor = std::min(part, 1.0);
    check.near(clipped_norm / norm, factor, few_roundings, "the norm is at most `clip`");
    for (std::size_t t = 0; t < free.size(); ++t)
      check.near(max_abs_difference(clipped[t], float(factor) * free[t]), 0, few_roundings * norm,
                 "one factor for all");
    check.that((clipped == free) == (part > 1), "gradients below `clip` are left as they are");
  }
}

// Without gradients a step shrinks what decays by rate·decay, and nothing else.
static void decay(Checks& check) {
  LanguageModel<double> model = random_model<double>(form_of(Gate::bma)), zero(model.form), before = model;
  DecayedAdamW<double> adam(model.tensors(), zero.tensors(), 0.1, {});
  adam.step(0.5);
  const Tensors<double> now = model.tensors(), then = before.tensors();
  for (std::size_t t = 0; t < now.size(); ++t) {
    const bool row = now[t].tensor.rows() == 1;
    check.that(now[t].tensor == (row ? 1 : 1 - 0.5 * 0.1) * then[t].tensor,
               now[t].name + (row ? " does not decay" : " decays"));
  }
  check.that(adam.state().steps() == 1, "the state counts the steps");
}

// A text with one window, a rate of 0: losses differ by what is dropped alone. A batch of one is what the first shard
// of a batch of four does; if all shards dropped the same, the losses would be equal.
static void drops_anew(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(7);
  LanguageModel<double> model = random_model<double>(form_of(Gate::bma, 0.3));
  RunSettings settings = settings_of(2);
  settings.rate = 0;
  Pool pool(2);
  const auto losses = [&](std::size_t batch) {
    settings.batch = batch;
    LanguageTrainer<double> trainer(model, text, settings, pool);
    return std::pair(trainer.step(), trainer.step());
  };
  const auto [one, next] = losses(1);
  const auto [four, next_four] = losses(4);
  check.that(std::abs(one - next) > 1e-3, "each step drops anew");
  check.that(std::abs(one - four) > 1e-3 && std::abs(next - next_four) > 1e-3, "each shard drops anew");
}

// The rate climbs over the warm-up and falls along the cosine; the averages are those of AdamW with .9 and .99. Each
// tensor by an optimizer of its own.
static void rates(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  LanguageModel<double> model = random_model<double>(form_of(Gate::post)), expected = model;
  Pool pool(2);
  const RunSettings settings = settings_of(8);
  LanguageTrainer<double> trainer(model, text, settings, pool);
  const Tensors<double> now = model.tensors(), then = expected.tensors();
  std::vector<AdamW<double>> adam;
  for (const auto& [name, tensor] : then)
    adam.emplace_back(AdamWSettings{0.9, 0.99, 1e-8, tensor.rows() == 1 ? 0 : settings.decay});
  for (long s = 0; s < 8; ++s) {
    trainer.step();
    const double rate = cosine_rate(s, 8, settings.rate, settings.warm_up, settings.last_rate);
    for (std::size_t t = 0; t < then.size(); ++t) {
      adam[t].step({then[t]}, {trainer.gradients()[t]}, rate);
      // Test and training are compiled apart, and each may round in its own way: numbers of size 1, a few roundings a
      // step.
      check.near(max_abs_difference(now[t].tensor, then[t].tensor), 0, 1e-14,
                 now[t].name + ": AdamW's step " + std::to_string(s));
    }
  }
}

// ------------------------------------------------------------------------------------------------ repeated and resumed

static LanguageModel<float> trained(Gate gate, double dropout, std::size_t threads, std::uint64_t seed = 1) {
  const std::vector<std::uint32_t> text = random_text(100);
  LanguageModel<float> model = random_model<float>(form_of(gate, dropout));
  RunSettings settings = settings_of(8);
  settings.seed = seed;
  Pool pool(threads);
  LanguageTrainer<float> trainer(model, text, settings, pool);
  for (int s = 0; s < 8; ++s) trainer.step();
  return model;
}

static void threads(Checks& check) {
  for (const Gate gate : {Gate::standard, Gate::bma, Gate::post})
    for (const double dropout : {0.0, 0.2}) {
      const std::string where = std::string(name_of(gate)) + (dropout > 0 ? ", dropout" : "");
      const LanguageModel<float> one = trained(gate, dropout, 1);
      for (const std::size_t count : {1u, 2u, 3u, 8u})
        check.that(same(trained(gate, dropout, count), one), where + ": " + std::to_string(count) + " threads");
      check.that(!same(trained(gate, dropout, 1, 2), one), where + ": another seed is another run");
    }
  check.that(!same(trained(Gate::bma, 0, 1), trained(Gate::bma, 0.2, 1)), "dropout changes a run");
}

// A copy of the model and of the state, taken between two steps, goes on with other threads as if nothing had happened.
static void resumed(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  for (const Gate gate : {Gate::half, Gate::attending})
    for (const double dropout : {0.0, 0.2}) {
      const std::string where = std::string(name_of(gate)) + (dropout > 0 ? ", dropout" : "");
      Pool one(1), two(2);
      LanguageModel<float> model = random_model<float>(form_of(gate, dropout));
      LanguageTrainer<float> trainer(model, text, settings_of(8), one);
      for (int s = 0; s < 3; ++s) trainer.step();
      LanguageModel<float> copy = model;
      LanguageTrainer<float> later(copy, text, settings_of(8), two, trainer.state());
      check.that(later.steps() == 3, where + ": the run goes on at its step");
      for (int s = 3; s < 8; ++s) check.that(trainer.step() == later.step(), where + ": the same loss");
      check.that(same(copy, model) && later.steps() == 8, where + ": the same run after a stop, to the bit");
    }
}

// ------------------------------------------------------------------------------------------------------------ memory

// Each thread has a packing room of its own that grows with its largest product. Both threads get one here, for neither
// job ends before the other has begun.
static void pack_on_both_threads(Pool& pool) {
  std::atomic<int> begun = 0;
  pool.run(2, [&](std::size_t) {
    for (++begun; begun < 2;) std::this_thread::yield();
    const Matrix<float> A(100, 100);
    matmul(A, transpose(A));
  });
}

// A step repeats what the step before it did, in the same rooms.
static void no_requests(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  for (const Gate gate : all_gates)
    for (const double dropout : {0.0, 0.2})
      for (const std::size_t count : {1u, 2u}) {
        Pool pool(count);
        LanguageModel<float> model = random_model<float>(form_of(gate, dropout));
        LanguageTrainer<float> trainer(model, text, settings_of(20), pool);
        if (count > 1) pack_on_both_threads(pool);
        for (int s = 0; s < 3; ++s) trainer.step();
        const long before = requests;
        for (int s = 0; s < 10; ++s) trainer.step();
        const long found = requests - before;
        check.near(double(found), 0, 0,
                   std::string(name_of(gate)) + (dropout > 0 ? ", dropout" : "") + ", " + std::to_string(count) +
                       " threads: requests for memory in ten steps");
      }
}

static void counting(Checks& check) {
  const long before = requests;
  const std::vector<int> something(10, 1);
  check.that(requests > before && something[9] == 1, "a request for memory is counted");
}

// ------------------------------------------------------------------------------------------------------ wrong settings

static void diverges(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(100);
  for (const Gate gate : all_gates) {
    LanguageModel<float> model = random_model<float>(form_of(gate));
    RunSettings settings = settings_of(50);
    settings.rate = 1e4;
    Pool pool(2);
    LanguageTrainer<float> trainer(model, text, settings, pool);
    const auto run = [&] {
      for (int s = 0; s < 50; ++s) trainer.step();
    };
    check.throws<Diverged>(run, "try a smaller --lr", std::string(name_of(gate)) + ": a rate of 10,000");
    check.that(trainer.steps() > 0, "the first steps are taken");
    model.E = Matrix<float>(7, 8, std::numeric_limits<float>::quiet_NaN());
    check.throws<Diverged>([&] { trainer.step(); }, "diverged", "a loss that is no number");
  }
}

static void refuses(Checks& check) {
  const std::vector<std::uint32_t> text = random_text(8);  // as long as the context, so that no target is left
  LanguageModel<float> model = random_model<float>(form_of(Gate::standard));
  Pool pool(1);
  RunSettings settings = settings_of(50);
  check.throws<std::invalid_argument>(
      [&] { LanguageTrainer<float>(model, Symbols(text).first(model.form.context), settings, pool); },
      "no longer than the context", "a text without a window");
  settings.batch = 0;
  const std::vector<std::uint32_t> longer = random_text(100);
  check.throws<std::invalid_argument>([&] { LanguageTrainer<float>(model, longer, settings, pool); }, "batch of 0",
                                      "no windows");
}

int main() {
  Checks check;
  steps_are_means(check);
  where_weights_start(check);
  first_loss(check);
  clipping(check);
  decay(check);
  drops_anew(check);
  rates(check);
  threads(check);
  resumed(check);
  diverges(check);
  refuses(check);
  if (COUNTS_REQUESTS) {
    counting(check);
    no_requests(check);
  } else std::printf("test_lesson6_training: requests for memory are not counted under a sanitizer\n");
  return check.done("test_lesson6_training");
}
