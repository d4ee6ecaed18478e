// The queue of matches that wait for their bots: decides which match may begin next.
//
// Also counts the running matches. Knows only names and numbers; the caller begins the match.
//
// Younger parties may overtake an older one that cannot begin yet, so that no bot is idle without
// need. A party may be overtaken kMostOvertakes times, counted while its bots could play it. After
// that its bots are kept for it: they begin only matches that leave enough slots for it. So it
// begins at the latest when its bots have finished their current matches, and those that are kept
// for older parties.
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
  // What begins together: a single match, or all matches of a block. The first match names it.
  struct Party {
    MatchId id;
    std::string game;
    std::vector<std::string> bots;
    int matches = 1;
    // Another referee hosts its matches. The limit of running matches, and matches that are held
    // back at this host, do not affect them.
    bool elsewhere = false;
  };
  // A party in the queue.
  struct Waiting {
    Party party;
    Instant until;
    int overtaken = 0;  // by younger parties that share a bot; counts up to kMostOvertakes
  };
  // The slots that a bot has for matches of a game, of which so many come together. A bot that has
  // no slot for a single match has none for several.
  struct Slots {
    int free = 0;       // how many more it can take now
    bool able = false;  // it could take them if it played nothing else
  };
  using FindSlots =
      std::function<Slots(const std::string& bot, const std::string& game, int at_once)>;
  // Takes a slot of each bot for each match, so that FindSlots finds fewer, and begins the matches.
  using Begin = std::function<void(const Waiting& seated)>;
  // How often a party may be overtaken, while its bots could play it, before they are kept for it.
  static constexpr int kMostOvertakes = 16;

  // `max_running` as in SetMaxRunning.
  Seating(int max_running, FindSlots find_slots)
      : find_slots_(std::move(find_slots)), max_running_(max_running) {}

  // Queues `party` until `until`. REQUIRES: it is not in the queue.
  void Wait(Party party, Instant until) { Wait(Waiting{std::move(party), until, 0}); }
  // As above, for a party that was seated but did not begin. It gets its old place in the queue.
  void Wait(Waiting waiting);
  // Removes the party from the queue, if it is there.
  void Remove(const MatchId& id);

  // Each removes the parties that can begin now from the queue, oldest first, counts them as
  // running and calls `begin`. SeatOne does so for one party, and SeatAny for all. SeatFor does so
  // for parties that wait for a bot whose free slots have changed, or for a bot that is kept
  // together with it.
  void SeatOne(const MatchId& id, const Begin& begin);
  void SeatFor(const std::string& bot, const Begin& begin);
  void SeatAny(const Begin& begin);

  // How many of the bot's slots are kept for the oldest party that was overtaken too often.
  int kept(const std::string& bot) const { return KeptOf(bot, waiting_.end()); }

  // The oldest party of this referee that waits for the bot, and could be played if its bots played
  // nothing else. Returns `own` if no such party is older.
  MatchId OldestFor(const std::string& bot, const MatchId& own) const;

  // How many matches run. Began counts a match that did not come from this queue.
  int running() const { return running_; }
  void Began() { ++running_; }
  void Ended() { --running_; }
  // How many matches may run; at that number nothing else begins. A block may begin whenever fewer
  // run, and so exceed the limit. If a block waited for room for all its matches, single matches
  // would always overtake it.
  int max_running() const { return max_running_; }
  bool full() const { return !held_back_.empty() || running_ >= max_running_; }
  // `load` says why the limit is lower than usual, for people; empty if it is not.
  void SetMaxRunning(int max_running, std::string load = "") {
    max_running_ = max_running;
    load_ = std::move(load);
  }
  const std::string& load() const { return load_; }
  // Nothing begins while `why` is not empty.
  void HoldBack(std::string why) { held_back_ = std::move(why); }
  const std::string& held_back() const { return held_back_; }
  // As HoldBack, for one game. No bots are kept for its matches.
  void HoldBackGame(const std::string& game, std::string why);
  // Why no match of the game begins; empty if matches begin.
  std::string WhyHeldBack(const std::string& game) const;

  // When the first waiting party will have waited too long; InfiniteFuture if none waits.
  Instant first_limit() const;
  // Remove parties from the queue, those that have waited too long or all, and return their ids.
  std::vector<MatchId> GiveUpLate(Instant now);
  std::vector<MatchId> GiveUpAll();

 private:
  using Queue = std::map<MatchId, Waiting>;  // ids sort by time
  using ByBot = absl::flat_hash_map<std::string, std::set<MatchId>>;

  static void Take(const Party& party, ByBot* from);

  // The bot's slots for the party, or for `at_once` matches of the same kind; none if the game is
  // held back.
  Slots SlotsOf(const std::string& bot, const Party& party, int at_once) const {
    const bool held = !party.elsewhere && held_back_games_.count(party.game) > 0;
    return held ? Slots() : find_slots_(bot, party.game, at_once);
  }
  Slots SlotsOf(const std::string& bot, const Party& party) const {
    return SlotsOf(bot, party, party.matches);
  }
  // Whether no waiting party may begin.
  bool stuck() const { return full() && elsewhere_ == 0; }
  // Whether each bot has enough slots besides those that are kept for older parties.
  bool CanBegin(Queue::const_iterator waiting) const;
  // Whether each bot of the party is connected and takes so many matches at once.
  bool IsAble(const Party& party) const;
  // The slots of a bot that are kept for a party before `end`.
  int KeptOf(const std::string& bot, Queue::const_iterator end) const;
  // Counts `began` as overtaking the older parties that wait for one of its bots.
  void NoteOvertaken(const Party& began);
  // The bot, and all bots that are kept for a party together with it.
  std::set<std::string> KeptWith(const std::string& bot) const;
  void SeatForOne(const std::string& bot, const Begin& begin);

  const FindSlots find_slots_;
  int running_ = 0;
  int max_running_;
  std::string load_;
  std::string held_back_;
  std::map<std::string, std::string> held_back_games_;  // why, by game
  // The waiting parties, and their ids by bot.
  Queue waiting_;
  ByBot waiting_by_bot_;
  std::set<std::pair<Instant, MatchId>> limits_;
  int elsewhere_ = 0;  // how many of them are Party::elsewhere
  // The ids of parties that were overtaken kMostOvertakes times.
  ByBot overtaken_by_bot_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SEATING_H_
