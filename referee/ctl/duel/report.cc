#include "referee/ctl/duel/report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "referee/ctl/competition/rounds.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/terminal/strength_text.h"
#include "referee/ctl/terminal/table.h"
#include "referee/launch/bot_process.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/shown_interval.h"
#include "referee/rating/sprt.h"
#include "referee/rating/sprt_estimate.h"

namespace referee::ctl {
namespace {

std::string Plural(int count, absl::string_view one, absl::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

size_t CauseIndex(match::Cause cause) {
  return static_cast<size_t>(std::find(kAllCauses.begin(), kAllCauses.end(), cause) -
                             kAllCauses.begin());
}

// --- Text ---

std::string Headline(const DuelPlan& plan, const DuelReport& report) {
  const int played = static_cast<int>(report.matches.size());
  std::string matches = Plural(played, "match", "matches");
  if (played < plan.matches) absl::StrAppend(&matches, " of ", plan.matches);
  const int without = CountVoid(report);
  if (without > 0) absl::StrAppend(&matches, " (", without, " without a result)");
  if (!plan.spec.positions.empty()) {
    absl::StrAppend(&matches, " from ",
                    Plural(static_cast<int>(plan.spec.positions.size()), "position", "positions"));
  }
  return absl::StrCat(plan.game->name(), ": ", matches, ", time ",
                      match::TimeControlText(plan.time_control), ", dice pinned to ",
                      DiceSeedText(report.dice), "\n");
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

// Returns "2 TIMEOUT, 1 ILLEGAL".
std::string SubstitutedText(const ForgivenFaults& faults) {
  std::vector<std::string> parts;
  const auto add = [&parts](int64_t count, match::Cause cause) {
    if (count > 0) parts.push_back(absl::StrCat(count, " ", match::CauseName(cause)));
  };
  add(faults.substituted_timeouts, match::Cause::kTimeout);
  add(faults.substituted_illegal, match::Cause::kIllegal);
  return parts.empty() ? "-" : absl::StrJoin(parts, ", ");
}

// The kinds of faults that the policies forgive; each has a column.
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
    return bot.times.moves == 0 ? "-"
                                : absl::StrFormat("%.2f ms", absl::ToDoubleMilliseconds(duration));
  };
  TableRow row = {name,
                  absl::StrCat(bot.wins),
                  absl::StrCat(bot.shared_wins),
                  figure(bot.mean_rank),
                  figure(bot.mean_score),
                  time(bot.times.mean()),
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

// Half points of the first of two bots in a finished match: 2 for a win, 1 for a draw.
int HalfPointsOfMatch(const DuelMatch& match) {
  const auto mine = std::find_if(match.seats.begin(), match.seats.end(),
                                 [](const DuelSeat& seat) { return seat.bot == 0; });
  const auto other = std::find_if(match.seats.begin(), match.seats.end(),
                                  [](const DuelSeat& seat) { return seat.bot == 1; });
  return mine->rank < other->rank ? 2 : mine->rank == other->rank ? 1 : 0;
}

// Results of the counted matches between two bots.
std::string PairLine(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != 2) return "";
  std::array<int, 3> by_half_points{};
  for (size_t i = 0; i < report.counted; ++i) {
    const DuelMatch& match = report.matches[i];
    if (match.ending != match::Ending::kFinished) continue;
    ++by_half_points[static_cast<size_t>(HalfPointsOfMatch(match))];
  }
  const auto [losses, draws, wins] = by_half_points;
  if (losses + draws + wins == 0) return "";
  return absl::StrFormat("\n%s against %s: %s, %s, %s: %.1f %%\n", plan.bots[0].name,
                         plan.bots[1].name, Plural(wins, "win", "wins"),
                         Plural(losses, "loss", "losses"), Plural(draws, "draw", "draws"),
                         100 * (wins + 0.5 * draws) / (losses + draws + wins));
}

// Describes a fault, with the last output of the bot: "mine: first forfeit in match 3, turn 4, as
// seat b, ILLEGAL: ...".
std::string FaultText(const DuelPlan& plan, const std::string& bot,
                      const BotFigures::Fault& first) {
  const SeatFault& fault = first.fault();
  std::string text = absl::StrCat(
      bot, ": first ", fault.forfeits ? "forfeit" : "fault, which was forgiven,", " in match ",
      first.match->index + 1,
      fault.unready ? std::string(", before its first turn") : absl::StrCat(", turn ", fault.turn),
      ", as seat ", std::string(1, first.seat.letter()), ", ", match::CauseName(fault.cause), ": ",
      Printable(fault.detail), "\n  ",
      first.match->replay_path.empty()
          ? std::string("(--replay-dir DIR keeps the replays)")
          : absl::StrCat("refctl replay show ", first.match->replay_path),
      "\n");
  if (fault.written.empty()) return text;
  absl::StrAppend(&text, "  its last output (",
                  plan.bot_logs.empty() ? std::string("--bot-logs DIR keeps it all")
                                        : absl::StrCat("all: ", plan.bot_logs, "/", bot, ".log"),
                  "):\n", launch::ShownLines(fault.written), "\n");
  return text;
}

// The first fault of each kind of each bot.
std::string FaultLines(const DuelPlan& plan, const std::vector<BotFigures>& bots) {
  std::string text;
  for (size_t i = 0; i < bots.size(); ++i) {
    for (const BotFigures::Fault& first : bots[i].first_faults) {
      absl::StrAppend(&text, FaultText(plan, plan.bots[i].name, first));
    }
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

// Notes turns lost while the bot had others: these say little about its strength.
std::string WaitingLines(const DuelPlan& plan, const std::vector<BotFigures>& bots) {
  std::string text;
  for (size_t i = 0; i < bots.size(); ++i) {
    const BotFigures& bot = bots[i];
    if (bot.lost_while_busy == 0) continue;
    const int lost = bot.forfeits[CauseIndex(match::Cause::kTimeout)];
    const std::string others =
        bot.fewest_other_turns == bot.most_other_turns
            ? absl::StrCat(bot.most_other_turns)
            : absl::StrCat(bot.fewest_other_turns, " to ", bot.most_other_turns);
    absl::StrAppend(&text, plan.bots[i].name, ": ", bot.lost_while_busy, " of ",
                    Plural(lost, "match", "matches"), " that it lost on time ",
                    bot.lost_while_busy == 1 ? "was" : "were", " lost while it had ", others,
                    others == "1" ? " other turn" : " other turns",
                    " to think about: the result shows how long turns waited in the bot; try "
                    "--concurrency ",
                    bot.fewest_other_turns,
                    plan.oversubscribe ? ", without --oversubscribe\n"
                                       : ", or let the bot say how many turns it thinks about at "
                                         "once (hello.parallel_turns)\n");
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

// Restarted bots, and matches played before the duel resumed.
std::string RecoveryLines(const DuelPlan& plan, const DuelReport& report) {
  std::string text;
  for (size_t i = 0; i < report.recoveries.size(); ++i) {
    const DuelReport::Recovery& recovery = report.recoveries[i];
    if (recovery.times == 0) continue;
    absl::StrAppend(&text, plan.bots[i].name, " ended ", Plural(recovery.times, "time", "times"),
                    ", lost any match that it was in, and was started again; the last time it ",
                    recovery.ending, "\n");
  }
  if (report.resumed > 0) {
    absl::StrAppend(&text, Plural(report.resumed, "match was", "matches were"),
                    " played before, by ", plan.resume_dir, "\n");
  }
  return text.empty() ? "" : absl::StrCat("\n", text);
}

// The matches that the figures of a stopped duel leave out.
std::string LeftOutLine(const DuelPlan& plan, const DuelReport& report) {
  const int left_out = static_cast<int>(report.matches.size() - report.counted);
  if (plan.bots.size() != 2 || left_out == 0) return "";
  return absl::StrCat(Plural(left_out, "match", "matches"),
                      " from the first block on that was not played to its end ",
                      left_out == 1 ? "does" : "do",
                      " not count for the strength of bots: quick matches would count more than "
                      "slow ones\n");
}

// Returns "Elo +37.4, 95 % from -12.9 to +87.1", or only one bound and the reason.
std::string EloText(const rating::EloEstimate& estimate, absl::string_view bot) {
  const std::string text = StrengthPhrase(estimate.elo, estimate.elo_low, estimate.elo_high);
  if (std::isinf(estimate.elo_high)) {
    return absl::StrCat(text, ", with no upper bound: ", bot, " won every match");
  }
  if (std::isinf(estimate.elo_low)) {
    return absl::StrCat(text, ", with no lower bound: ", bot, " lost every match");
  }
  const bool wide = estimate.elo_high - estimate.elo_low > rating::kWidestShownElo;
  return wide ? absl::StrCat(text, ": too few blocks for a number") : text;
}

// The estimate after a sequential test.
std::string EloText(const rating::SprtEstimate& estimate) {
  return absl::StrCat(StrengthPhrase(estimate.elo, estimate.elo_low, estimate.elo_high),
                      ", corrected for the stopping of the test");
}

// The strength of the first bot, by blocks.
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
  return text;
}

std::string ScaleText(rating::EloScale scale) {
  return scale == rating::EloScale::kNormalized ? " normalized Elo above " : " Elo above ";
}

// The decision of the test, or its progress.
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

// The reasons of matches without a result; most are the same.
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

// The standings and the bracket of a knockout, if there are any.
std::string TableLines(const DuelReport& report) {
  if (!report.table) return "";
  return absl::StrCat("\n", StandingsText(report.table->competition(), report.table->standings()),
                      report.ties.empty() ? "" : absl::StrCat("\n", BracketText(report.ties)));
}

// --- JSON ---

// Counts the faults of the seat. REQUIRES: matches come in order.
void CountFault(const DuelMatch& match, const DuelSeat& seat, BotFigures* bot) {
  if (seat.forfeit) ++bot->forfeits[CauseIndex(*seat.forfeit)];
  if (!seat.fault) return;
  const SeatFault& fault = *seat.fault;
  const bool known = std::any_of(
      bot->first_faults.begin(), bot->first_faults.end(), [&fault](const BotFigures::Fault& first) {
        return first.fault().cause == fault.cause && first.fault().forfeits == fault.forfeits;
      });
  if (!known) {
    bot->first_faults.push_back({&match, Seat(static_cast<int>(&seat - match.seats.data()))});
  }
  if (seat.forfeit && fault.unready) ++bot->unready;
  if (!seat.forfeit || fault.other_turns == 0) return;
  const bool first = ++bot->lost_while_busy == 1;
  bot->fewest_other_turns =
      first ? fault.other_turns : std::min(bot->fewest_other_turns, fault.other_turns);
  bot->most_other_turns = std::max(bot->most_other_turns, fault.other_turns);
}

constexpr size_t kMatchesOfPair = 2;

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
      CountFault(match, seat, &bot);
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
                      WaitingLines(plan, bots), RecoveryLines(plan, report), PairLine(plan, report),
                      StrengthLines(plan, report), LeftOutLine(plan, report),
                      TestLines(plan, report), TableLines(report), VoidLines(report),
                      PlayedAgainLine(report));
}

absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report) {
  if (plan.bots.size() != kMatchesOfPair) return absl::nullopt;
  DuelBlocks blocks;
  for (size_t i = 0; i + 1 < report.counted; i += kMatchesOfPair) {
    const DuelMatch& first = report.matches[i];
    const DuelMatch& second = report.matches[i + 1];
    if (first.ending == match::Ending::kFinished && second.ending == match::Ending::kFinished) {
      blocks.counts.Add(HalfPointsOfMatch(first) + HalfPointsOfMatch(second));
    } else {
      ++blocks.without_result;
    }
  }
  return blocks;
}

std::string RatioText(const rating::Sprt& sprt) {
  return absl::StrFormat("LLR %.2f (%.2f to %.2f)", sprt.log_likelihood_ratio(),
                         sprt.terms().lower_bound(), sprt.terms().upper_bound());
}

}  // namespace referee::ctl
