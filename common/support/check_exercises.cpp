// The main program of a lesson's exercises. The files in answers/ are linked with it, and each makes its exercise known.
// SPDX-License-Identifier: MIT
#include "common/support/exercise.hpp"

int main(int argc, char** argv) { return exercise::check_exercises(argc, argv); }
