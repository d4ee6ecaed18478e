#include "tests/contract/referee_under_test.h"

#include <grpc/grpc.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/service/access/credentials.h"
#include "tests/support/accounts.h"
#include "tests/support/channel.h"

namespace referee::testing {
namespace {

// Ends the test program: without a referee there is nothing to test.
template <typename T>
T Demand(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  ADD_FAILURE() << value.status();
  std::abort();
}

// Somebody whom the referee knows, in the words of either place where they may be kept.
struct Known {
  const char* name;
  service::Role role;
  store::Role store_role;
};

std::vector<Known> KnownTo(const RefereeUnderTest::Options& options) {
  std::vector<Known> known;
  for (const char* name : {"alice", "bob", "carol", "dave", "erin", "frank"}) {
    known.push_back({name, service::Role::kBot, store::Role::kBot});
  }
  if (!options.organiser) return known;
  known.push_back({"olga", service::Role::kOrganiser, store::Role::kOrganiser});
  known.push_back({"oscar", service::Role::kObserver, store::Role::kObserver});
  return known;
}

}  // namespace

std::unique_ptr<grpc::ClientContext> NewContext(absl::string_view name) {
  auto context = std::make_unique<grpc::ClientContext>();
  if (!name.empty()) {
    context->AddMetadata("authorization", "Bearer " + RefereeUnderTest::Token(name));
  }
  context->set_deadline(absl::ToChronoTime(absl::Now() + kPatience));
  return context;
}

v1::CreateCompetitionRequest RoundRobin(const std::string& name) {
  v1::CreateCompetitionRequest request;
  v1::CompetitionSpec& spec = *request.mutable_spec();
  spec.set_name(name);
  spec.set_format(v1::COMPETITION_FORMAT_ROUND_ROBIN);
  spec.mutable_options()->mutable_hypnosia()->set_turn_limit(20);
  spec.mutable_time_control()->mutable_per_move()->set_seconds(30);
  spec.add_entrants("alice");
  spec.add_entrants("bob");
  return request;
}

void StartCompetition(v1::CompetitionService::Stub* competitions,
                      const v1::CreateCompetitionRequest& request) {
  v1::CreateCompetitionResponse made;
  grpc::Status status = competitions->CreateCompetition(NewContext("olga").get(), request, &made);
  ASSERT_TRUE(status.ok()) << status.error_message();
  v1::StartCompetitionRequest start;
  start.set_name(request.spec().name());
  v1::StartCompetitionResponse started;
  status = competitions->StartCompetition(NewContext("olga").get(), start, &started);
  ASSERT_TRUE(status.ok()) << status.error_message();
}

std::string CreateMatch(v1::MatchService::Stub* matches, const v1::CreateMatchRequest& request) {
  const auto context = NewContext("olga");
  v1::CreateMatchResponse response;
  const grpc::Status status = matches->CreateMatch(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.match().match_id();
}

v1::Verdict WaitForVerdict(v1::MatchService::Stub* matches, const std::string& match_id) {
  const auto context = NewContext("olga");
  v1::WatchMatchRequest request;
  request.set_match_id(match_id);
  const auto reader = matches->WatchMatch(context.get(), request);
  v1::Verdict verdict;
  v1::WatchMatchResponse event;
  while (reader->Read(&event)) {
    if (event.has_verdict()) verdict = event.verdict();
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  return verdict;
}

RefereeUnderTest::RefereeUnderTest(const Options& options) {
  // Else gRPC shuts down whenever the last channel goes, which takes it ten seconds if a flood has
  // filled a socket.
  static const bool stays_up = [] {
    grpc_init();
    return true;
  }();
  (void)stays_up;
  data_dir_ = folder_.Path("data");

  node::NodeOptions node;
  node.listen =
      options.listen.empty() ? absl::StrCat("unix:", folder_.Path("socket")) : options.listen;
  node.server.tls = options.tls;
  node.data_dir = data_dir_;
  node.server.readers = options.readers;
  node.server.stream_limits = options.stream_limits;
  node.server.transport_bytes = options.transport_bytes;
  node.server.call_limits = options.call_limits;
  node.software = "referee under test";
  node.max_running = options.max_running;
  node.at_write = options.at_write;
  node.clock = options.clock;
  node.timers = options.timers;
  node.log = options.log;
  if (options.store) {
    for (const Known& known : KnownTo(options)) {
      AddAccount(data_dir_, known.name, Token(known.name), known.store_role);
    }
  } else {
    node.credentials.emplace();
    for (const Known& known : KnownTo(options)) {
      const service::Identity identity{known.name, known.role};
      EXPECT_TRUE(node.credentials->Add(Token(known.name), identity).ok());
    }
  }
  node_ = Demand(node::Node::Start(std::move(node)));
  const std::shared_ptr<grpc::Channel> channel = NewChannel();
  matches_ = v1::MatchService::NewStub(channel);
  replays_ = v1::ReplayService::NewStub(channel);
}

RefereeUnderTest::~RefereeUnderTest() {
  Stop();
  node_ = nullptr;
}

std::string RefereeUnderTest::Token(absl::string_view name) {
  return absl::StrCat("token-of-", name);
}

absl::Status RefereeUnderTest::StartAnother(const std::string& listen) const {
  node::NodeOptions options;
  options.listen = listen;
  options.data_dir = folder_.Path("another");
  options.credentials.emplace();
  return node::Node::Start(std::move(options)).status();
}

std::shared_ptr<grpc::Channel> RefereeUnderTest::NewChannel() const { return Dial(address()); }

v1::CreateMatchRequest RefereeUnderTest::Request(const std::vector<std::string>& bots) {
  v1::CreateMatchRequest request;
  request.mutable_options()->mutable_hypnosia();
  for (const std::string& bot : bots) request.add_bots(bot);
  request.mutable_time_control()->mutable_per_move()->set_seconds(30);
  request.mutable_dice()->set_pinned_number(7);
  return request;
}

v1::Snapshot RefereeUnderTest::Get(const std::string& match_id) {
  const auto context = NewContext("olga");
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  v1::GetMatchResponse response;
  const grpc::Status status = matches_->GetMatch(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.snapshot();
}

grpc::Status RefereeUnderTest::Fetch(const std::string& match_id, std::string* bytes) {
  const auto context = NewContext("olga");
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  const auto reader = replays_->GetReplay(context.get(), request);
  v1::GetReplayResponse chunk;
  uint64_t total = 0;
  bytes->clear();
  while (reader->Read(&chunk)) {
    EXPECT_LE(chunk.chunk().size(), limits::kReplayChunkBytes);
    if (chunk.total_bytes() != 0) total = chunk.total_bytes();
    bytes->append(chunk.chunk());
  }
  EXPECT_EQ(bytes->size(), total);
  return reader->Finish();
}

void RefereeUnderTest::Stop(absl::Duration drain) {
  node_->Stop(drain, host::Host::Rest::kVoid, absl::Seconds(1));
}

}  // namespace referee::testing
