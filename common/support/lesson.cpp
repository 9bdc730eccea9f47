// SPDX-License-Identifier: MIT
#include "common/support/lesson.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/support/file.hpp"
#include "common/support/flags.hpp"
#include "common/support/parallel.hpp"
#include "common/support/plot.hpp"
#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

// ----------------------------------------------------------------------------------------------------------- flags

// The flags that all lessons share.
struct Options {
  std::uint64_t seed = 1;
  long steps = 0;  // 0: the lesson's own number
  std::size_t threads = 1;
  std::optional<int> part;  // none: all core parts
  bool all = false, quick = false;
  std::string out, export_file;

  // The number of training steps: what --steps says, else `standard`, or `short_run` under --quick.
  long steps_or(long standard, long short_run) const { return steps ? steps : quick ? short_run : standard; }
};

// `first` and `last`: the numbers of the lesson's parts.
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

// The threads of a run. Throws UserError where the system refuses one.
Pool pool_of(const Options& options) {
  try {
    return Pool(options.threads);
  } catch (const std::system_error& error) {
    throw UserError(join("--threads: ", options.threads, " cannot be had (", error.what(), ")"));
  }
}

// --save must not be one of the files that are read, nor one that the lesson writes into --out; and it must be writable, which
// is better known before the training. Throws UserError. Empty paths are no files.
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

// What a measured number must keep to. NaN keeps to nothing.
struct Bound {
  double low, high;
  std::string text;

  bool holds(double measured) const { return measured >= low && measured <= high; }
};
Bound at_most(double high) { return {-HUGE_VAL, high, "at most " + significant(high)}; }
Bound at_least(double low) { return {low, HUGE_VAL, "at least " + significant(low)}; }
Bound between(double low, double high) {
  return {low, high, significant(low, 4) + " to " + significant(high, 4)};
}
Bound within(double expected, double tolerance) {
  return {expected - tolerance, expected + tolerance, significant(expected, 4) + " ± " + significant(tolerance, 2)};
}
Bound exactly(double expected) { return {expected, expected, "exactly " + significant(expected, 6)}; }

// ---------------------------------------------------------------------------------------------------------- tables

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  // Lines of at most `width` columns: what is wider continues in further tables, each with the first column again.
  std::string text(std::size_t width = 80) const;
  std::string html() const;

 private:
  std::string block(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) const;
};

// These columns of the table: the first to the left, the others to the right, two spaces between them.
std::string Table::block(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& widths) const {
  std::string all;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line = " ";
    for (const std::size_t c : columns)
      if (c < row.size()) line += " " + pad(row[c], widths[c], c ? Side::right : Side::left) + " ";
    all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(head);
  std::vector<std::string> rules;
  for (const std::size_t width : widths) rules.emplace_back(width, '-');
  add(rules);
  for (const auto& row : rows) add(row);
  return all;
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths(head.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  };
  widen(head);
  for (const auto& row : rows) widen(row);
  std::string all;
  for (std::size_t next = 1; all.empty() || next < head.size();) {
    std::vector<std::size_t> columns{0};
    std::size_t used = widths.empty() ? 0 : widths[0] + 2;
    for (; next < head.size() && (columns.size() == 1 || used + widths[next] + 2 <= width); ++next)
      columns.push_back(next), used += widths[next] + 2;
    all += (all.empty() ? "" : "\n") + fold(block(columns, widths), width);
  }
  return all;
}

std::string Table::html() const {
  const auto line = [](const std::vector<std::string>& cells, const std::string& tag) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) html += "<" + tag + ">" + escape_html(cell) + "</" + tag + ">";
    return html + "</tr>\n";
  };
  std::string html = "<div class=\"wide\"><table>\n" + line(head, "th");
  for (const auto& row : rows) html += line(row, "td");
  return html + "</table></div>\n";
}

// -------------------------------------------------------------------------------------------------------- progress

// A line on stderr while something long runs, for a person at a terminal only: how far, how fast, how long still.
class Progress {
 public:
  Progress(std::string what, long total) : what_(std::move(what)), total_(total), shown_(terminal::is_window(stderr)) {}
  ~Progress() {
    if (printed_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void operator()(long done, const std::string& note = "") {
    const auto now = Clock::now();
    if (!shown_ || done == 0 || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    printed_ = true;
    const double rate = double(done) / std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "\r\x1b[K%s %ld of %ld, %.0f a second, %.0f s left  %s", what_.c_str(), done, total_, rate,
                 double(total_ - done) / rate, note.c_str());
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  long total_;
  bool shown_, printed_ = false;
  Clock::time_point start_ = Clock::now(), last_{};
};

// job(0) .. job(count - 1) on the pool's threads, with that line.
template <class Job>
void run_with_progress(Pool& pool, const std::string& what, std::size_t count, const Job& job) {
  Progress progress(what, long(count));
  std::mutex mutex;
  long done = 0;
  pool.run(count, [&](std::size_t k) {
    job(k);
    const std::lock_guard lock(mutex);
    progress(++done);
  });
}

// ---------------------------------------------------------------------------------------------------------- lesson

class Lesson {
 public:
  // Prints the title. The page of a run is index.html; that of one part, or of a run of another `kind`, which must not take
  // its place, has a name of its own. Throws UserError when the folder for pictures cannot be written.
  Lesson(Options options, const std::string& title, const std::string& kind = "index")
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

  const Options& options() const { return options_; }

  long steps(long standard, long short_run) const { return options_.steps_or(standard, short_run); }

  // Claims about training are made for the settings they were tested with; a run with others only shows the figures.
  void training_is_not_standard() { claims_training_ = false; }
  bool claims_training() const { return claims_training_; }

  // Starts a part and says whether it is to run. Further parts run under --all or when asked for by number.
  bool part(int number, const std::string& title, bool further = false) {
    const bool wanted = options_.part ? *options_.part == number : !further || options_.all;
    if (!wanted) return false;
    heading(join(number, ". ", title));
    return true;
  }

  // A paragraph.
  template <class... Pieces>
  void say(const Pieces&... pieces) {
    const std::string text = printable(join(pieces...));
    print(wrap(text, text_width()));
    page_ += "<p>" + escape_html(text) + "</p>\n";
  }

  // Lines that stay as they are; only what is wider than the window is cut, and bytes that are no text are replaced.
  void show(const std::string& lines) {
    const std::string shown = printable(lines);
    print(fold(shown, text_width()));
    page_ += "<pre>" + escape_html(shown) + "</pre>\n";
  }

  void show(const Table& table) {
    print(table.text(text_width()));
    page_ += table.html();
  }

  // A statement about a measured number. Its failure makes the program fail.
  void claim(const std::string& statement, double measured, const Bound& bound) {
    conclude(bound.holds(measured) ? Verdict::holds : Verdict::fails, statement,
             significant(measured) + " (" + bound.text + ")");
  }

  // A statement that is true or false.
  void claim(const std::string& statement, bool holds) {
    conclude(holds ? Verdict::holds : Verdict::fails, statement, "");
  }

  // A statement about a trained model: claimed for the standard settings only.
  void claim_trained(const std::string& statement, double measured, const Bound& bound) {
    if (claims_training_) return claim(statement, measured, bound);
    conclude(Verdict::open, statement, significant(measured) + " (not claimed here)");
  }

  // The table of a gradient check, and the claims that all its rows hold and that a second forward gave the same loss.
  void claim_gradients(const std::string& what, const GradientReport& report, double tolerance) {
    Table table{{"gradient", "shape", "worst relative error", "at", "derived", "numeric", "kinks"}, {}};
    for (const GradientRow& row : report.rows)
      table.rows.push_back({row.name, to_text(row.shape), significant(row.worst, 2),
                            join("(", row.row, ", ", row.col, ")"), significant(row.derived), significant(row.numeric),
                            std::to_string(row.kinks)});
    show(table);
    claim(what + ": every gradient entry", report.worst(), at_most(tolerance));
    claim(what + ": a second forward gives the same loss", report.repeatable);
  }

  // A picture: as text here, as NAME.svg in the folder of the run, and in its page.
  template <class Picture>
  void picture(const std::string& name, const Picture& picture) {
    print("\n" + plot::text(picture, terminal::width()));
    const std::string svg = plot::svg(picture);
    blame("--out", [&] { write_file(file(name + ".svg"), svg); });
    written_.push_back(file(name + ".svg"));
    page_ += "<figure>" + svg + "</figure>\n";
  }

  // Names a file that the lesson has written itself, for the last lines of the run.
  void wrote(const std::string& path) { written_.push_back(path); }

  // Ends the run: answers the lesson's question when all of it was run, counts the claims, writes the page, names the
  // files. Returns the exit status.
  int finish(const std::string& answer = "") {
    if (!answer.empty() && !options_.part) heading("The answer"), say(answer);
    print("\n");
    if (held_ + failed_ + open_ > 0)
      say(held_, " of ", held_ + failed_, " claims hold",
          open_ ? join("; ", open_, " shown but not claimed here.") : ".");
    blame("--out", [&] { write_file(file(page_name_), page_ + "</main></body></html>\n"); });
    written_.push_back(file(page_name_));
    for (const std::string& path : written_) print("wrote " + one_line(path) + "\n");
    return failed_ == 0 ? 0 : 1;
  }

 private:
  enum class Verdict { holds, fails, open };

  void conclude(Verdict verdict, const std::string& statement, const std::string& figure) {
    const bool holds = verdict == Verdict::holds, open = verdict == Verdict::open;
    ++(holds ? held_ : open ? open_ : failed_);
    const std::string mark = holds ? "[ok]" : open ? "[--]" : "[FAIL]";
    const char* tint = !terminal::colour() ? "" : holds ? "\x1b[32m" : open ? "\x1b[33m" : "\x1b[31m";
    const std::size_t room = text_width() - 5;
    const bool one_line = columns_of(statement) + 3 + columns_of(figure) <= room;
    print(tint + mark + plain() + " " +
          (figure.empty() ? wrap(statement, room, 5)
           : one_line     ? statement + "   " + figure + "\n"
                          : wrap(statement, room, 5) + fold("       " + figure, text_width()) + "\n"));
    page_ += "<p class=\"claim " +
             std::string(holds  ? "holds"
                         : open ? "open"
                                : "fails") +
             "\"><b>" + mark + "</b> " + escape_html(statement) + " <span>" + escape_html(figure) + "</span></p>\n";
  }

  void heading(const std::string& line) {
    print("\n");
    underline(line, '-', bold());
    page_ += "<h2>" + escape_html(line) + "</h2>\n";
  }

  // A title in its tint over a rule of this letter.
  static void underline(const std::string& title, char rule, const std::string& tint) {
    print(tint + wrap(title, text_width()) + (tint.empty() ? "" : plain()) +
          std::string(std::min(columns_of(title), text_width()), rule) + "\n");
  }

  static std::size_t text_width() { return static_cast<std::size_t>(std::min(terminal::width(), 80)); }
  static const char* bold() { return terminal::colour() ? "\x1b[1m" : ""; }
  static const char* plain() { return terminal::colour() ? "\x1b[0m" : ""; }

  std::string file(const std::string& name) const { return options_.out + "/" + name; }

  static std::string style() {
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

  Options options_;
  std::string page_name_, page_;
  std::vector<std::string> written_;
  bool claims_training_;
  int held_ = 0, failed_ = 0, open_ = 0;
};
