// Command-line parsing: validators that CLI11 lacks, and the entry point for programs that serve.
//
// Error messages are for people.
#ifndef REFEREE_BASE_COMMAND_LINE_H_
#define REFEREE_BASE_COMMAND_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/App.hpp"  // Validators.hpp does not stand alone

namespace referee {

// Accepts decimal numbers from `min` to 2^64 - 1. CLI11 by itself reads -1 as 2^64 - 1.
CLI::Validator Unsigned64(uint64_t min = 0);
// Accepts decimal numbers from `min` to `max`.
CLI::Validator Whole(uint64_t min, uint64_t max);
// Accepts these words only.
CLI::Validator OneOf(std::vector<std::string> words);

// The meaning of KB, MB and so on in a size.
enum class SizeUnits { kPowersOf1024, kPowersOf1000 };
// A CLI11 transform that accepts sizes such as 512MB, of at least `min` bytes.
CLI::Validator Size(uint64_t min, SizeUnits units = SizeUnits::kPowersOf1024);
// Parses a size as Size does. Returns false for any other text.
bool ReadSize(std::string text, SizeUnits units, uint64_t* bytes);

// Parses the command line of the program that `app` is named after. Returns true if the program is
// to continue. Otherwise prints the help, the version or an error, sets `exit_status`, and returns
// false.
bool ParseCommandLine(int argc, char** argv, CLI::App* app, int* exit_status);

}  // namespace referee

#endif  // REFEREE_BASE_COMMAND_LINE_H_
