// What an older Emscripten lacks of C++20; read before every file of the web build.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>

#if !defined(__cpp_lib_bit_cast)
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
namespace std::ranges {

template <class Range, class... Less>
auto max_element(Range&& range, Less... less) {
  return std::max_element(range.begin(), range.end(), less...);
}
template <class Range>
auto max(Range&& range) {
  return *std::max_element(range.begin(), range.end());
}
template <class Range, class To>
void copy(Range&& range, To to) {
  std::copy(range.begin(), range.end(), to);
}

}  // namespace std::ranges
#endif
