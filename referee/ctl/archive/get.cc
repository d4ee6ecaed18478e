// refctl archive get: writes replays of an archive as files.
#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/errors.h"
#include "referee/replay/archive.h"
#include "referee/replay/files.h"
#include "referee/replay/replay.h"

namespace referee::ctl {
namespace {

struct GetFlags {
  std::string data_dir;
  std::vector<std::string> ids;
  std::string to = ".";
  std::string all;
};

// Writes a replay to a file. One that is there with the same bytes stays.
absl::Status WriteReplay(const replay::Archive& archive, const MatchId& id,
                         const std::string& path) {
  const absl::StatusOr<std::string> bytes = archive.Read(id);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<std::string> there = replay::ReadWholeFile(path, limits::kMaxReplayBytes);
  if (there.ok()) return *there == *bytes ? absl::OkStatus() : OtherFileThere(path);
  const std::string folder = path.substr(0, path.rfind('/'));
  if (absl::Status s = replay::MakeDirectories(folder, 0777); !s.ok()) return s;
  return replay::WriteFileWhole(path, *bytes, 0666, /*sync=*/false);
}

// All replays, in folders of days. What is damaged or gone is told, and the others are written.
absl::StatusOr<Exit> GetAll(const GetFlags& flags, const Output& output) {
  const replay::Archive archive(flags.data_dir);
  const replay::Folders target(flags.all);
  size_t bad = 0;
  size_t all = 0;
  std::string token;
  do {
    absl::StatusOr<replay::ArchivePage> page = archive.List(limits::kMaxPageSize, token);
    if (!page.ok()) return page.status();
    for (const replay::ArchivedReplay& replay : page->replays) {
      const absl::Status written = WriteReplay(archive, replay.id, target.PathOf(replay.id));
      ++all;
      if (written.ok()) continue;
      const bool of_this_one =
          absl::IsDataLoss(written) || absl::IsAlreadyExists(written) || absl::IsNotFound(written);
      if (!of_this_one) return written;
      output.Error(written);
      ++bad;
    }
    token = std::move(page->next_page_token);
  } while (!token.empty());
  if (bad > 0) return ReplaysNotRead(bad, all);
  output.err() << "refctl: " << all << (all == 1 ? " replay" : " replays") << " below " << flags.all
               << "/replays\n";
  return Exit::kOk;
}

absl::StatusOr<Exit> Get(const GetFlags& flags, const Output& output) {
  if (absl::Status s = CheckArchiveIn(flags.data_dir); !s.ok()) return s;
  if (!flags.all.empty()) return GetAll(flags, output);
  if (flags.ids.empty()) return NothingToGet();
  const replay::Archive archive(flags.data_dir);
  for (const std::string& text : flags.ids) {
    const absl::StatusOr<MatchId> id = MatchId::Parse(text);
    if (!id.ok()) return id.status();
    const std::string path = absl::StrCat(flags.to, "/", id->text(), ".rpl");
    if (absl::Status s = WriteReplay(archive, *id, path); !s.ok()) return s;
    output.out() << path << "\n";
  }
  return Exit::kOk;
}

}  // namespace

void AddArchiveGet(CLI::App* archive, Chosen* chosen) {
  const auto [get, flags] = AddSubcommand<GetFlags>(
      archive, chosen, "get",
      "Writes replays as files, ID.rpl, byte for byte as they were signed\n\n"
      "A file that is there already with the same bytes stays; one with others is an error. The\n"
      "daemon may go on meanwhile.",
      Get);
  AddDataDirFlag(get, &flags->data_dir);
  get->add_option("ID", flags->ids, "The ids of matches")->type_name("");
  get->add_option("--to", flags->to, "The folder to write them to; default: this one")
      ->type_name("DIR");
  get->add_option("--all", flags->all,
                  "Writes all replays there are, below this folder, as replays/YYYY/MM/DD/ID.rpl")
      ->type_name("DIR");
}

}  // namespace referee::ctl
