// Where the replays come from that a command line names: files, folders of them, the standard
// input, and matches by their ids, from a referee, from the archive in a data directory or from a
// shelf that referees share.
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

// The words for what a command takes.
inline constexpr char kReplayHelp[] = "A replay file, the id of a match, or -";
inline constexpr char kReplaysHelp[] = "Replay files, packs, folders of them, ids of matches, or -";

struct SourceFlags {
  ClientFlags client;
  std::string data_dir;  // empty: matches come from the shelf
  std::string shelf;     // empty, too: from the referee
};

// Adds --data-dir, --shelf and the flags of a client, and tells of them below the command's help.
// `flags` must outlive the parsing of the command line.
void AddSourceFlags(CLI::App* command, SourceFlags* flags);

// One replay of those that a command line names.
struct NamedReplay {
  std::string text;             // a path, "-", or as it was given
  absl::optional<MatchId> id;   // of a match to be fetched; none: `text` is a path
  absl::Status problem;         // why it is none of these
  bool below_a_folder = false;  // found, not named
  // In a pack, which `pack` names; `text` is that and the match.
  absl::optional<replay::PackedReplay> packed = absl::nullopt;
  std::string pack = "";
};

// How messages name it: "-" is "standard input".
std::string NameOf(const NamedReplay& replay);

// The error of a command that went on after replays it could not read, each of which was named.
absl::Status ReplaysNotRead(size_t bad, size_t all);

// Opens a connection or a store only when the first match needs it. Thread-safe.
class ReplaySource {
 public:
  explicit ReplaySource(SourceFlags flags) : flags_(std::move(flags)) {}

  // What the arguments name: a pack, all replays in it; a folder, all .rpl files and packs below
  // it, sorted by path. What is neither a file nor an id has its problem, which Read returns; so
  // have a pack without replays, one that is not whole, and one that is missing or ends before what
  // the index of its archive says. Returns NotFound for a folder without any.
  static absl::StatusOr<std::vector<NamedReplay>> Expand(const std::vector<std::string>& arguments);

  // The bytes of a replay. Errors name it.
  absl::StatusOr<std::string> Read(const NamedReplay& named);
  // Reads and parses. Errors name it.
  absl::StatusOr<replay::Replay> Load(const NamedReplay& named);
  // The same of the one argument of a command that shows one match; a folder is an error.
  absl::StatusOr<replay::Replay> Load(const std::string& argument);

  // The name of the competition that a match is of: as the data directory has it, or the referee if
  // the match came from there. Empty when it is of none, or its name is not known.
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
