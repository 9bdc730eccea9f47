// What the harnesses share: input piece by piece, properties that must hold, errors that may be thrown.
// SPDX-License-Identifier: MIT
#pragma once
#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

using Input = FuzzedDataProvider;

// Ends the program, which is a finding, unless a property holds.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "property does not hold: %s\n", property);
  std::abort();
}

// Runs f and tells whether it threw an Error, whose message must be one line. Any other exception is a finding.
template <class Error = std::runtime_error, class F>
bool refused(F f) {
  try {
    f();
    return false;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    require(!message.empty(), "an error says what is wrong");
    require(message.find('\n') == std::string_view::npos, "an error is one line");
    return true;
  }
}

// Runs f where no error will do any more, such as on what was accepted before: any ends the program, a finding.
template <class F>
auto succeeds(F f) noexcept {
  return f();
}

// Returns what is left of the input as text.
inline std::string rest(Input& in) { return in.ConsumeRemainingBytesAsString(); }
