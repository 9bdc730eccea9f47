// Where the course lies on this machine, for what a program reads from it while it runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

// Returns the path of a file or folder of the course, such as common/data/play.txt. A lesson may be started from any
// folder, through PATH or a link, so it is looked for upwards from the program, whose argv[0] this is, from the working
// folder and from the place of the source. Empty where it is nowhere.
std::filesystem::path in_course(const std::string& program, const std::filesystem::path& wanted);

// Returns the folder of a lesson, as lessons/3_swish_vs_bmlp; empty where it is nowhere.
std::filesystem::path lesson_folder(const std::string& program, int lesson);
