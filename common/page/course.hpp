// The page of the course: all lessons with their pictures and what their pages hold.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace page {

// Returns the page from the lessons' own pages and pictures in out/lesson1, out/lesson2, ..., and from their READMEs in
// lessons/; both may lack some or all.
std::string of_course(const std::filesystem::path& lessons, const std::filesystem::path& out);

}  // namespace page
