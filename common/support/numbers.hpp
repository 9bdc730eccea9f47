// What nearly every model and training loop includes: the build reads it in advance, as it does frame.hpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/random.hpp"
#include "common/support/parallel.hpp"
