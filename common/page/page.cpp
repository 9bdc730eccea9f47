// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "common/page/markdown.hpp"
#include "common/plot/plot.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;
using markdown::Block;
using markdown::Kind;

std::string link_to(const std::string& anchor, const std::string& number) {
  return "<a href=\"#" + anchor + number + "\">(" + number + ")</a>";
}

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

// The text of a README as HTML, with the run's pictures, tables and predictions in their places.
class Text {
 public:
  Text(const Lesson& lesson, const std::vector<Block>& blocks, std::map<int, std::string>& results)
      : lesson_(lesson), results_(results), code_(numbered_code(lesson.folder)) {
    collect(blocks);
    markdown::Hooks hooks;
    hooks.equation = [&](const std::string& number) {
      return numbers_.count(number) > 0 ? link_to("eq", number) : "(" + number + ")";
    };
    hooks.image = [&](const std::string& target, const std::string&) { return picture_at(target); };
    hooks.code = [&](const Block& block) { return block.language.empty() ? formulas(block) : code(block); };
    hooks.table = [&](const Block& block) { return table(block); };
    hooks.behind = [&](const Block& block) { return behind(block); };
    html_ = markdown::html(blocks, hooks);
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
    std::size_t end = 0;
    for (const Reference& reference : references(line)) {
      if (numbers_.count(reference.number) == 0) continue;
      html += escape_html(line.substr(end, reference.at - end)) + link_to("eq", reference.number);
      end = reference.at + reference.size;
    }
    return html + escape_html(line.substr(end)) + "\n";
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
      const std::string text = line.substr(0, references(line).back().at);
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
  std::map<int, std::string>& results_;
  NumberedCode code_;
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

std::string contents(const Lesson& lesson, const std::vector<Section>& sections,
                     const std::map<int, std::string>& results) {
  constexpr const char *classes[] = {"open", "holds", "fails"},
                       *said[] = {"not run", "all claims hold", "a claim fails"};
  std::string html = "<nav aria-label=\"contents\">\n<p><a href=\"../index.html\">The course</a></p>\n<ol>\n";
  for (const Section& section : sections) {
    if (section.title.empty()) continue;
    const int part = part_of(section.title);
    const auto state = std::size_t(results.count(part) == 0 ? State::not_run : state_of(results.at(part)));
    const std::string item = part < 0 ? "aside" : join(classes[state], "\" title=\"", said[state]);
    html +=
        "<li class=\"" + item + "\"><a href=\"#" + section.anchor + "\">" + escape_html(section.title) + "</a></li>\n";
  }
  html += "</ol>\n<p>";
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

std::string of_lesson(const Lesson& lesson, std::map<int, std::string> results) {
  std::string title = lesson.title, main;
  std::vector<Section> sections;
  std::set<int> shown{exercises};
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
      if (part < 0) continue;
      shown.insert({part, turned(part), knobs_of(part)});
      if (results.count(part) > 0) main += results[part];
      else if (part == exercises)
        main += join("<p class=\"command\">Not checked yet: <code>make exercise", lesson.number, "</code></p>\n");
      else
        main += join("<p class=\"command\">Not run yet: <code>make lesson", lesson.number, " ARGS=\"--part ", part,
                     "\"</code></p>\n");
      main += text.end_of(part);
      if (const auto panel = results.find(knobs_of(part)); panel != results.end())
        main += panel->second + join("<div id=\"turned", part, "\">\n", results[turned(part)], "</div>\n");
    }
  } catch (const markdown::Error& error) {
    main = "<h1>" + escape_html(title) + "</h1>\n<p>README.md cannot be shown: " + escape_html(error.what()) + "</p>\n";
  }
  for (const auto& [part, html] : results)
    if (shown.count(part) == 0) main += join("<h2>Part ", part, "</h2>\n", html);
  return whole(title, contents(lesson, sections, results), main);
}

std::string of_run(const std::string& title, const std::string& html) {
  return whole(title, "", "<h1>" + escape_html(title) + "</h1>\n" + html);
}

}  // namespace page
