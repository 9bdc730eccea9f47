// SPDX-License-Identifier: MIT
#include "common/support/tree.hpp"

#include <system_error>

#include "common/support/terminal.hpp"

namespace fs = std::filesystem;

fs::path in_course(const std::string& program, const fs::path& wanted) {
  std::error_code ignored;
  for (const fs::path& start :
       {fs::path(terminal::program(program.c_str())).parent_path(), fs::path("."), fs::path(__FILE__).parent_path()})
    for (fs::path folder = fs::absolute(start, ignored).lexically_normal();; folder = folder.parent_path()) {
      if (fs::exists(folder / wanted, ignored)) return folder / wanted;
      if (folder == folder.root_path() || folder.empty()) break;
    }
  return {};
}

fs::path lesson_folder(const std::string& program, int lesson) {
  const fs::path mark = in_course(program, "common/data/play.txt");
  if (mark.empty()) return {};
  const fs::path lessons = mark.parent_path().parent_path().parent_path() / "lessons";
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(lessons, ignored))
    if (entry.path().filename().string().starts_with(std::to_string(lesson) + "_")) return entry.path();
  return {};
}
