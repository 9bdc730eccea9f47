// Exercise 6.6: a gate of your own, with the control that it needs.
// Hint: A gate that starts near 0 is a function that is 0 at 0, or nearly so. It must not be flat
// there, because the gate's weights learn by its slope. `back` sees G alone, so choose a function
// whose slope can be told from its value.
// Hint: tanh is one: its slope is 1 - G². Its `start` is 0.
// Hint: What does a gate that starts at 0 do in the first steps? Let a constant do the same. It is
// not ½, but smaller.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/models.hpp"

// For the check:
#include <ex6_6_own_gate.hpp>

#include "common/data/corpus.hpp"
#include "common/spread.hpp"
#include "lessons/6_bma/answers/shared.hpp"
#include "lessons/6_bma/store.hpp"

using namespace shared;
using lesson6::GateSource, lesson6::GateTarget, lesson6::Variant;

namespace ours::ex6_6 {

using namespace lesson6;

template <class T>
void open(std::span<T> Z) {
  for (T& z : Z) {
    T g = elementary::tanh(z);
    slip(g, elementary::sigmoid(z), "that is bma's gate");
    slip(g, z * z, "flat where the gate's weights start");
    slip(g, std::log(z), "not a finite number");
    slip(g, elementary::tanh(z + T(0.3)), "`start` is what the factor is");
    z = g;
  }
}

template <class T>
void back(std::span<const T> G, std::span<T> dG) {
  for (std::size_t k = 0; k < G.size(); ++k) {
    T slope = 1 - G[k] * G[k];
    slip(slope, T(1), "the slope is missing");
    slip(slope, G[k] * (1 - G[k]), "that is the slope of the sigmoid");
    slip(slope, 1 - elementary::tanh(G[k]) * elementary::tanh(G[k]), "is given G, not Z");
    slip(slope, G[k] * G[k] - 1, "its sign is wrong");
    slip(slope, 1 - G[k], "there the slope is");
    dG[k] *= slope;
    slip(dG[k], slope, "multiplied by the slope");
  }
}

template <class T>
const Variant<T> entry{.name = "own",
                       .formula = "",
                       .source = GateSource::by_query,
                       .target = GateTarget::values,
                       .start = 0,
                       .open = open<T>,
                       .back = back<T>};

const double control = 0.1;

}  // namespace ours::ex6_6

// Not 0, where a gate may have a kink.
static const std::vector<double> probes{-1.3, -0.4, 0.3, 0.9, 2};

static double opened(const Variant<double>& entry, double z) {
  entry.open({&z, 1});
  return z;
}
static double slope_at(const Variant<double>& entry, double z) {
  return (opened(entry, z + 1e-5) - opened(entry, z - 1e-5)) / 2e-5;
}
static double sent_back(const Variant<double>& entry, double z, double dG) {
  const double G = opened(entry, z);
  entry.back({&G, 1}, {&dG, 1});
  return dG;
}

// Central differences are off by 1e-10, a wrong slope by hundredths.
template <class F, class G>
static bool same(F f, G g) {
  return std::all_of(probes.begin(), probes.end(),
                     [&](double z) { return std::abs(f(z) - g(z)) < 1e-6; });
}

static bool is_bma(const Variant<double>& entry) {
  return entry.open &&
         same([&](double z) { return opened(entry, z); }, elementary::sigmoid<double>);
}

static std::string diagnose_back(const Variant<double>& entry) {
  const auto yours = [&](double z) { return sent_back(entry, z, 1); };
  const auto right = [&](double z) { return slope_at(entry, z); };
  if (!same([&](double z) { return sent_back(entry, z, 2); },
            [&](double z) { return 2 * yours(z); }))
    return "back: dG is to be multiplied by the slope; yours does not double when dG does";
  if (same(yours, right)) return "";
  if (same(yours, [](double) { return 1; }))
    return "back: the slope is missing; dG comes out as it went in";
  if (same(yours, [&](double z) { return -right(z); }))
    return "back: the slope is right, its sign is wrong";
  if (same(yours, [&](double z) { return slope_at(entry, opened(entry, z)); }))
    return "back is given G, not Z: yours is the slope at G; tell it from the value";
  if (same(yours, [&](double z) { return opened(entry, z) * (1 - opened(entry, z)); }))
    return "back: G·(1 - G), that is the slope of the sigmoid; yours is another gate";
  const double z = *std::max_element(probes.begin(), probes.end(), [&](double a, double b) {
    return std::abs(yours(a) - right(a)) < std::abs(yours(b) - right(b));
  });
  return join("back: at Z = ", z, " it multiplies dG by ", significant(yours(z), 4),
              "; there the slope is ", significant(right(z), 4));
}

static std::string diagnose_gate(const Variant<double>& entry) {
  if (!entry.open || !entry.back) return "the entry does not name open, or back";
  if (entry.source != GateSource::by_query && entry.source != GateSource::by_input)
    return "source: a gate is made by the query or by the input";
  for (const double z : probes)
    if (!std::isfinite(opened(entry, z)))
      return join("what open makes of Z = ", z, " is not a finite number");
  if (is_bma(entry)) return "that is bma's gate: write another";
  const double start = opened(entry, 0);
  if (!(std::abs(start - entry.start) < 5e-3))
    return join("`start` is what the factor is while the gate's weights are 0; open makes ",
                significant(start, 3), " of 0, and the entry says ", significant(entry.start, 3));
  // To either side, as there may be a kink. A small slope does: AdamW moves by the rate, however
  // small the gradient is. That of z² is 1e-4 here.
  const double near = 1e-4;
  const double slope =
      std::max(std::abs(opened(entry, near) - start), std::abs(opened(entry, -near) - start)) /
      near;
  if (slope < 1e-3)
    return "flat where the gate's weights start: the slope at Z = 0 is 0, and they learn nothing";
  if (const std::string wrong = diagnose_back(entry); !wrong.empty()) return wrong;
  const lesson6::OwnVariant own{.in_float = {}, .in_double = entry};
  lesson6::SmallCase small({.own = &own}, 3);
  const double worst =
      lesson6::without_key_biases(check_model(small.layer, small.X, small.loss)).worst();
  return worst <= 1e-6
             ? ""
             : join("the gradients of a layer with this gate are off by ", significant(worst, 2));
}

// Trains in pairs: standard attention, the gate and, if that is ahead, the control.
static Assessment race() {
  const Corpus corpus = read_corpus("", 32);
  lesson6::Recipe recipe = lesson6::recipe_of("C");
  recipe.form.vocab = corpus.vocab();
  recipe.run.set_steps(80);
  const lesson6::OwnVariant own{.in_float = ex6_6::entry<float>, .in_double = {}};
  const lesson6::OwnVariant constant{.in_float = {.name = "constant",
                                                  .formula = "",
                                                  .source = GateSource::constant,
                                                  .start = float(ex6_6::control)},
                                     .in_double = {}};
  Pool pool(2);
  const auto losses = [&](const lesson6::OwnVariant* variant) {
    std::vector<double> ends(4);
    pool.run(ends.size(), [&](std::size_t k) {
      lesson6::Recipe one = recipe;
      one.form.transformer.own = variant;
      one.run.seed = seed_of_run(1, k);
      lesson6::LanguageModel<float> model(one.form);
      lesson6::draw_start(model, one.start, one.run.seed);
      Pool alone(1);
      lesson6::LanguageTrainer<float> trainer(model, corpus.part.train, one.run, alone);
      while (trainer.steps() < one.run.steps) trainer.step();
      ends[k] = mean_loss(model, corpus.text, corpus.train_end(),
                          corpus.text.size() - corpus.train_end(), alone);
    });
    return ends;
  };
  const auto minus = [](std::vector<double> one, const std::vector<double>& other) {
    for (std::size_t k = 0; k < one.size(); ++k) one[k] -= other[k];
    return spread_of(one);
  };
  const auto text = [](const Spread& s) {
    return fixed(s.mean, 4) + " (" + fixed(s.standard_error(), 4) + ")";
  };
  const std::vector<double> standard = losses(nullptr), gated = losses(&own);
  const Spread gate = minus(gated, standard);
  const std::string gains = "your gate - standard " + text(gate);
  if (!(gate.mean < -gate.half_width_95()))
    return wrong(
        "the gate is not ahead of standard attention beyond luck: what does it start at?\n" +
        gains);
  const std::vector<double> held = losses(&constant);
  const Spread control = minus(held, standard), behind = minus(held, gated);
  const std::string figures =
      join(gains, ", your constant - standard ", text(control), ", constant - gate ", text(behind));
  if (behind.mean > behind.half_width_95() && control.mean > 0.8 * gate.mean)
    return wrong(join(
        "the constant ", ex6_6::control, " does not explain what the gate gains: try one ",
        std::abs(ex6_6::control) > 0.2 ? "nearer to what the gate starts at" : "that is larger",
        "\n", figures));
  return {State::done, figures + (ex6_6::control == 0
                                      ? "\n0 takes attention away: in so few steps the gate gains "
                                        "no more than a layer without it"
                                      : "")};
}

static void test_slips() {
  const auto diagnosis = [] { return diagnose_gate(ours::ex6_6::entry<double>); };
  slips().known.clear();
  with_slips(diagnosis, {});
  for (const auto& [place, cause] : std::map(slips().known)) {
    slips().tried[place] = true;
    const std::string says = with_slips(diagnosis, {place});
    if (says.find(cause) != std::string::npos) continue;
    ++slips().unnamed;
    std::printf("%s:%d: '%s' is told: %s\n", place.first.c_str(), place.second, cause.c_str(),
                says.c_str());
  }
}

static Assessment check() {
  if (slips().tested) test_slips();
  const Variant<double>& entry = ex6_6::entry<double>;
  if (is_bma(entry) && ex6_6::control == 1) return not_started();
  if (const std::string text = diagnose_gate(entry); !text.empty()) return wrong(text);
  if (std::isnan(ex6_6::control) || ex6_6::control == 1)
    return wrong("the gate is right; control: 1 is standard attention itself");
  return slips().tested ? done() : race();
}
static const Exercise here{"6.6", "A gate of your own", check};
