// Fixture for a bot's session: a transport under the test's control, and a host on simulated time.
//
// Tests compare the session's messages as words.
#ifndef REFEREE_TESTS_UNIT_SERVICE_BOT_SESSION_FIXTURE_H_
#define REFEREE_TESTS_UNIT_SERVICE_BOT_SESSION_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/host/host.h"
#include "referee/host/stall_log.h"
#include "referee/service/play/bot_session.h"
#include "tests/support/memory_recorder.h"
#include "tests/support/simulated_time.h"

namespace referee::service {

constexpr absl::Duration kRoundTrip = absl::Milliseconds(40);

// A transport that notes each operation, and completes it when the test says so.
class HeldTransport final : public Transport {
 public:
  void Write(const v1::PlayResponse& message, absl::string_view rest) override;
  void Read() override {
    EXPECT_FALSE(reading) << "two reads at once";
    reading = true;
    log.push_back("read");
  }
  void Finish(const absl::Status& status) override {
    EXPECT_FALSE(writing) << "finished while something is being written";
    finished = std::string(absl::StatusCodeToString(status.code()));
    why = std::string(status.message());
  }
  void Cancel() override { cancelled = true; }

  void EndWrite(bool ok = true);
  // The operations since the last call.
  std::vector<std::string> Log() { return std::exchange(log, {}); }

  BotSession* session = nullptr;
  bool ends_at_once = false;
  bool writing = false;
  bool reading = false;
  bool cancelled = false;
  std::string finished;  // the code; empty: not finished
  std::string why;       // the message
  std::vector<std::string> notices;
  std::vector<std::string> faults;               // their messages
  std::vector<std::vector<std::string>> fleets;  // the addresses of other referees, by message
  v1::TurnRequest asked;
  std::map<std::string, v1::TurnRequest> asked_of;  // by match id: the last request
  v1::TurnPlayed played;
  uint64_t ping = 0;
  std::vector<std::string> log;
};

// An authenticator whose tokens are names.
class NamesAsTokens final : public Authenticator {
 public:
  absl::StatusOr<Identity> Find(const TokenHash& hash) const override;
  absl::Status Recheck(absl::string_view name, const TokenHash&) const override;
  absl::StatusOr<Identity> FindShutOut(const TokenHash& hash) const override;
  absl::Status CheckExpiry(absl::string_view name) const override;
  bool KnowsBot(absl::string_view) const override { return true; }
  bool HasOrganiser() const override { return true; }

  absl::optional<absl::Time> ends_soon;
  bool expired = false;
  std::string banned;  // a name
};

class BotSessionTest : public ::testing::Test {
 protected:
  struct Guest {
    HeldTransport* transport;
    std::shared_ptr<BotSession> session;
    HeldTransport* operator->() const { return transport; }
  };

  BotSessionTest();
  ~BotSessionTest() override;

  // Opens a stream that has said Hello; the write of its Welcome is in progress.
  Guest Come(const std::string& name);
  void Say(const Guest& guest, const v1::BotItem& item);
  void SayReady(const Guest& guest);
  void SayMove(const Guest& guest, uint32_t turn, const v1::Move& move);
  void SayNonsense(const Guest& guest, uint32_t turn);
  // A legal move for the last request.
  void SayLegalMove(const Guest& guest);
  // Connects both bots, whose writes then complete at once.
  void ComeBoth();
  void SayPong(const Guest& guest);

  void CreateMatch(const match::Policies& policies = {});
  // Begins a match of Alice and Bob: the writes of their starts are in progress, and the first turn
  // waits.
  void Begin(const match::Policies& policies = {});
  // Plays all turns of the match; its end is not sealed yet. Returns the guest that receives the
  // last turn. `busy`: each time, another write to that bot is in progress.
  Guest& PlayToTheEnd(bool busy = false);
  bool IsFirst(const Guest& guest) const;
  Seat FirstSeat() const;
  Guest& First() { return IsFirst(alice_) ? alice_ : bob_; }
  Guest& Second() { return IsFirst(alice_) ? bob_ : alice_; }

  testing::SimulatedClock clock_;
  testing::SimulatedTimers timers_{&clock_};
  testing::HeldExecutor executor_;
  testing::MemoryRecorder recorder_;
  host::StallLog stalls_;
  // The host's on_connection; may be null.
  std::function<void(absl::string_view bot)> on_connection_;
  NamesAsTokens authenticator_;
  StreamLimits limits_;
  Admission admission_{limits_};
  Sessions sessions_{&authenticator_};
  Connections connections_{ConnectionLimits(), {}};
  std::unique_ptr<host::Host> host_;
  BotSession::Environment environment_;
  std::vector<std::unique_ptr<HeldTransport>> transports_;
  std::string id_;
  bool news_may_wait_ = false;
  uint32_t max_matches_ = 1;
  std::vector<std::string> games_;
  Guest alice_;
  Guest bob_;
};

}  // namespace referee::service

#endif  // REFEREE_TESTS_UNIT_SERVICE_BOT_SESSION_FIXTURE_H_
