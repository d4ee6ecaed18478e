// Which turns the bots of a duel have to think about, to say of a turn that was lost on time how
// many others its bot had then.
#ifndef REFEREE_CTL_DUEL_TURN_WATCH_H_
#define REFEREE_CTL_DUEL_TURN_WATCH_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/match/match.h"
#include "referee/match/record.h"

namespace referee::ctl {

// Thread-safe.
class TurnWatch {
 public:
  // Takes a record of a match, in order. `match` is as it is after the step that made the record.
  void Note(const match::Match& match, const match::Record& record);
  // How many turns of other matches each seat's bot had to think about when the seat lost a turn,
  // and with it the match, on time; 0 for seats that did not. Empty if none did. Nobody is asked in
  // the match any more.
  std::vector<int> Take(const MatchId& id);
  // Whether the bot is in a match of which there are records, and which was not forgotten.
  bool Plays(const std::string& bot) const;
  void Forget(const MatchId& id);

 private:
  // The matches in which a bot is asked for a turn, without `id`.
  int CountTurnsOf(const std::string& bot, const MatchId& id) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  absl::flat_hash_map<MatchId, std::vector<std::string>> bots_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<MatchId, std::string> asked_ ABSL_GUARDED_BY(mutex_);  // the bot
  absl::flat_hash_map<MatchId, std::vector<int>> lost_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_TURN_WATCH_H_
