// Lesson 2, part 1: a text as numbers, and the windows that the model is shown.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/run/session.hpp"

namespace lesson2 {
namespace {

// The windows of the first five places of a text, as the table of README.md.
Table window_table(const Vocabulary& vocabulary, const Windows& windows) {
  Table table{{"place", "sees", "predicts", "as numbers", "target"}, {}};
  const auto name = [&](std::uint32_t s) { return s == vocabulary.size() ? std::string("□") : vocabulary.name(s); };
  for (std::size_t i = 0; i < windows.size(); ++i) {
    std::string sees, numbers;
    for (const std::uint32_t s : windows.context(i)) {
      sees += name(s) + " ";
      numbers += std::to_string(s) + " ";
    }
    sees.pop_back();
    numbers.pop_back();
    table.rows.push_back(
        {std::to_string(i), sees, name(windows.targets[i]), numbers, std::to_string(windows.targets[i])});
  }
  return table;
}

// The hash of the bytes that the numbers stand for. Piece by piece, since a long text would be a fourth as long again.
std::uint64_t hash_of_decoded(const Vocabulary& vocabulary, std::span<const std::uint32_t> numbers) {
  constexpr std::size_t piece = 1 << 16;
  std::uint64_t h = hash("");
  for (std::size_t first = 0; first < numbers.size(); first += piece)
    h = hash(vocabulary.decode(numbers.subspan(first, std::min(piece, numbers.size() - first))), h);
  return h;
}

// Does `padding` stand at the places before the text, and at no other? Row i of the windows is followed by symbol i.
bool pads_the_beginning_alone(const Windows& windows, std::uint32_t padding) {
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t k = 0; k < windows.length; ++k)
      if ((windows.context(i)[k] == padding) != (i + k < windows.length)) return false;
  return true;
}

void whole_text(Lesson& lesson, const Corpus& corpus) {
  const Vocabulary& vocabulary = corpus.vocabulary;
  std::string symbols;
  for (std::size_t s = 0; s < vocabulary.size(); ++s) symbols += vocabulary.name(s) + " ";
  lesson.say("Which numbers stand for the text? It has ", corpus.text.size(), " symbols, ", vocabulary.size(),
             " distinct ones: ", corpus.part.train.size(), " for training, ", corpus.part.validation.size(),
             " for validation, ", corpus.part.test.size(), " for the test.");
  lesson.note("Sorted and numbered from 0: ", symbols);
  lesson.claim("decode(encode(text)) = text, byte for byte (by their hash)",
               hash_of_decoded(vocabulary, corpus.text) == corpus.hash);
}

}  // namespace

void part1(Lesson& lesson, Session& session) {
  whole_text(lesson, session.corpus);
  const Vocabulary literature(symbols65);
  const std::vector<std::uint32_t> first = literature.encode("First");
  lesson.note("What a model with a context of 3 sees of \"First\":");
  const Windows windows = windows_of(first, 0, first.size(), 3, 65);
  lesson.detail(window_table(literature, windows));
  lesson.claim("\"First\" is 18 47 56 57 58", first == std::vector<std::uint32_t>{18, 47, 56, 57, 58});
  lesson.claim("the targets are F, i, r, s, t", literature.decode(windows.targets) == "First");
  lesson.claim("65 stands at the 3 + 2 + 1 places before the text, and at no other",
               pads_the_beginning_alone(windows, 65));
  const std::vector<std::uint32_t>& text = session.corpus.text;
  lesson.claim("the whole text: its largest number is one less than that of padding",
               double(*std::max_element(text.begin(), text.end())), exactly(double(padding_of(session.form())) - 1));
}

}  // namespace lesson2
