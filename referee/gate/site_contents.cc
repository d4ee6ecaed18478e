#include "referee/gate/site_contents.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "referee/gate/json.h"

namespace referee::gate {
namespace {

// Encodes like JavaScript's encodeURIComponent.
std::string Encoded(absl::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(byte) || absl::string_view("-_.!~*'()").find(c) != name.npos) {
      out += c;
    } else {
      absl::StrAppendFormat(&out, "%%%02X", byte);
    }
  }
  return out;
}

// A route below /api/v1/, as the pages request it.
std::string RouteOf(absl::string_view competition, absl::string_view rest) {
  return absl::StrCat("competitions/", Encoded(competition), "/", rest);
}

// The data of a page: Held of gate.ts.
class Page {
 public:
  Page(const std::string& title, const std::string& name, const std::set<std::string>& has_page)
      : has_page_(has_page), head_{{"title", title}, {"name", name}, {"leftOut", 0}} {
    head_["replays"] = nlohmann::json::array();
  }

  void Add(const std::string& route, const google::protobuf::Message& answer) {
    answers_[route] = ToJson(answer);
  }
  // `query` is appended to the routes, after the order.
  void AddBlocks(const NewestBlocks& newest, absl::string_view query) {
    std::map<std::string, v1::ListBlocksResponse> answers;  // by competition
    for (const auto& [id, kept] : newest.blocks()) {
      *answers[kept.competition].add_blocks() = *kept.block;
      for (const std::string& match : kept.matches) {
        if (has_page_.count(match) > 0) head_["replays"].push_back(match);
      }
    }
    for (const auto& [competition, answer] : answers) {
      Add(RouteOf(competition, absl::StrCat("blocks?order=newest", query)), answer);
    }
    head_["leftOut"] = newest.left_out();
  }
  bool Has(const std::string& route) const { return answers_.count(route) > 0; }

  std::string Data() const {
    // Needs no escaping: routes are percent-encoded, and answers are already JSON.
    const auto add = [](std::string* out, const std::pair<const std::string, std::string>& one) {
      absl::StrAppend(out, "\"", one.first, "\":", one.second);
    };
    std::string data = head_.dump();
    data.pop_back();
    return absl::StrCat(data, ",\"answers\":{", absl::StrJoin(answers_, ",", add), "}}");
  }

 private:
  const std::set<std::string>& has_page_;
  nlohmann::ordered_json head_;
  std::map<std::string, std::string> answers_;  // by route
};

// Removes fields that change from moment to moment, or that no page shows.
void Trim(v1::Competition* competition) {
  competition->clear_blocks_lately();
  competition->clear_lately();
  competition->clear_evenness();
  v1::CompetitionSpec* const spec = competition->mutable_spec();
  spec->clear_positions();
  spec->clear_entrants();
  competition->clear_entrant_versions();
  // The options may be files, while pages show only the name of the game.
  v1::GameOptions* const options = spec->mutable_options();
  if (options->has_hypnosia()) options->mutable_hypnosia()->Clear();
  if (options->has_isaac()) options->mutable_isaac()->Clear();
  if (options->has_general()) options->mutable_general()->clear_options();
}

// Removes such fields from a block. Also removes running matches, which have no page.
void Trim(v1::Block* block) {
  auto* const matches = block->mutable_matches();
  const bool running = block->state() == v1::BLOCK_STATE_RUNNING;
  matches->erase(std::remove_if(matches->begin(), matches->end(),
                                [running](const v1::BlockMatch& match) {
                                  return running && match.ranks_size() == 0;
                                }),
                 matches->end());
  for (v1::BlockMatch& match : *matches) match.clear_times();
  for (v1::BlockAttempt& attempt : *block->mutable_attempts()) {
    for (v1::BlockMatch& match : *attempt.mutable_matches()) match.clear_times();
  }
}

// Calls `take` with each match, also with the matches of failed attempts.
template <typename Take>
void ForEachMatch(const v1::Block& block, const Take& take) {
  const auto take_all = [&take](const auto& matches) {
    for (const v1::BlockMatch& match : matches) {
      if (!match.match_id().empty()) take(match);
    }
  };
  take_all(block.matches());
  for (const v1::BlockAttempt& attempt : block.attempts()) take_all(attempt.matches());
}

// Adds the ratings of a bot, in all of its versions.
void AddRatings(const std::string& bot, const PublishedCompetition& competition, Page* page) {
  v1::ListRatingHistoriesResponse answer;
  for (const v1::RatingHistory& history : competition.ratings.histories()) {
    if (history.bot() == bot) *answer.add_histories() = history;
  }
  page->Add(RouteOf(competition.name(), absl::StrCat("ratings?bot=", Encoded(bot))), answer);
}

// The blocks of the last round that has blocks: for a knockout, the final.
std::set<uint64_t> BlocksOfLastRound(const v1::ListRoundsResponse& rounds) {
  uint32_t last = 0;
  for (const v1::RoundPairing& pairing : rounds.pairings()) {
    if (pairing.blocks_size() > 0) last = std::max(last, pairing.round());
  }
  std::set<uint64_t> blocks;
  for (const v1::RoundPairing& pairing : rounds.pairings()) {
    if (pairing.round() == last) blocks.insert(pairing.blocks().begin(), pairing.blocks().end());
  }
  return blocks;
}

void AddCompetition(const PublishedCompetition& competition, Page* page) {
  const std::string& name = competition.name();
  page->Add(RouteOf(name, "standings"), competition.table);
  page->Add(RouteOf(name, "pairs"), competition.pairs);
  page->Add(RouteOf(name, "rounds"), competition.rounds);
  std::set<std::string> drawn;
  for (const v1::Standing& standing : competition.table.standings()) {
    if (drawn.size() == SiteContents::kDrawnBots) break;
    if (drawn.insert(standing.bot()).second) AddRatings(standing.bot(), competition, page);
  }
}

// Adds the part of a competition that the bot's page shows. Returns false if the bot is not in it.
bool AddEntry(const std::string& bot, const PublishedCompetition& competition, Page* page) {
  const std::string& name = competition.name();
  const std::string encoded = Encoded(bot);
  v1::GetStandingsResponse table;
  for (const v1::Standing& standing : competition.table.standings()) {
    if (standing.bot() == bot) *table.add_standings() = standing;
  }
  const std::string blocks = RouteOf(name, absl::StrCat("blocks?order=newest&bot=", encoded));
  if (table.standings().empty() && !page->Has(blocks)) return false;
  v1::ListPairsResponse pairs;
  for (const v1::PairTotal& pair : competition.pairs.pairs()) {
    if (pair.bot() == bot || pair.opponent() == bot) *pairs.add_pairs() = pair;
  }
  page->Add(RouteOf(name, "standings"), table);
  page->Add(RouteOf(name, absl::StrCat("pairs?bot=", encoded)), pairs);
  AddRatings(bot, competition, page);
  return true;
}

}  // namespace

void NewestBlocks::Add(const Kept& block) {
  const std::string& newest = *std::max_element(block.matches.begin(), block.matches.end());
  if (!blocks_.try_emplace(newest, block).second) return;  // known already: a bot with two seats
  matches_ += block.matches.size();
  while (true) {
    const auto oldest = std::prev(blocks_.end());
    const size_t matches = oldest->second.matches.size();
    if (matches_ - matches < most_) return;
    matches_ -= matches;
    left_out_ += matches;
    blocks_.erase(oldest);
  }
}

SiteContents::SiteContents(std::string title, size_t replays)
    : title_(std::move(title)), replays_(replays), archive_(kArchivedMatches) {}

void SiteContents::Begin(PublishedCompetition competition) {
  Trim(competition.table.mutable_competition());
  for (v1::Standing& standing : *competition.table.mutable_standings()) {
    standing.clear_connected();
    by_bot_.try_emplace(standing.bot(), kShownMatches);
  }
  competitions_.emplace_back();
  competitions_.back().last_round = BlocksOfLastRound(competition.rounds);
  competitions_.back().data = std::move(competition);
}

void SiteContents::AddReplays(const NewestBlocks::Kept& kept, Added* added) const {
  if (replays_ == 0) return;
  const v1::Block& block = *kept.block;
  const v1::Competition& competition = added->data.table.competition();
  const bool is_test = competition.spec().format() == v1::COMPETITION_FORMAT_TEST;
  // The last played block decides a test.
  const bool is_last = is_test ? block.state() == v1::BLOCK_STATE_PLAYED
                               : added->last_round.count(block.number()) > 0;
  const bool decides = is_last && competition.state() == v1::COMPETITION_STATE_FINISHED;
  if (is_test && decides) added->deciding.clear();
  ForEachMatch(block, [&](const v1::BlockMatch& match) {
    if (decides && match.ranks_size() > 0) added->deciding.insert(match.match_id());
    added->newest.insert(match.match_id());
    if (added->newest.size() > replays_) added->newest.erase(std::prev(added->newest.end()));
  });
}

std::vector<std::string> SiteContents::Replays() const {
  std::set<std::string, std::greater<>> all;
  for (const Added& added : competitions_) {
    all.insert(added.newest.begin(), added.newest.end());
    all.insert(added.deciding.begin(), added.deciding.end());
  }
  return std::vector<std::string>(all.begin(), all.end());
}

void SiteContents::Add(v1::Block block) {
  Added& added = competitions_.back();
  Trim(&block);
  NewestBlocks::Kept kept{added.data.name(), std::make_shared<v1::Block>(std::move(block)), {}};
  ForEachMatch(*kept.block,
               [&kept](const auto& match) { kept.matches.push_back(match.match_id()); });
  if (kept.matches.empty()) return;
  AddReplays(kept, &added);
  added.blocks.Add(kept);
  archive_.Add(kept);
  for (const std::string& bot : kept.block->bots()) {
    by_bot_.try_emplace(bot, kShownMatches).first->second.Add(kept);
  }
}

void SiteContents::ForEachPage(const std::set<std::string>& has_page, const Take& take) const {
  v1::ListCompetitionsResponse all;
  v1::ListCompetitionsResponse names;
  for (const Added& added : competitions_) {
    *all.add_competitions() = added.data.table.competition();
    names.add_competitions()->mutable_spec()->set_name(added.data.name());
    Page page(title_, added.data.name(), has_page);
    AddCompetition(added.data, &page);
    page.AddBlocks(added.blocks, "");
    take(view::CompetitionPath(added.data.name()), view::SiteKind::kCompetition, page.Data());
  }
  for (const auto& [bot, blocks] : by_bot_) {
    Page page(title_, bot, has_page);
    const std::string query = absl::StrCat("bot=", Encoded(bot));
    page.AddBlocks(blocks, absl::StrCat("&", query));
    v1::ListCompetitionsResponse entered;
    for (const Added& added : competitions_) {
      if (!AddEntry(bot, added.data, &page)) continue;
      const v1::Competition& competition = added.data.table.competition();
      v1::Competition* const shown = entered.add_competitions();
      shown->set_state(competition.state());
      shown->mutable_spec()->set_name(added.data.name());
      shown->mutable_spec()->set_format(competition.spec().format());
    }
    page.Add(absl::StrCat("competitions?", query), entered);
    take(view::BotPath(bot), view::SiteKind::kBot, page.Data());
  }
  Page archive(title_, "", has_page);
  archive.Add("competitions", names);
  archive.AddBlocks(archive_, "");
  take(view::ArchivePath(), view::SiteKind::kArchive, archive.Data());
  Page index(title_, "", has_page);
  index.Add("competitions", all);
  // Last, because it links to all other pages.
  take(view::IndexPath(), view::SiteKind::kIndex, index.Data());
}

}  // namespace referee::gate
