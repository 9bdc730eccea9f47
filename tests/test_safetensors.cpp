// safetensors.hpp with its json.hpp and file.hpp: the bytes of the format, what is refused and in which words, and that
// a failed save leaves everything as it was. Hostile files are built by hand, by truncation and by random mutation.
// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/json.hpp"
#include "common/support/safetensors.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

using safetensors::File;
using safetensors::parse;
using safetensors::serialize;
using namespace std::string_literals;
namespace fs = std::filesystem;
using Error = std::runtime_error;

// The 8 bytes of the length, the header, the data.
static std::string assemble(const std::string& header, const std::string& data = "") {
  std::string bytes;
  for (std::size_t k = 0; k < 8; ++k) bytes += static_cast<char>(std::uint64_t{header.size()} >> 8 * k & 0xFF);
  return bytes + header + data;
}

// A header with one tensor "w" of these fields.
static std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"w":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

// What is refused, by the words in which that must be said.
using Refused = std::vector<std::pair<std::string, std::vector<std::string>>>;
static void refuse(Checks& check, const Refused& all) {
  for (const auto& [words, files] : all)
    for (const std::string& bytes : files)
      check.throws<Error>([&, &file = bytes] { parse(file); }, words, "refused: " + words);
}

// Two tensors a and b, F32 of this shape, at these offsets.
static std::string two(const std::string& a, const std::string& b, const std::string& shape = "[1]") {
  return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a + R"(},"b":{"dtype":"F32","shape":)" + shape +
         R"(,"data_offsets":)" + b + "}}";
}

static File small_file() {
  File file;
  file.metadata["formula"] = "Y = X W";
  file.add("W", {2, 2}, std::vector<double>{1, -2, 0.5, 0});
  file.add("b", {3}, std::vector<float>{1, -2, 0.5f});
  return file;
}

static std::string names(const File& file) {
  std::string all;
  for (const safetensors::Tensor& tensor : file.tensors()) all += tensor.name + " ";
  return all;
}

static void check_bytes(Checks& check) {
  // Written by hand: 1, -2, 0.5, 0 as doubles, then 1, -2, 0.5 as floats; the header is padded from 149 to 152 bytes.
  const std::string header = R"({"__metadata__":{"formula":"Y = X W"},)"
                             R"("W":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]},)"
                             R"("b":{"dtype":"F32","shape":[3],"data_offsets":[32,44]}})";
  const std::string data =
      "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\xE0\x3F\0\0\0\0\0\0\0\0"
      "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"s;
  const std::string expected = "\x98\0\0\0\0\0\0\0"s + header + "   " + data;
  check.that(serialize(small_file()) == expected, "serialize writes what the format says, byte for byte");
  check.that(serialize(parse(expected)) == expected, "parse, then serialize: the same bytes");

  File integers, mixed;
  integers.add("i", {}, std::vector<std::int64_t>{-2});
  check.that(serialize(integers).substr(64) == "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s, "I64 in two's complement");
  check.that(serialize(File{}) == "\x08\0\0\0\0\0\0\0{}      "s, "a file without tensors");
  check.that(parse(serialize(File{})).tensors().empty(), "a file without tensors is read");
  // 4-byte values first would leave the 8-byte ones unaligned. More than the 16 up to which std::sort happens to keep
  // the order.
  std::string in_order = "i d f ";
  mixed.add("f", {1}, std::vector<float>{1});
  mixed.add("i", {1}, std::vector<std::int64_t>{2});
  mixed.add("d", {1}, std::vector<double>{3});
  for (int k = 0; k < 50; ++k) {
    in_order += "empty" + std::to_string(k) + " ";
    mixed.add("empty" + std::to_string(k), {0}, std::vector<float>{});
  }
  check.equal(names(parse(serialize(mixed))), in_order, "wider types first, otherwise in the order of adding");
  for (std::size_t length = 1; length <= 16; ++length) {
    File file;
    file.metadata["k"] = std::string(length, 'x');
    const std::string bytes = serialize(file);
    check.that(parse(bytes).metadata == file.metadata, "metadata of every length is read back");
    check.that(bytes.size() % 8 == 0, "data begin at a multiple of 8");
    check.that(bytes.size() - bytes.find_last_not_of(' ') <= 8, "no more padding than that takes");
  }
  File huge;
  huge.metadata["k"] = std::string(safetensors::largest_header, 'x');
  check.throws<Error>([&] { serialize(huge); }, "too long", "a header that parse would refuse");
}

static void check_values(Checks& check) {
  const std::vector<double> doubles = {-0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity(), std::bit_cast<double>(~0ull >> 1)};
  const std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), -1, 0x0102030405060708};
  const std::vector<float> number{4}, none;
  File file;
  file.add("doubles", {5}, doubles);
  file.add("integers", {3, 1}, std::span(integers));
  file.add("loss", {}, number);
  file.add("empty", {0, 7}, none);
  file.add("", {1}, number);
  const File back = parse(serialize(file));
  bool same = back.values<double>("doubles").size() == doubles.size();
  for (std::size_t k = 0; same && k < doubles.size(); ++k)  // compared as bits, since one of them is NaN
    same = std::bit_cast<std::uint64_t>(back.values<double>("doubles")[k]) == std::bit_cast<std::uint64_t>(doubles[k]);
  check.that(same, "doubles come back bit for bit");
  check.that(back.values<std::int64_t>("integers", {3, 1}) == integers, "integers come back");
  check.that(back.values<float>("loss", {}) == number && back.values<float>("") == number, "a scalar, the empty name");
  check.that(back.values<float>("empty", {0, 7}).empty(), "a tensor of size zero comes back with its shape");
  check.that(back.contains("loss") && !back.contains("los"), "contains");

  const auto fails = [&](const std::string& words, auto f) { check.throws<Error>(f, words, words); };
  fails(R"(no tensor "los")", [&] { back.at("los"); });
  fails(R"(tensor "doubles" is F64, expected F32)", [&] { back.values<float>("doubles"); });
  fails(R"(tensor "integers" is [3,1], expected [1,3])",
        [&, shape = safetensors::Shape{1, 3}] { back.values<std::int64_t>("integers", shape); });
  fails("duplicate name", [&] { file.add("loss", {1}, number); });
  fails("takes 8 bytes, not 4", [&] { file.add("w", {2}, number); });
  fails("reserved", [&] { file.add("__metadata__", {}, number); });
  fails(R"(unknown dtype "F16")", [&] { file.add({"w", "F16", {1}, "ab"}); });
  check.that(file.tensors().size() == 5 && !file.contains("w"), "a refused tensor is not added");
}

static void check_strings(Checks& check) {
  File file;
  for (const std::string& name :
       {"a\"b back\\slash line\nbreak\r\t\b\f"s, "\0\x1F\x7F"s, "∂loss/∂W 😀 \xC2\x85"s,
        "~\xC2\xA0\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"s, "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"s}) {
    file.add(name, {1}, std::vector<float>{1});
    file.metadata[name] = name;
  }
  const std::string bytes = serialize(file);
  const File back = parse(bytes);
  check.that(back.metadata == file.metadata, "metadata with quotes, backslashes, unicode, control characters");
  check.equal(names(back), names(file), "names like these");
  check.that(json::quote("\xC2\xA0") == "\"\xC2\xA0\"", "U+00A0 is no control character");
  check.that(bytes.find('\n') == std::string::npos && bytes.find("\xC2\x85") == std::string::npos,
             "control characters are written as escapes");

  // In JSON (escapes), and the same in UTF-8.
  const std::vector<std::pair<std::string, std::string>> escapes = {
      {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
      {R"(\u0000\u007f)", "\0\x7F"s},
      {R"(\u0080\u07FF)", "\xC2\x80\xDF\xBF"},
      {R"(\u0800\uD7fF\uE000\uFfff)", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"},
      {R"(\uD800\uDC00\ud83d\ude00\uDBFF\uDFFF)", "\xF0\x90\x80\x80😀\xF4\x8F\xBF\xBF"}};
  for (const auto& [escaped, plain] : escapes)
    check.that(parse(assemble(R"({"__metadata__":{"k":")" + escaped + "\"}}")).metadata.at("k") == plain,
               "the escapes " + escaped);

  // Of those that are not valid UTF-8: continuation alone, overlong in 2, 3, 4 bytes, surrogate, above U+10FFFF, not a
  // first byte, cut short.
  for (const auto& [words, strings] :
       Refused{{"control character", {"\n", "\x1F", "\0"s}},
               {"unknown escape", {R"(\x)", R"(\U0041)"}},
               {"four hexadecimal digits", {R"(\u12G4)", R"(\u 123)"}},
               {"lone surrogate",
                {R"(\uD800)", R"(\uD800A)", R"(\uD800\n)", R"(\uD800\u0041)", R"(\uD800\uD800)", R"(\uDBFF\uE000)",
                 R"(\uDC00)", R"(\uDC00\uDC00)", R"(\uDFFF\uD800)"}},
               {"not valid UTF-8",
                {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                 "\xF5\x80\x80\x80", "\xFF", "\xC2", "\xE2\x82", "\xF0\x9F\x98", "\xE2\x82\xC2", "\xC2\xC2"}}})
    for (const std::string& bad : strings) refuse(check, {{words, {assemble("{\"" + bad + "\":{}}")}}});
  for (const std::string end : {"", "\xE2", "\xE2\x82", "\\", "\\u", "\\u00", "\\uD800", "\\uD800\\"})
    check.throws<Error>([&] { parse(assemble("{\"" + end)); }, end[0] == '\xE2' ? "UTF-8" : "unfinished string",
                        "the header ends inside a string");

  File invalid;
  invalid.metadata["k"] = "\xFF";
  check.throws<Error>([&] { serialize(invalid); }, "not valid UTF-8", "invalid UTF-8 is not written");
  check.throws<Error>([&] { invalid.add("\xC2", {}, std::vector<float>{1}); }, "not valid UTF-8", "name");
}

static void check_hostile(Checks& check) {
  check.that(parse(assemble(one("F32", "[1]", "[0,4]"), "abcd")).at("w").bytes == "abcd", "the sound one is read");
  check.that(
      parse(assemble("{ \"w\"\n:\t{\r\"data_offsets\" : [ 0 , 4 ] , \"shape\":[ ],\"dtype\":\"F32\" } }  ", "abcd"))
          .contains("w"),
      "space between tokens, fields in another order, a header that is no multiple of 8");
  check.that(parse(assemble(two("[0,4]", "[0,0]", "[0]"), "abcd")).contains("b"),
             "an empty tensor where another begins");
  const File swapped = parse(assemble(two("[4,8]", "[0,4]"), "abcdefgh"));
  check.that(swapped.tensors()[0].name == "b" && swapped.at("a").bytes == "efgh", "tensors in the order of their data");

  const auto header = [](const char* json) { return assemble(json); };
  const auto f32 = [](const std::string& shape, const std::string& offsets) {
    return assemble(one("F32", shape, offsets), "abcd");
  };
  const std::string type = R"("dtype":"F32")", shape = R"("shape":[1])", offsets = R"("data_offsets":[0,4])";
  const auto w = [](const std::string& fields) { return assemble("{\"w\":{" + fields + "}}", "abcd"); };
  const std::string all = type + "," + shape + "," + offsets;
  constexpr bool whole_numbers = sizeof(std::size_t) == 8;  // else such sizes are no numbers there
  const Refused cases = {
      // The length of the header.
      {"shorter than 8 bytes", {"", "\x02\0\0\0\0\0\0"s}},
      {"truncated: a header of 2 bytes, but only 1 follow", {"\x02\0\0\0\0\0\0\0{"s}},
      {"truncated: a header of 100000000 bytes", {"\x00\xE1\xF5\x05\0\0\0\0{}"s}},
      {"claims a header of 100000001 bytes", {"\x01\xE1\xF5\x05\0\0\0\0{}"s}},
      {"claims a header of 18446744073709551615 bytes", {std::string(8, '\xFF') + "{}"}},
      // The JSON.
      {"does not begin with '{'", {assemble("", "{}"), header(""), header(" {}"), header("[]")}},
      {"expected '\"' at byte 1 of the header", {header("{")}},
      {"more text after the JSON object at byte 2", {header("{}x"), header("{}\n"), header("{}{}")}},
      {"more text after the JSON object", {assemble("{} \0"s)}},
      {"expected '\"'",
       {header("{1:2}"), header(R"({"__metadata__":{},})"), header(R"({"__metadata__":{"k":1}})"),
        header(R"({"__metadata__":{"k":{}}})"), w(R"("dtype":1)")}},
      {"expected ':'", {header("{\"w\"}")}},
      {"expected '{'", {header("{\"w\":1}"), header("{\"w\":null}"), header(R"({"__metadata__":[]})")}},
      {"expected '['", {w(R"("shape":4)")}},
      {"expected ',' or '}'", {assemble(one("F32", "[1]", "[0,4]").substr(0, 52))}},
      {R"(duplicate key "k")", {header(R"({"__metadata__":{"k":"1","k":"2"}})")}},
      {R"(duplicate key "__metadata__")", {header(R"({"__metadata__":{},"__metadata__":{}})")}},
      // The fields of a tensor.
      {R"(tensor "w": needs dtype, shape and data_offsets)",
       {w(""), w(shape + "," + offsets), w(type + "," + offsets), w(type + "," + shape)}},
      {R"(unknown field "x")", {w(all + R"(,"x":1)")}},
      {R"(duplicate key "dtype")", {w(all + "," + type), w(all + R"(,"d\u0074ype":"F32")")}},
      {R"(tensor "w": unknown dtype "F16")", {assemble(one("F16", "[2]", "[0,4]"), "abcd")}},
      {R"(unknown dtype "f32")", {assemble(one("f32", "[1]", "[0,4]"), "abcd")}},
      {R"(unknown dtype "")", {assemble(one("", "[1]", "[0,4]"), "abcd")}},
      {"data_offsets are not two numbers", {f32("[1]", "[0]"), f32("[1]", "[0,4,4]"), f32("[1]", "[]")}},
      {"expected a whole number", {f32("[1,]", "[0,4]")}},
      {"expected ',' or ']'", {f32("[1 1]", "[0,4]"), f32("[0x1]", "[0,4]")}},
      {"leading zero", {f32("[01]", "[0,4]")}},
      {"too large", {f32("[18446744073709551616]", "[0,4]"), f32("[1]", "[0," + std::string(1000, '9') + "]")}},
      // Shapes and offsets. 4611686018427387905 x 4 would wrap to 4.
      {whole_numbers ? R"(tensor "w": shape too large)" : "number too large",
       {f32("[4294967296,4294967296]", "[0,4]"), f32("[4611686018427387905]", "[0,4]")}},
      {R"(tensor "w": F32 of its shape takes 8 bytes, not 4)", {f32("[2]", "[0,4]")}},
      {"takes 4 bytes, not 0", {f32("[]", "[0,0]")}},
      {"takes 0 bytes, not 4", {assemble(one("I64", "[0]", "[0,4]"), "abcd")}},
      {"data end before they begin", {f32("[1]", "[4,0]")}},
      {"truncated, its data lie past the end", {f32("[2]", "[0,8]")}},
      {whole_numbers ? "truncated, its data lie past the end" : "number too large",
       {f32("[4611686018427387903]", "[0,18446744073709551612]")}},
      {"4 bytes after the last tensor", {f32("[0]", "[0,0]")}},
      {"1 bytes after the last tensor", {assemble("{}      ", "a")}},
      {R"(tensor "w": a hole before its data)", {f32("[1]", "[1,5]")}},
      {R"(tensor "b": a hole before its data)", {assemble(two("[0,4]", "[5,9]"), "abcdefghi")}},
      {R"(tensor "b": its data overlap another tensor's)",
       {assemble(two("[0,4]", "[3,7]"), "abcdefg"), assemble(two("[0,4]", "[0,4]"), "abcd")}}};
  refuse(check, cases);
  for (const std::string open : {"[", "{\"a\":", "{\"w\":{\"shape\":["}) {  // would overflow a recursive parser's stack
    std::string deep = "{\"w\":{\"shape\":[";
    for (int k = 0; k < 1000000; ++k) deep += open;
    refuse(check, {{"expected a whole number", {assemble(deep)}}});
  }
  for (const std::string number : {"-1", "+1", "-0", "\"1\"", "null", "true", "[1]", ".5", "NaN", ""})
    refuse(check, {{"expected a whole number that is not negative", {f32("[" + number + ",1]", "[0,4]")}}});
  for (const std::string number : {"1.0", "1.", "1e0", "1E0", "0.5"})
    refuse(check, {{"without fraction or exponent", {f32("[" + number + "]", "[0,4]")}}});

  // A message stays one short line, whatever the name and the shape.
  std::string ones = "[1";
  for (int k = 0; k < 10000; ++k) ones += ",1";
  for (const std::string& wordy :
       {"{\"\\u001b[31m\\n" + std::string(100000, 'x') + "\":{}}", one("F32", ones + "]", "[0,4]")})
    try {
      parse(assemble(wordy, "abcd")).values<float>("w", {1});
      check.that(false, "a tensor without fields, and a shape of ten thousand dimensions that is not [1]");
    } catch (const Error& error) {
      const std::string text = error.what();
      check.that(text.size() < 200 && text.find_first_of("\n\x1B") == std::string::npos, "one short line: " + text);
    }
  check.throws<std::runtime_error>([] { json::shown("a\x94"); }, "not valid UTF-8 at byte 1", "a name in no UTF-8");
  check.equal(json::shown(std::string(59, 'x') + "é"), "\"" + std::string(59, 'x') + "\"...",
              "a shortened name ends between characters");
}

// True when `bytes` are read or refused as they must be: anything else than runtime_error leaves the program.
static bool reads(const std::string& bytes) {
  try {
    const std::string canonical = serialize(parse(bytes));
    if (serialize(parse(canonical)) != canonical) throw std::logic_error("what was read is not what was written");
    return true;
  } catch (const Error&) {
    return false;
  }
}

static void check_mutations(Checks& check) {
  const std::string sound = serialize(small_file());
  check.that(reads(sound), "the sound file is read");
  for (std::size_t length = 0; length < sound.size(); ++length)
    check.that(!reads(sound.substr(0, length)), "truncated to " + std::to_string(length) + " bytes");

  const auto among = [&](int count, int least, int most, const char* what) {
    check.that(least < count && count < most, what + std::to_string(count) + " of the changed files are read");
  };
  int read = 0;
  const int header_end = static_cast<int>(sound.size()) - 44;
  for (int at = 0; at < header_end; ++at)
    for (int value = 0; value < 256; ++value) {
      std::string changed = sound;
      changed[static_cast<std::size_t>(at)] = static_cast<char>(value);
      read += reads(changed);
    }
  // Every change in the structure is refused; read are the unchanged file, and letters of names and of the metadata.
  among(read, header_end, 256 * header_end / 11, "single bytes: ");

  Random random(1);
  read = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string changed = mutated(sound, "{}[]\",:0123456789 \\eu", random);
    if (k % 2 == 0 && changed.size() > 52)  // half of them with a length that fits, to get past the first test
      changed = assemble(changed.substr(8, changed.size() - 52), changed.substr(changed.size() - 44));
    read += reads(changed);
  }
  // A quarter are as they were. Both must happen, or the mutations test nothing: about one in twenty of the others hits
  // only data or letters.
  among(read, 5200, 10000, "random changes: ");
}

static std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Runs in a folder of its own.
static void check_files(Checks& check) {
  const File file = small_file();
  safetensors::save("model", file);
  check.that(read_file("model") == serialize(file), "save writes what serialize makes");
  check.that(serialize(safetensors::load("model")) == serialize(file), "load reads what save wrote");
  std::string all;
  for (std::size_t k = 0; k < 200000; ++k) all += static_cast<char>(k * k >> 3 & 0xFF);
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 131072u, 200000u}) {
    write_file("other", all.substr(0, size));
    check.that(read_file("other") == all.substr(0, size), "a file of " + std::to_string(size) + " bytes, replaced");
  }
  check.that(entries_in(".") == 2, "no temporary file is left");

  write_file("other", "hello, I am no model");
  fs::create_directory("directory");
  for (const auto& [path, words] : {std::pair{"other", "not a safetensors file"},
                                    {"missing", "no such file"},
                                    {"other/x", "no such file"},
                                    {"directory", "it is a directory"}})
    check.throws<Error>([&, name = path] { safetensors::load(name); }, "cannot read '"s + path + "': " + words,
                        "load names the path");

  // Failures that happen to the superuser too. Each must leave the folder as it is. To "" the temporary file can be
  // written, but not renamed; the name of the old file leaves no room for that of the temporary one.
  const std::string longest(250, 'x');
  std::ofstream(longest) << "old";
  for (const std::string& to : {"directory"s, "missing/x"s, "other/x"s, ""s, longest})
    check.throws<Error>([&] { safetensors::save(to, file); },
                        "cannot write '" + to + "': " + (to == "directory" ? "it is a directory" : ""), to);
  File invalid;
  invalid.metadata["k"] = "\xFF";
  check.throws<Error>([&] { safetensors::save("model", invalid); }, "UTF-8", "a file that cannot be written");
  check.that(entries_in(".") == 4 && entries_in("directory") == 0, "failed saves leave nothing behind");
  check.equal(read_file("other") + read_file(longest), "hello, I am no modelold", "they leave the old file");
  check.that(read_file("model") == serialize(file), "and the old file is whole");
}

static void check_same(Checks& check, const fs::path& folder) {
  write_file("small", "x");
  write_file("other", "x");
  check.that(is_same_file("small", "./small") && is_same_file("small", (folder / "small").string()), "one file");
  check.that(!is_same_file("small", "other"), "two files of the same bytes");
  check.that(!is_same_file("small", "missing") && !is_same_file("missing", "small"), "one is not there");
  // Whether SMALL would replace small is up to the file system.
  check.that(is_same_file("small", "SMALL") == fs::exists("SMALL"), "case, of a file that is there");
  check.that(is_same_file("new/page", "./NEW//Page"), "case, where neither is there: taken for one");
  check.that(is_same_file("new/", "new") && is_same_file("new", (folder / "new").string()), "a folder to be");
  check.that(!is_same_file("new", "newer"), "two folders to be");
}

// Needs symbolic links and devices, so it does nothing on a system without them.
static void check_links(Checks& check) {
  std::error_code error;
  write_file("target", "old");
  fs::create_symlink("target", "link", error);
  if (!error) {
    write_file("link", "new");
    check.that(fs::is_symlink("link") && read_file("target") == "new", "a link stays a link, its target is replaced");
    fs::create_symlink("nowhere", "dangling", error);
    fs::create_symlink("loop", "loop", error);
    for (const char* name : {"dangling", "loop"}) {
      check.throws<Error>([&] { write_file(name, "x"); }, "it is a link that leads to no file", name);
      check.that(fs::is_symlink(name), std::string(name) + " stays a link");
    }
    check.that(is_same_file("link", "target"), "a link is what it leads to");
    fs::create_hard_link("target", "hard", error);
    check.that(error || is_same_file("hard", "target"), "a hard link, too");
  }
  // Only this device is written to: its folder takes no new file even from the superuser, so that a broken write_file,
  // which would rename a file over the device, does no harm.
  const std::string device = "/dev/pts/ptmx";
  if (fs::is_character_file(device, error))
    check.throws<Error>([&] { write_file(device, "x"); }, "not a regular file", "write to a device");
  if (fs::is_character_file("/dev/null", error))
    check.throws<Error>([&] { read_file("/dev/null"); }, "not a regular file", "read from a device");
}

int main() {
  Checks check;
  check_bytes(check);
  check_values(check);
  check_strings(check);
  check_hostile(check);
  check_mutations(check);

  const fs::path here = fs::current_path();
  const Folder folder;
  for (const char* name : {"files", "same", "links"}) {
    fs::create_directory(folder.path() / name);
    fs::current_path(folder.path() / name);
    if (*name == 'f') check_files(check);
    else if (*name == 's') check_same(check, folder.path() / name);
    else check_links(check);
  }
  fs::current_path(here);
  return check.done("test_safetensors");
}
