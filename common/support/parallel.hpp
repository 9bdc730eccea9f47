// A small pool of threads that stays alive between training steps, and the rule that splits rows into fixed shards.
// Jobs are numbered; each writes only to its own place, and the caller merges the places in index order. So a run gives
// the same bits for every number of threads, and on a machine that is busy with something else.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

struct Range {
  std::size_t first, count;
};

// Returns part `index` of `total` rows split into `shards` parts whose sizes differ by at most one, longer parts first.
// Throws std::invalid_argument unless index < shards.
inline Range shard(std::size_t total, std::size_t shards, std::size_t index) {
  if (index >= shards) throw std::invalid_argument("shard: the index must be below the number of shards");
  const std::size_t size = total / shards, longer = total % shards;
  return {index * size + std::min(index, longer), size + (index < longer ? 1 : 0)};
}

// Returns the number of threads this machine runs at once; 1 where it does not say.
inline std::size_t hardware_threads() { return std::max<std::size_t>(1, std::thread::hardware_concurrency()); }

class Pool {
 public:
  // `threads` counts the caller, so Pool(1) starts none. Throws std::invalid_argument for 0, std::system_error where
  // the system refuses a thread. Delegates to Pool() so that the destructor joins those already started.
  explicit Pool(std::size_t threads) : Pool() {
    if (threads == 0) throw std::invalid_argument("Pool: at least one thread is needed, the caller");
    workers_.reserve(threads - 1);
    while (workers_.size() < threads - 1) workers_.emplace_back([this] { serve(); });
  }
  ~Pool() {
    std::unique_lock lock(mutex_);
    stop_ = true;
    lock.unlock();
    opened_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  // Calls job(0) .. job(count - 1), each once, on the caller and the workers, and returns when all have ended. If jobs
  // throw, the others still run, and then the exception of the lowest index reaches the caller. Allocates nothing.
  // run() may be called from inside a job, and by several threads: while another run still has jobs to give out, which
  // keeps the workers, the caller does its own alone, one after another, with the same result.
  template <class Job>
  void run(std::size_t count, const Job& job) {
    const auto call = [&job](std::size_t i) { job(i); };
    run(count, &call, [](const void* c, std::size_t i) { (*static_cast<const decltype(call)*>(c))(i); });
  }

 private:
  using Call = void (*)(const void* job, std::size_t index);  // no std::function: nothing is copied or allocated

  // One call of run(), which lives on its caller's stack.
  struct Run {
    std::size_t count;
    const void* job;
    Call call;
    std::atomic<std::size_t> next{0};    // the first job not yet given out
    std::atomic<std::size_t> inside{0};  // workers that may still touch this run; changes under the mutex
    std::exception_ptr error{};          // of the lowest index so far; under the mutex
    std::size_t error_index{0};
  };

  Pool() = default;

  // Waits until ready(), or until its patience ends; then the caller sleeps. A run is some 30 microseconds slower where
  // the workers sleep, so a short pause is worth polling through; polling without end takes the core from whoever has
  // work, and everything crawls as soon as another program runs beside this one.
  template <class Ready>
  static void poll(Ready ready) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (!ready() && std::chrono::steady_clock::now() < end) {
    }
  }

  void run(std::size_t count, const void* job, Call call) {
    Run run{count, job, call};
    bool shared = false;  // else the caller is alone
    if (count > 1) {
      const std::lock_guard lock(mutex_);
      shared = !open_;
      if (shared) open_ = &run;
    }
    if (shared) opened_.notify_all();
    work(run);
    if (shared) close(run);
    if (run.error) std::rethrow_exception(run.error);
  }

  // Does jobs as long as there are any to give out.
  void work(Run& run) {
    for (std::size_t i; (i = run.next++) < run.count;) {
      try {
        run.call(run.job, i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (run.error && run.error_index < i) continue;
        run.error = std::current_exception();
        run.error_index = i;
      }
    }
  }

  // All jobs are given out: lets no one else in and waits for those inside. A worker that wakes late costs nothing.
  void close(Run& run) {
    std::unique_lock lock(mutex_);
    if (open_ == &run) open_ = nullptr;
    lock.unlock();
    poll([&] { return run.inside == 0; });
    lock.lock();
    left_.wait(lock, [&] { return run.inside == 0; });
  }

  // The life of a worker.
  void serve() {
    for (;;) {
      poll([&] { return open_ != nullptr; });
      std::unique_lock lock(mutex_);
      opened_.wait(lock, [&] { return stop_ || open_; });
      if (stop_) return;
      Run& run = *open_;
      ++run.inside;
      lock.unlock();
      work(run);
      lock.lock();
      if (open_ == &run) open_ = nullptr;
      --run.inside;
      lock.unlock();
      left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable opened_, left_;
  std::atomic<Run*> open_{nullptr};  // the run that still has jobs to give out; changes under the mutex
  bool stop_ = false;
  std::vector<std::thread> workers_;
};
