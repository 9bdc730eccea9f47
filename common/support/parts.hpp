// A lesson's table of contents: its parts in their order.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "common/support/lesson.hpp"

enum class PartKind { core, further };  // further parts run under --all, or when asked for by number

// One experiment: computes, and shows. `Session` is what the parts of a lesson share, such as its threads.
template <class Session>
using Experiment = void(Lesson&, Session&);

template <class Session>
struct Part {
  int number;
  const char* title;
  Experiment<Session>* run;
  PartKind kind = PartKind::core;
};

// Runs those parts that the flags ask for.
template <class Session>
void run_parts(Lesson& lesson, Session& session, std::span<const Part<Session>> parts) {
  for (const Part<Session>& part : parts)
    if (lesson.part(part.number, part.title, part.kind == PartKind::further)) part.run(lesson, session);
}
