#include "referee/ctl/replay/html.h"

#include "referee/base/errors.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/view/page.h"
#include "referee/view/view.h"

namespace referee::ctl {
namespace {

absl::StatusOr<v1::MatchView> ViewOf(const NamedReplay& named, ReplaySource* source) {
  const absl::StatusOr<std::string> bytes = source->Read(named);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) return At(NameOf(named), replay.status());
  return view::MakeView(*replay, *bytes);
}

}  // namespace

absl::StatusOr<Exit> WriteReplayHtml(const ReplayHtmlFlags& flags, const Output& output) {
  const absl::StatusOr<std::vector<NamedReplay>> named = ReplaySource::Expand(flags.replays);
  if (!named.ok()) return named.status();
  ReplaySource source(flags.source);
  v1::MatchViews views;
  std::vector<absl::Status> bad;
  for (const NamedReplay& one : *named) {
    absl::StatusOr<v1::MatchView> view = ViewOf(one, &source);
    if (view.ok()) {
      *views.add_matches() = *std::move(view);
    } else {
      bad.push_back(view.status());
    }
  }
  for (const absl::Status& why : bad) output.Error(why);
  if (views.matches().empty()) return Exit::kUsage;
  const absl::StatusOr<std::string> page =
      flags.json ? view::ViewsJson(views, view::JsonLayout::kPretty) : view::MakePage(views);
  if (!page.ok()) return page.status();
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  const absl::Status written = file->Write(*page);
  if (!written.ok()) return At("--output", written);
  if (const absl::Status kept = file->Commit(); !kept.ok()) return At("--output", kept);
  if (bad.empty()) return Exit::kOk;
  return ReplaysNotRead(bad.size(), named->size());
}

}  // namespace referee::ctl
