// Exercise 6.6: how many numbers a model is made of, before it is built.
// Hint: A linear layer with a bias has in·out + out numbers. The heads of a layer divide its columns among themselves:
// dh = d/H, and all of Wq is still d x d.
// Hint: Gates: how many matrices, of which shape? For the ratio write d² above H times the numbers of one gate, with
// dh = d/H, and cancel.
// Hint: The model: list its tensors in the order in which a symbol meets them (section 5), write the shape of each, and
// count a layer three times. There are 2 tables before the layers, 2 norms in each and 1 behind, and a read-out.
// Hint: What is kept: a new token asks the keys of those that are past, and mixes their values. Past queries are not
// asked for again. BMA's gate on value j is made from query j: so at which moment can it be applied, once and for all?
// SPDX-License-Identifier: MIT
#include <ex6_6_counts.hpp>

#include "lessons/6_bma/answers/shared.hpp"
#include "lessons/6_bma/tasks.hpp"

using namespace shared;

namespace ours::ex6_6 {

const double attention = 4.0 * 768 * 768 + 4 * 768;
const double added_by_bma = 12 * 64 * 64;
const double added_by_post = 768 * 768 + 768;
const double post_over_wider_gate = 8;

const double language_model = 40 * 48 + 24 * 48 +
                              3 * (2 * 2 * 48 + 4 * (48 * 48 + 48) + (48 * 192 + 192) + (192 * 48 + 48)) +  //
                              2 * 48 + (48 * 40 + 40);
const double added_by_bma_in_all = 3 * 4 * 12 * 12;

const double kept_for_a_token = 3 * (48 + 48);
const double kept_for_a_token_bma = 3 * (48 + 48);

}  // namespace ours::ex6_6

using lesson6::Gate;

static const std::string heads_share = "the heads share the columns: they divide them, and multiply nothing";
static const std::string whole_width = "a head's query is made from all columns of X, not only from its own 64";

static std::vector<Misreading> wrong_language_model(double right) {
  constexpr double d = 48, vocab = 40, context = 24, layers = 3;
  constexpr double norm = 2 * d, attention = 4 * (d * d + d), feed_forward = 8 * d * d + 5 * d;
  constexpr double layer = 2 * norm + attention + feed_forward;
  return {
      {right - layers * layer, "the three layers are missing"},
      {right - 2 * layer, "that is with one layer"},
      {right - vocab * d - vocab, "the read-out is missing; it is one of its own here"},
      {right - vocab * d, "a table of 40 x 48 is missing: there is one for the symbols, and the read-out's"},
      {right - vocab, "the bias of the read-out is missing"},
      {right - context * d, "the table for the places is missing"},
      {right - norm, "the last norm is missing"},
      {right - layers * norm, "96 are missing in each layer: one of its two norms, or the shifts of both"},
      {right - layers * 2 * norm - norm, "the norms are missing"},
      {right - layers * 4 * d,
       "4·48 are missing in each layer: the norms, the biases of attention, or the inner ones of the feed-forward"},
      {right - layers * d,
       "48 are missing in each layer: the bias of Wo, the outer one of the feed-forward, or the shift of a norm"},
      {right - layers * 3 * d,
       "3·48 are missing in each layer: the biases of queries, keys and values, or three of the feed-forward's inner"},
      {right - layers * 4 * d * d, "one of the two matrices of the feed-forward part is missing"},
      {right + d - vocab, "the read-out's bias has a number for each symbol, not for each column"},
      {right + layers * 3 * d, "the outer bias of the feed-forward part has d numbers"},
      {right + layers * (2 * 16 - 8) * d * d, "one matrix of the feed-forward part is d x 4d, the other 4d x d"},
      {right - layers * 5 * d, "the biases of the feed-forward part are missing"},
      {right - layers * 9 * d - vocab, "the biases of linear layers are missing"},
      {right - layers * d * d, "Wo is missing"},
      {right + layers * 4 * 12 * 12, "a gate is counted here; the question is without"},
      {right + layers * (d * d + d), "a gate is counted here; the question is without"}};
}

static std::vector<Misreading> wrong_kept(const char* of_three) {
  return {{3 * 48, "half of it: three layers, and in each a key and a value"},
          {48, "three layers, and in each a key and a value, of 12 numbers for each of the four heads"},
          {2 * 48, "that is one layer"},
          {3 * 2 * 12, "that is one head of each layer"},
          {3 * 3 * 48, of_three},
          {3 * 4 * 48, "two too many: what do later tokens ask of this one?"},
          {3 * 2 * 4 * 48, "the heads share the 48 columns: they divide them"},
          {3 * 24 * 48, "that is for all 24 tokens of the context, of one of two things"},
          {3 * 2 * 24 * 48, "that is for all 24 tokens of the context"}};
}

static Verdict check() {
  using namespace ex6_6;
  const auto of_attention = [](Gate gate, std::size_t width, std::size_t heads, bool biases) {
    return double(parameters_of(lesson6::Attention<double>({gate, width, heads, true, biases})));
  };
  const auto added = [&](Gate gate, std::size_t width, std::size_t heads, bool biases = true) {
    return of_attention(gate, width, heads, biases) - of_attention(Gate::standard, width, heads, biases);
  };
  const auto model_of = [](Gate gate) {
    return lesson6::LanguageModel<double>({40, 24, {.gate = gate, .layers = 3, .heads = 4, .width = 48}});
  };
  const double model = double(parameters_of(model_of(Gate::standard)));
  const auto kept = [&](Gate gate) {
    const lesson6::LanguageModel<double> writes = model_of(gate);
    return double(lesson6::Writer<double>(writes).bytes_kept()) / double(sizeof(double) * 24);
  };
  return compare(
      {counted("attention", attention, of_attention(Gate::standard, 768, 12, true),
               {{4.0 * 768 * 768, "the biases are missing"},
                {3.0 * 768 * 768 + 3 * 768, "Wo and its bias are missing"},
                {3.0 * 768 * 768, "Wo is missing, and so are the biases"},
                {3.0 * 768 * 768 + 4 * 768, "Wo is missing"},
                {4.0 * 768 * 768 + 3 * 768, "bo is missing"},
                {12 * (4.0 * 768 * 768 + 4 * 768), heads_share},
                {12 * 4.0 * 768 * 768, heads_share},
                {12 * 4.0 * 64 * 64 + 4 * 768, whole_width},
                {12 * 4.0 * 64 * 64, whole_width},
                {4.0 * 768 * 768 + 4 * 768 + 12 * 64 * 64, "a gate is counted here; the question is without"}}),
       counted("added_by_bma", added_by_bma, added(Gate::bma, 768, 12),
               {{64 * 64, "that is the gate of one head"},
                {768 * 768,
                 "each head's gate reads its own query of dh numbers, and makes as many: a square for each head"},
                {12 * 64 * 64 + 768, "these gates have no bias"},
                {12.0 * 768 * 768, "a gate is dh x dh, and dh is only a part of d"},
                {12 * 12, "how many columns has a head?"}}),
       counted("added_by_post", added_by_post, added(Gate::post, 768, 12),
               {{768 * 768, "the bias is missing"},
                {12 * 64 * 64 + 768, "that has a square for each head; post has one matrix for all columns"},
                {12 * 64 * 64, "that has a square for each head; post has one matrix for all columns, and a bias"},
                {12.0 * (768 * 768 + 768), "one matrix for all heads together"}}),
       counted("post_over_wider_gate", post_over_wider_gate,
               added(Gate::post, 64, 16, false) / (2 * added(Gate::bma, 64, 16, false)),
               {{4, "put d² over H·2·(d/H)² and cancel"},
                {16, "that is for gates of dh x dh; these read twice as many numbers"},
                {32, "wider gates have more numbers, so the ratio gets smaller"},
                {128, "there are 16 such gates: one 16 cancels"},
                {4.5, "that has 16 heads of the width that 12 have: dh is d/16 here"},
                {6, "that is for 12 heads; here H is 16"},
                {256, "there are 16 gates, and each is wider: put d² over H·2·(d/H)² and cancel"},
                {1.0 / 8, "the other way round"}}),
       {"language_model", language_model, model, 0, wrong_language_model(model)},
       counted("added_by_bma_in_all", added_by_bma_in_all, double(parameters_of(model_of(Gate::bma))) - model,
               {{4 * 12 * 12, "that is one layer"},
                {3 * 12 * 12, "that is one head in each layer"},
                {12 * 12, "that is one head of one layer"},
                {3 * 48 * 48, "each head has a square for its own 12 columns"},
                {3 * (48 * 48 + 48), "a gate is dh x dh for each head, and has no bias"},
                {3 * 4 * (12 * 12 + 12), "a gate has no bias"}}),
       {"kept_for_a_token", kept_for_a_token, kept(Gate::standard), 0,
        wrong_kept("one too many: nobody asks again for the query of a token that is past")},
       {"kept_for_a_token_bma", kept_for_a_token_bma, kept(Gate::bma), 0,
        wrong_kept("one too many: the gate is the value's own, so the two are one thing before they are kept")}});
}
static const Exercise here{"6.6", "How many numbers", check};
