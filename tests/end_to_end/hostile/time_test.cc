// Claims about bots that would gain time, or have a match that they are losing made void.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/hostile/flood.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/http2_client.h"
#include "tests/end_to_end/hostile/open_stream.h"

namespace referee::end_to_end {
namespace {

using testing::HelloAs;
using testing::MoveIn;
using testing::ReadyFor;

constexpr char kPlay[] = "/referee.v1.BotService/Play";
constexpr char kNonsense[] = "nonsense";
// Between two looks at a match, as seldom as the daemon allows anybody.
constexpr absl::Duration kLooks = absl::Milliseconds(100);

v1::Snapshot SnapshotOf(v1::MatchService::Stub* matches, const std::string& match_id) {
  v1::GetMatchRequest request;
  request.set_match_id(match_id);
  v1::GetMatchResponse response;
  const auto context = testing::NewContext();
  matches->GetMatch(context.get(), request, &response);
  return response.snapshot();
}

// --- Time that was not charged ---

// Mallory grants no window, so that nothing is ever sent to her, and sees elsewhere what she is
// asked. Her reply is nonsense: its record says what she was charged.
TEST(HostileTime, BotThatDoesNotReadThinksAtItsOwnCost) {
  constexpr absl::Duration kThinks = absl::Milliseconds(100);
  HostileFixture venue;
  venue.StartBot(kMallet);
  Http2Options options;
  options.window = 0;
  options.grants = false;
  Http2Client mallory(venue.address(), options);
  const int32_t call = mallory.Call(kPlay);
  const auto say = [&](const v1::BotItem& item) {
    v1::PlayRequest request;
    *request.add_items() = item;
    mallory.Send(call, request.SerializeAsString());
    mallory.Flush();
  };
  say(HelloAs(kMallory));
  const std::string match_id = venue.Create({kMallory, kMallet}, absl::Seconds(60), 1, true);
  const auto matches = v1::MatchService::NewStub(venue.NewChannel());
  v1::Snapshot seen;
  ASSERT_TRUE(Eventually(
      [&] {
        seen = SnapshotOf(matches.get(), match_id);
        return seen.match().state() == v1::MATCH_STATE_RUNNING;
      },
      kLooks));
  say(ReadyFor(match_id));
  ASSERT_TRUE(Eventually(
      [&] {
        seen = SnapshotOf(matches.get(), match_id);
        return seen.has_seat_to_move() && seen.seat_to_move() == 0;
      },
      kLooks));
  mallory.Await([] { return false; }, kThinks);
  say(MoveIn(match_id, seen.turn(), kNonsense));
  const v1::Verdict verdict = venue.WaitForVerdict(match_id);
  ASSERT_EQ(verdict.forfeits_size(), 1) << verdict.ShortDebugString();
  for (const match::Record& record : venue.ReplayOf(match_id).records) {
    const auto* forfeited = std::get_if<match::Forfeited>(&record);
    if (forfeited == nullptr) continue;
    ASSERT_TRUE(forfeited->timing.has_value());
    EXPECT_GE(forfeited->used + forfeited->timing->stalled, kThinks);
  }
}

// --- Matches that were void ---

struct Ends {
  int lost = 0;   // by who was late
  int other = 0;  // void, or lost by the other
};

// Mallory plays nonsense, later than her limit by 0.5 to 5 ms.
Ends BeLate(HostileFixture* venue, int matches, absl::Duration per_move) {
  OpenStream mallory(venue->NewChannel(), kMallory);
  Ends ends;
  for (int i = 0; i < matches; ++i) {
    const std::string match_id = venue->Create({kMallory, kMallet}, per_move, 1, true);
    v1::PlayResponse heard;
    bool replied = false;
    while (!replied && mallory.Hear(&heard)) {
      for (const v1::RefereeItem& item : heard.items()) {
        if (item.has_match_start()) {
          mallory.Say({ReadyFor(item.match_start().match().match_id())});
        }
        if (!item.has_turn_request() || item.turn_request().match_id() != match_id) continue;
        absl::SleepFor(per_move + absl::Microseconds(500) * (1 + i % 10));
        mallory.Say({MoveIn(match_id, item.turn_request().turn(), kNonsense)});
        replied = true;
      }
    }
    const v1::Verdict verdict = venue->WaitForVerdict(match_id);
    const bool lost = verdict.state() == v1::MATCH_STATE_FINISHED && verdict.forfeits_size() == 1 &&
                      verdict.forfeits(0).seat() == 0;
    ++(lost ? ends.lost : ends.other);
  }
  return ends;
}

TEST(HostileTime, LateReplyMakesNoMatchVoid) {
  HostileFixture venue;
  venue.StartBot(kMallet);
  const Ends ends = BeLate(&venue, 40, absl::Milliseconds(100));
  EXPECT_EQ(ends.lost, 40);
  EXPECT_EQ(ends.other, 0);
}

TEST(HostileTime, LateReplyUnderAFloodOfCallsMakesNoMatchVoid) {
  HostileFixture venue;
  venue.StartBot(kMallet);
  std::atomic<bool> over{false};
  std::thread flood([&] { Flood(venue.address(), 4, [&] { return over.load(); }); });
  const Ends ends = BeLate(&venue, 20, absl::Milliseconds(100));
  over = true;
  flood.join();
  EXPECT_EQ(ends.lost, 20);
  EXPECT_EQ(ends.other, 0);
}

// --- The referee's own disk ---

// The sample bots play several matches at once, so that the replies of one wait to be read while
// another is written.
void PlayThrough(const std::vector<std::string>& flags, int matches, absl::Duration per_move) {
  HostileFixture venue(flags);
  std::vector<std::string> ids;
  for (int i = 0; i < matches; ++i) ids.push_back(venue.Create({"honest", "sincere"}, per_move));
  for (const std::string& id : ids) {
    const v1::Verdict verdict = venue.WaitForVerdict(id);
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED) << verdict.ShortDebugString();
    EXPECT_EQ(verdict.forfeits_size(), 0) << verdict.ShortDebugString();
  }
}

TEST(HostileTime, DiskThatHangsCostsNobodyItsMatch) {
  PlayThrough({"--durability=turn", "--fault-point=log-slow:50:700ms"}, 4, absl::Milliseconds(500));
}

TEST(HostileTime, DiskThatHangsForLongerThanAMoveMayTakeCostsNobodyItsMatch) {
  // With `match` there are few syncs.
  for (const char* flags : {"--durability=none --fault-point=log-slow:1:1500ms",
                            "--durability=match --fault-point=log-slow:10:1500ms",
                            "--durability=turn --fault-point=log-slow:300:1500ms"}) {
    SCOPED_TRACE(flags);
    PlayThrough(absl::StrSplit(flags, ' '), 16, absl::Seconds(1));
  }
}

}  // namespace
}  // namespace referee::end_to_end
