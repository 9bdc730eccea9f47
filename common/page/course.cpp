// SPDX-License-Identifier: MIT
#include "common/page/course.hpp"

#include <algorithm>
#include <map>

#include "common/page/page.hpp"
#include "common/page/results.hpp"
#include "common/support/tree.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;

// The picture that stands for a lesson.
constexpr const char* pictures[] = {"variance", "sizes", "floor", "pentagon", "eigenvectors", "seeds"};
constexpr int lessons_in_all = 6;

// Returns the first line of a README without its mark.
std::string title_of(const std::string& program, int lesson) {
  const fs::path folder = lesson_folder(program, lesson);
  const std::string readme = folder.empty() ? "" : contents_of(folder / "README.md");
  return readme.starts_with("# ") ? readme.substr(2, readme.find('\n') - 2) : "Lesson " + std::to_string(lesson);
}

std::string state_in_words(const std::map<int, std::string>& results) {
  const auto fails = std::count_if(results.begin(), results.end(),
                                   [](const auto& one) { return state_of(one.second) == State::fails; });
  if (results.empty()) return "not run yet";
  const std::string parts = join(results.size(), results.size() == 1 ? " part" : " parts", " run; ");
  if (fails == 0) return parts + "all claims hold";
  return parts + join("claims fail in ", long(fails), fails == 1 ? " part" : " parts");
}

std::string entry(const std::string& program, const fs::path& out, int lesson) {
  const std::string name = "lesson" + std::to_string(lesson), page = contents_of(out / name / "index.html");
  const std::string title = escape_html(title_of(program, lesson));
  std::string html =
      "<h2>" + (page.empty() ? title : "<a href=\"" + name + "/index.html\">" + title + "</a>") + "</h2>\n";
  html += "<p class=\"command\">" + state_in_words(stored_results(page)) + ": <code>make " + name + "</code></p>\n";
  const std::string picture = contents_of(out / name / (std::string(pictures[lesson - 1]) + ".svg"));
  return html + (picture.empty() ? "" : "<figure>" + picture + "</figure>\n");
}

}  // namespace

std::string of_course(const std::string& program, const fs::path& out) {
  std::string html =
      "<p>Six lessons, each with its text, its code and what it found on this machine. "
      "<code>make lessons</code> runs them all, <code>make progress</code> shows the exercises.</p>\n";
  for (int lesson = 1; lesson <= lessons_in_all; ++lesson) html += entry(program, out, lesson);
  return of_run("How neural networks compute", html);
}

}  // namespace page
