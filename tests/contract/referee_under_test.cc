#include "tests/contract/referee_under_test.h"

#include <grpc/grpc.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/replay/signer.h"
#include "referee/service/store_file.h"

namespace referee::testing {
namespace {

// Ends the test program: without a referee there is nothing to test.
template <typename T>
T Demand(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  ADD_FAILURE() << value.status();
  std::abort();
}

}  // namespace

std::unique_ptr<grpc::ClientContext> NewContext() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(absl::ToChronoTime(absl::Now() + kPatience));
  return context;
}

RefereeUnderTest::RefereeUnderTest(const Options& options) {
  if (sodium_init() < 0) std::abort();
  // Else gRPC shuts down whenever the last channel goes, which takes it ten seconds if a flood has
  // filled a socket.
  static const bool stays_up = [] {
    grpc_init();
    return true;
  }();
  (void)stays_up;
  char folder[] = "/tmp/referee-contract-XXXXXX";
  folder_ = mkdtemp(folder);
  data_dir_ = folder_ + "/data";
  for (const char* name : {"alice", "bob", "carol", "dave", "erin", "frank"}) {
    EXPECT_TRUE(credentials_.Add(Token(name), {name, service::Role::kBot}).ok());
  }
  if (options.organiser) {
    EXPECT_TRUE(credentials_.Add(Token("olga"), {"olga", service::Role::kOrganiser}).ok());
    EXPECT_TRUE(credentials_.Add(Token("oscar"), {"oscar", service::Role::kObserver}).ok());
  }
  replay::FileRecorder::Options recorder;
  recorder.data_dir = data_dir_;
  recorder.at_write = options.at_write;
  recorder_ =
      Demand(replay::FileRecorder::Make(recorder, Demand(replay::Signer::LoadOrCreate(data_dir_))));

  server_options_.authenticator = &credentials_;
  if (options.accounts || options.competitions) {
    store_ = Demand(service::OpenStoreIn(data_dir_));
    accounts_.emplace(store_.get());
    both_.emplace(&credentials_, &*accounts_);
    server_options_.store = store_.get();
    server_options_.bots_file = &credentials_;
    server_options_.authenticator = &*both_;
  }

  host::HostOptions host;
  host.clock = &clock_;
  host.timers = &timers_;
  host.executor = &executor_;
  host.recorder = recorder_.get();
  host.entropy = [](absl::Span<uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); };
  host.software = "referee under test";
  host.max_running = options.max_running;
  if (options.competitions) AddCompetitions(&host);
  host_ = std::make_unique<host::Host>(std::move(host));
  if (competitions_ != nullptr) {
    const absl::Status opened = competitions_->Open(host_.get());
    EXPECT_TRUE(opened.ok()) << opened;
    server_options_.competitions = competitions_.get();
  }

  server_options_.listen =
      options.listen.empty() ? absl::StrCat("unix:", folder_, "/socket") : options.listen;
  server_options_.tls = options.tls;
  server_options_.readers = options.readers;
  server_options_.stream_limits = options.stream_limits;
  server_options_.data_dir = data_dir_;
  server_options_.host = host_.get();
  server_options_.clock = &clock_;
  server_options_.timers = &timers_;
  server_ = Demand(service::Server::Start(server_options_));
  const std::shared_ptr<grpc::Channel> channel = NewChannel();
  matches_ = v1::MatchService::NewStub(channel);
  replays_ = v1::ReplayService::NewStub(channel);
}

void RefereeUnderTest::AddCompetitions(host::HostOptions* host) {
  competition::CompetitionsOptions options;
  options.clock = &clock_;
  options.timers = &timers_;
  options.executor = &competition_executor_;
  options.store = store_.get();
  options.entropy = host->entropy;
  options.owner = "referee under test";
  options.find_replay = competition::ReadsArchive(data_dir_);
  competitions_ = std::make_unique<competition::Competitions>(std::move(options));
  host->on_finished = [this](const host::MatchRunner& runner, const absl::Status& sealed) {
    competitions_->MatchFinished(runner, sealed);
  };
  host->on_connection = [this](absl::string_view) { competitions_->Wake(); };
}

RefereeUnderTest::~RefereeUnderTest() {
  Stop();
  host_ = nullptr;
  recorder_ = nullptr;
  std::filesystem::remove_all(folder_);
}

std::string RefereeUnderTest::Token(absl::string_view name) {
  return absl::StrCat("token of ", name);
}

absl::Status RefereeUnderTest::StartAnother(const std::string& listen) const {
  service::ServerOptions options = server_options_;
  options.listen = listen;
  return service::Server::Start(options).status();
}

std::shared_ptr<grpc::Channel> RefereeUnderTest::NewChannel() const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address(), grpc::InsecureChannelCredentials(), arguments);
}

v1::CreateMatchRequest RefereeUnderTest::Request(const std::vector<std::string>& bots) {
  v1::CreateMatchRequest request;
  request.mutable_options()->mutable_hypnosia();
  for (const std::string& bot : bots) request.add_bots(bot);
  request.mutable_time_control()->mutable_per_move()->set_seconds(30);
  request.mutable_dice()->set_pinned_number(7);
  return request;
}

std::string RefereeUnderTest::Create(const v1::CreateMatchRequest& request) {
  const auto context = NewContext();
  v1::CreateMatchResponse response;
  const grpc::Status status = matches_->CreateMatch(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.match().match_id();
}

v1::Snapshot RefereeUnderTest::Get(const std::string& match_id) {
  const auto context = NewContext();
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  v1::GetMatchResponse response;
  const grpc::Status status = matches_->GetMatch(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.snapshot();
}

v1::Verdict RefereeUnderTest::WaitForVerdict(const std::string& match_id) {
  const auto context = NewContext();
  v1::WatchMatchRequest request;
  request.set_match_id(match_id);
  const auto reader = matches_->WatchMatch(context.get(), request);
  v1::Verdict verdict;
  v1::WatchMatchResponse event;
  while (reader->Read(&event)) {
    if (event.has_verdict()) verdict = event.verdict();
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  return verdict;
}

grpc::Status RefereeUnderTest::Fetch(const std::string& match_id, std::string* bytes) {
  const auto context = NewContext();
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
  if (server_ == nullptr) return;
  if (competitions_ != nullptr) competitions_->Drain();
  host_->Drain(drain, host::Host::Rest::kVoid);
  if (competitions_ != nullptr) competitions_->Close();
  server_->Shutdown(absl::Seconds(1));
  server_ = nullptr;
}

}  // namespace referee::testing
