#include "referee/ctl/competition/blocks_text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "referee/base/rotation.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/table.h"
#include "referee/ctl/terminal/time_text.h"

namespace referee::ctl {
namespace {

constexpr char kNoResult[] = "-";

// The seat in the match of the bot at `place` of the block.
int SeatOf(const v1::Block& block, const v1::BlockMatch& match, int place) {
  const int seats = block.bots_size();
  return SeatOfPlace(place, static_cast<int>(match.rotation() % static_cast<uint32_t>(seats)),
                     seats);
}

// The bot at a place of the block's pairing, with its version.
std::string BotOf(const v1::Block& block, int place) {
  const bool known = place < block.bot_versions_size();
  return BotText(block.bots(place), known ? block.bot_versions(place) : "");
}

// "forfeited by carol", "void: 4 attempts came to nothing, ...", "played, attempt 2".
std::string BlockStateText(const v1::Block& block) {
  std::string text = StateText(block.state());
  if (block.forfeited_by_size() > 0) {
    std::vector<std::string> bots;
    for (const std::string& bot : block.forfeited_by()) bots.push_back(Shown(bot));
    text = absl::StrCat("forfeited by ", absl::StrJoin(bots, ", "));
  } else if (!block.reason().empty()) {
    absl::StrAppend(&text, ": ", Shown(block.reason()));
  }
  if (block.replayed() > 0) absl::StrAppend(&text, ", attempt ", block.replayed() + 1);
  return text;
}

// The score in a seat, with why it forfeited: "-3!TIMEOUT".
std::string ScoreText(const v1::BlockMatch& match, int seat) {
  const std::string cause = ForfeitAt(match, seat);
  return absl::StrCat(match.scores(seat), cause.empty() ? "" : absl::StrCat("!", cause));
}

std::string ScoresBySeat(const v1::BlockMatch& match) {
  std::vector<std::string> scores;
  for (int seat = 0; seat < match.scores_size(); ++seat) scores.push_back(ScoreText(match, seat));
  return scores.empty() ? kNoResult : absl::StrJoin(scores, " ");
}

std::string ScoresByBot(const v1::Block& block, const v1::BlockMatch& match) {
  if (match.scores_size() != block.bots_size()) return kNoResult;
  std::vector<std::string> scores;
  for (int place = 0; place < block.bots_size(); ++place) {
    scores.push_back(ScoreText(match, SeatOf(block, match, place)));
  }
  return absl::StrJoin(scores, " ");
}

std::string PointsByBot(const v1::Block& block) {
  const absl::optional<std::vector<double>> points = PointsOf(block);
  if (!points.has_value()) return kNoResult;
  return absl::StrJoin(
      *points, " ", [](std::string* out, double one) { absl::StrAppendFormat(out, "%.1f", one); });
}

std::string BotsText(const v1::Block& block) {
  std::vector<std::string> bots;
  for (int place = 0; place < block.bots_size(); ++place) bots.push_back(BotOf(block, place));
  return absl::StrJoin(bots, ", ");
}

std::string BotsBySeat(const MatchOfBlock& of) {
  std::vector<std::string> bots;
  for (int seat = 0; seat < of.block->bots_size(); ++seat) {
    bots.push_back(BotOf(*of.block, PlaceAt(*of.block, *of.match, seat)));
  }
  return absl::StrJoin(bots, ", ");
}

std::string ScoresByMatch(const v1::Block& block) {
  return absl::StrJoin(block.matches(), " | ", [&](std::string* out, const v1::BlockMatch& match) {
    out->append(ScoresByBot(block, match));
  });
}

// Points of a seat: 1 for each that it left behind, 1/2 for each that shares its rank.
double PointsInMatch(const v1::BlockMatch& match, int seat) {
  double points = -0.5;  // it shares its own
  for (const uint32_t rank : match.ranks()) {
    if (rank > match.ranks(seat)) points += 1;
    if (rank == match.ranks(seat)) points += 0.5;
  }
  return points;
}

}  // namespace

std::vector<MatchOfBlock> MatchesOf(const google::protobuf::RepeatedPtrField<v1::Block>& blocks,
                                    bool only_played) {
  std::vector<MatchOfBlock> matches;
  for (const v1::Block& block : blocks) {
    if (only_played && block.state() != v1::BLOCK_STATE_PLAYED) continue;
    for (const v1::BlockMatch& match : block.matches()) matches.push_back({&block, &match});
  }
  return matches;
}

const Columns<v1::Block>& BlocksTable() {
  static const auto* const columns = new Columns<v1::Block>{
      {"block", kRight, &v1::Block::number},
      {"state", kLeft, BlockStateText},
      {"begun", kLeft, [](const v1::Block& block) { return TimeText(block.begin_time()); }},
      {"bots", kLeft, BotsText},
      {"points", kLeft, PointsByBot},
      {"scores, match by match", kLeft, ScoresByMatch}};
  return *columns;
}

const Columns<MatchOfBlock>& MatchesTable() {
  using Of = MatchOfBlock;
  static const auto* const columns = new Columns<Of>{
      {"block", kRight, [](const Of& of) { return of.block->number(); }},
      {"rotation", kRight, [](const Of& of) { return of.match->rotation(); }},
      {"match", kLeft, [](const Of& of) { return of.match->match_id(); }},
      {"ranks", kLeft,
       [](const Of& of) {
         return of.match->ranks().empty() ? Cell() : Cell(absl::StrJoin(of.match->ranks(), " "));
       }},
      {"scores", kLeft, [](const Of& of) { return ScoresBySeat(*of.match); }},
      {"bots by seat", kLeft, BotsBySeat}};
  return *columns;
}

absl::optional<std::vector<double>> PointsOf(const v1::Block& block) {
  if (block.state() != v1::BLOCK_STATE_PLAYED) return absl::nullopt;
  std::vector<double> points(static_cast<size_t>(block.bots_size()), 0);
  for (const v1::BlockMatch& match : block.matches()) {
    if (match.ranks_size() != block.bots_size()) return absl::nullopt;
    for (int place = 0; place < block.bots_size(); ++place) {
      points[static_cast<size_t>(place)] += PointsInMatch(match, SeatOf(block, match, place));
    }
  }
  return points;
}

int64_t ScoreOf(const v1::Block& block, int place) {
  int64_t score = 0;
  for (const v1::BlockMatch& match : block.matches()) {
    const int seat = SeatOf(block, match, place);
    if (seat < match.scores_size()) score += match.scores(seat);
  }
  return score;
}

int ForfeitsOf(const v1::Block& block, int place) {
  int forfeits = 0;
  for (const v1::BlockMatch& match : block.matches()) {
    forfeits += ForfeitAt(match, SeatOf(block, match, place)).empty() ? 0 : 1;
  }
  return forfeits;
}

int PlaceAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  const auto rotation =
      static_cast<int>(match.rotation() % static_cast<uint32_t>(block.bots_size()));
  return PlaceOfSeat(seat, rotation, block.bots_size());
}

const std::string& BotAt(const v1::Block& block, const v1::BlockMatch& match, int seat) {
  return block.bots(PlaceAt(block, match, seat));
}

std::string ForfeitAt(const v1::BlockMatch& match, int seat) {
  for (const v1::SeatForfeit& forfeit : match.forfeits()) {
    if (static_cast<int>(forfeit.seat()) != seat) continue;
    return std::string(absl::StripPrefix(v1::ForfeitCause_Name(forfeit.cause()), "FORFEIT_CAUSE_"));
  }
  return "";
}

}  // namespace referee::ctl
