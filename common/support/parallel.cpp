// SPDX-License-Identifier: MIT
#include "common/support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

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

// The threads behind a pool.
class Pool::Workers {
 public:
  explicit Workers(std::size_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }
  void run(std::size_t count, const void* job, Call call);

 private:
  // One call of run(); lives on its caller's stack.
  struct Run {
    std::size_t count;
    const void* job;
    Call call;
    std::atomic<std::size_t> next{0};    // the first job not yet given out
    std::atomic<std::size_t> inside{0};  // workers that may still touch this run; changes under the mutex
    std::exception_ptr error{};          // of the lowest index so far; under the mutex
    std::size_t error_index{0};
  };

  Workers() = default;
  bool open(Run& run);   // invites the workers; false if another run is open
  void close(Run& run);  // all jobs are given out: lets no one else in, waits for those inside
  void work(Run& run);
  void serve();  // the life of a worker

  std::mutex mutex_;
  std::condition_variable opened_, left_;
  std::atomic<Run*> open_{nullptr};  // the run that still has jobs to give out; changes under the mutex
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

void Pool::Workers::run(std::size_t count, const void* job, Call call) {
  Run run{count, job, call};
  const bool shared = count > 1 && open(run);
  work(run);
  if (shared) close(run);
  if (run.error) std::rethrow_exception(run.error);
}

// Delegates to Workers() so that the destructor joins the threads already started when the system refuses another.
Pool::Workers::Workers(std::size_t threads) : Workers() {
  if (threads == 0) throw std::invalid_argument("Pool: at least one thread is needed, the caller");
  workers_.reserve(threads - 1);
  while (workers_.size() < threads - 1) workers_.emplace_back([this] { serve(); });
}

Pool::Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  opened_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool Pool::Workers::open(Run& run) {
  {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    open_ = &run;
  }
  opened_.notify_all();
  return true;
}

// A worker that wakes late costs nothing.
void Pool::Workers::close(Run& run) {
  std::unique_lock lock(mutex_);
  if (open_ == &run) open_ = nullptr;
  lock.unlock();
  poll([&] { return run.inside == 0; });
  lock.lock();
  left_.wait(lock, [&] { return run.inside == 0; });
}

void Pool::Workers::work(Run& run) {
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

void Pool::Workers::serve() {
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

Pool::Pool(std::size_t threads) : workers_(new Workers(threads)) {}
Pool::~Pool() { delete workers_; }
std::size_t Pool::threads() const { return workers_->threads(); }
void Pool::run(std::size_t count, const void* job, Call call) { workers_->run(count, job, call); }
