// From trees to numbers.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numeric>
#include <optional>

#include "common/frame/formula/values.hpp"

namespace formula {
namespace {

bool holds(const std::string& relation, double a, double b) {
  const double slack = 1e-12 * std::max(std::abs(a), std::abs(b));
  if (relation == "<") return a < b;
  if (relation == ">") return a > b;
  if (relation == "≤") return a <= b + slack;
  if (relation == "≥") return a + slack >= b;
  return std::abs(a - b) <= slack;
}

using Entries = std::vector<std::pair<Shape, double>>;

class Evaluator {
 public:
  explicit Evaluator(const Scope& scope) : scope_(scope), indices_(scope.indices) {}

  Value operator()(const Node& node) {
    ++steps_;
    if (scope_.steps_left && *scope_.steps_left > 0) --*scope_.steps_left;
    const bool spent = scope_.steps_left ? *scope_.steps_left == 0 : steps_ > 2'000'000;
    if (spent) throw Error("this would take too long");
    switch (node.kind) {
      case Kind::number:
        return std::stod(node.text);
      case Kind::name:
        return name(node);
      case Kind::entry:
        return entry(node);
      case Kind::call:
        return call(node);
      case Kind::matrix:
        return matrix(node);
      case Kind::binary:
        return binary(node);
      case Kind::unary:
        return unary(node);
      case Kind::fold:
        return fold(node);
      case Kind::choice:
        return choice(node);
      case Kind::table:
        return table(node);
      case Kind::argument:
      case Kind::text:
        throw Error(text_of(node), " does not fit here");
    }
    return {};
  }

  template <class F>
  void over(const std::vector<std::string>& letters, const std::vector<Node>& trees, const F& f,
            std::size_t k = 0) {
    if (k == letters.size()) return f();
    const auto own = indices_.find(letters[k]);
    const auto before = own == indices_.end() ? std::nullopt : std::optional(own->second);
    const auto [first, end] = range(letters[k], trees);
    for (std::size_t at = first; at < end; ++at) {
      indices_[letters[k]] = at;
      over(letters, trees, f, k + 1);
    }
    if (before) indices_[letters[k]] = *before;
    else indices_.erase(letters[k]);
  }

  // Returns the indices of a tree: letters in brackets or below a name that have no value and are
  // not summed over.
  std::vector<std::string> free_in(const Node& tree) const {
    std::vector<std::string> free, bound;
    const auto note = [&](const Node& part) {
      const bool open = is_letter(part) && indices_.count(part.text) == 0;
      if (open && !contains(free, part.text) && !contains(bound, part.text))
        free.push_back(part.text);
    };
    const auto note_unknown = [&](const Node& part) {
      if (!known(part.text)) note(part);
    };
    visit(tree, [&](const Node& node) {
      if (node.kind == Kind::fold || node.kind == Kind::table)
        for (const std::string& letter : letters_of(node)) bound.push_back(letter);
      const bool has_condition = node.kind == Kind::choice || node.kind == Kind::fold;
      for (std::size_t side = 1; side < 3 && has_condition && side < node.parts.size(); ++side)
        visit(node.parts[side], note_unknown);
      if (node.kind != Kind::entry && node.kind != Kind::name) return;
      if (node.kind == Kind::name && known(text_of(node))) return;  // a name that ends in _z
      const bool is_entry = node.kind == Kind::entry && !function_of(node.parts[0]);
      for (std::size_t k = node.kind == Kind::entry; k < node.parts.size(); ++k)
        if (is_entry && shadows(node.parts[k])) note(node.parts[k]);
        else visit(node.parts[k], note_unknown);
    });
    return free;
  }

  // With +=, an index of the right side alone runs, too.
  Entries written(const Node& left, const Node& right, bool adds) {
    Entries all;
    std::vector<std::string> letters = free_in(left);
    for (const std::string& letter : free_in(right))
      if (adds && !contains(letters, letter)) letters.push_back(letter);
    over(letters, {right, left}, [&] {
      Shape place;
      for (std::size_t k = 1; k < left.parts.size(); ++k)
        place.push_back(std::size_t((*this)(left.parts[k]).numbers[0]));
      const Value value = (*this)(right);
      if (value.numbers.size() == 1) all.emplace_back(place, value.numbers[0]);
      else add_places(place, value, all);
    });
    return all;
  }

 private:
  using Range = std::pair<std::size_t, std::size_t>;
  static constexpr std::size_t endless = 1000;

  static bool is_letter(const Node& node) { return node.kind == Kind::name && node.parts.empty(); }
  bool known(const std::string& name) const { return scope_.values.count(name) > 0; }

  // An index may have the letter of a table.
  bool shadows(const Node& index) const {
    if (index.kind != Kind::name || !index.parts.empty() || index.text.size() > 1) return false;
    const auto value = scope_.values.find(index.text);
    return value != scope_.values.end() && value->second.numbers.size() > 1;
  }

  // Returns where an index goes: over the arrays in whose brackets it stands alone, and the layers
  // of names.
  Range range(const std::string& letter, const std::vector<Node>& trees) {
    Range all{0, endless};
    const auto narrow = [&](const Range& other) {
      all = {std::max(all.first, other.first), std::min(all.second, other.second)};
    };
    const Node index = Node::name(letter);
    for (const Node& tree : trees)
      visit(tree, [&](const Node& node) {
        for (std::size_t k = 1; k < node.parts.size() && node.kind == Kind::entry; ++k)
          if (node.parts[k] == index) narrow({0, end_of(node, k)});
        if (node.kind == Kind::name && node.parts == std::vector{index})
          narrow(layers_of(node.text));
      });
    if (all.second == endless) throw Error("how far does ", letter, " go?");
    return all;
  }

  static bool is_row(const Node& entry, const Shape& shape) {  // which has one index
    return entry.parts.size() == 2 && shape.size() == 2 && shape[0] == 1;
  }

  // Returns below where index k of an entry stays, from 1 on.
  std::size_t end_of(const Node& entry, std::size_t k) {
    const Node& of = entry.parts[0];
    const bool is_plain = of.kind == Kind::name && of.parts.empty() && known(of.text);
    const auto shape =
        if_possible([&] { return is_plain ? scope_.values.at(of.text).shape : (*this)(of).shape; });
    if (!shape) return endless;  // the array has no value yet
    const std::size_t place = k - 1 + is_row(entry, *shape);
    return place < shape->size() ? (*shape)[place] : endless;
  }

  Range layers_of(const std::string& name) const {
    const auto exists = [&](std::size_t l) { return known(join(name, "_", l)); };
    std::size_t first = 0;
    while (first < 20 && !exists(first)) ++first;
    std::size_t end = first;
    while (exists(end)) ++end;
    return end == first ? Range{0, endless} : Range{first, end};
  }

  // An entry may be a row, as in Y[i] = X[i]·W, or more.
  static void add_places(const Shape& place, const Value& value, Entries& all) {
    const std::size_t first = value.rows() == 1 && value.shape.size() == 2;
    for (std::size_t k = 0; k < value.numbers.size(); ++k) {
      Shape inside;
      for (std::size_t size = k, index = value.shape.size(); index-- > first;) {
        inside.insert(inside.begin(), size % value.shape[index]);
        size /= value.shape[index];
      }
      Shape whole = place;
      whole.insert(whole.end(), inside.begin(), inside.end());
      all.emplace_back(std::move(whole), value.numbers[k]);
    }
  }

  double number(const Node& node) {
    const Value value = (*this)(node);
    if (value.numbers.size() == 1) return value.numbers[0];
    throw Error(text_of(node), " must be a number and is ", to_text(value.shape));
  }

  Value name(const Node& node) {
    std::string text = node.text;
    if (const std::string whole = text_of(node); !node.parts.empty() && known(whole))
      return scope_.values.at(whole);  // a name that ends in _z
    if (!node.parts.empty())           // the prime of H_(l-1)' stays at the end
      text.insert(text.size() - text.ends_with("'"), join("_", std::lround(number(node.parts[0]))));
    if (const auto at = indices_.find(text); at != indices_.end()) return double(at->second);
    if (const auto value = scope_.values.find(text); value != scope_.values.end())
      return value->second;
    if (text == "e") return std::exp(1.0);
    if (text == "π") return std::acos(-1.0);
    if (text == "ones") return 1.0;
    const std::string turned = text.substr(0, text.size() - 1);
    if (text.ends_with("'") && known(turned)) return transposed(scope_.values.at(turned));
    throw Error("there is no ", text, " here");
  }

  // Returns the function of E[x] or Var W; null if the name has a value.
  const Function* function_of(const Node& name) const {
    if (name.kind != Kind::name || known(name.text)) return nullptr;
    const auto f = scope_.functions.find(name.text);
    return f == scope_.functions.end() ? nullptr : &f->second;
  }

  // Returns an entry; with fewer places than indices, an array of the others.
  Value entry(const Node& node) {
    if (const Function* f = function_of(node.parts[0])) return (*f)({(*this)(node.parts[1])});
    const Node& of = node.parts[0];
    const bool is_plain = of.kind == Kind::name && of.parts.empty() && known(of.text);
    const Value computed = is_plain ? Value() : (*this)(of);
    const Value& array = is_plain ? scope_.values.at(of.text) : computed;
    std::size_t at = 0, size = array.numbers.size();
    if (const Node& last = node.parts.back(); last.text == ":" && last.parts.size() == 2)
      return slice(node);
    std::size_t k = is_row(node, array.shape);
    for (std::size_t part = 1; part < node.parts.size(); ++part) {
      const double place = number(node.parts[part]);
      if (!(place >= 0 && place < 1e6 && place == std::floor(place)))
        throw Error(text_of(node.parts[part]), " is no index");
      if (k >= array.shape.size() || place >= double(array.shape[k]))
        throw Error(text_of(node), " goes beyond ", to_text(array.shape));
      size /= array.shape[k];
      at += std::size_t(place) * size;
      ++k;
    }
    Shape rest(array.shape.begin() + std::ptrdiff_t(k), array.shape.end());
    if (rest.size() == 1) rest.insert(rest.begin(), 1);
    const auto from = array.numbers.begin() + std::ptrdiff_t(at);
    return {std::move(rest), {from, from + std::ptrdiff_t(size)}};
  }

  // A[i,a:b] is the row of A[i,a] to A[i,b-1].
  Value slice(const Node& node) {
    const Node& last = node.parts.back();
    const double first = number(last.parts[0]), end = number(last.parts[1]);
    if (!(first >= 0 && first < end && end < 1e4)) throw Error(text_of(last), " is no range");
    Node one = node;
    Value row({1, 0}, {});
    for (double at = first; at < end; ++at) {
      one.parts.back() = {Kind::number, significant(at, 9)};
      row.numbers.push_back(number(one));
      ++row.shape[1];
    }
    return row;
  }

  Value call(const Node& node) {
    if (node.parts.empty()) throw Error("of what is ", node.text, "()?");
    std::vector<Value> arguments;
    for (const Node& part : node.parts) arguments.push_back((*this)(part));
    if (const auto f = scope_.functions.find(node.text); f != scope_.functions.end())
      return f->second(arguments);
    if (arguments.size() == 1) {
      if (const auto f = functions.find(node.text); f != functions.end())
        return each(arguments[0], f->second);
      if (node.text == "softmax") return softmax(arguments[0]);
      if (node.text == "mean") return row_means(arguments[0]);
      if (known(node.text))
        return product(Node::binary(Node::name(node.text), "", node.parts[0]),
                       scope_.values.at(node.text), arguments[0]);
    }
    if (arguments.size() == 2 && node.text == "max")
      return entries(node, arguments[0], arguments[1],
                     [](double a, double b) { return std::max(a, b); });
    throw Error("there is no function ", node.text, " of ",
                arguments.size() == 1 ? "one argument" : "so many arguments",
                " here; there are σ, tanh, relu, exp, ln, √ and their like");
  }

  Value matrix(const Node& node) {
    std::vector<std::vector<Value>> blocks;
    for (const Node& line : node.parts) {
      blocks.emplace_back();
      for (const Node& part : line.parts) {
        blocks.back().push_back((*this)(part));
        if (blocks.back().back().shape.size() > 2) throw Error(text_of(part), " is no matrix");
      }
    }
    return assembled(blocks);
  }

  Value binary(const Node& node) {
    const std::string& sign = node.text;
    if (const Function* f = sign.empty() ? function_of(node.parts[0]) : nullptr)
      return (*f)({(*this)(node.parts[1])});
    const Value a = (*this)(node.parts[0]), b = (*this)(node.parts[1]);
    const bool is_product = sign == "·" || sign.empty();
    // A column of ones, of the right length, adds up; elsewhere it repeats, as a number does.
    if (is_product && a.shape.size() == 2 && b.is_number() && is_ones(node.parts[1]))
      return row_sums(a);
    if (is_product && b.shape.size() == 2 && a.is_number() && is_turned_ones(node.parts[0]))
      return column_sums(b.matrix());
    if (is_product && is_ones(node.parts[0]) && b.rows() > 1) misfit(node, a, b);
    if (is_product) return product(node, a, b);
    if (sign == "^" && !b.is_number()) throw Error("an exponent is a number");
    return entries(node, a, b, binary_signs.at(sign));
  }

  Value unary(const Node& node) {
    const Value a = (*this)(node.parts[0]);
    if (node.text == "ᵀ") return transposed(a);
    if (node.text == "|" && !a.is_number()) return std::sqrt(scalar_product(a, a));
    return each(a, functions.at(node.text));
  }

  Value fold(const Node& node) {
    if (!node.indices.empty()) return sum_over(node);
    const Value a = (*this)(node.parts[0]);
    const bool of_rows = node.text.starts_with("row"), of_columns = node.text.starts_with("column");
    if ((of_rows || of_columns) && a.shape.size() != 2)
      throw Error("only a matrix has ", node.text.substr(0, node.text.size() - 3));
    if (of_rows || of_columns) {
      const bool means = node.text.find("mean") != std::string::npos;
      const double over = double(of_rows ? a.cols() : a.rows());
      const Value sums = of_rows ? row_sums(a) : Value(column_sums(a.matrix()));
      return means ? entries(node, sums, over, binary_signs.at("/")) : sums;
    }
    const double sum = std::accumulate(a.numbers.begin(), a.numbers.end(), 0.0);
    return node.text == "mean of" ? sum / double(a.numbers.size()) : sum;
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

  // Adds the one value, times 1 where the relation holds, and the other, times 1 elsewhere.
  Value choice(const Node& node) {
    const auto is = [&](double a, double b) { return double(holds(node.text, a, b)); };
    const Value chosen = entries(Node::binary(node.parts[1], "", node.parts[2]),
                                 (*this)(node.parts[1]), (*this)(node.parts[2]), is);
    const Value yes = entries(node, chosen, (*this)(node.parts[0]), times);
    const Value no =
        entries(node, each(chosen, [](double x) { return 1 - x; }), (*this)(node.parts[3]), times);
    return entries(node, yes, no, plus);
  }

  // Sets an entry in all places of its indices; of one index it makes a row.
  Value table(const Node& node) {
    const std::vector<std::string> letters = letters_of(node);
    Value whole(Shape(letters.size(), 0), {});
    over(letters, {node}, [&] {
      for (std::size_t k = 0; k < letters.size(); ++k)
        whole.shape[k] = std::max(whole.shape[k], indices_.at(letters[k]) + 1);
      whole.numbers.push_back(number(node.parts[0]));
    });
    if (letters.size() == 1) whole.shape.insert(whole.shape.begin(), 1);
    return whole;
  }

  const Scope& scope_;
  std::map<std::string, std::size_t> indices_;
  std::size_t steps_ = 0;
};

Shape shape_around(const Entries& written, std::size_t indices) {
  Shape shape(written.empty() ? indices : written[0].first.size(), 0);
  for (const auto& [place, number] : written)
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (place.size() != shape.size()) throw Error("the entries on the left differ in shape");
      shape[k] = std::max(shape[k], place[k] + 1);
    }
  return shape;
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
  if (!alike) return HUGE_VAL;
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < a.numbers.size(); ++k) {
    const double off = std::abs(a.numbers[k] - b.numbers[k]);
    if (!(off <= worst)) worst = std::isnan(off) ? HUGE_VAL : off;
    largest = std::max(largest, std::abs(b.numbers[k]));
  }
  return worst == 0 ? 0 : worst / std::max(largest, 1e-300);
}

Function entrywise(double (*f)(double)) {
  return [f](const std::vector<Value>& arguments) { return each(arguments.at(0), f); };
}

Value Scope::operator()(const Node& node) const { return Evaluator(*this)(node); }

std::vector<std::string> Scope::free_letters(const Node& node) const {
  return Evaluator(*this).free_in(node);
}

std::vector<Value> Scope::sides(const Equation& equation) const {
  Evaluator evaluate(*this);
  const std::vector<std::string> letters = evaluate.free_in(equation.sides[0]);
  std::vector<Value> results;
  for (const Node& side : equation.sides)
    results.push_back(letters.empty() ? evaluate(side) : Value({0}, {}));
  if (letters.empty()) return results;
  evaluate.over(letters, equation.sides, [&] {
    for (std::size_t k = 0; k < results.size(); ++k) {
      const Value one = evaluate(equation.sides[k]);
      std::vector<double>& all = results[k].numbers;
      all.insert(all.end(), one.numbers.begin(), one.numbers.end());
      results[k].shape[0] = all.size();
    }
  });
  return results;
}

void Scope::assign(const Equation& equation) {
  const Node &left = equation.sides[0], &right = equation.sides.back();
  const bool adds = equation.relations[0] == "+=";
  Evaluator evaluate(*this);
  if (left.kind == Kind::name && left.parts.empty()) {
    values[left.text] = evaluate(adds ? Node::binary(left, "+", right) : right);
    return;
  }
  if (left.kind != Kind::entry) throw Error("the left side must be a name or an entry");
  const Entries written = evaluate.written(left, right, adds);
  const Shape shape = shape_around(written, left.parts.size() - 1);
  Value& whole = values[left.parts[0].text];
  const bool of_line = shape.size() == 1 && (whole.shape == Shape{1, shape[0]} ||  // db[j]
                                             whole.shape == Shape{shape[0], 1});   // dm[i]
  const bool fits = std::equal(shape.begin(), shape.end(), whole.shape.begin(), whole.shape.end(),
                               std::less_equal<>());
  if (!fits && !of_line) {
    const std::size_t size =
        std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies());
    whole = Value(shape, std::vector<double>(size));
  } else if (!adds) {
    whole = zeros_like(whole);
  }
  for (const auto& [place, number] : written) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < place.size(); ++k)
      at = at * (of_line ? 1 : whole.shape[k]) + place[k];
    const double before = adds ? whole.numbers.at(at) : 0;
    whole.numbers.at(at) = before + number;
  }
}

}  // namespace formula
