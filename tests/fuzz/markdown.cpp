// Fuzzes the reader of Markdown. What is accepted becomes well-formed HTML, and the reader throws its own Error only.
// SPDX-License-Identifier: MIT
#include "common/page/markdown.hpp"

#include "tests/fuzz/markup.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  refused<markdown::Error>([&] { require_well_formed(markdown::html(markdown::read(text), {})); });
  refused<markdown::Error>([&] { markdown::plain(text); });
  return 0;
}
