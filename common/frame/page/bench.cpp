// A workbench: a picture and the knobs that turn it. Where a page holds the lesson's program,
// common/frame/web runs it; else the picture stays, with the command that turns it at home.
// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "common/frame/page/page.hpp"
#include "common/frame/text/words.hpp"

namespace page {
namespace {

std::string attribute(const std::string& name, std::string_view value) {
  return join(" ", name, "=\"", escape_html(value), "\"");
}

std::string slider(const knob::Knob& knob, double value, const std::string& meaning) {
  const auto at = [](const char* name, double number) {
    return attribute(name, significant(number, 6));
  };
  return join("<input type=\"range\"", at("min", knob.range.low), at("max", knob.range.high),
              at("step", knob.range.step), at("value", value), attribute("aria-label", meaning),
              ">");
}

std::string fold_of_others(const std::string& what, const std::string& rows) {
  return join("<details class=\"others\"><summary>", what, "</summary>\n", rows, "</details>\n");
}

// How much of a knob stands in sight: of a list of numbers the first alone, or all of them.
enum class Sight { first, all };

// Returns a knob as a row of meaning, slider and field; a list of numbers has a row for each.
std::string control(const knob::Knob& knob, Sight sight = Sight::all) {
  const std::string meaning(knob.meaning),
      label = join("<span>", escape_html(meaning), "</span> "),
      name = attribute("name", knob.name) + attribute("aria-label", meaning);
  const auto field = [&](const std::string& more) {  // holds the value, as you type it
    return join("<input", attribute("name", knob.name),
                attribute("aria-label", meaning + ", typed"), attribute("value", knob.standard()),
                more, " autocomplete=\"off\" spellcheck=\"false\">");
  };
  const auto row = [](const std::string& inner, const char* kind = "knob") {
    return join("<div class=\"", kind, "\">", inner, "</div>\n");
  };
  const auto entry = [&](std::size_t k) {  // of a list
    const std::string own = k < knob.choices.count ? std::string(knob.choices[k]) : join(k + 1);
    return join("<span>", escape_html(own), "</span> ",
                slider(knob, knob.usual[k], join(meaning, ": ", own)));
  };
  std::string html, others;
  using Kind = knob::Knob::Kind;
  switch (knob.kind) {
    case Kind::real:
    case Kind::whole:
      return row(join(label, slider(knob, knob.usual[0], meaning), field(" size=\"7\"")));
    case Kind::choice:
      for (const std::string_view choice : knob.choices) {
        const bool selected = choice == knob.standard() && choice != knob.choices[0];
        html += join("<option", selected ? " selected" : "", ">", escape_html(choice), "</option>");
      }
      return row(join(label, "<select", name, ">", html, "</select>"));
    case Kind::numbers:
      for (std::size_t k = 0; k < knob.count; ++k)
        if (k > 0 && sight == Sight::first) others += entry(k);
        else html += entry(k);
      html += others.empty() ? field("") : fold_of_others("Its other numbers", others + field(""));
      return row(join("<span class=\"wide\">", escape_html(meaning), "</span>", html),
                 "knob entries");
    case Kind::cells:
      return row(join(label, field(" size=\"12\"" + attribute("data-side", join(knob.count)))));
    case Kind::file:
      return row(join(label, "<textarea", name, " rows=\"3\" data-file></textarea>"));
    case Kind::text:
      return row(join(label, field(" size=\"24\"")));
    case Kind::toggle:  // a lesson's, not a part's
      break;
  }
  return html;
}

}  // namespace

std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs,
                  const knob::Knob* opening) {
  const std::string id = opening ? "-opening" : join(part);
  std::string rows, others, call = join("make lesson", lesson, " ARGS=\"--part ", part);
  for (const knob::Knob* one : knobs) {
    if (one == opening) rows += control(*one, Sight::first);
    else if (opening) others += control(*one);
    else rows += control(*one);
    if (!one->standard().empty()) call += " " + one->flag() + " " + escape_html(one->standard());
  }
  return join(
      "<form class=\"knobs\" id=\"knobs", id, "\" data-lesson=\"", lesson, "\" data-part=\"", part,
      "\" autocomplete=\"off\">\n",
      knobs.empty() ? "" : "<p class=\"asks\">" + escape_html(question) + "</p>\n", rows,
      others.empty() ? "" : fold_of_others("The other knobs", others),
      "<p class=\"try\"></p>\n<p class=\"buttons\"></p>\n<details class=\"home\"><summary>The same at home</summary>",
      "<p class=\"command\"><code class=\"call\">", call,
      "\"</code> <button type=\"button\" class=\"copy\">Copy</button></p>",
      "<p class=\"command dead\">Sliders turn on the page that <code>make web</code> builds.</p></details>\n</form>\n");
}

static std::string section_of(const Result& shown, const std::string& form,
                              const std::string& opens) {
  if (form.empty()) return "";
  return join("<section ", opens, ">\n", shown_by_bench(shown), form, "</section>\n");
}

std::string bench(int part, Results& results) {
  return section_of(results[join(part, ".bench")],
                    results["knobs"].of(Piece::Kind::text, join(part)),
                    join("class=\"bench\" id=\"bench", part,
                         "\" aria-label=\"the workbench of part ", part, "\""));
}

std::string opening_bench(Results& results) {
  for (const Piece& piece : results["knobs"].pieces) {
    if (!piece.name.starts_with(opening_name)) continue;
    const int part = std::atoi(piece.name.c_str() + opening_name.size());
    const Result& shown = results[join(part, ".bench")];
    if (shown.pieces.empty()) continue;  // not run yet
    return section_of(
        shown, piece.html,
        "class=\"bench opening\" id=\"opening\" aria-label=\"the lesson's opening picture\"");
  }
  return "";
}

}  // namespace page
