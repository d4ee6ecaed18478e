// What passes through a referee that has the stream of a bot in a match that another referee of the
// fleet hosts. The referee with the stream is the entry of the bot; the one that hosts the match is
// its owner. See service/peer/PEERS.md.
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

// What the entry measured of an answer of the bot, by its own clock.
struct Measured {
  // From the handover of the request to the transport to the arrival of the answer; none: it
  // answers no request that was handed over.
  absl::optional<absl::Duration> thought;
  // From the handover until the transport had taken the request; none: not known.
  absl::optional<absl::Duration> taken;
  match::Stalls stalls;                              // of the entry, while the bot had the request
  absl::Duration round_trip = absl::ZeroDuration();  // of the bot's link lately; zero: not known
};

// How long a bot has had the request that it has to answer in a match.
struct Elapsed {
  absl::optional<absl::Duration> time;  // since the handover; none: none is handed over
  bool waits = false;                   // there is one, which is not handed over yet
  match::Stalls stalls;                 // of the entry in that time
};

// Slots of a bot that an owner asks for: one for each match of `matches`, which begin together.
struct SlotsWanted {
  std::vector<MatchId> matches;
  std::string game;
  // The oldest of the owner's matches that wait for the bot and could be played: by its age the
  // owner has its place in the queue of the bot.
  MatchId oldest;
};

// The owner of matches, as the entry has it. Thread-safe. No call blocks, or calls the bot's link,
// whose lock is held during Said.
class Relay {
 public:
  virtual ~Relay() = default;
  // The bot of this name has said `item`, a serialized v1::BotItem, of one of the matches.
  virtual void Said(absl::string_view bot, std::string item, const Measured& measured) = 0;
  // What was said since the last call goes out.
  virtual void Flush() = 0;
};

// What an owner tells a bot, to be passed on by its entry.
struct PassedOn {
  enum class When { kNow, kTogether, kLater };  // as in service/play/outgoing.h
  enum class Asks { kNothing, kReady, kNonce, kMove };

  std::string response;  // a serialized v1::PlayResponse with one item
  std::string match_id;  // empty: it is about none
  When when = When::kNow;
  Asks asks = Asks::kNothing;
  uint32_t turn = 0;       // of a move that is asked for
  uint32_t request = 0;    // the same
  bool again = false;      // the request was handed over before, and its clock runs
  bool ends = false;       // the match is over
  bool fault = false;      // of the bot, which counts against what it may do wrong
  uint32_t lost_turn = 0;  // the last that the bot lost on time in this match; 0: none
  absl::Duration lost_limit = absl::ZeroDuration();  // of that turn
};

}  // namespace referee::host

#endif  // REFEREE_HOST_RELAY_H_
