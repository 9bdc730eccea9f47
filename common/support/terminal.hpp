// What the program asks of the operating system: about the window it runs in, and to keep its memory. The only file that
// asks it anything.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#if defined(_WIN32)
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace terminal {

inline std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Is this stream a window that a person looks at, rather than a file or a pipe?
inline bool is_window(std::FILE* stream) {
#if defined(_WIN32)
  return _isatty(_fileno(stream)) != 0;
#else
  return isatty(fileno(stream)) != 0;
#endif
}

// Columns of text that fit: the window's width, between 40 and 120; 80 without a window.
inline int width() {
  int columns = 80;
#if !defined(_WIN32)
  winsize size{};
  if (is_window(stdout) && ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) columns = size.ws_col;
#endif
  return std::clamp(columns, 40, 120);
}

// Colour is for windows only, and for those who have not declined it (no-color.org).
inline bool colour() { return is_window(stdout) && environment("NO_COLOR").empty() && environment("TERM") != "dumb"; }

// Are pictures to be drawn with Unicode's block and braille characters? Not where the locale says plain C.
inline bool unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string_view locale = environment(name); !locale.empty()) return locale != "C" && locale != "POSIX";
  return true;
}

// Freed memory stays with the program, for the matrices of the next training step. The C library of Linux would hand it
// back to the system and fetch it again step by step, which costs a tenth of the time.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace terminal
