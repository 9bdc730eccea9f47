// Whole files in and out, and where the course lies. Writing replaces the target in one step, so
// that a process that fails or is killed half-way leaves the old file as it was.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdexcept>
#include <string>

// Returns the bytes of a file. Throws std::runtime_error with one line that names the path and the
// reason. Refuses devices and pipes, as some never end, a file whose use, which takes `times` its
// bytes, exceeds the memory, and one that is compressed, in UTF-16, or a pointer of Git LFS.
std::string read_file(const std::string& path, double times = 1);

// Returns the bytes of a file, or nothing where it cannot be read.
std::string contents_of(const std::string& path);

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

// If it throws, the target stays as it was, and nothing is left.
void write_file(const std::string& path, std::string_view bytes);

// Throws what write_file would throw, and leaves nothing behind: for use before long work.
void check_writable(const std::string& path);

// Tells whether both paths lead to the same file or folder, links followed, or would once it
// is made.
bool is_same_file(const std::string& a, const std::string& b);

// Returns the path of a file or folder of the course, such as common/data/play.txt. A lesson may
// start in any folder, through PATH or a link, so the search goes upwards from the program, the
// working folder and the place of the source. Empty if not found.
std::string in_course(const std::string& wanted);

// Returns lessons/3_swish_vs_bmlp, or an empty path.
std::string lesson_folder(int lesson);
