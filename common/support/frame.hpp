// What nearly every part, test and check of exercises includes. The build reads it in advance (Makefile, CMakeLists.txt), so
// that none of them has to be told this again; nothing includes it by name, and every file compiles without it.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/gradcheck.hpp"
#include "common/initialize.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/corpus.hpp"
#include "common/support/digits.hpp"
#include "common/support/exercise.hpp"
#include "common/support/ngram.hpp"
#include "common/support/parts.hpp"
#include "common/support/spread.hpp"
