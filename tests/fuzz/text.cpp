// Fuzzes texts as numbers: bytes and words, there and back, and another text with the same vocabulary.
// SPDX-License-Identifier: MIT
#include "common/support/text.hpp"

#include "tests/fuzz/hostile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const bool words = in.ConsumeBool();
  const std::string other = in.ConsumeRandomLengthString(20), text = rest(in);
  Vocabulary vocabulary(text);
  if (words) vocabulary.add_words(std::vector<std::uint32_t>(text.begin(), text.end()));
  require(vocabulary.decode(vocabulary.encode(text)) == text, "a text comes back from its numbers");
  if (!text.empty()) require(Vocabulary::from_hex(vocabulary.hex()) == vocabulary, "a vocabulary comes back");
  std::vector<std::uint32_t> numbers;
  if (!refused<std::invalid_argument>([&] { numbers = vocabulary.encode(other); }))
    require(vocabulary.decode(numbers) == other, "another text comes back from its numbers");
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    require(vocabulary.find(vocabulary.symbol(i)) == i, "a symbol has one number");
    require(vocabulary.name(i).find('\n') == std::string::npos && !vocabulary.label(i).empty(), "a symbol has a name");
  }
  std::size_t letters = 0;
  for (std::string_view left = text; !left.empty();) letters += take_word(left).size();
  require(letters <= text.size(), "words are of the text");
  return 0;
}
