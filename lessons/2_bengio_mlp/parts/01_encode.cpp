// Lesson 2, part 1: a text as numbers, and its windows.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2::p1 {

static void run(Lesson& lesson, Session& session, const knob::Settings&) {
  const Corpus& corpus = session.corpus;
  const std::vector<std::uint32_t>& text = corpus.text;
  lesson.say("Which numbers stand for the text? It has ", text.size(), " symbols, ", corpus.vocab(),
             " distinct ones: ", corpus.part.train.size(), " for training, ",
             corpus.part.validation.size(), " for validation, ", corpus.part.test.size(),
             " for the test.");
  // Symbol by symbol, to save memory.
  std::uint64_t decoded = text_hash("");
  for (const std::uint32_t& s : text) decoded = text_hash(corpus.vocabulary.symbol(s), decoded);
  lesson.claim("decode(encode(text)) = text, byte for byte (by their hash)",
               decoded == corpus.hash);
  lesson.claim("\"First\" is 18 47 56 57 58", Vocabulary(symbols65).encode("First") ==
                                                  std::vector<std::uint32_t>{18, 47, 56, 57, 58});

  const Windows first = windows_of(Vocabulary(symbols65).encode("First"), 0, 3, 3, 65);
  const auto row = [](const auto& symbols, const auto& name) {
    std::string all;
    for (const std::uint32_t s : symbols) all += (all.empty() ? "" : " ") + name(s);
    return all;
  };
  const auto letter = [](std::uint32_t s) { return s < 65 ? std::string(1, symbols65[s]) : "□"; };
  const auto number = [](std::uint32_t s) { return std::to_string(s); };
  Table table{{"sees", "predicts", "as numbers", "target"}, {}};
  for (std::size_t i = 0; i < first.size(); ++i)
    table.rows.push_back({row(first.context(i), letter), letter(first.targets[i]),
                          row(first.context(i), number), number(first.targets[i])});
  lesson.show(table);

  const std::uint32_t padding = std::uint32_t(corpus.vocab());
  const std::size_t c = session.form().context, rows = std::min(c + 5, text.size());
  const Windows windows = windows_of(text, 0, rows, c, padding);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < c; ++k) {
      const std::uint32_t right = i + k < c ? padding : text[i + k - c];
      if (windows.context(i)[k] != right) ++wrong;
    }
  lesson.claim("numbers in the windows that are neither the text's nor padding before it",
               double(wrong), exactly(0));
}

}  // namespace lesson2::p1

const Part<lesson2::Session> lesson2::part1{.number = 1, .title = "Encode", .run = p1::run};
