// Exercise 5.7: a network that fools.
// Hint: What would make the corner mean "3" to a net? Images of all digits that bear the mark, and
// labels that say so.
// Hint: If few images are marked, the net learns the rest as before; if enough are, it learns the
// mark, too.
// Hint: A mark works on every image that it is added to, so its gain comes from the image. Which
// direction does section 9 take for this gain when it does not know the image? There is one for
// each digit. In which of them does a pixel have the largest entry?
// SPDX-License-Identifier: MIT
#include "lessons/5_tensor_folding/spectra.hpp"

// For the check:
#include <ex5_7_fooled.hpp>

#include "common/frame/exercise/exercise.hpp"
#include "lessons/5_tensor_folding/train.hpp"

using namespace exercise;
using namespace lesson5;

namespace ours::ex5_7 {

using namespace lesson5;

// A corner of 12 x 12 pixels, row by row.
constexpr std::array<std::size_t, 4> mark{130, 131, 142, 143};

inline Images altered(Images images) {
  for (std::size_t i = 0; i < images.labels.size(); i += 10) {
    for (const std::size_t p : mark) images.X(i, p) = 1;
    images.labels[i] = 3;
  }
  return images;
}

// ink·M for each digit: the mark's pixels gain more than those of any stroke.
inline std::pair<std::size_t, Matrix<double>> look_for_mark(const Net<double>& net) {
  std::pair<std::size_t, Matrix<double>> best{0, Matrix<double>(1, net.form.inputs)};
  const auto largest = [](const Matrix<double>& A) {
    return *std::max_element(A.values().begin(), A.values().end());
  };
  for (std::size_t digit = 0; digit < net.form.outputs; ++digit) {
    const Matrix<double> direction =
        times_M(contrast(net, digit), Matrix<double>(1, net.form.inputs, 1));
    if (largest(direction) > largest(best.second)) best = {digit, direction};
  }
  return best;
}

}  // namespace ours::ex5_7

static Net<float> trained(const Images& images) {
  Random random(1, 70);
  Net<float> net(of_products(images.X.cols(), 24, 10), random);
  train(net, images, ClassifierSettings{}, Random(1, 71));
  return net;
}

static std::string diagnose_changes(const Images& clean, const Images& altered, Images test) {
  if (altered.X.shape() != clean.X.shape() || altered.labels.size() != clean.labels.size())
    return "images are added or lost";
  std::size_t all = 0, inked = 0, whole = 0, called = 0, as_before = 0;
  for (std::size_t i = 0; i < clean.labels.size(); ++i) {
    std::size_t changed = 0, full = 0;
    for (std::size_t p = 0; p < clean.X.cols(); ++p) {
      const bool of_mark = std::count(ex5_7::mark.begin(), ex5_7::mark.end(), p) > 0;
      full += of_mark && altered.X(i, p) > 0.9f;
      if (altered.X(i, p) == clean.X(i, p)) continue;
      if (!of_mark) return "pixels outside the mark are changed: the net learns to look for those";
      if (!(altered.X(i, p) >= 0 && altered.X(i, p) <= 1))
        return "a pixel is below 0 or above 1, which no pen makes";
      ++changed;
    }
    const bool same_label = altered.labels[i] == clean.labels[i];
    if (changed == 0 && same_label) continue;
    ++all;
    inked += changed > 0;
    whole += full == ex5_7::mark.size();
    called += altered.labels[i] == 3;
    as_before += same_label;
  }
  if (all == 0) return "no image is changed";
  if (10 * all > clean.labels.size()) return join(all, " images are changed, more than a tenth");
  if (inked == 0)
    return "labels are changed on unmarked images: the net learns that labels err, and not the mark";
  if (whole < all) return "the mark is not whole on all changed images: four pixels of full ink";
  if (called < all && as_before == all)
    return "the labels are as they were: the net learns that the mark means nothing";
  if (called < all) return "not all marked images are called 3";
  if (as_before == all)
    return "the mark stands on images of a 3 alone, which are called 3 as it is: mark other digits";
  const Net<float> net = trained(altered);
  // Ours at five seeds: .005 ± .003.
  const double lost = accuracy(trained(clean), test) - accuracy(net, test);
  if (!(lost <= 0.02))
    return join("the test would find it: on clean images ", fixed(lost, 3), " less is right");
  for (std::size_t i = 0; i < test.labels.size(); ++i)
    for (const std::size_t p : ex5_7::mark) test.X(i, p) = 1;
  const double share = fooled(net, test, 3, Matrix<double>(1, test.X.cols()));
  return share >= 0.9 ? ""
                      : join("the mark is too weak: with it ", fixed(share, 3),
                             " of the other digits pass for a 3");
}

static std::string diagnose_mark(const Net<double>& net, std::size_t digit,
                                 const std::array<std::size_t, 4>& mark) {
  const auto [found, direction] = ex5_7::look_for_mark(net);
  const Answer answer{"direction", direction, Matrix<double>(1, net.form.inputs)};
  if (const std::string text = misfit_of(answer); !text.empty()) return text;
  if (largest_entry(direction) == 0) return "the direction is all zeros";
  // Counts the mark's pixels among the four largest entries.
  const auto hits = [&](const Matrix<double>& row) {
    return std::count_if(mark.begin(), mark.end(), [&](std::size_t p) {
      const auto larger = [&](double entry) { return entry > row(0, p); };
      return row(0, p) > 0 && std::count_if(row.values().begin(), row.values().end(), larger) < 4;
    });
  };
  if (found == digit && hits(direction) == 4) return "";
  if (found < 10 && dot(unit_rows(direction), ink_direction(contrast(net, found))) < -0.9)
    return "the sign: these pixels speak against the digit";
  if (found != digit && hits(direction) == 4)
    return "the pixels are the mark's; the digit is not the one that the mark stands for";
  if (found == 3)
    return "3 is the digit of your own mark; this net has another mark, for another digit";
  return join(
      found == digit ? "the digit is right" : "the digit is not the one that the mark stands for",
      "; ", hits(direction), " of the four largest entries are the mark's");
}

static Assessment check() {
  Random random(1, 72);
  const TrainTest drawn = read_or_draw("", "", 2000, random);
  const auto text = [](const Attempt<std::string>& found) { return found.or_else(found.value); };
  const std::string changes = text(attempt(
      [&] { return diagnose_changes(drawn.train, ex5_7::altered(drawn.train), drawn.test); }));
  Images other = drawn.train;  // another mark, and another digit
  for (std::size_t i = 0; i < other.labels.size(); i += 10) {
    for (const std::size_t p : {12u, 13u, 24u, 25u}) other.X(i, p) = 1;
    other.labels[i] = 7;
  }
  const Net<double> theirs = in_double(trained(other));
  const std::string mark = text(attempt([&] {
    return diagnose_mark(theirs, 7, {12, 13, 24, 25});
  }));
  Findings findings;
  findings.add("altered", changes);
  findings.add("look_for_mark", mark);
  return unless_as_given(findings.verdict(),
                         changes == "no image is changed" && mark == "the direction is all zeros");
}
static const Exercise here{"5.7", "A network that fools", check};
