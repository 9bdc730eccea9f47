// Tests lessons/3_swish_vs_bmlp/run/table.hpp: which tables are read, and with which words all others are refused.
// Run: make test, or build/tests/test_lesson3_table
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "common/support/file.hpp"
#include "common/support/words.hpp"
#include "lessons/3_swish_vs_bmlp/run/table.hpp"
#include "tests/check.hpp"

using namespace lesson3;
using namespace std::string_literals;
using Names = std::vector<std::string>;

static const std::string bom = "\xEF\xBB\xBF";

static void good_tables(Checks& check) {
  const auto reads = [&](const std::string& bytes, const Names& names, const Matrix<double>& values,
                         const std::string& what) {
    try {
      const NumericTable table = parse_table(bytes);
      check.that(table.names == names, what + ": names");
      check.that(table.values == values, what + ": values");
    } catch (const std::exception& error) {
      check.that(false, what + ": threw " + error.what());
    }
  };
  const Matrix<double> four = {{1, 2}, {3, 4}};
  reads("a,b\n1,2\n3,4\n", {"a", "b"}, four, "a plain table");
  reads("a,b\n1,2\n3,4", {"a", "b"}, four, "no line end at the end");
  reads("a,b\r\n1,2\r\n3,4\r\n", {"a", "b"}, four, "CRLF");
  reads("a,b\r1,2\r3,4\r", {"a", "b"}, four, "CR");
  reads(bom + "a,b\n1,2\n3,4\n", {"a", "b"}, four, "a byte order mark");
  reads(bom + "\"a\",b\n1,2\n3,4\n", {"a", "b"}, four, "a byte order mark before a quote");
  reads("a,b\n1,2\n3,4\n\n \t\n\r\n\n", {"a", "b"}, four, "blank lines at the end");
  reads(" a ,\tb\t\n1 , 2\n\t3,4 \n", {"a", "b"}, four, "spaces and tabs around cells");
  reads("\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"\n", {"a", "b"}, four, "all cells quoted");
  reads(" \"a\" ,\t\" b \"\t\n \"1\"\t,\" 2 \"\n3,4", {"a", "b"}, four, "spaces and tabs around quotes and in them");
  reads("\"a,b\",c\n1,2\n3,4\n", {"a,b", "c"}, four, "a comma in a quoted name");
  reads("\"6\"\" pipe\",\"\"\"b\"\"\"\n1,2\n3,4\n", {"6\" pipe", "\"b\""}, four, "doubled quotes in a quoted name");
  reads("\"\"\"\",b\n1,2\n3,4\n", {"\"", "b"}, four, "a name that is one quote");
  reads("6\" pipe,b\"\"\n1,2\n3,4\n", {"6\" pipe", "b\"\""}, four, "quotes within a cell that does not start with one");
  reads("a;b,c\td\n1,2\n3,4\n", {"a;b", "c\uFFFDd"}, four, "names with a semicolon and a tab, where commas separate");
  reads("1,b\n1,2\n3,4\n", {"1", "b"}, four, "one name is enough");
  reads("größe,\xFC\n1,2\n3,4\n", {"größe", "\uFFFD"}, four, "names in UTF-8 and in another encoding");
  reads("a b,nan\n1,2\n3,4\n", {"a b", "nan"}, four, "nan is a name");
  reads("x\n1\n2\n", {"x"}, {{1}, {2}}, "one column");
  reads("\tx\t\n1\t\n2\t\n", {"x"}, {{1}, {2}}, "one column, with tabs around");
  reads("x,y\n-0.5,+1\n.5,1.\n1e-3,1E2\n1e+2,007\n", {"x", "y"}, {{-0.5, 1}, {.5, 1}, {1e-3, 100}, {100, 7}},
        "the ways to write a number");
  reads("x\n0.1\n1e-999\n", {"x"}, {{0.1}, {0}}, "the nearest double, 0 for what is smaller than all");
  reads("x\n0\n1e-150\n", {"x"}, {{0}, {1e-150}}, "a small spread");
  reads("x\n1e-150\n0\n1\n1e150\n", {"x"}, {{1e-150}, {0}, {1}, {1e150}}, "numbers far from 1");

  std::string wide = "c0", row = "0", other = "1";  // as many columns as there may be
  for (int j = 1; j < 10'000; ++j) {
    wide += ",c" + std::to_string(j);
    row += ",0";
    other += ",1";
  }
  const NumericTable table = parse_table(wide + "\n" + row + "\n" + other + "\n");
  check.that(table.names.size() == 10'000 && table.names[9'999] == "c9999" && table.values.shape() == Shape{2, 10'000},
             "10,000 columns");
}

// The message as a whole is what must be said.
static void refuse(Checks& check, const std::string& bytes, const std::string& message) {
  try {
    parse_table(bytes);
    check.that(false, "read, where it should say: " + message);
  } catch (const std::runtime_error& error) {
    check.that(error.what() == message, "'"s + error.what() + "' instead of: " + message);
  }
}

static void wrong_headers(Checks& check) {
  for (const std::string& nothing : {""s, "\n"s, " \t\r\n\n"s, bom, bom + "\r\n"})
    refuse(check, nothing, "the file is empty");
  for (const std::string end : {"", "\n", "\r\n", "\r", "\n\n \n"})
    refuse(check, "a,b" + end, "no row of numbers follows the header");
  for (const std::string header : {"1,2", "1.5", "\"1\",-2e3", "1,1", ",", "1,,2", "", "\"\""})
    refuse(check, header + "\n3,4\n", "the header holds no name: the first line must name the columns");
  for (const std::string header : {"a;b;c", "a\tb", "\"a\";\"b\""})
    refuse(check, header + "\n1;2;3\n4;5;6\n", "the header has no comma: cells must be separated by commas");

  refuse(check, "a,,c\n1,2,3\n", "the header, column 2: the name is empty");
  refuse(check, "a,b,\n1,2,3\n", "the header, column 3: the name is empty");
  refuse(check, "a,\" \"\n1,2\n", "the header, column 2: the name is empty");
  refuse(check, "a,b, \"a\"\n1,2,3\n", R"(the header, column 3: the name "a" stands twice)");
  refuse(check, "a,\"b\n1,2\n", "the header, column 2: the quote is not closed in its line");
  refuse(check, "a,\"b\"\"\n1,2\n", "the header, column 2: the quote is not closed in its line");
  refuse(check, "\"\"\"\n1,2\n", "the header, column 1: the quote is not closed in its line");
  refuse(check, "a,\"b\"c\n1,2\n", R"(the header, column 2: "c" follows the closing quote)");
  refuse(check, "a\0,b\n1,2\n"s, "the header holds a NUL byte: the file is no text in UTF-8");
  refuse(check, "\xFF\xFE"s + "a\0,\0b\0\n\0"s, "the header holds a NUL byte: the file is no text in UTF-8");
  refuse(check, std::string(10'000, ',') + "a\n1\n", "the header has more than 10000 cells");
}

static void wrong_rows(Checks& check) {
  refuse(check, "a,b\n1,2\n3,4,5\n", "row 2 has 3 cells, the header 2 (line 3 of the file)");
  refuse(check, "a,b\n1\n", "row 1 has 1 cell, the header 2 (line 2 of the file)");
  refuse(check, "a,b\r\n1,2\r\n3,4,\r\n", "row 2 has 3 cells, the header 2 (line 3 of the file)");
  refuse(check, "a,b\n1,x,\n", "row 1 has 3 cells, the header 2 (line 2 of the file)");
  refuse(check, "a,b\n1,2\n\n3,4\n", "row 2 is blank (line 3 of the file)");
  refuse(check, "a\r1\r \t\r3\r", "row 2 is blank (line 3 of the file)");
  refuse(check, "a,b\n\n1,2\n", "row 1 is blank (line 2 of the file)");
  refuse(check, "a,b\n1,2\n3\0,4\n"s, "row 2 holds a NUL byte: the file is no text in UTF-8 (line 3 of the file)");
  refuse(check, "a,b\n" + std::string(10'000, ',') + "\n", "row 1 has more than 10000 cells (line 2 of the file)");
}

static void wrong_cells(Checks& check) {
  for (const std::string cell :
       {"abc",   "nan", "NaN", "inf", "-inf", "INFINITY", "1e999", "-1e999", "0x1A", "0x1p3", "1.5x", "1 5", "1_000",
        "1.2.3", "1e",  "e5",  "-",   "+",    ".",        "1-2",   "1e5.5",  "--1",  "1;5",   "12€",  "١"})
    refuse(check, "id,price\n1,2\n2,3\n3," + cell + "\n4,5\n",
           "row 3, column \"price\": \"" + cell + "\" is no number (line 4 of the file)");
  refuse(check, "a,b\n\"1,5\",2\n", R"(row 1, column "a": "1,5" is no number (line 2 of the file))");
  refuse(check, "a,b\n1\"2,2\n", R"(row 1, column "a": "1"2" is no number (line 2 of the file))");
  refuse(check, "a,b\n" + bom + "1,2\n", "row 1, column \"a\": \"" + bom + "1\" is no number (line 2 of the file)");
  refuse(check, "a,b\n1,\n", R"(row 1, column "b": the cell is empty (line 2 of the file))");
  refuse(check, "a,b\n \"\" ,1\n", R"(row 1, column "a": the cell is empty (line 2 of the file))");

  const std::string open = "the quote is not closed in its line (line 2 of the file)";
  refuse(check, "a,b\n\"1,2\n3,4\"\n", R"(row 1, column "a": )" + open);
  refuse(check, "a,b\n1,2,\"3\n", "row 1, column 3: " + open);
  refuse(check, "a,b\n\"1\" 5,2\n", R"(row 1, column "a": "5" follows the closing quote (line 2 of the file))");
}

static void wrong_columns(Checks& check) {
  refuse(check, "x,y\n1,2\n1,3\n", R"(column "x" is constant: it cannot be standardised)");
  refuse(check, "x,y\n1,0\n2,-0\n", R"(column "y" is constant: it cannot be standardised)");
  refuse(check, "x,y\n1,2\n", R"(column "x" is constant: it cannot be standardised)");
  refuse(check, "x\n0\n1e-151\n", R"(column "x" spreads over 1e-151: it cannot be standardised)");
  refuse(check, "x\n0\n1e151\n", R"(column "x" spreads over 1e+151: it cannot be standardised)");
  refuse(check, "x\n1e308\n-1e308\n", R"(column "x" spreads over inf: it cannot be standardised)");
}

// Whatever stands in a cell or name: one short line.
static void messages(Checks& check) {
  const auto message = [](const std::string& bytes) {
    try {
      parse_table(bytes);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return "nothing thrown"s;
  };
  check.that(message("a\n" + std::string(30, 'x')).find("\"" + std::string(30, 'x') + "\" is") != std::string::npos,
             "30 bytes are shown");
  check.that(message("a\n" + std::string(31, 'x')).find("\"" + std::string(30, 'x') + "...\"") != std::string::npos,
             "of 31 bytes 30");
  check.that(
      message("a\n" + std::string(29, 'x') + "€").find("\"" + std::string(29, 'x') + "...\"") != std::string::npos,
      "a shortened text ends between characters");
  check.that(message("a\n\x1B[31m\xFC\n").find("\"\uFFFD[31m\uFFFD\" is no number") != std::string::npos,
             "what cannot be printed is replaced");
  const std::string name(100'000, 'n'), cell(100'000, '\x80');
  // 32 bytes of quoted name, 30 broken bytes of 3 bytes each, and less than 80 bytes of words.
  check.that(message("x," + name + "\n1," + cell + "\n").size() < 210, "short for a long name and cell");
  check.that(message("x," + name + "," + name + "\n").size() < 110, "short for a long name that stands twice");
  check.that(message("x," + name + "\n1,2\n3,2\n").size() < 110, "short for a constant column with a long name");
}

// What holds of every table that was read.
static bool consistent(const NumericTable& table) {
  const auto [rows, cols] = table.values.shape();
  if (rows == 0 || cols == 0 || table.names.size() != cols) return false;
  for (const std::string& name : table.names)
    if (name.empty() || name != printable(name) || name.find_first_of("\r\n") != std::string::npos) return false;
  for (std::size_t j = 0; j < cols; ++j) {
    bool constant = true;
    for (std::size_t i = 0; i < rows; ++i) {
      if (!std::isfinite(table.values(i, j))) return false;
      constant = constant && table.values(i, j) == table.values(0, j);
    }
    if (constant) return false;
  }
  return true;
}

// A good table with one to three random edits: bytes changed, inserted, erased, doubled.
static std::string mutated(std::string bytes, Random& random) {
  const std::string tokens = ",,\"\"\n\r\t ;0123456789.-+eExnaif\0\xEF\xFC"s;
  for (std::uint64_t edits = 1 + random.below(3); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random.below(bytes.size());
    const char token = tokens[random.below(tokens.size())];
    const std::uint64_t kind = random.below(4);
    if (kind == 0) bytes[at] = token;
    else if (kind == 1) bytes.insert(at, 1, token);
    else if (kind == 2) bytes.erase(at, 1 + random.below(8));
    else bytes.insert(at, bytes.substr(random.below(bytes.size()), random.below(16)));
  }
  return bytes;
}

// Anything but a table or a runtime_error of one line fails, or leaves the program.
static void mutations(Checks& check) {
  const std::string good = bom + "size,\"weight, \"\"net\"\"\", größe\r\n1,2.5,-3e2\r\n\"4\", 5 ,6\r\n7,8,.5\r\n\r\n";
  int read = 0, refused = 0, inconsistent = 0, not_one_line = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      inconsistent += !consistent(parse_table(bytes));
      ++read;
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      not_one_line += text.empty() || text.size() > 300 || text != printable(text) || text.find('\n') != text.npos;
      ++refused;
    }
  };
  for (std::size_t length = 0; length <= good.size(); ++length) attempt(good.substr(0, length));
  Random random(1);
  for (int k = 0; k < 5000; ++k) attempt(mutated(good, random));
  check.that(inconsistent == 0, std::to_string(inconsistent) + " tables are not consistent");
  check.that(not_one_line == 0, std::to_string(not_one_line) + " messages are not one line");
  // Both must happen often, or the mutations test nothing: edits in names and digits are harmless, about one in five.
  check.that(read > 500 && refused > 1000,
             "mutations: " + std::to_string(read) + " read, " + std::to_string(refused) + " refused");
}

static void files(Checks& check, const std::filesystem::path& folder) {
  const std::string path = (folder / "table.csv").string();
  write_file(path, "a,b\r\n1,2\r\n3,4\r\n");
  check.that(read_table(path).values == Matrix<double>{{1, 2}, {3, 4}}, "a table in a file");
  write_file(path, "a,b\n1,2\n3,x\n");
  check.throws<std::runtime_error>([&] { read_table(path); }, "cannot read '" + path + "': row 2, column \"b\": \"x\"",
                                   "the path stands before what is wrong");
  check.throws<std::runtime_error>([&] { read_table(path + "x"); }, "cannot read '" + path + "x': no such file",
                                   "a missing file");
  check.throws<std::runtime_error>([&] { read_table(folder.string()); }, "': it is a directory", "a directory");
}

int main() {
  Checks check;
  good_tables(check);
  wrong_headers(check);
  wrong_rows(check);
  wrong_cells(check);
  wrong_columns(check);
  messages(check);
  mutations(check);

  const auto stamp = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto folder = std::filesystem::temp_directory_path() / ("test_lesson3_table_" + std::to_string(stamp));
  std::filesystem::create_directory(folder);
  files(check, folder);
  std::filesystem::remove_all(folder);
  return check.done("test_lesson3_table");
}
