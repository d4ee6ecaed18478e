// The queue of matches that wait for their bots, and the count of those that run: decides which
// match may begin next. It knows names and numbers only; the caller begins the match.
//
// Younger parties may overtake an older one that cannot begin yet, so that no bot is idle for
// nothing; but only kMostOvertakes of its bots' while all its bots could play it. After that its
// bots are kept for it: they begin only what leaves them the slots that it needs. So it begins at
// the latest when all is over that they play then, and that is kept for older ones.
//
//   Seating seating(100, [&](const std::string& bot, const std::string& game, int n) { ... });
//   seating.Wait({id, "hypnosia", {"alice", "bob"}, 1}, clock.Now() + limit);
//   seating.SeatFor("alice", [&](const Seating::Waiting& seated) { ... });  // alice has come
#ifndef REFEREE_HOST_SEATING_H_
#define REFEREE_HOST_SEATING_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"

namespace referee::host {

// A value; thread-compatible.
class Seating {
 public:
  // What begins together: a match alone, or all matches of a block, named by the first.
  struct Party {
    MatchId id;
    std::string game;
    std::vector<std::string> bots;
    int matches = 1;
    // Its matches run at another referee: how many run here, and what is held back here, does not
    // concern them.
    bool elsewhere = false;
  };
  // A party in the queue.
  struct Waiting {
    Party party;
    Instant until;
    int overtaken = 0;  // by younger ones that have a bot of it; counted to kMostOvertakes
  };
  // What a bot has for matches of a game, of those that come so many together. One that has no slot
  // for matches that come alone has none for any others.
  struct Slots {
    int free = 0;       // how many more it can take now
    bool able = false;  // it could take them if it played nothing else
  };
  using FindSlots =
      std::function<Slots(const std::string& bot, const std::string& game, int at_once)>;
  // Takes a slot of each bot for each match, so that FindSlots finds fewer free, and begins them.
  using Begin = std::function<void(const Waiting& seated)>;
  // So often a party that its bots could play is overtaken, before they are kept for it.
  static constexpr int kMostOvertakes = 16;

  // `max_running` as in SetMaxRunning.
  Seating(int max_running, FindSlots find_slots)
      : find_slots_(std::move(find_slots)), max_running_(max_running) {}

  // Queues `party`, until `until` at most. REQUIRES: it is not in the queue.
  void Wait(Party party, Instant until) { Wait(Waiting{std::move(party), until, 0}); }
  // The same of one that was seated, but did not begin: it has its place in the queue again.
  void Wait(Waiting waiting);
  // Takes the party out of the queue, if it is there.
  void Remove(const MatchId& id);

  // Take each party that can begin now out of the queue, oldest first, count it as running and call
  // `begin`: SeatOne for one party, SeatFor for those that wait for a bot of which more or fewer
  // slots are free, or for bots that are kept together with it, SeatAny for all.
  void SeatOne(const MatchId& id, const Begin& begin);
  void SeatFor(const std::string& bot, const Begin& begin);
  void SeatAny(const Begin& begin);

  // How many slots of a bot are kept for the oldest party that was overtaken too often.
  int kept(const std::string& bot) const { return KeptOf(bot, waiting_.end()); }

  // The oldest party of this referee that waits for the bot and could be played if its bots played
  // nothing else; `own` if there is none that is older.
  MatchId OldestFor(const std::string& bot, const MatchId& own) const;

  // Matches that run. Those that began elsewhere count, too.
  int running() const { return running_; }
  void Began() { ++running_; }
  void Ended() { --running_; }
  // How many may run; at that number nothing else begins. A block may begin whenever fewer run, and
  // so exceed the limit: if it waited for room for all its matches, single matches would always
  // overtake it.
  int max_running() const { return max_running_; }
  bool full() const { return !held_back_.empty() || running_ >= max_running_; }
  // `load` says why these are fewer than usual, for people; empty: they are not.
  void SetMaxRunning(int max_running, std::string load = "") {
    max_running_ = max_running;
    load_ = std::move(load);
  }
  const std::string& load() const { return load_; }
  // Nothing begins while `why` is not empty.
  void HoldBack(std::string why) { held_back_ = std::move(why); }
  const std::string& held_back() const { return held_back_; }
  // The same of one game. Its matches keep no bots for themselves.
  void HoldBackGame(const std::string& game, std::string why);
  // Why no match of the game begins; empty: they do.
  std::string WhyHeldBack(const std::string& game) const;

  // When the first party will have waited for too long; InfiniteFuture if none waits.
  Instant first_limit() const;
  // Take those that have waited too long, or all, out of the queue, and return them.
  std::vector<MatchId> GiveUpLate(Instant now);
  std::vector<MatchId> GiveUpAll();

 private:
  using Queue = std::map<MatchId, Waiting>;  // ids sort by time
  using ByBot = absl::flat_hash_map<std::string, std::set<MatchId>>;

  static void Take(const Party& party, ByBot* from);

  // What the bot has for the party, or for `at_once` matches like those; none if its game is held
  // back.
  Slots SlotsOf(const std::string& bot, const Party& party, int at_once) const {
    const bool held = !party.elsewhere && held_back_games_.count(party.game) > 0;
    return held ? Slots() : find_slots_(bot, party.game, at_once);
  }
  Slots SlotsOf(const std::string& bot, const Party& party) const {
    return SlotsOf(bot, party, party.matches);
  }
  // Nothing that waits may begin.
  bool stuck() const { return full() && elsewhere_ == 0; }
  // Whether each bot has slots for it beside what is kept for older ones.
  bool CanBegin(Queue::const_iterator waiting) const;
  // Whether each bot of it is there, and takes so many matches at once.
  bool IsAble(const Party& party) const;
  // The slots of a bot that are kept, if that is for a party before `end`.
  int KeptOf(const std::string& bot, Queue::const_iterator end) const;
  // Counts `began` against the older ones that wait for a bot of it.
  void NoteOvertaken(const Party& began);
  // The bot, and all those that are kept for a party together with it.
  std::set<std::string> KeptWith(const std::string& bot) const;
  void SeatForOne(const std::string& bot, const Begin& begin);

  const FindSlots find_slots_;
  int running_ = 0;
  int max_running_;
  std::string load_;
  std::string held_back_;
  std::map<std::string, std::string> held_back_games_;  // why, by game
  // Those that wait, and the same by bot.
  Queue waiting_;
  ByBot waiting_by_bot_;
  std::set<std::pair<Instant, MatchId>> limits_;
  int elsewhere_ = 0;  // of those: whose matches run elsewhere
  // Of those, what was overtaken kMostOvertakes times.
  ByBot overtaken_by_bot_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SEATING_H_
