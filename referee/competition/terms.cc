#include "referee/competition/terms.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/games/catalogue.h"
#include "referee/rating/sprt.h"

namespace referee::competition {
namespace {

constexpr absl::string_view kRequestPrefix = "c/";

absl::StatusOr<match::TimeControl> ReadTimeControl(const schedule::Spec& spec) {
  if (spec.time_control.empty()) return match::TimeControl();
  return match::ParseTimeControl(spec.time_control);
}

absl::StatusOr<match::Policies> ReadPolicies(const schedule::Spec& spec) {
  match::Policies policies;
  for (const auto& [field, text, policy] :
       {std::tuple("on_timeout", &spec.on_timeout, &policies.on_timeout),
        std::tuple("on_illegal", &spec.on_illegal, &policies.on_illegal)}) {
    if (text->empty()) continue;
    absl::StatusOr<match::FaultPolicy> read = match::ParseFaultPolicy(field, *text);
    if (!read.ok()) return read.status();
    *policy = *read;
  }
  if (!spec.on_lost_link.empty()) {
    absl::StatusOr<absl::Duration> grace =
        match::ParseLinkPolicy("on_lost_link", spec.on_lost_link);
    if (!grace.ok()) return grace.status();
    policies.link_grace = *grace;
  }
  if (!spec.lag_compensation.empty()) {
    absl::StatusOr<match::LagCompensation> lag =
        match::ParseLagCompensation("lag_compensation", spec.lag_compensation);
    if (!lag.ok()) return lag.status();
    policies.lag = *lag;
  }
  if (absl::Status valid = match::Validate(policies); !valid.ok()) return valid;
  return policies;
}

}  // namespace

absl::StatusOr<CompetitionTerms> ReadTerms(const schedule::Spec& spec) {
  std::vector<games::Option> options;
  for (const auto& [name, value] : spec.options) options.push_back({name, value});
  const absl::StatusOr<games::Entry> entry = games::Find(spec.game);
  if (!entry.ok()) return entry.status();
  absl::StatusOr<std::shared_ptr<const games::Game>> game =
      entry->type->Create(spec.seats, options);
  if (!game.ok()) return game.status();
  absl::StatusOr<match::TimeControl> time_control = ReadTimeControl(spec);
  if (!time_control.ok()) return time_control.status();
  absl::StatusOr<match::Policies> policies = ReadPolicies(spec);
  if (!policies.ok()) return policies.status();
  return CompetitionTerms{*std::move(game), *time_control, *policies};
}

absl::Status Settle(schedule::Spec* spec) {
  if (absl::Status valid = schedule::Validate(*spec); !valid.ok()) return valid;
  const absl::StatusOr<CompetitionTerms> terms = ReadTerms(*spec);
  if (!terms.ok()) return terms.status();
  spec->options.clear();
  for (const games::Option& option : terms->game->source()) {
    spec->options.emplace_back(option.name, option.value);
  }
  if (spec->format == schedule::Format::kKnockout) {
    spec->extra_blocks = schedule::ExtraBlocks(*spec);
  }
  if (spec->sprt) {
    // What is stored is what is reckoned with.
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

host::BlockRequest BlockRequestFor(const store::Competition& competition,
                                   const CompetitionTerms& terms, const store::Block& block) {
  const schedule::Spec& spec = competition.spec;
  host::BlockRequest request;
  request.match.game = terms.game;
  for (const int bot : block.pairing.bots) request.match.bots.push_back(spec.entrants[bot]);
  request.match.time_control = terms.time_control;
  request.match.policies = terms.policies;
  request.match.dice_source.pinned_seed =
      store::PinnedSeedOf(competition.dice, block.number, block.attempt);
  return request;
}

std::string BlockRequestId(const store::Block& block) {
  return absl::StrCat(kRequestPrefix, block.competition.text(), "/", block.number, "/",
                      block.attempt);
}

absl::optional<store::CompetitionId> CompetitionOfRequest(absl::string_view request_id) {
  if (!absl::ConsumePrefix(&request_id, kRequestPrefix)) return absl::nullopt;
  return store::CompetitionId(std::string(request_id.substr(0, request_id.find('/'))));
}

}  // namespace referee::competition
