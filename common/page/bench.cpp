// A workbench: a picture and the knobs that turn it. Where a page holds the lesson's program,
// common/web/shell.js runs it; else the picture stays, with the command that turns it at home.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"
#include "common/text/words.hpp"

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

// Returns a knob as a row of meaning, slider and field; a list of numbers has a row for each.
std::string control(const knob::Knob& knob) {
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
  std::string html;
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
      for (std::size_t k = 0; k < knob.count; ++k) {
        const std::string entry =
            k < knob.choices.count ? std::string(knob.choices[k]) : join(k + 1);
        html += join("<span>", escape_html(entry), "</span> ",
                     slider(knob, knob.usual[k], join(meaning, ": ", entry)));
      }
      return row(join("<span class=\"wide\">", escape_html(meaning), "</span>", html, field("")),
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

std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs) {
  std::string rows, call = join("make lesson", lesson, " ARGS=\"--part ", part);
  for (const knob::Knob* one : knobs) {
    rows += control(*one);
    if (!one->standard().empty()) call += " " + one->flag() + " " + escape_html(one->standard());
  }
  return join(
      "<form class=\"knobs\" id=\"knobs", part, "\" data-lesson=\"", lesson, "\" data-part=\"",
      part, "\">\n", knobs.empty() ? "" : "<p class=\"asks\">" + escape_html(question) + "</p>\n",
      rows,
      "<p class=\"try\"></p>\n<p class=\"buttons\"></p>\n<details class=\"home\"><summary>The same at home</summary>",
      "<p class=\"command\"><code class=\"call\">", call,
      "\"</code> <button type=\"button\" class=\"copy\">Copy</button></p>",
      "<p class=\"command dead\">Sliders turn on the page that <code>make web</code> builds.</p></details>\n</form>\n");
}

std::string bench(int part, Results& results) {
  const std::string form = results["knobs"].of(Piece::Kind::text, join(part));
  if (form.empty()) return "";
  return join("<section class=\"bench\" id=\"bench", part, "\" aria-label=\"the workbench of part ",
              part, "\">\n", shown_by_bench(part, results[join(part, ".bench")]), form,
              "</section>\n");
}

}  // namespace page
