// Lesson 5, part 10: the products of a net, found again from its folded table alone, and how few of them keep most of it.
// How many are sought, and from which start, can be turned.
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5 {

constexpr knob::Whole sought{"sought", "how many products are sought", 24, {1, 32, 1}};
constexpr knob::Whole start{"start", "which random start", 1, {1, 20, 1}};

// The largest products that were found, one in a column: its two patterns, and the digit that U weighs most for it.
static plot::Sheet sheet_of_products(const Net<double>& found, const Images& images) {
  constexpr std::size_t columns = 6;
  const Matrix<double> K = shared(found, found), W = unit_rows(Matrix<double>(transpose(found.W))),
                       V = unit_rows(Matrix<double>(transpose(found.V)));
  std::vector<double> sizes;
  for (std::size_t k = 0; k < K.rows(); ++k) sizes.push_back(std::sqrt(K(k, k)) * length_of(found.U.row(k)));
  const std::vector<std::size_t> order = falling_order(sizes);
  plot::Sheet sheet = sheet_for(images, "The largest products found in the table: two patterns each", columns);
  for (const bool second : {false, true})
    for (std::size_t c = 0; c < columns && c < order.size(); ++c) {
      const auto u = found.U.row(order[c]);
      const auto most =
          std::max_element(u.begin(), u.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      const Matrix<double> pattern(row_block(second ? V : W, order[c], 1));
      sheet.images.push_back(
          image(second ? join("times; most in ", most - u.begin()) : join("product ", c + 1), pattern));
    }
  sheet.own_scale = true;
  return sheet;
}

static std::size_t alike(const std::vector<double>& likeness) {
  return std::size_t(std::count_if(likeness.begin(), likeness.end(), [](double cosine) { return cosine > 0.95; }));
}

static void claim_formulas(Lesson& lesson, Random random) {
  Net<double> net({5, 0, 4, 3, Biases::without}), d(net.form);
  for (const auto& [name, tensor] : net.tensors()) tensor = quarters(tensor.rows(), tensor.cols(), random);
  double entries = 0;
  for (const Matrix<double>& slice : quadratic_slices(net).slices) entries += dot(slice, slice);
  // Sums of some hundred products of quarters, which are exact.
  lesson.claim("Σ S ⊙ S from the factors less that of all entries", square_of_slices(net, d) - entries,
               within(0, 1e-10));
  Net<double> unused(net.form);
  lesson.claim("its gradients, against slopes: worst relative error",
               check_gradients(
                   net.tensors(), d.tensors(), [&] { return square_of_slices(net, unused); }, Step::quadratic)
                   .worst(),
               at_most(1e-12));
}

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Net<double> net = in_double(session.net());
  const Images& test = session.images.test;
  const std::size_t h = net.form.hidden, starts = session.shipped() ? 4 : 1;
  claim_formulas(lesson, Random(session.options.seed, 74));
  const std::vector<std::size_t> fewer{h / 2, 2 * h / 3, 5 * h / 6};
  std::vector<Products> found(starts + fewer.size(), Products{net});
  session.run("products", found.size(), [&](std::size_t k) {
    found[k] = find_products(net, k < starts ? h : fewer[k - starts], Random(session.options.seed, 75 + k));
  });
  Table table{{"start", "left", "come back"}, {}};
  std::size_t best = 0;
  for (std::size_t k = 0; k < starts; ++k) {
    if (found[k].left < found[best].left) best = k;
    table.rows.push_back(
        {std::to_string(k + 1), significant(found[k].left, 2), std::to_string(alike(likeness(net, found[k].net)))});
  }
  const std::vector<double> cosines = likeness(net, found[best].net);
  lesson.predict(join("How many of the net's ", h, " products come back, where descent ends nearest to its table?"),
                 double(alike(cosines)), {.plus = 2});
  lesson.show(table);
  lesson.figure("products", sheet_of_products(found[best].net, test));
  Table few{{"products", "numbers", "left", "right"}, {}};
  const auto right = [&](const Products& p) {
    return accuracy_of(output(p.net, Matrix<double>(test.X.view())), test.labels);
  };
  for (std::size_t k = starts; k <= found.size(); ++k) {
    const Products& p = found[k < found.size() ? k : best];
    few.rows.push_back({std::to_string(p.net.form.hidden), std::to_string(parameters_of(p.net)), significant(p.left, 2),
                        fixed(right(p), 3)});
  }
  lesson.show(few);
  lesson.claim_trained("nearest start: left of the table", found[best].left, at_most(0.01));
  lesson.claim_trained("... and so every product is there: least cosine",
                       *std::min_element(cosines.begin(), cosines.end()), at_least(0.99));
  lesson.claim_trained("two thirds of the products: behind the net by",
                       accuracy(session.net(), test) - right(found[starts + 1]), between(0, 0.08));
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Net<double> net = in_double(session.net());
  const Products found = find_products(net, at[sought], Random(session.options.seed, 75 + at[start] - 1));
  lesson.picture("found", sheet_of_products(found.net, session.images.test));
  lesson.say("Of the net's ", net.form.hidden, " products ", alike(likeness(net, found.net)), " are among these ",
             at[sought], "; left of the table: ", found.left, ".");
  lesson.claim("as a table of zeros would leave, at most", found.left, at_most(1));
}

extern const Part<Session> part10(10, "The products of a table", run,
                                  "How many products must be sought, and does the start matter?", {&sought, &start},
                                  scene);

}  // namespace lesson5
