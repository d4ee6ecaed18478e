// What a fuzz target holds to be true: a claim that fails ends the program, so that a fuzzer, or a
// test, keeps the input.
#ifndef REFEREE_TESTS_FUZZ_CLAIM_H_
#define REFEREE_TESTS_FUZZ_CLAIM_H_

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"

namespace referee::fuzz {

// Aborts unless `holds`, and says what did not, and of what. Thread-safe.
inline void Claim(bool holds, absl::string_view what, absl::string_view of = {}) {
  if (holds) return;
  std::fprintf(stderr, "claim fails: %s: %s\n", std::string(what).c_str(), std::string(of).c_str());
  std::abort();
}

}  // namespace referee::fuzz

#endif  // REFEREE_TESTS_FUZZ_CLAIM_H_
