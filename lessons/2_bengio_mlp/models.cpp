// Lesson 2: its models, compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/2_bengio_mlp/models.hpp"

#include "lessons/2_bengio_mlp/train.hpp"

namespace lesson2 {

template struct Bengio<float>;
template struct Bengio<double>;
template struct Overwriting<float>;
template struct Overwriting<double>;

template long train(Bengio<float>&, Symbols, const TrainingSettings&, Pool&, Random, const Watch&);
template long train(Overwriting<float>&, Symbols, const TrainingSettings&, Pool&, Random,
                    const Watch&);
template double mean_loss(const Bengio<float>&, Symbols, std::size_t, std::size_t, Pool&);
template std::vector<double> losses_of(const Bengio<float>&, Symbols, std::size_t, std::size_t);

}  // namespace lesson2
