// The page of a lesson: its README with what the program found behind each section. One file that needs no other.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace page {

// What a page is made of beside the results. Missing files are missing on the page; they are no error, since a lesson
// can be run far from its folder.
struct Lesson {
  int number = 0;
  std::string title;             // where there is no README
  std::filesystem::path folder;  // lessons/3_swish_vs_bmlp; may be empty
};

// Returns the page: text, contents, and the stored results (results.hpp) by the number of their part, whose pictures
// stand where the text shows them. Where the README cannot be read, the page says so.
std::string of_lesson(const Lesson& lesson, std::map<int, std::string> results);

// Returns what a file holds; nothing where there is none.
std::string contents_of(const std::filesystem::path& file);

// Returns a page of its own: a title and what follows it, as HTML.
std::string of_run(const std::string& title, const std::string& html);

// The looks and the behaviour of all pages: CSS and JavaScript.
extern const std::string_view style;
extern const std::string_view script;

}  // namespace page
