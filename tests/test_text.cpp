// Checks common/support/text.hpp: vocabulary, hash and split on bytes of every kind. The last part wants
// tinyshakespeare.txt in the folder that COURSE_DATA names.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "common/support/file.hpp"
#include "common/support/text.hpp"
#include "tests/check.hpp"

using namespace std::string_literals;
using Numbers = std::vector<std::uint32_t>;

static void vocabulary(Checks& check) {
  const Vocabulary v("abracadabra"), none("");
  check.equal(v.joined(), "abcdr", "the distinct symbols, sorted");
  check.that(v.size() == 5 && none.size() == 0, "how many there are");
  check.that(v.encode("drab") == Numbers{3, 4, 0, 1} && v.encode("").empty(), "encode");
  check.equal(v.decode(Numbers{3, 4, 0, 1}) + v.decode(Numbers{}), "drab", "decode");
  const auto outside = [&](const Vocabulary& known, const char* text, const char* part) {
    check.throws<std::invalid_argument>([&] { known.encode(text); }, part, part);
  };
  outside(v, "bare", "symbol e at position 3 ");
  outside(v, "a\nb\n", "symbol \\n at position 1 ");
  outside(v, "\xC3\xA9", "symbol \\xC3 at position 0 ");
  outside(none, "a", "vocabulary of 0");
  check.throws<std::out_of_range>([&] { v.decode(Numbers{0, 5}); }, "", "a number outside");
  check.throws<std::out_of_range>([&] { v.name(5); }, "", "a name outside");
}

static void bytes(Checks& check) {
  std::string all;
  for (int byte = 255; byte >= 0; --byte) all += static_cast<char>(byte);
  const Vocabulary v(all);
  Numbers down(256);
  for (std::uint32_t i = 0; i < 256; ++i) down[i] = 255 - i;
  check.that(v.size() == 256 && v.encode(all) == down, "256 symbols, sorted as unsigned bytes");
  check.that(v.decode(down) == all, "every byte comes back");

  std::string names;
  const Vocabulary w("\n\r\t \0~\x7F\x80\xFF'\\A\xBB\xBF\xEF"s);  // with CR, LF, NUL, the byte-order mark
  for (std::size_t i = 0; i < w.size(); ++i) names += w.name(i) + " ";
  check.equal(names, "\\x00 \\t \\n \\r ' ' ' A \\ ~ \\x7F \\x80 \\xBB \\xBF \\xEF \\xFF ", "names");
  check.equal(to_hex("\x0A\xF9"), "0af9", "to_hex");

  const std::string line(10'000'000, 'x');
  const Vocabulary x(line);
  const Numbers numbers = x.encode(line);
  check.that(x.size() == 1 && numbers.size() == line.size() && x.decode(numbers) == line, "10 MB in one line");
}

static Numbers bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

static void words(Checks& check) {
  const std::string text = "to be, or not to be\nto be";
  Vocabulary v(text);
  v.add_words(bytes_of(text));
  // Twice or more: " be" three times, "to" twice (at the beginnings of lines); " or", " not" and " to" once each.
  check.equal(v.joined(), "\n ,benort beto", "bytes, and the words that occur more than once, most frequent first");
  check.that(v.has_words() && v.size() == 11 && !Vocabulary(text).has_words(), "words are there where they were added");
  check.that(v.find(" be") == 9 && v.find("to") == 10 && !v.find("not"), "find");
  check.equal(v.name(9) + v.name(10) + v.label(9) + v.label(0) + v.label(1), "␣beto␣be↵␣", "names and labels");
  check.that(v.encode("to be") == Numbers{10, 9}, "words are symbols");
  check.that(v.encode(" to") == Numbers{1, 10}, "a space before a word that is known without one");
  check.that(v.encode("oto") == Numbers{6, 8, 6}, "what ends like a word is spelled, too");
  check.that(v.encode("toe bet") == Numbers{8, 6, 4, 1, 3, 4, 8}, "what only begins like a word is spelled");
  check.that(v.encode("  be,") == Numbers{1, 9, 2}, "one space belongs to the word");
  for (const std::string part : {"to be, or not to be\nto be", "", " ", "not", "tobe", "be to or", "be  be\n\n be"})
    check.equal(v.decode(v.encode(part)), part, "nothing is lost");
  check.throws<std::invalid_argument>([&] { v.encode("to x"); }, "symbol x at position 3 ", "a byte outside");

  Vocabulary accents("\xC3\xA9t\xC3\xA9 ");
  accents.add_words(bytes_of("\xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9"));
  check.equal(accents.name(accents.size() - 1), "␣été", "letters of several bytes belong to a word");
}

// The most frequent words, as many as there is room for; of equals the first in the alphabet.
static void many_words(Checks& check) {
  std::string text;
  for (int k = 0; k < 1500; ++k)
    for (int times = 0; times < 2 + (k >= 1490); ++times)
      text += {' ', char('a' + k / 676), char('a' + k / 26 % 26), char('a' + k % 26)};
  Vocabulary v(text);
  const std::size_t letters = v.size();
  v.add_words(bytes_of(text));
  check.that(v.size() == most_symbols && letters == 27, "a vocabulary is full");
  check.equal(v.symbol(letters) + v.symbol(letters + 10) + v.symbol(most_symbols - 1), " cfi aaa bly", "its words");
  check.equal(v.decode(v.encode(text)), text, "the others are spelled");
}

static void in_hex(Checks& check) {
  Vocabulary v("to be\nto be");
  v.add_words(bytes_of("to be\nto be"));
  check.equal(v.hex(), "0a2062656f74 206265 746f", "bytes, then words");
  check.that(Vocabulary::from_hex(v.hex()) == v && Vocabulary::from_hex("0a20") == Vocabulary(" \n"), "read back");
  const auto wrong = [&](const std::string& hex, const char* part) {
    check.throws<std::invalid_argument>([&] { Vocabulary::from_hex(hex); }, part, hex.substr(0, 30).c_str());
  };
  wrong("61 610a", "'a ' is no word");  // on one line
  for (const char* hex : {"", "0", "0g", "0A", "0a20 7"}) wrong(hex, "no bytes in hexadecimal digits");
  for (const char* hex : {"200a", "0a0a"}) wrong(hex, "not in ascending order");
  for (const char* hex : {"6162 61", "6162 6120", "6162 6162 6162", "2061 202061"}) wrong(hex, "is no word");
  std::string many = "6162";
  for (int k = 0; k < 1024; ++k) {
    many += " 61";
    for (int bit = 0; bit < 10; ++bit) many += k >> bit & 1 ? "61" : "62";
  }
  wrong(many, "more than 1024");
}

static void word_by_word(Checks& check) {
  std::string_view rest = " To be,\n that's - ";
  std::string all;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) all += std::string(word) + "|";
  check.equal(all, "To|be|,|that's|-|", "runs of letters, and signs one by one");
  check.throws<std::invalid_argument>([] { symbols_named("word"); }, "neither bytes nor words", "a kind of symbol");
}

// Published values: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm", appendix C.
static void hashes(Checks& check) {
  check.that(hash("") == 0xcbf29ce484222325 && hash("a") == 0xaf63dc4c8601ec8c, "hashes of nothing and of a");
  check.that(hash("foobar") == 0x85944171f73967e8 && hash("bar", hash("foo")) == hash("foobar"), "also in pieces");
  check.that(hash("\xFF") == 0xaf64724c8602eb6e, "a high byte is not negative");
}

static void splits(Checks& check) {
  const Numbers text(1019);
  struct Case {
    std::size_t length;
    double train, validation, test;
    std::array<std::size_t, 3> sizes;
  };
  // Of 1019 symbols .9, .05, .05 are 917.1, 50.95, 50.95.
  for (const auto& [length, train, validation, test, sizes] : {Case{1019, .9, .05, .05, {917, 52, 50}},
                                                               {1019, .9, .1, 0, {917, 102, 0}},
                                                               {1019, 1, 0, 0, {1019, 0, 0}},
                                                               {0, .9, .05, .05, {0, 0, 0}}}) {
    const Split s = split(std::span(text).first(length), train, validation, test);
    check.that(std::array{s.train.size(), s.validation.size(), s.test.size()} == sizes, "sizes of the parts");
    check.that(s.train.data() == text.data() && s.validation.data() == text.data() + sizes[0] &&
                   s.test.data() == text.data() + sizes[0] + sizes[1],
               "the parts follow each other without gap or overlap");
  }
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const auto all = std::span(text).first(n);
    // In binary, the first three add up to a little less than 1, the others to a little more.
    for (const Split& part : {split(all, .7, .2, .1), split(all, .56, .34, .1)})
      wrong += part.train.size() + part.validation.size() + part.test.size() != n;
  }
  check.that(wrong == 0, "the parts make up the text, whatever its length");
  for (const auto& [a, b, c] :
       {std::array{.9, .1, .1}, {.9, .05, 0.}, {1.1, -.1, 0.}, {-.1, .1, 1.}, {1., .1, -.1}, {std::nan(""), .1, 0.}})
    check.throws<std::invalid_argument>([&, x = a, y = b, z = c] { split(text, x, y, z); },
                                        "must lie in 0..1 and add up to 1", "wrong fractions");
}

static void tiny_shakespeare(Checks& check, const std::string& folder) {
  const std::string text = read_file(folder + "/tinyshakespeare.txt");
  const Vocabulary v(text);
  check.equal(v.joined(), "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "its 65 symbols");
  check.that(v.encode("First") == Numbers{18, 47, 56, 57, 58}, "its first word");
  const Numbers numbers = v.encode(text);
  const Split s = split(numbers, .9, .1, 0);
  check.that(s.train.size() == 1'003'854 && s.validation.size() == 111'540, "its split 90/10");
}

int main() {
  Checks check;
  vocabulary(check);
  bytes(check);
  words(check);
  many_words(check);
  in_hex(check);
  word_by_word(check);
  hashes(check);
  splits(check);
  if (const char* folder = std::getenv("COURSE_DATA")) tiny_shakespeare(check, folder);
  else std::puts("test_text: COURSE_DATA is not set, the tiny Shakespeare part is skipped");
  return check.done("test_text");
}
