// SPDX-License-Identifier: MIT
#include "common/page/results.hpp"

#include <algorithm>
#include <cstdint>

#include "common/support/words.hpp"

namespace page {
namespace {

// Lines of their own. No text can hold one, since it is escaped.
std::string first_line(int part, State state) {
  return "<!-- part " + std::to_string(part) + (state == State::fails ? " fails" : " holds") + " -->\n";
}
constexpr std::string_view last_line = "<!-- end of part -->\n";

std::string item(const Claim& claim) {
  constexpr const char* marks[] = {"✓", "✗", "–"};
  constexpr const char* classes[] = {"holds", "fails", "open"};
  const auto verdict = static_cast<std::size_t>(claim.verdict);
  return "<li class=\"" + std::string(classes[verdict]) + "\"><b>" + marks[verdict] + "</b> " +
         escape_html(claim.statement) + " <span>" + escape_html(claim.figure) + "</span></li>\n";
}

std::string list_of_claims(const Result& result) {
  std::string failing, others;
  for (const Claim& claim : result.claims) (claim.verdict == Claim::Verdict::fails ? failing : others) += item(claim);
  const std::size_t held = result.count(Claim::Verdict::holds), failed = result.count(Claim::Verdict::fails);
  const std::size_t open = result.claims.size() - held - failed;
  std::string html;
  if (!failing.empty()) html += "<ul class=\"claims\">\n" + failing + "</ul>\n";
  if (others.empty()) return html;
  std::string line;
  if (held + failed > 0) line = join(held, " of ", held + failed, held + failed == 1 ? " claim holds" : " claims hold");
  if (open > 0) line += join(line.empty() ? "" : "; ", open, " shown, but not claimed under these flags");
  return html + "<details class=\"claims\"><summary>" + line + "</summary>\n<ul>\n" + others + "</ul></details>\n";
}

}  // namespace

std::size_t Result::count(Claim::Verdict verdict) const {
  return std::size_t(
      std::count_if(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.verdict == verdict; }));
}

void Result::predict(const std::string& question, const std::string& answer) {
  ++predictions;
  html += "<form class=\"predict\" data-answer=\"" + escape_html(answer) + "\"><label><b>Predict.</b> " +
          escape_html(question) + " <input inputmode=\"decimal\" size=\"9\" autocomplete=\"off\"></label> " +
          "<button>Look</button> <output></output></form>\n<details class=\"found\"><summary>What the program found" +
          "</summary>\n";
}

std::string stored(int part, const Result& result) {
  const State state = result.count(Claim::Verdict::fails) > 0 ? State::fails : State::holds;
  std::string folds;
  for (int fold = 0; fold < result.predictions; ++fold) folds += "</details>\n";
  return first_line(part, state) + "<section class=\"run\" aria-label=\"what the program found\">\n" + result.html +
         folds + list_of_claims(result) + "<p class=\"command\">found by <code>" + escape_html(result.command) +
         "</code></p>\n</section>\n" + std::string(last_line);
}

std::map<int, std::string> stored_results(std::string_view page) {
  std::map<int, std::string> found;
  for (int part = 0; part < 100; ++part)
    for (const State state : {State::holds, State::fails}) {
      const std::size_t from = page.find("\n" + first_line(part, state));
      if (from == std::string_view::npos) continue;
      const std::size_t end = page.find("\n" + std::string(last_line), from);
      if (end != std::string_view::npos)
        found[part] = std::string(page.substr(from + 1, end + last_line.size() - from));
    }
  return found;
}

State state_of(std::string_view stored) {
  if (stored.empty()) return State::not_run;
  return stored.find(" fails -->\n") < stored.find('\n') ? State::fails : State::holds;
}

}  // namespace page
