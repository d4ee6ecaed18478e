#include "tests/unit/service/bot_session_fixture.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/games/catalogue.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

std::string Word(const v1::RefereeItem& item) {
  switch (item.kind_case()) {
    case v1::RefereeItem::kWelcome:
      return "welcome";
    case v1::RefereeItem::kMatchStart:
      return item.match_start().has_resumed() ? "resumed" : "start";
    case v1::RefereeItem::kTurnRequest:
      return absl::StrCat("ask ", item.turn_request().turn());
    case v1::RefereeItem::kTurnPlayed:
      return absl::StrCat("played ", item.turn_played().turn());
    case v1::RefereeItem::kMatchEnd:
      return "end";
    case v1::RefereeItem::kFault:
      return absl::StrCat("fault ", item.fault().turn());
    case v1::RefereeItem::kPing:
      return "ping";
    default:
      return "other";
  }
}

void AddFleet(const google::protobuf::RepeatedPtrField<std::string>& addresses,
              std::vector<std::vector<std::string>>* fleets) {
  fleets->emplace_back(addresses.begin(), addresses.end());
}

}  // namespace

void HeldTransport::Write(const v1::PlayResponse& begun, absl::string_view rest) {
  EXPECT_FALSE(writing) << "two writes at once";
  v1::PlayResponse message;
  EXPECT_TRUE(message.ParseFromString(absl::StrCat(begun.SerializeAsString(), rest)));
  std::vector<std::string> words;
  for (const v1::RefereeItem& item : message.items()) {
    words.push_back(Word(item));
    if (item.has_turn_request()) {
      asked = asked_of[item.turn_request().match_id()] = item.turn_request();
    }
    if (item.has_turn_played()) played = item.turn_played();
    if (item.has_ping()) ping = item.ping().number();
    if (item.has_notice()) notices.push_back(item.notice().text());
    if (item.has_welcome()) AddFleet(item.welcome().addresses(), &fleets);
    if (item.has_fleet()) AddFleet(item.fleet().addresses(), &fleets);
    if (item.has_fault()) faults.push_back(item.fault().message());
  }
  log.push_back(absl::StrJoin(words, ", "));
  writing = true;
  if (ends_at_once) EndWrite();
}

void HeldTransport::EndWrite(bool ok) {
  ASSERT_TRUE(writing);
  writing = false;
  session->OnWriteDone(ok);
}

absl::StatusOr<Identity> NamesAsTokens::Find(const TokenHash& hash) const {
  if (expired) return TokenExpired("who it was", absl::UnixEpoch());
  for (const char* name : {"alice", "bob"}) {
    if (HashToken(name) != hash) continue;
    if (absl::Status banned = Recheck(name, hash); !banned.ok()) return banned;
    return Identity{name, Role::kBot, "", ends_soon};
  }
  return UnknownToken();
}

absl::Status NamesAsTokens::Recheck(absl::string_view name, const TokenHash&) const {
  return name == banned ? AccountBanned(name, "floods", absl::nullopt) : absl::OkStatus();
}

absl::StatusOr<Identity> NamesAsTokens::FindShutOut(const TokenHash& hash) const {
  for (const char* name : {"alice", "bob"}) {
    if ((expired || banned == name) && HashToken(name) == hash) return Identity{name};
  }
  return UnknownToken();
}

absl::Status NamesAsTokens::CheckExpiry(absl::string_view name) const {
  return expired ? TokenExpired(name, absl::UnixEpoch()) : absl::OkStatus();
}

BotSessionTest::BotSessionTest() {
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
  options.stalls = &stalls_;
  options.on_connection = [this](absl::string_view bot) {
    if (on_connection_) on_connection_(bot);
  };
  host_ = std::make_unique<host::Host>(options);
  environment_ = {&limits_,    &admission_, &sessions_, &authenticator_,
                  host_.get(), &clock_,     &timers_,   &connections_};
}

BotSessionTest::~BotSessionTest() {
  executor_.Release();
  host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
}

BotSessionTest::Guest BotSessionTest::Come(const std::string& name) {
  Guest guest;
  transports_.push_back(std::make_unique<HeldTransport>());
  guest.transport = transports_.back().get();
  guest.session = std::make_shared<BotSession>(&environment_, guest.transport);
  guest->session = guest.session.get();
  guest.session->Begin(absl::StrCat("unix:", name));
  v1::BotItem item;
  item.mutable_hello()->set_token(name);
  item.mutable_hello()->set_wants_legal_moves(true);
  item.mutable_hello()->set_news_may_wait(news_may_wait_);
  item.mutable_hello()->set_max_matches(max_matches_);
  for (const std::string& game : games_) item.mutable_hello()->add_games(game);
  Say(guest, item);
  return guest;
}

void BotSessionTest::Say(const Guest& guest, const v1::BotItem& item) {
  ASSERT_TRUE(guest->reading);
  guest->reading = false;
  v1::PlayRequest request;
  *request.add_items() = item;
  guest.session->OnRead(request, clock_.Now());
}

void BotSessionTest::SayReady(const Guest& guest) {
  v1::BotItem item;
  item.mutable_ready()->set_match_id(id_);
  Say(guest, item);
}

void BotSessionTest::SayMove(const Guest& guest, uint32_t turn, const v1::Move& move) {
  v1::BotItem item;
  item.mutable_move()->set_match_id(id_);
  item.mutable_move()->set_turn(turn);
  *item.mutable_move()->mutable_move() = move;
  Say(guest, item);
}

void BotSessionTest::SayNonsense(const Guest& guest, uint32_t turn) {
  v1::Move move;
  move.set_notation("nonsense");
  SayMove(guest, turn, move);
}

void BotSessionTest::SayLegalMove(const Guest& guest) {
  SayMove(guest, guest->asked.turn(), guest->asked.legal_moves(0));
}

void BotSessionTest::ComeBoth() {
  alice_ = Come("alice");
  bob_ = Come("bob");
  for (Guest* guest : {&alice_, &bob_}) {
    (*guest)->ends_at_once = true;
    (*guest)->EndWrite();
    (*guest)->Log();
  }
}

void BotSessionTest::SayPong(const Guest& guest) {
  v1::BotItem item;
  item.mutable_pong()->set_number(guest->ping);
  Say(guest, item);
}

void BotSessionTest::CreateMatch(const match::Policies& policies) {
  host::MatchRequest request;
  request.game = games::Find("hypnosia")->type->Create(2, {{"turn_limit", "4"}}).value();
  request.bots = {"alice", "bob"};
  request.dice_source.pinned_number = 7;
  request.time_control.per_move = absl::Seconds(10);
  request.policies = policies;
  id_ = host_->Create(std::move(request), "").value().text();
}

void BotSessionTest::Begin(const match::Policies& policies) {
  alice_ = Come("alice");
  bob_ = Come("bob");
  alice_->EndWrite();
  bob_->EndWrite();
  CreateMatch(policies);
  alice_->Log();
  bob_->Log();
  clock_.Advance(kRoundTrip);  // no reply is faster
  SayReady(alice_);
  SayReady(bob_);
}

BotSessionTest::Guest& BotSessionTest::PlayToTheEnd(bool busy) {
  executor_.Hold();
  for (Guest* guest : {&alice_, &bob_}) {
    (*guest)->ends_at_once = true;
    (*guest)->EndWrite();
  }
  Guest* other = nullptr;
  for (uint32_t turn = 1; turn <= 20; ++turn) {
    for (Guest* guest : {&alice_, &bob_}) {
      if ((*guest)->asked.turn() != turn) continue;
      other = guest == &alice_ ? &bob_ : &alice_;
      (*other)->ends_at_once = !busy;
      if (busy) other->session->TellNotice("something else");
      other->session->Flush();
      (*other)->Log();
      SayLegalMove(*guest);
      (*other)->ends_at_once = true;
      if (busy) (*other)->EndWrite();
      break;
    }
  }
  return *other;
}

bool BotSessionTest::IsFirst(const Guest& guest) const {
  return guest.session->bot()->FindSlot(id_).seat == FirstSeat();
}

Seat BotSessionTest::FirstSeat() const {
  Seat first = Seat::None();
  host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
    first = runner.match()->seat_to_move();
  });
  return first;
}

}  // namespace referee::service
