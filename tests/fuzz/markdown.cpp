// Fuzzes the reader of Markdown. What is accepted becomes well-formed HTML, and the reader throws its own Error only.
// SPDX-License-Identifier: MIT
#include "common/page/markdown.hpp"

#include "tests/fuzz/markup.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  refused<markdown::Error>([&] { require_well_formed(markdown::html(markdown::read(text), {})); });
  refused<markdown::Error>([&] {
    require_well_formed(markdown::inline_html(text, {}));
    markdown::plain(text);
    const std::string anchor = markdown::slug(text);
    require(!anchor.empty() && anchor.find_first_of(" <>\"&") == anchor.npos, "an anchor is a word");
  });
  return 0;
}
