// Fuzzes the vocabulary in a file's metadata. What is accepted is written the same, and numbers texts.
// SPDX-License-Identifier: MIT
#include "common/support/text.hpp"
#include "tests/fuzz/hostile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string hex(reinterpret_cast<const char*>(data), size);
  refused<std::invalid_argument>([&] {
    const Vocabulary vocabulary = Vocabulary::from_hex(hex);
    succeeds([&] {
      require(vocabulary.hex() == hex, "a vocabulary is written as it was read");
      require(vocabulary.size() <= most_symbols, "a vocabulary is bounded");
      for (std::size_t i = 0; i < vocabulary.size(); ++i)
        require(vocabulary.decode(std::vector{std::uint32_t(i)}) == vocabulary.symbol(i) && !vocabulary.name(i).empty(),
                "a number is a symbol");
      const std::string all = vocabulary.joined();
      if (!vocabulary.has_words()) require(vocabulary.decode(vocabulary.encode(all)) == all, "symbols come back");
    });
  });
  return 0;
}
