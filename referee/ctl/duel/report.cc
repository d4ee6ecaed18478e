#include "referee/ctl/duel/report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/duel/blocks.h"
#include "referee/ctl/terminal/printable.h"
#include "referee/ctl/terminal/table.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"
#include "referee/rating/sprt_estimate.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

double Milliseconds(absl::Duration duration) { return absl::ToDoubleMilliseconds(duration); }

absl::Duration Mean(const MoveTimes& times) {
  return times.moves == 0 ? absl::ZeroDuration() : times.total / times.moves;
}

std::string Plural(int count, absl::string_view one, absl::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

std::string LowerCauseName(match::Cause cause) {
  return absl::AsciiStrToLower(match::CauseName(cause));
}

absl::string_view EndingName(match::Ending ending) {
  switch (ending) {
    case match::Ending::kFinished:
      return "finished";
    case match::Ending::kVoid:
      return "void";
    case match::Ending::kCancelled:
      return "cancelled";
  }
  return "";
}

// --- Text ---

std::string Headline(const DuelPlan& plan, const DuelReport& report) {
  const int played = static_cast<int>(report.matches.size());
  std::string dice = absl::StrCat("dice pinned to ", DiceSeedText(plan.dice));
  if (plan.dice.pinned_number) {
    const uint64_t last = *DiceOfMatch(plan, std::max(0, played - 1)).pinned_number;
    if (last != *plan.dice.pinned_number) absl::StrAppend(&dice, " ... ", last);
  }
  std::string matches = Plural(played, "match", "matches");
  if (played < plan.matches) absl::StrAppend(&matches, " of ", plan.matches);
  const int without = CountVoid(report);
  if (without > 0) absl::StrAppend(&matches, " (", without, " without a result)");
  if (!plan.positions.empty()) {
    absl::StrAppend(&matches, " from ",
                    Plural(static_cast<int>(plan.positions.size()), "position", "positions"));
  }
  return absl::StrCat(plan.game->name(), ": ", matches, ", time ",
                      match::TimeControlText(plan.time_control), ", ", dice, "\n");
}

std::string ForfeitText(const BotFigures& bot) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < kAllCauses.size(); ++i) {
    if (bot.forfeits[i] == 0) continue;
    parts.push_back(absl::StrCat(bot.forfeits[i], " ", match::CauseName(kAllCauses[i])));
  }
  if (parts.empty()) return "-";
  return absl::StrCat(absl::StrJoin(parts, ", "),
                      bot.unready == 0 ? "" : absl::StrCat(" (", bot.unready, " not ready)"));
}

// "2 TIMEOUT, 1 ILLEGAL".
std::string SubstitutedText(const ForgivenFaults& faults) {
  std::vector<std::string> parts;
  const auto add = [&parts](int64_t count, match::Cause cause) {
    if (count > 0) parts.push_back(absl::StrCat(count, " ", match::CauseName(cause)));
  };
  add(faults.substituted_timeouts, match::Cause::kTimeout);
  add(faults.substituted_illegal, match::Cause::kIllegal);
  return parts.empty() ? "-" : absl::StrJoin(parts, ", ");
}

// The faults that a match forgives, each of which has a column.
struct ForgivenKinds {
  explicit ForgivenKinds(const match::Policies& policies)
      : substituted(policies.on_timeout.action == match::FaultPolicy::Action::kSubstitute ||
                    policies.on_illegal.action == match::FaultPolicy::Action::kSubstitute),
        retried(policies.on_illegal.action == match::FaultPolicy::Action::kRetry) {}
  const bool substituted;
  const bool retried;
};

TableRow BotRow(const std::string& name, const BotFigures& bot, const ForgivenKinds& kinds) {
  const auto figure = [&bot](double value) {
    return bot.finished == 0 ? "-" : absl::StrFormat("%.2f", value);
  };
  const auto time = [&bot](absl::Duration duration) {
    return bot.times.moves == 0 ? "-" : absl::StrFormat("%.2f ms", Milliseconds(duration));
  };
  TableRow row = {name,
                  absl::StrCat(bot.wins),
                  absl::StrCat(bot.shared_wins),
                  figure(bot.mean_rank),
                  figure(bot.mean_score),
                  time(Mean(bot.times)),
                  time(bot.times.worst)};
  if (kinds.substituted) row.push_back(SubstitutedText(bot.forgiven));
  if (kinds.retried) row.push_back(absl::StrCat(bot.forgiven.retried));
  row.push_back(ForfeitText(bot));
  return row;
}

std::string BotTable(const DuelPlan& plan, const std::vector<BotFigures>& bots) {
  const ForgivenKinds kinds(plan.policies);
  std::string align = "lrrrrrr";
  TableRow head = {"bot", "wins", "shared", "rank", "score", "mean move", "worst move"};
  if (kinds.substituted) {
    align += "l";
    head.push_back("substituted");
  }
  if (kinds.retried) {
    align += "r";
    head.push_back("retried");
  }
  align += "l";
  head.push_back("forfeits");
  std::vector<TableRow> rows = {std::move(head)};
  for (size_t i = 0; i < bots.size(); ++i) {
    rows.push_back(BotRow(plan.bots[i].name, bots[i], kinds));
  }
  return TableText(align, rows);
}

// Of the matches that tell how strong the bots are.
std::string PairLine(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != 2) return "";
  std::array<int, 3> by_half_points{};
  const int comparable = ComparableMatches(plan, report);
  for (const DuelMatch& match : report.matches) {
    if (match.index >= comparable || match.ending != match::Ending::kFinished) continue;
    ++by_half_points[static_cast<size_t>(HalfPointsOfMatch(match))];
  }
  const auto [losses, draws, wins] = by_half_points;
  if (losses + draws + wins == 0) return "";
  return absl::StrFormat("\n%s against %s: %s, %s, %s: %.1f %%\n", plan.bots[0].name,
                         plan.bots[1].name, Plural(wins, "win", "wins"),
                         Plural(losses, "loss", "losses"), Plural(draws, "draw", "draws"),
                         100 * (wins + 0.5 * draws) / (losses + draws + wins));
}

// What a bot did wrong first: "mine: first forfeit in match 3, turn 4, as seat b, ILLEGAL: ...".
std::string FaultLines(const DuelPlan& plan, const std::vector<BotFigures>& bots) {
  std::string text;
  for (size_t i = 0; i < bots.size(); ++i) {
    if (bots[i].first_fault == nullptr) continue;
    const DuelMatch& match = *bots[i].first_fault;
    const Seat seat = bots[i].first_fault_seat;
    const SeatFault& fault = *match.seats[static_cast<size_t>(seat.index())].fault;
    absl::StrAppend(
        &text, plan.bots[i].name, ": first ",
        fault.forfeits ? "forfeit" : "fault, which was forgiven,", " in match ", match.index + 1,
        fault.unready ? std::string(", before its first turn")
                      : absl::StrCat(", turn ", fault.turn),
        ", as seat ", std::string(1, seat.letter()), ", ", match::CauseName(fault.cause), ": ",
        Printable(fault.detail), "\n  ",
        match.replay_path.empty() ? std::string("(--replay-dir DIR keeps the replays)")
                                  : absl::StrCat("refctl replay show ", match.replay_path),
        "\n");
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

// Who was started again, and what was played before.
std::string RecoveryLines(const DuelPlan& plan, const DuelReport& report) {
  std::string text;
  for (size_t i = 0; i < report.recoveries.size(); ++i) {
    const DuelReport::Recovery& recovery = report.recoveries[i];
    if (recovery.times == 0) continue;
    absl::StrAppend(&text, plan.bots[i].name, " ended ", Plural(recovery.times, "time", "times"),
                    ", lost the matches that it was in, and was started again; the last time it ",
                    recovery.ending, "\n");
  }
  if (report.resumed > 0) {
    absl::StrAppend(&text, Plural(report.resumed, "match was", "matches were"),
                    " played before, by ", plan.state_path, "\n");
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

// What a duel that was stopped leaves out.
std::string LeftOutLine(const DuelPlan& plan, const DuelReport& report) {
  const int left_out = static_cast<int>(report.matches.size()) - ComparableMatches(plan, report);
  if (plan.bots.size() != 2 || left_out == 0) return "";
  return absl::StrCat(Plural(left_out, "match", "matches"),
                      " from the first block on that was not played to its end ",
                      left_out == 1 ? "does" : "do",
                      " not count for the strength of bots: quick matches would count more than "
                      "slow ones\n");
}

std::string Elo(double elo) { return absl::StrFormat("%+.1f", elo); }

// "Elo +37.4, 95 % from -12.9 to +87.1", or the one bound that there is.
std::string EloText(const rating::EloEstimate& estimate, absl::string_view bot) {
  if (std::isinf(estimate.elo_high)) {
    return absl::StrCat("Elo at least ", Elo(estimate.elo_low),
                        " (95 %), with no upper bound: ", bot, " won every match");
  }
  if (std::isinf(estimate.elo_low)) {
    return absl::StrCat("Elo at most ", Elo(estimate.elo_high),
                        " (95 %), with no lower bound: ", bot, " lost every match");
  }
  return absl::StrCat("Elo ", Elo(estimate.elo), ", 95 % from ", Elo(estimate.elo_low), " to ",
                      Elo(estimate.elo_high));
}

// The same after a sequential test.
std::string EloText(const rating::SprtEstimate& estimate) {
  const auto bound = [](double elo) {
    return std::isinf(elo) ? (elo < 0 ? "-infinity" : "infinity") : Elo(elo);
  };
  return absl::StrCat("Elo ", bound(estimate.elo), ", 95 % from ", bound(estimate.elo_low), " to ",
                      bound(estimate.elo_high), ", corrected for the stopping of the test");
}

// 100 % would say more than anybody knows.
std::string SuperiorityText(double superiority) {
  const double percent = 100 * superiority;
  if (percent > 99.9) return ">99.9 %";
  if (percent < 0.1) return "<0.1 %";
  return absl::StrFormat("%.1f %%", percent);
}

// How much stronger the first bot is, by blocks.
std::string StrengthLines(const DuelPlan& plan, const DuelReport& report) {
  const absl::optional<DuelBlocks> blocks = CountBlocks(plan, report);
  if (!blocks) return "";
  std::string text;
  if (const auto plain = rating::EstimateElo(blocks->counts)) {
    const auto tested = report.sprt ? rating::EstimateAfter(*report.sprt) : absl::nullopt;
    absl::StrAppend(&text, tested ? EloText(*tested) : EloText(*plain, plan.bots[0].name),
                    "; likelihood of superiority ",
                    SuperiorityText(tested ? tested->superiority : plain->superiority), "\n",
                    "blocks of two matches with 0, 1/2, 1, 1 1/2, 2 points for ", plan.bots[0].name,
                    ": ", absl::StrJoin(blocks->counts.counts(), ", "), "\n");
  }
  if (blocks->half_played > 0) {
    absl::StrAppend(&text, Plural(blocks->half_played, "match has", "matches have"),
                    " no other of the same block, and ", blocks->half_played == 1 ? "does" : "do",
                    " not count for Elo\n");
  }
  return text;
}

std::string ScaleText(rating::EloScale scale) {
  return scale == rating::EloScale::kNormalized ? " normalized Elo above " : " Elo above ";
}

// What the test says, or how far it came.
std::string TestLines(const DuelPlan& plan, const DuelReport& report) {
  if (!report.sprt) return "";
  const rating::SprtTerms& terms = report.sprt->terms();
  std::string says = "not decided: more matches are needed";
  if (report.sprt->accepted() != rating::Hypothesis::kNone) {
    const bool h1 = report.sprt->accepted() == rating::Hypothesis::kH1;
    says = absl::StrCat(h1 ? "H1" : "H0", " accepted: ", plan.bots[0].name, " is ",
                        h1 ? terms.elo1 : terms.elo0, ScaleText(terms.scale), plan.bots[1].name,
                        " rather than ", h1 ? terms.elo0 : terms.elo1);
  }
  std::string text = absl::StrCat("SPRT ", rating::SprtTermsText(terms), ": ",
                                  RatioText(*report.sprt), ", ", says, "\n");
  if (report.surplus > 0) {
    absl::StrAppend(&text, Plural(report.surplus, "match", "matches"),
                    " of later blocks ended before that, and ", report.surplus == 1 ? "does" : "do",
                    " not count\n");
  }
  return text;
}

// Why matches have no result: the reasons are mostly the same.
std::string VoidLines(const DuelReport& report) {
  std::string text;
  for (const DuelMatch& match : report.matches) {
    if (match.ending == match::Ending::kFinished) continue;
    absl::StrAppend(&text, "match ", match.index + 1, " has no result: ", match.reason, "\n");
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

std::string PlayedAgainLine(const DuelReport& report) {
  if (report.played_again == 0) return "";
  return absl::StrCat(
      "\n", report.played_again, report.played_again == 1 ? " match was" : " matches were",
      " void and played again: this machine stood still in a turn that ran out of time; "
      "try fewer at once (--concurrency) or more time\n");
}

// --- JSON ---

// A string where it is no number, or one that JavaScript cannot hold.
Json SeedJson(const match::DiceSource& dice) {
  constexpr uint64_t kMaxExact = (uint64_t{1} << 53) - 1;
  if (dice.pinned_number && *dice.pinned_number <= kMaxExact) return *dice.pinned_number;
  return DiceSeedText(dice);
}

// Null where it is infinite.
Json EloJson(double elo) { return std::isinf(elo) ? Json(nullptr) : Json(elo); }

Json StrengthJson(const DuelBlocks& blocks) {
  Json json = {{"counts", blocks.counts.counts()},
               {"blocks", blocks.counts.blocks()},
               {"blocks_without_result", blocks.without_result},
               {"matches_without_block", blocks.half_played},
               {"matches_left_out", blocks.left_out}};
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
          {"mean_move_ms", Milliseconds(Mean(times))},
          {"worst_move_ms", Milliseconds(times.worst)}};
}

Json ForgivenJson(const ForgivenFaults& faults) {
  return {{"substituted",
           {{LowerCauseName(match::Cause::kTimeout), faults.substituted_timeouts},
            {LowerCauseName(match::Cause::kIllegal), faults.substituted_illegal}}},
          {"retried", faults.retried}};
}

Json FaultJson(const SeatFault& fault) {
  return {{"cause", LowerCauseName(fault.cause)},
          {"turn", fault.turn},
          {"detail", fault.detail},
          {"forfeit", fault.forfeits},
          {"not_ready", fault.unready}};
}

// The first of a bot, with where it is.
Json FirstFaultJson(const DuelMatch& match, Seat seat) {
  Json json = FaultJson(*match.seats[static_cast<size_t>(seat.index())].fault);
  json["match"] = match.index;
  json["match_id"] = match.id.text();
  json["seat"] = seat.index();
  if (!match.replay_path.empty()) json["replay"] = match.replay_path;
  return json;
}

Json BotJson(const BotCommand& command, const BotFigures& bot) {
  Json forfeits = Json::object();
  for (size_t i = 0; i < kAllCauses.size(); ++i) {
    forfeits[LowerCauseName(kAllCauses[i])] = bot.forfeits[i];
  }
  Json json = {{"name", command.name},           {"command", command.command},
               {"finished", bot.finished},       {"wins", bot.wins},
               {"shared_wins", bot.shared_wins}, {"mean_rank", bot.mean_rank},
               {"mean_score", bot.mean_score},   {"forfeits", forfeits},
               {"not_ready", bot.unready}};
  if (bot.first_fault != nullptr) {
    json["first_fault"] = FirstFaultJson(*bot.first_fault, bot.first_fault_seat);
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
               {"ending", std::string(EndingName(match.ending))},
               {"reason", match.reason},
               {"seed", SeedJson(DiceOfMatch(plan, match.index))},
               {"seats", seats}};
  if (!match.replay_path.empty()) json["replay"] = match.replay_path;
  return json;
}

}  // namespace

std::vector<BotFigures> Tally(const DuelPlan& plan, const DuelReport& report) {
  std::vector<BotFigures> bots(plan.bots.size());
  for (const DuelMatch& match : report.matches) {
    const auto firsts = std::count_if(match.seats.begin(), match.seats.end(),
                                      [](const DuelSeat& seat) { return seat.rank == 1; });
    for (const DuelSeat& seat : match.seats) {
      BotFigures& bot = bots[seat.bot];
      bot.times.Add(seat.times);
      bot.forgiven.Add(seat.forgiven);
      if (seat.fault && bot.first_fault == nullptr) {
        bot.first_fault = &match;
        bot.first_fault_seat = Seat(static_cast<int>(&seat - match.seats.data()));
      }
      if (seat.forfeit && seat.fault && seat.fault->unready) ++bot.unready;
      if (seat.forfeit) {
        const auto cause = std::find(kAllCauses.begin(), kAllCauses.end(), *seat.forfeit);
        ++bot.forfeits[cause - kAllCauses.begin()];
      }
      if (match.ending != match::Ending::kFinished) continue;
      ++bot.finished;
      bot.mean_rank += seat.rank;
      bot.mean_score += seat.score;
      if (seat.rank == 1) ++(firsts == 1 ? bot.wins : bot.shared_wins);
    }
  }
  for (BotFigures& bot : bots) {
    if (bot.finished == 0) continue;
    bot.mean_rank /= bot.finished;
    bot.mean_score /= bot.finished;
  }
  return bots;
}

int CountForfeited(const DuelReport& report) {
  return static_cast<int>(
      std::count_if(report.matches.begin(), report.matches.end(), [](const DuelMatch& match) {
        return std::any_of(match.seats.begin(), match.seats.end(),
                           [](const DuelSeat& seat) { return seat.forfeit.has_value(); });
      }));
}

int CountVoid(const DuelReport& report) {
  return static_cast<int>(std::count_if(
      report.matches.begin(), report.matches.end(),
      [](const DuelMatch& match) { return match.ending != match::Ending::kFinished; }));
}

std::string ReportText(const DuelPlan& plan, const DuelReport& report) {
  const std::vector<BotFigures> bots = Tally(plan, report);
  return absl::StrCat(Headline(plan, report), "\n", BotTable(plan, bots), FaultLines(plan, bots),
                      RecoveryLines(plan, report), PairLine(plan, report),
                      StrengthLines(plan, report), LeftOutLine(plan, report),
                      TestLines(plan, report), VoidLines(report), PlayedAgainLine(report));
}

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
               {"positions", plan.positions.size()},
               {"time", match::TimeControlText(plan.time_control)},
               {"seed", SeedJson(plan.dice)},
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
  if (const auto blocks = CountBlocks(plan, report)) json["pentanomial"] = StrengthJson(*blocks);
  if (report.sprt) json["sprt"] = TestJson(*report.sprt, report.surplus);
  if (!plan.replay_dir.empty()) json["replay_dir"] = plan.replay_dir;
  if (!report.problem.ok()) json["problem"] = std::string(report.problem.message());
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace referee::ctl
