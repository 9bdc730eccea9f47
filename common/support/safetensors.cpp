// SPDX-License-Identifier: MIT
#include "common/support/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "common/support/file.hpp"
#include "common/support/json.hpp"

namespace safetensors {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::string label(const std::string& name) { return "tensor " + json::shown(name); }

// Returns the format's name for T.
template <class T>
constexpr const char* dtype_of() {
  return std::is_same_v<T, float> ? "F32" : std::is_same_v<T, double> ? "F64" : "I64";
}

std::size_t element_size(const Tensor& tensor) {
  if (tensor.dtype == "F32") return 4;
  if (tensor.dtype == "F64" || tensor.dtype == "I64") return 8;
  fail(label(tensor.name) + ": unknown dtype " + json::shown(tensor.dtype));
}

// Counts the bytes that a tensor takes. Throws where the product overflows.
std::size_t byte_count(const Tensor& tensor) {
  std::size_t count = element_size(tensor);
  for (const std::size_t n : tensor.shape) {
    if (n != 0 && count > std::size_t(-1) / n) fail(label(tensor.name) + ": shape too large");
    count *= n;
  }
  return count;
}

// The unsigned integer as wide as T, whose shifts see the same bytes on every host.
template <class T>
using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
void append_value(std::string& bytes, T value) {
  const auto word = std::bit_cast<Word<T>>(value);
  for (std::size_t k = 0; k < sizeof(T); ++k) bytes += static_cast<char>(word >> 8 * k & 0xFF);
}

template <class T>
T value_at(std::string_view bytes, std::size_t at) {
  Word<T> word = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k) word |= Word<T>{static_cast<unsigned char>(bytes[at + k])} << 8 * k;
  return std::bit_cast<T>(word);
}

// What the header says about one tensor, whose bytes are still to be filled in, and where these begin and end.
struct Entry {
  Tensor tensor;
  Shape place;
};

Entry read_entry(json::Reader& reader, const std::string& name) {
  Entry entry{{name, "", {}, ""}, {}};
  int fields = 0;
  reader.object([&](const std::string& key) {
    ++fields;
    if (key == "dtype") entry.tensor.dtype = reader.string();
    else if (key == "shape") reader.array([&] { entry.tensor.shape.push_back(reader.number()); });
    else if (key == "data_offsets") reader.array([&] { entry.place.push_back(reader.number()); });
    else fail(label(name) + ": unknown field " + json::shown(key));
  });
  if (fields != 3) fail(label(name) + ": needs dtype, shape and data_offsets");  // none stands twice
  if (entry.place.size() != 2) fail(label(name) + ": data_offsets are not two numbers");
  if (entry.place[0] > entry.place[1]) fail(label(name) + ": data end before they begin");
  return entry;
}

}  // namespace

std::string text(const Shape& shape) {
  std::string list;
  for (const std::size_t n : shape) list += (list.empty() ? "" : ",") + std::to_string(n);
  return "[" + list + "]";
}

void File::add(Tensor tensor) {
  const std::string name = label(tensor.name);  // throws for what is not UTF-8
  if (tensor.name == "__metadata__") fail(name + ": the name is reserved");
  const std::size_t expected = byte_count(tensor);
  if (tensor.bytes.size() != expected)
    fail(name + ": " + tensor.dtype + " of its shape takes " + std::to_string(expected) + " bytes, not " +
         std::to_string(tensor.bytes.size()));
  if (!index_.emplace(tensor.name, tensors_.size()).second) fail(name + ": duplicate name");
  tensors_.push_back(std::move(tensor));
}

const Tensor& File::at(const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) fail("no " + label(name));
  return tensors_[found->second];
}

void File::check_shape(const std::string& name, const Shape& shape) const {
  if (at(name).shape != shape)
    fail(label(name) + " is " + text(at(name).shape).substr(0, 60) + ", expected " + text(shape));
}

template <class T>
std::vector<T> File::values(const std::string& name) const {
  const Tensor& tensor = at(name);
  if (tensor.dtype != dtype_of<T>()) fail(label(name) + " is " + tensor.dtype + ", expected " + dtype_of<T>());
  std::vector<T> result(tensor.bytes.size() / sizeof(T));
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = value_at<T>(tensor.bytes, k * sizeof(T));
  return result;
}

template <class T>
void File::add_numbers(const std::string& name, const Shape& shape, std::span<const T> values) {
  Tensor tensor{name, dtype_of<T>(), shape, {}};
  tensor.bytes.reserve(values.size() * sizeof(T));
  for (const T value : values) append_value(tensor.bytes, value);
  add(std::move(tensor));
}

void File::add(const std::string& n, const Shape& s, std::span<const float> values) { add_numbers(n, s, values); }
void File::add(const std::string& n, const Shape& s, std::span<const double> values) { add_numbers(n, s, values); }
void File::add(const std::string& n, const Shape& s, std::span<const std::int64_t> values) {
  add_numbers(n, s, values);
}

template std::vector<float> File::values(const std::string& name) const;
template std::vector<double> File::values(const std::string& name) const;
template std::vector<std::int64_t> File::values(const std::string& name) const;

// Wider types come first, so that every tensor is aligned to its element, as some readers need.
std::string serialize(const File& file) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : file.tensors()) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return element_size(*a) > element_size(*b); });

  std::string members;
  for (const auto& [key, value] : file.metadata)
    members += (members.empty() ? "" : ",") + json::quote(key) + ":" + json::quote(value);
  std::string header = members.empty() ? "" : "\"__metadata__\":{" + members + "}";
  std::size_t end = 0;
  for (const Tensor* tensor : order) {
    const std::size_t begin = std::exchange(end, end + tensor->bytes.size());
    header += (header.empty() ? "" : ",") + json::quote(tensor->name) + ":{\"dtype\":\"" + tensor->dtype +
              "\",\"shape\":" + text(tensor->shape) + ",\"data_offsets\":" + text({begin, end}) + "}";
  }
  header = "{" + header + "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > largest_header) fail("header of " + std::to_string(header.size()) + " bytes is too long");

  std::string bytes;
  bytes.reserve(8 + header.size() + end);
  append_value(bytes, std::uint64_t{header.size()});
  bytes += header;
  for (const Tensor* tensor : order) bytes += tensor->bytes;
  return bytes;
}

File parse(std::string_view bytes) {
  if (bytes.size() < 8) fail("not a safetensors file: shorter than 8 bytes");
  const auto claimed = value_at<std::uint64_t>(bytes, 0);
  if (claimed > largest_header)
    fail("not a safetensors file: claims a header of " + std::to_string(claimed) + " bytes, over 100 MB");
  const auto length = static_cast<std::size_t>(claimed);
  if (length > bytes.size() - 8)
    fail("truncated: a header of " + std::to_string(length) + " bytes, but only " + std::to_string(bytes.size() - 8) +
         " follow");
  const std::string_view header = bytes.substr(8, length), data = bytes.substr(8 + length);
  if (header.empty() || header[0] != '{') fail("not a safetensors file: the header does not begin with '{'");

  File file;
  std::vector<Entry> entries;
  json::Reader reader(header);
  reader.object([&](const std::string& name) {
    if (name != "__metadata__") entries.push_back(read_entry(reader, name));
    else reader.object([&](const std::string& key) { file.metadata[key] = reader.string(); });
  });
  reader.end();

  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.place < b.place; });
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
  if (at != data.size()) fail(std::to_string(data.size() - at) + " bytes after the last tensor");
  return file;
}

void save(const std::string& path, const File& file) { write_file(path, serialize(file)); }

File load(const std::string& path) {
  const std::string bytes = read_file(path, 4);  // bytes, tensors, a model of them and its copy
  try {
    return parse(bytes);
  } catch (const std::runtime_error& error) {
    fail("cannot read '" + path + "': " + error.what());
  }
}

}  // namespace safetensors
