// Tests common/support/lesson.hpp: claims and the exit status, what is printed and what stands in the page, tables, options.
// The frame prints to stdout, so this program starts itself again for each scenario and reads what that printed.
// Run: make test, or build/tests/test_lesson
// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <random>

#include "common/support/file.hpp"
#include "common/support/lesson.hpp"
#include "tests/check.hpp"

// ------------------------------------------------------------------------------------------------------- scenarios

void claims_hold(Lesson& lesson) {
  lesson.claim("a number", 1.5, at_most(2));
  lesson.claim("a fact", true);
}
void a_number_fails(Lesson& lesson) {
  lesson.claim("a fact", true);
  lesson.claim("a number", 3, at_most(2));
}
void a_fact_fails(Lesson& lesson) { lesson.claim("a fact", false); }
void nan_fails(Lesson& lesson) { lesson.claim("a number", NAN, at_most(2)); }
void training(Lesson& lesson) { lesson.claim_trained("a loss", 3, at_most(2)); }
void training_of_another_kind(Lesson& lesson) {
  lesson.training_is_not_standard();
  training(lesson);
}
void parts(Lesson& lesson) {
  for (int k = 1; k <= 3; ++k)
    if (lesson.part(k, "Part <" + std::to_string(k) + ">", k == 3)) lesson.say("In part ", k, ".");
}
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
}
void gradients(Lesson& lesson) {
  GradientReport report;
  report.rows.push_back(GradientRow{});
  report.rows.back().name = "W";
  report.rows.back().worst = 0.5;
  report.repeatable = false;
  lesson.claim_gradients("a layer", report, 1e-7);
}
void steps(Lesson& lesson) { lesson.say("steps ", lesson.steps(1000, 10)); }

void own(Lesson& lesson) { lesson.say("A run of its own kind."); }

struct Scenario {
  const char* name;
  void (*run)(Lesson&);
};
constexpr Scenario scenarios[] = {{"claims_hold", claims_hold},
                                  {"a_number_fails", a_number_fails},
                                  {"a_fact_fails", a_fact_fails},
                                  {"nan_fails", nan_fails},
                                  {"training", training},
                                  {"training_of_another_kind", training_of_another_kind},
                                  {"parts", parts},
                                  {"output", output},
                                  {"gradients", gradients},
                                  {"own", own},
                                  {"steps", steps}};

// test_lesson SCENARIO FLAGS...: a lesson program that prints its exit status last.
int play(int argc, char** argv) {
  const int status = run_program("lesson0", [&] {
    Flags flags(argc - 1, argv + 1, "lesson0", "A test of <frames>");
    const Options options = common_options(flags, "lesson0", 1, 3);
    flags.finish();
    Lesson lesson(options, "A test of <frames>", std::string(argv[1]) == "own" ? "own" : "index");
    for (const Scenario& scenario : scenarios)
      if (std::string(argv[1]) == scenario.name) scenario.run(lesson);
    return lesson.finish();
  });
  std::printf("status %d\n", status);
  return 0;
}

// ---------------------------------------------------------------------------------------------------------- checks

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n') lines.emplace_back();
    else lines.back() += c;
  return lines;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}
bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }

class Runs {
 public:
  explicit Runs(std::string program) : program_(std::move(program)) {
    std::random_device random;
    folder_ = (std::filesystem::temp_directory_path() / ("test_lesson." + std::to_string(random()))).string();
    std::filesystem::create_directories(folder_);
  }
  ~Runs() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // What a scenario prints.
  std::string operator()(const std::string& scenario_and_flags) const {
    const std::string printed = folder_ + "/printed";
    const std::string command =
        "\"" + program_ + "\" " + scenario_and_flags + " --out \"" + folder_ + "/out\" > \"" + printed + "\"";
    // The shell of Windows takes the first and the last quote of a line away.
    const bool windows = std::filesystem::path::preferred_separator == '\\';
    if (std::system((windows ? "\"" + command + "\"" : command).c_str()) != 0) return "could not be run: " + command;
    return read_file(printed);
  }
  std::string page(const std::string& name = "index") const { return read_file(folder_ + "/out/" + name + ".html"); }
  std::string picture() const { return read_file(folder_ + "/out/chart.svg"); }

 private:
  std::string program_, folder_;
};

void bounds(Checks& check) {
  check.that(at_most(2).holds(2) && !at_most(2).holds(2.1) && at_most(2).holds(-1e300), "at_most includes its end");
  check.that(at_least(2).holds(2) && !at_least(2).holds(1.9), "at_least includes its end");
  check.that(between(1, 2).holds(1) && between(1, 2).holds(2) && !between(1, 2).holds(2.1),
             "between includes its ends");
  check.that(within(3, 0.5).holds(2.5) && within(3, 0.5).holds(3.5) && !within(3, 0.5).holds(3.6), "within");
  check.that(exactly(3).holds(3) && !exactly(3).holds(std::nextafter(3.0, 4.0)), "exactly");
  for (const Bound& bound : {at_most(2), at_least(2), between(1, 2), within(1, 2), exactly(2)})
    check.that(!bound.holds(NAN), "NaN keeps to nothing: " + bound.text);
  check.that(!at_most(2).holds(-NAN) && at_most(2).text == "at most 2" && within(3, 0.5).text == "3 ± 0.5", "texts");
}

void tables(Checks& check) {
  const Table table{{"name", "Σ"}, {{"αβγδε", "1"}, {"b", "-22.5"}, {"short row"}}};
  check.that(table.text() ==
                 "  name           Σ\n"
                 "  ---------  -----\n"
                 "  αβγδε          1\n"
                 "  b          -22.5\n"
                 "  short row\n",
             "columns are aligned by code points: \n" + table.text());
  check.that(table.text(18) == table.text(80) && table.text(17) != table.text(18), "a window that is just wide enough");
  const Table wide{{"model", "train", "test", "steps"}, {{"swish", "1.25", "1.5", "300"}}};
  check.that(wide.text(20) ==
                 "  model  train  test\n"
                 "  -----  -----  ----\n"
                 "  swish   1.25   1.5\n"
                 "\n"
                 "  model  steps\n"
                 "  -----  -----\n"
                 "  swish    300\n",
             "what is too wide continues below, beside the first column: \n" + wide.text(20));
  for (const std::size_t width : {4u, 8u, 12u, 40u})
    for (const auto& line : lines_of(wide.text(width)))
      check.that(columns_of(line) <= width, join("at most ", width, " columns: ", line));
  const std::string html = Table{{"<b>"}, {{"a & b"}}}.html();
  check.that(has(html, "<th>&lt;b&gt;</th>") && has(html, "<td>a &amp; b</td>"), "cells are escaped in HTML");
}

void claims(Checks& check, const Runs& run) {
  std::string printed = run("claims_hold");
  check.that(has(printed, "[ok] a number   1.5 (at most 2)\n") && has(printed, "[ok] a fact\n"), "claims that hold");
  check.that(has(printed, "2 of 2 claims hold.") && has(printed, "status 0"), "are counted and give status 0");
  check.that(has(run.page(), "holds\"><b>[ok]</b> a number <span>1.5 (at most 2)</span>"), "and stand in the page");

  printed = run("a_number_fails");
  check.that(has(printed, "[FAIL] a number   3 (at most 2)\n"), "a claim that fails");
  check.that(has(printed, "1 of 2 claims hold.") && has(printed, "status 1"), "is counted and gives status 1");
  check.that(has(run.page(), "fails\"><b>[FAIL]</b> a number"), "and stands in the page");
  printed = run("a_fact_fails");
  check.that(has(printed, "[FAIL] a fact\n") && has(printed, "status 1"), "a fact that fails");
  printed = run("nan_fails");
  check.that(has(printed, "[FAIL] a number   nan") && has(printed, "status 1"), "NaN fails");

  check.that(has(run("training"), "[FAIL] a loss") && has(run("training"), "status 1"), "a claim about training fails");
  for (const char* other : {"training --quick", "training --steps 5", "training_of_another_kind"}) {
    printed = run(other);
    check.that(has(printed, "[--] a loss   3 (not claimed here)") && has(printed, "1 shown but not claimed here.") &&
                   has(printed, "status 0"),
               std::string("but is not made under other settings: ") + other);
  }
  printed = run("gradients");
  check.that(has(printed, "[FAIL] a layer: every gradient entry   0.5 (at most 1e-07)"), "a wrong gradient fails");
  check.that(has(printed, "[FAIL] a layer: a second forward gives the same loss"), "a forward that remembers fails");
}

void flags(Checks& check, const Runs& run) {
  const std::string core = run("parts"), all = run("parts --all"), third = run("parts --part 3");
  check.that(has(core, "\n1. Part <1>\n-----------\nIn part 1.\n") && has(core, "In part 2."), "core parts run");
  check.that(!has(core, "In part 3.") && has(all, "In part 3."), "further parts run under --all");
  check.that(has(third, "In part 3.") && count(third, "In part") == 1, "--part runs one part alone");
  check.that(run("parts --part 4") == "status 2\n", "a part that is not there is refused before anything is printed");
  check.that(has(run("steps"), "steps 1000\n"), "the standard number of steps");
  check.that(has(run("steps --quick"), "steps 10\n"), "the number under --quick");
  check.that(has(run("steps --quick --steps 77"), "steps 77\n"), "--steps wins");
  check.that(has(run("steps --seed 5 --threads 1"), "Seed 5, 1 thread.\n"), "seed and threads are stated");
}

void pages(Checks& check, const Runs& run) {
  const std::string printed = run("output"), page = run.page();
  check.that(printed.substr(0, 38) == "A test of <frames>\n==================\n", "the title is underlined");
  check.that(has(printed, "wider than\nthe eighty"), "a paragraph is wrapped at 80 columns");
  check.that(has(printed, "\n" + std::string(80, 'x') + "\n" + std::string(20, 'x') + "\n"), "wide lines are cut");
  check.that(!has(printed, "\x1b") && has(printed, "�[31m<pre>�\n"), "no escape sequences, no bytes that are no text");
  check.that(has(printed, "next line\n     by itself\n       1 (at most 2)\n"), "a long claim takes several lines");
  check.that(has(printed, "wrote a_model\n") && has(printed, "/out/chart.svg\n") && has(printed, "/out/index.html\n"),
             "the files are named");
  check.that(has(page, "<h1>A test of &lt;frames&gt;</h1>") && has(page, "Is a &lt; b &amp; c?") &&
                 has(page, "&lt;pre&gt;�") && has(page, "<th>&lt;b&gt;</th>"),
             "everything is escaped in the page");
  check.that(has(page, run.picture()) && has(run.picture(), "<svg"), "the picture stands in the page and in its file");
  check.that(page.find("</main></body></html>\n") == page.size() - 22, "the page is complete");

  check.that(has(run("parts --part 2"), "/out/part2.html\n") && has(run.page("part2"), "In part 2."),
             "a part has a page");
  check.that(has(run("own"), "/out/own.html\n") && has(run.page("own"), "of its own"), "so has a run of another kind");
  check.that(run.page() == page, "neither takes the place of the whole run's");
}

int main(int argc, char** argv) {
  if (argc > 1) return play(argc, argv);
  Checks check;
  const Runs run(argv[0]);
  bounds(check);
  tables(check);
  claims(check, run);
  flags(check, run);
  pages(check, run);
  return check.done("test_lesson");
}
