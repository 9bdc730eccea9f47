// The text of a README as HTML: formulas, code, pictures, tables and predictions in their places.
// SPDX-License-Identifier: MIT
#include "common/frame/page/readme.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>

#include "common/frame/files/file.hpp"

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

// Returns the numbers in a comment; "(6.4) to (6.2)" are three.
std::vector<std::string> numbers_in(std::string_view comment) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < comment.size(); ++at) {
    const std::string number = reference(comment.substr(at));
    if (number.empty()) continue;
    if (!numbers.empty() && comment.substr(0, at).ends_with(") to ")) {
      const auto [from, to] =
          std::minmax({std::stoi(numbers.back().substr(2)), std::stoi(number.substr(2))});
      for (int between = from + 1; between < to; ++between)
        numbers.push_back(join(number.substr(0, 2), between));
    }
    numbers.push_back(number);
  }
  return numbers;
}

struct CodeLine {
  std::string file;
  std::size_t line;  // counted from 1
  std::string text;
};

using Code = std::map<std::string, std::vector<CodeLine>>;  // by an equation's number

// Tells whether a statement ends with this line, or none stands in it.
bool ends_statement(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  const std::size_t last = code.find_last_not_of(' ');
  return last == code.npos || std::string(";{}:").find(code[last]) != code.npos;
}

void add_statements(const fs::path& file, Code& code) {
  const std::vector<std::string> lines = lines_of(contents_of(file.string()));
  std::size_t first = 0;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::string& line = lines[at];
    if (at > 0 && ends_statement(lines[at - 1])) first = at;
    const std::size_t comment = line.find("//");
    if (comment == line.npos || line.find_first_not_of(' ') == comment) continue;
    for (const std::string& equation : numbers_in(line.substr(comment)))
      for (std::size_t k = first; k <= at; ++k) {
        const CodeLine one{file.filename().string(), k + 1, lines[k]};
        std::vector<CodeLine>& all = code[equation];
        if (all.empty() || all.back().file != one.file || all.back().line <= k) all.push_back(one);
      }
  }
}

// Reads the top of a lesson's folder, in the order of files and lines.
Code numbered_code(const fs::path& lesson) {
  std::set<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(lesson, ignored))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      files.insert(entry.path());
  Code code;
  for (const fs::path& file : files) add_statements(file, code);
  return code;
}

std::string link_to(const std::string& anchor, const std::string& number) {
  return join("<a href=\"#", anchor, number, "\">(", number, ")</a>");
}

std::vector<std::string> pieces_of(const std::string& text, const std::string& separator) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = std::min(text.find_first_not_of(" " + separator, at), text.size());
    at = std::min(text.find_first_of(separator, from), text.size());
    if (from < at) pieces.push_back(text.substr(from, at - from));
  }
  return pieces;
}

// The text of a README as HTML, with what the run found in its places.
class Text {
 public:
  Text(const LessonPage& lesson, const std::vector<Block>& blocks, Results& results,
       markdown::Complaints& complaints)
      : lesson_(lesson),
        blocks_(blocks),
        results_(results),
        complaints_(complaints),
        code_(numbered_code(lesson.folder)) {
    collect(blocks);
  }

  ReadText read() {
    markdown::html(blocks_,
                   {.image = std::bind_front(&Text::picture_at, this),
                    .equation = std::bind_front(&Text::link_or_number, this),
                    .code = std::bind_front(&Text::listed, this),
                    .table = std::bind_front(&Text::table, this),
                    .keep = std::bind_front(&Text::keep, this)},
                   complaints_);
    return {sections_, other_derivations(), listing()};
  }

 private:
  // Returns the derivations that the text does not ask for, folded, for the end of the exercises.
  std::string other_derivations() const {
    std::string html;
    for (const formula::Derivation& one : lesson_.derivations)
      if (derived_.count(one.number) == 0)
        html += join("<details class=\"other\"><summary>", one.number, " ", escape_html(one.title),
                     ", ", one.minutes, " minutes</summary>\n", form_of(one, Place::alone),
                     "</details>\n");
    return html;
  }

  // Returns the code of the equations, for the end of the page; a number fetches it.
  std::string listing() const {
    std::string html;
    for (const std::string& number : placed_) {
      const auto lines = code_.find(number);
      if (lines == code_.end()) continue;
      const std::string mark = results_["equations"].of(Piece::Kind::text, number);
      html += join("<details class=\"code\" id=\"code", number, "\"><summary>(", number,
                   ") in the code", mark.empty() ? "" : "; ", mark, "</summary>\n");
      std::string file;
      for (const CodeLine& line : lines->second) {
        if (line.file != file)
          html += join(file.empty() ? "" : "</pre>\n", "<p>", line.file, "</p>\n<pre>");
        file = line.file;
        html += join(pad(join(line.line), 4, Side::right), "  ", with_links(line.text));
      }
      html += "</pre></details>\n";
    }
    if (html.empty()) return "";
    return join("<h2 id=\"listing\">The code of the equations</h2>\n<div id=\"listings\">\n", html,
                "</div>\n");
  }

  void collect(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      collect(block.children);
      if (block.kind == Kind::table && block.rows[0][0] == "symbol")
        for (std::size_t r = 1; r < block.rows.size(); ++r)
          explain(markdown::title(block.rows[r][0]), markdown::title(block.rows[r].back()));
      if (block.kind != Kind::code || !holds_formulas(block)) continue;
      for (const std::string& line : lines_of(block.text))
        numbers_.insert(formula::number_at_end(line));
    }
    numbers_.erase("");
  }

  // Notes what each of "W1, b1; W2" means: semicolons part as many meanings.
  void explain(const std::string& symbols, const std::string& meanings) {
    const std::vector<std::string> groups = pieces_of(symbols, ";"),
                                   means = pieces_of(meanings, ";");
    const bool paired = groups.size() == means.size();
    for (std::size_t k = 0; k < groups.size(); ++k)
      for (const std::string& name : pieces_of(groups[k], ","))
        means_[name] = paired ? join(groups[k], ": ", means[k]) : join(symbols, ": ", meanings);
  }

  std::string link_or_number(const std::string& number) const {
    return numbers_.count(number) > 0 ? link_to("eq", number) : join("(", number, ")");
  }

  std::string with_links(std::string_view line) const {
    std::string html;
    for (std::size_t at = 0; at < line.size();) {
      const std::string number = reference(line.substr(at));
      html += number.empty() ? escape_html(line.substr(at, 1)) : link_or_number(number);
      at += number.empty() ? 1 : number.size() + 2;
    }
    return html + "\n";
  }

  static std::string as_code(const std::string& text) {
    return join("<code>", escape_html(text), "</code>");
  }

  // What stands in a language of programs, or is drawn, is no formula.
  static bool holds_formulas(const Block& block) {
    return block.language.empty() || block.language == "hand";
  }

  std::string listed(const Block& block) {
    if (holds_formulas(block)) return formulas(block);
    std::string html;
    for (const std::string& line : lines_of(block.text))
      html += block.language == "cpp" ? with_links(line) : escape_html(line) + "\n";
    return join("<pre><code>", html, "</code></pre>\n");
  }

  // Returns formulas set as mathematics, and what their symbols mean.
  std::string formulas(const Block& block) {
    std::string html, meanings;
    std::set<std::string> symbols;
    for (const std::string& text : lines_of(block.text))
      if (!text.empty()) html += formula_line(text, symbols);
    for (const std::string& name : symbols) {
      const auto meaning = means_.find(name);
      if (meaning == means_.end()) continue;
      const std::string says = join("<p>", escape_html(meaning->second), "</p>");
      if (meanings.find(says) == meanings.npos) meanings += says;
    }
    if (!meanings.empty())
      meanings =
          join("<details class=\"means\"><summary aria-label=\"what the symbols mean\">?</summary>",
               meanings, "</details>\n");
    return join("<div class=\"formulas\">\n", html, meanings, "</div>\n");
  }

  // Returns a formula with its notes and its number in columns, an anchor at its first place. What
  // is no formula stays text. Adds its symbols.
  std::string formula_line(const std::string& text, std::set<std::string>& symbols) {
    const std::string number = formula::number_at_end(text);
    std::string shown, notes;
    try {
      const formula::Line line = formula::line(text);
      for (const formula::Equation& one : line.equations) {
        shown += join("<span>", formula::mathml(one), "</span> ");
        symbols.merge(formula::names_in(one));
      }
      for (const std::string& note : line.notes)
        notes += (notes.empty() ? "" : ", ") + escape_html(note);
      if (line.equations.empty() && number.empty()) shown = as_code(text);
    } catch (const formula::Error&) {
      const std::size_t end = number.empty() ? text.size() : text.rfind('(');
      shown = as_code(text.substr(0, text.find_last_not_of(' ', end - 1) + 1));
    }
    std::string anchor, link;
    if (!number.empty())
      link = code_.count(number) > 0 ? link_to("code", number) : join("(", number, ")");
    if (!number.empty() && !formula::contains(placed_, number)) {
      placed_.push_back(number);
      anchor = join(" id=\"eq", number, "\"");
    }
    return join("<div class=\"line\"", anchor, "><span class=\"math\">", shown,
                "</span><span class=\"note\">", notes, "</span><span class=\"number\">", link,
                "</span></div>\n");
  }

  // Returns the run's picture, or the README's, if it is ours, with words for those who do not
  // see it. The first, before all sections, gives way to the bench that opens the lesson, if the
  // page can turn that.
  std::string picture_at(const std::string& target, const std::string& words) {
    const bool opens = part_ < 0 && !std::exchange(has_opened_, true);
    const std::string opening = opens ? opening_bench(results_) : "";
    const std::string still = still_at(target, words);
    return opening.empty() ? still : join(opening, "<div class=\"still\">", still, "</div>\n");
  }

  std::string still_at(const std::string& target, const std::string& words) {
    std::string figure;
    const std::string fold = std::exchange(drawing_, false) ? begin_fold() : "";
    for (auto& [name, result] : results_)
      if (figure.empty() && !name.ends_with(".bench"))
        figure = result.take(Piece::Kind::picture, fs::path(target).stem().string());
    if (figure.empty()) {
      const std::string svg = contents_of(join(lesson_.folder, "/", target));
      if (!svg.starts_with("<svg ")) return fold;
      figure = figure_of(svg);
    }
    if (words.empty()) return figure + fold;
    return join(figure, fold, "<p class=\"said\">", escape_html(words), "</p>\n");
  }

  // Returns the run's table with the same head; that of exercises says how far the reader is.
  std::string table(const Block& block) {
    if (block.rows[0][0] == "exercise") return exercises_of(block);
    std::vector<std::string> head;
    for (const std::string& cell : block.rows[0]) head.push_back(markdown::title(cell));
    return result().take(Piece::Kind::table, name_of(head));
  }

  std::string exercises_of(Block table) const {
    for (std::vector<std::string>& row : table.rows)
      row.push_back(results_["exercises"].of(Piece::Kind::text, row[0]));
    table.rows[0].back() = "yours";
    return markdown::html({table}, {}, complaints_);
  }

  Result& result() { return results_[join(part_)]; }

  // Adds a block to its section, which a heading of level 2 begins, and what is asked behind it.
  void keep(const Block& block, const std::string& html) {
    if (block.kind == Kind::heading && block.level == 2) {
      const std::string title = markdown::title(block.text);
      const std::size_t name = html.find('"') + 1;
      sections_.push_back({title, html.substr(name, html.find('"', name) - name)});
      part_ = part_of(title);
    }
    sections_.back().html += html;
    if (block.kind == Kind::paragraph) sections_.back().html += asked_behind(block);
  }

  // Returns a field behind "Predict" and "Exercise 3.2: derive", until whose use the rest is
  // folded; where the run has not asked, the fold alone. Behind "Draw" the rest is folded from the
  // chart on, whose curves the reader draws first.
  std::string asked_behind(const Block& block) {
    std::string form;
    drawing_ = block.text.starts_with("**Draw");
    const bool predicts = block.text.starts_with("**Predict");
    sections_.back().asks |= drawing_ || predicts;
    if (drawing_) return "<form class=\"draw\"><button>Compare</button></form>\n";
    if (predicts) form = result().take(Piece::Kind::prediction);
    if (block.text.starts_with("**Exercise "))
      form = derive(block.text.substr(11, block.text.find(':', 11) - 11));
    if (!predicts && form.empty()) return "";
    return form + begin_fold();
  }

  // The section ends it.
  std::string begin_fold() {
    sections_.back().ends += "</details>\n";
    return std::string(fold_of_answer);
  }

  std::string derive(const std::string& number) {
    for (const formula::Derivation& one : lesson_.derivations)
      if (one.number == number && derived_.insert(number).second)
        return form_of(one, Place::in_text);
    return "";
  }

  const LessonPage& lesson_;
  const std::vector<Block>& blocks_;
  Results& results_;
  markdown::Complaints& complaints_;
  Code code_;
  std::map<std::string, std::string> means_;
  std::set<std::string> numbers_;
  std::vector<std::string> placed_;              // numbers of the equations that the text has shown
  std::vector<Section> sections_ = {Section{}};  // the first has no heading
  bool drawing_ = false;                         // until the next picture
  bool has_opened_ = false;                      // with the first picture, before any section
  std::set<std::string> derived_;                // numbers of derivations that the text asks for
  int part_ = -1;                                // of the current section
};

}  // namespace

int part_of(const std::string& title) {
  const std::size_t end = title.find_first_not_of("0123456789");
  const bool numbered = end > 0 && end < 5 && title[end] == '.';
  return numbered ? std::stoi(title) : -1;
}

ReadText read_text(const LessonPage& lesson, const std::vector<Block>& blocks, Results& results,
                   markdown::Complaints& complaints) {
  return Text(lesson, blocks, results, complaints).read();
}

}  // namespace page
