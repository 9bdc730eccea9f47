// SPDX-License-Identifier: MIT
#include "common/support/knobs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace knob {
namespace {

// Strings, or numbers, with commas between them.
std::string with_commas(const auto& items) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ",";
    if constexpr (std::is_same_v<decltype(item), const double&>) text += significant(item, 6);
    else text += item;
  }
  return text;
}

std::vector<std::string> at_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',') words.emplace_back();
    else words.back() += letter;
  return words;
}

// Says what is wrong with a number; nothing if it is right.
std::string complaint_about(const Knob& knob, const std::string& text) {
  const std::optional<double> number = decimal_number(text);
  const bool whole = knob.kind == Knob::Kind::whole;
  if (!number || (whole && *number != std::floor(*number)))
    return whole ? "is not a whole number" : "is not a finite number";
  if (*number < knob.travel.low || *number > knob.travel.high)
    return "is not between " + significant(knob.travel.low, 6) + " and " + significant(knob.travel.high, 6);
  return "";
}

std::string complaint(const Knob& knob, const std::string& value) {
  switch (knob.kind) {
    case Knob::Kind::real:
    case Knob::Kind::whole:
      return complaint_about(knob, value);
    case Knob::Kind::choice:
      if (std::find(knob.choices.begin(), knob.choices.end(), value) != knob.choices.end()) return "";
      return "is none of " + with_commas(knob.choices);
    case Knob::Kind::numbers: {
      const std::vector<std::string> words = at_commas(value);
      if (words.size() != knob.count) return join("is not ", knob.count, " numbers with commas between them");
      for (const std::string& word : words)
        if (const std::string wrong = complaint_about(knob, word); !wrong.empty())
          return "has '" + word + "', which " + wrong;
      return "";
    }
    case Knob::Kind::cells:
      if (value.size() == knob.count * knob.count && value.find_first_not_of("0123456789") == std::string::npos)
        return "";
      return join("is not ", knob.count * knob.count, " digits from 0 to 9");
    case Knob::Kind::file:
    case Knob::Kind::text:
    case Knob::Kind::toggle:
      break;
  }
  return "";
}

std::string placeholder(const Knob& knob) {
  constexpr const char* placeholders[] = {"X", "N", "NAME", "X,...", "DIGITS", "FILE", "TEXT", ""};
  return placeholders[static_cast<std::size_t>(knob.kind)];
}

std::string help(const Knob& knob) {
  if (knob.kind == Knob::Kind::cells)
    return join(knob.meaning, " (", knob.count, " x ", knob.count, " digits from 0 to 9)");
  std::string range;
  if (knob.kind == Knob::Kind::choice) {
    for (const Text choice : knob.choices) range += join(range.empty() ? "" : ", ", choice);
    range += "; ";
  } else if (knob.travel.high > knob.travel.low)
    range = significant(knob.travel.low, 6) + " to " + significant(knob.travel.high, 6) + "; ";
  const std::string standard = knob.standard();
  return std::string(knob.meaning) + (!standard.empty() ? " (" + range + standard + ")" : "");
}

}  // namespace

std::string Knob::standard() const {
  if (kind == Kind::choice) return std::string(choices[std::size_t(usual[0])]);
  return kind == Kind::cells ? std::string(digits) : with_commas(usual);
}

const std::string& Settings::value(const Knob& knob) const {
  const auto found = values_.find(knob.name);
  if (found == values_.end()) throw std::logic_error(join("the knob ", knob.name, " is not declared in this part"));
  return found->second;
}

double Settings::operator[](const Real& knob) const { return *decimal_number(value(knob)); }

std::size_t Settings::operator[](const Whole& knob) const { return std::size_t(*decimal_number(value(knob))); }

std::size_t Settings::operator[](const Choice& knob) const {
  return std::size_t(std::find(knob.choices.begin(), knob.choices.end(), value(knob)) - knob.choices.begin());
}

std::vector<double> Settings::operator[](const Numbers& knob) const {
  std::vector<double> numbers;
  for (const std::string& word : at_commas(value(knob))) numbers.push_back(*decimal_number(word));
  return numbers;
}

std::vector<double> Settings::operator[](const Cells& knob) const {
  std::vector<double> ink;
  for (const char digit : value(knob)) ink.push_back((digit - '0') / 9.0);
  return ink;
}

std::string Settings::operator[](const TextFile& knob) const { return value(knob); }
std::string Settings::operator[](const Words& knob) const { return value(knob); }
bool Settings::operator[](const Toggle& knob) const { return !value(knob).empty(); }

Settings standards_of(const Knobs& knobs) {
  Settings settings;
  for (const Knob* knob : knobs) settings.values_[knob->name] = knob->standard();
  return settings;
}

Settings ask_for_flags(Flags& flags, const Knobs& knobs) {
  Settings settings;
  for (const Knob* knob : knobs) {
    const std::string flag = knob->flag(), standard = knob->standard();
    std::string& value = settings.values_[knob->name];
    if (knob->kind == Knob::Kind::toggle) value = flags.toggle(flag, std::string(knob->meaning)) ? "yes" : "";
    else value = flags.text(flag, placeholder(*knob), standard, help(*knob));
    if (flags.given(flag)) settings.given_.insert(knob->name);
    if (const std::string wrong = complaint(*knob, value); value != standard && !wrong.empty())
      throw UserError(flag + ": '" + value + "' " + wrong);
    settings.standard_ &= value == standard;
  }
  return settings;
}

Settings ask_for_knobs(Flags& flags, std::optional<int> part, const std::map<int, Knobs>& knobs) {
  Settings settings;
  const auto found = part ? knobs.find(*part) : knobs.end();
  const Knobs own = found == knobs.end() ? Knobs() : found->second;
  for (const Knob* knob : own) settings.turned_ |= flags.given(knob->flag()) && !flags.asked(knob->flag());
  if (!own.empty()) flags.section(join("Knobs of part ", *part, ", which run its experiment alone:"));
  for (const Knob* knob : own) {
    const std::string flag = knob->flag(), standard = knob->standard();
    const std::string value = flags.text(flag, placeholder(*knob), standard, help(*knob));
    if (const std::string wrong = complaint(*knob, value); settings.turned_ && !wrong.empty() && value != standard)
      throw UserError(flag + ": '" + value + "' " + wrong);
    settings.values_[knob->name] = value;
    if (flags.given(flag)) settings.given_.insert(knob->name);
    settings.standard_ &= value == standard;
  }
  for (const auto& [number, others] : knobs)
    for (const Knob* knob : others)
      if (const std::string flag = knob->flag(); flags.given(flag) && !flags.asked(flag))
        throw UserError(join(flag, " is a knob of part ", number, ": it goes with --part ", number));
  return settings;
}

}  // namespace knob
