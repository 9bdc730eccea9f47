// SPDX-License-Identifier: MIT
#include "common/frame/terminal/knobs.hpp"

#include <cmath>
#include <stdexcept>

namespace knob {

std::string digits_of(double number) {
  return std::abs(number) < 1e16 && number == std::floor(number) ? fixed(number, 0)
                                                                 : significant(number, 6);
}

static std::vector<std::string> at_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',') words.emplace_back();
    else words.back() += letter;
  return words;
}

// Says what is wrong with a number, if anything. A whole one is digits, perhaps behind a minus.
static std::string complaint_about(const Knob& knob, const std::string& text) {
  const std::optional<double> number =
      knob.kind == Knob::Kind::real ? number_by_hand(text) : decimal_number(text);
  const bool whole = knob.kind == Knob::Kind::whole;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (whole && (!number || text.find_first_not_of("0123456789", sign) != std::string::npos))
    return "is not a whole number";
  if (!number && text.find(',') != std::string::npos)
    return "is no number, or could be two: write 11907 or 11.907 for 11,907";
  if (!number) return "is not a finite number";
  if (*number < knob.range.low || *number > knob.range.high)
    return "is not between " + digits_of(knob.range.low) + " and " + digits_of(knob.range.high);
  return "";
}

std::string complaint(const Knob& knob, const std::string& value) {
  switch (knob.kind) {
    case Knob::Kind::real:
    case Knob::Kind::whole:
      return complaint_about(knob, value);
    case Knob::Kind::choice:
      for (const std::string_view name : knob.choices)
        if (name == value) return "";
      return "is none of " + joined(knob.choices, ", ");
    case Knob::Kind::numbers: {
      const std::vector<std::string> words = at_commas(value);
      if (words.size() != knob.count)
        return join("is not ", knob.count, " numbers with commas between them");
      for (const std::string& word : words)
        if (const std::string wrong = complaint_about(knob, word); !wrong.empty())
          return "has '" + word + "', which " + wrong;
      return "";
    }
    case Knob::Kind::cells:
      if (value.size() == knob.count * knob.count &&
          value.find_first_not_of("0123456789") == std::string::npos)
        return "";
      return join("is not ", knob.count * knob.count, " digits from 0 to 9");
    default:
      return "";
  }
}

std::string help(const Knob& knob) {
  const std::string standard = knob.standard();
  std::string range;
  if (knob.kind == Knob::Kind::cells)
    range = join(knob.count, " x ", knob.count, " digits from 0 to 9");
  else if (knob.kind == Knob::Kind::choice) range = joined(knob.choices, ", ") + "; " + standard;
  else if (!standard.empty())
    range = join(digits_of(knob.range.low), " to ", digits_of(knob.range.high), "; ", standard);
  return std::string(knob.meaning) + (range.empty() ? "" : " (" + range + ")");
}

std::vector<double> Settings::operator[](const Numbers& knob) const {
  std::vector<double> numbers;
  for (const std::string& word : at_commas(value(knob))) numbers.push_back(*decimal_number(word));
  return numbers;
}

const std::string& Settings::value(const Knob& knob) const {
  const auto place = values_.find(knob.name);
  if (place == values_.end())
    throw std::logic_error(join("the knob ", knob.name, " is not declared here"));
  return place->second;
}

Settings standards_of(const Knobs& knobs) {
  Settings settings;
  for (const Knob* knob : knobs) settings.values_[knob->name] = knob->standard();
  return settings;
}

}  // namespace knob
