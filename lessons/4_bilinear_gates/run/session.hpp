// Lesson 4: what its parts share: the run's options, its threads, and the counts of successes that claims allow for.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "common/support/lesson.hpp"

namespace lesson4 {

class Session {
 public:
  explicit Session(const Options& o) : options(o), pool(pool_of(o)) {}

  // Runs job(0) .. job(count - 1) on all threads, with a line of progress at a terminal.
  template <class Job>
  void run(const std::string& what, std::size_t count, const Job& job) {
    run_with_progress(pool, what, count, job);
  }

  Options options;
  Pool pool;
};

// Returns the counts of successes to allow for in runs that each succeed with probability p, 0 < p < 1: what is left
// out on either side is as rare as 4.5 deviations of a normal. (Near 0 and all of them a count is skewed, and its
// deviation tells less.)
Bound binomial(std::size_t runs, double p);

}  // namespace lesson4
