#include "referee/competition/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::competition {
namespace {

absl::string_view StatesFor(absl::string_view state, absl::string_view action) {
  const bool about_play =
      action == "start" || action == "pause" || action == "resume" || action == "finish";
  if (about_play && state == "FINISHED") return "it has ended already";
  if (action == "start") return "only one that is NEW is started; one that is PAUSED is resumed";
  if (action == "pause") return "only one that is RUNNING is paused";
  if (action == "resume") return "only one that is PAUSED is resumed; one that is NEW is started";
  if (action == "finish") return "it ends as soon as what is being played is over";
  if (action == "remove") return "only one that is NEW or FINISHED is removed; finish it first";
  if (action == "drop-block") return "no block is open in it";
  return "nothing changes in it any more";
}

}  // namespace

absl::Status CompetitionInState(absl::string_view competition, absl::string_view state,
                                absl::string_view action) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition), ": is ",
                                                    state, "; ", StatesFor(state, action)));
}

absl::Status BlockNotOpen(absl::string_view competition, int64_t number) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ", block ", number,
                   ": is not open; 'refctl competition blocks' lists those that run"));
}

absl::Status BlockOfAnother(absl::string_view competition, int64_t number) {
  return absl::FailedPreconditionError(absl::StrCat(
      "competition ", Quoted(competition), ", block ", number,
      ": was begun by another referee of this store; ask that one, or stop it, and its "
      "blocks are claimed ('refctl fleet show')"));
}

absl::Status BlockIsPlayed(absl::string_view competition, int64_t number) {
  return absl::FailedPreconditionError(absl::StrCat(
      "competition ", Quoted(competition), ", block ", number,
      ": all of it is played, and it counts once its replays are where it waits to put "
      "them: see what the competition waits for"));
}

absl::Status DoesNotGoOnHere(absl::string_view competition) {
  return absl::UnavailableError(absl::StrCat("competition ", Quoted(competition),
                                             ": this referee has not taken it up yet; try again"));
}

absl::Status LivesElsewhere(absl::string_view competition, absl::string_view address) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), " lives on another referee; ask ",
                   address.empty() ? "that one ('refctl fleet show' says which it is)"
                                   : absl::StrCat("that one (--address ", address, ")")));
}

absl::Status NoPairs(absl::string_view competition, int seats) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": its matches have ", seats,
                   " seats, and pairs are counted where they have 2; its blocks have the results "
                   "of all ('refctl competition blocks')"));
}

absl::Status NoSeason(absl::string_view competition, int season, int last) {
  return absl::NotFoundError(absl::StrCat("competition ", Quoted(competition), ": has no season ",
                                          season, "; it has had those from 1 to ", last));
}

absl::Status NotATest(absl::string_view competition, absl::string_view format) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": is a ", format,
                   ", which has no log-likelihood ratio; tests have one"));
}

absl::Status NoRounds(absl::string_view competition, absl::string_view format) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": is a ", format,
                   ", which has no rounds; its blocks have who met whom ('refctl competition "
                   "blocks')"));
}

absl::Status OnlyALadderHasSeasons(absl::string_view competition, absl::string_view format) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition), ": is a ",
                                                    format, "; only a ladder has seasons"));
}

absl::Status OnlyALadderIsJoined(absl::string_view competition, absl::string_view format) {
  return absl::FailedPreconditionError(absl::StrCat(
      "competition ", Quoted(competition), ": is a ", format,
      ", which has the entrants that it was made with; only a ladder is joined later"));
}

absl::Status NoSuchRound(absl::string_view competition, int round, int known, int total) {
  const std::string rounds = absl::StrCat(total, total == 1 ? " round" : " rounds");
  return absl::NotFoundError(absl::StrCat(
      "competition ", Quoted(competition), ": ",
      round > total ? absl::StrCat("has no round ", round, "; it has ", rounds)
                    : absl::StrCat("round ", round, " is not paired yet; only ", known, " of ",
                                   rounds, known == 1 ? " is" : " are", " paired")));
}

absl::Status TooManyBlocksForRounds(absl::string_view competition, int64_t limit) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": has more than ", limit,
                   " blocks, too many to be shown in rounds; its blocks have who met whom, one "
                   "after the other ('refctl competition blocks')"));
}

absl::Status BadSharedReplay(absl::string_view match_id, absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("the replay that is shared of match ", match_id, " is not it: ", problem));
}

absl::Status TooManyCompetitionWatches(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("competitions are watched ", limit,
                   " times already, which is the most; close some, or ask for the standings"));
}

}  // namespace referee::competition
