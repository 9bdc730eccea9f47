// Tests common/support/corpus.hpp: a text as it is read and cut into its parts.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <random>
#include <string>

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

int main() {
  Checks check;
  test_corpus(check);
  return check.done("test_corpus");
}
