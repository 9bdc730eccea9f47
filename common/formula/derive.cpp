// SPDX-License-Identifier: MIT
#include "common/formula/derive.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "common/gradcheck.hpp"
#include "common/page/markdown.hpp"
#include "common/page/page.hpp"
#include "common/random.hpp"
#include "common/support/words.hpp"

namespace formula {
namespace {

// The name on the left of a formula, "Z_l" or, of dC[i,k], "dC".
std::string name_on_left(const Equation& equation) {
  const Node& left = equation.sides[0];
  return text_of(left.kind == Kind::entry ? left.parts[0] : left);
}

bool layered(const std::string& name) { return name.ends_with("_l"); }
std::string at_layer(const std::string& name, std::size_t l) {
  return layered(name) ? name.substr(0, name.size() - 1) + std::to_string(l) : name;
}

void collect(const std::vector<markdown::Block>& blocks, std::vector<Line>& found) {
  for (const markdown::Block& block : blocks) {
    collect(block.children, found);
    if (block.kind != markdown::Kind::code || !block.language.empty()) continue;
    std::istringstream text(block.text);
    std::size_t first = found.size();
    for (std::string one; std::getline(text, one);) {
      try {
        found.push_back(line(one));
      } catch (const Error&) {
        continue;  // no formula; the test of the documents counts them
      }
      if (found.back().number.empty()) continue;
      for (; first + 1 < found.size(); ++first) {
        found[first].number = found.back().number;
        found[first].back = found.back().back;
      }
      first = found.size();
    }
  }
}

}  // namespace

std::vector<Line> lines_of_readme(std::string_view readme) {
  std::vector<Line> found;
  collect(markdown::read(readme), found);
  return found;
}

// ---------------------------------------------------------------------------------------------------------- programs

void Program::add(const Line& line) { lines_.push_back(line); }

void Program::one(const Line& line, Scope& scope, const std::string& held, std::vector<std::string>* order) const {
  for (const Equation& equation : line.equations) {
    if (equation.sides[0].kind == Kind::call) continue;  // a definition: its function is in the scope
    Equation now = equation;
    const std::string left = name_on_left(equation);
    if (layered(left)) now.sides[0] = {Kind::name, at_layer(left, scope.indices.at("l"))};
    if (name_on_left(now) != held) scope.assign(now, line.notes);
    if (order) order->push_back(name_on_left(now));
  }
}

double Program::run(Scope& scope, const std::string& held, std::vector<std::string>* order) const {
  const auto by_layers = [](const Line& line) {
    return !line.equations.empty() && layered(name_on_left(line.equations[0]));
  };
  for (std::size_t k = 0; k < lines_.size();) {
    std::size_t end = k + 1;
    if (!by_layers(lines_[k])) {
      one(lines_[k], scope, held, order);
      k = end;
      continue;
    }
    while (end < lines_.size() && by_layers(lines_[end])) ++end;
    for (std::size_t l = 1; scope.values.count("W_" + std::to_string(l)) > 0; ++l) {
      scope.indices["l"] = l;
      for (std::size_t i = k; i < end; ++i) one(lines_[i], scope, held, order);
    }
    scope.indices.erase("l");
    k = end;
  }
  const auto loss = scope.values.find("loss");
  if (loss == scope.values.end() || loss->second.numbers.size() != 1) throw Error("no line makes a number called loss");
  return loss->second.numbers[0];
}

Gradients::Gradients(const Program& program, const Scope& start) : program_(program), start_(start), values_(start) {
  program_.run(values_, "", &order_);
}

const Value& Gradients::of(const std::string& name) {
  if (const auto known = found_.find(name); known != found_.end()) return known->second;
  const auto value = values_.values.find(name);
  if (value == values_.values.end()) throw Error("there is no " + name + " here");
  Matrix<double> numbers(1, value->second.numbers.size());
  std::copy(value->second.numbers.begin(), value->second.numbers.end(), numbers.values().begin());
  Scope scope = start_;
  const auto loss = [&] {
    scope.values[name] = Value(value->second.shape, {numbers.values().begin(), numbers.values().end()});
    return program_.run(scope, name);
  };
  Value gradient(value->second.shape, {});
  for (const gradcheck::Slope& slope : gradcheck::slopes(numbers, loss, Step::smooth))
    gradient.numbers.push_back(slope.value);
  return found_[name] = std::move(gradient);
}

// ------------------------------------------------------------------------------------------------- what is asked for

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Draws what "X 4 3, context 4 3 below 6, W_1 3 5" names.
void draw(const std::string& shapes, Scope& scope, Random& random) {
  std::istringstream in(shapes);
  for (std::string one; std::getline(in, one, ',');) {
    const std::vector<std::string> words = words_of(one);
    if (words.size() == 2) {  // a number: dim 3, β 1.5
      scope.values[words[0]] = std::stod(words[1]);
      continue;
    }
    Value value({std::stoul(words.at(1)), std::stoul(words.at(2))}, {});
    for (std::size_t k = 0; k < value.shape[0] * value.shape[1]; ++k)
      value.numbers.push_back(words.size() > 4 ? double(random.below(std::stoul(words[4]))) : random.normal());
    scope.values[words[0]] = std::move(value);
  }
}

// "any activation": one whose slope is no simple function of its value.
void add_activation(Scope& scope) {
  scope.functions["φ"] = entrywise([](double z) { return z / (1 + std::exp(-z)); });
  scope.functions["φ'"] = entrywise([](double z) {
    const double s = 1 / (1 + std::exp(-z));
    return s + z * s * (1 - s);
  });
}

}  // namespace

std::vector<Derivation> derivations(const std::string& text, std::string_view readme) {
  const std::vector<Line> numbered = lines_of_readme(readme);
  std::vector<Derivation> all;
  std::istringstream in(text);
  std::set<std::string> numbers;  // of the equations of the last one
  Random random(1);
  for (std::string one; std::getline(in, one);) {
    if (one.starts_with("# ")) {  // # 3.1 | title | minutes
      std::istringstream head(one.substr(2));
      all.emplace_back();
      Derivation& d = all.back();
      std::getline(head, d.number, '|');
      std::getline(head, d.title, '|');
      std::getline(head, d.minutes, '|');
      for (std::string* part : {&d.number, &d.title, &d.minutes}) {
        part->erase(0, part->find_first_not_of(' '));
        part->erase(part->find_last_not_of(' ') + 1);
      }
      numbers.clear();
      random = Random(1);
      add_activation(d.start);
      continue;
    }
    if (all.empty() || one.empty()) continue;
    Derivation& d = all.back();
    if (one.starts_with("? ")) {
      for (std::string word : words_of(one.substr(2))) {
        const std::size_t layers = word.find(':');  // dH_l:1-2
        const std::string name = word.substr(0, layers);
        d.asked.push_back(name);
        if (layers != word.npos) {
          d.from[name] = std::stoul(word.substr(layers + 1));
          d.to[name] = std::stoul(word.substr(word.find('-', layers) + 1));
        }
        for (const Line& l : numbered)
          for (const Equation& e : l.equations)
            if (l.back && numbers.count(l.number) > 0 && name_on_left(e) == name) d.right[name].push_back(e);
      }
    } else if (one.starts_with("! ")) {  // our line, where no README has it
      const Equation e = equation(one.substr(2));
      d.right[name_on_left(e)] = {e};
    } else if (one.starts_with("(")) {
      for (const std::string& word : words_of(one)) {
        const std::string number = word.substr(1, word.size() - 2);
        numbers.insert(number);
        for (const Line& l : numbered)
          if (l.number == number && !l.back) d.program.add(l);
      }
    } else if (one.find('=') != one.npos) {
      d.program.add(line(one));
    } else {
      d.given.push_back(one);
      draw(one, d.start, random);
    }
  }
  return all;
}

std::vector<Derivation> derivations_in(const std::filesystem::path& folder) {
  return folder.empty()
             ? std::vector<Derivation>()
             : derivations(page::contents_of(folder / "derive.txt"), page::contents_of(folder / "README.md"));
}

}  // namespace formula
