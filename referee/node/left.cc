#include "referee/node/left.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/replay/replay.h"

namespace referee::node {
namespace {

// The event of a recovered match or file.
log::Event About(const replay::Recovered& recovered, absl::string_view detail) {
  using Action = replay::Recovered::Action;
  const bool well = recovered.action == Action::kRunning || recovered.action == Action::kSealed;
  log::Event event(well ? log::Level::kInfo : log::Level::kWarning, "recovered",
                   absl::StrCat(recovered.what, ": ", detail));
  if (recovered.match_id != MatchId()) event.fields[log::kMatch] = recovered.match_id.text();
  return event;
}

// Resumes running matches. Returns the ended matches whose replays are still in the log.
std::vector<replay::Recovered::Over> Resume(replay::FileRecorder* recorder, host::Host* host,
                                            absl::Duration limit, const log::Log& log) {
  std::vector<replay::Recovered::Over> kept;
  for (replay::Recovered& recovered : recorder->Recover()) {
    log(About(recovered, recovered.detail));
    if (recovered.action == replay::Recovered::Action::kKept && recovered.over) {
      kept.push_back(*std::move(recovered.over));
    }
    if (recovered.unsealed != nullptr) {
      host->SealLater(recovered.match_id, std::move(recovered.unsealed));
    }
    if (!recovered.unfinished) continue;
    const absl::Status resumed = host->Resume(*std::move(recovered.unfinished), limit);
    if (!resumed.ok()) {
      log::Event set_aside = About(recovered, absl::StrCat("set aside: ", resumed.message()));
      set_aside.level = log::Level::kError;
      log(set_aside);
    }
  }
  return kept;
}

void RememberArchived(const replay::Archive& archive, host::Host* host) {
  absl::StatusOr<replay::ArchivePage> page = archive.List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return;
  std::reverse(page->replays.begin(), page->replays.end());
  for (const replay::ArchivedReplay& archived : page->replays) {
    const absl::StatusOr<std::string> file = archive.Read(archived.id);
    if (!file.ok()) continue;
    const absl::StatusOr<replay::Replay> replay = replay::Parse(*file);
    if (!replay.ok()) continue;  // verifying the archive is another tool's job
    host->Remember(replay->setup, *replay->ended(), replay->turns());
  }
}

}  // namespace

void GoOnWithWhatIsLeft(replay::FileRecorder* recorder, const replay::Archive& archive,
                        host::Host* host, absl::Duration limit, const log::Log& log) {
  const std::vector<replay::Recovered::Over> kept = Resume(recorder, host, limit, log);
  RememberArchived(archive, host);
  for (const auto& [setup, ended, turns] : kept) host->Remember(setup, ended, turns);
  host->EndResuming();
}

void EndWhatIsLeft(replay::FileRecorder* recorder, absl::string_view reason, absl::Time now) {
  for (replay::Recovered& recovered : recorder->Recover()) {
    if (!recovered.unfinished) continue;
    replay::EndAsVoid(&*recovered.unfinished, reason, now).IgnoreError();
  }
}

}  // namespace referee::node
