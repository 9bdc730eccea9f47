// Exercise 2.3: the newest symbol first.
// Hint: Which place of the text belongs into row i, column 0? And into column 1?
// Hint: Column k holds the symbol k + 1 places back. For which places is there none?
// Hint: There is one where place > k. Else the row gets vocab.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ex2_3_newest_first.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/2_bengio_mlp/models.hpp"

using namespace exercise;

namespace ours::ex2_3 {

// n x length, row after row, for the n places of the text: column k holds the symbol k + 1 places back, if there is one.
inline std::vector<std::uint32_t> contexts(std::span<const std::uint32_t> text, std::size_t length,
                                           std::uint32_t vocab) {
  std::vector<std::uint32_t> rows;
  for (std::size_t place = 0; place < text.size(); ++place)
    for (std::size_t k = 0; k < length; ++k) {
      std::size_t back = k + 1;
      slip(back, length - k, "these windows have the oldest symbol first");
      slip(back, k, "the symbol to be predicted stands in its own window");
      slip(back, k + 2, "the symbol just before the place is left out");
      bool known = place >= back;
      slip(known, place > back, "the first symbol of the text is known, and was padded");
      slip(known, place >= std::max(length, back), "a window that is only partly before the text keeps what it has");
      std::uint32_t symbol = known ? text[place - back] : vocab;
      slip(symbol, known ? symbol : 0, "before the text stands symbol 0, which is a symbol of the text");
      slip(symbol, known ? symbol : vocab - 1,
           "padding has the number vocab; vocab - 1 is the last symbol of the text");
      slip(symbol, known ? symbol : vocab + 1, "padding has the number vocab; C has no row vocab + 1");
      slip(symbol, known ? symbol : text[0], "before the text its first symbol is repeated");
      slip(symbol, place + back < text.size() ? text[place + back] : vocab, "these windows look forward");
      slip(
          symbol,
          [&] {
            const std::size_t missing = length - std::min(place, length);
            return k < missing ? vocab : text[place - (k - missing) - 1];
          },
          "padding stands where the oldest symbols would be, not in front of the newest");
      rows.push_back(symbol);
    }
  slip(
      rows,
      [&] {
        std::vector<std::uint32_t> columns;  // as in a table that was filled column after column
        for (std::size_t at = 0; at < rows.size(); ++at)
          columns.push_back(rows[at % text.size() * length + at / text.size()]);
        return columns;
      },
      "the numbers stand column after column; row after row is asked for");
  return rows;
}

}  // namespace ours::ex2_3

static Verdict check() {
  const std::vector<std::uint32_t> story{2, 3, 0, 0, 3, 2, 1, 3, 2, 0};  // "no\n\non on\n", in which newline is 0
  constexpr std::size_t length = 3;
  constexpr std::uint32_t vocab = 4, guard = 77;
  // The text between numbers that no symbol has, so that reading beside it shows.
  std::vector<std::uint32_t> guarded(story.size() + 8, guard);
  std::copy(story.begin(), story.end(), guarded.begin() + 4);
  const std::span<const std::uint32_t> text(guarded.data() + 4, story.size());
  const auto matrix = [&](const std::vector<std::uint32_t>& rows) {
    Matrix<double> all(story.size(), length);
    std::copy(rows.begin(), rows.end(), all.values().begin());
    return all;
  };
  const std::vector<std::uint32_t> found = calling("contexts", [&] { return ex2_3::contexts(text, length, vocab); });
  if (found.size() != story.size() * length)
    return wrong(join("contexts: ", found.size(), " symbols, not ", story.size() * length, ": a row for each place"));
  Answer answer{"contexts", matrix(found), matrix({}), {}};
  const lesson2::Windows windows = lesson2::windows_of(story, 0, story.size(), length, vocab);
  for (std::size_t i = 0; i < story.size(); ++i)
    for (std::size_t k = 0; k < length; ++k) {
      answer.right(i, k) = windows.context(i)[length - 1 - k];
      answer.places.push_back(join("row ", i, ", column ", k));
    }
  if (untouched(answer)) return not_started();
  if (std::find(found.begin(), found.end(), guard) != found.end())
    return wrong("contexts: some of it was read before the text begins, or behind its end");
  Findings findings;
  findings.add("contexts", answer, {rounding, "right"},
               [&] { return matrix(ours::ex2_3::contexts(text, length, vocab)); });
  return findings.verdict();
}
static const Exercise here{"2.3", "The newest symbol first", check};
