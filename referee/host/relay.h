// The data that pass between the entry of a bot and the owner of its match, in a fleet.
//
// The entry is the referee with the bot's stream; the owner is the referee that hosts the match.
// See service/peer/PEERS.md.
#ifndef REFEREE_HOST_RELAY_H_
#define REFEREE_HOST_RELAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/match/turn_clock.h"

namespace referee::host {

// The entry's measurements of a bot's answer, by the entry's own clock.
struct Measured {
  // From the handover of the request to the transport until the arrival of the answer. Not set if
  // it answers no request that was handed over.
  absl::optional<absl::Duration> thought;
  // From the handover until the transport had written the request; not set if not known.
  absl::optional<absl::Duration> taken;
  match::Stalls stalls;                              // of the entry, while the bot had the request
  absl::Duration round_trip = absl::ZeroDuration();  // of the bot's link, recently; zero: not known
};

// How long a bot has had the request that it must answer in a match.
struct Elapsed {
  absl::optional<absl::Duration> time;  // since the handover; not set if nothing is handed over
  bool waits = false;                   // a request exists, but is not handed over yet
  match::Stalls stalls;                 // of the entry in that time
};

// The slots of a bot that an owner wants: one for each of `matches`, which begin together.
struct SlotsWanted {
  std::vector<MatchId> matches;
  std::string game;
  // The oldest of the owner's matches that wait for the bot and could be played. Its age determines
  // the owner's place in the bot's queue.
  MatchId oldest;
};

// The owner of matches, as the entry sees it. Thread-safe. No call blocks, and no call may use the
// bot's link, whose lock is held during Said.
class Relay {
 public:
  virtual ~Relay() = default;
  // Passes on `item`, a serialized v1::BotItem, that the bot sent about one of the matches.
  virtual void Said(absl::string_view bot, std::string item, const Measured& measured) = 0;
  // Sends all items since the last call.
  virtual void Flush() = 0;
};

// A message of an owner to a bot, which the bot's entry passes on.
struct PassedOn {
  enum class When { kNow, kTogether, kLater };  // as in service/play/outgoing.h
  enum class Asks { kNothing, kReady, kNonce, kMove };

  std::string response;  // a serialized v1::PlayResponse with one item
  std::string match_id;  // empty: about no match
  When when = When::kNow;
  Asks asks = Asks::kNothing;
  uint32_t turn = 0;       // only for Asks::kMove
  uint32_t request = 0;    // only for Asks::kMove
  bool again = false;      // the request was handed over before, and its clock runs
  bool ends = false;       // the match is over
  bool fault = false;      // the bot made a mistake, which counts towards its limit
  uint32_t lost_turn = 0;  // the last turn that the bot lost on time in this match; 0: none
  absl::Duration lost_limit = absl::ZeroDuration();  // of lost_turn
};

}  // namespace referee::host

#endif  // REFEREE_HOST_RELAY_H_
