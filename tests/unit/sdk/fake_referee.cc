#include "tests/unit/sdk/fake_referee.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"

namespace referee::sdk {
namespace {

constexpr std::chrono::seconds kPatience(20);

}  // namespace

// All state is in the referee, under its mutex.
class FakeReferee::Reactor : public grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse> {
 public:
  explicit Reactor(FakeReferee* referee) : referee_(referee) {}

  void OnReadDone(bool ok) override {
    MutexLock lock(&referee_->mutex_);
    if (!ok) {
      End(grpc::Status::OK);
      return;
    }
    referee_->batch_sizes_.push_back(request_.items_size());
    for (const v1::BotItem& item : request_.items()) referee_->heard_.push_back(item);
    referee_->changed_.NotifyAll();
    if (referee_->held_) {
      referee_->read_due_ = true;
    } else {
      StartRead(&request_);
    }
  }

  void OnWriteDone(bool ok) override {
    MutexLock lock(&referee_->mutex_);
    if (referee_->reactor_ != this) return;
    referee_->writing_ = false;
    if (ok) referee_->Obey();
  }

  void OnDone() override {
    MutexLock lock(&referee_->mutex_);
    if (referee_->reactor_ == this) referee_->reactor_ = nullptr;
    delete this;
  }

  void Read() { StartRead(&request_); }
  void Write(v1::PlayResponse message) {
    response_ = std::move(message);
    StartWrite(&response_);
  }
  void End(const grpc::Status& status) {
    if (ended_) return;
    ended_ = true;
    Finish(status);
  }

 private:
  FakeReferee* const referee_;
  v1::PlayRequest request_;
  v1::PlayResponse response_;
  bool ended_ = false;
};

FakeReferee::FakeReferee() : credentials_(grpc::InsecureServerCredentials()) {
  folder_.emplace();
  address_ = "unix:" + folder_->Path("socket");
  Listen();
}

FakeReferee::FakeReferee(std::shared_ptr<grpc::ServerCredentials> tls)
    : credentials_(std::move(tls)), address_("127.0.0.1:0") {
  Listen();
}

void FakeReferee::Listen() {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address_, credentials_, &port);
  // Limits the transport to its fixed 64 KiB of unread data.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);  // allows frequent pings
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  if (!folder_) address_ = "127.0.0.1:" + std::to_string(port);
}

void FakeReferee::Stop() {
  ResumeReading();
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  if (folder_) unlink(folder_->Path("socket").c_str());
}

FakeReferee::~FakeReferee() { Stop(); }

grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>* FakeReferee::Play(
    grpc::CallbackServerContext* /*context*/) {
  MutexLock lock(&mutex_);
  ++streams_;
  writing_ = false;
  read_due_ = false;
  reactor_ = new Reactor(this);
  reactor_->Read();
  Obey();
  return reactor_;
}

void FakeReferee::Give(Order order) {
  MutexLock lock(&mutex_);
  orders_.push_back(std::move(order));
  Obey();
}

void FakeReferee::Obey() {
  if (reactor_ == nullptr || writing_ || orders_.empty()) return;
  Order order = std::move(orders_.front());
  orders_.pop_front();
  if (order.end) {
    reactor_->End(order.status);
    reactor_ = nullptr;  // later items are for the next stream
  } else {
    writing_ = true;
    reactor_->Write(std::move(order.message));
  }
}

void FakeReferee::Say(const std::vector<v1::RefereeItem>& items) {
  Order order;
  for (const v1::RefereeItem& item : items) *order.message.add_items() = item;
  Give(std::move(order));
}

void FakeReferee::EndStream(const grpc::Status& status) { Give({{}, true, status}); }

v1::BotItem FakeReferee::Hear() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(&mutex_);
  while (heard_.empty()) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "the bot has said nothing";
      return {};
    }
    changed_.WaitFor(&mutex_, kPatience);
  }
  v1::BotItem item = std::move(heard_.front());
  heard_.pop_front();
  return item;
}

bool FakeReferee::hears_nothing() const {
  MutexLock lock(&mutex_);
  return heard_.empty();
}

v1::Hello FakeReferee::Greet() {
  const v1::BotItem first = Hear();
  EXPECT_TRUE(first.has_hello()) << first.ShortDebugString();
  Say({WelcomeItem()});
  return first.hello();
}

void FakeReferee::HoldReading() {
  MutexLock lock(&mutex_);
  held_ = true;
}

void FakeReferee::ResumeReading() {
  MutexLock lock(&mutex_);
  held_ = false;
  if (read_due_ && reactor_ != nullptr) reactor_->Read();
  read_due_ = false;
}

int FakeReferee::streams() const {
  MutexLock lock(&mutex_);
  return streams_;
}

std::vector<int> FakeReferee::batch_sizes() const {
  MutexLock lock(&mutex_);
  return batch_sizes_;
}

// --- Items ---

v1::RefereeItem Item(const std::string& text) {
  v1::RefereeItem item;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &item)) << text;
  return item;
}

v1::RefereeItem WelcomeItem(uint32_t max_matches) {
  return Item(
      absl::StrCat("welcome { bot: 'alice' referee: 'fake' max_matches: ", max_matches, " }"));
}

v1::RefereeItem StartItem(const std::string& match_id) {
  v1::RefereeItem item = Item(R"(match_start {
    seat: 1 ready_limit { seconds: 10 }
    match { game: 'hypnosia' bots: 'alice' bots: 'bob' bots: 'carol'
            options { hypnosia { turn_limit: 500 } } } })");
  v1::Match* match = item.mutable_match_start()->mutable_match();
  match->set_match_id(match_id);
  match->set_commitment(std::string(32, 'c'));
  return item;
}

v1::RefereeItem ResumedItem(const std::string& match_id) {
  v1::RefereeItem item = StartItem(match_id);
  item.mutable_match_start()->clear_ready_limit();
  const v1::Match match = item.match_start().match();
  item.MergeFrom(
      Item("match_start { resumed { position { hypnosia {} } position_text: 'P' turn: 7 } }"));
  *item.mutable_match_start()->mutable_resumed()->mutable_match() = match;
  return item;
}

v1::RefereeItem TurnItem(const std::string& match_id, uint32_t turn, const std::string& position) {
  v1::RefereeItem item = Item(R"(turn_request {
    seat: 1 dice: 1 dice: 2 limit { seconds: 30 } bank_left { seconds: 90 }
    position { hypnosia { points: 3 } }
    legal_moves { hypnosia { steps { die: 1 from { index: 1 } to { area: 1 index: 18 } } } }
    legal_moves { hypnosia { steps { die: 2 from { index: 1 } to { area: 1 index: 19 } } } } })");
  item.mutable_turn_request()->set_match_id(match_id);
  item.mutable_turn_request()->set_turn(turn);
  item.mutable_turn_request()->set_position_text(position);
  return item;
}

v1::RefereeItem PlayedItem(const std::string& match_id, uint32_t turn) {
  return Item(absl::StrCat("turn_played { match_id: '", match_id, "' turn: ", turn, " }"));
}

v1::RefereeItem ForfeitedItem(const std::string& match_id, uint32_t seat) {
  return Item(absl::StrCat("seat_forfeited { match_id: '", match_id, "' seat: ", seat,
                           " cause: FORFEIT_CAUSE_TIMEOUT }"));
}

v1::RefereeItem EndItem(const std::string& match_id) {
  return Item(absl::StrCat("match_end { match_id: '", match_id,
                           "' verdict { state: MATCH_STATE_VOID reason: 'NO_PAWNS' } }"));
}

v1::RefereeItem DrainingItem() { return Item("draining { time_left { seconds: 5 } }"); }

v1::RefereeItem PingItem(uint64_t number) {
  return Item(absl::StrCat("ping { number: ", number, " }"));
}

}  // namespace referee::sdk
