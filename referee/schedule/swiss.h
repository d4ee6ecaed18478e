// Swiss system: a fixed number of rounds, in each of which bots of about equal scores meet that
// have not met yet. A round is paired when all of the one before is over, from its results alone,
// so that the order in which blocks end changes nothing. Thread-compatible.
#ifndef REFEREE_SCHEDULE_SWISS_H_
#define REFEREE_SCHEDULE_SWISS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/schedule/closed_schedule.h"
#include "referee/schedule/encounters.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/score_sheet.h"
#include "referee/schedule/swiss_pairing.h"

namespace referee::schedule {

class Swiss : public ClosedSchedule {
 public:
  // REQUIRES: Validate(spec) is OK.
  explicit Swiss(const Spec& spec);

  void Withdraw(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  void Voided(int64_t number) override;
  bool done() const override;
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;
  std::vector<RoundPairing> Pairings() const override;

 private:
  enum class Stage {
    kWaiting,
    kOpen,
    kPlayed,
    kNotPlayed,  // one of its bots was withdrawn
    kVoid,       // too often: a drawn block
  };
  struct Game {
    rating::Pairing pairing;
    Stage stage = Stage::kWaiting;
    int64_t number = -1;               // of its block; -1: not begun
    std::vector<int64_t> points = {};  // half points, by place in the pairing; empty unless played
    std::vector<int64_t> scores = {};  // that the games gave, the same
  };
  struct Bot {
    bool withdrawn = false;
    int unpaired = 0;              // byes and walkovers
    std::vector<int> bye_rounds;   // from 1
    int walkovers = 0;             // rounds
    int64_t unplayed = 0;          // half points that it has without a block
    std::vector<int> opponents;    // in blocks that were played
    Float floats = Float::kNone;   // in this round
    Float floated = Float::kNone;  // in the round before
    int rounds_out = 0;            // rounds that are over in which it played no block,
    int rounds_gone = 0;           // and of these, those after it had left
  };

  void PairRound();
  void EndWithout(int64_t number, Stage stage);
  void Begin(Game* game);
  // Ends the round if all of it is over, and pairs the next.
  void Settle();
  void EndRound();
  // Whether a block that has not begun can be played.
  bool CanBegin(const Game& game) const;
  // Notes who meets one of other points in this round.
  void NoteFloats();
  // Half points without a block.
  void Give(int bot, int points);
  Contender ContenderOf(int bot) const;
  std::string Remark(const Bot& bot) const;
  // What came of a game of this round, and of its bye; with the points that are given without a
  // block if the round is over.
  RoundPairing PairingOf(const Game& game, bool over) const;
  RoundPairing ByeOf(bool over) const;
  // All of this round, as its end or as it is.
  void AddRound(bool over, std::vector<RoundPairing>* pairings) const;

  const int rounds_;
  const std::vector<TieBreak> tie_breaks_;
  int round_ = 0;                   // from 0
  bool begun_ = false;              // a block of the round was begun: its pairings stay
  std::vector<Game> games_;         // of the round
  std::vector<RoundPairing> past_;  // of rounds that are over
  int bye_ = -1;
  std::vector<Bot> bots_;
  std::vector<std::vector<int>> met_;
  ScoreSheet sheet_;
  Encounters encounters_;
  absl::flat_hash_map<int64_t, size_t> open_;  // number -> place in games_
  int64_t next_number_ = 0;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SWISS_H_
