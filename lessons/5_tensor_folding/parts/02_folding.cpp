// Part 2: folding linear maps into the tensor.
// SPDX-License-Identifier: MIT
#include "common/frame/plot/scene.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p2 {

constexpr knob::Numbers embedding{
    "e", "E, the embedding", {1, 0, 0, 1}, {-2, 2, 0.25}, {"E[0,0]", "E[0,1]", "E[1,0]", "E[1,1]"}};
constexpr knob::Numbers first{"w",
                              "W, the first factors",
                              {1, 2, 3, 0},
                              {-3, 3, 0.5},
                              {"W[0,0]", "W[0,1]", "W[1,0]", "W[1,1]"}};
constexpr knob::Numbers second{"v",
                               "V, the second factors",
                               {2, 1, -1, 1},
                               {-3, 3, 0.5},
                               {"V[0,0]", "V[0,1]", "V[1,0]", "V[1,1]"}};
constexpr knob::Numbers behind{"u",
                               "U, how much of each product the output takes",
                               {1, 2},
                               {-2, 2, 0.25},
                               {"U[0,0]", "U[1,0]"}};

using plot::Fill, plot::Scene, plot::short_number, plot::Spot, plot::Tone, plot::Type;

constexpr double example[] = {2, 1};  // the x of section 1
constexpr Spot cell_size{52, 40};

// A table of two rows, blue where positive and plum where negative.
static void draw_table(Scene& scene, Spot corner, const Matrix<double>& table, double width) {
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t q = 0; q < 2; ++q)
      scene.cell({.corner = {corner.x + width * double(q), corner.y + cell_size.y * double(p)},
                  .size = {width, cell_size.y},
                  .words = short_number(table(p, q)),
                  .fill = plot::fill_of(table(p, q)),
                  .type = {.strong = width > 46}});
}

// What stands at the edges of a table: a factor for each row and each column.
static void draw_edges(Scene& scene, Spot corner, const plot::Words& rows,
                       const plot::Words& columns, double width, Fill fill) {
  const double round = fill == Fill::stored ? 0 : 9;
  scene.grid({{corner.x - 54, corner.y}, {46, cell_size.y}, "", fill, round}, rows);
  scene.grid({{corner.x, corner.y - 34}, {width, 26}, "", fill, round}, columns);
}

// Product k: column k of W times column k of V.
static void draw_slice(Scene& scene, Spot corner, const Matrix<double>& W, const Matrix<double>& V,
                       std::size_t k, const std::string& of) {
  const plot::Words rows{{short_number(W(0, k))}, {short_number(W(1, k))}},
      columns{{short_number(V(0, k)), short_number(V(1, k))}};
  draw_edges(scene, corner, rows, columns, cell_size.x, Fill::stored);
  draw_table(scene, corner, product_tensor(W, V)[k], cell_size.x);
  scene.text({corner.x - 31, corner.y - 12}, of + "W", {.tone = Tone::soft, .slant = true});
  scene.text({corner.x + cell_size.x, corner.y - 42}, join(of, "V, product ", k),
             {.tone = Tone::soft, .slant = true});
}

static void draw_slices(Scene& scene, const Matrix<double>& W, const Matrix<double>& V,
                        const std::string& of) {
  const Spot left{72, 84}, right{330, 84};
  scene.text({16, 16}, join("1  A column of ", of, "W times one of ", of, "V: a slice"),
             {.anchor = "start", .strong = true});
  draw_slice(scene, left, W, V, 0, of);
  draw_slice(scene, right, W, V, 1, of);
  const plot::Pen pen{Tone::value, 2.8};
  scene.frame({left.x, left.y - 34}, {cell_size.x, 26}, pen);
  scene.frame({left.x - 54, left.y + cell_size.y}, {46, cell_size.y}, pen);
  scene.frame({left.x, left.y + cell_size.y}, cell_size, pen);
  const std::string product = join(short_number(W(1, 0)), " · ", short_number(V(0, 0)), " = ",
                                   short_number(W(1, 0) * V(0, 0)));
  if (columns_of(product) <= 10)
    scene.text({left.x + 112, left.y + 65}, product, {Tone::value, "start", true});
}

static void draw_mixture(Scene& scene, const Tensor3& B, const Matrix<double>& U,
                         const Matrix<double>& T) {
  const double y = 232;
  const Type sign{.anchor = "middle"};
  scene.text({16, 200}, "2  The read-out U mixes the slices: one table",
             {.anchor = "start", .strong = true});
  draw_table(scene, {16, y}, B[0], 46);
  scene.text({144, y + 46}, join("· ", short_number(U(0, 0)), "  +"), sign);
  draw_table(scene, {180, y}, B[1], 46);
  scene.text({310, y + 46}, join("· ", short_number(U(1, 0)), "  ="), sign);
  draw_table(scene, {348, y}, T, 60);
  scene.text({408, y - 7}, "T", {.strong = true, .slant = true});
}

// Each cell of T, times its row's and its column's input, and the sum of all.
static void draw_use(Scene& scene, const Matrix<double>& T, const Matrix<double>& H,
                     const Matrix<double>& U) {
  const Spot corner{72, 398};
  Matrix<double> terms(2, 2);
  std::string sum;
  double all = 0;
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t q = 0; q < 2; ++q) {
      terms(p, q) = T(p, q) * example[p] * example[q];
      all += terms(p, q);
      const std::string size = short_number(std::abs(terms(p, q)));
      const bool begins = sum.empty(), minus = terms(p, q) < 0;
      sum += begins ? (minus ? "−" : "") + size : (minus ? " − " : " + ") + size;
    }
  const std::string x0 = short_number(example[0]), x1 = short_number(example[1]);
  scene.text({16, 344}, "3  An input stands at both edges; add up all cells",
             {.anchor = "start", .strong = true});
  draw_edges(scene, corner, {{x0}, {x1}}, {{x0, x1}}, 62, Fill::value);
  draw_table(scene, corner, terms, 62);
  scene.text({41, corner.y - 16}, "x", {.tone = Tone::soft, .slant = true});
  const Type soft{Tone::soft, "start"};
  const auto product = [&](std::size_t k) {
    return join(short_number(H(0, k)), "·", short_number(U(k, 0)));
  };
  scene.text({222, corner.y - 16}, "cell = T · row · column", soft);
  const std::string total = join(" = ", short_number(all));
  const auto short_or = [](const std::string& words, const std::string& shorter) {
    return columns_of(words) <= 26 ? words : shorter;
  };
  scene.text({222, corner.y + 17}, short_or(sum + total, "all cells" + total),
             {Tone::value, "start", true});
  const std::string net =
      join("the net: ", product(0), " + ", product(1), " = ", short_number(matmul(H, U)(0, 0)));
  scene.text({222, corner.y + 45},
             short_or(net, join("the net = ", short_number(matmul(H, U)(0, 0)))), soft);
  scene.text({222, corner.y + 70}, "The table is the net.", soft);
}

static Scene folding(const Matrix<double>& EW, const Matrix<double>& EV, const Matrix<double>& U,
                     bool embedded) {
  Scene scene("Fold: two products become one table");
  Matrix<double> x(1, 2);
  std::copy(std::begin(example), std::end(example), x.values().begin());
  const Matrix<double> T = fold_factors(EW, EV, U)[0], H = hadamard(matmul(x, EW), matmul(x, EV));
  draw_slices(scene, EW, EV, embedded ? "E·" : "");
  draw_mixture(scene, product_tensor(EW, EV), U, T);
  draw_use(scene, T, H, U);
  scene.end(480);
  return scene;
}

static void run(Lesson& lesson, Session&, const knob::Settings& at) {
  const Matrix<double> E = matrix_of(at[embedding], 2, 2), W = matrix_of(at[first], 2, 2),
                       V = matrix_of(at[second], 2, 2), U = matrix_of(at[behind], 2, 1);
  const Matrix<double> X = square_of_points(), J = matmul(X, E),
                       H = hadamard(matmul(J, W), matmul(J, V)), Y = matmul(H, U);
  const Tensor3 B = product_tensor(W, V), T = fold_factors(matmul(E, W), matmul(E, V), U);
  const Tensor3 behind_first = fold_in_front(fold_behind(B, U), E),
                front_first = fold_behind(fold_in_front(B, E), U);
  const bool embedded = at[embedding] != std::vector<double>{1, 0, 0, 1};
  lesson.figure("fold", folding(matmul(E, W), matmul(E, V), U, embedded));
  lesson.figure("net", surfaces({"product 0", "product 1", "the output"}, beside(H, Y)));
  lesson.say("Folding U first gives ", text_of(behind_first[0]), ", E first ",
             text_of(front_first[0]), ", and (5.5) both at once ", text_of(T[0]), ".");
  // E·W has entries up to 12, T up to 576: some ten roundings of 1e-13.
  lesson.claim("U first = E first = straight from the factors: max |diff|",
               std::max(max_abs_difference(behind_first[0], front_first[0]),
                        max_abs_difference(behind_first[0], T[0])),
               at_most(1e-11));
  // Outputs up to 9,216.
  lesson.claim("the slice = the net over the square: max |diff|",
               max_abs_difference(evaluate(T, X), Y), at_most(1e-10));
}

}  // namespace lesson5::p2

const Part<lesson5::Session> lesson5::part2{
    .number = 2,
    .title = "Folding",
    .question = "Which surfaces can a net of two products make?",
    .run = p2::run,
    .knobs = {&p2::embedding, &p2::first, &p2::second, &p2::behind}};
