// Tests the READMEs' notation against the matrix header, and every derivation: our lines are right
// in two spellings. What is wrong: wrong_lines.cpp.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "common/derive/judge.hpp"
#include "common/derive/meaning.hpp"
#include "common/frame/page/page.hpp"
#include "tests/check.hpp"

namespace test_formula {

using namespace formula;
namespace fs = std::filesystem;

static const fs::path root = ".";

static Scope small_scope() {
  const std::string drawn =
      "# 0 | as in derive.txt | 1\nX 4 3, W 3 5, b 1 5, dZ 4 5, v 4 1, H_0 2 3, H_1 2 3, W_1 3 3, n 4";
  Scope scope = derivations(drawn, "").at(0).start;
  scope.values["T"] = Value({2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  scope.values["context"] = Matrix<double>{{0, 2}, {1, 0}};
  return scope;
}

static void values(Checks& check) {
  const Scope scope = small_scope();
  const auto matrix = [&](const char* name) { return scope.values.at(name).matrix(); };
  const Matrix<double> X = matrix("X"), W = matrix("W"), b = matrix("b"), dZ = matrix("dZ"),
                       v = matrix("v");
  const Matrix<double> Z = add_row(matmul(X, W), b), dW = matmul(transpose(X), dZ);
  const auto squares = map_entries(dZ, [](double z) { return z * z; });
  const auto positive = map_entries(X, [](double x) { return x > 0 ? x : 0; });
  const struct {
    const char* text;
    Value expected;
  } cases[] = {
      {"X·W + b", Z},
      {"X W + b", Z},
      {"Xᵀ·dZ", dW},
      {"X^T dZ", dW},
      {"dZ ⊙ dZ", squares},
      {"dZ²", squares},
      {"v ⊙ dZ", hadamard(matmul(v, Matrix<double>{{1, 1, 1, 1, 1}}), dZ)},
      {"column sums of dZ", column_sums(dZ)},
      {"row sums of dZᵀ", Matrix<double>(transpose(column_sums(dZ)))},
      {"Σ dZ ⊙ dZ", dot(dZ, dZ)},
      {"mean of dZ²", dot(dZ, dZ) / 20},
      {"Σ_ij dZ[i,j]·dZ[i,j]", dot(dZ, dZ)},
      {"Σ_i Σ_j dZ_ij²", dot(dZ, dZ)},
      {"½ Σ_k X[0,k]·X[1,k] - 2",
       0.5 * (X(0, 0) * X(1, 0) + X(0, 1) * X(1, 1) + X(0, 2) * X(1, 2)) - 2},
      {"Σ_(k ≤ 1) X[0,k]", X(0, 0) + X(0, 1)},
      {"-2X - X·2", -4 * X},
      {"relu(X)", positive},
      {"X if X > 0, else 0", positive},
      {"max(0, X)", positive},
      {"tanh² X", map_entries(X, [](double x) { return std::tanh(x) * std::tanh(x); })},
      {"exp ln 2 + e^-1 - 1/e", 2.0},
      {"√(2n) - 2√2", 0.0},
      {"(1, 2)·(3, 4)", 11.0},
      {"[1 2; 3 -4]·(1, 2)ᵀ", Matrix<double>{{5}, {-5}}},
      {"[1·2 1·(-1)]", Matrix<double>{{2, -1}}},
      {"((1, 2), 3)", Matrix<double>{{1, 2, 3}}},
      {"[[1 2; 3 4] 0; (5, 6) 7]", Matrix<double>{{1, 2, 0}, {3, 4, 0}, {5, 6, 7}}},
      {"T[1]", Matrix<double>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      {"Σ_pq T[0,p,q]", 45.0},
      {"(X·W)[1,2]", matmul(X, W)(1, 2)},
      {"|(3, 4)| + |-1|", 6.0},
      {"softmax((0, ln 2, 0))", Matrix<double>{{0.25, 0.5, 0.25}}},
      {"H_(1-1)·W₁", matmul(matrix("H_0"), matrix("W_1"))},
      {"2·3²/6", 3.0},
  };
  for (const auto& [text, expected] : cases) {
    const Node tree = expression(text);
    check.near(distance(scope(tree), expected), 0, 1e-14, text);
    check.that(expression(text_of(tree)) == tree,
               std::string(text) + " is read again as written: " + text_of(tree));
  }

  for (const std::string text : {"(r·A) ⊙ (s·B)", "(P ⊙ Q)·Wᵀ", "W·(C ⊙ (Vᵀ·V))", "s·(P·Q + R)"}) {
    check.equal(text_of(expression(text)), text, "brackets as typed");
    check.that(count(mathml(expression(text)), "<mo>(</mo>") == count(text, "("),
               "as many on the page: " + text);
  }

  Scope now = scope;
  now.values["C"] = Matrix<double>{{1, 2}, {3, 4}, {5, 6}};
  now.values["dim"] = 2;
  now.assign(equation("E[i, k·dim + a] = C[context[i,k], a]"));
  check.near(distance(now.values["E"], Matrix<double>{{1, 2, 5, 6}, {3, 4, 1, 2}}), 0, 0,
             "rows side by side");
  now.values["dC"] = Matrix<double>(3, 2);
  now.assign(equation("dC[context[i,k], a] += E[i, k·dim + a]"));
  check.near(distance(now.values["dC"], Matrix<double>{{2, 4}, {3, 4}, {5, 6}}), 0, 0,
             "a row that is used twice collects twice");
  now.assign(equation("A[i,j] = X[i,j]/Σ_(l ≤ i) X[i,l] if j ≤ i, else 0"));
  check.near(distance(now(expression("A[1,0] + A[1,1]")), 1.0), 0, 1e-15, "what may be seen");
  check.near(distance(now(expression("A[0,1]")), 0.0), 0, 0, "and what not");
  now.assign(equation("b[j] = Σ_i dZ[i,j]"));
  check.equal(to_text(now.values["b"].shape), "1 × 5",
              "a row stays one where its entries are written");
  now.functions["E"] = now.functions["Var"] = [](const std::vector<Value>& of) {
    return 2 * of.at(0).numbers.at(0);
  };
  check.near(distance(now(expression("Var 7 + E[0,0]")), 15.0), 0, 0,
             "Var x is a function, and a value goes before one");
  now.values.erase("E");
  check.near(distance(now(expression("3·Var v[0,0]·E[7²]")), now(expression("3·2·v[0,0]·98"))), 0,
             1e-15, "E[x²] is one");
  const std::vector<Value> sides = now.sides(equation("H_l·W_1 = H_l·W_1 + 0"));
  check.that(sides.size() == 2, "layer by layer: two sides");
  check.that(sides[0].numbers.size() == 12, "layer by layer: both layers");
  check.that(sides[0].numbers == sides[1].numbers, "layer by layer: equal sides");
  const Line read =
      line("dW = Xᵀ·dZ,   db = column sums of dZ      in × out, 1 × out    (3.1) back");
  check.that(read.equations.size() == 2, "a line of a README: formulas");
  check.that(read.notes.size() == 1, "a line of a README: notes");
  check.equal(read.number, "3.1", "a line of a README: number");
  check.that(read.back, "a line of a README: back");
}

static void refusals(Checks& check) {
  const Scope scope = small_scope();
  for (const auto& [text, expected] : {
           std::pair<std::string, std::string>{"X·dZ",
                                               "X is 4 × 3 and dZ is 4 × 5: that does not fit"},
           {"X + W", "X is 4 × 3 and W is 3 × 5"},
           {"X·", "something is missing at the end"},
           {"", "something is missing at the end"},
           {"(X", "')' is missing at the end"},
           {"X)", "')' does not fit here"},
           {std::string(800, '('), "too many brackets"},
           {std::string(10000, '('), "the line is too long"},
           {std::string(800, '-'), "too many signs"},
           {"1e999", "1e999 is too large"},
           {"<b>X</b>", "'<' does not fit here"},
           {"X $ 2", "'$' is no sign of this notation"},
           {"\xFF", "is no sign of this notation"},
           {"1/(cosh2)", "there is no cosh2 here"},
           {"foo(X)", "there is no function foo"},
           {"X[4,0]", "X[4,0] goes beyond 4 × 3"},
           {"X[0,½]", "½ is no index"},
           {"X[]", "nothing stands before ']'"},
           {"φ()", "nothing stands before ')'"},
           {"Σ_k 2k", "how far does k go?"},
           {"Σ_abcdfghi X[a,0]·X[b,0]·X[c,0]·X[d,0]·X[f,0]·X[g,0]·X[h,0]·X[i,0]", "too long"},
           {"[1 2; 3]", "the rows of a matrix differ in length"},
           {"2^X", "an exponent is a number"},
           {"1 if X", "a relation such as > is missing"},
           {"T ᵀ", "only a matrix has a transpose"},
       })
    check.throws<Error>([&, text = text] { scope(expression(text)); }, expected,
                        "'" + text.substr(0, 60) + "'");
  check.throws<Error>([] { equation("X + 2"); }, "no = in it");

  // Random pieces must survive writing and reading, with MathML whose tags match, or give an error
  // of one line.
  const std::vector<std::string> pieces = {
      "X",    "dZ",      "W₁",       "H_(l-1)", "φ'(", "Σ_k ", "[i,j]", "ᵀ", "²",
      " if ", ", else ", "mean of ", "½",       "<b>", "exp ", "√",     "|", "_",
      "⊙",    "·",       "(",        ")",       "[",   "]",    ";",     "=", "-",
      "+",    "/",       "^",        ",",       " ",   "2",    "1e9"};
  std::mt19937 random(1);
  std::size_t understood = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text;
    for (std::size_t k = 1 + random() % 9; k > 0; --k) text += pieces[random() % pieces.size()];
    try {
      const Node tree = expression(text);
      ++understood;
      check.that(expression(text_of(tree)) == tree,
                 "'" + text + "' is written as '" + text_of(tree) + "'");
      const std::string math = mathml(tree);
      for (const std::string tag : {"math", "mrow", "mi", "mo", "msup", "msub", "mfrac"})
        check.that(count(math, "<" + tag + ">") + count(math, "<" + tag + " ") ==
                       count(math, "</" + tag + ">"),
                   "the tags of '" + text + "'");
      const Hand typed{.is_typed = true, .asked = {"dW"}};
      scope(Meaning(scope, typed)(expression(text, typed)));
    } catch (const Error& error) {
      check.that(std::string(error.what()).find('\n') == std::string::npos,
                 "one line: " + std::string(error.what()));
    }
  }
  check.that(understood > 200, "of pieces at random some are formulas");
}

static std::string with_a_keyboard(std::string text) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"ᵀ", "'"},
                                 {"⊙", ".*"},
                                 {"·", "*"},
                                 {"²", "^2"},
                                 {"½", "0.5"}})
    for (std::size_t at; (at = text.find(from)) != text.npos;) text.replace(at, from.size(), to);
  return text;
}

// A reader cannot answer with what "where" defines.
static void definitions(Checks& check) {
  const std::string where =
      "# 0 | as in derive.txt | 1\nwhere A = [1 2; 3 4]\n"
      "where twice(x) = x + x\nwhere B = twice(A)\n> Which column?\n";
  const Derivation d =
      derivations(where + "! y = B·(1, 0)ᵀ\n~ y = A·twice((0, 1)ᵀ) | the other", "").at(0);
  const auto said = [&](const std::string& line) { return judge(d, d.asked.at(0), line).text; };
  check.equal(said("(2, 6)ᵀ"), "right", "our line, with what was defined");
  check.equal(said("(4, 8)ᵀ"), "the other", "a misreading, with what was defined");
  check.that(has(said("A·(2, 0)ᵀ"), "A"), "a reader's A has no value: " + said("A·(2, 0)ᵀ"));
  check.throws<Error>([&] { derivations(where + "! y = twice(A, A)", ""); }, "twice");
  const Derivation both = derivations(where +
                                          "! p : 2·p = 4\n> And r?\n! r : 2·r = 6\n"
                                          "~ p r : it = right | twice as much\n"
                                          "~ p = 1  r = 0 | too little",
                                      "")
                              .at(0);
  const auto cause = [&](const char* name, const char* line) {
    return judge(both, *both.find(name), line).text;
  };
  check.equal(cause("p", "4") + cause("r", "6"), "twice as muchtwice as much",
              "a shared criterion");
  check.that(both.find("r")->misread.size() == 2, "several answers with one cause");
  const Derivation low = derivations(
                             "# 0 | x | 1\n> How much?\n! without_z : 1·without_z = 4\n"
                             "! without_z = 4\n",
                             "")
                             .at(0);
  for (const char* line : {"without_z = 4", "4"})
    check.equal(judge(low, low.asked.at(0), line).text, "right",
                "a name that ends as an index does");
}

// By lesson. Read once, since each keeps the gradients that it was asked for.
static const std::map<std::string, std::vector<Derivation>>& every_derivation() {
  static const auto all = [] {
    std::map<std::string, std::vector<Derivation>> by_lesson;
    for (const auto& entry : fs::directory_iterator(root / "lessons"))
      if (entry.is_directory())
        by_lesson[entry.path().filename().string()] = derivations_in(entry.path().string());
    return by_lesson;
  }();
  return all;
}

static void derive(Checks& check) {
  std::size_t lessons = 0;
  for (const auto& [lesson, all] : every_derivation()) {
    lessons += !all.empty();
    for (const Derivation& d : all)
      for (const Asked& asked : d.asked) {
        const std::string name = d.number + ", " + asked.name;
        const std::optional<Equation>& ours = asked.our_line();
        check.that(ours.has_value(), name + ": no line of ours");
        if (!ours) continue;
        check.that(name_on_left(*ours) == asked.name, name + ": no answer of ours");
        if (name_on_left(*ours) != asked.name) continue;
        const std::string left = text_of(ours->sides[0]) + " " + ours->relations[0] + " ",
                          right = text_of(ours->sides.back());
        for (const std::string& line : {left + right, with_a_keyboard(left + right)}) {
          const Judgement said = judge(d, asked, line);
          check.that(said.right, name + ": '" + line + "' is judged: " + said.text);
        }
        if (!asked.question.empty()) continue;
        const std::vector<std::string> all_hints = hints(d, asked);
        check.that(has(all_hints.at(0), asked.name + " is "), name + ": a hint");
        check.that(all_hints.size() >= 2, name + ": a second hint");
        check.that(std::set(all_hints.begin(), all_hints.end()).size() == all_hints.size(),
                   name + ": a hint comes twice");
        const std::vector<std::string> with_ours = hints(d, asked, left + right);
        check.that(with_ours.size() == all_hints.size(), name + ": as many hints of a line");
        const bool has_tables = has(all_hints[1], "it is made of");
        check.that(!has_tables || has(with_ours[1], "; so is yours"), name + ": " + with_ours[1]);
      }
  }
  check.that(lessons == 6, "six lessons have derivations");
  for (const Derivation& d : every_derivation().at("1_math_refresh"))
    if (d.number == "1.2") {
      const std::vector<std::string> of_wrong = hints(d, *d.find("dW"), "Wᵀ·Z");
      check.that(has(of_wrong.at(1), "yours has no H and no dZ; ours does without W and Z"),
                 "what a line lacks: " + of_wrong[1]);
      check.that(has(hints(d, *d.find("dW"), "Hᵀ·Z").at(0), "as yours is"), "a shape that fits");
    }
}

// Lines as people type them: a number, the line, and what its judgement holds.
static void typed_lines(Checks& check) {
  std::map<std::string, Derivation> all;
  for (const auto& [lesson, derivations] : every_derivation())
    for (const Derivation& d : derivations) all.emplace(d.number, d);
  std::ifstream in(root / "tests/typed_lines.txt");
  std::size_t lines = 0;
  for (std::string text; std::getline(in, text);) {
    const std::size_t first = text.find(" | "), last = text.rfind(" | ");
    if (text.starts_with("#") || first == last) continue;
    ++lines;
    const std::string number = text.substr(0, first), wanted = text.substr(last + 3);
    const std::string line = text.substr(first + 3, last - first - 3);
    const Derivation& d = all.at(number);
    const Asked* asked = named_in(d, line);
    if (!asked) {
      check.throws<Error>([&] { read_typed(d, d.asked[0], line); }, wanted, number + ", " + line);
      continue;
    }
    const std::string said = judge(d, *asked, line).text;
    check.that(
        wanted == "right" ? said.starts_with("right") && !has(said, "shape") : has(said, wanted),
        number + ", " + line + ": " + said);
    const Echo shown = echo(d, *asked, line);
    check.that(!shown.math.empty() || !shown.problem.empty(), number + ", " + line + ": no echo");
  }
  check.that(lines > 120, "there are lines as people type them");
}

// What a page shows while a line is typed: shapes below its parts, or what is not understood.
static void echoes(Checks& check) {
  const Derivation d = derivations_in((root / "lessons/1_math_refresh").string()).at(1);
  const auto shown = [&](const std::string& name, const std::string& line) {
    return echo(d, *d.find(name), line);
  };
  const std::string product = shown("dW", "H' * dZ").math;
  for (const char* part :
       {"<mtext>5×3ᵀ</mtext>", "<mtext>5×4</mtext>", "<mo>→</mo><mtext>3 × 4</mtext>"})
    check.that(has(product, part), std::string("the shape of a part: ") + part);
  check.equal(product, shown("dW", "dW = H.T @ dZ").math, "other signs of the same line");
  const Echo misfit = shown("dW", "dW = H*dZ");
  check.that(has(misfit.math, "<mtext>5×3</mtext>"), "what does not fit is shown, too");
  check.that(has(misfit.problem, "H is 5 × 3 and dZ is 5 × 4"), misfit.problem);
  check.that(has(shown("dW", "dW = H' *").problem, "missing at the end, behind"), "an open end");
  check.equal(shown("dW", "dW = H' *").math, "", "nothing to show");
}

static const Listed here("formula", {values, refusals, definitions, derive, typed_lines, echoes});

}  // namespace test_formula
