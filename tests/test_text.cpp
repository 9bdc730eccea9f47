// Checks common/support/text.hpp: vocabulary, hash and split on bytes of every kind. The last part wants
// tinyshakespeare.txt in the folder that COURSE_DATA names.
// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "common/support/file.hpp"
#include "common/support/text.hpp"
#include "tests/check.hpp"

using namespace std::string_literals;
using Numbers = std::vector<std::uint32_t>;

static void vocabulary(Checks& check) {
  const Vocabulary v("abracadabra");
  check.that(v.size() == 5 && v.symbols() == "abcdr", "the distinct symbols, sorted");
  check.that(v.encode("drab") == Numbers{3, 4, 0, 1}, "encode");
  check.that(v.decode(Numbers{3, 4, 0, 1}) == "drab", "decode");
  check.that(v.encode("").empty() && v.decode(Numbers{}).empty(), "nothing stays nothing");
  check.throws<std::invalid_argument>([&] { v.encode("bare"); }, "symbol e at position 3 ", "a letter outside");
  check.throws<std::invalid_argument>([&] { v.encode("a\nb\n"); }, "symbol \\n at position 1 ", "the first is named");
  check.throws<std::invalid_argument>([&] { v.encode("\xC3\xA9"); }, "symbol \\xC3 at position 0 ", "a byte of UTF-8");
  check.throws<std::out_of_range>([&] { v.decode(Numbers{0, 5}); }, "", "a number outside");
  check.throws<std::out_of_range>([&] { v.name(5); }, "", "a name outside");

  Numbers in_place{'d', 'r', 'a', 'b'};
  v.encode_in_place(in_place);
  check.that(in_place == Numbers{3, 4, 0, 1}, "encode where the bytes stand");

  const Vocabulary none("");
  check.that(none.size() == 0, "an empty text has no symbols");
  check.throws<std::invalid_argument>([&] { none.encode("a"); }, "vocabulary of 0",
                                      "nothing is in an empty vocabulary");
}

static void bytes(Checks& check) {
  std::string all;
  for (int byte = 255; byte >= 0; --byte) all += static_cast<char>(byte);
  const Vocabulary v(all);
  Numbers down(256);
  for (std::uint32_t i = 0; i < 256; ++i) down[i] = 255 - i;
  check.that(v.size() == 256 && v.encode(all) == down, "256 symbols, sorted as unsigned bytes");
  check.that(v.decode(down) == all, "every byte comes back");

  const std::string odd =
      "\xEF\xBB\xBF"
      "one\r\ntwo\0\r\n"s;  // byte-order mark, CRLF, NUL
  const Vocabulary w(odd);
  check.that(w.symbols() == "\0\n\renotw\xBB\xBF\xEF"s, "byte-order mark, CR, LF and NUL are symbols");
  check.that(w.decode(w.encode(odd)) == odd, "and come back");

  const std::string line(10'000'000, 'x');
  const Vocabulary x(line);
  const Numbers numbers = x.encode(line);
  check.that(x.size() == 1 && numbers.size() == line.size() && x.decode(numbers) == line, "10 MB in one line");
}

static void names(Checks& check) {
  const Vocabulary v("\n\r\t \0~\x7F\x80\xFF'\\A"s);
  const std::vector<std::string> expected = {"\\x00", "\\t", "\\n", "\\r",   "' '",   "'",
                                             "A",     "\\",  "~",   "\\x7F", "\\x80", "\\xFF"};
  check.that(v.size() == expected.size(), "as many names as symbols");
  for (std::size_t i = 0; i < expected.size(); ++i) check.that(v.name(i) == expected[i], "the name " + expected[i]);
}

// Published values: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm", appendix C.
static void hashes(Checks& check) {
  check.that(hash("") == 0xcbf29ce484222325, "hash of nothing");
  check.that(hash("a") == 0xaf63dc4c8601ec8c, "hash of a");
  check.that(hash("foobar") == 0x85944171f73967e8, "hash of foobar");
  check.that(hash("\xFF") == 0xaf64724c8602eb6e, "a high byte is not negative");
  check.that(hash("bar", hash("foo")) == hash("foobar"), "in pieces");
}

static void splits(Checks& check) {
  Numbers text(1019);
  for (std::uint32_t i = 0; i < 1019; ++i) text[i] = i;
  const Split s = split(text, .9, .05, .05);  // 917.1, 50.95, 50.95
  check.that(s.train.size() == 917 && s.validation.size() == 52 && s.test.size() == 50, "sizes of .9/.05/.05");
  check.that(
      s.train.data() == text.data() && s.validation.data() == text.data() + 917 && s.test.data() == text.data() + 969,
      "the parts follow each other without gap or overlap");

  const Split two = split(text, .9, .1, 0);
  check.that(two.train.size() == 917 && two.validation.size() == 102 && two.test.empty(), "sizes of .9/.1/0");
  const Split whole = split(text, 1, 0, 0);
  check.that(whole.train.size() == 1019 && whole.validation.empty() && whole.test.empty(), "sizes of 1/0/0");
  const Split none = split(Numbers{}, .9, .05, .05);
  check.that(none.train.empty() && none.validation.empty() && none.test.empty(), "an empty text has empty parts");

  std::size_t wrong = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const auto all = std::span(text).first(n);
    // In binary, the first three add up to a little less than 1, the others to a little more.
    for (const Split& part : {split(all, .7, .2, .1), split(all, .56, .34, .1)})
      if (part.train.size() + part.validation.size() + part.test.size() != n) ++wrong;
  }
  check.that(wrong == 0, "the parts make up the text, whatever its length");

  const double nan = std::numeric_limits<double>::quiet_NaN();
  check.throws<std::invalid_argument>([&] { split(text, .9, .1, .1); }, "add up to 1", "fractions above 1");
  check.throws<std::invalid_argument>([&] { split(text, .9, .05, 0); }, "add up to 1", "fractions below 1");
  check.throws<std::invalid_argument>([&] { split(text, 1.1, -.1, 0); }, "0..1", "a negative validation part");
  check.throws<std::invalid_argument>([&] { split(text, -.1, .1, 1); }, "0..1", "a negative training part");
  check.throws<std::invalid_argument>([&] { split(text, 1, .1, -.1); }, "0..1", "a negative test part");
  check.throws<std::invalid_argument>([&] { split(text, nan, .1, 0); }, "0..1", "a fraction that is not a number");
}

static void tiny_shakespeare(Checks& check, const std::string& folder) {
  const std::string text = read_file(folder + "/tinyshakespeare.txt");
  const Vocabulary v(text);
  check.that(v.symbols() == "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "its 65 symbols");
  check.that(v.encode("First") == Numbers{18, 47, 56, 57, 58}, "its first word");
  const Numbers numbers = v.encode(text);
  const Split s = split(numbers, .9, .1, 0);
  check.that(s.train.size() == 1'003'854 && s.validation.size() == 111'540, "its split 90/10");
}

int main() {
  Checks check;
  vocabulary(check);
  bytes(check);
  names(check);
  hashes(check);
  splits(check);
  if (const char* folder = std::getenv("COURSE_DATA")) tiny_shakespeare(check, folder);
  else std::puts("test_text: COURSE_DATA is not set, the tiny Shakespeare part is skipped");
  return check.done("test_text");
}
