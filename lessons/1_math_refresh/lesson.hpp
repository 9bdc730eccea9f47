// Lesson 1: what its parts include.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/lesson/part.hpp"
#include "lessons/1_math_refresh/models.hpp"

namespace lesson1 {

extern const Part<Pool> part0, part1, part2, part3, part4, part5, part6, part7, part8;

}  // namespace lesson1
