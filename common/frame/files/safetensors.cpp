// SPDX-License-Identifier: MIT
#include "common/frame/files/safetensors.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>

#include "common/frame/files/file.hpp"
#include "common/frame/text/words.hpp"

namespace safetensors {

void fail(const std::string& what) { throw std::runtime_error(what); }

std::string label(const std::string& name) { return "tensor '" + excerpt(name) + "'"; }

constexpr std::string_view escape_letters = "\"\\bfnrt", escape_meanings = "\"\\\b\f\n\r\t";

static void check_utf8(std::string_view text) {
  for (std::size_t at = 0, bytes = 1; at < text.size(); at += bytes) {
    bytes = utf8::first(text.substr(at)).bytes;
    if (bytes == 0) fail("text is not valid UTF-8 at byte " + std::to_string(at));
  }
}

static std::string quote(std::string_view text) {
  check_utf8(text);
  std::string quoted = "\"";
  for (const char c : text) {
    const std::size_t letter = escape_meanings.find(c);
    if (letter != escape_meanings.npos) quoted += {'\\', escape_letters[letter]};
    else if (std::uint8_t(c) < 0x20)
      quoted += {'\\', 'u', '0', '0', char('0' + c / 16), "0123456789abcdef"[c % 16]};
    else quoted += c;
  }
  return quoted + '"';
}

// The JSON that a header needs: objects, arrays of whole numbers, and strings without characters
// above U+FFFF in escapes. The caller asks for what its grammar wants next, so nesting is as deep
// as the caller's code.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { check_utf8(text); }

  // Reads an object; each(key) is called after the colon and must read the value. Refuses a
  // repeated key.
  template <class Each>
  void object(const Each& each) {
    std::set<std::string> seen;
    expect('{');
    if (take('}')) return;
    do {
      const auto [key, is_new] = seen.insert(string());
      if (!is_new) fail("duplicate key '" + excerpt(*key) + "'");
      expect(':');
      each(*key);
    } while (take(','));
    expect('}');
  }

  std::vector<std::size_t> numbers() {
    std::vector<std::size_t> all;
    expect('[');
    if (take(']')) return all;
    do {
      skip();
      const char *const first = text_.data() + at_, *const end = text_.data() + text_.size();
      const auto [last, error] = std::from_chars(first, end, all.emplace_back());
      if (error != std::errc()) complain("expected a whole number below 2^64");
      at_ += std::size_t(last - first);
    } while (take(','));
    expect(']');
    return all;
  }

  std::string string() {
    expect('"');
    std::string value;
    for (char c = next(); c != '"'; c = next()) {
      if (std::uint8_t(c) < 0x20) complain("control character in a string");
      if (c == '\\') value += escape();
      else value += c;
    }
    return value;
  }

  void end() {
    skip();
    if (at_ < text_.size()) complain("more text after the JSON object");
  }

 private:
  [[noreturn]] void complain(const std::string& what) const {
    fail(join(what, " at byte ", at_, " of the header"));
  }

  void skip() { at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size()); }

  bool take(char c) {
    skip();
    const bool is_here = at_ < text_.size() && text_[at_] == c;
    at_ += is_here;
    return is_here;
  }

  void expect(char c) {
    if (!take(c)) complain(std::string("expected '") + c + "'");
  }

  char next() {
    if (at_ == text_.size()) complain("unfinished string");
    ++at_;
    return text_[at_ - 1];
  }

  std::string escape() {
    const char c = next();
    const std::size_t letter = escape_letters.find(c);
    if (letter != escape_letters.npos) return {escape_meanings[letter]};
    std::uint16_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [last, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (c != 'u' || error != std::errc() || last != digits.data() + 4 ||
        (code >= 0xD800 && code <= 0xDFFF))
      complain("unknown escape in a string");
    at_ += 4;
    return utf8::encode(code);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string text(const Shape& shape) { return "[" + joined(shape, ",") + "]"; }

static std::size_t element_size(const Tensor& tensor) {
  static const std::map<std::string_view, std::size_t> sizes{
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
      {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8}};
  if (const auto size = sizes.find(tensor.dtype); size != sizes.end()) return size->second;
  fail(label(tensor.name) + ": unknown dtype '" + excerpt(tensor.dtype) + "'");
}

// Throws when the product overflows.
static std::size_t byte_count(const Tensor& tensor) {
  std::size_t count = element_size(tensor);
  for (const std::size_t n : tensor.shape) {
    if (n != 0 && count > std::size_t(-1) / n) fail(label(tensor.name) + ": shape too large");
    count *= n;
  }
  return count;
}

void File::add(Tensor tensor) {
  const std::string name = label(tensor.name);
  if (tensor.name == "__metadata__") fail(name + ": the name is reserved");
  const std::size_t expected = byte_count(tensor);
  if (tensor.bytes.size() != expected)
    fail(join(name, ": ", tensor.dtype, " of its shape takes ", expected, " bytes, not ",
              tensor.bytes.size()));
  if (!index_.emplace(tensor.name, tensors_.size()).second) fail(name + ": duplicate name");
  tensors_.push_back(std::move(tensor));
}

std::string serialize(const File& file) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : file.tensors()) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return element_size(*a) > element_size(*b); });

  std::string members;
  for (const auto& [key, value] : file.metadata)
    members += join(members.empty() ? "" : ",", quote(key), ":", quote(value));
  std::string header = members.empty() ? "" : "\"__metadata__\":{" + members + "}";
  std::size_t end = 0;
  for (const Tensor* tensor : order) {
    const std::size_t begin = end;
    end += tensor->bytes.size();
    header +=
        join(header.empty() ? "" : ",", quote(tensor->name), ":{\"dtype\":\"", tensor->dtype,
             "\",\"shape\":", text(tensor->shape), ",\"data_offsets\":", text({begin, end}), "}");
  }
  header = "{" + header + "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > largest_header) fail(join("header of ", header.size(), " bytes is too long"));

  std::string bytes;
  bytes.reserve(8 + header.size() + end);
  append_value(bytes, std::uint64_t{header.size()});
  bytes += header;
  for (const Tensor* tensor : order) bytes += tensor->bytes;
  return bytes;
}

struct Entry {
  Tensor tensor;
  Shape place;
};

static Entry read_entry(Reader& reader, const std::string& name) {
  Entry entry{{name, "", {}, ""}, {}};
  int fields = 0;
  reader.object([&](const std::string& key) {
    ++fields;
    if (key == "dtype") entry.tensor.dtype = reader.string();
    else if (key == "shape") entry.tensor.shape = reader.numbers();
    else if (key == "data_offsets") entry.place = reader.numbers();
    else fail(label(name) + ": unknown field '" + excerpt(key) + "'");
  });
  // None stands twice.
  if (fields != 3) fail(label(name) + ": needs dtype, shape and data_offsets");
  if (entry.place.size() != 2) fail(label(name) + ": data_offsets are not two numbers");
  if (entry.place[0] > entry.place[1]) fail(label(name) + ": data end before they begin");
  return entry;
}

File parse(std::string_view bytes) {
  if (bytes.size() < 8) fail("not a safetensors file: shorter than 8 bytes");
  const auto claimed = value_at<std::uint64_t>(bytes, 0);
  if (claimed > largest_header)
    fail(join("not a safetensors file: claims a header of ", claimed, " bytes, over 100 MB"));
  const auto length = std::size_t(claimed);
  if (length > bytes.size() - 8)
    fail(join("truncated: a header of ", length, " bytes, but only ", bytes.size() - 8, " follow"));
  const std::string_view header = bytes.substr(8, length), data = bytes.substr(8 + length);
  if (header.empty() || header[0] != '{')
    fail("not a safetensors file: the header does not begin with '{'");

  File file;
  std::vector<Entry> entries;
  Reader reader(header);
  reader.object([&](const std::string& name) {
    if (name != "__metadata__") entries.push_back(read_entry(reader, name));
    else reader.object([&](const std::string& key) { file.metadata[key] = reader.string(); });
  });
  reader.end();

  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.place < b.place; });
  std::size_t at = 0;
  for (Entry& entry : entries) {
    const std::size_t begin = entry.place[0], end = entry.place[1];
    const std::string name = label(entry.tensor.name);
    if (begin > at) fail(name + ": a hole before its data");
    if (begin < at) fail(name + ": its data overlap another tensor's");
    if (end > data.size()) fail(name + ": truncated, its data lie past the end of the file");
    entry.tensor.bytes = data.substr(begin, end - begin);
    file.add(std::move(entry.tensor));
    at = end;
  }
  if (at != data.size()) fail(join(data.size() - at, " bytes after the last tensor"));
  return file;
}

void save(const std::string& path, const File& file) { write_file(path, serialize(file)); }

File load(const std::string& path) {
  constexpr double times = 4;  // bytes, tensors, a model, its copy
  return parse_file(path, times, parse);
}

}  // namespace safetensors
