// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "common/support/file.hpp"
#include "common/support/terminal.hpp"

// ----------------------------------------------------------------------------------------------------------- flags

Options common_options(Flags& flags, const std::string& program, int first, int last) {
  constexpr long most_steps = 1'000'000'000;
  Options o;
  o.seed = flags.count<std::uint64_t>("--seed", 1, 0, std::numeric_limits<std::uint64_t>::max(), "random seed (1)");
  o.steps = flags.count<long>("--steps", 0, 1, most_steps, "training steps (each experiment has its own number)");
  o.threads = flags.count<std::size_t>("--threads", hardware_threads(), 1, 256,
                                       "threads (all that the machine has); results are the same");
  const int none = first - 1;
  const int part = flags.count("--part", none, first, last, join("run this part only (", first, " to ", last, ")"));
  if (part != none) o.part = part;
  o.all = flags.toggle("--all", "further parts and runs too, where a lesson has some");
  o.quick = flags.toggle("--quick", "short runs for the tests, no claims about training");
  o.out = flags.text("--out", "DIR", "build/out/" + program, "where pictures and index.html go");
  o.export_file = flags.text("--export", "FILE", "", "write a batch with its gradients (safetensors), stop");
  flags.alone("--export");
  return o;
}

Pool pool_of(const Options& options) {
  try {
    return Pool(options.threads);
  } catch (const std::system_error& error) {
    throw UserError(join("--threads: ", options.threads, " cannot be had (", error.what(), ")"));
  }
}

void check_save(const std::string& path, const Options& options, const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  for (const std::string& input : inputs)
    if (!input.empty() && is_same_file(path, input)) throw UserError("--save: '" + input + "' is read by this run");
  const std::filesystem::path save(path);
  const std::string folder = save.has_parent_path() ? save.parent_path().string() : ".";
  const std::string kind = small_letters(save.extension().string());
  if ((kind == ".svg" || kind == ".html") && is_same_file(folder, options.out))
    throw UserError("--save: '" + path + "' is written by the lesson itself, into --out");
  blame("--save", [&] { check_writable(path); });
}

// ---------------------------------------------------------------------------------------------------------- claims

Bound at_most(double high) { return {-HUGE_VAL, high, "at most " + significant(high)}; }

Bound at_least(double low) { return {low, HUGE_VAL, "at least " + significant(low)}; }

Bound between(double low, double high) { return {low, high, significant(low, 4) + " to " + significant(high, 4)}; }

Bound within(double expected, double tolerance) {
  return {expected - tolerance, expected + tolerance, significant(expected, 4) + " ± " + significant(tolerance, 2)};
}

Bound within_in_logarithm(double expected, double tolerance) {
  return between(std::exp(expected - tolerance), std::exp(expected + tolerance));
}

Bound exactly(double expected) { return {expected, expected, "exactly " + significant(expected, 6)}; }

// -------------------------------------------------------------------------------------------------------- progress

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
    std::fprintf(stderr, "\r\x1b[K%s %ld of %ld, %.0f a second, %.0f s left  %s", what_.c_str(), done, total_, rate,
                 double(total_ - done) / rate, note.c_str());
  }
  busy_.clear();
}

// ---------------------------------------------------------------------------------------------------------- lesson

namespace {

std::size_t text_width() { return static_cast<std::size_t>(std::min(terminal::width(), 80)); }

const char* bold() { return terminal::colour() ? "\x1b[1m" : ""; }

const char* plain() { return terminal::colour() ? "\x1b[0m" : ""; }

// Prints a title in its tint over a rule of this letter.
void underline(const std::string& title, char rule, const std::string& tint) {
  print(tint + wrap(title, text_width()) + (tint.empty() ? "" : plain()) +
        std::string(std::min(columns_of(title), text_width()), rule) + "\n");
}

// Returns the style of a page.
std::string style() {
  return "<style>\n"
         ":root{color-scheme:light dark;--ink:#1b1b1f;--page:#fdfdfb;--soft:#6b6b76;--good:#1a7f37;--bad:#b3261e}\n"
         "@media (prefers-color-scheme:dark){:root{--ink:#e8e8ea;--page:#17171a;--soft:#a0a0aa;--good:#5cc777;"
         "--bad:#ff8a80}}\n"
         "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}\n"
         "main{max-width:52rem;margin:0 auto;padding:1.5rem}\n"
         "h2{margin-top:2.5rem}pre{white-space:pre-wrap;font-size:.85rem}.wide{overflow-x:auto}\n"
         "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\n"
         "td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid color-mix(in srgb,var(--ink) 15%,"
         "transparent)}td:first-child,th:first-child{text-align:left}\n"
         ".claim{margin:.3rem 0}.claim span{color:var(--soft)}.holds b{color:var(--good)}.fails b{color:var(--bad)}\n"
         "figure{margin:1.2rem 0}figure svg{max-width:100%;height:auto}\n</style>\n";
}

}  // namespace

Lesson::Lesson(Options options, const std::string& title, const std::string& kind)
    : options_(std::move(options)), claims_training_(!options_.quick && !options_.steps) {
  page_name_ = (options_.part ? join("part", *options_.part) : kind) + ".html";
  blame("--out", [&] {
    std::filesystem::create_directories(options_.out);
    check_writable(file(page_name_));
  });
  page_ =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      escape_html(title) + "</title>\n" + style() + "</head><body><main>\n<h1>" + escape_html(title) + "</h1>\n";
  underline(title, '=', "");
  say("Seed ", options_.seed, ", ", options_.threads, options_.threads == 1 ? " thread." : " threads.");
}

bool Lesson::part(int number, const std::string& title, bool further) {
  const bool wanted = options_.part ? *options_.part == number : !further || options_.all;
  if (!wanted) return false;
  heading(join(number, ". ", title));
  return true;
}

void Lesson::paragraph(const std::string& text) {
  const std::string shown = printable(text);
  print(wrap(shown, text_width()));
  page_ += "<p>" + escape_html(shown) + "</p>\n";
}

void Lesson::show(const std::string& lines) {
  const std::string shown = printable(lines);
  print(fold(shown, text_width()));
  page_ += "<pre>" + escape_html(shown) + "</pre>\n";
}

void Lesson::show(const Table& table) {
  print(table.text(text_width()));
  page_ += table.html();
}

void Lesson::claim(const std::string& statement, double measured, const Bound& bound) {
  conclude(bound.holds(measured) ? Verdict::holds : Verdict::fails, statement,
           significant(measured) + " (" + bound.text + ")");
}

void Lesson::claim(const std::string& statement, bool holds) {
  conclude(holds ? Verdict::holds : Verdict::fails, statement, "");
}

void Lesson::claim_trained(const std::string& statement, double measured, const Bound& bound) {
  if (claims_training_) return claim(statement, measured, bound);
  conclude(Verdict::open, statement, significant(measured) + " (not claimed here)");
}

void Lesson::claim_gradients(const std::string& what, const GradientReport& report, double tolerance) {
  Table table{{"gradient", "shape", "worst relative error", "at", "derived", "numeric", "kinks"}, {}};
  for (const GradientRow& row : report.rows)
    table.rows.push_back({row.name, to_text(row.shape), significant(row.worst, 2),
                          join("(", row.row, ", ", row.col, ")"), significant(row.derived), significant(row.numeric),
                          std::to_string(row.kinks)});
  show(table);
  claim(what + ": every gradient entry", report.worst(), at_most(tolerance));
  claim(what + ": a second forward gives the same loss", report.repeatable);
}

int Lesson::picture_width() { return terminal::width(); }

void Lesson::add_picture(const std::string& name, const std::string& text, const std::string& svg) {
  print("\n" + text);
  blame("--out", [&] { write_file(file(name + ".svg"), svg); });
  written_.push_back(file(name + ".svg"));
  page_ += "<figure>" + svg + "</figure>\n";
}

int Lesson::finish(const std::string& answer) {
  if (!answer.empty() && !options_.part) {
    heading("The answer");
    say(answer);
  }
  print("\n");
  const auto [held, failed, open] = count_;
  if (held + failed + open > 0)
    say(held, " of ", held + failed, " claims hold", open ? join("; ", open, " shown but not claimed here.") : ".");
  blame("--out", [&] { write_file(file(page_name_), page_ + "</main></body></html>\n"); });
  written_.push_back(file(page_name_));
  for (const std::string& path : written_) print("wrote " + one_line(path) + "\n");
  return failed == 0 ? 0 : 1;
}

void Lesson::conclude(Verdict verdict, const std::string& statement, const std::string& figure) {
  struct Look {
    const char *mark, *tint, *name;
  };
  constexpr Look looks[] = {
      {"[ok]", "\x1b[32m", "holds"}, {"[FAIL]", "\x1b[31m", "fails"}, {"[--]", "\x1b[33m", "open"}};
  const Look& look = looks[static_cast<std::size_t>(verdict)];
  ++count_[static_cast<std::size_t>(verdict)];
  const std::size_t room = text_width() - 5;
  const bool one_line = columns_of(statement) + 3 + columns_of(figure) <= room;
  std::string lines = wrap(statement, room, 5);
  if (!figure.empty())
    lines = one_line ? statement + "   " + figure + "\n" : lines + fold("       " + figure, text_width()) + "\n";
  print((terminal::colour() ? look.tint : "") + (look.mark + std::string(plain())) + " " + lines);
  page_ += "<p class=\"claim " + std::string(look.name) + "\"><b>" + look.mark + "</b> " + escape_html(statement) +
           " <span>" + escape_html(figure) + "</span></p>\n";
}

void Lesson::heading(const std::string& line) {
  print("\n");
  underline(line, '-', bold());
  page_ += "<h2>" + escape_html(line) + "</h2>\n";
}

std::string Lesson::file(const std::string& name) const { return options_.out + "/" + name; }
