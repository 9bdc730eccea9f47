// The page of the course: all lessons with their pictures and what their pages hold.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace page {

// Returns the page from the lessons' own pages and pictures in out/lesson1, out/lesson2, ..., of which some or all may
// be missing, and from the READMEs, which are looked for as in_course (file.hpp) says.
std::string of_course(const std::string& program, const std::filesystem::path& out);

}  // namespace page
