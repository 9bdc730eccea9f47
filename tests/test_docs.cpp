// Tests what the README files say: quoted code, links, paths, make targets, equation numbers and flags all exist, and
// no line of a paragraph turns into a list. Of all files that git tracks: their lines end in one character. Of the
// lessons: no seed is made by adding to another.
// Run: make test, or build/tests/test_docs ROOT
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Lines lines_of(const fs::path& file) {
  const std::string text = read_file(file.string());
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

Lines words_of(const std::string& text) {
  Lines words;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

// All matches of group 1.
Lines found_in(const std::string& text, const std::regex& pattern) {
  Lines found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

bool is_source(const fs::path& file) { return file.extension() == ".hpp" || file.extension() == ".cpp"; }

// The files under a folder that `wanted` accepts, in the order of their names; build folders and hidden ones are left
// out.
template <class Wanted>
std::vector<fs::path> files_under(const fs::path& folder, Wanted wanted) {
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

// --------------------------------------------------------------------------------------------------------- reading

// A piece of a README: a line of prose without its code, the code between two backticks, or a line of a fenced block.
enum class Kind { prose, span, fenced };
struct Piece {
  Kind kind;
  std::string text, language;  // language: what follows the opening fence
  std::size_t line;            // counted from 1

  bool is_code() const { return kind != Kind::prose && language.empty(); }  // commands, paths, formulas
};

struct Readme {
  fs::path file, folder;
  std::string lesson;  // its number; empty outside of lessons/
  Lines lines;
  std::vector<Piece> pieces;
};

std::vector<Piece> pieces_of(const Lines& lines) {
  std::vector<Piece> pieces;
  bool fenced = false, span = false;
  std::string language;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("```")) {
      fenced = !fenced;
      span = false;
      language = line.substr(3);
    } else if (fenced) {
      pieces.push_back({Kind::fenced, line, language, i + 1});
    } else {
      if (line.empty()) span = false;  // a paragraph's end ends what was left open
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

Readme read(const fs::path& file) {
  const Lines lines = lines_of(file);
  Readme readme{file, file.parent_path(), "", lines, pieces_of(lines)};
  if (readme.folder.parent_path().filename() == "lessons") {
    const std::string name = readme.folder.filename().string();
    readme.lesson = name.substr(0, name.find('_'));
  }
  return readme;
}

class Documents {
 public:
  explicit Documents(const fs::path& root) : root_(root) {
    for (const fs::path& file : files_under(root, [](const fs::path& f) { return f.extension() == ".md"; }))
      readmes_.push_back(read(file));
    const fs::path carry_on = root / ".github/CONTRIBUTING.md";  // its folder is a hidden one
    if (fs::exists(carry_on)) readmes_.push_back(read(carry_on));
    make_targets_ = found_in(read_file((root / "Makefile").string()), std::regex("(?:^|\n)([a-z][a-z-]*):(?!=)"));
  }

  void run() {
    check_.that(fs::exists(root_ / "README.md"), "README.md stands in the root");
    for (const Readme& readme : readmes_) {
      quoted_code(readme);
      widths(readme);
      links(readme);
      paths(readme);
      targets(readme);
      flags(readme);
      broken_paragraphs(readme);
      minutes(readme);
      if (!readme.lesson.empty()) equations(readme);
    }
    line_ends();
    seeds();
  }

  int done() const { return check_.done("test_docs"); }

 private:
  void that(bool holds, const fs::path& file, std::size_t line, const std::string& what) {
    check_.that(holds, file.lexically_relative(root_).string() + ":" + std::to_string(line) + ": " + what);
  }
  void that(bool holds, const Readme& readme, const Piece& piece, const std::string& what) {
    that(holds, readme.file, piece.line, what);
  }

  // The sources that a README may quote: those of its lesson, or of all, and common/.
  std::vector<fs::path> sources(const Readme& readme) const {
    std::vector<fs::path> files = files_under(root_ / "common", is_source);
    const fs::path own = readme.lesson.empty() ? root_ / "lessons" : readme.folder;
    for (const fs::path& file : files_under(own, is_source)) files.push_back(file);
    return files;
  }

  void quoted_code(const Readme& readme);
  void widths(const Readme& readme);
  void links(const Readme& readme);
  void paths(const Readme& readme);
  void targets(const Readme& readme);
  void flags(const Readme& readme);
  void equations(const Readme& readme);
  void broken_paragraphs(const Readme& readme);
  void minutes(const Readme& readme);
  void line_ends();
  void seeds();
  bool path_exists(const Readme& readme, const std::string& path) const;
  bool target_exists(const std::string& target) const;

  fs::path root_;
  std::vector<Readme> readmes_;
  Lines make_targets_;
  Checks check_;
};

// ------------------------------------------------------------------------------------------------------ the checks

// Lines without the indentation that all of them share.
Lines dedent(Lines lines) {
  std::size_t shared = std::string::npos;
  for (const std::string& line : lines)
    if (!line.empty()) shared = std::min(shared, line.find_first_not_of(' '));
  for (std::string& line : lines)
    if (!line.empty()) line.erase(0, shared);
  return lines;
}

bool contains(const Lines& source, const Lines& block) {
  const Lines wanted = dedent(block);
  for (std::size_t i = 0; i + block.size() <= source.size(); ++i) {
    const auto start = source.begin() + std::ptrdiff_t(i);
    if (dedent({start, start + std::ptrdiff_t(block.size())}) == wanted) return true;
  }
  return false;
}

// Every ```cpp block stands in a source, verbatim but for a uniform indentation.
void Documents::quoted_code(const Readme& readme) {
  std::vector<Lines> texts;
  for (const fs::path& file : sources(readme)) texts.push_back(lines_of(file));
  for (std::size_t i = 0; i < readme.pieces.size();) {
    const Piece& first = readme.pieces[i];
    Lines block;
    for (; i < readme.pieces.size() && readme.pieces[i].language == "cpp" &&
           readme.pieces[i].line == first.line + block.size();
         ++i)
      block.push_back(readme.pieces[i].text);
    if (block.empty()) ++i;
    else
      that(std::any_of(texts.begin(), texts.end(), [&](const Lines& text) { return contains(text, block); }), readme,
           first, "this code stands in no source: " + block[0]);
  }
}

void Documents::widths(const Readme& readme) {
  for (const Piece& piece : readme.pieces)
    if (piece.kind == Kind::fenced)
      that(columns_of(piece.text) <= 100, readme, piece,
           "wider than 100 columns (" + std::to_string(columns_of(piece.text)) + ")");
}

// [text](target): targets without a scheme are paths, seen from the README.
void Documents::links(const Readme& readme) {
  const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))"), scheme("([a-z]+:).*");
  for (const Piece& piece : readme.pieces)
    if (piece.kind == Kind::prose)
      for (const std::string& target : found_in(piece.text, link))
        if (!std::regex_match(target, scheme))
          that(fs::exists(readme.folder / target), readme, piece, "the link leads nowhere: " + target);
}

// Does the word look like a path: a source or document by its ending, or one that starts in a folder of the course?
bool looks_like_path(const std::string& word, const fs::path& root, const fs::path& folder) {
  static const std::regex path(R"([A-Za-z0-9_.][A-Za-z0-9_./-]*)"), ending(R"(.*[A-Za-z0-9_]\.(hpp|cpp|md|sh|py|mjs))");
  if (!std::regex_match(word, path)) return false;
  if (std::regex_match(word, ending)) return true;
  const std::string first = word.substr(0, word.find('/'));
  return first.size() < word.size() && first != "." && first != ".." &&
         (first == "build" || fs::is_directory(root / first) || fs::is_directory(folder / first));
}

// A path from the root or from the README; a name alone may stand anywhere in the lesson, in common/ or in tests/. How
// to carry on speaks of any lesson.
// What lies in build/ is made by programs: of a picture, the lesson's sources must know the name.
bool Documents::path_exists(const Readme& readme, const std::string& path) const {
  if (path.starts_with("build/")) {
    std::smatch picture;
    if (!std::regex_match(path, picture, std::regex(R"(build/out/lesson([0-9]+)/(\w+)\.svg)"))) return true;
    for (const fs::path& file : files_under(root_ / "lessons", is_source))
      if (file.lexically_relative(root_ / "lessons").string().starts_with(picture[1].str() + "_") &&
          !found_in(read_file(file.string()), std::regex("(?:picture|figure|film)\\(\"(" + picture[2].str() + ")\""))
               .empty())
        return true;
    return false;
  }
  if (fs::exists(root_ / path) || fs::exists(readme.folder / path)) return true;
  if (readme.folder.filename() == ".github")
    for (const auto& lesson : fs::directory_iterator(root_ / "lessons"))
      if (fs::exists(lesson.path() / path)) return true;
  if (path.find('/') != std::string::npos) return false;
  for (const fs::path& folder : {readme.folder, root_ / "common", root_ / "tests"})
    if (!files_under(folder, [&](const fs::path& file) { return file.filename() == path; }).empty()) return true;
  return false;
}

void Documents::paths(const Readme& readme) {
  for (const Piece& piece : readme.pieces)
    if (piece.is_code())
      for (const std::string& word : words_of(piece.text))
        if (looks_like_path(word, root_, readme.folder))
          that(path_exists(readme, word), readme, piece, "no such file: " + word);
}

// lesson1, exercise1, exercise1.2, hint1.2, reset1.2, solution1.2, or a target that the Makefile spells out.
bool Documents::target_exists(const std::string& target) const {
  if (std::find(make_targets_.begin(), make_targets_.end(), target) != make_targets_.end()) return true;
  std::smatch part;
  if (!std::regex_match(target, part, std::regex(R"((lesson|exercise|hint|reset|solution)([0-9]+)(\.[0-9]+)?)")))
    return false;
  const std::string kind = part[1], number = part[2], exercise = part[3];
  if (kind == "lesson" ? !exercise.empty() : kind != "exercise" && exercise.empty()) return false;
  for (const auto& lesson : fs::directory_iterator(root_ / "lessons")) {
    if (!lesson.path().filename().string().starts_with(number + "_")) continue;
    if (exercise.empty()) return kind == "lesson" || fs::exists(lesson.path() / "answers");
    const std::string start = "ex" + number + "_" + exercise.substr(1) + "_";
    const fs::path folder = lesson.path() / "answers";
    return fs::exists(folder) &&
           !files_under(folder, [&](const fs::path& f) { return f.filename().string().starts_with(start); }).empty();
  }
  return false;
}

// Code that starts with "make": its words are targets, up to a comment or a quoted argument.
void Documents::targets(const Readme& readme) {
  for (const Piece& piece : readme.pieces) {
    const Lines words = words_of(piece.text);
    if (!piece.is_code() || words.empty() || words[0] != "make") continue;
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (words[k].starts_with("#") || words[k].find('"') != std::string::npos) break;
      if (words[k].find('=') != std::string::npos || words[k].starts_with("-")) continue;
      that(target_exists(words[k]), readme, piece, "make knows no target " + words[k]);
    }
  }
}

// Every --flag of a lesson's README stands in the sources of the lesson or of its frame. The other READMEs also name
// flags of other programs, so there only code counts that runs a lesson or starts with the flag.
void Documents::flags(const Readme& readme) {
  static const std::regex flag(R"((?:^|[^-\w])(--[a-z][a-z-]*))");
  std::string known;
  for (const fs::path& file : sources(readme)) known += read_file(file.string());
  const Lines declared = found_in(known, std::regex(R"(knob::\w+ \w+\{\s*"([a-z-]+)\")"));
  const std::set<std::string> knobs(declared.begin(), declared.end());
  for (const Piece& piece : readme.pieces) {
    const bool ours = piece.text.starts_with("--") || piece.text.starts_with("make lesson");
    if (!piece.language.empty() || (readme.lesson.empty() && !(piece.is_code() && ours))) continue;
    for (const std::string& name : found_in(piece.text, flag))
      that(known.find("\"" + name + "\"") != std::string::npos || knobs.count(name.substr(2)) > 0, readme, piece,
           "no program knows the flag " + name);
  }
}

// An equation number such as (1.2), which no call like f(1.2) is.
Lines equations_in(const std::string& text, const std::string& lesson) {
  return found_in(text, std::regex(R"((?:^|[^\w>])(\()" + lesson + R"(\.[0-9]+\)))"));
}

// The numbers of a lesson's equations are the same in its README and in its sources, where they stand in comments.
void Documents::equations(const Readme& readme) {
  std::set<std::string> derived, coded;
  for (const Piece& piece : readme.pieces)
    for (const std::string& tag : equations_in(piece.text, readme.lesson)) derived.insert(tag);

  for (const fs::path& file : sources(readme)) {
    const Lines lines = lines_of(file);
    const std::string place = file.lexically_relative(readme.folder).string();
    const bool counts =
        !place.starts_with("exercises") && !place.starts_with("answers") &&
        (!place.starts_with("..") || file.filename() == "loss.hpp" || file.filename() == "optimizer.hpp");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t comment = lines[i].find("//");
      if (comment == std::string::npos) continue;
      for (const std::string& tag : equations_in(lines[i].substr(comment), readme.lesson)) {
        if (counts) coded.insert(tag);
        that(derived.count(tag) > 0, file, i + 1, "equation " + tag + " does not stand in the lesson's README");
      }
    }
  }
  for (const Piece& piece : readme.pieces)
    for (const std::string& tag : equations_in(piece.text, readme.lesson))
      that(coded.count(tag) > 0, readme, piece, "equation " + tag + " stands in no source of the lesson");
}

// The lines, counted from 1, that begin like an item of a list where a paragraph was going on, as when a sum is wrapped
// in front of its "+ ": a page shows them as a list of their own. A list that is meant has an empty line before it, and
// its items begin alike. Items that are numbered break a paragraph only with 1.
std::vector<std::size_t> accidental_items(const Lines& lines) {
  static const std::regex item(R"(( *(?:[-+*]|1[.)])) +\S.*)");
  std::vector<std::size_t> found;
  std::string list;  // how the items of the list that is open begin
  bool fenced = false, going_on = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("```")) fenced = !fenced;
    std::smatch start;
    if (fenced || line.empty() || line.starts_with("```") || line.starts_with("#") || line.starts_with("|")) {
      going_on = false;
    } else if (std::regex_match(line, start, item)) {
      if (!going_on) list = start[1];
      else if (start[1] != list) found.push_back(i + 1);
      going_on = true;
    } else {
      if (!going_on && !line.starts_with(" ")) list.clear();
      going_on = true;
    }
  }
  return found;
}

void Documents::broken_paragraphs(const Readme& readme) {
  for (const std::size_t line : accidental_items(readme.lines))
    that(false, readme.file, line, "this line of a paragraph becomes a list: " + readme.lines[line - 1]);
}

// A lesson says how long its excursions are together, and each how long it is.
void Documents::minutes(const Readme& readme) {
  static const std::regex together("the excursions (\\d+)"), excursion("<summary>Excursion.*\\((\\d+) minutes?\\)");
  long said = 0, sum = 0;
  std::size_t place = 0;
  for (std::size_t k = 0; k < readme.lines.size(); ++k) {
    std::smatch found;
    if (std::regex_search(readme.lines[k], found, excursion)) sum += std::stol(found[1]);
    if (!std::regex_search(readme.lines[k], found, together)) continue;
    said = std::stol(found[1]);
    place = k + 1;
  }
  that(said == sum, readme.file, place, "the excursions are " + std::to_string(sum) + " minutes together");
}

// What git tracks under a folder; nothing where that is no checkout, or where git is not to be had.
std::vector<fs::path> tracked_files(const fs::path& root) {
  std::random_device random;
  const fs::path list = fs::temp_directory_path() / ("test_docs." + std::to_string(random()));
  const std::string command = "git -C \"" + root.string() + "\" ls-files -z > \"" + list.string() + "\" 2>&1";
  std::vector<fs::path> files;
  if (std::system(command.c_str()) == 0) {
    const std::string names = read_file(list.string());
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find('\0', at), names.size());
      const fs::path file = root / names.substr(at, end - at);
      if (fs::is_regular_file(file)) files.push_back(file);
      at = end + 1;
    }
  }
  std::error_code ignored;
  fs::remove(list, ignored);
  return files;
}

// A carriage return at the end of a line breaks scripts, and is a symbol more in a text. Binary files, in which it
// would stand for something else, the course has none.
void Documents::line_ends() {
  std::vector<fs::path> files = tracked_files(root_);
  if (files.empty()) files = files_under(root_, [](const fs::path&) { return true; });
  for (const fs::path& file : files) {
    const std::string text = read_file(file.string());
    const std::size_t at = text.find('\r');
    const auto lines_before = std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(at, text.size())), '\n');
    that(at == std::string::npos, file, std::size_t(lines_before) + 1, "a carriage return");
  }
}

// Runs with the seeds `seed + k` would be runs of --seed 2 as well; random.hpp has seed_of_run.
void Documents::seeds() {
  for (const fs::path& file : files_under(root_ / "lessons", is_source)) {
    const Lines lines = lines_of(file);
    const auto adds = [](const std::string& line) { return line.find("seed + ") != std::string::npos; };
    const auto found = std::find_if(lines.begin(), lines.end(), adds);
    that(found == lines.end(), file, std::size_t(found - lines.begin()) + 1, "a seed that another --seed has too");
  }
}

// What a page would show as a list, and what it would not.
void check_accidental_items(Checks& check) {
  const auto found = [](const Lines& lines) { return accidental_items(lines); };
  const auto none = std::vector<std::size_t>{};
  check.that(found({"a sum", "+ b", "", "text", "1. c", "* d"}) == std::vector<std::size_t>{2, 5, 6}, "wrapped sums");
  check.that(found({"- a", "  b", "- c", "", "  d", "", "- e"}) == none, "a list");
  check.that(found({"- a", "+ b", "  - c"}) == std::vector<std::size_t>{2, 3}, "wrapped items");
  check.that(found({"text", "", "- a", "", "text", "- b"}) == std::vector<std::size_t>{6}, "a list and a wrapped line");
  check.that(found({"text", "```", "- a", "```", "- b", "| t |", "- c", "# d", "- e"}) == none, "code and the like");
  check.that(found({"text", "-b", "**bold** and", "2. or 1.5"}) == none, "no items");
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: test_docs ROOT\n", stderr);
    return 2;
  }
  Checks reading;
  check_accidental_items(reading);
  if (reading.failed() > 0) return reading.done("test_docs");
  Documents documents(fs::canonical(argv[1]));
  documents.run();
  return documents.done();
}
