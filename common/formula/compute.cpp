// From trees to numbers.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include "common/formula/formula.hpp"

namespace formula {
namespace {

using Shape = std::vector<std::size_t>;
using One = double (*)(double);
using Two = double (*)(double, double);
constexpr Two plus = [](double x, double y) { return x + y; },
              times = [](double x, double y) { return x * y; };

[[noreturn]] void misfit(const Node& node, const Value& a, const Value& b) {
  throw Error(text_of(node.parts[0]) + " is " + to_text(a.shape) + " and " +
              text_of(node.parts[1]) + " is " + to_text(b.shape) + ": that does not fit");
}

// Entry by entry; what has one row, one column, or is a number, is repeated.
Value entries(const Node& node, const Value& a, const Value& b, Two f) {
  if (a.shape == b.shape || a.is_number() || b.is_number()) {
    Value c(a.is_number() ? b.shape : a.shape, {});
    const std::size_t count = std::max(a.numbers.size(), b.numbers.size());
    for (std::size_t k = 0; k < count; ++k)
      c.numbers.push_back(f(a.numbers[a.is_number() ? 0 : k], b.numbers[b.is_number() ? 0 : k]));
    return c;
  }
  const bool two = a.shape.size() == 2 && b.shape.size() == 2;
  const auto fits = [](std::size_t n, std::size_t m) { return n == m || n == 1 || m == 1; };
  if (!two || !fits(a.rows(), b.rows()) || !fits(a.cols(), b.cols())) misfit(node, a, b);
  Value c({std::max(a.rows(), b.rows()), std::max(a.cols(), b.cols())}, {});
  const auto entry = [](const Value& v, std::size_t i, std::size_t j) {
    return v.numbers[(v.rows() == 1 ? 0 : i) * v.cols() + (v.cols() == 1 ? 0 : j)];
  };
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.cols(); ++j)
      c.numbers.push_back(f(entry(a, i, j), entry(b, i, j)));
  return c;
}

Value each(Value a, One f) {
  for (double& x : a.numbers) x = f(x);
  return a;
}

Value transposed(const Value& a) {
  if (a.is_number()) return a;
  if (a.shape.size() != 2) throw Error("only a matrix has a transpose");
  Value b({a.cols(), a.rows()}, std::vector<double>(a.numbers.size()));
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      b.numbers[j * a.rows() + i] = a.numbers[i * a.cols() + j];
  return b;
}

// Both have as many numbers.
double scalar_product(const Value& a, const Value& b) {
  return std::inner_product(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), 0.0);
}

Value product(const Node& node, const Value& a, const Value& b) {
  if (a.is_number() || b.is_number()) return entries(node, a, b, times);
  if (a.shape.size() == 2 && b.shape.size() == 2 && a.cols() == b.rows()) {
    Value c({a.rows(), b.cols()}, std::vector<double>(a.rows() * b.cols()));
    for (std::size_t i = 0; i < a.rows(); ++i)
      for (std::size_t k = 0; k < a.cols(); ++k)
        for (std::size_t j = 0; j < b.cols(); ++j)
          c.numbers[i * b.cols() + j] += a.numbers[i * a.cols() + k] * b.numbers[k * b.cols() + j];
    return c;
  }
  if (a.shape == b.shape && a.rows() == 1) return scalar_product(a, b);  // two rows
  if (a.numbers.size() == 1) return entries(node, a.numbers[0], b, times);
  if (b.numbers.size() == 1) return entries(node, a, b.numbers[0], times);
  misfit(node, a, b);
}

Value mean_of_rows(const Value& a) {
  Value means({a.rows(), 1}, std::vector<double>(a.rows()));
  for (std::size_t k = 0; k < a.numbers.size(); ++k)
    means.numbers[k / a.cols()] += a.numbers[k] / double(a.cols());
  return means;
}

Value softmax(Value a) {
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const auto row = a.numbers.begin() + std::ptrdiff_t(i * a.cols()),
               end = row + std::ptrdiff_t(a.cols());
    const double top = *std::max_element(row, end);
    double sum = 0;
    for (auto x = row; x != end; ++x) sum += * x = std::exp(*x - top);
    for (auto x = row; x != end; ++x) *x /= sum;
  }
  return a;
}

const std::map<std::string, One> functions_of_numbers = {
    {"exp", [](double x) { return std::exp(x); }},
    {"ln", [](double x) { return std::log(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"sign", [](double x) { return x < 0 ? -1.0 : 1.0; }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"relu", [](double x) { return x > 0 ? x : 0.0; }},
    {"relu'", [](double x) { return x > 0 ? 1.0 : 0.0; }},
    {"tanh'", [](double x) { return 1 - std::tanh(x) * std::tanh(x); }},
    {"σ", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"swish'", [](double x) { return (1 + x / (1 + std::exp(x))) / (1 + std::exp(-x)); }},
    {"σ'",
     [](double x) { return std::exp(-std::abs(x)) / std::pow(1 + std::exp(-std::abs(x)), 2); }},
};

bool holds(const std::string& relation, double a, double b) {
  const double slack = 1e-12 * std::max(std::abs(a), std::abs(b));
  if (relation == "<") return a < b;
  if (relation == ">") return a > b;
  if (relation == "≤") return a <= b + slack;
  if (relation == "≥") return a + slack >= b;
  return std::abs(a - b) <= slack;
}

// What limits an index beside its array: "l ≤ i".
struct Condition {
  std::string left, relation;
  Node right;
};

class Run {
 public:
  explicit Run(const Scope& scope, std::vector<Condition> conditions = {})
      : scope_(scope), conditions_(std::move(conditions)), indices_(scope.indices) {}

  Value operator()(const Node& node) {
    if (++steps_ > 2'000'000) throw Error("this would take too long");
    if (node.kind == Kind::number) return std::stod(node.text);
    if (node.kind == Kind::name) return name(node);
    if (node.kind == Kind::entry) return entry(node);
    if (node.kind == Kind::call) return call(node);
    if (node.kind == Kind::matrix) return matrix(node);
    if (node.kind == Kind::binary) return binary(node);
    if (node.kind == Kind::unary) return unary(node);
    return node.kind == Kind::fold ? fold(node) : choice(node);
  }

  // Calls f for each set of places that the indices can have, in their order.
  template <class F>
  void over(const std::vector<std::string>& letters, const std::vector<Node>& trees, const F& f,
            std::size_t k = 0) {
    if (k == letters.size()) return f();
    const std::map<std::string, std::size_t> before = indices_;
    const auto [first, end] = range(letters[k], trees);
    for (std::size_t at = first; at < end; ++at) {
      indices_[letters[k]] = at;
      if (allowed(letters[k])) over(letters, trees, f, k + 1);
    }
    indices_ = before;
  }

  // Returns the letters of a tree that are indices: in brackets or below a name, without a value
  // and not summed over.
  std::vector<std::string> free_in(const Node& tree) const {
    std::vector<std::string> found, bound;
    visit(tree, [&](const Node& node) {
      if (node.kind == Kind::fold)
        for (const std::string& letter : letters_of(node)) bound.push_back(letter);
      if (node.kind != Kind::entry && node.kind != Kind::name) return;
      for (std::size_t k = node.kind == Kind::entry; k < node.parts.size(); ++k)
        visit(node.parts[k], [&](const Node& part) {
          const auto among = [&](const auto& all) {
            return std::find(all.begin(), all.end(), part.text) != all.end();
          };
          if (part.kind == Kind::name && part.parts.empty() && !known(part.text) &&
              indices_.count(part.text) == 0 && !among(found) && !among(bound))
            found.push_back(part.text);
        });
    });
    return found;
  }

 private:
  bool known(const std::string& name) const { return scope_.values.count(name) > 0; }

  bool allowed(const std::string& letter) {
    for (const Condition& c : conditions_) {
      bool ready = c.left == letter;
      visit(c.right, [&](const Node& n) {
        ready = ready && (n.kind != Kind::name || known(n.text) || indices_.count(n.text) > 0);
      });
      if (ready && !holds(c.relation, double(indices_.at(letter)), number(c.right))) return false;
    }
    return true;
  }

  // Returns from where an index goes, and to below where: over the arrays in whose brackets it
  // stands alone, and the layers below whose names.
  std::pair<std::size_t, std::size_t> range(const std::string& letter,
                                            const std::vector<Node>& trees) {
    std::size_t first = 0, end = 1000;
    const auto is = [&](const Node& n) {
      return n.kind == Kind::name && n.parts.empty() && n.text == letter;
    };
    for (const Node& tree : trees)
      visit(tree, [&](const Node& node) {
        for (std::size_t k = 1; k < node.parts.size() && node.kind == Kind::entry; ++k) {
          if (!is(node.parts[k])) continue;
          Shape shape;
          try {
            shape = (*this)(node.parts[0]).shape;
          } catch (const Error&) {  // it has none yet
          }
          const std::size_t place =
              k - 1 + (node.parts.size() == 2 && shape.size() == 2 && shape[0] == 1);
          if (place < shape.size()) end = std::min(end, shape[place]);
        }
        if (node.kind != Kind::name || node.parts.size() != 1 || !is(node.parts[0])) return;
        std::size_t low = 0, high = 0;
        while (low < 20 && !known(node.text + "_" + std::to_string(low))) ++low;
        for (high = low; known(node.text + "_" + std::to_string(high));) ++high;
        if (high == low) return;
        first = std::max(first, low);
        end = std::min(end, high);
      });
    if (end == 1000) throw Error("how far does " + letter + " go?");
    return {first, end};
  }

  double number(const Node& node) {
    const Value value = (*this)(node);
    if (value.numbers.size() == 1) return value.numbers[0];
    throw Error(text_of(node) + " must be a number and is " + to_text(value.shape));
  }

  Value name(const Node& node) {
    std::string text = node.text;
    if (!node.parts.empty())  // H_(l-1)' is turned, too
      text.insert(text.size() - text.ends_with("'"),
                  "_" + std::to_string(std::lround(number(node.parts[0]))));
    if (const auto at = indices_.find(text); at != indices_.end()) return double(at->second);
    if (const auto value = scope_.values.find(text); value != scope_.values.end())
      return value->second;
    if (text == "e") return std::exp(1.0);
    if (text == "π") return std::acos(-1.0);
    const std::string turned = text.substr(0, text.size() - 1);
    if (text.ends_with("'") && known(turned)) return transposed(scope_.values.at(turned));
    throw Error("there is no " + text + " here");
  }

  // A function of the scope, where a name has no value: E[x], Var W.
  const Function* function_of(const Node& name) const {
    const auto f = scope_.functions.find(name.text);
    return name.kind != Kind::name || known(name.text) || f == scope_.functions.end() ? nullptr
                                                                                      : &f->second;
  }

  // What an array has at some places; with fewer than it has indices, the rest of it.
  Value entry(const Node& node) {
    if (const Function* f = function_of(node.parts[0])) return (*f)({(*this)(node.parts[1])});
    const Value array = (*this)(node.parts[0]);
    const bool row = node.parts.size() == 2 && array.shape.size() == 2 && array.shape[0] == 1;
    std::size_t at = 0, size = array.numbers.size(), k = row;
    for (std::size_t part = 1; part < node.parts.size(); ++part, ++k) {
      const double place = number(node.parts[part]);
      if (!(place >= 0 && place < 1e6 && place == std::floor(place)))
        throw Error(text_of(node.parts[part]) + " is no index");
      if (k >= array.shape.size() || place >= double(array.shape[k]))
        throw Error(text_of(node) + " goes beyond " + to_text(array.shape));
      size /= array.shape[k];
      at += std::size_t(place) * size;
    }
    Shape rest(array.shape.begin() + std::ptrdiff_t(k), array.shape.end());
    if (rest.size() == 1) rest.insert(rest.begin(), 1);
    const auto from = array.numbers.begin() + std::ptrdiff_t(at);
    return {std::move(rest), {from, from + std::ptrdiff_t(size)}};
  }

  Value call(const Node& node) {
    std::vector<Value> arguments;
    for (const Node& part : node.parts) arguments.push_back((*this)(part));
    if (const auto f = scope_.functions.find(node.text); f != scope_.functions.end())
      return f->second(arguments);
    if (arguments.size() == 1) {
      if (const auto f = functions_of_numbers.find(node.text); f != functions_of_numbers.end())
        return each(arguments[0], f->second);
      if (node.text == "softmax") return softmax(arguments[0]);
      if (node.text == "mean") return mean_of_rows(arguments[0]);
      if (known(node.text))
        return product({Kind::binary, "", {{Kind::name, node.text}, node.parts[0]}},
                       scope_.values.at(node.text), arguments[0]);
    }
    if (arguments.size() == 2 && node.text == "max")
      return entries(node, arguments[0], arguments[1],
                     [](double a, double b) { return std::max(a, b); });
    throw Error("there is no function " + node.text + " of so many arguments here");
  }

  // Puts blocks side by side and below each other; a number fills the block that its neighbours
  // leave.
  Value matrix(const Node& node) {
    std::vector<std::vector<Value>> blocks;
    std::vector<std::size_t> widths(node.parts[0].parts.size(), 1);
    for (const Node& line : node.parts) {
      blocks.emplace_back();
      for (std::size_t k = 0; k < widths.size(); ++k) {
        const Value& block = blocks.back().emplace_back((*this)(line.parts[k]));
        if (block.shape.size() > 2) throw Error(text_of(line.parts[k]) + " is no matrix");
        widths[k] = std::max(widths[k], block.cols());
      }
    }
    Value whole({0, std::accumulate(widths.begin(), widths.end(), std::size_t(0))}, {});
    for (const std::vector<Value>& line : blocks) {
      std::size_t height = 1;
      for (const Value& block : line) height = std::max(height, block.rows());
      whole.shape[0] += height;
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t k = 0; k < widths.size(); ++k) {
          const bool fills = line[k].is_number();
          if (!fills && (line[k].rows() != height || line[k].cols() != widths[k]))
            throw Error("the blocks of a matrix do not fit: " + to_text(line[k].shape));
          for (std::size_t j = 0; j < widths[k]; ++j)
            whole.numbers.push_back(line[k].numbers[fills ? 0 : i * widths[k] + j]);
        }
    }
    return whole;
  }

  Value binary(const Node& node) {
    if (const Function* f = node.text.empty() ? function_of(node.parts[0]) : nullptr)
      return (*f)({(*this)(node.parts[1])});
    const Value a = (*this)(node.parts[0]), b = (*this)(node.parts[1]);
    const std::string& sign = node.text;
    if (sign == "·" || sign.empty()) return product(node, a, b);
    if (sign == "^" && !b.is_number()) throw Error("an exponent is a number");
    const Two f = sign == "+"   ? plus
                  : sign == "⊙" ? times
                  : sign == "-" ? [](double x, double y) { return x - y; }
                  : sign == "/" ? [](double x, double y) { return x / y; }
                                : Two([](double x, double y) { return std::pow(x, y); });
    return entries(node, a, b, f);
  }

  Value unary(const Node& node) {
    Value a = (*this)(node.parts[0]);
    if (node.text == "ᵀ") return transposed(a);
    if (node.text == "|" && !a.is_number()) return std::sqrt(scalar_product(a, a));
    return each(std::move(a), node.text == "-"   ? [](double x) { return -x; }
                              : node.text == "√" ? [](double x) { return std::sqrt(x); }
                                                 : One([](double x) { return std::abs(x); }));
  }

  Value fold(const Node& node) {
    if (!node.indices.empty()) return sum_over(node);
    const Value a = (*this)(node.parts[0]);
    const bool of_rows = node.text == "row sums of", of_columns = node.text == "column sums of";
    if ((of_rows || of_columns) && a.shape.size() != 2)
      throw Error("only a matrix has " + node.text.substr(0, node.text.size() - 3));
    Value sums = of_rows      ? Value({a.rows(), 1}, std::vector<double>(a.rows()))
                 : of_columns ? Value({1, a.cols()}, std::vector<double>(a.cols()))
                              : Value();
    for (std::size_t k = 0; k < a.numbers.size(); ++k)
      sums.numbers[of_rows ? k / a.cols() : of_columns ? k % a.cols() : 0] += a.numbers[k];
    if (node.text == "mean of") sums.numbers[0] /= double(a.numbers.size());
    return sums;
  }

  Value sum_over(const Node& node) {
    const std::string relation =
        node.parts.size() < 3 ? "" : node.indices.substr(node.indices.find(' ') + 1);
    std::optional<Value> sum;
    over(letters_of(node), {node}, [&] {
      if (!relation.empty() && !holds(relation, number(node.parts[1]), number(node.parts[2])))
        return;
      Value one = (*this)(node.parts[0]);
      sum = sum ? entries(node, *sum, one, plus) : std::move(one);
    });
    return sum.value_or(Value());
  }

  // The one value times what is 1 where the relation holds, else 0, and the other times the rest.
  Value choice(const Node& node) {
    const Two is = node.text == ">"   ? [](double a, double b) { return double(a > b); }
                   : node.text == "<" ? [](double a, double b) { return double(a < b); }
                                      : Two([](double a, double b) { return double(a == b); });
    const Value chosen = entries({Kind::binary, "", {node.parts[1], node.parts[2]}},
                                 (*this)(node.parts[1]), (*this)(node.parts[2]), is);
    const Value yes = entries(node, chosen, (*this)(node.parts[0]), times);
    const Value no =
        entries(node, each(chosen, [](double x) { return 1 - x; }), (*this)(node.parts[3]), times);
    return entries(node, yes, no, plus);
  }

  const Scope& scope_;
  std::vector<Condition> conditions_;
  std::map<std::string, std::size_t> indices_;
  std::size_t steps_ = 0;
};

// Reads "j, l ≤ i" and "k < c"; what is no condition is words, and says nothing.
std::vector<Condition> conditions_in(const std::vector<std::string>& notes) {
  std::vector<Condition> all;
  for (const std::string& note : notes) try {
      const std::size_t comma = note.rfind(',');
      const Equation e = equation(note.substr(comma == note.npos ? 0 : comma + 1));
      std::string names = comma == note.npos ? "" : note.substr(0, comma);
      std::replace(names.begin(), names.end(), ',', ' ');
      std::istringstream in(names + " " + e.sides[0].text);
      for (std::string name; in >> name;) all.push_back({name, e.relations[0], e.sides[1]});
    } catch (const Error&) {
    }
  return all;
}

}  // namespace

std::string to_text(const Shape& shape) {
  if (shape.empty()) return "a number";
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " × ") + std::to_string(n);
  return text;
}

double distance(const Value& a, const Value& b) {
  const bool alike = a.shape == b.shape || (a.numbers.size() == 1 && b.numbers.size() == 1);
  double worst = 0, largest = 0;
  for (std::size_t k = 0; alike && k < a.numbers.size(); ++k) {
    const double off = std::abs(a.numbers[k] - b.numbers[k]);
    if (!(off <= worst)) worst = std::isnan(off) ? HUGE_VAL : off;
    largest = std::max(largest, std::abs(b.numbers[k]));
  }
  return !alike ? HUGE_VAL : worst == 0 ? 0 : worst / std::max(largest, 1e-300);
}

Function entrywise(double (*f)(double)) {
  return [f](const std::vector<Value>& arguments) { return each(arguments.at(0), f); };
}

Value Scope::operator()(const Node& node) const { return Run(*this)(node); }

std::vector<Value> Scope::sides(const Equation& equation,
                                const std::vector<std::string>& notes) const {
  Run run(*this, conditions_in(notes));
  const std::vector<std::string> letters = run.free_in(equation.sides[0]);
  std::vector<Value> found;
  for (const Node& side : equation.sides)
    found.push_back(letters.empty() ? run(side) : Value({0}, {}));
  if (letters.empty()) return found;
  run.over(letters, equation.sides, [&] {
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Value one = run(equation.sides[k]);
      found[k].numbers.insert(found[k].numbers.end(), one.numbers.begin(), one.numbers.end());
      found[k].shape[0] = found[k].numbers.size();
    }
  });
  return found;
}

void Scope::assign(const Equation& equation, const std::vector<std::string>& notes) {
  const Node &left = equation.sides[0], &right = equation.sides.back();
  const bool adds = equation.relations[0] == "+=";
  Run run(*this, conditions_in(notes));
  if (left.kind == Kind::name && left.parts.empty()) {
    values[left.text] = run(adds ? Node{Kind::binary, "+", {left, right}} : right);
    return;
  }
  if (left.kind != Kind::entry) throw Error("the left side must be a name or an entry");
  const std::string& name = left.parts[0].text;
  std::vector<std::pair<Shape, double>> written;
  Shape shape(left.parts.size() - 1, 0);
  run.over(run.free_in(left), {right, left}, [&] {
    Shape place;
    for (std::size_t k = 1; k < left.parts.size(); ++k) {
      place.push_back(std::size_t(run(left.parts[k]).numbers[0]));
      shape[k - 1] = std::max(shape[k - 1], place.back() + 1);
    }
    const Value value = run(right);
    if (value.numbers.size() != 1)
      throw Error("an entry is a number, and this is " + to_text(value.shape));
    written.emplace_back(place, value.numbers[0]);
  });
  Value& whole = values[name];
  const bool of_row = shape.size() == 1 && whole.shape == Shape{1, shape[0]};  // db[j]
  if (whole.shape.size() != shape.size() && !of_row) {
    const std::size_t size =
        std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies());
    whole = Value(shape, std::vector<double>(size));
  } else if (!adds) {
    std::fill(whole.numbers.begin(), whole.numbers.end(), 0.0);
  }
  for (const auto& [place, number] : written) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < place.size(); ++k) at = at * whole.shape[k] + place[k];
    whole.numbers.at(at) = number + (adds ? whole.numbers.at(at) : 0);
  }
}

}  // namespace formula
