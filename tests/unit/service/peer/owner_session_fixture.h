// Fixture for the owner's side of a peer stream: a test-controlled transport, a host on simulated
// time.
//
// Tests compare the owner's items as words.
#ifndef REFEREE_TESTS_UNIT_SERVICE_PEER_OWNER_SESSION_FIXTURE_H_
#define REFEREE_TESTS_UNIT_SERVICE_PEER_OWNER_SESSION_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/host/host.h"
#include "referee/service/peer/owner_session.h"
#include "tests/support/memory_recorder.h"
#include "tests/support/simulated_time.h"

namespace referee::service {

// Notes each write, and completes it at once or when the test says so.
class RecordedEntry final : public PeerTransport<peer::v1::AttachResponse> {
 public:
  void Write(const peer::v1::AttachResponse& message) override;
  void Finish(const absl::Status& status) override;
  void EndWrite(bool ok = true);
  // The items written since the last call, one word each.
  std::vector<std::string> Words() { return std::exchange(words, {}); }

  OwnerSession* session = nullptr;
  bool ends_at_once = true;
  bool writing = false;
  std::string finished;  // the code; empty: not finished
  std::vector<std::string> words;
  // The last item of each kind, by the number of the bot's stream.
  std::map<uint64_t, peer::v1::Told> told;
  std::map<uint64_t, v1::TurnRequest> asked;
  std::map<uint64_t, v1::Fault> faults;
  std::map<uint64_t, peer::v1::Reserve> reserves;
};

class OwnerSessionTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kAlice = 1;  // the numbers of the bots' streams
  static constexpr uint64_t kBob = 2;

  OwnerSessionTest();
  ~OwnerSessionTest() override;

  // Opens a stream.
  void Begin();
  // Opens a stream whose entry is admitted, and has two bots.
  void BeginWithBots();
  void Say(const peer::v1::EntryItem& item);
  void SayHello(const std::string& secret, const std::string& owner = "entry-1");
  peer::v1::EntryItem Came(uint64_t stream, const std::string& bot, int64_t connection = 1);
  // The bot sends `item`. `thought`: the time since the entry handed over the item that it answers.
  void SaySaid(uint64_t stream, const v1::BotItem& item,
               absl::optional<absl::Duration> thought = absl::nullopt);
  void SayReady(uint64_t stream);
  void SayMove(uint64_t stream, absl::optional<absl::Duration> thought);
  void SayElapsed(uint64_t stream, absl::optional<absl::Duration> elapsed, bool waits = false);
  // Grants or refuses the last request for slots.
  void SayReserved(uint64_t stream, bool granted = true);
  void SaySimple(uint64_t stream, void (*fill)(peer::v1::EntryItem*));

  // Creates a match of the two bots, which waits for slots.
  void CreateMatch(const match::Policies& policies = {});
  // Begins a match; its first seat has its first turn request.
  void BeginMatch(const match::Policies& policies = {});
  std::shared_ptr<host::MatchRunner> Runner() const;
  // The stream of the bot to move.
  uint64_t Mover() const;
  uint64_t Other() const { return Mover() == kAlice ? kBob : kAlice; }
  // The match's records of this type.
  template <typename Type>
  std::vector<Type> Records() const {
    std::vector<Type> records;
    for (const match::Record& record : recorder_.matches().at(id_).records) {
      if (const auto* one = std::get_if<Type>(&record)) records.push_back(*one);
    }
    return records;
  }

  testing::SimulatedClock clock_;
  testing::SimulatedTimers timers_{&clock_};
  testing::HeldExecutor executor_;
  testing::MemoryRecorder recorder_;
  std::unique_ptr<host::Host> host_;
  PeerEnvironment environment_;
  RecordedEntry entry_;
  std::shared_ptr<OwnerSession> session_;
  std::string id_;
};

}  // namespace referee::service

#endif  // REFEREE_TESTS_UNIT_SERVICE_PEER_OWNER_SESSION_FIXTURE_H_
