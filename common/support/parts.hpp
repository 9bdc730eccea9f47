// The parts of lessons whose parts have benches.
// SPDX-License-Identifier: MIT
#pragma once
#include "common/support/part.hpp"

// One experiment: computes, and shows. `Session` is what the parts of a lesson share, such as its threads.
template <class Session>
using Experiment = void(Lesson&, Session&);

// An experiment that can be turned: its knobs, what it asks, and what runs in the place of the part when one of them is
// named.
template <class Session>
struct Bench {
  const char* question;
  knob::Knobs knobs;
  void (*run)(Lesson&, Session&, const knob::Settings&);
};

template <class Session>
struct OldPart {
  int number;
  const char* title;
  Experiment<Session>* run;
  PartKind kind = PartKind::core;
  Bench<Session> (*bench)() = nullptr;  // of whatever can be turned
};

// Asks for the knobs of the part that is to run, behind all other flags but --help.
template <class Session>
void ask_for_knobs(Flags& flags, Options& options, std::span<const OldPart<Session>> parts) {
  std::map<int, knob::Knobs> knobs;
  for (const OldPart<Session>& part : parts)
    if (part.bench) knobs[part.number] = part.bench().knobs;
  options.settings = knob::ask_for_knobs(flags, options.part, knobs);
}

// Runs those parts that the flags ask for.
template <class Session>
void run_old_parts(Lesson& lesson, Session& session, std::span<const OldPart<Session>> parts) {
  const knob::Settings& settings = lesson.options().settings;
  for (const OldPart<Session>& part : parts)
    part.bench ? lesson.offer(part.number, part.bench().question, part.bench().knobs)
               : lesson.offer(part.number, "", {});
  for (const OldPart<Session>& part : parts)
    if (lesson.part(part.number, part.title, part.kind == PartKind::further))
      settings.turned() ? part.bench().run(lesson, session, settings) : part.run(lesson, session);
}
