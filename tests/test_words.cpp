// Tests common/support/words.hpp: numbers as text, widths in code points, wrapping, folding, what can be shown, HTML.
// Run: make test, or build/tests/test_words
// SPDX-License-Identifier: MIT
#include <cmath>
#include <ctime>

#include "common/support/words.hpp"
#include "tests/check.hpp"

void numbers(Checks& check) {
  check.that(fixed(3.14159, 2) == "3.14", "fixed rounds to two decimals");
  check.that(fixed(-0.5, 0) == "-0", "fixed rounds half to even, as the C library does");
  check.that(fixed(1e300, 0).size() == 301, "fixed holds the largest numbers");
  check.that(significant(0.000012) == "1.2e-05", "significant: small numbers in powers of ten");
  check.that(significant(1234.5, 4) == "1234", "significant: four digits");
  check.that(significant(NAN) == "nan" && significant(-INFINITY) == "-inf", "significant: not finite");
  check.that(join("loss ", 2.5, " after ", 100, " steps") == "loss 2.5 after 100 steps", "join mixes text and numbers");
  check.that(join(1.0 / 3, std::string("|"), 18446744073709551615ull) == "0.3333|18446744073709551615",
             "join: four digits of a fraction, all of a whole number");
}

void sizes(Checks& check) {
  check.that(gigabytes(2.5e8) == "0.25" && gigabytes(3.14e9) == "3.1" && gigabytes(2.34e10) == "23", "gigabytes");
  check.that(gigabytes(1.234e11) == "123" && gigabytes(1e18) == "1000000000", "many gigabytes, without an exponent");
}

void widths(Checks& check) {
  check.that(columns_of("") == 0 && columns_of("abc") == 3, "columns of ASCII");
  check.that(columns_of("Xᵀ·dY") == 5, "columns of UTF-8 are its code points");
  check.that(pad("±", 3) == "±  " && pad("±", 3, Side::right) == "  ±", "pad fills up to columns, not bytes");
  check.that(pad("long", 3) == "long", "pad never cuts");
}

void lines(Checks& check) {
  check.that(wrap("one two three", 7) == "one two\nthree\n", "wrap fills a line up to the limit");
  check.that(wrap("one two three", 6) == "one\ntwo\nthree\n", "wrap breaks before the limit is passed");
  check.that(wrap("one two three", 7, 2) == "one two\n  three\n", "wrap indents every line but the first");
  check.that(wrap("ää öö", 5) == "ää öö\n", "wrap counts code points");
  check.that(wrap("incomprehensible", 5) == "incomprehensible\n", "wrap never cuts a word");
  check.that(wrap("", 5) == "\n", "wrap of nothing is an empty line");
  check.that(fold("abcdef\ngh\n", 3) == "abc\ndef\ngh\n", "fold cuts at the limit and adds no empty line");
  check.that(fold("abcdefg", 3) == "abc\ndef\ng", "fold adds no newline at the end");
  check.that(fold("ääää", 2) == "ää\nää", "fold cuts between code points, not in them");
  check.that(fold("ab", 3) == "ab", "fold leaves short lines alone");
  check.that(fold("ab cd ef", 5) == "ab \ncd ef", "fold breaks at the last space that fits");
  check.that(fold("a bcdefg", 4) == "a \nbcde\nfg", "fold cuts a word that is longer than a line");
  check.that(fold("\n\nab", 3) == "\n\nab", "fold keeps empty lines");
  check.that(fold("abc\n\nde", 3) == "abc\n\nde", "fold adds no line where a full one ends");
  check.that(fold("ab \ncd", 3) == "ab \ncd", "fold adds no line where a space ends a full one");
}

// A fold that looks for the end of the line once for each of its pieces takes a minute and more for this text, one in proportion
// to it a fraction of a second. Of the processor: what else the machine does counts for nothing.
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
  const std::string all_sizes = "aä€😀\n";
  check.that(printable(all_sizes) == all_sizes, "printable keeps characters of 1, 2, 3 and 4 bytes");
  check.that(printable(std::string("a\0b", 3)) == "a�b", "printable replaces NUL");
  check.that(printable("\x1b[31m") == "�[31m", "printable replaces escape");
  check.that(printable("\x7f\r\t") == "���", "printable replaces every control character but newline");
  check.that(printable("\xC2\x9B") == "��", "printable replaces the control characters above 127");
  check.that(printable("\xC3") == "�" && printable("\xE2\x82") == "��", "printable replaces what is cut short");
  check.that(printable("\xC0\xAF\xE0\x80\xAF") == "�����", "printable replaces overlong forms");
  check.that(printable("\xED\xA0\x80") == "���", "printable replaces surrogates");
  check.that(printable("\xF4\x90\x80\x80\xF8") == "�����", "printable replaces what lies above U+10FFFF");
  check.that(printable("\xE2\x82x") == "��x", "printable goes on behind a broken character");
}

void on_one_line(Checks& check) {
  check.that(one_line("a\n\x1b[31mä\n") == "a �[31mä ", "one_line shows a newline as a space");
}

void read_numbers(Checks& check) {
  check.that(decimal_number("-12") == -12.0 && decimal_number(".5") == 0.5 && decimal_number("1e-3") == 1e-3,
             "numbers");
  for (const char* text : {"", " 1", "1 ", "\n1", "0x1", "nan", "inf", "1e999", "1-", ".", "e", "1,5"})
    check.that(!decimal_number(text), std::string("no decimal number: '") + text + "'");
}

void html(Checks& check) {
  check.that(escape_html("a<b & \"c\" > d") == "a&lt;b &amp; &quot;c&quot; &gt; d", "escape_html");
  check.that(escape_html("W₁") == "W₁", "escape_html leaves other text alone");
}

int main() {
  Checks check;
  numbers(check);
  sizes(check);
  widths(check);
  lines(check);
  long_lines(check);
  visible(check);
  on_one_line(check);
  read_numbers(check);
  html(check);
  return check.done("test_words");
}
