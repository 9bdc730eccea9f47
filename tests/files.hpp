// A folder for tests, removed at the end.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <random>
#include <string>

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("course_test." + std::to_string(std::random_device()()))) {
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
