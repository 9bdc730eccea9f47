// SPDX-License-Identifier: MIT
#include "common/terminal/flags.hpp"

#include <cmath>
#include <cstdio>
#include <new>
#include <utility>

#include "common/terminal/terminal.hpp"

// What std::bad_alloc, whose own text is its name, means to a reader.
constexpr const char* no_memory = "there is not enough memory; smaller sizes or files need less";

UserError blamed(const std::string& flag, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return UserError(flag + ": " + (memory ? no_memory : error.what()));
}

void check_memory(const std::string& flags, double bytes) {
  if (const std::string wrong = terminal::too_large(bytes); !wrong.empty()) throw UserError(flags + ": " + wrong);
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw UserError("the output could not be written");
}

// Prints one line on stderr, whatever bytes the text has. Where there is no memory even for that, it says so.
static void complain(const char* program, const char* beginning, const char* text) {
  try {
    std::fprintf(stderr, "%s: %s%s\n", program, beginning, one_line(text).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program, no_memory);
  }
}

int run_program(const char* name, const std::function<int()>& body) {
  terminal::ready();
  try {
    const int status = body();
    print("");  // whatever was printed otherwise must have arrived, too
    return status;
  } catch (const Finished& finished) {
    return finished.status;
  } catch (const UserError& error) {
    complain(name, "", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    complain(name, "", no_memory);
    return 2;
  } catch (const std::exception& error) {
    complain(name, "stopped: ", error.what());
    return 1;
  }
}

namespace knob {

std::string digits_of(double number) {
  return std::abs(number) < 1e16 && number == std::floor(number) ? std::to_string(static_cast<long long>(number))
                                                                 : significant(number, 6);
}

static std::vector<std::string> at_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',') words.emplace_back();
    else words.back() += letter;
  return words;
}

// Says what is wrong with a number; nothing if it is right. A whole one is digits, behind a minus perhaps.
static std::string complaint_about(const Knob& knob, const std::string& text) {
  const std::optional<double> number = decimal_number(text);
  const bool whole = knob.kind == Knob::Kind::whole;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (whole && (!number || text.find_first_not_of("0123456789", sign) != std::string::npos))
    return "is not a whole number";
  if (!number) return "is not a finite number";
  if (*number < knob.range.low || *number > knob.range.high)
    return "is not between " + digits_of(knob.range.low) + " and " + digits_of(knob.range.high);
  return "";
}

static std::string with_commas(const StaticList<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += join(text.empty() ? "" : ", ", name);
  return text;
}

// Says what is wrong with a value; nothing if it is right.
static std::string complaint(const Knob& knob, const std::string& value) {
  switch (knob.kind) {
    case Knob::Kind::real:
    case Knob::Kind::whole:
      return complaint_about(knob, value);
    case Knob::Kind::choice:
      for (const std::string_view name : knob.choices)
        if (name == value) return "";
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
    default:
      return "";
  }
}

std::string help(const Knob& knob) {
  const std::string standard = knob.standard();
  std::string range;
  if (knob.kind == Knob::Kind::cells) range = join(knob.count, " x ", knob.count, " digits from 0 to 9");
  else if (knob.kind == Knob::Kind::choice) range = with_commas(knob.choices) + "; " + standard;
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
  const auto found = values_.find(knob.name);
  if (found == values_.end()) throw std::logic_error(join("the knob ", knob.name, " is not declared here"));
  return found->second;
}

Settings standards_of(const Knobs& knobs) {
  Settings settings;
  for (const Knob* knob : knobs) settings.values_[knob->name] = knob->standard();
  return settings;
}

}  // namespace knob

knob::Settings Flags::ask(const knob::Knobs& knobs) {
  knob::Settings settings;
  for (const knob::Knob* knob : knobs) ask(*knob, true, settings);
  return settings;
}

knob::Settings Flags::ask(std::optional<int> part, const std::map<int, knob::Knobs>& knobs) {
  knob::Settings settings;
  const auto found = part ? knobs.find(*part) : knobs.end();
  const knob::Knobs own = found == knobs.end() ? knob::Knobs() : found->second;
  for (const knob::Knob* knob : own) settings.any_given_ |= given(*knob) && asked_.count(knob->flag()) == 0;
  if (!own.empty()) further_ = join("\nKnobs of part ", *part, ", which run it alone:\n");
  for (const knob::Knob* knob : own) ask(*knob, settings.any_given_, settings);
  for (const auto& [number, others] : knobs)
    for (const knob::Knob* knob : others)
      if (given(*knob) && asked_.count(knob->flag()) == 0)
        throw UserError(join(knob->flag(), " is a knob of part ", number, ": it goes with --part ", number));
  return settings;
}

void Flags::alone(const knob::Knob& knob) const {
  if (!given(knob) || find("--help") != words_.size()) return;
  for (const std::string& word : words_)
    if (word.starts_with("--") && word != knob.flag())
      throw UserError(knob.flag() + " stands alone: " + word + " would have no effect");
}

void Flags::finish() {
  constexpr knob::Toggle version{"version", "print the version of the course and stop"},
      more{"help", "print this and stop"};
  const std::string further = std::exchange(further_, "");
  const knob::Settings last = ask(knob::Knobs{&version, &more});
  if (last[more]) print(help_ + further + "\nOutput is UTF-8, whatever the locale says.\n");
  else if (last[version]) print(name_ + ", How neural networks compute " + std::string(course_version) + "\n");
  if (last[more] || last[version]) throw Finished{0};
  const std::size_t place = std::size_t(std::find(taken_.begin(), taken_.end(), false) - taken_.begin());
  if (place == words_.size()) return;
  const std::string& word = words_[place];
  if (find(word) < place && word.starts_with("--")) throw UserError(word + " stands twice");
  throw UserError((word.starts_with("-") ? "unknown flag '" : "stray word '") + word + "' (--help lists the flags)");
}

std::size_t Flags::find(const std::string& flag) const {
  return std::size_t(std::find(words_.begin(), words_.end(), flag) - words_.begin());
}

void Flags::ask(const knob::Knob& knob, bool checked, knob::Settings& settings) {
  const std::string value = take(knob), standard = knob.standard();
  const std::string wrong = checked && value != standard ? complaint(knob, value) : "";
  if (!wrong.empty()) throw UserError(knob.flag() + ": '" + value + "' " + wrong);
  if (given(knob)) settings.given_.insert(knob.name);
  settings.values_[knob.name] = value;
  settings.standard_ &= value == standard;
}

std::string Flags::take(const knob::Knob& knob) {
  constexpr const char* placeholders[] = {" X", " N", " NAME", " X,...", " DIGITS", " FILE", " TEXT", ""};
  const std::string flag = knob.flag();
  asked_.insert(flag);
  describe(flag + placeholders[static_cast<std::size_t>(knob.kind)], help(knob));
  const std::size_t place = find(flag);
  if (place == words_.size()) return knob.standard();
  taken_[place] = true;
  if (knob.kind == knob::Knob::Kind::toggle) return "yes";
  if (place + 1 == words_.size() || words_[place + 1].empty() || words_[place + 1].starts_with("--"))
    throw UserError(flag + " needs a value");
  taken_[place + 1] = true;
  return words_[place + 1];
}

void Flags::describe(const std::string& flag, const std::string& help) {
  constexpr std::size_t left = 24, right = 80 - left;
  std::string line = "  " + flag;
  line.resize(std::max(line.size() + 2, left), ' ');
  for (const char letter : wrap(help, right)) {
    line += letter;
    if (letter == '\n') (further_.empty() ? help_ : further_) += std::exchange(line, std::string(left, ' '));
  }
}
