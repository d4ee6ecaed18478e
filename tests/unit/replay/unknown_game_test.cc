// Tests of replays of an unknown game.
//
// The verifier checks what it can without the rules, and reports the rest as open.
#include "referee/replay/unknown_game.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The same match, as who has not the rules reads it: of a game "chess".
Replay WithoutRules(Replay replay) {
  const std::shared_ptr<const games::Game> game = replay.setup.game;
  auto unknown = std::make_shared<const UnknownGame>("chess", game->seats(), game->source());
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr) turn->move = unknown->ParseMove(game->MoveText(turn->move)).value();
  }
  replay.setup.game = std::move(unknown);
  return replay;
}

Verification Found(const SampleOptions& options, const std::function<void(Replay&)>& tamper) {
  Replay replay = WithoutRules(PlaySample(options));
  tamper(replay);
  return Verify(Encode(replay, SampleSigner()));
}

template <typename R>
R& Last(Replay& replay) {
  for (auto record = replay.records.rbegin(); record != replay.records.rend(); ++record) {
    if (auto* found = std::get_if<R>(&*record)) return *found;
  }
  std::abort();
}

SampleOptions Forfeited() {
  SampleOptions options;
  options.time_out_at = 6;
  return options;
}

TEST(UnknownGame, IsVerifiedInPartWhateverHappensInTheMatch) {
  SampleOptions illegal;
  illegal.illegal_at = 8;
  SampleOptions resigned;
  resigned.resign_at = 9;
  SampleOptions cancelled;
  cancelled.cancel_at = 20;
  SampleOptions withheld;
  withheld.rotation = 1;
  withheld.void_at = 5;
  SampleOptions three = Forfeited();
  three.seats = 3;
  for (const SampleOptions& options :
       {SampleOptions(), EventfulSample(), TimedOutSample(), StalledSample(), Forfeited(), illegal,
        resigned, cancelled, withheld, three}) {
    const Verification found = Found(options, [](Replay&) {});
    EXPECT_TRUE(found.in_part) << found.problem;
    EXPECT_FALSE(found.ok);
    EXPECT_THAT(found.problem, HasSubstr("the rules of game 'chess' are not in this program"));
    EXPECT_EQ(found.public_key, SampleSigner().public_key());
  }
}

TEST(UnknownGame, IsNotVerifiedWhenWhatIsSaidCannotBe) {
  const struct {
    SampleOptions options;
    std::function<void(Replay&)> tamper;
    const char* problem;
  } cases[] = {
      {{}, [](Replay& r) { Last<match::Ended>(r).seed.bytes[0] ^= 1; }, "seed: "},
      {{}, [](Replay& r) { Last<match::Played>(r).number += 1; }, ": the record says turn "},
      {{}, [](Replay& r) { Last<match::Played>(r).used += absl::Nanoseconds(1); }, "clock: "},
      {{}, [](Replay& r) { Last<match::Played>(r).legal_count = 0; }, "no legal move"},
      {{}, [](Replay& r) { r.records.erase(r.records.begin() + 9); }, "the record says turn"},
      {{},
       [](Replay& r) {
         Last<match::Ended>(r).ranks = {2, 2};
       },
       "end: seat a has rank 2"},
      {Forfeited(),
       [](Replay& r) {
         Last<match::Ended>(r).ranks = {1, 1};
       },
       "ranks no lower"},
  };
  for (const auto& one : cases) {
    const Verification found = Found(one.options, one.tamper);
    EXPECT_FALSE(found.ok || found.in_part);
    EXPECT_THAT(found.problem, HasSubstr(one.problem));
  }
}

TEST(UnknownGame, OfAFileThatWasChangedTheSignatureIsWrong) {
  std::string file = Encode(WithoutRules(PlaySample({})), SampleSigner());
  const Verification of_another = Verify(file, KeyRing(SampleSigner(2).public_key()));
  EXPECT_FALSE(of_another.ok || of_another.in_part);
  file.back() ^= 1;
  const Verification changed = Verify(file);
  EXPECT_FALSE(changed.ok || changed.in_part);
  EXPECT_THAT(changed.problem, StartsWith("signature: "));
}

TEST(UnknownGame, IsReadByTheVerifierAlone) {
  const auto read = Parse(Encode(WithoutRules(PlaySample({})), SampleSigner()));
  EXPECT_THAT(std::string(read.status().message()), HasSubstr("'chess': there is no such game"));
}

TEST(UnknownGame, TakesPrintableNotationAndGivesItBack) {
  const UnknownGame game("chess", 2, {});
  for (const char* text : {"-", "e4", "Nf3 x", "e4"}) {
    EXPECT_EQ(game.MoveText(game.ParseMove(text).value()), text);
  }
  for (const char* text : {"", "a\nb", "\x7f"}) EXPECT_FALSE(game.ParseMove(text).ok());
}

}  // namespace
}  // namespace referee::replay
