// safetensors.hpp with its json.hpp and file.hpp: the bytes of the format, what is refused and in which words, and that
// a failed save leaves everything as it was. Hostile files are built by hand, by truncation and by random mutation.
// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/support/file.hpp"
#include "common/support/json.hpp"
#include "common/support/safetensors.hpp"
#include "tests/check.hpp"

using safetensors::File;
using safetensors::parse;
using safetensors::serialize;
namespace fs = std::filesystem;

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

// Two tensors a and b, F32 of one value each, at these offsets.
static std::string two(const std::string& a, const std::string& b) {
  return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a +
         R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}";
}

static File small_file() {
  File file;
  file.metadata["formula"] = "Y = X W";
  file.add("W", {2, 2}, std::vector<double>{1, -2, 0.5, 0});
  file.add("b", {3}, std::vector<float>{1, -2, 0.5f});
  return file;
}

static void check_bytes(Checks& check) {
  // Written by hand: 1, -2, 0.5, 0 as doubles, then 1, -2, 0.5 as floats; the header is padded from 149 to 152 bytes.
  using namespace std::string_literals;
  const std::string header = R"({"__metadata__":{"formula":"Y = X W"},)"
                             R"("W":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]},)"
                             R"("b":{"dtype":"F32","shape":[3],"data_offsets":[32,44]}})";
  const std::string data =
      "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\xE0\x3F\0\0\0\0\0\0\0\0"
      "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"s;
  const std::string expected = "\x98\0\0\0\0\0\0\0"s + header + "   " + data;
  check.that(serialize(small_file()) == expected, "serialize writes what the format says, byte for byte");
  check.that(serialize(parse(expected)) == expected, "parse, then serialize: the same bytes");

  File integers;
  integers.add("i", {}, std::vector<std::int64_t>{-2});
  check.that(serialize(integers).substr(64) == "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s, "I64 in two's complement");
  check.that(serialize(File{}) == "\x08\0\0\0\0\0\0\0{}      "s, "a file without tensors");
  check.that(parse(serialize(File{})).tensors().empty(), "a file without tensors is read");

  File mixed;  // 4-byte values first would leave the 8-byte ones unaligned
  mixed.add("f", {1}, std::vector<float>{1});
  mixed.add("i", {1}, std::vector<std::int64_t>{2});
  mixed.add("d", {1}, std::vector<double>{3});
  const File sorted = parse(serialize(mixed));
  check.that(sorted.tensors()[0].name == "i" && sorted.tensors()[1].name == "d" && sorted.tensors()[2].name == "f",
             "wider types first, otherwise in the order of adding");
  for (std::size_t length = 1; length <= 16; ++length) {
    File file;
    file.metadata["k"] = std::string(length, 'x');
    check.that(parse(serialize(file)).metadata == file.metadata, "metadata of every length is read back");
    const std::string bytes = serialize(file);
    check.that(bytes.size() % 8 == 0, "data begin at a multiple of 8");
    check.that(bytes.size() - bytes.find_last_not_of(' ') <= 8, "no more padding than that takes");
  }

  File many;  // more than the 16 up to which std::sort happens to keep the order
  for (int k = 0; k < 50; ++k) many.add("empty" + std::to_string(k), {0}, std::vector<float>{});
  const File same = parse(serialize(many));
  bool in_order = same.tensors().size() == 50;
  for (std::size_t k = 0; in_order && k < 50; ++k) in_order = same.tensors()[k].name == "empty" + std::to_string(k);
  check.that(in_order, "equal types keep their order, written and read");

  File huge;
  huge.metadata["k"] = std::string(safetensors::largest_header, 'x');
  check.throws<std::runtime_error>([&] { serialize(huge); }, "too long", "a header that parse would refuse");
}

static void check_values(Checks& check) {
  const std::vector<double> doubles = {-0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity(), std::bit_cast<double>(~0ull >> 1)};
  const std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), -1, 0x0102030405060708};
  File file;
  file.add("doubles", {5}, doubles);
  file.add("integers", {3, 1}, std::span(integers));
  file.add("loss", {}, std::array<float, 1>{2.5f});
  file.add("empty", {0, 7}, std::vector<float>{});
  file.add("", {1}, std::vector<float>{4});
  const File back = parse(serialize(file));
  bool same = back.values<double>("doubles").size() == doubles.size();
  for (std::size_t k = 0; same && k < doubles.size(); ++k)  // compared as bits, since one of them is NaN
    same = std::bit_cast<std::uint64_t>(back.values<double>("doubles")[k]) == std::bit_cast<std::uint64_t>(doubles[k]);
  check.that(same, "doubles come back bit for bit");
  check.that(back.values<std::int64_t>("integers", {3, 1}) == integers, "integers come back");
  check.that(back.values<float>("loss", {}) == std::vector<float>{2.5f}, "a scalar has the shape []");
  check.that(back.values<float>("empty", {0, 7}).empty(), "a tensor of size zero comes back with its shape");
  check.that(back.values<float>("") == std::vector<float>{4}, "the empty name");
  check.that(back.contains("loss") && !back.contains("los"), "contains");

  check.throws<std::runtime_error>([&] { back.at("los"); }, R"(no tensor "los")", "missing tensor");
  check.throws<std::runtime_error>([&] { back.values<float>("doubles"); }, R"(tensor "doubles" is F64, expected F32)",
                                   "wrong type");
  check.throws<std::runtime_error>(
      [&] {
        back.values<std::int64_t>("integers", {1, 3});
      },
      R"(tensor "integers" is [3,1], expected [1,3])", "wrong shape");
  check.throws<std::runtime_error>([&] { file.add("loss", {1}, std::vector<float>{1}); }, "duplicate name",
                                   "duplicate");
  check.throws<std::runtime_error>(
      [&] {
        file.add("w", {2, 2}, std::vector<float>{1});
      },
      "takes 16 bytes, not 4", "too few values");
  check.throws<std::runtime_error>([&] { file.add("__metadata__", {}, std::vector<float>{1}); }, "reserved",
                                   "reserved");
  check.throws<std::runtime_error>([&] { file.add({"w", "F16", {1}, "ab"}); }, R"(unknown dtype "F16")", "F16");
  check.that(file.tensors().size() == 5 && !file.contains("w"), "a refused tensor is not added");
}

static void check_strings(Checks& check) {
  using namespace std::string_literals;
  File file;
  const std::vector<std::string> names = {"a\"b",
                                          "back\\slash",
                                          "line\nbreak\r\t\b\f",
                                          "\0\x1F\x7F"s,
                                          "∂loss/∂W",
                                          "😀",
                                          "\xC2\x85",
                                          "~\xC2\xA0\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF",
                                          "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"};
  for (const std::string& name : names) {
    file.add(name, {1}, std::vector<float>{1});
    file.metadata[name] = name;
  }
  const std::string bytes = serialize(file);
  const File back = parse(bytes);
  check.that(back.metadata == file.metadata, "metadata with quotes, backslashes, unicode, control characters");
  for (std::size_t k = 0; k < names.size(); ++k)
    check.that(back.tensors()[k].name == names[k], "the name " + json::quote(names[k]) + " comes back");
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

  const std::vector<std::pair<std::string, std::string>> refused = {
      {"\n", "control character"},
      {"\x1F", "control character"},
      {"\0"s, "control character"},
      {R"(\x)", "unknown escape"},
      {R"(\U0041)", "unknown escape"},
      {R"(\u12G4)", "four hexadecimal digits"},
      {R"(\u 123)", "four hexadecimal digits"},
      {R"(\uD800)", "lone surrogate"},
      {R"(\uD800A)", "lone surrogate"},
      {R"(\uD800\n)", "lone surrogate"},
      {R"(\uD800\u0041)", "lone surrogate"},
      {R"(\uD800\uD800)", "lone surrogate"},
      {R"(\uDBFF\uE000)", "lone surrogate"},
      {R"(\uDC00)", "lone surrogate"},
      {R"(\uDC00\uDC00)", "lone surrogate"},
      {R"(\uDFFF\uD800)", "lone surrogate"},
      // continuation alone, overlong in 2, 3, 4 bytes, surrogate, above U+10FFFF, not a first byte, cut short
      {"\x80", "not valid UTF-8"},
      {"\xC1\xBF", "not valid UTF-8"},
      {"\xE0\x9F\xBF", "not valid UTF-8"},
      {"\xF0\x8F\xBF\xBF", "not valid UTF-8"},
      {"\xED\xA0\x80", "not valid UTF-8"},
      {"\xF4\x90\x80\x80", "not valid UTF-8"},
      {"\xF5\x80\x80\x80", "not valid UTF-8"},
      {"\xFF", "not valid UTF-8"},
      {"\xC2", "not valid UTF-8"},
      {"\xE2\x82", "not valid UTF-8"},
      {"\xF0\x9F\x98", "not valid UTF-8"},
      {"\xE2\x82\xC2", "not valid UTF-8"},
      {"\xC2\xC2", "not valid UTF-8"}};
  for (const auto& bad : refused)
    check.throws<std::runtime_error>([&] { parse(assemble("{\"" + bad.first + "\":{}}")); }, bad.second,
                                     "string " + bad.first);
  for (const std::string end : {"", "\xE2", "\xE2\x82", "\\", "\\u", "\\u00", "\\uD800", "\\uD800\\"})
    check.throws<std::runtime_error>([&] { parse(assemble("{\"" + end)); },
                                     end[0] == '\xE2' ? "UTF-8" : "unfinished string",
                                     "the header ends inside a string");

  File invalid;
  invalid.metadata["k"] = "\xFF";
  check.throws<std::runtime_error>([&] { serialize(invalid); }, "not valid UTF-8", "invalid UTF-8 is not written");
  check.throws<std::runtime_error>([&] { invalid.add("\xC2", {}, std::vector<float>{1}); }, "not valid UTF-8", "name");
}

// Each with the words that its error must contain.
static void check_hostile(Checks& check) {
  const auto refuse = [&](const std::string& bytes, const std::string& words) {
    check.throws<std::runtime_error>([&] { parse(bytes); }, words, "refused: " + words);
  };
  using namespace std::string_literals;
  check.that(parse(assemble(one("F32", "[1]", "[0,4]"), "abcd")).at("w").bytes == "abcd", "the sound one is read");
  check.that(
      parse(assemble("{ \"w\"\n:\t{\r\"data_offsets\" : [ 0 , 4 ] , \"shape\":[ ],\"dtype\":\"F32\" } }  ", "abcd"))
          .contains("w"),
      "space between tokens, fields in another order, a header that is no multiple of 8");

  // The length of the header.
  refuse("", "shorter than 8 bytes");
  refuse("\x02\0\0\0\0\0\0"s, "shorter than 8 bytes");
  refuse("\x02\0\0\0\0\0\0\0{"s, "truncated: a header of 2 bytes, but only 1 follow");
  refuse("\x00\xE1\xF5\x05\0\0\0\0{}"s, "truncated: a header of 100000000 bytes");
  refuse("\x01\xE1\xF5\x05\0\0\0\0{}"s, "claims a header of 100000001 bytes");
  refuse(std::string(8, '\xFF') + "{}", "claims a header of 18446744073709551615 bytes");
  refuse(assemble(""), "does not begin with '{'");
  refuse(assemble("", "{}"), "does not begin with '{'");
  refuse(assemble(" {}"), "does not begin with '{'");
  refuse(assemble("[]"), "does not begin with '{'");

  // The JSON.
  refuse(assemble("{"), "expected '\"' at byte 1 of the header");
  refuse(assemble("{}x"), "more text after the JSON object at byte 2");
  refuse(assemble("{}\n"), "more text after the JSON object");
  refuse(assemble("{}{}"), "more text after the JSON object");
  refuse(assemble("{} \0"s), "more text after the JSON object");
  refuse(assemble("{1:2}"), "expected '\"'");
  refuse(assemble("{\"w\"}"), "expected ':'");
  refuse(assemble("{\"w\":1}"), "expected '{'");
  refuse(assemble("{\"w\":null}"), "expected '{'");
  refuse(assemble(one("F32", "[1]", "[0,4]").substr(0, 52), "abcd"), "expected ',' or '}'");
  refuse(assemble(R"({"__metadata__":{},})"), "expected '\"'");
  refuse(assemble(R"({"__metadata__":{"k":1}})"), "expected '\"'");
  refuse(assemble(R"({"__metadata__":{"k":{}}})"), "expected '\"'");
  refuse(assemble(R"({"__metadata__":[]})"), "expected '{'");
  refuse(assemble(R"({"__metadata__":{"k":"1","k":"2"}})"), R"(duplicate key "k")");
  refuse(assemble(R"({"__metadata__":{},"__metadata__":{}})"), R"(duplicate key "__metadata__")");
  for (const std::string open :
       {"[", "{\"a\":", "{\"w\":{\"shape\":["}) {  // would overflow the stack of a recursive parser
    std::string deep = "{\"w\":{\"shape\":[";
    for (int k = 0; k < 1000000; ++k) deep += open;
    refuse(assemble(deep), "expected a whole number");
  }

  // The fields of a tensor.
  refuse(assemble(R"({"w":{}})"), R"(tensor "w": needs dtype, shape and data_offsets)");
  refuse(assemble(R"({"w":{"shape":[1],"data_offsets":[0,4]}})", "abcd"), "needs dtype, shape and data_offsets");
  refuse(assemble(R"({"w":{"dtype":"F32","data_offsets":[0,4]}})", "abcd"), "needs dtype, shape and data_offsets");
  refuse(assemble(R"({"w":{"dtype":"F32","shape":[1]}})", "abcd"), "needs dtype, shape and data_offsets");
  refuse(assemble(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", "abcd"), R"(unknown field "x")");
  refuse(assemble(R"({"w":{"dtype":"F32","dtype":"F32","shape":[1]}})", "abcd"), R"(duplicate key "dtype")");
  refuse(assemble(R"({"w":{"dtype":"F32","d\u0074ype":"F32","shape":[1]}})", "abcd"), R"(duplicate key "dtype")");
  refuse(assemble(R"({"w":{"dtype":1}})"), "expected '\"'");
  refuse(assemble(R"({"w":{"shape":4}})"), "expected '['");
  refuse(assemble(one("F16", "[2]", "[0,4]"), "abcd"), R"(tensor "w": unknown dtype "F16")");
  refuse(assemble(one("f32", "[1]", "[0,4]"), "abcd"), R"(unknown dtype "f32")");
  refuse(assemble(one("", "[1]", "[0,4]"), "abcd"), R"(unknown dtype "")");
  refuse(assemble(one("F32", "[1]", "[0]"), "abcd"), "data_offsets are not two numbers");
  refuse(assemble(one("F32", "[1]", "[0,4,4]"), "abcd"), "data_offsets are not two numbers");
  refuse(assemble(one("F32", "[1]", "[]"), "abcd"), "data_offsets are not two numbers");

  // Numbers.
  for (const std::string number : {"-1", "+1", "-0", "\"1\"", "null", "true", "[1]", ".5", "NaN", ""})
    refuse(assemble(one("F32", "[" + number + ",1]", "[0,4]"), "abcd"), "expected a whole number that is not negative");
  for (const std::string number : {"1.0", "1.", "1e0", "1E0", "0.5"})
    refuse(assemble(one("F32", "[" + number + "]", "[0,4]"), "abcd"), "without fraction or exponent");
  refuse(assemble(one("F32", "[1,]", "[0,4]"), "abcd"), "expected a whole number");
  refuse(assemble(one("F32", "[1 1]", "[0,4]"), "abcd"), "expected ',' or ']'");
  refuse(assemble(one("F32", "[0x1]", "[0,4]"), "abcd"), "expected ',' or ']'");
  refuse(assemble(one("F32", "[01]", "[0,4]"), "abcd"), "leading zero");
  refuse(assemble(one("F32", "[18446744073709551616]", "[0,4]"), "abcd"), "number too large");
  refuse(assemble(one("F32", "[1]", "[0," + std::string(1000, '9') + "]"), "abcd"), "number too large");

  // Shapes and offsets.
  refuse(assemble(one("F32", "[4294967296,4294967296]", "[0,4]"), "abcd"), R"(tensor "w": shape too large)");
  refuse(assemble(one("F32", "[4611686018427387905]", "[0,4]"), "abcd"), "shape too large");  // × 4 would wrap to 4
  refuse(assemble(one("F32", "[2]", "[0,4]"), "abcd"), R"(tensor "w": F32 of its shape takes 8 bytes, not 4)");
  refuse(assemble(one("F32", "[]", "[0,0]")), "takes 4 bytes, not 0");
  refuse(assemble(one("I64", "[0]", "[0,4]"), "abcd"), "takes 0 bytes, not 4");
  refuse(assemble(one("F32", "[1]", "[4,0]"), "abcd"), "data end before they begin");
  refuse(assemble(one("F32", "[1]", "[0,4]"), "abc"), "truncated, its data lie past the end");
  refuse(assemble(one("F32", "[4611686018427387903]", "[0,18446744073709551612]"), "abcd"), "past the end");
  refuse(assemble(one("F32", "[1]", "[0,4]"), "abcde"), "1 bytes after the last tensor");
  refuse(assemble("{}      ", "a"), "1 bytes after the last tensor");
  refuse(assemble(one("F32", "[1]", "[1,5]"), "abcde"), R"(tensor "w": a hole before its data)");
  refuse(assemble(two("[0,4]", "[5,9]"), "abcdefghi"), R"(tensor "b": a hole before its data)");
  refuse(assemble(two("[0,4]", "[3,7]"), "abcdefg"), R"(tensor "b": its data overlap another tensor's)");
  refuse(assemble(two("[0,4]", "[0,4]"), "abcd"), "overlap");
  check.that(parse(assemble(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                            R"("empty":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
                            "abcd"))
                 .contains("empty"),
             "an empty tensor where another begins");
  const File swapped = parse(assemble(two("[4,8]", "[0,4]"), "abcdefgh"));
  check.that(swapped.tensors()[0].name == "b" && swapped.at("a").bytes == "efgh", "tensors in the order of their data");

  // A message stays one short line, whatever the name.
  const std::string name = "\\u001b[31m\\n" + std::string(100000, 'x');
  try {
    parse(assemble("{\"" + name + "\":{}}"));
    check.that(false, "a tensor without fields is refused");
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    check.that(text.size() < 200 && text.find_first_of("\n\x1B") == std::string::npos, "one short line: " + text);
  }
  std::string ones = "[1";
  for (int k = 0; k < 10000; ++k) ones += ",1";
  try {
    parse(assemble(one("F32", ones + "]", "[0,4]"), "abcd")).values<float>("w", {1});
    check.that(false, "a shape of ten thousand dimensions is not [1]");
  } catch (const std::runtime_error& error) {
    check.that(std::string(error.what()).size() < 200, "a short line for a long shape");
  }
  check.that(json::shown(std::string(59, 'x') + "é") == "\"" + std::string(59, 'x') + "\"...",
             "a shortened name ends between characters");
}

// True when `bytes` are read or refused as they must be: anything else than runtime_error leaves the program.
static bool reads(const std::string& bytes) {
  try {
    const std::string canonical = serialize(parse(bytes));
    if (serialize(parse(canonical)) != canonical) throw std::logic_error("what was read is not what was written");
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

static void check_mutations(Checks& check) {
  const std::string sound = serialize(small_file());
  check.that(reads(sound), "the sound file is read");
  for (std::size_t length = 0; length < sound.size(); ++length)
    check.that(!reads(sound.substr(0, length)), "truncated to " + std::to_string(length) + " bytes");

  int read = 0, refused = 0;
  const std::size_t header_end = sound.size() - 44;
  for (std::size_t at = 0; at < header_end; ++at)
    for (int value = 0; value < 256; ++value) {
      std::string changed = sound;
      changed[at] = static_cast<char>(value);
      ++(reads(changed) ? read : refused);
    }
  // Every change in the structure is refused; read are the unchanged file, and letters of names and of the metadata.
  check.that(read > static_cast<int>(header_end) && refused > 10 * read,
             "single bytes changed: " + std::to_string(read) + " read, " + std::to_string(refused) + " refused");

  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::string tokens = "{}[]\",:0123456789 \\eu";
  read = refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string changed = sound;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(changed.size());
      const char token = tokens[below(tokens.size())];
      switch (below(4)) {
        case 0:
          changed[at] = token;
          break;
        case 1:
          changed.insert(at, 1, token);
          break;
        case 2:
          changed.erase(at, 1 + below(8));
          break;
        default:
          changed.insert(at, changed.substr(below(changed.size()), below(16)));
      }
    }
    if (k % 2 == 0 &&
        changed.size() > 8) {  // half of them with a length that fits, so that they get past the first test
      const std::string header = changed.substr(8, changed.size() < 52 ? std::string::npos : changed.size() - 52);
      changed = assemble(header, changed.substr(8 + header.size()));
    }
    ++(reads(changed) ? read : refused);
  }
  // Both must happen, or the mutations test nothing: about one in twenty hits only data or letters.
  check.that(read > 200 && refused > 10000,
             "random changes: " + std::to_string(read) + " read, " + std::to_string(refused) + " refused");
}

static std::size_t entries_in(const fs::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++count;
  return count;
}

static void check_files(Checks& check, const fs::path& folder) {
  const File file = small_file();
  const std::string path = (folder / "model.safetensors").string(), other = (folder / "other").string();
  safetensors::save(path, file);
  check.that(read_file(path) == serialize(file), "save writes what serialize makes");
  check.that(serialize(safetensors::load(path)) == serialize(file), "load reads what save wrote");
  std::string all;
  for (std::size_t k = 0; k < 200000; ++k) all += static_cast<char>(k * k >> 3 & 0xFF);
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 131072u, 200000u}) {
    write_file(other, all.substr(0, size));
    check.that(read_file(other) == all.substr(0, size), "a file of " + std::to_string(size) + " bytes, replaced");
  }
  check.that(entries_in(folder) == 2, "no temporary file is left");

  write_file(other, "hello, I am no model");
  check.throws<std::runtime_error>([&] { safetensors::load(other); },
                                   "cannot read '" + other + "': not a safetensors file", "load names the path");
  check.throws<std::runtime_error>([&] { read_file(path + "x"); }, "cannot read '" + path + "x': no such file",
                                   "missing");
  check.throws<std::runtime_error>([&] { read_file(path + "/x"); }, "x': no such file", "below a file");
  check.throws<std::runtime_error>([&] { read_file(folder.string()); }, "': it is a directory", "read a directory");

  // Failures that happen to the superuser too. Each must leave the folder as it is.
  const auto fails = [&](const std::string& to, const std::string& words) {
    check.throws<std::runtime_error>([&] { safetensors::save(to, file); }, "cannot write '" + to + "': " + words,
                                     words);
  };
  fs::create_directory(folder / "directory");
  fails((folder / "directory").string(), "it is a directory");
  fails((folder / "missing" / "x").string(), "");
  fails(other + "/x", "");
  const fs::path here = fs::current_path();
  fs::current_path(folder);
  fails("", "");  // the temporary file can be written, but not renamed to this
  fs::current_path(here);
  check.that(entries_in(folder) == 3 && entries_in(folder / "directory") == 0, "failed saves leave nothing behind");
  check.that(read_file(other) == "hello, I am no model", "a failed save below a file leaves the file");

  // An old file whose name leaves no room for that of the temporary file.
  const std::string longest = (folder / std::string(250, 'x')).string();
  std::ofstream(longest) << "old";
  fails(longest, "");
  check.that(read_file(longest) == "old", "a failed save leaves the old file");
  File invalid;
  invalid.metadata["k"] = "\xFF";
  check.throws<std::runtime_error>([&] { safetensors::save(path, invalid); }, "UTF-8", "a file that cannot be written");
  check.that(read_file(path) == serialize(file), "and the old file is whole");
  check.that(entries_in(folder) == 4, "nothing else appeared");
}

static void check_same(Checks& check, const fs::path& folder) {
  const fs::path here = fs::current_path();
  fs::current_path(folder);
  write_file("small", "x"), write_file("other", "x");
  check.that(is_same_file("small", "./small") && is_same_file("small", (folder / "small").string()), "one file");
  check.that(!is_same_file("small", "other"), "two files of the same bytes");
  check.that(!is_same_file("small", "missing") && !is_same_file("missing", "small"), "one is not there");
  // Whether SMALL would replace small is up to the file system.
  check.that(is_same_file("small", "SMALL") == fs::exists("SMALL"), "case, of a file that is there");
  check.that(is_same_file("new/page", "./NEW//Page"), "case, where neither is there: taken for one");
  check.that(is_same_file("new/", "new") && is_same_file("new", (folder / "new").string()), "a folder to be");
  check.that(!is_same_file("new", "newer"), "two folders to be");
  fs::current_path(here);
}

// Needs symbolic links and devices, so it does nothing on a system without them.
static void check_links(Checks& check, const fs::path& folder) {
  std::error_code error;
  write_file((folder / "target").string(), "old");
  fs::create_symlink("target", folder / "link", error);
  if (!error) {
    write_file((folder / "link").string(), "new");
    check.that(fs::is_symlink(folder / "link"), "a link stays a link");
    check.that(read_file((folder / "target").string()) == "new", "and its target is replaced");
    fs::create_symlink("nowhere", folder / "dangling", error), fs::create_symlink("loop", folder / "loop", error);
    for (const char* name : {"dangling", "loop"}) {
      const std::string path = (folder / name).string();
      check.throws<std::runtime_error>([&] { write_file(path, "x"); }, "it is a link that leads to no file", name);
      check.that(fs::is_symlink(folder / name), std::string(name) + " stays a link");
    }
    check.that(is_same_file((folder / "link").string(), (folder / "target").string()), "a link is what it leads to");
    fs::create_hard_link(folder / "target", folder / "hard", error);
    check.that(error || is_same_file((folder / "hard").string(), (folder / "target").string()), "a hard link, too");
  }
  // Only this device is written to: its folder takes no new file even from the superuser, so that a broken write_file,
  // which would rename a file over the device, does no harm.
  const std::string device = "/dev/pts/ptmx";
  if (fs::is_character_file(device, error))
    check.throws<std::runtime_error>([&] { write_file(device, "x"); }, "not a regular file", "write to a device");
  if (fs::is_character_file("/dev/null", error))
    check.throws<std::runtime_error>([&] { read_file("/dev/null"); }, "not a regular file", "read from a device");
}

int main() {
  Checks check;
  check_bytes(check);
  check_values(check);
  check_strings(check);
  check_hostile(check);
  check_mutations(check);

  const auto stamp = std::chrono::steady_clock::now().time_since_epoch().count();
  const fs::path folder = fs::temp_directory_path() / ("test_safetensors_" + std::to_string(stamp));
  fs::create_directory(folder);
  for (const auto& checks : {check_same, check_links}) {
    fs::create_directory(folder / "links");
    checks(check, folder / "links");
    fs::remove_all(folder / "links");
  }
  check_files(check, folder);
  fs::remove_all(folder);
  return check.done("test_safetensors");
}
