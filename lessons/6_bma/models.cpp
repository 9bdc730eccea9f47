// What is compiled once and optimized.
// SPDX-License-Identifier: MIT
#include "lessons/6_bma/tasks.hpp"

namespace lesson6 {

template struct Attention<float>;
template struct Attention<double>;
template struct LanguageModel<float>;
template struct LanguageModel<double>;
template struct VisionModel<float>;
template struct VisionModel<double>;
template class Writer<float>;
template class LanguageTrainer<float>;
template void draw_start(LanguageModel<float>&, const Start&, std::uint64_t);
template void draw_start(VisionModel<float>&, const Start&, std::uint64_t);
template double mean_loss(const LanguageModel<float>&, Symbols, std::size_t, std::size_t, Pool&,
                          std::size_t);
template void train_task(MaskTask<float>, Attention<float>&, const RunSettings&, Random,
                         const Watch&);
template void train_task(MirrorTask<float>, Attention<float>&, const RunSettings&, Random,
                         const Watch&);
template void train_task(SilenceTask<float>, Attention<float>&, const RunSettings&, Random,
                         const Watch&);

}  // namespace lesson6
