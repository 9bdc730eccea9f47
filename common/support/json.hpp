// The little JSON that a safetensors header needs: objects, arrays, strings and whole numbers, read strictly (RFC
// 8259). The caller asks for what its grammar wants next, so nesting is as deep as the caller's code and no deeper.
// Errors are std::runtime_error; those of the reader say at which byte of the text.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace json {

// Returns the text as a JSON string with its quotes, on one line: control characters are escaped. Throws where text is
// not UTF-8.
std::string quote(std::string_view text);

// Quotes a name from outside for a message: one line of bounded length. Throws like quote.
std::string shown(std::string_view text);

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Reads an object; each(key) is called after the colon and must read the value. A key that stands twice is refused.
  void object(const std::function<void(const std::string& key)>& each);

  // Reads an array; each() must read one element.
  void array(const std::function<void()>& each);

  // Reads a string and returns it in UTF-8, escapes resolved.
  std::string string();

  // Reads a number that must be whole, not negative, and representable.
  std::size_t number();

  // Throws unless only spaces follow. To be called after the outermost value.
  void end();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void skip_space();
  bool take(char c);
  void expect(char c);
  char next();
  std::string escape();  // what stands after a backslash
  unsigned four_hex_digits();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace json
