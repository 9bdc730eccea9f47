// Lesson 2, part 1: windows of any length, anywhere in a text.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "lessons/2_bengio_mlp/knobs/shared.hpp"

namespace lesson2 {
namespace {

constexpr knob::Whole context{"see", "c, the symbols that a window shows", 3, {1, 8, 1}};
constexpr knob::Whole place{"place", "the first place of the text that is to be predicted", 0, {0, 2000, 1}};
constexpr knob::TextFile own{"text", "a text of your own"};

void run(Lesson& lesson, Session& session, const knob::Settings& at) {
  const Corpus& corpus = session.corpus;
  const Vocabulary& vocabulary = corpus.vocabulary;
  const std::uint32_t padding = std::uint32_t(corpus.vocab());
  const std::size_t rows = std::min<std::size_t>(12, corpus.text.size()),
                    first = std::min(at[place], corpus.text.size() - rows);
  const Windows windows = windows_of(corpus.text, first, rows, at[context], padding);
  plot::HeatMap map{
      .title = join("What a network sees of places ", first, " to ", first + rows - 1, ", and what it is to predict"),
      .rows = rows,
      .cols = at[context] + 1};
  map.numbers = true;
  map.low = 0;
  map.high = double(padding);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::string sees;
    for (std::size_t k = 0; k < at[context]; ++k) {
      const std::uint32_t s = windows.context(i)[k];
      sees += label_of_symbol(vocabulary, s);
      map.values.push_back(double(s));
      const bool before = first + i + k < at[context];  // the place lies before the text
      wrong += before ? s != padding : s != corpus.text[first + i + k - at[context]];
    }
    map.row_labels.push_back(sees + " → " + label_of_symbol(vocabulary, windows.targets[i]));
    map.values.push_back(double(windows.targets[i]));
  }
  for (std::size_t k = 0; k < at[context]; ++k) map.col_labels.push_back(join("-", at[context] - k));
  map.col_labels.push_back("next");
  lesson.picture("turned_windows", map);
  lesson.say("The text has ", corpus.text.size(), " symbols, ", corpus.vocab(), " distinct ones; □, padding, is ",
             padding, ". A symbol moves one column to the left with each place: the windows are one text, seen ",
             at[context], " times.");
  lesson.claim("numbers in the windows that are not those of the text, or padding before it", double(wrong),
               exactly(0));
}

}  // namespace

Bench<Session> bench1() {
  return {"What does a window of so many symbols show, and where does padding stand?", {&context, &place, &own}, run};
}

}  // namespace lesson2
