// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "common/page/equations.hpp"
#include "common/page/exercises.hpp"
#include "common/page/markdown.hpp"
#include "common/page/results.hpp"
#include "common/support/svg.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;
using markdown::Block;
using markdown::Kind;

std::string link_to(const std::string& anchor, const std::string& number) {
  return "<a href=\"#" + anchor + number + "\">(" + number + ")</a>";
}

// Returns a line of code as HTML in which the numbers of equations lead to them.
std::string with_links(std::string_view line, const std::set<std::string>& equations) {
  std::string html;
  std::size_t end = 0;
  for (const Reference& reference : references(line)) {
    if (equations.count(reference.number) == 0) continue;
    html += escape_html(line.substr(end, reference.at - end)) + link_to("eq", reference.number);
    end = reference.at + reference.size;
  }
  return html + escape_html(line.substr(end));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// Writes the fenced blocks of a README: formulas, one to a line with its number at the right margin, and behind them
// the lines of code that bear the number.
class Formulas {
 public:
  Formulas(const std::vector<Block>& blocks, NumberedCode code) : code_(std::move(code)) { collect(blocks); }

  const std::set<std::string>& numbers() const { return numbers_; }

  std::string html(const Block& block) {
    if (!block.language.empty()) {
      std::string html;
      for (const std::string_view line : lines_of(block.text)) html += with_links(line, numbers_) + "\n";
      return "<pre><code>" + html + "</code></pre>\n";
    }
    std::string formulas, code;
    for (const std::string_view line : lines_of(block.text)) {
      const std::string number = number_at_end(line);
      const bool first = !number.empty() && placed_.insert(number).second;
      formulas += formula(line, number, first);
      if (first) code += code_of(number);
    }
    return "<div class=\"formulas\">\n" + formulas + "</div>\n" + code;
  }

 private:
  void collect(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      collect(block.children);
      if (block.kind != Kind::code || !block.language.empty()) continue;
      for (const std::string_view line : lines_of(block.text)) numbers_.insert(number_at_end(line));
    }
    numbers_.erase("");
  }

  // A line, with its anchor where the number stands for the first time.
  std::string formula(std::string_view line, const std::string& number, bool first) const {
    if (number.empty()) return "<div>" + (line.empty() ? "&nbsp;" : escape_html(line)) + "</div>\n";
    std::string_view text = line.substr(0, references(line).back().at);
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    const std::string shown = code_.count(number) > 0 ? link_to("code", number) : "(" + number + ")";
    return "<div" + (first ? " id=\"eq" + number + "\"" : "") + "><span>" + escape_html(text) +
           "</span><span class=\"number\">" + shown + "</span></div>\n";
  }

  std::string code_of(const std::string& number) const {
    const auto found = code_.find(number);
    if (found == code_.end()) return "";
    std::string html =
        "<details class=\"code\" id=\"code" + number + "\"><summary>(" + number + ") in the code</summary>\n";
    std::string file;
    for (const CodeLine& line : found->second) {
      if (line.file != file) html += (file.empty() ? "" : "</pre>\n") + ("<p>" + line.file + "</p>\n<pre>");
      file = line.file;
      html += pad(std::to_string(line.line), 4, Side::right) + "  " + with_links(line.text, numbers_) + "\n";
    }
    return html + "</pre></details>\n";
  }

  NumberedCode code_;
  std::set<std::string> numbers_, placed_;
};

// A section of the page: a heading of the second level and what follows it.
struct Section {
  std::string title, anchor, html;
  int part = -1;  // the number that the title begins with
};

// Returns the number that the title of a section begins with, -1 if there is none.
int part_of(const std::string& title) {
  const std::size_t digits = title.find_first_not_of("0123456789");
  return digits > 0 && digits < title.size() && title[digits] == '.' ? std::stoi(title.substr(0, digits)) : -1;
}

// Cuts the text before each heading of the second level; what stands before the first is section 0. No text can hold
// such a line, since it is escaped.
std::vector<Section> sections_of(const std::vector<Block>& blocks, const std::string& html) {
  std::vector<Section> sections(1);
  const std::string_view mark = "<h2 id=\"";
  std::size_t from = 0;
  for (const Block& block : blocks) {
    if (block.kind != Kind::heading || block.level != 2) continue;
    const std::size_t at = html.find("\n" + std::string(mark), from) + 1;
    sections.back().html = html.substr(from, at - from);
    const std::size_t name = at + mark.size();
    const std::string title = markdown::plain(block.text);
    sections.push_back({title, html.substr(name, html.find('"', name) - name), "", part_of(title)});
    from = at;
  }
  sections.back().html = html.substr(from);
  return sections;
}

std::string not_run(int lesson, int part) {
  return "<p class=\"command\">Not run yet: <code>make lesson" + std::to_string(lesson) + " ARGS=\"--part " +
         std::to_string(part) + "\"</code></p>\n";
}

std::string not_checked(int lesson) {
  return "<p class=\"command\">Not checked yet: <code>make exercise" + std::to_string(lesson) + "</code></p>\n";
}

std::string contents(const Lesson& lesson, const std::vector<Section>& sections,
                     const std::map<int, std::string>& results) {
  constexpr const char *classes[] = {"open", "holds", "fails"},
                       *said[] = {"not run", "all claims hold", "a claim fails"};
  std::string html = "<nav aria-label=\"contents\">\n<p><a href=\"../index.html\">The course</a></p>\n<ol>\n";
  for (const Section& section : sections) {
    if (section.title.empty()) continue;
    std::string item = " class=\"aside\">";
    if (section.part >= 0) {
      const auto found = results.find(section.part);
      const auto state = static_cast<std::size_t>(found == results.end() ? State::not_run : state_of(found->second));
      item = " class=\"" + std::string(classes[state]) + "\" title=\"" + said[state] + "\">";
    }
    html += "<li" + item + "<a href=\"#" + section.anchor + "\">" + escape_html(section.title) + "</a></li>\n";
  }
  const auto neighbour = [](int number, const std::string& before, const std::string& behind) {
    const std::string name = "lesson" + std::to_string(number);
    return "<a href=\"../" + name + "/index.html\">" + before + "Lesson " + std::to_string(number) + behind + "</a> ";
  };
  html += "</ol>\n<p>";
  if (lesson.number > 1) html += neighbour(lesson.number - 1, "← ", "");
  if (lesson.number < 6) html += neighbour(lesson.number + 1, "", " →");
  return html + "</p>\n</nav>\n";
}

std::string whole(const std::string& title, const std::string& nav, const std::string& main) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_html(title) + "</title>\n<style>\n" + std::string(style) + std::string(plot::svg_style) +
         "</style></head>\n<body><div class=\"page\">\n" + nav + "<main>\n" + main + "</main>\n</div>\n<script>\n" +
         std::string(script) + "</script></body></html>\n";
}

// Returns what stands where the README shows a picture: that of the run, unless it is the answer to a prediction and
// comes with it; without a run the one that the README shows, if it is a picture of ours.
std::string picture_at(const Lesson& lesson, std::map<int, std::string>& results, const std::string& target) {
  const std::string name = fs::path(target).stem().string();
  for (auto& [part, result] : results)
    if (part < turned(0) && has_picture(result, name)) return take_picture(result, name);
  const std::string svg = contents_of(lesson.folder / target);
  return svg.starts_with("<svg ") ? "<figure>" + plot::without_style(svg) + "</figure>\n" : "";
}

// Puts into the text of a section what its part found: a table in the place of the README's with the same head; and the
// field of a prediction behind the paragraph that begins with "Predict". What follows in the section folds until it is
// used.
class Found {
 public:
  explicit Found(std::map<int, std::string>& results) : results_(results) {}

  std::string table(const Block& block) {
    std::vector<std::string> head;
    for (const std::string& cell : block.rows[0]) head.push_back(markdown::plain(cell));
    const auto found = results_.find(part_);
    return found == results_.end() ? "" : take_table(found->second, head);
  }

  std::string behind(const Block& block) {
    if (block.kind == Kind::heading && block.level == 2) part_ = part_of(markdown::plain(block.text));
    const auto found = results_.find(part_);
    if (block.kind != Kind::paragraph || !block.text.starts_with("**Predict") || found == results_.end()) return "";
    const std::string form = take_prediction(found->second);
    if (!form.empty()) ++folds_[part_];
    return form.empty() ? "" : form + std::string(fold_of_answer);
  }

  // What ends the folds that were begun in a section.
  std::string end_of(int part) {
    std::string html;
    for (int fold = 0; fold < folds_[part]; ++fold) html += "</details>\n";
    return html;
  }

 private:
  std::map<int, std::string>& results_;
  std::map<int, int> folds_;  // by the part
  int part_ = -1;             // of the section that is being written
};

}  // namespace

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string of_lesson(const Lesson& lesson, std::map<int, std::string> results) {
  std::string main;
  std::vector<Block> blocks;
  try {
    if (!lesson.folder.empty()) blocks = markdown::read(contents_of(lesson.folder / "README.md"));
    markdown::html(blocks, {});  // for its errors
  } catch (const markdown::Error& error) {
    main = "<p>README.md cannot be shown: " + escape_html(error.what()) + "</p>\n";
  }
  if (blocks.empty()) main = "<h1>" + escape_html(lesson.title) + "</h1>\n" + main;
  Formulas formulas(blocks, numbered_code(lesson.folder));
  markdown::Hooks hooks;
  hooks.equation = [&](const std::string& number) {
    return formulas.numbers().count(number) > 0 ? link_to("eq", number) : "(" + number + ")";
  };
  hooks.image = [&](const std::string& target, const std::string&) { return picture_at(lesson, results, target); };
  hooks.code = [&](const Block& block) { return formulas.html(block); };
  Found found_in(results);
  hooks.table = [&](const Block& block) { return found_in.table(block); };
  hooks.behind = [&](const Block& block) { return found_in.behind(block); };
  std::vector<Section> sections = sections_of(blocks, markdown::html(blocks, hooks));
  std::set<int> shown{exercises};
  for (const Section& section : sections) {
    main += section.html;
    const int part = section.title == "Exercises" ? exercises : section.part;
    if (part < 0) continue;
    shown.insert(part);
    const auto found = results.find(part);
    if (found != results.end()) main += found->second;
    else main += part == exercises ? not_checked(lesson.number) : not_run(lesson.number, part);
    main += found_in.end_of(part);
    if (const auto panel = results.find(knobs_of(part)); panel != results.end()) {
      shown.insert(knobs_of(part));
      main += panel->second + "<div id=\"turned" + std::to_string(part) + "\">\n" + results[turned(part)] + "</div>\n";
      shown.insert(turned(part));
    }
  }
  for (const auto& [part, html] : results)
    if (shown.count(part) == 0) main += "<h2>Part " + std::to_string(part) + "</h2>\n" + html;
  const std::string title = blocks.empty() ? lesson.title : markdown::plain(blocks[0].text);
  return whole(title, contents(lesson, sections, results), main);
}

std::string of_run(const std::string& title, const std::string& html) {
  return whole(title, "", "<h1>" + escape_html(title) + "</h1>\n" + html);
}

}  // namespace page
