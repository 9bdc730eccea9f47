// SPDX-License-Identifier: MIT
#include "common/frame/lesson/lesson.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <thread>
#include <utility>

#include "common/derive/desk.hpp"
#include "common/frame/files/file.hpp"
#include "common/frame/page/page.hpp"

namespace flag {

using knob::Toggle, knob::Whole, knob::Words;
constexpr Whole seed{"seed", "random seed", 1, {0, 9007199254740992}};
constexpr Whole steps{"steps", "training steps (each experiment has its own number)", {1, 1e9}};
constexpr Whole threads{
    "threads", "threads (all that the machine has); results are the same", {1, 256}};
constexpr Toggle all{"all", "further parts and runs too, where a lesson has some"};
constexpr Toggle quick{"quick", "short runs for the tests, no claims about training"};
constexpr Toggle wait{"ask", "wait for your predictions, and keep the score"};
constexpr Toggle claims{"claims", "print each claim, not only how many hold"};
constexpr Toggle settings{"settings", "print what the parts train with, and stop"};
constexpr Toggle equations{"equations", "execute the equations of the README, and stop"};
constexpr knob::TextFile export_file{
    "export", "write a batch with its gradients into this file (safetensors), stop"};
constexpr Words derivation{
    "derive", "derive the gradients of a model, line by line; 0: of a layer of your own"};
constexpr Words line{
    "line", "one line of --derive to judge, such as dW = Xᵀ·dZ; ?dW is a hint, ??dW the next"};
constexpr Words read{"read",
                     "one line of --derive, shown as it is understood: MathML, with shapes"};
constexpr Words layer{"layer", "of --derive 0: a layer and shapes, Y = tanh(X·W)   X 4 3, W 3 5"};

}  // namespace flag

static std::string command_of(const std::string& program, const std::vector<std::string>& words) {
  const std::string typed = joined(words, " ");
  return typed.empty() ? "make " + program : join("make ", program, " ARGS=\"", typed, "\"");
}

// As many as the machine has; one where the system allows no other.
static std::size_t threads_to_be_had() {
  const std::size_t all = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  try {
    const Pool tried(all);
    return all;
  } catch (const std::system_error&) {
    return 1;
  }
}

Options read_options(Flags& flags, const std::string& program, const knob::Knobs& own,
                     const std::map<int, knob::Knobs>& knobs) {
  const int first = knobs.begin()->first, last = knobs.rbegin()->first;
  const std::string which =
      join("run this part only (", first, " to ", last, "); with --help: its knobs");
  const std::string where =
      join("the folder for pictures and index.html (build/out/", program, ")");
  const knob::Whole part{"part", which, {double(first), double(last)}};
  const knob::Words out{"out", where};
  Options o;
  o.own = flags.ask(own);
  const knob::Settings at =
      flags.ask({&flag::seed, &flag::steps, &flag::threads, &part, &flag::all, &flag::quick,
                 &flag::wait, &flag::claims, &flag::settings, &flag::equations, &out,
                 &flag::export_file, &flag::derivation, &flag::line, &flag::read, &flag::layer});
  flags.alone(flag::export_file);
  if (at.given(part)) o.part = int(at[part]);
  o.settings = flags.ask(o.part, knobs);
  flags.finish();
  o.lesson = std::atoi(program.substr(program.find_last_not_of("0123456789") + 1).c_str());
  if (at.given(flag::derivation))
    throw Finished{formula::derive(
        {o.lesson, at[flag::derivation], at[flag::line], at[flag::read], at[flag::layer]})};
  for (const knob::Words* of_derivation : {&flag::line, &flag::read, &flag::layer})
    if (at.given(*of_derivation))
      throw UserError(join("--", of_derivation->name, " goes with --derive, which says of what"));
  o.seed = at[flag::seed];
  o.steps = long(at[flag::steps]);
  o.threads = at[flag::threads];
  if (o.threads == 0) o.threads = threads_to_be_had();
  o.all = at[flag::all];
  o.quick = at[flag::quick];
  const bool at_window = terminal::is_window(stdin) && terminal::is_window(stdout);
  o.ask = at[flag::wait] || (!o.quick && at_window);
  o.claims = at[flag::claims];
  o.list_settings = at[flag::settings];
  o.list_equations = at[flag::equations];
  o.out = at.given(out) ? at[out] : "build/out/" + program;
  o.export_file = at[flag::export_file];
  o.command = command_of(program, flags.words());
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
                const std::vector<std::string>& inputs, const std::string& flag) {
  if (path.empty()) return;
  for (const std::string& input : inputs)
    if (!input.empty() && is_same_file(path, input))
      throw UserError(join(flag, ": '", input, "' is read by this run"));
  const std::filesystem::path save(path);
  const std::string folder = save.has_parent_path() ? save.parent_path().string() : ".";
  const std::string kind = small_letters(save.extension().string());
  const bool own_place =
      is_same_file(folder, options.out) || is_same_file(folder, options.out + "/results");
  if ((kind == ".svg" || kind == ".html") && own_place)
    throw UserError(join(flag, ": '", path, "' is written by the lesson itself, into --out"));
  blame(flag, [&] { check_writable(path); });
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

static void underline(const std::string& title, char rule, const std::string& tint,
                      std::size_t width) {
  const std::string line(std::min(columns_of(title), width), rule);
  print(join(tint, wrap(title, width), tint.empty() ? "" : plain(), line, "\n"));
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
    page::check_own(file(page_name_));
    if (kind != "index") return;
    std::filesystem::create_directories(file("results"));
    check_writable(file("results/knobs.html"));
  });
  underline(title, '=', "", text_width());
  result().command = escape_html(options_.command);
  say("Seed ", options_.seed, ", ", options_.threads,
      options_.threads == 1 ? " thread." : " threads.");
}

void Lesson::offer(int part, const std::string& question, const knob::Knobs& knobs,
                   const knob::Knob* opening) {
  const auto add = [&](const std::string& name, const knob::Knob* first) {
    results_["knobs"].add(page::Piece::Kind::text, name,
                          page::panel(options_.lesson, part, question, knobs, first));
  };
  add(join(part), nullptr);
  if (opening) add(join(page::opening_name, part), opening);
}

// The name of the paragraph that says how the text's networks were trained.
static const std::string of_training = "training";

void Lesson::trained_with(const std::string& settings) {
  paragraph(join("Trained with ", settings, "."), !short_);
  result().pieces.back().name = of_training;
}

void Lesson::bench(int part, const std::function<void()>& scene) {
  page::Result& on_page = results_[join(part, ".bench")];
  on_page = {};
  if (!scene) {
    // What a turn shows, too: neither what was asked nor how the text's network was trained.
    for (const page::Piece& piece : results_[join(part)].pieces)
      if (piece.kind != page::Piece::Kind::prediction && piece.name != of_training)
        on_page.pieces.push_back(piece);
    return;
  }
  const int before = std::exchange(part_, part);
  on_bench_ = silent_ = true;
  scene();
  on_bench_ = silent_ = false;
  part_ = before;
}

page::Result& Lesson::result() { return results_[join(part_, on_bench_ ? ".bench" : "")]; }

void Lesson::equations(const std::function<void(formula::EquationChecker&)>& bind) {
  if (!short_ && !options_.list_equations) return;  // what the page holds of an earlier run stands
  const page::LessonPage lesson = page::read_lesson(options_.lesson, title_);
  const std::string readme = lesson.folder.empty() ? "" : contents_of(lesson.folder + "/README.md");
  if (readme.empty()) return;
  formula::EquationChecker checker(readme);
  try {
    bind(checker);
  } catch (const std::exception& error) {  // of a README that was changed
    wrong_equations_.push_back(join("README.md, of which not all can be bound: ", error.what()));
  }
  wrong_equations_.insert(wrong_equations_.end(), lesson.problems.begin(), lesson.problems.end());
  if (options_.list_equations) {
    for (const std::string& wrong : wrong_equations_) print(wrong + "\n");
    throw Finished{wrong_equations_.empty() ? checker.report() : 1};
  }
  for (const auto& [number, mark] : checker.marks())
    results_["equations"].add(page::Piece::Kind::text, number, escape_html(mark));
  const std::vector<std::string> complaints = checker.complaints();
  wrong_equations_.insert(wrong_equations_.end(), complaints.begin(), complaints.end());
  right_equations_ = checker.held();
}

bool Lesson::part(int number, const std::string& title, bool further) {
  const bool runs = options_.part ? *options_.part == number : !further || options_.all;
  if (!runs) return false;
  end_part();
  print("\n");
  underline(join(number, ". ", title), '-', bold(), text_width());
  part_ = number;
  on_bench_ = options_.settings.any_given();
  started_ = seconds();
  result().command = escape_html(options_.command);
  return true;
}

// Takes the part's time. Says how many claims hold unless they were printed one by one.
void Lesson::end_part() {
  page::Result& part = result();
  part.seconds = seconds() - started_;
  const std::string held = page::in_words(part);
  if (!short_ || options_.claims || held.empty()) return;
  Status status = Status::holds;
  if (part.count(Status::holds) == 0) status = Status::open;
  if (part.count(Status::fails) > 0) status = Status::fails;
  print_claim({status, held, ""});
}

void Lesson::put(const std::string& text, const std::string& html, bool printed) {
  if (printed && !silent_) print(text);
  result().add(page::Piece::Kind::text, "", html);
}

void Lesson::put(const Table& table, bool printed) {
  if (printed && !silent_) print(table.text(text_width()));
  result().add(table);
}

void Lesson::paragraph(const std::string& text, bool printed) {
  const std::string visible = printable(text);
  put(wrap(visible, text_width()), join("<p>", escape_html(visible), "</p>\n"), printed);
}

void Lesson::lines_as_they_are(const std::string& lines, bool printed) {
  const std::string visible = printable(lines);
  put(fold(visible, text_width()), join("<pre>", escape_html(visible), "</pre>\n"), printed);
}

void Lesson::claim(const std::string& statement, double measured, const Bound& bound) {
  claim_where(true, statement, measured, bound);
}

void Lesson::claim(const std::string& statement, bool holds) {
  conclude({holds ? Status::holds : Status::fails, statement, ""});
}

void Lesson::claim_same(const std::string& statement, double difference) {
  conclude({difference == 0 ? Status::holds : Status::fails, statement,
            "max difference " + significant(difference)});
}

void Lesson::claim_where(bool claimed, const std::string& statement, double measured,
                         const Bound& bound) {
  const std::string figure =
      join(significant(measured), " (", claimed ? bound.text : "not claimed here", ")");
  const Status checked = bound.holds(measured) ? Status::holds : Status::fails;
  conclude({claimed ? checked : Status::open, statement, figure});
}

void Lesson::claim_gradients(const std::string& what, const GradientReport& report,
                             double tolerance) {
  Table table{{"gradient", "shape", "worst relative error", "at", "derived", "numeric", "kinks"},
              {}};
  for (const GradientRow& row : report.rows) {
    std::string kinks = join(row.kinks);
    if (row.outside > 0) kinks += join(", ", row.outside, " outside");  // no slope of their corners
    table.rows.push_back({row.name, to_text(row.shape), significant(row.worst, 2),
                          join("(", row.row, ", ", row.col, ")"), significant(row.derived),
                          significant(row.numeric), kinks});
  }
  detail(table);
  claim(what + ": every gradient entry", report.worst(), at_most(tolerance));
  claim(what + ": a second forward gives the same loss", report.repeatable);
}

// Returns "off by -0.1", "20 times that" or "1/20 of that": a distance from 6e-6 is the guess.
static std::string beside(double guess, double answer) {
  const double factor = guess / answer;
  if (factor >= 2 && std::isfinite(factor)) return significant(factor, 2) + " times that";
  if (factor > 0 && factor <= 0.5) return join("1/", significant(1 / factor, 2), " of that");
  return "off by " + significant(guess - answer);
}

static std::string in_words(const Tolerated& tolerated) {
  if (tolerated.times > 1)
    return join(" (Counts within a factor of ", significant(tolerated.times), ".)");
  if (tolerated.plus > 0) return join(" (Counts give or take ", significant(tolerated.plus), ".)");
  return "";
}

// Reads a number; none when the reader passes.
static std::optional<double> read_guess() {
  print("(Enter passes) > ");
  for (std::string line; std::getline(std::cin, line) && !line.empty();) {
    const std::optional<double> guess = number_by_hand(line);
    if (guess) return guess;
    print("A number, such as 0.2, 11907, 1/6, 25% or 2^-50 (11,907 may also mean 11.907) > ");
  }
  if (!std::cin) print("\n");
  return std::nullopt;
}

void Lesson::predict(const std::string& question, double answer, const Tolerated& tolerated) {
  if (on_bench_) return;  // elsewhere than where the text asks
  const double low = answer / tolerated.times - tolerated.plus,
               high = answer * tolerated.times + tolerated.plus;
  const std::string wording = question + in_words(tolerated);
  print(wrap("Predict: " + wording, text_width()));
  result().predict(wording, significant(answer), low, high);
  if (options_.ask) await_guess(answer, low, high);
}

void Lesson::await_guess(double answer, double low, double high) {
  std::string judgement = "It is " + significant(answer);
  if (const std::optional<double> guess = read_guess()) {
    const bool counts =
        *guess >= low - 1e-9 * std::abs(low) && *guess <= high + 1e-9 * std::abs(high);
    ++guesses_;
    hits_ += counts;
    judgement += counts ? "; yours counts" : "; yours is " + beside(*guess, answer);
  }
  print(wrap(judgement + ".", text_width()));
}

std::size_t Lesson::text_width() { return std::size_t(std::min(terminal::width(), 80)); }

void Lesson::keep(const std::string& name, const std::string& text, const std::string& svg,
                  bool printed) {
  if (silent_) return;
  if (printed) print("\n" + text);
  blame("--out", [&] { write_file(file(name + ".svg"), svg); });
  ++pictures_;
}

void Lesson::draft(const plot::Chart& chart) {
  const double now = seconds();
  // What is there in a moment needs none.
  if (!terminal::is_page() || now - started_ < 0.4 || now - drafted_ < 0.1) return;
  drafted_ = now;
  std::string svg = plot::without_style(plot::svg(chart));
  std::replace(svg.begin(), svg.end(), '\n', ' ');
  std::fputs((svg + "\n").c_str(), stderr);
}

void Lesson::write_page() {
  if (page_name_ != "index.html")
    return write_file(file(page_name_), page::of_run(title_, results_));
  results_.erase(join(-1));  // printed only
  page::store(options_.out, results_);
  const page::LessonPage lesson = page::read_lesson(options_.lesson, title_);
  markdown::Complaints complaints;
  write_file(file(page_name_), page::of_lesson(lesson, page::stored(options_.out), complaints));
  if (const std::string whole = page::of_whole(lesson); !whole.empty())
    write_file(file("whole.html"), whole);
  write_file(file("sheet.html"), page::of_sheet(lesson, page::stored(options_.out)));
  for (const markdown::Error& error : complaints)
    print(wrap(
        join(lesson.folder, "/README.md, ", error.what(), ". The page shows this as it stands."),
        text_width()));
  const std::filesystem::path out = options_.out, course = out.parent_path();
  if (out == join("build/out/lesson", options_.lesson))  // the page of the course lies beside it
    write_file((course / "index.html").string(), page::of_course(course.string()));
}

int Lesson::finish(const std::string& answer) {
  end_part();
  if (!answer.empty() && !options_.part) {
    print("\n");
    underline("The answer", '-', bold(), text_width());
    print(wrap(printable(answer), text_width()));
  }
  print("\n");
  for (const std::string& wrong : wrong_equations_) print_claim({Status::fails, wrong, ""});
  if (const std::size_t all = right_equations_ + wrong_equations_.size(); all > 0)
    print(join(right_equations_, " of ", all, " equations hold.\n"));
  const auto [held, failed, open] = count_;
  if (held + failed + open > 0)
    print(wrap(join(held, " of ", held + failed, " claims hold",
                    open ? join("; ", open, " shown but not claimed here.") : "."),
               text_width()));
  if (guesses_ > 0) print(join(hits_, " of ", guesses_, " predictions counted.\n"));
  blame("--out", [&] { write_page(); });
  for (const std::string& path : written_) print(join("wrote ", one_line(path), "\n"));
  const std::string beside =
      pictures_ ? join(" and ", pictures_, pictures_ == 1 ? " picture" : " pictures", " beside it")
                : "";
  print(join("wrote ", one_line(file(page_name_)), beside, "\n"));
  return failed == 0 && wrong_equations_.empty() ? 0 : 1;
}

void Lesson::conclude(const page::Claim& claim) {
  result().add(claim);
  if (silent_) return;
  ++count_[std::size_t(claim.status)];
  if (!short_ || options_.claims || claim.status == Status::fails) print_claim(claim);
}

void Lesson::print_claim(const page::Claim& claim) const {
  constexpr const char *marks[] = {"[ok]", "[FAIL]", "[--]"},
                       *tints[] = {"\x1b[32m", "\x1b[31m", "\x1b[33m"};
  const auto& [status, statement, figure] = claim;
  const auto look = std::size_t(status);
  const std::size_t room = text_width() - 5;
  const bool one_line = columns_of(statement) + 3 + columns_of(figure) <= room;
  std::string lines = wrap(statement, room, 5);
  if (!figure.empty() && one_line) lines = join(statement, "   ", figure, "\n");
  else if (!figure.empty()) lines += fold("       " + figure, text_width()) + "\n";
  print(join(terminal::colour() ? tints[look] : "", marks[look], plain(), " ", lines));
}
