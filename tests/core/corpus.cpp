// Tests numbers as text, widths, UTF-8, vocabularies, and a text's parts.
// SPDX-License-Identifier: MIT
#include "common/data/corpus.hpp"

#include <cmath>
#include <ctime>
#include <sstream>
#include <tuple>

#include "common/frame/files/file.hpp"
#include "common/frame/text/words.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

namespace test_corpus {

using namespace std::string_literals;

static void numbers(Checks& check) {
  check.equal(fixed(3.14159, 2) + " " + fixed(-0.5, 0), "3.14 -0",
              "fixed rounds, half to even as the C library does");
  check.that(fixed(1e300, 0).size() == 301, "fixed holds the largest numbers");
  std::string all;
  for (const double x : {0.000012, 10440.4, -2e8, 1.25e7 + 0.5, 1e9, 0., double(NAN), -HUGE_VAL})
    all += significant(x) + " ";
  check.equal(all, "1.2e-05 10440 -200000000 1.25e+07 1e+09 0 nan -inf ", "significant");
  check.equal(join("loss ", 1.0 / 3, " after ", 18446744073709551615ull, " steps"s),
              "loss 0.3333 after 18446744073709551615 steps", "join");
  check.that(decimal_number("-12") == -12.0, "a negative number");
  check.that(decimal_number(".5") == 0.5, "a number without 0");
  check.that(decimal_number("1e-3") == 1e-3, "a power of ten");
  for (const char* text : {"", " 1", "1 ", "0x1", "nan", "inf", "1e999", "1-", ".", "1,5"})
    check.that(!decimal_number(text), std::string("no decimal number: '") + text + "'");
}

// Each line of the list is a spelling, a tab, and its number, or none. tests/browser/defects.mjs
// has the page read the same.
static void numbers_by_hand(Checks& check) {
  std::istringstream list(contents_of("tests/numbers_by_hand.txt"));
  std::size_t count = 0;
  for (std::string line; std::getline(list, line); ++count) {
    const std::size_t tab = line.find('\t');
    const std::string text = line.substr(0, tab);
    const auto read = number_by_hand(text), number = decimal_number(line.substr(tab + 1));
    check.that(read.has_value() == number.has_value(), "a number or none: '" + text + "'");
    check.near(read.value_or(0), number.value_or(0), 1e-14 * std::abs(number.value_or(0)), text);
  }
  check.that(count >= 60, "the list is there");
  check.that(!number_by_hand(std::string(100'000, '(')), "nothing overflows");
  std::string tower;
  for (int k = 0; k < 1'000'000; ++k) tower += "2^";
  check.that(!number_by_hand(tower + "2"), "nor does a tower of powers");
}

static void lines(Checks& check) {
  check.equal(pad("±", 3) + "|" + pad("±", 3, Side::right) + "|" + pad("long", 3), "±  |  ±|long",
              "pad never cuts");
  const std::string three = "one two three";
  check.equal(wrap(three, 7, 2) + wrap(three, 6), "one two\n  three\none\ntwo\nthree\n",
              "wrap fills a line");
  check.equal(wrap("ää öö", 5) + wrap("", 5) + wrap("incomprehensible", 5),
              "ää öö\n\nincomprehensible\n", "no more");
  for (const auto& [text, columns, folded] :
       {std::tuple{"abcdef\ngh\n", 3u, "abc\ndef\ngh\n"},  // adds no empty line
        {"ääää", 2u, "ää\nää"},
        {"ab cd ef", 5u, "ab \ncd ef"},  // at the last space that fits
        {"\n\nabc\n\nde", 3u, "\n\nabc\n\nde"}})
    check.equal(fold(text, columns), folded, "fold");
  // Looking for the end of the line at each piece would take a minute here.
  const std::clock_t start = std::clock();
  const std::string folded = fold(std::string(16'000'000, 'x'), 16);
  check.that(folded.size() == 16'999'999, "fold of a long line");
  check.that(std::clock() - start < 15 * CLOCKS_PER_SEC, "fold takes seconds at most");
  check.equal(one_line("aä€😀\n\x1b[31m"), "aä€😀 �[31m", "one_line shows a newline as a space");
  check.equal(excerpt("\n" + std::string(58, 'a') + "ä"), " " + std::string(58, 'a') + "...",
              "and cuts no character");
  check.that(excerpt(std::string(1000, '\x80')).size() < 200,
             "excerpt of what is no text is bounded");
  check.equal(escape_html("a<b & \"c\" > W₁"), "a&lt;b &amp; &quot;c&quot; &gt; W₁", "escape_html");
}

static void characters(Checks& check) {
  std::size_t wrong = 0;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const std::string bytes = utf8::encode(code);
    const auto [found, size] = utf8::first(bytes + "x");
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    wrong += surrogate ? size != 0 : found != code || size != bytes.size();
    wrong +=
        utf8::first(std::string_view(bytes).substr(0, bytes.size() - 1)).bytes != 0;  // cut short
  }
  check.that(wrong == 0, "all but the surrogates are characters");
  for (const auto& [text, shown] : {std::pair{"a\0b\x1b[31m\x7f\r\t"s, "a�b�[31m���"},
                                    {"\xC2\x9B", "��"},  // control characters above 127
                                    {"\xC0\xAF\xE0\x80\xAF", "�����"},   // overlong
                                    {"\xF4\x90\x80\x80\xF8", "�����"}})  // above U+10FFFF
    check.equal(printable(text), shown, "printable");
}

using Numbers = std::vector<std::uint32_t>;

static void symbols(Checks& check) {
  const Vocabulary v("abracadabra"), none("");
  check.that(v.encode("drab") == Numbers{3, 4, 0, 1}, "there");
  check.that(v.decode(Numbers{3, 4, 0, 1}) == "drab", "and back");
  for (const auto& [known, text, part] : {std::tuple{v, "bare", "symbol e at position 3 "},
                                          {v, "a\nb\n", "symbol \\n at position 1 "},
                                          {v, "\xC3\xA9", "symbol \\xC3 at position 0 "},
                                          {none, "a", "vocabulary of 0"}})
    check.throws<std::invalid_argument>([&, &k = known, &t = text] { k.encode(t); }, part, part);
  check.throws<std::out_of_range>([&] { v.decode(Numbers{0, 5}); }, "", "a number outside");

  std::string all, names;
  for (int byte = 255; byte >= 0; --byte) all += static_cast<char>(byte);
  const Vocabulary every(all),
      w("\n\r\t \0~\x7F\x80\xFF'\\A\xBB\xBF\xEF"s);  // with CR, LF, NUL, the byte-order mark
  check.that(every.size() == 256, "every byte is a symbol");
  check.that(every.encode(all)[0] == 255, "in ascending order");
  check.that(every.decode(every.encode(all)) == all, "every byte comes back");
  for (std::size_t i = 0; i < w.size(); ++i) names += w.name(i) + " ";
  check.equal(names, "\\x00 \\t \\n \\r ' ' ' A \\ ~ \\x7F \\x80 \\xBB \\xBF \\xEF \\xFF ",
              "names");

  // From Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm", appendix C.
  check.that(text_hash("") == 0xcbf29ce484222325, "the hash of nothing");
  check.that(text_hash("\xFF") == 0xaf64724c8602eb6e, "no byte is negative");
  check.that(text_hash("foobar") == 0x85944171f73967e8, "a published hash");
  check.that(text_hash("bar", text_hash("foo")) == text_hash("foobar"), "also in pieces");
}

static void words(Checks& check) {
  const std::string text = "to be, or not to be\nto be";
  Vocabulary v(text);
  v.add_words(text);
  // Only " be" and "to" (at the beginnings of lines) occur more than once.
  check.equal(v.hex(), "0a202c62656e6f7274 206265 746f",
              "bytes, and the words that occur more than once, most frequent first");
  check.that(v.has_words(), "a vocabulary with words");
  check.that(!Vocabulary(text).has_words(), "one without");
  check.that(v.find(" be") == 9, "find");
  check.that(!v.find("not"), "a word that occurs once");
  check.equal(v.name(9) + v.name(10) + v.label(9) + v.label(0) + v.label(1), "␣beto␣be↵␣",
              "names and labels");
  for (const auto& [part, numbers] :
       {std::pair{"to be", Numbers{10, 9}},
        {" to", {1, 10}},
        {"oto", {6, 8, 6}},  // what only ends or begins like a word is spelled
        {"toe bet", {8, 6, 4, 1, 3, 4, 8}},
        {"  be,", {1, 9, 2}}})  // one space belongs to the word
    check.that(v.encode(part) == numbers, std::string("symbols of ") + part);
  for (const std::string part :
       {"to be, or not to be\nto be", "", " ", "tobe", "be to or", "be  be\n\n be"})
    check.equal(v.decode(v.encode(part)), part, "nothing is lost");
  check.throws<std::invalid_argument>([&] { v.encode("to x"); }, "symbol x at position 3 ",
                                      "a byte outside");
  Vocabulary accents("\xC3\xA9t\xC3\xA9 ");
  accents.add_words("\xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9");
  check.equal(accents.name(accents.size() - 1), "␣été",
              "letters of several bytes belong to a word");

  std::string many;  // by frequency, equals by alphabet, while there is room
  for (int k = 0; k < 1500; ++k)
    for (int times = 0; times < 2 + (k >= 1490); ++times)
      many += {' ', char('a' + k / 676), char('a' + k / 26 % 26), char('a' + k % 26)};
  Vocabulary full(many);
  full.add_words(many);
  check.equal(full.symbol(27) + full.symbol(37) + full.symbol(most_symbols - 1), " cfi aaa bly",
              "its words");
  check.that(full.size() == most_symbols, "as many words as there is room for");
  check.that(full.decode(full.encode(many)) == many, "the others are spelled");

  check.that(Vocabulary::from_hex(v.hex()) == v, "words are read back");
  check.that(Vocabulary::from_hex("0a20") == Vocabulary(" \n"), "bytes are read back");
  for (const auto& [part, hex] : {std::pair{"'a ' is no word", "61 610a"},
                                  {"no bytes in hexadecimal digits", ""},
                                  {"no bytes in hexadecimal digits", "0a20 7"},
                                  {"not in ascending order", "200a"},
                                  {"is no word", "6162 6162 6162"},
                                  {"is no word", "2061 202061"}})
    check.throws<std::invalid_argument>([&, h = hex] { Vocabulary::from_hex(h); }, part, hex);
  check.throws<std::invalid_argument>([&] { Vocabulary::from_hex(full.hex() + " 6161616161"); },
                                      "more than 1024", "a crowd");
}

static Corpus read(const std::string& bytes, SymbolKind symbols = SymbolKind::bytes) {
  const Folder folder;
  write_file(folder / "text", bytes);
  return read_corpus(folder / "text", 3, symbols);
}

static void corpus(Checks& check) {
  std::string bytes, held_out, lines;
  for (std::size_t i = 0; i < 1019; ++i) bytes += static_cast<char>(i * i / 100);
  const Corpus whole = read(bytes);
  check.that(whole.text == Vocabulary(bytes).encode(bytes), "a text as numbers");
  check.that(whole.hash == text_hash(bytes), "its hash");
  check.that(!whole.shipped(), "it is not the course's");
  const auto& [train, validation, test] =
      whole.part;  // .9, .05, .05 of 1019 are 917.1, 50.95, 50.95
  check.that(train.size() == 917, "size of the part for training");
  check.that(validation.size() == 52, "size of the part for validation");
  check.that(test.size() == 50, "size of the part for the test");
  check.that(train.data() == whole.text.data(), "training begins the text");
  check.that(validation.data() == train.data() + 917, "validation follows");
  check.that(test.data() == validation.data() + 52, "the test follows");

  // Words of the held-out text must stay unknown to the model.
  for (int k = 0; k < 300; ++k) held_out += "to be or not ";
  for (int k = 0; k < 30; ++k) held_out += "unseen here ";
  const Vocabulary known = read(held_out, SymbolKind::words).vocabulary;
  check.that(known.find(" be").has_value(), "a word of the text for training");
  check.that(!known.find(" unseen"), "none of the held-out text alone");

  // In words: cut at the same bytes, and measured alike.
  for (int k = 0; k < 2000; ++k) lines += "to be or not\n"s.substr(0, std::size_t(3 + k * k % 11));
  const Corpus a = read(lines), b = read(lines, SymbolKind::words);
  check.that(b.text.size() < a.text.size() / 2, "fewer symbols");
  for (const auto part : {&Split::train, &Split::validation, &Split::test})
    check.equal(b.vocabulary.decode(b.part.*part), a.vocabulary.decode(a.part.*part), "a part");
  // A loss of l nats per byte is l, and l times a word's bytes, whatever the symbols.
  const std::string last = lines.substr(a.train_end());
  std::istringstream all(last);
  double count = 0, size = double(last.size());
  for (std::string word; all >> word;) ++count;
  const Comparable of_words = comparable(b, 0.5 * size / double(b.text.size() - b.train_end()));
  for (const Comparable& c : {comparable(a, 0.5), of_words}) {
    check.near(c.nats_a_byte, 0.5, 1e-15, "nats per byte");  // one division and its product
    check.near(std::log(c.word_perplexity), 0.5 * size / count, 1e-13,
               "nats per word");  // some ten times two roundings
  }
  // Of 1,000 bytes the last hundred are runs of letters and single signs.
  std::string signs(900, 'x');
  for (int k = 0; k < 10; ++k) signs += " To be,\n- ";
  check.near(std::log(comparable(read(signs), 0.4).word_perplexity), 0.4 * 100 / 40, 1e-13,
             "words and signs");
}

static const Listed here("corpus",
                         {numbers, numbers_by_hand, lines, characters, symbols, words, corpus});

}  // namespace test_corpus
