// Tests of queries on the index of an archive, against the replays themselves.
#include "referee/replay/archive_query.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/json.h"
#include "referee/replay/pack_shelf.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace fs = std::filesystem;

// What of an archive is in its index.
enum class Indexed { kAll, kHalf, kNothing };

class ArchiveQuery : public ::testing::TestWithParam<Indexed> {
 protected:
  void SetUp() override {
    PutFrom(0, 6);
    fs::copy_file(PackIndex::PathIn(dir()), dir() + "/half");
    PutFrom(6, 12);
    if (GetParam() == Indexed::kHalf) fs::rename(dir() + "/half", PackIndex::PathIn(dir()));
    if (GetParam() == Indexed::kNothing) {
      ASSERT_TRUE(PackIndex::Remove(dir()).ok());
    }
    const absl::StatusOr<WholeIndex> whole = WholeIndex::Look(dir());
    ASSERT_TRUE(whole.ok()) << whole.status();
    index_ = whole->Open().value();
  }
  void PutFrom(uint8_t begin, uint8_t end) {
    shelf_ = PackShelf::Open({dir()}).value();
    for (uint8_t number = begin; number < end; ++number) Put(number);
    EXPECT_TRUE(shelf_->WaitForIndex().ok());
    shelf_ = nullptr;
  }
  // ann against bob, cyd against ann, and three at one table; one in four forfeits.
  void Put(uint8_t number) {
    SampleOptions options;
    options.seed = number + 1u;
    options.seats = number % 3 == 2 ? 3 : 2;
    if (number % 4 == 1) options.resign_at = 5;
    if (number == 7) options.cancel_at = 3;
    Replay replay = PlaySample(options);
    replay.setup.id = testing::NumberedId(number, testing::kMadeAt + absl::Hours(20) * number);
    const std::vector<std::vector<std::string>> tables = {
        {"ann", "bob"}, {"cyd", "ann"}, {"ann", "bob", "cyd"}};
    replay.setup.bots = tables[number % 3];
    if (number < 4) replay.setup.request_id = "c/spring/3/1";
    ASSERT_TRUE(shelf_->Put(Summarise(replay), Encode(replay, SampleSigner())).ok());
    replays_.insert(replays_.begin(), std::move(replay));
  }
  // What is found must be the summaries of the replays that `fits` takes.
  template <typename Fits>
  void ExpectFound(const ReplayFilter& filter, Fits fits) {
    std::vector<ReplaySummary> expected;
    for (const Replay& replay : replays_) {
      const ReplaySummary summary = Summarise(replay);
      if (fits(summary)) expected.push_back(summary);
    }
    const auto found = FindReplays(index_.get(), filter, 100);
    ASSERT_TRUE(found.ok()) << found.status();
    std::vector<ReplaySummary> summaries;
    for (const FoundReplay& replay : *found) summaries.push_back(replay.summary);
    EXPECT_EQ(summaries.size(), expected.size());
    EXPECT_TRUE(summaries == expected);
    EXPECT_FALSE(expected.empty());
  }
  static bool HasBot(const ReplaySummary& summary, const std::string& bot) {
    return std::any_of(summary.seats.begin(), summary.seats.end(),
                       [&](const SeatSummary& seat) { return seat.bot == bot; });
  }

  const std::string& dir() const { return directory_.path(); }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  std::unique_ptr<PackShelf> shelf_;
  std::unique_ptr<PackIndex> index_;
  std::vector<Replay> replays_;  // newest first
};

TEST_P(ArchiveQuery, FindsAllNewestFirstAndInPages) {
  ExpectFound({}, [](const ReplaySummary&) { return true; });
  ReplayFilter filter;
  std::vector<std::string> ids;
  while (true) {
    const auto page = FindReplays(index_.get(), filter, 5).value();
    if (page.empty()) break;
    for (const FoundReplay& replay : page) ids.push_back(replay.place.id.text());
    filter.before = page.back().place.id;
  }
  ASSERT_EQ(ids.size(), replays_.size());
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], replays_[i].setup.id.text());
}

TEST_P(ArchiveQuery, FindsByBotOpponentAndSeat) {
  ReplayFilter filter;
  filter.bot = "cyd";
  ExpectFound(filter, [](const ReplaySummary& s) { return HasBot(s, "cyd"); });
  filter.opponent = "bob";
  ExpectFound(filter, [](const ReplaySummary& s) { return HasBot(s, "cyd") && HasBot(s, "bob"); });
  filter = {};
  filter.bot = "ann";
  filter.seat = 1;
  ExpectFound(filter, [](const ReplaySummary& s) { return s.seats[1].bot == "ann"; });
}

TEST_P(ArchiveQuery, FindsByWhatBecameOfAMatch) {
  ReplayFilter filter;
  filter.ending = match::Ending::kCancelled;
  ExpectFound(filter, [](const ReplaySummary& s) { return s.ending == match::Ending::kCancelled; });
  filter = {};
  filter.forfeit = true;
  const match::Verdict& verdict = *replays_[2].ended();
  ASSERT_FALSE(verdict.forfeits.empty());
  const std::string bot =
      replays_[2].setup.bots[static_cast<size_t>(verdict.forfeits[0].seat.index())];
  filter.bot = bot;
  ExpectFound(filter, [&](const ReplaySummary& s) {
    return std::any_of(s.seats.begin(), s.seats.end(),
                       [&](const SeatSummary& seat) { return seat.bot == bot && seat.forfeit; });
  });
  filter.bot = "";
  filter.cause = match::Cause::kResigned;
  ExpectFound(filter, [](const ReplaySummary& s) {
    return std::any_of(s.seats.begin(), s.seats.end(),
                       [](const SeatSummary& seat) { return seat.forfeit.has_value(); });
  });
}

TEST_P(ArchiveQuery, FindsByLengthTimeGameAndCompetition) {
  ReplayFilter filter;
  const uint32_t turns = replays_[0].turns();
  filter.min_turns = turns;
  filter.max_turns = turns + 30;
  ExpectFound(filter,
              [&](const ReplaySummary& s) { return s.turns >= turns && s.turns <= turns + 30; });
  filter = {};
  const absl::Time from = replays_[8].setup.id.created();
  const absl::Time until = replays_[2].setup.id.created();
  filter.from = from;
  filter.until = until;
  ExpectFound(filter, [&](const ReplaySummary& s) {
    return s.create_time >= from && s.create_time < until;
  });
  filter.bot = "ann";
  ExpectFound(filter, [&](const ReplaySummary& s) {
    return s.create_time >= from && s.create_time < until && HasBot(s, "ann");
  });
  filter = {};
  filter.competition = "spring";
  filter.game = "hypnosia";
  ExpectFound(filter, [](const ReplaySummary& s) { return s.competition == "spring"; });
}

TEST_P(ArchiveQuery, NamesTheBotOfWhichThereIsNothing) {
  ReplayFilter filter;
  filter.bot = "zoe";
  const absl::Status checked = CheckNames(index_.get(), filter);
  EXPECT_TRUE(absl::IsNotFound(checked));
  EXPECT_THAT(std::string(checked.message()), HasSubstr("bot 'zoe': is in no replay"));
  EXPECT_THAT(FindReplays(index_.get(), filter, 10).value(), IsEmpty());
  filter = {};
  filter.game = "bob";
  EXPECT_TRUE(absl::IsNotFound(CheckNames(index_.get(), filter)));
}

TEST_P(ArchiveQuery, CountsWhatTheReplaysSay) {
  const auto all = CountReplays(index_.get(), {}, {}).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].matches, 12);
  EXPECT_EQ(all[0].finished, 11);
  EXPECT_EQ(all[0].forfeits, 3);

  ReplayFilter filter;
  filter.bot = "ann";
  const auto ann = CountReplays(index_.get(), filter, {CountBy::kOpponent}).value();
  ASSERT_EQ(ann.size(), 2u);
  for (const ReplayCount& count : ann) {
    int64_t matches = 0;
    int64_t won = 0;
    int64_t lost = 0;
    for (const Replay& replay : replays_) {
      const ReplaySummary summary = Summarise(replay);
      const auto seat_of = [&](const std::string& bot) {
        return std::find_if(summary.seats.begin(), summary.seats.end(),
                            [&](const SeatSummary& seat) { return seat.bot == bot; });
      };
      const auto mine = seat_of("ann");
      const auto theirs = seat_of(count.keys[0]);
      if (theirs == summary.seats.end()) continue;
      ++matches;
      if (!mine->rank) continue;
      won += *mine->rank < *theirs->rank;
      lost += *mine->rank > *theirs->rank;
    }
    EXPECT_EQ(count.matches, matches) << count.keys[0];
    EXPECT_EQ(count.won, won) << count.keys[0];
    EXPECT_EQ(count.lost, lost) << count.keys[0];
  }
}

TEST_P(ArchiveQuery, CountsByEverything) {
  for (const CountBy by : {CountBy::kBot, CountBy::kSeat, CountBy::kGame, CountBy::kOpeningRoll,
                           CountBy::kLength, CountBy::kEnding}) {
    const auto counts = CountReplays(index_.get(), {}, {by}).value();
    EXPECT_FALSE(counts.empty());
    int64_t sum = 0;
    for (const ReplayCount& count : counts) sum += count.matches;
    EXPECT_EQ(sum, by == CountBy::kBot || by == CountBy::kSeat ? 28 : 12) << CountByName(by);
  }
  const auto endings = CountReplays(index_.get(), {}, {CountBy::kGame, CountBy::kEnding}).value();
  ASSERT_EQ(endings.size(), 2u);
  EXPECT_THAT(endings[0].keys, ElementsAre("hypnosia", "FINISHED"));
  EXPECT_THAT(endings[1].keys, ElementsAre("hypnosia", "CANCELLED"));
}

std::string IndexedName(const ::testing::TestParamInfo<Indexed>& info) {
  constexpr std::array<const char*, 3> kNames = {"All", "Half", "Nothing"};
  return kNames[static_cast<size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Indexes, ArchiveQuery,
                         ::testing::Values(Indexed::kAll, Indexed::kHalf, Indexed::kNothing),
                         IndexedName);

class WholeIndexTest : public ::testing::Test {
 protected:
  MatchId Put(uint8_t number) {
    const Replay replay = SampleAs(testing::NumberedId(number));
    EXPECT_TRUE(shelf_->Put(Summarise(replay), Encode(replay, SampleSigner())).ok());
    return replay.setup.id;
  }
  std::vector<std::string> Found(const WholeIndex& whole) {
    const auto found =
        whole.Ask([](PackIndex* index) { return FindReplays(index, ReplayFilter(), 100); });
    EXPECT_TRUE(found.ok()) << found.status();
    std::vector<std::string> places;
    for (const FoundReplay& replay : *found) {
      places.push_back(replay.place.id.text() + " in " + replay.place.pack.text());
    }
    return places;
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  std::unique_ptr<PackShelf> shelf_ = PackShelf::Open({directory_.path()}).value();
};

TEST_F(WholeIndexTest, HasAReplayThatWasPutAgainOnceWhereItIsNow) {
  const MatchId id = Put(1);
  EXPECT_TRUE(shelf_->WaitForIndex().ok());
  const std::string file = shelf_->Read(id).value();
  shelf_ = nullptr;
  const PackName other = PackName::OfDay(id.created()).next();
  std::ofstream(PackPath(directory_.path(), other), std::ios::binary)
      << PackHeader() << EncodePackEntry(id, file);
  EXPECT_THAT(Found(WholeIndex::Look(directory_.path()).value()),
              ElementsAre(id.text() + " in " + other.text()));
}

TEST_F(WholeIndexTest, SaysHowManyItHasNotRead) {
  for (uint8_t number = 0; number < 5; ++number) Put(number);
  EXPECT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  {
    const auto index = PackIndex::Open(directory_.path()).value();
    const PackName day = PackName::OfDay(absl::FromUnixSeconds(1'700'000'000));
    EXPECT_TRUE(index->Add({}, {{day, PackHeader().size()}}).ok());
  }
  const WholeIndex some = WholeIndex::Look(directory_.path(), 3).value();
  EXPECT_EQ(some.missing(), 2);
  EXPECT_THAT(Found(some), SizeIs(5));
  ASSERT_TRUE(PackIndex::Remove(directory_.path()).ok());
  EXPECT_THAT(Found(WholeIndex::Look(directory_.path(), 5).value()), SizeIs(5));
  EXPECT_TRUE(absl::IsNotFound(WholeIndex::Look(directory_.path(), 4).status()));
}

TEST(TurnLines, SayWhatWasPlayedWhereAndWhatCameOfIt) {
  const Replay replay = PlaySample({});
  std::string lines;
  ASSERT_TRUE(AppendTurnLines(replay, &lines).ok());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), replay.turns());
  const std::string first = lines.substr(0, lines.find('\n'));
  for (const char* const part :
       {"\"turn\":1,", "\"position\":\"", "\"roll\":[", "\"legal\":", "\"move\":\"",
        "\"used_ns\":", "\"own_ns\":", "\"ending\":\"FINISHED\"", "\"rank\":", "\"score\":"}) {
    EXPECT_THAT(first, HasSubstr(part));
  }
}

TEST(TurnLines, AreNoneOfAMatchThatDidNotStart) {
  SampleOptions options;
  Replay replay = PlaySample(options);
  replay.records.erase(replay.records.begin(), replay.records.end() - 1);
  std::string lines;
  ASSERT_TRUE(AppendTurnLines(replay, &lines).ok());
  EXPECT_THAT(lines, IsEmpty());
}

}  // namespace
}  // namespace referee::replay
