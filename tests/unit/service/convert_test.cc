// Tests of validating requests to make a match: errors name the bad field.
#include "referee/service/convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "referee/competition/board.h"
#include "referee/dice/dice.h"
#include "referee/host/host.h"
#include "referee/service/convert/competition.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

v1::CreateMatchRequest GoodRequest() {
  v1::CreateMatchRequest request;
  request.mutable_options()->mutable_hypnosia();
  request.add_bots("alice");
  request.add_bots("bob");
  return request;
}

// What is said of GoodRequest() after `change`; it must be refused.
template <typename Change>
std::string Refusal(Change change) {
  v1::CreateMatchRequest request = GoodRequest();
  change(&request);
  const absl::StatusOr<host::MatchRequest> read = FromWire(request);
  EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << read.status();
  return std::string(read.status().message());
}

void Set(int64_t seconds, int32_t nanos, google::protobuf::Duration* duration) {
  duration->set_seconds(seconds);
  duration->set_nanos(nanos);
}

TEST(CreateMatchRequest, HasDefaultsForAllButGameAndBots) {
  const absl::StatusOr<host::MatchRequest> request = FromWire(GoodRequest());
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->game->name(), "hypnosia");
  EXPECT_EQ(request->game->seats(), 2);
  EXPECT_EQ(request->bots, (std::vector<std::string>{"alice", "bob"}));
  EXPECT_EQ(request->time_control, match::TimeControl());
  EXPECT_EQ(request->policies, match::Policies());
  EXPECT_FALSE(request->dice_source.pinned());
}

TEST(CreateMatchRequest, CarriesWhatIsSet) {
  v1::CreateMatchRequest wire = GoodRequest();
  wire.mutable_options()->mutable_hypnosia()->set_stack_bridges(false);
  wire.mutable_options()->mutable_hypnosia()->set_turn_limit(7);
  Set(1, 500'000'000, wire.mutable_time_control()->mutable_bank());
  Set(0, 1, wire.mutable_time_control()->mutable_increment());
  wire.mutable_dice()->set_pinned_seed(std::string(32, '\x07'));
  const absl::StatusOr<host::MatchRequest> request = FromWire(wire);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_FALSE(request->time_control.has_per_move());
  EXPECT_EQ(request->time_control.bank, absl::Milliseconds(1500));
  EXPECT_EQ(request->time_control.increment, absl::Nanoseconds(1));
  ASSERT_TRUE(request->dice_source.pinned_seed.has_value());
  EXPECT_EQ(request->dice_source.pinned_seed->bytes[31], 7);

  v1::GameOptions options;
  EXPECT_EQ(request->game->options()[1].value, "false");
  EXPECT_EQ(request->game->options()[2].value, "7");
}

TEST(CreateMatchRequest, PinnedToZeroIsPinned) {
  v1::CreateMatchRequest wire = GoodRequest();
  wire.mutable_dice()->set_pinned_number(0);
  EXPECT_EQ(FromWire(wire)->dice_source.pinned_number, 0u);
}

TEST(CreateMatchRequest, NamesTheRequestId) {
  EXPECT_THAT(Refusal([](auto* r) { r->set_request_id(std::string(65, 'x')); }),
              StartsWith("request_id: "));
}

TEST(CreateMatchRequest, NamesTheOptions) {
  EXPECT_THAT(Refusal([](auto* r) { r->clear_options(); }), StartsWith("options.game: "));
  EXPECT_THAT(Refusal([](auto* r) { r->mutable_options()->clear_hypnosia(); }),
              StartsWith("options.game: "));
  const auto options = [](auto* r) { return r->mutable_options()->mutable_hypnosia(); };
  for (uint32_t limit : {0u, 100'001u, std::numeric_limits<uint32_t>::max()}) {
    EXPECT_THAT(Refusal([&](auto* r) { options(r)->set_turn_limit(limit); }),
                StartsWith("options: turn_limit: "));
  }
  for (const std::string& board : {std::string(), std::string("no-such-board"),
                                   std::string("name: 'x'"), std::string(70'000, 'x')}) {
    EXPECT_THAT(Refusal([&](auto* r) { options(r)->set_board(board); }), StartsWith("options: "))
        << board.substr(0, 20);
  }
}

TEST(CreateMatchRequest, TakesAnyGameByItsName) {
  v1::CreateMatchRequest request = GoodRequest();
  auto* const general = request.mutable_options()->mutable_general();
  general->set_game("hypnosia");
  auto* const option = general->add_options();
  option->set_name("turn_limit");
  option->set_value("20");
  const absl::StatusOr<host::MatchRequest> read = FromWire(request);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->game->name(), "hypnosia");
  EXPECT_THAT(read->game->options(), ::testing::Contains(games::Option{"turn_limit", "20"}));
}

TEST(CreateMatchRequest, NamesTheGameThatIsNotThere) {
  const auto general = [](auto* r) { return r->mutable_options()->mutable_general(); };
  EXPECT_THAT(Refusal([&](auto* r) { general(r)->set_game("chess"); }),
              HasSubstr("'chess': there is no such game; known: hypnosia, isaac"));
  EXPECT_THAT(Refusal([&](auto* r) { general(r); }), StartsWith("options.game: "));
  EXPECT_THAT(Refusal([&](auto* r) {
                general(r)->set_game("isaac");
                general(r)->add_options()->set_name("colour");
              }),
              StartsWith("options: option 'colour': there is no such option"));
}

TEST(CreateMatchRequest, NamesTheBotsWhenThereAreTooFewOrTooMany) {
  EXPECT_THAT(Refusal([](auto* r) { r->clear_bots(); }), StartsWith("bots: "));
  EXPECT_THAT(Refusal([](auto* r) { r->mutable_bots()->RemoveLast(); }), StartsWith("bots: "));
  EXPECT_THAT(Refusal([](auto* r) {
                for (int i = 0; i < 5; ++i) r->add_bots("x");
              }),
              StartsWith("bots: "));
}

TEST(CreateMatchRequest, NamesTheTimeControl) {
  using Field = google::protobuf::Duration* (*)(v1::TimeControl*);
  const std::pair<std::string, Field> fields[] = {
      {"per_move", [](v1::TimeControl* t) { return t->mutable_per_move(); }},
      {"bank", [](v1::TimeControl* t) { return t->mutable_bank(); }},
      {"increment", [](v1::TimeControl* t) { return t->mutable_increment(); }},
      {"first_move", [](v1::TimeControl* t) { return t->mutable_first_move(); }},
      {"ready", [](v1::TimeControl* t) { return t->mutable_ready(); }},
      {"match", [](v1::TimeControl* t) { return t->mutable_match(); }},
      {"stall_per_move", [](v1::TimeControl* t) { return t->mutable_stall_per_move(); }},
      {"stall_per_match", [](v1::TimeControl* t) { return t->mutable_stall_per_match(); }}};
  const std::pair<int64_t, int32_t> durations[] = {{-1, 0},
                                                   {0, -1},
                                                   {1, 1'000'000'000},
                                                   {0, std::numeric_limits<int32_t>::min()},
                                                   {std::numeric_limits<int64_t>::max(), 0},
                                                   {std::numeric_limits<int64_t>::min(), 0}};
  for (const auto& [name, field] : fields) {
    for (const auto& [seconds, nanos] : durations) {
      const std::string refusal =
          Refusal([&, field = field, seconds = seconds, nanos = nanos](v1::CreateMatchRequest* r) {
            Set(60, 0, r->mutable_time_control()->mutable_bank());
            Set(seconds, nanos, field(r->mutable_time_control()));
          });
      EXPECT_THAT(refusal, StartsWith("time_control." + name)) << seconds << " " << nanos;
    }
  }
}

// What is a duration, but out of the limits of the field.
TEST(CreateMatchRequest, NamesTheTimeControlWhoseDurationIsTooShortOrTooLong) {
  const auto refusal = [](auto change) {
    return Refusal([&](v1::CreateMatchRequest* r) { change(r->mutable_time_control()); });
  };
  EXPECT_THAT(refusal([](auto* t) { Set(0, 999'999, t->mutable_per_move()); }),
              StartsWith("time_control.per_move: "));
  EXPECT_THAT(refusal([](auto* t) { Set(86'400, 1, t->mutable_per_move()); }),
              StartsWith("time_control.per_move: "));
  EXPECT_THAT(refusal([](auto* t) { Set(0, 0, t->mutable_bank()); }),
              StartsWith("time_control.bank: "));
  EXPECT_THAT(refusal([](auto* t) { Set(7 * 86'400, 1, t->mutable_bank()); }),
              StartsWith("time_control.bank: "));
  EXPECT_THAT(refusal([](auto* t) {
                Set(1, 0, t->mutable_bank());
                Set(86'401, 0, t->mutable_increment());
              }),
              StartsWith("time_control.increment: "));
  EXPECT_THAT(refusal([](auto* t) { Set(3'600, 1, t->mutable_ready()); }),
              StartsWith("time_control.ready: "));
  EXPECT_THAT(refusal([](auto* t) { Set(31 * 86'400, 0, t->mutable_match()); }),
              StartsWith("time_control.match: "));
  EXPECT_THAT(refusal([](auto*) {}), StartsWith("time_control: "));
  EXPECT_THAT(refusal([](auto* t) {
                Set(1, 0, t->mutable_per_move());
                Set(1, 0, t->mutable_increment());
              }),
              StartsWith("time_control: "));
}

TEST(TimeControlOnTheWire, SaysWhatIsGivenBackOfStalls) {
  for (const char* text : {"500ms", "500ms,stall=0s", "500ms,stall=2s", "500ms,stall=1s/5s"}) {
    const match::TimeControl time_control = match::ParseTimeControl(text).value();
    v1::TimeControl wire;
    ToWire(time_control, &wire);
    EXPECT_EQ(FromWire(wire).value(), time_control) << text;
  }
}

TEST(CreateMatchRequest, NamesThePolicy) {
  const auto refusal = [](auto change) {
    return Refusal([&](v1::CreateMatchRequest* r) { change(r->mutable_policies()); });
  };
  EXPECT_THAT(refusal([](auto* p) {
                p->mutable_on_timeout()->set_action(static_cast<v1::FaultAction>(99));
              }),
              StartsWith("policies.on_timeout.action: '99'"));
  EXPECT_THAT(refusal([](auto* p) {
                p->mutable_on_illegal()->set_substitute(static_cast<v1::Substitute>(-1));
              }),
              StartsWith("policies.on_illegal.substitute: '-1'"));
  EXPECT_THAT(refusal([](auto* p) { p->mutable_on_timeout()->set_action(v1::FAULT_ACTION_RETRY); }),
              StartsWith("policies: on_timeout: "));
  EXPECT_THAT(refusal([](auto* p) { p->mutable_on_illegal()->set_max_strikes(1); }),
              StartsWith("policies.on_illegal.max_strikes: '1' is not left out"));
  EXPECT_THAT(refusal([](auto* p) { p->mutable_on_illegal()->set_max_tries(2); }),
              StartsWith("policies.on_illegal.max_tries: "));
  for (uint32_t strikes : {1'000'001u, std::numeric_limits<uint32_t>::max()}) {
    EXPECT_THAT(refusal([&](auto* p) {
                  p->mutable_on_illegal()->set_action(v1::FAULT_ACTION_SUBSTITUTE);
                  p->mutable_on_illegal()->set_max_strikes(strikes);
                }),
                StartsWith("policies: on_illegal, strikes: "));
  }
  for (uint32_t tries : {1u, 101u}) {
    EXPECT_THAT(refusal([&](auto* p) {
                  p->mutable_on_illegal()->set_action(v1::FAULT_ACTION_RETRY);
                  p->mutable_on_illegal()->set_max_tries(tries);
                }),
                StartsWith("policies: on_illegal, tries: "));
  }
  EXPECT_THAT(refusal([](auto* p) { Set(-1, 0, p->mutable_link_grace()); }),
              StartsWith("policies.link_grace: "));
  EXPECT_THAT(refusal([](auto* p) { p->mutable_lag_compensation(); }),
              StartsWith("policies.lag_compensation.per_move: "));
  EXPECT_THAT(refusal([](auto* p) {
                Set(1, 0, p->mutable_lag_compensation()->mutable_per_move());
                Set(0, 1, p->mutable_lag_compensation()->mutable_per_match());
              }),
              StartsWith("policies.lag_compensation.per_match: "));
}

TEST(Terms, AreTheSameWhenTheyComeBackFromTheWire) {
  match::TimeControl time_control;
  time_control.bank = absl::Seconds(60);
  time_control.increment = absl::Seconds(1);
  time_control.first_move = absl::Seconds(5);
  time_control.ready = absl::Seconds(30);
  time_control.match = absl::Hours(2);
  v1::TimeControl wire_time;
  ToWire(time_control, &wire_time);
  EXPECT_EQ(*FromWire(wire_time), time_control);

  match::Policies policies;
  policies.on_timeout.action = match::FaultPolicy::Action::kSubstitute;
  policies.on_timeout.substitute = match::FaultPolicy::Substitute::kRandom;
  policies.on_timeout.max_strikes = 5;
  policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  policies.on_illegal.max_tries = 2;
  policies.link_grace = absl::Seconds(30);
  policies.lag = {absl::Milliseconds(20), absl::Seconds(1)};
  v1::Policies wire_policies;
  ToWire(policies, &wire_policies);
  EXPECT_EQ(*FromWire(wire_policies), policies);
  EXPECT_EQ(*FromWire(v1::Policies()), match::Policies());
}

TEST(Terms, CreditAHundredMovesOfLagUnlessTheySay) {
  v1::Policies wire;
  Set(0, 20'000'000, wire.mutable_lag_compensation()->mutable_per_move());
  EXPECT_EQ(FromWire(wire)->lag.per_match, absl::Seconds(2));
}

TEST(CompetitionOnTheWire, HasTheLivesOfTheStoreOnceItIsFinished) {
  competition::CompetitionView view;
  view.competition.spec.format = schedule::Format::kKnockout;
  view.competition.state = store::CompetitionState::kRunning;
  view.competition.lot_seed = dice::PinnedSeed(8);
  view.competition.dice_lives = {std::string(32, 'a')};
  view.competition.life_blocks = {0};
  v1::Competition running;
  ToWire(view, absl::UnixEpoch(), &running);
  EXPECT_THAT(running.dice_lives(), IsEmpty()) << "the original may have revealed the seed";
  view.competition.state = store::CompetitionState::kFinished;
  v1::Competition finished;
  ToWire(view, absl::UnixEpoch(), &finished);
  EXPECT_THAT(finished.dice_lives(), ElementsAre(std::string(32, 'a')));
}

TEST(CreateMatchRequest, NamesTheSeed) {
  for (size_t size : {0, 31, 33}) {
    EXPECT_THAT(
        Refusal([&](auto* r) { r->mutable_dice()->set_pinned_seed(std::string(size, 'x')); }),
        StartsWith("dice.pinned_seed: "));
  }
}

}  // namespace
}  // namespace referee::service
