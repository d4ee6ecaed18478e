#include "tests/end_to_end/recovery.h"

#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/replay/replay.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"
#include "tests/end_to_end/archived.h"
#include "tests/support/accounts.h"
#include "tests/support/channel.h"

namespace referee::end_to_end {
namespace {

namespace v1 = ::referee::v1;

constexpr uint32_t kTurns = 10;
constexpr int kSecondsPerMove = 60;  // nobody loses on time on a busy machine

}  // namespace

Recovery::Recovery() : socket_(absl::StrCat("unix:", sandbox_.path(), "/socket")) {}

Recovery::~Recovery() {
  if (referee_ != 0) KillReferee();
}

void Recovery::StartBot(const std::string& name) {
  sandbox_.Start({"bots/greedy", "--log-level=error"},
                 {{"REFEREE_ADDRESS", socket_}, {"REFEREE_TOKEN", absl::StrCat(name, "-token")}});
}

void Recovery::LaunchReferee(const std::string& data, const std::vector<std::string>& more) {
  const std::string data_dir = absl::StrCat(sandbox_.path(), "/", data);
  if (!std::filesystem::exists(data_dir)) {
    for (const std::string name : {"alice", "bob", "carol", "dave"}) {
      testing::AddAccount(data_dir, name, name + "-token");
    }
    testing::AddAccount(data_dir, "olga", "olga-token", store::Role::kOrganiser);
  }
  std::vector<std::string> command = {"refereed", "--listen", socket_, "--data-dir", data_dir};
  command.insert(command.end(), more.begin(), more.end());
  referee_ = sandbox_.Start(command);
}

bool Recovery::AwaitReady() {
  bool ready = false;
  EXPECT_TRUE(Eventually([&] {
    ready = absl::StrContains(sandbox_.Written(referee_).err, "ready: ");
    return ready || RefereeHasEnded();
  })) << sandbox_.Written(referee_).err;
  return ready;
}

bool Recovery::RefereeHasEnded() const { return HasEnded(referee_); }

Ran Recovery::Stop() {
  if (!RefereeHasEnded()) kill(referee_, SIGTERM);
  Ran ran = sandbox_.Await(referee_);
  referee_ = 0;
  return ran;
}

void Recovery::KillReferee() {
  kill(referee_, SIGKILL);
  AwaitKilled();
}

void Recovery::AwaitKilled() {
  const Ran ran = sandbox_.Await(referee_);
  EXPECT_EQ(ran.status, 128 + SIGKILL) << ran.err;
  referee_ = 0;
}

absl::StatusOr<std::string> Recovery::Create(const Game& game,
                                             const std::string& request_id) const {
  v1::CreateMatchRequest request;
  request.set_request_id(request_id);
  request.mutable_options()->mutable_hypnosia()->set_turn_limit(kTurns);
  request.add_bots(game.first);
  request.add_bots(game.second);
  request.mutable_time_control()->mutable_per_move()->set_seconds(kSecondsPerMove);
  request.mutable_dice()->set_pinned_number(game.number);
  const auto stub = v1::MatchService::NewStub(testing::Dial(socket_));
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer olga-token");
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
  v1::CreateMatchResponse response;
  const grpc::Status status = stub->CreateMatch(&context, request, &response);
  if (status.ok()) return response.match().match_id();
  EXPECT_EQ(status.error_code(), grpc::UNAVAILABLE) << status.error_message();
  return absl::UnavailableError(status.error_message());
}

std::vector<std::string> Recovery::Archived(const std::string& data) {
  return ArchivedReplays(&sandbox_, data);
}

std::string Recovery::IdOf(const std::string& replay) {
  const size_t name = replay.rfind('/') + 1;
  return replay.substr(name, replay.rfind('.') - name);
}

std::string Recovery::TranscriptOf(const std::string& replay) {
  const absl::StatusOr<std::string> bytes = replay::ReadFile(replay);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  if (!bytes.ok()) return "";
  const replay::Verification found = replay::Verify(*bytes);
  EXPECT_TRUE(found.ok) << replay << ": " << found.problem;
  const absl::StatusOr<replay::Replay> read = replay::Parse(*bytes);
  return read.ok() ? replay::Transcript(*read) : "";
}

void Recovery::ExpectAllVerify(const std::string& data) {
  const Ran ran = sandbox_.Run(
      {"refctl", "replay", "verify", absl::StrCat(sandbox_.path(), "/", data, "/replays")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

}  // namespace referee::end_to_end
