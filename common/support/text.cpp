// SPDX-License-Identifier: MIT
#include "common/support/text.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/support/words.hpp"

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::uint32_t absent = UINT32_MAX;  // the number of a byte that does not occur

// Returns a byte as tables and messages show it: itself where it is visible ASCII, else \n, \r, \t, ' ' or \xNN.
std::string symbol_name(char symbol) {
  if (symbol == '\n') return "\\n";
  if (symbol == '\r') return "\\r";
  if (symbol == '\t') return "\\t";
  if (symbol == ' ') return "' '";
  if (symbol > ' ' && symbol <= '~') return {symbol};
  std::string hex = to_hex({&symbol, 1});
  for (char& digit : hex) digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  return "\\x" + hex;
}

// The end of what could be a word at `first`: letters with the one space before them; at least one byte.
std::size_t end_of_word(std::span<const std::uint32_t> bytes, std::size_t first) {
  const std::size_t letters = first + (bytes[first] == ' ');
  std::size_t end = letters;
  while (end < bytes.size() && is_letter(static_cast<char>(bytes[end]))) ++end;
  return end > letters ? end : first + 1;
}

std::string text_of(std::span<const std::uint32_t> bytes) { return {bytes.begin(), bytes.end()}; }

std::string bytes_of_hex(std::string_view hex) {
  if (hex.empty() || hex.size() % 2 != 0 || hex.find_first_not_of(hex_digits) != hex.npos)
    throw std::invalid_argument("'" + excerpt(hex.substr(0, 20)) + "' are no bytes in hexadecimal digits");
  std::string bytes;
  for (std::size_t k = 0; k < hex.size(); k += 2)
    bytes += static_cast<char>(16 * hex_digits.find(hex[k]) + hex_digits.find(hex[k + 1]));
  return bytes;
}

}  // namespace

SymbolKind symbols_named(const std::string& name) {
  if (name == "bytes") return SymbolKind::bytes;
  if (name == "words") return SymbolKind::words;
  throw std::invalid_argument("'" + name + "' is neither bytes nor words");
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += {hex_digits[static_cast<unsigned char>(c) / 16u], hex_digits[c & 15]};
  return hex;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string_view take_word(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  const std::string_view word = text.substr(0, std::max<std::size_t>(end, 1));
  text.remove_prefix(word.size());
  return word;
}

Vocabulary::Vocabulary(std::string_view text) {
  std::array<bool, 256> occurs{};
  for (const char symbol : text) occurs[static_cast<unsigned char>(symbol)] = true;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    number_[byte] = occurs[byte] ? static_cast<std::uint32_t>(symbols_.size()) : absent;
    if (occurs[byte]) symbols_.emplace_back(1, static_cast<char>(byte));
  }
}

void Vocabulary::add_words(std::span<const std::uint32_t> bytes) {
  std::unordered_map<std::string, std::size_t> counts;
  for (std::size_t i = 0, end; i < bytes.size(); i = end) {
    end = end_of_word(bytes, i);
    if (end - i > 1) ++counts[text_of(bytes.subspan(i, end - i))];
  }
  std::vector<std::pair<std::string, std::size_t>> words(counts.begin(), counts.end());
  std::erase_if(words, [](const auto& word) { return word.second < 2; });
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [word, count] : words)
    if (size() < most_symbols) add_word(word);
}

void Vocabulary::add_word(const std::string& word) {
  word_number_[word] = static_cast<std::uint32_t>(size());
  symbols_.push_back(word);
}

std::string Vocabulary::joined() const {
  std::string all;
  for (const std::string& symbol : symbols_) all += symbol;
  return all;
}

std::optional<std::size_t> Vocabulary::find(std::string_view symbol) const {
  const auto found = std::find(symbols_.begin(), symbols_.end(), symbol);
  return found == symbols_.end() ? std::nullopt : std::optional(std::size_t(found - symbols_.begin()));
}

std::string Vocabulary::name(std::size_t i) const {
  const std::string& symbol = symbols_.at(i);
  if (symbol.size() == 1) return symbol_name(symbol[0]);
  return symbol[0] == ' ' ? "␣" + printable(symbol.substr(1)) : printable(symbol);
}

std::string Vocabulary::label(std::size_t i) const {
  const std::string& symbol = symbols_.at(i);
  return symbol == " " ? "␣" : symbol == "\n" ? "↵" : name(i);
}

std::string Vocabulary::hex() const {
  std::string bytes, words;
  for (const std::string& symbol : symbols_) (symbol.size() == 1 ? bytes : words += " ") += to_hex(symbol);
  return bytes + words;
}

Vocabulary Vocabulary::from_hex(const std::string& hex) {
  std::istringstream in(hex);
  std::string symbol;
  in >> symbol;
  const std::string bytes = bytes_of_hex(symbol);
  Vocabulary vocabulary(bytes);
  while (in >> symbol) {
    const std::string word = bytes_of_hex(symbol);
    const std::vector<std::uint32_t> letters(word.begin(), word.end());
    if (word.size() < 2 || end_of_word(letters, 0) != word.size() || vocabulary.word_number_.contains(word))
      throw std::invalid_argument("'" + excerpt(word) + "' is no word, or is there twice");
    if (vocabulary.size() == most_symbols)
      throw std::invalid_argument("there are more than " + std::to_string(most_symbols));
    vocabulary.add_word(word);
  }
  if (vocabulary.hex() != hex) throw std::invalid_argument("the bytes are not in ascending order");
  return vocabulary;
}

std::vector<std::uint32_t> Vocabulary::encode(std::string_view text) const {
  std::vector<std::uint32_t> numbers(text.begin(), text.end());
  numbers.resize(encode_in_place(numbers));
  return numbers;
}

std::uint32_t Vocabulary::number_of(std::uint32_t byte, std::size_t position) const {
  const std::uint32_t number = number_[static_cast<unsigned char>(byte)];
  if (number != absent) return number;
  throw std::invalid_argument("symbol " + symbol_name(static_cast<char>(byte)) + " at position " +
                              std::to_string(position) + " (counted from 0) is not in the vocabulary of " +
                              std::to_string(size()));
}

std::size_t Vocabulary::encode_in_place(std::span<std::uint32_t> bytes) const {
  std::size_t count = 0;  // never more than the bytes that were read
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t end = has_words() ? end_of_word(bytes, i) : i + 1;
    const auto word = end - i > 1 ? word_number_.find(text_of(bytes.subspan(i, end - i))) : word_number_.end();
    if (word != word_number_.end()) {
      bytes[count++] = word->second;
      i = end;
      continue;
    }
    // The space alone, then perhaps a word as at the beginning of a line; or all of a word that is not known.
    const std::size_t stop = bytes[i] == ' ' ? i + 1 : end;
    for (; i < stop; ++i) bytes[count++] = number_of(bytes[i], i);
  }
  return count;
}

std::string Vocabulary::decode(std::span<const std::uint32_t> numbers) const {
  std::string text;
  text.reserve(numbers.size());
  for (const std::uint32_t number : numbers) text += symbols_.at(number);
  return text;
}

std::uint64_t hash(std::string_view text, std::uint64_t h) {
  for (const char symbol : text) h = (h ^ static_cast<unsigned char>(symbol)) * 0x100000001b3;
  return h;
}

Split split(std::span<const std::uint32_t> text, double train, double validation, double test) {
  const double off = train + validation + test - 1;  // decimals miss 1 by a few 1e-16, a mistake by a percent
  if (!(train >= 0 && validation >= 0 && test >= 0 && off < 1e-12 && off > -1e-12))
    throw std::invalid_argument("split: the fractions " + std::to_string(train) + ", " + std::to_string(validation) +
                                ", " + std::to_string(test) + " must lie in 0..1 and add up to 1");
  const auto part = [&](double fraction) {
    return static_cast<std::size_t>(fraction * static_cast<double>(text.size()));
  };
  const std::size_t first = part(train), last = part(test);
  return {text.first(first), text.subspan(first, text.size() - first - last), text.last(last)};
}
