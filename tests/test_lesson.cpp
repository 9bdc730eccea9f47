// Tests common/support/lesson.hpp: claims and the exit status, what is printed and what stands in the page, tables,
// options.
// The frame prints to stdout, so this program starts itself again for each scenario and reads what that printed.
// Run: make test, or build/tests/test_lesson
// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "common/support/file.hpp"
#include "common/support/lesson.hpp"
#include "common/plot/plot.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

// ------------------------------------------------------------------------------------------------------- scenarios

void training(Lesson& lesson) { lesson.claim_trained("a loss", 3, at_most(2)); }
void output(Lesson& lesson) {
  lesson.say(
      "Is a < b & c? A long paragraph that has to be broken because it is wider than the eighty columns of a page.");
  lesson.show(std::string(100, 'x') + "\n\x1b[31m<pre>\xFF\n");
  lesson.show(Table{{"head", "<b>"}, {{"one", "1"}}});
  lesson.claim("a statement that is so long that its figure has to stand on the next line by itself", 1, at_most(2));
  lesson.wrote("a_model");
  plot::Chart chart;
  chart.title = "A chart";
  chart.series = {{"line", {0, 1}, {0, 1}}};
  lesson.picture("chart", chart);
  lesson.note("Only in the page.");
  lesson.detail(Table{{"hidden"}, {{"2"}}});
  lesson.detail("<lines>");
  lesson.figure("figure", chart);
  plot::Film<plot::Chart> film{.parameter = "at <"};
  chart.x.low = chart.y.low = 0;
  chart.x.high = chart.y.high = 1;
  for (const char* label : {"first", "last"}) film.add(label, chart);
  lesson.film("film", film);
}
void gradients(Lesson& lesson) {
  GradientReport report;
  report.rows.push_back(GradientRow{});
  report.rows.back().name = "W";
  report.rows.back().worst = 0.5;
  report.repeatable = false;
  lesson.claim_gradients("a layer", report, 1e-7);
}

const std::map<std::string, void (*)(Lesson&)> scenarios = {
    {"claims_hold",
     [](Lesson& lesson) {
       lesson.claim("a number", 1.5, at_most(2));
       lesson.claim("a fact", true);
     }},
    {"claims_fail",
     [](Lesson& lesson) {
       lesson.claim("a fact", true);
       lesson.claim("a number", 3, at_most(2));
       lesson.claim("NaN", NAN, at_most(2));
     }},
    {"claims_same",
     [](Lesson& lesson) {
       lesson.claim_same("equal", 0);
       lesson.claim_same("not equal", 1e-300);
       lesson.claim_same("NaN", NAN);
     }},
    {"a_fact_fails", [](Lesson& lesson) { lesson.claim("a fact", false); }},
    {"training", training},
    {"training_of_another_kind",
     [](Lesson& lesson) {
       lesson.training_is_not_standard();
       training(lesson);
     }},
    {"parts",
     [](Lesson& lesson) {
       for (int k = 1; k <= 3; ++k)
         if (lesson.part(k, "Part <" + std::to_string(k) + ">", k == 3)) lesson.say("In part ", k, ".");
     }},
    {"output", output},
    {"gradients", gradients},
    {"predicts",
     [](Lesson& lesson) {
       for (const double answer : {2.0, 3.0}) lesson.predict("What is <it>?", answer);
       lesson.say("The rest.");
     }},
    {"own", [](Lesson& lesson) { lesson.say("A run of its own kind."); }},
    {"steps", [](Lesson& lesson) { lesson.say("steps ", lesson.steps(1000, 10)); }}};

// test_lesson SCENARIO FLAGS...: a lesson program that prints its exit status last.
int play(int argc, char** argv) {
  const int status = run_program("lesson0", [&] {
    Flags flags(argc - 1, argv + 1, "lesson0", "A test of <frames>");
    const Options options = common_options(flags, "lesson0", 1, 3);
    flags.finish();
    Lesson lesson(options, "A test of <frames>", std::string(argv[1]) == "own" ? "own" : "index");
    const std::string scenario = argv[1];
    if (scenario != "parts" && scenario != "own") lesson.part(1, "One");
    scenarios.at(scenario)(lesson);
    return lesson.finish();
  });
  std::printf("status %d\n", status);
  return 0;
}

// ---------------------------------------------------------------------------------------------------------- checks

class Runs {
 public:
  explicit Runs(std::string program) : program_(std::move(program)) {}

  // What a scenario prints.
  std::string operator()(const std::string& scenario_and_flags) const {
    const std::string printed = folder_ / "printed", quote = "\"";
    const std::string command =
        quote + program_ + "\" " + scenario_and_flags + " --out \"" + (folder_ / "out") + "\" > \"" + printed + quote;
    // The shell of Windows takes the first and the last quote of a line away.
    const bool windows = std::filesystem::path::preferred_separator == '\\';
    if (std::system((windows ? quote + command + quote : command).c_str()) != 0) return "could not be run: " + command;
    return read_file(printed);
  }
  std::string page(const std::string& name = "index") const { return read_file(folder_ / "out/" + name + ".html"); }
  std::string input() const { return folder_ / "input"; }
  std::string picture() const { return read_file(folder_ / "out/chart.svg"); }

 private:
  std::string program_;
  Folder folder_;
};

void bounds(Checks& check) {
  const double above = std::nextafter(3.0, 4.0);
  struct Case {
    Bound bound;
    const char* text;
    std::vector<double> holds, fails;
  };
  for (const auto& [bound, text, holds, fails] :
       {Case{at_most(2), "at most 2", {2, -1e300}, {2.1}}, Case{at_least(2), "at least 2", {2, 1e300}, {1.9}},
        Case{between(1, 2), "1 to 2", {1, 2}, {0.9, 2.1}}, Case{within(3, 0.5), "3 ± 0.5", {2.5, 3.5}, {2.4, 3.6}},
        Case{exactly(3), "exactly 3", {3}, {above}}}) {
    check.equal(bound.text, text, "a bound");
    for (const double x : holds) check.that(bound.holds(x), bound.text + " holds " + std::to_string(x));
    for (const double x : fails) check.that(!bound.holds(x), bound.text + " does not hold " + std::to_string(x));
    check.that(!bound.holds(NAN) && !bound.holds(-NAN), "NaN keeps to nothing: " + bound.text);
  }
}

void tables(Checks& check) {
  const Table table{{"name", "Σ"}, {{"αβγδε", "1"}, {"b", "-22.5"}, {"short row"}}};
  check.equal(table.text(),
              "  name           Σ\n"
              "  ---------  -----\n"
              "  αβγδε          1\n"
              "  b          -22.5\n"
              "  short row\n",
              "columns are aligned by code points");
  check.that(table.text(18) == table.text(80) && table.text(17) != table.text(18), "a window that is just wide enough");
  const Table wide{{"model", "train", "test", "steps"}, {{"swish", "1.25", "1.5", "300"}}};
  check.equal(wide.text(20),
              "  model  train  test\n"
              "  -----  -----  ----\n"
              "  swish   1.25   1.5\n"
              "\n"
              "  model  steps\n"
              "  -----  -----\n"
              "  swish    300\n",
              "what is too wide continues below, beside the first column");
  for (const std::size_t width : {4u, 8u, 12u, 40u}) {
    std::istringstream lines(wide.text(width));
    for (std::string line; std::getline(lines, line);)
      check.that(columns_of(line) <= width, join("at most ", width, " columns: ", line));
  }
  const std::string html = Table{{"<b>"}, {{"a & b"}}}.html();
  check.that(has(html, "<th>&lt;b&gt;</th>") && has(html, "<td>a &amp; b</td>"), "cells are escaped in HTML");
}

// What each scenario prints, and what stands in its page.
void runs(Checks& check, const Runs& run) {
  struct Case {
    const char* flags;
    std::vector<std::string> printed;
    std::vector<const char*> page = {};
  };
  const char* not_claimed = "[--] a loss   3 (not claimed here)";
  for (const auto& [flags, printed, page] : std::vector<Case>{
           {"claims_hold", {"[ok] 2 of 2 claims hold\n", "status 0"}},
           {"claims_same --claims",
            {"[ok] equal   max difference 0\n", "[FAIL] not equal   max difference 1e-300\n", "1 of 3 claims hold."}},
           {"claims_hold --claims",
            {"[ok] a number   1.5 (at most 2)\n", "[ok] a fact\n", "2 of 2 claims hold.", "status 0"},
            {"<summary>2 of 2 claims hold</summary>", "holds\"><b>✓</b> a number <span>1.5 (at most 2)</span>"}},
           {"claims_fail",
            {"[FAIL] a number   3 (at most 2)\n", "[FAIL] NaN   nan", "[FAIL] 1 of 3 claims hold\n", "status 1"},
            {"<summary>1 of 3 claims hold</summary>", "<ul class=\"claims\">\n<li class=\"fails\"><b>✗</b> a number"}},
           {"a_fact_fails", {"[FAIL] a fact\n", "status 1"}},
           {"training", {"[FAIL] a loss", "status 1"}},
           {"training --quick", {"[--] 1 shown, but not claimed under these flags\n", "status 0"}},
           {"training --quick --claims", {not_claimed, "1 shown but not claimed here.", "status 0"}},
           {"training --steps 5 --claims", {not_claimed, "1 shown but not claimed here.", "status 0"}},
           {"training_of_another_kind --part 1", {not_claimed, "1 shown but not claimed here.", "status 0"}},
           {"gradients",
            {"[FAIL] a layer: every gradient entry   0.5 (at most 1e-07)",
             "[FAIL] a layer: a second forward gives the same loss"}},
           {"parts", {"\n1. Part <1>\n-----------\nIn part 1.\n", "In part 2."}},
           {"parts --all", {"In part 1.", "In part 2.", "In part 3."}},
           {"steps", {"steps 1000\n"}},
           {"steps --quick", {"steps 10\n"}},
           {"steps --quick --steps 77", {"steps 77\n"}},
           {"steps --seed 5 --threads 1", {"Seed 5, 1 thread.\n"}},
           {"output --part 1",
            {"next line\n     by itself\n       1 (at most 2)\n", "Only in the page.", "  hidden", "<lines>\n",
             "at < first\nA chart", "at < last\nA chart"}},
           {"output",
            {"wider than\nthe eighty", "�[31m<pre>�\n", "wrote a_model\n", "out/index.html and 3 pictures beside it\n"},
            {"<h1>A test of &lt;frames&gt;</h1>", "Is a &lt; b &amp; c?", "&lt;pre&gt;�", "<th>&lt;b&gt;</th>",
             "Only in the page.", "<th>hidden</th>", "&lt;lines&gt;", "data-label=\"first\"",
             "class=\"now\" data-label=\"last\"", "<label>at &lt; <input"}}}) {
    const std::string out = run(flags);
    for (const std::string& part : printed) check.that(has(out, part), join(flags, " prints '", part, "'"));
    for (const char* part : page) check.that(has(run.page(), part), join("the page of ", flags, " holds '", part, "'"));
  }
  check.that(!has(run("parts"), "In part 3."), "further parts run under --all only");
  check.that(count(run("parts --part 3"), "In part") == 1, "--part runs one part alone, also a further one");
  check.that(run("parts --part 4") == "status 2\n", "a part that is not there is refused before anything is printed");

  const std::string printed = run("output"), page = run.page();
  check.that(printed.starts_with("A test of <frames>\n==================\n"), "the title is underlined");
  check.that(has(printed, "\n" + std::string(80, 'x') + "\n" + std::string(20, 'x') + "\n"), "wide lines are cut");
  check.that(!has(printed, "\x1b"), "no escape sequences");
  check.that(
      !has(printed, "Only") && !has(printed, "hidden") && !has(printed, "<lines>") && count(printed, "A chart") == 1,
      "what is in detail is not printed when the whole lesson is run");
  check.that(has(page, plot::without_style(run.picture())) && has(run.picture(), "<style>"),
             "the picture stands in the page and in its file");
  check.that(page.ends_with("</script></body></html>\n"), "the page is complete");
  check.that(has(run("own"), "out/own.html\n") && has(run.page("own"), "of its own"), "a run of its own has a page");
  check.that(run.page() == page, "which does not take the place of the lesson's");
  run("parts --all --seed 7");
  check.that(has(run("parts --part 2"), "out/index.html\n") && has(run.page(), "In part 1."),
             "one part leaves the rest");
  check.that(count(run.page(), "In part 2.") == 1 && count(run.page(), "--seed 7") == 2, "and takes its own place");
  check.that(has(run("predicts"), "Predict: What is <it>?\nPredict:") && !has(run("predicts"), "It is"),
             "without --ask nothing waits");
  write_file(run.input(), "2.1\nno number\n");
  const std::string asked = run("predicts --ask <\"" + run.input() + "\"");
  for (const char* part : {"> It is 2; yours is off by 0.1.", "> It is 3.\n", "1 of 1 predictions within a tenth"})
    check.that(has(asked, part), join("--ask prints '", part, "'"));
  write_file(run.input(), "60\n0.3\n");
  const std::string far = run("predicts --ask <\"" + run.input() + "\"");
  check.that(has(far, "> It is 2; yours is 30 times that."), "a guess that is much too large has a factor");
  check.that(has(far, "> It is 3; yours is 1/10 of that."), "and one that is much too small");
  write_file(run.input(), "-2\n0\n");
  check.that(has(run("predicts --ask <\"" + run.input() + "\""), "> It is 2; yours is off by -4."),
             "another sign has none");
  check.that(has(run.page(), "data-answer=\"2\"") && has(run.page(), "What is &lt;it&gt;?"), "the page asks, too");
  check.that(!has(run.page(), "within a tenth"), "the score is the terminal's");
  check.that(count(run.page(), "<details") == 2 && count(run.page(), "</details>") == 2, "and folds what follows");
}

int main(int argc, char** argv) {
  if (argc > 1) return play(argc, argv);
  Checks check;
  const Runs run(argv[0]);
  bounds(check);
  tables(check);
  runs(check, run);
  return check.done("test_lesson");
}
