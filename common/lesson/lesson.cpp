// SPDX-License-Identifier: MIT
#include "common/lesson/lesson.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <thread>
#include <utility>

#include "common/exercise/desk.hpp"
#include "common/files/file.hpp"
#include "common/page/page.hpp"

Options read_options(Flags& flags, const std::string& program, const knob::Knobs& own,
                     const std::map<int, knob::Knobs>& knobs) {
  using namespace knob;
  const int first = knobs.begin()->first, last = knobs.rbegin()->first;
  const std::string which = join("run this part only (", first, " to ", last,
                                 "); with --help: its knobs"),
                    where = "the folder for pictures and index.html (build/out/" + program + ")";
  Options o;
  o.own = flags.ask(own);
  const auto ask = [&](const auto& knob) { return flags.ask({&knob})[knob]; };
  const Whole part{"part", which, {double(first), double(last)}};
  const Words derivation{
      "derive", "derive the gradients of a model, line by line; 0: of a layer of your own"};
  const TextFile export_file{"export",
                             "write a batch with its gradients into this file (safetensors), stop"};
  o.seed = ask(Whole{"seed", "random seed", 1, {0, 9007199254740992}});
  o.steps =
      long(ask(Whole{"steps", "training steps (each experiment has its own number)", {1, 1e9}}));
  o.threads =
      ask(Whole{"threads", "threads (all that the machine has); results are the same", {1, 256}});
  if (o.threads == 0) o.threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  if (const std::size_t number = ask(part); flags.given(part)) o.part = int(number);
  o.all = ask(Toggle{"all", "further parts and runs too, where a lesson has some"});
  o.quick = ask(Toggle{"quick", "short runs for the tests, no claims about training"});
  o.ask = ask(Toggle{"ask", "wait for your predictions, and keep the score"}) ||
          (!o.quick && terminal::is_window(stdin) && terminal::is_window(stdout));
  o.claims = ask(Toggle{"claims", "print each claim, not only how many hold"});
  o.list_settings = ask(Toggle{"settings", "print what the parts train with, and stop"});
  o.list_equations = ask(Toggle{"equations", "execute the equations of the README, and stop"});
  o.out = ask(Words{"out", where});
  if (o.out.empty()) o.out = "build/out/" + program;
  o.export_file = ask(export_file);
  const std::string
      derived = ask(derivation),
      line = ask(Words{"line", "one line of --derive to judge, such as dW = Xᵀ·dZ; ?dW is a hint"}),
      layer =
          ask(Words{"layer", "of --derive 0: a layer and shapes, Y = tanh(X·W)   X 4 3, W 3 5"});
  flags.alone(export_file);
  o.settings = flags.ask(o.part, knobs);
  flags.finish();
  o.lesson = std::atoi(program.substr(program.find_last_not_of("0123456789") + 1).c_str());
  o.program = flags.program();
  if (flags.given(derivation))
    throw Finished{formula::derive({o.program, o.lesson, derived, line, layer})};
  o.command = "make " + program;
  for (const std::string& word : flags.words())
    o.command += (&word == &flags.words().front() ? " ARGS=\"" : " ") + word;
  if (!flags.words().empty()) o.command += "\"";
  return o;
}

Pool pool_of(const Options& options) {
  try {
    return Pool(options.threads);
  } catch (const std::system_error& error) {
    throw UserError(join("--threads: ", options.threads, " cannot be had (", error.what(), ")"));
  }
}

void check_save(const std::string& path, const Options& options,
                const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  for (const std::string& input : inputs)
    if (!input.empty() && is_same_file(path, input))
      throw UserError("--save: '" + input + "' is read by this run");
  const std::filesystem::path save(path);
  const std::string folder = save.has_parent_path() ? save.parent_path().string() : ".";
  const std::string kind = small_letters(save.extension().string());
  if ((kind == ".svg" || kind == ".html") && is_same_file(folder, options.out))
    throw UserError("--save: '" + path + "' is written by the lesson itself, into --out");
  blame("--save", [&] { check_writable(path); });
}

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(const std::string& what, long total)
    : what_(what), total_(total), shown_(terminal::is_window(stderr)), start_(seconds()) {}

Progress::~Progress() {
  if (printed_) std::fputs("\r\x1b[K", stderr);
}

void Progress::operator()(long done, const std::string& note) {
  if (!shown_ || done == 0 || busy_.test_and_set()) return;
  if (const double now = seconds(); last_ < 0 || now - last_ >= 0.1) {
    last_ = now;
    printed_ = true;
    const double rate = double(done) / (now - start_);
    std::fprintf(stderr, "\r\x1b[K%s %ld of %ld, %.0f a second, %.0f s left  %s", what_.c_str(),
                 done, total_, rate, double(total_ - done) / rate, note.c_str());
  }
  busy_.clear();
}

static const char* bold() { return terminal::colour() ? "\x1b[1m" : ""; }

static const char* plain() { return terminal::colour() ? "\x1b[0m" : ""; }

// Prints a title in its tint over a rule of this letter.
static void underline(const std::string& title, char rule, const std::string& tint,
                      std::size_t width) {
  print(tint + wrap(title, width) + (tint.empty() ? "" : plain()) +
        std::string(std::min(columns_of(title), width), rule) + "\n");
}

Lesson::Lesson(Options options, const std::string& title, const std::string& kind)
    : options_(std::move(options)),
      title_(title),
      page_name_(kind + ".html"),
      started_(seconds()),
      short_(!options_.part && kind == "index"),
      claims_training_(!options_.quick && !options_.steps && options_.settings.standard()) {
  blame("--out", [&] {
    std::filesystem::create_directories(options_.out);
    check_writable(file(page_name_));
  });
  underline(title, '=', "", text_width());
  results_[part_].command = options_.command;
  say("Seed ", options_.seed, ", ", options_.threads,
      options_.threads == 1 ? " thread." : " threads.");
}

void Lesson::offer(int part, const std::string& question, const knob::Knobs& knobs) {
  panels_[page::knobs_of(part)] =
      page::stored(page::knobs_of(part), page::panel(options_.lesson, part, question, knobs));
}

void Lesson::bench(int part, const std::function<void()>& scene) {
  const int before = std::exchange(part_, page::turned(part));
  results_[part_] = {};
  if (scene) {
    silent_ = true;
    scene();
    silent_ = false;
  } else {
    constexpr std::string_view begin = "<figure", end = "</figure>\n";
    const std::string& html = results_[before].html;
    for (std::size_t at = 0; (at = html.find(begin, at)) != html.npos;) {
      const std::size_t until = html.find(end, at) + end.size();
      results_[part_].html += html.substr(at, until - at);
      at = until;
    }
  }
  part_ = before;
}

void Lesson::equations(const std::function<void(formula::EquationChecker&)>& bind) {
  if (!short_ && !options_.list_equations) return;  // what the page holds of an earlier run stands
  const std::string folder = lesson_folder(options_.program, options_.lesson);
  const std::string readme = folder.empty() ? "" : contents_of(folder + "/README.md");
  if (readme.empty()) return;
  try {
    formula::EquationChecker checker(readme);
    bind(checker);
    if (options_.list_equations) throw Finished{checker.report()};
    panels_[page::equations] = page::stored_equations(checker.marks());
  } catch (const std::runtime_error& error) {  // a README that was changed
    if (options_.list_equations) throw UserError(join("README.md: ", error.what()));
  }
}

bool Lesson::part(int number, const std::string& title, bool further) {
  const bool wanted = options_.part ? *options_.part == number : !further || options_.all;
  if (!wanted) return false;
  end_part();
  print("\n");
  underline(join(number, ". ", title), '-', bold(), text_width());
  part_ = options_.settings.any_given() ? page::turned(number) : number;
  started_ = seconds();
  results_[part_].command = options_.command;
  return true;
}

// Prints how many claims of the part hold, where they were not printed one by one, and takes its
// time.
void Lesson::end_part() {
  page::Result& result = results_[part_];
  result.seconds = seconds() - started_;
  if (!short_ || options_.claims || result.claims.empty()) return;
  const bool fails = result.count(Status::fails) > 0, none = result.count(Status::holds) == 0;
  print_claim({fails  ? Status::fails
               : none ? Status::open
                      : Status::holds,
               page::in_words(result), ""});
}

void Lesson::put(const std::string& text, const std::string& html, bool printed) {
  if (printed && !silent_) print(text);
  results_[part_].html += html;
}

void Lesson::paragraph(const std::string& text, bool printed) {
  const std::string shown = printable(text);
  put(wrap(shown, text_width()), "<p>" + escape_html(shown) + "</p>\n", printed);
}

void Lesson::lines_as_they_are(const std::string& lines, bool printed) {
  const std::string shown = printable(lines);
  put(fold(shown, text_width()), "<pre>" + escape_html(shown) + "</pre>\n", printed);
}

void Lesson::claim(const std::string& statement, double measured, const Bound& bound) {
  claim_where(true, statement, measured, bound);
}

void Lesson::claim(const std::string& statement, bool holds) {
  conclude(holds ? Status::holds : Status::fails, statement, "");
}

void Lesson::claim_same(const std::string& statement, double difference) {
  conclude(difference == 0 ? Status::holds : Status::fails, statement,
           "max difference " + significant(difference));
}

void Lesson::claim_where(bool claimed, const std::string& statement, double measured,
                         const Bound& bound) {
  const Status verdict = !claimed                ? Status::open
                         : bound.holds(measured) ? Status::holds
                                                 : Status::fails;
  conclude(verdict, statement,
           significant(measured) + " (" + (claimed ? bound.text : "not claimed here") + ")");
}

void Lesson::claim_gradients(const std::string& what, const GradientReport& report,
                             double tolerance) {
  Table table{{"gradient", "shape", "worst relative error", "at", "derived", "numeric", "kinks"},
              {}};
  for (const GradientRow& row : report.rows)
    table.rows.push_back({row.name, to_text(row.shape), significant(row.worst, 2),
                          join("(", row.row, ", ", row.col, ")"), significant(row.derived),
                          significant(row.numeric), std::to_string(row.kinks)});
  detail(table);
  claim(what + ": every gradient entry", report.worst(), at_most(tolerance));
  claim(what + ": a second forward gives the same loss", report.repeatable);
}

// Returns "off by -0.1", or "20 times that", "1/20 of that": the distance from 6e-6 says nothing
// but the guess.
static std::string beside(double guess, double answer) {
  const double factor = guess / answer;
  if (factor >= 2 && std::isfinite(factor)) return significant(factor, 2) + " times that";
  if (factor > 0 && factor <= 0.5) return "1/" + significant(1 / factor, 2) + " of that";
  return "off by " + significant(guess - answer);
}

void Lesson::predict(const std::string& question, double answer, const Tolerated& tolerated) {
  if (part_ >= page::turned(0)) return;  // elsewhere than where the text asks
  const std::string shown = significant(answer);
  const double low = answer / tolerated.times - tolerated.plus,
               high = answer * tolerated.times + tolerated.plus;
  const std::string asked =
      question +
      (tolerated.times > 1  ? " (Counts within a factor of " + significant(tolerated.times) + ".)"
       : tolerated.plus > 0 ? " (Counts give or take " + significant(tolerated.plus) + ".)"
                            : "");
  print(wrap("Predict: " + asked, text_width()));
  results_[part_].predict(asked, shown, low, high);
  if (!options_.ask) return;
  print("(Enter passes) > ");
  std::string line;
  std::optional<double> guess;
  while (!guess && std::getline(std::cin, line) && !line.empty())
    if (!(guess = number_by_hand(line))) print("A number, such as 0.2, 1/6, 25% or 2^-50 > ");
  if (!guess && line.empty() && !std::cin) print("\n");
  std::string told = "It is " + shown + ".";
  if (guess) {
    ++asked_;
    const bool counts =
        *guess >= low - 1e-9 * std::abs(low) && *guess <= high + 1e-9 * std::abs(high);
    near_ += counts;
    told = "It is " + shown +
           (counts ? "; yours counts." : "; yours is " + beside(*guess, answer) + ".");
  }
  print(wrap(told, text_width()));
}

std::size_t Lesson::text_width() {
  return static_cast<std::size_t>(std::min(terminal::width(), 80));
}

void Lesson::keep(const std::string& name, const std::string& text, const std::string& svg,
                  bool printed) {
  if (silent_) return;
  if (printed) print("\n" + text);
  blame("--out", [&] { write_file(file(name + ".svg"), svg); });
  ++pictures_;
}

// Returns the page with what this run found; the lesson's own with what earlier runs found, too.
std::string Lesson::whole_page() const {
  if (page_name_ != "index.html") {
    std::string html;
    for (const auto& [part, result] : results_) html += page::stored(part, result);
    return page::of_run(title_, html);
  }
  std::map<int, std::string> stored = page::stored_results(contents_of(file(page_name_)));
  for (const auto& [part, result] : results_)
    if (part >= 0) stored[part] = page::stored(part, result);
  for (const auto& [number, html] : panels_) stored[number] = html;
  const std::string folder = lesson_folder(options_.program, options_.lesson);
  return page::of_lesson({options_.lesson, title_, folder, formula::derivations_in(folder)},
                         stored);
}

int Lesson::finish(const std::string& answer) {
  end_part();
  if (!answer.empty() && !options_.part) {
    print("\n");
    underline("The answer", '-', bold(), text_width());
    print(wrap(printable(answer), text_width()));
  }
  print("\n");
  const auto [held, failed, open] = count_;
  if (held + failed + open > 0)
    print(wrap(join(held, " of ", held + failed, " claims hold",
                    open ? join("; ", open, " shown but not claimed here.") : "."),
               text_width()));
  if (asked_ > 0) print(join(near_, " of ", asked_, " predictions counted.\n"));
  blame("--out", [&] { write_file(file(page_name_), whole_page()); });
  const std::filesystem::path out = options_.out, course = out.parent_path();
  if (out == "build/out/lesson" +
                 std::to_string(options_.lesson))  // the page of the course lies beside it
    blame("--out", [&] {
      write_file((course / "index.html").string(),
                 page::of_course(options_.program, course.string()));
    });
  for (const std::string& path : written_) print("wrote " + one_line(path) + "\n");
  const std::string beside =
      pictures_ ? join(" and ", pictures_, pictures_ == 1 ? " picture" : " pictures", " beside it")
                : "";
  print("wrote " + one_line(file(page_name_)) + beside + "\n");
  return failed == 0 ? 0 : 1;
}

void Lesson::conclude(Status verdict, const std::string& statement, const std::string& figure) {
  count_[static_cast<std::size_t>(verdict)] += !silent_;
  results_[part_].claims.push_back({verdict, statement, figure});
  if (silent_) return;
  if (!short_ || options_.claims || verdict == Status::fails)
    print_claim(results_[part_].claims.back());
}

void Lesson::print_claim(const page::Claim& claim) const {
  constexpr const char *marks[] = {"[ok]", "[FAIL]", "[--]"},
                       *tints[] = {"\x1b[32m", "\x1b[31m", "\x1b[33m"};
  const auto& [verdict, statement, figure] = claim;
  const std::size_t look = static_cast<std::size_t>(verdict);
  const std::size_t room = text_width() - 5;
  const bool one_line = columns_of(statement) + 3 + columns_of(figure) <= room;
  std::string lines = wrap(statement, room, 5);
  if (!figure.empty())
    lines = one_line ? statement + "   " + figure + "\n"
                     : lines + fold("       " + figure, text_width()) + "\n";
  print((terminal::colour() ? tints[look] : "") + (marks[look] + std::string(plain())) + " " +
        lines);
}
