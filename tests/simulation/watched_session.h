// The referee's end of a simulated stream: a real BotSession, whose calls by the host are reported
// to the witness. It also checks these invariants of a session:
//
// - What is told goes out once, in the order in which it was told, and in time: nothing flushed
//   waits while nothing is being written.
// - A bot that connects is told at once of all its matches that go on, and asked the turns due.
// - An item of a bot reaches its match as the bot sent it.
#ifndef REFEREE_TESTS_SIMULATION_WATCHED_SESSION_H_
#define REFEREE_TESTS_SIMULATION_WATCHED_SESSION_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/service/play/bot_session.h"
#include "tests/simulation/items.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {

class World;

// Thread-compatible.
class WatchedSession final : public service::BotSession {
 public:
  // Of the `number`-th stream of `bot`. `world` must outlive it.
  WatchedSession(World* world, int bot, int number, const Environment* environment,
                 service::Transport* transport)
      : BotSession(environment, transport), world_(world), bot_index_(bot), number_(number) {}

  // --- For the stream ---

  // A message has come out of the transport. A referee that is not in a stall would have read it at
  // `arrived`.
  void NoteRead(const std::vector<BotItem>& items, Instant arrived);
  // The session takes it up: `items` are what `request` says, which was read at `when`.
  void Take(const v1::PlayRequest& request, const std::vector<BotItem>& items, Instant when);
  // The session hands `message` to the transport. Returns what the bot will hear.
  std::vector<RefereeItem> NoteWrite(const v1::PlayResponse& message);
  void WriteDone(bool ok);
  // The referee has died: nothing more comes from here.
  void Die() { dead_ = true; }
  // Checks that nothing flushed waits while nothing is being written, but for news that may, and
  // turns for as long as they may. Call it when no event is being handled.
  void CheckFlushed();

  // --- host::Link ---

  void TellStart(const match::Match& match, Seat seat) override;
  void AskNonce(const match::Match& match, Seat seat) override;
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override;
  void TellPlayed(const match::Match& match, const match::Played& played) override;
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void TellEnded(const host::MatchRunner& runner) override;
  void TellFault(const match::Match& match, const match::TellFault& fault) override;
  void TellDraining(absl::Duration time_left, bool will_return) override;
  void TellNotice(absl::string_view text) override;
  void Flush() override;
  void Close(const absl::Status& reason) override;

 private:
  using Kind = v1::RefereeItem::KindCase;
  struct Told {
    Kind kind;
    RefereeItem item;
    bool offered = false;  // flushed while something was being written
    // Of a turn that waits for others: since when; InfiniteFuture: it does not.
    Instant waits_since = Instant::InfiniteFuture();
  };

  void Post(const host::Bot::Slot& slot, match::Event event, Instant when) override;
  void Queue(Kind kind, RefereeItem item) { told_.push_back({kind, std::move(item)}); }
  Account* AccountOf(const match::Match& match) const;
  RefereeItem ItemOf(const Account& account, const match::Match& match) const;
  // Whether the session has made the item itself.
  static bool IsOwn(const v1::RefereeItem& item);
  static bool Is(const v1::RefereeItem& item, const Told& told);
  void NoteHandover(const v1::TurnRequest& request, const Told& told);
  // The item, of those being handled, that became `event`.
  const BotItem& Said(const MatchId& match, const match::Event& event);
  // Checks that no bot is in more matches at once than it said.
  void CheckPlaces() const;
  void CheckToldAll() const;
  void CheckSoon();
  // Whether it waits by the referee's choice, for others.
  static bool IsHeld(const Told& told) {
    return told.kind == Kind::kTurnRequest && told.waits_since < Instant::InfiniteFuture() &&
           !told.offered;
  }
  // Whether a turn may wait still, for the bot's answers to others; looks again when it may not.
  bool MayWait(Told* turn);

  World* const world_;
  const int bot_index_;
  const int number_;
  bool closed_ = false;
  absl::optional<Instant> to_take_;  // when a message was read that is not taken up yet
  bool dead_ = false;
  absl::flat_hash_map<const Account*, View> views_;
  std::vector<const Account*> due_;  // told to go on, with a turn that is to be asked
  // What was told and did not go out yet; how many items of it have been flushed.
  std::deque<Told> told_;
  size_t flushed_ = 0;
  bool writing_ = false;
  // Round trips: of the last ping, and the longest of all.
  Instant pinged_;
  absl::Duration round_trip_;
  bool to_check_ = false;
  // What is being taken up.
  const std::vector<BotItem>* said_ = nullptr;
  size_t next_said_ = 0;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_WATCHED_SESSION_H_
