// Reads choices off the front of a fuzzer's input; when it is used up, every choice is the first.
// Points into the input. Thread-compatible.
#ifndef REFEREE_TESTS_FUZZ_FUZZED_BYTES_H_
#define REFEREE_TESTS_FUZZ_FUZZED_BYTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace referee::fuzz {

class FuzzedBytes {
 public:
  FuzzedBytes(const uint8_t* data, size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }

  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  // A number from 0 to n - 1. REQUIRES: 1 <= n <= 256.
  int Below(int n) { return Byte() % n; }

  // At most `size` bytes.
  absl::string_view Take(size_t size) {
    const absl::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // All that is left.
  absl::string_view Rest() { return Take(rest_.size()); }

 private:
  absl::string_view rest_;
};

}  // namespace referee::fuzz

#endif  // REFEREE_TESTS_FUZZ_FUZZED_BYTES_H_
