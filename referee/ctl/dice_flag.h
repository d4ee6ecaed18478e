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

// Accepts the texts that ReadDiceSeed accepts.
CLI::Validator DiceSeed();

// Parses a number up to 2^64 - 1, or a seed of 64 hex digits. Unset for any other text.
absl::optional<match::DiceSource> ReadDiceSeed(absl::string_view text);
// The text of pinned dice. REQUIRES: the dice are pinned.
std::string DiceSeedText(const match::DiceSource& dice);
// The seed; for a number, its dice::PinnedSeed. REQUIRES: the dice are pinned.
dice::Seed SeedOf(const match::DiceSource& dice);

// Draws a seed from the system's random source. It cannot be guessed from its commitment, unlike a
// number of 32 bits, which a program can find by trial.
match::DiceSource DrawDiceSeed();

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DICE_FLAG_H_
