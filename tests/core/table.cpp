// Tests tables of numbers: separators, names, decimal commas, and what is wrong with a file.
// SPDX-License-Identifier: MIT
#include "common/data/table.hpp"

#include <stdexcept>
#include <utility>

#include "tests/check.hpp"

namespace test_table {

using Strings = std::vector<std::string>;

static void readable(Checks& check) {
  const Matrix<double> numbers{{1.5, -2}, {0.25, 3e4}};
  for (const char* text : {"1.5,-2\n.25,3e4\n", "1.5,-2\r\n.25,3e4\r\n", "1.5,-2\r.25,3e4",
                           "\xEF\xBB\xBF"
                           "1.5,-2\n.25,3e4",
                           "1,5;-2\n,25;3e4\n", "1,5\t-2\n0,25\t+30000",
                           "  1.5  -2 \n\n .25   3e4\n \n", "\"1,5\",\"-2\"\n\"0,25\",3e4",
                           "speed,far\n1.5,-2\n.25,3e4", "\"a\";\"b\"\n1.5;-2\n.25;3e4"})
    check.that(parse_table(text).numbers == numbers, std::string("a table: ") + text);
  check.that(parse_table("speed, \"how far\"\n1,2").names == Strings{"speed", "how far"}, "names");
  check.that(parse_table("a,\n1,2").names == Strings{"a", "column 2"}, "a column without a name");
  check.that(parse_table("7").names == Strings{"column 1"}, "no names");
}

static void unreadable(Checks& check) {
  for (const auto& [text, complaint] :
       {std::pair{std::string(), "no row of numbers"},
        {"\xEF\xBB\xBF", "no row of numbers"},
        {"\n \r\n", "no row of numbers"},
        {"speed,far\n", "no row of numbers"},
        {"1,2\n3\n", "line 2 has 1 field, and line 1 has 2"},
        {"a,b,c\n\n1,2\n", "line 3 has 2 fields, and line 1 has 3"},
        {"1,2\n3,x\n", "line 2, column 2: 'x' is no number"},
        {"a,b\nc,d\n", "line 2, column 1: 'c' is no number"},
        {"a,2\n1,2\n", "line 1, column 1: 'a' is no number"},
        {"1,2\n3,nan\n", "line 2, column 2: 'nan' is no number"},
        {"1,2\n-inf,3\n", "line 2, column 1: '-inf' is no number"},
        {"1,2\n1e999,3\n", "line 2, column 1: '1e999' is no number"},
        {"1,2\n-1e101,3\n", "line 2, column 1: '-1e101' is beyond 1e100"},
        {"1,2\n3,\n", "line 2, column 2 is empty"},
        {"1;2\n1.234,5;2\n", "line 2, column 1: '1.234,5' is no number"},
        {std::string("\xFF\xFE"
                     "1\0,\0"
                     "2\0",
                     8),
         "a zero byte"}})
    check.throws<std::runtime_error>([&, &t = text] { parse_table(t); }, complaint, complaint);
}

static const Listed here("table", {readable, unreadable});

}  // namespace test_table
