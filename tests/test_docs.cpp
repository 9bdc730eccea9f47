// Tests what the README files say: the page can show them; quoted code, links, paths, make targets,
// equation numbers and flags all exist; pictures are shown, said in words, and what a whole run has
// left in build/out, if there is one; a core is no longer than it may be. Of the lessons: no seed
// is made by adding to another.
// Run: make test, or build/tests/test_docs ROOT
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/files/file.hpp"
#include "common/formula/formula.hpp"
#include "common/page/page.hpp"
#include "common/text/markdown.hpp"
#include "common/text/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

static Lines lines_of(const std::string& text) {
  std::istringstream in(text);
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

// Adds the matches of group 1 to `found` and takes them out of the text.
static void move_out(std::string& text, const std::regex& pattern, Lines& found) {
  for (const std::string& one : found_in(text, pattern)) found.push_back(one);
  text = std::regex_replace(text, pattern, " ");
}

// Lines without their indentation.
static std::string unindented(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

struct Readme {
  std::string path, folder;  // from the root, with / behind a folder
  std::string text;
  std::string prose = text,
              lesson =
                  {};  // the text without code; the number of the lesson, empty outside of lessons/
  Lines quoted = {},
        code = {};     // blocks of C++; lines of blocks without a language, and code in the prose
  Lines sources = {};  // that it may quote: those of its lesson, or of all, and common/
  std::string source = "\n";  // what stands in them
};

// Says in what two drawings differ; nothing where they are of the same kind, each place within 4 px
// and each label within 5 percent: compilers round differently, and training carries that on. Of a
// curve, which may have another number of points, only the ends count, and cells do not.
static std::string difference(const std::string& drawn, const std::string& tracked) {
  static const std::regex a_number("(-?[0-9]+(?:\\.[0-9]+)?(?:e-[0-9]+)?)"),
      inner("(points=\"\\S+ )[^\"]*( )"), cells("<path fill=.*\n");
  const auto comparable = [](const std::string& svg) {
    return lines_of(std::regex_replace(std::regex_replace(svg, inner, "$1$2"), cells, ""));
  };
  const Lines one = comparable(drawn), other = comparable(tracked);
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k) {
    const Lines x = found_in(one[k], a_number), y = found_in(other[k], a_number);
    bool same =
        std::regex_replace(one[k], a_number, "#") == std::regex_replace(other[k], a_number, "#");
    for (std::size_t i = 0; same && i < x.size(); ++i) {
      const double found = std::stod(x[i]), wanted = std::stod(y[i]);
      const bool label = one[k].starts_with("<text") && i >= 2;  // behind its place
      same = std::abs(found - wanted) <= (label ? 0.05 * std::max(std::abs(wanted), 1.0) : 4);
    }
    if (!same) return "'" + one[k] + "' was '" + other[k] + "'";
  }
  return one.size() == other.size() ? "" : "elements are missing";
}

// An equation number such as (1.2), which no call like f(1.2) is.
static Lines equations_in(const std::string& text, const std::string& lesson) {
  return found_in(text, std::regex(R"((?:^|[^\w>])(\()" + lesson + R"(\.[0-9]+\)))"));
}

class Documents {
 public:
  explicit Documents(const fs::path& root) : root_(root) {
    for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
      const std::string name = entry->path().filename().string();
      if (entry->is_directory() && name != ".github" &&
          (name.starts_with(".") || name.starts_with("build")))
        entry.disable_recursion_pending();
      else
        files_.insert(entry->path().lexically_relative(root).generic_string() +
                      (entry->is_directory() ? "/" : ""));
    }
    make_targets_ = found_in(read("Makefile"), std::regex("(?:^|\n)([a-z][a-z-]*):(?!=)"));
    long words = 0;
    for (const std::string& file : files_)
      if (file.ends_with("README.md")) words += words_in(read(file));
    that(words <= 36'000, "README.md", join("all have at most 36,000 words, not ", words));
    that(words_in(read("README.md")) <= 700, "README.md",
         join("at most 700 words, not ", words_in(read("README.md"))));
    for (const std::string& file : files_)
      if (file.ends_with(".md")) test(file);
    for (const std::string& file :
         files_)  // runs with `seed + k` would be runs of --seed 2 as well
      if (is_source(file, "lessons/"))
        that(!has(read(file), "seed + "), file, "a seed that another --seed has too");
  }

  int done() const { return check_.done("test_docs"); }

 private:
  std::string read(const std::string& file) const { return contents_of((root_ / file).string()); }
  static bool is_source(const std::string& file, const std::string& folder) {
    return file.starts_with(folder) && (file.ends_with(".hpp") || file.ends_with(".cpp"));
  }
  static long words_in(const std::string& text) {
    std::istringstream in(text);
    return std::distance(std::istream_iterator<std::string>(in), {});
  }
  bool exists(const fs::path& path) const {
    const std::string wanted = path.lexically_normal().generic_string();
    return wanted == "." || files_.count(wanted) + files_.count(wanted + "/") > 0;
  }
  void that(bool holds, const std::string& file, const std::string& what) {
    check_.that(holds, file + ": " + what);
  }

  void test(const std::string& file) {
    const std::string text = read(file);
    Readme readme{file, file.substr(0, file.rfind('/') + 1), text};
    Lines blocks, others;
    move_out(readme.prose, std::regex("\n```cpp\n([^]*?\n)```"), readme.quoted);
    move_out(readme.prose, std::regex("\n```\n([^]*?\n)```"), blocks);
    move_out(readme.prose, std::regex("\n```[a-z]+\n([^]*?\n)```"), others);
    move_out(readme.prose, std::regex("`([^`]*)`"), readme.code);
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
    try {
      const std::vector<markdown::Block> read = markdown::read(text);
      markdown::html(read, {});
      if (of_lesson) formulas(readme, read);
    } catch (const markdown::Error& error) {
      that(false, file, error.what());
    }
    quoted_code(readme);
    flags(readme);
    if (of_lesson) equations(readme);
    if (of_lesson) benches(readme);
    if (of_lesson) reading(readme);
    pictures(readme);
    static const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))"), scheme("([a-z]+:).*");
    for (const std::string& target :
         found_in(readme.prose, link))  // those without a scheme are paths, seen from the README
      that(std::regex_match(target, scheme) || exists(readme.folder + target), file,
           "a link leads nowhere: " + target);
    for (const std::string& code : readme.code) {
      std::istringstream in(code);
      const Lines words{std::istream_iterator<std::string>(in), {}};
      for (const std::string& word : words)
        that(!looks_like_path(word, readme.folder) || path_exists(readme, word), file,
             "no such file: " + word);
      for (std::size_t k = 1; k < words.size() && words[0] == "make";
           ++k) {  // up to a comment or a quoted argument
        if (words[k].starts_with("#") || has(words[k], "\"")) break;
        that(has(words[k], "=") || words[k].starts_with("-") || target_exists(words[k]), file,
             "make knows no target " + words[k]);
      }
    }
  }

  // Every block of C++ stands in a source, verbatim but for its indentation.
  void quoted_code(const Readme& readme) {
    for (const std::string& code : readme.quoted)
      that(has(readme.source, "\n" + unindented(lines_of(code))), readme.path,
           "this stands in no source: " + code);
  }

  // A README shows each picture beside it, and says it in words.
  void pictures(const Readme& readme) {
    static const std::regex image("!\\[([^]*?)\\]\\(");
    for (const std::string& words : found_in(readme.text, image))
      that(std::count(words.begin(), words.end(), ' ') >= 3, readme.path,
           "a picture without words: " + words);
    const std::string folder = readme.folder + "pictures/",
                      run = "build/out/lesson" + readme.lesson + "/";
    const bool whole =
        has(read(run + "index.html"), "<code>make lesson" + readme.lesson + "</code>");
    for (const std::string& file : files_) {
      if (readme.lesson.empty() || !file.starts_with(folder) || !file.ends_with(".svg")) continue;
      that(has(readme.text, "](" + file.substr(readme.folder.size()) + ")"), readme.path,
           file + " is not shown");
      const std::string drawn = whole ? read(run + file.substr(folder.size()))
                                      : "";  // some are drawn by their part alone
      check_.equal(drawn.empty() ? "" : difference(drawn, read(file)), "",
                   file + "; if it should, make pictures");
    }
  }

  // Does the word look like a path: a source or document by its ending, or one that starts in a
  // folder of the course?
  bool looks_like_path(const std::string& word, const std::string& folder) const {
    static const std::regex path(R"([A-Za-z0-9_.][A-Za-z0-9_./-]*)"),
        ending(R"(.*[A-Za-z0-9_]\.(hpp|cpp|md|sh|py|mjs))");
    if (!std::regex_match(word, path) || has(word, "N_K"))
      return false;  // of exN_K_name.hpp, no file is meant
    const std::string first = word.substr(0, word.find('/') + 1);
    return std::regex_match(word, ending) ||
           (!first.empty() &&
            (first == "build/" || files_.count(first) + files_.count(folder + first) > 0));
  }

  // A path from the root or from the README; a name alone may stand anywhere in the lesson, in
  // common/ or in tests/. How to carry on speaks of any lesson. What lies in build/ is made by
  // programs: of a picture, a source must know the name.
  bool path_exists(const Readme& readme, const std::string& path) const {
    std::smatch picture;
    if (std::regex_match(path, picture, std::regex(R"(build/out/lesson[0-9]+/(\w+)\.svg)"))) {
      const Lines drawn =
          found_in(readme.source, std::regex("(?:picture|figure|film)\\(\"(\\w+)\""));
      return std::count(drawn.begin(), drawn.end(), picture[1]) > 0;
    }
    if (path.starts_with("build/") || exists(path) || exists(readme.folder + path)) return true;
    const bool anywhere = readme.folder == ".github/";
    if (!anywhere && has(path, "/")) return false;
    return std::any_of(files_.begin(), files_.end(), [&](const std::string& file) {
      const std::string folder = file.substr(0, file.find('/') + 1);
      return file.ends_with("/" + path) &&
             (file.starts_with(anywhere ? "lessons/" : readme.folder) || folder == "common/" ||
              folder == "tests/");
    });
  }

  // lesson1, exercise1, exercise1.2, hint1.2, reset1.2, solution1.2, or a target that the Makefile
  // spells out.
  bool target_exists(const std::string& target) const {
    static const std::regex of_lesson("(lesson|exercise|derive)([0-9])"),
        of_derivation(R"(derive(([0-9])\.[0-9]+))"),
        of_exercise(R"((?:exercise|hint|reset|solution|watch|open)([0-9])\.([0-9]+))");
    std::smatch part;
    std::string wanted;
    if (std::regex_match(target, part, of_derivation))
      return std::any_of(files_.begin(), files_.end(), [&](const std::string& file) {
        return file.starts_with("lessons/" + part.str(2)) && file.ends_with("/derive.txt") &&
               has(read(file), "\n# " + part.str(1) + " |");
      });
    if (std::regex_match(target, part, of_exercise))
      wanted = "/exercises/ex" + part.str(1) + "_" + part.str(2) + "_";
    else if (std::regex_match(target, part, of_lesson)) wanted = "lessons/" + part.str(2) + "_";
    else return std::count(make_targets_.begin(), make_targets_.end(), target) > 0;
    return std::any_of(files_.begin(), files_.end(),
                       [&](const std::string& file) { return has(file, wanted); });
  }

  // Every --flag of a lesson's README stands in the sources of the lesson or of its frame. The
  // other READMEs also name flags of other programs, so there only code counts that runs a lesson
  // or starts with the flag.
  void flags(const Readme& readme) {
    static const std::regex flag(R"((?:^|[^-\w])--([a-z][a-z-]*))");
    const Lines declared = found_in(readme.source, std::regex(R"(\b\w+\{\s*"([a-z-]+)\")"));
    std::string said = readme.lesson.empty() ? "" : readme.prose;
    for (const std::string& code : readme.code)
      if (!readme.lesson.empty() || code.starts_with("--") || code.starts_with("make lesson"))
        said += "\n" + code;
    for (const std::string& name : found_in(said, flag))
      that(has(readme.source, "\"--" + name + "\"") ||
               std::count(declared.begin(), declared.end(), name) > 0,
           readme.path, "no program knows the flag --" + name);
  }

  // The numbers of a lesson's equations are the same in its README and in its sources, where they
  // stand in comments.
  void equations(const Readme& readme) {
    std::set<std::string> derived, coded;
    for (const std::string& tag : equations_in(readme.text, readme.lesson)) derived.insert(tag);
    for (const std::string& file : readme.sources) {
      const bool counts = is_source(file, readme.folder)
                              ? !has(file, "/exercises/") && !has(file, "/answers/")
                              : file == "common/loss.hpp" || file == "common/optimizer.hpp" ||
                                    has(file, "/equations/");
      for (const std::string& line : lines_of(read(file)))
        for (const std::string& tag :
             equations_in(line.substr(std::min(line.find("//"), line.size())), readme.lesson)) {
          if (counts) coded.insert(tag);
          that(derived.count(tag) > 0, file,
               "equation " + tag + " does not stand in the lesson's README");
        }
    }
    for (const std::string& tag : derived)
      that(coded.count(tag) > 0, readme.path,
           "equation " + tag + " stands in no source of the lesson");
  }

  // A block without a language, and an example by hand, is read as formulas, line by line; anything
  // else says what it is.
  void formulas(const Readme& readme, const std::vector<markdown::Block>& blocks) {
    for (const markdown::Block& block : blocks) {
      formulas(readme, block.children);
      if (block.kind != markdown::Kind::code ||
          !(block.language.empty() || block.language == "hand"))
        continue;
      for (const std::string& line : lines_of(block.text)) try {
          if (!line.empty()) formula::line(line);
        } catch (const formula::Error& error) {
          that(false, readme.path, "'" + line + "' is no formula: " + error.what());
        }
    }
  }

  // A link such as [words](#4.3?w=0,1,0) turns the knobs of a part; the browser test follows it.
  void benches(const Readme& readme) {
    for (const std::string& target :
         found_in(readme.prose, std::regex(R"(\]\(#([0-9.]+)\?[^)]*\))"))) {
      const std::size_t dot = target.find('.');
      that(target.substr(0, dot) == readme.lesson &&
               has(readme.text, "\n## " + target.substr(dot + 1) + ". "),
           readme.path, "a bench that is not: " + target);
    }
  }

  // A core has at most 2,800 words, as it stands and with what a whole run has put open on its
  // page.
  void reading(const Readme& readme) {
    const auto words = [&](const page::Results& results) {
      const std::string html =
          page::of_lesson({std::stoi(readme.lesson), "", root_ / readme.folder}, results);
      const Lines said = found_in(html, std::regex("The core has ([0-9]+) words"));
      return said.empty() ? 0 : std::stol(said[0]);
    };
    const long text = words({}),
               shown = words(page::stored((root_ / ("build/out/lesson" + readme.lesson)).string()));
    std::printf("lesson %s: %ld words in its core, %ld on its page\n", readme.lesson.c_str(), text,
                shown);
    that(text > 0 && std::max(text, shown) <= 2800, readme.path,
         join("a core has at most 2,800 words, not ", text, " and ", shown, " on its page"));
    // The front page's row of a lesson says the minutes that the lesson says: of its core, and of
    // the exercises that it lists.
    const Lines core = found_in(readme.text, std::regex(R"(core\s+takes\s+about\s+(\d+))")),
                exercises = found_in(readme.text, std::regex(R"(exercises\s+(\d+)\.\s)")),
                each = found_in(
                    readme.text,
                    std::regex(R"(\n(?:\| |- \*\*)\d\.\d.*[ (](\d+)(?: minutes\)| \|)(?=\n))"));
    long sum = 0;
    for (const std::string& minutes : each) sum += std::stol(minutes);
    that(exercises.size() == 1 && exercises[0] == join(sum), readme.path,
         join("the exercises take ", sum, " minutes"));
    const std::string row = join("| ", core.empty() ? "?" : core[0], " min | ", sum, " min |");
    that(has(front_row(readme.path), row), "README.md",
         join("the row of ", readme.path, " lacks ", row));
  }

  std::string front_row(const std::string& path) const {
    const std::string front = read("README.md");
    const std::size_t at = std::min(front.find(path), front.size());
    return front.substr(at, front.find('\n', at) - at);
  }

  fs::path root_;
  std::set<std::string> files_;  // and folders, which end in /
  Lines make_targets_;
  Checks check_;
};

// Run from the root, or with its path.
int main(int argc, char** argv) {
  return Documents(fs::canonical(argc == 2 ? argv[1] : ".")).done();
}
