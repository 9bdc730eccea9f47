// All of the course that differs between operating systems.
// SPDX-License-Identifier: MIT
#include "common/frame/terminal/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/frame/text/words.hpp"

#if defined(_WIN32)
#define NOMINMAX 1  // or windows.h takes min and max
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace terminal {

#if defined(SIGILL) && !defined(_WIN32)
static void unknown_instruction(int) {
  constexpr std::string_view text =
      "This program was built for another processor; make clean, then make, builds it for this one.\n";
  _exit(write(STDERR_FILENO, text.data(), text.size()) < 0 ? 1 : 2);
}
#endif

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
#if defined(SIGILL) && !defined(_WIN32)
  std::signal(SIGILL, unknown_instruction);
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
  return GetConsoleMode(window, &mode) &&
         SetConsoleMode(window, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
#else
  return true;
#endif
}

// A handler of signals can reach nothing else.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static volatile std::sig_atomic_t interrupts = 0;

extern "C" void note_interrupt(int) {
  interrupts = 1;
  std::signal(SIGINT, SIG_DFL);
}

Interruptible::Interruptible() : before_(std::signal(SIGINT, note_interrupt)) { interrupts = 0; }
Interruptible::~Interruptible() { std::signal(SIGINT, before_); }
bool Interruptible::is_asked_to_end() const { return interrupts != 0; }

int width() {
  int columns = 80;
#if defined(_WIN32)
  CONSOLE_SCREEN_BUFFER_INFO window{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &window))
    columns =
        window.srWindow.Right - window.srWindow.Left;  // one less than fit: a full line would wrap
#else
  winsize size{};
  if (is_window(stdout) && ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    columns = size.ws_col;
#endif
  return std::clamp(columns, 40, 120);
}

bool colour() {
  const auto says = [](const char* name) {
    return std::string(std::getenv(name) ? std::getenv(name) : "");
  };
  static const bool wanted =
      is_window(stdout) && says("NO_COLOR").empty() && says("TERM") != "dumb" && ready();
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
  const auto billions = [](double n) {
    return n < 1e11 ? significant(n / 1e9, 2) : fixed(n / 1e9, 0);
  };
  if (bytes <= memory()) return "";
  return join("about ", billions(bytes), " GB of memory would be needed, and there are ",
              billions(memory()));
}

std::string program() {
#if defined(_WIN32)
  wchar_t path[1 << 15];
  const DWORD size = GetModuleFileNameW(nullptr, path, 1 << 15);
  if (size == 0 || size == 1 << 15) return "";
  return std::filesystem::path(path, path + size).string();
#else
  std::error_code ignored;
#if defined(__APPLE__)
  char path[1 << 15];
  std::uint32_t size = sizeof path;
  if (_NSGetExecutablePath(path, &size) != 0) return "";
  return std::filesystem::weakly_canonical(path, ignored).string();
#else
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
#endif
#endif
}

#if defined(__EMSCRIPTEN__)
bool is_page() { return is_window(stderr); }
#else
bool is_page() { return false; }
#endif

#if defined(_WIN32) || defined(__EMSCRIPTEN__)
Subprocess run_apart(const std::function<std::string()>& f, int) {
  return {Subprocess::End::returned, f(), ""};
}
const bool limits_memory = false;
#else
// The sanitizers reserve more addresses than there is memory, and other systems do not count them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__linux__)
const bool limits_memory = false;
#elif defined(__has_feature)
const bool limits_memory = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
const bool limits_memory = true;
#endif

// Addresses count, of which a thread takes some 10 MB at least: so this bounds threads, too.
static void limit_memory() {
  rlimit limit{};
  if (!limits_memory || getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, rlim_t(std::clamp(memory() / 2, 6e8, 4e9)));
  setrlimit(RLIMIT_AS, &limit);
}

constexpr int status_of_fork = 213;

// What the child does: it sends what it prints down one pipe, and its text down the other.
[[noreturn]] static void answer(const std::function<std::string()>& f, int prints, int pipe) {
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);  // to read ends at once, and waits for nobody
  dup2(prints, STDOUT_FILENO);
  dup2(prints, STDERR_FILENO);
  setpgid(0, 0);
  limit_memory();
  pthread_atfork([] { _exit(status_of_fork); }, nullptr, nullptr);
  std::signal(SIGILL, SIG_DFL);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // so that a crash leaves what was printed before it
  const std::string text = f() + "\n";       // the last byte says that f came to its end
  std::cout.flush();
  std::fflush(nullptr);
  ssize_t more = 1;
  for (std::size_t sent = 0; sent < text.size() && more > 0; sent += std::size_t(more))
    more = write(pipe, text.data() + sent, text.size() - sent);
  _exit(0);
}

// Reads both pipes to their ends; returns false when the time is over.
static bool hear(int prints, int answers, int seconds, Subprocess& apart) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  pollfd pipes[]{{prints, POLLIN, 0}, {answers, POLLIN, 0}};
  char piece[4096];
  while (pipes[1].fd >= 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(pipes, 2, int(left.count())) == 0) return false;
    for (const std::size_t k : {0u, 1u}) {
      if (pipes[k].fd < 0 || pipes[k].revents == 0) continue;
      const ssize_t size = read(pipes[k].fd, piece, sizeof piece);
      if (size <= 0) pipes[k].fd = -1;  // which poll passes over
      else if (k == 1) apart.text.append(piece, std::size_t(size));
      else apart.said.append(piece, std::min(std::size_t(size), 4000 - apart.said.size()));
    }
  }
  return true;
}

Subprocess run_apart(const std::function<std::string()>& f, int seconds) {
  int prints[2], answers[2];
  std::fflush(nullptr);
  if (pipe(prints) != 0 || pipe(answers) != 0) return {Subprocess::End::returned, f(), ""};
  fcntl(answers[1], F_SETFD, FD_CLOEXEC);  // a command that f leaves behind does not hold it open
  const pid_t child = fork();
  if (child == 0) answer(f, prints[1], answers[1]);
  close(prints[1]);
  close(answers[1]);
  Subprocess apart{Subprocess::End::crashed, "", ""};
  const bool ended = child < 0 || hear(prints[0], answers[0], seconds, apart);
  close(prints[0]);
  close(answers[0]);
  if (child < 0) return {Subprocess::End::returned, f(), ""};
  setpgid(child, child);  // as the child does: the first of the two counts
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  kill(-child, SIGKILL);  // what it left behind
  if (!ended) apart.end = Subprocess::End::late;
  else if (WIFEXITED(status) && WEXITSTATUS(status) == status_of_fork)
    apart.end = Subprocess::End::forked;
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGFPE) apart.end = Subprocess::End::divided;
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) apart.end = Subprocess::End::killed;
  else if (WIFEXITED(status))
    apart.end = apart.text.ends_with('\n') ? Subprocess::End::returned : Subprocess::End::left;
  if (apart.end == Subprocess::End::returned) apart.text.pop_back();
  return apart;
}
#endif

}  // namespace terminal
