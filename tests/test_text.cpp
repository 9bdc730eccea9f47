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
  check.equal(v.symbols(), "abcdr", "the distinct symbols, sorted");
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
  check.equal(v.symbols(), "\n !$&',-.3:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "its 65 symbols");
  check.that(v.encode("First") == Numbers{18, 47, 56, 57, 58}, "its first word");
  const Numbers numbers = v.encode(text);
  const Split s = split(numbers, .9, .1, 0);
  check.that(s.train.size() == 1'003'854 && s.validation.size() == 111'540, "its split 90/10");
}

int main() {
  Checks check;
  vocabulary(check);
  bytes(check);
  hashes(check);
  splits(check);
  if (const char* folder = std::getenv("COURSE_DATA")) tiny_shakespeare(check, folder);
  else std::puts("test_text: COURSE_DATA is not set, the tiny Shakespeare part is skipped");
  return check.done("test_text");
}
