// Tests that a changed and newly signed replay is found.
//
// The key reveals it or, if the key is the referee's own: the rules, the dice, the clocks and the
// result.
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/verifier.h"
#include "tests/support/tampered_replay.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::referee::testing::FirstRecord;
using ::referee::testing::Tampered;
using ::testing::HasSubstr;

struct Tampering {
  const char* what;
  std::function<void(Replay*)> tamper;
  const char* problem;  // that the rules find
};

// What the rules find, whoever signs.
const std::vector<Tampering>& AgainstTheRules() {
  static const auto* const all = new std::vector<Tampering>{
      {"other dice",
       [](Replay* replay) {
         const int dice[] = {6, 6};
         match::Roll& roll = FirstRecord<match::Played>(replay).roll;
         const int others[] = {5, 5};
         roll = roll == match::Roll(dice) ? match::Roll(others) : match::Roll(dice);
       },
       "dice "},
      {"another seed",
       [](Replay* replay) { std::get<match::Ended>(replay->records.back()).seed.bytes[0] ^= 1; },
       "seed: "},
      {"another commitment", [](Replay* replay) { replay->setup.commitment[0] ^= 1; }, "seed: "},
      {"another nonce",
       [](Replay* replay) { FirstRecord<match::Started>(replay).nonces[1] = "chosen later"; }, ""},
      {"another winner",
       [](Replay* replay) {
         auto& ended = std::get<match::Ended>(replay->records.back());
         std::swap(ended.ranks[0], ended.ranks[1]);
         std::swap(ended.scores[0], ended.scores[1]);
       },
       "end: the "},
      {"a move that was not played",
       [](Replay* replay) {
         for (const match::Record& record : replay->records) {
           const auto* const later = std::get_if<match::Played>(&record);
           if (later != nullptr) FirstRecord<match::Played>(replay).move = later->move;
         }
       },
       ""},
      {"a position that was not reached",
       [](Replay* replay) { FirstRecord<match::Played>(replay).digest ^= 1; }, "digest "},
      {"time that was not used",
       [](Replay* replay) { FirstRecord<match::Played>(replay).used += absl::Seconds(30); },
       "clock: "},
      {"a seat that forfeits",
       [](Replay* replay) {
         match::Forfeited forfeit;
         forfeit.seat = Seat(0);
         forfeit.number = 1;
         replay->records.insert(replay->records.end() - 1, forfeit);
       },
       ""},
      {"a turn that is left out",
       [](Replay* replay) {
         for (auto it = replay->records.begin(); it != replay->records.end(); ++it) {
           if (!std::holds_alternative<match::Played>(*it)) continue;
           replay->records.erase(it);
           return;
         }
       },
       ""},
  };
  return *all;
}

class TamperTest : public ::testing::Test {
 protected:
  static SampleOptions Committed() {
    SampleOptions options;
    options.committed = true;
    return options;
  }

  const Signer referee_ = SampleSigner(1);
  const Signer cheat_ = SampleSigner(2);
  const KeyRing ring_{referee_.public_key()};
  const std::string file_ = Encode(PlaySample(Committed()), referee_);
};

TEST_F(TamperTest, AReplayThatAnotherSignsAnewIsNotTheReferees) {
  EXPECT_EQ(Verify(file_, ring_).problem, "");
  const auto nothing = [](Replay*) {};
  EXPECT_FALSE(Verify(Tampered(file_, nothing, cheat_), ring_).ok);
  for (const Tampering& one : AgainstTheRules()) {
    const Verification found = Verify(Tampered(file_, one.tamper, cheat_), ring_);
    EXPECT_FALSE(found.ok) << one.what;
    EXPECT_THAT(found.problem, HasSubstr("signature: not this referee's")) << one.what;
  }
}

TEST_F(TamperTest, TheRefereeCannotMakeUpDiceNoncesMovesTimesOrResults) {
  for (const Tampering& one : AgainstTheRules()) {
    const Verification found = Verify(Tampered(file_, one.tamper, referee_), ring_);
    EXPECT_FALSE(found.ok) << one.what;
    EXPECT_THAT(found.problem, HasSubstr(one.problem)) << one.what;
  }
}

TEST_F(TamperTest, NamesOfBotsAreNobodysButTheRefereesWord) {
  const auto rename = [](Replay* replay) { replay->setup.bots[0] = "mallory"; };
  EXPECT_FALSE(Verify(Tampered(file_, rename, cheat_), ring_).ok);
  EXPECT_TRUE(Verify(Tampered(file_, rename, referee_), ring_).ok);
}

TEST_F(TamperTest, WhoCancelledIsWrittenDownAndNobodyCancelsAResult) {
  SampleOptions options;
  options.cancel_at = 5;
  const std::string cancelled = Encode(PlaySample(options), referee_);
  const auto by_ann = [](Replay* replay) {
    std::get<match::Ended>(replay->records.back()).cancelled_by = "ann";
  };
  const std::string file = Tampered(cancelled, by_ann, referee_);
  EXPECT_EQ(Verify(file, ring_).problem, "");
  EXPECT_EQ(Parse(file)->ended()->cancelled_by, "ann");
  EXPECT_THAT(Verify(Tampered(file_, by_ann, referee_), ring_).problem,
              HasSubstr("nobody cancelled"));
}

}  // namespace
}  // namespace referee::replay
