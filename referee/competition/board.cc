#include "referee/competition/board.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"

namespace referee::competition {

absl::Status OnlyALadderHasSeasons(const schedule::Spec& spec) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(spec.name), ": is a ",
                                                    schedule::FormatName(spec.format),
                                                    "; only a ladder has seasons"));
}

namespace {

int PageSize(int limit) { return std::clamp(limit, 1, limits::kMaxPageSize); }

// Sets for each bot whether it is connected and, if it is in, why it cannot play.
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

// Returns the entrants of the bot, by number; with `season` other than 0, only of that season.
// Returns NotFound if the bot has no entrant in any season.
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

// Returns the requested season, where 0 is the current one; or NotFound.
absl::StatusOr<int> SeasonOf(const store::Competition& competition, int asked) {
  if (asked == 0) return competition.season;
  if (asked > 1 && competition.spec.format != schedule::Format::kLadder) {
    return OnlyALadderHasSeasons(competition.spec);
  }
  if (asked < 0 || asked > competition.season) {
    return absl::NotFoundError(absl::StrCat("competition ", Quoted(competition.spec.name),
                                            ": has no season ", asked,
                                            "; it has had those from 1 to ", competition.season));
  }
  return asked;
}

// `known`: the number of rounds that are paired.
absl::Status NoSuchRound(const store::Competition& competition, int round, int known) {
  const schedule::Spec& spec = competition.spec;
  const bool swiss = spec.format == schedule::Format::kSwiss;
  const int total = swiss ? std::max(known, schedule::Rounds(spec)) : known;
  const std::string rounds = absl::StrCat(total, total == 1 ? " round" : " rounds");
  return absl::NotFoundError(absl::StrCat(
      "competition ", Quoted(spec.name), ": ",
      round > total ? absl::StrCat("has no round ", round, "; it has ", rounds)
                    : absl::StrCat("round ", round, " is not paired yet; only ", known, " of ",
                                   rounds, known == 1 ? " is" : " are", " paired")));
}

// The entrants of a season have the numbers from `first` up to `end`, exclusive: each season begins
// with new entrants.
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

// Merges the items of all `bots` in the order of `key`, up to `limit`. read(bot, from, count)
// returns at most `count` items from key `from` on. Reads little more than it returns.
template <typename Item, typename Key, typename Read, typename KeyOf, typename Next>
absl::StatusOr<std::vector<Item>> Merge(const std::vector<int>& bots, const Key& from, int limit,
                                        const Read& read, const KeyOf& key, const Next& after) {
  struct Source {
    std::vector<Item> items;  // not merged yet, the next one last
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

// Returns the blocks of all these entrants from number `from` up; with `newest_first`, below it and
// in falling order.
absl::StatusOr<std::vector<store::Block>> BlocksOf(store::CompetitionReader* store,
                                                   const store::CompetitionId& id,
                                                   const std::vector<int>& bots, int64_t from,
                                                   int limit, bool newest_first) {
  const int64_t sign = newest_first ? -1 : 1;  // makes keys ascend
  return Merge<store::Block>(
      bots, newest_first ? 1 - from : from, limit,
      [&](int bot, int64_t start, int count) {
        return newest_first ? store->ListBlocksBelow(id, 1 - start, count, bot)
                            : store->ListBlocks(id, start, count, bot);
      },
      [sign](const store::Block& block) { return sign * block.number; },
      [](int64_t key) { return key + 1; });
}

// Returns the pairs of all these entrants. REQUIRES: no two of them have met.
absl::StatusOr<std::vector<store::PairTotal>> PairsOf(store::CompetitionReader* store,
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

}  // namespace

Board::Board(store::CompetitionReader* store, const CompetitionLoop* loop, const Clock* clock,
             ToldStore* lagging)
    : store_(*store),
      lagging_(lagging),
      loop_(*loop),
      standings_(store, clock),
      rounds_(store, clock),
      ratings_(store) {}

absl::StatusOr<TestView> Board::TestViewOf(const store::Competition& competition) const {
  const auto entrants = store_.ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  const auto pairs = store_.ReadPairTotals(competition.id);
  if (!pairs.ok()) return pairs.status();
  TestView test{entrants->at(0).name, entrants->at(1).name,
                store::SprtOf(competition.spec, *pairs)};
  for (const store::Entrant& entrant : *entrants) {
    if (entrant.presence != store::Presence::kIn) test.out.push_back(OutText(entrant));
  }
  for (const store::PairTotal& pair : *pairs) test.draws += pair.draws;
  return test;
}

absl::StatusOr<CompetitionView> Board::ViewOf(store::Competition competition) const {
  CompetitionView view;
  if (competition.spec.format == schedule::Format::kTest) {
    absl::StatusOr<TestView> test = TestViewOf(competition);
    if (!test.ok()) return test.status();
    view.test = *std::move(test);
  }
  view.competition = std::move(competition);
  if (view.competition.state == store::CompetitionState::kFinished) {
    const bool ends = view.competition.spec.format != schedule::Format::kLadder;
    if (ends) view.blocks_left = 0;
  } else if (view.competition.state != store::CompetitionState::kNew) {
    AddProgress(&view);
  }
  if (lagging_ == nullptr) return view;
  if (absl::Status added = AddToldProgress(&view); !added.ok()) return added;
  return view;
}

void Board::AddProgress(CompetitionView* view) const {
  absl::optional<Progress> progress = loop_.progress(view->competition.id);
  if (!progress.has_value()) return;
  view->blocks_running = progress->blocks_running;
  view->blocks_left = progress->blocks_left;
  view->blocks_lately = progress->blocks_lately;
  view->waits_for = std::move(progress->waits_for);
}

absl::Status Board::AddToldProgress(CompetitionView* view) const {
  if (view->competition.spec.watch_delay == absl::ZeroDuration()) return absl::OkStatus();
  const absl::StatusOr<ToldStore::Lag> lag = lagging_->LagOf(view->competition.id);
  if (!lag.ok()) return lag.status();
  view->lags = !lag->whole;
  if (lag->whole) return absl::OkStatus();
  view->blocks_running = lag->blocks_running;
  if (view->blocks_left.has_value()) *view->blocks_left += lag->blocks_untold;
  view->waits_for.clear();  // it would reveal withheld results
  return absl::OkStatus();
}

absl::StatusOr<CompetitionView> Board::WholeViewOf(
    absl::StatusOr<store::Competition> competition) const {
  if (!competition.ok()) return competition.status();
  const absl::StatusOr<absl::optional<schedule::Evenness>> evenness =
      rounds_.Evenness(*competition);
  if (!evenness.ok()) return evenness.status();
  absl::StatusOr<CompetitionView> view = ViewOf(*std::move(competition));
  if (view.ok()) view->evenness = *evenness;
  return view;
}

absl::StatusOr<CompetitionView> Board::GetOf(absl::StatusOr<store::Competition> competition) const {
  if (!competition.ok()) return competition.status();
  absl::StatusOr<std::vector<std::string>> positions = store_.ReadPositions(competition->id);
  if (!positions.ok()) return positions.status();
  competition->spec.positions = *std::move(positions);
  return WholeViewOf(std::move(competition));
}

absl::StatusOr<CompetitionPage> Board::List(const store::CompetitionId& before, int limit,
                                            absl::optional<schedule::Format> format,
                                            absl::string_view bot) const {
  limit = PageSize(limit);
  // With `format`, reads more rows than fit on a page.
  const int looked_at = format.has_value() ? limits::kMaxPageSize : limit;
  absl::StatusOr<std::vector<store::Competition>> found =
      bot.empty() ? store_.ListCompetitions(before, looked_at + 1)
                  : store_.ListCompetitionsOf(bot, before, looked_at + 1);
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

absl::StatusOr<std::vector<schedule::ScoreLine>> Board::ScoresOf(
    const store::Competition& competition, const std::vector<store::Entrant>& entrants) const {
  if (lagging_ == nullptr) {
    std::vector<schedule::ScoreLine> now;
    loop_.ReadSchedule(competition.id,
                       [&](const schedule::Schedule& schedule) { now = schedule.Scores(); });
    if (!now.empty()) return now;
  }
  return standings_.ReadScores(competition, entrants);
}

absl::StatusOr<StandingsView> Board::StandingsOf(absl::StatusOr<store::Competition> row,
                                                 int asked) const {
  if (!row.ok()) return row.status();
  store::Competition& competition = *row;
  const absl::StatusOr<int> season = SeasonOf(competition, asked);
  if (!season.ok()) return season.status();
  absl::StatusOr<std::vector<store::Entrant>> entrants = store_.ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  const absl::StatusOr<std::vector<schedule::ScoreLine>> scores = ScoresOf(competition, *entrants);
  if (!scores.ok()) return scores.status();
  absl::StatusOr<std::vector<Standing>> standings =
      standings_.Make(competition, *std::move(entrants), *scores, *season);
  if (!standings.ok()) return standings.status();
  if (const host::Host* const host = host_.load(std::memory_order_acquire); host != nullptr) {
    AddPresence(*host, competition.spec, &*standings);
  }
  absl::StatusOr<CompetitionView> view = WholeViewOf(std::move(competition));
  if (!view.ok()) return view.status();
  return StandingsView{*std::move(view), *std::move(standings), *season};
}

absl::StatusOr<BlockPage> Board::Blocks(absl::string_view name, absl::string_view bot, int64_t from,
                                        int limit, BlockOrder order) const {
  const bool newest_first = order == BlockOrder::kNewestFirst;
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = store_.FindCompetition(name);
  if (!competition.ok()) return competition.status();
  BlockPage page;
  page.entrants = competition->spec.entrants;
  page.labels = competition->labels;
  const store::CompetitionId& id = competition->id;
  absl::StatusOr<std::vector<store::Block>> blocks;
  if (bot.empty()) {
    blocks = newest_first ? store_.ListBlocksBelow(id, from, limit + 1, absl::nullopt)
                          : store_.ListBlocks(id, from, limit + 1, absl::nullopt);
  } else {
    const absl::StatusOr<std::vector<int>> numbers = NumbersOf(*competition, bot, 0);
    if (!numbers.ok()) return numbers.status();
    blocks = BlocksOf(&store_, id, *numbers, from, limit + 1, newest_first);
  }
  if (!blocks.ok()) return blocks.status();
  if (blocks->size() > static_cast<size_t>(limit)) {
    const int64_t next = blocks->back().number;
    blocks->pop_back();
    page.next = newest_first ? next + 1 : next;
  }
  page.blocks = *std::move(blocks);
  return page;
}

absl::StatusOr<PairPage> Board::Pairs(absl::string_view name, absl::string_view bot,
                                      std::pair<int, int> from, int limit, int asked) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = store_.FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.seats != 2) {
    return absl::FailedPreconditionError(
        absl::StrCat("competition ", Quoted(name), ": its matches have ", competition->spec.seats,
                     " seats, and pairs are counted where they have 2; its blocks have the results "
                     "of all ('refctl competition blocks')"));
  }
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
      bot.empty() ? store_.ListPairTotals(id, from, limit + 1, absl::nullopt)
                  : PairsOf(&store_, id, *bots, from, limit + 1);
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

absl::StatusOr<RoundPage> Board::Rounds(absl::string_view name, int round, size_t from,
                                        int limit) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = store_.FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (absl::Status has = CheckHasRounds(*competition); !has.ok()) return has;
  RoundsNow now;
  if (lagging_ == nullptr) {
    if (const auto progress = loop_.progress(competition->id)) now.changes = progress->changes;
    now.pairings = [this, &competition] {
      std::vector<schedule::RoundPairing> pairings;
      loop_.ReadSchedule(competition->id, [&](const schedule::Schedule& schedule) {
        pairings = schedule.Pairings();
      });
      return pairings;
    };
  }
  const auto read = rounds_.Of(*competition, now, from > 0);
  if (!read.ok()) return read.status();
  const std::vector<schedule::RoundPairing>& pairings = **read;
  const int known = pairings.empty() ? 0 : pairings.back().round;
  if (round > known) return NoSuchRound(*competition, round, known);
  RoundPage page;
  page.entrants = competition->spec.entrants;
  for (size_t i = from; i < pairings.size(); ++i) {
    if (round > 0 && pairings[i].round != round) continue;
    if (page.lines.size() == static_cast<size_t>(limit)) {
      page.next = i;
      break;
    }
    absl::StatusOr<RoundLine> line = ReadRoundLine(&store_, competition->id, pairings[i]);
    if (!line.ok()) return line.status();
    page.lines.push_back(*std::move(line));
  }
  return page;
}

absl::StatusOr<RatingPage> Board::Ratings(absl::string_view name, absl::string_view bot, int from,
                                          int limit, int asked) const {
  limit = PageSize(limit);
  const absl::StatusOr<store::Competition> competition = store_.FindCompetition(name);
  if (!competition.ok()) return competition.status();
  const absl::StatusOr<int> season = SeasonOf(*competition, asked);
  if (!season.ok()) return season.status();
  absl::StatusOr<std::vector<int>> numbers = std::vector<int>();
  if (!bot.empty()) numbers = NumbersOf(*competition, bot, *season);
  if (!numbers.ok()) return numbers.status();
  const SeasonRange range = RangeOf(*competition, *season);
  for (int i = range.first; bot.empty() && i < range.end; ++i) numbers->push_back(i);
  numbers->erase(numbers->begin(), std::lower_bound(numbers->begin(), numbers->end(), from));
  RatingPage page;
  page.season = *season;
  if (numbers->size() > static_cast<size_t>(limit)) {
    page.next = (*numbers)[static_cast<size_t>(limit)];
    numbers->resize(static_cast<size_t>(limit));
  }
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store_.ReadEntrants(competition->id);
  if (!entrants.ok()) return entrants.status();
  const absl::StatusOr<std::vector<schedule::ScoreLine>> scores = ScoresOf(*competition, *entrants);
  if (!scores.ok()) return scores.status();
  const absl::StatusOr<SeasonStrengths> now =
      standings_.Strengths(*competition, *entrants, *scores, *season);
  if (!now.ok()) return now.status();
  absl::StatusOr<std::vector<std::vector<RatingPoint>>> points =
      ratings_.Of(*competition, *numbers, *now);
  if (!points.ok()) return points.status();
  for (size_t i = 0; i < numbers->size(); ++i) {
    const auto number = static_cast<size_t>((*numbers)[i]);
    page.histories.push_back({competition->spec.entrants[number],
                              competition->labels[number].version, std::move((*points)[i])});
  }
  return page;
}

absl::StatusOr<TestPointPage> Board::TestPoints(absl::string_view name, const TestCursor& from,
                                                int64_t every, int limit) const {
  const absl::StatusOr<store::Competition> competition = store_.FindCompetition(name);
  if (!competition.ok()) return competition.status();
  if (competition->spec.format != schedule::Format::kTest) {
    return absl::FailedPreconditionError(absl::StrCat(
        "competition ", Quoted(name), ": is a ", schedule::FormatName(competition->spec.format),
        ", which has no log-likelihood ratio; tests have one"));
  }
  return ReadTestPoints(&store_, *competition, from, std::max<int64_t>(every, 1), PageSize(limit));
}

}  // namespace referee::competition
