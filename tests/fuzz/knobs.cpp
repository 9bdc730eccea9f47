// Fuzzes the values of knobs of each kind; what is accepted lies in the knob's travel.
// SPDX-License-Identifier: MIT
#include "common/support/knobs.hpp"

#include "common/support/flags.hpp"
#include "tests/fuzz/hostile.hpp"

static constexpr knob::Real real("real", "a number", 1, {-2, 3, 0.1});
static constexpr knob::Whole whole("whole", "a whole number", 4, {1, 1000, 1});
static constexpr knob::Choice choice("choice", "a name", {"one", "two"});
static constexpr knob::Numbers numbers("numbers", "three numbers", {1, -1, 0}, {-5, 5, 0.5});
static constexpr knob::Cells cells("cells", "a picture", "0123", 2);
static constexpr knob::TextFile file("file", "a file");

static void check(const knob::Settings& values) {
  if (!values.turned()) return;
  require(values[real] >= -2 && values[real] <= 3, "a number lies in its travel");
  require(values[whole] >= 1 && values[whole] <= 1000, "a whole number lies in its travel");
  require(values[choice] < 2, "a choice is one of them");
  require(values[numbers].size() == 3, "numbers are as many as wanted");
  for (const double number : values[numbers]) require(number >= -5 && number <= 5, "each lies in its travel");
  require(values[cells].size() == 4, "cells are as many as wanted");
  for (const double ink : values[cells]) require(ink >= 0 && ink <= 1, "ink lies between 0 and 1");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const int part = in.ConsumeIntegralInRange(0, 3);
  std::vector<std::string> words = {"lesson"};
  while (in.remaining_bytes() > 0 && words.size() < 12) {
    words.push_back(in.PickValueInArray({"--real", "--whole", "--choice", "--numbers", "--cells", "--file"}));
    std::string value = in.ConsumeRandomLengthString(30);
    words.push_back(value.substr(0, value.find('\0')));
  }
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    Flags flags(int(argv.size()), argv.data(), "lesson", "fuzzed");
    const std::map<int, knob::Knobs> knobs = {{1, {&real, &whole, &choice, &numbers, &cells, &file}}, {2, {&real}}};
    const knob::Settings values = ask_for_knobs(flags, part ? std::optional(part) : std::nullopt, knobs);
    if (part == 1) check(values);
    flags.finish();
  } catch (const UserError&) {
  } catch (const Finished&) {
    // A value that is "--help" or "--version".
  }
  return 0;
}
