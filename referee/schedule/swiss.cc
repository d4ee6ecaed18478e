// Swiss system: each round is paired from the results of all earlier rounds, once these are over.
//
// So the order in which blocks end has no influence. Thread-compatible.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/schedule/formats.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/swiss_pairing.h"

namespace referee::schedule {
namespace {

// Half points of a block won outright, and of a drawn block.
constexpr int kWonBlock = 4;
constexpr int kDrawnBlock = 2;

class Swiss final : public Schedule {
 public:
  explicit Swiss(const Spec& spec);

  void Withdraw(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override { EndWithout(number, Stage::kNotPlayed); }
  void Voided(int64_t number) override { EndWithout(number, Stage::kVoid); }
  bool done() const override { return open_.empty() && blocks_left() == 0; }
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;
  std::vector<RoundPairing> Pairings() const override;

 private:
  enum class Stage {
    kWaiting,
    kOpen,
    kPlayed,
    kNotPlayed,  // one of its bots was withdrawn
    kVoid,       // too often: counts as a drawn block
  };
  struct Game {
    rating::Pairing pairing;
    Stage stage = Stage::kWaiting;
    int64_t number = -1;               // of its block; -1: not begun
    std::vector<int64_t> points = {};  // half points, by place in the pairing; empty unless played
    std::vector<int64_t> scores = {};  // of the game, by place in the pairing
  };
  struct Bot {
    bool withdrawn = false;
    int unpaired = 0;              // byes and walkovers
    std::vector<int> bye_rounds;   // from 1
    int walkovers = 0;             // rounds
    int64_t unplayed = 0;          // half points that it has without a block
    std::vector<int> opponents;    // in blocks that were played
    Float floats = Float::kNone;   // in this round
    Float floated = Float::kNone;  // in the previous round
    int rounds_out = 0;            // finished rounds in which it played no block
    int rounds_gone = 0;           // of these, the rounds after it had left
  };

  void PairRound();
  void EndWithout(int64_t number, Stage stage);
  void Begin(Game* game);
  // Ends the round if all its blocks are over, and pairs the next.
  void Settle();
  void EndRound();
  // Whether a block that has not begun can begin.
  bool CanBegin(const Game& game) const;
  // Records which bots meet an opponent with other points in this round.
  void NoteFloats();
  // Adds half points without a block.
  void Give(int bot, int points);
  Contender ContenderOf(int bot) const;
  std::string Remark(const Bot& bot) const;
  // The result of a game of this round, and of its bye. If the round is `over`, it includes points
  // given without a block.
  RoundPairing PairingOf(const Game& game, bool over) const;
  RoundPairing ByeOf(bool over) const;
  // Adds all pairings of this round, final or as they are.
  void AddRound(bool over, std::vector<RoundPairing>* pairings) const;

  const int rounds_;
  const std::vector<TieBreak> tie_breaks_;
  int round_ = 0;                   // from 0
  bool begun_ = false;              // a block of the round has begun, so its pairings are fixed
  std::vector<Game> games_;         // of the round
  std::vector<RoundPairing> past_;  // of finished rounds
  int bye_ = -1;
  std::vector<Bot> bots_;
  std::vector<std::vector<int>> met_;
  ScoreSheet sheet_;
  Encounters encounters_;
  absl::flat_hash_map<int64_t, size_t> open_;  // number -> index in games_
  int64_t next_number_ = 0;
};

Swiss::Swiss(const Spec& spec)
    : Schedule(Format::kSwiss),
      rounds_(Rounds(spec)),
      tie_breaks_(TieBreaks(spec)),
      bots_(spec.entrants.size()),
      met_(spec.entrants.size(), std::vector<int>(spec.entrants.size(), 0)),
      sheet_(spec.entrants.size()),
      encounters_(spec.entrants.size()) {
  PairRound();
}

void Swiss::PairRound() {
  games_.clear();
  bye_ = -1;
  std::vector<SwissBot> row;
  for (size_t i = 0; i < bots_.size(); ++i) {
    const int bot = static_cast<int>(i);
    if (bots_[i].withdrawn) continue;
    row.push_back(SwissBot{bot, sheet_.points(bot), bots_[i].unpaired, bots_[i].floated});
  }
  if (round_ >= rounds_ || row.size() < 2) return;
  std::stable_sort(row.begin(), row.end(),
                   [](const SwissBot& a, const SwissBot& b) { return a.points > b.points; });
  SwissRound round = PairSwiss(row, [this](int a, int b) { return met_[a][b]; });
  bye_ = round.bye;
  for (rating::Pairing& pairing : round.pairings) games_.push_back(Game{std::move(pairing)});
  NoteFloats();
}

void Swiss::NoteFloats() {
  for (Bot& bot : bots_) bot.floats = Float::kNone;
  for (const Game& game : games_) {
    const int lead = sheet_.points(game.pairing.bots[0]) - sheet_.points(game.pairing.bots[1]);
    if (lead == 0) continue;
    bots_[game.pairing.bots[0]].floats = lead > 0 ? Float::kDown : Float::kUp;
    bots_[game.pairing.bots[1]].floats = lead > 0 ? Float::kUp : Float::kDown;
  }
  if (bye_ >= 0) bots_[bye_].floats = Float::kDown;
}

bool Swiss::CanBegin(const Game& game) const {
  const auto here = [this](int bot) { return !bots_[bot].withdrawn; };
  return game.stage == Stage::kWaiting &&
         std::all_of(game.pairing.bots.begin(), game.pairing.bots.end(), here);
}

void Swiss::Begin(Game* game) {
  begun_ = true;
  game->stage = Stage::kOpen;
  game->number = next_number_;
  open_.emplace(next_number_++, static_cast<size_t>(game - games_.data()));
}

absl::optional<rating::Pairing> Swiss::Next(const std::vector<bool>& free, Instant /*now*/) {
  for (Game& game : games_) {
    if (!CanBegin(game) || !free[game.pairing.bots[0]] || !free[game.pairing.bots[1]]) continue;
    Begin(&game);
    return game.pairing;
  }
  return absl::nullopt;
}

void Swiss::Begun(const rating::Pairing& pairing) {
  for (Game& game : games_) {
    if (game.stage != Stage::kWaiting || !(game.pairing == pairing)) continue;
    Begin(&game);
    return;
  }
  ++next_number_;  // not a block of this Swiss: only its number is used up
}

void Swiss::Played(int64_t number, const rating::BlockOutcome& outcome) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  Game& game = games_[found->second];
  open_.erase(found);
  game.stage = Stage::kPlayed;
  game.points = {rating::HalfPoints(outcome, 0), rating::HalfPoints(outcome, 1)};
  game.scores = outcome.scores;
  sheet_.Add(outcome);
  encounters_.Add(outcome);
  const int a = outcome.pairing.bots[0];
  const int b = outcome.pairing.bots[1];
  ++met_[a][b];
  ++met_[b][a];
  bots_[a].opponents.push_back(b);
  bots_[b].opponents.push_back(a);
  Settle();
}

void Swiss::EndWithout(int64_t number, Stage stage) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  games_[found->second].stage = stage;
  open_.erase(found);
  Settle();
}

void Swiss::Withdraw(int bot) {
  if (bots_[bot].withdrawn) return;
  bots_[bot].withdrawn = true;
  if (begun_) {
    Settle();
  } else {
    PairRound();
  }
}

void Swiss::Settle() {
  for (const Game& game : games_) {
    if (game.stage == Stage::kOpen || CanBegin(game)) return;
  }
  if (!begun_) return;
  EndRound();
  PairRound();
}

void Swiss::Give(int bot, int points) {
  sheet_.AddPoints(bot, points);
  bots_[bot].unplayed += points;
}

void Swiss::EndRound() {
  AddRound(/*over=*/true, &past_);
  std::vector<bool> played(bots_.size(), false);
  for (const Game& game : games_) {
    for (const int bot : game.pairing.bots) {
      if (game.stage == Stage::kPlayed) {
        played[bot] = true;
      } else if (game.stage == Stage::kVoid) {
        Give(bot, kDrawnBlock);
      } else if (!bots_[bot].withdrawn) {
        Give(bot, kWonBlock);
        ++bots_[bot].walkovers;
        ++bots_[bot].unpaired;
        bots_[bot].floats = Float::kDown;
      }
    }
  }
  ++round_;
  begun_ = false;
  if (bye_ >= 0) {
    ++bots_[bye_].unpaired;
    bots_[bye_].bye_rounds.push_back(round_);
    Give(bye_, kWonBlock);
  }
  for (size_t i = 0; i < bots_.size(); ++i) {
    bots_[i].floated = bots_[i].floats;
    if (played[i]) continue;
    ++bots_[i].rounds_out;
    if (bots_[i].withdrawn && static_cast<int>(i) != bye_) ++bots_[i].rounds_gone;
  }
}

int64_t Swiss::blocks_left() const {
  const int64_t waiting = std::count_if(games_.begin(), games_.end(),
                                        [this](const Game& game) { return CanBegin(game); });
  const int64_t active =
      std::count_if(bots_.begin(), bots_.end(), [](const Bot& bot) { return !bot.withdrawn; });
  return waiting + std::max(0, rounds_ - round_ - 1) * (active / 2);
}

bool Swiss::needs(int bot) const {
  return std::any_of(games_.begin(), games_.end(), [this, bot](const Game& game) {
    const std::vector<int>& bots = game.pairing.bots;
    return CanBegin(game) && std::find(bots.begin(), bots.end(), bot) != bots.end();
  });
}

Contender Swiss::ContenderOf(int bot) const {
  const Bot& mine = bots_[bot];
  const int64_t points = sheet_.points(bot);
  // The points of opponents. A round without a block is an opponent with the bot's own points.
  std::vector<int64_t> worth(static_cast<size_t>(mine.rounds_out), points);
  for (const int opponent : mine.opponents) {
    worth.push_back(sheet_.points(opponent) + kDrawnBlock * bots_[opponent].rounds_gone);
  }
  const int64_t buchholz = std::accumulate(worth.begin(), worth.end(), int64_t{0});
  const auto least = std::min_element(worth.begin(), worth.end());
  int64_t sonneborn_berger = points * mine.unplayed;
  for (const auto& [opponent, encounter] : encounters_.of(bot)) {
    sonneborn_berger +=
        (sheet_.points(opponent) + kDrawnBlock * bots_[opponent].rounds_gone) * encounter.points;
  }
  Contender contender;
  contender.bot = bot;
  contender.points = points;
  contender.left = mine.withdrawn;
  const auto value = [&contender](TieBreak tie_break) -> int64_t& {
    return contender.values[static_cast<size_t>(tie_break)];
  };
  value(TieBreak::kBuchholz) = buchholz;
  value(TieBreak::kBuchholzCut1) = buchholz - (worth.empty() ? 0 : *least);
  value(TieBreak::kSonnebornBerger) = sonneborn_berger;
  value(TieBreak::kWins) = encounters_.wins(bot);
  return contender;
}

std::string Swiss::Remark(const Bot& bot) const {
  if (bot.withdrawn) return "withdrawn";
  if (bot.bye_rounds.empty()) return "";
  return absl::StrCat(bot.bye_rounds.size() > 1 ? "byes in rounds " : "bye in round ",
                      absl::StrJoin(bot.bye_rounds, ", "));
}

RoundPairing Swiss::PairingOf(const Game& game, bool over) const {
  const std::vector<int>& bots = game.pairing.bots;
  RoundPairing shown;
  shown.bots = bots;
  shown.points = game.points.empty() ? std::vector<int64_t>(2, 0) : game.points;
  shown.scores = game.scores;
  if (game.number >= 0) shown.blocks = {game.number};
  switch (game.stage) {
    case Stage::kOpen:
      shown.state = PairingState::kRunning;
      return shown;
    case Stage::kPlayed:
      shown.state = PairingState::kPlayed;
      shown.winner = WinnerOf(shown);
      return shown;
    case Stage::kVoid:
      shown.state = PairingState::kVoid;
      if (over) shown.points = {kDrawnBlock, kDrawnBlock};
      return shown;
    case Stage::kWaiting:
    case Stage::kNotPlayed:
      break;
  }
  if (CanBegin(game)) return shown;
  shown.state = PairingState::kDropped;
  for (size_t place = 0; place < bots.size(); ++place) {
    if (bots_[bots[place]].withdrawn) continue;
    shown.state = PairingState::kWalkover;
    shown.winner = bots[place];
    if (over) shown.points[place] = kWonBlock;
  }
  return shown;
}

RoundPairing Swiss::ByeOf(bool over) const {
  RoundPairing bye;
  bye.bots = {bye_};
  bye.state = PairingState::kBye;
  bye.winner = bye_;
  bye.points = {over ? kWonBlock : 0};
  return bye;
}

void Swiss::AddRound(bool over, std::vector<RoundPairing>* pairings) const {
  const size_t first = pairings->size();
  for (const Game& game : games_) pairings->push_back(PairingOf(game, over));
  if (bye_ >= 0) pairings->push_back(ByeOf(over));
  for (size_t i = first; i < pairings->size(); ++i) {
    (*pairings)[i].round = round_ + 1;
    (*pairings)[i].place = static_cast<int>(i - first);
  }
}

std::vector<RoundPairing> Swiss::Pairings() const {
  std::vector<RoundPairing> pairings = past_;
  AddRound(/*over=*/false, &pairings);
  return pairings;
}

std::vector<ScoreLine> Swiss::Scores() const {
  std::vector<ScoreLine> lines = sheet_.lines();
  std::vector<Contender> contenders;
  for (ScoreLine& line : lines) {
    const Bot& bot = bots_[line.bot];
    line.byes = static_cast<int>(bot.bye_rounds.size());
    line.walkovers = bot.walkovers;
    line.remark = Remark(bot);
    contenders.push_back(ContenderOf(line.bot));
  }
  return Ranked(lines, contenders, tie_breaks_, encounters_, 2);
}

}  // namespace

std::unique_ptr<Schedule> MakeSwiss(const Spec& spec) { return std::make_unique<Swiss>(spec); }

}  // namespace referee::schedule
