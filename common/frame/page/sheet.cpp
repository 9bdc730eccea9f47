// A lesson's questions on paper: predictions and derivations with room to write, and on pages of
// their own the answers.
// SPDX-License-Identifier: MIT
#include "common/frame/files/file.hpp"
#include "common/frame/page/readme.hpp"
#include "common/frame/text/words.hpp"

namespace page {
namespace {

using formula::Asked, formula::Derivation;
using markdown::Block;

std::string room_for(const std::string& what) { return join("<p class=\"room\">", what, "</p>\n"); }

std::string heading_of(const Derivation& d) {
  return join("<h3>", d.number, " ", escape_html(d.title), ", ", d.minutes, " minutes</h3>\n");
}

std::string questions_of(const Derivation& d) {
  std::string html, before = heading_of(d) + given(d);
  for (const Asked& asked : d.asked) {
    const std::string question =
        asked.question.empty() ? "" : join("<p>", escape_html(asked.question), "</p>\n");
    html += join("<div class=\"ask\">\n", std::exchange(before, ""), question,
                 room_for(asked_for(asked)), "</div>\n");
  }
  return html;
}

// A paragraph of the README that asks for a prediction, and what the program found, if it ran.
struct Prediction {
  std::string section, question, found;
};

// Returns what stands behind name=" in a tag.
std::string attribute_of(const std::string& html, const std::string& name) {
  const std::string mark = name + "=\"";
  const std::size_t at = html.find(mark);
  return at == html.npos
             ? ""
             : html.substr(at + mark.size(), html.find('"', at + mark.size()) - at - mark.size());
}

std::string answer_in(const std::string& field, int lesson, int part) {
  const std::string answer = attribute_of(field, "data-answer"),
                    low = attribute_of(field, "data-low"), high = attribute_of(field, "data-high");
  if (answer.empty())
    return join("<code>make lesson", lesson, " ARGS=\"--part ", part, "\"</code> finds it");
  const auto rounded = [](const std::string& number) {
    return significant(decimal_number(number).value_or(0), 3);
  };
  return join("<b>", answer, "</b>",
              low == high ? "" : join("; ", rounded(low), " to ", rounded(high), " counts"));
}

std::vector<Prediction> predictions_in(const LessonPage& lesson, Results results) {
  std::vector<Prediction> all;
  markdown::Complaints ignored;  // the lesson's page has them
  std::string section;
  const std::string readme = contents_of(lesson.folder + "/README.md");
  for (const Block& block : markdown::read(readme, ignored)) {
    if (block.kind == markdown::Kind::heading && block.level == 2)
      section = markdown::title(block.text);
    if (block.kind != markdown::Kind::paragraph || !block.text.starts_with("**Predict")) continue;
    const int part = part_of(section);
    const std::string field = results[join(part)].take(Piece::Kind::prediction);
    all.push_back(
        {section, markdown::html({block}, {}, ignored), answer_in(field, lesson.number, part)});
  }
  return all;
}

}  // namespace

std::string of_sheet(const LessonPage& lesson, const Results& results) {
  std::string questions, answers;
  const auto add = [&](const std::string& title) {
    questions += join("<h2>", title, "</h2>\n");
    answers += join("<h2>", title, "</h2>\n");
  };
  const std::vector<Prediction> predictions = predictions_in(lesson, results);
  if (!predictions.empty()) add("Predictions");
  for (const auto& [section, question, found] : predictions) {
    const std::string title = join("<h3>", escape_html(section), "</h3>\n");
    questions += join("<div class=\"ask\">\n", title, question, room_for(""), "</div>\n");
    answers += join(title, "<p>", found, ".</p>\n");
  }
  if (!lesson.derivations.empty()) add("Derivations");
  for (const Derivation& one : lesson.derivations) {
    questions += questions_of(one);
    answers += join("<div class=\"told\">\n", heading_of(one), told(one), "</div>\n");
  }
  const std::string title = join("Lesson ", lesson.number, " on paper");
  return document(title, "",
                  join("<h1>", title, "</h1>\n", room_for("Name"), questions,
                       "<div class=\"answers\">\n<h2>Answers to lesson ", lesson.number, "</h2>\n",
                       answers, "</div>\n"));
}

}  // namespace page
