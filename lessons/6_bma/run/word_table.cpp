// Lesson 6, part 9: a table of counts over words.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/run/word_table.hpp"

#include <cstdint>
#include <map>
#include <span>

#include "common/support/ngram.hpp"

namespace lesson6 {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\''; }
bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == i) ++end;
    if (!is_space(text[i])) words.emplace_back(text.substr(i, end - i));
    i = end;
  }
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
