// The notation of the READMEs: Z = X·W₁ + b₁, T[o,p,q] = Σ_k U[k,o]·W[p,k]·V[q,k]. A line is read
// into a tree (read.cpp), which is computed from named values (compute.cpp), and shown (show.cpp);
// a new notation is a case in each. What is not understood, or does not fit, is an Error that says
// where and why; nothing is guessed.
//
//   A·B, A*B, A B      the matrix product, a number times anything, the scalar product of two rows
//   A ⊙ B, A .* B      entry by entry, as are + - /; a row, a column or a number is repeated
//   Aᵀ, A', A^T        the transpose;  a^b, a², √a, |a| (a number's size, a row's length)
//   (1, 2)  [1 2; 3 4] a row, which may hold rows;  a matrix, of numbers or of blocks
//   A[i,j], A_ij       an entry; a letter without a value is an index, and runs over the array
//   Σ_k, Σ_(j ≤ i)     the sum over an index, up to the next + or -;  Σ alone: over all entries
//   row sums of, column means of, mean of, exp, ln, tanh, max(a, b), ...; a if b > c, else d;
//   [a = b]            1 where that holds, else 0;  E[x], Var x, if these are functions
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/text/words.hpp"
#include "common/matrix.hpp"

namespace formula {

struct Error : std::runtime_error {
  template <class... Parts>
  explicit Error(const Parts&... parts) : std::runtime_error(join(parts...)) {}
};

// Returns what f returns; nothing where that is an Error.
template <class F>
auto if_possible(const F& f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const Error&) {
    return std::nullopt;
  }
}

// ----------------------------------------------------------------------------------------- reading

enum class Kind {
  number,  // text as typed
  name,    // text; parts: a subscript that is computed, as in H_(l-1), or none
  entry,   // parts: the array, then the indices
  call,    // text: the function; parts: the arguments; indices: . of a method, as read
  matrix,  // parts: rows, nodes of their entries; text: ( where it is one row
  binary,  // text: + - · ⊙ / ^ or nothing, as in A B; parts: two
  unary,   // text: - ᵀ √ |; parts: one
  fold,  // text: Σ, mean of, row sums of, column means of, ...; parts: of what, a condition's sides
  choice,    // text: a relation; parts: the value if it holds, its two sides, the value else
  table,     // indices; parts: the entry that stands there, as einsum makes it
  argument,  // of a call. text: its name; parts: its value
  text,      // of a call. text: what stands between quotes
};

struct Node {
  Kind kind = Kind::number;
  std::string text = {};
  std::vector<Node> parts = {};
  std::string indices = {};  // of Σ, and behind a blank its condition's relation; of another part
                             // what the page sets below it, a shape

  static Node name(std::string text) { return {Kind::name, std::move(text)}; }
  static Node unary(std::string sign, Node of) {
    return {Kind::unary, std::move(sign), {std::move(of)}};
  }
  static Node binary(Node left, std::string sign, Node right) {
    return {Kind::binary, std::move(sign), {std::move(left), std::move(right)}};
  }
  static Node where(std::string relation, Node left, Node right) {  // 1 where it holds, else 0
    const Node one{Kind::number, "1"}, zero{Kind::number, "0"};
    return {Kind::choice, std::move(relation), {one, std::move(left), std::move(right), zero}};
  }
  bool operator==(const Node&) const = default;
};

// A line of a README: formulas, each with its sides, and what stands behind them.
struct Equation {
  std::vector<Node> sides;
  std::vector<std::string> relations;  // between the sides
  std::string text;
};
struct Line {
  std::vector<Equation> equations;
  std::vector<std::string> notes;  // a shape, words
  std::string number;
  bool back = false;
  std::size_t at = 0;  // its line in the README, from 1
};

// Whose hand wrote a line. What a README writes is read more strictly than what a reader types.
struct Hand {
  bool is_typed = false;
  std::set<std::string> names = {};  // that have a value
  std::set<std::string> asked = {};  // for
  std::set<std::string> losses = {"loss", "Loss", "L", "l", "J", "E"};
  bool star_is_entrywise = false;  // A * B, as in NumPy and R
  int first_axis = -1;             // of sum(A, 0); -1 where nobody can tell
  bool sums_columns = false;       // sum(A), as in MATLAB
  bool divides_narrowly = false;   // a/b c is (a/b)·c, as by hand, and not a/(b·c)
  bool binds_tightly = false;      // A * B %*% C is A * (B %*% C), as in R
  bool dots_multiply = false;      // A.T, as in Mathematica, where T has a value
  bool groups = false;             // [a + b] is (a + b)
};

// Read an expression, a formula with a relation, a line with columns two spaces apart. The grammar
// stands at the head of read.cpp. Throw Error.
Node expression(std::string_view text, const Hand& hand = {});
Equation equation(std::string_view text, const Hand& hand = {});
Line line(std::string_view text);

// Returns "6.3" of "H = X·W   (6.3)" and of "(6.3) back"; nothing where a line has no number.
std::string number_at_end(std::string_view text);

// Return the names in a formula; the name on its left, "Z_l" or, of dC[i,k], "dC"; the letters
// below a Σ; how often a name stands in a tree.
std::set<std::string> names_in(const Equation& equation);
std::string name_on_left(const Equation& equation);
std::vector<std::string> letters_of(const Node& fold);
std::size_t uses_of(const Node& tree, const std::string& name);

template <class F>
void visit(const Node& node, const F& f) {
  f(node);
  for (const Node& part : node.parts) visit(part, f);
}

// Returns of how many nodes of a tree this holds.
template <class F>
std::size_t count_if(const Node& tree, const F& is) {
  std::size_t all = 0;
  visit(tree, [&](const Node& node) { all += is(node); });
  return all;
}

template <class List, class One = std::string_view>
bool contains(const List& list, const One& one) {
  return std::find(std::begin(list), std::end(list), one) != std::end(list);
}

// Returns the tree as you type it.
std::string text_of(const Node& node);

std::string mathml(const Node& node);
std::string mathml(const Equation& equation, const std::string& shape = "");  // which it leads to

// --------------------------------------------------------------------------------------- computing

// A number has no index, a row or a matrix two, a tensor three and more.
struct Value {
  std::vector<std::size_t> shape;
  std::vector<double> numbers = {0};

  Value() = default;
  Value(double number) : numbers{number} {}
  Value(std::vector<std::size_t> of, std::vector<double> all)
      : shape(std::move(of)), numbers(std::move(all)) {}
  template <class T>
  Value(const Matrix<T>& A)
      : shape{A.rows(), A.cols()}, numbers(A.values().begin(), A.values().end()) {}

  bool is_number() const { return shape.empty(); }
  std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }
  std::size_t cols() const { return shape.size() < 2 ? 1 : shape[1]; }
  Matrix<double> matrix() const {  // of a number, a row or a matrix
    Matrix<double> A(rows(), cols());
    std::copy(numbers.begin(), numbers.end(), A.values().begin());
    return A;
  }
};

inline Value zeros_like(const Value& of) {
  return {of.shape, std::vector<double>(of.numbers.size())};
}

// Returns "3 × 4", "a number".
std::string to_text(const std::vector<std::size_t>& shape);

// Returns the largest |a - b| over the largest |b|; infinite when the shapes differ. A number and a
// matrix of one are alike.
double distance(const Value& a, const Value& b);

using Function = std::function<Value(const std::vector<Value>&)>;

// Returns f of a number, applied to each entry.
Function entrywise(double (*f)(double));

struct Scope {
  std::map<std::string, Value> values;
  std::map<std::string, Function> functions;
  std::map<std::string, std::size_t> indices = {};  // where they stand now
  std::size_t* steps_left = nullptr;  // of all computations that share it; none: of each 2,000,000

  Value operator()(const Node& node) const;

  // Returns the letters that index something here and have no value.
  std::vector<std::string> free_letters(const Node& node) const;

  // Computes the sides of a formula, each as a row over the indices of the first side.
  std::vector<Value> sides(const Equation& equation) const;

  // Gives the name on the left the value on the right, or adds it. All throw Error.
  void assign(const Equation& equation);
};

}  // namespace formula
