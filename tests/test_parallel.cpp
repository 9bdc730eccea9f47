// Tests of the thread pool and of the split into shards: every job once, the same bits for every number of threads,
// exceptions, runs inside runs, and no hang. Under -fsanitize=thread the same program looks for races.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/support/parallel.hpp"
#include "tests/check.hpp"

using Sizes = std::vector<std::size_t>;
static const Sizes thread_counts{1, 2, 3, 8};

// A thread waits until ready(), at most 5 seconds; says whether it became so.
template <class Ready>
static bool wait_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return ready();
}

// A hang must end as a failure. The thread dies with the program.
static void start_watchdog() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(100));
    std::puts("FAIL test_parallel hangs");
    std::fflush(stdout);
    std::_Exit(1);
  }).detach();
}

static void test_shards(Checks& check) {
  for (std::size_t total : Sizes{0, 1, 7, 8, 64, 1000})
    for (std::size_t shards : Sizes{1, 2, 3, 8, 13}) {
      std::size_t next = 0, shortest = total, longest = 0;
      bool adjacent = true;
      for (std::size_t i = 0; i < shards; ++i) {
        const Range part = shard(total, shards, i);
        adjacent = adjacent && part.first == next;
        next = part.first + part.count;
        shortest = std::min(shortest, part.count);
        longest = std::max(longest, part.count);
      }
      const std::string what = std::to_string(total) + " rows in " + std::to_string(shards) + " shards";
      check.that(adjacent && next == total, what + ": cover all rows in order");
      check.that(longest - shortest <= 1, what + ": sizes differ by at most one");
    }
  check.that(shard(8, 3, 0).count == 3 && shard(8, 3, 2).count == 2, "the longer shards come first");
  check.throws<std::invalid_argument>([] { shard(8, 3, 3); }, "shard", "a shard past the last");
  check.throws<std::invalid_argument>([] { shard(8, 0, 0); }, "shard", "no shards");
}

static void test_every_job_once(Checks& check) {
  check.throws<std::invalid_argument>([] { Pool pool(0); }, "at least one thread", "a pool of 0 threads");
  check.that(hardware_threads() >= 1, "the machine has a thread");
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    check.that(pool.threads() == threads, "the pool knows its size");
    for (std::size_t count : Sizes{0, 1, 2, 7, 1000}) {
      std::vector<int> calls(count + 1, 0);  // one more, which must stay 0
      pool.run(count, [&](std::size_t i) { ++calls[i]; });
      std::vector<int> expected(count + 1, 1);
      expected.back() = 0;
      check.that(calls == expected,
                 std::to_string(count) + " jobs on " + std::to_string(threads) + " threads, once each");
    }
  }
}

// As many jobs as threads, each waiting for all the others: passes only if every thread takes one, both when the
// workers still poll and when they have had the time to fall asleep.
static void test_all_threads_work(Checks& check) {
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    bool together = true;
    for (int round = 0; round < 20 && together; ++round) {
      std::atomic<std::size_t> present{0}, met{0};
      pool.run(threads, [&](std::size_t) {
        ++present;
        if (wait_until([&] { return present == threads; })) ++met;
      });
      together = met == threads;
      if (round >= 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    check.that(together, std::to_string(threads) + " threads work at the same time");
  }
}

// Sums of 7 shards of the square roots of 0 .. 999.
static std::vector<float> shard_sums(Pool& pool) {
  std::vector<float> sums(7);
  pool.run(sums.size(), [&](std::size_t i) {
    const Range part = shard(1000, sums.size(), i);
    float sum = 0;
    for (std::size_t k = part.first; k < part.first + part.count; ++k) sum += std::sqrt(static_cast<float>(k));
    sums[i] = sum;
  });
  return sums;
}

// Float addition rounds, so the order shows: of the 5040 orders in which 7 shards can end, 3344 give the total other bits,
// among them the order from last to first. A pool that merged in order of completion would be found out.
static void test_same_bits(Checks& check) {
  Pool alone(1);
  const std::vector<float> expected = shard_sums(alone);
  float total = 0, backwards = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    total += expected[i];
    backwards += expected[expected.size() - 1 - i];
  }
  check.that(std::bit_cast<std::uint32_t>(total) != std::bit_cast<std::uint32_t>(backwards), "the order shows");
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    bool same = true;
    for (int round = 0; round < 100; ++round) {
      float merged = 0;
      for (float sum : shard_sums(pool)) merged += sum;
      same = same && std::bit_cast<std::uint32_t>(merged) == std::bit_cast<std::uint32_t>(total);
    }
    check.that(same, std::to_string(threads) + " threads give the bits of one thread");
  }
}

static void fail(std::size_t i) { throw std::runtime_error("job " + std::to_string(i) + "."); }

static void test_exceptions(Checks& check) {
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<int> calls(20, 0);
      const auto some_fail = [&](std::size_t i) {
        ++calls[i];
        if (i == 4 || i == 7 || i == 19) fail(i);
      };
      check.throws<std::runtime_error>([&] { pool.run(20, some_fail); }, "job 4.", "the lowest of three exceptions");
      check.that(calls == std::vector<int>(20, 1), "the other jobs run nevertheless");
      check.throws<std::runtime_error>([&] { pool.run(1, fail); }, "job 0.", "one job, one exception");
      std::atomic<int> done{0};
      pool.run(9, [&](std::size_t) { ++done; });
      check.that(done == 9, "the pool works after an exception");
    }
    const auto propagates = [threads] {
      Pool doomed(threads);
      doomed.run(3, [](std::size_t i) { fail(i); });
    };
    check.throws<std::runtime_error>(propagates, "job 0.", "an exception that leaves the scope of the pool");
  }
}

// Two threads, three jobs: the job that waits for job 2 throws second, since the other thread threw on its way there.
static void test_lowest_exception_in_any_order(Checks& check) {
  Pool pool(2);
  for (std::size_t last : Sizes{0, 1}) {
    std::atomic<bool> other_has_thrown{false};
    const auto job = [&](std::size_t i) {
      if (i == last) wait_until([&] { return other_has_thrown.load(); });
      if (i == 2) other_has_thrown = true;
      fail(i);
    };
    check.throws<std::runtime_error>([&] { pool.run(3, job); }, "job 0.",
                                     "job " + std::to_string(last) + " throws last, job 0 is reported");
  }
}

// A late worker must neither miss a run nor touch one that has ended; each run has its own count and its own places.
static void test_many_runs(Checks& check) {
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    std::size_t wrong = 0;
    for (std::size_t round = 0; round < 5000; ++round) {
      std::vector<std::size_t> places(round % 9, 0);
      pool.run(places.size(), [&places, round](std::size_t i) { places[i] += round + i; });
      for (std::size_t i = 0; i < places.size(); ++i) wrong += places[i] != round + i;
    }
    check.that(wrong == 0, "5000 runs on " + std::to_string(threads) + " threads");
  }
}

static void test_many_pools(Checks& check) {
  for (int round = 0; round < 300; ++round) {
    Pool unused(3);
    Pool pool(3);
    std::atomic<int> done{0};
    pool.run(2, [&](std::size_t) { ++done; });
    check.that(done == 2, "a new pool works");
  }
}

static void test_runs_inside_runs(Checks& check) {
  for (std::size_t threads : thread_counts) {
    Pool pool(threads);
    bool right = true;
    for (int round = 0; round < 200; ++round) {
      std::vector<int> calls(30, 0);
      pool.run(6, [&](std::size_t i) { pool.run(5, [&](std::size_t j) { ++calls[i * 5 + j]; }); });
      right = right && calls == std::vector<int>(30, 1);
    }
    check.that(right, "a run inside a job on " + std::to_string(threads) + " threads");
  }
}

// A run inside job 0 leaves the workers to the outer run, even to those that wake later: jobs 1 and 2 still meet.
static void test_inner_run_leaves_the_workers(Checks& check) {
  Pool pool(2);
  int met = 0;
  for (int round = 0; round < 10; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the worker falls asleep
    std::atomic<int> present{0};
    std::atomic<bool> both{true};
    pool.run(3, [&](std::size_t i) {
      if (i == 0) return pool.run(2, [](std::size_t) {});
      ++present;
      if (!wait_until([&] { return present == 2; })) both = false;
    });
    met += both ? 1 : 0;
  }
  check.that(met == 10, "the outer run keeps its workers");
}

static void test_two_callers(Checks& check) {
  Pool pool(3);
  const auto caller = [&pool](std::size_t& done) {
    for (int round = 0; round < 2000; ++round) {
      std::vector<std::size_t> places(5, 0);
      pool.run(places.size(), [&](std::size_t i) { ++places[i]; });
      for (std::size_t place : places) done += place;
    }
  };
  std::size_t here = 0, there = 0;
  std::thread other([&] { caller(there); });
  caller(here);
  other.join();
  check.that(here == 10000 && there == 10000, "two threads run jobs on one pool");
}

struct Uncopyable {
  std::vector<int>& calls;
  explicit Uncopyable(std::vector<int>& c) : calls(c) {}
  Uncopyable(const Uncopyable&) = delete;
  void operator()(std::size_t i) const { ++calls[i]; }
};

static void test_no_copy(Checks& check) {
  Pool pool(2);
  std::vector<int> calls(4, 0);
  const Uncopyable job(calls);
  pool.run(calls.size(), job);
  check.that(calls == std::vector<int>(4, 1), "a job that cannot be copied runs");
}

int main() {
  Checks check;
  start_watchdog();
  test_shards(check);
  test_every_job_once(check);
  test_all_threads_work(check);
  test_same_bits(check);
  test_exceptions(check);
  test_lowest_exception_in_any_order(check);
  test_many_runs(check);
  test_many_pools(check);
  test_runs_inside_runs(check);
  test_inner_run_leaves_the_workers(check);
  test_two_callers(check);
  test_no_copy(check);
  return check.done("test_parallel");
}
