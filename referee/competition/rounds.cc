#include "referee/competition/rounds.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/competition/schedule_reading.h"

namespace referee::competition {
namespace {

using schedule::Format;
using schedule::PairingState;
using schedule::RoundPairing;

constexpr size_t kMostKeptRounds = 8;
constexpr size_t kMostKeptEvenness = 64;
// How long the pages of a list show the moment of its first page.
constexpr absl::Duration kPagesAreOfOneMoment = absl::Seconds(10);

// Whether rounds are only a way to display the blocks of the format.
bool InWaves(Format format) { return format == Format::kRoundRobin || format == Format::kGauntlet; }

PairingState StateOf(store::BlockState state) {
  switch (state) {
    case store::BlockState::kRunning:
      return PairingState::kRunning;
    case store::BlockState::kPlayed:
      return PairingState::kPlayed;
    case store::BlockState::kDropped:
      return PairingState::kDropped;
    case store::BlockState::kVoid:
      return PairingState::kVoid;
  }
  return PairingState::kUnknown;
}

RoundPairing PairingOf(const store::Block& block) {
  RoundPairing pairing;
  pairing.bots = block.pairing.bots;
  pairing.state = StateOf(block.state);
  pairing.blocks = {block.number};
  pairing.points.assign(pairing.bots.size(), 0);
  if (block.state != store::BlockState::kPlayed) return pairing;
  const rating::BlockOutcome outcome = store::OutcomeOf(block);
  for (size_t place = 0; place < pairing.bots.size(); ++place) {
    pairing.points[place] = rating::HalfPoints(outcome, place);
  }
  pairing.scores = outcome.scores;
  pairing.winner = schedule::WinnerOf(pairing);
  return pairing;
}

bool IsGoingOn(const store::Competition& competition) {
  return competition.state != store::CompetitionState::kFinishing &&
         competition.state != store::CompetitionState::kFinished;
}

absl::StatusOr<std::vector<RoundPairing>> ReadWaves(store::CompetitionReader* store,
                                                    const store::Competition& competition,
                                                    const std::vector<store::Entrant>& entrants) {
  std::vector<RoundPairing> pairings;
  absl::StatusOr<std::vector<rating::Pairing>> plan =
      ReadPlan(store, competition, entrants, IsGoingOn(competition),
               [&](const store::Block& block) { pairings.push_back(PairingOf(block)); });
  if (!plan.ok()) return plan.status();
  for (rating::Pairing& planned : *plan) {
    RoundPairing pairing;
    pairing.points.assign(planned.bots.size(), 0);
    pairing.bots = std::move(planned.bots);
    pairings.push_back(std::move(pairing));
  }
  const int soloist = competition.spec.format == Format::kGauntlet ? 0 : schedule::kNoBot;
  schedule::NumberRounds(static_cast<int>(entrants.size()), soloist, &pairings);
  return pairings;
}

absl::StatusOr<std::vector<RoundPairing>> ReadAll(store::CompetitionReader* store,
                                                  const store::Competition& competition) {
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  if (InWaves(competition.spec.format)) return ReadWaves(store, competition, *entrants);
  const auto schedule = ReadSchedule(store, competition, *entrants, [](const store::Block&) {});
  if (!schedule.ok()) return schedule.status();
  return (*schedule)->Pairings();
}

// Adds the matches that the bots at these places of the block forfeited.
void AddForfeits(const store::Block& block, const std::vector<int>& bots,
                 std::vector<int>* forfeits) {
  const std::vector<int>& seated = block.pairing.bots;
  for (size_t rotation = 0; rotation < block.matches.size(); ++rotation) {
    for (const match::SeatForfeit& forfeit : block.matches[rotation].verdict.forfeits) {
      const int bot =
          seated[(static_cast<size_t>(forfeit.seat.index()) + rotation) % seated.size()];
      const auto place = std::find(bots.begin(), bots.end(), bot);
      if (place != bots.end()) ++(*forfeits)[static_cast<size_t>(place - bots.begin())];
    }
  }
}

absl::StatusOr<absl::optional<schedule::Evenness>> ReadEvenness(
    store::CompetitionReader* store, const store::Competition& competition) {
  const absl::StatusOr<std::vector<store::Entrant>> entrants = store->ReadEntrants(competition.id);
  if (!entrants.ok()) return entrants.status();
  std::vector<rating::Pairing> blocks;
  const absl::StatusOr<std::vector<rating::Pairing>> plan = ReadPlan(
      store, competition, *entrants, IsGoingOn(competition), [&](const store::Block& block) {
        const bool counts =
            block.state == store::BlockState::kRunning || block.state == store::BlockState::kPlayed;
        if (counts) blocks.push_back(block.pairing);
      });
  if (!plan.ok()) return plan.status();
  blocks.insert(blocks.end(), plan->begin(), plan->end());
  std::vector<bool> in;
  for (const store::Entrant& entrant : *entrants) {
    in.push_back(entrant.presence == store::Presence::kIn);
  }
  return schedule::EvennessOf(competition.spec, blocks, in);
}

}  // namespace

absl::Status CheckHasRounds(const store::Competition& competition) {
  const schedule::Spec& spec = competition.spec;
  if (spec.format == Format::kLadder || spec.format == Format::kTest) {
    return absl::FailedPreconditionError(absl::StrCat(
        "competition ", Quoted(spec.name), ": is a ", schedule::FormatName(spec.format),
        ", which has no rounds; its blocks have who met whom ('refctl competition "
        "blocks')"));
  }
  if (InWaves(spec.format) && !schedule::IsToBeEven(spec)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "competition ", Quoted(spec.name), ": has more than ", schedule::kMostBlocksForEvenness,
        " blocks, too many to be shown in rounds; its blocks have who met whom, one "
        "after the other ('refctl competition blocks')"));
  }
  return absl::OkStatus();
}

absl::StatusOr<RoundLine> ReadRoundLine(store::CompetitionReader* store,
                                        const store::CompetitionId& id, RoundPairing pairing) {
  RoundLine line;
  if (!pairing.blocks.empty()) line.forfeits.assign(pairing.bots.size(), 0);
  for (const int64_t number : pairing.blocks) {
    const absl::StatusOr<store::Block> block = store->GetBlock(id, number);
    if (!block.ok()) return block.status();
    AddForfeits(*block, pairing.bots, &line.forfeits);
    if (block->reason.empty()) continue;
    absl::StrAppend(&line.reason, line.reason.empty() ? "" : "; ", block->reason);
  }
  line.pairing = std::move(pairing);
  return line;
}

CompetitionRounds::CompetitionRounds(store::CompetitionReader* store, const Clock* clock)
    : store_(store), clock_(clock), kept_(kMostKeptRounds), spreads_(kMostKeptEvenness) {}

absl::StatusOr<std::shared_ptr<const std::vector<RoundPairing>>> CompetitionRounds::Of(
    const store::Competition& competition, const RoundsNow& now, bool later) {
  const auto known = kept_.Get(
      competition.id,
      [&](const Paired& kept) {
        return IsOfNow(kept, competition, now) ||
               (later && clock_->Now() - kept.made < kPagesAreOfOneMoment);
      },
      [&] { return Read(competition, now); });
  if (!known.ok()) return known.status();
  return std::shared_ptr<const std::vector<RoundPairing>>(*known, &(*known)->pairings);
}

// Before they are counted, blocks that another referee plays change in the store without notice.
bool CompetitionRounds::IsOfNow(const Paired& kept, const store::Competition& competition,
                                const RoundsNow& now) {
  const bool still = competition.state == store::CompetitionState::kNew ||
                     competition.state == store::CompetitionState::kFinished;
  return kept.state == competition.state && kept.version == competition.version &&
         kept.next_block == competition.next_block && kept.counted == competition.counted &&
         (still || (now.changes.has_value() && kept.changes == now.changes));
}

absl::StatusOr<CompetitionRounds::Paired> CompetitionRounds::Read(
    const store::Competition& competition, const RoundsNow& now) const {
  Paired paired{competition.state,
                competition.version,
                competition.next_block,
                competition.counted,
                now.changes,
                clock_->Now(),
                {}};
  if (now.changes.has_value()) paired.pairings = now.pairings();
  if (!paired.pairings.empty()) return paired;
  absl::StatusOr<std::vector<RoundPairing>> read = ReadAll(store_, competition);
  if (!read.ok()) return read.status();
  paired.pairings = *std::move(read);
  return paired;
}

absl::StatusOr<absl::optional<schedule::Evenness>> CompetitionRounds::Evenness(
    const store::Competition& competition) {
  if (!schedule::IsToBeEven(competition.spec)) return absl::optional<schedule::Evenness>();
  const auto known = spreads_.Get(
      competition.id,
      [&](const Spread& kept) {
        return kept.version == competition.version && kept.state == competition.state;
      },
      [&]() -> absl::StatusOr<Spread> {
        const auto evenness = ReadEvenness(store_, competition);
        if (!evenness.ok()) return evenness.status();
        return Spread{competition.version, competition.state, *evenness};
      });
  if (!known.ok()) return known.status();
  return (*known)->evenness;
}

}  // namespace referee::competition
