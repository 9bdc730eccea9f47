// What the tests of files share: a folder for them, and bytes spoiled at random.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <random>
#include <string>

#include "common/random.hpp"

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("course_test." + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Returns the bytes, which are not none, after up to three edits at random places: a byte of `alphabet` instead of one
// or before one, some bytes left out, some written twice.
inline std::string mutated(std::string bytes, const std::string& alphabet, Random& random) {
  for (std::uint64_t edits = random.below(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = std::size_t(random.below(bytes.size()));
    const char byte = alphabet[std::size_t(random.below(alphabet.size()))];
    const std::uint64_t kind = random.below(4);
    if (kind == 0) bytes[at] = byte;
    else if (kind == 1) bytes.insert(at, 1, byte);
    else if (kind == 2) bytes.erase(at, 1 + std::size_t(random.below(8)));
    else bytes.insert(at, bytes.substr(std::size_t(random.below(bytes.size())), std::size_t(random.below(16))));
  }
  return bytes;
}
