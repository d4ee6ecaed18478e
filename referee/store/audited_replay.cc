#include "referee/store/audited_replay.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/rotation.h"
#include "referee/games/catalogue.h"
#include "referee/games/options.h"
#include "referee/match/block.h"
#include "referee/replay/replay.h"
#include "referee/replay/verifier.h"
#include "referee/schedule/positions.h"

namespace referee::store {
namespace {

std::string ForfeitsText(std::vector<match::SeatForfeit> forfeits) {
  std::sort(
      forfeits.begin(), forfeits.end(),
      [](const match::SeatForfeit& a, const match::SeatForfeit& b) { return a.seat < b.seat; });
  return absl::StrCat("forfeits [",
                      absl::StrJoin(forfeits, ", ",
                                    [](std::string* out, const match::SeatForfeit& forfeit) {
                                      absl::StrAppend(out, "seat ", forfeit.seat.index(), " ",
                                                      match::CauseName(forfeit.cause));
                                    }),
                      "]");
}

std::string ResultText(const match::Verdict& verdict) {
  return absl::StrCat("scores [", absl::StrJoin(verdict.scores, " "), "], ranks [",
                      absl::StrJoin(verdict.ranks, " "), "], ", ForfeitsText(verdict.forfeits));
}

// Returns the names of a block's bots by seat in a rotation.
std::vector<std::string> BotsBySeat(const Competition& competition, const Block& block,
                                    size_t rotation) {
  const std::vector<int>& bots = block.pairing.bots;
  std::vector<std::string> names;
  const int seats = static_cast<int>(bots.size());
  for (int seat = 0; seat < seats; ++seat) {
    const int place = PlaceOfSeat(seat, static_cast<int>(rotation), seats);
    names.push_back(competition.spec.entrants[bots[place]]);
  }
  return names;
}

std::string QuotedNames(const std::vector<std::string>& names) {
  return absl::StrJoin(names, ", ", [](std::string* out, const std::string& name) {
    absl::StrAppend(out, Quoted(name));
  });
}

template <typename Record>
bool Has(const replay::Replay& replay) {
  return std::any_of(replay.records.begin(), replay.records.end(), [](const match::Record& record) {
    return std::holds_alternative<Record>(record);
  });
}

// Returns the cause of a void match.
VoidCause VoidCauseOf(const replay::Replay& replay) {
  if (Has<match::NoContest>(replay)) return VoidCause::kStall;
  if (absl::StrContains(replay.ended()->reason, match::kOfTheSameBlock)) return VoidCause::kBlock;
  return Has<match::Resumed>(replay) ? VoidCause::kRestart : VoidCause::kOther;
}

// Returns the value of an option; empty if it is missing, as for options that are empty.
std::string ValueOf(absl::Span<const games::Option> options, absl::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(),
                   [name](const games::Option& option) { return option.name == name; });
  return found == options.end() ? "" : found->value;
}

std::string ValueText(const std::string& value) { return value.empty() ? "none" : Quoted(value); }

// Returns the first option that differs between a replay and its block; empty: none.
std::string OtherOption(absl::Span<const games::Option> replay,
                        absl::Span<const games::Option> block) {
  for (const auto& options : {replay, block}) {
    for (const games::Option& option : options) {
      const std::string played = ValueOf(replay, option.name);
      const std::string meant = ValueOf(block, option.name);
      if (played == meant) continue;
      return absl::StrCat("its replay has the option ", option.name, " ", ValueText(played),
                          ", its block ", ValueText(meant));
    }
  }
  return "";
}

}  // namespace

absl::string_view VoidCauseName(VoidCause cause) {
  switch (cause) {
    case VoidCause::kStall:
      return "STALL";
    case VoidCause::kBlock:
      return "BLOCK";
    case VoidCause::kRestart:
      return "RESTART";
    case VoidCause::kOther:
      return "OTHER";
  }
  return "";
}

absl::StatusOr<AuditedReplay> ReadAudited(const absl::StatusOr<std::string>& bytes,
                                          const MatchId& id,
                                          const absl::optional<replay::KeyRing>& keys) {
  AuditedReplay audited;
  if (absl::IsNotFound(bytes.status())) return audited;
  if (absl::IsResourceExhausted(bytes.status()) || absl::IsDataLoss(bytes.status())) {
    audited.found = true;
    audited.problem = std::string(bytes.status().message());
    return audited;
  }
  if (!bytes.ok()) return bytes.status();
  audited.found = true;
  replay::Verification verification = replay::Verify(*bytes, keys);
  if (keys && verification.public_key && keys->Find(*verification.public_key) == nullptr) {
    audited.foreign_key = keys->Problem(*verification.public_key, absl::InfinitePast());
    verification = replay::Verify(*bytes, absl::nullopt);
  }
  audited.problem = verification.problem;
  if (!verification.ok) return audited;
  const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) {
    audited.problem = std::string(replay.status().message());
    return audited;
  }
  if (replay->setup.id != id) {
    audited.problem = absl::StrCat("the file is of match ", replay->setup.id.text());
    return audited;
  }
  audited.request_id = replay->setup.request_id;
  audited.block = replay->setup.block;
  audited.game = std::string(replay->setup.game->name());
  audited.options = replay->setup.game->source();
  audited.bots = replay->setup.bots;
  audited.dice = replay->setup.dice_source;
  audited.verdict = *replay->ended();
  audited.void_cause = VoidCauseOf(*replay);
  return audited;
}

std::vector<games::Option> OptionsOf(const Competition& competition,
                                     absl::Span<const std::string> positions, int64_t block) {
  std::vector<games::Option> options;
  for (const auto& [name, value] : competition.spec.options) options.push_back({name, value});
  if (!positions.empty()) {
    const int number = schedule::PositionOf(block, static_cast<int>(positions.size()));
    options.push_back(
        {std::string(games::kPositionOption), positions[static_cast<size_t>(number)]});
  }
  const absl::StatusOr<games::Entry> entry = games::Find(competition.spec.game);
  if (!entry.ok()) return options;
  const auto game = entry->type->Create(competition.spec.seats, options);
  return game.ok() ? (*game)->source() : options;
}

std::string Disagreement(const AuditedReplay& replay, const Competition& competition,
                         const Block& block, absl::Span<const games::Option> options,
                         size_t rotation) {
  // Matches that are played apart do not name their block, and the store has no id for it.
  if (!replay.block && !block.block_id.empty()) return "its replay says that it is in no block";
  if (replay.block && !block.block_id.empty() && replay.block->block.text() != block.block_id) {
    return absl::StrCat("its replay says that it is in block ", replay.block->block.text(),
                        ", the store ", block.block_id);
  }
  if (replay.block && replay.block->rotation != static_cast<int>(rotation)) {
    return absl::StrCat("its replay says that it is rotation ", replay.block->rotation,
                        ", the store ", rotation);
  }
  if (replay.game != competition.spec.game) {
    return absl::StrCat("its replay is of ", replay.game, ", the competition of ",
                        competition.spec.game);
  }
  const std::string other_option = OtherOption(replay.options, options);
  if (!other_option.empty()) return other_option;
  const std::vector<std::string> bots = BotsBySeat(competition, block, rotation);
  if (replay.bots != bots) {
    return absl::StrCat("its replay has the bots ", QuotedNames(replay.bots), ", the store ",
                        QuotedNames(bots));
  }
  const match::MatchTimes& times = block.matches[rotation].verdict.times;
  if (!times.seats.empty() && times.seats != replay.verdict.times.seats) {
    return "its replay has other figures of its seats' time";
  }
  const bool pinned = competition.dice_seed.has_value();
  if (replay.dice.pinned() != pinned) {
    return pinned ? "its dice are not pinned, as those of the competition are"
                  : "its dice are pinned, and those of the competition are not";
  }
  if (pinned &&
      !IsPinnedSeedOf(competition, block.number, CountedAttempt(block), replay.verdict.seed)) {
    return "its dice do not follow from the seed of the competition";
  }
  if (replay.verdict.ending != match::Ending::kFinished) {
    return block.forfeited_by.empty() ? "its replay has no result" : "";
  }
  const std::string kept = ResultText(block.matches[rotation].verdict);
  const std::string played = ResultText(replay.verdict);
  if (kept != played) return absl::StrCat("its replay has ", played, ", the store ", kept);
  return "";
}

std::string OtherBlock(const AuditedReplay& replay, const AuditedReplay& sibling) {
  const match::Verdict& its = replay.verdict;
  const match::Verdict& others = sibling.verdict;
  const std::string rotation = sibling.block
                                   ? absl::StrCat("that of rotation ", sibling.block->rotation)
                                   : "another of its block";
  if (replay.block && sibling.block && !(replay.block->block == sibling.block->block)) {
    return absl::StrCat("its replay says that it is in block ", replay.block->block.text(), ", ",
                        rotation, " in ", sibling.block->block.text());
  }
  if (!(its.seed == others.seed))
    return absl::StrCat("its replay has another seed than ", rotation);
  // A match that did not start has no nonces.
  if (its.nonces.empty() || others.nonces.empty()) return "";
  if (its.nonces == others.nonces && its.nonce_hashes == others.nonce_hashes) return "";
  return absl::StrCat("its replay has other nonces than ", rotation);
}

}  // namespace referee::store
