// Checks the dice of a match, once their seed is revealed, against what the referee had told
// before: the commitment, the hashes of the nonces, the bot's own nonce, and each roll that the bot
// saw. Thread-compatible.
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
  // Notes a turn with its dice, one's own or another's. Of what comes after a turn that was missed
  // nothing is kept: it is not known which roll of its seat it is.
  void SawTurn(uint32_t turn, uint32_t seat, absl::Span<const uint32_t> dice);

  // Returns what does not fit, in one sentence with what was told and what should be; empty if
  // nothing. `own` is the bot's part, as it stands at the end. A verdict that reveals no seed, of a
  // match without a result, leaves nothing to check.
  std::string Problem(const v1::Match& told, const v1::Verdict& verdict,
                      const Nonce::Part& own) const;

 private:
  struct Seen {
    uint32_t turn = 0;
    uint32_t seat = 0;
    int roll = 0;  // which of the seat's, from 0
    std::vector<int> dice;
  };

  std::string RollProblem(const v1::Match& told, const dice::Key& key) const;

  std::vector<Seen> seen_;
  absl::flat_hash_map<uint32_t, int> rolls_;  // of each seat, so far
  bool missed_ = false;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_DICE_CHECK_H_
