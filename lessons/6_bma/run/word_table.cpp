// Lesson 6, part 9: a table of counts over words.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/word_table.hpp"

#include <cstdint>
#include <map>
#include <span>

#include "common/ngram.hpp"
#include "common/support/text.hpp"

namespace lesson6 {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) words.emplace_back(word);
  return words;
}

WordTable::WordTable(std::string_view text, std::size_t train, std::size_t order) {
  const std::vector<std::string> first = words_of(text.substr(0, train)), rest = words_of(text.substr(train));
  std::map<std::string, std::size_t> counts;
  for (const std::string& word : first) ++counts[word];
  std::map<std::string, std::uint32_t> numbers;
  for (const auto& [word, count] : counts)
    if (count > 1) numbers[word] = std::uint32_t(kinds++);
  std::vector<std::uint32_t> all;
  for (const std::vector<std::string>* part : {&first, &rest})
    for (const std::string& word : *part) {
      const auto found = numbers.find(word);
      all.push_back(found == numbers.end() ? 0 : found->second);
    }
  learned = first.size();
  loss = Ngram::kneser_ney(std::span(all).first(learned), kinds, order).loss(all, learned);
}

}  // namespace lesson6
