// Lesson 3, part 9: a trained model is stored, read back, and gives the same predictions, bit for bit.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/support/lesson.hpp"
#include "lessons/3_swish_vs_bmlp/run/session.hpp"
#include "lessons/3_swish_vs_bmlp/run/verify.hpp"
#include "lessons/3_swish_vs_bmlp/run/zoo.hpp"

namespace lesson3 {

void part9(Lesson& lesson, Session& session) {
  Random random(session.options.seed, 30);
  Task task;
  task.train = draw_rows(suites[0], session.rows(), random);
  task.test = draw_rows(suites[0], session.rows(), random);
  task.outputs = {"y0", "y1", "y2", "y3"};
  TrainingSettings brief;
  brief.steps = 20;
  double worst = 0;
  for_each_model(suite_inputs, suite_outputs, [&](const char* key, const char*, auto) {
    worst = std::max(worst, changed_by_storage(train_and_keep(key, task, brief, session.options.seed), task));
  });
  lesson.say("Is what is read back what was stored? Seven models, after ", brief.steps, " steps: ", worst,
             " predictions differ.");
  lesson.claim("stored and read back: predictions that differ", worst, exactly(0));
  keep_or_use(lesson, session, task);
}

}  // namespace lesson3
