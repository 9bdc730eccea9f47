// Fuzzes the text that a reader brings: in bytes or words, its three parts, and what it is refused for.
// SPDX-License-Identifier: MIT
#include "common/support/corpus.hpp"

#include "common/support/flags.hpp"
#include "tests/fuzz/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch file("corpus");
  Input in(data, size);
  const SymbolKind kind = in.ConsumeBool() ? SymbolKind::words : SymbolKind::bytes;
  const std::size_t context = in.ConsumeIntegralInRange<std::size_t>(1, 4);
  const std::string text = rest(in);
  refused<UserError>([&] {
    const Corpus corpus = read_corpus(file.holds(text), "fuzz", context, kind);
    require(corpus.vocabulary.decode(corpus.text) == text, "a text comes back from its numbers");
    require(corpus.hash == hash(text), "the hash of pieces is that of the whole");
    require(corpus.train_end() > context && corpus.validation_end() < corpus.text.size(), "each part holds a window");
    for (const std::uint32_t number : corpus.text) require(number < corpus.vocab(), "a number is a symbol");
    comparable(corpus, 2.5);
  });
  return 0;
}
