// Lesson 6, part 9: a table of counts over words, to hold beside the published perplexities, which are of words or
// parts of words.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lesson6 {

// Returns the words of a text, see take_word.
std::vector<std::string> words_of(std::string_view text);

// The words of a text as numbers. A word that the first part holds once or never is 0, "another word".
struct WordTable {
  std::size_t kinds = 1, learned = 0;  // distinct words with that one; words in the first part
  double loss = 0;                     // nats a word on the rest

  // A Kneser-Ney table of this order, made from the first `train` symbols of the text.
  WordTable(std::string_view text, std::size_t train, std::size_t order);
};

}  // namespace lesson6
