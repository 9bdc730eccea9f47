// Fuzzes the n-gram tables: probabilities sum to 1 whatever the text.
// SPDX-License-Identifier: MIT
#include "common/support/ngram.hpp"

#include <cmath>

#include "tests/fuzz/hostile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const std::size_t vocab = in.ConsumeIntegralInRange<std::size_t>(1, 8),
                    order = in.ConsumeIntegralInRange<std::size_t>(0, 4);
  const bool kneser_ney = in.ConsumeBool();
  const double added = in.ConsumeFloatingPointInRange<double>(-1, 10);
  std::vector<std::uint32_t> text, context;
  for (const char c : in.ConsumeRandomLengthString(8)) context.push_back(static_cast<unsigned char>(c) % vocab);
  for (const char c : rest(in)) text.push_back(static_cast<unsigned char>(c) % (vocab + (c == '!')));
  refused<std::invalid_argument>([&] {
    const Ngram table =
        kneser_ney ? Ngram::kneser_ney(text, vocab, order) : Ngram::interpolated(text, vocab, order, added);
    std::vector<double> p(vocab);
    table.distribution(context, p);
    double sum = 0;
    for (std::size_t s = 0; s < vocab; ++s) {
      require(p[s] >= 0 && p[s] <= 1 + 1e-9, "a probability lies between 0 and 1");
      require(std::abs(p[s] - table.probability(context, std::uint32_t(s))) < 1e-12, "asked alone it is the same");
      sum += p[s];
    }
    require(std::abs(sum - 1) < 1e-9, "probabilities sum to 1");  // 8 sums of rounding errors
    require(table.loss(text) >= -1e-9, "no loss is negative");
    require(table.distinct_up_to(table.order()) >= table.distinct(1), "counts add up");
  });
  return 0;
}
