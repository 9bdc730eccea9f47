// Runs a program under a fault and says how it ended. POSIX.
// SPDX-License-Identifier: MIT
#pragma once
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// The bytes of a file; none where there is no file.
inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Command {
  std::string folder;                    // where it runs
  std::vector<std::string> words;        // the program and its flags
  std::vector<std::string> environment;  // NAME=VALUE, besides that of this process
  std::optional<rlim_t> largest_file{};  // RLIMIT_FSIZE, in bytes
  std::string out = "/dev/null";         // where stdout goes; none: it is closed
};

struct Ending {
  int signal, status;
  std::string errors;  // what was said on stderr

  // It did what was asked, or ended with one line that begins with the name of the program.
  bool sound(const std::string& program) const {
    if (signal != 0) return false;
    if (status == 0) return errors.empty();
    return (status == 1 || status == 2) && errors.starts_with(program + ": ") && errors.ends_with('\n') &&
           std::count(errors.begin(), errors.end(), '\n') == 1;
  }

  std::string told() const {
    return (signal ? "signal " + std::to_string(signal) : "status " + std::to_string(status)) + ", '" +
           errors.substr(0, 200) + "'";
  }
};

// Starts the command; what it says on stderr goes to its folder's file `errors`. A program that hangs is ended by a
// signal after two minutes.
inline pid_t start(const Command& c, const std::string& errors = "errors") {
  std::vector<char*> words, environment;
  for (const std::string& word : c.words) words.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& line : c.environment) environment.push_back(const_cast<char*>(line.c_str()));
  for (char** line = environ; *line; ++line) environment.push_back(*line);
  words.push_back(nullptr);
  environment.push_back(nullptr);
  const std::string said = c.folder + "/" + errors;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child > 0) return child;
  // From here on only what may be called between fork and exec where there are other threads.
  const int none = open("/dev/null", O_RDONLY), err = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int out = c.out.empty() ? -1 : open(c.out.c_str(), O_WRONLY);
  dup2(none, 0);
  dup2(err, 2);
  if (out >= 0) dup2(out, 1);
  else close(1);
  if (c.largest_file) {
    const rlimit limit{*c.largest_file, *c.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  alarm(120);
  if (chdir(c.folder.c_str()) == 0) execve(words[0], words.data(), environment.data());
  _exit(127);
}

inline Ending end_of(pid_t child, const std::string& folder, const std::string& errors = "errors") {
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          bytes_of(folder + "/" + errors)};
}

inline Ending run(const Command& command) { return end_of(start(command), command.folder); }
