// Each kind of wrong answer gets its diagnosis, none passes, and no answer stops the program.
// SPDX-License-Identifier: MIT
#include "common/frame/exercise/exercise.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "common/frame/terminal/terminal.hpp"
#include "common/frame/text/words.hpp"
#include "tests/check.hpp"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace test_exercise {

using namespace exercise;

static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                        infinite = HUGE_VAL;
static constexpr double largest = std::numeric_limits<double>::max();
static const Tolerance tolerance{1e-7, "numeric"};
static const Matrix<double> right{{0.5, -1.25}, {2, 0.75}, {-0.31, 4}};

static std::string of(const Matrix<double>& yours, const Matrix<double>& truth = right) {
  return diagnose({"dW", yours, truth}, tolerance);
}

// Replaces one entry of the right matrix.
struct Entry {
  std::size_t row, col;
  double value;
};
static std::string with(const std::vector<Entry>& entries) {
  Matrix<double> yours = right;
  for (const auto& [row, col, value] : entries) yours(row, col) = value;
  return of(yours);
}

static void says(Checks& check, const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [found, expected] : cases) check.equal(found, expected, "a diagnosis");
}

static void matrices(Checks& check) {
  const Matrix<double> zero(3, 2), ones(3, 2, 1), square{{1, 2}, {3, 4}};
  const Answer named{"f", {{1, 2, 4}}, {{1, 2, 3}}, {"f(0)", "f(0.5)", "f(1)"}};
  says(
      check,
      {{of((1 + 1e-8) * right), ""},
       {of(zero, zero), ""},
       {of({{-1000, 1e-8}}, {{-1000, 0}}), ""},  // rounding beside a large entry
       {with({{1, 0, 2.000001}}), "right but for one entry: dW(1,0), yours 2.000001, numeric 2"},
       {of(-1 * right), "right but for the sign of every entry"},
       {of(3 * right), "every entry is 3 times the numeric one: a constant factor"},
       {of(-0.2 * right), "every entry is -1/5 times the numeric one: a constant factor"},
       {of(Matrix<double>(transpose(right))),
        "wrong shape: yours is 2 x 3, it must be 3 x 2: transposed"},
       {of({}), "wrong shape: yours is 0 x 0, it must be 3 x 2"},
       {of(Matrix<double>(transpose(square)), square), "the transpose of the right one"},
       {of(zero), "still all zero"},
       {of(ones, zero), "right shape, wrong values: worst entry dW(0,0), yours 1, numeric 0"},
       {with({{2, 0, 0.31}}),
        "right but for one entry: dW(2,0), yours 0.31, numeric -0.31: a sign"},
       {with({{2, 1, 1}}), "right but for one entry: dW(2,1), yours 1, numeric 4: a factor of 1/4"},
       {with({{1, 1, 0}}), "right but for one entry: dW(1,1), yours 0, numeric 0.75: left at 0"},
       {with({{1, 0, 7}, {0, 1, -9}}),
        "right but for rows 0 and 1: worst entry dW(0,1), yours -9, numeric -1.25"},
       {with({{1, 0, 7}, {0, 0, -9}, {2, 0, 1}}),
        "right but for column 0: worst entry dW(2,0), yours 1, numeric -0.31"},
       {of({{-0.5, 1}, {2.5, 1}, {0.31, 5}}),
        "right shape, wrong values: worst entry dW(0,0), yours -0.5, numeric 0.5"},  // signs differ
       {diagnose(named, tolerance), "right in 2 of 3 places: f(1), yours 4, numeric 3"},
       {with({{2, 1, not_a_number}}), "dW(2,1) is NaN"},
       {of(infinite * ones), "dW(0,0) is infinite; 6 of 6 entries are no finite number"}});
  check.that(of(largest * ones).starts_with("right shape, wrong values"),
             "numbers whose squares overflow");
  check.that(!of(-largest * ones, largest * ones).empty(), "and whose differences do");

  for (std::size_t k = 0; k < right.size(); ++k)
    for (const double value :
         {0.0, -right.values()[k], 1.000001 * right.values()[k], 1e300, infinite, not_a_number}) {
      Matrix<double> yours = right;
      yours.values()[k] = value;
      check.that(compare({{"dW", yours, right}}, tolerance).state == State::wrong,
                 join("entry ", k, " as ", value));
    }
}

static void verdicts(Checks& check) {
  const Matrix<double> zero(3, 2);
  check.that(compare({{"dX", right, right}, {"dW", right, right}}, tolerance).state == State::done,
             "all right");
  check.that(
      compare({{"dX", zero, right}, {"dW", zero, right}}, tolerance).state == State::not_started,
      "all zero");
  const Assessment half = compare({{"dX", right, right}, {"dW", zero, right}}, tolerance);
  check.that(half.state == State::wrong, "half done is not done");
  check.equal(half.findings, "right: dX\ndW: still all zero", "half done");
  check.that(unless_as_given(half, true).state == State::not_started, "a bug as it was given");
  check.that(with_advice(not_started("a clue"), "// TODO\n").findings.empty(),
             "nothing is told before one starts");
  check.that(unless_as_given(half, false).state == State::wrong, "another bug");
  check.that(unless_as_given(done(), true).state == State::done, "what is right is done");

  Matrix<double> x{{1, -2}, {0.5, 3}};
  const Matrix<double> before = x,
                       slopes = numeric_gradient(x, [&] { return dot(x, hadamard(x, x)); });
  check.that(agrees(slopes, map_entries(x, [](double a) { return 3 * a * a; }), 1e-8),
             "the slopes of a sum of cubes");
  check.that(x == before, "the tensor is left as it was");

  const auto fails =
      attempt([]() -> double { throw std::invalid_argument("matmul: 2 x 3 and 2 x 3"); });
  check.equal(
      fails.or_else("a sign"),
      "your code multiplies 2 x 3 by 2 x 3, which does not fit: is the second to be transposed?",
      "attempt");
  check.equal(attempt([] { return 7.0; }).or_else("a sign"), "a sign", "attempt, right");

  const Assessment as_given = not_started("a clue"), zeros = not_started();
  check.that(with_advice(as_given, "// TODO: find it\n").state == State::not_started, "not begun");
  check.that(with_advice(as_given, "").state == State::not_started, "no text: nothing is known");
  const Assessment begun = with_advice(as_given, "return 0;\n"),
                   deleted = with_advice(zeros, "return 0;\n");
  check.that(begun.state == State::wrong, "a bug");
  check.that(begun.findings.starts_with("your change has no effect"), "what is wrong with a bug");
  check.that(deleted.state == State::wrong, "zeros");
  check.that(deleted.findings.starts_with("the line with TODO is gone"),
             "what is wrong with zeros");
  check.that(with_advice(done(), "return 1 / 2;").state == State::done, "what is right is done");
  check.that(has(with_advice(half, "return 1 / 2;").findings, "\nmind: 1 / 2 divides whole"),
             "a division");
}

static void predictions(Checks& check) {
  const auto one = [](double yours, double truth) {
    return diagnose(Prediction{"p", yours, truth, 0.01, {{2.83, "2^loss is for bits"}}});
  };
  const Prediction open{"a", not_a_number, 1, 0.01}, good{"b", 2, 2, 0}, bad{"c", 3, 2, 0};
  says(check,
       {{one(4.48, 4.4817), ""},
        {one(4.44, 4.4817), ""},
        {one(4.43, 4.4817), "too small"},
        {one(4.54, 4.4817), "too large"},
        {one(2.83, 4.4817), "2^loss is for bits"},
        {one(-4.4817, 4.4817), "the sign is wrong"},
        {one(0, 4.4817), "not 0 (if you wrote a fraction: 1 / 3 is 0 in C++, 1.0 / 3 is not)"},
        {one(infinite, 4.4817), "not a finite number"},
        {one(0, 0), ""},
        {diagnose({"p", 1e-15, 1e-6, 0.01, {{1e-12, "another"}}}), "too small"},
        {diagnose({"p", 1e-12, 1e-6, 0.01, {{1e-12, "another"}}}), "another"},
        {one(1e-9, 0), "too large"},
        {compare({good, open, bad}).findings, "right: b\na: not answered yet\nc: too large"}});
  check.that(compare({open, open}).state == State::not_started, "no answers");
  check.that(compare({good, good}).state == State::done, "all answers");
  check.that(compare({good, open}).state == State::wrong, "one answer is not all");
}

static void reports(Checks& check) {
  const Exercise exercise{"1.2", "The slopes of swish", [] { return done(); }};
  const Exercise throws{"9.1", "throws", []() -> Assessment { throw 7; }};
  const std::string start = "1.2 The slopes of swish ........................ ";
  says(check, {{run(throws).findings, "your code threw something that is no std::exception"},
               {report(exercise, done()), start + "done\n"},
               {report(exercise, not_started("a clue")), start + "not started\n    a clue\n"},
               {report(exercise, wrong("a sign")), start + "wrong: a sign\n"},
               {report(exercise, wrong("right: dX\ndW: a sign")),
                start + "wrong:\n    right: dX\n    dW: a sign\n"}});
  std::string findings;
  for (const std::string word : {"ninety", "gradients", "of", "the", "second", "factor"}) {
    findings += findings + word + " ";
    std::istringstream lines(report(exercise, wrong(findings + "\n" + findings)) +
                             report(exercise, wrong(findings)));
    for (std::string line; std::getline(lines, line);)
      check.that(columns_of(line) <= 80, "at most 80 columns");
  }
}

static Matrix<double> ours() {
  double factor = 2;
  slip(factor, 1.0, "the two is missing");
  Matrix<double> Y = factor * right;
  slip(
      Y, [&] { return -1 * Y; }, "the sign");
  slip(
      Y, []() -> Matrix<double> { throw std::invalid_argument("shapes"); }, "never told");
  return Y;
}

static void slipped(Checks& check) {
  const auto diagnosis = [](const Matrix<double>& yours) {
    return diagnose({"Y", yours, 2 * right}, tolerance, ours);
  };
  says(check,
       {{diagnosis(2 * right), ""},
        {diagnosis(right), "the two is missing"},
        {diagnosis(-2 * right), "the sign"},
        {diagnosis(-1 * right), "the two is missing; and the sign"},
        {diagnosis(6 * right), "every entry is 3 times the numeric one: a constant factor"}});
  check.that(ours() == 2 * right, "no slip is left behind");
}

static void divisions(Checks& check) {
  for (const auto& [text, seen] :
       {std::pair{"return 1 / Y.size() * zip(Y);", "1 / Y.size()"},
        {"double x = 3.0 * 5 / 2 + 1/2;", "1/2"},
        {"f(std::size_t in) { return std::sqrt(6 / in); }", "6 / in"},
        {"const std::size_t n = X.rows(); return i/n;", ""},  // i is not declared here
        {"for (int i = 0; i < 9; ++i) w = i/100;", "i/100"},
        {"double r = std::pow(x, 1/3);", "1/3"},
        {"return dY.rows() / H.cols();", "dY.rows() / H.cols()"}})
    check.equal(whole_division(text), seen, std::string("divisions in: ") + text);
  for (const char* fine :
       {"1.0 / Y.size()", "1 / 2.0", "1 / x", "double(n) / double(m)", "// dY / n, 1/2\n", "x / 3",
        "f(double in) { return 6 / in; }", "2.0 * 2 /\n 5", "768.0 / 12 / 5",
        "for (std::size_t i = 0; i < images.labels.size()/10; ++i) f(i);",
        "for (int k = 0; k < 9; ++k) v = w(row, k / 2) + u[k / 2];",
        "const std::size_t tenth = images.labels.size() / 10;"})
    check.equal(whole_division(fine), "", std::string("no division in: ") + fine);
}

static void commas(Checks& check) {
  for (const auto& [text, seen] : {std::pair{"{ return 1/(0,5*(1+a*a)); }", "0,5"},
                                   {"{ return 0,5; }", "0,5"},
                                   {"{ return -1,25 * z; }", "1,25"},
                                   {"{ return std::pow(a, 2)*0,5; }", "0,5"},
                                   {"{ return map(H, [](double h) { return 0,5*h; }); }", "0,5"},
                                   {"{ double x; x = 2 + (a > 0 ? 0,1 : 1); return x; }", "0,1"},
                                   {"{ return (0,5 + a); }", "0,5"},
                                   {"{ f(3,4); return std::exp(-(0,5 * a)); }", "0,5"}})
    check.equal(decimal_comma(text), seen, std::string("a decimal comma in: ") + text);
  for (const char* fine :
       {"{ return W(0,5); }", "{ return f(1,2)*(3 + a); }", "{ return {0,5}; }", "// 0,5\n",
        "{ W = {{1,2},{3,4}}; }", "{ return get<0,1>(a); }", "{ return f[i](1,2) + h()(3,4); }",
        "{ return Matrix<double>(2,3); }", "{ f(1,2); g(3); }", "{ return (0.5 * f(2,3)); }",
        "{ std::array<double,3> a = {1,2,3}; return a[0]; }", ")]}"})
    check.equal(decimal_comma(fine), "", std::string("no decimal comma in: ") + fine);

  check.that(calls_plain_abs("{ return abs(z); }"), "abs");
  for (const char* fine : {"std::abs(z)", "// abs(z)\n", "z.abs()", "fabs(z)", "abs_of(z)",
                           "using namespace std;\nabs(z)", "using std::abs;\nabs(z)"})
    check.that(!calls_plain_abs(fine), std::string("no plain abs in: ") + fine);

  for (const char* waits : {"double x; std::cin >> x;", "std::getline(std::cin, line);",
                            "scanf(\"%lf\", &x);", "cin.ignore();", "while (getchar() != 10) ;"})
    check.that(waits_for_input(waits), std::string("reads: ") + waits);
  for (const char* fine :
       {"// std::cin >> x\n", "double cin = 1; return 2 * cin;", "std::cout << x;"})
    check.that(!waits_for_input(fine), std::string("reads nothing: ") + fine);

  const auto told = [](const char* text) { return with_advice(wrong("too small"), text).findings; };
  check.equal(told("{ return 1/(0,5*abs(a)); }"),
              "too small\nmind: C++ takes 0,5 for two numbers: write 0.5\n"
              "mind: abs without std:: may be that of whole numbers",
              "what a text gives away");
  check.equal(
      told("{ double x = 0; std::cin >> x; return x; }"),
      "too small\nmind: nobody types while an answer is checked, so there is nothing to read",
      "what waits for input");
  check.equal(with_advice(done(), "{ return 0,5; }").findings, "", "of what is right nothing");
}

// Ends as the standard library does where it checks.
static Assessment stopped_by(const char* assertion) {
  std::fprintf(stderr, "mine\nspan:1: Assertion '%s' failed.\n", assertion);
  std::abort();
}

// Code that crashes or hangs must spoil only its own exercise.
static void apart(Checks& check) {
  const auto said = [](Assessment (*f)(), int seconds) {
    return run_apart({"1.1", "test", f}, seconds);
  };
  check.that(said([] { return done(); }, 10).state == State::done, "apart: done");
  check.that(said([] { return not_started("clue"); }, 10).findings == "clue", "apart: a clue");
  const Assessment much = said([] { return wrong(std::string(100'000, 'x') + "\nand\nmore"); }, 10);
  check.that(much.state == State::wrong, "apart: wrong");
  check.that(much.findings.size() == 100'009, "apart: long findings");
#if !defined(_WIN32)
  const Assessment crashed = said([]() -> Assessment { std::abort(); }, 10);
  const auto endless = []() -> Assessment {
    for (std::atomic<int> k = 0;; ++k) {
    }
  };
  const Assessment late = said(endless, 1);
  check.that(crashed.state == State::wrong, "apart: a crash is wrong");
  check.that(crashed.findings.starts_with("your code crashed"), "apart: a crash");
  check.that(late.state == State::wrong, "apart: no end is wrong");
  check.that(late.findings.starts_with("your code did not end within 1 s"), "apart: no end");
  const Assessment left = said([]() -> Assessment { std::exit(0); }, 10);
  check.that(left.state == State::wrong, "apart: an exit is wrong");
  check.that(left.findings.starts_with("your code ended the program"), "apart: an exit");
  const Assessment greedy = said(
      [] {
        std::vector<std::vector<char>> all(50);
        for (std::vector<char>& one : all) one.reserve(100'000'000);
        return wrong("your code wants more memory");
      },
      10);
  check.that(
      greedy.findings.starts_with("your code wants more memory than") == terminal::limits_memory,
      "apart: all memory");
  const Assessment forks = said(
      []() -> Assessment {
        while (fork() >= 0) {
        }
        return done();
      },
      10);
  check.that(forks.findings.starts_with("your code starts another process"), "apart: forks");
  const Assessment killed = said([] { return std::raise(SIGKILL) == 0 ? done() : wrong(""); }, 10);
  check.that(killed.findings.starts_with("the system ended your code"), "apart: no memory");
  const Assessment divided = said([] { return std::raise(SIGFPE) == 0 ? done() : wrong(""); }, 10);
  check.that(divided.findings.ends_with("it divides a whole number by 0"), "apart: divides by 0");
  const Assessment past = said([] { return stopped_by("__idx < size()"); }, 10),
                   none = said([] { return stopped_by("!this->empty()"); }, 10);
  check.that(past.findings.find("past the end of a row") < past.findings.npos,
             "apart: past the end");
  check.that(none.findings.ends_with("something that is empty"), "apart: the first of nothing");
  // Somebody sits there, and types nothing.
  int keys[2];
  const int before = dup(STDIN_FILENO);
  check.that(pipe(keys) == 0 && dup2(keys[0], STDIN_FILENO) == STDIN_FILENO, "a keyboard");
  const auto reads = [] {
    char key = 0;
    return read(STDIN_FILENO, &key, 1) == 0 ? done() : wrong("it was typed");
  };
  check.that(said(reads, 2).state == State::done, "apart: what waits for input has its end");
  dup2(before, STDIN_FILENO);
  for (const int file : {before, keys[0], keys[1]}) close(file);
  const auto start = std::chrono::steady_clock::now();
  said([] { return std::system("sleep 20 &") == 0 ? done() : wrong(""); }, 10);
  check.that(std::chrono::steady_clock::now() - start < std::chrono::seconds(5),
             "apart: what it started is ended");
  const auto speaks = [] {
    std::puts("I speak");
    return done();
  };
  check.equal(said(speaks, 10).printed, "I speak\n", "apart: what is printed");
  const terminal::Subprocess loud = terminal::run_apart(
      [] {
        for (;;) std::puts("\x1b[31mand on");
        return std::string();
      },
      1);
  check.that(loud.end == terminal::Subprocess::End::late, "apart: prints without end");
  check.that(loud.said.size() == 4000, "apart: what is printed is cut");
  const Assessment raw = said(
      []() -> Assessment { throw std::runtime_error("\x1b[31m\xff" + std::string(10'000, 'x')); },
      10);
  check.that(!has(raw.findings, "\x1b"), "apart: no escape sequences");
  check.that(!has(raw.findings, "\xff"), "apart: no bytes that are no text");
  check.that(raw.findings.size() < 600, "apart: what is thrown is cut");
#endif
}

static const Listed here("exercise", {matrices, verdicts, predictions, reports, divisions, commas,
                                      slipped, apart});

}  // namespace test_exercise
