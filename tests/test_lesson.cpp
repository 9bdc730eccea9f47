// Tests flags, knobs, claims, exit status, tables, and the page. The frame prints to stdout, so
// this program starts itself for each scenario.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <sstream>

#include "common/frame/files/file.hpp"
#include "common/frame/lesson/part.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/terminal/terminal.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

constexpr knob::Real gain{"gain", "n·Var W", 2, {0.5, 4, 0.25}};
constexpr knob::Whole steps{"steps", "steps of the training", 100, {1, 1000, 1}};
constexpr knob::Choice phi{"phi", "activation", {"relu", "tanh"}};
constexpr knob::Numbers weights{"w", "two weights", {1, -0.5}, {-3, 3, 0.5}};
constexpr knob::Cells picture{"picture", "a drawing", "0123", 2};
constexpr knob::TextFile text{"text", "what is learned"};
constexpr knob::Words prompt{"prompt", "what the writing continues"};
constexpr knob::Toggle loud{"loud", "louder"};

struct Asked {
  Options options;
  std::string wrong;
};

// Asks a lesson with flags of its own and knobs in parts 1 and 2.
Asked ask(std::vector<const char*> words, const char* part = nullptr) {
  words.insert(words.begin(), "lesson0");
  if (part) words.insert(words.end(), {"--part", part});
  struct None {};
  static const Part<None> one{.number = 1, .knobs = {&gain, &phi, &weights, &steps}};
  static const Part<None> two{.number = 2, .knobs = {&gain, &picture, &text}};
  static const Part<None>* const parts[] = {&one, &two};
  try {
    return {
        read_flags<None>(int(words.size()), words.data(), "lesson0", "?", {&prompt, &loud}, parts),
        ""};
  } catch (const UserError& error) {
    return {{}, error.what()};
  }
}

void values(Checks& check) {
  const Options none = ask({}, "1").options,
                some = ask({"--gain", "0.5", "--phi", "tanh", "--w", "3,-3"}, "1").options;
  check.that(none.seed == 1, "the standard seed");
  check.that(none.steps == 0, "the standard steps");
  check.that(!none.quick, "not quick");
  check.that(none.out == "build/out/lesson0", "the standard folder");
  check.that(!none.settings.any_given(), "no knob is given");
  check.that(none.settings.standard(), "knobs at their standards");
  check.that(none.settings[gain] == 2, "the standard of a knob");
  check.that(some.settings[gain] == 0.5, "the lowest value");
  check.that(some.settings[phi] == 1, "the second choice");
  check.that(some.settings[weights] == std::vector<double>{3, -3}, "several numbers");
  check.that(some.settings.any_given(), "a knob is given");
  check.that(!some.settings.standard(), "away from its standard");
  const Options same = ask({"--gain", "2"}, "1").options,
                shared = ask({"--steps", "7"}, "1").options;
  check.that(same.settings.any_given(), "given as it stood");
  check.that(same.settings.standard(), "is given, and at its standard");
  check.that(!shared.settings.any_given(), "what all parts have is no knob that was given");
  check.that(shared.settings[steps] == 7, "but has its value");
  check.that(ask({"--steps", "1001"}, "1").wrong.empty(), "and may go further than the knob");
  const Options second = ask({"--picture", "9900", "--text", "a.txt"}, "2").options;
  check.that(second.settings[picture] == std::vector<double>{1, 1, 0, 0}, "cells");
  check.that(second.settings[text] == "a.txt", "a file");
  check.throws<std::logic_error>([&] { second.settings[phi]; }, "",
                                 "a knob of another part has no value");
  const Options own =
      ask({"--seed", "9007199254740992", "--prompt", "-", "--loud", "--quick"}).options;
  check.that(own.seed == 9007199254740992u, "the largest seed");
  check.that(own.own[prompt] == "-", "words");
  check.that(own.own[loud], "a toggle");
  check.that(own.quick, "flags in any order");
}

void refused(Checks& check) {
  const auto says = [&](const std::vector<const char*>& words, const std::string& wanted,
                        const char* part = nullptr) {
    check.equal(ask(words, part).wrong, wanted, wanted);
  };
  says({"--stesp", "1"}, "unknown flag '--stesp' (did you mean --steps?)");
  says({"--seed=2"}, "unknown flag '--seed=2' (did you mean --seed 2?)");
  says({"-seed", "2"}, "unknown flag '-seed' (did you mean --seed?)");
  says({"-h"}, "unknown flag '-h' (did you mean --help?)");
  says({"--pigs"}, "unknown flag '--pigs' (--help lists the flags)");
  says({"--quick", "word"}, "stray word 'word' (--help lists the flags)");
  says({"--steps", "--quick"}, "--steps needs a value");
  says({"--out", ""}, "--out needs a value");
  says({"--steps", "1", "--steps", "2"}, "--steps stands twice");
  says({"--export", "x", "--seed", "5"}, "--export stands alone: --seed would have no effect");
  for (const char* value : {"abc", "1.5", "1e3", "-", "1-", "+1"})
    says({"--seed", value}, std::string("--seed: '") + value + "' is not a whole number");
  for (const char* value : {"-1", "9007199254740994"})
    says({"--seed", value},
         std::string("--seed: '") + value + "' is not between 0 and 9007199254740992");
  says({"--gain", "nan"}, "--gain: 'nan' is not a finite number", "1");
  says({"--gain", "0,25"}, "--gain: '0,25' is not between 0.5 and 4", "1");
  says({"--gain", "0.49"}, "--gain: '0.49' is not between 0.5 and 4", "1");
  says({"--gain", "1", "--steps", "1001"}, "--steps: '1001' is not between 1 and 1000", "1");
  says({"--phi", "Tanh"}, "--phi: 'Tanh' is none of relu, tanh", "1");
  says({"--w", "1"}, "--w: '1' is not 2 numbers with commas between them", "1");
  says({"--w", "1,"}, "--w: '1,' has '', which is not a finite number", "1");
  says({"--w", "1,4"}, "--w: '1,4' has '4', which is not between -3 and 3", "1");
  says({"--picture", "012x"}, "--picture: '012x' is not 4 digits from 0 to 9", "2");
  says({"--phi", "tanh"}, "--phi is a knob of part 1: it goes with --part 1", "2");
  says({"--picture", "0000"}, "--picture is a knob of part 2: it goes with --part 2");

  const auto blames = [&](const std::string& words, auto f) {
    check.throws<UserError>(f, words, words);
  };
  blames("--x: no file",
         [] { blame("--x", []() -> int { throw std::runtime_error("no file"); }); });
  blames("--x: there is not enough memory",
         [] { blame("--x", []() -> int { throw std::bad_alloc(); }); });
  blames("--x, --y: about ", [] { check_memory("--x, --y", 2 * terminal::memory()); });
  const auto status = [](int (*body)()) { return run_program("program", body); };
  check.that(status([] { return 5; }) == 5, "a status");
  check.that(status([]() -> int { throw Finished{3}; }) == 3, "the status of what is finished");
  check.that(status([]() -> int { throw UserError("expected here"); }) == 2, "a wrong input");
  check.that(status([]() -> int { throw std::bad_alloc(); }) == 2, "no memory");
  check.that(status([]() -> int { throw std::logic_error("expected here"); }) == 1,
             "a mistake of ours");
  check.that(status([] { return int(ask({"--help", "--no-such"}).options.seed); }) == 0, "--help");
}

void claims(Lesson& lesson) {
  lesson.claim("a number", 1.5, at_most(2));
  lesson.claim("a fact", true);
  lesson.claim_trained("a loss", 3, at_least(2));
}
void failures(Lesson& lesson) {
  lesson.claim("a fact", false);
  lesson.claim("a number", 3, at_most(2));
  lesson.claim("NaN", NAN, at_most(2));
  lesson.claim_same("equal", 0);
  lesson.claim_same("not equal", 1e-300);
  GradientReport report;
  report.rows.push_back({"W", {}, 0.5});
  report.repeatable = false;
  lesson.claim_gradients("a layer", report, 1e-7);
}
void parts(Lesson& lesson) {
  for (int k = 1; k <= 3; ++k)
    if (lesson.part(k, join("Part <", k, ">"), k == 3))
      lesson.say("In part ", k, ", ", lesson.steps(1000, 10), " steps.");
}
void output(Lesson& lesson) {
  lesson.say(
      "Is a < b & c? A long paragraph that has to be broken because it is wider than eighty columns of a page.");
  lesson.show(std::string(100, 'x') + "\n\x1b[31m<pre>\xFF\n");
  lesson.show(Table{{"head", "<b>"}, {{"one", "1"}}});
  lesson.claim(
      "a statement that is so long that its figure has to stand on the next line by itself", 1,
      at_most(2));
  lesson.wrote("a_model");
  plot::Chart chart;
  chart.title = "A chart";
  chart.series = {{"line", {0, 1}, {0, 1}}};
  lesson.picture("chart", chart);
  lesson.note("Only in the page.");
  lesson.detail(Table{{"hidden"}, {{"2"}}});
}
void predicts(Lesson& lesson) {
  for (const double answer : {2.0, 3.0})
    lesson.predict("What is <it>?", answer,
                   answer == 2 ? Tolerated{.plus = 0.15} : Tolerated{.times = 1.5});
  lesson.say("The rest.");
}
void own(Lesson& lesson) { lesson.say("A run of its own kind."); }
const std::map<std::string, void (*)(Lesson&)> scenarios = {
    {"claims", claims}, {"failures", failures}, {"parts", parts},
    {"output", output}, {"predicts", predicts}, {"own", own}};

// Plays a lesson program, whose exit status it prints last.
int play(int argc, char** argv) {
  const std::string scenario = argv[1];
  const int status = run_program("lesson0", [&] {
    Flags flags(argc - 1, argv + 1, "lesson0", "A test of <frames>");
    const Options options = read_options(flags, "lesson0", {}, {{1, {}}, {2, {}}, {3, {}}});
    Lesson lesson(options, "A test of <frames>", scenario == "own" ? "own" : "index");
    if (scenario != "parts" && scenario != "own") lesson.part(1, "One");
    scenarios.at(scenario)(lesson);
    return lesson.finish();
  });
  std::printf("status %d\n", status);
  return 0;
}

struct Runs {
  std::string program;
  Folder folder = {};

  std::string operator()(const std::string& scenario_and_flags,
                         const std::string& typed = "") const {
    write_file(folder / "input", typed);
    const std::string command = "\"" + program + "\" " + scenario_and_flags + " --out \"" +
                                (folder / "out") + "\" <\"" + (folder / "input") + "\" >\"" +
                                (folder / "printed") + "\"";
    // Windows takes a line's first and last quote away.
    const bool windows = std::filesystem::path::preferred_separator == '\\';
    if (std::system((windows ? "\"" + command + "\"" : command).c_str()) != 0)
      return "could not be run: " + command;
    return read_file(folder / "printed");
  }
  std::string out(const std::string& name = "index.html") const {
    return read_file(folder / "out/" + name);
  }
};

void bounds_and_tables(Checks& check) {
  for (const auto& [bound, said, inside, outside] :
       {std::tuple{at_most(2), "at most 2", 2.0, 2.1},
        {at_least(2), "at least 2", 2.0, 1.9},
        {between(1, 2), "1 to 2", 1.0, 0.9},
        {within(3, 0.5), "3 ± 0.5", 3.5, 3.6},
        {exactly(3), "exactly 3", 3.0, std::nextafter(3.0, 4.0)}}) {
    check.that(bound.text == said, join("the text of ", said));
    check.that(bound.holds(inside), join(said, " holds inside"));
    check.that(!bound.holds(outside), join(said, " fails outside"));
    check.that(!bound.holds(NAN), join(said, " fails for NaN"));
  }
  const Table table{{"name", "Σ"}, {{"αβγδε", "1"}, {"b", "-22.5"}, {"short row"}}};
  check.equal(
      table.text(),
      "  name           Σ\n  ---------  -----\n  αβγδε          1\n  b          -22.5\n  short row\n",
      "columns are aligned by code points");
  const Table wide{{"model", "train", "test", "steps"}, {{"swish", "1.25", "1.5", "300"}}};
  check.equal(wide.text(20),
              "  model  train  test\n  -----  -----  ----\n  swish   1.25   1.5\n\n"
              "  model  steps\n  -----  -----\n  swish    300\n",
              "what is too wide continues below, beside the first column");
  std::istringstream lines(wide.text(8));
  for (std::string line; std::getline(lines, line);)
    check.that(columns_of(line) <= 8, "a narrow table: " + line);
  check.that(has(Table{{"<b>"}, {{"a & b"}}}.html(), "<th>&lt;b&gt;</th>"),
             "cells are escaped in HTML");
}

void runs(Checks& check, const Runs& run) {
  struct Case {
    const char* flags;
    std::vector<std::string> printed;
    std::vector<const char*> page = {};
  };
  const std::string not_claimed = "[--] a loss   3 (not claimed here)";
  for (const auto& [flags, printed, page] : std::vector<Case>{
           {"claims", {"[ok] 3 of 3 claims hold\n", "status 0"}},
           {"claims --claims",
            {"[ok] a number   1.5 (at most 2)\n", "[ok] a fact\n", "3 of 3 claims hold."},
            {"<summary>Checked: 3 of 3 claims hold</summary>",
             "holds\"><b>✓</b> a number <span>1.5 (at most 2)</span>"}},
           {"claims --quick",
            {"2 of 2 claims hold; 1 shown, but not claimed under these flags\n", "status 0"}},
           {"claims --steps 5 --claims",
            {not_claimed, "1 shown but not claimed here.", "status 0"}},
           {"failures --claims",
            {"[FAIL] a number   3 (at most 2)\n", "[FAIL] NaN   nan", "[FAIL] a fact\n",
             "[ok] equal   max difference 0\n", "[FAIL] not equal   max difference 1e-300\n",
             "[FAIL] a layer: every gradient entry   0.5 (at most 1e-07)",
             "[FAIL] a layer: a second forward gives the same loss", "1 of 7 claims hold",
             "status 1"},
            {"<ul class=\"claims\">\n<li class=\"fails\"><b>✗</b> a fact"}},
           {"parts", {"\n1. Part <1>\n-----------\nIn part 1, 1000 steps.\n", "In part 2"}},
           {"parts --all --quick", {"In part 1, 10 steps.", "In part 2", "In part 3"}},
           {"parts --seed 5 --threads 1 --steps 77 --quick",
            {"Seed 5, 1 thread.\n", "In part 1, 77 steps"}},
           {"output --part 1",
            {"next line\n     by itself\n       1 (at most 2)\n", "Only in the page.", "  hidden",
             "A chart"}},
           {"output",
            {"A test of <frames>\n==================\n", "wider than\neighty", "�[31m<pre>�\n",
             "wrote a_model\n", "\n" + std::string(80, 'x') + "\n" + std::string(20, 'x') + "\n",
             "out/index.html and 1 picture beside it\n"},
            {"<h1>A test of &lt;frames&gt;</h1>", "Is a &lt; b &amp; c?", "&lt;pre&gt;�",
             "<th>&lt;b&gt;</th>", "Only in the page.", "<th>hidden</th>"}},
           {"own", {"out/own.html\n"}, {"Only in the page."}}}) {  // not in place of the lesson's
    const std::string out = run(flags);
    for (const std::string& part : printed)
      check.that(has(out, part), join(flags, " prints '", part, "'"));
    for (const char* part : page)
      check.that(has(run.out(), part), join("the page of ", flags, " holds '", part, "'"));
  }
  const std::string printed = run("output");
  check.that(!has(printed, "\x1b"), "no colour in a file");
  check.that(!has(printed, "Only"), "a note stands in the page");
  check.that(!has(printed, "hidden"), "detail stands in the page");
  check.that(has(run.out(), page::with_fills(plot::without_style(run.out("chart.svg")))),
             "the picture stands in the page and in its file");
  check.that(run.out().ends_with("</script></body></html>\n"), "the page is complete");
  check.that(!has(run("parts"), "In part 3"), "further parts run under --all only");
  check.that(count(run("parts --part 3"), "In part") == 1,
             "--part runs one part alone, also a further one");
  check.that(run("parts --part 4") == "status 2\n",
             "a part that is not there is refused before anything is printed");
  run("parts --all --seed 7");
  run("parts --part 2");
  check.that(has(run.out(), "In part 1"), "one part leaves the rest of the page");
  check.that(count(run.out(), "In part 2") == 1, "and replaces its own");

  check.that(
      has(run("predicts"),
          "Predict: What is <it>? (Counts give or take 0.15.)\nPredict: What is <it>? (Counts within a factor of 1.5.)"),
      "asks");
  check.that(!has(run("predicts"), "It is"), "nothing waits");
  for (const auto& [typed, first, second] :
       {std::tuple{"2.1\nno number\n", "> It is 2; yours counts.", "> A number, such as"},
        {"18/9\n300 %\n", "> It is 2; yours counts.\n", "> It is 3; yours counts.\n"},
        {"2^-1\n3 000\n", "yours is 1/4 of that", "yours is 1000 times that"},
        {"1,5\n1,500\n1500\n", "yours is off by -0.5",
         "(11,907 may also mean 11.907) > It is 3; yours is 500"},
        {"1/0\n\n3/x\n", "> A number, such as", "> \nIt is 3"},
        {"2.15\n1.99\n", "> It is 2; yours counts.",
         "> It is 3; yours is off by -1.01.\nThe rest.\n\n1 of 2 predictions counted"},
        {"1.84\n2\n", "> It is 2; yours is off by -0.16.", "> It is 3; yours counts."},
        {"2.1\n\n", "> It is 2;", "1 of 1 predictions counted"},
        {"60\n0.3\n", "> It is 2; yours is 30 times that.", "> It is 3; yours is 1/10 of that."},
        {"-2\n0\n", "> It is 2; yours is off by -4.", "> It is 3; yours is off by -3."}}) {
    const std::string asked = run("predicts --ask", typed);
    check.that(has(asked, first), join("--ask says first of '", typed, "': ", asked));
    check.that(has(asked, second), join("--ask says next of '", typed, "': ", asked));
  }
  check.that(has(run.out(), "data-answer=\"2\""), "the page asks, too");
  check.that(count(run.out(), "<details class=\"found\">") == 2, "and folds twice");
}

int main(int argc, char** argv) {
  if (argc > 1) return play(argc, argv);
  Checks check;
  values(check);
  refused(check);
  bounds_and_tables(check);
  runs(check, {argv[0]});
  return check.done("test_lesson");
}
