// A session of the Play stream over a transport that the test holds, beside a host whose clock,
// timers and threads it moves: what the session says is words that a test compares.
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

// Writes down what it is to do, and does it when the test says so.
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
  // What it has done since this was asked for last.
  std::vector<std::string> Log() { return std::exchange(log, {}); }

  BotSession* session = nullptr;
  bool ends_at_once = false;
  bool writing = false;
  bool reading = false;
  bool cancelled = false;
  std::string finished;  // the code; empty: it is not
  std::string why;       // the message
  std::vector<std::string> notices;
  std::vector<std::string> faults;               // their messages
  std::vector<std::vector<std::string>> fleets;  // addresses, as it was told of others
  v1::TurnRequest asked;
  std::map<std::string, v1::TurnRequest> asked_of;  // the last of each match, by its id
  v1::TurnPlayed played;
  uint64_t ping = 0;
  std::vector<std::string> log;
};

// A token is a name.
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

  // A stream that has begun and said Hello; its Welcome is being written.
  Guest Come(const std::string& name);
  void Say(const Guest& guest, const v1::BotItem& item);
  void SayReady(const Guest& guest);
  void SayMove(const Guest& guest, uint32_t turn, const v1::Move& move);
  void SayNonsense(const Guest& guest, uint32_t turn);
  // What it was asked last.
  void SayLegalMove(const Guest& guest);
  // Both bots are there, and what is written to them goes out at once.
  void ComeBoth();
  void SayPong(const Guest& guest);

  void CreateMatch(const match::Policies& policies = {});
  // Alice and Bob in a match that begins: their starts are being written, and the first turn waits.
  void Begin(const match::Policies& policies = {});
  // Plays all turns of a match that begins, while its end is not sealed. Returns who was told of
  // the last turn, or is to be. `busy`: each time, something else is being written to that bot
  // meanwhile.
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
