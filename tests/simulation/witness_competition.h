// The test oracle of a competition: watches the referee from outside, and checks these invariants:
//
// - A number belongs to one block, whose bots never change.
// - A PLAYED block has the results of its matches' records, and no other attempt was played to the
//   end. One that is forfeited has those of an attempt that came to nothing; who forfeits it had
//   lost a match of it, and gains no more than by resigning what was not decided.
// - There are few attempts at a block, and each that came to nothing is on record as it was.
// - Counting only goes forward, over blocks that are over, and counts each once.
// - A test is decided by the first block with which its SPRT, over the records in order, accepts a
//   hypothesis. No block after that one counts or begins, and then it is finished.
// - The store's tallies and pair totals follow from the records, counted in order of numbers.
// - One entrant stands for each bot. Who takes the place of another has its mean, as the records
// say
//   of what is counted then, and a wider deviation. A block is of entrants that stand when it
//   begins, and are of one season.
//
// It judges by what is written to the store, and by the log and replays.
#ifndef REFEREE_TESTS_SIMULATION_WITNESS_COMPETITION_H_
#define REFEREE_TESTS_SIMULATION_WITNESS_COMPETITION_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/competition/standings.h"
#include "referee/rating/sprt.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/disk.h"
#include "tests/simulation/store_disk.h"

namespace referee::simulation {

// Thread-compatible.
class CompetitionWitness final : public StoreWatcher {
 public:
  // All must outlive it. `entrants`: names, by number; nobody joins who is none of these bots.
  // `sprt`: of a test.
  CompetitionWitness(Chronicle* chronicle, const Disk* disk, std::vector<std::string> entrants,
                     const absl::optional<rating::SprtTerms>& sprt)
      : chronicle_(*chronicle),
        disk_(*disk),
        entrants_(std::move(entrants)),
        tallies_(entrants_.size()),
        stands_(entrants_.size(), true),
        seasons_(entrants_.size(), 1) {
    if (sprt) sprt_.emplace(*sprt);
  }

  void OnApplied(absl::Span<const store::Change> changes) override;
  void OnEntrants(const std::string& bot, const std::vector<store::Entrant>& entrants) override;
  void OnState(store::CompetitionState state) override;

  store::CompetitionState state() const { return state_; }
  int64_t counted() const { return counted_; }

  // All matches are in the archive, and the competition is finished.
  void CheckTheEnd(store::Store* store, const store::CompetitionId& id,
                   const std::vector<competition::Standing>& standings) const;

 private:
  // What the log or the replay of a match says that is over.
  struct Result {
    std::string block_id;
    int rotation = 0;
    bool competes = false;          // asked for by a competition
    std::vector<std::string> bots;  // by seat
    store::BlockMatch match;        // without ranks: it has no result
  };
  struct Account {
    rating::Pairing pairing;
    int attempt = 0;
    store::BlockState state = store::BlockState::kRunning;
    std::string block_id;
    std::vector<store::BlockMatch> matches;  // by rotation
    std::vector<int> forfeited_by;
    std::vector<store::Attempt> attempts;  // that came to nothing
    absl::Time begun;
    absl::Time played;
    bool surplus = false;  // played, after blocks that decided the test
  };

  void On(const store::BeginBlock& begin);
  void On(const store::NameMatches& names);
  void On(const store::RetryBlock& retry);
  void On(const store::FinishBlock& finish);
  void On(const store::DropBlock& drop);
  void On(const store::CountBlocks& count);
  // The block that a change of one that is RUNNING names; null, and a failure, if there is none.
  Account* FindRunning(int64_t number, int attempt, absl::string_view what);
  absl::optional<Result> ReadEnd(const MatchId& id) const;
  // The same of one that has a result.
  absl::optional<Result> ReadResult(const MatchId& id) const;
  // An attempt came to nothing: checks its record, and keeps it.
  void CheckFailure(int64_t number, const store::Attempt& failed, Account* account);
  void CheckForfeit(int64_t number, const Account& account) const;
  void CheckResults(int64_t number, const Account& account) const;
  void CheckPlayedOnce() const;
  void CheckStandings(int season, const std::vector<competition::Standing>& standings) const;
  bool IsDecided() const { return sprt_ && sprt_->accepted() != rating::Hypothesis::kNone; }
  // One that was not there before.
  void Meet(const store::Entrant& entrant);
  // Adds what a block says to the tallies of its bots.
  void Recount(const Account& account);
  void RecountSilences(const Account& account);
  void RecountConduct(const Account& account);
  void CheckTally(int entrant, const store::Tally& tally, const store::Tally& own) const;
  std::vector<store::Tally> TalliesWithoutAnnulled(
      const std::vector<competition::Standing>& standings) const;
  // Adds the results of a block between the bots that are not left out, or with -1 takes them off.
  static void AddResults(const Account& account, const std::set<int>& left_out, int sign,
                         std::vector<store::Tally>* tallies);
  void CheckPairs(const std::vector<store::PairTotal>& pairs) const;
  void Fail(int64_t number, absl::string_view problem) const;

  Chronicle& chronicle_;
  const Disk& disk_;
  std::vector<std::string> entrants_;
  std::vector<Account> blocks_;  // by number
  int64_t counted_ = 0;
  store::CompetitionState state_ = store::CompetitionState::kNew;
  absl::optional<rating::Sprt> sprt_;  // of a test, after what is counted
  // By the witness's own count.
  std::vector<store::Tally> tallies_;
  // By entrant.
  std::vector<bool> stands_;
  std::vector<int> seasons_;
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_WITNESS_COMPETITION_H_
