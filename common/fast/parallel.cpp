// SPDX-License-Identifier: MIT
#include "common/fast/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

// Waits until ready(), but 50 microseconds at most: waking costs some 30, so a short pause is worth
// polling through, but endless polling takes the core from others.
template <class Ready>
static void poll(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (!ready() && std::chrono::steady_clock::now() < end) {
  }
}

Range shard(std::size_t total, std::size_t shards, std::size_t index) {
  if (index >= shards)
    throw std::invalid_argument("shard: the index must be below the number of shards");
  const std::size_t size = total / shards, longer = total % shards;
  return {index * size + std::min(index, longer), size + (index < longer ? 1 : 0)};
}

struct Pool::Run {  // lives on its caller's stack
  std::size_t count;
  const void* job;
  Call call;
  std::atomic<std::size_t> next{0};  // the first job not yet given out
  // Under the mutex: workers that may still touch this run, and the exception of the lowest index.
  std::atomic<std::size_t> inside{0};
  std::exception_ptr error{};
  std::size_t error_index{0};
};

struct Pool::Shared {
  std::mutex mutex;
  std::condition_variable opened, left;
  std::atomic<Run*> open{nullptr};  // has jobs to give out; changes under the mutex
  bool stop = false;
  std::vector<std::thread> workers;

  ~Shared() {
    std::unique_lock lock(mutex);
    stop = true;
    lock.unlock();
    opened.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void work(Run& run) {
    for (;;) {
      const std::size_t i = run.next.fetch_add(1);
      if (i >= run.count) return;
      try {
        run.call(run.job, i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (run.error && run.error_index < i) continue;
        run.error = std::current_exception();
        run.error_index = i;
      }
    }
  }

  void serve() {
    for (;;) {
      poll([&] { return open != nullptr; });
      std::unique_lock lock(mutex);
      opened.wait(lock, [&] { return stop || open; });
      if (stop) return;
      Run& run = *open;
      ++run.inside;
      lock.unlock();
      work(run);
      lock.lock();
      if (open == &run) open = nullptr;
      --run.inside;
      lock.unlock();
      left.notify_all();
    }
  }
};

// If the system refuses a thread, Shared joins the others.
Pool::Pool(std::size_t threads) : shared_(std::make_unique<Shared>()) {
  if (threads == 0) throw std::invalid_argument("Pool: at least one thread is needed, the caller");
  shared_->workers.reserve(threads - 1);
  while (this->threads() < threads)
    shared_->workers.emplace_back([s = shared_.get()] { s->serve(); });
}

Pool::~Pool() = default;

std::size_t Pool::threads() const { return shared_->workers.size() + 1; }

void Pool::run(std::size_t count, const void* job, Call call) {
  Shared& s = *shared_;
  Run run{count, job, call};
  bool shared = false;  // else the caller is alone
  if (count > 1) {
    const std::lock_guard lock(s.mutex);
    shared = !s.open;
    if (shared) s.open = &run;
  }
  if (shared) s.opened.notify_all();
  s.work(run);
  if (shared) {  // lets no one else in, and waits for those inside
    std::unique_lock lock(s.mutex);
    if (s.open == &run) s.open = nullptr;
    lock.unlock();
    poll([&] { return run.inside == 0; });
    lock.lock();
    s.left.wait(lock, [&] { return run.inside == 0; });
  }
  if (run.error) std::rethrow_exception(run.error);
}
