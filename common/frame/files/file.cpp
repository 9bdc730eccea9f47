// SPDX-License-Identifier: MIT
#include "common/frame/files/file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>

#include "common/frame/terminal/terminal.hpp"

static std::string last_reason() {
  return errno == 0 ? "unknown reason" : std::generic_category().message(errno);
}

[[noreturn]] static void cannot(const std::string& verb, const std::string& path,
                                const std::string& reason) {
  throw std::runtime_error("cannot " + verb + " '" + path + "': " + reason);
}

// What is there must be a file.
static bool is_file(const std::string& verb, const std::string& path,
                    const std::filesystem::file_status& status) {
  if (is_directory(status)) cannot(verb, path, "it is a directory");
  if (exists(status) && !is_regular_file(status)) cannot(verb, path, "not a regular file");
  return exists(status);
}

// What a link points to is replaced, not the link. Renaming onto a device would replace the device.
static std::filesystem::path target_of(const std::string& path) {
  std::error_code error;
  const bool there = is_file("write", path, std::filesystem::status(path, error));
  if (!there && is_symlink(std::filesystem::symlink_status(path, error)))
    cannot("write", path, "it is a link that leads to no file");
  if (!there) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) cannot("write", path, error.message());
  return target;
}

// A file beside another, whose place it is to take; removed if it still has that name at the end.
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

static void fill(const Temporary& file, std::string_view bytes, const std::string& path) {
  errno = 0;
  std::ofstream out(file.path, std::ios::binary);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  out.close();  // `out` now knows of any failure
  if (!out) cannot("write", path, last_reason());
}

// Returns what a file is that nobody means to be read as it stands, and what to do about it.
static std::string_view wrapping_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> known[]{
      {"\x1f\x8b\x08", "it is compressed with gzip: unpack it first"},
      {"BZh", "it is compressed with bzip2: unpack it first"},
      {"\xfd\x37zXZ\0"sv, "it is compressed with xz: unpack it first"},
      {"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first"},
      {"PK\x03\x04",
       "it is a zip archive or an office document: store what it holds as plain text"},
      {"%PDF-", "it is a PDF: store its text as a file of its own"},
      {"\xff\xfe", "it is stored as UTF-16: let your editor store it as UTF-8"},
      {"\xfe\xff", "it is stored as UTF-16: let your editor store it as UTF-8"},
      {"version https://git-lfs.github.com/",
       "it only points to a file: git lfs pull brings that"}};
  // Of safetensors the first eight bytes are a length, which may be any, and a bracket opens then.
  const bool opens = bytes.size() > 8 && bytes[7] == '\0' && bytes[8] == '{';
  for (const auto& [beginning, advice] : known)
    if (!opens && bytes.starts_with(beginning)) return advice;
  return "";
}

std::string read_file(const std::string& path, double times) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) cannot("read", path, "no such file");
  if (error) cannot("read", path, error.message());
  is_file("read", path, status);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!in || error) cannot("read", path, last_reason());
  if (const std::string wrong = terminal::too_large(times * double(size)); !wrong.empty())
    cannot("read", path, wrong);
  std::string bytes(std::size_t(size), '\0');
  in.read(bytes.data(), std::streamsize(size));
  if (in.bad()) cannot("read", path, last_reason());
  bytes.resize(std::size_t(in.gcount()));
  if (const std::string_view advice = wrapping_of(bytes); !advice.empty())
    cannot("read", path, std::string(advice));
  return bytes;
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, std::string_view bytes) {
  const std::filesystem::path target = target_of(path);
  const Temporary beside(target);
  fill(beside, bytes, path);
  std::error_code error;
  std::filesystem::rename(beside.path, target, error);
  if (error) cannot("write", path, error.message());
}

void check_writable(const std::string& path) { fill(Temporary(target_of(path)), "", path); }

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::exists(a, error) || std::filesystem::exists(b, error))
    return std::filesystem::equivalent(a, b, error);
  const auto name = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error) / "";
  };
  return name(a) == name(b);
}

std::string in_course(const std::string& wanted) {
  std::error_code ignored;
  const std::filesystem::path source = __FILE__, running = terminal::program();
  for (const std::filesystem::path& start :
       {running.parent_path(), std::filesystem::path("."), source.parent_path()})
    for (std::filesystem::path folder =
             std::filesystem::absolute(start, ignored).lexically_normal();
         ; folder = folder.parent_path()) {
      if (std::filesystem::exists(folder / wanted, ignored)) return (folder / wanted).string();
      if (folder == folder.root_path() || folder.empty()) break;
    }
  return {};
}

std::string lesson_folder(int lesson) {
  const std::filesystem::path mark = in_course("lessons/CLOSING.md");
  if (mark.empty()) return {};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(mark.parent_path(), ignored))
    if (entry.path().filename().string().starts_with(std::to_string(lesson) + "_"))
      return entry.path().string();
  return {};
}
