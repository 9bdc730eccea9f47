// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

using knob::Knob;

std::string attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + escape_html(value) + "\"";
}

std::string named(const Knob& knob) { return attribute("name", knob.name) + attribute("aria-label", knob.name); }

// The field that holds the value, as one types it.
std::string field(const Knob& knob, const std::string& more) {
  return "<input" + named(knob) + attribute("value", knob.standard()) + more +
         " autocomplete=\"off\" spellcheck=\"false\">";
}

std::string slider(const Knob& knob, std::string_view value, std::string_view what) {
  return "<input type=\"range\"" + attribute("min", significant(knob.travel.low, 6)) +
         attribute("max", significant(knob.travel.high, 6)) + attribute("step", significant(knob.travel.step, 6)) +
         attribute("value", value) + attribute("aria-label", what) + ">";
}

std::string control(const Knob& knob) {
  std::string html;
  switch (knob.kind) {
    case Knob::Kind::real:
    case Knob::Kind::whole:
      return slider(knob, knob.standard(), knob.name) + field(knob, " size=\"7\" inputmode=\"decimal\"");
    case Knob::Kind::choice:
      for (const std::string_view choice : knob.choices)
        html += (choice == knob.standard() && choice != knob.choices[0] ? "<option selected>" : "<option>") +
                escape_html(choice) + "</option>";
      return "<select" + named(knob) + ">" + html + "</select>";
    case Knob::Kind::numbers:
      for (std::size_t k = 0; k < knob.count; ++k)
        html += slider(knob, significant(knob.usual[k], 6), join(knob.name, ", number ", k + 1));
      return html + field(knob, join(" size=\"", 4 + 3 * knob.count, "\""));
    case Knob::Kind::cells:
      return field(knob, " size=\"20\"" + attribute("data-side", std::to_string(knob.count)));
    case Knob::Kind::file:
      return "<textarea" + named(knob) + " rows=\"3\" data-file></textarea>";
    case Knob::Kind::text:
    case Knob::Kind::toggle:  // a lesson's, not a part's
      break;
  }
  return html;
}

}  // namespace

std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs) {
  std::string html = join("<form class=\"knobs\" id=\"knobs", part, "\" data-lesson=\"", lesson, "\" data-part=\"",
                          part, "\"", knobs.empty() ? " hidden" : "", ">\n");
  std::string call = join("make lesson", lesson, " ARGS=\"--part ", part);
  if (!knobs.empty()) html += "<p><b>Turn it.</b> " + escape_html(question) + "</p>\n";
  for (const Knob* one : knobs) {
    html += "<div><span><code>" + one->flag() + "</code> " + escape_html(one->meaning) + "</span> " + control(*one) +
            "</div>\n";
    if (!one->standard().empty()) call += " " + one->flag() + " " + escape_html(one->standard());
  }
  return html + "<p class=\"buttons\"></p>\n<p class=\"command\"><code class=\"call\">" + call +
         "\"</code></p>\n</form>\n";
}

}  // namespace page
