// Whole files in and out, and where the course lies. Reading says clearly what is wrong; writing replaces the target in
// one step, so that a process that fails or is killed half-way leaves the old file as it was.
// SPDX-License-Identifier: MIT
#pragma once
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

// What reading and writing share.
namespace file {

// Returns what the system gives as the reason of the last failure of a stream.
inline std::string last_reason() { return errno == 0 ? "unknown reason" : std::generic_category().message(errno); }

// `verb` is read or write.
[[noreturn]] inline void cannot(const std::string& verb, const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot " + verb + " '" + path + "': " + reason);
}

// Tells whether the path is there; what is there must be a file.
inline bool is_file(const std::string& verb, const std::string& path, const std::filesystem::file_status& status) {
  if (is_directory(status)) cannot(verb, path, "it is a directory");
  if (exists(status) && !is_regular_file(status)) cannot(verb, path, "not a regular file");
  return exists(status);
}

// What a link points to is replaced, not the link. Renaming onto a device would replace the device.
inline std::filesystem::path target_of(const std::string& path) {
  std::error_code error;
  const bool there = is_file("write", path, std::filesystem::status(path, error));
  if (!there && is_symlink(std::filesystem::symlink_status(path, error)))
    cannot("write", path, "it is a link that leads to no file");
  if (!there) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) cannot("write", path, error.message());
  return target;
}

// The name of a file beside another, whose place it is to take; what still has that name at the end is removed.
struct Temporary {
  std::filesystem::path path;

  explicit Temporary(const std::filesystem::path& target) : path(target) {
    std::random_device random;  // so that two processes that write the same target never share one
    path += "." + std::to_string(random()) + std::to_string(random()) + ".tmp";
  }
  ~Temporary() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
};

// Writes `bytes` there; `path` is what a complaint names.
inline void fill(const Temporary& file, std::string_view bytes, const std::string& path) {
  errno = 0;
  std::ofstream out(file.path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();  // `out` now knows of any failure: to open, to write, to flush
  if (!out) cannot("write", path, last_reason());
}

}  // namespace file

// Returns the bytes of a file. Throws std::runtime_error with one line that names the path and the reason. Devices and
// pipes are refused, because some of them never end, and so is a file whose use, which takes `times` its bytes, exceeds
// the memory.
inline std::string read_file(const std::string& path, double times = 1) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) file::cannot("read", path, "no such file");
  if (error) file::cannot("read", path, error.message());
  file::is_file("read", path, status);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!in || error) file::cannot("read", path, file::last_reason());
  if (const std::string wrong = terminal::too_large(times * double(size)); !wrong.empty())
    file::cannot("read", path, wrong);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (in.bad()) file::cannot("read", path, file::last_reason());
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// Returns parse(bytes of the file); what it throws then names the file.
template <class Parse>
auto parse_file(const std::string& path, double times, const Parse& parse) {
  const std::string bytes = read_file(path, times);
  try {
    return parse(std::string_view(bytes));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read '" + path + "': " + error.what());
  }
}

// Makes `bytes` the content of the file at `path` in one step. On failure the target stays as it was, no temporary file
// is left, and std::runtime_error names the path and the reason.
inline void write_file(const std::string& path, std::string_view bytes) {
  const std::filesystem::path target = file::target_of(path);
  const file::Temporary made(target);
  file::fill(made, bytes, path);
  std::error_code error;
  std::filesystem::rename(made.path, target, error);
  if (error) file::cannot("write", path, error.message());
}

// Throws what write_file would throw for this path, and leaves nothing behind: for use before long work.
inline void check_writable(const std::string& path) { file::fill(file::Temporary(file::target_of(path)), "", path); }

// Tells whether both paths lead to one file or folder, links followed, or would once it is made.
inline bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::exists(a, error) || std::filesystem::exists(b, error))
    return std::filesystem::equivalent(a, b, error);
  const auto name = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error) / "";
  };
  return name(a) == name(b);
}

// Returns the path of a file or folder of the course, such as common/data/play.txt. A lesson may be started from any
// folder, through PATH or a link, so it is looked for upwards from the program, whose argv[0] this is, from the working
// folder and from the place of the source. Empty where it is nowhere.
inline std::filesystem::path in_course(const std::string& program, const std::filesystem::path& wanted) {
  std::error_code ignored;
  const std::filesystem::path source = __FILE__, running = terminal::program(program.c_str());
  for (const std::filesystem::path& start : {running.parent_path(), std::filesystem::path("."), source.parent_path()})
    for (std::filesystem::path folder = std::filesystem::absolute(start, ignored).lexically_normal();;
         folder = folder.parent_path()) {
      if (std::filesystem::exists(folder / wanted, ignored)) return folder / wanted;
      if (folder == folder.root_path() || folder.empty()) break;
    }
  return {};
}

// Returns the folder of a lesson, as lessons/3_swish_vs_bmlp; empty where it is nowhere.
inline std::filesystem::path lesson_folder(const std::string& program, int lesson) {
  const std::filesystem::path mark = in_course(program, "common/data/play.txt");
  if (mark.empty()) return {};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator((mark / "../../../lessons").lexically_normal(), ignored))
    if (entry.path().filename().string().starts_with(std::to_string(lesson) + "_")) return entry.path();
  return {};
}
