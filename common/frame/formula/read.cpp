// From text to trees: what tokens make together. Each line of the grammar is a function below.
//
//   equation  = [loop] side {relation side} [";" | "." | ","] [note]    loop: for i, k:
//   side      = sum ["if" sum relation sum [","] "else" side] ["summed" domain]
//   sum       = term {("+" | "-") term}
//   term      = factor {("·" | "*" | "@" | "times" | "⊙" | ".*" | "/") factor}
//   factor    = "-" factor | "Σ" [letters] term | words | beside
//   words     = ("row" | "column") ("sums" | "means") ["of"] term | "sum" domain ["of"] term
//             | ("sum" | "mean") "of" (term | sum domain) | "sum" term
//   domain    = "over" ("rows" | "columns" | "entries" | letters ["with" relation])
//   beside    = power {power}                                            a product without a sign
//   power     = atom {"^" atom | "ᵀ" | "transposed" | "." name [arguments]}
//   atom      = number | gradient | name {"(" arguments ")" | "[" indices "]"} | function power
//             | "(" sides ")" | "[" rows "]" | "[" sum relation sum "]" | "|" sum "|" | "√" power
//             | "frac" atom atom
//   gradient  = ("d" | "∂") loss "/" ("d" | "∂") name | "∇" below [loss]
//   arguments = [argument {"," argument}]
//   argument  = [name "="] side | side relation side
//             | side {"for" name ["in" range]} ["if" relation]
//   indices   = side | ":" | side ":" side, several
//   below     = letters or digits | "(" side ")", as in H_ij and Z_(l-1)
//
// A function before an operand without brackets takes its factors, as tanh 2x and tanh² x do.
// SPDX-License-Identifier: MIT
#include <optional>

#include "common/frame/formula/lexer.hpp"

namespace formula {
namespace {

constexpr std::string_view relations[] = {"=", "←", "+=", "-=", "≤", "≥", "<", ">", "≈"};
constexpr std::string_view before_operands[] = {"exp", "ln",  "log",     "tanh", "sinh",  "sech",
                                                "sin", "cos", "softmax", "cosh", "artanh"};
constexpr std::string_view keywords[] = {"if",     "else", "of",         "over", "times",
                                         "summed", "with", "transposed", "for",  "where"};
constexpr std::string_view lengths[] = {"n", "m", "d", "h"};  // where they have no value
constexpr std::string_view attributes[] = {"T", "mT", "grad", "size", "shape", "at"};

// Reads by descent: what binds less calls what binds more.
class Reader {
 public:
  Reader(std::string_view text, const Hand& hand)
      : text_(plain_letters(text)), hand_(hand), tokens_(tokens_of(text_, hand)) {
    if (hand.is_typed) leave_out_words();
  }

  Equation whole_equation() {
    const std::optional<Node> limit = pass_loop();
    Equation all{{side()}, {}, text_};
    while (is_relation(now())) {
      all.relations.push_back(take().text);
      all.sides.push_back(side());
    }
    if (all.relations.empty()) fail(now().type == Type::end ? "no = in it" : unexpected());
    finish();
    if (limit) all.sides.back() = Node::binary(all.sides.back(), "·", *limit);
    return all;
  }

  Node whole_expression() {
    Node node = side();
    finish();
    return node;
  }

  std::vector<Node> whole_list() {
    std::vector<Node> all{side()};
    while (accept(",")) all.push_back(side());
    finish();
    return all;
  }

 private:
  // ------------------------------------------------------------------------------------- tokens

  const Token& now() const { return tokens_[at_]; }
  const Token& next(std::size_t k = 1) const {
    return tokens_[std::min(at_ + k, tokens_.size() - 1)];
  }
  const Token& take() {  // the end stays
    const Token& token = now();
    at_ += token.type != Type::end;
    return token;
  }
  static bool is_relation(const Token& t) {
    return t.type == Type::sign && contains(relations, t.text);
  }

  // Returns the first token from a place on of which this holds, outside of inner brackets; or what
  // ends the bracket around that place, or the text.
  const Token& first_before_closing(std::size_t at, bool (*is)(const Token&)) const {
    int depth = 0;
    for (; tokens_[at].type != Type::end; ++at) {
      depth += tokens_[at].is("(") || tokens_[at].is("[");
      depth -= tokens_[at].is(")") || tokens_[at].is("]");
      if (depth < 0 || (depth == 0 && is(tokens_[at]))) break;
    }
    return tokens_[at];
  }

  std::string unexpected() const {
    return now().type == Type::end ? "something is missing at the end"
                                   : join("'", now().text, "' does not fit here");
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string before = printable(text_.substr(0, now().at));
    const std::size_t end = before.find_last_not_of(' ') + 1;
    const std::size_t from = end > 20 ? end - 20 : 0;
    const std::string behind = printable(before.substr(from, end - from));
    throw Error(what, end == 0 ? "" : join(", behind '", behind, "'"));
  }
  void finish() {
    if (hand_.is_typed) {
      while (now().is(";") || now().is(",") || now().is(".")) take();
      if (accept("for")) pass_letters();
    }
    if (now().type != Type::end) fail(unexpected());
  }
  void expect(std::string_view sign) {
    if (accept(sign)) return;
    const bool ends = now().type == Type::end;
    fail(
        join("'", sign, "' is missing", ends ? " at the end" : join(" before '", now().text, "'")));
  }

  bool accept(std::string_view sign) {
    const bool comes = now().is(sign);
    if (comes) take();
    return comes;
  }
  template <class Words>
  std::string accept_one(const Words& words) {
    return now().type != Type::text && contains(words, now().text) ? take().text : "";
  }
  void go_deeper(const char* too_deep) {
    ++depth_;
    if (depth_ > 60) fail(too_deep);
  }

  // What people add to a formula, as "the", and "entry by entry".
  void leave_out_words() {
    constexpr std::string_view single[] = {"the", "entrywise", "elementwise"};
    std::vector<Token> kept;
    for (; at_ < tokens_.size(); ++at_) {
      const bool phrase = now().is("entry") && next().is("by") && next(2).is("entry");
      if (phrase) at_ += 2;
      else if (now().type != Type::name || !contains(single, now().text)) kept.push_back(now());
    }
    tokens_ = std::move(kept);
    at_ = 0;
  }

  // "for i, k:" and "for i in range(n):" before a line; of a range that ends early the indicator.
  std::optional<Node> pass_loop() {
    if (!hand_.is_typed || !now().is("for")) return std::nullopt;
    const std::size_t from = at_;
    std::optional<Node> limit;
    const std::string letter = next().text;
    while (!now().is(":") && now().type != Type::end && !now().is("=")) {
      if (!take().is("range") || !accept("(")) continue;
      Node end = sum();
      const bool whole = end.kind == Kind::name && !contains(hand_.names, end.text);
      if (!whole) limit = Node::where("<", Node::name(letter), std::move(end));
    }
    if (accept(":")) return limit;
    at_ = from;
    return std::nullopt;
  }
  // "all i, k" behind "for".
  void pass_letters() {
    accept("all");
    accept("every");
    while (now().type == Type::name && now().text.size() == 1) {
      take();
      if (!accept(",")) accept("and");
    }
  }

  // ------------------------------------------------------------------------------- sides and sums

  // An expression, or one of two by a condition.
  Node side() {
    Node value = sum();
    if (accept("summed")) return over_domain("sum", std::move(value));
    if (!accept("if")) return value;
    Node chosen = one_where(sum());
    accept(",");
    if (!accept("else")) fail("'else' is missing");
    chosen.parts[0] = std::move(value);
    chosen.parts[3] = side();
    return chosen;
  }

  // Reads a relation and what stands behind it: 1 where it holds, else 0.
  Node one_where(Node left) {
    if (!is_relation(now())) fail("a relation such as > is missing");
    const std::string relation = take().text;
    return Node::where(relation, std::move(left), sum());
  }

  // In a matrix a sign that leans on what follows, as in [2 -1], begins an entry.
  bool begins_entry() const { return in_matrix_ && now().has_space() && !next().has_space(); }

  Node sum() {
    go_deeper("too many brackets within brackets");
    accept("+");
    Node all = term();
    while ((now().is("+") || now().is("-")) && !begins_entry()) {
      const std::string sign = take().text;
      all = Node::binary(all, sign, term());
    }
    --depth_;
    return all;
  }

  std::string accept_product() {
    if (hand_.is_typed && accept("times")) return "·";
    const bool point = hand_.is_typed && now().is(".") && begins_operand_at(at_ + 1);
    if (point) {
      take();
      return "·";
    }
    constexpr std::string_view products[] = {"·", "⊙", "/", "@"};
    return accept_one(products);
  }

  Node term() {
    Node all = factor();
    for (std::string sign; !(sign = accept_product()).empty();) {
      const bool narrow = sign == "/" && hand_.divides_narrowly && begins_operand();
      all = Node::binary(all, sign, narrow ? power() : factor());
      while (narrow && (begins_operand() || now().is("Σ")))
        all = Node::binary(all, "", now().is("Σ") ? sum_over() : power());
    }
    return all;
  }

  Node factor() {
    go_deeper("too many signs before a factor");
    Node result;
    if (accept("-")) result = Node::unary("-", factor());
    else if (now().is("Σ")) result = sum_over();
    else if (std::optional<Node> words = fold_in_words()) result = std::move(*words);
    else result = beside();
    while (hand_.binds_tightly && accept("@")) result = Node::binary(result, "@", beside());
    --depth_;
    return result;
  }

  // Factors without a sign between.
  Node beside() {
    Node all = power();
    while (begins_operand() || now().is("Σ"))
      all = Node::binary(all, "", now().is("Σ") ? sum_over() : power());
    return all;
  }

  // ------------------------------------------------------------------------------- sums in words

  static Node fold(std::string words, Node of) {
    return {Kind::fold, std::move(words), {std::move(of)}};
  }

  // Returns "column sums of" of columnsums, col_sums, colMeans and "column mean", and takes it.
  std::string side_of_sums() {
    const std::size_t from = at_;
    constexpr std::string_view sides[] = {"row", "rows", "column", "columns", "col", "cols"};
    std::string word = small_letters(now().text + now().subscript);
    take();
    if (contains(sides, word)) {
      if (now().is("-")) take();
      word += small_letters(take().text);
    }
    for (const std::string side : {"columns", "column", "cols", "col", "rows", "row"})
      for (const std::string what : {"sums", "sum", "means", "mean"})
        if (word == side + what)
          return join(side[0] == 'c' ? "column " : "row ", what[0] == 's' ? "sums of" : "means of");
    at_ = from;
    return "";
  }

  std::optional<Node> fold_in_words() {
    if (now().type != Type::name || (!next().has_space() && next().is("("))) return std::nullopt;
    if (now().is("mean") && next().is("of") && !hand_.is_typed) {
      at_ += 2;
      return fold("mean of", term());
    }
    if (const std::string side = side_of_sums(); !side.empty()) {
      const bool as_function = !accept("of") && now().is("(");
      return fold(side, as_function ? power() : term());
    }
    return hand_.is_typed ? sum_in_words() : std::nullopt;
  }

  // "sum over i of a", "sum of a over all rows", "mean of a", "sum_i a", "sum a".
  std::optional<Node> sum_in_words() {
    const bool means = now().is("mean") || now().is("means");
    if (!means && !now().is("sum") && !now().is("sums") && !now().is("Sum")) return std::nullopt;
    if (means && !next().is("of") && !next().is("over")) return std::nullopt;
    if (!now().subscript.empty()) return sum_over();
    constexpr std::string_view behind_names[] = {"(", "[", ".", ")", ","};
    if (contains(behind_names, next().text)) return std::nullopt;
    take();
    const std::string what = means ? "mean" : "sum";
    if (now().is("over")) {
      const Node domain = over_domain(what, Node{});
      if (!accept("of")) accept(":");
      Node all = domain;
      all.parts[0] = term();
      return all;
    }
    if (!accept("of")) return fold("Σ", term());
    const bool unclear = (now().is("columns") || now().is("rows")) && next().is("of");
    if (unclear)
      fail(join("'sum of ", now().text,
                "' can mean two things; here: column sums of A, row sums of A"));
    if (!has_domain()) return fold(means ? "mean of" : "Σ", term());
    Node of = sum();
    return over_domain(what, std::move(of));
  }

  bool has_domain() const {
    return first_before_closing(at_, [](const Token& t) { return t.is("over"); }).is("over");
  }

  Node over_domain(const std::string& what, Node of) {
    expect("over");
    accept("all");
    const std::string rows = accept_one(std::initializer_list<const char*>{"rows", "examples"});
    if (!rows.empty()) return fold("column " + what + "s of", std::move(of));
    if (accept("columns")) return fold("row " + what + "s of", std::move(of));
    if (accept("entries")) return fold(what == "sum" ? "Σ" : "mean of", std::move(of));
    Node sum = fold("Σ", std::move(of));
    while (now().type == Type::name && now().text.size() == 1) {
      sum.indices += take().text;
      if (!accept(",")) accept("and");
    }
    if (sum.indices.empty() || what != "sum")
      fail("behind 'over' stand rows, columns, entries, or letters of indices");
    const bool with = accept("with") || accept("where") || accept("such");
    accept("that");
    if (with) limit(sum, this->sum());
    return sum;
  }
  void limit(Node& sum, Node left) {
    const Node condition = one_where(std::move(left));
    sum.indices += " " + condition.text;
    sum.parts = {sum.parts[0], condition.parts[1], condition.parts[2]};
    if (is_relation(now())) fail("one relation limits a sum");
  }

  bool begins_operand() const { return begins_operand_at(at_); }
  bool begins_operand_at(std::size_t at) const {
    const Token& t = tokens_[at];
    if (in_matrix_ && t.has_space()) return false;
    if (t.type == Type::name) return !contains(keywords, t.text);
    if (t.is("[") && hand_.groups) return true;
    return t.type == Type::number || t.is("(") || t.is("√") || t.is("frac") || t.is("∂") ||
           t.is("∇") || begins_indicator(at);
  }

  // Tells whether a bracket holds a relation, as in [a = b] or (a = b).
  bool begins_indicator() const { return begins_indicator(at_); }
  bool begins_indicator(std::size_t at) const {
    const auto decides = [](const Token& t) {
      return is_relation(t) || t.is("if") || t.is("where") || t.is(",");
    };
    const bool opens = tokens_[at].is("[") || tokens_[at].is("(");
    return opens && is_relation(first_before_closing(at + 1, decides));
  }

  // Iverson's bracket.
  Node indicator() {
    const bool before = std::exchange(in_matrix_, false);
    const bool square = take().is("[");
    Node holds = one_where(sum());
    expect(square ? "]" : ")");
    in_matrix_ = before;
    return holds;
  }

  // Letters may lean on a sum: Σk U[k,o] is Σ_k U[k,o].
  std::string letters_that_lean() {
    const bool short_word = now().type == Type::name && !now().has_space() &&
                            now().text.size() < 4 && is_small_letters(now().text) &&
                            now().subscript.empty();
    if (!hand_.is_typed || !short_word || !next().has_space()) return "";
    for (std::size_t k = at_ + 1; k < tokens_.size(); ++k)
      if (tokens_[k].is("[") || !tokens_[k].subscript.empty()) return take().text;
    return "";
  }

  // Reads "= 1" of a sum's first index.
  int begin_of(std::string text) const {
    std::erase(text, ' ');
    if (text != "=0" && text != "=1") fail("a sum begins at the first index, which is 0 or 1");
    return text == "=1";
  }

  // A sum from 0 or 1 to an index, or to a number of steps; to n, which has no value, it is whole.
  void end_at(Node& fold, Node end, int first) const {
    const bool is_index = end.kind == Kind::name && end.text.size() == 1 &&
                          is_small_letters(end.text) && !contains(lengths, end.text);
    const bool has_value = end.kind != Kind::name || contains(hand_.names, end.text);
    if (letters_of(fold).size() != 1 || (!is_index && !has_value)) return;
    if (!is_index && first == 1) end = Node::binary(std::move(end), "-", {Kind::number, "1"});
    fold.parts = {fold.parts[0], Node::name(letters_of(fold)[0]), std::move(end)};
    fold.indices += " ≤";
  }

  Node sum_over() {
    Node fold{Kind::fold, "Σ", {Node{}}, take().subscript};
    if (fold.indices.empty()) fold.indices = letters_that_lean();
    std::optional<Node> end;  // of a sum from i = 1 to n
    int first = 0;
    if (hand_.is_typed && now().is("^")) end = exponent(take().subscript);
    if (fold.indices.starts_with('(')) {
      const std::string inner = fold.indices.substr(1);
      const std::size_t colon = inner.find(':');  // as in Σ_(i,k: a[i,k] = v)
      std::size_t letters = inner.size();
      for (const char* behind : {" ", "<", ">", ":", "≤", "≥", "=", "\\"})
        letters = std::min(letters, inner.find(behind));
      fold.indices = inner.substr(0, letters);
      std::erase(fold.indices, ',');
      if (end && letters < inner.size()) first = begin_of(inner.substr(letters));
      if (inner.find_first_not_of(" ", letters) != inner.npos && !end) {
        const std::string limited = colon == inner.npos ? inner : inner.substr(colon + 1);
        Reader condition(limited, hand_);
        Node left = condition.sum();
        condition.limit(fold, std::move(left));
        condition.finish();
      }
    }
    if (end) end_at(fold, std::move(*end), first);
    fold.parts[0] = term();
    return fold;
  }

  // ------------------------------------------------------------------------------ powers and atoms

  Node power() {
    Node base = atom();
    for (;;) {
      const bool point = now().is(".") && !now().has_space() && next().type == Type::name;
      const bool method = point && next(2).is("(") && !next(2).has_space();
      const bool is_attribute = point && contains(attributes, next().text) && !hand_.dots_multiply;
      if (method || is_attribute) {
        take();
        base = method_of(std::move(base));
      } else if (now().is("ᵀ") || (hand_.is_typed && now().is("transposed"))) {
        take();
        base = turned(base);
      } else if (now().is("^")) {
        base = raised(std::move(base));
      } else if (now().is("[") && !now().has_space() &&
                 (base.indices == "." ||
                  (base.kind == Kind::entry && (base.parts.size() < 3 || !is_group())))) {
        base = entry_of(std::move(base));  // H[i][k], X.shape[0]
      } else {
        return base;
      }
    }
  }

  Node raised(Node base) {
    const std::string above = take().subscript;
    const auto turns = [](const Token& t) { return t.is("T") || t.is("ᵀ") || t.is("t"); };
    if (above == "t" && hand_.is_typed) return turned(base);
    if (above.empty() && (now().is("T") || now().is("ᵀ"))) {
      take();
      return turned(base);
    }
    if (above.empty() && now().is("(") && turns(next()) && next(2).is(")")) {
      at_ += 3;
      return turned(base);
    }
    return Node::binary(base, "^", exponent(above));
  }

  Node turned(const Node& base) {
    Node turn = Node::unary("ᵀ", base);
    const bool is_entry = now().is("[") && !now().has_space() && !is_group();
    return is_entry ? entry_of(std::move(turn)) : turn;
  }

  // A.f(x) is f(A, x); A.T, A.grad.
  Node method_of(Node base) {
    const std::string name = full_name(take());
    if (!now().is("(") || now().has_space()) {
      return name.ends_with("T") ? turned(base) : Node{Kind::call, name, {std::move(base)}, "."};
    }
    take();
    Node call{Kind::call, name, {std::move(base)}, "."};
    if (accept(")")) return call;
    for (Node& part : arguments()) call.parts.push_back(std::move(part));
    return call;
  }

  // The exponent is above, as in x², or follows ^.
  Node exponent(const std::string& above) {
    if (!above.empty()) return Reader(above, hand_).whole_expression();
    if (now().is("(") && next().is("⊙")) {  // A^{\odot 2}
      at_ += 2;
      Node power = side();
      expect(")");
      return power;
    }
    return accept("-") ? Node::unary("-", atom()) : atom();
  }

  Node atom() {
    if (now().type == Type::number) return Node{Kind::number, take().text};
    if (std::optional<Node> slope = gradient()) return std::move(*slope);
    if (now().type == Type::name) return named();
    if (accept("√")) return Node::unary("√", power());
    if (accept("|")) return size();
    if (accept("frac")) {
      Node above = atom();
      return Node::binary(above, "/", atom());
    }
    if (begins_indicator()) return indicator();
    if (accept("(")) {
      std::vector<Node> parts = list(")");
      if (parts.size() > 1)
        return Node{Kind::matrix, "(", {Node{Kind::matrix, "", std::move(parts)}}};
      if (const std::string below = tokens_[at_ - 1].subscript; !below.empty())
        return with_indices(std::move(parts[0]), below);
      const bool is_entry = now().is("[") && !now().has_space() && !is_group();
      return is_entry ? entry_of(std::move(parts[0])) : parts[0];
    }
    if (is_group()) {
      take();
      return list("]")[0];
    }
    if (accept("[")) return matrix();
    fail(unexpected());
  }

  // Tells whether brackets group, as in A ⊙ [B + C].
  bool is_group() const {
    if (!hand_.groups || !now().is("[")) return false;
    const bool has_numbers = next(1).type == Type::number && next(2).type == Type::number;
    if (has_numbers || next(2).is("]")) return false;  // [1 1 1], A[i]
    const auto lists_on = [](const Token& t) { return t.is(",") || t.is(";"); };
    const Token& end = first_before_closing(at_ + 1, lists_on);
    return end.is("]") || end.is(")");
  }

  // (A·B)_ij
  Node with_indices(Node array, const std::string& below) const {
    Node entry{Kind::entry, "", {std::move(array)}};
    if (below[0] == '(') {
      for (Node& index : Reader(below.substr(1), hand_).whole_list())
        entry.parts.push_back(std::move(index));
      return entry;
    }
    for (const char letter : below) entry.parts.push_back(Node::name(std::string(1, letter)));
    return entry;
  }

  // Returns where the differential of a name that stands here ends, dZ, d Z or ∂Z; at_ of none.
  std::size_t end_of_differential(std::size_t at, std::string* name) const {
    const Token &t = tokens_[at], &after = tokens_[std::min(at + 1, tokens_.size() - 1)];
    const bool letter = t.type == Type::name &&
                        contains(std::initializer_list<const char*>{"d", "δ", "delta"}, t.text);
    const bool sign = t.is("∂") || (letter && t.subscript.empty());
    if (sign && after.type == Type::name) {
      *name = after.text;
      return at + 2;
    }
    const bool joined = t.type == Type::name && t.text.size() > 1 && t.text[0] == 'd';
    if (!joined || contains(hand_.names, t.text)) return at;
    *name = t.text.substr(1);
    return at + 1;
  }

  // ∂L/∂W, dloss/dW, \frac{∂L}{∂W}, ∇_W L and dL_dW are dW.
  std::optional<Node> gradient() {
    if (!hand_.is_typed) return std::nullopt;
    if (now().is("∇")) {
      const std::string below = take().subscript;
      if (below.empty() || below[0] == '(') fail("of what? ∇_W is the gradient with respect to W");
      accept_one(hand_.losses);
      return Node::name("d" + below);
    }
    const bool bars = now().is("frac") && next().is("(");
    std::string loss, name;
    const std::size_t first = at_ + 2 * bars, over = end_of_differential(first, &loss);
    if (const Token& whole = now(); whole.subscript.size() > 1 && whole.subscript[0] == 'd' &&
                                    contains(hand_.losses, loss) && whole.text == "d" + loss)
      return Node::name(take().subscript);  // dL_dW
    const bool partial = tokens_[first].is("∂");
    if (over == first) return std::nullopt;
    const std::size_t behind = bars ? over + 2 : over + 1;
    const bool parted =
        bars ? tokens_[over].is(")") && behind < tokens_.size() && tokens_[over + 1].is("(")
             : tokens_[over].is("/");
    if (!parted || behind >= tokens_.size()) return std::nullopt;
    const std::size_t end = end_of_differential(behind, &name);
    const bool is_table = std::any_of(
        hand_.names.begin(), hand_.names.end(),
        [&](const std::string& one) { return small_letters(one) == small_letters(loss); });
    const bool of_loss = contains(hand_.losses, loss) ||
                         (!is_table && (partial || contains(hand_.asked, "d" + name)));
    if (end != behind && !of_loss && (partial || is_table))
      fail(join("∂", loss, "/∂", name, " has the indices of both; what is meant is ∂loss/∂", name));
    if (end == behind || !of_loss) return std::nullopt;
    Token whole = tokens_[end - 1];
    whole.text = "d" + name;
    at_ = end;
    if (bars && tokens_[end].is(")")) ++at_;  // \frac{∂L}{∂W}_{ij} leans on W
    Node slope = named(whole);
    if (bars && tokens_[end].is("[")) expect(")");
    return slope;
  }

  Node size() {
    const bool before = std::exchange(in_matrix_, false);
    Node of = Node::unary("|", sum());
    in_matrix_ = before;
    expect("|");
    return of;
  }

  // A side, all of an axis, a part a:b of one, or a list {2}.
  Node element() {
    if (accept(":")) return Node::name(":");
    const bool is_list = now().is("(") && now().subscript == "{" && next(2).is(")");
    Node value = side();
    if (is_list) return {Kind::matrix, "(", {Node{Kind::matrix, "", {std::move(value)}}}};
    return hand_.is_typed && accept(":") ? Node::binary(std::move(value), ":", side()) : value;
  }

  // Of a call people also type f(), f(axis=0), and ⟨a|b⟩, which is f(a|b).
  std::vector<Node> list(std::string_view closing, bool of_typed_call = false) {
    const bool before = std::exchange(in_matrix_, false);
    std::vector<Node> parts;
    while (!now().is(closing)) {
      parts.push_back(of_typed_call ? argument() : element());
      if (!accept(",") && !(of_typed_call && accept("|"))) break;
    }
    if (parts.empty() && !of_typed_call) fail(join("nothing stands before '", closing, "'"));
    expect(closing);
    in_matrix_ = before;
    return parts;
  }
  std::vector<Node> arguments() { return list(")", hand_.is_typed); }

  Node argument() {
    if (now().type == Type::text) return {Kind::text, take().text};
    if (now().is("[") && next().is("]")) {
      at_ += 2;
      return {Kind::text, "[]"};
    }
    if (accept(":")) return Node::name(":");
    if (now().type == Type::name && next().is("=")) {
      const std::string name = full_name(take());
      take();
      return {Kind::argument, name, {argument()}};
    }
    Node value = side();
    if (is_relation(now())) return one_where(std::move(value));
    return now().is("for") ? generated(std::move(value)) : value;
  }

  // (a for k in range(n) if c) is Σ_k a·[k < n]·[c].
  Node generated(Node of) {
    Node sum = fold("Σ", std::move(of));
    const auto limit_by = [&](Node factor) {
      sum.parts[0] = Node::binary(std::move(sum.parts[0]), "·", std::move(factor));
    };
    while (accept("for")) {
      const std::string letter = take().text;
      sum.indices += letter;
      if (!accept("in")) continue;
      const bool in_range = accept("range");
      if (in_range) expect("(");
      Node end = this->sum();
      if (in_range) expect(")");
      const bool whole = end.kind == Kind::name && !contains(hand_.names, end.text);
      if (accept(":")) this->sum();  // 1:n, all there are
      else if (!in_range) fail("'range(n)' is missing");
      else if (!whole) limit_by(Node::where("<", Node::name(letter), std::move(end)));
    }
    if (accept("if")) limit_by(one_where(this->sum()));
    return sum;
  }

  Node matrix() {
    const bool before = std::exchange(in_matrix_, true);
    std::vector<Node> rows(1, Node{Kind::matrix});
    while (!accept("]")) {
      if (accept(";")) rows.push_back({Kind::matrix});
      else rows.back().parts.push_back(sum());
      accept(",");
    }
    in_matrix_ = before;
    for (const Node& row : rows)
      if (row.parts.empty() || row.parts.size() != rows[0].parts.size())
        fail("the rows of a matrix differ in length");
    return Node{Kind::matrix, "", std::move(rows)};
  }

  // A[i,j], A[i][j], A[[i,j]]
  Node entry_of(Node array) {
    take();
    const bool twice = now().is("[");
    if (twice) take();
    std::vector<Node> parts = list("]");
    if (twice) expect("]");
    if (array.kind == Kind::entry) {
      for (Node& part : parts) array.parts.push_back(std::move(part));
      return array;
    }
    parts.insert(parts.begin(), std::move(array));
    return Node{Kind::entry, "", std::move(parts)};
  }

  // column_sums is one name, and W_ij is not.
  static std::string full_name(const Token& name) {
    if (name.subscript.empty()) return name.text;
    std::string text = name.text;
    return text.insert(text.find_last_not_of("'~") + 1, "_" + name.subscript);
  }

  Node named() { return named(take()); }
  Node named(const Token& name) {
    const bool attached = !now().has_space();
    const bool is_word =
        hand_.is_typed && name.text.size() > 2 && !contains(hand_.names, name.text);
    const bool divides = hand_.divides_narrowly && contains(hand_.names, name.text);
    const bool is_call = !divides && !is_entry_of_table(name) && now().is("(") &&
                         (attached || (is_word && is_small_letters(name.text)));
    if (hand_.is_typed && attached && now().is(".") && next().is("(") && !next().has_space()) {
      take();  // f.(x)
      take();
      return Node{Kind::call, full_name(name), arguments()};
    }
    if (contains(before_operands, name.text) && !is_call) return applied(name.text);
    if (is_module(name)) {
      take();
      return named();
    }
    const std::string& below = name.subscript;
    const bool letters = !is_call && is_small_letters(below) && !below.empty() && below.size() < 3;
    Node array = Node::name(name.text);
    if (letters || below.starts_with('(')) {
      const Node entry = with_indices(array, below);
      if (entry.parts.size() > 2) return entry;  // A_ij is A[i,j], and A_{i,k+1} is A[i,k+1]
      array.parts = {entry.parts[1]};
    } else {
      array.text = full_name(name);
    }
    if (is_call) {
      take();
      Node call{Kind::call, array.text, arguments()};
      if (name.text == "binom" && accept("("))  // \binom{n}{k}
        for (Node& part : arguments()) call.parts.push_back(std::move(part));
      return call;
    }
    return attached && now().is("[") ? entry_of(std::move(array)) : array;
  }

  // A_ik (B + C) is a product.
  bool is_entry_of_table(const Token& name) const {
    const bool is_gradient =
        name.text[0] == 'd' && contains(hand_.names, std::string_view(name.text).substr(1));
    const std::size_t indices = is_small_letters(name.subscript) ? name.subscript.size() : 0;
    return hand_.is_typed && (indices == 1 || indices == 2) &&
           (is_gradient || contains(hand_.names, name.text));
  }

  // np.f and std::f are f.
  bool is_module(const Token& name) const {
    constexpr std::string_view modules[] = {"np",    "numpy",   "torch",      "jnp",  "jax",
                                            "tf",    "math",    "nn",         "F",    "std",
                                            "scipy", "special", "functional", "Math", "linalg"};
    return hand_.is_typed && contains(modules, name.text) && !contains(hand_.names, name.text) &&
           name.subscript.empty() && now().is(".") && !now().has_space() &&
           next().type == Type::name;
  }

  // A function before an operand without brackets, as in tanh² x.
  Node applied(const std::string& function) {
    go_deeper("too many functions of functions");
    std::optional<Node> power_of_it;
    if (now().is("^")) power_of_it = exponent(take().subscript);
    const bool bracket = power_of_it && now().is("(");
    Node of = now().is("-") ? factor() : power();
    while (!bracket && begins_operand()) of = Node::binary(of, "", power());
    const Node call{Kind::call, function, {of}};
    --depth_;
    return power_of_it ? Node::binary(call, "^", *power_of_it) : call;
  }

  std::string text_;
  const Hand& hand_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_matrix_ = false;
};

}  // namespace

Node expression(std::string_view text, const Hand& hand) {
  return Reader(text, hand).whole_expression();
}

Equation equation(std::string_view text, const Hand& hand) {
  return Reader(text, hand).whole_equation();
}

}  // namespace formula
