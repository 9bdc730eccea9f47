// Command-line flags, each declared as a knob (knobs.hpp). Whatever was not asked for is an error.
// A wrong flag or input, and output that is lost, ends the program with one line on stderr and exit
// status 2.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "common/frame/terminal/knobs.hpp"
#include "common/frame/text/words.hpp"

// The user's input is wrong; the text says what, in one line.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program has nothing more to do.
struct Finished {
  int status;
};

// Returns the error, said of the flag that brought it: "--text: cannot read 'x': no such file".
UserError blamed(const std::string& flag, const std::exception& error);

template <class F>
auto blame(const std::string& flag, F f) {
  try {
    return f();
  } catch (const std::exception& error) {
    throw blamed(flag, error);
  }
}

// Throws UserError when what these flags ask for needs more memory than there is.
void check_memory(const std::string& flags, double bytes);

// Prints to stdout, at once. Throws UserError when nobody can have received it: a full disk, a
// closed stdout.
void print(const std::string& text);

// Says what was saved of a training that a Ctrl-C ended after `taken` of its steps, and ends the
// program with the status of a Ctrl-C.
[[noreturn]] void end_interrupted(long taken, long steps, const std::string& path);

// Returns the program's exit status; 2, with one line on stderr, for a UserError and for no memory.
int run_program(const char* name, const std::function<int()>& body);

class Flags {
 public:
  Flags(int argc, const char* const* argv, const std::string& program, const std::string& summary)
      : help_("usage: " + program + " [flags]\n" + summary + "\n\n"),
        words_(argv + 1, argv + argc),
        taken_(words_.size()) {}

  // Returns what these flags stand at. Throws UserError for a value that is none of theirs.
  knob::Settings ask(const knob::Knobs& knobs);

  // Returns what the knobs of `part` stand at. A flag asked for before, as --steps, may be one,
  // too, but does not count as given. Throws UserError as above, and for another part's knob.
  knob::Settings ask(std::optional<int> part, const std::map<int, knob::Knobs>& knobs);

  // Throws UserError for any other flag beside this one but --help, as it would have no effect.
  void alone(const knob::Knob& knob) const;

  bool given(const knob::Knob& knob) const { return find(knob.flag()) != words_.size(); }

  // Returns the words behind the program.
  const std::vector<std::string>& words() const { return words_; }

  // Comes last: prints what --help asks for. Throws UserError for words that no flag wanted.
  void finish();

 private:
  // Returns its place, or how many words there are.
  std::size_t find(const std::string& flag) const;

  // Returns the flag that an unknown word probably stands for, "--seed 2" of --seed=2, or nothing.
  std::string likely_flag(const std::string& word) const;

  void ask(const knob::Knob& knob, bool checked, knob::Settings& settings);
  std::string take(const knob::Knob& knob);
  void describe(const std::string& flag, const std::string& help);

  std::string help_, further_;
  std::vector<std::string> words_;
  std::vector<bool> taken_;
  std::set<std::string> asked_;
};
