// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/page/page.hpp"
#include "common/plot/plot.hpp"
#include "common/text/words.hpp"

namespace page {
namespace {

// Lines of their own. No text can hold one, since it is escaped.
std::string first_line(int part, bool fails) {
  return join("<!-- part ", part, fails ? " fails" : " holds", " -->\n");
}
constexpr std::string_view last_line = "<!-- end of part -->\n";

std::string item(const std::string& id, Claim::Status verdict, const std::string& what,
                 const std::string& said) {
  constexpr const char *marks[] = {"✓", "✗", "–"}, *classes[] = {"holds", "fails", "open"};
  const auto k = std::size_t(verdict);
  return "<li " + id + "class=\"" + classes[k] + "\"><b>" + marks[k] + "</b> " + escape_html(what) +
         " <span>" + escape_html(said) + "</span></li>\n";
}

std::string list_of_claims(const Result& result) {
  std::string items;
  for (const Claim& claim : result.claims)
    items += item("", claim.verdict, claim.statement, claim.figure);
  return items.empty() ? "" : "<ul class=\"claims\">\n" + items + "</ul>\n";
}

// What can stand in the text instead of in the result, each with a name of its own on the page.
struct Piece {
  std::string_view kind, begin, end;  // of its HTML, before and after its name

  std::string start(std::string_view name) const { return join(begin, name, "\""); }
  std::string mark(std::string_view name) const { return join("<!-- ", kind, " ", name, " -->\n"); }
};
constexpr Piece a_picture{"picture", "<figure id=\"picture-", "</figure>\n"};
constexpr Piece a_table{"table", "<div class=\"wide\" id=\"table-", "</table></div>\n"};
constexpr std::string_view unnamed_table = "<div class=\"wide\">";

// Takes a piece out of a stored result; nothing where it has none of this name, and where a
// prediction folds it.
std::string take(std::string& stored, const Piece& piece, const std::string& name) {
  const std::size_t from = stored.find("\n" + piece.start(name)) + 1,
                    fold = stored.find(fold_of_answer);
  if (from == 0 || fold < from) return "";
  const std::size_t end = stored.find(piece.end, from) + piece.end.size();
  const std::string html = stored.substr(from, end - from);
  stored.replace(from, end - from, piece.mark(name));
  return html;
}

// Puts back the pieces of a kind that were taken out of a result, from wherever they stand in the
// page.
void put_back(std::string& stored, const Piece& piece, std::string_view page) {
  const std::string mark = join("\n<!-- ", piece.kind, " ");
  for (std::size_t at; (at = stored.find(mark)) != std::string::npos;) {
    const std::size_t name = at + mark.size(), end = stored.find(" -->\n", name);
    const std::size_t from = page.find(piece.start(stored.substr(name, end - name)));
    const std::size_t until = page.find(piece.end, from);
    const std::string_view html =
        until == page.npos ? "" : page.substr(from, until + piece.end.size() - from);
    stored.replace(at + 1, end + 5 - (at + 1), html);
  }
}

// What a prediction that stands in the text leaves behind: its field, hidden, and its fold, open.
constexpr std::string_view
    asks = "<form class=\"predict\"",
    asked = "<form hidden class=\"predict\"",
    unfolded =
        "<details class=\"found\" open><summary hidden>The answer, and what follows from it</summary>\n";

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
    text.replace(at, old.size(), by);
}

}  // namespace

std::size_t Result::count(Claim::Status verdict) const {
  return std::size_t(std::count_if(claims.begin(), claims.end(),
                                   [&](const Claim& claim) { return claim.verdict == verdict; }));
}

std::string in_words(const Result& result) {
  const std::size_t held = result.count(Claim::Status::holds),
                    failed = result.count(Claim::Status::fails);
  const std::size_t open = result.count(Claim::Status::open);
  std::string line;
  if (held + failed > 0)
    line = join(held, " of ", held + failed, held + failed == 1 ? " claim holds" : " claims hold");
  if (open > 0)
    line += join(line.empty() ? "" : "; ", open, " shown, but not claimed under these flags");
  return line;
}

void Result::picture(const std::string& name, const std::string& svg) {
  html += a_picture.start(name) + ">" + plot::without_style(svg) + "</figure>\n";
}

void Result::film(const std::string& name, const std::string& parameter,
                  const std::vector<std::string>& labels, const std::vector<std::string>& frames) {
  const std::size_t last = frames.size() - 1;
  html += a_picture.start(name) + " class=\"film\">\n";
  for (std::size_t k = 0; k < frames.size(); ++k)
    html += join("<div", k == last ? " class=\"now\"" : "", " data-label=\"",
                 escape_html(labels[k]), "\">", plot::without_style(frames[k]), "</div>\n");
  html +=
      join("<p><button type=\"button\" aria-pressed=\"false\">Play</button> <label>",
           escape_html(parameter), " <input type=\"range\" min=\"0\" max=\"", last, "\" value=\"",
           last, "\"></label> <output>", escape_html(labels.back()), "</output></p></figure>\n");
}

void Result::predict(const std::string& question, const std::string& answer, double low,
                     double high) {
  ++predictions;
  html += join(
      asks, " data-answer=\"", escape_html(answer), "\" data-low=\"", significant(low, 9),
      "\" data-high=\"", significant(high, 9), "\"><label><b>Predict.</b> ", escape_html(question),
      " <input inputmode=\"decimal\" size=\"9\" autocomplete=\"off\"></label> <button>Look</button> ",
      "<button value=\"pass\">I don't know</button> <output></output></form>\n", fold_of_answer);
}

// What a bench shows: the first picture, which stays in sight, and the rest. No piece has a name
// there.
static std::string turned_result(int part, const Result& result) {
  std::string rest = result.html, first;
  for (std::size_t at; (at = rest.find(a_picture.begin)) != rest.npos;) {
    const std::size_t name = at + std::string_view("<figure").size();
    rest.erase(name, rest.find('"', at + a_picture.begin.size()) + 1 - name);
    if (!first.empty()) continue;
    const std::size_t end = rest.find(a_picture.end, at) + a_picture.end.size();
    first = rest.substr(at, end - at);
    rest.erase(at, end - at);
  }
  return join("<div class=\"turned\" data-part=\"", part, "\" data-command=\"",
              escape_html(result.command), "\">\n<div class=\"shown\">\n", first,
              "</div>\n<div class=\"says\">\n", rest,
              "<details><summary>Checked: ", in_words(result), "</summary>\n",
              list_of_claims(result), "</details>\n</div>\n</div>\n");
}

std::string stored(int part, const Result& result) {
  const bool failing = result.count(Claim::Status::fails) > 0;
  if (part >= turned(0))
    return first_line(part, failing) + turned_result(part, result) + std::string(last_line);
  std::string found = result.html;  // with a name for each table, so that it can be taken
  int tables = 0;
  for (std::size_t at = 0; (at = found.find(unnamed_table, at)) != std::string::npos;)
    found.replace(at, unnamed_table.size(), a_table.start(join(part, "-", ++tables)) + ">");
  for (int fold = 0; fold < result.predictions; ++fold) found += "</details>\n";
  const std::string checked = in_words(result);
  return join(first_line(part, failing), "<details class=\"run\" data-part=\"", part, "\"",
              failing ? " open" : "", ">\n<summary>",
              checked.empty() ? "What the program found" : "Checked: " + checked, "</summary>\n",
              found, list_of_claims(result), "<p class=\"command\">found by <code>",
              escape_html(result.command), "</code> in <span class=\"seconds\">",
              fixed(result.seconds, result.seconds < 10 ? 1 : 0), "</span> s</p>\n</details>\n",
              last_line);
}

std::string stored(int part, const std::string& html) {
  return first_line(part, false) + html + std::string(last_line);
}

Stored stored_results(std::string_view page) {
  Stored found;
  for (int part = 0; part < knobs_of(99); ++part)
    for (const bool failing : {false, true}) {
      const std::size_t from = page.find("\n" + first_line(part, failing)),
                        end = page.find(join("\n", last_line), from);
      if (from == page.npos || end == page.npos) continue;
      std::string& stored = found[part] = page.substr(from + 1, end + last_line.size() - from);
      for (const Piece& piece : {a_picture, a_table}) put_back(stored, piece, page);
      replace_all(stored, asked, asks);
      replace_all(stored, unfolded, fold_of_answer);
    }
  return found;
}

bool fails(std::string_view stored) {
  return stored.substr(0, stored.find('\n')).ends_with(" fails -->");
}

std::string take_picture(std::string& stored, const std::string& name) {
  return take(stored, a_picture, name);
}

std::string take_table(std::string& stored, const std::vector<std::string>& head) {
  const std::string empty = Table{head, {}}.html(),
                    row = "\"" + empty.substr(unnamed_table.size() - 1);
  const std::size_t at = stored.find(row.substr(0, row.find("</table>")));
  const std::size_t from = stored.rfind(a_table.begin, at) + a_table.begin.size();
  return at == std::string::npos ? "" : take(stored, a_table, stored.substr(from, at - from));
}

std::string take_prediction(std::string& stored) {
  const std::size_t from = stored.find(join("\n", asks)) + 1,
                    fold = stored.find(fold_of_answer, from);
  if (from == 0 || fold == std::string::npos) return "";
  const std::string form = stored.substr(from, fold - from);
  stored.replace(fold, fold_of_answer.size(), unfolded);
  stored.replace(from, asks.size(), asked);
  return form;
}

std::string stored_equations(const std::map<std::string, std::string>& marks) {
  std::string items;
  for (const auto& [number, mark] : marks)
    items += "<li>" + number + " " + escape_html(mark) + "</li>\n";
  return stored(equations, "<ul hidden>\n" + items + "</ul>\n");
}

std::string stored_exercises(const std::vector<CheckedExercise>& checked, std::string_view before) {
  constexpr const char* words[] = {"done", "not right yet", "not started"};
  std::string items;
  for (const CheckedExercise& one : checked) {
    const Claim::Status verdict = one.verdict.value_or(Claim::Status::open);
    const std::string id = "id=\"exercise" + one.number + "\" ";
    const std::size_t from = before.find("<li " + id);
    if (!one.verdict && from != before.npos)
      items += before.substr(from, before.find('\n', from) + 1 - from);
    else items += item(id, verdict, one.number + " " + one.title, words[std::size_t(verdict)]);
  }
  return stored(exercises, "<ul class=\"claims\" hidden>\n" + items + "</ul>\n");
}

}  // namespace page
