// Queries of the index of an archive: find replays by filter, count them by group.
//
// WholeIndex adds the replays that are in packs but not indexed yet. Thread-compatible.
#ifndef REFEREE_REPLAY_ARCHIVE_QUERY_H_
#define REFEREE_REPLAY_ARCHIVE_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/match/verdict.h"
#include "referee/replay/pack.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/summary.h"

namespace referee::replay {

// Selects replays. A field that is not set selects all.
struct ReplayFilter {
  std::string bot;
  std::string opponent;      // that `bot`, or any bot, played against
  absl::optional<int> seat;  // of `bot`, or of the bot that is counted
  std::string game;
  std::string competition;  // id
  absl::optional<match::Ending> ending;
  bool forfeit = false;                // a seat forfeited; with `bot`: the bot's seat
  absl::optional<match::Cause> cause;  // the same with this cause
  absl::optional<int64_t> min_turns;
  absl::optional<int64_t> max_turns;
  absl::optional<absl::Time> from;   // created at this time or later
  absl::optional<absl::Time> until;  // created before this time
  absl::optional<MatchId> before;    // only older ids: the last of the page before

  // Returns whether the filter selects all replays; ignores `before`.
  bool IsAll() const;
};

struct FoundReplay {
  PackedReplay place;
  ReplaySummary summary;
};

// Returns NotFound that names the bot, game or competition of the filter if no replay has it.
absl::Status CheckNames(PackIndex* index, const ReplayFilter& filter);

// Returns at most `limit` replays, newest first.
absl::StatusOr<std::vector<FoundReplay>> FindReplays(PackIndex* index, const ReplayFilter& filter,
                                                     int64_t limit);

// Groups for counting.
enum class CountBy { kBot, kOpponent, kSeat, kGame, kOpeningRoll, kLength, kEnding };
// "bot", "opponent", "seat", "game", "opening-roll", "length", "ending".
absl::string_view CountByName(CountBy by);

// Width of a bucket of match lengths, in turns.
inline constexpr int64_t kLengthStep = 20;

struct ReplayCount {
  std::vector<std::string> keys;  // one for each CountBy, in its order
  int64_t matches = 0;
  int64_t finished = 0;  // with a result
  // For groups by bot, opponent or seat, else 0. The result against the opponent if there is one,
  // else against the best of the other seats.
  int64_t won = 0;
  int64_t tied = 0;
  int64_t lost = 0;
  int64_t forfeits = 0;  // by the bot; in other groups, matches with any forfeit
  double turns = 0;      // average of a match
  absl::Duration used;   // average of a match, by the bot; else zero
};

// Returns counts of matches, sorted by keys. By bot, opponent or seat, a match counts once for each
// bot or seat that fits.
absl::StatusOr<std::vector<ReplayCount>> CountReplays(PackIndex* index, const ReplayFilter& filter,
                                                      const std::vector<CountBy>& by);

// The index of an archive together with the replays in packs that are not indexed yet.
//
// Replays are missing from the index for some moments after they are put, or when the index cannot
// be written. Changes no file. Thread-compatible.
//
//   StatusOr<WholeIndex> whole = WholeIndex::Look(data_dir);
//   whole->Ask([&](PackIndex* index) { return FindReplays(index, filter, 50); });
class WholeIndex {
 public:
  // The most replays that Look reads because the index lacks them.
  static constexpr size_t kMostBeyond = 20'000;

  // Reads the replays that the index lacks, up to `most`; without an index, all replays. Returns
  // NotFound when there is no pack, or no index and more than `most` replays. Else returns the
  // error of the index.
  static absl::StatusOr<WholeIndex> Look(const std::string& data_dir, size_t most = kMostBeyond);

  // Returns the number of replays that the index lacks and Look did not read because they were too
  // many.
  int64_t missing() const { return missing_; }
  // Returns an error for each pack that could not be read whole beyond the index. The error names
  // the pack.
  const std::vector<absl::Status>& problems() const { return problems_; }
  // Returns whether answers cover all replays in packs.
  bool is_whole() const { return problems_.empty() && missing_ == 0; }

  // Opens the index, or an empty one, with the replays that it lacks. Check PackIndex::overtaken
  // after queries.
  absl::StatusOr<std::unique_ptr<PackIndex>> Open() const;
  // Calls body(PackIndex*), which returns a StatusOr, and repeats it as ReadIndex does.
  template <typename Body>
  auto Ask(Body body) const -> decltype(body(nullptr)) {
    return ReadIndex(
        data_dir_, [this] { return Open(); }, body);
  }

 private:
  explicit WholeIndex(std::string data_dir) : data_dir_(std::move(data_dir)) {}

  std::string data_dir_;
  bool has_index_ = true;
  std::vector<PackIndex::Row> beyond_;
  int64_t missing_ = 0;
  std::vector<absl::Status> problems_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVE_QUERY_H_
