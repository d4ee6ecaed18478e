// Command lines: checks of values that CLI11 does not have, and how a program that serves reads its
// flags. Errors are in words for people.
#ifndef REFEREE_BASE_COMMAND_LINE_H_
#define REFEREE_BASE_COMMAND_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/App.hpp"  // Validators.hpp does not stand alone

namespace referee {

// Takes decimal numbers from `min` to 2^64 - 1. Without it CLI11 takes -1 for 2^64 - 1.
CLI::Validator Unsigned64(uint64_t min = 0);
// Takes decimal numbers from `min` to `max`.
CLI::Validator Whole(uint64_t min, uint64_t max);
// Takes these words.
CLI::Validator OneOf(std::vector<std::string> words);

// What KB, MB and so on mean in a size.
enum class SizeUnits { kPowersOf1024, kPowersOf1000 };
// To transform with: takes sizes of `min` bytes or more, such as 512MB.
CLI::Validator Size(uint64_t min, SizeUnits units = SizeUnits::kPowersOf1024);
// Reads what Size takes. Returns false for any other text.
bool ReadSize(std::string text, SizeUnits units, uint64_t* bytes);

// Parses the command line of the program that `app` is named after. Returns true to go on; false
// when the program must end with `exit_status`, after the help, the version or an error is printed.
bool ParseCommandLine(int argc, char** argv, CLI::App* app, int* exit_status);

}  // namespace referee

#endif  // REFEREE_BASE_COMMAND_LINE_H_
