#include "tests/unit/match/table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace referee::match {
namespace {

std::string Name(Seat seat) { return seat.valid() ? std::string(1, seat.letter()) : "-"; }

std::string DescribeRecord(const Record& record) {
  if (std::holds_alternative<Started>(record)) return "started";
  if (const auto* drawn = std::get_if<Drawn>(&record)) {
    if (drawn->kind == games::Chance::Kind::kFirstPlayer) {
      return absl::StrCat("drawn first ", Name(drawn->seat));
    }
    return absl::StrCat("drawn ", drawn->round, " ", Name(drawn->seat), " ", drawn->roll[0],
                        drawn->roll[1]);
  }
  if (const auto* played = std::get_if<Played>(&record)) {
    const std::string move = played->move.is_pass() ? "-" : absl::StrCat(played->move.code());
    const std::string for_whom =
        played->substituted ? absl::StrCat(" !", CauseName(*played->substituted)) : "";
    return absl::StrCat("played ", played->number, " ", Name(played->seat), " ", move, for_whom);
  }
  if (const auto* forfeited = std::get_if<Forfeited>(&record)) {
    return absl::StrCat("forfeit ", Name(forfeited->seat), " ", CauseName(forfeited->cause), " ",
                        forfeited->number);
  }
  if (const auto* faulted = std::get_if<Faulted>(&record)) {
    return absl::StrCat("faulted ", Name(faulted->seat), " ", CauseName(faulted->cause), " ",
                        faulted->number);
  }
  if (const auto* no_contest = std::get_if<NoContest>(&record)) {
    return absl::StrCat("no contest ", Name(no_contest->seat), " ", no_contest->number);
  }
  if (std::holds_alternative<Resumed>(record)) return "resumed";
  const Ended& ended = std::get<Ended>(record);
  const bool finished = ended.ending == Ending::kFinished;
  const bool is_void = ended.ending == Ending::kVoid;
  return absl::StrCat(finished ? "finished " : is_void ? "void " : "cancelled ", ended.reason);
}

Setup MakeSetup(std::shared_ptr<const games::Game> game, const TimeControl& time_control,
                const Policies& policies, const DiceSource& dice_source, const dice::Seed& seed) {
  const uint8_t random[10] = {};
  Setup setup;
  setup.create_time = Table::WallTime({});
  setup.id = MatchId::Make(setup.create_time, random);
  for (int i = 0; i < game->seats(); ++i) setup.bots.push_back(absl::StrCat("bot ", i));
  setup.game = std::move(game);
  setup.time_control = time_control;
  setup.policies = policies;
  setup.dice_source = dice_source;
  setup.commitment = dice::Commit(seed);
  setup.referee = "test";
  return setup;
}

}  // namespace

std::string Describe(const Effect& effect) {
  if (const auto* start = std::get_if<TellStart>(&effect)) {
    return absl::StrCat("start ", Name(start->seat));
  }
  if (const auto* ask = std::get_if<AskNonce>(&effect)) {
    return absl::StrCat("nonce? ", Name(ask->seat));
  }
  if (const auto* ask = std::get_if<AskTurn>(&effect)) {
    return absl::StrCat("ask ", Name(ask->seat));
  }
  if (const auto* fault = std::get_if<TellFault>(&effect)) {
    const bool replaced = fault->kind == TellFault::Kind::kReplacedRequest;
    return absl::StrCat(replaced ? "replaced " : "fault ", Name(fault->seat), " ", fault->turn);
  }
  if (const auto* nonces = std::get_if<AwaitNonces>(&effect)) {
    return nonces->decided ? "nonces, decided" : "nonces";
  }
  if (const auto* roll = std::get_if<AwaitRoll>(&effect)) return absl::StrCat("roll ", roll->index);
  if (std::holds_alternative<AwaitBlock>(effect)) return "block";
  return DescribeRecord(std::get<Record>(effect));
}

Table::Table(const testing::CountingRules& rules, const TimeControl& time_control,
             const DiceSource& dice_source)
    : Table(testing::NewCountingGame(rules), time_control, dice_source) {}

Table::Table(const testing::CountingRules& rules, const TimeControl& time_control,
             const Policies& policies)
    : Table(testing::NewCountingGame(rules), time_control, {7, {}}, policies) {}

Table::Table(std::shared_ptr<const games::Game> game, const TimeControl& time_control,
             const DiceSource& dice_source, const Policies& policies)
    : seed_(dice::PinnedSeed(dice_source.pinned_number.value_or(1))),
      match_(MakeSetup(std::move(game), time_control, policies, dice_source, seed_), seed_) {}

std::string Table::Step(absl::Duration at, const Event& event, const Stalls& stalls) {
  std::vector<std::string> lines;
  for (const Effect& effect : match_.Step(event, Time(at), ReadingAt(at, stalls))) {
    lines.push_back(Describe(effect));
    if (const auto* record = std::get_if<Record>(&effect)) records_.push_back(*record);
    if (const auto* fault = std::get_if<TellFault>(&effect)) faults_.push_back(fault->message);
  }
  return absl::StrJoin(lines, "; ");
}

std::string Table::BeginReady() {
  Step({}, Begin{});
  std::string last;
  for (int i = 0; i < match_.seats(); ++i) last = Ready(Seat(i), "");
  if (!match_.AsksNonces()) return last;
  for (int i = 0; i < match_.seats(); ++i) last = Reveal(Seat(i), "");
  return last;
}

}  // namespace referee::match
