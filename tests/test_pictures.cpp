// Tests the pictures that the READMEs show: each is there and said in words, none is left over, and each is what the
// program draws: a whole run at the standard seed, as `make lessons` leaves it in build/out. Without such a run that
// last test is skipped, and so is the program (exit status 77).
// Numbers need not agree to the bit, since compilers and processors round differently and training carries that on.
// Run: make test, or build/tests/test_pictures, from the root
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/page/page.hpp"
#include "common/page/results.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;

namespace {

// How far two drawings of one picture may lie apart: three to five times what lay between g++ and clang++, which was
// 1.25 px, .01 of a number and .001 of a shade; another processor may be farther off than another compiler.
constexpr double near_px = 4, near_number = 0.05, near_shade = 0.005;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

const std::regex a_number("-?[0-9]+(?:\\.[0-9]+)?(?:e[-+][0-9]+)?");

std::vector<double> numbers_in(const std::string& line) {
  std::vector<double> numbers;
  for (std::sregex_iterator at(line.begin(), line.end(), a_number), end; at != end; ++at)
    numbers.push_back(std::stod(at->str()));
  return numbers;
}

std::string without_numbers(const std::string& line) { return std::regex_replace(line, a_number, "#"); }

using Points = std::vector<std::pair<double, double>>;

Points points_of(const std::vector<double>& numbers) {
  Points points;
  for (std::size_t k = 0; k + 1 < numbers.size(); k += 2) points.push_back({numbers[k], numbers[k + 1]});
  return points;
}

// Returns the distance of a point from a line from a to b.
double distance(std::pair<double, double> p, std::pair<double, double> a, std::pair<double, double> b) {
  const double dx = b.first - a.first, dy = b.second - a.second, length = dx * dx + dy * dy;
  const double along = length > 0 ? ((p.first - a.first) * dx + (p.second - a.second) * dy) / length : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.first - a.first - t * dx, p.second - a.second - t * dy);
}

// Returns how far the points of one line lie from another line at most; lines may have different numbers of points.
double apart(const Points& line, const Points& other) {
  double worst = 0;
  for (const auto& point : line) {
    double nearest = HUGE_VAL;
    for (std::size_t k = 0; k < other.size(); ++k)
      nearest = std::min(nearest, distance(point, other[k], other[std::min(k + 1, other.size() - 1)]));
    worst = std::max(worst, nearest);
  }
  return worst;
}

// A drawing taken apart. Cells are kept as the shades, from 0 to 64, of how many there are.
struct Drawing {
  std::vector<std::string> lines;                  // all but those of cells
  double cells = 0, red = 0, green = 0, blue = 0;  // sums over the cells, of 255
};

Drawing drawing_of(const std::string& svg) {
  Drawing drawing;
  const std::regex cells("<path fill=\"#(..)(..)(..)\" d=\"(.*)\"/>"), run("h([0-9]+)v1");
  for (const std::string& line : lines_of(svg)) {
    std::smatch found;
    if (!std::regex_match(line, found, cells)) {
      drawing.lines.push_back(line);
      continue;
    }
    const std::string path = found[4];
    for (std::sregex_iterator at(path.begin(), path.end(), run), end; at != end; ++at) {
      const double count = std::stod((*at)[1]);
      drawing.cells += count;
      drawing.red += count * std::stoi(found[1], nullptr, 16) / 255;
      drawing.green += count * std::stoi(found[2], nullptr, 16) / 255;
      drawing.blue += count * std::stoi(found[3], nullptr, 16) / 255;
    }
  }
  return drawing;
}

bool is_curve(const std::string& line) { return line.starts_with("<polyline class=\"plot-line"); }

// Says what differs between two lines; nothing when they agree.
std::string difference(const std::string& a, const std::string& b) {
  if (is_curve(a) && is_curve(b)) {
    const std::size_t from = a.find(" points=\""), other = b.find(" points=\"");
    if (a.substr(0, from) != b.substr(0, other)) return "another kind of line";
    const Points one = points_of(numbers_in(a.substr(from))), two = points_of(numbers_in(b.substr(other)));
    const double px = std::max(apart(one, two), apart(two, one));
    return px <= near_px ? "" : join("a line ", px, " px away");
  }
  if (without_numbers(a) != without_numbers(b)) return "'" + a + "' was '" + b + "'";
  const std::vector<double> one = numbers_in(a), two = numbers_in(b);
  const bool text = a.starts_with("<text");
  for (std::size_t k = 0; k < one.size(); ++k) {
    const double off = std::abs(one[k] - two[k]);
    if (off > near_px && !(text && off <= near_number * std::abs(two[k]))) return "'" + a + "' was '" + b + "'";
    if (text && k >= 2 && off > near_number * std::max(std::abs(two[k]), 1.0)) return "'" + a + "' was '" + b + "'";
  }
  return "";
}

// Says in what the drawn picture differs from the tracked one; nothing when it is the same.
std::string difference_of(const std::string& drawn, const std::string& tracked) {
  const Drawing a = drawing_of(drawn), b = drawing_of(tracked);
  if (a.lines.size() != b.lines.size()) return join(a.lines.size(), " elements, there were ", b.lines.size());
  for (std::size_t k = 0; k < a.lines.size(); ++k)
    if (const std::string what = difference(a.lines[k], b.lines[k]); !what.empty()) return what;
  if (a.cells != b.cells) return join(a.cells, " cells, there were ", b.cells);
  const double colour = std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
  return colour <= near_shade * std::max(a.cells, 1.0) ? ""
                                                       : join("shades differ by ", colour / a.cells, " on average");
}

// Tells whether the page was made by whole runs at the standard seed.
bool is_standard(const fs::path& page, const std::string& lesson) {
  const std::map<int, std::string> results = page::stored_results(page::contents_of(page));
  const auto standard = [&](const auto& one) {
    return one.first >= 90 || one.second.find("<code>make lesson" + lesson + "</code>") != std::string::npos;
  };
  return !results.empty() && std::all_of(results.begin(), results.end(), standard);
}

// Checks the links and files of a README; returns the names of its pictures.
std::set<std::string> linked(Checks& check, const fs::path& folder) {
  const std::string readme = page::contents_of(folder / "README.md");
  const std::regex image("!\\[(.*?)\\]\\(pictures/([^)]*)\\.svg\\)");
  std::set<std::string> names;
  for (std::sregex_iterator at(readme.begin(), readme.end(), image), end; at != end; ++at) {
    const std::string words = (*at)[1], name = (*at)[2];
    names.insert(name);
    check.that(std::count(words.begin(), words.end(), ' ') >= 3, folder.string() + ": " + name + " is said in words");
    check.that(fs::exists(folder / "pictures" / (name + ".svg")), folder.string() + ": " + name + ".svg is there");
  }
  std::error_code none;
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "pictures", none))
    check.that(names.count(file.path().stem().string()) == 1, file.path().string() + " is shown by the README");
  return names;
}

// What tells a picture from another: each of these is seen.
void differences(Checks& check) {
  const std::string curve = "<polyline class=\"plot-line plot-0\" points=\"0,0 10,10\"/>\n",
                    text = "<text x=\"1\" y=\"2\">a 0.5</text>\n",
                    cells =
                        "<path fill=\"#ffffff\" d=\"M0 0h2v1h-2z\"/>\n<path fill=\"#08306b\" d=\"M2 0h2v1h-2z\"/>\n";
  const auto same = [](const std::string& a, const std::string& b) { return difference_of(a, b).empty(); };
  check.that(same(curve + text + cells, curve + text + cells), "a picture is as itself");
  check.that(same("<polyline class=\"plot-line plot-0\" points=\"0,0 5,5 10,10\"/>\n", curve),
             "a point more on the line");
  check.that(same("<text x=\"3\" y=\"2\">a 0.51</text>\n", text), "nearly the same text");
  check.that(!same("<polyline class=\"plot-line plot-0\" points=\"0,0 5,15 10,10\"/>\n", curve),
             "a point off the line");
  check.that(!same("<polyline class=\"plot-line plot-1\" points=\"0,0 10,10\"/>\n", curve), "another colour");
  check.that(!same("<text x=\"1\" y=\"2\">b 0.5</text>\n", text) && !same("<text x=\"1\" y=\"2\">a 0.6</text>\n", text),
             "another text or number");
  check.that(!same(curve, curve + text), "a text is missing");
  check.that(!same("<path fill=\"#ffffff\" d=\"M0 0h3v1h-3z\"/>\n<path fill=\"#08306b\" d=\"M3 0h1v1h-1z\"/>\n", cells),
             "other shades");
}

}  // namespace

int main() {
  Checks check;
  differences(check);
  int compared = 0;
  for (int n = 1; n <= 6; ++n)
    for (const fs::directory_entry& folder : fs::directory_iterator("lessons")) {
      const std::string lesson = std::to_string(n);
      if (!folder.path().filename().string().starts_with(lesson + "_")) continue;
      const std::set<std::string> names = linked(check, folder.path());
      const fs::path out = "build/out/lesson" + lesson;
      if (!is_standard(out / "index.html", lesson)) continue;
      for (const std::string& name : names) {
        // A whole run does not draw it: `make pictures` asks its part for it.
        if (lesson + " " + name == "4 sweep" && !fs::exists(out / (name + ".svg"))) continue;
        const std::string what = difference_of(page::contents_of(out / (name + ".svg")),
                                               page::contents_of(folder.path() / "pictures" / (name + ".svg")));
        check.equal(what, "", "lesson " + lesson + ", " + name + ".svg; if it should, make pictures");
        ++compared;
      }
    }
  const int status = check.done("test_pictures");
  if (compared == 0) std::printf("test_pictures: no whole run in build/out to compare them with (make lessons)\n");
  return status == 0 && compared == 0 ? 77 : status;
}
