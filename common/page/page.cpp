// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <system_error>

#include "common/page/markdown.hpp"
#include "common/plot/plot.hpp"
#include "common/support/file.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;
using markdown::Block;
using markdown::Kind;
using markdown::reference;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Returns the number that the title of a section begins with, -1 if there is none.
int part_of(const std::string& title) {
  const std::size_t digits = title.find_first_not_of("0123456789");
  return digits > 0 && digits < title.size() && title[digits] == '.' ? std::stoi(title.substr(0, digits)) : -1;
}

// ----------------------------------------------------------------------------------------------------------- equations

// Returns the number at the end of a formula, "6.3" of "H = X·W   (6.3)" and of "(6.3) back"; nothing where there is none.
std::string number_at_end(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(' ') + 1);
  if (line.ends_with(") back")) line.remove_suffix(5);
  const std::size_t at = std::min(line.rfind('('), line.size());
  const std::string number = reference(line.substr(at));
  return at + number.size() + 2 == line.size() ? number : "";
}

// Returns the numbers that a comment bears; "(6.4) to (6.2)" are three.
std::vector<std::string> numbers_in(std::string_view comment) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < comment.size(); ++at) {
    const std::string number = reference(comment.substr(at));
    if (number.empty()) continue;
    if (!numbers.empty() && comment.substr(0, at).ends_with(") to ")) {
      const auto [from, to] = std::minmax({std::stoi(numbers.back().substr(2)), std::stoi(number.substr(2))});
      for (int between = from + 1; between < to; ++between)
        numbers.push_back(number.substr(0, 2) + std::to_string(between));
    }
    numbers.push_back(number);
  }
  return numbers;
}

// A line of source that bears a number.
struct CodeLine {
  std::string file;  // in the lesson's folder, as in models.hpp
  std::size_t line;  // counted from 1
  std::string text;
};

// Returns the lines at the top of a lesson's folder that bear each number, as in "6.3", in the order of files and lines.
std::map<std::string, std::vector<CodeLine>> numbered_code(const fs::path& lesson) {
  std::set<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(lesson, ignored))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") files.insert(entry.path());
  std::map<std::string, std::vector<CodeLine>> found;
  for (const fs::path& file : files) {
    std::size_t number = 0;
    for (const std::string& line : lines_of(contents_of(file))) {
      ++number;
      const std::size_t comment = line.find("//");
      if (comment == line.npos || line.find_first_not_of(' ') == comment) continue;  // no code
      for (const std::string& equation : numbers_in(std::string_view(line).substr(comment)))
        found[equation].push_back({file.filename().string(), number, line});
    }
  }
  return found;
}

std::string link_to(const std::string& anchor, const std::string& number) {
  return "<a href=\"#" + anchor + number + "\">(" + number + ")</a>";
}

// ---------------------------------------------------------------------------------------------------------------- text

// The text of a README as HTML, with the run's pictures, tables and predictions in their places.
class Text {
 public:
  Text(const Lesson& lesson, const std::vector<Block>& blocks, Stored& results)
      : lesson_(lesson), results_(results), code_(numbered_code(lesson.folder)) {
    collect(blocks);
    html_ = markdown::html(
        blocks,
        {.image = [&](const std::string& target) { return picture_at(target); },
         .equation = [&](const std::string& n) { return numbers_.count(n) > 0 ? link_to("eq", n) : "(" + n + ")"; },
         .code = [&](const Block& block) { return block.language.empty() ? formulas(block) : code(block); },
         .table = [&](const Block& block) { return table(block); },
         .behind = [&](const Block& block) { return behind(block); }});
  }

  const std::string& html() const { return html_; }

  // Returns what ends the folds that were begun in a section.
  std::string end_of(int part) {
    std::string html;
    for (int fold = 0; fold < folds_[part]; ++fold) html += "</details>\n";
    return html;
  }

 private:
  // Collects the numbers of the equations.
  void collect(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      collect(block.children);
      if (block.kind != Kind::code || !block.language.empty()) continue;
      for (const std::string& line : lines_of(block.text)) numbers_.insert(number_at_end(line));
    }
    numbers_.erase("");
  }

  // Returns a line of code in which the numbers of equations lead to them.
  std::string with_links(std::string_view line) const {
    std::string html;
    for (std::size_t at = 0; at < line.size();) {
      const std::string number = reference(line.substr(at));
      const bool known = numbers_.count(number) > 0;
      html += known ? link_to("eq", number) : escape_html(line.substr(at, 1));
      at += known ? number.size() + 2 : 1;
    }
    return html + "\n";
  }

  std::string code(const Block& block) const {
    std::string html;
    for (const std::string& line : lines_of(block.text)) html += with_links(line);
    return "<pre><code>" + html + "</code></pre>\n";
  }

  // Returns formulas one to a line with its number at the right margin, and an anchor where that stands for the first
  // time; behind them the lines of code that bear these numbers.
  std::string formulas(const Block& block) {
    std::string html, code;
    for (const std::string& line : lines_of(block.text)) {
      const std::string number = number_at_end(line);
      if (number.empty()) {
        html += "<div>" + (line.empty() ? "&nbsp;" : escape_html(line)) + "</div>\n";
        continue;
      }
      const bool first = placed_.insert(number).second, coded = code_.count(number) > 0;
      const std::string text = line.substr(0, line.rfind('('));
      html += "<div" + (first ? " id=\"eq" + number + "\"" : "") + "><span>" +
              escape_html(text.substr(0, text.find_last_not_of(' ') + 1)) + "</span><span class=\"number\">" +
              (coded ? link_to("code", number) : "(" + number + ")") + "</span></div>\n";
      if (first && coded) code += code_of(number);
    }
    return "<div class=\"formulas\">\n" + html + "</div>\n" + code;
  }

  std::string code_of(const std::string& number) const {
    std::string file,
        html = "<details class=\"code\" id=\"code" + number + "\"><summary>(" + number + ") in the code</summary>\n";
    for (const CodeLine& line : code_.at(number)) {
      if (line.file != file) html += (file.empty() ? "" : "</pre>\n") + ("<p>" + line.file + "</p>\n<pre>");
      file = line.file;
      html += pad(std::to_string(line.line), 4, Side::right) + "  " + with_links(line.text);
    }
    return html + "</pre></details>\n";
  }

  // Returns what stands where the README shows a picture: that of the run, unless it is the answer to a prediction and
  // comes with it; without a run the one that the README shows, if it is a picture of ours.
  std::string picture_at(const std::string& target) {
    const std::string name = fs::path(target).stem().string();
    for (auto& [part, result] : results_)
      if (part < turned(0) && has_picture(result, name)) return take_picture(result, name);
    const std::string svg = contents_of(lesson_.folder / target);
    return svg.starts_with("<svg ") ? "<figure>" + plot::without_style(svg) + "</figure>\n" : "";
  }

  // Returns the table of the run with the same head.
  std::string table(const Block& block) {
    std::vector<std::string> head;
    for (const std::string& cell : block.rows[0]) head.push_back(markdown::plain(cell));
    const auto found = results_.find(part_);
    return found == results_.end() ? "" : take_table(found->second, head);
  }

  // Returns the field of a prediction behind the paragraph that begins with "Predict". What follows in the section folds
  // until it is used.
  std::string behind(const Block& block) {
    if (block.kind == Kind::heading && block.level == 2) part_ = part_of(markdown::plain(block.text));
    const auto found = results_.find(part_);
    if (block.kind != Kind::paragraph || !block.text.starts_with("**Predict") || found == results_.end()) return "";
    const std::string form = take_prediction(found->second);
    folds_[part_] += !form.empty();
    return form.empty() ? "" : form + std::string(fold_of_answer);
  }

  const Lesson& lesson_;
  Stored& results_;
  std::map<std::string, std::vector<CodeLine>> code_;
  std::set<std::string> numbers_, placed_;
  std::map<int, int> folds_;  // by the part
  int part_ = -1;             // of the section that is being written
  std::string html_;
};

// A section of the page: a heading of the second level and what follows it.
struct Section {
  std::string title, anchor, html;
};

// Cuts the text before each heading of the second level; what stands before the first is section 0. No text can hold
// such a line, since it is escaped.
std::vector<Section> sections_of(const std::vector<Block>& blocks, const std::string& html) {
  std::vector<Section> sections(1);
  const std::string mark = "<h2 id=\"";
  std::size_t from = 0;
  for (const Block& block : blocks) {
    if (block.kind != Kind::heading || block.level != 2) continue;
    const std::size_t at = html.find("\n" + mark, from) + 1, name = at + mark.size();
    sections.back().html = html.substr(from, at - from);
    sections.push_back({markdown::plain(block.text), html.substr(name, html.find('"', name) - name), ""});
    from = at;
  }
  sections.back().html = html.substr(from);
  return sections;
}

// Counts the words of a page that stand open: not those of folds, unless a prediction unfolds them, of pictures and forms.
std::size_t open_words(std::string_view html) {
  std::size_t words = 0;
  std::vector<bool> hidden{false};
  while (!html.empty()) {
    if (html[0] == '<') {
      const std::string_view tag = html.substr(0, html.find('>'));
      for (const std::string_view kind : {"details", "svg", "form"}) {
        if (tag.substr(1).starts_with(kind))
          hidden.push_back(hidden.back() || !tag.starts_with("<details class=\"found"));
        if (tag.substr(1).starts_with("/") && tag.substr(2) == kind) hidden.pop_back();
      }
      html.remove_prefix(std::min(tag.size() + 1, html.size()));
    }
    const std::string_view word = html.substr(0, html.find_first_of("< \n"));
    words += !hidden.back() && word.find_first_not_of("!\"#$%&'()*+,-./:;=>?@[\\]^_`{|}~") != word.npos;
    html.remove_prefix(word.size());
    html.remove_prefix(html.empty() || html[0] == '<' ? 0 : 1);
  }
  return words;
}

std::string contents(const Lesson& lesson, const std::vector<Section>& sections, const Stored& results,
                     std::size_t words) {
  std::string html = "<nav aria-label=\"contents\">\n<p><a href=\"../index.html\">The course</a></p>\n<ol>\n";
  for (const Section& section : sections) {
    if (section.title.empty()) continue;
    const int part = part_of(section.title);
    const std::string item = part < 0                   ? "aside"
                             : results.count(part) == 0 ? "open\" title=\"not run"
                             : fails(results.at(part))  ? "fails\" title=\"a claim fails"
                                                        : "holds\" title=\"all claims hold";
    html +=
        "<li class=\"" + item + "\"><a href=\"#" + section.anchor + "\">" + escape_html(section.title) + "</a></li>\n";
  }
  html += "</ol>\n";
  if (words > 0) html += join("<p>The core has ", words, " words, ", (words + 109) / 110, " minutes.</p>\n");
  html += "<p>";
  for (const int other : {lesson.number - 1, lesson.number + 1})
    if (other >= 1 && other <= 6)
      html += join("<a href=\"../lesson", other, "/index.html\">", other < lesson.number ? "← " : "", "Lesson ", other,
                   other > lesson.number ? " →" : "", "</a> ");
  return html + "</p>\n</nav>\n";
}

std::string whole(const std::string& title, const std::string& nav, const std::string& main) {
  return join("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", escape_html(title),
              "</title>\n<style>\n", style, plot::svg_style, "</style></head>\n<body><div class=\"page\">\n", nav,
              "<main>\n", main, "</main>\n</div>\n<script>\n", script, "</script></body></html>\n");
}

}  // namespace

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string of_lesson(const Lesson& lesson, Stored results) {
  std::string title = lesson.title, main;
  std::vector<Section> sections;
  std::set<int> shown{exercises};
  std::size_t words = 0;  // up to the answer
  try {
    const std::vector<Block> blocks =
        markdown::read(lesson.folder.empty() ? "" : contents_of(lesson.folder / "README.md"));
    markdown::html(blocks, {});  // for its errors, before anything is taken out of the results
    Text text(lesson, blocks, results);
    if (!blocks.empty()) title = markdown::plain(blocks[0].text);
    else main = "<h1>" + escape_html(title) + "</h1>\n";
    sections = sections_of(blocks, text.html());
    for (const Section& section : sections) {
      main += section.html;
      const int part = section.title == "Exercises" ? exercises : part_of(section.title);
      if (section.title == "The answer") words = open_words(main);
      if (part < 0) continue;
      shown.insert({part, turned(part), knobs_of(part)});
      const std::string missing =
          part == exercises ? join("checked yet: <code>make exercise", lesson.number)
                            : join("run yet: <code>make lesson", lesson.number, " ARGS=\"--part ", part, "\"");
      main += results.count(part) > 0 ? results[part] : "<p class=\"command\">Not " + missing + "</code></p>\n";
      main += text.end_of(part);
      if (const auto panel = results.find(knobs_of(part)); panel != results.end())
        main += panel->second + join("<div id=\"turned", part, "\">\n", results[turned(part)], "</div>\n");
    }
  } catch (const markdown::Error& error) {
    main = "<h1>" + escape_html(title) + "</h1>\n<p>README.md cannot be shown: " + escape_html(error.what()) + "</p>\n";
  }
  for (const auto& [part, html] : results)
    if (shown.count(part) == 0) main += join("<h2>Part ", part, "</h2>\n", html);
  return whole(title, contents(lesson, sections, results, words), main);
}

std::string of_run(const std::string& title, const std::string& html) {
  return whole(title, "", "<h1>" + escape_html(title) + "</h1>\n" + html);
}

// ---------------------------------------------------------------------------------------------------------- the course

// Returns what a lesson's page says in words: its parts, the seconds that they took, its claims and exercises.
static std::string in_words(Stored results) {
  constexpr std::string_view mark = "<span class=\"seconds\">", exercise = "<li id=\"exercise";
  std::size_t done = 0, all = 0;
  for (const std::string& line : lines_of(results[exercises])) {
    all += line.starts_with(exercise);
    done += line.starts_with(exercise) && line.find("class=\"holds\"") != line.npos;
  }
  results.erase(results.lower_bound(exercises), results.end());  // and what was turned
  double seconds = 0;
  int failing = 0;
  for (const auto& [part, html] : results) {
    failing += fails(html);
    if (const std::size_t at = html.find(mark); at != std::string::npos)
      seconds += decimal_number(html.substr(at + mark.size(), html.find('<', at + 1) - at - mark.size())).value_or(0);
  }
  const std::string claims = failing == 0 ? "all claims hold" : join("claims fail in ", failing, " of them");
  return (results.empty() ? "not run yet"
                          : join(results.size(), results.size() == 1 ? " part" : " parts", " run in ",
                                 fixed(seconds, 1), " s; ", claims)) +
         (all == 0 ? "" : join("; ", done, " of ", all, " exercises done"));
}

std::string of_course(const std::string& program, const fs::path& out) {
  constexpr const char* pictures[] = {"variance", "sizes", "floor", "pentagon", "eigenvectors", "seeds"};
  std::string html =
      "<p>Six lessons, each with its text, its code and what it found on this machine. "
      "<code>make lessons</code> runs them all, <code>make progress</code> shows the exercises.</p>\n";
  for (int lesson = 1; lesson <= 6; ++lesson) {
    const fs::path folder = lesson_folder(program, lesson);
    const std::string name = join("lesson", lesson), page = contents_of(out / name / "index.html"),
                      picture = contents_of(out / name / join(pictures[lesson - 1], ".svg")),
                      readme = folder.empty() ? "" : contents_of(folder / "README.md"),
                      title = escape_html(readme.starts_with("# ") ? readme.substr(2, readme.find('\n') - 2)
                                                                   : join("Lesson ", lesson));
    html += "<h2>" + (page.empty() ? title : "<a href=\"" + name + "/index.html\">" + title + "</a>") + "</h2>\n" +
            "<p class=\"command\">" + in_words(stored_results(page)) + ": <code>make " + name + "</code></p>\n";
    if (!picture.empty()) html += "<figure>" + plot::without_style(picture) + "</figure>\n";
  }
  return of_run("How neural networks compute", html);
}

// --------------------------------------------------------------------------------------------------------------- knobs

static std::string control(const knob::Knob& knob) {
  using Kind = knob::Knob::Kind;
  const auto attribute = [](const std::string& name, std::string_view value) {
    return " " + name + "=\"" + escape_html(value) + "\"";
  };
  const auto slider = [&](double value, const std::string& what) {
    const auto at = [&](const char* name, double number) { return attribute(name, significant(number, 6)); };
    return "<input type=\"range\"" + at("min", knob.travel.low) + at("max", knob.travel.high) +
           at("step", knob.travel.step) + at("value", value) + attribute("aria-label", what) + ">";
  };
  const std::string name = attribute("name", knob.name) + attribute("aria-label", knob.name);
  const auto field = [&](const std::string& more) {  // holds the value, as one types it
    return "<input" + name + attribute("value", knob.standard()) + more + " autocomplete=\"off\" spellcheck=\"false\">";
  };
  std::string html;
  switch (knob.kind) {
    case Kind::real:
    case Kind::whole:
      return slider(knob.usual[0], std::string(knob.name)) + field(" size=\"7\" inputmode=\"decimal\"");
    case Kind::choice:
      for (const std::string_view choice : knob.choices)
        html += (choice == knob.standard() && choice != knob.choices[0] ? "<option selected>" : "<option>") +
                escape_html(choice) + "</option>";
      return "<select" + name + ">" + html + "</select>";
    case Kind::numbers:
      for (std::size_t k = 0; k < knob.count; ++k) html += slider(knob.usual[k], join(knob.name, ", number ", k + 1));
      return html + field(join(" size=\"", 4 + 3 * knob.count, "\""));
    case Kind::cells:
      return field(" size=\"20\"" + attribute("data-side", std::to_string(knob.count)));
    case Kind::file:
      return "<textarea" + name + " rows=\"3\" data-file></textarea>";
    case Kind::text:
    case Kind::toggle:  // a lesson's, not a part's
      break;
  }
  return html;
}

std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs) {
  std::string html = join("<form class=\"knobs\" id=\"knobs", part, "\" data-lesson=\"", lesson, "\" data-part=\"",
                          part, "\"", knobs.empty() ? " hidden" : "", ">\n");
  std::string call = join("make lesson", lesson, " ARGS=\"--part ", part);
  if (!knobs.empty()) html += "<p><b>Turn it.</b> " + escape_html(question) + "</p>\n";
  for (const knob::Knob* one : knobs) {
    html += "<div><span><code>" + one->flag() + "</code> " + escape_html(one->meaning) + "</span> " + control(*one) +
            "</div>\n";
    if (!one->standard().empty()) call += " " + one->flag() + " " + escape_html(one->standard());
  }
  return html + "<p class=\"buttons\"></p>\n<p class=\"command\"><code class=\"call\">" + call +
         "\"</code></p>\n</form>\n";
}

}  // namespace page
