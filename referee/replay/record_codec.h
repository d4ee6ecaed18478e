// Encodes match::Record as the Record message of proto/referee/v1/replay.proto, and decodes it. A
// record has exactly one encoding and the decoder refuses any other, so that no byte of a file goes
// unchecked. replay.h and log_format.h do the framing. Thread-compatible.
#ifndef REFEREE_REPLAY_RECORD_CODEC_H_
#define REFEREE_REPLAY_RECORD_CODEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/replay.pb.h"
#include "referee/base/limits.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"

namespace referee::replay {

// Encodes records. Keeps its messages, so that a turn costs no allocation once it has encoded one.
class RecordEncoder {
 public:
  // Each appends the bytes of one Record message.
  void AppendOpening(const match::Setup& setup, std::string* out);
  void AppendSecret(const dice::Seed& seed, std::string* out);
  void AppendRecord(const games::Game& game, const match::Record& record, std::string* out);

 private:
  void Fill(const games::Game& game, const match::Started& started);
  void Fill(const games::Game& game, const match::Drawn& drawn);
  void Fill(const games::Game& game, const match::Played& played);
  void Fill(const games::Game& game, const match::Faulted& faulted);
  void Fill(const games::Game& game, const match::Forfeited& forfeited);
  void Fill(const games::Game& game, const match::NoContest& no_contest);
  void Fill(const games::Game& game, const match::Resumed& resumed);
  void Fill(const games::Game& game, const match::Ended& ended);

  v1::Record record_;
};

// The most records of a kind in a replay: a small file could hold millions of equal ones. Turns
// count up, and a seat forfeits once.
inline constexpr int kMaxResumed = 100'000;
inline constexpr int kMaxDraws = 10'000;
inline constexpr int kMaxFaultsOfTurn = limits::kMaxSeats * limits::kMaxTries;

// Decodes the records of one match, in order, and checks that they come in the order that
// replay.proto gives: form, not truth.
class RecordDecoder {
 public:
  enum class Source {
    kReplay,           // Opening, records
    kReplayOfAnyGame,  // the same; a game whose rules are not here is an UnknownGame
    kLog,              // Opening, Secret, records
  };

  explicit RecordDecoder(Source source) : source_(source) {}

  // Decodes the next record. Returns InvalidArgument that says what is wrong with it and, if it is
  // a turn, names the turn; then Take must not be called again, and the records before stay. The
  // error IsUnknownHere (errors.h) when the record has fields, or its game rules, of another
  // program.
  absl::Status Take(absl::string_view bytes);

  // How many records were taken, including the opening and the secret.
  int taken() const { return taken_; }
  // Whether the opening (in the log: and the secret) was taken.
  bool opened() const { return stage_ > Stage::kSecret; }
  bool ended() const { return stage_ == Stage::kOver; }
  // The turn of the record that Take refused; 0 if it is about none.
  uint32_t failed_turn() const { return failed_turn_; }

  // REQUIRES: opened().
  match::Setup& setup() { return setup_; }
  const dice::Seed& secret() const { return secret_; }
  // All but the opening and the secret.
  std::vector<match::Record>& records() { return records_; }

 private:
  enum class Stage { kOpening, kSecret, kStart, kDraws, kTurns, kNoContest, kOver };

  // Says that the record at hand cannot be taken, and in which turn.
  absl::Status Refuse(const absl::Status& problem);
  absl::Status Decode();
  absl::Status Decode(const v1::OpeningRecord& opening);
  absl::Status Decode(const v1::SecretRecord& secret);
  absl::Status Decode(const v1::StartRecord& start);
  absl::Status Decode(const v1::DrawRecord& draw);
  absl::Status Decode(const v1::TurnRecord& turn);
  absl::Status Decode(const v1::FaultRecord& fault);
  absl::Status Decode(const v1::ForfeitRecord& forfeit);
  absl::Status Decode(const v1::NoContestRecord& no_contest);
  absl::Status Decode(const v1::ResumedRecord& resumed);
  absl::Status Decode(const v1::EndRecord& end);
  absl::Status DecodeSeat(uint32_t number, Seat* seat) const;

  const Source source_;
  Stage stage_ = Stage::kOpening;
  int taken_ = 0;
  int resumed_ = 0;  // of these
  int draws_ = 0;
  int faults_ = 0;     // in the turn that is due
  uint32_t turn_ = 0;  // the last that was played
  uint32_t failed_turn_ = 0;
  match::Setup setup_;
  dice::Seed secret_;
  std::vector<match::Record> records_;
  std::vector<match::SeatForfeit> forfeits_;  // so far
  // Of the start.
  std::vector<std::string> nonces_;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes_;
  v1::Record message_;
  RecordEncoder encoder_;
  std::string again_;  // what was decoded, encoded again
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RECORD_CODEC_H_
