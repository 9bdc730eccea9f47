// Tests the format's bytes, why hostile files are refused, and that files are written whole or not
// at all. tests/fuzz has random bytes.
// SPDX-License-Identifier: MIT
#include "common/frame/files/safetensors.hpp"

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

#include "common/frame/files/file.hpp"
#include "common/frame/text/words.hpp"
#include "tests/check.hpp"
#include "tests/files.hpp"

namespace test_safetensors {

using safetensors::File;
using safetensors::parse;
using safetensors::serialize;
using namespace std::string_literals;
namespace fs = std::filesystem;
using Error = std::runtime_error;

static std::string assemble(const std::string& header, const std::string& data = "") {
  std::string bytes;
  for (std::size_t k = 0; k < 8; ++k)
    bytes += static_cast<char>(std::uint64_t{header.size()} >> 8 * k & 0xFF);
  return bytes + header + data;
}

static File small_file() {
  File file;
  file.metadata["formula"] = "Y = X W";
  file.add("b", {3}, std::vector<float>{1, -2, 0.5f});
  file.add("W", {2, 2}, std::vector<double>{1, -2, 0.5, 0});
  return file;
}

static void bytes(Checks& check) {
  // By hand: the wider type first, then in the order of adding; the header is padded to 152 bytes.
  const std::string expected =
      "\x98\0\0\0\0\0\0\0"s +
      R"({"__metadata__":{"formula":"Y = X W"},"W":{"dtype":"F64","shape":[2,2],"data_offsets":[0,32]},)"
      R"("b":{"dtype":"F32","shape":[3],"data_offsets":[32,44]}}   )" +
      "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\xE0\x3F\0\0\0\0\0\0\0\0"
      "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"s;
  check.that(serialize(small_file()) == expected,
             "serialize writes what the format says, byte for byte");
  check.that(serialize(parse(expected)) == expected, "parse, then serialize: the same bytes");
  check.that(serialize(File{}) == "\x08\0\0\0\0\0\0\0{}      "s, "a file without tensors");
  for (std::size_t length = 0; length < expected.size(); ++length)
    check.throws<Error>([&] { parse(expected.substr(0, length)); }, "",
                        join("cut after ", length, " bytes"));
  File huge;
  huge.metadata["k"] = std::string(safetensors::largest_header, 'x');
  check.throws<Error>([&] { serialize(huge); }, "too long", "a header that parse would refuse");
}

static void values(Checks& check) {
  const std::vector<double> doubles = {-0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity(),
                                       std::bit_cast<double>(~0ull >> 1)};
  const std::vector<std::int64_t> integers = {std::numeric_limits<std::int64_t>::min(), -1,
                                              0x0102030405060708};
  const std::vector<float> number{4}, none;
  File file;
  file.add("doubles", {5}, doubles);
  file.add("integers", {3, 1}, integers);
  file.add("", {}, number);
  file.add("empty", {0, 7}, none);
  for (const std::string& name :
       {"a\"b back\\slash line\nbreak\r\t\b\f"s, "\0\x1F\x7F"s, "∂loss/∂W 😀 \xC2\x85"s})
    file.metadata[name] = name;
  const File back = parse(serialize(file));
  check.that(back.metadata == file.metadata, "metadata come back");
  check.that(!has(serialize(file), "\n"), "metadata, escaped");
  for (std::size_t k = 0; k < doubles.size(); ++k)  // as bits: one is NaN
    check.that(std::bit_cast<std::uint64_t>(back.values<double>("doubles")[k]) ==
                   std::bit_cast<std::uint64_t>(doubles[k]),
               "a double comes back bit for bit");
  check.that(back.values<std::int64_t>("integers", {3, 1}) == integers, "integers");
  check.that(back.values<float>("", {}) == number, "one number");
  check.that(back.values<float>("empty", {0, 7}).empty(), "none");

  const auto fails = [&](const std::string& words, auto f) {
    check.throws<Error>(f, words, words);
  };
  fails("no tensor 'los'", [&] { back.at("los"); });
  fails("tensor 'doubles' is F64, expected F32", [&] { back.values<float>("doubles"); });
  fails("'integers' is [3,1], expected [3]", [&] { back.values<std::int64_t>("integers", {3}); });
  fails("duplicate name", [&] { file.add("", {1}, number); });
  fails("takes 8 bytes, not 4", [&] { file.add("w", {2}, number); });
  fails("reserved", [&] { file.add("__metadata__", {}, number); });
  check.that(file.tensors().size() == 4, "a refused tensor is not added");
  check.that(!file.contains("w"), "nor its name");
  file.metadata["k"] = "a\x94";
  fails("not valid UTF-8 at byte 1", [&] { serialize(file); });
}

// Each must be refused in these words, on one short line.
static void hostile(Checks& check) {
  const auto refused = [&](const std::string& words, const std::string& bytes) {
    const auto read = [&] {
      try {
        parse(bytes).values<float>("w", {1});
      } catch (const Error& error) {
        check.that(std::string(error.what()).size() < 200, "a short message");
        throw;
      }
    };
    check.throws<Error>(read, words, words);
  };
  refused("shorter than 8 bytes", "\x02\0\0\0\0\0\0"s);
  refused("truncated: a header of 100000000 bytes, but only 2 follow",
          "\x00\xE1\xF5\x05\0\0\0\0{}"s);
  refused("claims a header of 100000001 bytes", "\x01\xE1\xF5\x05\0\0\0\0{}"s);
  std::string deep, ones;  // deep would overflow a recursive parser's stack
  for (int k = 0; k < 1000000; ++k) deep += "[";
  for (int k = 0; k < 10000; ++k) ones += "1,";
  const std::string type = R"("dtype":"F32",)", w = R"({"w":{)" + type,
                    shape1 = w + R"("shape":[1],)", at = R"("data_offsets":)";
  const auto shaped = [&](const std::string& shape) {
    return w + R"("shape":[)" + shape + "]," + at + "[0,4]}}";
  };
  const auto placed = [&](const std::string& place) { return shape1 + at + "[" + place + "]}}"; };
  const auto two = [&](const std::string& place) {
    return shape1 + at + R"([0,4]},"b":{)" + type + R"("shape":[1],)" + at + "[" + place + "]}}";
  };
  constexpr bool wide = sizeof(std::size_t) == 8;  // else such sizes are no numbers there
  for (const auto& [words, header] : std::vector<std::pair<std::string, std::string>>{
           {"does not begin with '{'", ""},
           {"expected '\"' at byte 1 of the header", "{1:2}"},
           {"more text after the JSON object at byte 2", "{}x"},
           {"expected ':'", R"({"w"})"},
           {"expected '['", R"({"w":{"shape":4}})"},
           {"expected '}'", R"({"w":{"dtype":"F32")"},
           {"expected ']'", shaped("1.0")},
           {"expected '{'", R"({"__metadata__":null})"},
           {"duplicate key 'k'", R"({"__metadata__":{"k":"1","k":"2"}})"},
           {"duplicate key 'dtype'", w + R"("d\u0074ype":"F32"}})"},
           {"control character", "{\"\n"},
           {"unknown escape", R"({"\x)"},
           {"unknown escape", R"({"\u-123)"},
           {"unknown escape", R"({"\u00)"},
           {"unknown escape", R"({"\uD83D\uDE00)"},
           {"not valid UTF-8", "{\"\xE2\x82"},
           {"unfinished string", "{\"\\"},
           {"expected a whole number below 2^64", R"({"w":{"shape":[)" + deep},
           {"expected a whole number below 2^64", shaped("18446744073709551616")},
           {"tensor 'w': needs dtype, shape and data_offsets", w + R"("shape":[1]}})"},
           {"unknown field 'x'", w + R"("x":1}})"},
           {"tensor 'w': unknown dtype 'F17'",
            R"({"w":{"dtype":"F17","shape":[2],)" + at + "[0,4]}}"},
           {"data_offsets are not two numbers", placed("0,4,4")},
           {wide ? "tensor 'w': shape too large" : "2^64", shaped("4294967296,4294967296")},
           {wide ? "tensor 'w': shape too large" : "2^64",
            shaped("4611686018427387905")},  // times 4 wraps to 4
           {"tensor 'w': F32 of its shape takes 8 bytes, not 4", shaped("2")},
           {"data end before they begin", placed("4,0")},
           {wide ? "truncated, its data lie past the end" : "2^64",
            placed("0,18446744073709551612")},
           {"4 bytes after the last tensor", "{}"},
           {"tensor 'b': a hole before its data", two("5,9")},
           {"tensor 'b': its data overlap another tensor's", two("3,7")},
           // A message stays one short line, whatever the name and the shape.
           {"tensor '\uFFFD[31m xxx", R"({"\u001b[31m\n)" + std::string(100000, 'x') + R"(":{}})"},
           {"'w' is [1,1,1", shaped(ones + "1")}})
    refused(words, assemble(header, "abcd"));

  const std::string swapped =
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
      "\n\"b\" :\t{ \"data_offsets\" : [ 0 , 4 ] ,\t\"shape\":[ ],\r\"dtype\":\"F32\" } }";
  const File file = parse(assemble(swapped, "abcdefgh"));
  check.that(file.tensors()[0].name == "b", "spaces");
  check.that(file.at("a").bytes == "efgh", "data in another order");
  const File half = parse(assemble(
      R"({"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],)"
      R"("data_offsets":[2,4]},"c":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
      "abcdefgh"));
  check.that(half.values<float>("c", {1}).size() == 1, "beside numbers that nothing here reads");
  check.throws<Error>([&] { half.values<float>("a", {1}); }, "tensor 'a' is BF16, expected F32",
                      "a tensor of another kind");
  const std::string escaped = R"({"__metadata__":{"k":"\"\\\b\f\n\r\t\u0000\u00e9\u0800\uD7fF"}})";
  check.equal(parse(assemble(escaped)).entry("k"), "\"\\\b\f\n\r\t\0é\xE0\xA0\x80\xED\x9F\xBF"s,
              "escapes");
}

static void files(Checks& check) {
  const Folder folder;
  const fs::path root = fs::current_path();
  fs::current_path(folder.path());
  safetensors::save("model", small_file());
  check.that(serialize(safetensors::load("model")) == serialize(small_file()),
             "load reads what save wrote");
  write_file("other", "hello, I am no model");
  fs::create_directory("directory");
  for (const auto& [path, words] : {std::pair{"other", "not a safetensors file"},
                                    {"other/x", "no such file"},
                                    {"directory", "it is a directory"}})
    check.throws<Error>([name = path] { safetensors::load(name); },
                        "cannot read '"s + path + "': " + words, words);
  for (const auto& [beginning, words] :
       {std::pair{"\x1f\x8b\x08\0\0\0\0\0"s, "it is compressed with gzip: unpack it first"},
        {"PK\x03\x04\x14\0\0\0"s, "it is a zip archive or an office document"},
        {"\xff\xfeT\0h\0e\0"s, "it is stored as UTF-16: let your editor store it as UTF-8"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"s,
         "it only points to a file: git lfs pull brings that"}}) {
    std::ofstream("wrapped", std::ios::binary) << beginning;
    check.throws<Error>([] { safetensors::load("wrapped"); }, "cannot read 'wrapped': "s + words,
                        words);
  }
  for (const std::size_t length : {65279u, 65534u, 559903u}) {  // as UTF-16 and gzip begin
    std::string header = R"({"__metadata__":{"of":")" + std::string(length, 'x');
    header.resize(length - 3);
    std::ofstream("wrapped", std::ios::binary) << assemble(header + "\"}}");
    check.that(safetensors::load("wrapped").metadata.count("of") == 1,
               join("a header of ", length, " bytes"));
  }
  fs::remove("wrapped");

  // Even the superuser fails here; the folder must stay as it is. "" takes the temporary file but
  // not its new name, and the old name is too long for the temporary file's.
  const std::string longest(250, 'x');
  std::ofstream(longest) << "old";
  for (const std::string& to : {"directory"s, "missing/x"s, "other/x"s, ""s, longest})
    check.throws<Error>([&] { write_file(to, "new"); }, "cannot write '" + to + "': ", to);
  check.that(std::distance(fs::directory_iterator("."), {}) == 4,
             "failed saves leave nothing behind");
  check.equal(read_file("other") + read_file(longest), "hello, I am no modelold",
              "they leave the old file");
  check.that(is_same_file("other", "./other"), "one file");
  check.that(!is_same_file("other", "model"), "two files");
  check.that(!is_same_file("other", "missing"), "the second is not there");
  check.that(!is_same_file("missing", "other"), "the first is not there");
  check.that(is_same_file("new/page", "./new//page"), "neither is there, but will be one");
  check.that(!is_same_file("new", "newer"), "neither is there, and will be two");

  std::error_code error;  // a system may lack links and devices
  fs::create_symlink("model", "link", error);
  if (!error) {
    write_file("link", "new");
    check.that(fs::is_symlink("link"), "a link stays a link");
    check.that(read_file("model") == "new", "its target is replaced");
    check.that(is_same_file("link", "model"), "a link is what it leads to");
    fs::create_symlink("loop", "loop");
    check.throws<Error>([&] { write_file("loop", "x"); }, "it is a link that leads to no file",
                        "a link to itself");
  }
  // Even the superuser can add no file beside the device, so a broken write_file cannot replace it.
  if (const std::string device = "/dev/pts/ptmx"; fs::is_character_file(device, error))
    check.throws<Error>([&] { write_file(device, "x"); }, "not a regular file",
                        "write to a device");
  if (fs::is_character_file("/dev/null", error))
    check.throws<Error>([&] { read_file("/dev/null"); }, "not a regular file",
                        "read from a device");
  // A system may refuse to remove the current folder, and the tests behind this one read the tree.
  fs::current_path(root);
}

static const Listed here("safetensors", {bytes, values, hostile, files});

}  // namespace test_safetensors
