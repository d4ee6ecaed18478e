#include "referee/store/audit.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/pack.h"
#include "referee/replay/retention.h"
#include "referee/store/audited_replay.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"
#include "referee/store/recount.h"
#include "referee/store/stray_replays.h"

namespace referee::store {
namespace {

constexpr int kBlocksAtOnce = 256;
constexpr size_t kReplaysAtOnce = 1024;
// How often a competition is read again if it was counted meanwhile.
constexpr int kTries = 1000;

// The counted state of a competition, as of one moment.
struct Counted {
  Competition competition;  // as of that moment or before
  std::vector<Entrant> entrants;
  std::vector<PairTotal> pairs;
  std::vector<std::string> positions;
  int64_t next_block = 0;  // as of that moment or after
};

absl::StatusOr<Counted> ReadCounted(Store* store, const CompetitionId& id) {
  absl::StatusOr<std::vector<std::string>> positions = store->ReadPositions(id);
  if (!positions.ok()) return positions.status();
  for (int i = 0; i < kTries; ++i) {
    Counted counted;
    absl::StatusOr<Competition> before = store->GetCompetition(id);
    if (!before.ok()) return before.status();
    absl::StatusOr<std::vector<Entrant>> entrants = store->ReadEntrants(id);
    if (!entrants.ok()) return entrants.status();
    absl::StatusOr<std::vector<PairTotal>> pairs = store->ReadPairTotals(id);
    if (!pairs.ok()) return pairs.status();
    absl::StatusOr<Competition> after = store->GetCompetition(id);
    if (!after.ok()) return after.status();
    if (before->counted != after->counted) continue;
    return Counted{*std::move(before), *std::move(entrants), *std::move(pairs),
                   *std::move(positions), after->next_block};
  }
  return absl::UnavailableError(
      absl::StrCat("competition ", id.text(),
                   ": blocks are counted faster than it can be read; pause it, or try again"));
}

class Auditor {
 public:
  Auditor(const AuditOptions& options, absl::FunctionRef<void(const Finding&)> take)
      : options_(options),
        archive_(options.data_dir),
        take_(take),
        strays_(options.store, &report_, [this](const Finding& finding) { Find(finding); }) {}

  absl::StatusOr<AuditReport> Run() {
    // List the archive before the store is read: so the store knows all listed matches.
    if (absl::Status s = ListArchive(); !s.ok()) return s;
    const absl::Status audited = ForEachCompetition(
        options_.store,
        [this](const Competition& competition) { return AuditCompetition(competition.id); });
    if (!audited.ok()) return audited;
    if (absl::Status s = AuditStrays(); !s.ok()) return s;
    FindForeignKeys();
    report_.problems = archive_.ProblemsOfAll();
    return report_;
  }

 private:
  absl::Status ListArchive();
  absl::Status AuditCompetition(const CompetitionId& id);
  absl::Status AuditBlocks(const Counted& counted, std::vector<Block> blocks, Recount* recount,
                           absl::optional<TestRecount>* test, bool* recounts);
  // Checks the start and end times of the competition.
  void CheckTimes(const Counted& counted);
  // Checks that no entrant is missing. Returns whether none is.
  bool CheckNumbers(const Counted& counted);
  // `replayed`: attempts of its blocks that were followed by another.
  void CheckReplayed(const Counted& counted, int64_t replayed);
  // Checks the block itself. Returns whether its matches can be checked.
  bool CheckBlock(const Counted& counted, const Block& block);
  // Checks the matches of a block against their replays. Returns whether every match has a result,
  // or is void in a forfeited block; `block` then has the results of the replays.
  bool CheckMatches(const Counted& counted, const AuditedReplay* replays, Block* block);
  // Checks the results of a forfeited block against its replays, and sets them in `replayed`.
  void CheckForfeit(const Counted& counted, const Block& block, Attempt* replayed);
  // Checks that the matches of failed attempts are in the archive.
  absl::Status CheckAttempts(const Counted& counted, const Block& block);
  // Checks the replays of matches that are in no played block.
  absl::Status AuditStrays();
  // Returns the replay of a match, from the archive or elsewhere.
  absl::StatusOr<std::string> Read(const MatchId& id) const {
    absl::StatusOr<std::string> bytes = archive_.Read(id);
    const bool elsewhere = absl::IsNotFound(bytes.status()) && options_.find_elsewhere;
    return elsewhere ? options_.find_elsewhere(id) : bytes;
  }
  // Returns whether a replay outside of the archive exists.
  absl::StatusOr<bool> IsElsewhere(const MatchId& id) const {
    if (!options_.find_elsewhere) return false;
    const absl::Status found = options_.find_elsewhere(id).status();
    if (!found.ok() && !absl::IsNotFound(found)) return found;
    return found.ok();
  }
  // Reads the replays of all `ids`, on all threads.
  absl::StatusOr<std::vector<AuditedReplay>> ReadAll(const std::vector<MatchId>& ids);
  void CountEnding(const AuditedReplay& replay);
  // Reports replays signed by unknown keys, once per key.
  void FindForeignKeys();
  // Returns whether a missing replay is among those of its day that the retention removed.
  bool WasRemoved(const MatchId& id);

  void Find(const Counted& counted, absl::optional<int64_t> block, std::string match_id,
            std::string problem) {
    Find({counted.competition.spec.name, block, std::move(match_id), std::move(problem)});
  }
  // Reports findings about the competition as a whole.
  void FindAll(const Counted& counted, const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) Find(counted, absl::nullopt, "", problem);
  }
  void Find(const Finding& finding) {
    ++report_.findings;
    take_(finding);
  }

  const AuditOptions& options_;
  const replay::Archive archive_;
  const absl::FunctionRef<void(const Finding&)> take_;
  AuditReport report_;
  int64_t verified_ = 0;
  std::vector<MatchId> archived_;
  std::vector<MatchId> elsewhere_;               // of failed attempts, and not in the archive
  std::map<replay::PackName, int64_t> removed_;  // recorded number of removed replays, by day
  std::map<replay::PackName, int64_t> missed_;   // how many of these were missing so far
  absl::flat_hash_set<MatchId> known_;           // matches of played blocks
  StrayReplays strays_;
  std::map<std::string, std::vector<MatchId>> foreign_;  // by the problem of their signature
};

absl::Status Auditor::ListArchive() {
  std::string token;
  do {
    absl::StatusOr<replay::ArchivePage> page = archive_.List(limits::kMaxPageSize, token);
    if (!page.ok()) return page.status();
    for (replay::ArchivedReplay& replay : page->replays) archived_.push_back(std::move(replay.id));
    token = page->next_page_token;
  } while (!token.empty());
  return absl::OkStatus();
}

absl::Status Auditor::AuditCompetition(const CompetitionId& id) {
  absl::StatusOr<Counted> read = ReadCounted(options_.store, id);
  if (!read.ok()) return read.status();
  Counted& counted = *read;
  ++report_.competitions;
  CheckTimes(counted);
  const bool numbered = CheckNumbers(counted);
  Recount recount(counted.entrants);
  absl::optional<TestRecount> test;
  if (counted.competition.spec.sprt) test.emplace(*counted.competition.spec.sprt);
  BegunCount begun(counted.entrants, counted.competition.next_block, counted.next_block);
  bool recounts = numbered;
  int64_t replayed = 0;
  int64_t next = 0;
  while (true) {
    absl::StatusOr<std::vector<Block>> blocks =
        options_.store->ListBlocks(id, next, kBlocksAtOnce, absl::nullopt);
    if (!blocks.ok()) return blocks.status();
    if (blocks->empty()) break;
    for (const Block& block : *blocks) {
      if (block.number != next) {
        Find(counted, next, "", absl::StrCat("the store has no block ", next, ", but later ones"));
        recounts = false;
      }
      next = block.number + 1;
      begun.Add(block);
      if (block.number < counted.competition.next_block) replayed += block.attempt;
    }
    if (absl::Status s = AuditBlocks(counted, *std::move(blocks), &recount, &test, &recounts);
        !s.ok()) {
      return s;
    }
  }
  if (next < counted.competition.next_block) {
    Find(counted, absl::nullopt, "",
         absl::StrCat(counted.competition.next_block, " blocks have begun, but the store has ",
                      next));
    recounts = recounts && next >= counted.competition.counted;
  }
  if (numbered) FindAll(counted, begun.Compare());
  CheckReplayed(counted, replayed);
  // If results are missing, an earlier finding says so.
  if (recounts) FindAll(counted, recount.Compare(counted.pairs));
  return absl::OkStatus();
}

void Auditor::CheckTimes(const Counted& counted) {
  const Competition& competition = counted.competition;
  const auto find = [&](std::string problem) { FindAll(counted, {std::move(problem)}); };
  const bool is_new = competition.state == CompetitionState::kNew;
  if (is_new && competition.start_time) find("it is NEW, but has a start time");
  if (competition.next_block > 0 && !competition.start_time) {
    find("blocks of it have begun, but it has no start time");
  }
  const bool is_finished = competition.state == CompetitionState::kFinished;
  if (is_finished && !competition.finish_time) find("it is FINISHED, but has no finish time");
  if (!is_finished && competition.finish_time) {
    find(absl::StrCat("it is ", StateName(competition.state), ", but has a finish time"));
  }
}

void Auditor::CheckReplayed(const Counted& counted, int64_t replayed) {
  const Competition& competition = counted.competition;
  // While blocks are open, more attempts may have failed since the competition was read.
  if (competition.counted != competition.next_block || competition.replayed == replayed) return;
  Find(counted, absl::nullopt, "",
       absl::StrCat(competition.replayed,
                    " attempts were followed by another, but its blocks have ", replayed, " such"));
}

bool Auditor::CheckNumbers(const Counted& counted) {
  for (size_t i = 0; i < counted.entrants.size(); ++i) {
    if (counted.entrants[i].number == static_cast<int>(i)) continue;
    Find(counted, absl::nullopt, "", absl::StrCat("it has no entrant ", i, ", but later ones"));
    return false;
  }
  return true;
}

absl::Status Auditor::AuditBlocks(const Counted& counted, std::vector<Block> blocks,
                                  Recount* recount, absl::optional<TestRecount>* test,
                                  bool* recounts) {
  std::vector<MatchId> ids;
  std::vector<size_t> first(blocks.size());  // index in `ids` of the first match of each block
  std::vector<bool> good(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    strays_.NoteBlock(blocks[i]);
    if (absl::Status s = CheckAttempts(counted, blocks[i]); !s.ok()) return s;
    first[i] = ids.size();
    good[i] = CheckBlock(counted, blocks[i]);
    if (!good[i] || !HasAllResults(blocks[i])) continue;
    for (const BlockMatch& match : blocks[i].matches) ids.push_back(match.id);
  }
  const absl::StatusOr<std::vector<AuditedReplay>> replays = ReadAll(ids);
  if (!replays.ok()) return replays.status();
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    if (block.state == BlockState::kPlayed) ++report_.blocks;
    const bool whole = good[i] && (!HasAllResults(block) ||
                                   CheckMatches(counted, replays->data() + first[i], &block));
    if (block.number >= counted.competition.counted) continue;
    if (whole) {
      recount->Add(block);
      const std::string problem = *test ? (*test)->Add(block) : "";
      if (!problem.empty()) Find(counted, block.number, "", problem);
    } else {
      *recounts = false;
    }
  }
  return absl::OkStatus();
}

bool Auditor::CheckBlock(const Counted& counted, const Block& block) {
  const auto find = [&](std::string problem) {
    Find(counted, block.number, "", std::move(problem));
    return false;
  };
  const size_t entrants =
      std::min(counted.competition.spec.entrants.size(), counted.entrants.size());
  for (const int bot : block.pairing.bots) {
    // A bot that joined after the entrants were read is in no counted block.
    const bool later = block.number >= counted.competition.counted;
    if (bot >= 0 && static_cast<size_t>(bot) < entrants) continue;
    return later ? false : find(absl::StrCat("there is no entrant ", bot));
  }
  const bool running = block.state == BlockState::kRunning;
  if (running && block.number < counted.competition.counted) {
    return find("it is counted, but not over");
  }
  if (running && block.end_time) return find("it is not over, but has an end time");
  if (!running && !block.end_time) find("it is over, but has no end time");
  if (!HasAllResults(block)) return true;
  if (block.matches.size() != block.pairing.bots.size()) {
    return find(absl::StrCat("it has ", block.matches.size(), " matches for ",
                             block.pairing.bots.size(), " bots"));
  }
  bool once = true;
  strays_.NotePlayed(block.block_id);
  for (const BlockMatch& match : block.matches) {
    if (known_.insert(match.id).second) continue;
    Find(counted, block.number, match.id.text(), "another block has this match, too");
    once = false;
  }
  return once;
}

// AuditStrays verifies their contents, with all replays in no played block.
absl::Status Auditor::CheckAttempts(const Counted& counted, const Block& block) {
  for (const Attempt& attempt : block.attempts) {
    // The counted attempt is checked like any other that was played.
    if (block.state == BlockState::kPlayed && attempt.number == CountedAttempt(block)) continue;
    for (const BlockMatch& match : attempt.matches) {
      if (!match.recorded) ++report_.unrecorded;
      if (!match.recorded || match.id == MatchId() || archive_.Has(match.id)) continue;
      const absl::StatusOr<bool> elsewhere = IsElsewhere(match.id);
      if (!elsewhere.ok()) return elsewhere.status();
      if (*elsewhere) elsewhere_.push_back(match.id);
      if (*elsewhere || WasRemoved(match.id)) continue;
      Find(counted, block.number, match.id.text(),
           absl::StrCat("its replay, of attempt ", attempt.number, ", is not in the archive"));
    }
  }
  return absl::OkStatus();
}

bool Auditor::CheckMatches(const Counted& counted, const AuditedReplay* replays, Block* block) {
  bool whole = true;
  bool any_removed = false;
  const AuditedReplay* first = nullptr;  // the first good replay
  Attempt replayed;
  replayed.matches = block->matches;
  const std::vector<games::Option> options =
      OptionsOf(counted.competition, counted.positions, block->number);
  for (size_t rotation = 0; rotation < block->matches.size(); ++rotation) {
    const AuditedReplay& replay = replays[rotation];
    const std::string match_id = block->matches[rotation].id.text();
    std::string problem = replay.problem;
    if (!replay.found && WasRemoved(block->matches[rotation].id)) {
      any_removed = true;  // the store's result is accepted
      continue;
    }
    if (!replay.found) {
      problem = "its replay is not in the archive";
    } else {
      ++(block->state == BlockState::kPlayed ? report_.replays : report_.void_replays);
      if (problem.empty()) {
        problem = Disagreement(replay, counted.competition, *block, options, rotation);
      }
      if (problem.empty() && first != nullptr) problem = OtherBlock(replay, *first);
      if (problem.empty() && first == nullptr) first = &replay;
    }
    if (!problem.empty()) Find(counted, block->number, match_id, problem);
    const size_t seats = block->pairing.bots.size();
    const bool has_result =
        replay.verdict.ranks.size() == seats && replay.verdict.scores.size() == seats;
    const bool is_void = !block->forfeited_by.empty() && replay.found && replay.problem.empty() &&
                         replay.verdict.ending != match::Ending::kFinished;
    whole = whole && (has_result || is_void);
    match::Verdict& verdict = replayed.matches[rotation].verdict;
    verdict = replay.verdict;
    verdict.times = block->matches[rotation].verdict.times;
  }
  if (whole && !any_removed && !block->forfeited_by.empty())
    CheckForfeit(counted, *block, &replayed);
  if (whole) block->matches = std::move(replayed.matches);
  return whole;
}

void Auditor::CheckForfeit(const Counted& counted, const Block& block, Attempt* replayed) {
  const std::vector<int>& bots = block.pairing.bots;
  std::vector<int> places;
  for (size_t place = 0; place < bots.size(); ++place) {
    const auto& by = block.forfeited_by;
    if (std::find(by.begin(), by.end(), bots[place]) == by.end()) continue;
    places.push_back(static_cast<int>(place));
    if (HasLost(*replayed, places.back())) continue;
    Find(counted, block.number, "",
         absl::StrCat("entrant ", bots[place], " forfeits it, who had lost no match of it"));
  }
  replayed->matches = Forfeited(*replayed, places);
  if (ResultsText(replayed->matches) == ResultsText(block.matches)) return;
  Find(counted, block.number, "",
       absl::StrCat("it counts as ", ResultsText(block.matches), " in the store; forfeited, its ",
                    "replays give ", ResultsText(replayed->matches)));
}

absl::StatusOr<std::vector<AuditedReplay>> Auditor::ReadAll(const std::vector<MatchId>& ids) {
  std::vector<AuditedReplay> replays(ids.size());
  std::vector<absl::Status> failures(ids.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < ids.size(); i = next++) {
      absl::StatusOr<AuditedReplay> read = ReadAudited(Read(ids[i]), ids[i], options_.keys);
      if (read.ok()) replays[i] = *std::move(read);
      failures[i] = read.status();
    }
  };
  const size_t threads = options_.threads > 0
                             ? static_cast<size_t>(options_.threads)
                             : std::max<size_t>(1, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min(threads, ids.size()); ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  for (const absl::Status& failure : failures) {
    if (!failure.ok()) return failure;
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    CountEnding(replays[i]);
    if (!replays[i].foreign_key.empty()) foreign_[replays[i].foreign_key].push_back(ids[i]);
  }
  verified_ += static_cast<int64_t>(ids.size());
  if (options_.progress) {
    options_.progress(verified_, std::max(verified_, static_cast<int64_t>(archived_.size())));
  }
  return replays;
}

void Auditor::CountEnding(const AuditedReplay& replay) {
  if (!replay.found || !replay.problem.empty()) return;
  Endings& endings = report_.endings;
  if (replay.verdict.ending == match::Ending::kVoid) {
    ++endings.void_ones[replay.void_cause];
  } else if (replay.verdict.ending == match::Ending::kCancelled) {
    const std::string& by = replay.verdict.cancelled_by;
    ++(by.empty() ? endings.cancelled_by_referee : endings.cancelled[by]);
  }
}

void Auditor::FindForeignKeys() {
  constexpr size_t kMostNamed = 5;
  for (const auto& [problem, ids] : foreign_) {
    std::vector<std::string> named;
    for (const MatchId& id : ids) {
      if (named.size() < kMostNamed) named.push_back(id.text());
    }
    const size_t more = ids.size() - named.size();
    Find({"", absl::nullopt, "",
          absl::StrCat(problem, ": of ", ids.size(), ids.size() == 1 ? " replay: " : " replays: ",
                       absl::StrJoin(named, ", "), more > 0 ? absl::StrCat(" and ", more) : "")});
  }
}

bool Auditor::WasRemoved(const MatchId& id) {
  const replay::PackName day = replay::PackName::OfDay(id.created());
  int64_t& missed = missed_[day];
  // The replay may have been removed after the record was read.
  if (missed >= removed_[day]) {
    absl::StatusOr<std::map<replay::PackName, int64_t>> removed =
        replay::ReadRemovals(options_.data_dir);
    if (removed.ok()) removed_ = *std::move(removed);
  }
  if (missed >= removed_[day]) return false;
  ++missed;
  ++report_.expired_replays;
  return true;
}

absl::Status Auditor::AuditStrays() {
  std::vector<MatchId> others = elsewhere_;
  for (const MatchId& id : archived_) {
    if (!known_.contains(id)) others.push_back(id);
  }
  for (size_t from = 0; from < others.size(); from += kReplaysAtOnce) {
    const size_t to = std::min(others.size(), from + kReplaysAtOnce);
    const std::vector<MatchId> ids(others.begin() + static_cast<ptrdiff_t>(from),
                                   others.begin() + static_cast<ptrdiff_t>(to));
    const absl::StatusOr<std::vector<AuditedReplay>> replays = ReadAll(ids);
    if (!replays.ok()) return replays.status();
    for (size_t i = 0; i < ids.size(); ++i) strays_.Take(ids[i].text(), (*replays)[i]);
  }
  return strays_.Judge();
}

}  // namespace

absl::StatusOr<AuditReport> Audit(const AuditOptions& options,
                                  absl::FunctionRef<void(const Finding&)> take) {
  return Auditor(options, take).Run();
}

}  // namespace referee::store
