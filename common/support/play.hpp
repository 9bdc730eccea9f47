// Where the course's own text lies. A lesson may be started from any folder, through PATH or a link, so the file is looked
// for upwards from the program, from the working folder and from the place of the source.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "common/support/flags.hpp"
#include "common/support/terminal.hpp"

// hash() of play.txt: claims about training are made for this text alone.
inline constexpr std::uint64_t play_hash = 0x97769cac3e6c6c17;

// The path of common/data/play.txt. Throws UserError when it is nowhere.
inline std::string play_path(const char* program) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const fs::path& start :
       {terminal::program(program).parent_path(), fs::path("."), fs::path(__FILE__).parent_path()}) {
    for (fs::path folder = fs::absolute(start, ignored).lexically_normal();; folder = folder.parent_path()) {
      const fs::path file = folder / "common" / "data" / "play.txt";
      if (fs::is_regular_file(file, ignored)) return file.string();
      if (folder == folder.root_path() || folder.empty()) break;
    }
  }
  throw UserError("the course's text common/data/play.txt was not found; name a text with --text FILE");
}
