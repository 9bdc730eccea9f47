// What an older Emscripten lacks of C++20; read before every file of the web build.
// SPDX-License-Identifier: MIT
#pragma once
#include <bit>

#if !defined(__cpp_lib_bit_cast)
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif
