// Questions to the index of an archive: which replays there are of a kind, and how many of each;
// and WholeIndex, which can be asked about what is in packs and not in the index yet, too.
// Thread-compatible.
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

// Which replays; of what is not set, all.
struct ReplayFilter {
  std::string bot;
  std::string opponent;      // that `bot`, or any other, met
  absl::optional<int> seat;  // that `bot`, or the one that is counted, had
  std::string game;
  std::string competition;  // its id
  absl::optional<match::Ending> ending;
  bool forfeit = false;                // somebody forfeited; with `bot`, that bot
  absl::optional<match::Cause> cause;  // likewise, for this cause
  absl::optional<int64_t> min_turns;
  absl::optional<int64_t> max_turns;
  absl::optional<absl::Time> from;   // created at that time, or later
  absl::optional<absl::Time> until;  // created before
  absl::optional<MatchId> before;    // an older id; what a page before it ended with

  // Whether it names all replays, but for `before`.
  bool IsAll() const;
};

struct FoundReplay {
  PackedReplay place;
  ReplaySummary summary;
};

// Returns NotFound that names the bot, game or competition of the filter of which there is no
// replay at all, and with which nothing can be found.
absl::Status CheckNames(PackIndex* index, const ReplayFilter& filter);

// At most `limit` replays, newest first.
absl::StatusOr<std::vector<FoundReplay>> FindReplays(PackIndex* index, const ReplayFilter& filter,
                                                     int64_t limit);

// What to count replays by.
enum class CountBy { kBot, kOpponent, kSeat, kGame, kOpeningRoll, kLength, kEnding };
// "bot", "opponent", "seat", "game", "opening-roll", "length", "ending".
absl::string_view CountByName(CountBy by);

// How wide a bucket of lengths is, in turns.
inline constexpr int64_t kLengthStep = 20;

struct ReplayCount {
  std::vector<std::string> keys;  // one for each of what is counted by
  int64_t matches = 0;
  int64_t finished = 0;  // with a result
  // Of a bot, an opponent or a seat, else 0: against the opponent where there is one, else against
  // the best of the others.
  int64_t won = 0;
  int64_t tied = 0;
  int64_t lost = 0;
  int64_t forfeits = 0;  // of the bot; else matches in which somebody forfeited
  double turns = 0;      // a match, on average
  absl::Duration used;   // a match, on average; by the bot, else zero
};

// Counts matches; by bot, opponent or seat, each match once for each that fits. In order of keys.
absl::StatusOr<std::vector<ReplayCount>> CountReplays(PackIndex* index, const ReplayFilter& filter,
                                                      const std::vector<CountBy>& by);

// The index of an archive together with what is in its packs and not in the index yet: what was put
// in the last moments, or since the index could not be written. Changes no file. Thread-compatible.
//
//   StatusOr<WholeIndex> whole = WholeIndex::Look(data_dir);
//   whole->Ask([&](PackIndex* index) { return FindReplays(index, filter, 50); });
class WholeIndex {
 public:
  // So many replays are read that the index does not have.
  static constexpr size_t kMostBeyond = 20'000;

  // Reads what is beyond the index, or everything if there is none, up to `most` replays. Returns
  // NotFound when there is no index and more than that, or no pack; or the error of the index.
  static absl::StatusOr<WholeIndex> Look(const std::string& data_dir, size_t most = kMostBeyond);

  // How many replays are beyond the index and were too many to be read.
  int64_t missing() const { return missing_; }
  // Why packs could not be read whole beyond the index: for each an error that names it.
  const std::vector<absl::Status>& problems() const { return problems_; }
  // Whether the answers are about all replays in packs.
  bool is_whole() const { return problems_.empty() && missing_ == 0; }

  // Opens what there is, to be asked once or more; it may be overtaken (PackIndex::overtaken).
  absl::StatusOr<std::unique_ptr<PackIndex>> Open() const;
  // Calls body(PackIndex*), which returns a StatusOr, as ReadIndex does.
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
