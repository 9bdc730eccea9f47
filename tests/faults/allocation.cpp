// Lets allocations fail, for tests/faults/faults.cpp, which loads this library before a program: the one whose number,
// from 1, is in FAIL_AT; with FAIL_ON, those behind it as well. At its end the program writes how many it asked for to the
// file COUNT_TO. Linux.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

// What runs before main may allocate before this is there: zeros are constants, and `read` is set by the first.
std::atomic<long> asked{0}, fail_at{-1};
bool on = false;

bool fails() {
  if (fail_at < 0) {
    const char* at = std::getenv("FAIL_AT");
    on = std::getenv("FAIL_ON") != nullptr;
    fail_at = at ? std::atol(at) : 0;
  }
  const long k = ++asked;
  return fail_at > 0 && (k == fail_at || (on && k > fail_at));
}

struct Count {
  ~Count() {
    const char* path = std::getenv("COUNT_TO");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return;
    std::fprintf(file, "%ld\n", asked.load());
    std::fclose(file);
  }
} count;

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : std::malloc(size ? size : 1);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept { return operator new(size, none); }

void* operator new(std::size_t size, std::align_val_t alignment) {
  const std::size_t each = static_cast<std::size_t>(alignment);
  void* memory = fails() ? nullptr : std::aligned_alloc(each, (size + each - 1) / each * each);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
