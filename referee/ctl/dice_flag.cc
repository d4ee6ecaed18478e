#include "referee/ctl/dice_flag.h"

#include <sodium.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {

CLI::Validator DiceSeed() {
  const auto problem = [](const std::string& text) {
    if (ReadDiceSeed(text)) return std::string();
    return absl::StrCat(Quoted(text), " is neither a number of 0 or more nor 64 hex digits");
  };
  return CLI::Validator(problem, "", "dice seed");
}

absl::optional<match::DiceSource> ReadDiceSeed(absl::string_view text) {
  match::DiceSource dice;
  if (const absl::StatusOr<dice::Bytes32> seed = dice::ParseHex32(text); seed.ok()) {
    dice.pinned_seed = dice::Seed{*seed};
    return dice;
  }
  uint64_t number;
  const bool digits = std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
  if (!digits || !absl::SimpleAtoi(text, &number)) return absl::nullopt;
  dice.pinned_number = number;
  return dice;
}

std::string DiceSeedText(const match::DiceSource& dice) {
  return dice.pinned_number ? absl::StrCat(*dice.pinned_number)
                            : dice::Hex(dice.pinned_seed->bytes);
}

dice::Seed SeedOf(const match::DiceSource& dice) {
  return dice.pinned_number ? dice::PinnedSeed(*dice.pinned_number) : *dice.pinned_seed;
}

match::DiceSource DrawDiceSeed() {
  match::DiceSource dice;
  dice.pinned_seed.emplace();
  randombytes_buf(dice.pinned_seed->bytes.data(), dice.pinned_seed->bytes.size());
  return dice;
}

}  // namespace referee::ctl
