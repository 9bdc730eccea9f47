// Binds lesson 6's equations to what the program computes.
// SPDX-License-Identifier: MIT
#include "common/frame/formula/equation_checker.hpp"
#include "lessons/6_bma/tasks.hpp"

namespace lesson6 {

using formula::Scope, formula::Value;
using Arguments = std::vector<Value>;

constexpr std::size_t height = 5, columns = 4;

static Matrix<double> drawn(std::size_t rows, std::size_t cols, Random& random) {
  return normal_matrix<double>(rows, cols, 1, random);
}

struct OneHead {
  Attention<double> layer;
  Sequences<double> X;
  Matrix<double> dY;
  Attention<double>::Trace t;
  Gradients<Attention<double>> g;
  std::vector<std::string> inputs{"X", "s"};

  explicit OneHead(Gate gate, Biases biases = Biases::with)
      : layer({.gate = gate, .width = columns, .biases = biases}), g(layer) {
    Random random(3);
    fill_normal(layer.tensors(), random, 0.6);
    X = {drawn(height, columns, random), height};
    dY = drawn(height, columns, random);
    layer.forward(X, t);
    layer.backward(X, t, dY, g);
    for (const auto& [name, tensor] : layer.tensors()) inputs.push_back(name);
  }

  // The program works in place (S becomes A, Z G, dG dZ, dA dS), so S is computed anew, and Z
  // recovered from G.
  Scope scope() const {
    const auto& scratch = g.scratch;
    const bool gated = variant_of(layer.form.gate).gated(),
               behind = variant_of(layer.form.gate).target == GateTarget::mixtures;
    const Matrix<double>& dM = scratch.dM;
    Scope s;
    s.values = {{"X", X.X}, {"Q", t.Q}, {"K", t.K}, {"V", t.V}, {"A", t.A}, {"M", t.M}, {"Y", t.Y}};
    s.values.insert({{"s", layer.scale_of_scores()},
                     {"S", matmul(t.Q, transpose(t.K))},
                     {"dY", dY},
                     {"dX", g.dX}});
    s.values.insert({{"O", behind ? t.O : t.M},
                     {"dO", behind ? scratch.dO : dM},
                     {"dM", dM},
                     {"dV", scratch.dV}});
    s.values.insert({{"dS", scratch.dA}, {"dQ", scratch.dQ}, {"dK", scratch.dK}});
    if (gated)
      s.values.insert({{"G", t.G},
                       {"Z", map_entries(t.G, [](double x) { return std::log(x / (1 - x)); })},
                       {"dZ", scratch.dG}});
    if (gated && !behind) s.values.insert({{"V~", t.Vg}, {"dV~", scratch.dVg}});
    for (const auto& [name, tensor] : read_only(layer)) s.values[name] = tensor;
    for (const auto& [name, tensor] : read_only(g.parameters)) s.values["d" + name] = tensor;
    return s;
  }
};

static void attention(formula::EquationChecker& checker) {
  const OneHead standard(Gate::standard), bma(Gate::bma), attending(Gate::attending),
      post(Gate::post);
  const Scope s = standard.scope();
  checker.model("6.5", s, {"O", "Wo", "bo"});
  checker.model("6.1 6.2 6.3 6.4", s, standard.inputs, "M");
  checker.model("6.1 6.2 6.3 6.6 6.7", bma.scope(), bma.inputs, "M");
  checker.holds("6.8", attending.scope());
  checker.model("6.1 6.2 6.3 6.4 6.6 6.9 6.5", attending.scope(), attending.inputs);
  checker.model("6.1 6.2 6.3 6.4 6.10 6.9 6.5", post.scope(), post.inputs);
  const Scope folded = OneHead(Gate::standard, Biases::without).scope();
  checker.holds("6.19", folded);
  checker.holds("6.20", folded);
}

// Checks the second head of the second sequence.
static void dropout(formula::EquationChecker& checker) {
  const SmallCase c({.gate = Gate::bma, .dropout = 0.4}, 8);
  Attention<double>::Trace t;
  c.layer.forward(c.X, t);
  const std::size_t m = c.layer.form.head_width(), n = c.X.tokens;
  const HeadBlock at{.first = n, .column = m, .tokens = n, .width = m, .top = 3 * n};
  Scope s;
  for (const auto& [name, of] :
       {std::pair("A", &t.A), std::pair("mask", &t.mask), std::pair("dropped", &t.D)})
    s.values[name] = Matrix<double>(at.square(*of));
  checker.holds("6.17", s);
}

static Value made_by(const auto& layer, const Value& X) {
  typename std::decay_t<decltype(layer)>::Trace t;
  layer.forward(X.matrix(), t);
  return t.Y;
}

static void block(formula::EquationChecker& checker) {
  Random random(4);
  Block<double> one({{.gate = Gate::bma, .width = columns, .heads = 2}});
  fill_normal(one.tensors(), random, 0.6);
  one.norm2 = one.norm1;
  const auto X = drawn(height, columns, random), dY = drawn(height, columns, random);
  LayerNorm<double>::Trace t;
  one.norm1.forward(X, t);
  LayerNorm<double> d(columns, Biases::with);
  Matrix<double> dX(height, columns);
  one.norm1.backward(t, dY, d, dX);
  Scope s;
  s.values = {
      {"X", X},  {"Y", t.Y}, {"Xhat", t.Xhat}, {"γ", one.norm1.gain}, {"β", one.norm1.shift},
      {"dY", dY}};
  s.values.insert({{"dX", dX}, {"dγ", d.gain}, {"dβ", d.shift}, {"ε", LayerNorm<double>::epsilon}});
  s.values["variance"] = map_entries(
      t.root, [](double root) { return 1 / (root * root) - LayerNorm<double>::epsilon; });
  checker.model("6.11", s, {"X", "γ", "β", "ε"});

  s.functions["gelu"] = formula::entrywise(gelu<double>);
  s.functions["norm"] = [&](const Arguments& of) { return made_by(one.norm1, of[0]); };
  s.functions["mlp"] = [&](const Arguments& of) { return made_by(one.feed_forward, of[0]); };
  s.functions["attention"] = [&](const Arguments& of) {
    Attention<double>::Trace trace;
    one.attention.forward({of[0].matrix(), height}, trace);
    return trace.Y;
  };
  for (const auto& [name, tensor] : one.feed_forward.tensors()) s.values[name] = tensor;
  s.values["z"] = 1.3;
  checker.holds("6.12", s);
  Block<double>::Trace trace;
  Matrix<double> stream = X;
  one.forward(stream, height, trace, nullptr);
  s.values.insert({{"X_0", X}, {"X_1", X + trace.attention.Y}, {"X_2", stream}});
  checker.holds("6.13", s);
}

static void product_inside(formula::EquationChecker& checker) {
  Random random(5);
  FeedForward<double> one(columns, Biases::with, Inside::swiglu), d = one;
  fill_normal(one.tensors(), random, 0.6);
  const auto X = drawn(height, columns, random), dY = drawn(height, columns, random);
  FeedForward<double>::Trace t;
  one.forward(X, t);
  FeedForward<double>::Scratch scratch;
  Matrix<double> dX;
  one.backward(X, t, dY, scratch, d, dX);
  Scope s;
  s.values = {{"X", X}, {"H", t.H}, {"Z", t.Z}, {"U", t.U}, {"dY", dY}};
  s.values.insert({{"dH", matmul(dY, transpose(one.W2))}, {"dU", scratch.dU}, {"dZ", scratch.dH}});
  for (const auto& [name, tensor] : one.tensors()) s.values[name] = tensor;
  s.functions["φ"] = formula::entrywise(swish<double>);
  s.functions["φ'"] = formula::entrywise(swish_prime<double>);
  s.functions["mlp"] = [&](const Arguments& of) {
    FeedForward<double>::Trace trace;
    one.forward(of[0].matrix(), trace);
    return trace.Y;
  };
  checker.holds("6.18", s);
  checker.holds("6.18", s, true);
}

static void ends(formula::EquationChecker& checker) {
  const SmallModel small(small_form({.gate = Gate::bma}), 6);
  LanguageModel<double>::Trace t;
  small.model.forward(small.texts(), t);
  const auto g = gradients(small.model, small.texts(), small.loss);
  Matrix<double> X, symbol(1, small.inputs.size()), place = symbol;
  small.model.embed(small.texts(), X);
  for (std::size_t i = 0; i < small.inputs.size(); ++i) {
    symbol(0, i) = small.inputs[i];
    place(0, i) = double(i % small.tokens);
  }
  Scope s;
  s.values = {{"C", small.model.C},
              {"Pos", small.model.Pos},
              {"symbol", symbol},
              {"place", place},
              {"X", X}};
  s.values.insert({{"dC", g.parameters.C}, {"dPos", g.parameters.Pos}, {"dX", g.scratch.dX}});
  checker.model("6.14", s, {"C", "Pos", "symbol", "place"}, "X");
  s.values = {{"H", t.norm.Y},
              {"Wh", small.model.Wh},
              {"bh", small.model.bh},
              {"S", t.Y},
              {"dH", g.scratch.dH}};
  s.values.insert(
      {{"dS", small.loss(t.Y).gradient}, {"dWh", g.parameters.Wh}, {"dbh", g.parameters.bh}});
  checker.model("6.15", s, {"H", "Wh", "bh"}, "S");
}

// One image, and its first head.
static void patches(formula::EquationChecker& checker) {
  const auto [model, images, loss] = SmallVision(Gate::bma, 6);
  const Matrix<double> patch(row_block(images, 0, 6));
  VisionModel<double>::Trace t;
  model.forward(patch, t);
  Matrix<double> X = t.X;
  for (const auto& block : t.blocks) X = X - block.attention.Y - block.feed_forward.Y;
  const HeadBlock at{.first = 0, .column = 0, .tokens = 6, .width = 3, .top = 0};
  const auto& first = t.blocks[0].attention;
  const Matrix<double> Q(at.head(first.Q)), K(at.head(first.K)), A(at.square(first.A));
  Scope s;
  s.values = {{"We", model.We}, {"Pos", model.Pos}, {"Wh", model.Wh}, {"bh", model.bh}};
  s.values.insert({{"patch", patch}, {"X", X}, {"H", t.norm.Y}, {"pooled", t.pooled}, {"Y", t.Y}});
  s.values.insert({{"S", matmul(Q, transpose(K))}, {"s", 1 / std::sqrt(3.0)}, {"A", A}});
  s.values.insert({{"place", Matrix<double>{{0, 1, 2, 3, 4, 5}}}, {"tokens", 6.0}});
  checker.holds("6.22 6.23 6.24 6.25", s);
}

// p is the share of triggers, weighted by the squares of the even mean.
static void silence(formula::EquationChecker& checker) {
  SilenceTask<double> task;
  Random random(7);
  task.draw(30, random);
  const double r = 0.4;
  double error = 0, wanted = 0, all = 0;
  for (std::size_t k = 0; k < task.asked.size(); ++k)
    for (std::size_t f = 0; f < task.features; ++f) {
      double even = 0;
      for (std::size_t j = k / task.contents * task.contents; j <= k; ++j)
        even += task.X.X(task.asked[j], f);
      even /= double(k % task.contents + 1);
      error += std::pow(r * even - task.target(k, f), 2);
      wanted += std::pow(task.target(k, f), 2);
      all += even * even;
    }
  Scope s;
  s.values = {{"caught", 1 - error / wanted}, {"r", r}, {"p", wanted / all}};
  checker.holds("6.21", s);
}

void equations(formula::EquationChecker& checker) {
  attention(checker);
  dropout(checker);
  block(checker);
  product_inside(checker);
  ends(checker);
  silence(checker);
  patches(checker);
  checker.instead(
      "6.16",
      "a bound; part 3 claims that one head keeps to it, and sets eight by hand that reach it");
}

}  // namespace lesson6
