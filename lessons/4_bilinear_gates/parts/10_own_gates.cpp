// Part 10: a gate of up to four bits, or rows from a file, beside the best quadratic.
// SPDX-License-Identifier: MIT
#include "common/data/table.hpp"
#include "lessons/4_bilinear_gates/lesson.hpp"

namespace lesson4::p10 {

constexpr knob::Words answers{
    "table", "zeros and ones at 00, 10, 01, 11, or of one, three or four bits, x first"};
constexpr knob::Whole most_units{"units", "up to how many products are tried", 4, {1, 8, 1}};

// x AND y, or z AND s
constexpr std::string_view standard_answers = "0001000100011111";

constexpr FitSettings training{.steps = 3000, .enough = 0, .cosine = true};
constexpr std::size_t starts = 10, most_rows = 2000, most_inputs = 20;

struct Rows {
  Matrix<double> X, T;
  bool bits = false;
};

static Rows rows_of_bits(std::string text) {
  std::erase_if(text, [](char letter) { return letter == ',' || letter == ' '; });
  std::size_t bits = 1;
  while (bits < 4 && std::size_t(1) << bits < text.size()) ++bits;
  if (text.size() != std::size_t(1) << bits)
    throw UserError(
        join("--table has ", text.size(), " answers; one to four bits have 2, 4, 8 or 16"));
  if (const auto wrong = text.find_first_not_of("01"); wrong != text.npos)
    throw UserError("--table: '" + excerpt(text) + "' has more than zeros and ones");
  Rows rows{Matrix<double>(text.size(), bits), Matrix<double>(text.size(), 1), true};
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (std::size_t axis = 0; axis < bits; ++axis) rows.X(i, axis) = input_bit(i, axis);
    rows.T(i, 0) = text[i] - '0';
  }
  return rows;
}

// Reads --data.
static Rows rows_of_file(const std::string& path) {
  const Matrix<double> all = blame(data_flag.flag(), [&] { return read_table(path); }).numbers;
  const std::size_t inputs = all.cols() - 1;
  if (inputs == 0 || inputs > most_inputs || all.rows() > most_rows)
    throw UserError(join("--data: '", path, "' has ", all.rows(), " rows of ", all.cols(),
                         " numbers; at most ", most_rows, " rows of 2 to ", most_inputs + 1,
                         " numbers are tried"));
  const Matrix<double> X(column_block(all, 0, inputs)), T(column_block(all, inputs, 1));
  return {scale_of(X).scaled(X), scale_of(T).scaled(T)};
}

static Column column_of(const Matrix<double>& M, std::size_t j) {
  Column column;
  for (std::size_t i = 0; i < M.rows(); ++i) column.push_back(M(i, j));
  return column;
}

// Returns by how much the best polynomial of this degree, 0 to 2, misses each row.
static Column missed(const Rows& rows, int degree) {
  std::vector<Column> basis{Column(rows.X.rows(), 1)};
  for (std::size_t j = 0; degree > 0 && j < rows.X.cols(); ++j)
    basis.push_back(column_of(rows.X, j));
  for (std::size_t j = 0; degree > 1 && j < rows.X.cols(); ++j)
    for (std::size_t k = j; k < rows.X.cols(); ++k) {
      Column product = column_of(rows.X, j);
      for (std::size_t i = 0; i < product.size(); ++i) product[i] *= rows.X(i, k);
      basis.push_back(product);
    }
  return left_outside(basis, {column_of(rows.T, 0)})[0];
}

static double mean_square_of(const Column& column) {
  const double sum = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
  return sum / double(column.size());
}

// Returns the terms of three and four bits that the function needs: "-2·xyz + 3·xyzs".
static std::string beyond_quadratics(const Rows& rows) {
  std::string words;
  for (std::size_t subset = 0; subset < rows.T.rows(); ++subset) {
    if (std::popcount(subset) < 3) continue;
    double coefficient = 0;
    for (std::size_t i = 0; i < rows.T.rows(); ++i)
      if ((i & subset) == i)
        coefficient += (std::popcount(i ^ subset) % 2 == 0 ? 1 : -1) * rows.T(i, 0);
    if (coefficient == 0) continue;
    std::string letters;
    for (std::size_t axis = 0; axis < 4; ++axis)
      if (subset >> axis & 1) letters += "xyzs"[axis];
    words += words.empty() ? (coefficient < 0 ? "-" : "") : coefficient < 0 ? " - " : " + ";
    const double size = std::abs(coefficient);
    words += (size == 1 ? "" : significant(size) + "·") + letters;
  }
  return words;
}

static void say_of_bits(Lesson& lesson, const Rows& rows, const Column& off) {
  const auto right =
      std::count_if(off.begin(), off.end(), [](double one) { return std::abs(one) < 0.5 - 1e-9; });
  const std::string beyond = beyond_quadratics(rows);
  lesson.say("Rounded at 1/2, the best quadratic's answers are right at ", right, " of ",
             off.size(),
             beyond.empty() ? " corners: it is the function."
                            : " corners. What it lacks: " + beyond + ".");
}

// Reads --data or --table. Throws UserError where the target never varies, too.
static Rows rows_of(const Options& options, const knob::Settings& at) {
  const bool own = at.given(answers), from_file = options.own.given(data_flag);
  if (own && from_file) throw UserError("--table and --data: choose one of them");
  Rows rows = from_file ? rows_of_file(options.own[data_flag])
                        : rows_of_bits(own ? at[answers] : std::string(standard_answers));
  if (!(mean_square_of(missed(rows, 0)) > 0))
    throw UserError("the target never varies, so there is nothing to learn");
  return rows;
}

// Mean squares: of the target, and what is left of it by the best quadratic, by one product, two,
// and the best layer.
struct Left {
  double mean, quadratic, one = 0, two = 0, lowest = HUGE_VAL;
};

static Left compare_products(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Rows rows = rows_of(session.options, at);
  const double mean = mean_square_of(missed(rows, 0)), affine = mean_square_of(missed(rows, 1));
  const Column off = missed(rows, 2);
  const double quadratic = mean_square_of(off);
  Left left{mean, quadratic};
  lesson.say(rows.X.rows(), " rows, ", rows.X.cols(),
             " inputs. What is left of the target's variance?");
  Table table{{"best", "loss", "left"}, {}};
  const auto add = [&](const std::string& name, double loss) {
    table.rows.push_back({name, significant(loss, 3), fixed(loss / mean, 3)});
  };
  add("affine map", affine);
  add("quadratic", quadratic);
  plot::Series trained{.name = "trained"};
  FitSettings fitting = training;
  fitting.steps = session.steps(training.steps, 50);
  for (std::size_t h = 1; h <= at[most_units]; ++h) {
    const double loss =
        best_of<ProductNet<double>>(session, session.options.quick_or<std::size_t>(2, starts), 52,
                                    NetForm{rows.X.cols(), h, 1}, rows.X, error_to(rows.T), fitting)
            .fit.loss;
    add(join(h, h == 1 ? " product" : " products"), loss);
    trained.add(double(h), loss / mean);
    left.lowest = std::min(left.lowest, loss);
    if (h == 1) left.one = loss;
    if (h == 2) left.two = loss;
  }
  lesson.show(table);
  if (rows.bits) say_of_bits(lesson, rows, off);
  lesson.figure(
      "own",
      plot::Chart{.title = "What products leave of the target's variance",
                  .x = {.title = "products", .low = 0.5, .high = double(at[most_units]) + 0.5},
                  .y = {.low = 0, .high = 1.05},
                  .series = {trained},
                  .levels = {{"affine", affine / mean}, {"quadratic", quadratic / mean}}});
  return left;
}

static void scene(Lesson& lesson, Session& session, const knob::Settings& at) {
  compare_products(lesson, session, at);
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Left left = compare_products(lesson, session, at);
  // xy + zs - xyzs has a quadratic for all but its last term, of two squares of each sign.
  if (at.standard() && !session.options.own.given(data_flag)) {
    lesson.claim_trained("two products are the best quadratic, off by, of the variance",
                         (left.two - left.quadratic) / left.mean, at_most(1e-6));
    // Seeds 1 to 10: at least .0437 against .0195.
    lesson.claim_trained("one product is not: its loss", left.one, at_least(0.03));
  }
  // Rounding.
  lesson.claim("no layer comes below the best quadratic: its lead, of the variance",
               (left.lowest - left.quadratic) / left.mean, at_least(-1e-9));
}

static std::string settings() {
  return join("the best of ", starts, " starts, ", words_of(training));
}

}  // namespace lesson4::p10

void lesson4::check_rows(const Options& options) { p10::rows_of(options, options.settings); }

const Part<lesson4::Session> lesson4::part10{.number = 10,
                                             .title = "A gate of your own",
                                             .kind = PartKind::further,
                                             .question = "Is it a quadratic?",
                                             .run = p10::run,
                                             .scene = p10::scene,
                                             .knobs = {&p10::most_units, &p10::answers},
                                             .settings = p10::settings};
