// Loads the replays that a command line names: files, folders, packs, standard input, match ids.
//
// Matches come from a referee, from the archive in a data directory, or from a replay store.
//
//   ReplaySource source(flags);
//   StatusOr<std::vector<NamedReplay>> named = source.Expand({"01k9...", "old", "-"});
//   StatusOr<replay::Replay> match = source.Load((*named)[0]);
#ifndef REFEREE_CTL_REPLAY_SOURCE_H_
#define REFEREE_CTL_REPLAY_SOURCE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/App.hpp"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/ctl/client.h"
#include "referee/replay/pack.h"
#include "referee/replay/replay.h"
#include "referee/shelf/shared_shelf.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Help texts for the arguments of commands.
inline constexpr char kReplayHelp[] = "A replay file, the id of a match, or -";
inline constexpr char kReplaysHelp[] = "Replay files, packs, folders of them, ids of matches, or -";

struct SourceFlags {
  ClientFlags client;
  std::string data_dir;  // empty: not from a data directory
  std::string shelf;     // empty: not from a replay store
};

// Adds --data-dir, --shelf and the flags of a client, and describes them in the help footer.
// `flags` must outlive the parsing.
void AddSourceFlags(CLI::App* command, SourceFlags* flags);

// A replay named on the command line, or found in a named folder or pack.
struct NamedReplay {
  std::string text;             // a path, "-", or the argument itself
  absl::optional<MatchId> id;   // of a match to fetch; unset: `text` is a path
  absl::Status problem;         // why the argument is none of these
  bool below_a_folder = false;  // found in a folder, not named itself
  // Set for a replay in the pack `pack`; `text` is then the pack and the match.
  absl::optional<replay::PackedReplay> packed = absl::nullopt;
  std::string pack = "";
};

// The name for messages: "-" is "standard input".
std::string NameOf(const NamedReplay& replay);

// The error of a command that skipped unreadable replays and reported each.
absl::Status ReplaysNotRead(size_t bad, size_t all);

// Opens a connection or a store only when the first match needs it. Thread-safe.
class ReplaySource {
 public:
  explicit ReplaySource(SourceFlags flags) : flags_(std::move(flags)) {}

  // Expands the arguments: a pack to all its replays, a folder to all .rpl files and packs below
  // it, sorted by path. Arguments that are neither files nor ids get a `problem`, which Read
  // returns. So do packs that are empty, damaged, missing, or shorter than their archive's index
  // says. Returns NotFound for a folder without replays.
  static absl::StatusOr<std::vector<NamedReplay>> Expand(const std::vector<std::string>& arguments);

  // Reads the bytes of a replay. Errors name the replay.
  absl::StatusOr<std::string> Read(const NamedReplay& named);
  // Reads and parses a replay. Errors name the replay.
  absl::StatusOr<replay::Replay> Load(const NamedReplay& named);
  // Loads the argument of a command for a single match; a folder is an error.
  absl::StatusOr<replay::Replay> Load(const std::string& argument);

  // The name of the match's competition, from the data directory, or from the referee if the match
  // came from there. Empty if the match is in no competition, or the name is unknown.
  std::string CompetitionOf(const NamedReplay& named, const replay::Replay& replay);

 private:
  absl::StatusOr<std::string> Fetch(const MatchId& id);
  absl::StatusOr<const Connection*> Referee();
  absl::StatusOr<shelf::SharedShelf*> Shelf();
  absl::StatusOr<std::string> AskForName(const store::CompetitionId& id)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(names_mutex_);

  const SourceFlags flags_;
  Mutex mutex_;
  std::unique_ptr<Connection> referee_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<shelf::SharedShelf> shelf_ ABSL_GUARDED_BY(mutex_);
  Mutex names_mutex_;  // taken before mutex_
  std::unique_ptr<store::Store> store_ ABSL_GUARDED_BY(names_mutex_);
  std::map<store::CompetitionId, std::string> names_ ABSL_GUARDED_BY(names_mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_SOURCE_H_
