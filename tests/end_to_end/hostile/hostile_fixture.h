// A daemon with two honest bots, which play matches while somebody else does harm. The daemon and
// the bots are the real programs.
#ifndef REFEREE_TESTS_END_TO_END_HOSTILE_HOSTILE_FIXTURE_H_
#define REFEREE_TESTS_END_TO_END_HOSTILE_HOSTILE_FIXTURE_H_

#include <grpcpp/channel.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/replay/replay.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {

// The bots that mean harm: known to the daemon, connected only when a test does it.
inline constexpr char kMallory[] = "mallory";
inline constexpr char kMallet[] = "mallet";

class HostileFixture {
 public:
  // `flags`: more of the daemon's. `descriptors`: as many as it may have; 0: as this process.
  explicit HostileFixture(const std::vector<std::string>& flags = {}, int descriptors = 0);
  // The daemon must end in order when it is told to.
  ~HostileFixture();

  // "127.0.0.1" and a port.
  const std::string& address() const { return address_; }
  int port() const;
  // A connection of its own.
  std::shared_ptr<grpc::Channel> NewChannel() const;
  // Starts a sample bot under that name.
  pid_t StartBot(const std::string& name);
  // Waits until the bots are connected.
  void AwaitBots(const std::vector<std::string>& names);
  Sandbox& sandbox() { return sandbox_; }

  // Makes a match, as an organiser; returns its id, "" if that failed.
  std::string Create(const v1::CreateMatchRequest& request) {
    return testing::CreateMatch(matches_.get(), request);
  }
  // Makes one between two bots; a seat may try `tries` moves a turn. With pinned dice the bots are
  // asked for nothing but to be ready.
  std::string Create(const std::vector<std::string>& bots, absl::Duration per_move,
                     uint32_t tries = 1, bool pinned = false);
  // Follows a match to its end.
  v1::Verdict WaitForVerdict(const std::string& match_id) {
    return testing::WaitForVerdict(matches_.get(), match_id);
  }

  // The replay of a match that is over.
  replay::Replay ReplayOf(const std::string& match_id);

  // How long the referee itself took over a turn, in all turns of some matches: from when it was
  // due to when it was handed to the transport, and from when the reply was read to when the match
  // took it up.
  struct OwnDelay {
    absl::Duration p50;
    absl::Duration p99;
    size_t turns = 0;
  };
  // Plays so many matches between the honest bots, one after the other. Each must end under the
  // rules of the game, with nobody out.
  OwnDelay PlayHonest(int matches);
  // The last of them.
  const std::string& last_match() const { return last_match_; }
  // Plays honest matches without and with `offend` beside them, which goes on until `over()`, and
  // prints what that did to the referee's own delay. Five matches each, or as many as
  // REFEREE_HONEST_MATCHES of the environment says.
  void PlayBeside(const std::function<void(const std::function<bool()>& over)>& offend);

  // Bans an address, as an organiser; in place of the ban that it has, if any. Infinite: for good.
  void Ban(const std::string& address, absl::Duration time);

  // What the daemon has logged so far.
  std::string Log() const;
  // The memory that the daemon has resident.
  size_t ResidentBytes() const;
  // The threads that it has.
  size_t Threads() const;

 private:
  void AddDelays(const std::string& match_id, std::vector<absl::Duration>* delays);

  Sandbox sandbox_;
  pid_t daemon_ = -1;
  std::string address_;
  std::string last_match_;
  std::unique_ptr<v1::MatchService::Stub> matches_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
};

}  // namespace referee::end_to_end

#endif  // REFEREE_TESTS_END_TO_END_HOSTILE_HOSTILE_FIXTURE_H_
