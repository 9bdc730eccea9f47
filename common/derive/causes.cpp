// Why a line is wrong: its shape, its indices, a slip of ours that makes its numbers, a change that
// makes it right.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/derive/line_judge.hpp"

namespace formula {
namespace {

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

bool takes_means(const Node& tree) {
  return count_if(tree, [](const Node& node) {
           return node.kind == Kind::call && node.text == "mean";
         }) > 0;
}

Value sorted(Value of) {
  std::sort(of.numbers.begin(), of.numbers.end());
  return of;
}

}  // namespace

// Returns which slip of our line makes these numbers.
std::string LineJudge::slip_in(const Value& numbers) const {
  for (const Slip& slip : slips_of(line->sides.back(), scope))
    if (makes(with_right(*line, slip.tree), numbers)) return slip.cause;
  return "";
}

std::string LineJudge::two_slips_in(const Value& numbers) const {
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
std::string LineJudge::change_of(const Equation& yours) {
  const std::size_t nodes = count_if(yours.sides.back(), [](const Node&) { return true; });
  if (nodes > 150) return "";  // the changes grow with its square
  for (const Slip& slip : slips_of(yours.sides.back(), scope))
    if (makes(with_right(yours, slip.tree), truth(), 1e-6)) return slip.cause_if_reversed;
  return "";
}

// Tells whether our line makes these numbers with = for +=, or += for =.
bool LineJudge::collects_wrongly(const Value& numbers) const {
  Equation other = *line;
  if (other.sides[0].kind != Kind::entry) return false;
  other.relations[0] = other.relations[0] == "+=" ? "=" : "+=";
  return makes(other, numbers);
}

// Explains a line of the right shape: a misreading, what was written otherwise than meant, a slip
// of our line, the change that makes the reader's line right, or two slips. Returns nothing
// where none does.
std::string LineJudge::cause_of(const Equation& yours, const Value& numbers) {
  std::size_t steps = 400'000;  // some .05 s
  scope.steps_left = &steps;
  const std::optional<std::string> why = if_possible([&] { return explained(yours, numbers); });
  scope.steps_left = nullptr;
  return why.value_or("");  // where it takes too long
}

std::string LineJudge::explained(const Equation& yours, const Value& numbers) {
  if (yours.relations[0] == "+=" && yours.sides[0].kind == Kind::name)
    return "+= adds to what is there, and here is nothing yet: write the whole sum";
  take_up_all();
  for (const auto& [other, why] : what.misread)
    if (makes(other, numbers)) return why;
  if (const std::string why = uneven_index(yours); !why.empty()) return why;
  if (const std::string why = wrong_row(yours); !why.empty()) return why;
  if (line && collects_wrongly(numbers)) return "= keeps only the last of what is to be collected";
  std::string why = miswritten(yours);
  if (why.empty() && line) why = slip_in(numbers);
  if (why.empty()) why = change_of(yours);
  if (why.empty() && lacks_brackets(yours))
    why = "brackets are missing: products and quotients are made before sums";
  return why.empty() && line ? two_slips_in(numbers) : why;
}

// Our line collects in the rows that a table names, A[t[i,k], a]; theirs in those of the index.
std::string LineJudge::wrong_row(const Equation& yours) const {
  if (!line || line->sides[0].kind != Kind::entry || yours.sides[0].kind != Kind::entry) return "";
  for (std::size_t k = 1; k < line->sides[0].parts.size() && k < yours.sides[0].parts.size(); ++k) {
    const Node &looked_up = line->sides[0].parts[k], &own = yours.sides[0].parts[k];
    if (looked_up.kind == Kind::entry && own.kind == Kind::name && yours.relations[0] == "+=")
      return join("which row collects here? The row was looked up, and ", text_of(looked_up),
                  " names it");
  }
  return "";
}

// Names an index that runs over two lengths, as k in H[k,i]·dZ[k,j] does if H lies on its side.
std::string LineJudge::uneven_index(const Equation& yours) const {
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

Value LineJudge::truth_like() const {
  return is_gradient() ? zeros_like(gradients.values().values.at(source)) : Value();
}

// Returns which change of what the reader wrote makes it right.
std::string LineJudge::miswritten(const Equation& yours) {
  const Value right = truth();
  for (const Slip& repair :
       repairs_of(yours.sides.back(), line ? &line->sides.back() : nullptr, scope))
    if (makes(with_right(yours, repair.tree), right, 1e-6)) return repair.cause;
  return "";
}

// Tries a pair of brackets at every place where a sign is.
bool LineJudge::lacks_brackets(const Equation& yours) {
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

// Returns what is wrong, if anything, with a line that makes this value.
std::string LineJudge::mistake_in(const Equation& yours, const Value& value) {
  const Value right = truth();
  if (value.shape != right.shape && (value.numbers.size() > 1 || right.numbers.size() > 1)) {
    if (const std::string why = uneven_index(yours); !why.empty()) return why;
    const bool turned = value.shape.size() == 2 && right.shape.size() == 2 &&
                        value.rows() == right.cols() && value.cols() == right.rows();
    std::string advice = turned ? ": transposed" : "";
    if (value.is_number()) advice += "; there are also column sums of A and row sums of A";
    if (takes_means(yours.sides.back())) advice += "; mean(A) has the mean of each row of A";
    return join(excerpt(text_of(yours.sides.back())), " is ", to_text(value.shape), " and ", asked,
                " must be ", to_text(right.shape), advice);
  }
  // Central differences are right to 1e-9; a wrong line errs by more than 1e-4.
  if (distance(value, right) <= what.within) return "";
  if (!is_finite(value)) return not_finite;
  const std::string cause = cause_of(yours, value);
  return "the right shape, wrong values" + (cause.empty() ? unexplained : ": " + cause);
}

// Judges a number, a row, or an answer of which there are many.
Judgement LineJudge::answer(const Equation& yours, Value value) {
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
std::string LineJudge::unlike(const Equation& yours, const Value& value, const Value& right) const {
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
std::string LineJudge::slip_of_numbers(const Value& value, const Value& right) const {
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

}  // namespace formula
