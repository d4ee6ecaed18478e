#include "referee/ctl/archive/filter.h"

#include <memory>

#include "absl/strings/ascii.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/time_flag.h"
#include "referee/store/place.h"

namespace referee::ctl {
namespace {

constexpr uint64_t kMostTurns = 1'000'000'000;

absl::optional<match::Cause> CauseOf(const std::string& text) {
  for (const match::Cause cause : {match::Cause::kTimeout, match::Cause::kIllegal,
                                   match::Cause::kDisconnected, match::Cause::kResigned}) {
    if (absl::AsciiStrToLower(match::CauseName(cause)) == text) return cause;
  }
  return absl::nullopt;
}

absl::optional<match::Ending> EndingOf(const std::string& text) {
  for (const match::Ending ending :
       {match::Ending::kFinished, match::Ending::kVoid, match::Ending::kCancelled}) {
    if (absl::AsciiStrToLower(replay::EndingName(ending)) == text) return ending;
  }
  return absl::nullopt;
}

// The id of the competition with this name, or the text itself if there is none. A data directory
// may have no store.
absl::StatusOr<std::string> CompetitionIdOf(const std::string& text, const store::Place& place) {
  if (text.empty()) return text;
  const absl::Status in_place = store::CheckPlace(place);
  if (!in_place.ok()) return AtStoreFlag(place, in_place);
  const absl::StatusOr<std::unique_ptr<store::Store>> store = store::OpenStoreToRead(place);
  if (!store.ok() && !place.url.empty()) return AtStoreFlag(place, store.status());
  if (!store.ok()) return text;
  const absl::StatusOr<store::Competition> found = (*store)->FindCompetition(text);
  return found.ok() ? found->id.text() : text;
}

}  // namespace

void AddFilterFlags(CLI::App* command, FilterFlags* flags) {
  AddOption(command, "--bot", "NAME", &flags->bot, "Of matches of this bot");
  AddOption(command, "--opponent", "NAME", &flags->opponent, "Of matches against this bot");
  AddOption(command, "--seat", "SEAT", &flags->seat, "In which --bot, or any, had this seat")
      ->check(OneOf({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}));
  AddOption(command, "--game", "GAME", &flags->game, "Of this game");
  AddOption(command, "--competition", "NAME", &flags->competition,
            "Of this competition: its name, or its id if it was removed");
  AddStoreFlag(command, &flags->store,
               "The database in which --competition is looked for by its name (refereed --store)");
  AddOption(command, "--ending", "ENDING", &flags->ending, "finished, void or cancelled")
      ->check(OneOf({"finished", "void", "cancelled"}));
  AddOption(command, "--forfeit", "CAUSE", &flags->forfeit,
            "That somebody forfeited, with --bot or --seat: that one; any, or timeout, "
            "illegal, disconnected, resigned")
      ->check(OneOf({"any", "timeout", "illegal", "disconnected", "resigned"}));
  AddOption(command, "--min-turns", "N", &flags->min_turns, "Of so many turns, or more")
      ->check(Whole(0, kMostTurns));
  AddOption(command, "--max-turns", "N", &flags->max_turns, "Of so many turns, or fewer")
      ->check(Whole(0, kMostTurns));
  AddOption(command, "--from", "TIME", &flags->from, "Made then, or later: a day (UTC) or a time");
  AddOption(command, "--until", "TIME", &flags->until, "Made before: a day (UTC) or a time");
}

absl::StatusOr<replay::ReplayFilter> ReadFilter(const FilterFlags& flags,
                                                const std::string& data_dir) {
  replay::ReplayFilter filter;
  filter.bot = flags.bot;
  filter.opponent = flags.opponent;
  if (!flags.seat.empty()) filter.seat = flags.seat[0] - 'a';
  filter.game = flags.game;
  absl::StatusOr<std::string> competition =
      CompetitionIdOf(flags.competition, {data_dir, flags.store});
  if (!competition.ok()) return competition.status();
  filter.competition = *std::move(competition);
  filter.ending = EndingOf(flags.ending);
  filter.forfeit = !flags.forfeit.empty();
  filter.cause = CauseOf(flags.forfeit);
  if (flags.min_turns) filter.min_turns = static_cast<int64_t>(*flags.min_turns);
  if (flags.max_turns) filter.max_turns = static_cast<int64_t>(*flags.max_turns);
  const absl::StatusOr<absl::optional<absl::Time>> from = ReadTimeFlag("--from", flags.from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<absl::optional<absl::Time>> until = ReadTimeFlag("--until", flags.until);
  if (!until.ok()) return until.status();
  filter.from = *from;
  filter.until = *until;
  return filter;
}

}  // namespace referee::ctl
