// Lesson 5, part 9: a pattern that fools the net, made of its weights alone.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/support/lesson.hpp"
#include "lessons/5_tensor_folding/model/04_jacobi.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/model/07_fooling.hpp"
#include "lessons/5_tensor_folding/run/session.hpp"

namespace lesson5 {
namespace {

// ---------------------------------------------------------------------------------------------------- the attacks

// The mean over the ten targets, for the direction that direction_of(contrast, target) gives.
template <class DirectionOf>
Attack attack_all(Session& session, const Net<float>& net, double size, DirectionOf direction_of) {
  const Images& images = session.images.test;
  const Matrix<double> mean = 1 / double(images.labels.size()) * column_sums(Matrix<double>(images.X.view()));
  std::vector<Attack> found(10);
  session.run("attacks", 10, [&](std::size_t target) {
    const Net<double> one = contrast(net, target);
    const Matrix<double> v = direction_of(one, target), v_M = times_M(one, v);
    found[target] = attack(net, images, target, v.row(0), size);
    found[target].from_image = 2 * size * dot(v_M, mean);
    found[target].from_pattern = size * size * dot(v_M, v);
  });
  Attack all;
  for (const Attack& one : found) {
    all.success += one.success / 10;
    all.accuracy += one.accuracy / 10;
    all.from_image += one.from_image / 10;
    all.from_pattern += one.from_pattern / 10;
  }
  return all;
}

// The two directions from the weights, and a random one.
struct Attacks {
  Attack fooling, ink, random;
};
Attacks attacks_on(Session& session, const Net<float>& net, double size) {
  return {attack_all(session, net, size, [](const Net<double>& one, std::size_t) { return fooling_direction(one); }),
          attack_all(session, net, size, [](const Net<double>& one, std::size_t) { return ink_direction(one); }),
          attack_all(session, net, size, [&](const Net<double>& one, std::size_t target) {
            Random random(session.options.seed, 73 + target);
            return unit(normal_matrix<double>(1, one.W.rows(), 1, random));
          })};
}

// The patterns of the product net on a ReLU net that learned from the same images: means over the ten targets.
Attacks on_relu_net(Session& session, const Net<float>& net, double size) {
  const Images& images = session.images.test;
  const ReluNet<float>& relu = session.relu_net();
  Attacks all;
  for (std::size_t target = 0; target < 10; ++target) {
    const Net<double> one = contrast(net, target);
    Random random(session.options.seed, 73 + target);
    const Matrix<double> any = unit(normal_matrix<double>(1, one.W.rows(), 1, random));
    const auto add = [&](Attack& sum, const Matrix<double>& direction) {
      const Attack found = attack(relu, images, target, direction.row(0), size);
      sum.success += found.success / 10;
      sum.accuracy += found.accuracy / 10;
    };
    add(all.fooling, fooling_direction(one));
    add(all.ink, ink_direction(one));
    add(all.random, any);
  }
  return all;
}

double mean_length(const Matrix<float>& X) {
  const Matrix<double> wide(X.view());
  double length = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) length += std::sqrt(squared_length(wide.row(i))) / double(X.rows());
  return length;
}

struct Found {
  Net<float> trained;
  double length, size;  // of an image, and of the pattern
  Attacks plain, hard;  // on the net, and on one that was trained with noise
  Attacks large;        // on the net, by a pattern of three images' length
  Attacks relu;         // on a ReLU net, by the patterns of the net
};
Found find(Session& session) {
  const Net<float>&trained = session.net_with_noise(0), &hardened = session.net_with_noise(0.4);
  const double length = mean_length(session.images.test.X), size = length / 3;
  const Attacks plain = attacks_on(session, trained, size), hard = attacks_on(session, hardened, size),
                large = attacks_on(session, trained, 3 * length), relu = on_relu_net(session, trained, size);
  return {trained, length, size, plain, hard, large, relu};
}

// ------------------------------------------------------------------------------------------------- showing them

Table table_of(const Found& found) {
  Table table{{"net", "direction", "from image", "from pattern", "fooled", "still right"}, {}};
  const auto row = [&](const std::string& net, const std::string& direction, const Attack& a) {
    table.rows.push_back(
        {net, direction, fixed(a.from_image, 2), fixed(a.from_pattern, 2), fixed(a.success, 3), fixed(a.accuracy, 3)});
  };
  for (const auto& [name, attacks] : {std::pair("as trained", &found.plain), std::pair("noise .4", &found.hard)}) {
    row(name, "top eigenvector", attacks->fooling);
    row(name, "M·1", attacks->ink);
    row(name, "random", attacks->random);
  }
  return table;
}

// The first image that is no 3 and that the net takes for what it is, the pattern for 3, and both together.
plot::Sheet sheet_of_fooling(const Net<float>& net, const Images& images, double size) {
  plot::Sheet sheet;
  sheet.title = "A test image, the pattern for 3, and both together";
  sheet.rows = images.rows;
  sheet.cols = images.cols;
  sheet.diverging = true;
  const std::vector<std::uint32_t> answers = largest_of_rows(output(net, images.X));
  std::size_t example = 0;
  while (example + 1 < answers.size() && (answers[example] == 3 || answers[example] != images.labels[example]))
    ++example;
  const Matrix<float> image(row_block(images.X, example, 1));
  const Matrix<double> pattern = size * fooling_direction(contrast(net, 3));
  const Matrix<float> both = image + Matrix<float>(pattern.view());
  const auto add = [&](const std::string& name, const auto& pixels) {
    sheet.images.push_back({name, {pixels.values().begin(), pixels.values().end()}});
  };
  const auto taken_for = [&](const Matrix<float>& x) {
    return "taken for " + std::to_string(largest_of_rows(output(net, x))[0]);
  };
  add(taken_for(image), image);
  add("the pattern", pattern);
  add(taken_for(both), both);
  return sheet;
}

// Means and spreads over 40 seeds.
void claims(Lesson& lesson, const Attacks& plain, const Attacks& hard) {
  lesson.claim_trained("fooled: eigenvector minus random", plain.fooling.success - plain.random.success,
                       within(0.336, 4.5 * 0.050));
  lesson.claim_trained("M·1 gains more from the image than the eigenvector, by",
                       plain.ink.from_image - plain.fooling.from_image, within(15.7, 4.5 * 1.8));
  lesson.claim("... and less from the pattern, as it must: eigenvector minus M·1",
               plain.fooling.from_pattern - plain.ink.from_pattern, at_least(0));
  lesson.claim_trained("... and fools more, by", plain.ink.success - plain.fooling.success, within(0.309, 4.5 * 0.046));
  lesson.claim_trained("a random direction is harmless: still right", plain.random.accuracy,
                       at_least(0.960 - 4.5 * 0.006));
  lesson.claim_trained("input noise in training helps: fooled, less by", plain.fooling.success - hard.fooling.success,
                       within(0.239, 4.5 * 0.050));
}

}  // namespace

void part9(Lesson& lesson, Session& session) {
  const Found found = find(session);
  lesson.say("Which pattern, made of the weights alone, fools the net? Of length s = ", fixed(found.size, 2),
             ", a third of an image's, added to every test image, means over ten targets; "
             "fooled: of the images of other classes, taken for the target:");
  lesson.show(table_of(found));
  lesson.say("Of three images' length the eigenvector fools ", fixed(found.large.fooling.success, 3), ", M·1 ",
             fixed(found.large.ink.success, 3), ".");
  lesson.note("The same patterns on a ReLU net that learned from the same images: the eigenvector fools ",
              fixed(found.relu.fooling.success, 3), ", M·1 ", fixed(found.relu.ink.success, 3), ", a random one ",
              fixed(found.relu.random.success, 3), "; still right ", fixed(found.relu.fooling.accuracy, 3), ", ",
              fixed(found.relu.ink.accuracy, 3), ", ", fixed(found.relu.random.accuracy, 3), ".");
  lesson.figure("fooling", sheet_of_fooling(found.trained, session.images.test, found.size));
  claims(lesson, found.plain, found.hard);
  // Means and spreads over 40 seeds.
  lesson.claim_trained("the eigenvector's pattern on a ReLU net: fooled", found.relu.fooling.success,
                       within(0.210, 4.5 * 0.047));
  lesson.claim_trained("... M·1 on it: fooled", found.relu.ink.success, within(0.613, 4.5 * 0.027));
}

}  // namespace lesson5
