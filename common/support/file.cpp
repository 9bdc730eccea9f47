// SPDX-License-Identifier: MIT
#include "common/support/file.hpp"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <random>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

namespace fs = std::filesystem;

namespace {

// Returns what the system gives as the reason of the last failure of a stream.
std::string last_reason() { return errno == 0 ? "unknown reason" : std::generic_category().message(errno); }

// `verb` is read or write.
[[noreturn]] void cannot(const std::string& verb, const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot " + verb + " '" + path + "': " + reason);
}

// Tells whether the path is there; what is there must be a file.
bool is_file(const std::string& verb, const std::string& path, const fs::file_status& status) {
  if (is_directory(status)) cannot(verb, path, "it is a directory");
  if (exists(status) && !is_regular_file(status)) cannot(verb, path, "not a regular file");
  return exists(status);
}

// What a link points to is replaced, not the link. Renaming onto a device would replace the device.
fs::path target_of(const std::string& path) {
  std::error_code error;
  const bool there = is_file("write", path, fs::status(path, error));
  if (!there && is_symlink(fs::symlink_status(path, error)))
    cannot("write", path, "it is a link that leads to no file");
  if (!there) return path;
  const fs::path target = fs::canonical(path, error);
  if (error) cannot("write", path, error.message());
  return target;
}

// The name of a file beside another, whose place it is to take; what still has that name at the end is removed.
struct Temporary {
  fs::path path;

  explicit Temporary(const fs::path& target) : path(target) {
    std::random_device random;  // so that two processes that write the same target never share one
    path += "." + std::to_string(random()) + std::to_string(random()) + ".tmp";
  }
  ~Temporary() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
};

// Writes `bytes` there; `path` is what a complaint names.
void fill(const Temporary& file, std::string_view bytes, const std::string& path) {
  errno = 0;
  std::ofstream out(file.path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();  // `out` now knows of any failure: to open, to write, to flush
  if (!out) cannot("write", path, last_reason());
}

}  // namespace

void read_pieces(const std::string& path, double times, const std::function<void(std::size_t size)>& make_room,
                 const std::function<void(std::string_view piece)>& take) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) cannot("read", path, "no such file");
  if (error) cannot("read", path, error.message());
  is_file("read", path, status);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = fs::file_size(path, error);
  const double needed = times * double(size);
  if (!in || error) cannot("read", path, last_reason());
  if (needed > terminal::memory())
    cannot(
        "read", path,
        "about " + gigabytes(needed) + " GB of memory would be needed, and there are " + gigabytes(terminal::memory()));
  make_room(static_cast<std::size_t>(size));
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0)
    take(std::string_view(chunk.data(), static_cast<std::size_t>(in.gcount())));
  if (in.bad()) cannot("read", path, last_reason());
}

std::string read_file(const std::string& path, double times) {
  std::string bytes;
  const auto make_room = [&](std::size_t size) { bytes.reserve(size); };
  read_pieces(path, times, make_room, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const fs::path target = target_of(path);
  const Temporary file(target);
  fill(file, bytes, path);
  std::error_code error;
  fs::rename(file.path, target, error);
  if (error) cannot("write", path, error.message());
}

void check_writable(const std::string& path) { fill(Temporary(target_of(path)), "", path); }

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) || fs::exists(b, error)) return fs::equivalent(a, b, error);
  const auto name = [&error](const std::string& path) {
    return small_letters((fs::weakly_canonical(fs::absolute(path, error), error) / "").generic_string());
  };
  return name(a) == name(b);
}

fs::path in_course(const std::string& program, const fs::path& wanted) {
  std::error_code ignored;
  const fs::path source = __FILE__, running = terminal::program(program.c_str());
  for (const fs::path& start : {running.parent_path(), fs::path("."), source.parent_path()})
    for (fs::path folder = fs::absolute(start, ignored).lexically_normal();; folder = folder.parent_path()) {
      if (fs::exists(folder / wanted, ignored)) return folder / wanted;
      if (folder == folder.root_path() || folder.empty()) break;
    }
  return {};
}

fs::path lesson_folder(const std::string& program, int lesson) {
  const fs::path mark = in_course(program, "common/data/play.txt");
  if (mark.empty()) return {};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator((mark / "../../../lessons").lexically_normal(), ignored))
    if (entry.path().filename().string().starts_with(std::to_string(lesson) + "_")) return entry.path();
  return {};
}
