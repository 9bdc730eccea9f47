// Lesson 3: its models, compiled once.
// SPDX-License-Identifier: MIT
#include "lessons/3_swish_vs_bmlp/models.hpp"

namespace lesson3 {

template struct Net<SwishLayer, float, SwishForm>;
template struct Net<SwishLayer, double, SwishForm>;
template struct Bmlp<float>;
template struct Bmlp<double>;
template struct BmlpBatch<float>;
template struct BmlpBatch<double>;
template struct Net<GatedMeanLayer, float>;
template struct Net<GatedMeanLayer, double>;
template struct Net<ProductLayer, float>;
template struct Net<ProductLayer, double>;
template struct Outer<float>;
template struct Outer<double>;
template struct Net<Product2Layer, float, Product2Form>;
template struct Net<Product2Layer, double, Product2Form>;
template struct Net<GateLayer, float, GateForm>;
template struct Net<GateLayer, double, GateForm>;
template struct Net<SquareLayer, float>;
template struct Net<SquareLayer, double>;

}  // namespace lesson3
