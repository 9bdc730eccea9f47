// The checks of exercises: what a reader's function returned or threw, beside what it must be.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <map>
#include <set>
#include <stdexcept>

#include "common/frame/text/words.hpp"
#include "common/gradcheck.hpp"

namespace exercise {

// ---------------------------------------------------------------------------------- what is thrown

// Returns what an exception says; of a misfit product, also which factor to transpose.
std::string thrown(const std::string& says);

// What a function returned, or threw, so that the rest is checked, too.
template <class Result>
struct Attempt {
  Result value = {};
  std::string thrown = {};

  std::string or_else(const std::string& diagnosis) const {
    return thrown.empty() ? diagnosis : thrown;
  }
};

template <class Call>
auto attempt(Call call) -> Attempt<decltype(call())> {
  try {
    return {call(), ""};
  } catch (const std::exception& error) {
    return {{}, thrown(error.what())};
  }
}

// ------------------------------------------------------------------------------------------- slips

// A solution and its known slips are one text: a slip stands behind the line that it spoils,
//   double rows = double(Y.rows());
//   slip(rows, 1.0, "the loss is a mean: divide by the number of rows");
// and does nothing until active. So a wrong answer is our solution with a slip or two, and `make
// solution` prints the text without them.
struct Slips {
  using Place = std::pair<std::string, int>;  // file and line of the statement

  std::map<Place, std::string> known;  // met so far, with their causes
  std::vector<Place> active;
  bool tested = false;
  std::map<Place, bool> tried;  // whether it spoilt an answer
  int unnamed = 0;
};

inline Slips& slips() {
  static Slips all;
  return all;
}

// Where this slip is active, makes `value` the wrong one, or what `wrong()` returns.
template <class T, class Wrong>
void slip(T& value, Wrong wrong, const char* cause, const char* file = __builtin_FILE(),
          int line = __builtin_LINE()) {
  const Slips::Place place{file, line};  // clang++ 14 has no std::source_location
  slips().known.try_emplace(place, cause);
  if (std::find(slips().active.begin(), slips().active.end(), place) == slips().active.end())
    return;
  if constexpr (std::is_invocable_v<Wrong>) value = wrong();
  else value = T(std::move(wrong));
}

// Returns ours() while these slips are active.
template <class Ours>
auto with_slips(const Ours& ours, std::vector<Slips::Place> places) {
  struct Active {
    ~Active() { slips().active.clear(); }
  } const until_the_end;
  slips().active = std::move(places);
  return ours();
}

// Returns the cause of the slip, or of two, with which ours() equals `yours`, if any.
template <class Yours, class Ours, class Same>
std::string cause_of(const Yours& yours, const Ours& ours, const Same& same) {
  slips().known.clear();
  with_slips(ours, {});
  const std::map<Slips::Place, std::string> known = slips().known;
  const auto explain = [&](const std::vector<Slips::Place>& places) {
    try {
      return same(with_slips(ours, places), yours);
    } catch (const std::exception&) {  // is no answer of a reader's
      return false;
    }
  };
  for (const auto& [place, cause] : known)
    if (explain({place})) return cause;
  for (const auto& [one, cause] : known)
    for (const auto& [other, also] : known)
      if (one < other && explain({one, other})) return cause + "; and " + also;
  return "";
}

void complain(const Slips::Place& place, const std::string& cause, const std::string& diagnosis);

// Activates each slip of ours() in turn. Where it spoils this answer, the first slip with the same
// answer must have its cause.
template <class Ours, class Same, class Passes>
void test_slips(const Ours& ours, const Same& same, const Passes& passes) {
  slips().known.clear();
  const auto right = with_slips(ours, {});
  std::vector<std::pair<std::string, decltype(ours())>> answers;
  for (const auto& [place, cause] : std::map(slips().known)) {
    bool& spoils = slips().tried[place];
    const auto answer = attempt([&, at = place] { return with_slips(ours, {at}); });
    std::string diagnosis = answer.thrown;
    if (diagnosis.empty()) {
      answers.emplace_back(cause, answer.value);
      if (passes(answer.value, right)) continue;
      const auto first = std::find_if(answers.begin(), answers.end(), [&](const auto& other) {
        return same(other.second, answer.value);
      });
      if (first != answers.end()) diagnosis = first->first;
    }
    spoils = true;
    if (diagnosis != cause) complain(place, cause, diagnosis);
  }
}

// ----------------------------------------------------------------------------------------- answers

// What a reader computed, and what it must be. `places` name entries better than name(row,col).
struct Answer {
  std::string name;
  Matrix<double> yours, right;
  std::vector<std::string> places = {};

  std::string entry(std::size_t i, std::size_t j) const;
};

struct Tolerance {
  double relative;    // error, as in common/gradcheck.hpp
  const char* title;  // of the trusted number: "numeric", "right"
};

// Numeric gradients are right to 1e-9, wrong derivations err by over 1e-4 (lesson 1, section 4).
inline constexpr Tolerance numeric{1e-7, "numeric"};

// Two ways to compute a sum differ by 1e-13 here, mistakes by over 1e-3.
inline constexpr double rounding = 1e-11;

// NaN and infinity never agree, as their relative error is NaN.
bool agrees(const Matrix<double>& yours, const Matrix<double>& right, double tolerance);

// Tells whether the answer is zeros, as a stub returns.
bool untouched(const Answer& a);

// Returns "yours 0.31, numeric -0.31", with enough digits to see the difference.
std::string two_values(double yours, double right, const char* title);

// Says what of an answer cannot be compared, if anything: its shape, or a NaN.
std::string misfit_of(const Answer& a);

// Says what is wrong, if anything: shape, a NaN, a sign, a factor, the transpose, rows, an entry.
std::string diagnose(const Answer& a, const Tolerance& tolerance);

// Says which slip of ours() gives the same numbers, or numbers as `near`; else the same as above.
template <std::invocable Ours>
std::string diagnose(const Answer& answer, const Tolerance& tolerance, const Ours& ours,
                     double near = rounding) {
  const auto same = [=](const Matrix<double>& a, const Matrix<double>& b) {
    return agrees(a, b, near);
  };
  if (slips().tested)
    test_slips(ours, same, [&](const auto& yours, const auto& wanted) {
      return agrees(yours, wanted, tolerance.relative);
    });
  const std::string text = diagnose(answer, tolerance);
  const std::string cause = text.empty() ? "" : cause_of(answer.yours, ours, same);
  return cause.empty() ? text : cause;
}

// ---------------------------------------------------------------------------------------- verdicts

enum class State { done, not_started, wrong };

// What a check says of an answer. The findings, a line each, may be of code as given, too.
struct Assessment {
  State state = State::done;
  std::string findings = {};
  std::string printed = {};  // by the reader's code
};

inline Assessment done(const std::string& findings = "") { return {State::done, findings}; }
inline Assessment not_started(const std::string& findings = "") {
  return {State::not_started, findings};
}
inline Assessment wrong(const std::string& findings) { return {State::wrong, findings}; }

class Findings {
 public:
  // Adds a diagnosis, which is empty where `name` is right.
  void add(const std::string& name, const std::string& text);

  // Adds the diagnosis of a function's result; a wrong shape bears the function's name.
  template <class... Ours>
  void add(const std::string& function, const Answer& answer, const Tolerance& tolerance,
           const Ours&... ours) {
    const bool fits = answer.yours.shape() == answer.right.shape();
    add(fits ? answer.name : function + ", " + answer.name, diagnose(answer, tolerance, ours...));
  }

  Assessment verdict() const;

 private:
  std::string right_, wrong_;
};

// Returns done when all answers agree, not started when all are zero.
Assessment compare(const std::vector<Answer>& answers, const Tolerance& tolerance);

// For "find the bug": code that does what was given is not started; its finding is a clue.
Assessment unless_as_given(Assessment verdict, bool as_given);

// Calls the reader's function; what it throws bears the function's name.
template <class Call>
auto calling(const std::string& function, Call call) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw std::runtime_error(function + ": " + error.what());
  }
}

// Returns d loss / d tensor, by moving each entry.
template <class Loss>
Matrix<double> numeric_gradient(Matrix<double>& tensor, Loss loss, Step step = Step::smooth) {
  Matrix<double> gradient(tensor.rows(), tensor.cols());
  const std::vector<gradcheck::Slope> slopes = gradcheck::slopes(tensor, loss, step);
  for (std::size_t k = 0; k < slopes.size(); ++k) gradient.values()[k] = slopes[k].value;
  return gradient;
}

struct Misreading {
  double value;
  std::string reason;
};

// A number that the reader wrote down before it was computed; NaN until then.
struct Prediction {
  std::string name;
  double yours, truth, tolerance;
  std::vector<Misreading> misreadings = {};
};

// Says why a prediction is wrong, if it is, without the answer.
std::string diagnose(const Prediction& p);

Assessment compare(const std::vector<Prediction>& predictions);

// Each file of answers/ has one constant, which exercises() then lists.
struct Exercise {
  std::string number, title;  // "1.2", at most 40 columns
  Assessment (*check)();
  std::string broken;  // why there is no program of it

  Exercise(const char* number, const char* title, Assessment (*check)(), const char* broken = "");
};

// All of the program, in any order.
std::vector<Exercise>& exercises();

Assessment run(const Exercise& exercise);

// Runs in a process of its own: what crashes or does not end spoils no other exercise.
Assessment run_apart(const Exercise& exercise, int seconds);

// Returns the first division of whole numbers in a reader's text, such as "1 / Y.size()": of
// digits, counts, and names that it declares.
std::string whole_division(const std::string& text);

// Returns the first number with a decimal comma, such as "0,5" in `1 / (0,5 * a)`. The commas of
// calls, lists and indices separate.
std::string decimal_comma(const std::string& text);

// Tells whether the text calls abs, which without std:: may cut off what is behind the point.
bool calls_plain_abs(const std::string& text);

// Tells whether the text reads what somebody types.
bool waits_for_input(const std::string& text);

// Adds what the reader's text, where it is known, gives away: the three above, or that code which
// still does what was given has lost its TODO, and so is wrong.
Assessment with_advice(Assessment verdict, const std::string& text);

// Returns "1.2 Two slopes of swish ............. done", with longer findings below it.
std::string report(const Exercise& exercise, const Assessment& verdict);

// The program that checks a lesson's exercises. Returns its exit status: 0, all are done; 1, not
// all; 2, a wrong flag.
int check_exercises(int argc, char** argv);

}  // namespace exercise
