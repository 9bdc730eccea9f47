// Reads the lines that readers type, and shows how they are understood.
// SPDX-License-Identifier: MIT
#include "common/derive/judge.hpp"
#include "common/derive/meaning.hpp"
#include "common/frame/formula/lexer.hpp"

namespace formula {
namespace {

// Returns all values, and in place of each gradient its value, whose shape it has.
Scope with_gradients(const Derivation& d, const Asked* asked = nullptr) {
  Scope scope = d.gradients().values();
  for (const auto& [name, value] : d.gradients().values().values)
    scope.values.emplace("d" + name, value);
  if (!asked) return scope;
  for (const Asked& earlier : d.asked) {
    if (earlier.name == asked->name) break;
    if (earlier.one) scope.assign(*earlier.one);
  }
  if (asked->name.ends_with("_l")) scope.indices["l"] = asked->from;
  return scope;
}

// Tells whether a name is turned as in NumPy, W.T.
bool ends_in_T(const std::string& text) {
  for (std::size_t at = text.find(".T"); at != text.npos; at = text.find(".T", at + 1))
    if (at + 2 == text.size() || !is_letter_or_digit(text[at + 2])) return true;
  return false;
}

// Tells by its signs which language a line is written in, of which two read A * B and sum(A, 1)
// differently; nothing where the signs are those of both.
Hand hand_of(const Derivation& d, const std::string& text) {
  Hand hand;
  hand.is_typed = true;
  for (const Asked& one : d.asked) hand.asked.insert(one.name);
  for (const Line& line : d.program.lines)
    for (const Equation& e : line.equations)
      if (name_on_left(e) == "loss" && e.sides.back().kind == Kind::name)
        hand.losses.insert(e.sides.back().text);
  for (const auto& [name, value] : d.gradients().values().values) hand.names.insert(name);
  const auto has = [](const std::string& in, std::initializer_list<const char*> signs) {
    return std::any_of(signs.begin(), signs.end(),
                       [&](const char* sign) { return in.find(sign) != in.npos; });
  };
  const std::string no_slopes = replaced(text, "'(", "(");  // in φ'(Z) ' is no transpose
  const bool numpy = ends_in_T(text) ||
                     has(text, {"@", "np.", "jnp.", "torch.", "**", ".sum(", ".mean(",
                                "axis=", "dim=", "keepdim", "einsum", ".mm(", ".matmul(", "tf."}),
             r = has(text, {"%*%", "colSums", "rowSums", "crossprod"}),
             matlab = has(no_slopes, {".*", "./", ".^", "'", " dims=", ",dims="});
  const bool mathematica = has(text, {"Transpose[", "Total[", "Tanh[", "Sum["}),
             ends_as_matlab = text.find_last_not_of(" ") != text.npos &&
                              text[text.find_last_not_of(" ")] == ';' && !numpy;
  hand.dots_multiply = mathematica;
  hand.binds_tightly = r;
  hand.star_is_entrywise = ((numpy || r) && !matlab) || mathematica;
  if (numpy != (matlab || ends_as_matlab)) hand.first_axis = numpy ? 0 : 1;
  return hand;
}

// Returns the line, and, where words stand behind two blanks, what comes before them.
std::vector<std::string> with_and_without_notes(const std::string& line) {
  std::vector<std::string> all{line};
  for (std::size_t gap = line.rfind("  "); gap != line.npos && gap > 0;
       gap = line.rfind("  ", gap - 1)) {
    const std::size_t next = std::min(line.find_first_not_of(' ', gap), line.size() - 1);
    const bool words = is_letter(line[next]) || line[next] == '(';
    if (words && line.find_first_not_of(' ') < gap) all.push_back(line.substr(0, gap));
  }
  return all;
}

// The sides of a line; without a relation all of it is the right one. A = in brackets names an
// argument.
struct Sides {
  std::string left, right;
};
Sides sides_of(const std::string& line) {
  constexpr std::string_view relations[] = {"+=", "-=", ":=",          "==",    "=",
                                            "←",  "<-", "\\leftarrow", "\\gets"};
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    depth += line[at] == '(' || line[at] == '[' || line[at] == '{';
    depth -= line[at] == ')' || line[at] == ']' || line[at] == '}';
    if (depth > 0) continue;
    for (const std::string_view relation : relations)
      if (std::string_view(line).substr(at).starts_with(relation))
        return {line.substr(0, at), line.substr(at + relation.size())};
  }
  return {"", line};
}

// In place of l stands l + 1: what is asked for at l - 1.
Node a_layer_later(Node node, bool below = false) {
  if (below && node == Node::name("l")) return Node::binary(node, "+", {Kind::number, "1"});
  for (Node& part : node.parts)
    part = a_layer_later(std::move(part), below || node.kind == Kind::name);
  return node;
}

bool is_row(const Asked& asked) {
  const std::optional<Equation>& ours = asked.our_line();
  return ours && ours->sides.back().kind == Kind::matrix;
}

// Writes 0,5 as 0.5 where it is one number: not in brackets of an index, and not where a function
// takes two, as C(4,3) does.
std::string with_decimal_points(std::string line) {
  int indices = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    indices += line[at] == '[';
    indices -= line[at] == ']';
    const auto digit = [&](std::size_t k) { return k < line.size() && is_digit(line[k]); };
    if (line[at] != ',' || indices > 0 || at == 0 || !digit(at - 1) || !digit(at + 1)) continue;
    std::size_t first = at, last = at + 1;
    while (first > 0 && digit(first - 1)) --first;
    while (digit(last)) ++last;
    const bool alone = first > 1 && line[first - 1] == '(' && line[last] == ')';
    const char before = alone ? line[first - 2] : ' ';
    if (before == '(' || is_letter_or_digit(before)) continue;
    line[at] = '.';
  }
  return line;
}

// Returns a number as people write it, perhaps with a word behind it: 25 %, 10 000, 4 units.
std::optional<double> number_in(const std::string& text) {
  if (const std::optional<double> number = number_by_hand(text)) return number;
  const std::string trimmed = text.substr(0, text.find_last_not_of(" .;") + 1);
  const std::size_t word = trimmed.find_last_of(' ') + 1;
  const bool is_word =
      trimmed.size() > word + 3 &&
      std::all_of(trimmed.begin() + std::ptrdiff_t(word), trimmed.end(), is_letter);
  return number_by_hand(is_word ? trimmed.substr(0, word) : trimmed);
}

// Returns a row between whose numbers only blanks stand, -½ 3/2 0, with commas. A sign alone, as in
// 1 - 2, subtracts.
std::string with_commas(const std::string& row) {
  std::string listed;
  for (const std::string& word : words_of(row)) {
    const bool is_number = std::none_of(word.begin(), word.end(), is_letter) &&
                           word.find_first_not_of("+-*/^.") != word.npos && word != "−";
    if (!is_number) return row;
    listed += (listed.empty() ? "" : ", ") + word;
  }
  return listed;
}

// The answer of a question: a row without brackets, 2, -2 or 2 -2, or a number.
std::optional<Node> written_out(const Asked& asked, const std::string& right, const Hand& hand) {
  if (asked.question.empty()) return std::nullopt;
  if (is_row(asked)) {
    const std::size_t first = right.find_first_not_of(' '), last = right.find_last_not_of(' ');
    const bool in_brackets = first < last && right[first] == '(' && right[last] == ')';
    std::string listed = replaced(right, " and ", ", ");
    if (listed.find(',') == listed.npos)
      listed = with_commas(in_brackets ? right.substr(first + 1, last - first - 1) : right);
    const bool bare = listed.find_first_of("([{") == listed.npos;
    return bare && listed.find(',') != listed.npos
               ? std::optional(expression("(" + listed + ")", hand))
               : std::nullopt;
  }
  const std::optional<double> number = number_in(right);
  return number ? std::optional(Node{Kind::number, significant(*number, 17)}) : std::nullopt;
}

void check_left(const Equation& e, const Asked& asked) {
  if (name_on_left(e) == asked.name) return;
  throw Error("what is asked for is ", asked.name,
              asked.name.ends_with("_l") ? ": a line with l, which holds for every layer" : "");
}

// Tells whether a line may stand in a loop, where = keeps the last: dW[k,j] = H[i,k]·dZ[i,j] may.
// A program has no letters below the line, and no product without a sign.
bool may_stand_in_loop(const Sides& line) {
  const std::string& left = line.left;
  const std::size_t last = left.find_last_not_of(' ');
  const bool in_brackets = last < left.size() && (left[last] == ']' || left[last] == ')');
  const bool has_sign =
      line.right.find('*') != line.right.npos || line.right.find("·") != line.right.npos;
  return (in_brackets && has_sign) || contains(words_of(left + " " + line.right), "for");
}

// Returns the letters that a line with entries has on the right alone; one may have a Σ elsewhere.
std::vector<std::string> letters_on_the_right(const Equation& e, const Scope& scope) {
  const std::vector<std::string> left = scope.free_letters(e.sides[0]);
  if (left.empty()) return {};
  std::vector<std::string> letters = scope.free_letters(e.sides[1]);
  visit(e.sides[1], [&](const Node& node) {
    if (node.kind == Kind::fold)
      for (std::string& letter : letters_of(node)) letters.push_back(std::move(letter));
  });
  std::erase_if(letters, [&](const std::string& one) { return contains(left, one); });
  return letters;
}

Typed read_once(const Derivation& d, const Asked& asked, const std::string& line,
                const Hand& hand) {
  const std::string given = is_row(asked) ? line : with_decimal_points(line);
  Sides written = sides_of(given);
  if (std::optional<Node> answer = written_out(asked, written.right, hand))
    return {{{Node::name(asked.name), std::move(*answer)}, {"="}, line}, {}};
  Scope scope = with_gradients(d, &asked);
  std::size_t steps = 50'000;  // some .01 s
  scope.steps_left = &steps;
  Equation e{{Node::name(asked.name), {}}, {"="}, given};
  if (written.left.empty()) e.sides[1] = expression(given, hand);
  else e = equation(given, hand);
  Meaning meaning(scope, hand);
  for (Node& side : e.sides) side = meaning(std::move(side));
  const bool twice = e.sides.size() == 3 && name_on_left(e) == asked.name;
  if (twice && e.sides[1].kind == Kind::entry) {  // T = T[i,j] = ...
    e = {{e.sides[1], e.sides[2]}, {e.relations[1]}, given};
    written = sides_of(written.right);
  }
  if (e.sides.size() != 2) throw Error("one = is enough");
  if (name_on_left(e) != asked.name && e.sides[1] == Node::name(asked.name))
    std::swap(e.sides[0], e.sides[1]);
  if (e.sides[0] == Node::unary("ᵀ", Node::name(asked.name)))  // dWᵀ = ...
    e.sides = {Node::name(asked.name), Node::unary("ᵀ", e.sides[1])};
  Node& left = e.sides[0];
  if (left.kind == Kind::name && left.text + "_l" == asked.name && left.parts.size() == 1) {
    if (text_of(left.parts[0]) == "l - 1") e.sides[1] = a_layer_later(e.sides[1]);
    if (text_of(left.parts[0]) == "l - 1" || text_of(left.parts[0]) == "l")
      left = expression(asked.name);
  }
  check_left(e, asked);
  if (e.relations[0] == "-=")
    throw Error("-= takes a step, and a gradient is only collected: it is written with = or +=");
  std::vector<std::string> notes = meaning.notes();
  if (e.relations[0] == "=" && !may_stand_in_loop(written)) {
    const Node summed = with_sums_over(letters_on_the_right(e, scope), e.sides[1]);
    if (summed != e.sides[1]) notes.push_back(text_of(summed));
    e.sides[1] = summed;
  }
  if (e.relations[0] == "←") e.relations[0] = "=";
  const bool stars = hand.star_is_entrywise && line.find('*') != line.npos;
  return {
      e, notes,
      stars ? "; * is entry by entry in NumPy and in R, the product of matrices is @ or %*%" : ""};
}

// Reads a line with what stands behind two blanks, or else without it.
Typed read_first(const Derivation& d, const Asked& asked, const std::string& line,
                 const Hand& hand) {
  std::string problem;
  for (const std::string& one : with_and_without_notes(line)) {
    try {
      return read_once(d, asked, one, hand);
    } catch (const Error& error) {
      if (problem.empty()) problem = error.what();
    }
  }
  throw Error(problem);
}

// Puts shapes below the names, entries and calls that have a value.
Node with_shapes(Node node, const Scope& scope) {
  const auto note = [&](Node& part, const Node& of, const char* behind) {
    const std::optional<Value> value = if_possible([&] { return scope(of); });
    if (!value || value->is_number()) return;  // an index has none
    std::string shape;
    for (const std::size_t n : value->shape)
      shape += (shape.empty() ? "" : "×") + std::to_string(n);
    part.indices = shape + behind;
  };
  if (node.kind == Kind::name) note(node, Node(node), "");
  else if (node.kind == Kind::unary && node.text == "ᵀ" && node.parts[0].kind == Kind::name)
    note(node, node.parts[0], "ᵀ");
  else if (node.kind != Kind::entry && node.kind != Kind::table)
    for (Node& part : node.parts) part = with_shapes(std::move(part), scope);
  return node;
}

}  // namespace

std::vector<std::string> links_of(const std::string& line) {
  std::vector<std::string> sides(1);
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    depth += line[at] == '(' || line[at] == '[' || line[at] == '{';
    depth -= line[at] == ')' || line[at] == ']' || line[at] == '}';
    const bool joined =
        (at > 0 && std::string_view("<>=!+-:").find(line[at - 1]) != std::string_view::npos) ||
        (at + 1 < line.size() && line[at + 1] == '=');
    if (line[at] == '=' && depth == 0 && !joined) sides.emplace_back();
    else sides.back() += line[at];
  }
  if (sides.size() < 3) return {};
  std::vector<std::string> links;
  for (std::size_t k = 1; k < sides.size(); ++k) links.push_back(sides[0] + "=" + sides[k]);
  return links;
}

std::vector<Typed> read_typed(const Derivation& d, const Asked& asked, const std::string& line) {
  const std::string plain = plain_letters(with_brackets(line));
  Hand hand = hand_of(d, plain);
  hand.groups = !is_row(asked);
  std::vector<Typed> all{read_first(d, asked, plain, hand)};
  const auto also = [&](const Hand& other, const char* note) {
    std::optional<Typed> typed = if_possible([&] { return read_first(d, asked, plain, other); });
    if (!typed) return;  // the first reading counts
    for (const Typed& one : all)
      if (one.equation.sides == typed->equation.sides) return;
    typed->notes.push_back(note);
    all.push_back(std::move(*typed));
  };
  Hand narrow = hand, columns = hand, blocks = hand;
  narrow.divides_narrowly = true;
  columns.sums_columns = true;
  blocks.groups = false;
  also(narrow, "(a/b)·c, where a/b c stands");
  if (hand.groups && plain.find('[') != plain.npos) also(blocks, "[A B] is a row of blocks");
  if (hand.first_axis == 1) also(columns, "MATLAB does, which sums columns");
  return all;
}

Echo echo(const Derivation& d, const Asked& asked, const std::string& line) {
  Echo result;
  try {
    Equation e = read_typed(d, asked, line)[0].equation;
    const Scope scope = with_gradients(d, &asked);
    const Node right = e.sides.back();
    e.sides.back() = with_shapes(right, scope);
    result.math = mathml(e);
    if (e.sides[0].kind == Kind::entry) return result;
    const Value value = scope(right);
    if (!value.is_number()) result.math = mathml(e, to_text(value.shape));
  } catch (const Error& error) {
    if (const std::vector<std::string> links = links_of(line); !links.empty())
      return echo(d, asked, links.back());
    result.problem = one_line(error.what());
  }
  return result;
}

const Asked* named_in(const Derivation& d, const std::string& line) {
  const std::string plain = plain_letters(line);
  auto [left, right] = sides_of(plain);
  if (left.empty()) return nullptr;
  Hand hand = hand_of(d, plain);
  hand.groups = true;
  const Scope scope = with_gradients(d);
  const auto named = [&](const std::string& side) -> const Asked* {
    const std::optional<Node> tree =
        if_possible([&] { return Meaning(scope, hand)(expression(side, hand)); });
    if (!tree) return nullptr;
    const bool turned = tree->kind == Kind::unary && tree->text == "ᵀ";
    const Node& name = tree->kind == Kind::entry || turned ? tree->parts[0] : *tree;
    if (const Asked* one = d.find(text_of(name))) return one;
    const Asked* layered = d.find(name.text + "_l");
    return layered ? layered : d.find(name.text.substr(0, name.text.find('_')) + "_l");
  };
  if (const std::size_t colon = left.find(": "); left.starts_with("for ") && colon != left.npos)
    left = left.substr(colon + 2);
  const Asked* asked = named(left);
  return asked ? asked : named(right);
}

}  // namespace formula
