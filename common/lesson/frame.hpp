// What nearly every part, test and check includes. The build reads it in advance (Makefile,
// CMakeLists.txt); every file compiles without it.
// SPDX-License-Identifier: MIT
#include "common/data/corpus.hpp"
#include "common/data/digits.hpp"
#include "common/exercise/exercise.hpp"
#include "common/files/checkpoint.hpp"
#include "common/lesson/numbers.hpp"
#include "common/lesson/part.hpp"
#include "common/spread.hpp"
