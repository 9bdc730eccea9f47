// Lesson 6, part 3: what each gate costs in parameters and in memory.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/6_bma/memory.hpp"
#include "lessons/6_bma/writer.hpp"

inline std::size_t parameters_of_attention(AttentionForm form) { return parameters_of(Attention<float>(form)); }

inline std::string kilobytes(std::size_t bytes) { return fixed(double(bytes) / 1024, 0) + " KB"; }

inline void part3(Lesson& lesson) {
  constexpr std::size_t width = 512, heads = 8, dh = width / heads, tokens = 64;
  lesson.say(
      "Eight heads of 64, width 512. Predict: a gate for each head of dh × dh numbers, against one of d × d with ",
      "biases. The write-up says that the second costs four times as much. Kept for one sequence of 64 tokens: for "
      "the ",
      "backward pass, and in the cache of part 10.");
  Random random(lesson.options().seed);
  const auto X = normal_matrix<float>(tokens, width, 1, random);
  const std::size_t plain = parameters_of_attention({Gate::standard, width, heads});
  Table table{{"attention", "parameters", "more", "kept for backward", "kept for writing"}, {}};
  std::size_t extra[2] = {}, backward[2] = {}, most_kept = 0;
  for (const Gate gate : all_gates) {
    const Attention<float> layer({gate, width, heads});
    Attention<float>::Trace t;
    layer.forward(X, {tokens}, t);
    const LanguageModel<float> model({2, tokens, {gate, 1, heads, width}, true});
    const std::size_t more = parameters_of(layer) - plain, cache = Writer<float>(model).bytes_kept();
    if (gate == Gate::standard) backward[0] = bytes_of<float>(t);
    if (gate == Gate::bma) extra[0] = more, backward[1] = bytes_of<float>(t);
    if (gate == Gate::post) extra[1] = more;
    most_kept = std::max(most_kept, cache);
    table.rows.push_back({name_of(gate), std::to_string(plain + more), std::to_string(more),
                          kilobytes(bytes_of<float>(t)), kilobytes(cache)});
  }
  lesson.show(table);
  lesson.claim("bma: H·dh² numbers more", double(extra[0]), exactly(heads * dh * dh));
  lesson.claim("post: d² + d numbers more", double(extra[1]), exactly(width * width + width));
  lesson.claim("without the biases the ratio of the two is the number of heads",
               double(extra[1] - width) / double(extra[0]), exactly(heads));
  lesson.claim("kept for backward, bma: two numbers more for each of a token, its gate and its gated value",
               double(backward[1] - backward[0]) / sizeof(float), exactly(2 * tokens * width));
  lesson.claim("kept for writing, the most of the five: two numbers, of the key and of the value",
               double(most_kept) / sizeof(float), exactly(2 * tokens * width));
  lesson.say(
      "A ratio of H, not of 4. H·dh² is d²/H. In training, each gate keeps its G and the product that it made; in ",
      "generation a gated value is kept in the place of the value.");
}
