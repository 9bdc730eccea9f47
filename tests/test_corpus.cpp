// Tests common/support/corpus.hpp: a text as it is read and cut into its parts.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "common/support/corpus.hpp"
#include "common/support/file.hpp"
#include "tests/check.hpp"

// A text of all bytes that is read in several pieces, the last one short.
static void test_corpus(Checks& check) {
  std::string bytes;
  for (std::size_t i = 0; i < 200'001; ++i) bytes += static_cast<char>(i * i / 100);
  const std::string name = "test_corpus_" + std::to_string(std::random_device()());
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  write_file(path, bytes);
  const Corpus corpus = read_corpus(path, "", 3);
  std::filesystem::remove(path);
  check.that(corpus.text == Vocabulary(bytes).encode(bytes), "a text read in pieces is encoded as one in one piece");
  check.that(corpus.vocabulary.decode(corpus.text) == bytes, "and decoded");
  check.that(corpus.hash == hash(bytes) && !corpus.shipped(), "its hash");
  check.that(corpus.text.capacity() == bytes.size(), "and it takes four bytes a symbol");
  check.that(corpus.train_end() == 180'000 && corpus.part.train.data() == corpus.text.data(), "its parts lie in it");
}

// The same text in words: cut at the same bytes, nothing lost, and measured alike.
static void test_words(Checks& check) {
  std::string bytes;
  for (int k = 0; k < 2000; ++k) bytes += std::string("to be or not\n", std::size_t(3 + k * k % 11));
  const std::string path =
      (std::filesystem::temp_directory_path() / ("test_corpus_" + std::to_string(std::random_device()()))).string();
  write_file(path, bytes);
  const Corpus whole = read_corpus(path, "", 3), words = read_corpus(path, "", 3, SymbolKind::words);
  std::filesystem::remove(path);
  const auto same = [&](std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, const char* what) {
    check.equal(words.vocabulary.decode(b), whole.vocabulary.decode(a), what);
  };
  check.that(words.vocabulary.has_words() && words.text.size() < whole.text.size() / 2, "fewer symbols");
  same(whole.part.train, words.part.train, "the text for training");
  same(whole.part.validation, words.part.validation, "for validation");
  same(whole.part.test, words.part.test, "for the test");
  check.that(words.part.test.data() + words.part.test.size() == words.text.data() + words.text.size() &&
                 words.part.validation.data() == words.text.data() + words.train_end(),
             "one behind the other");
  // A loss of l nats a byte is l: and of a word as many times l as it has bytes, whatever the symbols are.
  const std::string last = bytes.substr(bytes.size() - whole.part.validation.size() - whole.part.test.size());
  double count = 0;
  for (std::string_view rest = last; !take_word(rest).empty();) ++count;
  const double held_out = double(words.text.size() - words.train_end()), size = double(last.size());
  const Comparable a = comparable(whole, 0.5), b = comparable(words, 0.5 * size / held_out);
  check.near(a.nats_a_byte, 0.5, 1e-15, "of bytes");  // one division and its product
  check.near(b.nats_a_byte, 0.5, 1e-15, "of words the same");
  check.near(std::log(a.word_perplexity), 0.5 * size / count, 1e-13, "nats a word");  // some ten: 2 roundings each
  check.near(std::log(b.word_perplexity), 0.5 * size / count, 1e-13, "of words the same");
}

// Words of the held-out text alone are no symbols: the model is not to know them.
static void test_held_out(Checks& check) {
  std::string bytes;
  for (int k = 0; k < 300; ++k) bytes += "to be or not ";
  for (int k = 0; k < 30; ++k) bytes += "unseen here ";
  const std::string path =
      (std::filesystem::temp_directory_path() / ("test_corpus_" + std::to_string(std::random_device()()))).string();
  write_file(path, bytes);
  const Corpus words = read_corpus(path, "", 3, SymbolKind::words);
  std::filesystem::remove(path);
  check.that(words.vocabulary.find(" be") && !words.vocabulary.find(" unseen"),
             "words come from the text for training");
}

int main() {
  Checks check;
  test_held_out(check);
  test_words(check);
  test_corpus(check);
  return check.done("test_corpus");
}
