// SPDX-License-Identifier: MIT
#include "common/page/results.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/files/file.hpp"
#include "common/plot/plot.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;

constexpr const char* statuses[] = {"holds", "fails", "open"};

// By kind: its name in a file, where an asked prediction is one as any other, and what its HTML
// begins with, so that an attribute can be put into it.
constexpr std::string_view predicts = "<form class=\"predict\"";
constexpr const char* kinds[] = {"text", "picture", "table", "prediction", "claim", "prediction"};
constexpr std::string_view beginnings[] = {"",       "<figure", "<div class=\"wide\"",
                                           predicts, "",        predicts};

// Lines of their own. No text can hold one, since it is escaped.
constexpr std::string_view begin_mark = "<!-- ", end_mark = " -->", last_line = "<!-- end -->\n";

// Puts a result between the comments by which common/web/shell.js finds it in the page that it had
// made: a bench under 100 and its part.
std::string between_comments(int number, const std::string& html) {
  return join("<!-- part ", number, " found -->\n", html, "<!-- end of part -->\n");
}

std::string item(const std::string& id, Claim::Status status, const std::string& what,
                 const std::string& said) {
  constexpr const char* signs[] = {"✓", "✗", "–"};
  const auto k = std::size_t(status);
  return join("<li ", id, "class=\"", statuses[k], "\"><b>", signs[k], "</b> ", escape_html(what),
              " <span>", escape_html(said), "</span></li>\n");
}

std::string list_of_claims(const Result& result) {
  std::string items;
  for (const Piece& piece : result.pieces)
    if (piece.kind == Piece::Kind::claim) items += piece.html;
  return items.empty() ? "" : "<ul class=\"claims\">\n" + items + "</ul>\n";
}

// Writes a piece, and reads it: a mark, and what follows up to the next one.
std::string marked(const std::string& kind, const std::string& name, const std::string& html) {
  return join(begin_mark, kind, " ", name, end_mark, "\n", html, "\n");
}

struct Marked {
  std::string kind, name, html;
};

std::vector<Marked> marked_in(const std::string& text) {
  std::vector<Marked> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin_mark)) {
      if (all.empty()) return {};
      all.back().html += line + "\n";
      continue;
    }
    const std::size_t kind = begin_mark.size(), name = line.find(' ', kind) + 1;
    const std::size_t end = std::max(line.rfind(end_mark), name);
    all.push_back({line.substr(kind, name - 1 - kind), line.substr(name, end - name), ""});
  }
  return all;
}

// Returns the number before the ending of a file's name, -1 where it has another form.
int part_of(const std::string& name, const std::string& ending) {
  const std::string digits = name.substr(0, name.find('.'));
  const bool numbered = !digits.empty() && digits.size() < 3 &&
                        digits.find_first_not_of("0123456789") == std::string::npos;
  return numbered && name == digits + ending ? std::stoi(digits) : -1;
}

}  // namespace

void Result::add(Piece::Kind kind, const std::string& name, const std::string& html) {
  pieces.push_back({kind, name, html});
}

void Result::add(const Table& table) { add(Piece::Kind::table, name_of(table.head), table.html()); }

void Result::add(const Claim& claim) {
  add(Piece::Kind::claim, statuses[std::size_t(claim.status)],
      item("", claim.status, claim.statement, claim.figure));
}

void Result::picture(const std::string& name, const std::string& svg) {
  add(Piece::Kind::picture, name, "<figure>" + plot::without_style(svg) + "</figure>\n");
}

void Result::film(const std::string& name, const std::string& parameter,
                  const std::vector<std::string>& labels, const std::vector<std::string>& frames) {
  const std::size_t last = frames.size() - 1;
  std::string html = "<figure class=\"film\">\n";
  for (std::size_t k = 0; k < frames.size(); ++k)
    html += join("<div", k == last ? " class=\"now\"" : "", " data-label=\"",
                 escape_html(labels[k]), "\">", plot::without_style(frames[k]), "</div>\n");
  html +=
      join("<p><button type=\"button\" aria-pressed=\"false\">Play</button> <label>",
           escape_html(parameter), " <input type=\"range\" min=\"0\" max=\"", last, "\" value=\"",
           last, "\"></label> <output>", escape_html(labels.back()), "</output></p></figure>\n");
  add(Piece::Kind::picture, name, html);
}

void Result::predict(const std::string& question, const std::string& answer, double low,
                     double high) {
  add(Piece::Kind::prediction, "",
      join(
          predicts, " data-answer=\"", escape_html(answer), "\" data-low=\"", significant(low, 9),
          "\" data-high=\"", significant(high, 9), "\"><label><b>Predict.</b> ",
          escape_html(question),
          " <input inputmode=\"decimal\" size=\"9\" autocomplete=\"off\"></label> <button>Look</button> ",
          "<button value=\"pass\">I don't know</button> <output></output></form>\n"));
}

std::size_t Result::count(Claim::Status status) const {
  const auto is_one = [&](const Piece& piece) {
    return piece.kind == Piece::Kind::claim && piece.name == statuses[std::size_t(status)];
  };
  return std::size_t(std::count_if(pieces.begin(), pieces.end(), is_one));
}

std::string Result::of(Piece::Kind kind, const std::string& name) const {
  for (const Piece& piece : pieces)
    if (piece.kind == kind && piece.name == name) return piece.html;
  return "";
}

std::string Result::take(Piece::Kind kind, const std::string& name) {
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    if (piece->kind == kind && (name.empty() || piece->name == name)) {
      const std::string html = piece->html;
      if (kind == Piece::Kind::prediction) piece->kind = Piece::Kind::asked;
      else pieces.erase(piece);
      return html;
    }
    if (piece->kind == Piece::Kind::prediction) break;
  }
  return "";
}

std::string name_of(const std::vector<std::string>& head) {
  std::string name;
  for (const std::string& cell : head) name += escape_html(one_line(cell)) + "|";
  return name;
}

std::string in_words(const Result& result) {
  const std::size_t held = result.count(Claim::Status::holds),
                    failed = result.count(Claim::Status::fails),
                    open = result.count(Claim::Status::open);
  std::string line;
  if (held + failed > 0)
    line = join(held, " of ", held + failed, held + failed == 1 ? " claim holds" : " claims hold");
  if (open > 0)
    line += join(line.empty() ? "" : "; ", open, " shown, but not claimed under these flags");
  return line;
}

Result equations_found(const std::map<std::string, std::string>& marks) {
  Result result;
  for (const auto& [number, mark] : marks) result.add(Piece::Kind::text, number, escape_html(mark));
  return result;
}

// An exercise is an item of a list, and what a table says of it.
Result exercises_found(const std::vector<CheckedExercise>& checked, const Result& before) {
  constexpr const char* words[] = {"done", "not right yet", "not started"};
  constexpr const char* in_table[] = {"✓ done", "✗ not right yet", ""};
  Result result;
  for (const CheckedExercise& one : checked) {
    const Claim::Status status = one.verdict.value_or(Claim::Status::open);
    const auto k = std::size_t(status);
    std::string said = in_table[k], listed = before.of(Piece::Kind::claim, one.number);
    if (!one.verdict && !listed.empty()) said = before.of(Piece::Kind::text, one.number);
    else
      listed = item("id=\"exercise" + one.number + "\" ", status, one.number + " " + one.title,
                    words[k]);
    result.add(Piece::Kind::claim, one.number, listed);
    result.add(Piece::Kind::text, one.number, said);
  }
  return result;
}

// ------------------------------------------------------------------------------------ as files

std::string text_of(const Result& result) {
  std::string text = marked("run", significant(result.seconds, 17), result.command);
  for (const Piece& piece : result.pieces)
    text += marked(kinds[std::size_t(piece.kind)], piece.name, piece.html);
  return text.append(last_line);
}

std::optional<Result> result_in(const std::string& text) {
  if (!text.ends_with(last_line)) return std::nullopt;
  Result result;
  bool begun = false;
  for (auto& [kind, name, html] : marked_in(text.substr(0, text.size() - last_line.size()))) {
    if (!html.ends_with('\n')) return std::nullopt;
    html.pop_back();  // the line break behind each piece
    if (begun) {
      const std::size_t k =
          std::size_t(std::find(std::begin(kinds), std::end(kinds), kind) - std::begin(kinds));
      if (k == std::size(kinds) || !html.starts_with(beginnings[k])) return std::nullopt;
      result.add(Piece::Kind(k), name, html);
    } else {
      const std::optional<double> seconds = decimal_number(name);
      if (kind != "run" || !seconds) return std::nullopt;
      result.seconds = *seconds;
      result.command = html;
      begun = true;
    }
  }
  return begun ? std::optional(result) : std::nullopt;
}

void store(const std::string& folder, const Results& results) {
  const fs::path own = fs::path(folder) / "results";
  fs::create_directories(own);
  const auto write = [&](const std::string& name, const Result& result) {
    write_file((own / (name + ".html")).string(), text_of(result));
  };
  for (const auto& [part, result] : results.parts)
    if (part >= 0) write(join(part), result);
  for (const auto& [part, result] : results.benches) write(join(part, ".bench"), result);
  for (const auto& [name, result] : {std::pair{"knobs", &results.knobs},
                                     {"equations", &results.equations},
                                     {"exercises", &results.exercises}})
    if (!result->pieces.empty()) write(name, *result);
}

Results stored(const std::string& folder) {
  Results results;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "results", ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    const std::optional<Result> result = result_in(contents_of(entry.path().string()));
    if (!result) continue;
    const std::string name = entry.path().filename().string();
    const int part = part_of(name, ".html"), bench = part_of(name, ".bench.html");
    if (part >= 0) {
      results.parts[part] = *result;
      name_pieces(part, results.parts[part]);
    }
    if (bench >= 0) results.benches[bench] = *result;
    if (name == "knobs.html") results.knobs = *result;
    if (name == "equations.html") results.equations = *result;
    if (name == "exercises.html") results.exercises = *result;
  }
  return results;
}

// ------------------------------------------------------------------------------------- as HTML

void name_pieces(int part, Result& result) {
  int tables = 0;
  for (Piece& piece : result.pieces) {
    std::string anchor;
    if (piece.kind == Piece::Kind::picture) anchor = "picture-" + piece.name;
    if (piece.kind == Piece::Kind::table) anchor = join("table-", part, "-", ++tables);
    const std::size_t behind = beginnings[std::size_t(piece.kind)].size();
    if (!anchor.empty()) piece.html.insert(behind, " id=\"" + anchor + "\"");
  }
}

std::string fold_of(int part, const Result& result) {
  constexpr std::string_view unfolded =
      "<details class=\"found\" open><summary hidden>The answer, and what follows from it</summary>\n";
  std::string found, ends;
  for (const Piece& piece : result.pieces) {
    if (piece.kind == Piece::Kind::claim) continue;
    const bool asked = piece.kind == Piece::Kind::asked;
    found += asked ? "<form hidden" + piece.html.substr(5) : piece.html;
    if (!asked && piece.kind != Piece::Kind::prediction) continue;
    found += asked ? unfolded : fold_of_answer;
    ends += "</details>\n";
  }
  const std::string checked = in_words(result);
  return between_comments(
      part,
      join("<details class=\"run\" data-part=\"", part, "\"",
           result.count(Claim::Status::fails) > 0 ? " open" : "", ">\n<summary>",
           checked.empty() ? "What the program found" : "Checked: " + checked, "</summary>\n",
           found, ends, list_of_claims(result), "<p class=\"command\">found by <code>",
           result.command, "</code> in <span class=\"seconds\">",
           fixed(result.seconds, result.seconds < 10 ? 1 : 0), "</span> s</p>\n</details>\n"));
}

std::string shown_by_bench(int part, Result result) {
  const int number = 100 + part;
  const std::string first = result.take(Piece::Kind::picture), claims = list_of_claims(result);
  std::string rest;
  for (const Piece& piece : result.pieces)
    if (piece.kind != Piece::Kind::claim) rest += piece.html;
  return between_comments(
      number, join("<div class=\"turned\" data-part=\"", number, "\" data-command=\"",
                   result.command, "\">\n<div class=\"shown\">\n", first,
                   "</div>\n<div class=\"says\">\n", rest, "<details><summary>Checked: ",
                   in_words(result), "</summary>\n", claims, "</details>\n</div>\n</div>\n"));
}

}  // namespace page
