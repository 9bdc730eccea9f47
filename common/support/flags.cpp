// SPDX-License-Identifier: MIT
#include "common/support/flags.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"
#include "common/version.hpp"

namespace {

// What std::bad_alloc, whose own text is its name, means to a reader.
constexpr const char* no_memory = "there is not enough memory; smaller sizes or files need less";

// Prints one line on stderr, whatever bytes a file name or a flag brought into the text. Where there is no memory even
// for that, it says so.
void complain(const char* program, const char* beginning, const char* text) {
  try {
    std::fprintf(stderr, "%s: %s%s\n", program, beginning, one_line(text).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", program, no_memory);
  }
}

UserError wrong(const std::string& name, const std::string& value, const std::string& complaint) {
  return UserError(name + ": '" + value + "' " + complaint);
}

}  // namespace

UserError blamed(const std::string& flag, const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return UserError(flag + ": " + (memory ? no_memory : error.what()));
}

void check_memory(const std::string& flags, double bytes) {
  const double most = terminal::memory();
  if (bytes > most)
    throw UserError(flags + ": about " + gigabytes(bytes) + " GB of memory would be needed, and there are " +
                    gigabytes(most));
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw UserError("the output could not be written");
}

int run_program(const char* name, const std::function<int()>& body) {
  terminal::keep_freed_memory();
  terminal::let_writes_fail();
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

Flags::Flags(int argc, const char* const* argv, const std::string& program, const std::string& summary)
    : program_(argc > 0 ? argv[0] : ""),
      name_(program),
      help_("usage: " + program + " [flags]\n" + summary + "\n\n"),
      words_(argv + 1, argv + argc),
      taken_(words_.size()) {}

bool Flags::toggle(const std::string& name, const std::string& help) {
  describe(name, "", help);
  return find(name) != words_.size();
}

std::string Flags::text(const std::string& name, const std::string& placeholder, const std::string& fallback,
                        const std::string& help) {
  describe(name, " " + placeholder, help);
  const std::string* found = value(name);
  return found ? *found : fallback;
}

template <class Integer>
Integer Flags::count(const std::string& name, Integer fallback, Integer least, Integer most, const std::string& help) {
  describe(name, " N", help);
  const std::string* found = value(name);
  if (!found) return fallback;
  const std::size_t sign = found->starts_with('-') ? 1 : 0;
  if (found->size() == sign || found->find_first_not_of("0123456789", sign) != std::string::npos)
    throw wrong(name, *found, "is not a whole number");
  Integer number{};
  const std::errc error = std::from_chars(found->data(), found->data() + found->size(), number).ec;
  if (error != std::errc() || number < least || number > most)
    throw wrong(name, *found, "is not between " + std::to_string(least) + " and " + std::to_string(most));
  return number;
}

double Flags::real(const std::string& name, double fallback, double above, double most, const std::string& help) {
  describe(name, " X", help);
  const std::string* found = value(name);
  if (!found) return fallback;
  const std::optional<double> number = decimal_number(*found);
  if (!number) throw wrong(name, *found, "is not a finite number");
  if (!(*number > above && *number <= most)) {
    char range[80];
    std::snprintf(range, sizeof range, "is not above %g and at most %g", above, most);
    throw wrong(name, *found, range);
  }
  return *number;
}

void Flags::alone(const std::string& name) const {
  if (!given(name) || given("--help")) return;
  for (const std::string& word : words_)
    if (word.starts_with("--") && word != name)
      throw UserError(name + " stands alone: " + word + " would have no effect");
}

bool Flags::given(const std::string& name) const { return find_word(name) != words_.size(); }

void Flags::finish() {
  const std::string further = std::exchange(further_, "");
  const bool version = toggle("--version", "print the version of the course and stop");
  if (toggle("--help", "print this and stop")) {
    print(help_ + further + "\nOutput is UTF-8, whatever the locale says.\n");
    throw Finished{0};
  }
  if (version) {
    print(name_ + ", How neural networks compute " + std::string(course_version) + "\n");
    throw Finished{0};
  }
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!taken_[i]) throw unwanted(i);
}

template int Flags::count(const std::string&, int, int, int, const std::string&);
template long Flags::count(const std::string&, long, long, long, const std::string&);
template long long Flags::count(const std::string&, long long, long long, long long, const std::string&);
template unsigned Flags::count(const std::string&, unsigned, unsigned, unsigned, const std::string&);
template unsigned long Flags::count(const std::string&, unsigned long, unsigned long, unsigned long,
                                    const std::string&);
template unsigned long long Flags::count(const std::string&, unsigned long long, unsigned long long, unsigned long long,
                                         const std::string&);

UserError Flags::unwanted(std::size_t place) const {
  const std::string& word = words_[place];
  if (find_word(word) < place && word.starts_with("--")) return UserError(word + " stands twice");
  return UserError((word.starts_with("-") ? "unknown flag '" : "stray word '") + word + "' (--help lists the flags)");
}

void Flags::describe(const std::string& name, const std::string& placeholder, const std::string& help) {
  constexpr std::size_t left = 24, right = 80 - left;
  asked_.insert(name);
  std::string line = "  " + name + placeholder;
  line.resize(std::max(line.size() + 2, left), ' ');
  for (const char letter : wrap(help, right)) {
    line += letter;
    if (letter == '\n') (further_.empty() ? help_ : further_) += std::exchange(line, std::string(left, ' '));
  }
}

std::size_t Flags::find_word(const std::string& name) const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (words_[i] == name) return i;
  return words_.size();
}

std::size_t Flags::find(const std::string& name) {
  const std::size_t place = find_word(name);
  if (place != words_.size()) taken_[place] = true;
  return place;
}

const std::string* Flags::value(const std::string& name) {
  const std::size_t place = find(name);
  if (place == words_.size()) return nullptr;
  if (place + 1 == words_.size() || words_[place + 1].empty() || words_[place + 1].starts_with("--"))
    throw UserError(name + " needs a value");
  taken_[place + 1] = true;
  return &words_[place + 1];
}
