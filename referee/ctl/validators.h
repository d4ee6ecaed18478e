// Checks of flags that CLI11 does not have.
#ifndef REFEREE_CTL_VALIDATORS_H_
#define REFEREE_CTL_VALIDATORS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/App.hpp"  // Validators.hpp does not stand alone

namespace referee::ctl {

// Takes decimal numbers from `min` to 2^64 - 1. Without it CLI11 takes -1 for 2^64 - 1.
CLI::Validator Unsigned64(uint64_t min = 0);

// Takes decimal numbers from `min` to `max`.
CLI::Validator Whole(uint64_t min, uint64_t max);
// To transform with: takes sizes of `min` bytes or more, such as 512MB, with KB as 1024 bytes.
CLI::Validator Size(uint64_t min);
// Takes these words.
CLI::Validator OneOf(std::vector<std::string> words);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_VALIDATORS_H_
