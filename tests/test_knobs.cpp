// Tests common/support/knobs.hpp and common/page/page.hpp: values, ranges, what is refused, and the form.
// SPDX-License-Identifier: MIT
#include "common/page/page.hpp"
#include "common/support/flags.hpp"
#include "common/support/knobs.hpp"
#include "tests/check.hpp"

using namespace knob;

namespace {

constexpr Real gain{"gain", "n·Var W", 2, {0.5, 4, 0.25}};
constexpr Whole steps{"steps", "steps of the training", 100, {1, 1000, 1}};
constexpr Choice phi{"phi", "activation", {"relu", "tanh"}};
constexpr Numbers weights{"w", "two weights", {1, -0.5}, {-3, 3, 0.5}};
constexpr Cells picture{"picture", "a drawing", "0123", 2};
constexpr TextFile text{"text", "what is learned"};

struct Asked {
  Settings settings;
  std::string wrong;
};

// What a program with the flag --steps and knobs in parts 1 and 2 makes of these words.
Asked ask(std::vector<const char*> words, std::optional<int> part) {
  words.insert(words.begin(), "program");
  Flags flags(int(words.size()), words.data(), "program", "test");
  try {
    flags.count<long>("--steps", 5, 1, 1'000'000, "steps");
    Asked found{ask_for_knobs(flags, part, {{1, {&gain, &phi, &weights, &steps}}, {2, {&gain, &picture, &text}}}), ""};
    flags.finish();
    return found;
  } catch (const UserError& error) {
    return {{}, error.what()};
  }
}

void values(Checks& check) {
  const Asked none = ask({}, 1);
  check.that(none.wrong.empty() && !none.settings.turned() && none.settings.standard(),
             "nothing named, nothing turned");
  check.that(none.settings[gain] == 2 && none.settings[phi] == 0 && none.settings[steps] == 100, "the standards");
  check.that(none.settings[weights] == std::vector<double>{1, -0.5}, "the standards of several numbers");
  const Asked some = ask({"--gain", "0.5", "--phi", "tanh", "--w", "3,-3"}, 1);
  check.that(some.settings[gain] == 0.5 && some.settings[phi] == 1, "the lowest value, the second choice");
  check.that(some.settings[weights] == std::vector<double>{3, -3}, "several numbers");
  check.that(some.settings.turned() && !some.settings.standard(), "turned, and away from the standards");
  const Asked same = ask({"--gain", "2"}, 1);
  check.that(same.settings.turned() && same.settings.standard(), "turned to where it stood");
  const Asked shared = ask({"--steps", "7"}, 1);
  check.that(!shared.settings.turned() && shared.settings.standard() && shared.settings[steps] == 7,
             "a flag that all parts have does not turn by itself");
  check.that(ask({"--steps", "1001"}, 1).wrong.empty(), "and may go further than the knob");
  check.that(ask({"--steps", "7", "--gain", "3"}, 1).settings.turned(), "but does beside another");
  const Asked second = ask({"--picture", "9900", "--text", "a.txt"}, 2);
  check.that(second.settings[picture] == std::vector<double>{1, 1, 0, 0} && second.settings[text] == "a.txt",
             "a drawing and a file");
  bool thrown = false;
  try {
    second.settings[phi];
  } catch (const std::logic_error&) {
    thrown = true;
  }
  check.that(thrown, "a knob of another part has no value");
}

void refused(Checks& check) {
  const auto says = [&](const std::vector<const char*>& words, std::optional<int> part, const std::string& wanted) {
    const std::string wrong = ask(words, part).wrong;
    check.that(wrong == wanted, wanted + " / " + wrong);
  };
  says({"--gain", "0.49"}, 1, "--gain: '0.49' is not between 0.5 and 4");
  says({"--gain", "nan"}, 1, "--gain: 'nan' is not a finite number");
  says({"--gain"}, 1, "--gain needs a value");
  says({"--steps", "2.5"}, 1, "--steps: '2.5' is not a whole number");
  says({"--gain", "1", "--steps", "1001"}, 1, "--steps: '1001' is not between 1 and 1000");
  says({"--phi", "Tanh"}, 1, "--phi: 'Tanh' is none of relu,tanh");
  says({"--w", "1"}, 1, "--w: '1' is not 2 numbers with commas between them");
  says({"--w", "1,"}, 1, "--w: '1,' has '', which is not a finite number");
  says({"--w", "1,4"}, 1, "--w: '1,4' has '4', which is not between -3 and 3");
  says({"--picture", "012"}, 2, "--picture: '012' is not 4 digits from 0 to 9");
  says({"--picture", "012x"}, 2, "--picture: '012x' is not 4 digits from 0 to 9");
  says({"--phi", "tanh"}, 2, "--phi is a knob of part 1: it goes with --part 1");
  says({"--picture", "0000"}, {}, "--picture is a knob of part 2: it goes with --part 2");
  says({"--gian", "1"}, 1, "unknown flag '--gian' (--help lists the flags)");
}

void form(Checks& check) {
  const std::string html = page::panel(4, 1, "a < b?", {&gain, &phi, &weights, &picture, &text});
  for (const char* part : {"id=\"knobs1\" data-lesson=\"4\" data-part=\"1\">", "a &lt; b?",
                           "<input type=\"range\" min=\"0.5\" max=\"4\" step=\"0.25\" value=\"2\" aria-label=\"gain\">",
                           "<option>relu</option><option>tanh</option>", "value=\"-0.5\" aria-label=\"w, number 2\"",
                           "data-side=\"2\"", "<textarea name=\"text\"",
                           "make lesson4 ARGS=\"--part 1 --gain 2 --phi relu --w 1,-0.5 --picture 0123\"</code>"})
    check.that(html.find(part) != std::string::npos, std::string("the form has ") + part);
  check.that(page::panel(4, 2, "", {}).find("data-part=\"2\" hidden>") != std::string::npos,
             "a form without knobs is hidden");
}

}  // namespace

int main() {
  Checks check;
  values(check);
  refused(check);
  form(check);
  return check.done("test_knobs");
}
