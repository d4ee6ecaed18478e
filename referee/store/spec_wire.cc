#include "referee/store/spec_wire.h"

#include <sodium.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/replay/terms_wire.h"

namespace referee::store {
namespace {

using replay::FromWire;
using replay::ToWire;
using schedule::Format;
using schedule::Spec;
using schedule::TieBreak;

// The enums have the same order, after other values.
constexpr int kFirstFormat = v1::COMPETITION_FORMAT_ROUND_ROBIN;
constexpr int kFirstTieBreak = v1::TIE_BREAK_BUCHHOLZ;
static_assert(static_cast<int>(Format::kTest) + kFirstFormat == v1::COMPETITION_FORMAT_TEST);
static_assert(static_cast<int>(TieBreak::kWins) + kFirstTieBreak == v1::TIE_BREAK_WINS);

absl::Status TieBreaksFromWire(const v1::CompetitionSpec& wire, Spec* spec) {
  if (wire.tie_breaks().empty()) return absl::OkStatus();
  spec->tie_breaks.emplace();
  if (wire.tie_breaks_size() == 1 && wire.tie_breaks(0) == v1::TIE_BREAK_NONE) {
    return absl::OkStatus();
  }
  for (const int given : wire.tie_breaks()) {
    if (given < kFirstTieBreak || !v1::TieBreak_IsValid(given)) {
      return BadValue("tie_breaks", absl::StrCat(given),
                      "BUCHHOLZ, BUCHHOLZ_CUT_1, DIRECT_ENCOUNTER, SONNEBORN_BERGER or WINS, or "
                      "NONE alone");
    }
    spec->tie_breaks->push_back(static_cast<TieBreak>(given - kFirstTieBreak));
  }
  return absl::OkStatus();
}

absl::Status JudgingFromWire(const v1::CompetitionSpec& wire, Spec* spec) {
  if (wire.has_time_control()) {
    const absl::StatusOr<match::TimeControl> time_control = FromWire(wire.time_control());
    if (!time_control.ok()) return time_control.status();
    spec->time_control = match::TimeControlText(*time_control);
  }
  if (!wire.has_policies()) return absl::OkStatus();
  const absl::StatusOr<match::Policies> policies = FromWire(wire.policies());
  if (!policies.ok()) return policies.status();
  spec->on_timeout = match::FaultPolicyText(policies->on_timeout);
  spec->on_illegal = match::FaultPolicyText(policies->on_illegal);
  spec->on_lost_link = match::LinkPolicyText(policies->link_grace);
  spec->lag_compensation = match::LagCompensationText(policies->lag);
  return absl::OkStatus();
}

absl::Status DurationsFromWire(const v1::CompetitionSpec& wire, Spec* spec) {
  if (wire.has_absence_limit()) {
    const absl::StatusOr<absl::Duration> limit = FromWire(
        "absence_limit", wire.absence_limit(), limits::kMinAbsenceLimit, limits::kMaxAbsenceLimit);
    if (!limit.ok()) return limit.status();
    if (spec->format == Format::kLadder) {
      return absl::InvalidArgumentError(
          absl::StrCat("absence_limit: ", absl::FormatDuration(*limit),
                       " is given, but a ladder waits for ever; leave it out"));
    }
    spec->absence_limit = *limit;
  }
  const absl::StatusOr<absl::Duration> delay =
      FromWire("watch_delay", wire.watch_delay(), absl::ZeroDuration(), limits::kMaxWatchDelay);
  if (!delay.ok()) return delay.status();
  spec->watch_delay = *delay;
  return absl::OkStatus();
}

absl::Status JudgingToWire(const Spec& spec, v1::CompetitionSpec* out) {
  if (!spec.time_control.empty()) {
    const absl::StatusOr<match::TimeControl> time = match::ParseTimeControl(spec.time_control);
    if (!time.ok()) return time.status();
    ToWire(*time, out->mutable_time_control());
  }
  const absl::StatusOr<match::Policies> policies = match::ParsePolicies(
      spec.on_timeout, spec.on_illegal, spec.on_lost_link, spec.lag_compensation);
  if (!policies.ok()) return policies.status();
  const bool given = !spec.on_timeout.empty() || !spec.on_illegal.empty() ||
                     !spec.on_lost_link.empty() || !spec.lag_compensation.empty();
  if (given) ToWire(*policies, out->mutable_policies());
  return absl::OkStatus();
}

}  // namespace

int CountFromWire(uint32_t count) {
  return static_cast<int>(std::min<uint32_t>(count, std::numeric_limits<int>::max()));
}

void ToWire(const std::vector<TieBreak>& tie_breaks, v1::CompetitionSpec* out) {
  for (const TieBreak tie_break : tie_breaks) out->add_tie_breaks(ToWire(tie_break));
  if (tie_breaks.empty()) out->add_tie_breaks(v1::TIE_BREAK_NONE);
}

void ToWire(const rating::SprtTerms& terms, v1::SprtTerms* out) {
  out->set_elo0(terms.elo0);
  out->set_elo1(terms.elo1);
  out->set_alpha(terms.alpha);
  out->set_beta(terms.beta);
  out->set_scale(terms.scale == rating::EloScale::kNormalized ? v1::ELO_SCALE_NORMALIZED
                                                              : v1::ELO_SCALE_LOGISTIC);
}

v1::TieBreak ToWire(TieBreak tie_break) {
  return static_cast<v1::TieBreak>(static_cast<int>(tie_break) + kFirstTieBreak);
}

rating::SprtTerms FromWire(const v1::SprtTerms& wire) {
  rating::SprtTerms terms;
  terms.elo0 = wire.elo0();
  terms.elo1 = wire.elo1();
  if (wire.alpha() != 0) terms.alpha = wire.alpha();
  if (wire.beta() != 0) terms.beta = wire.beta();
  if (wire.scale() == v1::ELO_SCALE_NORMALIZED) terms.scale = rating::EloScale::kNormalized;
  return terms;
}

absl::StatusOr<Format> FromWire(v1::CompetitionFormat wire) {
  if (wire >= kFirstFormat && v1::CompetitionFormat_IsValid(wire)) {
    return static_cast<Format>(wire - kFirstFormat);
  }
  return BadValue("format", absl::StrCat(static_cast<int>(wire)),
                  "ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT, LADDER or TEST");
}

absl::StatusOr<Spec> SpecFromWire(const v1::CompetitionSpec& wire) {
  Spec spec;
  spec.name = wire.name();
  spec.description = wire.description();
  const absl::StatusOr<Format> format = FromWire(wire.format());
  if (!format.ok()) return format.status();
  spec.format = *format;
  spec.game = wire.options().general().game();
  for (const v1::GeneralOption& option : wire.options().general().options()) {
    spec.options.emplace_back(option.name(), option.value());
  }
  if (wire.seats() != 0) spec.seats = CountFromWire(wire.seats());
  absl::Status read = JudgingFromWire(wire, &spec);
  if (read.ok()) read = DurationsFromWire(wire, &spec);
  if (read.ok()) read = TieBreaksFromWire(wire, &spec);
  if (!read.ok()) return read;
  spec.entrants.assign(wire.entrants().begin(), wire.entrants().end());
  spec.positions.assign(wire.positions().begin(), wire.positions().end());
  spec.rounds = CountFromWire(wire.rounds());
  spec.best_of = CountFromWire(wire.best_of());
  if (wire.has_extra_blocks()) spec.extra_blocks = CountFromWire(wire.extra_blocks());
  spec.provisional_width = CountFromWire(wire.provisional_width());
  if (wire.has_silence_limit()) spec.silence_limit = CountFromWire(wire.silence_limit());
  spec.goal_width = CountFromWire(wire.goal_width());
  const double pace = spec.format == Format::kLadder ? schedule::kDefaultPace : 0;
  spec.pace = wire.has_pace() ? wire.pace() : pace;
  spec.max_running = CountFromWire(wire.max_running());
  if (wire.homes() > 0) spec.homes = CountFromWire(wire.homes());
  spec.keep_replays = wire.keep_replays();
  spec.pinned = wire.pinned();
  if (wire.has_sprt()) spec.sprt = FromWire(wire.sprt());
  spec.priority = wire.priority();
  return spec;
}

absl::Status SpecToWire(const Spec& spec, v1::CompetitionSpec* out) {
  out->set_name(spec.name);
  out->set_description(spec.description);
  out->set_format(static_cast<v1::CompetitionFormat>(static_cast<int>(spec.format) + kFirstFormat));
  v1::GeneralOptions* const options = out->mutable_options()->mutable_general();
  options->set_game(spec.game);
  for (const auto& [name, value] : spec.options) {
    v1::GeneralOption* const option = options->add_options();
    option->set_name(name);
    option->set_value(value);
  }
  out->set_seats(static_cast<uint32_t>(spec.seats));
  for (const std::string& bot : spec.entrants) out->add_entrants(bot);
  for (const std::string& position : spec.positions) out->add_positions(position);
  out->set_rounds(static_cast<uint32_t>(spec.rounds));
  out->set_best_of(static_cast<uint32_t>(spec.best_of));
  if (spec.extra_blocks) out->set_extra_blocks(static_cast<uint32_t>(*spec.extra_blocks));
  out->set_silence_limit(static_cast<uint32_t>(spec.silence_limit));
  out->set_provisional_width(static_cast<uint32_t>(spec.provisional_width));
  if (spec.format == Format::kLadder || spec.pace != 0) out->set_pace(spec.pace);
  out->set_goal_width(static_cast<uint32_t>(spec.goal_width));
  out->set_max_running(static_cast<uint32_t>(spec.max_running));
  // A ladder has no absence limit.
  if (spec.format != Format::kLadder) ToWire(spec.absence_limit, out->mutable_absence_limit());
  out->set_pinned(spec.pinned);
  if (spec.tie_breaks.has_value()) ToWire(*spec.tie_breaks, out);
  if (spec.sprt.has_value()) ToWire(*spec.sprt, out->mutable_sprt());
  out->set_priority(spec.priority);
  if (spec.watch_delay > absl::ZeroDuration()) {
    ToWire(spec.watch_delay, out->mutable_watch_delay());
  }
  out->set_homes(static_cast<uint32_t>(spec.homes));
  out->set_keep_replays(spec.keep_replays);
  return JudgingToWire(spec, out);
}

absl::StatusOr<dice::Bytes32> SpecHash(const Spec& spec) {
  v1::CompetitionSpec message;
  if (absl::Status written = SpecToWire(spec, &message); !written.ok()) return written;
  const std::string bytes = message.SerializeAsString();  // deterministic, since it has no maps
  dice::Bytes32 hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return hash;
}

}  // namespace referee::store
