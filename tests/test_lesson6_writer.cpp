// Lesson 6: what is written with a cache is what the whole window says, symbol by symbol, also after the cut.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "common/loss.hpp"
#include "lessons/6_bma/model/8_writer.hpp"
#include "tests/check.hpp"

using namespace lesson6;

namespace {

constexpr std::size_t vocab = 7, context = 6;

template <class T>
LanguageModel<T> model_of(Gate gate) {
  LanguageModel<T> model({vocab, context, {gate, 2, 2, 8}});
  Random random(3);
  fill_normal(model.tensors(), random);
  return model;
}

// The logits behind the last symbol, computed from all of them at once.
Matrix<double> whole(const LanguageModel<double>& model, const std::vector<std::uint32_t>& seen) {
  const Matrix<double> logits = output(model, Texts{seen, seen.size()});
  return Matrix<double>(row_block(logits, seen.size() - 1, 1));
}

void logits(Checks& check) {
  for (const Gate gate : all_gates) {
    const LanguageModel<double> model = model_of<double>(gate);
    Writer<double> writer(model);
    std::vector<std::uint32_t> seen;
    double apart = 0;
    for (std::uint32_t k = 0; k < 3 * context; ++k) {
      // A full context keeps its last half, and then takes in the next symbol.
      if (seen.size() == context) seen.erase(seen.begin(), seen.end() - context / 2);
      seen.push_back(k * k % vocab);
      apart = std::max(apart, max_abs_difference(writer.next(seen.back()), whole(model, seen)));
    }
    // Double: sums of some hundred products of size 10 in another order.
    check.that(apart < 1e-11,
               std::string(name_of(gate)) + ": the cache changes nothing, off by " + std::to_string(apart));
  }
}

// What is drawn at a temperature is drawn from the whole window's distribution, by the same random numbers.
void writing(Checks& check) {
  LanguageModel<float> model = model_of<float>(Gate::bma);
  for (const auto& [name, tensor] : model.tensors())
    if (name.starts_with("head")) tensor = 0.1f * Matrix<float>(tensor);  // else one symbol is nearly certain
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed), again(seed);
    std::vector<std::uint32_t> seen{1, 5, 2};
    const std::vector<std::uint32_t> written = write(model, seen, 3, 0.5, random);
    check.that(written.size() == 3, "as many symbols as asked for, without the prompt");
    for (const std::uint32_t symbol : written) {
      const Matrix<float> logits = output(model, Texts{seen, seen.size()});
      Matrix<float> last = 2.0f * Matrix<float>(row_block(logits, seen.size() - 1, 1));
      softmax(last.row(0));
      check.that(symbol == again.pick(std::span<const float>(last.row(0))), "a symbol of the distribution");
      seen.push_back(symbol);
    }
  }
  Random random(1);
  check.that(write(model, {}, 2, 1.0, random).size() == 2, "an empty prompt");
}

}  // namespace

int main() {
  Checks check;
  logits(check);
  writing(check);
  return check.done("test_lesson6_writer");
}
