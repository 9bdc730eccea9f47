// What the signs and words of formulas do to values. What does not fit is an Error that says why.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numeric>
#include <span>

#include "common/frame/formula/formula.hpp"

namespace formula {

using Shape = std::vector<std::size_t>;
using One = double (*)(double);
using Two = double (*)(double, double);
constexpr Two plus = [](double x, double y) { return x + y; };
constexpr Two times = [](double x, double y) { return x * y; };

const std::map<std::string, Two> binary_signs = {
    {"+", plus},
    {"-", [](double x, double y) { return x - y; }},
    {"⊙", times},
    {"/", [](double x, double y) { return x / y; }},
    {"^", [](double x, double y) { return std::pow(x, y); }},
};
const std::map<std::string, One> functions = {
    {"-", [](double x) { return -x; }},
    {"√", std::sqrt},
    {"|", std::abs},

    {"exp", std::exp},
    {"ln", std::log},
    {"log", std::log},
    {"tanh", std::tanh},
    {"sinh", std::sinh},
    {"cosh", std::cosh},
    {"log2", std::log2},
    {"log10", std::log10},
    {"arctan", std::atan},
    {"sin", std::sin},
    {"cos", std::cos},
    {"sign", [](double x) { return x < 0 ? -1.0 : 1.0; }},
    {"sqrt", std::sqrt},
    {"relu", [](double x) { return x > 0 ? x : 0.0; }},
    {"relu'", [](double x) { return x > 0 ? 1.0 : 0.0; }},
    {"tanh'", [](double x) { return 1 - std::tanh(x) * std::tanh(x); }},
    {"σ", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"swish", [](double x) { return x / (1 + std::exp(-x)); }},
    {"swish'", [](double x) { return (1 + x / (1 + std::exp(x))) / (1 + std::exp(-x)); }},
    {"σ'",
     [](double x) { return std::exp(-std::abs(x)) / std::pow(1 + std::exp(-std::abs(x)), 2); }},
};

// Tells whether a row or a column of one may be repeated, so that entries meet entries.
inline bool fit_entrywise(const Value& a, const Value& b) {
  const auto fits = [](std::size_t n, std::size_t m) { return n == m || n == 1 || m == 1; };
  const bool matrices = a.shape.size() == 2 && b.shape.size() == 2;
  return matrices && fits(a.rows(), b.rows()) && fits(a.cols(), b.cols());
}

// Asks for what would make a product of matrices fit, if one change does.
inline std::string what_would_fit(const Value& a, const Value& b) {
  if (a.cols() == b.cols() || a.rows() == b.rows()) return ": is a ᵀ missing?";
  return b.cols() == a.rows() ? ": is the order the other one?" : "";
}

[[noreturn]] inline void misfit(const Node& node, const Value& a, const Value& b) {
  const bool of_matrices = node.text == "·" || node.text.empty();
  std::string advice =
      "; entry by entry both have one shape, or a row, a column, a number is repeated";
  if (of_matrices)
    advice = join("; in a product of matrices the inner sizes, ", a.cols(), " and ", b.rows(),
                  ", must be alike", what_would_fit(a, b));
  if (node.text == "·" && fit_entrywise(a, b)) advice = "; entry by entry is ⊙, or .*";
  if (a.shape.size() > 2 || b.shape.size() > 2)
    advice = "; of three indices write entries, Σ_k A[i,k]·T[o,k,j]";
  throw Error(excerpt(text_of(node.parts[0])), " is ", to_text(a.shape), " and ",
              excerpt(text_of(node.parts[1])), " is ", to_text(b.shape), ": that does not fit",
              advice);
}

// Computes f of each pair of entries; a row, a column or a number is repeated.
template <class F>
Value entries(const Node& node, const Value& a, const Value& b, F f) {
  if (a.shape == b.shape || a.is_number() || b.is_number()) {
    Value c = a.is_number() ? b : a;
    for (std::size_t k = 0; k < c.numbers.size(); ++k)
      c.numbers[k] = f(a.numbers[a.is_number() ? 0 : k], b.numbers[b.is_number() ? 0 : k]);
    return c;
  }
  if (!fit_entrywise(a, b)) misfit(node, a, b);
  const auto entry = [](const Matrix<double>& A, std::size_t i, std::size_t j) {
    return A(A.rows() == 1 ? 0 : i, A.cols() == 1 ? 0 : j);
  };
  const Matrix<double> A = a.matrix(), B = b.matrix();
  Matrix<double> C(std::max(A.rows(), B.rows()), std::max(A.cols(), B.cols()));
  for (std::size_t i = 0; i < C.rows(); ++i)
    for (std::size_t j = 0; j < C.cols(); ++j) C(i, j) = f(entry(A, i, j), entry(B, i, j));
  return C;
}

inline Value each(Value a, One f) {
  for (double& x : a.numbers) x = f(x);
  return a;
}

inline Value transposed(const Value& a) {
  if (a.is_number()) return a;
  if (a.shape.size() != 2) throw Error("only a matrix has a transpose");
  return Matrix<double>(transpose(a.matrix()));
}

inline double scalar_product(const Value& a, const Value& b) {
  return std::inner_product(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), 0.0);
}

inline Value product(const Node& node, const Value& a, const Value& b) {
  if (a.is_number() || b.is_number()) return entries(node, a, b, times);
  if (a.shape.size() == 2 && b.shape.size() == 2 && a.cols() == b.rows())
    return matmul_by_definition(a.matrix(), b.matrix());
  const bool turned = node.parts[0].text == "ᵀ" || node.parts[1].text == "ᵀ";       // once columns
  if (a.shape == b.shape && a.rows() == 1 && !turned) return scalar_product(a, b);  // two rows
  if (a.numbers.size() == 1) return entries(node, a.numbers[0], b, times);
  if (b.numbers.size() == 1) return entries(node, a, b.numbers[0], times);
  misfit(node, a, b);
}

inline Value row_sums(const Value& a) { return transposed(column_sums(transposed(a).matrix())); }

// ones, and onesᵀ
inline bool is_ones(const Node& node) { return node.kind == Kind::name && node.text == "ones"; }
inline bool is_turned_ones(const Node& node) {
  return node == Node::name("ones'") || node == Node::unary("ᵀ", Node::name("ones"));
}

inline Value row_means(const Value& a) {
  if (a.shape.size() > 2) throw Error("only a matrix has rows");
  const Matrix<double> shares =
      map_entries(a.matrix(), [&](double x) { return x / double(a.cols()); });
  return transposed(column_sums(Matrix<double>(transpose(shares))));
}

inline Value softmax(Value a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const std::span<double> row(&a.numbers[i * a.cols()], a.cols());
    const double top = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& x : row) {
      x = std::exp(x - top);
      sum += x;
    }
    for (double& x : row) x /= sum;
  }
  return a;
}

// Puts blocks beside and below each other; a number fills what its neighbours leave.
inline Value assembled(const std::vector<std::vector<Value>>& blocks) {
  std::vector<std::size_t> widths(blocks[0].size(), 1);
  for (const std::vector<Value>& line : blocks)
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], line[k].cols());
  Value whole({0, std::accumulate(widths.begin(), widths.end(), std::size_t(0))}, {});
  for (const std::vector<Value>& line : blocks) {
    std::size_t height = 1;
    for (const Value& block : line) height = std::max(height, block.rows());
    whole.shape[0] += height;
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const bool fills = line[k].is_number();
        if (!fills && (line[k].rows() != height || line[k].cols() != widths[k]))
          throw Error("the blocks of a matrix do not fit: ", to_text(line[k].shape));
        for (std::size_t j = 0; j < widths[k]; ++j)
          whole.numbers.push_back(line[k].numbers[fills ? 0 : i * widths[k] + j]);
      }
  }
  return whole;
}

}  // namespace formula
