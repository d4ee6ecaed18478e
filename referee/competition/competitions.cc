#include "referee/competition/competitions.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/errors.h"
#include "referee/competition/terms.h"
#include "referee/replay/archive.h"
#include "referee/schedule/errors.h"
#include "referee/store/errors.h"
#include "referee/store/removal.h"

namespace referee::competition {
namespace {

using store::CompetitionState;

// How often a change of state is decided anew when somebody else has made one.
constexpr int kTries = 3;

int PageSize(int limit) { return std::clamp(limit, 1, limits::kMaxPageSize); }

// Says of each bot whether it is connected, and if it is in, why it cannot play.
void AddPresence(const host::Host& host, const schedule::Spec& spec,
                 std::vector<Standing>* standings) {
  host::HostQuestion question;
  for (const Standing& standing : *standings) question.bots.push_back(standing.entrant.name);
  question.game = spec.game;
  question.at_once = spec.seats;
  const host::HostView view = host.Look(question);
  for (size_t i = 0; i < standings->size(); ++i) {
    Standing& standing = (*standings)[i];
    standing.connected = view.bots[i].connected;
    const bool in = standing.entrant.presence == store::Presence::kIn;
    if (in && standing.remark.empty()) standing.remark = view.bots[i].unable;
  }
}

// The entrants of the bot, by number, of a season only unless that is 0. Returns NotFound when it
// has none at all.
absl::StatusOr<std::vector<int>> NumbersOf(const store::Competition& competition,
                                           absl::string_view bot, int season) {
  std::vector<int> numbers;
  bool any = false;
  const std::vector<std::string>& entrants = competition.spec.entrants;
  for (size_t i = 0; i < entrants.size(); ++i) {
    if (entrants[i] != bot) continue;
    any = true;
    if (season != 0 && competition.labels[i].season != season) continue;
    numbers.push_back(static_cast<int>(i));
  }
  if (!any) return store::NoEntrant(competition.spec.name, bot);
  return numbers;
}

// Returns the season that is asked for, 0 being the one that goes on; or NotFound.
absl::StatusOr<int> SeasonOf(const store::Competition& competition, int asked) {
  if (asked == 0) return competition.season;
  if (asked < 0 || asked > competition.season) {
    return NoSeason(competition.spec.name, asked, competition.season);
  }
  return asked;
}

// The entrants of a season have the numbers from `first` up to `end`: a season begins with new
// ones.
struct SeasonRange {
  int first = 0;
  int end = 0;
};
SeasonRange RangeOf(const store::Competition& competition, int season) {
  const std::vector<store::EntrantLabel>& labels = competition.labels;
  const auto before = [](const store::EntrantLabel& label, int number) {
    return label.season < number;
  };
  const auto first = std::lower_bound(labels.begin(), labels.end(), season, before);
  const auto end = std::lower_bound(first, labels.end(), season + 1, before);
  return {static_cast<int>(first - labels.begin()), static_cast<int>(end - labels.begin())};
}

// Merges what `read` gives of each entrant, in the order of `key`, up to `limit` of them: read(bot,
// from, count) returns at most `count` from the key `from` on. Reads little more than it returns.
template <typename Item, typename Key, typename Read, typename KeyOf, typename Next>
absl::StatusOr<std::vector<Item>> Merge(const std::vector<int>& bots, const Key& from, int limit,
                                        const Read& read, const KeyOf& key, const Next& after) {
  struct Source {
    std::vector<Item> items;  // those that are left, the next one last
    Key from;
    bool more = true;
  };
  const int chunk = limit / std::max(1, static_cast<int>(bots.size())) + 1;
  std::vector<Source> sources(bots.size());
  for (Source& source : sources) source.from = from;
  std::vector<Item> merged;
  while (static_cast<int>(merged.size()) < limit) {
    Source* best = nullptr;
    for (size_t i = 0; i < sources.size(); ++i) {
      Source& source = sources[i];
      if (source.items.empty() && source.more) {
        absl::StatusOr<std::vector<Item>> page = read(bots[i], source.from, chunk);
        if (!page.ok()) return page.status();
        source.more = static_cast<int>(page->size()) == chunk;
        if (!page->empty()) source.from = after(key(page->back()));
        source.items.assign(std::make_move_iterator(page->rbegin()),
                            std::make_move_iterator(page->rend()));
      }
      if (source.items.empty()) continue;
      if (best == nullptr || key(source.items.back()) < key(best->items.back())) best = &source;
    }
    if (best == nullptr) break;
    merged.push_back(std::move(best->items.back()));
    best->items.pop_back();
  }
  return merged;
}

// The blocks of all of these entrants, by number.
absl::StatusOr<std::vector<store::Block>> BlocksOf(store::Store* store,
                                                   const store::CompetitionId& id,
                                                   const std::vector<int>& bots, int64_t from,
                                                   int limit) {
  return Merge<store::Block>(
      bots, from, limit,
      [&](int bot, int64_t start, int count) { return store->ListBlocks(id, start, count, bot); },
      [](const store::Block& block) { return block.number; },
      [](int64_t number) { return number + 1; });
}

// The pairs of all of these entrants, of whom no two have met.
absl::StatusOr<std::vector<store::PairTotal>> PairsOf(store::Store* store,
                                                      const store::CompetitionId& id,
                                                      const std::vector<int>& bots,
                                                      std::pair<int, int> from, int limit) {
  return Merge<store::PairTotal>(
      bots, from, limit,
      [&](int bot, std::pair<int, int> start, int count) {
        return store->ListPairTotals(id, start, count, bot);
      },
      [](const store::PairTotal& total) { return std::pair(total.low, total.high); },
      [](std::pair<int, int> pair) { return std::pair(pair.first, pair.second + 1); });
}

bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes && IsPlainText(text);
}

}  // namespace

FindReplay ReadsArchive(replay::Archive archive, FindReplay kept) {
  return [kept = std::move(kept),
          archive = std::move(archive)](const MatchId& id) -> absl::StatusOr<replay::Replay> {
    const absl::StatusOr<std::string> file = archive.Read(id);
    if (absl::IsNotFound(file.status())) return kept(id);
    if (!file.ok()) return file.status();
    return replay::Parse(*file);
  };
}

Competitions::Competitions(CompetitionsOptions options)
    : options_(std::move(options)),
      loop_(std::make_shared<CompetitionLoop>(
          CompetitionRunner::Environment{options_.clock, nullptr, options_.store, options_.owner,
                                         options_.find_replay, options_.log, nullptr},
          options_.timers, options_.executor)),
      standings_(options_.store, options_.clock),
      evenness_(options_.store),
      rounds_(options_.store, options_.clock) {}

Competitions::~Competitions() { Close(); }

// --- The process ---

absl::Status Competitions::Open(host::Host* host) {
  host_ = host;
  return loop_->Open(host);
}

void Competitions::MatchFinished(const host::MatchRunner& runner, const absl::Status&) {
  loop_->MatchFinished(runner);
}

void Competitions::Wake() { loop_->Wake(); }
void Competitions::Drain() { loop_->Drain(); }
void Competitions::Close() { loop_->Close(); }

// --- Changes ---

store::AuditEntry Competitions::Audit(absl::string_view who, absl::string_view action,
                                      absl::string_view subject, absl::string_view detail) const {
  store::AuditEntry audit;
  audit.time = options_.clock->WallNow();
  audit.who = std::string(who);
  audit.action = std::string(action);
  audit.subject = std::string(subject);
  audit.detail = std::string(detail);
  return audit;
}

store::CompetitionId Competitions::NewId(absl::Time now) {
  uint8_t random[10];
  options_.entropy(absl::MakeSpan(random));
  MutexLock lock(&mutex_);
  last_id_ = std::max(now, last_id_ + absl::Milliseconds(1));
  return store::CompetitionId(MatchId::Make(last_id_, random).text());
}

absl::StatusOr<CompetitionView> Competitions::Create(schedule::Spec spec,
                                                     absl::string_view request_id,
                                                     absl::string_view who) {
  if (absl::Status settled = Settle(&spec); !settled.ok()) return settled;
  store::Competition competition;
  competition.create_time = options_.clock->WallNow();
  competition.id = NewId(competition.create_time);
  competition.request_id = std::string(request_id);
  if (spec.pinned) {
    competition.dice.pinned_seed.emplace();
    options_.entropy(absl::MakeSpan(competition.dice.pinned_seed->bytes));
  }
  if (spec.format == schedule::Format::kKnockout) {
    competition.lot_seed.emplace();
    options_.entropy(absl::MakeSpan(competition.lot_seed->bytes));
  }
  const store::AuditEntry audit =
      Audit(who, "competition.create", spec.name,
            absl::StrCat("a ", schedule::FormatName(spec.format), " of ", spec.game, ", ",
                         spec.seats, " seats, ", spec.entrants.size(), " entrants"));
  competition.spec = std::move(spec);
  absl::StatusOr<store::Competition> made = options_.store->CreateCompetition(competition, audit);
  if (!made.ok()) return made.status();
  return ViewOf(*std::move(made));
}

absl::StatusOr<CompetitionView> Competitions::Change(absl::string_view name,
                                                     absl::Span<const CompetitionState> from,
                                                     CompetitionState to, absl::string_view action,
                                                     absl::string_view who) {
  absl::Status refused;
  for (int i = 0; i < kTries; ++i) {
    const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
    if (!competition.ok()) return competition.status();
    if (std::find(from.begin(), from.end(), competition->state) == from.end()) {
      return CompetitionInState(name, store::StateName(competition->state), action);
    }
    absl::StatusOr<store::Competition> changed =
        options_.store->SetState(competition->id, competition->state, to, options_.clock->WallNow(),
                                 Audit(who, absl::StrCat("competition.", action), name,
                                       absl::StrCat("was ", store::StateName(competition->state))));
    if (changed.ok()) {
      loop_->Changed(*changed);
      changed->spec.entrants = competition->spec.entrants;
      changed->labels = competition->labels;
      return ViewOf(*std::move(changed));
    }
    refused = changed.status();
    if (!absl::IsAborted(refused)) break;
  }
  return refused;
}

absl::StatusOr<CompetitionView> Competitions::Start(absl::string_view name, absl::string_view who) {
  return Change(name, {CompetitionState::kNew}, CompetitionState::kRunning, "start", who);
}

absl::StatusOr<CompetitionView> Competitions::Pause(absl::string_view name, absl::string_view who) {
  return Change(name, {CompetitionState::kRunning}, CompetitionState::kPaused, "pause", who);
}

absl::StatusOr<CompetitionView> Competitions::Resume(absl::string_view name,
                                                     absl::string_view who) {
  return Change(name, {CompetitionState::kPaused}, CompetitionState::kRunning, "resume", who);
}

absl::StatusOr<CompetitionView> Competitions::Finish(absl::string_view name,
                                                     absl::string_view who) {
  return Change(name,
                {CompetitionState::kNew, CompetitionState::kRunning, CompetitionState::kPaused},
                CompetitionState::kFinishing, "finish", who);
}

absl::StatusOr<CompetitionView> Competitions::SetPriority(absl::string_view name, int priority,
                                                          absl::string_view who) {
  if (absl::Status valid = schedule::ValidatePriority(priority); !valid.ok()) return valid;
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state == CompetitionState::kFinished) {
    return CompetitionInState(name, store::StateName(competition->state), "priority");
  }
  absl::StatusOr<store::Competition> changed = options_.store->SetPriority(
      competition->id, priority,
      Audit(who, "competition.priority", name,
            absl::StrCat(priority, ", was ", competition->spec.priority)));
  if (!changed.ok()) return changed.status();
  if (changed->state != CompetitionState::kNew) loop_->Changed(*changed);
  changed->spec.entrants = competition->spec.entrants;
  changed->labels = competition->labels;
  return ViewOf(*std::move(changed));
}

absl::StatusOr<CompetitionView> Competitions::BeginSeason(absl::string_view name,
                                                          absl::string_view request_id,
                                                          absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kLadder) {
    return schedule::NotALadder(schedule::FormatName(competition->spec.format));
  }
  const absl::StatusOr<store::Competition> begun = options_.store->BeginSeason(
      competition->id, request_id, options_.clock->WallNow(),
      Audit(who, "competition.season", name, absl::StrCat("after season ", competition->season)));
  if (!begun.ok()) return begun.status();
  loop_->Changed(*begun);
  return WholeViewOf(name);
}

void Competitions::VersionChanged(absl::string_view bot) {
  const auto entries = options_.store->ListEntries(bot, limits::kMaxPageSize);
  if (!entries.ok()) return;
  for (const store::Entry& entry : *entries) {
    const bool over = entry.state == CompetitionState::kFinished;
    if (over || entry.entrant.successor) continue;
    const auto competition = options_.store->GetCompetition(entry.competition);
    if (competition.ok()) loop_->Changed(*competition);
  }
}

absl::StatusOr<CompetitionView> Competitions::Rename(absl::string_view name,
                                                     absl::string_view new_name,
                                                     absl::string_view who) {
  if (!IsName(new_name)) return BadName("new_name", new_name);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  absl::StatusOr<store::Competition> renamed = options_.store->RenameCompetition(
      competition->id, new_name,
      Audit(who, "competition.rename", name, absl::StrCat("to ", new_name)));
  if (!renamed.ok()) return renamed.status();
  if (renamed->state != CompetitionState::kNew) loop_->Changed(*renamed);
  renamed->spec.entrants = competition->spec.entrants;
  renamed->labels = competition->labels;
  return ViewOf(*std::move(renamed));
}

absl::Status Competitions::Remove(absl::string_view name, absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state != CompetitionState::kNew &&
      competition->state != CompetitionState::kFinished) {
    return CompetitionInState(name, store::StateName(competition->state), "remove");
  }
  return options_.store->RemoveCompetition(
      competition->id,
      Audit(who, store::kRemoveCompetition, name, store::RemovalDetail(*competition)));
}

absl::StatusOr<CompetitionView> Competitions::Join(absl::string_view name, absl::string_view bot,
                                                   absl::string_view who) {
  if (!IsName(bot)) return BadName("bot", bot);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kLadder) {
    return schedule::NotALadder(schedule::FormatName(competition->spec.format));
  }
  const absl::StatusOr<store::Entrant> joined = options_.store->Join(
      competition->id, bot, Audit(who, "competition.join", name, absl::StrCat("bot ", bot)));
  if (!joined.ok()) return joined.status();
  loop_->Changed(*competition);
  return WholeViewOf(name);
}

absl::StatusOr<CompetitionView> Competitions::Leave(absl::string_view name, absl::string_view bot,
                                                    absl::string_view who) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->state == CompetitionState::kFinished) {
    return CompetitionInState(name, store::StateName(competition->state), "leave");
  }
  const std::string reason = who == bot ? "it left" : absl::StrCat("taken out by ", who);
  const absl::StatusOr<store::Entrant> left =
      options_.store->TakeOut(competition->id, bot, store::Presence::kWithdrawn, reason,
                              Audit(who, "competition.leave", name, absl::StrCat("bot ", bot)));
  if (!left.ok()) return left.status();
  loop_->Changed(*competition);
  return WholeViewOf(name);
}

// --- Reading ---

absl::StatusOr<TestView> Competitions::TestViewOf(const store::Competition& competition) const {
  std::vector<std::string> names = competition.spec.entrants;
  if (names.empty()) {
    const auto entrants = options_.store->ReadEntrants(competition.id);
    if (!entrants.ok()) return entrants.status();
    for (const store::Entrant& entrant : *entrants) names.push_back(entrant.name);
  }
  const auto pairs = options_.store->ReadPairTotals(competition.id);
  if (!pairs.ok()) return pairs.status();
  TestView test{names.at(0), names.at(1), store::SprtOf(competition.spec, *pairs)};
  for (const store::PairTotal& pair : *pairs) test.draws += pair.draws;
  return test;
}

absl::StatusOr<CompetitionView> Competitions::ViewOf(store::Competition competition) const {
  CompetitionView view;
  if (competition.spec.format == schedule::Format::kTest) {
    absl::StatusOr<TestView> test = TestViewOf(competition);
    if (!test.ok()) return test.status();
    view.test = *std::move(test);
  }
  absl::optional<Planner::Progress> progress = loop_->progress(competition.id);
  if (competition.state == CompetitionState::kFinished) {
    if (competition.spec.format != schedule::Format::kLadder) view.blocks_left = 0;
  } else if (competition.state != CompetitionState::kNew && progress.has_value()) {
    view.blocks_running = progress->blocks_running;
    view.blocks_left = progress->blocks_left;
    view.blocks_lately = progress->blocks_lately;
    view.waits_for = std::move(progress->waits_for);
  }
  view.competition = std::move(competition);
  return view;
}

absl::StatusOr<CompetitionView> Competitions::WholeViewOf(store::Competition competition) const {
  const absl::StatusOr<absl::optional<schedule::Evenness>> evenness = evenness_.Of(competition);
  if (!evenness.ok()) return evenness.status();
  absl::StatusOr<CompetitionView> view = ViewOf(std::move(competition));
  if (view.ok()) view->evenness = *evenness;
  return view;
}

absl::StatusOr<CompetitionView> Competitions::WholeViewOf(absl::string_view name) const {
  absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  return WholeViewOf(*std::move(competition));
}

absl::StatusOr<CompetitionView> Competitions::GetOf(store::Competition competition) const {
  absl::StatusOr<std::vector<std::string>> positions =
      options_.store->ReadPositions(competition.id);
  if (!positions.ok()) return positions.status();
  competition.spec.positions = *std::move(positions);
  return WholeViewOf(std::move(competition));
}

absl::StatusOr<CompetitionView> Competitions::Get(absl::string_view name) const {
  absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  return GetOf(*std::move(competition));
}

absl::StatusOr<CompetitionView> Competitions::Get(const store::CompetitionId& id) const {
  absl::StatusOr<store::Competition> competition = options_.store->GetCompetition(id);
  if (!competition.ok()) return competition.status();
  return GetOf(*std::move(competition));
}

absl::StatusOr<CompetitionPage> Competitions::List(const store::CompetitionId& before, int limit,
                                                   absl::optional<schedule::Format> format) const {
  limit = PageSize(limit);
  // Of one format, more are looked at than fit on a page.
  const int looked_at = format.has_value() ? limits::kMaxPageSize : limit;
  absl::StatusOr<std::vector<store::Competition>> found =
      options_.store->ListCompetitions(before, looked_at + 1);
  if (!found.ok()) return found.status();
  CompetitionPage page;
  if (found->size() > static_cast<size_t>(looked_at)) {
    found->pop_back();
    page.next = found->back().id;
  }
  for (store::Competition& competition : *found) {
    if (format.has_value() && competition.spec.format != *format) continue;
    if (page.competitions.size() == static_cast<size_t>(limit)) {
      page.next = page.competitions.back().competition.id;
      break;
    }
    absl::StatusOr<CompetitionView> view = ViewOf(std::move(competition));
    if (!view.ok()) return view.status();
    page.competitions.push_back(*std::move(view));
  }
  return page;
}

absl::StatusOr<StandingsView> Competitions::Standings(absl::string_view name, int season) const {
  absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  return StandingsOf(*std::move(competition), season);
}

absl::StatusOr<StandingsView> Competitions::Standings(const store::CompetitionId& id) const {
  absl::StatusOr<store::Competition> competition = options_.store->GetCompetition(id);
  if (!competition.ok()) return competition.status();
  return StandingsOf(*std::move(competition), 0);
}

absl::StatusOr<StandingsView> Competitions::StandingsOf(store::Competition competition,
                                                        int asked) const {
  const absl::StatusOr<int> season = SeasonOf(competition, asked);
  if (!season.ok()) return season.status();
  absl::StatusOr<std::vector<store::Entrant>> entrants =
      options_.store->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  std::vector<schedule::ScoreLine> scores;
  if (const auto now = loop_->Scores(competition.id); now.has_value() && !now->empty()) {
    scores = *now;
  } else {
    absl::StatusOr<std::vector<schedule::ScoreLine>> read =
        standings_.ReadScores(competition, *entrants);
    if (!read.ok()) return read.status();
    scores = *std::move(read);
  }
  absl::StatusOr<std::vector<Standing>> standings =
      standings_.Make(competition, *std::move(entrants), scores, *season);
  if (!standings.ok()) return standings.status();
  if (host_ != nullptr) AddPresence(*host_, competition.spec, &*standings);
  absl::StatusOr<CompetitionView> view = WholeViewOf(std::move(competition));
  if (!view.ok()) return view.status();
  return StandingsView{*std::move(view), *std::move(standings), *season};
}

absl::StatusOr<BlockPage> Competitions::Blocks(absl::string_view name, absl::string_view bot,
                                               int64_t from, int limit) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  BlockPage page;
  page.entrants = competition->spec.entrants;
  page.labels = competition->labels;
  const store::CompetitionId& id = competition->id;
  absl::StatusOr<std::vector<store::Block>> blocks;
  if (bot.empty()) {
    blocks = options_.store->ListBlocks(id, from, limit + 1, absl::nullopt);
  } else {
    const absl::StatusOr<std::vector<int>> numbers = NumbersOf(*competition, bot, 0);
    if (!numbers.ok()) return numbers.status();
    blocks = BlocksOf(options_.store, id, *numbers, from, limit + 1);
  }
  if (!blocks.ok()) return blocks.status();
  if (blocks->size() > static_cast<size_t>(limit)) {
    page.next = blocks->back().number;
    blocks->pop_back();
  }
  page.blocks = *std::move(blocks);
  return page;
}

absl::StatusOr<PairPage> Competitions::Pairs(absl::string_view name, absl::string_view bot,
                                             std::pair<int, int> from, int limit, int asked) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.seats != 2) return NoPairs(name, competition->spec.seats);
  const std::vector<store::EntrantLabel>& labels = competition->labels;
  const bool goes_on = from != std::pair<int, int>() && from.first >= 0 &&
                       static_cast<size_t>(from.first) < labels.size();
  if (asked == 0 && goes_on) asked = labels[static_cast<size_t>(from.first)].season;
  const absl::StatusOr<int> season = SeasonOf(*competition, asked);
  if (!season.ok()) return season.status();
  const SeasonRange range = RangeOf(*competition, *season);
  from = std::max(from, std::pair(range.first, 0));
  absl::StatusOr<std::vector<int>> bots = std::vector<int>();
  if (!bot.empty()) bots = NumbersOf(*competition, bot, *season);
  if (!bots.ok()) return bots.status();
  const store::CompetitionId& id = competition->id;
  absl::StatusOr<std::vector<store::PairTotal>> totals =
      bot.empty() ? options_.store->ListPairTotals(id, from, limit + 1, absl::nullopt)
                  : PairsOf(options_.store, id, *bots, from, limit + 1);
  if (!totals.ok()) return totals.status();
  while (!totals->empty() && totals->back().low >= range.end) totals->pop_back();
  PairPage page;
  page.entrants = competition->spec.entrants;
  page.labels = labels;
  page.season = *season;
  if (totals->size() > static_cast<size_t>(limit)) {
    page.next.emplace(totals->back().low, totals->back().high);
    totals->pop_back();
  }
  for (const store::PairTotal& total : *totals) {
    const bool is_high = std::binary_search(bots->begin(), bots->end(), total.high);
    page.pairs.push_back(ResultOf(total, is_high ? total.high : total.low));
  }
  return page;
}

absl::StatusOr<RoundPage> Competitions::Rounds(absl::string_view name, int round, size_t from,
                                               int limit) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (absl::Status has = CheckHasRounds(*competition); !has.ok()) return has;
  const RoundsNow now = {
      loop_->changes(competition->id), [this, &competition] {
        return loop_->Pairings(competition->id).value_or(std::vector<schedule::RoundPairing>());
      }};
  const auto read = rounds_.Of(*competition, now, from > 0);
  if (!read.ok()) return read.status();
  const std::vector<schedule::RoundPairing>& pairings = **read;
  RoundPage page;
  page.entrants = competition->spec.entrants;
  for (size_t i = from; i < pairings.size(); ++i) {
    if (round > 0 && pairings[i].round != round) continue;
    if (page.lines.size() == static_cast<size_t>(limit)) {
      page.next = i;
      break;
    }
    absl::StatusOr<RoundLine> line = ReadRoundLine(options_.store, competition->id, pairings[i]);
    if (!line.ok()) return line.status();
    page.lines.push_back(*std::move(line));
  }
  return page;
}

absl::StatusOr<TestPointPage> Competitions::TestPoints(absl::string_view name,
                                                       const TestCursor& from, int64_t every,
                                                       int limit) const {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kTest) {
    return NotATest(name, schedule::FormatName(competition->spec.format));
  }
  return ReadTestPoints(options_.store, *competition, from, std::max<int64_t>(every, 1),
                        PageSize(limit));
}

absl::StatusOr<Competitions::Watched> Competitions::Watch(absl::string_view name,
                                                          std::function<void()> changed) {
  const absl::StatusOr<store::Competition> competition = options_.store->FindCompetition(name);
  if (!competition.ok()) return competition.status();
  const absl::StatusOr<WatchId> watch = loop_->Watch(competition->id, std::move(changed));
  if (!watch.ok()) return watch.status();
  return Watched{*watch, competition->id};
}

void Competitions::Unwatch(WatchId id) { loop_->Unwatch(id); }

}  // namespace referee::competition
