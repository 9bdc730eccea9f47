// Lesson 2, part 1: a text as numbers, and the windows that the model is shown.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lessons/2_bengio_mlp/lesson.hpp"

namespace lesson2 {

static constexpr knob::Whole context{"context", "c, the symbols that a window shows", 3, {1, 8, 1}};
static constexpr knob::Whole place{"place", "the first place of the text that is to be predicted", 0, {0, 2000, 1}};
static constexpr knob::TextFile own{"text", "a text of your own"};

// What windows show and what they are to predict.
static void show_windows(Lesson& lesson, const Session& session, const Windows& windows, std::size_t first) {
  Table table{{"place", "sees", "predicts", "as numbers", "target"}, {}};
  for (std::size_t i = 0; i < windows.size(); ++i) {
    std::string sees, numbers;
    for (const std::uint32_t s : windows.context(i)) {
      sees += session.label(s) + " ";
      numbers += std::to_string(s) + " ";
    }
    const std::uint32_t target = windows.targets[i];
    table.rows.push_back({std::to_string(first + i), sees, session.label(target), numbers, std::to_string(target)});
  }
  lesson.detail(table);
}

static void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const std::vector<std::uint32_t>& text = corpus.text;
  std::string symbols;
  for (std::size_t s = 0; s < corpus.vocab(); ++s) symbols += corpus.vocabulary.name(s) + " ";
  lesson.say("Which numbers stand for the text? It has ", text.size(), " symbols, ", corpus.vocab(),
             " distinct ones: ", corpus.part.train.size(), " for training, ", corpus.part.validation.size(),
             " for validation, ", corpus.part.test.size(), " for the test.");
  lesson.note("Sorted and numbered from 0: ", symbols);
  std::uint64_t decoded = hash("");  // symbol by symbol, since a long text would be a fourth as long again
  for (const std::uint32_t& s : text) decoded = hash(corpus.vocabulary.symbol(s), decoded);
  lesson.claim("decode(encode(text)) = text, byte for byte (by their hash)", decoded == corpus.hash);
  lesson.claim("\"First\" is 18 47 56 57 58",
               Vocabulary(symbols65).encode("First") == std::vector<std::uint32_t>{18, 47, 56, 57, 58});

  const std::uint32_t padding = std::uint32_t(corpus.vocab());
  const std::size_t rows = std::min<std::size_t>(8, text.size()), first = std::min(at[place], text.size() - rows);
  const Windows windows = windows_of(text, first, rows, at[context], padding);
  lesson.note("What a model with a context of ", at[context], " sees of places ", first, " to ", first + rows - 1,
              ". A symbol moves one column to the left with each place. □, padding, is ", padding, ".");
  show_windows(lesson, session, windows, first);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < at[context]; ++k) {
      const bool before = first + i + k < at[context];  // the place lies before the text
      wrong += windows.context(i)[k] != (before ? padding : text[first + i + k - at[context]]);
    }
  lesson.claim("numbers in the windows that are not those of the text, or padding before it", double(wrong),
               exactly(0));
  lesson.claim("the whole text: its largest number is one less than that of padding",
               double(*std::max_element(text.begin(), text.end())), exactly(double(padding) - 1));
}

extern const Part<Session> part1{
    .number = 1,
    .title = "Encode",
    .run = run,
    .question = "What does a window of so many symbols show, and where does padding stand?",
    .knobs = {&context, &place, &own}};

}  // namespace lesson2
