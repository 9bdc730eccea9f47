// Command-line flags. What can be turned is declared as a constant, a knob: of all lessons, of a lesson, or of one part,
// where it is a slider, a list or a field on the page, too. Whatever was not asked for is an error. A wrong flag or input,
// and output that is lost, ends the program with one line on stderr and exit status 2.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

inline constexpr std::string_view course_version = "1.0.0";  // CMakeLists.txt reads it here

// The user's input is wrong; the text says what, in one line.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program has nothing more to do and ends with this exit status.
struct Finished {
  int status;
};

// What std::bad_alloc, whose own text is its name, means to a reader.
inline constexpr const char* no_memory = "there is not enough memory; smaller sizes or files need less";

// Returns what the error says, said of the flag that brought it: "--text: cannot read 'x': no such file".
inline UserError blamed(const std::string& flag, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return UserError(flag + ": " + (memory ? no_memory : error.what()));
}

// Runs f and throws the UserError `blamed` for what it throws.
template <class F>
auto blame(const std::string& flag, F f) {
  try {
    return f();
  } catch (const std::exception& error) {
    throw blamed(flag, error);
  }
}

// Throws UserError where the work that these flags ask for would need more memory than there is. `bytes` is counted on
// the generous side, before the work.
inline void check_memory(const std::string& flags, double bytes) {
  if (const std::string wrong = terminal::too_large(bytes); !wrong.empty()) throw UserError(flags + ": " + wrong);
}

// Prints to stdout, at once. Throws UserError where nobody can have received it: a full disk, a closed stdout.
inline void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw UserError("the output could not be written");
}

// Prints one line on stderr, whatever bytes a file name or a flag brought into the text. Where there is no memory even
// for that, it says so.
inline void complain(const char* program, const char* beginning, const char* text) {
  try {
    std::fprintf(stderr, "%s: %s%s\n", program, beginning, one_line(text).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program, no_memory);
  }
}

// Runs the body of a program. Returns its exit status; 2 with one line on stderr for a UserError and where the memory
// does not suffice.
inline int run_program(const char* name, const std::function<int()>& body) {
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

// ----------------------------------------------------------------------------------------------------------- knobs

class Flags;

namespace knob {

// From where to where a knob goes, and in which steps; the page moves it by whole ones.
struct Travel {
  double low = 0, high = 0, step = 1;
};

// A short list that is a constant, so that no program can fail over its knobs before it has begun.
template <class Item>
struct Few {
  std::array<Item, 32> items{};
  std::size_t count = 0;

  constexpr Few() = default;
  constexpr Few(std::initializer_list<Item> list) : count(list.size()) {
    std::copy(list.begin(), list.end(), items.begin());
  }
  constexpr const Item* begin() const { return items.data(); }
  constexpr const Item* end() const { return items.data() + count; }
  constexpr const Item& operator[](std::size_t k) const { return items.at(k); }
};

// Whole numbers in full, others to six digits.
inline std::string digits_of(double number) {
  return std::abs(number) < 1e16 && number == std::floor(number) ? std::to_string(static_cast<long long>(number))
                                                                 : significant(number, 6);
}

inline std::vector<std::string> at_commas(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : text)
    if (letter == ',') words.emplace_back();
    else words.back() += letter;
  return words;
}

struct Knob {
  enum class Kind { real, whole, choice, numbers, cells, file, text, toggle };
  Kind kind;
  std::string_view name, meaning;   // the flag without its dashes, and what it turns
  Travel travel{};                  // of each number
  Few<double> usual{};              // the numbers that it stands at
  Few<std::string_view> choices{};  // of which the value is one, the first if nothing is said
  std::string_view digits{};        // of the cells
  std::size_t count = 1;            // how many numbers; of cells, how many in a row and in a column

  std::string flag() const { return "--" + std::string(name); }

  // Returns the value where it stands, as one types it.
  std::string standard() const {
    if (kind == Kind::choice) return std::string(choices[std::size_t(usual[0])]);
    if (kind == Kind::cells) return std::string(digits);
    std::string text;
    for (const double number : usual) text += (text.empty() ? "" : ",") + digits_of(number);
    return text;
  }
};

using Text = std::string_view;

// A number, inside the range and at its ends.
struct Real : Knob {
  constexpr Real(Text flag, Text means, double start, const Travel& range)
      : Knob{Kind::real, flag, means, range, {start}} {}
};

// A whole number; without `start` it stands at nothing.
struct Whole : Knob {
  constexpr Whole(Text flag, Text means, const Travel& range) : Knob{Kind::whole, flag, means, range} {}
  constexpr Whole(Text flag, Text means, std::size_t start, const Travel& range)
      : Knob{Kind::whole, flag, means, range, {double(start)}} {}
};

// One of a few names; it stands at the one with this number.
struct Choice : Knob {
  constexpr Choice(Text flag, Text means, const Few<Text>& names, std::size_t start = 0)
      : Knob{Kind::choice, flag, means, {}, {double(start)}, names} {}
};

// Numbers with commas between them: --w 1,-1,0.
struct Numbers : Knob {
  constexpr Numbers(Text flag, Text means, std::initializer_list<double> start, const Travel& range)
      : Knob{Kind::numbers, flag, means, range, start, {}, {}, start.size()} {}
};

// A square picture, row by row, a digit for each cell: 0 is paper, 9 is ink.
struct Cells : Knob {
  constexpr Cells(Text flag, Text means, Text picture, std::size_t side)
      : Knob{Kind::cells, flag, means, {0, 9, 1}, {}, {}, picture, side} {}
};

// A file, none unless one is named. The page asks for the text that it would hold.
struct TextFile : Knob {
  constexpr TextFile(Text flag, Text means) : Knob{Kind::file, flag, means} {}
};

// Any words, none unless some are given.
struct Words : Knob {
  constexpr Words(Text flag, Text means) : Knob{Kind::text, flag, means} {}
};

// Off, unless it is named.
struct Toggle : Knob {
  constexpr Toggle(Text flag, Text means) : Knob{Kind::toggle, flag, means} {}
};

// Says what is wrong with a number; nothing if it is right. A whole one is digits, behind a minus perhaps.
inline std::string complaint_about(const Knob& knob, const std::string& text) {
  const std::optional<double> number = decimal_number(text);
  const bool whole = knob.kind == Knob::Kind::whole;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (whole && (!number || text.find_first_not_of("0123456789", sign) != std::string::npos))
    return "is not a whole number";
  if (!number) return "is not a finite number";
  if (*number < knob.travel.low || *number > knob.travel.high)
    return "is not between " + digits_of(knob.travel.low) + " and " + digits_of(knob.travel.high);
  return "";
}

inline std::string with_commas(const Few<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += join(text.empty() ? "" : ", ", name);
  return text;
}

// Says what is wrong with a value; nothing if it is right.
inline std::string complaint(const Knob& knob, const std::string& value) {
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

inline std::string help(const Knob& knob) {
  const std::string standard = knob.standard();
  std::string range;
  if (knob.kind == Knob::Kind::cells) range = join(knob.count, " x ", knob.count, " digits from 0 to 9");
  else if (knob.kind == Knob::Kind::choice) range = with_commas(knob.choices) + "; " + standard;
  else if (!standard.empty())
    range = join(digits_of(knob.travel.low), " to ", digits_of(knob.travel.high), "; ", standard);
  return std::string(knob.meaning) + (range.empty() ? "" : " (" + range + ")");
}

using Knobs = std::vector<const Knob*>;

// The values of some knobs.
class Settings {
 public:
  double operator[](const Real& knob) const { return *decimal_number(value(knob)); }
  std::size_t operator[](const Whole& knob) const {  // 0 where it stands at nothing
    return value(knob).empty() ? 0 : std::size_t(*decimal_number(value(knob)));
  }
  std::size_t operator[](const Choice& knob) const {  // which of the choices
    return std::size_t(std::find(knob.choices.begin(), knob.choices.end(), value(knob)) - knob.choices.begin());
  }
  std::vector<double> operator[](const Numbers& knob) const {
    std::vector<double> numbers;
    for (const std::string& word : at_commas(value(knob))) numbers.push_back(*decimal_number(word));
    return numbers;
  }
  std::vector<double> operator[](const Cells& knob) const {  // from 0 to 1, row by row
    std::vector<double> ink;
    for (const char digit : value(knob)) ink.push_back((digit - '0') / 9.0);
    return ink;
  }
  std::string operator[](const TextFile& knob) const { return value(knob); }  // its path, or nothing
  std::string operator[](const Words& knob) const { return value(knob); }
  bool operator[](const Toggle& knob) const { return !value(knob).empty(); }
  const std::string& name_of(const Choice& knob) const { return value(knob); }

  // Tells whether this knob was named, whatever its value.
  bool given(const Knob& knob) const { return given_.count(knob.name) > 0; }

  // Tells whether a part's knob was named in this run, whatever its value.
  bool turned() const { return turned_; }

  // Tells whether each has its standard value, or none was named.
  bool standard() const { return standard_; }

 private:
  friend class ::Flags;
  friend Settings standards_of(const Knobs&);
  const std::string& value(const Knob& knob) const {
    const auto found = values_.find(knob.name);
    if (found == values_.end()) throw std::logic_error(join("the knob ", knob.name, " is not declared here"));
    return found->second;
  }

  std::map<std::string_view, std::string> values_;
  std::set<std::string_view> given_;
  bool turned_ = false, standard_ = true;
};

// Returns what knobs stand at that nobody turns.
inline Settings standards_of(const Knobs& knobs) {
  Settings settings;
  for (const Knob* knob : knobs) settings.values_[knob->name] = knob->standard();
  return settings;
}

}  // namespace knob

// The words behind a program.
class Flags {
 public:
  Flags(int argc, const char* const* argv, const std::string& program, const std::string& summary)
      : program_(argc > 0 ? argv[0] : ""),
        name_(program),
        help_("usage: " + program + " [flags]\n" + summary + "\n\n"),
        words_(argv + 1, argv + argc),
        taken_(words_.size()) {}

  // Returns what these flags stand at. Throws UserError for a value that is none of theirs.
  knob::Settings ask(const knob::Knobs& knobs) {
    knob::Settings settings;
    for (const knob::Knob* knob : knobs) ask(*knob, true, settings);
    return settings;
  }

  // Returns what the knobs of `part` stand at; the others are by the number of theirs. A flag that was asked for before,
  // such as --steps, may be a knob as well, but does not turn by itself. Throws UserError as above, and for a knob of
  // another part.
  knob::Settings ask(std::optional<int> part, const std::map<int, knob::Knobs>& knobs) {
    knob::Settings settings;
    const auto found = part ? knobs.find(*part) : knobs.end();
    const knob::Knobs own = found == knobs.end() ? knob::Knobs() : found->second;
    for (const knob::Knob* knob : own) settings.turned_ |= given(*knob) && asked_.count(knob->flag()) == 0;
    if (!own.empty()) further_ = join("\nKnobs of part ", *part, ", which run it alone:\n");
    for (const knob::Knob* knob : own) ask(*knob, settings.turned_, settings);
    for (const auto& [number, others] : knobs)
      for (const knob::Knob* knob : others)
        if (given(*knob) && asked_.count(knob->flag()) == 0)
          throw UserError(join(knob->flag(), " is a knob of part ", number, ": it goes with --part ", number));
    return settings;
  }

  // Throws UserError for any other flag beside this one, which would have no effect. --help is no such flag.
  void alone(const knob::Knob& knob) const {
    if (!given(knob) || find("--help") != words_.size()) return;
    for (const std::string& word : words_)
      if (word.starts_with("--") && word != knob.flag())
        throw UserError(knob.flag() + " stands alone: " + word + " would have no effect");
  }

  bool given(const knob::Knob& knob) const { return find(knob.flag()) != words_.size(); }

  // Returns how the program was called: argv[0], and the words behind it.
  const std::string& program() const { return program_; }
  const std::vector<std::string>& words() const { return words_; }

  // Throws UserError for words that no flag wanted; --help prints the flags, --version the version. To be called when all
  // were asked for.
  void finish() {
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

 private:
  // Returns its place, or how many words there are.
  std::size_t find(const std::string& flag) const {
    return std::size_t(std::find(words_.begin(), words_.end(), flag) - words_.begin());
  }

  void ask(const knob::Knob& knob, bool checked, knob::Settings& settings) {
    const std::string value = take(knob), standard = knob.standard();
    const std::string wrong = checked && value != standard ? complaint(knob, value) : "";
    if (!wrong.empty()) throw UserError(knob.flag() + ": '" + value + "' " + wrong);
    if (given(knob)) settings.given_.insert(knob.name);
    settings.values_[knob.name] = value;
    settings.standard_ &= value == standard;
  }

  std::string take(const knob::Knob& knob) {
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

  void describe(const std::string& flag, const std::string& help) {
    constexpr std::size_t left = 24, right = 80 - left;
    std::string line = "  " + flag;
    line.resize(std::max(line.size() + 2, left), ' ');
    for (const char letter : wrap(help, right)) {
      line += letter;
      if (letter == '\n') (further_.empty() ? help_ : further_) += std::exchange(line, std::string(left, ' '));
    }
  }

  std::string program_, name_, help_, further_;
  std::vector<std::string> words_;
  std::vector<bool> taken_;
  std::set<std::string> asked_;
};
