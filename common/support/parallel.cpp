// SPDX-License-Identifier: MIT
#include "common/support/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

// Waits until ready(), or until its patience ends; then the caller sleeps. A run is some 30 microseconds slower where
// the workers sleep, so a short pause is worth polling through; polling without end takes the core from whoever has
// work, and everything crawls as soon as another program runs beside this one.
template <class Ready>
static void poll(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (!ready() && std::chrono::steady_clock::now() < end) {
  }
}

Range shard(std::size_t total, std::size_t shards, std::size_t index) {
  if (index >= shards) throw std::invalid_argument("shard: the index must be below the number of shards");
  const std::size_t size = total / shards, longer = total % shards;
  return {index * size + std::min(index, longer), size + (index < longer ? 1 : 0)};
}

struct Pool::Run {  // lives on its caller's stack
  std::size_t count;
  const void* job;
  Call call;
  std::atomic<std::size_t> next{0};    // the first job not yet given out
  std::atomic<std::size_t> inside{0};  // workers that may still touch this run; changes under the mutex
  std::exception_ptr error{};          // of the lowest index so far; under the mutex
  std::size_t error_index{0};
};

// Delegates to Pool() so that the destructor joins the threads already started when the system refuses another.
Pool::Pool(std::size_t threads) : Pool() {
  if (threads == 0) throw std::invalid_argument("Pool: at least one thread is needed, the caller");
  workers_.reserve(threads - 1);
  while (workers_.size() < threads - 1) workers_.emplace_back([this] { serve(); });
}

Pool::~Pool() {
  std::unique_lock lock(mutex_);
  stop_ = true;
  lock.unlock();
  opened_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::run(std::size_t count, const void* job, Call call) {
  Run run{count, job, call};
  bool shared = false;  // else the caller is alone
  if (count > 1) {
    const std::lock_guard lock(mutex_);
    shared = !open_;
    if (shared) open_ = &run;
  }
  if (shared) opened_.notify_all();
  work(run);
  if (shared) {  // lets no one else in and waits for those inside; a worker that wakes late costs nothing
    std::unique_lock lock(mutex_);
    if (open_ == &run) open_ = nullptr;
    lock.unlock();
    poll([&] { return run.inside == 0; });
    lock.lock();
    left_.wait(lock, [&] { return run.inside == 0; });
  }
  if (run.error) std::rethrow_exception(run.error);
}

// Does jobs as long as there are any to give out.
void Pool::work(Run& run) {
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

// The life of a worker.
void Pool::serve() {
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
