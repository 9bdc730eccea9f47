// The frame of a lesson program: what it prints to the terminal and gathers in one page that needs
// nothing else. A claim is a sentence that the program checks.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <tuple>

#include "common/fast/parallel.hpp"
#include "common/frame/formula/equation_checker.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/plot/plot.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/terminal/terminal.hpp"
#include "common/frame/text/words.hpp"
#include "common/gradcheck.hpp"

struct Options {
  std::uint64_t seed = 1;
  long steps = 0;  // 0: the lesson's own
  std::size_t threads = 1;
  std::optional<int> part;  // none: all core parts
  bool all = false, quick = false, ask = false, claims = false;
  bool list_settings = false, list_equations = false;
  std::string out, export_file;
  int lesson = 0;
  std::string command;           // what you type for this run
  knob::Settings own, settings;  // the lesson's own flags, and the knobs of `part`

  // Returns the number for the tests, or for readers.
  template <class Number>
  Number quick_or(Number short_run, Number standard) const {
    return quick ? short_run : standard;
  }

  // Returns what --steps says, else one of these.
  long steps_or(long standard, long short_run) const {
    return steps ? steps : quick_or(short_run, standard);
  }
};

Options read_options(Flags& flags, const std::string& program, const knob::Knobs& own,
                     const std::map<int, knob::Knobs>& knobs);

// Throws UserError when the system refuses a thread.
Pool pool_of(const Options& options);

// Throws UserError when what is saved is a file that is read, or that the lesson writes into
// --out, or cannot be written, which is better known before training. Empty paths are no files.
void check_save(const std::string& path, const Options& options,
                const std::vector<std::string>& inputs, const std::string& flag = "--save");

// What a measured number must keep to. NaN keeps to nothing.
struct Bound {
  double low, high;
  std::string text;

  bool holds(double measured) const { return measured >= low && measured <= high; }
};
inline Bound at_most(double high) { return {-HUGE_VAL, high, "at most " + significant(high)}; }
inline Bound at_least(double low) { return {low, HUGE_VAL, "at least " + significant(low)}; }
inline Bound between(double low, double high) {
  return {low, high, significant(low, 4) + " to " + significant(high, 4)};
}
inline Bound within(double expected, double off) {
  return {expected - off, expected + off, significant(expected, 4) + " ± " + significant(off, 2)};
}
inline Bound exactly(double expected) {
  return {expected, expected, "exactly " + significant(expected, 6)};
}

// How near a prediction must come to count: what theory leaves open, or runs with other seeds.
struct Tolerated {
  double plus = 0, times = 1;  // give or take `plus`, or a factor of `times`
};

// A line at a terminal while something long runs: how far, how fast, how long still.
class Progress {
 public:
  Progress(const std::string& what, long total);
  ~Progress();
  void operator()(long done, const std::string& note = "");

 private:
  std::string what_;
  long total_;
  bool shown_, printed_ = false;
  double start_, last_ = -1;  // seconds
  std::atomic_flag busy_;     // a thread is at the lines above
};

// Runs job(i, j, ...) for all i < sizes[0], j < sizes[1], ... on the pool, with that line.
template <std::size_t dimensions, class Job>
void run_grid(Pool& pool, const std::string& what, const std::size_t (&sizes)[dimensions],
              const Job& job) {
  std::size_t count = 1;
  for (const std::size_t size : sizes) count *= size;
  Progress progress(what, long(count));
  std::atomic<long> done = 0;
  pool.run(count, [&](std::size_t number) {
    std::array<std::size_t, dimensions> at{};
    for (std::size_t d = dimensions; d-- > 0; number /= sizes[d]) at[d] = number % sizes[d];
    std::apply(job, at);
    progress(++done);
  });
}

class Lesson {
 public:
  // Prints the title. What the parts find goes into the lesson's page, index.html, beside
  // earlier runs; a run of another `kind` has a page of that name. Throws UserError when --out
  // cannot be written.
  Lesson(Options options, const std::string& title, const std::string& kind = "index");

  const Options& options() const { return options_; }
  long steps(long standard, long short_run) const { return options_.steps_or(standard, short_run); }

  // Makes no claims about training, since these were tested with other settings.
  void training_is_not_standard() { claims_training_ = false; }

  // Puts the knobs of a part on its bench; and on the lesson's opening one, where one is named.
  void offer(int part, const std::string& question, const knob::Knobs& knobs,
             const knob::Knob* opening = nullptr);

  // Executes the equations of the README, which `bind` binds; finish says how many hold.
  // --equations prints them and ends the program.
  void equations(const std::function<void(formula::EquationChecker&)>& bind);

  // Runs a scene for the page's bench, without a word or a file; otherwise the bench shows the
  // part's pictures.
  void bench(int part, const std::function<void()>& scene);

  // Starts a part, and tells whether it is to run.
  bool part(int number, const std::string& title, bool further = false);

  // A run of the whole lesson prints what carries its question to its answer: say, show,
  // picture. What note, detail and figure take stands in the page, and is printed when a
  // part runs alone.
  void say(const auto&... pieces) { paragraph(join(pieces...), true); }
  void note(const auto&... pieces) { paragraph(join(pieces...), !short_); }

  // Notes with which settings the part trains; a bench, which has its own, leaves that out.
  void trained_with(const std::string& settings);

  // Print lines as they are, but for what is wider than the window, and bytes that are no text.
  void show(const std::string& lines) { lines_as_they_are(lines, true); }
  void detail(const std::string& lines) { lines_as_they_are(lines, !short_); }
  void show(const Table& table) { put(table, true); }
  void detail(const Table& table) { put(table, !short_); }

  // State something of a measured number, or that something is true. If it fails, so does
  // the program.
  void claim(const std::string& statement, double measured, const Bound& bound);
  void claim(const std::string& statement, bool holds);

  // States that two things are the same to the last bit, from their largest difference.
  void claim_same(const std::string& statement, double difference);

  // Claims only while the knobs of the part stand at their standards.
  void claim_standard(const std::string& statement, double measured, const Bound& bound) {
    claim_where(options_.settings.standard(), statement, measured, bound);
  }

  // Claims something of a trained model, for the standard settings only.
  void claim_trained(const std::string& statement, double measured, const Bound& bound) {
    claim_where(claims_training_, statement, measured, bound);
  }

  // Claims what holds at the standard settings and seed; at another seed shows the figure.
  void claim_usual(const std::string& statement, double measured, const Bound& bound) {
    claim_where(claims_training_ && options_.seed == Options{}.seed, statement, measured, bound);
  }

  // Shows a gradient check; claims its rows, and that a second forward gave the same loss.
  void claim_gradients(const std::string& what, const GradientReport& report, double tolerance);

  // Asks for a number before what follows shows it: on the page, and at the terminal under --ask.
  void predict(const std::string& question, double answer, const Tolerated& tolerated);

  // Show a picture: a chart as text here, each as NAME.svg in --out, and on the page.
  void picture(const std::string& name, const auto& shown) { draw(name, shown, true); }
  void figure(const std::string& name, const auto& shown) { draw(name, shown, !short_); }

  // Shows, on a page alone, how far a picture is that takes seconds; the next one takes its place.
  void draft(const plot::Chart& chart);

  void wrote(const std::string& path) { written_.push_back(path); }

  // Answers the question, counts the claims, writes the page. Returns the exit status.
  int finish(const std::string& answer = "");

 private:
  using Status = page::Claim::Status;

  void claim_where(bool claimed, const std::string& statement, double measured, const Bound& bound);
  void conclude(const page::Claim& claim);
  void print_claim(const page::Claim& claim) const;
  void await_guess(double answer, double low, double high);
  void end_part();
  void write_page();
  page::Result& result();
  void paragraph(const std::string& text, bool printed);
  void lines_as_they_are(const std::string& lines, bool printed);
  void put(const std::string& text, const std::string& html, bool printed);
  void put(const Table& table, bool printed);
  void keep(const std::string& name, const std::string& text, const std::string& svg, bool printed);
  void draw(const std::string& name, const auto& shown, bool printed) {
    const std::string svg = plot::svg(shown);
    keep(name, in_terminal(name, shown), svg, printed);
    result().picture(name, svg);
  }
  std::string file(const std::string& name) const { return options_.out + "/" + name; }
  static std::size_t text_width();  // in columns, at most 80

  // Returns a chart as text; of a picture that a terminal cannot show, title and file.
  std::string in_terminal(const std::string& name, const auto& shown) const {
    const int width = terminal::width();
    if constexpr (requires { plot::text(shown); }) return plot::text(shown, width);
    else return fold(one_line(shown.title + ": " + file(name + ".svg")), std::size_t(width)) + "\n";
  }

  Options options_;
  std::string title_, page_name_;
  page::Results results_;  // what comes before the first part belongs to part -1
  int part_ = -1;
  bool on_bench_ = false;  // what the part finds belongs to its bench
  bool silent_ = false;
  double started_, drafted_ = 0;  // in seconds
  std::vector<std::string> written_;
  std::size_t pictures_ = 0;
  bool short_;  // the whole lesson is run
  bool claims_training_;
  std::array<int, 3> count_{};  // by status
  std::size_t right_equations_ = 0;
  std::vector<std::string> wrong_equations_;  // and what is wrong with each
  int guesses_ = 0, hits_ = 0;
};
