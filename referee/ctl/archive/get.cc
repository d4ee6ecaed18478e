// refctl archive get: writes replays of an archive to files.
#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/shelf.h"
#include "referee/ctl/command.h"
#include "referee/ctl/replay/source.h"
#include "referee/replay/archive.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/own_folder.h"
#include "referee/replay/replay.h"

namespace referee::ctl {
namespace {

struct GetFlags {
  std::string data_dir;
  std::string shelf;
  std::vector<std::string> ids;
  std::string to = ".";
  std::string all;
};

// Returns DataLoss unless the bytes are a complete replay of the match. Replays of unknown versions
// pass unchecked.
absl::Status CheckWhole(const MatchId& id, absl::string_view bytes) {
  const absl::StatusOr<replay::Replay> replay = replay::ParseAnyGame(bytes);
  if (replay::IsUnknownHere(replay.status())) return absl::OkStatus();
  if (!replay.ok()) {
    return absl::DataLossError(
        absl::StrCat("is no whole replay, and was not written: ", replay.status().message()));
  }
  if (replay->setup.id == id) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("is a replay of another match, ", replay->setup.id.text(),
                                          ", and was not written"));
}

// The source of replays: the archive of a referee, or a replay store.
struct Source {
  // Returns DataLoss that names the file and the match if the replay is incomplete.
  absl::StatusOr<std::string> Read(const MatchId& id) const {
    absl::StatusOr<std::string> bytes = shelf != nullptr ? shelf->Get(id) : archive->Read(id);
    if (!bytes.ok()) return bytes;
    const absl::Status whole = CheckWhole(id, *bytes);
    if (whole.ok()) return bytes;
    return At(absl::StrCat(PlaceOf(id), ": match ", id.text()), whole);
  }
  // The ids of a page. Sets `token` to that of the next page, or empties it after the last page.
  absl::StatusOr<std::vector<MatchId>> List(std::string* token) const {
    const auto ids_of = [token](const auto& page) -> absl::StatusOr<std::vector<MatchId>> {
      if (!page.ok()) return page.status();
      *token = page->next_page_token;
      std::vector<MatchId> ids;
      for (const auto& replay : page->replays) ids.push_back(replay.id);
      return ids;
    };
    return shelf != nullptr ? ids_of(shelf->List("", limits::kMaxPageSize, *token))
                            : ids_of(archive->List(limits::kMaxPageSize, *token));
  }
  // The file with the replay, or the replay store, for people.
  std::string PlaceOf(const MatchId& id) const {
    if (shelf != nullptr) return shelf->name();
    const absl::StatusOr<replay::ArchivedReplay> found = archive->Find(id);
    return found.ok() ? found->path : archive->PathOf(id);
  }

  const replay::Archive* archive;
  shelf::SharedShelf* shelf;
};

absl::Status OtherFileThere(const std::string& path) {
  return absl::AlreadyExistsError(
      absl::StrCat(path, ": another file is there; move it away, or write elsewhere"));
}

// Writes a replay to a file. Keeps an existing file with the same bytes.
absl::Status WriteReplay(absl::string_view bytes, const std::string& path) {
  const absl::StatusOr<std::string> there = replay::ReadWholeFile(path, limits::kMaxReplayBytes);
  if (there.ok()) return *there == bytes ? absl::OkStatus() : OtherFileThere(path);
  if (!absl::IsNotFound(there.status())) return OtherFileThere(path);
  const std::string folder = path.substr(0, path.rfind('/'));
  if (absl::Status s = replay::MakeDirectories(folder, 0777); !s.ok()) return s;
  return replay::WriteFileWhole(path, bytes, 0666, /*sync=*/false);
}

// Writes all replays to one folder for each day. Reports unreadable replays and continues.
absl::StatusOr<Exit> GetAll(const Source& source, const GetFlags& flags, const Output& output) {
  const absl::Status own = replay::OwnFolder(
      flags.all, {"replays.manifest", "refctl-archive-get 1", "refctl archive get --all"});
  if (!own.ok()) return At("--all", own);
  const replay::Folders target(flags.all);
  size_t bad = 0;
  size_t all = 0;
  std::string token;
  do {
    const absl::StatusOr<std::vector<MatchId>> ids = source.List(&token);
    if (!ids.ok()) return ids.status();
    for (const MatchId& id : *ids) {
      const absl::StatusOr<std::string> bytes = source.Read(id);
      const absl::Status written =
          bytes.ok() ? WriteReplay(*bytes, target.PathOf(id)) : bytes.status();
      ++all;
      if (written.ok()) continue;
      const bool others_may_go_well =
          bytes.ok() ? absl::IsAlreadyExists(written) : !absl::IsUnavailable(written);
      if (!others_may_go_well) return written;
      output.Error(written);
      ++bad;
    }
  } while (!token.empty());
  // Reports the unreadable parts of an archive.
  const Exit exit = source.archive == nullptr
                        ? Exit::kOk
                        : ReportProblems(source.archive->ProblemsOfAll(), output);
  if (bad > 0) return ReplaysNotRead(bad, all);
  output.err() << "refctl: " << all << (all == 1 ? " replay" : " replays") << " below " << flags.all
               << "/replays\n";
  return exit;
}

absl::StatusOr<Exit> GetFrom(const Source& source, const GetFlags& flags, const Output& output) {
  if (!flags.all.empty()) return GetAll(source, flags, output);
  if (flags.ids.empty())
    return absl::InvalidArgumentError(
        "no match is named: give the ids of matches, or --all and a folder");
  std::vector<MatchId> ids;
  for (const std::string& text : flags.ids) {
    const absl::StatusOr<MatchId> id = MatchId::Parse(text);
    if (!id.ok()) return id.status();
    ids.push_back(*id);
  }
  Exit exit = Exit::kOk;
  for (const MatchId& id : ids) {
    const std::string path = absl::StrCat(flags.to, "/", id.text(), ".rpl");
    const absl::StatusOr<std::string> bytes = source.Read(id);
    const absl::Status written = bytes.ok() ? WriteReplay(*bytes, path) : bytes.status();
    if (written.ok()) {
      output.out() << path << "\n";
      continue;
    }
    output.Error(written);
    exit = Exit::kUsage;
  }
  return exit;
}

absl::StatusOr<Exit> Get(const GetFlags& flags, const Output& output) {
  if (!flags.shelf.empty()) {
    const absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf = OpenShelf(flags.shelf);
    if (!shelf.ok()) return shelf.status();
    return GetFrom({nullptr, shelf->get()}, flags, output);
  }
  if (flags.data_dir.empty()) return NoArchiveNamed();
  if (absl::Status s = CheckArchiveIn(flags.data_dir); !s.ok()) return s;
  const replay::Archive archive(flags.data_dir);
  return GetFrom({&archive, nullptr}, flags, output);
}

}  // namespace

void AddArchiveGet(CLI::App* archive, Chosen* chosen) {
  const auto [get, flags] =
      AddSubcommand(archive, chosen, "get",
                    "Writes replays as files, ID.rpl, byte for byte as they were signed\n\n"
                    "A file that is there already with the same bytes stays; one with others is an "
                    "error. What cannot be read, or is torn or damaged, is named, and the others "
                    "are written; the exit status is 2 then. The daemon may go on meanwhile.",
                    Get);
  AddPlaceFlags(get, &flags->data_dir, &flags->shelf);
  AddOption(get, "ID", "", &flags->ids, "The ids of matches");
  AddOption(get, "--to", "DIR", &flags->to, "The folder to write them to; default: this one");
  AddOption(get, "--all", "DIR", &flags->all,
            "Writes all replays there are, below this folder, as replays/YYYY/MM/DD/ID.rpl; it "
            "must be new or empty, or of an earlier --all");
}

}  // namespace referee::ctl
