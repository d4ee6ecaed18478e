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

absl::Status DoesNotGoOnHere(absl::string_view competition) {
  return absl::UnavailableError(absl::StrCat("competition ", Quoted(competition),
                                             ": this referee has not taken it up yet; try again"));
}

absl::Status OnlyALadderHasSeasons(absl::string_view competition, absl::string_view format) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition), ": is a ",
                                                    format, "; only a ladder has seasons"));
}

absl::Status NoSuchRound(absl::string_view competition, int round, int known, int total) {
  const std::string rounds = absl::StrCat(total, total == 1 ? " round" : " rounds");
  return absl::NotFoundError(absl::StrCat(
      "competition ", Quoted(competition), ": ",
      round > total ? absl::StrCat("has no round ", round, "; it has ", rounds)
                    : absl::StrCat("round ", round, " is not paired yet; only ", known, " of ",
                                   rounds, known == 1 ? " is" : " are", " paired")));
}

absl::Status BadSharedReplay(absl::string_view match_id, absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("the replay that is shared of match ", match_id, " is not it: ", problem));
}

}  // namespace referee::competition
