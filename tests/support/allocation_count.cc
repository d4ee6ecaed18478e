#include "tests/support/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocations{0};

}  // namespace

// Clang's sanitizers define these operators themselves, and allow no replacement. There the count
// stays 0.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define REFEREE_OPERATORS_ARE_TAKEN
#endif
#endif

#ifndef REFEREE_OPERATORS_ARE_TAKEN
void* operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  std::abort();
}
void* operator new[](size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace referee::testing {

int64_t AllocationCount() { return allocations.load(std::memory_order_relaxed); }

}  // namespace referee::testing
