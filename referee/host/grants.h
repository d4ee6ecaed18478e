// Asks other referees for slots of their bots, for matches that are seated at this host.
//
// A bot whose stream another referee has needs a slot there before its match begins
// (service/peer/PEERS.md). A party begins when all its slots are granted. Otherwise it gives up the
// granted slots, and waits again.
//
//   grants->Begin({waiting, matches, bots});
#ifndef REFEREE_HOST_GRANTS_H_
#define REFEREE_HOST_GRANTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/match_runner.h"
#include "referee/host/seating.h"

namespace referee::host {

// Thread-safe. Calls links and the callbacks below without holding a lock.
class Grants : public std::enable_shared_from_this<Grants> {
 public:
  // A party that was seated, and whose slots are taken at this host.
  struct Seated {
    Seating::Waiting waiting;
    std::vector<std::shared_ptr<MatchRunner>> matches;
    std::vector<std::vector<std::shared_ptr<Bot>>> bots;  // by match and seat
    std::vector<MatchId> oldest;  // as in SlotsWanted, by seat of the first match
  };
  struct Calls {
    // An entry refused slots of this bot, so the bot has no free slot until its entry reports some.
    // Called before any later report of the entry is handled.
    std::function<void(const std::shared_ptr<Bot>&, const Link*)> refused;
    // The party may not begin now, because a slot was refused or one of its matches is over.
    std::function<void(Seated)> wait_again;
  };

  static std::shared_ptr<Grants> Make(Calls calls) {
    return std::shared_ptr<Grants>(new Grants(std::move(calls)));
  }

  // Begins the matches: at once if no slot must be granted, else when all are granted.
  void Begin(Seated seated);
  // Notes that the bot has lost or replaced this link. Slots that its entry has not granted yet
  // count as refused.
  void LinkGone(const Link* link);
  // Gives up all parties that still wait for grants, and returns their matches. Slots that are
  // granted later are given back.
  std::vector<std::shared_ptr<MatchRunner>> GiveUpAll();
  // Gives back the slots of a match that ended before it began.
  static void Release(const MatchId& id, const std::vector<std::shared_ptr<Bot>>& bots);

 private:
  struct Asked {
    enum class Answer { kNone, kGranted, kRefused };
    std::shared_ptr<Bot> bot;
    std::shared_ptr<Link> link;
    MatchId oldest;
    Answer answer = Answer::kNone;
  };
  struct Pending {
    Seated seated;
    std::vector<Asked> asked;
    bool given_up = false;
  };

  explicit Grants(Calls calls) : calls_(std::move(calls)) {}

  void Ask(uint64_t number, const Pending& pending);
  void TakeAnswer(uint64_t number, size_t i, bool granted);
  // Begins the party, or lets it wait again, once all entries have answered.
  void Settle(Pending pending);

  const Calls calls_;
  Mutex mutex_;
  uint64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<uint64_t, Pending> pending_ ABSL_GUARDED_BY(mutex_);  // by number
};

}  // namespace referee::host

#endif  // REFEREE_HOST_GRANTS_H_
