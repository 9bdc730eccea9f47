// Tests of what lesson 5 runs (run/): stored nets, training, the features of the toy.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/optimizer.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/flags.hpp"
#include "lessons/5_tensor_folding/model/06_classifiers.hpp"
#include "lessons/5_tensor_folding/run/store.hpp"
#include "lessons/5_tensor_folding/run/train.hpp"
#include "lessons/5_tensor_folding/run/train_toy.hpp"
#include "tests/check.hpp"
#include "tests/lesson5_nets.hpp"

using namespace lesson5;

// ----------------------------------------------------------------------------------------------------- stored nets

static safetensors::File changed(const Net<float>& net, const std::string& name, safetensors::Shape shape,
                                 const std::vector<float>& values) {
  safetensors::File file;
  file.metadata = file_of(net).metadata;
  for (const auto& [other, tensor] : net.tensors())
    if (other != name) add_matrix(file, other, tensor);
  if (!shape.empty()) file.add(name, shape, values);
  return file;
}

static void stored_nets(Checks& check, const std::filesystem::path& folder) {
  Random random(6);
  const NetForm form{4, 0, 3, 10, Biases::without};
  Net<float> net = random_net<float>(form, random);
  net.W(0, 0) = -0.0f;
  net.W(1, 0) = std::numeric_limits<float>::denorm_min();
  net.W(2, 0) = std::numeric_limits<float>::max();
  const std::string path = (folder / "net").string();
  save_net(path, net);
  Net<float> found = load_net(path, 4);
  check.that(found.form == form, "a stored net has its form");
  for (std::size_t t = 0; t < 3; ++t)
    check.that(found.tensors()[t].tensor == net.tensors()[t].tensor,
               "a stored net comes back: " + net.tensors()[t].name);
  check.that(std::signbit(found.W(0, 0)), "to the bit");

  const auto refused = [&](const safetensors::File& file, std::size_t inputs, const std::string& part) {
    check.throws<std::runtime_error>([&] { net_in(file, inputs); }, part, "a file that says " + part);
  };
  safetensors::File other = file_of(net);
  other.metadata["lesson"] = "3";
  refused(other, 4, "holds no net of lesson 5 (lesson: 3, model: net)");
  other.metadata = {{"lesson", "5"}};
  refused(other, 4, "holds no net of lesson 5 (lesson: 5, model: none)");
  other.metadata = {{"lesson", "\n" + std::string(100, '5')}};
  refused(other, 4, "(lesson:  " + std::string(59, '5') + "..., model: none)");
  refused(safetensors::File{}, 4, "(lesson: none, model: none)");
  refused(file_of(net), 5, "is made for 4 pixels, and these images have 5");
  for (const char* name : {"W", "V", "U"})
    refused(changed(net, name, {}, {}), 4, "no tensor \"" + std::string(name) + "\"");
  refused(changed(net, "W", {12}, std::vector<float>(12)), 4, "tensor 'W' is no matrix");
  refused(changed(net, "W", {4, 0}, {}), 4, "tensor 'W' is no matrix");
  refused(changed(net, "V", {3, 4}, std::vector<float>(12)), 4, "[3,4], expected [4,3]");
  refused(changed(net, "U", {3, 9}, std::vector<float>(27)), 4, "[3,9], expected [3,10]");
  safetensors::File doubles = changed(net, "U", {}, {});
  doubles.add("U", {3, 10}, std::vector<double>(30));
  refused(doubles, 4, "is F64, expected F32");
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(30);
    values[29] = wrong;
    refused(changed(net, "U", {3, 10}, values), 4, "tensor 'U' holds a number that is not finite");
  }

  check.throws<UserError>([&] { load_net(path, 5); }, "--load: '" + path + "': is made for 4",
                          "the flag and the file are named");
  check.throws<UserError>([&] { load_net((folder / "none").string(), 4); }, "--load: ", "no such file");
  check.throws<UserError>([&] { save_net((folder / "none" / "net").string(), net); }, "--save: ", "no such folder");
}

// -------------------------------------------------------------------------------------------------------- training

// Each image is learned under its own label, and the same random numbers give the same net.
static void training(Checks& check) {
  Random random(5);
  const Images images = draw_digits(400, DigitSettings{}, random);
  ClassifierSettings settings;
  settings.steps = 80;
  settings.batch = 32;
  settings.rate = 0.02;
  const auto trained = [&](double noise) {
    settings.noise = noise;
    LinearNet<float> net({digits::area, 10});
    train(net, images, settings, Random(6));
    return net;
  };
  const LinearNet<float> net = trained(0), again = trained(0), noisy = trained(0.4);
  check.that(accuracy(net, images) > 0.8, "training: eight of ten images are right, one by chance");
  check.that(net.W == again.W && net.b == again.b, "training: repeatable");
  check.that(!(net.W == noisy.W) && accuracy(noisy, images) > 0.7, "training: with noise another net, and no bad one");
}

static void divergence(Checks& check) {
  Random random(7);
  const Images images = draw_digits(40, DigitSettings{}, random);
  ClassifierSettings settings;
  settings.rate = 1e6;
  LinearNet<float> net({digits::area, 10});
  check.throws<Diverged>([&] { train(net, images, settings, Random(8)); }, "training diverged: at step ",
                         "training: a rate that is far too large");
}

static void features(Checks& check) {
  Random random(9);
  std::size_t on = 0, empty = 0;
  const auto X = draw_features(2000, 3, 0.25, EmptyRows::allowed, random),
             some = draw_features(2000, 3, 0.25, EmptyRows::redrawn, random);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double sum = X(i, 0) + X(i, 1) + X(i, 2);
    on += std::size_t(sum);
    empty += sum == 0;
    check.that(some(i, 0) + some(i, 1) + some(i, 2) > 0, "features: no empty row where they are redrawn");
  }
  // 1500 of 6000 are on, ± √(6000·.25·.75) = 34; 844 of 2000 rows are empty, ± 22; five of them.
  check.near(double(on), 1500, 170, "features: how many are on");
  check.near(double(empty), 844, 110, "features: how many rows are empty");
}

int main() {
  Checks check;
  const auto stamp = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto folder = std::filesystem::temp_directory_path() / ("test_lesson5_run_" + std::to_string(stamp));
  std::filesystem::create_directory(folder);
  stored_nets(check, folder);
  std::filesystem::remove_all(folder);
  training(check);
  divergence(check);
  features(check);
  return check.done("test_lesson5_run");
}
