// What nearly every model and training loop includes: the build reads it in advance,
// like frame.hpp.
// SPDX-License-Identifier: MIT
#include <numeric>
#include <optional>

#include "common/fast/parallel.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/random.hpp"
