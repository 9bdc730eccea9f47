// The pool must run every job once, carry exceptions, nest, and never hang.
// SPDX-License-Identifier: MIT
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/fast/parallel.hpp"
#include "tests/check.hpp"

using Sizes = std::vector<std::size_t>;
using namespace std::chrono_literals;

// Waits until ready(), at most 5 seconds; says whether it became so.
template <class Ready>
static bool wait_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + 5s;
  while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return ready();
}

static void shards(Checks& check) {
  for (std::size_t total : Sizes{0, 1, 7, 64})
    for (std::size_t shards : Sizes{1, 3, 8, 13}) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < shards; ++i) {
        const Range part = shard(total, shards, i);
        check.that(part.first == next, "a shard begins where the last one ends");
        check.that(part.count == total / shards + (i < total % shards), "the longer ones first");
        next += part.count;
      }
      check.that(next == total, "shards of all rows");
    }
  check.throws<std::invalid_argument>([] { shard(8, 3, 3); }, "shard");
}

template <std::size_t threads>
static void each_pool(Checks& check) {
  Pool pool(threads);
  const std::string what = " on " + std::to_string(threads) + " threads";
  // A late worker must neither miss a run nor touch an ended one, so each run has its own data.
  const auto wrong = [&pool] {
    std::size_t count = 0;
    for (std::size_t round = 0; round < 5000; ++round) {
      Sizes places(round % 9 == 8 ? 100 : round % 9, 0);
      pool.run(places.size(), [&places, round](std::size_t i) { places[i] += round + i; });
      for (std::size_t i = 0; i < places.size(); ++i) count += places[i] != round + i;
    }
    return count;
  };
  check.that(pool.threads() == threads, "a pool" + what);
  check.that(wrong() == 0, "5000 runs, every job once" + what);
  std::size_t there = 0;
  std::thread other([&] { there = wrong(); });
  check.that(wrong() == 0, "two threads run jobs on one pool" + what);
  other.join();
  check.that(there == 0, "the other of them" + what);
  // Each job waits for all the others, so this passes only if every thread takes one, whether
  // workers still poll or have fallen asleep. A run inside a job takes no worker from them.
  bool together = true;
  for (int round = 0; round < 20 && together; ++round) {
    std::atomic<std::size_t> present{0}, met{0};
    pool.run(threads + 1, [&](std::size_t i) {
      if (i == 0) return pool.run(2, [](std::size_t) {});
      ++present;
      if (wait_until([&] { return present == threads; })) ++met;
    });
    together = met == threads;
    if (round >= 10) std::this_thread::sleep_for(1ms);
  }
  check.that(together, "all work at the same time" + what);
  bool nested = true;
  for (int round = 0; round < 200; ++round) {
    std::vector<int> calls(30, 0);
    pool.run(6, [&](std::size_t i) { pool.run(5, [&](std::size_t j) { ++calls[i * 5 + j]; }); });
    nested = nested && calls == std::vector<int>(30, 1);
  }
  check.that(nested, "a run inside a job" + what);
  for (int round = 0; round < 50; ++round) {
    Sizes calls(20, 0);
    const auto some_fail = [&](std::size_t i) {
      ++calls[i];
      if (i == 4 || i == 7 || i == 19) throw std::runtime_error("job " + std::to_string(i) + ".");
    };
    check.throws<std::runtime_error>([&] { pool.run(20, some_fail); }, "job 4.",
                                     "the lowest of three exceptions" + what);
    check.that(calls == Sizes(20, 1), "the other jobs run nevertheless" + what);
  }
}

static void orders(Checks& check) {
  Pool pool(2);
  // The job that waits for job 2 throws second, since the other thread threw on its way there.
  for (std::size_t last : Sizes{0, 1}) {
    std::atomic<bool> other_has_thrown{false};
    const auto job = [&](std::size_t i) {
      if (i == last) wait_until([&] { return other_has_thrown.load(); });
      if (i == 2) other_has_thrown = true;
      throw std::runtime_error("job " + std::to_string(i) + ".");
    };
    check.throws<std::runtime_error>([&] { pool.run(3, job); }, "job 0.",
                                     std::to_string(last) + " throws last");
  }
  check.throws<std::invalid_argument>([] { Pool none(0); }, "at least one thread");
}

int main() {
  std::thread([] {  // a hang must end as a failure
    std::this_thread::sleep_for(100s);
    std::puts("FAIL test_parallel hangs");
    std::fflush(stdout);
    std::_Exit(1);
  })
      .detach();
  return run_checks("test_parallel",
                    {shards, each_pool<1>, each_pool<2>, each_pool<3>, each_pool<8>, orders});
}
