#include "referee/ctl/competition/shown_standings.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/base/errors.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using Standings = google::protobuf::RepeatedPtrField<v1::Standing>;

absl::StatusOr<std::string> MoveTo(const Anchor& anchor, Standings* standings) {
  const auto line = std::find_if(standings->begin(), standings->end(),
                                 [&](const auto& one) { return one.bot() == anchor.bot; });
  if (line == standings->end()) {
    return BadValue("--anchor", anchor.bot, "a bot of this competition");
  }
  if (!std::isfinite(line->elo_error())) {
    return BadValue("--anchor", anchor.bot, "a bot with a rating: none is fitted to its blocks");
  }
  const double shift = anchor.elo - line->elo();
  for (v1::Standing& one : *standings) {
    one.set_elo(one.elo() + shift);
    if (one.has_elo_at_least()) one.set_elo_at_least(one.elo_at_least() + shift);
    if (one.has_elo_at_most()) one.set_elo_at_most(one.elo_at_most() + shift);
  }
  return absl::StrFormat(
      "elo: moved by %+.0f, so that %s has %.0f; each ± is from the mean of all bots, as without "
      "the anchor\n",
      shift, Shown(anchor.bot), anchor.elo);
}

std::string TakeOut(uint64_t min_blocks, Standings* standings) {
  Standings kept;
  int last = -1;  // index of the last line kept
  for (int i = 0; i < standings->size(); ++i) {
    const v1::Standing& line = (*standings)[i];
    if (line.blocks() < min_blocks) continue;
    const bool next_is_gone = !kept.empty() && last != i - 1;
    if (next_is_gone) kept[kept.size() - 1].clear_superiority();
    *kept.Add() = line;
    last = i;
  }
  if (!kept.empty()) kept[kept.size() - 1].clear_superiority();
  const int gone = standings->size() - kept.size();
  standings->Swap(&kept);
  if (gone == 0) return "";
  return absl::StrCat("not shown: ", gone, gone == 1 ? " bot" : " bots", " with fewer than ",
                      min_blocks, " blocks; ranks are those among all\n");
}

}  // namespace

absl::StatusOr<Anchor> ParseAnchor(absl::string_view text) {
  constexpr char kExpected[] = "BOT=ELO, such as alice=1500";
  const size_t end = text.rfind('=');
  Anchor anchor;
  if (end == absl::string_view::npos || end == 0 ||
      !absl::SimpleAtod(text.substr(end + 1), &anchor.elo) || !std::isfinite(anchor.elo)) {
    return BadValue("--anchor", text, kExpected);
  }
  anchor.bot = std::string(text.substr(0, end));
  return anchor;
}

absl::StatusOr<std::string> Choose(const ShownStandings& shown, v1::GetStandingsResponse* table) {
  std::string done;
  if (shown.anchor.has_value()) {
    absl::StatusOr<std::string> moved = MoveTo(*shown.anchor, table->mutable_standings());
    if (!moved.ok()) return moved.status();
    done = *std::move(moved);
  }
  absl::StrAppend(&done, TakeOut(shown.min_blocks, table->mutable_standings()));
  return done;
}

}  // namespace referee::ctl
