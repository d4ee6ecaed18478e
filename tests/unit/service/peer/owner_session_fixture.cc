#include "tests/unit/service/peer/owner_session_fixture.h"

#include "absl/strings/str_cat.h"
#include "referee/games/catalogue.h"

namespace referee::service {
namespace {

using peer::v1::EntryItem;
using peer::v1::OwnerItem;
using peer::v1::Told;

std::string Word(const Told& told, const v1::RefereeItem& item) {
  switch (item.kind_case()) {
    case v1::RefereeItem::kMatchStart:
      return item.match_start().has_resumed() ? "resumed" : "start";
    case v1::RefereeItem::kRevealNonce:
      return "reveal";
    case v1::RefereeItem::kTurnRequest:
      return absl::StrCat("ask ", item.turn_request().turn());
    case v1::RefereeItem::kTurnPlayed:
      return absl::StrCat("played ", item.turn_played().turn());
    case v1::RefereeItem::kSeatForfeited:
      return "forfeit";
    case v1::RefereeItem::kMatchEnd:
      return "end";
    case v1::RefereeItem::kFault:
      return absl::StrCat(told.fault() ? "fault " : "no fault ", item.fault().turn());
    case v1::RefereeItem::kNotice:
      return absl::StrCat("notice ", item.notice().text());
    default:
      return "other";
  }
}

std::string Word(const OwnerItem& item) {
  switch (item.kind_case()) {
    case OwnerItem::kHello:
      return absl::StrCat("hello ", item.hello().owner());
    case OwnerItem::kReserve:
      return absl::StrCat("reserve ", item.reserve().match_ids_size(), " of ",
                          item.reserve().game());
    case OwnerItem::kRelease:
      return absl::StrCat("release ", item.release().match_ids_size());
    case OwnerItem::kAskElapsed:
      return "elapsed?";
    case OwnerItem::kPing:
      return "ping";
    case OwnerItem::kAlive:
      return "alive";
    default:
      return "other";
  }
}

}  // namespace

void RecordedEntry::Write(const peer::v1::AttachResponse& message) {
  EXPECT_FALSE(writing) << "two writes at once";
  EXPECT_EQ(finished, "") << "a write after the end";
  for (const OwnerItem& item : message.items()) {
    const std::string stream = item.stream() == 0 ? "" : absl::StrCat(item.stream(), " ");
    if (item.has_reserve()) reserves[item.stream()] = item.reserve();
    if (!item.has_told()) {
      words.push_back(stream + Word(item));
      continue;
    }
    v1::PlayResponse response;
    ASSERT_TRUE(response.ParseFromString(item.told().response()));
    ASSERT_EQ(response.items_size(), 1);
    const v1::RefereeItem& what = response.items(0);
    told[item.stream()] = item.told();
    if (what.has_turn_request()) asked[item.stream()] = what.turn_request();
    if (what.has_fault()) faults[item.stream()] = what.fault();
    words.push_back(stream + Word(item.told(), what));
  }
  writing = true;
  if (ends_at_once) EndWrite();
}

void RecordedEntry::Finish(const absl::Status& status) {
  EXPECT_EQ(finished, "") << "twice";
  finished = std::string(absl::StatusCodeToString(status.code()));
}

void RecordedEntry::EndWrite(bool ok) {
  ASSERT_TRUE(writing);
  writing = false;
  session->OnWriteDone(ok);
}

OwnerSessionTest::OwnerSessionTest() {
  host::HostOptions options;
  options.clock = &clock_;
  options.timers = &timers_;
  options.executor = &executor_;
  options.recorder = &recorder_;
  options.entropy = [next = uint8_t{0}](absl::Span<uint8_t> bytes) mutable {
    for (uint8_t& byte : bytes) byte = next++;
  };
  options.software = "test";
  options.max_running = 10;
  host_ = std::make_unique<host::Host>(options);
  environment_ = {host_.get(), &clock_, &timers_, "owner-1", "secret"};
}

OwnerSessionTest::~OwnerSessionTest() {
  if (session_ != nullptr) session_->OnDone();
  host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
}

void OwnerSessionTest::Begin() {
  session_ = std::make_shared<OwnerSession>(&environment_, &entry_);
  entry_.session = session_.get();
  session_->Begin();
}

void OwnerSessionTest::BeginWithBots() {
  Begin();
  SayHello("secret");
  Say(Came(kAlice, "alice"));
  Say(Came(kBob, "bob"));
  entry_.Words();
}

void OwnerSessionTest::Say(const EntryItem& item) {
  peer::v1::AttachRequest message;
  *message.add_items() = item;
  session_->OnRead(message, clock_.Now());
}

void OwnerSessionTest::SayHello(const std::string& secret, const std::string& owner) {
  EntryItem item;
  item.mutable_hello()->set_secret(secret);
  item.mutable_hello()->set_owner(owner);
  Say(item);
}

EntryItem OwnerSessionTest::Came(uint64_t stream, const std::string& bot, int64_t connection) {
  EntryItem item;
  item.set_stream(stream);
  item.mutable_came()->set_bot(bot);
  item.mutable_came()->set_connection(connection);
  item.mutable_came()->set_wants_legal_moves(true);
  item.mutable_came()->mutable_capacity()->set_max_matches(1);
  return item;
}

void OwnerSessionTest::SaySaid(uint64_t stream, const v1::BotItem& item,
                               absl::optional<absl::Duration> thought) {
  EntryItem out;
  out.set_stream(stream);
  out.mutable_said()->set_item(item.SerializeAsString());
  if (thought) out.mutable_said()->set_thought(absl::ToInt64Nanoseconds(*thought));
  Say(out);
}

void OwnerSessionTest::SayReady(uint64_t stream) {
  v1::BotItem item;
  item.mutable_ready()->set_match_id(id_);
  SaySaid(stream, item, absl::ZeroDuration());
}

void OwnerSessionTest::SayMove(uint64_t stream, absl::optional<absl::Duration> thought) {
  const v1::TurnRequest& asked = entry_.asked[stream];
  v1::BotItem item;
  item.mutable_move()->set_match_id(id_);
  item.mutable_move()->set_turn(asked.turn());
  ASSERT_FALSE(asked.legal_moves().empty());
  *item.mutable_move()->mutable_move() = asked.legal_moves(0);
  SaySaid(stream, item, thought);
}

void OwnerSessionTest::SayElapsed(uint64_t stream, absl::optional<absl::Duration> elapsed,
                                  bool waits) {
  EntryItem item;
  item.set_stream(stream);
  item.mutable_elapsed()->set_match_id(id_);
  if (elapsed) item.mutable_elapsed()->set_elapsed(absl::ToInt64Nanoseconds(*elapsed));
  item.mutable_elapsed()->set_waits(waits);
  Say(item);
}

void OwnerSessionTest::SayReserved(uint64_t stream, bool granted) {
  EntryItem item;
  item.set_stream(stream);
  item.mutable_reserved()->set_number(entry_.reserves[stream].number());
  item.mutable_reserved()->set_granted(granted);
  Say(item);
}

void OwnerSessionTest::SaySimple(uint64_t stream, void (*fill)(EntryItem*)) {
  EntryItem item;
  item.set_stream(stream);
  fill(&item);
  Say(item);
}

void OwnerSessionTest::CreateMatch(const match::Policies& policies) {
  host::MatchRequest request;
  request.game = games::Find("hypnosia")->type->Create(2, {{"turn_limit", "4"}}).value();
  request.bots = {"alice", "bob"};
  request.dice_source.pinned_number = 7;
  request.time_control.per_move = absl::Seconds(10);
  request.policies = policies;
  id_ = host_->Create(std::move(request), "").value().text();
}

void OwnerSessionTest::BeginMatch(const match::Policies& policies) {
  CreateMatch(policies);
  for (const uint64_t stream : {kAlice, kBob}) SayReserved(stream);
  for (const uint64_t stream : {kAlice, kBob}) SayReady(stream);
  entry_.Words();
}

std::shared_ptr<host::MatchRunner> OwnerSessionTest::Runner() const {
  return host_->Find(MatchId::Parse(id_).value());
}

uint64_t OwnerSessionTest::Mover() const {
  std::string name;
  Runner()->Inspect([&](const host::MatchRunner& runner) {
    const Seat seat = runner.match()->seat_to_move();
    name = runner.match()->setup().bots[static_cast<size_t>(seat.index())];
  });
  return name == "alice" ? kAlice : kBob;
}

}  // namespace referee::service
