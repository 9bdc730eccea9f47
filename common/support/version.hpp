// The version of the course: the one place where it stands; CMakeLists.txt reads it here.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

inline constexpr std::string_view course_version = "1.0.0";
