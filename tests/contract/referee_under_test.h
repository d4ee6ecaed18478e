// Runs a whole referee inside the test, on a unix socket in a temporary folder.
//
// Clocks, threads and files are real; only the program around it is missing.
//
//   RefereeUnderTest referee;
//   RawBot alice(&referee, "alice");
//   std::string match_id = referee.Create({"alice", "bob"});
#ifndef REFEREE_TESTS_CONTRACT_REFEREE_UNDER_TEST_H_
#define REFEREE_TESTS_CONTRACT_REFEREE_UNDER_TEST_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/log/event.h"
#include "referee/node/node.h"
#include "referee/service/access/access.h"
#include "referee/service/play/admission.h"
#include "referee/service/tls.h"
#include "referee/store/store.h"
#include "tests/support/temp_folder.h"

namespace referee::testing {

// Nothing that a test waits for takes as long; only what never comes does.
inline constexpr absl::Duration kPatience = absl::Seconds(60);

// A context whose call ends after kPatience, with the token of whoever is named, if anybody is.
std::unique_ptr<grpc::ClientContext> NewContext(absl::string_view name = "");

// Makes a match as olga; fails the test if that fails. Returns its id.
std::string CreateMatch(v1::MatchService::Stub* matches, const v1::CreateMatchRequest& request);
// Follows a match to its end, as olga.
v1::Verdict WaitForVerdict(v1::MatchService::Stub* matches, const std::string& match_id);

// A round robin of alice and bob, one block of short matches that no clock decides.
v1::CreateCompetitionRequest RoundRobin(const std::string& name);
// Makes a competition and starts it, as olga; fails the test if that fails.
void StartCompetition(v1::CompetitionService::Stub* competitions,
                      const v1::CreateCompetitionRequest& request);

// The referee knows the bots alice, bob, carol, dave, erin and frank, the organiser olga and the
// observer oscar, each by Token(name). Starts
// or aborts. Destroying it drains it: what runs is void.
class RefereeUnderTest {
 public:
  struct Options {
    std::string listen;           // empty: a unix socket
    service::Tls* tls = nullptr;  // must outlive the referee
    bool organiser = true;        // else neither olga nor oscar is known
    service::Readers readers = service::Readers::kEverybody;
    // Has a store: all these have accounts there, acts are audited, competitions are run. Else
    // they are known in memory.
    bool store = false;
    service::StreamLimits stream_limits;
    service::CallLimits call_limits;
    size_t transport_bytes = limits::kMemoryLimit / 2;  // that gRPC may hold
    int max_running = 4096;
    replay::WriteHook at_write;  // of the log
    // Another clock than the machine's, and timers that go by it; both must outlive the referee.
    const Clock* clock = nullptr;
    host::Timers* timers = nullptr;
    log::Log log;  // thread-safe
  };

  RefereeUnderTest() : RefereeUnderTest(Options()) {}
  explicit RefereeUnderTest(const Options& options);
  ~RefereeUnderTest();

  static std::string Token(absl::string_view name);

  const std::string& address() const { return node_->address(); }
  const std::string& data_dir() const { return data_dir_; }
  host::Host& host() { return node_->host(); }
  // REQUIRES: options.store.
  store::Store& store() { return *node_->store(); }
  // What another referee says that is to listen there, with a data directory of its own.
  absl::Status StartAnother(const std::string& listen) const;

  // A connection of its own, without TLS.
  std::shared_ptr<grpc::Channel> NewChannel() const;
  v1::MatchService::Stub& matches() { return *matches_; }
  v1::ReplayService::Stub& replays() { return *replays_; }

  // A match that no clock of a sane machine decides: 30 s a move. With pinned dice.
  static v1::CreateMatchRequest Request(const std::vector<std::string>& bots);
  // Makes a match; fails the test if that fails.
  std::string Create(const v1::CreateMatchRequest& request) {
    return CreateMatch(matches_.get(), request);
  }
  std::string Create(const std::vector<std::string>& bots) { return Create(Request(bots)); }
  // The match as GetMatch shows it; fails the test if it does not.
  v1::Snapshot Get(const std::string& match_id);
  // Follows a match to its end.
  v1::Verdict WaitForVerdict(const std::string& match_id) {
    return testing::WaitForVerdict(matches_.get(), match_id);
  }
  // The replay file, gathered from its chunks.
  grpc::Status Fetch(const std::string& match_id, std::string* bytes);

  // Ends what is open as void, and the server. The second call does nothing.
  void Stop(absl::Duration drain = absl::ZeroDuration());

 private:
  const TempFolder folder_{TempFolderOn::kMemory};
  std::string data_dir_;
  std::unique_ptr<node::Node> node_;
  std::unique_ptr<v1::MatchService::Stub> matches_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_REFEREE_UNDER_TEST_H_
