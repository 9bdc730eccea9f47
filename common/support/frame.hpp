// What nearly every part, test and check of exercises includes. The build reads it in advance (Makefile,
// CMakeLists.txt); nothing includes it by name, and every file compiles without it.
// SPDX-License-Identifier: MIT
#include "common/exercise/exercise.hpp"
#include "common/support/checkpoint.hpp"
#include "common/support/digits.hpp"
#include "common/support/numbers.hpp"
#include "common/support/part.hpp"
#include "common/support/spread.hpp"
#include "common/support/text.hpp"
