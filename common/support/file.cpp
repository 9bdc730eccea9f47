// SPDX-License-Identifier: MIT
#include "common/support/file.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "common/support/terminal.hpp"
#include "common/support/words.hpp"

namespace {

// Returns what the system gives as the reason of the last failure of a stream.
std::string last_reason() { return errno == 0 ? "unknown reason" : std::generic_category().message(errno); }

[[noreturn]] void cannot_write(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write '" + path + "': " + reason);
}

// What a link points to is replaced, not the link. Renaming onto a device would replace the device.
std::filesystem::path target_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!exists(status) && is_symlink(std::filesystem::symlink_status(path, error)))
    cannot_write(path, "it is a link that leads to no file");
  if (!exists(status)) return path;
  if (is_directory(status)) cannot_write(path, "it is a directory");
  if (!is_regular_file(status)) cannot_write(path, "not a regular file");
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) cannot_write(path, error.message());
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
void fill(const Temporary& file, std::string_view bytes, const std::string& path) {
  errno = 0;
  std::ofstream out(file.path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();  // `out` now knows of any failure: to open, to write, to flush
  if (!out) cannot_write(path, last_reason());
}

}  // namespace

void read_pieces(const std::string& path, double times, const std::function<void(std::size_t size)>& make_room,
                 const std::function<void(std::string_view piece)>& take) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw std::runtime_error("cannot read '" + path + "': no such file");
  if (error) throw std::runtime_error("cannot read '" + path + "': " + error.message());
  if (is_directory(status)) throw std::runtime_error("cannot read '" + path + "': it is a directory");
  if (!is_regular_file(status)) throw std::runtime_error("cannot read '" + path + "': not a regular file");

  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const double needed = times * double(size);
  if (!in || error) throw std::runtime_error("cannot read '" + path + "': " + last_reason());
  if (needed > terminal::memory())
    throw std::runtime_error("cannot read '" + path + "': about " + gigabytes(needed) +
                             " GB of memory would be needed, and there are " + gigabytes(terminal::memory()));
  make_room(static_cast<std::size_t>(size));
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0)
    take(std::string_view(chunk.data(), static_cast<std::size_t>(in.gcount())));
  if (in.bad()) throw std::runtime_error("cannot read '" + path + "': " + last_reason());
}

std::string read_file(const std::string& path, double times) {
  std::string bytes;
  read_pieces(
      path, times, [&](std::size_t size) { bytes.reserve(size); }, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const std::filesystem::path target = target_of(path);
  const Temporary file(target);
  fill(file, bytes, path);
  std::error_code error;
  std::filesystem::rename(file.path, target, error);
  if (error) cannot_write(path, error.message());
}

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(a, error) || fs::exists(b, error)) return fs::equivalent(a, b, error);
  const auto name = [&error](const std::string& path) {
    return small_letters((fs::weakly_canonical(fs::absolute(path, error), error) / "").generic_string());
  };
  return name(a) == name(b);
}

void check_writable(const std::string& path) { fill(Temporary(target_of(path)), "", path); }
