// A pool of threads that stays alive between training steps, and fixed shards of rows. Each job
// writes only to its own place, and the caller merges the places in index order, so every number of
// threads gives the same bits.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>

struct Range {
  std::size_t first, count;
};

// Returns part `index` < shards of `total` rows. The first parts may be longer by 1.
Range shard(std::size_t total, std::size_t shards, std::size_t index);

class Pool {
 public:
  // `threads` > 0 counts the caller, so Pool(1) starts none. Throws std::system_error when the
  // system refuses one.
  explicit Pool(std::size_t threads);
  ~Pool();
  std::size_t threads() const;

  // Calls job(0) .. job(count - 1), each once, on the caller and the workers, and returns when all
  // have ended. If jobs throw, the others still run, and the exception of the lowest index reaches
  // the caller. Allocates nothing. run() may be called inside a job, and by several threads: while
  // another run keeps the workers, the caller works alone, with the same result.
  template <class Job>
  void run(std::size_t count, const Job& job) {
    const auto call = [&job](std::size_t i) { job(i); };
    run(count, &call,
        [](const void* c, std::size_t i) { (*static_cast<const decltype(call)*>(c))(i); });
  }

 private:
  // Not a std::function, which copies or allocates.
  using Call = void (*)(const void* job, std::size_t index);
  struct Run;  // one call of run()
  struct Shared;
  void run(std::size_t count, const void* job, Call call);

  const std::unique_ptr<Shared> shared_;
};
