// SPDX-License-Identifier: MIT
#include "common/frame/formula/derivation.hpp"

#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

#include "common/frame/files/file.hpp"
#include "common/frame/text/markdown.hpp"
#include "common/gradcheck.hpp"
#include "common/random.hpp"

namespace formula {
namespace {

void collect(const std::vector<markdown::Block>& blocks, std::vector<Line>& lines) {
  for (const markdown::Block& block : blocks) {
    collect(block.children, lines);
    const bool hand = block.language == "hand";
    if (block.kind != markdown::Kind::code || !(block.language.empty() || hand)) continue;
    if (hand) lines.push_back({{}, {}, by_hand});
    std::istringstream text(block.text);
    std::size_t first = lines.size(), at = block.line;
    for (std::string one; std::getline(text, one);) {
      ++at;
      try {
        lines.push_back(line(one));
      } catch (const Error&) {
        continue;  // the test of the documents finds it
      }
      Line& last = lines.back();
      last.at = at;
      if (hand) last.number = by_hand;
      if (hand || last.number.empty()) continue;
      for (; first < lines.size(); ++first) {
        lines[first].number = last.number;
        lines[first].back = last.back;
      }
    }
  }
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::vector<Line> lines_of_readme(std::string_view readme) {
  std::vector<Line> lines;
  markdown::Complaints ignored;  // the page has them
  collect(markdown::read(readme, ignored), lines);
  return lines;
}

// ---------------------------------------------------------------------------------------- programs

double Program::run(Scope& scope, const std::string& held, std::vector<std::string>* order) const {
  const auto one = [&](const Line& line) {
    for (Equation equation : line.equations) {
      if (equation.sides[0].kind == Kind::call)
        continue;  // a definition: its function is in the scope
      std::string left = name_on_left(equation);
      if (left.ends_with("_l")) {
        left.replace(left.size() - 1, 1, std::to_string(scope.indices.at("l")));
        equation.sides[0] = {Kind::name, left};
      }
      if (left != held) scope.assign(equation);
      if (order) order->push_back(left);
    }
  };
  const auto by_layers = [](const Line& line) {
    return !line.equations.empty() && name_on_left(line.equations[0]).ends_with("_l");
  };
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t end = first;
    while (end < lines.size() && by_layers(lines[end])) ++end;
    if (end == first) {
      one(lines[first]);
      ++first;
      continue;
    }
    for (std::size_t l = 1; scope.values.count(join("W_", l)) > 0; ++l) {
      scope.indices["l"] = l;
      for (std::size_t k = first; k < end; ++k) one(lines[k]);
    }
    scope.indices.erase("l");
    first = end;
  }
  if (lines.empty()) return 0;
  const auto loss = scope.values.find("loss");
  if (loss == scope.values.end() || loss->second.numbers.size() != 1)
    throw Error("no line makes a number called loss");
  return loss->second.numbers[0];
}

// Without its layer, as W of W_2 and W_l.
static std::string without_layer(const std::string& name) { return name.substr(0, name.find('_')); }

// Returns the lines that the loss needs: what a program makes besides is not made anew for each
// difference.
static Program behind_loss(Program program) {
  std::set<std::string> needed{"loss"};
  const auto is_needed = [&](const Equation& e) {
    return needed.contains(without_layer(name_on_left(e)));
  };
  for (std::size_t before = 0; before < needed.size();) {
    before = needed.size();
    for (const Line& line : program.lines)
      for (const Equation& e : line.equations)
        if (is_needed(e))
          for (const std::string& name : names_in({{e.sides[0], e.sides.back()}, {}, {}}))
            needed.insert(without_layer(name));
  }
  for (Line& line : program.lines) std::erase_if(line.equations, std::not_fn(is_needed));
  std::erase_if(program.lines, [](const Line& line) { return line.equations.empty(); });
  return program;
}

NumericGradients::NumericGradients(const Program& program, const Scope& start)
    : program_(behind_loss(program)), start_(start), values_(start) {
  program.run(values_, "", &order_);
}

const Value& NumericGradients::of(const std::string& name) {
  if (const auto known = gradients_.find(name); known != gradients_.end()) return known->second;
  const Value& value = values_.values.at(name);
  Matrix<double> numbers(1, value.numbers.size());
  std::copy(value.numbers.begin(), value.numbers.end(), numbers.values().begin());
  Scope scope = start_;
  const auto loss = [&] {
    scope.values[name] = Value(value.shape, {numbers.values().begin(), numbers.values().end()});
    return program_.run(scope, name);
  };
  Value gradient(value.shape, {});
  for (const gradcheck::Slope& slope : gradcheck::slopes(numbers, loss, Step::smooth))
    gradient.numbers.push_back(slope.value);
  return gradients_[name] = std::move(gradient);
}

// ------------------------------------------------------------------------------- what is asked for

// What a name or a call stands for; in a call, letters stand for the arguments.
struct Definition {
  std::vector<std::string> letters;
  Node meaning;
};
using Definitions = std::map<std::string, Definition>;

// Returns the tree with definitions replaced by their meanings.
static Node spelt_out(Node node, const Definitions& definitions) {
  for (Node& part : node.parts) part = spelt_out(std::move(part), definitions);
  const bool has_name = node.kind == Kind::name || node.kind == Kind::call;
  const auto place = has_name ? definitions.find(node.text) : definitions.end();
  if (place == definitions.end()) return node;
  const auto& [letters, meaning] = place->second;
  if (letters.size() != node.parts.size()) throw Error(node.text + " has other arguments");
  Definitions arguments;
  for (std::size_t k = 0; k < letters.size(); ++k) arguments[letters[k]] = {{}, node.parts[k]};
  return spelt_out(meaning, arguments);
}

NumericGradients& Derivation::gradients() const {
  if (!gradients_) gradients_ = std::make_shared<NumericGradients>(program, start);
  return *gradients_;
}

const Asked* Derivation::find(const std::string& name) const {
  for (const Asked& one : asked)
    if (one.name == name) return &one;
  return nullptr;
}

// The first letter of each line says what it is.
class DerivationReader {
 public:
  explicit DerivationReader(std::string_view readme) : numbered_(lines_of_readme(readme)) {}

  std::vector<Derivation> read(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("# ")) head(line.substr(2));
      else if (all_.empty() || line.size() < 2) continue;
      else if (line.starts_with("? ")) gradients(line.substr(2));
      else if (line.starts_with("> ")) question_ += (question_.empty() ? "" : " ") + line.substr(2);
      else if (line.starts_with("* ")) last().asked.back().hint = line.substr(2);
      else if (line.starts_with("! ") || line.starts_with("~ "))
        answer(line[0] == '!', line.substr(2));
      else if (line.starts_with("where ")) define(equation(line.substr(6)));
      else if (line[0] == '(') equations(line);
      else if (line.find('=') != line.npos) last().program.lines.push_back(formula::line(line));
      else draw(line);
    }
    return std::move(all_);
  }

 private:
  Derivation& last() { return all_.back(); }

  // 3.1 | title | minutes
  void head(const std::string& text) {
    all_.emplace_back();
    std::istringstream in(text);
    for (std::string* part : {&last().number, &last().title, &last().minutes}) {
      std::getline(in >> std::ws, *part, '|');
      part->erase(part->find_last_not_of(' ') + 1);
    }
    numbers_.clear();
    definitions_.clear();
    random_ = Random(1);
    // "any activation": one that has no name, and whose slope is no simple function of its value.
    last().start.functions["φ"] = entrywise([](double z) { return std::tanh(z) + z * z / 8; });
    last().start.functions["φ'"] =
        entrywise([](double z) { return 1 - std::pow(std::tanh(z), 2) + z / 4; });
  }

  // Draws what "X 4 3, context 4 3 below 6, W_1 3 5" names.
  void draw(const std::string& shapes) {
    std::istringstream in(shapes);
    for (std::string one; std::getline(in, one, ',');) {
      const std::vector<std::string> words = words_of(one);
      Value& value = last().start.values[words.at(0)];
      if (words.size() == 2) {  // a number: dim 3, β 1.5
        value = std::stod(words[1]);
        continue;
      }
      value = Value({std::stoul(words.at(1)), std::stoul(words.at(2))}, {});
      for (std::size_t k = 0; k < value.shape[0] * value.shape[1]; ++k)
        value.numbers.push_back(words.size() > 4 ? double(random_.below(std::stoul(words[4])))
                                                 : random_.normal());
    }
  }

  // "where at_both(X, w) = ...": what answers are written with. It is spelt out as they are read,
  // so that a reader cannot name it.
  void define(const Equation& definition) {
    const Node& left = definition.sides[0];
    Definition& defined = definitions_[left.text];
    for (const Node& letter : left.parts) defined.letters.push_back(letter.text);
    defined.meaning = spelt_out(definition.sides.at(1), definitions_);
  }

  void equations(const std::string& text) {
    for (const std::string& word : words_of(text)) {
      const std::string number = word.substr(1, word.size() - 2);
      numbers_.insert(number);
      for (const Line& l : numbered_)
        if (l.number == number && !l.back) last().program.lines.push_back(l);
    }
  }

  // Our line, "slope = 1 - 0.8²   within 0.01", or what else is answered and why, "dZ = dH | the
  // slope is missing"; several answers, two spaces apart, may share a cause. What must hold of an
  // answer has its name before it, "u : A·u = λ·u", with one such answer in a second line, or
  // several names: then "it" stands for each, and "right" for the right side of its own line.
  void answer(bool ours, const std::string& text) {
    const std::size_t bar = std::min(text.find(" | "), text.size());
    const std::string cause = bar < text.size() ? text.substr(bar + 3) : "";
    const std::string before = text.substr(0, bar);
    const std::size_t colon = before.find(" : ");
    const bool names_first = colon != before.npos;
    const Line said = formula::line(names_first ? before.substr(colon + 3) : before);
    std::vector<std::string> names;
    if (names_first) names = words_of(before.substr(0, colon));
    for (const Equation& equation : said.equations) {
      if (!names_first) names = {name_on_left(equation)};
      for (const std::string& name : names) {
        Asked& one = asked(name);
        Definitions known = definitions_;
        known["it"] = {{}, {Kind::name, name}};
        if (one.right) known["right"] = {{}, one.right->sides.back()};
        Equation spelt = equation;
        for (Node& side : spelt.sides) side = spelt_out(std::move(side), known);
        const bool criterion = one.right && name_on_left(*one.right) != name;
        if (!ours) one.misread.emplace_back(spelt, cause);
        else if (criterion) one.one = spelt;
        else one.right = spelt;
        if (ours && !said.notes.empty())
          one.within = std::stod(said.notes[0].substr(said.notes[0].find(' ')));
      }
    }
  }

  // A new name takes the question that came before it.
  Asked& asked(const std::string& name) {
    for (Asked& one : last().asked)
      if (one.name == name) return one;
    return last().asked.emplace_back(Asked{name, std::exchange(question_, "")});
  }

  // Names of gradients, dH_l:1-2 with layers; our lines are those back of the equations named.
  void gradients(const std::string& text) {
    for (const std::string& word : words_of(text)) {
      const std::size_t layers = word.find(':');
      Asked& asked = last().asked.emplace_back(Asked{word.substr(0, layers)});
      if (layers != word.npos) {
        asked.from = std::stoul(word.substr(layers + 1));
        asked.to = std::stoul(word.substr(word.find('-', layers) + 1));
      }
      for (const Line& l : numbered_)
        for (const Equation& e : l.equations)
          if (l.back && numbers_.count(l.number) > 0 && name_on_left(e) == asked.name)
            add(e, asked.right);
    }
  }

  // What several lines add with += is one sum.
  static void add(const Equation& line, std::optional<Equation>& all) {
    if (!all) all = line;
    else all->sides.back() = Node::binary(all->sides.back(), "+", line.sides.back());
  }

  std::vector<Line> numbered_;
  std::vector<Derivation> all_;
  std::set<std::string> numbers_;  // of the equations of the last one
  Definitions definitions_;        // for its answers
  std::string question_;
  Random random_{1};
};

std::vector<Derivation> derivations(const std::string& text, std::string_view readme) {
  return DerivationReader(readme).read(text);
}

std::vector<Derivation> derivations_in(const std::string& folder) {
  if (folder.empty()) return {};
  return derivations(contents_of(folder + "/derive.txt"), contents_of(folder + "/README.md"));
}

}  // namespace formula
