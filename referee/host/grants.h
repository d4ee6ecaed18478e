// Gets slots from other referees for matches that are seated here: of each bot whose stream another
// referee has, before its matches begin (service/peer/PEERS.md). Matches of which all slots are
// granted begin. Else the granted ones are given up, and the matches wait again.
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

// Thread-safe. Calls links and the functions below without a lock.
class Grants : public std::enable_shared_from_this<Grants> {
 public:
  // A party that was seated: its slots of the bots are taken here.
  struct Seated {
    Seating::Waiting waiting;
    std::vector<std::shared_ptr<MatchRunner>> matches;
    std::vector<std::vector<std::shared_ptr<Bot>>> bots;  // by match and seat
    std::vector<MatchId> oldest;  // as in SlotsWanted, by seat of the first match
  };
  struct Calls {
    // The bot has no free slot until its entry says so. Called before anything that the entry says
    // after its refusal is taken.
    std::function<void(const std::shared_ptr<Bot>&, const Link*)> refused;
    // The party may not begin now, or one of its matches is over.
    std::function<void(Seated)> wait_again;
  };

  static std::shared_ptr<Grants> Make(Calls calls) {
    return std::shared_ptr<Grants>(new Grants(std::move(calls)));
  }

  // Begins the matches, at once or when all slots are granted.
  void Begin(Seated seated);
  // The bot has lost this link, or has another: what its entry has not granted yet is refused.
  void LinkGone(const Link* link);
  // Forgets the parties whose slots are not granted yet, and returns their matches. Slots that are
  // granted later are given up.
  std::vector<std::shared_ptr<MatchRunner>> GiveUpAll();
  // Gives up the slots of a match that is over and did not begin.
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
  // All have answered.
  void Settle(Pending pending);

  const Calls calls_;
  Mutex mutex_;
  uint64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<uint64_t, Pending> pending_ ABSL_GUARDED_BY(mutex_);  // by number
};

}  // namespace referee::host

#endif  // REFEREE_HOST_GRANTS_H_
