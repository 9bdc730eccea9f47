// Checks that HTML or SVG is well-formed: what a text brings in must not become markup.
// SPDX-License-Identifier: MIT
#pragma once
#include <set>
#include <vector>

#include "common/support/words.hpp"
#include "tests/fuzz/hostile.hpp"

inline bool is_entity(std::string_view text) {
  for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#"})
    if (text.starts_with(entity)) return true;
  return false;
}

// Requires that the tags of `html` are closed in order, that each `<` is that of a tag, each `&` that of an entity, and
// that all is UTF-8 without control characters.
inline void require_well_formed(std::string_view html) {
  static const std::set<std::string_view> empty = {"img", "br", "hr", "input"};
  std::vector<std::string_view> open;
  while (!html.empty()) {
    const auto [code, size] = utf8::first(html);
    require(size > 0, "markup is UTF-8");
    require(code >= 0x20 || code == '\n' || code == '\t', "markup holds no control characters");
    if (code == '&') require(is_entity(html), "each & begins an entity");
    if (code != '<') {
      html.remove_prefix(size);
      continue;
    }
    const std::size_t end = html.find('>');
    require(end != html.npos, "each < has a >");
    std::string_view tag = html.substr(1, end - 1);
    html.remove_prefix(end + 1);
    const bool closes = tag.starts_with('/'), alone = tag.ends_with('/');
    if (closes) tag.remove_prefix(1);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \n/"));
    require(!name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz123456") == name.npos,
            "a < begins a tag");
    require(tag.find('<') == tag.npos, "no < stands within a tag");
    if (closes) {
      require(!open.empty() && open.back() == name, "tags are closed in order");
      open.pop_back();
    } else if (!alone && !empty.contains(name)) open.push_back(name);
  }
  require(open.empty(), "each tag is closed");
}
