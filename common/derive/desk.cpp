// SPDX-License-Identifier: MIT
#include "common/derive/desk.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "common/derive/judge.hpp"
#include "common/frame/files/file.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"

namespace formula {
namespace {

namespace fs = std::filesystem;

fs::path note_of(const Derivation& d) { return fs::path("build/derive") / d.number; }
std::set<std::string> noted(const Derivation& d) {
  const std::vector<std::string> names = words_of(contents_of(note_of(d).string()));
  return {names.begin(), names.end()};
}
void note(const Derivation& d, const std::string& asked) {
  std::set<std::string> names = noted(d);
  names.insert(asked);
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  std::error_code ignored;
  fs::create_directories("build/derive", ignored);
  if (!ignored) write_file(note_of(d).string(), text);
}

std::string ask_layer() {
  print(
      "A layer of your own and the shapes of what enters, two spaces between them, as in\n    Y = tanh(X·W + b)   X 4 3, W 3 5, b 1 5\n> ");
  std::string layer;
  std::getline(std::cin, layer);
  return layer;
}

// Returns a layer of the reader's own, "Y = tanh(X·W)   X 4 3, W 3 5", as a derivation.
Derivation own(const std::string& layer) {
  const std::size_t columns = layer.find("  ");
  if (columns == layer.npos)
    throw UserError(
        "a layer and, two spaces further, shapes, such as: Y = tanh(X·W + b)   X 4 3, W 3 5, b 1 5");
  try {
    const Equation e = equation(layer.substr(0, columns));
    const std::string name = text_of(e.sides[0]);

    Derivation d = derivations(join("# 0 | a layer of your own | 10\n", layer.substr(columns + 2),
                                    "\n", e.text, "\nloss = Σ R ⊙ ", name),
                               "")
                       .at(0);
    for (const auto& [given, value] : d.start.values)
      if (!value.is_number()) d.asked.push_back({"d" + given});
    Scope scope = d.start;
    scope.assign(e);
    Value R = scope.values.at(name);
    for (std::size_t k = 0; k < R.numbers.size(); ++k)
      R.numbers[k] = std::cos(3.0 * double(k) + 1);  // any weights
    d.start.values["R"] = R;
    return d;
  } catch (const std::exception& error) {
    throw UserError("this layer: " + one_line(error.what()));
  }
}

Derivation derivation_of(const Question& q) {
  if (q.which == "0") return own(q.layer.empty() ? ask_layer() : q.layer);
  std::string numbers;
  for (Derivation& d : derivations_in(lesson_folder(q.lesson))) {
    if (d.number == q.which || d.number == join(q.lesson, ".", q.which)) return std::move(d);
    numbers += " " + d.number;
  }
  throw UserError("--derive: there is no derivation '" + one_line(q.which) + "'; here are" +
                  numbers + ", and 0, a layer of your own");
}

std::string given_lines(const Derivation& d) {
  const std::map<std::string, Value>& values = d.gradients().values().values;
  std::string text;
  for (const Line& line : d.program.lines)
    for (const Equation& e : line.equations) {
      const auto value = values.find(name_on_left(e));
      std::string shape =
          value == values.end() || value->second.is_number() ? "" : to_text(value->second.shape);
      const bool is_wide = columns_of(e.text) > 46;
      text += "    " + pad(e.text, 46) + (is_wide ? "\n" + std::string(50, ' ') : "") + " " +
              pad(shape, 9) + (line.number.empty() ? "" : " (" + line.number + ")") + "\n";
    }
  std::string shapes;
  for (const auto& [name, value] : d.start.values)
    shapes +=
        (shapes.empty() ? "" : ", ") + name +
        (value.is_number() ? " = " + significant(value.numbers[0]) : " " + to_text(value.shape));
  return text + "    " + wrap("with " + shapes, 76, 4);
}

void say(const std::string& text) { print(wrap("  " + sentence(text), 80, 2)); }

std::string text_of_line(const Equation& line) {
  return join(text_of(line.sides[0]), " ", line.relations[0], " ", text_of(line.sides.back()));
}

// Prints our line for what is asked, and why it is so; all lines of nothing asked.
void print_answers(const Derivation& d, const std::string& asked = "") {
  for (const Answer& answer : answers_of(d)) {
    if (!asked.empty() && answer.name != asked) continue;
    print(join("  ", text_of_line(answer.line), "\n"));
    if (!answer.reason.empty()) print("      " + wrap(sentence(answer.reason), 74, 6));
  }
}

// What was read, if it looks otherwise than what was typed.
void say_reading(const Derivation& d, const Asked& asked, const std::string& line) {
  try {
    const std::string read = text_of_line(read_typed(d, asked, line)[0].equation);
    std::string typed = line;
    std::erase(typed, ' ');
    std::string plain = read;
    std::erase(plain, ' ');
    if (!plain.ends_with(typed)) say("read as " + read);
  } catch (const Error&) {  // which the judge explains
  }
}

// Asks until the answer is right, or passed. Returns whether it is; nothing when the input ends.
std::optional<bool> ask(const Derivation& d, const Asked& asked) {
  if (!asked.question.empty()) print(wrap(asked.question, 80));
  std::size_t wrong = 0, shown = 0;
  std::string last;  // what was typed
  const auto say_hint = [&] {
    const std::vector<std::string> all_hints = hints(d, asked, last);
    if (shown < all_hints.size()) say(all_hints[shown]);
    else print_answers(d, asked.name);
    ++shown;
    if (shown == all_hints.size()) say("That was the last hint; ? shows our line, Enter passes");
  };
  for (;;) {
    print(asked.name + " = ");
    std::string line;
    if (!std::getline(std::cin, line)) {
      print("\n");
      return std::nullopt;
    }
    if (line.empty()) return false;
    if (line == "quit" || line == "exit" || line == "q") return std::nullopt;
    if (line[0] == '?') {
      say_hint();
      continue;
    }
    last = line;
    const Judgement judgement = judge(d, asked, line);
    say(judgement.text);
    if (judgement.right) return true;
    say_reading(d, asked, line);
    ++wrong;
    if (wrong == 3 && shown == 0) say_hint();
    if (wrong == 5 && asked.question.empty())
      say("The lesson derives it where the forward line stands");
  }
}

int ask_in_turn(const Derivation& d) {
  print(d.number + " " + d.title + " (" + d.minutes + " minutes)\n\n");
  if (!d.program.lines.empty())
    print(
        given_lines(d) + "\n" +
        wrap(
            "Type each line as the text writes it, or as your language does: A'*B, A.*B, A.T @ B. All that stands above may be used, and the gradient of all that a later line makes.",
            80));
  print("Enter passes, ? is a hint and, after the last, our line; quit ends.\n\n");
  std::size_t right = 0;
  for (const Asked& asked : d.asked) {
    const std::optional<bool> is_right = ask(d, asked);
    if (!is_right) return 1;
    right += *is_right;
    if (*is_right && d.number != "0") note(d, asked.name);
  }
  print(join(right, " of ", d.asked.size(), " right.\n"));
  return right == d.asked.size() ? 0 : 1;
}

const Asked& asked_in(const Derivation& d, const std::string& line) {
  if (const Asked* asked = named_in(d, line)) return *asked;
  try {
    read_typed(d, d.asked.front(), line);
  } catch (const Error& error) {  // which may say how that is written here
    if (line.find('=') == line.npos) throw UserError(error.what());
  }
  const std::string names = joined(d.asked, ", ", [](const Asked& one) { return one.name; });
  throw UserError(excerpt(line) + " does not begin with what is asked for (" + names +
                  "), followed by = or, for entries such as A[i,j], by = or +=");
}

// Prints how a line is understood, and to stderr what is not.
int show(const Derivation& d, const std::string& line) {
  const Echo said = echo(d, asked_in(d, line), line);
  if (!said.math.empty()) print(said.math + "\n");
  if (!said.problem.empty()) std::cerr << sentence(said.problem) << "\n";
  return said.problem.empty() ? 0 : 1;
}

// Of ?dW the first hint, of ??dW the second; behind a blank may stand what was typed.
int give_hint(const Derivation& d, const std::string& line) {
  const std::size_t which = std::min(line.find_first_not_of('?'), line.size()),
                    blank = std::min(line.find(' ', which), line.size());
  const std::string name = line.substr(which, blank - which);
  const Asked* asked = d.find(name);
  if (!asked) throw UserError("--line: " + one_line(name) + " is not asked for");
  const std::vector<std::string> all = hints(d, *asked, line.substr(blank));
  print((which <= all.size() ? all[which - 1] : "that was the last hint") + ".\n");
  return 0;
}

int show_all(const Derivation& d) {
  print(join(d.number, " ", d.title, "\n\n", given_lines(d), "\n"));
  print_answers(d);
  return 0;
}

}  // namespace

int derive(const Question& q) {
  const Derivation d = derivation_of(q);
  try {
    d.gradients();
  } catch (const Error& error) {
    throw UserError("derivation " + d.number + ": " + one_line(error.what()));
  }
  if (!q.read.empty()) return show(d, q.read);
  if (q.line.empty()) return ask_in_turn(d);
  if (q.line == "!") return show_all(d);
  if (q.line[0] == '?') return give_hint(d, q.line);
  const Judgement judgement = judge(d, asked_in(d, q.line), q.line);
  print(sentence(judgement.text) + "\n");
  return judgement.right ? 0 : 1;
}

Progress derived(const std::vector<Derivation>& all) {
  Progress progress;
  for (const Derivation& d : all) {
    const std::set<std::string> names = noted(d);
    ++progress.all;
    progress.done += std::all_of(d.asked.begin(), d.asked.end(),
                                 [&](const Asked& a) { return names.count(a.name); });
  }
  return progress;
}

}  // namespace formula
