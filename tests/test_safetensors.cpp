// common/support/safetensors and file: the bytes of the format, what comes back, what hostile files are refused for and
// in which words, and files written at once or not at all. Random bytes are for tests/fuzz.
// SPDX-License-Identifier: MIT
#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

#include "common/support/file.hpp"
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

// A file with one tensor "w" of these fields, and one with two tensors of F32 at these offsets.
static std::string w(const std::string& fields) { return assemble("{\"w\":{" + fields + "}}", "abcd"); }
static std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return w(R"("dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets);
}
static std::string two(const std::string& a, const std::string& b, const std::string& data) {
  return assemble(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a +
                      R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}",
                  data);
}

static File small_file() {
  File file;
  file.metadata["formula"] = "Y = X W";
  file.add("b", {3}, std::vector<float>{1, -2, 0.5f});
  file.add("W", {2, 2}, std::vector<double>{1, -2, 0.5, 0});
  return file;
}

static void bytes(Checks& check) {
  // Written by hand: the wider type first, then in the order of adding; the header is padded from 149 to 152 bytes.
  const std::string expected =
      "\x98\0\0\0\0\0\0\0"s +
      R"({"__metadata__":{"formula":"Y = X W"},"W":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]},)"
      R"("b":{"dtype":"F32","shape":[3],"data_offsets":[32,44]}}   )" +
      "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\xE0\x3F\0\0\0\0\0\0\0\0"
      "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"s;
  check.that(serialize(small_file()) == expected, "serialize writes what the format says, byte for byte");
  check.that(serialize(parse(expected)) == expected, "parse, then serialize: the same bytes");
  check.that(serialize(File{}) == "\x08\0\0\0\0\0\0\0{}      "s, "a file without tensors");
  for (std::size_t length = 0; length < expected.size(); ++length)
    check.throws<Error>([&] { parse(expected.substr(0, length)); }, "", "cut after so many bytes");
  File huge;
  huge.metadata["k"] = std::string(safetensors::largest_header, 'x');
  check.throws<Error>([&] { serialize(huge); }, "too long", "a header that parse would refuse");
}

static void values(Checks& check) {
  const std::vector<double> doubles = {-0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity(), std::bit_cast<double>(~0ull >> 1)};
  const std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), -1, 0x0102030405060708};
  const std::vector<float> number{4}, none;
  File file;
  file.add("doubles", {5}, doubles);
  file.add("integers", {3, 1}, std::span(integers));
  file.add("", {}, number);
  file.add("empty", {0, 7}, none);
  const File back = parse(serialize(file));
  bool same = true;
  for (std::size_t k = 0; k < doubles.size(); ++k)  // compared as bits, since one of them is NaN
    same = same &&
           std::bit_cast<std::uint64_t>(back.values<double>("doubles")[k]) == std::bit_cast<std::uint64_t>(doubles[k]);
  check.that(same && back.values<std::int64_t>("integers", {3, 1}) == integers, "numbers come back bit for bit");
  check.that(back.values<float>("", {}) == number && back.values<float>("empty", {0, 7}).empty(),
             "a scalar and nothing");

  const auto fails = [&](const std::string& words, auto f) { check.throws<Error>(f, words, words); };
  const safetensors::Shape turned{1, 3};
  fails("no tensor 'los'", [&] { back.at("los"); });
  fails("tensor 'doubles' is F64, expected F32", [&] { back.values<float>("doubles"); });
  fails("'integers' is [3,1], expected [1,3]", [&] { back.values<std::int64_t>("integers", turned); });
  fails("duplicate name", [&] { file.add("", {1}, number); });
  fails("takes 8 bytes, not 4", [&] { file.add("w", {2}, number); });
  fails("reserved", [&] { file.add("__metadata__", {}, number); });
  check.that(file.tensors().size() == 4 && !file.contains("w"), "a refused tensor is not added");
}

static void strings(Checks& check) {
  File file;
  for (const std::string& name : {"a\"b back\\slash line\nbreak\r\t\b\f"s, "\0\x1F\x7F"s, "∂loss/∂W 😀 \xC2\x85"s})
    file.metadata[name] = name;
  const std::string written = serialize(file);
  check.that(parse(written).metadata == file.metadata, "quotes, backslashes, unicode, control characters");
  check.that(!has(written, "\n") && !has(written, "\x1F"), "which are escaped");
  const std::string escaped = R"({"__metadata__":{"k":"\"\\\b\f\n\r\t\u0000\u00e9\u0800\uD7fF"}})";
  check.that(parse(assemble(escaped)).entry("k") == "\"\\\b\f\n\r\t\0é\xE0\xA0\x80\xED\x9F\xBF"s, "escapes");
  check.equal(file.entry("lesson"), "none", "an entry that is not there");
  file.metadata["k"] = "a\x94";
  check.throws<Error>([&] { serialize(file); }, "not valid UTF-8 at byte 1", "no UTF-8");
}

static void hostile(Checks& check) {
  const File swapped = parse(two("[4,8]", "[0,4]", "abcdefgh"));
  check.that(swapped.tensors()[0].name == "b" && swapped.at("a").bytes == "efgh", "tensors in the order of their data");
  check.that(parse(w("\n\"data_offsets\" : [ 0 , 4 ] ,\t\"shape\":[ ],\r\"dtype\":\"F32\" ")).contains("w"), "spaces");

  const auto f32 = [](const std::string& shape, const std::string& offsets) { return one("F32", shape, offsets); };
  const auto key = [](const std::string& text) { return assemble("{\"" + text); };
  const std::string type = R"("dtype":"F32")", shape = R"("shape":[1])",
                    all = type + "," + shape + R"(,"data_offsets":[0,4])";
  constexpr bool wide = sizeof(std::size_t) == 8;         // else such sizes are no numbers there
  std::string deep = "{\"w\":{\"shape\":[", ones = "[1";  // would overflow a recursive parser's stack
  for (int k = 0; k < 1000000; ++k) deep += "[";
  for (int k = 0; k < 10000; ++k) ones += ",1";
  const std::pair<std::string, std::vector<std::string>> refused[] = {
      // The length of the header.
      {"shorter than 8 bytes", {"", "\x02\0\0\0\0\0\0"s}},
      {"truncated: a header of 100000000 bytes, but only 2 follow", {"\x00\xE1\xF5\x05\0\0\0\0{}"s}},
      {"claims a header of 100000001 bytes", {"\x01\xE1\xF5\x05\0\0\0\0{}"s}},
      // The JSON.
      {"does not begin with '{'", {assemble("", "{}"), assemble(" {}"), assemble("[]")}},
      {"expected '\"' at byte 1 of the header", {assemble("{"), assemble("{1:2}")}},
      {"more text after the JSON object at byte 2", {assemble("{}x"), assemble("{}{}")}},
      {"expected '\"'", {assemble(R"({"__metadata__":{"k":1}})"), w(R"("dtype":1)")}},
      {"expected ':'", {assemble("{\"w\"}")}},
      {"expected '{'", {assemble("{\"w\":null}"), assemble(R"({"__metadata__":[]})")}},
      {"expected '['", {w(R"("shape":4)")}},
      {"expected '}'", {assemble(R"({"w":{"dtype":"F32")")}},
      {"expected ']'", {f32("[1 1]", "[0,4]"), f32("[0x1]", "[0,4]"), f32("[1.0]", "[0,4]"), f32("[1e0]", "[0,4]")}},
      {"duplicate key 'k'", {assemble(R"({"__metadata__":{"k":"1","k":"2"}})")}},
      {"duplicate key 'dtype'", {w(all + "," + type), w(all + R"(,"d\u0074ype":"F32")")}},
      {"control character", {key("\n"), key("\x1F"), key("\0"s)}},
      {"unknown escape",
       {key(R"(\x)"), key(R"(\u12G4)"), key(R"(\u 123)"), key(R"(\u-123)"), key(R"(\uD83D\uDE00)"), key("\\u00")}},
      {"not valid UTF-8",
       {key("\x80"), key("\xC1\xBF"), key("\xED\xA0\x80"), key("\xF4\x90\x80\x80"), key("\xE2\x82")}},
      {"unfinished string", {key(""), key("\\")}},
      {"expected a whole number below 2^64",
       {assemble(deep), f32("[-1]", "[0,4]"), f32("[\"1\"]", "[0,4]"), f32("[1,]", "[0,4]"),
        f32("[18446744073709551616]", "[0,4]")}},
      // The fields of a tensor; shapes and offsets. 4611686018427387905 x 4 would wrap to 4.
      {"tensor 'w': needs dtype, shape and data_offsets", {w(""), w(type + "," + shape)}},
      {"unknown field 'x'", {w(all + R"(,"x":1)")}},
      {"tensor 'w': unknown dtype 'F16'", {one("F16", "[2]", "[0,4]")}},
      {"data_offsets are not two numbers", {f32("[1]", "[0]"), f32("[1]", "[0,4,4]"), f32("[1]", "[]")}},
      {wide ? "tensor 'w': shape too large" : "2^64",
       {f32("[4294967296,4294967296]", "[0,4]"), f32("[4611686018427387905]", "[0,4]")}},
      {"tensor 'w': F32 of its shape takes 8 bytes, not 4", {f32("[2]", "[0,4]")}},
      {"takes 0 bytes, not 4", {one("I64", "[0]", "[0,4]")}},
      {"data end before they begin", {f32("[1]", "[4,0]")}},
      {wide ? "truncated, its data lie past the end" : "2^64",
       {f32("[4611686018427387903]", "[0,18446744073709551612]")}},
      {"4 bytes after the last tensor", {f32("[0]", "[0,0]"), assemble("{}", "abcd")}},
      {"tensor 'b': a hole before its data", {two("[0,4]", "[5,9]", "abcdefghi")}},
      {"tensor 'b': its data overlap another tensor's",
       {two("[0,4]", "[3,7]", "abcdefg"), two("[0,4]", "[0,4]", "abcd")}},
      // A message stays one short line, whatever the name and the shape.
      {"tensor '\uFFFD[31m xxx", {assemble("{\"\\u001b[31m\\n" + std::string(100000, 'x') + "\":{}}")}},
      {"'w' is [1,1,1", {f32(ones + "]", "[0,4]")}}};
  for (const auto& [words, files] : refused)
    for (const std::string& file : files) {
      const auto read = [&, &file = file] {
        try {
          parse(file).values<float>("w", {1});
        } catch (const Error& error) {
          check.that(std::string(error.what()).size() < 200, "a short message");
          throw;
        }
      };
      check.throws<Error>(read, words, "refused: " + words);
    }
}

static std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

static void files(Checks& check) {
  const File file = small_file();
  safetensors::save("model", file);
  check.that(serialize(safetensors::load("model")) == serialize(file), "load reads what save wrote");
  std::string all;
  for (std::size_t k = 0; k < 200000; ++k) all += static_cast<char>(k * k >> 3 & 0xFF);
  for (const std::size_t size : {0u, 65535u, 65536u, 65537u, 200000u}) {
    write_file("other", all.substr(0, size));
    check.that(read_file("other") == all.substr(0, size), "a file of " + std::to_string(size) + " bytes, replaced");
  }
  write_file("other", "hello, I am no model");
  fs::create_directory("directory");
  for (const auto& [path, words] :
       {std::pair{"other", "not a safetensors file"}, {"other/x", "no such file"}, {"directory", "it is a directory"}})
    check.throws<Error>([name = path] { safetensors::load(name); }, "cannot read '"s + path + "': " + words, words);

  // Failures that happen to the superuser too. Each must leave the folder as it is. To "" the temporary file can be
  // written, but not renamed; the name of the old file leaves no room for that of the temporary one.
  const std::string longest(250, 'x');
  std::ofstream(longest) << "old";
  for (const std::string& to : {"directory"s, "missing/x"s, "other/x"s, ""s, longest})
    check.throws<Error>([&] { safetensors::save(to, file); }, "cannot write '" + to + "': ", to);
  check.that(entries_in(".") == 4 && entries_in("directory") == 0, "failed saves leave nothing behind");
  check.equal(read_file("other") + read_file(longest), "hello, I am no modelold", "they leave the old file");

  check.that(is_same_file("other", "./other") && !is_same_file("other", "model"), "one file, and two");
  check.that(!is_same_file("other", "missing") && !is_same_file("missing", "other"), "one is not there");
  check.that(is_same_file("new/page", "./new//page") && !is_same_file("new", "newer"), "neither is there");
  check.that(is_same_file("new", (fs::current_path() / "new/").string()), "a folder to be");
}

// Needs symbolic links and devices, so it does nothing on a system without them.
static void links(Checks& check) {
  std::error_code error;
  fs::create_symlink("model", "link", error);
  if (!error) {
    write_file("link", "new");
    check.that(fs::is_symlink("link") && read_file("model") == "new", "a link stays a link, its target is replaced");
    check.that(is_same_file("link", "model"), "a link is what it leads to");
    fs::create_symlink("loop", "loop");
    check.throws<Error>([&] { write_file("loop", "x"); }, "it is a link that leads to no file", "a link to itself");
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
  bytes(check);
  values(check);
  strings(check);
  hostile(check);
  const fs::path here = fs::current_path();
  const Folder folder;
  fs::current_path(folder.path());
  files(check);
  links(check);
  fs::current_path(here);
  return check.done("test_safetensors");
}
