// The specification of a competition: what an organiser asks for, as plain values. Games, options
// and time controls are text, in the notations of command lines: this room knows no game.
// Thread-compatible.
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
  kRoundRobin,  // everybody meets everybody, a number of rounds
  kGauntlet,    // the first entrant meets all others, a number of rounds
  kSwiss,       // 2 seats: equals meet, nobody twice, a number of rounds
  kKnockout,    // 2 seats: the loser of a tie is out
  kLadder,      // goes on for ever; bots join and leave
  kTest,        // 2 seats: two bots meet until a sequential test is decided
};

// Knockout: how long a level tie goes on, unless the spec says.
inline constexpr int kDefaultExtraBlocks = 4;

// Ladder: blocks that a bot begins in a minute at most, unless the spec says. With it a bot leaves
// some hundred megabytes of replays a day.
inline constexpr double kDefaultPace = 10;

// "round-robin", "gauntlet", "swiss", "knockout", "ladder", "test".
absl::string_view FormatName(Format format);
// Returns InvalidArgument that lists the names.
absl::StatusOr<Format> ParseFormat(absl::string_view text);

// What ranks bots that have as many points. What each is for a format is in COMPETITION.md.
enum class TieBreak {
  kBuchholz,         // the sum of the opponents' points
  kBuchholzCut1,     // the same without the least of them
  kDirectEncounter,  // the points that those who are level made against each other
  kSonnebornBerger,  // the sum of the opponents' points, each times the share that was made there
  kWins,             // matches won
};
inline constexpr size_t kTieBreaks = 5;

// The daemons on which a competition is played, at most.
inline constexpr int kMaxHomes = 8;

// "buchholz", "buchholz-cut-1", "direct-encounter", "sonneborn-berger", "wins".
absl::string_view TieBreakName(TieBreak tie_break);

// "wins,buchholz": the first first; "none": no tie-break. The other way round: returns
// InvalidArgument that lists the names; a name that is given twice is for Validate to refuse.
std::string TieBreaksText(const std::vector<TieBreak>& tie_breaks);
absl::StatusOr<std::vector<TieBreak>> ParseTieBreaks(absl::string_view text);

// What one says of a bot: the more, the better. None: nothing to tell, as a direct encounter of
// bots that are not level or have not met equally often.
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
  // Of the game: all of them, defaults too, sorted by name; a file's value is its bytes.
  std::vector<std::pair<std::string, std::string>> options;
  int seats = 2;
  // Of the game: the positions that blocks start from, one each (positions.h). Empty: all start
  // from the one that the options say.
  std::vector<std::string> positions;
  // In the notations of referee/match; never empty once a spec was accepted.
  std::string time_control;
  std::string on_timeout;
  std::string on_illegal;
  std::string on_lost_link;
  std::string lag_compensation;

  // Names of bots, all different. The order is the seeding of a knockout, the first pairings of a
  // Swiss, and names the one that the gauntlet is about. A ladder may begin with none.
  std::vector<std::string> entrants;

  // Round robin, gauntlet: how often each pairing is played. Swiss: rounds. 0: what the format
  // needs, for a Swiss the least that can find a sole leader; not for knockout and ladder. Test:
  // the most blocks; 0: limits::kMaxBlocks.
  int rounds = 0;
  // Knockout: a tie is best of so many blocks, odd. 0: 1.
  int best_of = 0;
  // Knockout: a tie that is level after these goes on for so many blocks at most, until one is won.
  // None: kDefaultExtraBlocks.
  absl::optional<int> extra_blocks;
  // Blocks that are played at once; 0: as many as the referee has room for.
  int max_running = 0;
  // A bot that is not connected for so long while something waits for it is withdrawn from a
  // competition that ends; a ladder waits for ever.
  absl::Duration absence_limit = absl::Hours(1);
  // A bot that does not answer in so many matches in a row is set aside; 0: none is.
  int silence_limit = limits::kSilencesToSetAside;
  // The dice of each block follow from a seed that is drawn when the competition is made, and told
  // when it is finished; the bots have no part in them. Else they are committed.
  bool pinned = false;
  // Round robin, gauntlet, Swiss: what ranks bots that have as many points, the first first. None:
  // what the format has by default (TieBreaks).
  absl::optional<std::vector<TieBreak>> tie_breaks;
  // A bot is provisional until the 95 % interval of its rating is narrower than so many Elo, from
  // end to end; 0: nobody is.
  int provisional_width = 0;
  // Ladder: blocks that each bot begins in a minute at most; what it does not use it saves for a
  // minute. 0: as many as can be played; so of other formats.
  double pace = 0;
  // Ladder: once the 95 % interval of a bot's strength (rating/RATING.md) is narrower than so many
  // Elo, from end to end, the bot plays only with others whose interval is not; 0: no goal. When
  // all have come to the goal, it rests until a bot joins.
  int goal_width = 0;
  // Test: its hypotheses about the strength of the first entrant over the second. None of other
  // formats.
  absl::optional<rating::SprtTerms> sprt;
  // When places become free, competitions of higher priority begin blocks first, and of those that
  // are level, older ones: from -limits::kMaxPriority to limits::kMaxPriority.
  int priority = 0;
  // Onlookers are told of its matches so much later, to limits::kMaxWatchDelay at most; nothing
  // that is scheduled or counted depends on it.
  absl::Duration watch_delay = absl::ZeroDuration();
  // In a fleet: on how many daemons its blocks are played, as far as there are so many: on its
  // home, and on those that help it. 1 to kMaxHomes; nothing that is scheduled or counted
  // depends on it.
  int homes = 1;
  // All replays of its matches are kept, whatever the bounds of an archive (replay/retention.h).
  bool keep_replays = false;
};

// The rounds that are played: spec.rounds, or what 0 stands for; 0 for knockout, ladder and test.
int Rounds(const Spec& spec);

// The most rounds of a Swiss that can be played whatever comes out, without that two bots meet
// twice or one has two byes: half as many as there are bots, the bye being one, and one more if
// that is even. (After r rounds of n bots, n even, each has n - 1 - r opponents left. While these
// are half of all others or more, they can be paired: Dirac. After more, the bots may fall into two
// groups of which each has met all of the other, and nobody of its own.)
int MostSwissRounds(size_t entrants);

// spec.tie_breaks, or those of the format: none of a knockout, a ladder and a test.
std::vector<TieBreak> TieBreaks(const Spec& spec);

// Of a knockout: spec.extra_blocks, or what none stands for.
int ExtraBlocks(const Spec& spec);

// The blocks that each bot of a round robin plays, and each but the first of a gauntlet: as often
// as makes the groups come out even, see COMPETITION.md. REQUIRES: as PlannedBlocks; the format is
// one of these two.
int64_t BlocksPerBot(const Spec& spec);

// The blocks that a round robin or a gauntlet plays, that a Swiss or a test plays at most, and that
// a knockout plays when no tie is drawn or decided early; -1 for a ladder. REQUIRES: seats and
// entrants that Validate accepts.
int64_t PlannedBlocks(const Spec& spec);

// Returns InvalidArgument that names the field, says what is wrong and what would be right.
absl::Status Validate(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SPEC_H_
