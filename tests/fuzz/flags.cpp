// Fuzzes the flags of the lessons, a word a line of the input; what is accepted lies in its range.
// SPDX-License-Identifier: MIT
#include "common/support/flags.hpp"

#include <sstream>

#include "common/support/lesson.hpp"
#include "lessons/2_bengio_mlp/run/flags.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"
#include "lessons/6_bma/run/flags.hpp"
#include "tests/fuzz/hostile.hpp"

static void ask(int lesson, Flags& flags) {
  if (lesson == 2) {
    const lesson2::BengioFlags f = lesson2::bengio_flags(flags);
    require(f.context >= 1 && f.context <= 64 && f.temperature > 0, "lesson 2: sizes lie in their range");
    lesson2::check_fits(f, 2);
  }
  const std::string name = "lesson" + std::to_string(lesson);
  std::optional<lesson3::OwnFlags> own;
  if (lesson == 3) own = lesson3::own_flags(flags);
  if (lesson == 5) require(lesson5::folding_flags(flags).rate > 0, "lesson 5: a rate is positive");
  if (lesson == 6) require(lesson6::bma_flags(flags).dropout.value_or(0) >= 0, "lesson 6: dropout is not negative");
  const Options options = common_options(flags, name, 1, 9);
  require(options.threads >= 1 && options.threads <= 256 && options.lesson == lesson,
          "common flags lie in their range");
  require(!options.part || (*options.part >= 1 && *options.part <= 9), "a part is there");
  flags.finish();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const int lesson = in.ConsumeIntegralInRange(1, 6);
  std::istringstream lines(rest(in));
  std::vector<std::string> words = {"lesson"};
  for (std::string word; std::getline(lines, word) && words.size() < 40;)
    words.push_back(word.substr(0, word.find('\0')));
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    Flags flags(int(argv.size()), argv.data(), "lesson", "fuzzed");
    ask(lesson, flags);
  } catch (const UserError&) {  // a value may hold a line break, which run_program shows as a space
  } catch (const Finished& finished) {
    require(finished.status == 0, "--help and --version succeed");
  }
  return 0;
}
