// SPDX-License-Identifier: MIT
#include "common/page/course.hpp"

#include <algorithm>
#include <map>

#include "common/page/exercises.hpp"
#include "common/page/page.hpp"
#include "common/page/results.hpp"
#include "common/support/svg.hpp"
#include "common/support/file.hpp"
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

// Returns the seconds that the parts took, as their results say.
double seconds_of(const std::map<int, std::string>& results) {
  constexpr std::string_view mark = "<span class=\"seconds\">";
  double sum = 0;
  for (const auto& [part, html] : results)
    if (const std::size_t at = html.find(mark); at != std::string::npos)
      sum += decimal_number(html.substr(at + mark.size(), html.find('<', at + 1) - at - mark.size())).value_or(0);
  return sum;
}

std::string state_in_words(std::map<int, std::string> results) {
  const Progress progress = progress_of(results[exercises]);
  results.erase(results.lower_bound(exercises), results.end());  // and what was turned
  const auto fails = std::count_if(results.begin(), results.end(),
                                   [](const auto& one) { return state_of(one.second) == State::fails; });
  std::string words = "not run yet";
  if (!results.empty())
    words = join(results.size(), results.size() == 1 ? " part" : " parts", " run in ", fixed(seconds_of(results), 1),
                 " s; ", fails == 0 ? "all claims hold" : join("claims fail in ", long(fails), " of them"));
  return progress.all == 0 ? words : words + join("; ", progress.done, " of ", progress.all, " exercises done");
}

std::string entry(const std::string& program, const fs::path& out, int lesson) {
  const std::string name = "lesson" + std::to_string(lesson), page = contents_of(out / name / "index.html");
  const std::string title = escape_html(title_of(program, lesson));
  std::string html =
      "<h2>" + (page.empty() ? title : "<a href=\"" + name + "/index.html\">" + title + "</a>") + "</h2>\n";
  html += "<p class=\"command\">" + state_in_words(stored_results(page)) + ": <code>make " + name + "</code></p>\n";
  const std::string picture = contents_of(out / name / (std::string(pictures[lesson - 1]) + ".svg"));
  return html + (picture.empty() ? "" : "<figure>" + plot::without_style(picture) + "</figure>\n");
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
