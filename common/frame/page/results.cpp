// SPDX-License-Identifier: MIT
#include "common/frame/page/results.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/frame/files/file.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/plot/plot.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;

constexpr const char* statuses[] = {"holds", "fails", "open"};

// In a file each piece stands behind a line with its kind and name, which no text can hold, since
// it is escaped.
constexpr const char* kinds[] = {"run", "text", "picture", "table", "prediction", "claim"};
constexpr std::string_view begin_mark = "<!-- ", end_mark = " -->", last_line = "<!-- end -->\n";

// Puts an attribute into the first tag, before the first of these characters.
void put_into(std::string& html, const std::string& attribute, const char* before = " >") {
  html.insert(std::min(html.find_first_of(before), html.size()), attribute);
}

}  // namespace

std::string figure_of(const std::string& svg) {
  return join("<figure>", with_fills(plot::without_style(svg)), "</figure>\n");
}

void Result::add(Piece::Kind kind, const std::string& name, const std::string& html) {
  pieces.push_back({kind, name, html});
}

void Result::add(const Table& table) { add(Piece::Kind::table, name_of(table.head), table.html()); }

void Result::add(const Claim& claim) {
  constexpr const char* signs[] = {"✓", "✗", "–"};
  const auto k = std::size_t(claim.status);
  add(Piece::Kind::claim, statuses[k],
      join("<li class=\"", statuses[k], "\"><b>", signs[k], "</b> ", escape_html(claim.statement),
           " <span>", escape_html(claim.figure), "</span></li>\n"));
}

void Result::picture(const std::string& name, const std::string& svg) {
  add(Piece::Kind::picture, name, figure_of(svg));
}

void Result::predict(const std::string& question, const std::string& answer, double low,
                     double high) {
  add(Piece::Kind::prediction, "",
      join("<form class=\"predict\" data-answer=\"", escape_html(answer), "\" data-low=\"",
           significant(low, 9), "\" data-high=\"", significant(high, 9),
           "\"><label><b>Predict.</b> ", escape_html(question),
           " <input size=\"9\" autocomplete=\"off\"></label> <button>Look</button> ",
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
      pieces.erase(piece);
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

Result exercises_found(const std::vector<CheckedExercise>& checked, const Result& before) {
  constexpr const char* words[] = {"✓ done", "✗ not right yet", ""};
  Result result;
  for (const auto& [number, verdict] : checked)
    result.add(Piece::Kind::text, number,
               verdict ? words[std::size_t(*verdict)] : before.of(Piece::Kind::text, number));
  return result;
}

std::string text_of(const Result& result) {
  std::string text;
  const auto write = [&](Piece::Kind kind, const std::string& name, const std::string& html) {
    text += join(begin_mark, kinds[std::size_t(kind)], " ", name, end_mark, "\n", html, "\n");
  };
  write(Piece::Kind::run, significant(result.seconds, 17), result.command);
  for (const auto& [kind, name, html] : result.pieces) write(kind, name, html);
  return text.append(last_line);
}

std::optional<Result> result_in(const std::string& text) {
  if (!text.ends_with(last_line)) return std::nullopt;
  std::vector<Piece> pieces;
  std::istringstream lines(text.substr(0, text.size() - last_line.size()));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin_mark)) {
      const std::size_t kind = begin_mark.size(), name = line.find(' ', kind) + 1,
                        end = std::max(line.rfind(end_mark), name);
      const auto place =
          std::find(std::begin(kinds), std::end(kinds), line.substr(kind, name - 1 - kind));
      if (place == std::end(kinds)) return std::nullopt;
      pieces.push_back({Piece::Kind(place - kinds), line.substr(name, end - name), ""});
    } else if (pieces.empty()) {
      return std::nullopt;
    } else {
      pieces.back().html += line + "\n";
    }
  }
  const auto seconds = decimal_number(pieces.empty() ? "" : pieces[0].name);
  if (!seconds) return std::nullopt;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const bool is_run = pieces[k].kind == Piece::Kind::run;
    if (pieces[k].html.empty() || is_run != (k == 0)) return std::nullopt;
    pieces[k].html.pop_back();  // the line break behind it
  }
  return Result{pieces[0].html, *seconds, {pieces.begin() + 1, pieces.end()}};
}

void store(const std::string& folder, const Results& results) {
  const fs::path own = fs::path(folder) / "results";
  fs::create_directories(own);
  for (const auto& [name, result] : results)
    write_file((own / (name + ".html")).string(), text_of(result));
}

Results stored(const std::string& folder) {
  Results results;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "results", ignored)) {
    if (entry.path().extension() != ".html" || !entry.is_regular_file(ignored)) continue;
    if (const std::optional<Result> result = result_in(contents_of(entry.path().string())))
      results[entry.path().stem().string()] = *result;
  }
  return results;
}

void name_pieces(const std::string& part, Result& result) {
  int tables = 0;
  for (auto& [kind, name, html] : result.pieces) {
    if (kind == Piece::Kind::picture) put_into(html, join(" id=\"picture-", name, "\""));
    if (kind == Piece::Kind::table)
      put_into(html, join(" id=\"table-", part, "-", ++tables, "\""), ">");
  }
}

static std::string list_of_claims(const Result& result) {
  std::string items;
  for (const Piece& piece : result.pieces)
    if (piece.kind == Piece::Kind::claim) items += piece.html;
  return items.empty() ? "" : join("<ul class=\"claims\">\n", items, "</ul>\n");
}

std::string fold_of(const std::string& part, const Result& result) {
  std::string pieces, ends;
  for (const auto& [kind, name, html] : result.pieces) {
    if (kind != Piece::Kind::claim) pieces += html;
    if (kind != Piece::Kind::prediction) continue;
    pieces += fold_of_answer;
    ends += "</details>\n";
  }
  const std::string checked = in_words(result);
  const std::string summary = checked.empty() ? "What the program found" : "Checked: " + checked;
  const std::string open = result.count(Claim::Status::fails) > 0 ? " open" : "";
  const std::string seconds = fixed(result.seconds, result.seconds < 10 ? 1 : 0);
  return join("<details class=\"run\" data-part=\"", part, "\"", open, ">\n<summary>", summary,
              "</summary>\n", pieces, ends, list_of_claims(result),
              "<p class=\"command\">found by <code>", result.command,
              "</code> in <span class=\"seconds\">", seconds, "</span> s</p>\n</details>\n");
}

std::string shown_by_bench(Result result) {
  const std::string first = result.take(Piece::Kind::picture);
  std::string rest;
  for (const Piece& piece : result.pieces)
    if (piece.kind != Piece::Kind::claim) rest += piece.html;
  return join("<div class=\"turned\" data-command=\"", result.command,
              "\">\n<div class=\"shown\">\n", first, "</div>\n<div class=\"says\">\n", rest,
              "<details><summary>Checked: ", in_words(result), "</summary>\n",
              list_of_claims(result), "</details>\n</div>\n</div>\n");
}

}  // namespace page
