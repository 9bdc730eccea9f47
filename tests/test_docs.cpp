// Tests what the README files say: the page can show them; quoted code, links, paths, make targets, equation numbers and
// flags all exist. Of the lessons: no seed is made by adding to another.
// Run: make test, or build/tests/test_docs ROOT
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/page/markdown.hpp"
#include "common/support/file.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

static Lines lines_of(const fs::path& file) {
  std::istringstream in(read_file(file.string()));
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// All matches of group 1.
static Lines found_in(const std::string& text, const std::regex& pattern) {
  Lines found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

static bool is_source(const fs::path& file) { return file.extension() == ".hpp" || file.extension() == ".cpp"; }
static bool is_text(const fs::path& file) { return file.extension() == ".md"; }

// The files under a folder that `wanted` accepts, in the order of their names; build folders and hidden ones are left
// out.
template <class Wanted>
static std::vector<fs::path> files_under(const fs::path& folder, Wanted wanted) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.starts_with(".") || name.starts_with("build")))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file() && wanted(entry->path())) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A piece of a README: a line of prose without its code, the code between two backticks, or a line of a fenced block.
struct Piece {
  enum class Kind { prose, span, fenced } kind;
  std::string text, language;  // language: what follows the opening fence
  std::size_t line;            // counted from 1

  bool is_code() const { return kind != Kind::prose && language.empty(); }  // commands, paths, formulas
};

static std::vector<Piece> pieces_of(const Lines& lines) {
  using Kind = Piece::Kind;
  std::vector<Piece> pieces;
  bool fenced = false, span = false;
  std::string language;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) span = false;  // a paragraph's end ends what was left open
    if (line.starts_with("```")) {
      fenced = !fenced;
      language = line.substr(3);
    } else if (fenced) {
      pieces.push_back({Kind::fenced, line, language, i + 1});
    } else {
      for (std::size_t at = 0;; span = !span) {
        const std::size_t end = std::min(line.find('`', at), line.size());
        pieces.push_back({span ? Kind::span : Kind::prose, line.substr(at, end - at), "", i + 1});
        if (end == line.size()) break;
        at = end + 1;
      }
    }
  }
  return pieces;
}

struct Readme {
  fs::path file, folder;
  std::string lesson;  // its number; empty outside of lessons/
  std::vector<Piece> pieces;
  std::vector<fs::path> sources;  // that it may quote: those of its lesson, or of all, and common/
  std::string code = "\n";        // what stands in them
};

// Lines without their indentation.
static std::string unindented(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

// An equation number such as (1.2), which no call like f(1.2) is.
static Lines equations_in(const std::string& text, const std::string& lesson) {
  return found_in(text, std::regex(R"((?:^|[^\w>])(\()" + lesson + R"(\.[0-9]+\)))"));
}

class Documents {
 public:
  explicit Documents(const fs::path& root) : root_(root) {
    make_targets_ = found_in(read_file((root / "Makefile").string()), std::regex("(?:^|\n)([a-z][a-z-]*):(?!=)"));
    std::vector<fs::path> files = files_under(root, is_text);
    files.push_back(root / ".github/CONTRIBUTING.md");  // its folder is a hidden one
    for (const fs::path& file : files) {
      Readme readme{file, file.parent_path(), "", pieces_of(lines_of(file)), files_under(root_ / "common", is_source)};
      const bool of_lesson = readme.folder.parent_path().filename() == "lessons";
      if (of_lesson) readme.lesson = readme.folder.filename().string().substr(0, 1);
      for (const fs::path& source : files_under(of_lesson ? readme.folder : root_ / "lessons", is_source))
        readme.sources.push_back(source);
      for (const fs::path& source : readme.sources) readme.code += unindented(lines_of(source));
      test(readme);
    }
    seeds();
  }

  int done() const { return check_.done("test_docs"); }

 private:
  void that(bool holds, const fs::path& file, std::size_t line, const std::string& what) {
    check_.that(holds, file.lexically_relative(root_).string() + ":" + std::to_string(line) + ": " + what);
  }

  void test(const Readme& readme) {
    try {
      markdown::html(markdown::read(read_file(readme.file.string())), {});
    } catch (const markdown::Error& error) {
      that(false, readme.file, 0, error.what());
    }
    quoted_code(readme);
    flags(readme);
    if (!readme.lesson.empty()) minutes(readme);
    if (!readme.lesson.empty()) equations(readme);
    for (const Piece& piece : readme.pieces) {
      if (piece.kind == Piece::Kind::prose) links(readme, piece);
      if (!piece.is_code()) continue;
      std::istringstream in(piece.text);
      const Lines words{std::istream_iterator<std::string>(in), {}};
      for (const std::string& word : words)
        that(!looks_like_path(word, readme.folder) || path_exists(readme, word), readme.file, piece.line,
             "no such file: " + word);
      for (std::size_t k = 1; k < words.size() && words[0] == "make"; ++k) {  // up to a comment or a quoted argument
        if (words[k].starts_with("#") || has(words[k], "\"")) break;
        that(has(words[k], "=") || words[k].starts_with("-") || target_exists(words[k]), readme.file, piece.line,
             "make knows no target " + words[k]);
      }
    }
  }

  // Every ```cpp block stands in a source, verbatim but for its indentation.
  void quoted_code(const Readme& readme) {
    for (std::size_t i = 0; i < readme.pieces.size(); ++i) {
      Lines block;
      const std::size_t line = readme.pieces[i].line;
      for (; i < readme.pieces.size() && readme.pieces[i].language == "cpp" &&
             readme.pieces[i].line == line + block.size();
           ++i)
        block.push_back(readme.pieces[i].text);
      if (block.empty()) continue;
      --i;
      that(has(readme.code, "\n" + unindented(block)), readme.file, line, "this code stands in no source: " + block[0]);
    }
  }

  // [text](target): targets without a scheme are paths, seen from the README.
  void links(const Readme& readme, const Piece& piece) {
    static const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))"), scheme("([a-z]+:).*");
    for (const std::string& target : found_in(piece.text, link))
      that(std::regex_match(target, scheme) || fs::exists(readme.folder / target), readme.file, piece.line,
           "the link leads nowhere: " + target);
  }

  // Does the word look like a path: a source or document by its ending, or one that starts in a folder of the course?
  bool looks_like_path(const std::string& word, const fs::path& folder) const {
    static const std::regex path(R"([A-Za-z0-9_.][A-Za-z0-9_./-]*)"),
        ending(R"(.*[A-Za-z0-9_]\.(hpp|cpp|md|sh|py|mjs))");
    if (!std::regex_match(word, path) || has(word, "N_K")) return false;  // of exN_K_name.hpp, no file is meant
    const std::string first = word.substr(0, word.find('/'));
    return std::regex_match(word, ending) ||
           (first.size() < word.size() && first != "." && first != ".." &&
            (first == "build" || fs::is_directory(root_ / first) || fs::is_directory(folder / first)));
  }

  // A path from the root or from the README; a name alone may stand anywhere in the lesson, in common/ or in tests/. How
  // to carry on speaks of any lesson. What lies in build/ is made by programs: of a picture, a source must know the name.
  bool path_exists(const Readme& readme, const std::string& path) const {
    std::smatch picture;
    if (std::regex_match(path, picture, std::regex(R"(build/out/lesson[0-9]+/(\w+)\.svg)"))) {
      const Lines drawn = found_in(readme.code, std::regex("(?:picture|figure|film)\\(\"(\\w+)\""));
      return std::count(drawn.begin(), drawn.end(), picture[1]) > 0;
    }
    if (path.starts_with("build/") || fs::exists(root_ / path) || fs::exists(readme.folder / path)) return true;
    const auto ends_so = [&](const fs::path& file) { return file.generic_string().ends_with("/" + path); };
    const bool anywhere = readme.folder.filename() == ".github";
    if (!anywhere && path.find('/') != std::string::npos) return false;
    for (const fs::path& folder : {anywhere ? root_ / "lessons" : readme.folder, root_ / "common", root_ / "tests"})
      if (!files_under(folder, ends_so).empty()) return true;
    return false;
  }

  // lesson1, exercise1, exercise1.2, hint1.2, reset1.2, solution1.2, or a target that the Makefile spells out.
  bool target_exists(const std::string& target) const {
    static const std::regex of_lesson("(lesson|exercise)([0-9])"),
        of_exercise(R"((?:exercise|hint|reset|solution)([0-9])\.([0-9]+))");
    std::smatch part;
    if (std::count(make_targets_.begin(), make_targets_.end(), target) > 0) return true;
    const bool exercise = std::regex_match(target, part, of_exercise);
    if (!exercise && !std::regex_match(target, part, of_lesson)) return false;
    const std::string wanted =
        exercise ? "/exercises/ex" + part[1].str() + "_" + part[2].str() + "_" : "/lessons/" + part[2].str() + "_";
    return !files_under(root_ / "lessons", [&](const fs::path& file) {
              return file.generic_string().find(wanted) != std::string::npos;
            }).empty();
  }

  // Every --flag of a lesson's README stands in the sources of the lesson or of its frame. The other READMEs also name
  // flags of other programs, so there only code counts that runs a lesson or starts with the flag.
  void flags(const Readme& readme) {
    static const std::regex flag(R"((?:^|[^-\w])--([a-z][a-z-]*))");
    const Lines declared = found_in(readme.code, std::regex(R"(\b\w+\{\s*"([a-z-]+)\")"));
    for (const Piece& piece : readme.pieces) {
      const bool ours = piece.text.starts_with("--") || piece.text.starts_with("make lesson");
      if (!piece.language.empty() || (readme.lesson.empty() && !(piece.is_code() && ours))) continue;
      for (const std::string& name : found_in(piece.text, flag))
        that(has(readme.code, "\"--" + name + "\"") || std::count(declared.begin(), declared.end(), name) > 0,
             readme.file, piece.line, "no program knows the flag --" + name);
    }
  }

  // The numbers of a lesson's equations are the same in its README and in its sources, where they stand in comments.
  void equations(const Readme& readme) {
    std::set<std::string> derived, coded;
    for (const Piece& piece : readme.pieces)
      for (const std::string& tag : equations_in(piece.text, readme.lesson)) derived.insert(tag);
    for (const fs::path& file : readme.sources) {
      const Lines lines = lines_of(file);
      const std::string place = file.lexically_relative(readme.folder).generic_string();
      const bool counts =
          !place.starts_with("exercises") && !place.starts_with("answers") &&
          (!place.starts_with("..") || file.filename() == "loss.hpp" || file.filename() == "optimizer.hpp");
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t comment = std::min(lines[i].find("//"), lines[i].size());
        for (const std::string& tag : equations_in(lines[i].substr(comment), readme.lesson)) {
          if (counts) coded.insert(tag);
          that(derived.count(tag) > 0, file, i + 1, "equation " + tag + " does not stand in the lesson's README");
        }
      }
    }
    for (const std::string& tag : derived)
      that(coded.count(tag) > 0, readme.file, 0, "equation " + tag + " stands in no source of the lesson");
  }

  // A lesson says how long its excursions are together, and each how long it is.
  void minutes(const Readme& readme) {
    const std::string text = read_file(readme.file.string());
    long sum = 0;
    for (const std::string& one : found_in(text, std::regex("<summary>Excursion.*\\((\\d+) minutes?\\)")))
      sum += std::stol(one);
    const Lines said = found_in(text, std::regex("the excursions (\\d+)"));
    that((said.empty() ? 0 : std::stol(said.back())) == sum, readme.file, 0, join("the excursions take ", sum));
  }

  // Runs with the seeds `seed + k` would be runs of --seed 2 as well; random.hpp has seed_of_run.
  void seeds() {
    for (const fs::path& file : files_under(root_ / "lessons", is_source))
      that(!has(read_file(file.string()), "seed + "), file, 0, "a seed that another --seed has too");
  }

  fs::path root_;
  Lines make_targets_;
  Checks check_;
};

// Run from the root, or with its path.
int main(int argc, char** argv) { return Documents(fs::canonical(argc == 2 ? argv[1] : ".")).done(); }
