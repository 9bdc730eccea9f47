// Tests common/support/words.hpp: numbers as text, widths in code points, wrapping, folding, what can be shown, HTML.
// Run: make test, or build/tests/test_words
// SPDX-License-Identifier: MIT
#include <cmath>
#include <ctime>

#include "common/support/words.hpp"
#include "tests/check.hpp"

void numbers(Checks& check) {
  check.equal(fixed(3.14159, 2) + " " + fixed(-0.5, 0), "3.14 -0", "fixed rounds, half to even as the C library does");
  check.that(fixed(1e300, 0).size() == 301, "fixed holds the largest numbers");
  check.equal(significant(0.000012) + " " + significant(1234.5, 4), "1.2e-05 1234", "significant");
  check.equal(significant(10440) + " " + significant(10440.4) + " " + significant(-2e8) + " " + significant(2.5e7),
              "10440 10440 -200000000 25000000", "significant: numbers as what they are");
  check.equal(significant(1.25e7 + 0.5) + " " + significant(1e9) + " " + significant(0), "1.25e+07 1e+09 0",
              "significant: large");
  check.equal(significant(NAN) + " " + significant(-INFINITY), "nan -inf", "significant: not finite");
  check.equal(join("loss ", 2.5, " after ", 100, std::string(" steps ")), "loss 2.5 after 100 steps ", "join");
  check.equal(join(1.0 / 3, "|", 18446744073709551615ull), "0.3333|18446744073709551615", "join: all whole digits");
  std::string all;
  for (const double bytes : {2.5e8, 3.14e9, 2.34e10, 1.234e11, 1e18}) all += gigabytes(bytes) + " ";
  check.equal(all, "0.25 3.1 23 123 1000000000 ", "gigabytes, without an exponent");
  check.that(decimal_number("-12") == -12.0 && decimal_number(".5") == 0.5 && decimal_number("1e-3") == 1e-3,
             "numbers");
  for (const char* text : {"", " 1", "1 ", "\n1", "0x1", "nan", "inf", "1e999", "1-", ".", "e", "1,5"})
    check.that(!decimal_number(text), std::string("no decimal number: '") + text + "'");
}

void lines(Checks& check) {
  check.that(columns_of("") == 0 && columns_of("abc") == 3 && columns_of("Xᵀ·dY") == 5, "columns are code points");
  check.equal(pad("±", 3) + "|" + pad("±", 3, Side::right) + "|" + pad("long", 3), "±  |  ±|long", "pad never cuts");
  const std::string three = "one two three";
  check.equal(wrap(three, 7) + wrap(three, 6), "one two\nthree\none\ntwo\nthree\n",
              "wrap fills a line up to the limit");
  check.equal(wrap(three, 7, 2), "one two\n  three\n", "wrap indents every line but the first");
  check.equal(wrap("ää öö", 5) + wrap("", 5), "ää öö\n\n", "wrap counts code points; of nothing it is an empty line");
  check.equal(wrap("incomprehensible", 5), "incomprehensible\n", "wrap never cuts a word");
  struct Case {
    const char* text;
    std::size_t columns;
    const char* folded;
  };
  for (const auto& [text, columns, folded] : {Case{"abcdef\ngh\n", 3, "abc\ndef\ngh\n"},  // adds no empty line
                                              {"abcdefg", 3, "abc\ndef\ng"},
                                              {"ääää", 2, "ää\nää"},
                                              {"ab", 3, "ab"},
                                              {"ab cd ef", 5, "ab \ncd ef"},  // at the last space that fits
                                              {"a bcdefg", 4, "a \nbcde\nfg"},
                                              {"\n\nab", 3, "\n\nab"},
                                              {"abc\n\nde", 3, "abc\n\nde"},
                                              {"ab \ncd", 3, "ab \ncd"}})
    check.equal(fold(text, columns), folded, "fold");
}

// A fold that looks for the end of the line once for each of its pieces takes a minute and more for this text, one in
// proportion to it a fraction of a second. Of the processor: what else the machine does counts for nothing.
void long_lines(Checks& check) {
  constexpr std::size_t size = 16'000'000, columns = 16;
  const std::string text(size, 'x');
  const std::clock_t start = std::clock();
  const std::string folded = fold(text, columns);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  check.that(folded.size() == size + size / columns - 1, "fold of a long line: its size");
  check.that(seconds < 15, "fold of a long line took " + std::to_string(seconds) + " s");
}

void visible(Checks& check) {
  struct Case {
    std::string text, shown;
  };
  for (const auto& [text, shown] : {Case{"aä€😀\n", "aä€😀\n"},  // characters of 1, 2, 3 and 4 bytes
                                    {{'a', '\0', 'b'}, "a�b"},
                                    {"\x1b[31m", "�[31m"},
                                    {"\x7f\r\t", "���"},
                                    {"\xC2\x9B", "��"},  // the control characters above 127
                                    {"\xC3", "�"},       // cut short
                                    {"\xE2\x82", "��"},
                                    {"\xC0\xAF\xE0\x80\xAF", "�����"},  // overlong
                                    {"\xED\xA0\x80", "���"},            // a surrogate
                                    {"\xF4\x90\x80\x80\xF8", "�����"},  // above U+10FFFF
                                    {"\xE2\x82x", "��x"}})
    check.equal(printable(text), shown, "printable");
  check.equal(one_line("a\n\x1b[31mä\n"), "a �[31mä ", "one_line shows a newline as a space");
  check.equal(excerpt(std::string(60, 'a')), std::string(60, 'a'), "excerpt leaves what is short");
  check.equal(excerpt("\n" + std::string(58, 'a') + "ä"), " " + std::string(58, 'a') + "...",
              "excerpt cuts no character");
  check.that(excerpt(std::string(1000, '\x80')).size() < 200, "excerpt of what is no text is bounded");
  check.equal(escape_html("a<b & \"c\" > W₁"), "a&lt;b &amp; &quot;c&quot; &gt; W₁", "escape_html");
}

int main() {
  Checks check;
  numbers(check);
  lines(check);
  long_lines(check);
  visible(check);
  return check.done("test_words");
}
