// What the program asks of the operating system: its window, its memory, its place.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <functional>
#include <string>

namespace terminal {

// Tells whether a stream is a window that a person looks at, not a file or a pipe.
bool is_window(std::FILE* stream);

// Tells whether a page of the course runs this program, and reads its stderr line by line.
bool is_page();

// Readies the process for a program of the course, once or more often. Stdout takes UTF-8 with
// escape sequences for colour; false says that the console of Windows refuses them. A write beyond
// the largest file allowed (ulimit -f) fails, as on a full disk, instead of killing the process.
// An instruction that this processor does not know ends the program with a sentence.
// Freed memory stays with the program: the C library of Linux would hand it back and fetch it again
// step by step, which costs a tenth of the time.
bool ready();

// Returns how many columns of text fit: the window's, between 40 and 120; 80 without one.
int width();

// Tells whether to print colours: to a window only, unless they are declined (no-color.org).
bool colour();

// Returns how many bytes of memory there are, of the machine or under ulimit -v.
double memory();

// Says that these bytes are more than that; nothing if they are not.
std::string too_large(double bytes);

// Returns the file of the running program, links resolved, as the system knows it: a program found
// through PATH was called by its bare name. Empty where the system does not say.
std::string program();

// While it lives, a first Ctrl-C is only noted, and asked for; a second one ends the program.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  bool is_asked_to_end() const;

 private:
  void (*before_)(int);  // what a Ctrl-C did, and does again
};

struct Subprocess {
  // left: as by exit(); divided: a whole number by 0; killed: by the system, which lacks memory
  enum class End { returned, left, forked, crashed, divided, killed, late };
  End end;
  std::string text;
  std::string said;  // the first 4,000 bytes that it printed
};

// Runs f in a process of its own, which may crash, gets half of the memory (between .6 and 4 GB),
// and is ended when it forks, or after these seconds, with all that it started. Nothing but the
// text comes back. Where the system cannot do that (Windows, a browser) it runs in this one.
Subprocess run_apart(const std::function<std::string()>& f, int seconds);
extern const bool limits_memory;  // whether it can

}  // namespace terminal
