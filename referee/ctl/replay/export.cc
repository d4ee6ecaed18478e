#include "referee/ctl/replay/export.h"

#include "referee/base/errors.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/replay/json.h"
#include "referee/replay/transcript.h"

namespace referee::ctl {
namespace {

std::string DocumentOf(const ReplayExportFlags& flags, const replay::Replay& replay,
                       std::string competition) {
  replay::Extras extras;
  extras.competition = std::move(competition);
  extras.positions = flags.positions;
  if (flags.format == "text") return replay::Transcript(replay, extras);
  return replay::ReplayJson(
      replay, extras,
      flags.format == "json" ? replay::JsonLayout::kPretty : replay::JsonLayout::kOneLine);
}

}  // namespace

absl::StatusOr<Exit> ExportReplays(const ReplayExportFlags& flags, const Output& output) {
  const absl::StatusOr<std::vector<NamedReplay>> named = ReplaySource::Expand(flags.replays);
  if (!named.ok()) return named.status();
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  ReplaySource source(flags.source);
  std::vector<absl::Status> bad;
  for (const NamedReplay& one : *named) {
    const absl::StatusOr<replay::Replay> replay = source.Load(one);
    if (!replay.ok()) {
      bad.push_back(replay.status());
      continue;
    }
    const std::string name = source.CompetitionOf(one, *replay);
    const absl::Status written = file->Write(DocumentOf(flags, *replay, name));
    if (!written.ok()) return At("--output", written);
  }
  for (const absl::Status& why : bad) output.Error(why);
  if (bad.size() == named->size()) return Exit::kUsage;  // what was there before stays
  if (const absl::Status kept = file->Commit(); !kept.ok()) return At("--output", kept);
  if (bad.empty()) return Exit::kOk;
  return ReplaysNotRead(bad.size(), named->size());
}

}  // namespace referee::ctl
