// Pinned dice on the command line: a number, or a seed of 32 bytes in hex.
#ifndef REFEREE_CTL_DICE_FLAG_H_
#define REFEREE_CTL_DICE_FLAG_H_

#include <string>

#include "CLI/App.hpp"  // Validators.hpp does not stand alone
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"

namespace referee::ctl {

// Takes what ReadDiceSeed reads.
CLI::Validator DiceSeed();

// Reads a number to 2^64 - 1, or a seed as 64 hex digits. None of any other text.
absl::optional<match::DiceSource> ReadDiceSeed(absl::string_view text);
// The text of pinned dice. REQUIRES: they are pinned.
std::string DiceSeedText(const match::DiceSource& dice);
// Their seed: of a number its dice::PinnedSeed. REQUIRES: they are pinned.
dice::Seed SeedOf(const match::DiceSource& dice);

// Draws a seed from the system's random source. Nobody can guess it from its commitment, as a
// program can guess a number of 32 bits.
match::DiceSource DrawDiceSeed();

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DICE_FLAG_H_
