// Read access to competitions: progress, standings, rounds, pairs, ratings and blocks.
//
// There are two boards. One shows the current state, the other what is published to observers
// (told_store.h).
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

// The progress of a test, over the counted blocks.
struct TestView {
  std::string bot;      // the bot under test: the first entrant
  std::string against;  // the second entrant
  rating::Sprt sprt;
  int64_t draws = 0;                  // matches
  std::vector<std::string> out = {};  // bots that are out, with the reasons; for people
};

// A competition as it is now.
struct CompetitionView {
  // spec.entrants is set, except in lists. spec.positions is set by Get only.
  store::Competition competition;
  int blocks_running = 0;
  // Blocks yet to begin, as far as known; not set for a ladder, and before the competition starts.
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;  // finished in the last ten minutes
  // Why the competition is blocked, for people. Empty if it makes progress, or need not.
  std::string waits_for;
  // See CompetitionRounds::Evenness. Only Get and Standings fill this in.
  absl::optional<schedule::Evenness> evenness;
  absl::optional<TestView> test;  // of a test
  // Something is still withheld from observers. Always false on the board of the current state.
  bool lags = false;
};

struct StandingsView {
  CompetitionView view;
  std::vector<Standing> standings;  // best first
  int season = 1;
};

struct CompetitionPage {
  std::vector<CompetitionView> competitions;  // newest first
  // The `before` of the next call; not set on the last page.
  absl::optional<store::CompetitionId> next;
};

enum class BlockOrder { kOldestFirst, kNewestFirst };

struct BlockPage {
  std::vector<store::Block> blocks;   // by number, in the requested order
  std::vector<std::string> entrants;  // names, by the numbers that pairings have
  std::vector<store::EntrantLabel> labels;
  absl::optional<int64_t> next;  // the `from` of the next call; not set on the last
};

struct PairPage {
  std::vector<PairResult> pairs;      // by the lower, then the higher number of the two
  std::vector<std::string> entrants;  // names, by number
  std::vector<store::EntrantLabel> labels;
  int season = 1;
  // The `from` of the next call: the lower and the higher number of a pair. Not set on the last
  // page.
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

// Returns FailedPrecondition. `spec` is of another format.
absl::Status OnlyALadderHasSeasons(const schedule::Spec& spec);

// Thread-safe. Every call that names a competition returns NotFound if it does not exist, and the
// store's error if the store cannot be read.
class Board {
 public:
  // Reads `store`. `loop` has the progress of competitions that run here. With `lagging`, which is
  // `store` then, shows only published progress. All must outlive the board.
  Board(store::CompetitionReader* store, const CompetitionLoop* loop, const Clock* clock,
        ToldStore* lagging = nullptr);

  // Sets the host that knows which bots are connected. Until then no bot is shown as connected.
  // `host` must outlive the board.
  void SetHost(const host::Host* host) { host_.store(host, std::memory_order_release); }

  absl::StatusOr<CompetitionView> Get(absl::string_view name) const {
    return GetOf(store_.FindCompetition(name));
  }
  absl::StatusOr<CompetitionView> Get(const store::CompetitionId& id) const {
    return GetOf(store_.GetCompetition(id));
  }
  // Returns at most `limit` (1 to limits::kMaxPageSize) competitions older than `before`, newest
  // first; a default-constructed `before` starts with the newest. With `bot`, only competitions of
  // that bot. `format` filters each page, so a page may be short or empty without being the last.
  absl::StatusOr<CompetitionPage> List(const store::CompetitionId& before, int limit,
                                       absl::optional<schedule::Format> format,
                                       absl::string_view bot = "") const;
  // Returns the standings of a season of a ladder; 0: the current season. Fits ratings on the
  // calling thread, unless a recent fit is cached (standings.h). Returns NotFound for an unknown
  // season.
  absl::StatusOr<StandingsView> Standings(absl::string_view name, int season = 0) const {
    return StandingsOf(store_.FindCompetition(name), season);
  }
  // Returns the standings of the current season, even if the competition has been renamed.
  absl::StatusOr<StandingsView> Standings(const store::CompetitionId& id) const {
    return StandingsOf(store_.GetCompetition(id), 0);
  }
  // Returns at most `limit` (1 to limits::kMaxPageSize) blocks: numbers from `from` up, or the
  // newest ones below it. With a non-empty `bot`, only its blocks, in all versions and seasons.
  // Returns NotFound if `bot` is not an entrant.
  absl::StatusOr<BlockPage> Blocks(absl::string_view name, absl::string_view bot, int64_t from,
                                   int limit, BlockOrder order = BlockOrder::kOldestFirst) const;
  // Returns at most `limit` (1 to limits::kMaxPageSize) pairs that have met in counted blocks.
  // `from` is the (lower, higher) number of the first pair. Each pair is seen from the lower
  // number; with a non-empty `bot`, only pairs of that bot in all its versions, seen from its side.
  // `season` 0 means the season of `from`, or the current one. Returns NotFound if the bot or the
  // season does not exist, FailedPrecondition unless the competition has two seats.
  absl::StatusOr<PairPage> Pairs(absl::string_view name, absl::string_view bot,
                                 std::pair<int, int> from, int limit, int season = 0) const;

  // Returns at most `limit` (1 to limits::kMaxPageSize) pairings, from index `from` of all rounds;
  // with `round` above 0, only pairings of that round. Returns the errors of CheckHasRounds.
  absl::StatusOr<RoundPage> Rounds(absl::string_view name, int round, size_t from, int limit) const;

  // Returns the log-likelihood ratio of a test over time: at most `limit` (1 to
  // limits::kMaxPageSize) points; see ReadTestPoints. Returns FailedPrecondition for other formats.
  absl::StatusOr<TestPointPage> TestPoints(absl::string_view name, const TestCursor& from,
                                           int64_t every, int limit) const;

  // Returns the rating history of one season (0: the current one), for at most `limit` (1 to
  // limits::kMaxPageSize) entrants. Starts at entrant `from`; with a non-empty `bot`, includes only
  // its entrants. Reads the blocks counted since the last call, on the calling thread. Returns
  // NotFound if the bot or the season does not exist.
  absl::StatusOr<RatingPage> Ratings(absl::string_view name, absl::string_view bot, int from,
                                     int limit, int season = 0) const;

  // Returns the view without the positions of the spec.
  absl::StatusOr<CompetitionView> WholeViewOf(absl::string_view name) const {
    return WholeViewOf(store_.FindCompetition(name));
  }
  // Returns the view of a row of the store, which may lack entrants. Does not set `evenness`.
  absl::StatusOr<CompetitionView> ViewOf(store::Competition competition) const;

 private:
  // Sets `evenness`.
  absl::StatusOr<CompetitionView> WholeViewOf(absl::StatusOr<store::Competition> competition) const;
  // Returns the scores so far, from the running schedule or the store; empty for a ladder and a
  // test.
  absl::StatusOr<std::vector<schedule::ScoreLine>> ScoresOf(
      const store::Competition& competition, const std::vector<store::Entrant>& entrants) const;
  // Returns the standings of season `asked`; 0: the current season.
  absl::StatusOr<StandingsView> StandingsOf(absl::StatusOr<store::Competition> row,
                                            int asked) const;
  // Sets `evenness` and the positions of the spec.
  absl::StatusOr<CompetitionView> GetOf(absl::StatusOr<store::Competition> competition) const;
  absl::StatusOr<TestView> TestViewOf(const store::Competition& competition) const;
  // Adds the progress of a competition that this referee's loop runs.
  void AddProgress(CompetitionView* view) const;
  // Reduces the progress to what is published.
  absl::Status AddToldProgress(CompetitionView* view) const;

  store::CompetitionReader& store_;
  ToldStore* const lagging_;  // null: show the current state
  const CompetitionLoop& loop_;
  std::atomic<const host::Host*> host_{nullptr};
  mutable CompetitionStandings standings_;
  mutable CompetitionRounds rounds_;
  mutable RatingHistories ratings_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_BOARD_H_
