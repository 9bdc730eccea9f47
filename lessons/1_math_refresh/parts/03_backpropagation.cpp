// Lesson 1, part 3: backpropagation by hand, then every gradient checked.
// SPDX-License-Identifier: MIT
#include "common/frame/lesson/model_visitors.hpp"
#include "common/frame/plot/scene.hpp"
#include "lessons/1_math_refresh/lesson.hpp"

namespace lesson1::p3 {

constexpr knob::Numbers input{"x", "the two inputs", {1, 2}, {-3, 3, 0.25}, {"x[1]", "x[2]"}};
constexpr knob::Numbers first{"w1",
                              "W₁, row by row",
                              {0.5, -1, 0.25, 1},
                              {-3, 3, 0.25},
                              {"x[1] to unit 1", "x[1] to 2", "x[2] to 1", "x[2] to 2"}};
constexpr knob::Numbers first_bias{"b1", "b₁", {0, -1.5}, {-3, 3, 0.25}, {"unit 1", "unit 2"}};
constexpr knob::Numbers second{"w2", "W₂", {2, -4}, {-5, 5, 0.25}, {"unit 1", "unit 2"}};
constexpr knob::Real second_bias{"b2", "b₂", -1, {-3, 3, 0.25}};
constexpr knob::Real wanted{"target", "what the output should be", 0, {-10, 10, 0.5}};
constexpr knob::Choice activation{"activation", "φ of the two units", activation_flags,
                                  place_of(relu_activation)};

static Matrix<double> matrix_of(std::size_t rows, std::size_t cols,
                                const std::vector<double>& numbers) {
  Matrix<double> M(rows, cols);
  std::copy(numbers.begin(), numbers.end(), M.values().begin());
  return M;
}

using plot::Fill, plot::Pen, plot::Scene, plot::short_number, plot::Spot, plot::Tone, plot::Type;

// What the picture shows: a network of two units, its values, and its gradients.
struct Shown {
  const Activation& phi;
  const Mlp<double>& net;
  Matrix<double> X, Z, H, Y;
  Matrix<double> dX, dZ, dH, dY, dW;
  double loss;

  double slope(std::size_t unit) const { return phi.prime(Z(0, unit)); }
  bool is_shut(std::size_t unit) const { return slope(unit) == 0; }
};

// Where the columns stand, and the two units in each half of the picture.
constexpr double at_x = 39, at_z = 190, at_h = 290, at_y = 390, at_loss = 450, half_node = 23;
constexpr double at_valve = 236, rows[] = {58, 146}, row_of_y = 102, back_from = 240;
constexpr Type soft{.tone = Tone::soft}, slant{.slant = true};

struct Half {
  double top;
  Tone tone;
  Fill fill;

  double row(std::size_t unit) const { return top + rows[unit]; }
  double middle() const { return top + row_of_y; }
};
constexpr Half forward_half{0, Tone::value, Fill::value},
    back_half{back_from, Tone::gradient, Fill::gradient};

static void draw_node(Scene& scene, const Half& half, Spot at, double number,
                      double half_width = half_node) {
  scene.cell({.corner = {at.x - half_width, at.y - 14},
              .size = {2 * half_width, 28},
              .words = short_number(number),
              .fill = number == 0 ? Fill::absent : half.fill,
              .round = 9,
              .type = number == 0 ? soft : Type{}});
}

// An arrow whose width shows how much flows; dashed where nothing does.
static void draw_flow(Scene& scene, const Half& half, Spot from, Spot to, double size,
                      double most) {
  if (size == 0) return scene.line(from, to, {.width = 1, .dashed = true});
  scene.arrow(from, to, {half.tone, plot::width_of_flow(size, most)});
}

static double largest(std::initializer_list<Matrix<double>> all) {
  double most = 0;
  for (const Matrix<double>& M : all) most = std::max(most, largest_entry(M));
  return most;
}

// The weights between the inputs and the units: values go right, gradients left.
static void draw_first_layer(Scene& scene, const Half& half, const Shown& s, double most) {
  const bool back = half.tone == Tone::gradient;
  const double left = at_x + half_node + 3, right = at_z - half_node - 3;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const Spot from{left, half.row(i)}, to{right, half.row(j)};
      const double w = s.net.W[0](i, j);
      if (back) draw_flow(scene, half, to, from, s.dZ(0, j) * w, most);
      else draw_flow(scene, half, from, to, s.X(0, i) * w, most);
    }
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const double part = i == j ? 0.5 : 0.28;
      const Spot at{left + (right - left) * part, half.row(i) + (half.row(j) - half.row(i)) * part};
      if (back) scene.chip(at, join("dw ", short_number(s.dW(i, j))), {.tone = Tone::gradient});
      else scene.chip(at, join("· ", short_number(s.net.W[0](i, j))), soft);
    }
}

static void draw_second_layer(Scene& scene, const Half& half, const Shown& s, double most) {
  const bool back = half.tone == Tone::gradient;
  const double left = at_h + half_node + 3, right = at_y - half_node - 3;
  for (std::size_t j = 0; j < 2; ++j) {
    const double w = s.net.W[1](j, 0), off = j == 0 ? -1 : 1;
    const Spot from{left, half.row(j)}, to{right, half.middle() + 6 * off};
    if (back) draw_flow(scene, half, to, from, s.dY(0, 0) * w, most);
    else draw_flow(scene, half, from, to, s.H(0, j) * w, most);
    scene.text({338, half.middle() + 5 + 14 * off}, join("· ", short_number(w)),
               {.tone = Tone::soft, .anchor = "end"});
  }
}

// Below the lower unit there is more room.
static std::string words_forward(const Shown& s, std::size_t unit) {
  if (!s.is_shut(unit)) return "open";
  if (unit == 0) return "shut";
  return s.Z(0, unit) < 0 ? "shut, as z < 0" : "shut";
}

static std::string words_back(const Shown& s, std::size_t unit) {
  if (!s.is_shut(unit) || unit == 0) return join("· ", short_number(s.slope(unit)));
  return join(short_number(s.dH(0, unit)), " arrives · 0 = 0");
}

// The activation as a valve: on the way back it multiplies by its slope.
static void draw_valves(Scene& scene, const Half& half, const Shown& s, double most) {
  const bool back = half.tone == Tone::gradient;
  const double left = at_z + half_node + 3, right = at_h - half_node - 3;
  for (std::size_t j = 0; j < 2; ++j) {
    const double y = half.row(j);
    const bool shut = s.is_shut(j);
    const double from_h = shut ? at_valve + 3 : left, from_z = shut ? at_valve - 5 : right;
    if (back) draw_flow(scene, half, {right, y}, {from_h, y}, s.dH(0, j), most);
    else if (shut) scene.line({left, y}, {from_z, y}, {half.tone, 1.3});
    else draw_flow(scene, half, {left, y}, {right, y}, s.H(0, j), most);
    scene.valve({at_valve, y}, !shut);
    const std::string words = back ? words_back(s, j) : words_forward(s, j);
    scene.text({at_valve, j == 0 ? y - 21 : y + 40}, words, {.tone = Tone::gate, .strong = true});
  }
}

static void draw_nodes(Scene& scene, const Half& half, const Matrix<double>& X,
                       const Matrix<double>& Z, const Matrix<double>& H, double y, double loss) {
  const bool back = half.tone == Tone::gradient;
  for (std::size_t k = 0; k < 2; ++k) {
    draw_node(scene, half, {at_x, half.row(k)}, X(0, k));
    draw_node(scene, half, {at_z, half.row(k)}, Z(0, k));
    draw_node(scene, half, {at_h, half.row(k)}, H(0, k));
  }
  draw_node(scene, half, {at_y, half.middle()}, y);
  draw_node(scene, half, {at_loss, half.middle()}, loss, 20);
  const std::string d = back ? "d" : "";
  scene.text({at_x, half.row(0) - 21}, d + "x", slant);
  scene.text({at_z, half.row(0) - 21}, d + "z", slant);
  scene.text({at_h, half.row(0) - 21}, d + "h", slant);
  scene.text({at_y, half.middle() - 21}, d + "y", slant);
  scene.text({at_loss, half.middle() - 21}, d + "loss", slant);
}

static void draw_biases(Scene& scene, const Shown& s) {
  const auto bias = [](double b) { return join("bias ", short_number(b)); };
  const Type before{.tone = Tone::soft, .anchor = "end"};
  scene.text({at_z - 36, rows[0] - 21}, bias(s.net.b[0](0, 0)), before);
  scene.text({at_z - 36, rows[1] + 32}, bias(s.net.b[0](0, 1)), before);
  scene.text({at_y, row_of_y + 34}, bias(s.net.b[1](0, 0)), soft);
}

static void draw_formulas(Scene& scene, double y, const std::string& left,
                          const std::string& middle, const std::string& right) {
  Type type{.tone = Tone::soft, .slant = true};
  scene.text({at_valve - 4, y}, middle, type);
  type.anchor = "start";
  scene.text({16, y}, left, type);
  type.anchor = "end";
  scene.text({470, y}, right, type);
}

static void draw_forward(Scene& scene, const Shown& s) {
  const double most = largest({s.X, s.H, s.Y, s.net.W[1]});
  scene.text({16, 14}, "Forward: values", {Tone::value, "start", true});
  draw_first_layer(scene, forward_half, s, most);
  draw_second_layer(scene, forward_half, s, most);
  draw_valves(scene, forward_half, s, most);
  scene.arrow({at_y + half_node + 2, row_of_y}, {at_loss - 21, row_of_y}, {Tone::value, 2});
  draw_nodes(scene, forward_half, s.X, s.Z, s.H, s.Y(0, 0), s.loss);
  draw_biases(scene, s);
  draw_formulas(scene, 214, "z = x·W₁ + b₁", join("h = ", s.phi.name, "(z)"), "y = h·W₂ + b₂");
}

static void draw_back(Scene& scene, const Shown& s) {
  const double most = largest({s.dX, s.dZ, s.dH, s.dY}), y = back_half.middle();
  scene.text({16, back_from + 14}, "Back: how far each moves the loss",
             {Tone::gradient, "start", true});
  draw_first_layer(scene, back_half, s, most);
  draw_second_layer(scene, back_half, s, most);
  draw_valves(scene, back_half, s, most);
  draw_flow(scene, back_half, {at_loss - 21, y}, {at_y + half_node + 2, y}, s.dY(0, 0), most);
  draw_nodes(scene, back_half, s.dX, s.dZ, s.dH, s.dY(0, 0), 1);
  draw_formulas(scene, back_from + 214, "dx = dz·W₁ᵀ", join("dz = dh ⊙ ", s.phi.name, "'(z)"),
                "dh = dy·W₂ᵀ");
}

// On the page these places can be pressed, and find their knobs.
static void add_touch(Scene& scene, const Shown& s) {
  const double y = rows[0] - 14, height = rows[1] - rows[0] + 28;
  const auto both = [](const Matrix<double>& M) {
    return join(short_number(M(0, 0)), ", ", short_number(M(0, 1)));
  };
  scene.touch({at_x - half_node, y}, {2 * half_node, height}, "x", both(s.X), "x");
  scene.touch({at_x + half_node, y}, {at_z - at_x - 2 * half_node, height}, "W₁", "", "w1");
  scene.touch({at_z - half_node, y}, {2 * half_node, height}, "z", both(s.Z), "b1");
  scene.touch({at_z + half_node, y}, {at_h - at_z, height}, s.phi.name, "", "activation");
  scene.touch({at_h + half_node, y}, {at_y - at_h - 2 * half_node, height}, "W₂", "", "w2");
  scene.touch({at_y - half_node, y}, {2 * half_node, height}, "y", short_number(s.Y(0, 0)), "b2");
  scene.touch({at_loss - 20, y}, {40, height}, "loss", short_number(s.loss), "target");
}

static Scene picture_of(const Shown& s) {
  const bool stops = (s.is_shut(0) && s.dH(0, 0) != 0) || (s.is_shut(1) && s.dH(0, 1) != 0);
  Scene scene(stops ? "Nothing comes back through a shut unit" : "What goes through comes back");
  for (const Half& half : {forward_half, back_half})
    for (std::size_t j = 0; j < 2; ++j)
      if (s.is_shut(j))
        scene.band({at_z - 31, half.row(j) - 22}, {at_h - at_z + 62, 44}, Tone::soft, 10);
  draw_forward(scene, s);
  scene.line({16, 230}, {470, 230}, {});
  draw_back(scene, s);
  add_touch(scene, s);
  scene.end(back_from + 218);
  return scene;
}

static void by_hand(Lesson& lesson, const knob::Settings& at) {
  const Activation& phi = activations[at[activation]];
  Mlp<double> net({phi, {2, 2, 1}});
  net.W = {matrix_of(2, 2, at[first]), matrix_of(2, 1, at[second])};
  net.b = {matrix_of(1, 2, at[first_bias]), matrix_of(1, 1, {at[second_bias]})};
  Matrix<double> X = matrix_of(1, 2, at[input]);
  const squared_error to_target(matrix_of(1, 1, {at[wanted]}));
  Pass<Mlp<double>> pass(net);
  const double loss = pass.run(net, X, to_target);
  const auto& [t, g] = pass;
  const Matrix<double> dY = to_target(t.Y).gradient;
  const Matrix<double> dH = matmul(dY, transpose(net.W[1]));
  const Matrix<double> dZ = hadamard(dH, map_entries(t.Z[0], phi.prime));
  lesson.figure("by_hand", picture_of({phi, net, X, t.Z[0], t.H[1], t.Y, g.dX, dZ, dH, dY,
                                       g.parameters.W[0], loss}));
  // Errors are relative to the largest slope, or to 1: when Y is near its target, Y is rounded by
  // more than the loss. A corner that turns a slope by less than 1e-5 of that stays unseen.
  double worst = 0, largest = 1;
  for (const GradientRow& row : check_model(net, X, to_target).rows) {
    largest = std::max(largest, std::abs(row.derived));
    if (row.worst == 0) continue;  // perhaps at a corner, which has no slope
    worst = std::max(worst, std::abs(row.derived - row.numeric));
  }
  lesson.claim("by hand: every gradient entry that has a slope, against numbers", worst / largest,
               at_most(1e-5));
}

static void run(Lesson& lesson, Pool&, const knob::Settings& at) {
  lesson.say("Move each number: does the loss follow the derived gradient?");
  by_hand(lesson, at);
  lesson.note(
      "This network has 4 inputs, 6 tanh units and 3 outputs. With 7 examples, matrix by matrix:");
  GradientClaims claims{lesson};
  visit_models(claims);
}

}  // namespace lesson1::p3

const Part<Pool> lesson1::part3{.number = 3,
                                .title = "Backpropagation",
                                .question = "Which numbers come back through a small network?",
                                .run = p3::run,
                                .knobs = {&p3::input, &p3::first, &p3::first_bias, &p3::second,
                                          &p3::second_bias, &p3::wanted, &p3::activation}};
