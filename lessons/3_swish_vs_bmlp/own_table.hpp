// Lesson 3: a table of one's own: its rows, scaled and split, networks of about equally many
// numbers for it, and the one that is stored.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/data/table.hpp"
#include "common/frame/files/checkpoint.hpp"
#include "common/frame/lesson/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

inline constexpr std::size_t fewest_rows = 50, most_columns = 1000;
inline constexpr std::size_t one_in = 5;  // a fifth of the rows, which choose nothing

struct OwnTable {
  std::vector<std::string> names;  // of the inputs, then of the targets
  Matrix<double> X, T;
};

inline bool varies(const Matrix<double>& A, std::size_t column) {
  const Matrix<double> one(column_block(A, column, 1));
  return max_abs_difference(scale_of(one).scaled(one), Matrix<double>(A.rows(), 1)) > 1e-9;
}

// Reads a table with this many targets. Throws UserError when it cannot be learned from.
inline OwnTable own_table_in(const std::string& path, std::size_t targets) {
  const NumberTable table = blame("--data", [&] { return read_table(path); });
  const std::size_t rows = table.numbers.rows(), columns = table.numbers.cols();
  const auto refuse = [&](const auto&... why) {
    throw UserError(join("--data: '", path, "' has ", why...));
  };
  if (columns > most_columns) refuse(columns, " columns, and ", most_columns, " are most");
  if (columns <= targets)
    refuse(columns, columns == 1 ? " column" : " columns", ": with --targets ", targets,
           " none is left as an input");
  if (rows < fewest_rows) refuse(rows, rows == 1 ? " row" : " rows", ", and needs ", fewest_rows);
  check_memory("--data", 8 * double(rows) * double(columns) * 40);
  const std::size_t inputs = columns - targets;
  OwnTable own{table.names, Matrix<double>(column_block(table.numbers, 0, inputs)),
               Matrix<double>(column_block(table.numbers, inputs, targets))};
  for (std::size_t o = 0; o < targets; ++o)
    if (!varies(own.T, o))
      refuse("one number in all rows of its target '", excerpt(own.names[inputs + o]), "'");
  return own;
}

// Draws a table: speed, angle and height of a throw, how far it goes, and how high.
inline OwnTable thrown_balls(std::size_t count, Random random) {
  constexpr double gravity = 9.81, degree = std::numbers::pi / 180;
  OwnTable balls{{"speed", "angle", "height", "far", "high"},
                 Matrix<double>(count, 3),
                 Matrix<double>(count, 2)};
  for (std::size_t i = 0; i < count; ++i) {
    const double speed = random.uniform(5, 25), angle = random.uniform(0, 90),
                 height = random.uniform(0, 3);
    const double up = speed * std::sin(angle * degree), on = speed * std::cos(angle * degree);
    const double seconds = (up + std::sqrt(up * up + 2 * gravity * height)) / gravity;
    balls.X(i, 0) = speed;
    balls.X(i, 1) = angle;
    balls.X(i, 2) = height;
    balls.T(i, 0) = on * seconds;
    balls.T(i, 1) = height + up * up / (2 * gravity);
  }
  return balls;
}

// Returns the numbers 0 to count - 1 in a random order.
inline std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  random.shuffle(std::span(order));
  return order;
}

// A table's rows, scaled by those to learn from, in a random order.
struct OwnRows {
  Scale x, t;
  Rows learn, test;
};
inline OwnRows own_rows(const OwnTable& table, Random random) {
  const std::vector<std::size_t> order = shuffled(table.X.rows(), random);
  const auto last = order.end() - std::ptrdiff_t(order.size() / one_in);
  const std::vector<std::size_t> learn(order.begin(), last), test(last, order.end());
  const Matrix<double> X = pick_rows<double>(table.X, learn), T = pick_rows<double>(table.T, learn);
  OwnRows rows{scale_of(X), scale_of(T), {}, {}};
  rows.learn = {rows.x.scaled(X), rows.t.scaled(T)};
  rows.test = {rows.x.scaled(pick_rows<double>(table.X, test)),
               rows.t.scaled(pick_rows<double>(table.T, test))};
  return rows;
}

// Networks with about as many numbers as a swish MLP of 60 hidden units.
enum class Kind { bmlp, product, products, swish };
inline constexpr Kind kinds[] = {Kind::bmlp, Kind::product, Kind::products, Kind::swish};
inline std::string title_of(Kind kind) {
  constexpr const char* titles[] = {"BMLP as published", "product layer", "two product layers",
                                    "swish MLP"};
  return titles[std::size_t(kind)];
}

// Calls use(start), where start(random) draws a network of this kind.
template <class Use>
auto with_kind(Kind kind, std::size_t in, std::size_t out, const Use& use) {
  constexpr std::size_t units = 60, width = 12;
  const std::size_t numbers = units * (in + 1 + out), of_upper = width * (2 * width + 3 + out);
  switch (kind) {
    case Kind::bmlp:
      return use(start_of<Bmlp<float>>(Sizes{in, units, out}));
    case Kind::product:
      return use(start_of<Product<float>>(Sizes{in, numbers / (2 * in + 2 + out), out}));
    case Kind::products: {
      const std::size_t left = numbers > of_upper ? numbers - of_upper : 0;
      const std::size_t lower = std::max<std::size_t>(left / (2 * in + 2 + width), width / 2);
      return use(start_of<Product2<float>>(Product2Form{{in, lower, out}, width, width}));
    }
    default:
      return use(start_of<Swish<float>>(SwishForm{{in, units, out}}));
  }
}

// Stores a network with the scales of its rows.
template <class Model>
void store(const std::string& path, Kind kind, const Model& model, const OwnRows& rows) {
  safetensors::File file;
  file.metadata = {
      {"lesson", "3"},
      {"model", title_of(kind)},
      {"formula", "targets = network((x - x.mean) / x.deviation) * t.deviation + t.mean"}};
  add_tensors(file, "", model.tensors());
  add_matrix(file, "x.mean", rows.x.mean);
  add_matrix(file, "x.deviation", rows.x.deviation);
  add_matrix(file, "t.mean", rows.t.mean);
  add_matrix(file, "t.deviation", rows.t.deviation);
  blame("--save", [&] { safetensors::save(path, file); });
}

// A network from a file: what it answers, in the table's own units.
struct Stored {
  Kind kind = Kind::swish;
  Scale x, t;
  std::function<Matrix<double>(const Matrix<double>& scaled)> network;

  std::size_t inputs() const { return x.mean.cols(); }
  std::size_t targets() const { return t.mean.cols(); }
  Matrix<double> answers(const Matrix<double>& X) const { return t.restored(network(x.scaled(X))); }
};

inline Scale scale_in(const safetensors::File& file, const std::string& name) {
  const safetensors::Shape& shape = file.at(name + ".mean").shape;
  if (shape.size() != 2 || shape[0] != 1 || shape[1] == 0 || shape[1] > most_columns)
    throw UserError("tensor '" + name + ".mean' is no row of at most " + join(most_columns));
  Scale scale{Matrix<double>(1, shape[1]), Matrix<double>(1, shape[1])};
  const Tensors<double> both = {{name + ".mean", scale.mean},
                                {name + ".deviation", scale.deviation}};
  read_tensors(file, both);
  check_finite(both);
  return scale;
}

// Throws UserError.
inline Stored stored_in(const std::string& path) {
  const safetensors::File file = blame("--load", [&] { return safetensors::load(path); });
  return blame("--load: '" + path + "'", [&] {
    const auto entry = [&](const std::string& key) {
      const auto value = file.metadata.find(key);
      return value == file.metadata.end() ? std::string("none") : value->second;
    };
    const auto named = [&](Kind kind) { return title_of(kind) == entry("model"); };
    const Kind* const kind = std::find_if(std::begin(kinds), std::end(kinds), named);
    if (entry("lesson") != "3" || kind == std::end(kinds))
      throw UserError("holds no network of lesson 3 (lesson: " + excerpt(entry("lesson")) +
                      ", model: " + excerpt(entry("model")) + ")");
    Stored stored{*kind, scale_in(file, "x"), scale_in(file, "t"), {}};
    with_kind(*kind, stored.inputs(), stored.targets(), [&](const auto& start) {
      Random random(1);
      auto model = start(random);
      read_tensors(file, model.tensors());
      check_finite(model.tensors());
      stored.network = [model](const Matrix<double>& X) { return predict(model, X); };
    });
    return stored;
  });
}

}  // namespace lesson3
