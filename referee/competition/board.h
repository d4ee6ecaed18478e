// What there is to read of competitions: how far they are, who stands where, what was played. There
// are two: one says how things are, the other what onlookers may be told (told_store.h).
#ifndef REFEREE_COMPETITION_BOARD_H_
#define REFEREE_COMPETITION_BOARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/competition_loop.h"
#include "referee/competition/planner.h"
#include "referee/competition/rating_history.h"
#include "referee/competition/rounds.h"
#include "referee/competition/standings.h"
#include "referee/competition/told_store.h"
#include "referee/host/host.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

// How far a test is, over the blocks that are counted.
struct TestView {
  std::string bot;      // whose strength is tested: the first entrant
  std::string against;  // the other
  rating::Sprt sprt;
  int64_t draws = 0;                  // matches
  std::vector<std::string> out = {};  // bots that are out, and why; for people
};

// A competition as it is now.
struct CompetitionView {
  // With spec.entrants, but in lists. With spec.positions only from Get.
  store::Competition competition;
  int blocks_running = 0;
  // Still to be begun, as far as is known; not set for a ladder, and before it was started.
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;  // played to their end in the last ten minutes
  // Why it does not go on, if it does not; for people. Empty: it does, or is not to.
  std::string waits_for;
  // See CompetitionRounds::Evenness. Only what Get and Standings return has it.
  absl::optional<schedule::Evenness> evenness;
  absl::optional<TestView> test;  // of a test
  // More has happened, or is over, than onlookers are told yet. Never of the board of how things
  // are.
  bool lags = false;
};

struct StandingsView {
  CompetitionView view;
  std::vector<Standing> standings;  // best first
  int season = 1;
};

struct CompetitionPage {
  std::vector<CompetitionView> competitions;  // newest first
  // Where the next page begins: the `before` of the next call; not set on the last.
  absl::optional<store::CompetitionId> next;
};

enum class BlockOrder { kOldestFirst, kNewestFirst };

struct BlockPage {
  std::vector<store::Block> blocks;   // by number, in the order that was asked for
  std::vector<std::string> entrants;  // names, by the numbers that pairings have
  std::vector<store::EntrantLabel> labels;
  absl::optional<int64_t> next;  // the `from` of the next call; not set on the last
};

struct PairPage {
  std::vector<PairResult> pairs;      // by the lower, then the higher number of the two
  std::vector<std::string> entrants;  // names, by number
  std::vector<store::EntrantLabel> labels;
  int season = 1;
  // The lower and the higher number in the pair that is the `from` of the next call; not set on the
  // last page.
  absl::optional<std::pair<int, int>> next;
};

struct RatingPage {
  struct History {
    std::string bot;
    std::string version;
    std::vector<RatingPoint> points;
  };
  std::vector<History> histories;  // by the numbers of the entrants
  int season = 1;
  absl::optional<int> next;  // the `from` of the next call; not set on the last page
};

// `spec`: of another format.
absl::Status OnlyALadderHasSeasons(const schedule::Spec& spec);

// Thread-safe. Every call that names a competition returns NotFound when there is none, and what
// the store says when it cannot be read.
class Board {
 public:
  // Says how things are in `store`; with `lagging`, says only what may be told. `loop` runs what
  // goes on here. All must outlive the board.
  Board(store::CompetitionReader* store, const CompetitionLoop* loop, const Clock* clock,
        ToldStore* lagging = nullptr);

  // Whose presence is told; before that nobody is connected. `host` must outlive the board.
  void SetHost(const host::Host* host) { host_.store(host, std::memory_order_release); }

  absl::StatusOr<CompetitionView> Get(absl::string_view name) const {
    return GetOf(store_.FindCompetition(name));
  }
  absl::StatusOr<CompetitionView> Get(const store::CompetitionId& id) const {
    return GetOf(store_.GetCompetition(id));
  }
  // At most `limit` (1 to limits::kMaxPageSize), newest first, older than `before`; default-made:
  // from the newest. With `format`, only those: then a page may be short, or empty, and not the
  // last.
  absl::StatusOr<CompetitionPage> List(const store::CompetitionId& before, int limit,
                                       absl::optional<schedule::Format> format,
                                       absl::string_view bot = "") const;
  // Of a season of a ladder; 0: of the one that goes on. Fits ratings, on the thread that calls,
  // unless that was done for what is counted now. Returns NotFound when there was no such season.
  absl::StatusOr<StandingsView> Standings(absl::string_view name, int season = 0) const {
    return StandingsOf(store_.FindCompetition(name), season);
  }
  // Of the season that goes on, whatever the competition is called by now.
  absl::StatusOr<StandingsView> Standings(const store::CompetitionId& id) const {
    return StandingsOf(store_.GetCompetition(id), 0);
  }
  // At most `limit` (1 to limits::kMaxPageSize) blocks of numbers from `from` on, or the newest of
  // those below it; with a non-empty `bot`, only its own, in all versions and seasons. Returns
  // NotFound when it is no entrant.
  absl::StatusOr<BlockPage> Blocks(absl::string_view name, absl::string_view bot, int64_t from,
                                   int limit, BlockOrder order = BlockOrder::kOldestFirst) const;
  // At most `limit` (1 to limits::kMaxPageSize) pairs that have met in counted blocks, from the
  // pair `from` of a lower and a higher number on, each from the side of the lower; with a
  // non-empty `bot`, only its own, in all versions, from its side. Of one season: 0 is the one that
  // `from` is in, else the one that goes on. Returns NotFound when the bot is no entrant, or there
  // was no such season; FailedPrecondition when the competition has not two seats.
  absl::StatusOr<PairPage> Pairs(absl::string_view name, absl::string_view bot,
                                 std::pair<int, int> from, int limit, int season = 0) const;

  // At most `limit` (1 to limits::kMaxPageSize) pairings of its rounds, from the one at place
  // `from` of all on; with `round` above 0, of that one only. Returns FailedPrecondition as
  // CheckHasRounds does.
  absl::StatusOr<RoundPage> Rounds(absl::string_view name, int round, size_t from, int limit) const;

  // How the log-likelihood ratio of a test has moved, at most `limit` (1 to limits::kMaxPageSize)
  // points: see ReadTestPoints. Returns FailedPrecondition for other formats.
  absl::StatusOr<TestPointPage> TestPoints(absl::string_view name, const TestCursor& from,
                                           int64_t every, int limit) const;

  // How ratings went in one season (0: the one that goes on), of at most `limit` (1 to
  // limits::kMaxPageSize) entrants of numbers from `from` on; with a non-empty `bot`, only its own.
  // Reads what was counted since the last call, on the thread that calls. Returns NotFound when the
  // bot is no entrant, or there was no such season.
  absl::StatusOr<RatingPage> Ratings(absl::string_view name, absl::string_view bot, int from,
                                     int limit, int season = 0) const;

  // Of this name, without the positions of its spec.
  absl::StatusOr<CompetitionView> WholeViewOf(absl::string_view name) const {
    return WholeViewOf(store_.FindCompetition(name));
  }
  // Of a row of its store, which may be without entrants.
  absl::StatusOr<CompetitionView> ViewOf(store::Competition competition) const;

 private:
  // With its evenness.
  absl::StatusOr<CompetitionView> WholeViewOf(absl::StatusOr<store::Competition> competition) const;
  // What has been scored so far, here or by the store; empty for a ladder and a test.
  absl::StatusOr<std::vector<schedule::ScoreLine>> ScoresOf(
      const store::Competition& competition, const std::vector<store::Entrant>& entrants) const;
  // Of the season that is `asked` for.
  absl::StatusOr<StandingsView> StandingsOf(absl::StatusOr<store::Competition> row,
                                            int asked) const;
  // With its positions, too.
  absl::StatusOr<CompetitionView> GetOf(absl::StatusOr<store::Competition> competition) const;
  absl::StatusOr<TestView> TestViewOf(const store::Competition& competition) const;
  // How far what goes on here is.
  void AddProgress(CompetitionView* view) const;
  // The same as far as it may be told.
  absl::Status AddToldProgress(CompetitionView* view) const;

  store::CompetitionReader& store_;
  ToldStore* const lagging_;  // null: how things are
  const CompetitionLoop& loop_;
  std::atomic<const host::Host*> host_{nullptr};
  mutable CompetitionStandings standings_;
  mutable CompetitionRounds rounds_;
  mutable RatingHistories ratings_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_BOARD_H_
