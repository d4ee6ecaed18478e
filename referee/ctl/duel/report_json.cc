// The report of a duel as JSON; report.cc has the text.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/report.h"
#include "referee/ctl/terminal/print.h"
#include "referee/dice/dice.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"
#include "referee/rating/sprt_estimate.h"
#include "referee/replay/summary.h"

namespace referee::ctl {
namespace {

std::string LowerCauseName(match::Cause cause) {
  return absl::AsciiStrToLower(match::CauseName(cause));
}

// A string for a seed that is not a number, or that exceeds JavaScript's exact integers.
Json SeedJson(const match::DiceSource& dice) {
  constexpr uint64_t kMaxExact = (uint64_t{1} << 53) - 1;
  if (dice.pinned_number && *dice.pinned_number <= kMaxExact) return *dice.pinned_number;
  return DiceSeedText(dice);
}

// Null if infinite.
Json EloJson(double elo) { return std::isinf(elo) ? Json(nullptr) : Json(elo); }

Json StrengthJson(const DuelBlocks& blocks, size_t left_out) {
  Json json = {{"counts", blocks.counts.counts()},
               {"blocks", blocks.counts.blocks()},
               {"blocks_without_result", blocks.without_result},
               {"matches_left_out", left_out}};
  if (const auto estimate = rating::EstimateElo(blocks.counts)) {
    json["score"] = estimate->score;
    json["elo"] = EloJson(estimate->elo);
    json["elo_low"] = EloJson(estimate->elo_low);
    json["elo_high"] = EloJson(estimate->elo_high);
    json["normalized_elo"] = estimate->normalized_elo;
    json["superiority"] = estimate->superiority;
  }
  return json;
}

Json TestJson(const rating::Sprt& sprt, int surplus) {
  Json accepted = nullptr;
  if (sprt.accepted() == rating::Hypothesis::kH0) accepted = "H0";
  if (sprt.accepted() == rating::Hypothesis::kH1) accepted = "H1";
  const bool normalized = sprt.terms().scale == rating::EloScale::kNormalized;
  Json json = {{"elo0", sprt.terms().elo0},
               {"elo1", sprt.terms().elo1},
               {"scale", normalized ? "normalized" : "logistic"},
               {"alpha", sprt.terms().alpha},
               {"beta", sprt.terms().beta},
               {"llr", sprt.log_likelihood_ratio()},
               {"lower_bound", sprt.terms().lower_bound()},
               {"upper_bound", sprt.terms().upper_bound()},
               {"accepted", accepted},
               {"surplus_matches", surplus}};
  if (const auto estimate = rating::EstimateAfter(sprt)) {
    json["corrected_elo"] = EloJson(estimate->elo);
    json["corrected_elo_low"] = EloJson(estimate->elo_low);
    json["corrected_elo_high"] = EloJson(estimate->elo_high);
    json["corrected_superiority"] = estimate->superiority;
  }
  return json;
}

Json TimesJson(const MoveTimes& times) {
  return {{"moves", times.moves},
          {"mean_move_ms", absl::ToDoubleMilliseconds(times.mean())},
          {"worst_move_ms", absl::ToDoubleMilliseconds(times.worst)}};
}

Json ForgivenJson(const ForgivenFaults& faults) {
  return {{"substituted",
           {{LowerCauseName(match::Cause::kTimeout), faults.substituted_timeouts},
            {LowerCauseName(match::Cause::kIllegal), faults.substituted_illegal}}},
          {"retried", faults.retried}};
}

Json FaultJson(const SeatFault& fault) {
  Json json = {{"cause", LowerCauseName(fault.cause)},
               {"turn", fault.turn},
               {"detail", fault.detail},
               {"forfeit", fault.forfeits},
               {"not_ready", fault.unready}};
  if (fault.forfeits && fault.cause == match::Cause::kTimeout) {
    json["other_turns"] = fault.other_turns;
  }
  if (!fault.written.empty()) json["written"] = fault.written;
  return json;
}

// The first fault of a kind, and its place.
Json FirstFaultJson(const BotFigures::Fault& first) {
  Json json = FaultJson(first.fault());
  json["match"] = first.match->index;
  json["match_id"] = first.match->id.text();
  json["seat"] = first.seat.index();
  if (!first.match->replay_path.empty()) json["replay"] = first.match->replay_path;
  return json;
}

Json BotJson(const launch::BotCommand& command, const BotFigures& bot) {
  Json forfeits = Json::object();
  for (size_t i = 0; i < kAllCauses.size(); ++i) {
    forfeits[LowerCauseName(kAllCauses[i])] = bot.forfeits[i];
  }
  Json json = {{"name", command.name},           {"command", command.command},
               {"finished", bot.finished},       {"wins", bot.wins},
               {"shared_wins", bot.shared_wins}, {"mean_rank", bot.mean_rank},
               {"mean_score", bot.mean_score},   {"forfeits", forfeits},
               {"not_ready", bot.unready}};
  if (!bot.first_faults.empty()) {
    json["first_fault"] = FirstFaultJson(bot.first_faults.front());
    for (const BotFigures::Fault& first : bot.first_faults) {
      json["first_faults"].push_back(FirstFaultJson(first));
    }
  }
  json.update(ForgivenJson(bot.forgiven));
  json.update(TimesJson(bot.times));
  return json;
}

Json MatchJson(const DuelPlan& plan, const DuelMatch& match) {
  Json seats = Json::array();
  for (const DuelSeat& seat : match.seats) {
    Json json = {{"bot", plan.bots[seat.bot].name}};
    if (match.ending == match::Ending::kFinished) {
      json["score"] = seat.score;
      json["rank"] = seat.rank;
    }
    if (seat.forfeit) json["forfeit"] = LowerCauseName(*seat.forfeit);
    if (seat.fault) json["fault"] = FaultJson(*seat.fault);
    json.update(ForgivenJson(seat.forgiven));
    json.update(TimesJson(seat.times));
    seats.push_back(std::move(json));
  }
  Json json = {{"index", match.index},
               {"id", match.id.text()},
               {"ending", absl::AsciiStrToLower(replay::EndingName(match.ending))},
               {"reason", match.reason},
               {"seed", dice::Hex(match.seed.bytes)},
               {"seats", seats}};
  if (!match.replay_path.empty()) json["replay"] = match.replay_path;
  return json;
}

}  // namespace

std::string ReportJson(const DuelPlan& plan, const DuelReport& report) {
  const std::vector<BotFigures> figures = Tally(plan, report);
  Json options = Json::object();
  for (const games::Option& option : plan.game->options()) options[option.name] = option.value;
  Json bots = Json::array();
  for (size_t i = 0; i < figures.size(); ++i) {
    bots.push_back(BotJson(plan.bots[i], figures[i]));
    if (i < report.recoveries.size()) bots.back()["recoveries"] = report.recoveries[i].times;
  }
  Json matches = Json::array();
  for (const DuelMatch& match : report.matches) matches.push_back(MatchJson(plan, match));
  Json json = {{"game", std::string(plan.game->name())},
               {"options", options},
               {"positions", plan.spec.positions.size()},
               {"time", match::TimeControlText(plan.time_control)},
               {"seed", SeedJson(report.dice)},
               {"matches_planned", plan.matches},
               {"matches_played", report.matches.size()},
               {"matches_without_result", CountVoid(report)},
               {"matches_played_again", report.played_again},
               {"matches_resumed", report.resumed},
               {"matches_with_forfeit", CountForfeited(report)},
               {"on_timeout", match::FaultPolicyText(plan.policies.on_timeout)},
               {"on_illegal", match::FaultPolicyText(plan.policies.on_illegal)},
               {"on_lost_link", match::LinkPolicyText(plan.policies.link_grace)},
               {"lag_compensation", match::LagCompensationText(plan.policies.lag)},
               {"bots", bots},
               {"matches", matches}};
  if (const auto blocks = CountBlocks(plan, report))
    json["pentanomial"] = StrengthJson(*blocks, report.matches.size() - report.counted);
  if (report.sprt) json["sprt"] = TestJson(*report.sprt, report.surplus);
  if (report.table) {
    for (const v1::Standing& standing : report.table->standings()) {
      json["standings"].push_back(Json::parse(JsonLine(standing)));
    }
  }
  for (const v1::RoundPairing& tie : report.ties) {
    json["ties"].push_back(Json::parse(JsonLine(tie)));
  }
  if (!plan.data_dir().empty()) json["replay_dir"] = plan.data_dir();
  if (!report.problem.ok()) json["problem"] = std::string(report.problem.message());
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace referee::ctl
