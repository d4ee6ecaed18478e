// The specification of a competition, as an organiser gives it. Plain values.
//
// Games, options and time controls are text in the notations of command lines: this room knows no
// game. Thread-compatible.
#ifndef REFEREE_SCHEDULE_SPEC_H_
#define REFEREE_SCHEDULE_SPEC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/limits.h"
#include "referee/rating/sprt.h"

namespace referee::schedule {

enum class Format {
  kRoundRobin,  // all bots meet each other, for a number of rounds
  kGauntlet,    // the first entrant meets all others, a number of rounds
  kSwiss,       // 2 seats: bots with equal points meet, no two meet twice, for a number of rounds
  kKnockout,    // 2 seats: the loser of a tie is out
  kLadder,      // endless; bots join and leave
  kTest,        // 2 seats: two bots meet until a sequential test is decided
};

// Knockout: how many extra blocks decide a level tie, by default.
inline constexpr int kDefaultExtraBlocks = 4;

// Ladder: the default limit of blocks that a bot begins a minute. At this pace the replays of a bot
// take some hundred megabytes a day.
inline constexpr double kDefaultPace = 10;

// "round-robin", "gauntlet", "swiss", "knockout", "ladder", "test".
absl::string_view FormatName(Format format);
// Returns InvalidArgument that lists the names.
absl::StatusOr<Format> ParseFormat(absl::string_view text);

// The tie-breaks between bots with equal points. COMPETITION.md says what each means in a format.
enum class TieBreak {
  kBuchholz,         // the sum of the opponents' points
  kBuchholzCut1,     // the same without the lowest of them
  kDirectEncounter,  // points from blocks between the bots that are level
  // The sum of opponents' points, each times the share made against that opponent.
  kSonnebornBerger,
  kWins,  // matches won
};
inline constexpr size_t kTieBreaks = 5;

// The most referees that may play one competition.
inline constexpr int kMaxHomes = 8;

// "buchholz", "buchholz-cut-1", "direct-encounter", "sonneborn-berger", "wins".
absl::string_view TieBreakName(TieBreak tie_break);

// The text of tie-breaks, most important first, such as "wins,buchholz"; "none": no tie-break.
// ParseTieBreaks returns InvalidArgument that lists the names. It accepts repeated names; Validate
// does not.
std::string TieBreaksText(const std::vector<TieBreak>& tie_breaks);
absl::StatusOr<std::vector<TieBreak>> ParseTieBreaks(absl::string_view text);

// The value of a tie-break for a bot; more is better. Not set if it does not apply, such as a
// direct encounter of bots that are not level or have not met equally often.
struct TieBreakScore {
  TieBreak tie_break = TieBreak::kWins;
  absl::optional<double> value;
};

struct Spec {
  std::string name;  // 1 to limits::kMaxNameBytes bytes, without control characters
  // For people; at most limits::kMaxDescriptionBytes bytes, without control characters.
  std::string description;
  Format format = Format::kRoundRobin;
  std::string game;
  // Of the game: all options, including defaults, sorted by name; the value of a file is its bytes.
  std::vector<std::pair<std::string, std::string>> options;
  int seats = 2;
  // Of the game: the starting positions of blocks, one each (positions.h). Empty: all blocks start
  // as the options say.
  std::vector<std::string> positions;
  // In the notations of referee/match; never empty in an accepted spec.
  std::string time_control;
  std::string on_timeout;
  std::string on_illegal;
  std::string on_lost_link;
  std::string lag_compensation;

  // Names of bots, all different. The order is the seeding of a knockout, decides the first
  // pairings of a Swiss, and puts the soloist of a gauntlet first. A ladder may begin without
  // entrants.
  std::vector<std::string> entrants;

  // Round robin, gauntlet: how often each pairing is played. Swiss: the number of rounds. Test: the
  // most blocks; 0: limits::kMaxBlocks. Otherwise 0: the default of the format, for a Swiss the
  // fewest that can find a sole leader. Not for knockout and ladder.
  int rounds = 0;
  // Knockout: a tie is best of this odd number of blocks. 0: 1.
  int best_of = 0;
  // Knockout: how many more blocks a level tie may take at most, until one is won. Not set:
  // kDefaultExtraBlocks.
  absl::optional<int> extra_blocks;
  // The most blocks that run at once; 0: as many as the referee has room for.
  int max_running = 0;
  // A bot that is absent for this long while a block waits for it is withdrawn. Not for a ladder,
  // which waits without limit.
  absl::Duration absence_limit = absl::Hours(1);
  // A bot that does not answer in this many consecutive matches is suspended; 0: never.
  int silence_limit = limits::kSilencesToSetAside;
  // If true, the dice follow from a secret seed, drawn at creation and published at the end; bots
  // do not contribute. If false, bots and referee commit to the dice of each block.
  bool pinned = false;
  // Round robin, gauntlet, Swiss: the tie-breaks between bots with equal points, most important
  // first. Not set: the defaults of the format (TieBreaks).
  absl::optional<std::vector<TieBreak>> tie_breaks;
  // A bot is provisional until the 95 % interval of its rating is narrower than this, in Elo from
  // end to end; 0: never provisional.
  int provisional_width = 0;
  // Ladder: the most blocks that each bot begins a minute; unused ones are saved for a minute. 0:
  // no limit. 0 for other formats.
  double pace = 0;
  // Ladder: the goal, in Elo. A bot whose 95 % interval of strength (rating/RATING.md) is narrower
  // than this from end to end plays only bots that are not at the goal. When all are there, the
  // ladder rests until a bot joins. 0: no goal.
  int goal_width = 0;
  // Test: the hypotheses about the strength of the first entrant over the second. Not set for other
  // formats.
  absl::optional<rating::SprtTerms> sprt;
  // Competitions of higher priority take free slots first, equal ones by age, oldest first. From
  // -limits::kMaxPriority to limits::kMaxPriority.
  int priority = 0;
  // Observers see matches and results later by this, at most limits::kMaxWatchDelay. It does not
  // affect scheduling or counting.
  absl::Duration watch_delay = absl::ZeroDuration();
  // In a fleet: the most referees that play its blocks, the owner and its helpers. 1 to kMaxHomes.
  // It does not affect scheduling or counting.
  int homes = 1;
  // Keeps all replays of its matches, regardless of the limits of an archive (replay/retention.h).
  bool keep_replays = false;
};

// Returns the number of rounds: spec.rounds, or its default; 0 for knockout, ladder and test.
int Rounds(const Spec& spec);

// Returns the most rounds of a Swiss that are possible whatever the results, such that no two bots
// meet twice and none has two byes.
//
// It is half the number n of bots, counting the bye as one, plus one if n / 2 is even. Proof: after
// r rounds each bot has n - 1 - r opponents left. While these are at least half of all others, a
// pairing exists (Dirac). After more rounds the bots may fall into two groups, each of whose bots
// has met all of the other group and none of its own.
int MostSwissRounds(size_t entrants);

// Returns spec.tie_breaks, or the defaults of the format; empty for knockout, ladder and test.
std::vector<TieBreak> TieBreaks(const Spec& spec);

// Knockout: returns spec.extra_blocks, or the default.
int ExtraBlocks(const Spec& spec);

// Returns the blocks that each bot plays: of a round robin all bots, of a gauntlet all but the
// first. The number makes groups come out even (COMPETITION.md). REQUIRES: as for PlannedBlocks;
// the format is one of these two.
int64_t BlocksPerBot(const Spec& spec);

// Returns the number of blocks. Round robin, gauntlet: exact. Swiss, test: the most. Knockout: when
// no tie is drawn or decided early. -1 for a ladder. REQUIRES: seats and entrants that Validate
// accepts.
int64_t PlannedBlocks(const Spec& spec);

// Returns InvalidArgument that names the field, the problem and the valid values.
absl::Status Validate(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SPEC_H_
