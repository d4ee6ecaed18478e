// Claims about what a request to make a match may hold: what may not be is refused by the name of
// its field.
#include "referee/service/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "referee/host/host.h"

namespace referee::service {
namespace {

using ::testing::HasSubstr;
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
      {"increment", [](v1::TimeControl* t) { return t->mutable_increment(); }}};
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
  EXPECT_THAT(refusal([](auto*) {}), StartsWith("time_control: "));
  EXPECT_THAT(refusal([](auto* t) {
                Set(1, 0, t->mutable_per_move());
                Set(1, 0, t->mutable_increment());
              }),
              StartsWith("time_control: "));
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
