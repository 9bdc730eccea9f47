// What the program asks of the operating system: about the window it runs in, its memory, and where it lies itself. The
// only file that asks it anything beyond what the standard library offers.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#if defined(_WIN32)
#define NOMINMAX 1           // or windows.h takes the names min and max,
#define WIN32_LEAN_AND_MEAN  // small and interface,
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#undef near  // and these two
#undef far
#else
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
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

// Readies stdout for what a program prints, UTF-8 with escape sequences for colour, the same bytes everywhere. Only Windows
// has to be asked; false where its console refuses the escape sequences.
inline bool ready() {
#if defined(_WIN32)
  _setmode(_fileno(stdout), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  const HANDLE window = GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  return GetConsoleMode(window, &mode) && SetConsoleMode(window, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
#else
  return true;
#endif
}

// Columns of text that fit: the window's width, between 40 and 120; 80 without a window.
inline int width() {
  int columns = 80;
#if defined(_WIN32)
  CONSOLE_SCREEN_BUFFER_INFO window{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &window))
    columns = window.srWindow.Right - window.srWindow.Left;  // one less than fit: a full line would wrap
#else
  winsize size{};
  if (is_window(stdout) && ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) columns = size.ws_col;
#endif
  return std::clamp(columns, 40, 120);
}

// Colour is for windows only, and for those who have not declined it (no-color.org).
inline bool colour() {
  static const bool wanted =
      is_window(stdout) && environment("NO_COLOR").empty() && environment("TERM") != "dumb" && ready();
  return wanted;
}

// Bytes of memory that this program may use: those of the machine, or fewer where its address space or a limit set for it
// (ulimit -v) is smaller.
inline double memory() {
  double bytes = double(SIZE_MAX);
#if defined(_WIN32)
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status)) bytes = std::min(bytes, double(status.ullTotalPhys));
#else
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) bytes = std::min(bytes, double(pages) * double(page));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, double(limit.rlim_cur));
#endif
  return bytes;
}

// The file of the running program, links resolved. What it was called by (`called`, argv[0]) is the answer only where the
// system has none: a program found through PATH was called by its bare name.
inline std::filesystem::path program(const char* called) {
  std::error_code ignored;
#if defined(_WIN32)
  wchar_t path[1 << 15];
  const DWORD size = GetModuleFileNameW(nullptr, path, 1 << 15);
  if (size > 0 && size < 1 << 15) return std::filesystem::path(path, path + size);
#elif defined(__APPLE__)
  char path[1 << 15];
  std::uint32_t size = sizeof path;
  if (_NSGetExecutablePath(path, &size) == 0) return std::filesystem::weakly_canonical(path, ignored);
#else
  const std::filesystem::path found = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!found.empty()) return found;
#endif
  return std::filesystem::weakly_canonical(called, ignored);
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
