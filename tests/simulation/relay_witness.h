// The test oracle of a run with two nodes: watches from outside, and checks that
//
// - a seat is charged no more than the time in which an entry had handed its request over to the
//   bot and had no answer, and in which the bot itself had lost its stream: no time between nodes;
//   exactly that time if nothing has failed meanwhile;
// - a seat is taken out, TIMEOUT or DISCONNECTED, only if that time was longer than its limit;
// - a bot is never in more matches at once than it said, whichever node hosts them;
// - a match begins once, ends once, with one result on record and at all its bots;
// - a match is void only if a node or a stream between nodes has failed;
// - bots are told soon that the matches of an owner that is gone are void;
// - while nothing fails, and matches wait for bots that are connected, some begin;
// - an archived replay verifies.
#ifndef REFEREE_TESTS_SIMULATION_RELAY_WITNESS_H_
#define REFEREE_TESTS_SIMULATION_RELAY_WITNESS_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/limits.h"
#include "referee/match/record.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/disk.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/relay_plan.h"

namespace referee::simulation {

// How long a match may be void for a failure that was over.
constexpr absl::Duration kExcusedFor = absl::Seconds(30);
// How long all may be well before a match begins that waits for bots that are connected.
constexpr absl::Duration kBeginsWithin = absl::Seconds(60);

// Thread-compatible.
class RelayWitness {
 public:
  // The pointers must outlive this. `bots`: how many matches each plays at once.
  RelayWitness(const EventQueue* queue, Chronicle* chronicle, std::vector<int> bots)
      : queue_(*queue), chronicle_(*chronicle), bots_(bots.size()), most_(std::move(bots)) {}

  // --- Matches, as their owners have them ---

  void OnCreated(const MatchId& id, int match, int node, const std::vector<int>& bots);
  void OnOpened(const match::Setup& setup);
  void OnRecord(const match::Setup& setup, const match::Record& record);
  void OnRecovered(const MatchId& id, size_t records);
  void OnArchived(const replay::Replay& replay);
  // The node is gone, with its matches if `for_good`; the other one has noticed it by `noticed`.
  void OnKilled(int node, bool for_good, Instant noticed);

  // --- Bots, at their entries; streams have numbers of their own, from 1 ---

  void OnAttached(int bot, int stream, int node);
  // `own`: not the node is gone.
  void OnLost(int bot, int stream, bool own);
  void OnWritten(int bot, int stream, const v1::RefereeItem& item);
  void OnRead(int bot, int stream, const v1::BotItem& item);

  // --- Failures ---

  // The stream from this entry to the other node is there, or is not.
  void OnPeerStream(int entry, bool linked);
  // Something else has failed until now that excuses void matches, if `excuses`.
  void OnTrouble(bool excuses);
  // A node stands still for so long, and is late with what it is to tell.
  void OnStalled(absl::Duration lasts);

  // --- To be called once a second, and at the end ---

  void CheckProgress();
  void CheckTheEnd();

  // Whether the match of this id is over or gone.
  bool IsOver(const MatchId& id) const;
  int64_t turns() const { return turns_; }
  int64_t archived() const { return archived_; }

 private:
  // What a bot was handed, and had.
  struct Had {
    Instant from;
    Instant until = Instant::InfiniteFuture();
    int node = 0;
  };
  struct SeatState {
    std::vector<Had> had;  // for what it has to answer
    int asked = 0;         // times
    uint32_t request = 0;
    bool nonce = false;  // it is to reveal its nonce
    absl::Duration away;
    bool was_away = false;
    bool out = false;
    bool resigned = false;
    absl::optional<std::string> end;  // as its bot was told
    int end_stream = 0;
  };
  struct Match {
    int match = 0;
    int node = 0;
    std::vector<int> bots;
    Instant created;
    bool opened = false;
    bool started = false;
    bool starting = false;  // what is due are seats' answers before the first turn
    bool gone = false;
    bool archived = false;
    bool lengthened = false;
    size_t records = 0;
    uint32_t played = 0;
    Instant due;
    std::vector<SeatState> seats;
    absl::optional<match::Ended> ended;
  };
  struct BotState {
    int stream = 0;  // the latest; 0: none
    int node = 0;
    bool own_loss = false;  // it has lost it by itself
    Instant lost_at;
    Instant connected_at;
    std::map<std::string, Match*> open;  // told on the stream
  };
  // A bot is to be told until then that the match is void.
  struct VoidExpected {
    int bot = 0;
    int stream = 0;
    std::string id;
    Instant until;
  };
  struct Stretch {
    Instant from;
    Instant until;
  };

  Match* Find(const std::string& id);
  Match* FindOf(int bot, const std::string& id, SeatState** seat);
  void Fail(const Match& match, absl::string_view problem);
  void DueAnew(Match* match);
  // All that the seat may have been charged, at most.
  absl::Duration HadBy(const Match& match, const SeatState& seat, int bot) const;
  absl::Duration AwayBy(const Match& match, const SeatState& seat, int bot) const;
  absl::Duration OutageBetween(int entry, Instant from, Instant until) const;
  bool IsPlain(const Match& match, const SeatState& seat, int bot) const;
  // Of the turn that is due.
  static absl::Duration LimitOf(const Match& match, const match::Setup& setup);
  // A seat has lost on time.
  void CheckOut(const Match& match, Seat of, absl::Duration limit, absl::string_view why);
  void On(Match* match, const match::Setup& setup, const match::Played& played);
  void On(Match* match, const match::Setup& setup, const match::Forfeited& forfeited);
  void On(Match* match, const match::Setup& setup, const match::NoContest& no_contest);
  void On(Match* match, const match::Setup& setup, const match::Ended& ended);
  void On(Match* match, const match::Setup& setup, const match::Started& started);
  void On(Match* match, const match::Setup& setup, const match::Resumed& resumed);
  void On(Match*, const match::Setup&, const match::Drawn&) {}
  void On(Match*, const match::Setup&, const match::Faulted&) {}
  void OnStart(int bot, int stream, const std::string& id, bool asks_ready);
  void OnEnd(int bot, int stream, const v1::MatchEnd& end);
  void HandOver(SeatState* seat, int stream);
  void CheckVoids();
  template <typename Look>
  void ForEachSeatOf(int bot, Look look);

  const EventQueue& queue_;
  Chronicle& chronicle_;
  std::vector<BotState> bots_;
  std::map<int, int> entries_;  // by stream: its node
  const std::vector<int> most_;
  std::map<std::string, std::unique_ptr<Match>> matches_;  // by id
  std::array<std::vector<Stretch>, kNodes> outages_;       // by entry
  std::vector<VoidExpected> expected_;
  Instant trouble_;  // when last
  Instant excuse_;
  Instant began_;
  int64_t turns_ = 0;
  int64_t archived_ = 0;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RELAY_WITNESS_H_
