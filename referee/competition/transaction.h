// What a planner (planner.h) asks for: changes in the store, matches to cancel, bots to take out or
// to notify. Plain values.
#ifndef REFEREE_COMPETITION_TRANSACTION_H_
#define REFEREE_COMPETITION_TRANSACTION_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/rating/block.h"
#include "referee/rating/sprt.h"
#include "referee/store/store.h"

namespace referee::competition {

// A match that is to be cancelled, if it is not over.
struct Cancellation {
  MatchId match;
  std::string reason;
  std::string by = {};  // the account that has it so; empty: the referee itself
};

// A bot that is to be taken out.
struct Removal {
  int bot = 0;
  store::Presence out = store::Presence::kWithdrawn;
  std::string reason;
  absl::optional<store::Suspension> suspension = {};  // it comes back by itself
};

// What the author of a bot that is connected should know.
struct BotNotice {
  std::string bot;  // its name
  std::string text;
};

// What is to happen in the store at once.
struct Transaction {
  struct Begun {
    rating::Pairing pairing;
    std::string to;  // as in BeginBlock

    friend bool operator==(const Begun& a, const Begun& b) {
      return a.pairing == b.pairing && a.to == b.to;
    }
  };

  std::vector<store::Change> changes;
  // Of these, what begins and is counted.
  std::vector<Begun> begun;
  absl::optional<store::CountBlocks> count;
  absl::optional<rating::Sprt> sprt;  // after the count
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TRANSACTION_H_
