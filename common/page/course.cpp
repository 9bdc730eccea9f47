// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/page/page.hpp"
#include "common/plot/plot.hpp"
#include "common/support/file.hpp"
#include "common/support/words.hpp"

namespace page {
namespace {

namespace fs = std::filesystem;

// The picture that stands for each lesson.
constexpr const char* pictures[] = {"variance", "sizes", "floor", "pentagon", "eigenvectors", "seeds"};

// Returns the first line of a README without its mark.
std::string title_of(const std::string& program, int lesson) {
  const fs::path folder = lesson_folder(program, lesson);
  const std::string readme = folder.empty() ? "" : contents_of(folder / "README.md");
  return readme.starts_with("# ") ? readme.substr(2, readme.find('\n') - 2) : join("Lesson ", lesson);
}

// Says what a lesson's page holds: its parts, the seconds that they took, its claims and exercises.
std::string state_in_words(std::map<int, std::string> results) {
  constexpr std::string_view mark = "<span class=\"seconds\">";
  const Progress progress = progress_of(results[exercises]);
  results.erase(results.lower_bound(exercises), results.end());  // and what was turned
  double seconds = 0;
  int fails = 0;
  for (const auto& [part, html] : results) {
    fails += state_of(html) == State::fails;
    if (const std::size_t at = html.find(mark); at != std::string::npos)
      seconds += decimal_number(html.substr(at + mark.size(), html.find('<', at + 1) - at - mark.size())).value_or(0);
  }
  std::string words = "not run yet";
  if (!results.empty())
    words = join(results.size(), results.size() == 1 ? " part" : " parts", " run in ", fixed(seconds, 1), " s; ",
                 fails == 0 ? "all claims hold" : join("claims fail in ", fails, " of them"));
  return progress.all == 0 ? words : words + join("; ", progress.done, " of ", progress.all, " exercises done");
}

}  // namespace

std::string of_course(const std::string& program, const fs::path& out) {
  std::string html =
      "<p>Six lessons, each with its text, its code and what it found on this machine. "
      "<code>make lessons</code> runs them all, <code>make progress</code> shows the exercises.</p>\n";
  for (int lesson = 1; lesson <= 6; ++lesson) {
    const std::string name = join("lesson", lesson), page = contents_of(out / name / "index.html"),
                      title = escape_html(title_of(program, lesson)),
                      picture = contents_of(out / name / join(pictures[lesson - 1], ".svg"));
    html += "<h2>" + (page.empty() ? title : "<a href=\"" + name + "/index.html\">" + title + "</a>") + "</h2>\n" +
            "<p class=\"command\">" + state_in_words(stored_results(page)) + ": <code>make " + name + "</code></p>\n";
    if (!picture.empty()) html += "<figure>" + plot::without_style(picture) + "</figure>\n";
  }
  return of_run("How neural networks compute", html);
}

}  // namespace page
