// Tests what the READMEs say and quote, the seeds of the sources and the width of their lines. Run
// from the root, or with its path.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/frame/files/file.hpp"
#include "common/frame/formula/formula.hpp"
#include "common/frame/page/page.hpp"
#include "common/frame/text/markdown.hpp"
#include "common/frame/text/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;

namespace test_docs {

using Lines = std::vector<std::string>;

static Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

static Lines words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Returns what group 1 matches.
static Lines matches_in(const std::string& text, const std::regex& pattern) {
  Lines matches;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    matches.push_back((*match)[1]);
  return matches;
}

// Takes what group 1 matches out of the text and returns it.
static Lines move_out(std::string& text, const std::regex& pattern) {
  const Lines matches = matches_in(text, pattern);
  text = std::regex_replace(text, pattern, " ");
  return matches;
}

static bool contains(const Lines& lines, const std::string& line) {
  return std::count(lines.begin(), lines.end(), line) > 0;
}

static std::string unindented(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

// Tells whether what stands in a tag is not to be read: pictures, forms, folds that no prediction
// unfolds, and the opening bench, whose sentences a section's bench has, too.
static bool hides(const std::string& tag) {
  if (tag.starts_with("<section")) return tag.find("id=\"opening\"") != tag.npos;
  return !tag.starts_with("<details class=\"found");
}

// Counts the words that are to be read.
static std::size_t open_words(std::string_view html) {
  std::size_t words = 0;
  std::vector<bool> hidden{false};
  for (std::size_t at = 0, end = 0; at < html.size(); at = end) {
    const bool is_tag = html[at] == '<';
    end = std::min(html.find_first_of(is_tag ? ">" : "< \n", at + 1), html.size());
    const std::string piece(html.substr(at, end - at));
    for (const char* kind : {"details", "summary", "svg", "form", "section"}) {
      if (piece.starts_with(join("<", kind))) hidden.push_back(hidden.back() || hides(piece));
      if (piece == join("</", kind)) hidden.pop_back();
    }
    const bool is_word =
        piece.find_first_not_of(" \n!\"#$%&'()*+,-./:;=>?@[\\]^_`{|}~") != piece.npos;
    words += is_word && !is_tag && !hidden.back();
  }
  return words;
}

struct Readme {
  std::string path, folder;  // from the root; folder ends in /
  std::string text;
  std::string prose = text;  // without code
  std::string lesson = {};   // empty outside of lessons/
  Lines quoted = {};
  Lines code = {};            // blocks without a language, and code in the prose
  Lines sources = {};         // that it may quote
  std::string source = "\n";  // their text
};

// Returns the lines over 100 columns without their literals, which nobody can break.
static Lines too_wide(const std::string& source) {
  static const std::regex literal(R"re("(\\.|[^"\\])*")re"), raw_start(R"re(R"(\w*)\()re");
  Lines wide;
  std::string raw_end;
  for (const std::string& line : lines_of(source)) {
    const bool inside = !raw_end.empty();
    if (inside && has(line, raw_end)) raw_end.clear();
    std::smatch start;
    const bool comment = line.find_first_not_of(' ') == line.find("//");
    if (!inside && !comment && std::regex_search(line, start, raw_start)) {
      raw_end = ")" + start.str(1) + "\"";
      if (has(start.suffix(), raw_end)) raw_end.clear();
    } else if (!inside && columns_of(line) > 100) {
      const std::string code = comment ? line : std::regex_replace(line, literal, "");
      if (columns_of(code) > 100) wide.push_back(line);
    }
  }
  return wide;
}

// The pattern leaves out calls such as f(1.2).
static Lines equations_in(const std::string& text, const std::string& lesson) {
  return matches_in(text, std::regex(R"((?:^|[^\w>])(\()" + lesson + R"(\.[0-9]+\)))"));
}

class Documents {
 public:
  explicit Documents(const fs::path& root) : root_(root) {
    for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
      const std::string name = entry->path().filename().string();
      const std::string path = entry->path().lexically_relative(root).generic_string();
      const bool hidden = name.starts_with(".") && name != ".github";
      if (!entry->is_directory()) files_.insert(path);
      else if (hidden || name.starts_with("build")) entry.disable_recursion_pending();
      else files_.insert(path + "/");
    }
  }

  int test() {
    for (const std::string& file : files_) {
      const std::string text = read(file);
      if (file.ends_with(".md")) test_readme(file, text);
      // Runs with `seed + k` would be runs of --seed 2 as well.
      if (is_source(file, "lessons/"))
        that(!has(text, "seed + "), file, "a seed that another --seed has too");
      if (is_source(file, "common/") || is_source(file, "lessons/") || is_source(file, "tests/"))
        for (const std::string& line : too_wide(text))
          that(false, file, "wider than 100 columns: " + line);
      if (is_source(file, "lessons/") ||
          (is_source(file, "common/") && !has(file, "/frame/") && !has(file, "/derive/")))
        that(lines_of(text).size() <= 500, file, "more than 500 lines, and a learner opens it");
    }
    sources();
    teachers();
    return check_.done("test_docs");
  }

 private:
  std::string read(const std::string& file) const {
    return file.ends_with("/") ? "" : contents_of((root_ / file).string());
  }
  static bool is_source(const std::string& file, const std::string& folder) {
    return file.starts_with(folder) && (file.ends_with(".hpp") || file.ends_with(".cpp"));
  }
  bool any_file(const auto& holds) const {
    return std::any_of(files_.begin(), files_.end(), holds);
  }
  bool exists(const fs::path& path) const {
    const std::string wanted = path.lexically_normal().generic_string();
    return wanted == "." || files_.count(wanted) + files_.count(wanted + "/") > 0;
  }
  void that(bool holds, const std::string& file, const std::string& what,
            Place at = Place::here()) {
    check_.that(holds, file + ": " + what, at);
  }

  void test_readme(const std::string& file, const std::string& text) {
    Readme readme{.path = file, .folder = file.substr(0, file.rfind('/') + 1), .text = text};
    readme.quoted = move_out(readme.prose, std::regex("\n```cpp\n([^]*?\n)```"));
    // Those with a word first: their closing fence looks as if it opened one without.
    move_out(readme.prose, std::regex("\n```[a-z]+\n([^]*?\n)```"));
    const Lines blocks = move_out(readme.prose, std::regex("\n```\n([^]*?\n)```"));
    readme.code = move_out(readme.prose, std::regex("`([^`]*)`"));
    for (const std::string& block : blocks)
      for (const std::string& line : lines_of(block)) readme.code.push_back(line);
    const bool of_lesson = file.starts_with("lessons/") && file.ends_with("/README.md");
    if (of_lesson) readme.lesson = file.substr(8, 1);
    for (const std::string& source : files_)
      if (is_source(source, "common/") || is_source(source, "tests/equations/" + readme.lesson) ||
          is_source(source, of_lesson ? readme.folder : "lessons/")) {
        readme.sources.push_back(source);
        readme.source += unindented(lines_of(read(source)));
      }
    markdown::Complaints complaints;
    const std::vector<markdown::Block> read = markdown::read(text, complaints);
    markdown::html(read, {}, complaints);
    for (const markdown::Error& complaint : complaints) that(false, file, complaint.what());
    if (of_lesson) formulas(readme, read);
    if (of_lesson) order(readme, read);
    if (of_lesson) exercises_in_order(readme);
    quoted_code(readme);
    flags(readme);
    pictures(readme);
    links(readme);
    for (const std::string& code : readme.code) paths_and_targets(readme, words_of(code));
    if (!of_lesson) return;
    equations(readme);
    benches(readme);
    reading(readme);
  }

  // Links without a scheme are paths, relative to the README.
  void links(const Readme& readme) {
    static const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))"), scheme("([a-z]+:).*");
    for (const std::string& target : matches_in(readme.prose, link))
      that(std::regex_match(target, scheme) || exists(readme.folder + target), readme.path,
           "a link leads nowhere: " + target);
  }

  // What follows `make`, up to a comment or a quoted argument, are targets.
  void paths_and_targets(const Readme& readme, const Lines& words) {
    for (const std::string& word : words)
      that(!looks_like_path(word, readme.folder) || path_exists(readme, word), readme.path,
           "no such file: " + word);
    for (std::size_t k = 1; k < words.size() && words[0] == "make"; ++k) {
      if (words[k].starts_with("#") || has(words[k], "\"")) break;
      that(has(words[k], "=") || words[k].starts_with("-") || target_exists(words[k]), readme.path,
           "make knows no target " + words[k]);
    }
  }

  void quoted_code(const Readme& readme) {
    for (const std::string& code : readme.quoted)
      that(has(readme.source, "\n" + unindented(lines_of(code))), readme.path,
           "this stands in no source: " + code);
  }

  void pictures(const Readme& readme) {
    static const std::regex image("!\\[([^]*?)\\]\\(");
    for (const std::string& words : matches_in(readme.text, image))
      that(std::count(words.begin(), words.end(), ' ') >= 3, readme.path,
           "a picture without words: " + words);
    if (readme.lesson.empty()) return;
    const std::string folder = readme.folder + "pictures/";
    for (const std::string& file : files_)
      if (file.starts_with(folder) && file.ends_with(".svg"))
        that(has(readme.text, "](" + file.substr(readme.folder.size()) + ")"), readme.path,
             file + " is not shown");
  }

  // exN_K_name.hpp stands for many names.
  bool looks_like_path(const std::string& word, const std::string& folder) const {
    static const std::regex path(R"([A-Za-z0-9_.][A-Za-z0-9_./-]*)"),
        ending(R"(.*[A-Za-z0-9_]\.(hpp|cpp|md|sh|py|mjs))");
    if (!std::regex_match(word, path) || has(word, "N_K")) return false;
    if (std::regex_match(word, ending)) return true;
    const std::string first = word.substr(0, word.find('/') + 1);
    return first == "build/" || files_.count(first) > 0 ||
           (!first.empty() && files_.count(folder + first) > 0);
  }

  // A bare name may stand anywhere in the lesson, in common/ or in tests/. Programs make what lies
  // in build/, so a source must know a picture's name.
  bool path_exists(const Readme& readme, const std::string& path) const {
    std::smatch picture;
    if (std::regex_match(path, picture, std::regex(R"(build/out/lesson[0-9]+/(\w+)\.svg)"))) {
      const std::regex drawn("(?:picture|figure)\\(\"(\\w+)\"");
      return contains(matches_in(readme.source, drawn), picture[1]);
    }
    if (path.starts_with("build/") || exists(path) || exists(readme.folder + path)) return true;
    const bool anywhere = readme.folder == ".github/";
    if (!anywhere && has(path, "/")) return false;
    const std::string of_lesson = anywhere ? "lessons/" : readme.folder;
    return any_file([&](const std::string& file) {
      return file.ends_with("/" + path) &&
             (file.starts_with(of_lesson) || file.starts_with("common/") ||
              file.starts_with("tests/"));
    });
  }

  bool target_exists(const std::string& target) const {
    static const std::regex of_lesson("(lesson|exercise|grade|derive|debug|reset|seeds)([0-9])"),
        of_derivation(R"((?:derive|solution)(([0-9])\.[0-9]+))"),
        of_exercise(R"((?:exercise|grade|hint|reset|solution|watch|open)([0-9])\.([0-9]+))");
    std::smatch part;
    std::string wanted;
    const auto asks = [&](const std::string& file) {
      return file.starts_with("lessons/" + part.str(2)) && file.ends_with("/derive.txt") &&
             has(read(file), "\n# " + part.str(1) + " |");
    };
    if (std::regex_match(target, part, of_derivation) && any_file(asks)) return true;
    if (std::regex_match(target, part, of_exercise))
      wanted = "/exercises/ex" + part.str(1) + "_" + part.str(2) + "_";
    else if (std::regex_match(target, part, of_lesson)) wanted = "lessons/" + part.str(2) + "_";
    else {
      const Lines rules = matches_in(read("Makefile") + read("common/frame/build.mk"),
                                     std::regex("(?:^|\n)([a-z][a-z_./ -]*):(?!=)"));
      return std::any_of(rules.begin(), rules.end(), [&](const std::string& targets) {
        return contains(words_of(targets), target);
      });
    }
    return any_file([&](const std::string& file) { return has(file, wanted); });
  }

  // Each row of SOURCES.md names a lesson, and parts, equations and exercises that it has.
  void sources() {
    static const std::regex lesson("lesson ([0-9])"), part("part ([0-9]+)"),
        equation(R"((\([0-9]\.[0-9]+\)))"), exercise("exercise ([0-9]\\.[0-9]+)");
    const std::string path = "lessons/SOURCES.md", text = read(path);
    check_.that(lines_of(text).size() <= 225, path + ": a line an item, at most 225 lines");
    for (const std::string& row :
         matches_in(text, std::regex("\n\\| ([0-9]\\.[0-9]+ \\|[^\n]*)"))) {
      const Lines cells = matches_in(row, std::regex(R"(\| ([^|]*))"));
      const Lines numbers = matches_in(row, lesson);
      const std::string file = numbers.empty() ? "" : readme_of(numbers[0]), readme = read(file);
      const std::string derivations = read(file.substr(0, file.rfind('/') + 1) + "derive.txt");
      that(!readme.empty(), path, "no lesson in " + row);
      for (const std::string& number : matches_in(cells.at(1), part))
        that(has(readme, "\n## " + number + ". "), path, file + " has no such part: " + row);
      for (const std::string& tag : matches_in(cells.at(1), equation))
        that(has(readme, tag), path, file + " has no such equation: " + row);
      for (const std::string& number : matches_in(cells.at(1), exercise))
        that(has(readme, "| " + number + " ") || has(derivations, "\n# " + number + " |"), path,
             file + " has no such exercise: " + row);
    }
  }

  // Returns the README of the lesson with that number.
  std::string readme_of(const std::string& lesson) const {
    for (const std::string& file : files_)
      if (file.starts_with("lessons/" + lesson + "_") && file.ends_with("/README.md")) return file;
    return "";
  }

  // Other READMEs also name flags of other programs, so only code counts that runs a lesson or
  // starts with the flag.
  void flags(const Readme& readme) {
    static const std::regex flag(R"((?:^|[^-\w])--([a-z][a-z-]*))");
    const Lines declared = matches_in(readme.source, std::regex(R"(\b\w+\{\s*"([a-z-]+)\")"));
    std::string said = readme.lesson.empty() ? "" : readme.prose;
    for (const std::string& code : readme.code)
      if (!readme.lesson.empty() || code.starts_with("--") || code.starts_with("make lesson"))
        said += "\n" + code;
    for (const std::string& name : matches_in(said, flag))
      that(has(readme.source, "\"--" + name + "\"") || contains(declared, name), readme.path,
           "no program knows the flag --" + name);
  }

  void equations(const Readme& readme) {
    std::set<std::string> derived, coded;
    // A mean and its standard error, "-9.3 (6.0)", name no equation.
    const std::string text = std::regex_replace(readme.text, std::regex(R"(\d \(\d\.\d\))"), "");
    for (const std::string& tag : equations_in(text, readme.lesson)) derived.insert(tag);
    for (const std::string& file : readme.sources)
      for (const std::string& line : lines_of(read(file))) {
        const std::string comment = line.substr(std::min(line.find("//"), line.size()));
        for (const std::string& tag : equations_in(comment, readme.lesson)) {
          if (computes(readme, file)) coded.insert(tag);
          that(derived.count(tag) > 0, file,
               "equation " + tag + " does not stand in the lesson's README");
        }
      }
    for (const std::string& tag : derived)
      that(coded.count(tag) > 0, readme.path,
           "equation " + tag + " stands in no source of the lesson");
  }

  // The numbers of a lesson's equations, as they come in its blocks of formulas.
  static void numbers_in(const std::vector<markdown::Block>& blocks, const std::string& lesson,
                         std::vector<int>& numbers) {
    for (const markdown::Block& block : blocks) {
      numbers_in(block.children, lesson, numbers);
      if (block.kind != markdown::Kind::code || !block.language.empty()) continue;
      for (const std::string& line : lines_of(block.text))
        for (const std::string& number :
             matches_in(line, std::regex(R"((?:^|[^\w>])\()" + lesson + R"(\.([0-9]+)\))")))
          numbers.push_back(std::stoi(number));
    }
  }
  // Exercises, in the text and in their table, come in the order of their numbers.
  void exercises_in_order(const Readme& readme) {
    const std::regex number(R"((?:\*\*Exercise |\n\| ))" + readme.lesson +
                            R"(\.([0-9]+)(?:: derive| \| [A-Z]))");
    int highest = 0;
    std::set<int> met;
    for (const std::string& one : matches_in(readme.text, number)) {
      const int now = std::stoi(one);
      const bool again = !met.insert(now).second;
      that(again || now > highest, readme.path,
           join("exercise ", readme.lesson, ".", now, " comes after number ", highest));
      highest = std::max(highest, now);
    }
    that(met.size() > 4, readme.path, "its exercises are not found");
    const std::string derivations = read(readme.folder + "derive.txt");
    for (int n = 1; n <= highest; ++n) {
      const std::string stub = join(readme.folder, "exercises/ex", readme.lesson, "_", n, "_");
      const auto next = files_.lower_bound(stub);
      const bool is_stub = next != files_.end() && next->starts_with(stub);
      that(!is_stub || !has(derivations, join("\n# ", readme.lesson, ".", n, " |")), readme.path,
           join(readme.lesson, ".", n, " is an exercise and a derivation"));
    }
  }

  // Each number is at most one above the highest before it: 1, 2, 1, 3.
  void order(const Readme& readme, const std::vector<markdown::Block>& blocks) {
    std::vector<int> numbers;
    numbers_in(blocks, readme.lesson, numbers);
    that(!numbers.empty(), readme.path, "no equation has a number");
    int highest = 0;
    for (const int number : numbers) {
      that(number <= highest + 1, readme.path,
           join("equation (", readme.lesson, ".", number, ") comes after number ", highest));
      highest = std::max(highest, number);
    }
  }

  static bool computes(const Readme& readme, const std::string& file) {
    if (is_source(file, readme.folder)) return !has(file, "/exercises/") && !has(file, "/answers/");
    return file == "common/loss.hpp" || file == "common/optimizer.hpp" || has(file, "/equations/");
  }

  void formulas(const Readme& readme, const std::vector<markdown::Block>& blocks) {
    for (const markdown::Block& block : blocks) {
      formulas(readme, block.children);
      const bool code = block.kind == markdown::Kind::code;
      if (code && (block.language.empty() || block.language == "hand"))
        for (const std::string& line : lines_of(block.text)) formula_of(readme, line);
    }
  }
  void formula_of(const Readme& readme, const std::string& line) {
    try {
      if (!line.empty()) formula::line(line);
    } catch (const formula::Error& error) {
      that(false, readme.path, "'" + line + "' is no formula: " + error.what());
    }
  }

  // Links such as [words](#4.3?w=0,1,0) turn a part's knobs; the browser test follows them.
  void benches(const Readme& readme) {
    const std::regex link(R"(\]\(#([0-9.]+)\?[^)]*\))");
    for (const std::string& target : matches_in(readme.prose, link)) {
      const std::size_t dot = target.find('.');
      that(target.substr(0, dot) == readme.lesson &&
               has(readme.text, "\n## " + target.substr(dot + 1) + ". "),
           readme.path, "a bench that is not: " + target);
    }
  }

  static std::string core_of(const std::string& readme) {
    return readme.substr(0, readme.find("\n## The answer"));
  }
  // What three readers counted who had not seen the lessons, with all that a core asks, but for
  // derivations: on average 54, 44, 50, 55, 61 and 60 minutes, rounded to five.
  static long minutes_of_core(const Readme& readme) {
    constexpr long taken[] = {55, 45, 50, 55, 60, 60};
    return taken[std::stol(readme.lesson) - 1];
  }
  int minutes_of_derivations(const Readme& readme) const {
    int sum = 0;
    for (const auto& one : formula::derivations_in((root_ / readme.folder).string()))
      if (has(core_of(readme.text), join("**Exercise ", one.number, ": derive")))
        sum += std::stoi(one.minutes);
    return sum;
  }

  void reading(const Readme& readme) {
    markdown::Complaints ignored;
    const std::string html =
        page::of_lesson({std::stoi(readme.lesson), "", root_ / readme.folder}, {}, ignored);
    const std::size_t from = html.find("<main"), answer = html.find("<h2 id=\"the-answer\"");
    const long words = long(open_words(html.substr(from, html.find("<h2", answer + 1) - from)));
    std::printf("lesson %s: %ld words in its core\n", readme.lesson.c_str(), words);
    that(words > 0, readme.path, "its page has no words");
    const auto minutes_in = [&](const char* pattern) {
      return matches_in(readme.text, std::regex(pattern));
    };
    const Lines core = minutes_in(R"(core\s+takes\s+about\s+(\d+))");
    const std::string taken = join(minutes_of_core(readme));
    that(core.size() == 1 && core[0] == taken, readme.path,
         join("the core takes ", taken, " minutes"));
    const Lines derivations = minutes_in(R"(its\s+derivations\s+(\d+))");
    const int derived = minutes_of_derivations(readme);
    that(derivations.size() == 1 && derivations[0] == join(derived), readme.path,
         join("the derivations of the core take ", derived, " minutes"));
    const Lines exercises = minutes_in(R"(exercises\s+(\d+)\.\s)");
    const Lines each = minutes_in(R"(\n(?:\| |- \*\*)\d\.\d.*[ (](\d+)(?: minutes\)| \|)(?=\n))");
    long sum = 0;
    for (const std::string& minutes : each) sum += std::stol(minutes);
    that(exercises.size() == 1 && exercises[0] == join(sum), readme.path,
         join("the exercises take ", sum, " minutes"));
    const std::string row = join("| ", core.empty() ? "?" : core[0], " min | ", sum, " min |");
    that(has(front_row(readme.path), row), "README.md",
         join("the row of ", readme.path, " lacks ", row));
  }

  // The guide for teachers names each part that runs only when asked for, and no other so.
  void teachers() {
    const std::string path = "lessons/TEACHERS.md", guide = read(path);
    std::string named;
    for (const std::string& line :
         matches_in(guide, std::regex("These are (lesson [^]*?[0-9])\\.\n")))
      named += std::regex_replace(line, std::regex("\\s+"), " ") + ",";
    for (const std::string& file : files_) {
      std::smatch at;
      if (!std::regex_match(file, at, std::regex("lessons/(.)_.*/parts/0?([0-9]+)_.*"))) continue;
      const std::string part = "lesson " + at.str(1) + " part " + at.str(2);
      that(has(named, part + ",") == has(read(file), "PartKind::further"), path,
           "says of " + part + " falsely whether it is core");
    }
  }

  std::string front_row(const std::string& path) const {
    const std::string front = read("README.md");
    const std::size_t at = std::min(front.find(path), front.size());
    return front.substr(at, front.find('\n', at) - at);
  }

  fs::path root_;
  std::set<std::string> files_;  // and folders, which end in /
  Checks check_;
};

}  // namespace test_docs

int main(int argc, char** argv) {
  return test_docs::Documents(fs::canonical(argc == 2 ? argv[1] : ".")).test();
}
