// The main program of a lesson's exercises, linked with the files in its answers/.
// SPDX-License-Identifier: MIT
#include "common/frame/exercise/exercise.hpp"

int main(int argc, char** argv) { return exercise::check_exercises(argc, argv); }
