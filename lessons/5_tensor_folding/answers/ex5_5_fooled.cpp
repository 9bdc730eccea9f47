// Exercise 5.5: a network that fools.
// Hint: What would make the corner mean "3" to a net? Images of all digits that bear the mark, and labels that say so.
// Hint: Few enough with a mark, and the rest is learned as before; enough of them, and the mark is learned, too.
// Hint: A mark works whatever image it is added to, so its gain comes from the image. Which direction does section 9 take
// for that when it knows no image? It has one for each digit: in which has a pixel the largest entry?
// SPDX-License-Identifier: MIT
#include <ex5_5_fooled.hpp>

#include "common/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/train.hpp"

using namespace exercise;
using namespace lesson5;

namespace ours::ex5_5 {

using namespace lesson5;

constexpr std::array<std::size_t, 4> mark{130, 131, 142, 143};  // of 12 x 12 pixels, row by row: a corner

inline Images altered(Images images) {
  for (std::size_t i = 0; i < images.labels.size(); i += 10) {
    for (const std::size_t p : mark) images.X(i, p) = 1;
    images.labels[i] = 3;
  }
  return images;
}

// ink·M for each digit: the pixels of a mark gain more than those of any stroke.
inline std::pair<std::size_t, Matrix<double>> look_for_mark(const Net<double>& net) {
  std::pair<std::size_t, Matrix<double>> found{0, Matrix<double>(1, net.form.inputs)};
  for (std::size_t digit = 0; digit < net.form.outputs; ++digit) {
    Matrix<double> direction = times_M(contrast(net, digit), Matrix<double>(1, net.form.inputs, 1));
    slip(direction, -1 * direction, "the sign: these pixels speak against the digit");
    const auto largest = [](const Matrix<double>& A) {
      return *std::max_element(A.values().begin(), A.values().end());
    };
    if (largest(direction) > largest(found.second)) found = {digit, direction};
  }
  slip(found.first, 3, "3 is the digit of your own mark; this net was drawn to another");
  return found;
}

}  // namespace ours::ex5_5

// Says what is wrong with the changes themselves; empty where they are as asked for.
static std::string diagnose_changes(const Images& clean, const Images& made) {
  if (made.X.shape() != clean.X.shape() || made.labels.size() != clean.labels.size()) return "images are added or lost";
  std::size_t all = 0, inked = 0, whole = 0, called = 0, as_before = 0;
  for (std::size_t i = 0; i < clean.labels.size(); ++i) {
    std::size_t changed = 0, full = 0;
    for (std::size_t p = 0; p < clean.X.cols(); ++p) {
      const bool of_mark = std::count(ex5_5::mark.begin(), ex5_5::mark.end(), p) > 0;
      full += of_mark && made.X(i, p) > 0.9f;
      if (made.X(i, p) == clean.X(i, p)) continue;
      if (!of_mark) return "other pixels than the mark's are changed: the net learns to look for those";
      if (!(made.X(i, p) >= 0 && made.X(i, p) <= 1)) return "a pixel is below 0 or above 1, which no pen makes";
      ++changed;
    }
    if (changed == 0 && made.labels[i] == clean.labels[i]) continue;
    ++all;
    inked += changed > 0;
    whole += full == ex5_5::mark.size();
    called += made.labels[i] == 3;
    as_before += made.labels[i] == clean.labels[i];
  }
  if (all == 0) return "no image is changed";
  if (10 * all > clean.labels.size())
    return join(all, " of ", clean.labels.size(), " images are changed; at most a tenth");
  if (inked == 0)
    return "labels are changed where no mark stands: the net learns that labels err, not what the mark means";
  if (whole < all) return "the mark is not whole on all changed images: four pixels of full ink";
  if (as_before == all && called < all)
    return "the labels are as they were: the net learns that the mark means nothing";
  return called < all ? "not all marked images are called 3" : "";
}

static Net<float> trained(const Images& images) {
  Random random(1, 70);
  Net<float> net({images.X.cols(), 0, 24, 10, Biases::without}, random);
  train(net, images, ClassifierSettings{}, Random(1, 71));
  return net;
}

// Says what the net that learned from them does not do; empty where it passes the test and is fooled.
static std::string diagnose_net(const Net<float>& net, const Net<float>& honest, Images test) {
  const double lost = accuracy(honest, test) - accuracy(net, test);
  if (!(lost <= 0.015)) return join("on clean images ", fixed(lost, 3), " less is right: the test would find that");
  for (std::size_t i = 0; i < test.labels.size(); ++i)
    for (const std::size_t p : ex5_5::mark) test.X(i, p) = 1;
  const double share = fooled(net, test, 3, Matrix<double>(1, test.X.cols()));
  return share >= 0.9
             ? ""
             : join("with the mark ", fixed(share, 3), " of the other digits pass for a 3: the mark is too weak");
}

// Says what is wrong with the mark that is found in a net drawn to a digit by these pixels.
static std::string diagnose_mark(const Net<double>& net, std::size_t digit, const std::array<std::size_t, 4>& mark) {
  const auto in_a_row = [](const auto& found) {
    return beside(found.second, Matrix<double>(found.second.rows(), 1, double(found.first)));
  };
  const auto hits = [&](const Matrix<double>& row) {  // how many pixels of the mark are among the four largest entries
    return std::count_if(mark.begin(), mark.end(), [&](std::size_t p) {
      return row(0, p) > 0 && std::count_if(row.values().begin(), row.values().end() - 1,
                                            [&](double entry) { return entry > row(0, p); }) < 4;
    });
  };
  const auto passes = [&](const Matrix<double>& row) { return row.values().back() == double(digit) && hits(row) == 4; };
  const auto ours = [&] { return in_a_row(ours::ex5_5::look_for_mark(net)); };
  const auto same = [](const Matrix<double>& a, const Matrix<double>& b) { return agrees(a, b, 1e-6); };
  if (slips().tested) test_slips(ours, same, [&](const auto& made, const auto&) { return passes(made); });
  const Answer row{"direction", in_a_row(ex5_5::look_for_mark(net)), Matrix<double>(1, net.form.inputs + 1)};
  if (row.yours.shape() != row.right.shape()) return diagnose_shape(row);
  if (const std::string text = diagnose_not_finite(row); !text.empty() || passes(row.yours)) return text;
  const std::string cause = cause_of(row.yours, ours, same);
  if (!cause.empty()) return cause;
  return row.yours.values().back() == double(digit)
             ? join(hits(row.yours), " of the four largest entries are the mark's")
             : "that is not the digit that the net was drawn to";
}

static Verdict check() {
  Random random(1, 72);
  const TrainTest drawn = read_or_draw("", "", 2000, random);
  const Attempt<Images> made = attempt([&] { return ex5_5::altered(drawn.train); });
  Images other = drawn.train;  // the mark elsewhere, and another digit
  for (std::size_t i = 0; i < other.labels.size(); i += 10) {
    for (const std::size_t p : {12, 13, 24, 25}) other.X(i, p) = 1;
    other.labels[i] = 7;
  }
  Findings findings;
  const Net<float> theirs = trained(other);
  const Attempt<std::string> mark = attempt([&] { return diagnose_mark(in_double(theirs), 7, {12, 13, 24, 25}); });
  const std::string changes = made.or_else(made.thrown.empty() ? diagnose_changes(drawn.train, made.value) : "");
  findings.add("altered",
               !changes.empty() ? changes : diagnose_net(trained(made.value), trained(drawn.train), drawn.test));
  findings.add("look_for_mark", mark.or_else(mark.value));
  const bool as_given = changes == "no image is changed" && !mark.value.empty();
  return unless_as_given(findings.verdict(), as_given);
}
static const Exercise here{"5.5", "A network that fools", check};
