// The form in which a derivation is answered, line by line.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/frame/page/page.hpp"
#include "common/frame/text/words.hpp"

namespace page {
namespace {

using formula::Asked, formula::Derivation;

// Returns the names that a line may use. Of layers it has their letter, Z_l for Z_1 and Z_2, and
// the indices beside it.
std::vector<std::string> names_of(const Derivation& d) {
  const bool by_layers = std::any_of(d.asked.begin(), d.asked.end(),
                                     [](const Asked& a) { return a.name.ends_with("_l"); });
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!formula::contains(names, name)) names.push_back(name);
  };
  const auto add_layers = [&](const std::string& name) {
    const std::size_t low = name.find('_');
    if (!by_layers || low == name.npos) return add(name);
    add(name.substr(0, low) + "_l");
  };
  for (const auto& [name, value] : d.start.values)
    if (name != "R") add_layers(name);
  const std::vector<std::string>& order = d.gradients().order();
  for (const std::string& name : order)
    if (name != "loss") add_layers(name);
  if (order.size() > 1) add("d" + order[order.size() - 2]);
  for (const Asked& one : d.asked)
    if (one.question.empty()) add_layers(one.name);
  if (by_layers) {
    add("_(l-1)");
    add("_(l+1)");
  }
  return names;
}

std::string key(const std::string& text) {
  return join("<button type=\"button\" tabindex=\"-1\" data-key=\"", escape_html(text), "\">",
              escape_html(text), "</button> ");
}

// Buttons for what a keyboard lacks, and for the names.
std::string keys_of(const Derivation& d) {
  const std::vector<std::string> names = names_of(d);
  if (names.empty()) return "";
  std::set<std::string> used;
  for (const formula::Line& line : d.program.lines)
    for (const formula::Equation& e : line.equations) used.merge(formula::names_in(e));
  std::string html;
  const bool of_matrices = !d.program.lines.empty();
  if (of_matrices)
    for (const char* sign : {"ᵀ", "·", "⊙", "Σ", "column sums of "}) html += key(sign);
  if (used.count("φ") > 0) html += key("φ(") + key("φ'(");
  if (used.count("σ") > 0 || used.count("swish") > 0) html += key("σ(");
  for (const std::string& name : names) html += key(name);
  return join("<p class=\"keys\" tabindex=\"-1\" role=\"group\" aria-label=\"signs and names\">",
              html, "</p>\n");
}

// An answer that is a word and no symbol: slope.
bool is_word(const Asked& asked) { return !asked.question.empty() && asked.name.size() > 3; }

std::string field_of(const Asked& asked) {
  const std::string name = escape_html(asked.name);
  const std::string question =
      asked.question.empty() ? "" : join("<p>", escape_html(asked.question), "</p>\n");
  return join("<div class=\"ask\">", question, "<label>", asked_for(asked), " <input name=\"", name,
              "\" aria-label=\"", name,
              " =\" autocomplete=\"off\" autocapitalize=\"none\" spellcheck=\"false\"></label>\n",
              "<div class=\"echo\"></div><output></output></div>\n");
}

// Returns " = 0.36" behind 1 - 0.8², and nothing behind what is no number, or one already.
std::string value_of(const formula::Node& right) {
  if (right.kind == formula::Kind::number) return "";
  try {
    const formula::Value value = formula::Scope()(right);
    return value.is_number() ? " = " + significant(value.numbers[0], 4) : "";
  } catch (const formula::Error&) {  // of what the forward lines make
    return "";
  }
}

// Returns our answer, with its value if that is a number.
std::string answer_of(const Derivation& d, const formula::Answer& answer) {
  const Asked* asked = d.find(answer.name);
  const formula::Node& right = answer.line.sides.back();
  const std::string line = asked && is_word(*asked)
                               ? join(asked_for(*asked), " ", formula::mathml(right))
                               : formula::mathml(answer.line);
  return line + value_of(right);
}

}  // namespace

std::string given(const Derivation& d) {
  const auto& values = d.gradients().values().values;
  std::string html, shapes;
  for (const formula::Line& line : d.program.lines)
    for (const formula::Equation& e : line.equations) {
      const auto value = values.find(formula::name_on_left(e));
      const bool has_shape = value != values.end() && !value->second.is_number();
      html += join("<div class=\"line\"><span class=\"math\"><span>", formula::mathml(e), "</span>",
                   "</span><span class=\"note\">",
                   has_shape ? formula::to_text(value->second.shape) : "", "</span></div>\n");
    }
  if (html.empty()) return "";
  for (const auto& [name, value] : d.start.values) {
    const std::string is = value.is_number() ? " = " + significant(value.numbers[0])
                                             : " is " + formula::to_text(value.shape);
    shapes += (shapes.empty() ? "" : ", ") + name + is;
  }
  return join("<div class=\"formulas\">\n", html, "<p class=\"note\">", escape_html(shapes),
              ".</p></div>\n");
}

std::string asked_for(const Asked& asked) {
  const std::string words = escape_html(replaced(asked.name, "_", " "));
  return (is_word(asked) ? words : formula::mathml(formula::expression(asked.name))) + " =";
}

std::string told(const Derivation& d) {
  std::string html;
  for (const formula::Answer& answer : formula::answers_of(d)) {
    const std::string reason =
        answer.reason.empty()
            ? ""
            : join("<p class=\"note\">", escape_html(sentence(answer.reason)), "</p>");
    html += join("<div class=\"line\"><span class=\"math\"><span>", answer_of(d, answer),
                 "</span></span></div>", reason, "\n");
  }
  return join("<div class=\"formulas\">\n", html, "</div>");
}

std::string form_of(const Derivation& d, Place place) {
  std::string rows;
  for (const Asked& one : d.asked) rows += field_of(one);
  const bool alone = place == Place::alone;
  return join("<form class=\"derive\" id=\"derive", d.number, "\" data-number=\"", d.number,
              "\"><p><b>Exercise ", d.number, "</b> ", escape_html(d.title), ", ", d.minutes,
              " minutes. <span class=\"home\">In a terminal: <code>make derive", d.number,
              "</code></span></p>\n", alone ? given(d) : "", rows, keys_of(d),
              "<p><button>Check</button></p>\n<details class=\"told\"><summary>Show me</summary>\n",
              told(d), "</details>\n</form>\n");
}

}  // namespace page
