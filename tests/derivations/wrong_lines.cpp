// Wrong lines of every derivation, as our slips make them, are named, and pieces in any order are
// judged. Takes longer than what formula.cpp asks.
// SPDX-License-Identifier: MIT
#include <ctime>
#include <filesystem>
#include <random>
#include <set>

#include "common/derive/judge.hpp"
#include "tests/check.hpp"

namespace test_wrong_lines {

using namespace formula;
namespace fs = std::filesystem;

// A wrong line, for which gradients are computed and causes sought, is judged in .02 s on a laptop;
// what is more is for slow machines and sanitizers.
static void soon(Checks& check) {
  for (const auto& entry : fs::directory_iterator("lessons"))
    for (const Derivation& d : derivations_in(entry.is_directory() ? entry.path().string() : ""))
      for (const Asked& asked : d.asked) {
        const std::optional<Equation>& ours = asked.our_line();
        if (!ours || !asked.question.empty()) continue;
        const std::clock_t start = std::clock();
        judge(d, asked, join(asked.name, " = 2·(", text_of(ours->sides.back()), ")"));
        const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
        check.that(seconds < 0.4, join(d.number, ", ", asked.name, ": judged in ", seconds, " s"));
      }
}

// Nine in ten of a derivation's wrong lines bear a name.
static void named(Checks& check) {
  std::size_t wrong = 0, named = 0;
  for (const auto& entry : fs::directory_iterator("lessons")) {
    const std::vector<Derivation> all =
        derivations_in(entry.is_directory() ? entry.path().string() : "");
    for (const Derivation& d : all)
      for (const Asked& asked : d.asked) {
        const std::optional<Equation>& ours = asked.our_line();
        if (!ours || !asked.question.empty()) continue;
        const std::string name = d.number + ", " + asked.name;
        const std::string left = text_of(ours->sides[0]) + " " + ours->relations[0] + " ";
        std::size_t of_line = 0;
        std::set<std::string> tried;
        for (const Slip& slip : slips_of(ours->sides.back(), d.gradients().values())) {
          const std::string text = text_of(slip.tree);
          if (!tried.insert(text).second || tried.size() > 60) continue;
          const Judgement said = judge(d, asked, left + text);
          if (said.right) continue;
          ++of_line;
          ++wrong;
          named += !has(said.text, "no usual slip");
        }
        check.that(of_line >= 5, name + ": only " + std::to_string(of_line) + " wrong lines");
      }
  }
  std::printf("%zu of %zu wrong lines are named\n", named, wrong);
  check.that(wrong > 1000 && 10 * named >= 9 * wrong, "nine in ten wrong lines are named");
}

// A derivation's own misreadings are told in the words that stand beside them.
static void misread(Checks& check) {
  std::size_t lines = 0;
  for (const auto& entry : fs::directory_iterator("lessons"))
    for (const Derivation& d : derivations_in(entry.is_directory() ? entry.path().string() : ""))
      for (const Asked& asked : d.asked)
        for (const auto& [formula, why] : asked.misread) {
          if (asked.one) continue;  // most say what holds of an answer
          ++lines;
          const std::string said = judge(d, asked, formula.text).text;
          check.that(said == why || (asked.question.empty() && has(said, why)),
                     d.number + ", " + asked.name + " as " + formula.text);
        }
  check.that(lines > 100, "derivations have misreadings");
}

// Pieces in any order are judged, shown, or refused in a line.
static void random_lines(Checks& check) {
  const Derivation d = derivations_in("lessons/1_math_refresh").at(2);
  const std::vector<std::string> pieces = {"H",
                                           "dZ",
                                           ".T",
                                           "_{l+1}",
                                           "^{T}",
                                           "sum(",
                                           ", axis=0",
                                           "sum over rows of ",
                                           "{",
                                           "}",
                                           "(",
                                           ")",
                                           "np.",
                                           "_l+1",
                                           "Σk ",
                                           "[",
                                           " = ",
                                           "@",
                                           " for k",
                                           " over all i, k with ",
                                           "\\mathsf{",
                                           ".sum(",
                                           "column sums ",
                                           "[i,j]",
                                           " = ",
                                           " += ",
                                           "'",
                                           "⊤",
                                           "  ",
                                           "phi'(",
                                           "matmul(",
                                           ",",
                                           "\\",
                                           "ones",
                                           "W_ij",
                                           ".",
                                           "2",
                                           "/",
                                           "*",
                                           "+",
                                           "keepdims=True",
                                           "_(",
                                           "axis=0"};
  std::mt19937 random(2);
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = trial % 2 ? "dW = " : "";
    for (std::size_t k = 1 + random() % 7; k > 0; --k) text += pieces[random() % pieces.size()];
    const std::string said = judge(d, d.asked.at(0), text).text;
    const Echo shown = echo(d, d.asked.at(0), text);
    check.that(!said.empty() && said.find('\n') == said.npos, "'" + text + "' is judged: " + said);
    check.that(!shown.math.empty() || !shown.problem.empty(), "'" + text + "' is shown");
    named_in(d, text);
  }
}

static const Listed here("wrong_lines", {soon, named, misread, random_lines});

}  // namespace test_wrong_lines
