// What only the operating system knows, asked in its own words: all of the course that differs between systems is here.
// SPDX-License-Identifier: MIT
#include "common/support/terminal.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/support/words.hpp"

#if defined(_WIN32)
#define NOMINMAX 1  // or windows.h takes the names min and max
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace terminal {

bool is_window(std::FILE* stream) {
#if defined(_WIN32)
  return _isatty(_fileno(stream)) != 0;
#else
  return isatty(fileno(stream)) != 0;
#endif
}

bool ready() {
#if defined(SIGXFSZ)
  std::signal(SIGXFSZ, SIG_IGN);
#endif
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
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

int width() {
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

bool colour() {
  const auto says = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  static const bool wanted = is_window(stdout) && says("NO_COLOR").empty() && says("TERM") != "dumb" && ready();
  return wanted;
}

double memory() {
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

std::string too_large(double bytes) {
  const auto billions = [](double n) { return n < 1e11 ? significant(n / 1e9, 2) : fixed(n / 1e9, 0); };
  if (bytes <= memory()) return "";
  return "about " + billions(bytes) + " GB of memory would be needed, and there are " + billions(memory());
}

std::string program(const char* called) {
  std::error_code ignored;
#if defined(_WIN32)
  wchar_t path[1 << 15];
  const DWORD size = GetModuleFileNameW(nullptr, path, 1 << 15);
  if (size > 0 && size < 1 << 15) return std::filesystem::path(path, path + size).string();
#elif defined(__APPLE__)
  char path[1 << 15];
  std::uint32_t size = sizeof path;
  if (_NSGetExecutablePath(path, &size) == 0) return std::filesystem::weakly_canonical(path, ignored).string();
#else
  const std::filesystem::path found = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!found.empty()) return found.string();
#endif
  return std::filesystem::weakly_canonical(called, ignored).string();
}

#if defined(_WIN32) || defined(__EMSCRIPTEN__)
Apart run_apart(const std::function<std::string()>& f, int) { return {Apart::End::returned, f()}; }
#else
// What the child does: it sends its text down the pipe.
[[noreturn]] static void answer(const std::function<std::string()>& f, int pipe) {
  const std::string text = f() + "\n";  // the last byte says that f came to its end
  std::cout.flush();
  std::fflush(nullptr);
  ssize_t more = 1;
  for (std::size_t sent = 0; sent < text.size() && more > 0; sent += std::size_t(more))
    more = write(pipe, text.data() + sent, text.size() - sent);
  _exit(0);
}

Apart run_apart(const std::function<std::string()>& f, int seconds) {
  int ends[2];
  std::fflush(nullptr);
  if (pipe(ends) != 0) return {Apart::End::returned, f()};
  const pid_t child = fork();
  if (child == 0) answer(f, ends[1]);
  close(ends[1]);
  Apart apart{Apart::End::crashed, ""};
  pollfd pipe_end{ends[0], POLLIN, 0};
  char piece[4096];
  for (ssize_t size; child > 0; apart.text.append(piece, std::size_t(size))) {
    if (poll(&pipe_end, 1, 1000 * seconds) == 0) {
      apart.end = Apart::End::late;
      kill(child, SIGKILL);
      break;
    }
    size = read(ends[0], piece, sizeof piece);
    if (size <= 0) break;
  }
  close(ends[0]);
  if (child < 0) return {Apart::End::returned, f()};
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && apart.text.ends_with('\n')) {
    apart.end = Apart::End::returned;
    apart.text.pop_back();
  }
  return apart;
}
#endif

}  // namespace terminal
