// Lesson 3: its models and their training, compiled once.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/train.hpp"

namespace lesson3 {

template struct Net<SwishLayer, float, SwishForm>;
template struct Bmlp<float>;
template struct BatchBmlp<float>;
template struct Net<HiddenProducts, float>;
template struct Net<Product2Layer, float, Product2Form>;
template struct Net<GateLayer, float, GateForm>;

template struct Trainer<Swish<float>>;
template struct Trainer<Bmlp<float>>;
template struct Trainer<BatchBmlp<float>>;
template struct Trainer<GatedMean<float>>;
template struct Trainer<Product<float>>;
template struct Trainer<Product2<float>>;
template struct Trainer<SwishGate<float>>;

}  // namespace lesson3
