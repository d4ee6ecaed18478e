// A bot's stream: the referee's end of it is a host::Link that behaves as service/play_stream.h
// does, the other end is a simulated bot's, and between them is a network that delays, and can be
// cut in ways that each end learns of in its own time.
#ifndef REFEREE_TESTS_SIMULATION_STREAM_H_
#define REFEREE_TESTS_SIMULATION_STREAM_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/host/link.h"
#include "tests/simulation/random.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {

class World;

// A match as those outside know it.
struct MatchName {
  int match = 0;  // in the plan
  MatchId id;
};

// What a bot is told, as far as the simulated ones look at it.
struct RefereeItem {
  enum class Kind { kStart, kAsk, kEnded, kTryAgain, kOther };
  Kind kind = Kind::kOther;
  MatchName match;
  Seat seat;                // its own
  uint32_t turn = 0;        // of kAsk
  uint32_t request = 0;     // of kAsk: as in match::Match::request
  absl::Duration limit;     // of kAsk: what the move may take
  games::Move first, last;  // of kAsk: two legal moves, of which the bot takes one
};

// What a bot says.
struct BotItem {
  enum class Kind { kReady, kReply, kUnreadable, kResign };
  Kind kind = Kind::kReady;
  MatchName match;
  uint32_t turn = 0;
  uint32_t request = 0;
  games::Move move;
  bool wild = false;  // the move need not be legal
  std::string nonce;
};

// Thread-compatible.
class Stream final : public host::Link, public std::enable_shared_from_this<Stream> {
 public:
  // The `number`-th stream of `bot`, not connected yet. `world` must outlive it.
  Stream(World* world, int bot, int number);

  // --- The bot's end ---

  // Sends Hello.
  void Open();
  // Sends one message. What is sent after the stream is lost is lost.
  void Send(std::vector<BotItem> items);
  // The bot leaves in good order.
  void HangUp();
  bool open_to_bot() const { return bot_end_open_; }

  // --- The network ---

  void Cut(absl::Duration referee_after, absl::Duration bot_after);
  void BlockFor(absl::Duration duration);
  void SlowDownFor(absl::Duration duration);
  bool cut() const { return cut_; }

  // --- The referee's end ---

  void TellStart(const match::Match& match, Seat seat) override;
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override;
  void TellPlayed(const match::Match& match, const match::Played& played) override;
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void TellEnded(const host::MatchRunner& runner) override;
  void TellFault(const match::Match& match, const match::TellFault& fault) override;
  void TellDraining(absl::Duration time_left) override;
  void Flush() override;
  void Close(const absl::Status& reason) override;

  // The referee has died: nothing more comes from it.
  void RefereeDied();

 private:
  struct Asked {
    std::shared_ptr<host::MatchRunner> runner;
    Account* account;
    Seat seat;
    uint32_t turn;
    uint32_t request;
  };

  absl::Duration Delay();
  void Queue(RefereeItem item);
  // No bot is in more matches at once than it said.
  void CheckPlaces() const;
  void HandOver();
  void SendToReferee(Instant arrives, std::function<void()> arrive);
  void OnHello();
  void OnRead(std::vector<BotItem> items, Instant arrived);
  void Take(const std::vector<BotItem>& items, Instant when);
  void Take(const BotItem& item, Instant when);
  // The bot's end learns that the stream is no more.
  void TellBotLost(absl::Duration after);
  // The host is to know this link no more.
  void Leave();

  World* const world_;
  const int bot_;
  const int number_;
  Random random_;
  bool cut_ = false;
  Instant slow_until_;

  // The bot's end.
  bool bot_end_open_ = true;
  Instant to_referee_;  // when the last message to the referee arrives

  // The referee's end.
  bool closing_ = false;
  bool dead_ = false;
  std::shared_ptr<host::Bot> host_bot_;           // while the host knows this link
  absl::flat_hash_map<std::string, View> views_;  // by match id
  std::vector<RefereeItem> queued_;
  std::vector<Asked> asked_;
  std::vector<const Account*> due_;  // told to go on, with a turn that is to be asked
  Instant writable_at_;
  bool write_awaited_ = false;
  bool writing_ = false;
  Instant to_bot_;    // when the last message to the bot arrives
  Instant taken_at_;  // when the last message read is taken up
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_STREAM_H_
