// Command-line flags: each is asked for once, with its default and its help line; whatever was not asked for is an error.
// A wrong flag or input, and output that is lost, ends the program with one line on stderr and exit status 2.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

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

// Runs f; what it says is wrong is then said of the flag that brought it: "--text: cannot read 'x': no such file".
template <class F>
auto blame(const std::string& flag, F f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw UserError(flag + ": " + no_memory);
  } catch (const std::exception& error) {
    throw UserError(flag + ": " + error.what());
  }
}

// Throws UserError where the work that these flags ask for would need more memory than there is. `bytes` is counted on the
// generous side, before the work.
inline void check_memory(const std::string& flags, double bytes) {
  const double most = terminal::memory();
  if (bytes > most)
    throw UserError(flags + ": about " + gigabytes(bytes) + " GB of memory would be needed, and there are " +
                    gigabytes(most));
}

// One line on stderr, whatever bytes a file name or a flag brought into the text.
inline void complain(const char* program, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", program, one_line(text).c_str());
}

// Prints to stdout, at once. Throws UserError where nobody can have received it: a full disk, a closed stdout.
inline void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw UserError("the output could not be written");
}

// Runs the body of a program. Returns its exit status; 2 with one line on stderr for a UserError and where the memory does
// not suffice.
template <class Body>
int run_program(const char* name, Body body) {
  terminal::keep_freed_memory();
  terminal::ready();
  try {
    const int status = body();
    print("");  // whatever was printed otherwise must have arrived, too
    return status;
  } catch (const Finished& finished) {
    return finished.status;
  } catch (const UserError& error) {
    complain(name, error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    complain(name, no_memory);
    return 2;
  } catch (const std::exception& error) {
    complain(name, std::string("stopped: ") + error.what());
    return 1;
  }
}

class Flags {
 public:
  Flags(int argc, const char* const* argv, std::string program, std::string summary)
      : help_("usage: " + program + " [flags]\n" + summary + "\n\n"), words_(argv + 1, argv + argc) {
    taken_.resize(words_.size());
  }

  // --name: true when it stands there.
  bool toggle(const std::string& name, const std::string& help) {
    describe(name, help);
    return find(name) != words_.size();
  }

  // --name VALUE: text, not empty.
  std::string text(const std::string& name, const std::string& placeholder, const std::string& fallback,
                   const std::string& help) {
    describe(name + " " + placeholder, help);
    const std::string* found = value(name);
    return found ? *found : fallback;
  }

  // --name N: a whole number from least to most.
  template <class Integer>
  Integer count(const std::string& name, Integer fallback, Integer least, Integer most, const std::string& help) {
    describe(name + " N", help);
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

  // --name X: a finite number above `above` and at most `most`.
  double real(const std::string& name, double fallback, double above, double most, const std::string& help) {
    describe(name + " X", help);
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

  // Throws UserError for any other flag beside --name, which would have no effect. --help is no such flag.
  void alone(const std::string& name) const {
    if (!given(name) || given("--help")) return;
    for (const std::string& word : words_)
      if (word.starts_with("--") && word != name)
        throw UserError(name + " stands alone: " + word + " would have no effect");
  }

  bool given(const std::string& name) const { return find_word(name) != words_.size(); }

  // To be called when all flags were asked for. Throws UserError for words that no flag wanted; --help prints the flags.
  void finish() {
    if (toggle("--help", "print this and stop")) {
      print(help_ + "\nOutput is UTF-8, whatever the locale says.\n");
      throw Finished{0};
    }
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (!taken_[i]) throw unwanted(i);
  }

 private:
  static UserError wrong(const std::string& name, const std::string& value, const std::string& complaint) {
    return UserError(name + ": '" + value + "' " + complaint);
  }

  UserError unwanted(std::size_t place) const {
    const std::string& word = words_[place];
    if (find_word(word) < place && word.starts_with("--")) return UserError(word + " stands twice");
    return UserError((word.starts_with("-") ? "unknown flag '" : "stray word '") + word + "' (--help lists the flags)");
  }

  void describe(std::string left, const std::string& help) {
    left.resize(std::max<std::size_t>(left.size() + 2, 22), ' ');
    help_ += "  " + left + help + "\n";
  }

  std::size_t find_word(const std::string& name) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] == name) return i;
    return words_.size();
  }

  std::size_t find(const std::string& name) {
    const std::size_t place = find_word(name);
    if (place != words_.size()) taken_[place] = true;
    return place;
  }

  const std::string* value(const std::string& name) {
    const std::size_t place = find(name);
    if (place == words_.size()) return nullptr;
    if (place + 1 == words_.size() || words_[place + 1].empty() || words_[place + 1].starts_with("--"))
      throw UserError(name + " needs a value");
    taken_[place + 1] = true;
    return &words_[place + 1];
  }

  std::string help_;
  std::vector<std::string> words_;
  std::vector<bool> taken_;
};
