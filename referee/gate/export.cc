#include "referee/gate/export.h"

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <future>
#include <iostream>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "referee/base/clock.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/progress.h"
#include "referee/gate/finished_match.h"
#include "referee/gate/patience.h"
#include "referee/gate/site_contents.h"
#include "referee/gate/site_folder.h"
#include "referee/gate/upstream.h"
#include "referee/view/page.h"

namespace referee::gate {
namespace {

using Service = v1::CompetitionService::StubInterface::async_interface;

constexpr absl::Duration kAnswerLimit = absl::Minutes(1);

absl::StatusOr<size_t> ReadReplays(const std::string& text) {
  if (text == "all") return std::numeric_limits<size_t>::max();
  uint32_t count;
  if (absl::SimpleAtoi(text, &count)) return count;
  return BadValue("--replays", text, "a number of matches, or all");
}

// Calls a referee and waits for each answer. Retries a call that the referee refuses for now.
class Reader {
 public:
  explicit Reader(client::Connection connection)
      : upstream_(
            std::move(connection), [](const std::function<void()>& call) { call(); },
            kAnswerLimit) {}
  ~Reader() { upstream_.Stop(); }

  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(Upstream::Method<Service, Request, Response> method,
                                const Request& request) {
    return Await<Response>([&](const auto& then) {
      upstream_.Call(upstream_.competitions(), method, request, Upstream::Then<Response>(then));
    });
  }

  // Fetches page after page and calls `take` with each.
  template <typename Request, typename Response, typename Take>
  absl::Status ForEachPage(Upstream::Method<Service, Request, Response> method, Request request,
                           const Take& take) {
    request.set_page_size(limits::kMaxPageSize);
    do {
      const absl::StatusOr<Response> page = Call(method, request);
      if (!page.ok()) return page.status();
      take(*page);
      request.set_page_token(page->next_page_token());
    } while (!request.page_token().empty());
    return absl::OkStatus();
  }

  // Merges all pages into `all`.
  template <typename Request, typename Response>
  absl::Status List(Upstream::Method<Service, Request, Response> method, const Request& request,
                    Response* all) {
    const absl::Status listed =
        ForEachPage(method, request, [all](const Response& page) { all->MergeFrom(page); });
    all->clear_next_page_token();
    return listed;
  }

  absl::StatusOr<std::string> FetchReplay(const std::string& match_id) {
    return Await<std::string>(
        [&](const auto& then) { upstream_.FetchReplay(match_id, limits::kMaxReplayBytes, then); });
  }

 private:
  template <typename Answer, typename Begin>
  absl::StatusOr<Answer> Await(const Begin& begin) {
    const auto call = [&begin] {
      const auto answer = std::make_shared<std::promise<absl::StatusOr<Answer>>>();
      begin([answer](absl::StatusOr<Answer> got) { answer->set_value(std::move(got)); });
      return answer->get_future().get();
    };
    return CallPatiently(call, absl::SleepFor);
  }

  Upstream upstream_;
};

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

// Fetches a competition without its blocks.
absl::StatusOr<PublishedCompetition> Fetch(Reader* reader, const std::string& name) {
  PublishedCompetition fetched;
  auto table = reader->Call(&Service::GetStandings, About<v1::GetStandingsRequest>(name));
  if (!table.ok()) return table.status();
  fetched.table = *std::move(table);
  const v1::Competition& competition = fetched.table.competition();
  absl::Status listed = reader->List(&Service::ListRatingHistories,
                                     About<v1::ListRatingHistoriesRequest>(name), &fetched.ratings);
  if (listed.ok() && competition.spec().seats() == 2) {
    listed = reader->List(&Service::ListPairs, About<v1::ListPairsRequest>(name), &fetched.pairs);
  }
  if (listed.ok() && HasRounds(competition)) {
    listed =
        reader->List(&Service::ListRounds, About<v1::ListRoundsRequest>(name), &fetched.rounds);
    // A competition with very many blocks has no list of rounds.
    if (absl::IsFailedPrecondition(listed)) {
      fetched.rounds.Clear();  // an incomplete list would look complete
      listed = absl::OkStatus();
    }
  }
  if (!listed.ok()) return listed;
  return fetched;
}

// Shows progress on one line of a terminal; shows nothing elsewhere.
class Counter {
 public:
  Counter(const std::string& what, int64_t total)
      : progress_(&std::cerr,
                  isatty(STDERR_FILENO) == 1 ? Progress::Style::kTerminal : Progress::Style::kNone,
                  what),
        total_(total) {}
  ~Counter() { progress_.Clear(); }

  void Next() { progress_.Show(done_++, total_, absl::nullopt, clock_.Now()); }
  void Clear() { progress_.Clear(); }

 private:
  const SystemClock clock_;
  Progress progress_;
  const int64_t total_;
  int64_t done_ = 0;
};

// Fetches all competitions. Skips those that are removed or renamed meanwhile.
absl::Status FetchAll(Reader* reader, SiteContents* contents) {
  v1::ListCompetitionsResponse all;
  const absl::Status listed =
      reader->List(&Service::ListCompetitions, v1::ListCompetitionsRequest(), &all);
  if (!listed.ok()) return listed;
  Counter counter("competitions", all.competitions_size());
  for (const v1::Competition& competition : all.competitions()) {
    const std::string& name = competition.spec().name();
    counter.Next();
    absl::StatusOr<PublishedCompetition> fetched = Fetch(reader, name);
    if (absl::IsNotFound(fetched.status())) continue;
    if (!fetched.ok()) return fetched.status();
    contents->Begin(*std::move(fetched));
    const absl::Status blocks = reader->ForEachPage(
        &Service::ListBlocks, About<v1::ListBlocksRequest>(name), [contents](const auto& page) {
          for (const v1::Block& block : page.blocks()) contents->Add(block);
        });
    if (!blocks.ok() && !absl::IsNotFound(blocks)) return blocks;
  }
  return absl::OkStatus();
}

// Writes pages and reports each change.
class Writer {
 public:
  Writer(SiteFolder* folder, bool json) : folder_(*folder), json_(json) {}

  absl::Status Put(const std::string& path, absl::string_view page) {
    const absl::StatusOr<bool> written = folder_.Put(path, page);
    if (!written.ok()) return written.status();
    if (!*written) return absl::OkStatus();
    ++written_;
    Report("written", path);
    return absl::OkStatus();
  }

  // Writes the pages of replays. Skips replays that the archive no longer has.
  absl::Status PutReplays(const std::vector<std::string>& ids, Reader* reader) {
    Counter counter("replays", static_cast<int64_t>(ids.size()));
    for (const std::string& id : ids) {
      counter.Next();
      const std::string path = view::ReplayPath(id);
      if (!folder_.Keep(path)) {
        const absl::StatusOr<std::string> replay = reader->FetchReplay(id);
        if (absl::IsNotFound(replay.status())) continue;
        const bool of_this_one =
            absl::IsDataLoss(replay.status()) || absl::IsFailedPrecondition(replay.status());
        if (!replay.ok() && !of_this_one) return replay.status();
        const absl::StatusOr<std::string> page =
            replay.ok() ? PageOf(*replay, std::numeric_limits<size_t>::max()) : replay.status();
        if (!page.ok()) {
          counter.Clear();
          std::cout.flush();
          std::cerr << "refgate: match " << id << ": " << page.status().message() << "\n";
          ++bad_;
          continue;
        }
        if (absl::Status put = Put(path, *page); !put.ok()) return put;
      }
      has_page_.insert(id);
    }
    return absl::OkStatus();
  }

  absl::Status PutPages(const SiteContents& contents) {
    absl::Status problem;
    contents.ForEachPage(
        has_page_, [&](const std::string& path, view::SiteKind kind, const std::string& data) {
          if (problem.ok()) problem = Put(path, view::MakeSitePage(kind, data));
        });
    return problem;
  }

  // Removes the pages of earlier runs that this run has neither written nor kept.
  absl::Status Finish() {
    const absl::StatusOr<std::vector<std::string>> removed = folder_.Finish();
    if (!removed.ok()) return removed.status();
    for (const std::string& path : *removed) Report("removed", path);
    const size_t pages = folder_.current().size();
    if (json_) {
      Print(Json{{"pages", pages}, {"written", written_}, {"removed", removed->size()}});
    } else {
      std::cout << pages << (pages == 1 ? " page, " : " pages, ") << written_ << " written, "
                << removed->size() << " removed\n";
    }
    if (bad_ == 0) return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat(bad_, " of ", has_page_.size() + bad_,
                     " replays could not be read, see above; the others are there"));
  }

 private:
  using Json = nlohmann::ordered_json;

  // Paths are plain ASCII for any name (view::FileNameOf).
  void Report(const std::string& what, const std::string& path) const {
    if (json_) return Print(Json{{what, path}});
    std::cout << what << " " << path << "\n";
  }
  static void Print(const Json& line) { std::cout << line.dump() << "\n"; }

  SiteFolder& folder_;
  const bool json_;
  size_t written_ = 0;
  std::set<std::string> has_page_;  // the ids of matches
  size_t bad_ = 0;                  // replays that cannot be shown
};

}  // namespace

absl::StatusOr<int> Export(const ExportFlags& flags, const client::ClientFlags& client) {
  const absl::StatusOr<size_t> replays = ReadReplays(flags.replays);
  if (!replays.ok()) return replays.status();
  if (!IsPlainText(flags.title)) return BadValue("--title", flags.title, "plain text");
  if (absl::Status taken = SiteFolder::Check(flags.folder); !taken.ok()) return taken;
  absl::StatusOr<client::Connection> connection = client::Connect(client, client::kWholeMatchBytes);
  if (!connection.ok()) return connection.status();
  Reader reader(*std::move(connection));
  SiteContents contents(flags.title, *replays);
  if (absl::Status fetched = FetchAll(&reader, &contents); !fetched.ok()) {
    const bool refused = absl::IsNotFound(fetched) || absl::IsFailedPrecondition(fetched) ||
                         absl::IsAlreadyExists(fetched);
    if (!refused) return fetched;
    std::cerr << "refgate: " << fetched.message() << "\n";
    return 1;
  }
  absl::StatusOr<SiteFolder> folder = SiteFolder::Open(flags.folder, view::MakerOfPages());
  if (!folder.ok()) return folder.status();
  Writer writer(&*folder, flags.json);
  absl::Status written = writer.PutReplays(contents.Replays(), &reader);
  if (written.ok()) written = writer.PutPages(contents);
  if (written.ok()) written = writer.Finish();
  if (!written.ok()) return written;
  return 0;
}

}  // namespace referee::gate
