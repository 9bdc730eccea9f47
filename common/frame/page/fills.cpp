// Colours of pictures as attributes, for readers whose browser does not let a page bring a style.
// SPDX-License-Identifier: MIT
#include <map>
#include <sstream>
#include <vector>

#include "common/frame/page/page.hpp"
#include "common/frame/plot/plot.hpp"

namespace page {
namespace {

struct Rule {
  std::string name, declarations;  // plot-page, fill:#fff
};

// Returns the rules of the light scheme, which stands before the dark one.
std::vector<Rule> all_rules() {
  std::vector<Rule> rules;
  const std::string_view style = plot::svg_style.substr(0, plot::svg_style.find("@media"));
  for (std::size_t at = 0, end; (end = style.find('}', at)) != style.npos; at = end + 1) {
    const std::size_t open = style.find('{', at);
    rules.push_back({std::string(style.substr(at + 1, open - at - 1)),
                     std::string(style.substr(open + 1, end - open - 1))});
  }
  return rules;
}

// Returns what the rules say of an element with these classes; the last one wins, as in a style.
std::map<std::string, std::string> said_of(const std::string& classes,
                                           const std::vector<Rule>& rules) {
  std::map<std::string, std::string> said;
  for (const Rule& rule : rules) {
    if ((" " + classes + " ").find(" " + rule.name + " ") == std::string::npos) continue;
    std::istringstream declarations(rule.declarations);
    for (std::string one; std::getline(declarations, one, ';');)
      said[one.substr(0, one.find(':'))] = one.substr(one.find(':') + 1);
  }
  return said;
}

}  // namespace

std::string with_fills(const std::string& svg) {
  static const std::vector<Rule> rules = all_rules();
  const std::string begin = " class=\"";
  std::string filled;
  std::size_t at = 0;
  for (std::size_t tag; (tag = svg.find('<', at)) != svg.npos;) {
    const std::size_t end = std::min(svg.find('>', tag), svg.size());
    const std::string element = svg.substr(tag, end - tag);
    const std::size_t from = element.find(begin);
    filled += svg.substr(at, tag - at) + element;
    at = end;
    // Letters are black without a style, which is as well.
    if (from == element.npos || element.starts_with("<text") || element.starts_with("<tspan"))
      continue;
    const std::size_t first = from + begin.size(), last = element.find('"', first);
    if (last == element.npos) continue;
    std::string attributes;
    for (const auto& [name, value] : said_of(element.substr(first, last - first), rules))
      if (element.find(join(" ", name, "=")) == element.npos)
        for (const char* const drawn : {"color", "fill", "fill-opacity", "stroke", "stroke-width"})
          if (name == drawn) attributes += join(" ", name, "=\"", value, "\"");
    filled.insert(filled.size() - element.ends_with('/'), attributes);
  }
  return filled + svg.substr(at);
}

}  // namespace page
