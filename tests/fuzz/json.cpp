// Fuzzes the reader of JSON, which is asked for what the first bytes of the input want; a quoted text is read back.
// SPDX-License-Identifier: MIT
#include "common/support/json.hpp"

#include "tests/fuzz/hostile.hpp"

// Asks for one value; each byte of `wanted` says for which.
static void read(json::Reader& reader, Input& wanted, int depth) {
  const int kind = depth > 8 ? 3 : wanted.ConsumeIntegralInRange(0, 3);
  if (kind == 0) reader.object([&](const std::string&) { read(reader, wanted, depth + 1); });
  else if (kind == 1) reader.array([&] { read(reader, wanted, depth + 1); });
  else if (kind == 2) reader.number();
  else {
    const std::string text = reader.string();
    require(succeeds([&] { return json::Reader(json::quote(text)).string(); }) == text,
            "a string is quoted and read back");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::size_t grammar = std::min<std::size_t>(size, 8);
  Input wanted(data, grammar);
  const std::string text(reinterpret_cast<const char*>(data) + grammar, size - grammar);
  refused([&] {
    json::Reader reader(text);
    read(reader, wanted, 0);
    reader.end();
  });
  refused([&] {
    const std::string quoted = json::quote(text), name = json::shown(text);
    require(succeeds([&] { return json::Reader(quoted).string(); }) == text, "a quoted text is read back");
    require(name.size() < 1000 && name.find('\n') == std::string::npos, "a shown name is a short line");
  });
  return 0;
}
