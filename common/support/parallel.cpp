// SPDX-License-Identifier: MIT
#include "common/support/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace {

// How long a waiting thread polls before it sleeps. A run is some 30 microseconds slower where the workers sleep, so a
// short pause is worth polling through; polling without end takes the core from whoever has work, and everything crawls
// as soon as another program runs beside this one.
constexpr std::chrono::microseconds patience{50};

// Waits until ready(), or until the patience ends.
template <class Ready>
void poll(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!ready() && std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace

Range shard(std::size_t total, std::size_t shards, std::size_t index) {
  if (index >= shards) throw std::invalid_argument("shard: the index must be below the number of shards");
  const std::size_t size = total / shards, longer = total % shards;
  return {index * size + std::min(index, longer), size + (index < longer ? 1 : 0)};
}

std::size_t hardware_threads() { return std::max<std::size_t>(1, std::thread::hardware_concurrency()); }

// Delegates to Pool() so that the destructor joins the threads already started when the system refuses another.
Pool::Pool(std::size_t threads) : Pool() {
  if (threads == 0) throw std::invalid_argument("Pool: at least one thread is needed, the caller");
  workers_.reserve(threads - 1);
  while (workers_.size() < threads - 1) workers_.emplace_back([this] { serve(); });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  opened_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool Pool::open(Run& run) {
  {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    open_ = &run;
  }
  opened_.notify_all();
  return true;
}

// A worker that wakes late costs nothing.
void Pool::close(Run& run) {
  std::unique_lock lock(mutex_);
  if (open_ == &run) open_ = nullptr;
  lock.unlock();
  poll([&] { return run.inside == 0; });
  lock.lock();
  left_.wait(lock, [&] { return run.inside == 0; });
}

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
