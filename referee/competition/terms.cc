#include "referee/competition/terms.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/games/catalogue.h"
#include "referee/games/options.h"
#include "referee/rating/sprt.h"
#include "referee/replay/summary.h"
#include "referee/schedule/positions.h"

namespace referee::competition {
namespace {

// Returns the positions as the game writes them, after trying a game from each.
absl::StatusOr<std::vector<std::string>> SettlePositions(const CompetitionTerms& terms) {
  std::vector<std::string> settled;
  if (terms.positions.empty()) return settled;
  const absl::StatusOr<games::Entry> entry = games::Find(terms.game->name());
  if (!entry.ok()) return entry.status();
  absl::Status takes = games::CheckTakesPositions(*entry->type, *terms.game);
  if (!takes.ok()) return At("positions", takes);
  for (const std::string& position : terms.positions) {
    const auto game = games::GameAt(*entry->type, *terms.game, position);
    if (!game.ok()) return At(absl::StrCat("positions[", settled.size(), "]"), game.status());
    settled.push_back(games::StartOf(**game));
  }
  return settled;
}

struct Field {
  absl::string_view name;
  bool when_finished;  // it may change then, too: no counting depends on it
  std::string (*text)(const schedule::Spec& spec);
};

constexpr Field kFields[] = {
    {"name", true, [](const schedule::Spec& spec) { return Quoted(spec.name); }},
    {"description", true, [](const schedule::Spec& spec) { return Quoted(spec.description); }},
    {"watch_delay", true,
     [](const schedule::Spec& spec) { return absl::FormatDuration(spec.watch_delay); }},
    {"keep_replays", true,
     [](const schedule::Spec& spec) {
       return std::string(spec.keep_replays ? "always" : "default");
     }},
    {"time_control", false, [](const schedule::Spec& spec) { return spec.time_control; }},
    {"max_running", false,
     [](const schedule::Spec& spec) { return absl::StrCat(spec.max_running); }},
    {"absence_limit", false,
     [](const schedule::Spec& spec) { return absl::FormatDuration(spec.absence_limit); }},
    {"silence_limit", false,
     [](const schedule::Spec& spec) { return absl::StrCat(spec.silence_limit); }},
    {"provisional_width", false,
     [](const schedule::Spec& spec) { return absl::StrCat(spec.provisional_width); }},
    {"pace", false, [](const schedule::Spec& spec) { return absl::StrCat(spec.pace); }},
    {"goal_width", false, [](const schedule::Spec& spec) { return absl::StrCat(spec.goal_width); }},
    {"priority", false, [](const schedule::Spec& spec) { return absl::StrCat(spec.priority); }},
    {"homes", false, [](const schedule::Spec& spec) { return absl::StrCat(spec.homes); }},
};

}  // namespace

absl::StatusOr<CompetitionTerms> ReadTerms(const schedule::Spec& spec) {
  std::vector<games::Option> options;
  for (const auto& [name, value] : spec.options) options.push_back({name, value});
  const absl::StatusOr<games::Entry> entry = games::Find(spec.game);
  if (!entry.ok()) return entry.status();
  absl::StatusOr<std::shared_ptr<const games::Game>> game =
      entry->type->Create(spec.seats, options);
  if (!game.ok()) return game.status();
  absl::StatusOr<match::TimeControl> time_control = match::TimeControl();
  if (!spec.time_control.empty()) time_control = match::ParseTimeControl(spec.time_control);
  if (!time_control.ok()) return time_control.status();
  const absl::StatusOr<match::Policies> policies = match::ParsePolicies(
      spec.on_timeout, spec.on_illegal, spec.on_lost_link, spec.lag_compensation);
  if (!policies.ok()) return policies.status();
  return CompetitionTerms{*std::move(game), spec.positions, *time_control, *policies};
}

absl::Status Settle(schedule::Spec* spec) {
  if (absl::Status valid = schedule::Validate(*spec); !valid.ok()) return valid;
  const absl::StatusOr<CompetitionTerms> terms = ReadTerms(*spec);
  if (!terms.ok()) return terms.status();
  absl::StatusOr<std::vector<std::string>> positions = SettlePositions(*terms);
  if (!positions.ok()) return positions.status();
  spec->positions = *std::move(positions);
  spec->options.clear();
  for (const games::Option& option : terms->game->source()) {
    spec->options.emplace_back(option.name, option.value);
  }
  if (spec->format == schedule::Format::kKnockout) {
    spec->extra_blocks = schedule::ExtraBlocks(*spec);
  }
  if (spec->sprt) {
    // Round-trips the terms through text, so that the stored terms are those in use.
    const absl::StatusOr<rating::SprtTerms> sprt =
        rating::ParseSprtTerms(rating::SprtTermsText(*spec->sprt));
    if (!sprt.ok()) return At("sprt", sprt.status());
    spec->sprt = *sprt;
  }
  const std::vector<schedule::TieBreak> tie_breaks = schedule::TieBreaks(*spec);
  if (!tie_breaks.empty()) spec->tie_breaks = tie_breaks;
  spec->time_control = match::TimeControlText(terms->time_control);
  spec->on_timeout = match::FaultPolicyText(terms->policies.on_timeout);
  spec->on_illegal = match::FaultPolicyText(terms->policies.on_illegal);
  spec->on_lost_link = match::LinkPolicyText(terms->policies.link_grace);
  spec->lag_compensation = match::LagCompensationText(terms->policies.lag);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const games::Game>> GameOf(const CompetitionTerms& terms,
                                                          int64_t block) {
  if (terms.positions.empty()) return terms.game;
  const absl::StatusOr<games::Entry> entry = games::Find(terms.game->name());
  if (!entry.ok()) return entry.status();
  const int number = schedule::PositionOf(block, static_cast<int>(terms.positions.size()));
  return games::GameAt(*entry->type, *terms.game, terms.positions[static_cast<size_t>(number)]);
}

absl::StatusOr<host::BlockRequest> BlockRequestFor(const store::Competition& competition,
                                                   const CompetitionTerms& terms,
                                                   const store::Block& block) {
  const schedule::Spec& spec = competition.spec;
  absl::StatusOr<std::shared_ptr<const games::Game>> game = GameOf(terms, block.number);
  if (!game.ok()) return game.status();
  host::BlockRequest request;
  request.match.game = *std::move(game);
  for (const int bot : block.pairing.bots) request.match.bots.push_back(spec.entrants[bot]);
  request.match.time_control = terms.time_control;
  request.match.policies = terms.policies;
  request.match.dice_source.pinned_seed =
      store::PinnedSeedOf(competition, block.number, block.attempt);
  return request;
}

std::string BlockRequestId(const store::Block& block) {
  return replay::BlockRequestId(block.competition.text(), block.number, block.attempt);
}

absl::optional<store::CompetitionId> CompetitionOfRequest(absl::string_view request_id) {
  const absl::string_view id = replay::CompetitionOf(request_id);
  if (id.empty()) return absl::nullopt;
  return store::CompetitionId(std::string(id));
}

absl::Status CheckMayChange(absl::string_view field) {
  std::string known;
  for (const Field& one : kFields) {
    if (one.name == field) return absl::OkStatus();
    absl::StrAppend(&known, known.empty() ? "" : ", ", one.name);
  }
  return BadValue("update_mask", field,
                  absl::StrCat("one of ", known, "; all else stays as the competition was made"));
}

absl::StatusOr<std::string> ChangeText(const store::Competition& from, const schedule::Spec& to) {
  std::string text;
  for (const Field& field : kFields) {
    const std::string was = field.text(from.spec);
    const std::string is = field.text(to);
    if (is == was) continue;
    if (!field.when_finished && from.state == store::CompetitionState::kFinished) {
      return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(from.spec.name),
                                                        ": is FINISHED; its ", field.name,
                                                        " changes no more"));
    }
    absl::StrAppend(&text, text.empty() ? "" : "; ", field.name, " ", is, ", was ", was);
  }
  return text;
}

}  // namespace referee::competition
