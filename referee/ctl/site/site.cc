#include "referee/ctl/site/site.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/patience.h"
#include "referee/ctl/replay/client.h"
#include "referee/ctl/site/contents.h"
#include "referee/ctl/site/folder.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/progress.h"
#include "referee/replay/replay.h"
#include "referee/view/page.h"
#include "referee/view/site_page.h"
#include "referee/view/view.h"

namespace referee::ctl {
namespace {

using Stub = CompetitionClient::Stub;

absl::StatusOr<size_t> ReadReplays(const std::string& text) {
  if (text == "all") return std::numeric_limits<size_t>::max();
  uint32_t count;
  if (absl::SimpleAtoi(text, &count)) return count;
  return BadValue("--replays", text, "a number of matches, or all");
}

template <typename Request>
Request About(const std::string& name) {
  Request request;
  request.set_name(name);
  return request;
}

bool HasRounds(const v1::Competition& competition) {
  const v1::CompetitionFormat format = competition.spec().format();
  return format != v1::COMPETITION_FORMAT_LADDER && format != v1::COMPETITION_FORMAT_TEST;
}

// What there is of a competition but its blocks.
absl::StatusOr<v1::SiteCompetition> Fetch(CompetitionClient* client, const std::string& name) {
  const auto table = client->Call(&Stub::GetStandings, About<v1::GetStandingsRequest>(name));
  if (!table.ok()) return table.status();
  v1::SiteCompetition told;
  *told.mutable_competition() = table->competition();
  *told.mutable_standings() = table->standings();
  if (told.competition().spec().seats() == 2) {
    const absl::Status pairs = client->ForEachPage(
        &Stub::ListPairs, About<v1::ListPairsRequest>(name), [&told](const auto& page) {
          told.mutable_pairs()->MergeFrom(page.pairs());
          return true;
        });
    if (!pairs.ok()) return pairs;
  }
  const absl::Status ratings =
      client->ForEachPage(&Stub::ListRatingHistories, About<v1::ListRatingHistoriesRequest>(name),
                          [&told](const auto& page) {
                            told.mutable_histories()->MergeFrom(page.histories());
                            return true;
                          });
  if (!ratings.ok()) return ratings;
  if (HasRounds(told.competition())) {
    const absl::Status rounds = client->ForEachPage(
        &Stub::ListRounds, About<v1::ListRoundsRequest>(name), [&told](const auto& page) {
          told.mutable_pairings()->MergeFrom(page.pairings());
          return true;
        });
    // Those of very many blocks have none.
    if (!rounds.ok() && !absl::IsFailedPrecondition(rounds)) return rounds;
  }
  return told;
}

absl::StatusOr<std::vector<std::string>> Names(CompetitionClient* client) {
  std::vector<std::string> names;
  const absl::Status listed = client->ForEachPage(
      &Stub::ListCompetitions, v1::ListCompetitionsRequest(), [&names](const auto& page) {
        for (const v1::Competition& competition : page.competitions()) {
          names.push_back(competition.spec().name());
        }
        return true;
      });
  if (!listed.ok()) return listed;
  return names;
}

// All competitions. One that is removed or renamed meanwhile is left out.
absl::Status FetchAll(CompetitionClient* client, Progress* progress, SiteContents* contents) {
  const absl::StatusOr<std::vector<std::string>> names = Names(client);
  if (!names.ok()) return names.status();
  const SystemClock clock;
  int64_t done = 0;
  for (const std::string& name : *names) {
    progress->Show(done++, static_cast<int64_t>(names->size()), absl::nullopt, clock.Now());
    absl::StatusOr<v1::SiteCompetition> told = Fetch(client, name);
    if (absl::IsNotFound(told.status())) continue;
    if (!told.ok()) return told.status();
    contents->Begin(*std::move(told));
    const absl::Status blocks = client->ForEachPage(
        &Stub::ListBlocks, About<v1::ListBlocksRequest>(name), [contents](const auto& page) {
          for (const v1::Block& block : page.blocks()) contents->Add(block);
          return true;
        });
    if (!blocks.ok() && !absl::IsNotFound(blocks)) return blocks;
  }
  progress->Clear();
  return absl::OkStatus();
}

// Writes pages and tells what it did.
class Writer {
 public:
  Writer(SiteFolder* folder, const SiteFlags& flags, const Output& output)
      : folder_(folder), json_(flags.json), output_(output) {}

  absl::Status Put(const std::string& path, absl::string_view page) {
    const absl::StatusOr<bool> written = folder_->Put(path, page);
    if (!written.ok()) return written.status();
    if (!*written) return absl::OkStatus();
    ++written_;
    Tell("written", path);
    return absl::OkStatus();
  }

  absl::Status Finish() {
    const absl::StatusOr<std::vector<std::string>> removed = folder_->Finish();
    if (!removed.ok()) return removed.status();
    for (const std::string& path : *removed) Tell("removed", path);
    const size_t pages = folder_->current().size();
    if (json_) {
      output_.out() << JsonLine(
          Json{{"pages", pages}, {"written", written_}, {"removed", removed->size()}});
    } else {
      output_.out() << pages << (pages == 1 ? " page, " : " pages, ") << written_ << " written, "
                    << removed->size() << " removed\n";
    }
    return absl::OkStatus();
  }

 private:
  // Paths are plain ASCII whatever the names are: view::FileNameOf.
  void Tell(absl::string_view what, const std::string& path) {
    if (json_) {
      output_.out() << JsonLine(Json{{std::string(what), path}});
    } else {
      output_.out() << what << " " << path << "\n";
    }
  }

  SiteFolder* const folder_;
  const bool json_;
  const Output& output_;
  size_t written_ = 0;
};

absl::StatusOr<std::string> ReplayPage(const MatchId& id, ReplayClient* client,
                                       Patience* patience) {
  const absl::StatusOr<std::string> bytes = patience->Make([&] { return client->Fetch(id); });
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) {
    // Whatever is wrong with it is no fault of the connection.
    return absl::DataLossError(absl::StrCat("match ", id.text(), ": ", replay.status().message()));
  }
  v1::MatchViews views;
  *views.add_matches() = view::MakeView(*replay, *bytes);
  return view::MakePage(views);
}

struct WrittenReplays {
  std::set<std::string> ids;  // those that have a page
  size_t bad = 0;             // those that cannot be shown
};

// The pages of replays. Those that the archive no longer has, have none.
absl::StatusOr<WrittenReplays> WriteReplays(const std::vector<std::string>& ids,
                                            ReplayClient* client, Patience* patience,
                                            SiteFolder* folder, Writer* writer, Progress* progress,
                                            const Output& output) {
  WrittenReplays written;
  const SystemClock clock;
  int64_t done = 0;
  for (const std::string& text : ids) {
    progress->Show(done++, static_cast<int64_t>(ids.size()), absl::nullopt, clock.Now());
    const std::string path = view::ReplayPath(text);
    if (folder->Keep(path)) {
      written.ids.insert(text);
      continue;
    }
    const absl::StatusOr<MatchId> id = MatchId::Parse(text);
    if (!id.ok()) continue;
    const absl::StatusOr<std::string> page = ReplayPage(*id, client, patience);
    if (absl::IsNotFound(page.status())) continue;
    const bool of_this_one =
        absl::IsDataLoss(page.status()) || (absl::IsResourceExhausted(page.status()) &&
                                            !CallAgainIn(page.status()).has_value());  // too large
    if (of_this_one) {
      progress->Clear();
      output.Error(page.status());
      ++written.bad;
      continue;
    }
    if (!page.ok()) return page.status();
    const absl::Status put = writer->Put(path, *page);
    if (!put.ok()) return put;
    written.ids.insert(text);
  }
  progress->Clear();
  return written;
}

absl::Status WritePages(const SiteContents& contents, const std::set<std::string>& has_page,
                        Writer* writer) {
  absl::Status problem;
  contents.ForEachPage(has_page, [&](const std::string& path, const v1::SitePage& page) {
    if (!problem.ok()) return;
    const absl::StatusOr<std::string> made = view::MakeSitePage(page);
    problem = made.ok() ? writer->Put(path, *made) : At(path, made.status());
  });
  return problem;
}

Progress ProgressOf(const Output& output, const std::string& what) {
  return Progress(&output.err(),
                  output.err_is_terminal() ? Progress::Style::kTerminal : Progress::Style::kNone,
                  what);
}

}  // namespace

absl::StatusOr<Exit> WriteSite(const SiteFlags& flags, const Output& output) {
  const absl::StatusOr<size_t> replays = ReadReplays(flags.replays);
  if (!replays.ok()) return replays.status();
  if (!IsPlainText(flags.title)) return BadValue("--title", flags.title, "plain text");
  if (absl::Status taken = SiteFolder::Check(flags.folder); !taken.ok()) return taken;
  // The pages are for everybody.
  ClientFlags for_observers = flags.client;
  for_observers.reads_for_observers = true;
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(for_observers);
  if (!client.ok()) return client.status();
  Patience patience(absl::SleepFor);
  client->UsePatience(&patience);
  ReplayClient archive(client->connection());

  SiteContents contents(flags.title, *replays);
  Progress fetching = ProgressOf(output, "competitions");
  const absl::Status fetched = FetchAll(&*client, &fetching, &contents);
  if (!fetched.ok()) return Refused(fetched, output);

  absl::StatusOr<SiteFolder> folder = SiteFolder::Open(flags.folder, view::MakerOfPages());
  if (!folder.ok()) return folder.status();
  Writer writer(&*folder, flags, output);
  Progress writing = ProgressOf(output, "replays");
  const absl::StatusOr<WrittenReplays> written =
      WriteReplays(contents.Replays(), &archive, &patience, &*folder, &writer, &writing, output);
  if (!written.ok()) return written.status();
  const absl::Status pages = WritePages(contents, written->ids, &writer);
  if (!pages.ok()) return pages;
  const absl::Status finished = writer.Finish();
  if (!finished.ok()) return finished;
  if (written->bad == 0) return Exit::kOk;
  return ReplaysNotRead(written->bad, written->ids.size() + written->bad);
}

}  // namespace referee::ctl
