// Tests common/support/flags.hpp: every kind of flag with right and wrong values, and the exit status of a program.
// Run: make test, or build/tests/test_flags
// SPDX-License-Identifier: MIT
#include <limits>

#include "common/support/flags.hpp"
#include "common/support/terminal.hpp"
#include "common/support/words.hpp"
#include "tests/check.hpp"

Flags flags_of(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return Flags(int(words.size()), words.data(), "program", "a test");
}

// Asks for all flags of a small program, as a lesson does.
struct Asked {
  bool quick;
  std::string out;
  long steps;
  std::uint64_t seed;
  double rate;
};
Asked ask(const std::vector<const char*>& words) {
  Flags flags = flags_of(words);
  Asked a{flags.toggle("--quick", "short"), flags.text("--out", "DIR", "here", "folder"),
          flags.count<long>("--steps", 7, 1, 1000, "steps"),
          flags.count<std::uint64_t>("--seed", 1, 0, std::numeric_limits<std::uint64_t>::max(), "seed"),
          flags.real("--lr", 0.5, 0, 100, "rate")};
  flags.finish();
  return a;
}

void right_values(Checks& check) {
  const Asked none = ask({});
  check.that(!none.quick && none.out == "here" && none.steps == 7 && none.seed == 1 && none.rate == 0.5, "defaults");
  const Asked all = ask({"--lr", "1e-2", "--seed", "18446744073709551615", "--steps", "1000", "--out", "-", "--quick"});
  check.that(all.quick && all.out == "-", "a toggle and a text, in any order");
  check.that(all.steps == 1000, "the largest count that is allowed");
  check.that(all.seed == std::numeric_limits<std::uint64_t>::max(), "the largest count that there is");
  check.that(all.rate == 1e-2, "a number in powers of ten");
  check.that(ask({"--lr", "100"}).rate == 100, "the largest number that is allowed");
  Flags flags = flags_of({"--seed", "1"});
  check.that(flags.given("--seed") && !flags.given("--steps") && !flags.given("--see"), "given");
}

void wrong_values(Checks& check) {
  const auto refused = [&](const std::vector<const char*>& words, const std::string& message) {
    check.throws<UserError>([&] { ask(words); }, message, message);
  };
  refused({"--stesp", "1"}, "unknown flag '--stesp' (--help lists the flags)");
  refused({"-q"}, "unknown flag '-q'");
  refused({"word"}, "stray word 'word'");
  refused({"--quick", "word"}, "stray word 'word'");
  refused({"--steps"}, "--steps needs a value");
  refused({"--steps", "--quick"}, "--steps needs a value");
  refused({"--out", ""}, "--out needs a value");
  refused({"--steps", "1", "--steps", "2"}, "--steps stands twice");
  refused({"--quick", "--quick"}, "--quick stands twice");
  for (const char* text : {"abc", "1.5", "1e3", "-", "1-", " 1", "1 ", "+1", "0x10"})
    refused({"--steps", text}, std::string("--steps: '") + text + "' is not a whole number");
  for (const char* text : {"0", "-1", "1001", "99999999999999999999", "-99999999999999999999"})
    refused({"--steps", text}, std::string("--steps: '") + text + "' is not between 1 and 1000");
  for (const char* text : {"-1", "18446744073709551616"})
    refused({"--seed", text}, std::string("--seed: '") + text + "' is not between 0 and 18446744073709551615");
  for (const char* text : {"nan", "inf", "-inf", "1e999", "abc", "1x", " 1", "1 ", "\t1", "0x1", "1-", "."})
    refused({"--lr", text}, std::string("--lr: '") + text + "' is not a finite number");
  for (const char* text : {"0", "-1", "100.1"})
    refused({"--lr", text}, std::string("--lr: '") + text + "' is not above 0 and at most 100");
}

void statuses(Checks& check) {
  struct Case {
    int (*body)();
    int status;
  };
  for (const auto& [body, status] : {Case{[] { return 5; }, 5},
                                     {[]() -> int { throw Finished{3}; }, 3},
                                     {[]() -> int { throw UserError("expected here"); }, 2},
                                     {[]() -> int { throw std::bad_alloc(); }, 2},
                                     {[]() -> int { throw std::logic_error("expected here"); }, 1},
                                     {[]() -> int { return int(ask({"--help"}).steps); }, 0},
                                     {[]() -> int { return int(ask({"--version"}).steps); }, 0},
                                     {[]() -> int {
                                        return int(ask({"--version", "--no-such"}).steps);
                                      },
                                      0}})
    check.that(run_program("program", body) == status, "status " + std::to_string(status));
}

void blaming(Checks& check) {
  check.that(blame("--x", [] { return 5; }) == 5, "blame returns what the function returns");
  const auto says = [&](const std::string& words, auto f) { check.throws<UserError>(f, words, words); };
  says("--x: no file", [] { blame("--x", []() -> int { throw std::runtime_error("no file"); }); });
  says("--x: no symbol", [] { blame("--x", []() -> int { throw std::invalid_argument("no symbol"); }); });
  says("--x: there is not enough memory", [] { blame("--x", []() -> int { throw std::bad_alloc(); }); });
  check_memory("--x", terminal::memory() / 2);
  says("--x, --y: about ", [] { check_memory("--x, --y", 2 * terminal::memory()); });
  says("--x: about 1000000000 GB of memory would be needed, and", [] { check_memory("--x", 1e18); });

  flags_of({"--export", "x"}).alone("--export");
  flags_of({"--seed", "5", "--quick"}).alone("--export");
  flags_of({"--export", "x", "--help"}).alone("--export");
  const Flags behind = flags_of({"--export", "x", "--seed", "5"}), before = flags_of({"--quick", "--export", "x"});
  says("--export stands alone: --seed would have no effect", [&] { behind.alone("--export"); });
  says("--export stands alone: --quick", [&] { before.alone("--export"); });
}

int main() {
  Checks check;
  right_values(check);
  wrong_values(check);
  statuses(check);
  blaming(check);
  return check.done("test_flags");
}
