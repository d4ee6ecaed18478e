#include "referee/conformance/rerun.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/dice/dice.h"
#include "referee/replay/cursor.h"
#include "referee/view/ledger.h"

namespace referee::conformance {
namespace {

// How long to wait beyond the limit: a late answer also shows what the bot would play.
constexpr absl::Duration kPatience = absl::Seconds(10);

// Whether each seat's turns are selected.
absl::StatusOr<std::vector<bool>> SeatsMeant(const match::Setup& setup, const RerunTerms& terms) {
  std::vector<bool> meant(setup.bots.size(), false);
  if (terms.seat && static_cast<size_t>(terms.seat->index()) < meant.size()) {
    meant[static_cast<size_t>(terms.seat->index())] = true;
  }
  for (size_t i = 0; i < meant.size(); ++i) {
    if (!terms.seat && setup.bots[i] == terms.bot) meant[i] = true;
  }
  if (std::find(meant.begin(), meant.end(), true) != meant.end()) return meant;
  return absl::NotFoundError(absl::StrCat("match ", setup.id.text(), ": there is no ",
                                          Quoted(terms.seat ? terms.seat->text() : terms.bot),
                                          " among its bots: ", absl::StrJoin(setup.bots, ", ")));
}

AskedTurn AskAsThen(const match::Setup& setup, const match::Played& played,
                    const games::State& before) {
  AskedTurn turn;
  turn.game = setup.game;
  turn.state = before.Clone();
  turn.bots = setup.bots;
  turn.commitment = std::string(dice::Raw(setup.commitment));
  turn.pinned = setup.dice_source.pinned();
  turn.time_control = setup.time_control;
  turn.policies = setup.policies;
  turn.block = setup.block;
  turn.turn = played.number;
  return turn;
}

// The limits of answered turns, by number.
std::map<uint32_t, absl::Duration> LimitsOf(const replay::Replay& replay) {
  std::map<uint32_t, absl::Duration> limits;
  for (const view::TurnTimes& row : view::TimesOfTurns(replay)) {
    if (row.turn > 0) limits[row.turn] = row.limit;
  }
  return limits;
}

}  // namespace

absl::StatusOr<std::vector<RecordedTurn>> RecordedTurns(const replay::Replay& replay,
                                                        const RerunTerms& terms) {
  const absl::StatusOr<std::vector<bool>> meant = SeatsMeant(replay.setup, terms);
  if (!meant.ok()) return meant.status();
  absl::optional<replay::Cursor> cursor = replay::CursorOf(replay);
  const std::map<uint32_t, absl::Duration> limits = LimitsOf(replay);
  std::vector<RecordedTurn> turns;
  for (const match::Record& record : replay.records) {
    if (!cursor.has_value()) break;
    const std::vector<replay::SeatClock> clocks = cursor->clocks();
    if (absl::Status taken = cursor->Take(record); !taken.ok()) return taken;
    const auto* const played = std::get_if<match::Played>(&record);
    if (played == nullptr) continue;
    const auto seat = static_cast<size_t>(played->seat.index());
    // A bot whose only legal move is a pass gets no request.
    const bool passed = played->move.is_pass() && played->legal_count == 1;
    const bool asked = (*meant)[seat] && !passed && !played->substituted &&
                       (!terms.turn || *terms.turn == played->number);
    if (!asked) continue;
    RecordedTurn turn;
    turn.asked = AskAsThen(replay.setup, *played, cursor->before());
    turn.asked.limit = terms.limit.value_or(limits.at(played->number));
    turn.asked.bank_left = clocks[seat].bank;
    turn.match_id = replay.setup.id.text();
    turn.played = played->move;
    turn.played_text = replay.setup.game->MoveText(played->move);
    turns.push_back(std::move(turn));
  }
  if (!turns.empty()) return turns;
  return absl::NotFoundError(
      absl::StrCat("match ", replay.setup.id.text(), ": ",
                   terms.turn ? absl::StrCat("turn ", *terms.turn, " was not played by it")
                              : "it has played no turn of it",
                   ", or was a pass"));
}

bool LeadToTheSame(const games::State& state, games::Move a, games::Move b) {
  // Both get the same dice, whatever they are, so that only the moves can differ.
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(0));
  const auto after = [&](games::Move move) {
    const std::unique_ptr<games::State> next = state.Clone();
    next->Apply(move);
    games::DrawChance(key, next.get(), [](const games::Chance&, absl::Span<const int>) {});
    return next->Position();
  };
  return a == b || after(a) == after(b);
}

int Rerun::otherwise() const {
  return static_cast<int>(
      std::count_if(answers.begin(), answers.end(), [this](const TurnAnswer& answer) {
        return !answer.move.ok() || !LeadToTheSame(*turn.asked.state, *answer.move, turn.played);
      }));
}

absl::StatusOr<std::vector<Rerun>> RunAgain(std::vector<RecordedTurn> turns, int repeat,
                                            TriedBot* bot) {
  std::vector<AskedTurn> asked;
  for (RecordedTurn& turn : turns) asked.push_back(std::move(turn.asked));
  std::vector<std::vector<TurnAnswer>> answers(turns.size());
  for (int k = 0; k < repeat; ++k) {
    const absl::StatusOr<BotStream*> stream = bot->Stream();
    if (!stream.ok()) return stream.status();
    // A new match for the bot in each round: no match comes back after its end.
    for (AskedTurn& turn : asked) turn.match_id = NewMatchId();
    AskTerms terms;
    terms.at_once = bot->parallel_turns();
    terms.list = service::MoveListOf(bot->hello());
    terms.patience = kPatience;
    std::vector<TurnAnswer> round = AskTurns(asked, terms, *stream);
    round.resize(asked.size(), {absl::NotFoundError("it was gone"), absl::InfiniteDuration()});
    for (size_t i = 0; i < round.size(); ++i) answers[i].push_back(std::move(round[i]));
  }
  std::vector<Rerun> all;
  for (size_t i = 0; i < turns.size(); ++i) {
    turns[i].asked = std::move(asked[i]);
    all.push_back({std::move(turns[i]), std::move(answers[i])});
  }
  return all;
}

}  // namespace referee::conformance
