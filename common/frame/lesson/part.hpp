// A lesson's table of contents, and what its parts take from the standard library.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "common/frame/lesson/lesson.hpp"
#include "common/spread.hpp"

// Further parts run under --all, or by number.
enum class PartKind { core, further };

// One experiment, at whatever its knobs stand; their standards are the numbers of the text.
// `Session` is what the parts of a lesson share, such as its threads.
template <class Session>
struct Part {
  using Experiment = void(Lesson&, Session&, const knob::Settings&);

  int number = 0;
  const char* title = "";
  PartKind kind = PartKind::core;
  const char* question = "";  // what the knobs are to find out
  Experiment* run = nullptr;
  Experiment* scene = nullptr;  // a quick one, which runs in its place when a knob is turned
  knob::Knobs knobs = {};
  const knob::Knob* opening = nullptr;  // of them the one in sight where the lesson's page begins
  // README says it in these very words.
  std::string (*settings)() = nullptr;
};

template <class Session>
using Contents = std::span<const Part<Session>* const>;

// Reads the words behind the program. Throws UserError, and Finished behind --help and --settings.
template <class Session>
Options read_flags(int argc, const char* const* argv, const std::string& program,
                   const std::string& question, const knob::Knobs& own, Contents<Session> parts) {
  Flags flags(argc, argv, program, question);
  std::map<int, knob::Knobs> knobs;
  for (const Part<Session>* part : parts) knobs[part->number] = part->knobs;
  const Options options = read_options(flags, program, own, knobs);
  if (!options.list_settings) return options;
  for (const Part<Session>* part : parts)
    if (part->settings) std::printf("%d: %s\n", part->number, part->settings().c_str());
  throw Finished{0};
}

template <class Session>
void run_parts(Lesson& lesson, Session& session, Contents<Session> parts) {
  const Options& options = lesson.options();
  for (const Part<Session>* part : parts)
    lesson.offer(part->number, part->question, part->knobs, part->opening);
  for (const Part<Session>* part : parts) {
    const auto scene = [&] { part->scene(lesson, session, knob::standards_of(part->knobs)); };
    if (!lesson.part(part->number, part->title, part->kind == PartKind::further)) {
      if (!options.part && !options.quick && part->scene) lesson.bench(part->number, scene);
      continue;
    }
    const bool any_given = options.settings.any_given();
    const bool standard = !any_given && !options.quick && !options.steps && options.own.standard();
    if (part->settings && standard) lesson.trained_with(part->settings());
    const knob::Settings at = options.part ? options.settings : knob::standards_of(part->knobs);
    const auto experiment = any_given && part->scene ? part->scene : part->run;
    experiment(lesson, session, at);
    if (any_given || part->knobs.empty()) continue;
    lesson.bench(part->number, part->scene ? scene : std::function<void()>());
  }
}
