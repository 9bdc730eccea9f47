// Lesson 3: its models and their training, compiled once.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

template struct Net<SwishLayer, float, SwishForm>;
template struct Bmlp<float>;
template struct Net<ProductLayer, float>;
template struct Net<Product2Layer, float, Product2Form>;
template struct Net<GateLayer, float, GateForm>;

template void train(Swish<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);
template void train(Bmlp<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);
template void train(GatedMean<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);
template void train(Product<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);
template void train(Product2<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);
template void train(SwishGate<float>&, const Rows&, const TrainingSettings&, Random, const Watch&);

}  // namespace lesson3
