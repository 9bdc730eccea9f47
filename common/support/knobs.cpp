// SPDX-License-Identifier: MIT
#include "common/support/knobs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "common/support/flags.hpp"
#include "common/support/words.hpp"

namespace knob {
namespace {

std::string with_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::vector<std::string> at_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',') words.emplace_back();
    else words.back() += letter;
  return words;
}

std::string with_commas(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(significant(number, 6));
  return with_commas(words);
}

// Says what is wrong with a number; nothing if it is right.
std::string complaint_about(const Knob& knob, const std::string& text) {
  const std::optional<double> number = decimal_number(text);
  const bool whole = knob.kind == Knob::Kind::whole;
  if (!number || (whole && *number != std::floor(*number)))
    return whole ? "is not a whole number" : "is not a finite number";
  if (*number < knob.low || *number > knob.high)
    return "is not between " + significant(knob.low, 6) + " and " + significant(knob.high, 6);
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
      break;
  }
  return "";
}

std::string placeholder(const Knob& knob) {
  constexpr const char* placeholders[] = {"X", "N", "NAME", "X,...", "DIGITS", "FILE"};
  return placeholders[static_cast<std::size_t>(knob.kind)];
}

std::string help(const Knob& knob) {
  if (knob.kind == Knob::Kind::cells)
    return knob.meaning + join(" (", knob.count, " x ", knob.count, " digits from 0 to 9)");
  std::string range;
  if (knob.kind == Knob::Kind::choice) {
    for (const std::string& choice : knob.choices) range += (range.empty() ? "" : ", ") + choice;
    range += "; ";
  } else if (knob.high > knob.low) range = significant(knob.low, 6) + " to " + significant(knob.high, 6) + "; ";
  return knob.meaning + (!knob.standard.empty() ? " (" + range + knob.standard + ")" : "");
}

}  // namespace

Real::Real(const std::string& flag, const std::string& means, double usual, const Travel& travel)
    : Knob{Kind::real, flag, means, significant(usual, 6), travel.low, travel.high, travel.step} {}

Whole::Whole(const std::string& flag, const std::string& means, std::size_t usual, const Travel& travel)
    : Knob{Kind::whole, flag, means, std::to_string(usual), travel.low, travel.high, travel.step} {}

Choice::Choice(const std::string& flag, const std::string& means, const std::vector<std::string>& names)
    : Knob{Kind::choice, flag, means, names.at(0), 0, 0, 1, names} {}

Numbers::Numbers(const std::string& flag, const std::string& means, const std::vector<double>& usual,
                 const Travel& travel)
    : Knob{Kind::numbers, flag, means, with_commas(usual), travel.low, travel.high, travel.step, {}, usual.size()} {}

Cells::Cells(const std::string& flag, const std::string& means, const std::string& usual, std::size_t side)
    : Knob{Kind::cells, flag, means, usual, 0, 9, 1, {}, side} {}

TextFile::TextFile(const std::string& flag, const std::string& means) : Knob{Kind::file, flag, means, ""} {}

const std::string& Settings::value(const Knob& knob) const {
  const auto found = values_.find(knob.name);
  if (found == values_.end()) throw std::logic_error("the knob " + knob.name + " is not declared in this part");
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

Settings ask_for_knobs(Flags& flags, std::optional<int> part, const std::map<int, Knobs>& knobs) {
  Settings settings;
  const auto found = part ? knobs.find(*part) : knobs.end();
  const Knobs own = found == knobs.end() ? Knobs() : found->second;
  for (const Knob* knob : own) settings.turned_ |= flags.given("--" + knob->name) && !flags.asked("--" + knob->name);
  if (!own.empty()) flags.section(join("Knobs of part ", *part, ", which run its experiment alone:"));
  for (const Knob* knob : own) {
    const std::string flag = "--" + knob->name;
    const std::string value = flags.text(flag, placeholder(*knob), knob->standard, help(*knob));
    if (const std::string wrong = complaint(*knob, value);
        settings.turned_ && !wrong.empty() && value != knob->standard)
      throw UserError(flag + ": '" + value + "' " + wrong);
    settings.values_[knob->name] = value;
    settings.standard_ &= !settings.turned_ || value == knob->standard;
  }
  for (const auto& [number, others] : knobs)
    for (const Knob* knob : others)
      if (const std::string flag = "--" + knob->name; flags.given(flag) && !flags.asked(flag))
        throw UserError(join(flag, " is a knob of part ", number, ": it goes with --part ", number));
  return settings;
}

}  // namespace knob
