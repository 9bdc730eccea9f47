// Lesson 3, part 9: a trained model is stored, read back, and gives the same predictions, bit for bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/verify.hpp"

// How many predictions differ, in any bit, once the kept model was bytes.
inline double changed_by_storage(const Kept& kept, const Task& task) {
  const safetensors::File back = safetensors::parse(safetensors::serialize(kept.file));
  const Matrix<double> Y = predict_from(back, task.test.X, task.test.T.cols());
  double changed = 0;
  for (std::size_t k = 0; k < Y.size(); ++k)  // bits, since a NaN is not equal to itself
    changed += std::bit_cast<std::uint64_t>(Y.values()[k]) != std::bit_cast<std::uint64_t>(kept.Y.values()[k]);
  return changed;
}

// The predictions of the model that was loaded. Or of that of --model, trained here, stored under --save, and claimed to
// come back unharmed.
inline Matrix<double> keep_or_use(Lesson& lesson, const Session& session, const Task& task,
                                  const std::optional<safetensors::File>& loaded) {
  if (loaded) {
    lesson.say("The model stored in ", session.flags.load, ":");
    return predict_from(*loaded, task.test.X, task.test.T.cols());
  }
  lesson.say("The model ", session.flags.model, ", its inputs and targets in units of their standard deviations, ",
             session.training().steps, " steps:");
  const Kept kept = train_and_keep(session.flags.model, task, session.training(), session.options.seed);
  lesson.claim("stored and read back: predictions that differ", changed_by_storage(kept, task), exactly(0));
  if (!session.flags.save.empty()) {
    blame("--save", [&] { safetensors::save(session.flags.save, kept.file); });
    lesson.wrote(session.flags.save);
  }
  return kept.Y;
}

inline void part9(Lesson& lesson, const Session& session, const std::optional<safetensors::File>& loaded) {
  Random random(session.options.seed, 30);
  Task task;
  task.train = draw_rows(suites[0], session.rows(), random), task.test = draw_rows(suites[0], session.rows(), random);
  task.outputs = {"y0", "y1", "y2", "y3"};
  TrainingSettings brief;
  brief.steps = 20;
  double worst = 0;
  for_each_model(suite_inputs, suite_outputs, [&](const char* key, const char*, auto) {
    worst = std::max(worst, changed_by_storage(train_and_keep(key, task, brief, session.options.seed), task));
  });
  lesson.say("A model is worth keeping only if it comes back as it was. All seven, after a few steps:");
  lesson.claim("stored and read back: predictions that differ", worst, exactly(0));
  const Matrix<double> Y = keep_or_use(lesson, session, task, loaded);
  show_predictions(lesson, Y, task.test.T, task.outputs);
}
