// Counts this program's heap allocations, for tests of code that must not allocate.
//
// Linking the library replaces the global operator new and delete by malloc and free with a
// counter.
#ifndef REFEREE_TESTS_SUPPORT_ALLOCATION_COUNT_H_
#define REFEREE_TESTS_SUPPORT_ALLOCATION_COUNT_H_

#include <cstdint>

namespace referee::testing {

// Calls of operator new so far, in all threads. Always 0 under clang's sanitizers. Thread-safe.
int64_t AllocationCount();

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_ALLOCATION_COUNT_H_
