#include "referee/view/site_contents.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "referee/base/rotation.h"
#include "referee/view/site_page.h"

namespace referee::view {
namespace {

v1::SiteMatch MatchOf(const v1::Block& block, const v1::BlockMatch& played,
                      const std::string& competition) {
  v1::SiteMatch match;
  match.set_match_id(played.match_id());
  match.set_competition(competition);
  const int seats = block.bots_size();
  for (int seat = 0; seat < seats; ++seat) {
    const auto rotation = static_cast<int>(played.rotation() % static_cast<uint32_t>(seats));
    match.add_bots(block.bots(PlaceOfSeat(seat, rotation, seats)));
  }
  *match.mutable_scores() = played.scores();
  *match.mutable_ranks() = played.ranks();
  *match.mutable_forfeits() = played.forfeits();
  return match;
}

// Without what changes from moment to moment, or no page shows.
void Trim(v1::Competition* competition) {
  competition->clear_blocks_lately();
  competition->clear_lately();
  competition->clear_evenness();
  v1::CompetitionSpec* const spec = competition->mutable_spec();
  spec->clear_positions();
  spec->clear_entrants();
  competition->clear_entrant_versions();
  // The options may be files; pages show the name of the game.
  v1::GameOptions* const options = spec->mutable_options();
  if (options->has_hypnosia()) options->mutable_hypnosia()->Clear();
  if (options->has_isaac()) options->mutable_isaac()->Clear();
  if (options->has_general()) options->mutable_general()->clear_options();
}

// The ratings of a line of the table; null if it has played no block that counts.
const v1::RatingHistory* HistoryOf(const v1::Standing& standing, const v1::SiteCompetition& from) {
  for (const v1::RatingHistory& history : from.histories()) {
    if (history.bot() != standing.bot() || history.version() != standing.version()) continue;
    return history.points().empty() ? nullptr : &history;
  }
  return nullptr;
}

// The pair as `bot` sees it.
v1::PairTotal SeenBy(const std::string& bot, const v1::PairTotal& pair) {
  if (pair.bot() == bot) return pair;
  v1::PairTotal seen = pair;
  seen.set_bot(pair.opponent());
  seen.set_bot_version(pair.opponent_version());
  seen.set_opponent(pair.bot());
  seen.set_opponent_version(pair.bot_version());
  seen.set_wins(pair.losses());
  seen.set_losses(pair.wins());
  seen.set_points(2 * static_cast<double>(pair.blocks()) - pair.points());
  std::reverse(seen.mutable_blocks_by_points()->begin(), seen.mutable_blocks_by_points()->end());
  return seen;
}

// The blocks of the last round that has any: the final of a knockout.
std::set<uint64_t> BlocksOfLastRound(const v1::SiteCompetition& competition) {
  uint32_t last = 0;
  for (const v1::RoundPairing& pairing : competition.pairings()) {
    if (pairing.blocks_size() > 0) last = std::max(last, pairing.round());
  }
  std::set<uint64_t> blocks;
  for (const v1::RoundPairing& pairing : competition.pairings()) {
    if (pairing.round() == last) blocks.insert(pairing.blocks().begin(), pairing.blocks().end());
  }
  return blocks;
}

void CopyMatches(const NewestMatches& from, const std::set<std::string>& has_page,
                 google::protobuf::RepeatedPtrField<v1::SiteMatch>* to) {
  for (const auto& [id, match] : from.matches()) {
    v1::SiteMatch* const added = to->Add();
    *added = match;
    if (has_page.count(id) > 0) added->set_has_page(true);
  }
}

}  // namespace

void NewestMatches::Add(const v1::SiteMatch& match) {
  matches_.insert_or_assign(match.match_id(), match);
  if (matches_.size() <= most_) return;
  matches_.erase(std::prev(matches_.end()));
  ++left_out_;
}

std::vector<v1::SiteMatch> MatchesOf(const v1::Block& block, const std::string& competition) {
  std::vector<v1::SiteMatch> matches;
  for (const v1::BlockMatch& played : block.matches()) {
    if (block.state() == v1::BLOCK_STATE_RUNNING && played.ranks_size() == 0) continue;
    matches.push_back(MatchOf(block, played, competition));
    *matches.back().mutable_end_time() = block.end_time();
    if (block.state() == v1::BLOCK_STATE_VOID && played.ranks_size() == 0) {
      matches.back().set_state(v1::MATCH_STATE_VOID);
    }
  }
  for (const v1::BlockAttempt& attempt : block.attempts()) {
    for (const v1::BlockMatch& played : attempt.matches()) {
      matches.push_back(MatchOf(block, played, competition));
      *matches.back().mutable_end_time() = attempt.end_time();
      if (played.ranks_size() == 0) matches.back().set_state(attempt.state());
    }
  }
  matches.erase(std::remove_if(matches.begin(), matches.end(),
                               [](const v1::SiteMatch& match) { return match.match_id().empty(); }),
                matches.end());
  return matches;
}

SiteContents::SiteContents(std::string title, size_t replays)
    : title_(std::move(title)), replays_(replays), archive_(kArchivedMatches) {}

void SiteContents::Begin(v1::SiteCompetition competition) {
  Trim(competition.mutable_competition());
  for (v1::Standing& standing : *competition.mutable_standings()) {
    standing.clear_connected();
    by_bot_.try_emplace(standing.bot(), kShownMatches);
  }
  competitions_.emplace_back();
  competitions_.back().last_round = BlocksOfLastRound(competition);
  competitions_.back().data = std::move(competition);
}

void SiteContents::AddReplays(const v1::Block& block, const std::vector<v1::SiteMatch>& matches,
                              Added* added) {
  if (replays_ == 0) return;
  const v1::Competition& competition = added->data.competition();
  const bool is_test = competition.spec().format() == v1::COMPETITION_FORMAT_TEST;
  // The last block that counts decides a test.
  const bool is_last = is_test ? block.state() == v1::BLOCK_STATE_PLAYED
                               : added->last_round.count(block.number()) > 0;
  const bool decides = is_last && competition.state() == v1::COMPETITION_STATE_FINISHED;
  if (is_test && decides) added->deciding.clear();
  for (const v1::SiteMatch& match : matches) {
    if (decides && match.ranks_size() > 0) added->deciding.insert(match.match_id());
    added->newest.insert(match.match_id());
    if (added->newest.size() > replays_) added->newest.erase(std::prev(added->newest.end()));
  }
}

std::vector<std::string> SiteContents::Replays() const {
  std::set<std::string, std::greater<>> all;
  for (const Added& added : competitions_) {
    all.insert(added.newest.begin(), added.newest.end());
    all.insert(added.deciding.begin(), added.deciding.end());
  }
  return std::vector<std::string>(all.begin(), all.end());
}

void SiteContents::Add(const v1::Block& block) {
  Added& added = competitions_.back();
  const std::vector<v1::SiteMatch> matches =
      MatchesOf(block, added.data.competition().spec().name());
  AddReplays(block, matches, &added);
  for (const v1::SiteMatch& match : matches) {
    added.matches.Add(match);
    archive_.Add(match);
    for (const std::string& bot : match.bots()) {
      by_bot_.try_emplace(bot, kShownMatches).first->second.Add(match);
    }
  }
}

v1::SitePage SiteContents::NewPage() const {
  v1::SitePage page;
  page.set_title(title_);
  return page;
}

v1::SitePage SiteContents::CompetitionPage(const Added& added,
                                           const std::set<std::string>& has_page) const {
  v1::SitePage page = NewPage();
  v1::SiteCompetition* const shown = page.mutable_competition();
  *shown = added.data;
  shown->clear_histories();
  for (const v1::Standing& standing : added.data.standings()) {
    if (static_cast<size_t>(shown->histories_size()) == kDrawnBots) break;
    if (const v1::RatingHistory* history = HistoryOf(standing, added.data)) {
      *shown->add_histories() = *history;
    }
  }
  CopyMatches(added.matches, has_page, shown->mutable_matches());
  return page;
}

v1::SitePage SiteContents::BotPage(const std::string& bot,
                                   const std::set<std::string>& has_page) const {
  v1::SitePage page = NewPage();
  v1::SiteBot* const shown = page.mutable_bot();
  shown->set_name(bot);
  for (const Added& added : competitions_) {
    v1::SiteEntry entry;
    for (const v1::Standing& standing : added.data.standings()) {
      if (standing.bot() != bot) continue;
      *entry.add_standings() = standing;
      if (const v1::RatingHistory* history = HistoryOf(standing, added.data)) {
        *entry.add_histories() = *history;
      }
    }
    if (entry.standings_size() == 0) continue;
    for (const v1::PairTotal& pair : added.data.pairs()) {
      if (pair.bot() == bot || pair.opponent() == bot) *entry.add_pairs() = SeenBy(bot, pair);
    }
    v1::Competition* const competition = entry.mutable_competition();
    competition->mutable_spec()->set_name(added.data.competition().spec().name());
    competition->mutable_spec()->set_format(added.data.competition().spec().format());
    competition->set_state(added.data.competition().state());
    *shown->add_entries() = std::move(entry);
  }
  CopyMatches(by_bot_.at(bot), has_page, shown->mutable_matches());
  return page;
}

void SiteContents::ForEachPage(
    const std::set<std::string>& has_page,
    const std::function<void(const std::string&, const v1::SitePage&)>& take) const {
  v1::SitePage index = NewPage();
  index.mutable_index();
  for (const Added& added : competitions_) {
    *index.mutable_index()->add_competitions() = added.data.competition();
    take(CompetitionPath(added.data.competition().spec().name()), CompetitionPage(added, has_page));
  }
  for (const auto& [bot, matches] : by_bot_) take(BotPath(bot), BotPage(bot, has_page));
  v1::SitePage archive = NewPage();
  v1::SiteArchive* const shown = archive.mutable_archive();
  CopyMatches(archive_, has_page, shown->mutable_matches());
  shown->set_left_out(archive_.left_out());
  take(ArchivePath(), archive);
  take(IndexPath(), index);  // last: it names all others
}

}  // namespace referee::view
