// Rebuilds a match from its records in the log, and resumes it.
#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/match/match.h"

namespace referee::match {
namespace {

constexpr char kEndOfNoContest[] =
    "the referee itself had stood still in a turn that ran out of time, and was then stopped";

absl::Status RecordsDisagree(uint32_t turn, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat("turn ", turn, ": ", problem));
}

// Applies the records of a log, and checks that they follow from each other.
class Rebuilder {
 public:
  Rebuilder(Parts* parts, Turns* turns, Opening* opening)
      : parts_(*parts), turns_(*turns), opening_(*opening) {}

  // Makes the draws of the start again. Those that the log also has are removed from `missing`.
  absl::Status operator()(const Started& started) {
    if (parts_.started) return RecordsDisagree(turns_.number(), "the match starts twice");
    opening_.Restore(true);
    parts_.step.effects.clear();
    turns_.Start(started.nonces, started.nonce_hashes);
    for (const Effect& effect : parts_.step.effects) {
      const Record& record = std::get<Record>(effect);
      if (std::holds_alternative<Drawn>(record)) missing.push_back(record);
    }
    return absl::OkStatus();
  }

  absl::Status operator()(const Drawn& drawn) {
    if (missing.empty()) return RecordsDisagree(turns_.number(), "there is a draw too many");
    const Drawn& due = std::get<Drawn>(missing.front());
    if (due.kind != drawn.kind || due.round != drawn.round || due.seat != drawn.seat ||
        !(due.roll == drawn.roll)) {
      return RecordsDisagree(turns_.number(), "a draw is not that of the seed");
    }
    missing.erase(missing.begin());
    return absl::OkStatus();
  }

  absl::Status operator()(const Played& played) {
    Position& position = AtTurn();
    if (!position.started() || position.over() || played.number != turns_.number() ||
        played.seat != position.state().seat_to_move()) {
      return RecordsDisagree(played.number, "it was not due");
    }
    position.FindLegal();
    if (!std::binary_search(position.legal().begin(), position.legal().end(), played.move)) {
      return RecordsDisagree(played.number, "its move is illegal");
    }
    turns_.Redo(played);
    return CheckDigest(played.digest);
  }

  absl::Status operator()(const Faulted& faulted) {
    AtTurn();
    if (faulted.cause == Cause::kTimeout) {
      parts_.clocks.CountTurn(faulted.seat, faulted.used);
    } else {
      parts_.faults.CountTry();
    }
    return absl::OkStatus();
  }

  absl::Status operator()(const Forfeited& forfeited) {
    const Position& position = AtTurn();
    if (!position.started() || position.over() || position.state().forfeited(forfeited.seat)) {
      return RecordsDisagree(forfeited.number, "the seat cannot forfeit");
    }
    turns_.Redo(forfeited);
    return CheckDigest(forfeited.digest);
  }

  absl::Status operator()(const NoContest&) {
    contested = true;
    return absl::OkStatus();
  }

  absl::Status operator()(const Resumed&) {
    parts_.clocks.ForgetForfeits();
    return absl::OkStatus();
  }

  absl::Status operator()(const Ended&) {
    return RecordsDisagree(turns_.number(), "the match is over and cannot go on");
  }

  std::vector<Record> missing;
  bool contested = false;

 private:
  // All rolls that lead to the records after the start were shown, so none is withheld.
  Position& AtTurn() {
    parts_.position.Release(kNeverRolls);
    return parts_.position;
  }

  absl::Status CheckDigest(uint64_t digest) const {
    if (parts_.position.digest() == digest) return absl::OkStatus();
    return RecordsDisagree(turns_.number(), "the position before it is not that of its record");
  }

  Parts& parts_;
  Turns& turns_;
  Opening& opening_;
};

}  // namespace

absl::Status Match::Rebuild(absl::Span<const Record> records) {
  Rebuilder rebuilder(&parts_, &turns_, &opening_);
  opening_.Restore(false);
  for (const Record& record : records) {
    if (absl::Status redone = std::visit(rebuilder, record); !redone.ok()) return redone;
    CountTime(record, &parts_.step.times);
  }
  missing_ = std::move(rebuilder.missing);
  contested_ = rebuilder.contested;
  parts_.step.effects.clear();
  parts_.position.ClearLegal();     // no seat is asked yet
  parts_.position.WithholdAgain();  // rolls that the log does not have are withheld again
  return absl::OkStatus();
}

void Match::GoOnAfterRestart(absl::Duration limit) {
  if (stage() == Stage::kNew || stage() == Stage::kOver) return;
  for (Record& record : missing_) parts_.step.effects.emplace_back(std::move(record));
  missing_.clear();
  parts_.step.Write(Resumed{parts_.step.reading.wall});
  parts_.clocks.ForgetForfeits();
  parts_.links.LoseAll(parts_.step.when);
  if (contested_) {
    conclusion_.EndWithout(Ending::kVoid, kEndOfNoContest);
  } else if (stage() == Stage::kReadying) {
    opening_.SetDeadline(limit);
  } else if (parts_.position.over()) {
    conclusion_.Finish();
  } else {
    parts_.links.Await(parts_.step.told_at(), limit);
  }
}

void Match::StopAwaitingLinks() {
  parts_.links.StopAwaiting();
  if (parts_.links.AnyLinked()) return turns_.GoOn();
  conclusion_.EndWithout(Ending::kVoid, absl::StrCat("no bot came back within ",
                                                     absl::FormatDuration(parts_.links.limit()),
                                                     " after the referee was started again"));
}

}  // namespace referee::match
