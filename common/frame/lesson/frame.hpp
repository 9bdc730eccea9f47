// What nearly every part, test and check includes. The build reads it in advance (Makefile,
// CMakeLists.txt); every file compiles without it.
// SPDX-License-Identifier: MIT
#include <numeric>
#include <optional>

#include "common/data/corpus.hpp"
#include "common/data/digits.hpp"
#include "common/fast/parallel.hpp"
#include "common/frame/exercise/exercise.hpp"
#include "common/frame/files/checkpoint.hpp"
#include "common/frame/lesson/part.hpp"
#include "common/loss.hpp"
#include "common/optimizer.hpp"
#include "common/random.hpp"
#include "common/spread.hpp"
