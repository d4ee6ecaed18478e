// Checks the dice of a match against what the referee published before it revealed the seed.
//
// The check covers the commitment, the hashes of the nonces, the bot's own nonce, and each roll
// that the bot saw. Thread-compatible.
#ifndef REFEREE_SDK_SRC_DICE_CHECK_H_
#define REFEREE_SDK_SRC_DICE_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "proto/referee/v1/match.pb.h"
#include "referee/dice/dice.h"
#include "sdk/cpp/src/nonce.h"

namespace referee::sdk {

class DiceCheck {
 public:
  // Notes the dice of a turn of any seat. Ignores all turns after a missed one, because the number
  // of the seat's roll is then unknown.
  void SawTurn(uint32_t turn, uint32_t seat, absl::Span<const uint32_t> dice);

  // Returns the first mismatch, as one sentence with the published and the expected values; empty
  // if there is none. `own` is the bot's part at the end of the match. A match without a result may
  // reveal no seed; then there is nothing to check.
  std::string Problem(const v1::Match& told, const v1::Verdict& verdict,
                      const Nonce::Part& own) const;

 private:
  struct Seen {
    uint32_t turn = 0;
    uint32_t seat = 0;
    int roll = 0;  // the number of the seat's roll, from 0
    std::vector<int> dice;
  };

  std::string RollProblem(const v1::Match& told, const dice::Key& key) const;

  std::vector<Seen> seen_;
  absl::flat_hash_map<uint32_t, int> rolls_;  // by seat: rolls so far
  bool missed_ = false;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_DICE_CHECK_H_
