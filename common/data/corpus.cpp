// SPDX-License-Identifier: MIT
#include "common/data/corpus.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/frame/files/file.hpp"
#include "common/frame/terminal/flags.hpp"
#include "common/frame/text/words.hpp"
#include "common/random.hpp"

constexpr std::string_view hex_digits = "0123456789abcdef";

static std::string to_hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += {hex_digits[std::uint8_t(c) / 16u], hex_digits[c & 15]};
  return hex;
}

static std::string bytes_of_hex(std::string_view hex) {
  if (hex.empty() || hex.size() % 2 != 0 || hex.find_first_not_of(hex_digits) != hex.npos)
    throw std::invalid_argument("'" + excerpt(hex.substr(0, 20)) +
                                "' are no bytes in hexadecimal digits");
  std::string bytes;
  for (std::size_t k = 0; k < hex.size(); k += 2)
    bytes += char(16 * hex_digits.find(hex[k]) + hex_digits.find(hex[k + 1]));
  return bytes;
}

static std::string symbol_name(char symbol) {
  constexpr std::string_view special = "\n\r\t", letters = "nrt";
  if (const std::size_t at = special.find(symbol); at != special.npos) return {'\\', letters[at]};
  if (symbol == ' ') return "' '";
  if (symbol > ' ' && symbol <= '~') return {symbol};
  constexpr std::string_view digits = "0123456789ABCDEF";
  return {'\\', 'x', digits[std::uint8_t(symbol) / 16u], digits[symbol & 15]};
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' || std::uint8_t(c) >= 0x80;
}

static std::size_t letters_at(std::string_view text, std::size_t first) {
  std::size_t end = first;
  while (end < text.size() && is_letter(text[end])) ++end;
  return end - first;
}

// Returns what could be a word at `first`: letters with the space before them, or a byte.
static std::string word_at(std::string_view text, std::size_t first) {
  const std::size_t space = text[first] == ' ';
  const std::size_t letters = letters_at(text, first + space);
  return std::string(text.substr(first, letters > 0 ? space + letters : 1));
}

Vocabulary::Vocabulary(std::string_view text) {
  std::array<bool, 256> occurs{};
  for (const char symbol : text) occurs[std::uint8_t(symbol)] = true;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    number_[byte] = occurs[byte] ? std::uint32_t(symbols_.size()) : absent;
    if (occurs[byte]) symbols_.emplace_back(1, char(byte));
  }
}

void Vocabulary::add_words(std::string_view text) {
  std::unordered_map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < text.size();) {
    const std::string word = word_at(text, i);
    if (word.size() > 1) ++counts[word];
    i += word.size();
  }
  std::vector<std::pair<std::string, std::size_t>> words(counts.begin(), counts.end());
  std::erase_if(words, [](const auto& word) { return word.second < 2; });
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [word, count] : words)
    if (size() < most_symbols) add_word(word);
}

std::optional<std::size_t> Vocabulary::find(std::string_view symbol) const {
  const auto place = std::find(symbols_.begin(), symbols_.end(), symbol);
  if (place == symbols_.end()) return std::nullopt;
  return std::size_t(place - symbols_.begin());
}

std::string Vocabulary::name(std::size_t i) const {
  const std::string& symbol = symbols_.at(i);
  if (symbol.size() == 1) return symbol_name(symbol[0]);
  return symbol[0] == ' ' ? "␣" + printable(symbol.substr(1)) : printable(symbol);
}

std::string Vocabulary::label(std::size_t i) const {
  const std::string& symbol = symbols_.at(i);
  if (symbol == "\n") return "↵";
  return symbol == " " ? "␣" : name(i);
}

std::string Vocabulary::hex() const {
  std::string bytes, words;
  for (const std::string& symbol : symbols_)
    if (symbol.size() == 1) bytes += to_hex(symbol);
    else words += " " + to_hex(symbol);
  return bytes + words;
}

Vocabulary Vocabulary::from_hex(const std::string& hex) {
  std::istringstream in(hex);
  std::string symbol;
  in >> symbol;
  Vocabulary vocabulary(bytes_of_hex(symbol));
  while (in >> symbol) {
    const std::string word = bytes_of_hex(symbol);
    if (word.size() < 2 || word_at(word, 0) != word || vocabulary.word_number_.contains(word))
      throw std::invalid_argument("'" + excerpt(word) + "' is no word, or is there twice");
    if (vocabulary.size() == most_symbols)
      throw std::invalid_argument(join("there are more than ", most_symbols));
    vocabulary.add_word(word);
  }
  if (vocabulary.hex() != hex) throw std::invalid_argument("the bytes are not in ascending order");
  return vocabulary;
}

std::vector<std::uint32_t> Vocabulary::encode(std::string_view text) const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::string word = has_words() ? word_at(text, i) : std::string(1, text[i]);
    if (const auto known = word_number_.find(word); known != word_number_.end()) {
      numbers.push_back(known->second);
      i += word.size();
      continue;
    }
    // The space alone, then perhaps a word as at the beginning of a line; or an unknown word.
    const std::size_t stop = word[0] == ' ' ? i + 1 : i + word.size();
    for (; i < stop; ++i) {
      const std::uint32_t number = number_[std::uint8_t(text[i])];
      if (number == absent)
        throw std::invalid_argument(join("symbol ", symbol_name(text[i]), " at position ", i,
                                         " (counted from 0) is not in the vocabulary of ", size()));
      numbers.push_back(number);
    }
  }
  return numbers;
}

std::string Vocabulary::decode(std::span<const std::uint32_t> numbers) const {
  std::string text;
  text.reserve(numbers.size());
  for (const std::uint32_t number : numbers) text += symbols_.at(number);
  return text;
}

void Vocabulary::add_word(const std::string& word) {
  word_number_[word] = std::uint32_t(size());
  symbols_.push_back(word);
}

std::uint64_t text_hash(std::string_view text, std::uint64_t h) {
  for (const char symbol : text) h = (h ^ std::uint8_t(symbol)) * 0x100000001b3;
  return h;
}

Comparable comparable(const Corpus& corpus, double loss, std::size_t first) {
  const std::span<const std::uint32_t> last = std::span(corpus.text).subspan(first);
  const std::string text = corpus.vocabulary.decode(last);
  double words = 0;
  for (std::size_t i = 0; i < text.size(); i += std::max<std::size_t>(letters_at(text, i), 1))
    words += std::string_view(" \n\t\r").find(text[i]) == std::string_view::npos;
  return {loss * double(last.size()) / double(text.size()),
          std::exp(loss * double(last.size()) / words)};
}

static std::string shuffled_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  Random(1).shuffle(std::span(lines));
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

Corpus read_corpus(const std::string& path, std::size_t context, SymbolKind symbols,
                   LineOrder order) {
  const std::string file = path.empty() ? in_course("common/data/play.txt") : path;
  if (file.empty())
    throw UserError(
        "the course's text common/data/play.txt was not found; name a text with --text FILE");
  constexpr double times = 12;  // a byte, a number of four bytes, and the tables that count them
  std::string bytes = blame("--text", [&] { return read_file(file, times); });
  if (order == LineOrder::shuffled) bytes = shuffled_lines(bytes);
  Corpus corpus{text_hash(bytes), Vocabulary(bytes), {}, {}};
  if (bytes.empty()) throw UserError(join("--text: '", file, "' is empty"));
  // Of Latin letters in UTF-16 every other byte is 0; with a mark in front read_file has said so.
  if (3 * std::count(bytes.begin(), bytes.end(), '\0') > std::ptrdiff_t(bytes.size()))
    throw UserError(join("--text: '", file, "' is mostly zeros, as in UTF-16: store it as UTF-8"));
  if (corpus.vocab() < 2)
    throw UserError(
        join("--text: '", file, "' has only one distinct symbol, so there is nothing to predict"));

  // Symbols never cross from one part into the next.
  const std::string_view all = bytes;
  const std::size_t train = std::size_t(.9 * double(all.size())),
                    test = std::size_t(.05 * double(all.size()));
  if (symbols == SymbolKind::words) corpus.vocabulary.add_words(all.substr(0, train));
  std::vector<std::size_t> ends;
  corpus.text.reserve(all.size());
  for (const std::string_view part :
       {all.substr(0, train), all.substr(train, all.size() - train - test),
        all.substr(all.size() - test)}) {
    const std::vector<std::uint32_t> numbers = corpus.vocabulary.encode(part);
    corpus.text.insert(corpus.text.end(), numbers.begin(), numbers.end());
    ends.push_back(corpus.text.size());
  }
  const std::span<const std::uint32_t> text = corpus.text;
  corpus.part = {text.first(ends[0]), text.subspan(ends[0], ends[1] - ends[0]),
                 text.subspan(ends[1])};
  const std::size_t smallest = std::min(corpus.part.validation.size(), corpus.part.test.size());
  if (smallest <= context)
    throw UserError(join("--text: '", file, "' has ", text.size(),
                         " symbols; a twentieth of it must be longer than the context of ",
                         context));
  return corpus;
}
