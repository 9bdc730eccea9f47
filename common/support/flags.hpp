// Command-line flags: each is asked for once, with its default and its help line; whatever was not asked for is an
// error. A wrong flag or input, and output that is lost, ends the program with one line on stderr and exit status 2.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <exception>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// The user's input is wrong; the text says what, in one line.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program has nothing more to do and ends with this exit status.
struct Finished {
  int status;
};

// Returns what the error says, said of the flag that brought it: "--text: cannot read 'x': no such file".
UserError blamed(const std::string& flag, const std::exception& error);

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
void check_memory(const std::string& flags, double bytes);

// Prints to stdout, at once. Throws UserError where nobody can have received it: a full disk, a closed stdout.
void print(const std::string& text);

// Runs the body of a program. Returns its exit status; 2 with one line on stderr for a UserError and where the memory
// does not suffice.
int run_program(const char* name, const std::function<int()>& body);

class Flags {
 public:
  Flags(int argc, const char* const* argv, const std::string& program, const std::string& summary);

  // Tells whether --name stands there.
  bool toggle(const std::string& name, const std::string& help);

  // Returns the VALUE of --name VALUE: text, not empty. What was asked for before may be asked for again.
  std::string text(const std::string& name, const std::string& placeholder, const std::string& fallback,
                   const std::string& help);

  // Returns the N of --name N: a whole number from least to most, of any type from int to unsigned long long.
  template <class Integer>
  Integer count(const std::string& name, Integer fallback, Integer least, Integer most, const std::string& help);

  // Returns the X of --name X: a finite number above `above` and at most `most`.
  double real(const std::string& name, double fallback, double above, double most, const std::string& help);

  // Throws UserError for any other flag beside --name, which would have no effect. --help is no such flag.
  void alone(const std::string& name) const;

  // Lists what is asked for from here on under a title of its own, behind the other flags.
  void section(const std::string& title) { further_ = "\n" + title + "\n"; }

  bool given(const std::string& name) const;

  // Tells whether --name was asked for before.
  bool asked(const std::string& name) const { return asked_.count(name) > 0; }

  // Returns how the program was called: argv[0], and the words behind it.
  const std::string& program() const { return program_; }
  const std::vector<std::string>& words() const { return words_; }

  // Throws UserError for words that no flag wanted; --help prints the flags, --version the
  // version. To be called when all were asked for.
  void finish();

 private:
  UserError unwanted(std::size_t place) const;
  void describe(const std::string& name, const std::string& placeholder, const std::string& help);
  std::size_t find_word(const std::string& name) const;  // its place, or how many words there are
  std::size_t find(const std::string& name);             // the same, and the word is taken
  const std::string* value(const std::string& name);     // the word behind the flag; null without the flag

  std::string program_, name_, help_, further_;
  std::vector<std::string> words_;
  std::vector<bool> taken_;
  std::set<std::string> asked_;
};
