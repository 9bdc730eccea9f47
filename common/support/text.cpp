// SPDX-License-Identifier: MIT
#include "common/support/text.hpp"

#include <stdexcept>

namespace {

// Returns a byte as tables and messages show it: itself where it is visible ASCII, else \n, \r, \t, ' ' or \xNN.
std::string symbol_name(char symbol) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  if (symbol == '\n') return "\\n";
  if (symbol == '\r') return "\\r";
  if (symbol == '\t') return "\\t";
  if (symbol == ' ') return "' '";
  if (symbol > ' ' && symbol <= '~') return {symbol};
  const auto byte = static_cast<unsigned char>(symbol);
  return {'\\', 'x', hex[byte / 16u], hex[byte % 16u]};
}

constexpr std::uint32_t absent = 256;  // the number of a byte that does not occur

}  // namespace

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte / 16u];
    hex += digits[byte % 16u];
  }
  return hex;
}

Vocabulary::Vocabulary(std::string_view text) {
  std::array<bool, 256> occurs{};
  for (const char symbol : text) occurs[static_cast<unsigned char>(symbol)] = true;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    number_[byte] = occurs[byte] ? static_cast<std::uint32_t>(symbols_.size()) : absent;
    if (occurs[byte]) symbols_ += static_cast<char>(byte);
  }
}

std::string Vocabulary::name(std::size_t i) const { return symbol_name(symbols_.at(i)); }

std::vector<std::uint32_t> Vocabulary::encode(std::string_view text) const {
  std::vector<std::uint32_t> numbers(text.begin(), text.end());
  encode_in_place(numbers);
  return numbers;
}

void Vocabulary::encode_in_place(std::span<std::uint32_t> bytes) const {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char symbol = static_cast<char>(bytes[i]);
    bytes[i] = number_[static_cast<unsigned char>(symbol)];
    if (bytes[i] == absent)
      throw std::invalid_argument("symbol " + symbol_name(symbol) + " at position " + std::to_string(i) +
                                  " (counted from 0) is not in the vocabulary of " + std::to_string(size()));
  }
}

std::string Vocabulary::decode(std::span<const std::uint32_t> numbers) const {
  std::string text(numbers.size(), '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) text[i] = symbols_.at(numbers[i]);
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
