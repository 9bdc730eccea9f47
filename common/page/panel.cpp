// SPDX-License-Identifier: MIT
#include "common/page/panel.hpp"

#include <algorithm>

#include "common/support/words.hpp"

namespace page {
namespace {

using knob::Knob;

std::string attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + escape_html(value) + "\"";
}

// The field that holds the value, as one types it.
std::string field(const Knob& knob, const std::string& more) {
  return "<input" + attribute("name", knob.name) + attribute("aria-label", knob.name) +
         attribute("value", knob.standard()) + more + " autocomplete=\"off\" spellcheck=\"false\">";
}

std::string slider(const Knob& knob, std::string_view value, std::string_view what) {
  return "<input type=\"range\"" + attribute("min", significant(knob.travel.low, 6)) +
         attribute("max", significant(knob.travel.high, 6)) + attribute("step", significant(knob.travel.step, 6)) +
         attribute("value", value) + attribute("aria-label", what) + ">";
}

std::string numbers(const Knob& knob) {
  std::string html;
  for (std::size_t k = 0; k < knob.count; ++k)
    html += slider(knob, significant(knob.usual[k], 6), join(knob.name, ", number ", k + 1));
  return html + field(knob, " size=\"" + std::to_string(4 + 3 * knob.count) + "\"");
}

std::string control(const Knob& knob) {
  switch (knob.kind) {
    case Knob::Kind::real:
    case Knob::Kind::whole:
      return slider(knob, knob.standard(), knob.name) + field(knob, " size=\"7\" inputmode=\"decimal\"");
    case Knob::Kind::choice: {
      std::string html = "<select" + attribute("name", knob.name) + attribute("aria-label", knob.name) + ">";
      for (const std::string_view choice : knob.choices)
        html += (choice == knob.standard() && choice != knob.choices[0] ? "<option selected>" : "<option>") +
                escape_html(choice) + "</option>";
      return html + "</select>";
    }
    case Knob::Kind::numbers:
      return numbers(knob);
    case Knob::Kind::cells:
      return field(knob, " size=\"20\"" + attribute("data-side", std::to_string(knob.count)));
    case Knob::Kind::file:
      return "<textarea" + attribute("name", knob.name) + attribute("aria-label", knob.name) +
             " rows=\"3\" data-file></textarea>";
    case Knob::Kind::text:
    case Knob::Kind::toggle:  // a lesson's, not a part's
      break;
  }
  return "";
}

}  // namespace

std::string panel(int lesson, int part, const std::string& question, const knob::Knobs& knobs) {
  const std::string number = std::to_string(part),
                    call = "make lesson" + std::to_string(lesson) + " ARGS=\"--part " + number;
  std::string html = "<form class=\"knobs\" id=\"knobs" + number + "\" data-lesson=\"" + std::to_string(lesson) +
                     "\" data-part=\"" + number + "\"" + (knobs.empty() ? " hidden" : "") + ">\n";
  if (!knobs.empty()) html += "<p><b>Turn it.</b> " + escape_html(question) + "</p>\n";
  for (const Knob* one : knobs)
    html += "<div><span><code>" + one->flag() + "</code> " + escape_html(one->meaning) + "</span> " + control(*one) +
            "</div>\n";
  html += "<p class=\"buttons\"></p>\n<p class=\"command\"><code class=\"call\">" + call;
  for (const Knob* one : knobs)
    if (!one->standard().empty()) html += " " + one->flag() + " " + escape_html(one->standard());
  return html + "\"</code></p>\n</form>\n";
}

}  // namespace page
