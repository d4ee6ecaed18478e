#include "referee/service/convert/competition.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/terms.h"
#include "referee/games/catalogue.h"
#include "referee/rating/shown_interval.h"
#include "referee/rating/sprt_estimate.h"
#include "referee/service/convert/convert.h"
#include "referee/store/spec_wire.h"

namespace referee::service {
namespace {

using schedule::Format;
using schedule::Spec;
using schedule::TieBreak;

constexpr absl::Duration kLately = absl::Minutes(10);

v1::CompetitionState StateToWire(store::CompetitionState state) {
  switch (state) {
    case store::CompetitionState::kNew:
      return v1::COMPETITION_STATE_NEW;
    case store::CompetitionState::kRunning:
      return v1::COMPETITION_STATE_RUNNING;
    case store::CompetitionState::kPaused:
      return v1::COMPETITION_STATE_PAUSED;
    case store::CompetitionState::kFinishing:
      return v1::COMPETITION_STATE_FINISHING;
    case store::CompetitionState::kFinished:
      return v1::COMPETITION_STATE_FINISHED;
  }
  return v1::COMPETITION_STATE_UNSPECIFIED;
}

v1::BlockState StateToWire(store::BlockState state) {
  switch (state) {
    case store::BlockState::kRunning:
      return v1::BLOCK_STATE_RUNNING;
    case store::BlockState::kPlayed:
      return v1::BLOCK_STATE_PLAYED;
    case store::BlockState::kDropped:
      return v1::BLOCK_STATE_DROPPED;
    case store::BlockState::kVoid:
      return v1::BLOCK_STATE_VOID;
  }
  return v1::BLOCK_STATE_UNSPECIFIED;
}

v1::RoundPairingState StateToWire(schedule::PairingState state) {
  switch (state) {
    case schedule::PairingState::kUnknown:
      return v1::ROUND_PAIRING_STATE_UNKNOWN;
    case schedule::PairingState::kWaiting:
      return v1::ROUND_PAIRING_STATE_WAITING;
    case schedule::PairingState::kRunning:
      return v1::ROUND_PAIRING_STATE_RUNNING;
    case schedule::PairingState::kPlayed:
      return v1::ROUND_PAIRING_STATE_PLAYED;
    case schedule::PairingState::kBye:
      return v1::ROUND_PAIRING_STATE_BYE;
    case schedule::PairingState::kWalkover:
      return v1::ROUND_PAIRING_STATE_WALKOVER;
    case schedule::PairingState::kVoid:
      return v1::ROUND_PAIRING_STATE_VOID;
    case schedule::PairingState::kDropped:
      return v1::ROUND_PAIRING_STATE_DROPPED;
  }
  return v1::ROUND_PAIRING_STATE_UNSPECIFIED;
}

v1::TieDecision DecisionToWire(schedule::TieDecision decision) {
  switch (decision) {
    case schedule::TieDecision::kNone:
      return v1::TIE_DECISION_UNSPECIFIED;
    case schedule::TieDecision::kBlocks:
      return v1::TIE_DECISION_BLOCKS;
    case schedule::TieDecision::kExtraBlocks:
      return v1::TIE_DECISION_EXTRA_BLOCKS;
    case schedule::TieDecision::kPoints:
      return v1::TIE_DECISION_POINTS;
    case schedule::TieDecision::kScores:
      return v1::TIE_DECISION_SCORES;
    case schedule::TieDecision::kLot:
      return v1::TIE_DECISION_LOT;
    case schedule::TieDecision::kWalkover:
      return v1::TIE_DECISION_WALKOVER;
  }
  return v1::TIE_DECISION_UNSPECIFIED;
}

// Removes the options that are files.
void DropFiles(Spec* spec) {
  const absl::StatusOr<games::Entry> entry = games::Find(spec->game);
  if (!entry.ok()) return;
  for (const games::OptionSpec& option : entry->type->option_specs()) {
    if (option.kind != games::OptionSpec::Kind::kFile) continue;
    const auto is_file = [&](const std::pair<std::string, std::string>& given) {
      return given.first == option.name;
    };
    spec->options.erase(std::remove_if(spec->options.begin(), spec->options.end(), is_file),
                        spec->options.end());
  }
}

void MatchToWire(const store::BlockMatch& match, int rotation, v1::BlockMatch* out) {
  out->set_match_id(match.id.text());
  out->set_unrecorded(!match.recorded);
  out->set_rotation(static_cast<uint32_t>(rotation));
  for (const int score : match.verdict.scores) out->add_scores(score);
  for (const int rank : match.verdict.ranks) out->add_ranks(static_cast<uint32_t>(rank));
  for (const match::SeatForfeit& forfeit : match.verdict.forfeits) {
    v1::SeatForfeit* const wire = out->add_forfeits();
    wire->set_seat(static_cast<uint32_t>(forfeit.seat.index()));
    wire->set_cause(ToWire(forfeit.cause));
  }
  const match::MatchTimes& times = match.verdict.times;
  for (const match::SeatTime& time : times.seats) ToWire(time, out->add_times());
  if (times.late.valid()) out->set_late_seat(static_cast<uint32_t>(times.late.index()));
}

void MatchesToWire(const std::vector<store::BlockMatch>& matches,
                   google::protobuf::RepeatedPtrField<v1::BlockMatch>* out) {
  for (size_t rotation = 0; rotation < matches.size(); ++rotation) {
    MatchToWire(matches[rotation], static_cast<int>(rotation), out->Add());
  }
}

void AttemptToWire(const store::Attempt& attempt, v1::BlockAttempt* out) {
  out->set_number(static_cast<uint32_t>(attempt.number));
  MatchesToWire(attempt.matches, out->mutable_matches());
  out->set_state(attempt.ending == match::Ending::kCancelled ? v1::MATCH_STATE_CANCELLED
                                                             : v1::MATCH_STATE_VOID);
  out->set_reason(attempt.reason);
  out->set_cancelled_by(attempt.cancelled_by);
  ToWire(attempt.end_time, out->mutable_end_time());
}

// Returns an empty name for a number out of range, which a damaged store may contain.
std::string NameOf(int bot, const EntrantNames& entrants) {
  const auto number = static_cast<size_t>(bot);
  return number < entrants.names.size() ? entrants.names[number] : "";
}

store::EntrantLabel LabelOf(int bot, const EntrantNames& entrants) {
  const auto number = static_cast<size_t>(bot);
  return number < entrants.labels.size() ? entrants.labels[number] : store::EntrantLabel();
}

// Lists each bot once, with the version of the entrant that represents it.
void EntrantsToWire(const store::Competition& competition, v1::Competition* out) {
  const std::vector<std::string>& names = competition.spec.entrants;
  if (competition.labels.size() != names.size()) return;
  absl::flat_hash_map<std::string, std::string> versions;
  for (size_t i = 0; i < names.size(); ++i) {
    const store::EntrantLabel& label = competition.labels[i];
    if (label.stands) versions.insert_or_assign(names[i], label.version);
  }
  out->mutable_spec()->clear_entrants();
  for (const std::string& name : names) {
    const auto found = versions.find(name);
    if (found == versions.end()) continue;
    out->mutable_spec()->add_entrants(name);
    out->add_entrant_versions(found->second);
    versions.erase(found);
  }
}

void DiceToWire(const store::Competition& competition, v1::Competition* out) {
  const bool finished = competition.state == store::CompetitionState::kFinished;
  if (competition.lot_seed) {
    out->set_lot_commitment(std::string(dice::Raw(dice::Commit(*competition.lot_seed))));
    if (finished) out->set_lot_seed(std::string(dice::Raw(competition.lot_seed->bytes)));
  }
  // A copied store must not reveal these before the end: the original may have published its seeds,
  // and with a life they would predict later dice.
  if (finished) {
    for (const std::string& life : competition.dice_lives) out->add_dice_lives(life);
  }
  if (!competition.dice_seed) return;
  out->set_dice_commitment(std::string(dice::Raw(dice::Commit(*competition.dice_seed))));
  if (finished) out->set_dice_seed(std::string(dice::Raw(competition.dice_seed->bytes)));
}

void EvennessToWire(const schedule::Evenness& evenness, v1::Evenness* out) {
  out->set_least_meetings(static_cast<uint32_t>(evenness.least_met));
  out->set_most_meetings(static_cast<uint32_t>(evenness.most_met));
  out->set_least_after(static_cast<uint32_t>(evenness.least_after));
  out->set_most_after(static_cast<uint32_t>(evenness.most_after));
}

// Fills all but the spec.
void ProgressToWire(const competition::CompetitionView& view, absl::Time now,
                    v1::Competition* out) {
  const store::Competition& competition = view.competition;
  out->set_state(StateToWire(competition.state));
  ToWire(competition.create_time, out->mutable_create_time());
  if (competition.start_time) {
    ToWire(*competition.start_time, out->mutable_start_time());
    // The wall clock may have been set back.
    const absl::Duration since = std::max(now - *competition.start_time, absl::ZeroDuration());
    ToWire(std::min(since, kLately), out->mutable_lately());
  }
  if (competition.finish_time) ToWire(*competition.finish_time, out->mutable_finish_time());
  out->set_blocks_counted(static_cast<uint64_t>(competition.counted));
  out->set_blocks_running(static_cast<uint32_t>(view.blocks_running));
  if (view.blocks_left) out->set_blocks_left(static_cast<uint64_t>(*view.blocks_left));
  out->set_blocks_replayed(static_cast<uint64_t>(competition.replayed));
  out->set_blocks_lately(static_cast<uint32_t>(view.blocks_lately));
  out->set_waits_for(view.waits_for);
  out->set_competition_id(competition.id.text());
  out->set_position_count(static_cast<uint32_t>(competition.position_count));
  if (view.evenness) EvennessToWire(*view.evenness, out->mutable_evenness());
  DiceToWire(competition, out);
  if (view.test.has_value()) ToWire(*view.test, out->mutable_test());
  if (competition.spec.format != Format::kLadder) return;
  out->set_season(static_cast<uint32_t>(competition.season));
  if (competition.season_time) {
    ToWire(*competition.season_time, out->mutable_season_start_time());
  }
}

// Converts the numbers of blocks by half points.
void CountsToWire(const rating::BlockCounts& counts,
                  google::protobuf::RepeatedField<uint64_t>* out) {
  for (const int64_t blocks : counts.counts()) out->Add(static_cast<uint64_t>(blocks));
}

v1::TestDecision DecisionToWire(rating::Hypothesis accepted) {
  switch (accepted) {
    case rating::Hypothesis::kNone:
      return v1::TEST_DECISION_NONE;
    case rating::Hypothesis::kH0:
      return v1::TEST_DECISION_H0;
    case rating::Hypothesis::kH1:
      return v1::TEST_DECISION_H1;
  }
  return v1::TEST_DECISION_UNSPECIFIED;
}

// Fills in the part of the interval that tables and charts show, for a standing or a point.
template <typename Message>
void IntervalToWire(double elo, double error, Message* out) {
  const rating::ShownInterval interval = rating::IntervalToShow(elo, error);
  if (interval.at_least) out->set_elo_at_least(*interval.at_least);
  if (interval.at_most) out->set_elo_at_most(*interval.at_most);
}

// Merges the changes of an UpdateCompetitionRequest into the current spec.
absl::Status Merge(const v1::UpdateCompetitionRequest& request, v1::CompetitionSpec* spec) {
  const auto& paths = request.update_mask().paths();
  if (paths.empty()) {
    return BadValue("update_mask", "", "names of fields of the spec, such as pace");
  }
  const google::protobuf::Reflection& fields = *spec->GetReflection();
  for (const std::string& path : paths) {
    if (absl::Status may = competition::CheckMayChange(path); !may.ok()) return may;
    fields.ClearField(spec, spec->GetDescriptor()->FindFieldByName(path));
  }
  v1::CompetitionSpec changes = request.spec();
  std::vector<const google::protobuf::FieldDescriptor*> given;
  fields.ListFields(changes, &given);
  for (const auto* const field : given) {
    const bool asked = std::find(paths.begin(), paths.end(), field->name()) != paths.end();
    if (!asked) fields.ClearField(&changes, field);
  }
  spec->MergeFrom(changes);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Spec> FromWire(const v1::CompetitionSpec& wire) {
  absl::StatusOr<Spec> spec = store::SpecFromWire(wire);
  if (!spec.ok()) return spec;
  const auto game = FromWire(wire.options(), spec->seats, "seats");
  if (!game.ok()) return game.status();
  spec->game = std::string((*game)->name());
  spec->options.clear();
  for (const games::Option& option : (*game)->source()) {
    spec->options.emplace_back(option.name, option.value);
  }
  return spec;
}

absl::Status Update(const v1::UpdateCompetitionRequest& request, Spec* spec) {
  v1::CompetitionSpec wire;
  absl::Status merged = store::SpecToWire(*spec, &wire);
  if (merged.ok()) merged = Merge(request, &wire);
  if (!merged.ok()) return merged;
  absl::StatusOr<Spec> changed = store::SpecFromWire(wire);
  if (!changed.ok()) return changed.status();
  *spec = *std::move(changed);
  return absl::OkStatus();
}

void ToWire(const Spec& spec, v1::CompetitionSpec* out) {
  store::SpecToWire(spec, out).IgnoreError();  // omits what cannot be read
  const absl::StatusOr<competition::CompetitionTerms> terms = competition::ReadTerms(spec);
  if (!terms.ok()) return;
  games::WireOf(*terms->game).OptionsToWire(*terms->game, out->mutable_options());
}

void ToWire(const competition::CompetitionView& view, absl::Time now, v1::Competition* out) {
  ToWire(view.competition.spec, out->mutable_spec());
  EntrantsToWire(view.competition, out);
  ProgressToWire(view, now, out);
}

void ListedToWire(competition::CompetitionView view, absl::Time now, v1::Competition* out) {
  view.competition.spec.entrants.clear();
  view.competition.labels.clear();
  DropFiles(&view.competition.spec);
  ToWire(view, now, out);
}

void ToWire(const competition::TestView& test, v1::TestProgress* out) {
  const rating::Sprt& sprt = test.sprt;
  out->set_bot(test.bot);
  out->set_against(test.against);
  out->set_log_likelihood_ratio(sprt.log_likelihood_ratio());
  out->set_lower_bound(sprt.terms().lower_bound());
  out->set_upper_bound(sprt.terms().upper_bound());
  CountsToWire(sprt.counts(), out->mutable_blocks_by_half_points());
  out->set_draws(static_cast<uint64_t>(test.draws));
  out->set_decision(DecisionToWire(sprt.accepted()));
  for (const std::string& one : test.out) out->add_out(one);
  const absl::optional<rating::SprtEstimate> estimate = rating::EstimateAfter(sprt);
  if (!estimate.has_value()) return;
  out->mutable_estimate()->set_elo(estimate->elo);
  out->mutable_estimate()->set_elo_low(estimate->elo_low);
  out->mutable_estimate()->set_elo_high(estimate->elo_high);
  out->mutable_estimate()->set_superiority(estimate->superiority);
}

void ToWire(const competition::TestPoint& point, v1::TestPoint* out) {
  out->set_block(static_cast<uint64_t>(point.block));
  CountsToWire(point.counts, out->mutable_blocks_by_half_points());
  out->set_log_likelihood_ratio(point.log_likelihood_ratio);
}

void ToWire(const competition::RatingPage::History& history, v1::RatingHistory* out) {
  out->set_bot(history.bot);
  out->set_version(history.version);
  for (const competition::RatingPoint& point : history.points) {
    v1::RatingPoint* const wire = out->add_points();
    wire->set_block(static_cast<uint64_t>(point.blocks));
    wire->set_elo(point.elo);
    IntervalToWire(point.elo, point.error, wire);
  }
}

std::string TokenOf(const competition::TestCursor& cursor) {
  return absl::StrCat(cursor.next_block, ".", cursor.last_block, ".",
                      absl::StrJoin(cursor.counts.counts(), "."));
}

absl::optional<competition::TestCursor> TestCursorFromToken(absl::string_view token) {
  competition::TestCursor cursor;
  const size_t values = cursor.counts.counts().size();
  std::vector<int64_t> numbers;
  for (const absl::string_view part : absl::StrSplit(token, '.')) {
    int64_t number;
    if (numbers.size() == values + 2 || !absl::SimpleAtoi(part, &number) || number < -1 ||
        number > limits::kMaxBlocks) {
      return absl::nullopt;
    }
    numbers.push_back(number);
  }
  if (numbers.size() != values + 2 || numbers[0] < 0) return absl::nullopt;
  cursor.next_block = numbers[0];
  cursor.last_block = numbers[1];
  for (size_t i = 0; i < values; ++i) {
    if (numbers[i + 2] < 0) return absl::nullopt;
    cursor.counts.AddBlocks(static_cast<int>(i), numbers[i + 2]);
  }
  return cursor;
}

void ToWire(const store::Conduct& conduct, v1::Conduct* out) {
  out->set_voids(static_cast<uint64_t>(conduct.voids));
  out->set_late_voids(static_cast<uint64_t>(conduct.late_voids));
  ToWire(conduct.given_back, out->mutable_given_back());
  out->set_time_losses(static_cast<uint64_t>(conduct.time_losses));
  out->set_lost_links(static_cast<uint64_t>(conduct.lost_links));
}

void ToWire(const competition::Standing& standing, v1::Standing* out) {
  const store::Tally& tally = standing.entrant.tally;
  out->set_rank(static_cast<uint32_t>(standing.rank));
  out->set_bot(standing.entrant.name);
  out->set_blocks(static_cast<uint64_t>(tally.blocks));
  out->set_wins(static_cast<uint64_t>(tally.wins));
  out->set_draws(static_cast<uint64_t>(tally.draws));
  out->set_losses(static_cast<uint64_t>(tally.losses));
  out->set_forfeits(static_cast<uint64_t>(tally.forfeits));
  out->set_points(standing.points);
  for (const schedule::TieBreakScore& score : standing.tie_breaks) {
    v1::TieBreakValue* const value = out->add_tie_breaks();
    value->set_tie_break(store::ToWire(score.tie_break));
    if (!score.value.has_value()) continue;
    value->set_value(*score.value);
    if (score.tie_break == TieBreak::kBuchholz) out->set_tie_break(*score.value);
  }
  if (standing.share) out->set_share(*standing.share);
  out->set_annulled(standing.annulled);
  out->set_forfeited_blocks(static_cast<uint32_t>(standing.forfeited_blocks));
  out->set_walkovers(static_cast<uint32_t>(standing.walkovers));
  out->set_byes(static_cast<uint32_t>(standing.byes));
  out->set_provisional(standing.provisional);
  out->set_elo(standing.elo);
  out->set_elo_error(standing.elo_error);
  IntervalToWire(standing.elo, standing.elo_error, out);
  if (standing.superiority) out->set_superiority(*standing.superiority);
  out->set_remark(standing.remark);
  out->set_connected(standing.connected);
  ToWire(tally.conduct, out->mutable_conduct());
  out->set_version(standing.entrant.version);
  out->set_season(static_cast<uint32_t>(standing.entrant.season));
  out->set_succeeded(standing.succeeded);
}

void ToWire(const store::Block& block, const EntrantNames& entrants, v1::Block* out) {
  out->set_number(static_cast<uint64_t>(block.number));
  for (const int bot : block.pairing.bots) {
    out->add_bots(NameOf(bot, entrants));
    const store::EntrantLabel label = LabelOf(bot, entrants);
    out->add_bot_versions(label.version);
    out->set_season(static_cast<uint32_t>(label.season));
  }
  out->set_state(StateToWire(block.state));
  MatchesToWire(block.matches, out->mutable_matches());
  out->set_replayed(static_cast<uint32_t>(block.attempt));
  ToWire(block.begin_time, out->mutable_begin_time());
  if (block.end_time) ToWire(*block.end_time, out->mutable_end_time());
  for (const int bot : block.forfeited_by) out->add_forfeited_by(NameOf(bot, entrants));
  out->set_reason(block.reason);
  for (const store::Attempt& attempt : block.attempts) AttemptToWire(attempt, out->add_attempts());
}

void ToWire(const competition::RoundLine& line, absl::Span<const std::string> entrants,
            v1::RoundPairing* out) {
  const schedule::RoundPairing& pairing = line.pairing;
  const auto name_of = [&](int bot) {
    return bot < 0 ? std::string() : NameOf(bot, {entrants, {}});
  };
  out->set_round(static_cast<uint32_t>(pairing.round));
  out->set_place(static_cast<uint32_t>(pairing.place));
  for (const int bot : pairing.bots) out->add_bots(name_of(bot));
  out->set_state(StateToWire(pairing.state));
  out->set_winner(name_of(pairing.winner));
  out->set_decision(DecisionToWire(pairing.decision));
  for (const int64_t points : pairing.points) out->add_points(static_cast<double>(points) / 2);
  for (const int won : pairing.blocks_won) out->add_blocks_won(static_cast<uint32_t>(won));
  for (const int64_t score : pairing.scores) out->add_scores(score);
  for (const int forfeits : line.forfeits) out->add_forfeits(static_cast<uint32_t>(forfeits));
  for (const int64_t block : pairing.blocks) out->add_blocks(static_cast<uint64_t>(block));
  out->set_reason(line.reason);
}

void ToWire(const competition::PairResult& pair, const EntrantNames& entrants, v1::PairTotal* out) {
  out->set_bot(NameOf(pair.bot, entrants));
  out->set_opponent(NameOf(pair.opponent, entrants));
  out->set_bot_version(LabelOf(pair.bot, entrants).version);
  out->set_opponent_version(LabelOf(pair.opponent, entrants).version);
  uint64_t blocks = 0;
  for (const int64_t count : pair.blocks) {
    out->add_blocks_by_points(static_cast<uint64_t>(count));
    blocks += static_cast<uint64_t>(count);
  }
  out->set_blocks(blocks);
  out->set_wins(static_cast<uint64_t>(pair.wins));
  out->set_draws(static_cast<uint64_t>(pair.draws));
  out->set_losses(static_cast<uint64_t>(pair.losses));
  out->set_points(static_cast<double>(pair.wins) + static_cast<double>(pair.draws) / 2);
}

}  // namespace referee::service
