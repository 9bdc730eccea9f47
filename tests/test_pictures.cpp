// Tests that the pictures which the READMEs show are what the programs draw: a whole run at the standard seed, as `make
// lessons` leaves it in build/out. Without such a run it is skipped (exit status 77). Numbers need not agree to the bit,
// since compilers and processors round differently and training carries that on.
// Run: make test, or build/tests/test_pictures, from the root
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>
#include <sstream>

#include "common/page/page.hpp"
#include "tests/check.hpp"

namespace fs = std::filesystem;

static const std::regex a_number("-?[0-9]+(?:\\.[0-9]+)?(?:e-[0-9]+)?");

// Says in what two drawings differ; nothing where they are of the same kind, each place within 4 px and each label within 5 percent.
// Of a curve, which may have another number of points, only the ends count, and of cells their number of colours.
static std::string difference(const std::string& drawn, const std::string& tracked) {
  std::istringstream one(drawn), other(tracked);
  std::string a, b;
  while (std::getline(one, a) && std::getline(other, b)) {
    if (a.starts_with("<path fill=") && b.starts_with("<path fill=")) continue;
    const bool curve = a.starts_with("<polyline") && b.starts_with("<polyline");
    if (curve) a.replace(a.find(' ', a.find("points=")), a.rfind(' ') - a.find(' ', a.find("points=")), "");
    if (curve) b.replace(b.find(' ', b.find("points=")), b.rfind(' ') - b.find(' ', b.find("points=")), "");
    std::sregex_iterator x(a.begin(), a.end(), a_number), y(b.begin(), b.end(), a_number), end;
    bool same = std::regex_replace(a, a_number, "#") == std::regex_replace(b, a_number, "#");
    for (; same && x != end && y != end; ++x, ++y) {
      const double found = std::stod(x->str()), wanted = std::stod(y->str());
      const bool label = x->position() > std::ptrdiff_t(a.find('>'));
      same = std::abs(found - wanted) <= (label ? 0.05 * std::max(std::abs(wanted), 1.0) : 4);
    }
    if (!same) return "'" + a + "' was '" + b + "'";
  }
  return one.eof() == other.eof() || !std::getline(other, b) ? "" : "elements are missing";
}

int main() {
  Checks check;
  int compared = 0;
  check.that(difference("<a x=\"1\"/>\nb", "<a x=\"3\"/>\nb").empty(), "nearly the same");
  check.that(!difference("<a x=\"1\"/>\nb", "<a x=\"9\"/>\nb").empty(), "another place");
  for (const fs::directory_entry& folder : fs::directory_iterator("lessons")) {
    const std::string lesson = "lesson" + folder.path().filename().string().substr(0, 1);
    const std::string page = page::contents_of("build/out/" + lesson + "/index.html");
    if (!folder.is_directory() || !has(page, "<code>make " + lesson + "</code>")) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path() / "pictures")) {
      const fs::path drawn = fs::path("build/out") / lesson / file.path().filename();
      if (!fs::exists(drawn)) continue;  // a whole run does not draw it: `make pictures` asks its part for it
      check.equal(difference(page::contents_of(drawn), page::contents_of(file.path())), "",
                  file.path().string() + "; if it should, make pictures");
      ++compared;
    }
  }
  const int status = check.done("test_pictures");
  if (compared == 0) std::printf("test_pictures: no whole run in build/out to compare them with (make lessons)\n");
  return status == 0 && compared == 0 ? 77 : status;
}
