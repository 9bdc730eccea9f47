// Part 10: finding a net's products from its folded table alone.
// SPDX-License-Identifier: MIT
#include <optional>

#include "lessons/5_tensor_folding/closed_form.hpp"
#include "lessons/5_tensor_folding/lesson.hpp"

namespace lesson5::p10 {

constexpr knob::Whole sought{"sought", "how many products descent looks for", 16, {1, 32, 1}};
constexpr knob::Whole start{"start", "which random start", 1, {1, 20, 1}};

// Draws the largest products: two patterns, and the digit that U weighs most.
static plot::Sheet sheet_of_products(const Net<double>& found, const Images& images) {
  const Matrix<double> K = shared(found, found);
  std::vector<double> sizes;
  for (std::size_t k = 0; k < K.rows(); ++k)
    sizes.push_back(std::sqrt(K(k, k)) * length_of(found.U.row(k)));
  std::vector<std::size_t> order = falling_order(sizes);
  order.resize(std::min(order.size(), std::size_t(6)));
  plot::Sheet sheet = sheet_for(images, "The largest products, two patterns each");
  sheet.own_scale = true;
  for (std::size_t c = 0; c < order.size(); ++c)
    sheet.images.push_back(
        image(join(c + 1, " ×"), Matrix<double>(column_block(found.W, order[c], 1))));
  for (const std::size_t k : order) {
    const std::size_t most = falling_order({found.U.row(k).begin(), found.U.row(k).end()})[0];
    sheet.images.push_back(
        image(join("for ", images.names[most]), Matrix<double>(column_block(found.V, k, 1))));
  }
  return sheet;
}

// Counts a net's products with a |cosine| above .95 with one that is found.
static std::size_t back(const std::vector<double>& cosines) {
  return std::size_t(
      std::count_if(cosines.begin(), cosines.end(), [](double cosine) { return cosine > 0.95; }));
}

// Returns what comes nearest to the table from sixteen starts.
static Products nearest(const Net<double>& net, std::size_t h, Random& random) {
  Products best = find_products(net, h, Random(random.bits()));
  for (int attempt = 1; attempt < 16; ++attempt) {
    Products products = find_products(net, h, Random(random.bits()));
    if (products.left < best.left) best = std::move(products);
  }
  return best;
}

// What a table's eigenvalues say of its products, and what is left of them when each entry errs by
// this share of its slice's root mean square.
static Products with_noise(const Net<double>& net, double noise, Random random) {
  Tensor3 S = quadratic_slices(net);
  for (Matrix<double>& slice : S) {
    const Matrix<double> errors =
        symmetric_part(normal_matrix<double>(slice.rows(), slice.cols(), 1, random));
    slice += noise * std::sqrt(dot(slice, slice) / dot(errors, errors)) * errors;
  }
  Products found{products_of_table(S, net.form.hidden, random)};
  Net<double> unused(net.form);
  const Net<double> difference = minus(found.net, net);
  Net<double> of_both(difference.form);
  found.left = std::sqrt(std::max(square_of_slices(difference, of_both), 0.0) /
                         square_of_slices(net, unused));
  return found;
}

// Nothing of small images, whose products are not independent.
static std::optional<Products> at_once(const Net<double>& net, double noise, Random random) {
  try {
    return with_noise(net, noise, random);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

// Six products x0·x1, x2·x3, ..., mixed by a rotation: their mean |cosine| with what the table's
// SVD finds, and descent on five products or six.
struct Known {
  double by_svd = 0, by_five = 0, by_six = 0;
};
static Known found_of_known(Random random) {
  Net<double> net(of_products(12, 6, 6));
  for (std::size_t k = 0; k < 6; ++k) {
    net.W(2 * k, k) = 1;
    net.V(2 * k + 1, k) = 1;
  }
  net.U = eigen_symmetric(symmetric_part(normal_matrix<double>(6, 6, 1, random))).vectors;
  const Tensor3 S = quadratic_slices(net);
  Matrix<double> A(6, 144);  // a slice in each row
  for (std::size_t o = 0; o < 6; ++o)
    std::copy(S[o].values().begin(), S[o].values().end(), A.row(o).begin());
  const Matrix<double> beta =
      unit_rows(matmul(eigen_symmetric(matmul(A, transpose(A))).vectors, A));  // ω·β
  Known known;
  for (std::size_t k = 0; k < 6; ++k) {
    double best = 0;
    for (std::size_t o = 0; o < 6; ++o)
      best = std::max(best, std::abs(beta(o, 2 * k * 12 + 2 * k + 1)));
    known.by_svd += std::sqrt(2) * best / 6;
  }
  const auto by_descent = [&](std::size_t h) {
    return spread_of(likeness(net, nearest(net, h, random).net)).mean;
  };
  known.by_six = by_descent(6);
  known.by_five = by_descent(5);
  return known;
}

// With eight products of six inputs the 16 columns of W and V are not independent, and other
// products make the same table.
static void too_few_inputs(Lesson& lesson, Random random) {
  const Net<double> net(of_products(6, 8, 3), random);
  const Products found = nearest(net, 8, random);
  lesson.claim("eight products of six inputs: left of their table", found.left, at_most(0.01));
  // 60 seeds: one at three of them, else none; of products that have to come back, all eight.
  lesson.claim("... come back", double(back(likeness(net, found.net))), at_most(3));
}

// Counts the terms of two layers in one polynomial of degree 4, and adds them up.
static void two_layers(Lesson& lesson, Biases biases, double count, Random random) {
  Net<double> lower({.inputs = 4, .hidden = 5, .outputs = 3, .biases = biases}),
      upper({.inputs = 3, .hidden = 5, .outputs = 1, .biases = biases});
  fill_normal(lower.tensors(), random);
  fill_normal(upper.tensors(), random);
  Tensor3 handing_on = fold(lower);
  handing_on.emplace_back(5, 5)(4, 4) = 1;  // the constant, 1·1
  const Matrix<double> T = fold_layers(handing_on, fold(upper))[0];
  std::map<std::array<std::size_t, 4>, double> terms;
  for (std::size_t pq = 0; pq < 25; ++pq)
    for (std::size_t rs = 0; rs < 25; ++rs) {
      std::array<std::size_t, 4> inputs{pq / 5, pq % 5, rs / 5, rs % 5};
      std::sort(inputs.begin(), inputs.end());
      terms[inputs] += T(pq, rs);
    }
  std::erase_if(terms, [](const auto& term) { return term.second == 0; });
  const auto X = normal_matrix<double>(50, 4, 1, random);
  const Matrix<double> Y = output(upper, output(lower, X)), X1 = with_one(X);
  Matrix<double> sums(50, 1);
  for (const auto& [inputs, weight] : terms)
    for (std::size_t r = 0; r < 50; ++r) {
      double product = weight;
      for (const std::size_t p : inputs) product *= X1(r, p);
      sums(r, 0) += product;
    }
  lesson.claim(join("two layers ", biases == Biases::with ? "with" : "without", " biases: terms"),
               double(terms.size()), exactly(count));
  // Sums of 625 products, which cancel in part: some hundred roundings of 1e-16.
  lesson.claim("... and their sum = the layers, relative",
               max_abs_difference(sums, Y) / largest_entry(Y), at_most(1e-12));
}

// Returns how many eigenvalues, the largest first, carry this share of all squares.
static std::size_t carrying(const std::vector<double>& values, double share) {
  double rest = dot_of_rows(values, values) * (1 - share);
  std::size_t count = values.size();
  while (count > 0 && rest >= 0) rest -= std::pow(values[--count], 2);
  return count + 1;
}

// The table of two layers as a matrix, a pair of inputs for each row and column: as it is composed,
// and shared fairly among the orders of all four inputs, which is the function itself.
static void pairs_by_pairs(Lesson& lesson, Random random) {
  constexpr std::size_t inputs = 8, handed_on = 12;
  Net<double> lower(of_products(inputs, 16, handed_on), random),
      upper(of_products(handed_on, 16, 1), random);
  const Matrix<double> T = fold_layers(quadratic_slices(lower), quadratic_slices(upper))[0];
  Matrix<double> fair(T.rows(), T.cols());
  for (std::size_t p = 0; p < inputs; ++p)
    for (std::size_t q = 0; q < inputs; ++q)
      for (std::size_t r = 0; r < inputs; ++r)
        for (std::size_t s = 0; s < inputs; ++s)
          fair(p * inputs + q, r * inputs + s) =
              (T(p * inputs + q, r * inputs + s) + T(p * inputs + r, q * inputs + s) +
               T(p * inputs + s, q * inputs + r)) /
              3;
  const std::vector<double> composed = eigen_symmetric(T).values,
                            shared = eigen_symmetric(fair).values;
  const auto row = [](const char* name, const std::vector<double>& values) {
    const auto more = std::count_if(values.begin(), values.end(), [&](double value) {
      return std::abs(value) > 1e-12 * std::abs(values[0]);
    });
    return std::vector<std::string>{name, join(more), join(carrying(values, 0.9))};
  };
  lesson.show(Table{{"table of two layers", "eigenvalues", "carry 90 %"},
                    {row("as composed", composed), row("shared fairly", shared)}});
  lesson.claim("as composed: the 13th largest |λ|, relative",
               std::abs(composed[handed_on]) / std::abs(composed[0]), at_most(1e-12));
  // 8 seeds: 2 to 5 (deviation 1.1), 8 to 14 (2.1).
  lesson.claim("eigenvalues that carry 90 %, as composed", double(carrying(composed, 0.9)),
               between(1, 8));
  lesson.claim("... shared fairly", double(carrying(shared, 0.9)), between(3, 20));
}

// What comes back at once of the table, and of the table with errors.
static void show_at_once(Lesson& lesson, const Session& session, const Net<double>& net,
                         double left, double least) {
  // Rounding of 1e-16, over gaps between eigenvalues: 11 seeds, 1e-16 to 4e-13.
  lesson.claim_trained("all at once, by eigenvalues: a |cosine| misses 1 by", 1 - least,
                       at_most(1e-6));
  // The root of what squares leave of each other by rounding, 1e-16, is some 1e-8.
  lesson.claim_trained("... and of the table is left", left, at_most(1e-5));
  Table noisy{{"entries err by", "come back at once", "least cosine"}, {}};
  for (const double noise : {1e-4, 1e-3, 1e-2}) {
    const std::optional<Products> found = at_once(net, noise, Random(session.options.seed, 66));
    if (!found) continue;
    const std::vector<double> of_net = likeness(net, found->net);
    noisy.rows.push_back({significant(noise), std::to_string(back(of_net)),
                          fixed(*std::min_element(of_net.begin(), of_net.end()), 3)});
  }
  lesson.show(noisy);
}

constexpr double counts = 2;  // how near a prediction must be

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Net<double> net = in_double(session.net());
  const Images& test = session.images.test;
  const std::size_t h = net.form.hidden;
  std::vector<std::size_t> sought_of{h / 2, 2 * h / 3, 5 * h / 6, h};
  if (session.shipped()) sought_of.resize(7, h);
  std::vector<Products> found(sought_of.size(), Products{net});
  run_grid(session.pool, "products", {found.size()}, [&](std::size_t k) {
    found[k] = find_products(net, sought_of[k], Random(session.options.seed, 75 + k));
  });
  const auto best = std::size_t(
      std::min_element(found.begin() + 3, found.end(),
                       [](const Products& a, const Products& b) { return a.left < b.left; }) -
      found.begin());
  Table table{{"sought", "left", "come back", "mean cosine", "right"}, {}};
  std::vector<double> right, come_back, least;
  const std::optional<Products> exact = at_once(net, 0, Random(session.options.seed, 67));
  if (exact) found.push_back(*exact);
  for (const Products& p : found) {
    const std::vector<double> of_net = likeness(net, p.net);
    right.push_back(accuracy_of(output(p.net, Matrix<double>(test.X.view())), test.labels));
    come_back.push_back(double(back(of_net)));
    least.push_back(*std::min_element(of_net.begin(), of_net.end()));
    table.rows.push_back({std::to_string(p.net.form.hidden), fixed(p.left, 3),
                          significant(come_back.back()), fixed(spread_of(of_net).mean, 3),
                          fixed(right.back(), 3)});
  }
  if (exact) table.rows.back()[0] = join(h, ", at once");
  const double all = come_back[best];
  lesson.predict(join("How many of the net's ", h, " products come back?"), all, {.plus = counts});
  lesson.show(table);
  // 60 seeds: a start gets there nine times in ten, and one of four at every seed.
  lesson.claim_trained("the start that comes nearest: left of the table", found[best].left,
                       at_most(0.01));
  lesson.claim_trained("... and so every product is there: least cosine", least[best],
                       at_least(0.99));
  // What is sought comes back once at most.
  lesson.claim_trained("five sixths of them sought: fewer come back, by", all - come_back[2],
                       at_least(2 * counts));
  // 60 seeds: .003 to .069, with a long tail; half of them .03 to .24.
  lesson.claim_trained("two thirds of them sought: behind the net by",
                       accuracy(session.net(), test) - right[1], at_most(0.16));
  if (exact) show_at_once(lesson, session, net, exact->left, least.back());
  const Known known = found_of_known(Random(session.options.seed, 69));
  // 20,000 rotations: .56 to .98, and .966 is passed by one in 5,000. Descent reaches 1 at 60
  // seeds: of 48 starts 37 find all six, so 16 hardly all fail.
  lesson.claim("six known products, mixed by a rotation: SVD, mean |cosine|", known.by_svd,
               between(0.5, 0.99));
  lesson.claim("... descent", known.by_six, at_least(0.999));
  lesson.claim("... with five sought, which cannot be all six", known.by_five, at_most(0.97));
  too_few_inputs(lesson, Random(session.options.seed, 68));
  two_layers(lesson, Biases::without, 35, Random(session.options.seed, 76));
  two_layers(lesson, Biases::with, 70, Random(session.options.seed, 77));
  pairs_by_pairs(lesson, Random(session.options.seed, 78));
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Net<double> net = in_double(session.net());
  const Products found =
      find_products(net, at[sought], Random(session.options.seed, 75 + at[start] - 1));
  lesson.picture("found", sheet_of_products(found.net, session.images.test));
  lesson.say("Of ", net.form.hidden, " products ", back(likeness(net, found.net)),
             " are found, and ", found.left, " of the table is left. ", session.which_net());
  const Tensor3 S = quadratic_slices(net), of_found = quadratic_slices(found.net);
  double all = 1e-300, rest = 0;
  for (std::size_t o = 0; o < S.size(); ++o) {
    const Matrix<double> R = of_found[o] - S[o];
    all += dot(S[o], S[o]);
    rest += dot(R, R);
  }
  // Before the last step, whose rate is next to 0.
  lesson.claim("what is left, by the entries themselves: apart by",
               std::abs(found.left - std::sqrt(rest / all)), at_most(1e-4));
}

}  // namespace lesson5::p10

const Part<lesson5::Session> lesson5::part10{
    .number = 10,
    .title = "The products of a table",
    .question = "How many products must be sought, and does the start matter?",
    .run = p10::run,
    .scene = p10::scene,
    .knobs = {&p10::sought, &p10::start}};
