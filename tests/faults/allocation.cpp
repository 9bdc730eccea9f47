// Lets allocations fail, for tests/faults/faults.sh, which loads this library before a program: the one whose number,
// from 1, is in FAIL_AT; with FAIL_ON, those behind it as well. At its end the program writes how many it asked for to the
// file COUNT_TO. The other forms of new call these. Linux.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> asked{0}, fail_at{-1};  // constants, which are there before what runs before main
bool on = false;

void* checked(void* memory) {
  if (fail_at < 0) {
    const char* at = std::getenv("FAIL_AT");
    on = std::getenv("FAIL_ON") != nullptr;
    fail_at = at ? std::atol(at) : 0;
  }
  const long k = ++asked;
  if (memory && (fail_at == 0 || k < fail_at || (k > fail_at && !on))) return memory;
  std::free(memory);
  throw std::bad_alloc();
}

struct Count {
  ~Count() {
    const char* path = std::getenv("COUNT_TO");
    if (std::FILE* file = path ? std::fopen(path, "w") : nullptr) {
      std::fprintf(file, "%ld\n", asked.load());
      std::fclose(file);
    }
  }
} count;

}  // namespace

void* operator new(std::size_t size) { return checked(std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const std::size_t each = static_cast<std::size_t>(alignment);
  return checked(std::aligned_alloc(each, (size + each - 1) / each * each));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
