// Judges a reader's line by its numbers; if it is wrong, looks for the slip that explains it.
// SPDX-License-Identifier: MIT
#include "common/derive/judge.hpp"

#include <cmath>

#include "common/derive/meaning.hpp"

namespace formula {
namespace {

// Returns W_2 of dW_l in layer 2, but nothing of a line forward.
std::string value_behind(const std::string& asked, std::size_t layer, const Scope& scope) {
  if (asked[0] != 'd') return "";
  std::string name = asked.substr(1);
  if (name.ends_with("_l")) name.replace(name.size() - 1, 1, std::to_string(layer));
  return scope.values.count(name) > 0 ? name : "";
}

constexpr const char* unexplained =
    "; no usual slip explains them: follow one entry from the forward line, or take a hint";
constexpr const char* not_finite = "that is no finite number";
bool is_finite(const Value& value) {
  return std::all_of(value.numbers.begin(), value.numbers.end(),
                     [](double x) { return std::isfinite(x); });
}

Equation with_right(Equation line, const Node& right) {
  line.sides.back() = right;
  return line;
}

struct LineJudge {
  LineJudge(const Derivation& d, const Asked& asked_for, std::size_t layer)
      : derivation(d),
        what(asked_for),
        gradients(d.gradients()),
        scope(gradients.values()),
        asked(what.name),
        source(value_behind(asked, layer, scope)),
        ours(what.right) {
    if (asked.ends_with("_l")) scope.indices["l"] = layer;
    line = ours;
    if (is_gradient()) return;
    for (const Asked& earlier : d.asked) {  // with what was answered before one may go on
      if (earlier.name == asked) break;
      if (earlier.one) scope.assign(*earlier.one);
    }
    scope.values.erase(asked);
    if (!ours) throw Error("nobody knows ", asked);
    if (is_criterion()) line = what.one;
  }

  bool is_gradient() const { return !source.empty(); }
  bool is_criterion() const {  // what must hold of an answer of which there are many
    return !is_gradient() && name_on_left(*ours) != asked;
  }

  Value truth() {
    if (is_gradient()) return gradients.of(source);
    return is_criterion() ? Value() : value(*ours);
  }

  // Tells whether an answer is what a formula says, or fulfils it.
  bool agrees(const Equation& formula, const Value& answer, double within) const {
    Scope now = scope;
    if (!is_criterion()) return distance(answer, now(formula.sides.back())) <= within;
    now.values[asked] = answer;
    const std::vector<Value> sides = now.sides(formula);
    return distance(sides[0], sides[1]) <= within;
  }

  bool makes(const Equation& formula, const Value& numbers, double within = 1e-9) const {
    const std::optional<Value> made = if_possible([&] { return value(formula); });
    return made && distance(*made, numbers) <= within;
  }

  // Returns the values behind the one asked for, whose gradients are available.
  std::vector<std::string> available() const {
    const std::vector<std::string>& order = gradients.order();
    const auto own = std::find(order.begin(), order.end(), source);
    std::vector<std::string> names(own == order.end() ? order.begin() : own + 1, order.end());
    for (const Asked& earlier : derivation.asked) {  // which was answered
      if (earlier.name == what.name) break;
      const std::string name = earlier.name.substr(1);
      if (is_of_gradient(earlier.name) && scope.values.count(name) > 0) names.push_back(name);
    }
    return names;
  }

  // Adds the gradients that a line names. Throws Error if any is not available.
  void take_up(const Node& tree) {
    const auto& values = gradients.values().values;
    const std::vector<std::string> names = available();
    visit(tree, [&](const Node& node) {
      if (text_of(node) == asked) throw Error(asked, " is what is asked for");
      if (node.kind != Kind::name || !is_of_gradient(node.text)) return;
      std::string name = node.text.substr(1);
      if (!node.parts.empty()) name += join("_", std::lround(scope(node.parts[0]).numbers.at(0)));
      if (name.ends_with("'") && values.count(name) == 0) name.pop_back();
      if (values.count(name) == 0) return;
      if (!contains(names, name))
        throw Error(text_of(node), " is not known yet: it comes later on the way back");
      scope.values["d" + name] = gradients.of(name);
    });
  }
  void take_up_all() {
    if (!is_gradient()) return;
    for (const std::string& name : available())
      if (name != "loss") scope.values["d" + name] = gradients.of(name);
  }

  // A vector of NumPy, which is neither a row nor a column, may stand for a column.
  Value value_like_asked(const Equation& yours) {
    Value made = value(yours);
    const Node& right = yours.sides.back();
    const bool of_vector =
        (right.kind == Kind::table && right.indices.size() == 1) || is_row_of_sums(right);
    if (of_vector && made.numbers.size() == truth().numbers.size()) made.shape = truth().shape;
    return made;
  }

  Value value(const Equation& equation) const {
    if (equation.sides[0].kind != Kind::entry) return scope(equation.sides.back());
    Scope now = scope;
    if (is_gradient()) now.values[asked] = zeros_like(gradients.values().values.at(source));
    Equation written = equation;
    Node& array = written.sides[0].parts[0];
    if (!array.parts.empty()) array = Node::name(asked);  // db_l[j], in a layer
    now.assign(written);
    return now.values.at(asked);
  }

  // Returns which slip of our line makes these numbers.
  std::string slip_in(const Value& numbers) const {
    for (const Slip& slip : slips_of(line->sides.back(), scope))
      if (makes(with_right(*line, slip.tree), numbers)) return slip.cause;
    return "";
  }
  std::string two_slips_in(const Value& numbers) const {
    std::size_t tried = 0;
    for (const Slip& one : slips_of(line->sides.back(), scope))
      for (const Slip& two : slips_of(one.tree, scope)) {
        ++tried;
        if (tried > 3000) return "";
        if (makes(with_right(*line, two.tree), numbers))
          return one.cause + (one.cause == two.cause ? ", and once more" : "; and " + two.cause);
      }
    return "";
  }

  // Returns which change makes the reader's line right.
  std::string change_of(const Equation& yours) {
    const std::size_t nodes = count_if(yours.sides.back(), [](const Node&) { return true; });
    if (nodes > 150) return "";  // the changes grow with its square
    for (const Slip& slip : slips_of(yours.sides.back(), scope))
      if (makes(with_right(yours, slip.tree), truth(), 1e-6)) return slip.cause_if_reversed;
    return "";
  }

  // Tells whether our line makes these numbers with = for +=, or += for =.
  bool collects_wrongly(const Value& numbers) const {
    Equation other = *line;
    if (other.sides[0].kind != Kind::entry) return false;
    other.relations[0] = other.relations[0] == "+=" ? "=" : "+=";
    return makes(other, numbers);
  }

  // Explains a line of the right shape: a misreading, what was written otherwise than meant, a slip
  // of our line, the change that makes the reader's line right, or two slips. Returns nothing
  // where none does.
  std::string cause_of(const Equation& yours, const Value& numbers) {
    std::size_t steps = 400'000;  // some .05 s
    scope.steps_left = &steps;
    const std::optional<std::string> why = if_possible([&] { return explained(yours, numbers); });
    scope.steps_left = nullptr;
    return why.value_or("");  // where it takes too long
  }
  std::string explained(const Equation& yours, const Value& numbers) {
    if (yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name)
      return "+= adds to what is there, and here is nothing yet: write the whole sum";
    take_up_all();
    for (const auto& [other, why] : what.misread)
      if (makes(other, numbers)) return why;
    if (const std::string why = uneven_index(yours); !why.empty()) return why;
    if (const std::string why = wrong_row(yours); !why.empty()) return why;
    if (line && collects_wrongly(numbers))
      return "= keeps only the last of what is to be collected";
    std::string why = miswritten(yours);
    if (why.empty() && line) why = slip_in(numbers);
    if (why.empty()) why = change_of(yours);
    if (why.empty() && lacks_brackets(yours))
      why = "brackets are missing: products and quotients are made before sums";
    return why.empty() && line ? two_slips_in(numbers) : why;
  }

  // Our line collects in the rows that a table names, A[t[i,k], a]; theirs in those of the index.
  std::string wrong_row(const Equation& yours) const {
    if (!line || line->sides[0].kind != Kind::entry || yours.sides[0].kind != Kind::entry)
      return "";
    for (std::size_t k = 1; k < line->sides[0].parts.size() && k < yours.sides[0].parts.size();
         ++k) {
      const Node &looked_up = line->sides[0].parts[k], &own = yours.sides[0].parts[k];
      if (looked_up.kind == Kind::entry && own.kind == Kind::name && yours.relations[0] == "+=")
        return join("which row collects here? The row was looked up, and ", text_of(looked_up),
                    " names it");
    }
    return "";
  }

  // Names an index that runs over two lengths, as k in H[k,i]·dZ[k,j] does if H lies on its side.
  std::string uneven_index(const Equation& yours) const {
    std::map<std::string, std::pair<std::string, std::size_t>> ends;
    std::string why;
    Scope now = scope;
    if (!now.values.count(asked)) now.values[asked] = truth_like();
    const auto note = [&](const Node& entry) {
      if (entry.kind == Kind::fold)  // each sum has letters of its own
        for (const std::string& letter : letters_of(entry)) ends.erase(letter);
      if (entry.kind != Kind::entry) return;
      const std::optional<Value> array = if_possible([&] { return now(entry.parts[0]); });
      if (!array) return;
      const std::vector<std::size_t>& shape = array->shape;
      const bool of_row = entry.parts.size() == 2 && shape.size() == 2 && shape[0] == 1;
      for (std::size_t k = 1; k < entry.parts.size() && k - 1 + of_row < shape.size(); ++k) {
        const std::string letter = text_of(entry.parts[k]);
        if (entry.parts[k].kind != Kind::name || now.values.count(letter)) continue;
        const std::size_t end = shape[k - 1 + of_row];
        const auto [place, is_new] = ends.emplace(letter, std::pair(text_of(entry), end));
        if (!is_new && place->second.second != end && why.empty())
          why = join(letter, " goes over ", place->second.second, " in ", place->second.first,
                     " and over ", end, " in ", text_of(entry));
      }
    };
    for (const Node& side : yours.sides) visit(side, note);
    return why;
  }
  Value truth_like() const {
    return is_gradient() ? zeros_like(gradients.values().values.at(source)) : Value();
  }

  // Returns which change of what the reader wrote makes it right.
  std::string miswritten(const Equation& yours) {
    const Value right = truth();
    for (const Slip& repair :
         repairs_of(yours.sides.back(), line ? &line->sides.back() : nullptr, scope))
      if (makes(with_right(yours, repair.tree), right, 1e-6)) return repair.cause;
    return "";
  }

  // Tries a pair of brackets at every place where a sign is.
  bool lacks_brackets(const Equation& yours) {
    const Value wanted = truth();
    const std::size_t equal = yours.text.find('=');
    const std::string left = yours.text.substr(0, equal == yours.text.npos ? 0 : equal + 1),
                      right = yours.text.substr(left.size());
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at <= right.size(); ++at) {
      const auto joins = [&](std::size_t k) {
        return k >= right.size() || std::string_view(" +-*/()[].,^").find(right[k]) < 12;
      };
      const bool between =
          at == 0 || joins(at - 1) != joins(at) || (joins(at) && right[at - 1] != ' ');
      const bool begins = at == right.size() || !utf8::continues(right[at]);
      if (between && begins) places.push_back(at);
    }
    if (places.size() > 30) return false;
    for (const std::size_t first : places)
      for (const std::size_t last : places) {
        if (last < first + 3) continue;
        const std::string inner = right.substr(first, last - first);
        if (inner.find_first_of("+-") == inner.npos) continue;
        const std::string other =
            join(left, right.substr(0, first), "(", inner, ")", right.substr(last));
        const auto typed = if_possible([&] { return read_typed(derivation, what, other); });
        if (typed && makes(typed->front().equation, wanted, 1e-6)) return true;
      }
    return false;
  }

  static bool takes_means(const Node& tree) {
    return count_if(tree, [](const Node& node) {
             return node.kind == Kind::call && node.text == "mean";
           }) > 0;
  }

  // Returns what is wrong, if anything, with a line that makes this value.
  std::string mistake_in(const Equation& yours, const Value& value) {
    const Value right = truth();
    if (value.shape != right.shape && (value.numbers.size() > 1 || right.numbers.size() > 1)) {
      if (const std::string why = uneven_index(yours); !why.empty()) return why;
      const bool turned = value.shape.size() == 2 && right.shape.size() == 2 &&
                          value.rows() == right.cols() && value.cols() == right.rows();
      std::string advice = turned ? ": transposed" : "";
      if (value.is_number()) advice += "; there are also column sums of A and row sums of A";
      if (takes_means(yours.sides.back())) advice += "; mean(A) has the mean of each row of A";
      return join(excerpt(text_of(yours.sides.back())), " is ", to_text(value.shape), " and ",
                  asked, " must be ", to_text(right.shape), advice);
    }
    // Central differences are right to 1e-9; a wrong line errs by more than 1e-4.
    if (distance(value, right) <= what.within) return "";
    if (!is_finite(value)) return not_finite;
    const std::string cause = cause_of(yours, value);
    return "the right shape, wrong values" + (cause.empty() ? unexplained : ": " + cause);
  }

  // Judges a number, a row, or an answer of which there are many.
  Judgement answer(const Equation& yours, Value value) {
    if (!is_finite(value)) return {false, not_finite};
    if (line && line->sides[0].kind == Kind::name) {  // rows in brackets, a column for a row
      const Value right = this->value(*line);
      if (value.numbers.size() == right.numbers.size()) value.shape = right.shape;
      else if (is_criterion()) return {false, unlike(yours, value, right)};
    }
    if (agrees(*ours, value, what.within + 1e-12)) return {true, "right"};
    for (const double rounding : {1e-3, 3e-3})  // the second takes 1.67 for 5/3
      for (const auto& [formula, why] : what.misread)
        if (agrees(formula, value, rounding)) return {false, why};
    if (!line) return {false, "no"};
    const Value right = this->value(*line);
    if (const std::string why = unlike(yours, value, right); !why.empty()) return {false, why};
    if (right.numbers.size() > 1 && yours.sides[0].kind == Kind::entry) {
      const std::string why = cause_of(yours, value);
      return {false, why.empty() ? join("the right shape, wrong values", unexplained) : why};
    }
    const std::string why = is_criterion() ? "" : slip_of_numbers(value, right);
    return {false, why.empty() ? "no" : why};
  }

  // Says how two shapes differ, if they do.
  std::string unlike(const Equation& yours, const Value& value, const Value& right) const {
    const std::size_t many = right.numbers.size();
    if (value.shape == right.shape || (value.numbers.size() == 1 && many == 1)) return "";
    if (value.numbers.size() != many && yours.sides[0].kind == Kind::name)
      return join(many == 1 ? "one number is asked for, and you gave "
                            : join(many, " numbers are asked for, and you gave "),
                  value.numbers.size());
    if (yours.sides[0].kind == Kind::name) return "";
    if (const std::string why = uneven_index(yours); !why.empty()) return why;
    return join(asked, " is ", to_text(value.shape), " as you write it and must be ",
                to_text(right.shape));
  }

  // Names what happens to any number: rounded too far, a sign, a factor, an order.
  std::string slip_of_numbers(const Value& value, const Value& right) const {
    const auto is = [&](double factor) {
      Value other = right;
      for (double& x : other.numbers) x *= factor;
      return distance(value, other) < 1e-3;
    };
    if (is(-1)) return right.numbers.size() > 1 ? "the signs are wrong" : "the sign is wrong";
    if (is(2)) return "a factor of 2 too many";
    if (is(0.5)) return "a factor of 2 is missing";
    const Value sorted_value = sorted(value), sorted_right = sorted(right);
    if (distance(sorted_value, sorted_right) < 1e-3) return "the right numbers in another order";
    if (distance(value, right) < 0.02) return "nearly: give more digits, or a fraction";
    return "";
  }
  static Value sorted(Value of) {
    std::sort(of.numbers.begin(), of.numbers.end());
    return of;
  }

  // Of a number "+=" collects over all indices of the right side.
  void sum_what_is_added(Equation& yours) const {
    const std::vector<std::string> letters = scope.free_letters(yours.sides.back());
    const bool of_number = yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name;
    if (!of_number || letters.empty()) return;
    Node sum{Kind::fold, "Σ", {yours.sides.back()}};
    for (const std::string& letter : letters) sum.indices += letter;
    yours.sides.back() = std::move(sum);
    yours.relations[0] = "=";
  }

  // Throws Error if one letter runs in a sum within a sum over it.
  static void check_sums(const Node& node, std::vector<std::string> running = {}) {
    if (node.kind == Kind::fold)
      for (const std::string& letter : letters_of(node)) {
        if (contains(running, letter))
          throw Error(letter,
                      " runs in two sums at once: the inner one counts, the outer only "
                      "repeats it");
        running.push_back(letter);
      }
    for (const Node& part : node.parts) check_sums(part, running);
  }

  // Throws Error if an index stands on one side alone.
  void check_letters(const Equation& yours) const {
    check_sums(yours.sides.back());
    const std::vector<std::string> left = scope.free_letters(yours.sides[0]),
                                   right = scope.free_letters(yours.sides.back());
    if (!right.empty() && yours.sides[0].kind == Kind::name && yours.sides[0].parts.empty())
      throw Error("say which entry this is: ", asked, "[", joined(right, ","),
                  "] = ..., or sum over an index with Σ_", right[0]);
    for (const std::string& letter : right)
      if (!contains(left, letter) && yours.relations[0] != "+=")
        throw Error(letter, " stands on the right alone: sum over it with Σ_", letter);
    for (const std::string& letter : left)
      if (!contains(right, letter))
        throw Error(letter, " stands on the left alone: what on the right depends on it?");
  }

  const Derivation& derivation;
  const Asked& what;
  NumericGradients& gradients;
  Scope scope;
  std::string asked, source;           // dW_l, and W_2
  std::optional<Equation> ours, line;  // what must hold, and what makes the numbers
};

}  // namespace

// Of 3,296 and 11.907, whose comma or point was read as that of decimals, returns the whole number.
static std::optional<double> read_otherwise(const std::string& line) {
  std::string digits = line.substr(line.find('=') + 1);
  std::erase(digits, ' ');
  const std::size_t mark = digits.find_first_of(".,");
  if (mark == digits.npos || mark == 0 || mark > 3 || digits.size() != mark + 4)
    return std::nullopt;
  return decimal_number(digits.erase(mark, 1));
}

// Says what kind of answer is asked for, behind an error that does not.
static std::string kind_of_answer(const Asked& asked) {
  const std::optional<Equation>& ours = asked.our_line();
  if (asked.question.empty() || !ours || ours->sides[0].kind != Kind::name) return "";
  const bool is_row = ours->sides.back().kind == Kind::matrix;
  return is_row ? "; a row of numbers is asked for, such as (1, 0)" : "; a number is asked for";
}

// Returns the readings of a line; none, and why, of what cannot be read.
static std::vector<Typed> read_or_explain(const Derivation& d, const Asked& asked,
                                          const std::string& line, Judgement& why) {
  try {
    return read_typed(d, asked, line);
  } catch (const Error& error) {
    const std::string said = one_line(error.what());
    const bool is_open = asked.question.empty() && said.find_first_of(";:") == said.npos;
    why.text =
        said + kind_of_answer(asked) +
        (is_open ? "; a line is written as A·B, A ⊙ B, Aᵀ, A², column sums of A, Σ_i A[i,j], or "
                   "typed A*B, A.*B, A'"
                 : "");
    return {};
  }
}

// What may stand on a right side, for a reader who named something else.
static std::string names_here(const Derivation& d, const Asked& asked) {
  std::string names;
  for (const auto& [name, value] : d.gradients().values().values)
    if (name != "ones" && name != asked.name)
      names += (names.empty() ? "; here are " : ", ") + name;
  return names.empty() ? "" : names + ", and the gradients of what later lines make";
}

// Throws Error that names what nobody knows here, and what was meant.
static void check_names(const Derivation& d, const Asked& asked, const Equation& yours,
                        const Scope& scope) {
  std::set<std::string> indices{"e", "π", "ones", "l", asked.name};
  for (const Node& side : yours.sides) {
    for (const std::string& letter : scope.free_letters(side)) indices.insert(letter);
    visit(side, [&](const Node& node) {
      if (node.kind == Kind::fold || node.kind == Kind::table)
        for (const std::string& letter : letters_of(node)) indices.insert(letter);
    });
  }
  visit(yours.sides.back(), [&](const Node& node) {
    if (node.kind != Kind::name || !node.parts.empty() || contains(indices, node.text)) return;
    std::string name = node.text;
    if (name.ends_with("'") && scope.functions.count(name) == 0) name.pop_back();
    const auto known = [&](const std::string& one) {
      return scope.values.count(one) > 0 || scope.functions.count(one) > 0 || d.find(one);
    };
    if (known(name) || (name[0] == 'd' && known(name.substr(1)))) return;
    if (name == asked.name || name == "ones") return;
    std::vector<std::string> names;
    for (const auto& [one, value] : scope.values) names.push_back(one);
    const std::string near = nearest(name, names, name.size() / 3);
    if (name.size() > 1 && !near.empty())
      throw Error("there is no ", name, " here; did you mean ", near, "?");
    throw Error("there is no ", name, " here", names_here(d, asked));
  });
}

static Judgement judge_reading(const Derivation& d, const Asked& asked, const std::string& line,
                               const Typed& typed) {
  Equation yours = typed.equation;
  std::string truth;
  double worst = 0;
  for (std::size_t layer = asked.from; layer <= asked.to; ++layer) {
    LineJudge judge(d, asked, layer);
    judge.sum_what_is_added(yours);
    check_names(d, asked, yours, judge.scope);
    judge.take_up(yours.sides.back());
    judge.check_letters(yours);
    std::size_t steps = 500'000;
    judge.scope.steps_left = &steps;
    Value value;
    try {
      value = judge.value_like_asked(yours);
    } catch (const Error&) {
      if (const std::string why = judge.wrong_row(yours); !why.empty()) return {false, why};
      throw;
    }
    judge.scope.steps_left = nullptr;
    if (!asked.question.empty()) {
      const Judgement said = judge.answer(yours, value);
      const std::optional<double> other = said.right ? std::nullopt : read_otherwise(line);
      const bool meant = other && value.is_number() && judge.answer(yours, *other).right;
      return meant ? Judgement{true, "right"} : said;
    }
    const std::string mistake = judge.mistake_in(yours, value);
    if (!mistake.empty()) return {false, mistake};
    worst = std::max(worst, distance(value, judge.truth()));
    truth = judge.is_gradient() ? "central differences" : "ours";
  }
  return {true, join("right, to ", significant(worst, 2), " of ", truth)};
}

// Says what was read otherwise than it stands, each part of a line once.
static std::string how_read(const std::vector<std::string>& notes) {
  std::string text;
  for (std::size_t k = 0; k < notes.size(); ++k) {
    const bool inside = k + 1 < notes.size() && notes[k + 1].find(notes[k]) != std::string::npos;
    if (!inside) text += "; read as " + notes[k];
  }
  return text;
}

static bool has_misfit(const std::string& text) { return text.find("does not fit") != text.npos; }

static Judgement judge_line(const Derivation& d, const Asked& asked, const std::string& line) {
  Judgement first;
  for (const Typed& typed : read_or_explain(d, asked, line, first)) {
    Judgement said;
    try {
      said = judge_reading(d, asked, line, typed);
    } catch (const Error& error) {
      said.text = one_line(error.what()) + kind_of_answer(asked);
      const bool has_row = count_if(typed.equation.sides.back(), is_row_of_sums) > 0;
      if (has_row && said.text.find("keepdims") == said.text.npos)
        said.text += "; without keepdims=True NumPy makes a row of the sums of rows";
      if (has_misfit(said.text)) said.text += typed.advice;
    }
    if (said.right) return {true, said.text + how_read(typed.notes)};
    if (first.text.empty()) first = said;
  }
  return first;
}

// Judges the end of a chain, and all before it that can be read.
static Judgement judge_chain(const Derivation& d, const Asked& asked,
                             const std::vector<std::string>& links) {
  Judgement said = judge_line(d, asked, links.back());
  if (!said.right) return said;
  for (const std::string& link : std::span(links).first(links.size() - 1)) {
    const Judgement middle = judge_line(d, asked, link);
    if (middle.right) continue;
    if (echo(d, asked, link).problem.empty())
      return {false, "the end is right, but not what stands before it: " + middle.text};
    said.text += "; only the end of the line is judged";
  }
  return said;
}

Judgement judge(const Derivation& d, const Asked& asked, const std::string& line) {
  const std::vector<std::string> links = links_of(line);
  const auto read = [&] { return read_typed(d, asked, line); };
  const bool is_one = links.empty() || if_possible(read);  // as T = T[i,j] = ... is
  return is_one ? judge_line(d, asked, line) : judge_chain(d, asked, links);
}

// Says how our line ends: its last operation, without its parts.
static std::string last_operation(const Node& tree) {
  if (tree.kind == Kind::fold)
    return join(tree.text == "Σ" ? "a sum over all entries" : tree.text, " something");
  if (tree.kind != Kind::binary) return "one operation";
  if (tree.text == "+" || tree.text == "-") return "a sum of two terms";
  if (tree.text == "/") return "a quotient";
  return tree.text == "⊙" ? "a product entry by entry" : "a product";
}

// Returns the tables that a line is made of, and their values.
static std::map<std::string, Value> tables_in(const Node& tree, const Scope& scope) {
  std::map<std::string, Value> tables;
  visit(tree, [&](const Node& node) {
    if (node.kind != Kind::name) return;
    const std::optional<Value> value = if_possible([&] { return scope(node); });
    if (value && !value->is_number()) tables.emplace(text_of(node), *value);  // an index has none
  });
  return tables;
}

// Says which of our tables a reader's line lacks, and which it has besides.
static std::string compared(const std::map<std::string, Value>& ours,
                            const std::map<std::string, Value>& yours) {
  std::string lacks, besides;
  for (const auto& [name, value] : ours)
    if (yours.count(name) == 0) lacks += (lacks.empty() ? "; yours has no " : " and no ") + name;
  for (const auto& [name, value] : yours)
    if (ours.count(name) == 0)
      besides += (besides.empty() ? "; ours does without " : " and ") + name;
  return lacks.empty() && besides.empty() ? "; so is yours" : lacks + besides;
}

std::vector<std::string> hints(const Derivation& d, const Asked& asked, const std::string& typed) {
  if (!asked.question.empty()) return {asked.hint.empty() ? "there is no hint" : asked.hint};
  LineJudge judge(d, asked, asked.from);
  const std::vector<std::size_t> shape = judge.truth().shape;
  std::vector<std::string> all{join(asked.name, " is ", to_text(shape))};
  if (!judge.ours) return all;
  judge.take_up_all();
  const Node& tree = judge.ours->sides.back();
  const std::map<std::string, Value> tables = tables_in(tree, judge.scope);
  std::string parts;
  for (const auto& [name, value] : tables)
    parts += join(parts.empty() ? "" : ", ", name, " (", to_text(value.shape), ")");
  if (!parts.empty()) all.push_back("it is made of " + parts);
  all.push_back("the last step on the way to it is " + last_operation(tree));
  if (typed.empty()) return all;
  try {
    const Equation yours = read_typed(d, asked, typed)[0].equation;
    if (!parts.empty()) all[1] += compared(tables, tables_in(yours.sides.back(), judge.scope));
    if (judge.value(yours).shape == shape) all[0] += ", as yours is";
  } catch (const Error&) {  // which the judge explains
  }
  return all;
}

}  // namespace formula
