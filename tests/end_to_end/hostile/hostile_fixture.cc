#include "tests/end_to_end/hostile/hostile_fixture.h"

#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/accounts.h"
#include "tests/support/channel.h"

namespace referee::end_to_end {
namespace {

constexpr char kHonest[] = "honest";
constexpr char kSincere[] = "sincere";
constexpr char kOrganiser[] = "olga";

// How many matches are played without and with an offender: some 100 turns each. More make the p99
// that is printed worth more.
int CountOfMatches() {
  const char* const asked = std::getenv("REFEREE_HONEST_MATCHES");
  int count = 0;
  return asked != nullptr && absl::SimpleAtoi(asked, &count) && count > 0 ? count : 5;
}

// No clock of a sane machine decides a match of the honest ones.
constexpr absl::Duration kPlenty = absl::Seconds(30);

std::string Token(const std::string& name) { return testing::RefereeUnderTest::Token(name); }

// What the referee took of a turn.
absl::Duration OwnDelayOf(const match::Timing& timing) {
  return timing.started + timing.own_delay();
}

}  // namespace

HostileFixture::HostileFixture(const std::vector<std::string>& flags, int descriptors) {
  const std::string data_dir = absl::StrCat(sandbox_.path(), "/data");
  for (const char* name : {kHonest, kSincere, kMallory, kMallet}) {
    testing::AddAccount(data_dir, name, Token(name));
  }
  testing::AddAccount(data_dir, kOrganiser, Token(kOrganiser), store::Role::kOrganiser);
  std::vector<std::string> command = {"refereed", "--listen=127.0.0.1:0",
                                      absl::StrCat("--data-dir=", data_dir), "--drain-timeout=0s"};
  command.insert(command.end(), flags.begin(), flags.end());
  sandbox_.LimitDescriptors(descriptors);
  daemon_ = sandbox_.Start(command);
  sandbox_.LimitDescriptors(0);
  constexpr absl::string_view kReady = "ready: listening on ";
  EXPECT_TRUE(Eventually([&] { return absl::StrContains(sandbox_.Written(daemon_).err, kReady); }));
  const std::string log = sandbox_.Written(daemon_).err;
  const size_t begin = log.find(std::string(kReady)) + kReady.size();
  address_ = log.substr(begin, log.find(',', begin) - begin);
  matches_ = v1::MatchService::NewStub(NewChannel());
  replays_ = v1::ReplayService::NewStub(NewChannel());
  StartBot(kHonest);
  StartBot(kSincere);
  AwaitBots({kHonest, kSincere});
}

HostileFixture::~HostileFixture() {
  // A connection that stays open, and that no call reads from, holds up the end for two seconds.
  matches_ = nullptr;
  replays_ = nullptr;
  kill(daemon_, SIGTERM);
  EXPECT_EQ(sandbox_.Await(daemon_).status, 0) << sandbox_.Written(daemon_).err;
}

int HostileFixture::port() const {
  int port = 0;
  EXPECT_TRUE(absl::SimpleAtoi(address_.substr(address_.rfind(':') + 1), &port));
  return port;
}

std::shared_ptr<grpc::Channel> HostileFixture::NewChannel() const {
  return testing::Dial(address_);
}

pid_t HostileFixture::StartBot(const std::string& name) {
  return sandbox_.Start({"bots/random"},
                        {{"REFEREE_ADDRESS", address_}, {"REFEREE_TOKEN", Token(name)}});
}

// A match is seated once its bots are there.
void HostileFixture::AwaitBots(const std::vector<std::string>& names) {
  const std::string match_id = Create(names, kPlenty);
  EXPECT_EQ(WaitForVerdict(match_id).state(), v1::MATCH_STATE_FINISHED);
}

std::string HostileFixture::Create(const std::vector<std::string>& bots, absl::Duration per_move,
                                   uint32_t tries, bool pinned) {
  v1::CreateMatchRequest request;
  request.mutable_options()->mutable_hypnosia();
  for (const std::string& bot : bots) request.add_bots(bot);
  if (pinned) request.mutable_dice()->set_pinned_number(7);
  auto* limit = request.mutable_time_control()->mutable_per_move();
  limit->set_seconds(absl::ToInt64Seconds(per_move));
  limit->set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(per_move % absl::Seconds(1))));
  if (tries > 1) {
    request.mutable_policies()->mutable_on_illegal()->set_action(v1::FAULT_ACTION_RETRY);
    request.mutable_policies()->mutable_on_illegal()->set_max_tries(tries);
  }
  return Create(request);
}

replay::Replay HostileFixture::ReplayOf(const std::string& match_id) {
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  const auto context = testing::NewContext(kOrganiser);
  const auto reader = replays_->GetReplay(context.get(), request);
  std::string bytes;
  v1::GetReplayResponse chunk;
  while (reader->Read(&chunk)) bytes += chunk.chunk();
  EXPECT_TRUE(reader->Finish().ok());
  absl::StatusOr<replay::Replay> replay = replay::Parse(bytes);
  EXPECT_TRUE(replay.ok()) << replay.status();
  return replay.ok() ? *std::move(replay) : replay::Replay();
}

void HostileFixture::AddDelays(const std::string& match_id, std::vector<absl::Duration>* delays) {
  const replay::Replay replay = ReplayOf(match_id);
  for (const match::Record& record : replay.records) {
    const auto* played = std::get_if<match::Played>(&record);
    if (played != nullptr && played->timing) delays->push_back(OwnDelayOf(*played->timing));
  }
}

HostileFixture::OwnDelay HostileFixture::PlayHonest(int matches) {
  std::vector<absl::Duration> delays;
  for (int i = 0; i < matches; ++i) {
    const std::string match_id = Create({kHonest, kSincere}, kPlenty);
    const v1::Verdict verdict = WaitForVerdict(match_id);
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED) << verdict.ShortDebugString();
    EXPECT_EQ(verdict.forfeits_size(), 0) << verdict.ShortDebugString();
    AddDelays(match_id, &delays);
    last_match_ = match_id;
  }
  std::sort(delays.begin(), delays.end());
  OwnDelay own;
  own.turns = delays.size();
  if (delays.empty()) return own;
  own.p50 = delays[delays.size() / 2];
  own.p99 = delays[delays.size() * 99 / 100];
  return own;
}

void HostileFixture::PlayBeside(
    const std::function<void(const std::function<bool()>& over)>& offend) {
  const int matches = CountOfMatches();
  const OwnDelay without = PlayHonest(matches);
  std::atomic<bool> over{false};
  std::thread offender([&] { offend([&over] { return over.load(); }); });
  const OwnDelay beside = PlayHonest(matches);
  over = true;
  offender.join();
  EXPECT_GT(beside.turns, 0u);
  std::cout << absl::StrCat("own delay of ", beside.turns, " turns: p50 ",
                            absl::ToInt64Microseconds(beside.p50), " us, p99 ",
                            absl::ToInt64Microseconds(beside.p99), " us, ",
                            absl::FDivDuration(beside.p99, without.p99), " times the p99 without (",
                            absl::ToInt64Microseconds(without.p99), " us); the daemon has ",
                            ResidentBytes() / 1024 / 1024, " MiB")
            << std::endl;
  // A daemon that keeps what is thrown at it has more.
  EXPECT_LT(ResidentBytes(), size_t{512} << 20);
}

void HostileFixture::Ban(const std::string& address, absl::Duration time) {
  v1::AddBanRequest request;
  request.set_address(address);
  if (time < absl::InfiniteDuration()) {
    request.mutable_duration()->set_seconds(absl::ToInt64Seconds(time));
  }
  v1::AddBanResponse response;
  const auto context = testing::NewContext(kOrganiser);
  const auto admin = v1::AdminService::NewStub(NewChannel());
  const grpc::Status status = admin->AddBan(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

std::string HostileFixture::Log() const { return sandbox_.Written(daemon_).err; }

size_t HostileFixture::Threads() const {
  const std::filesystem::directory_iterator threads(absl::StrCat("/proc/", daemon_, "/task"));
  return static_cast<size_t>(std::distance(begin(threads), end(threads)));
}

size_t HostileFixture::ResidentBytes() const {
  std::ifstream file(absl::StrCat("/proc/", daemon_, "/statm"));
  size_t total = 0;
  size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(getpagesize());
}

}  // namespace referee::end_to_end
