// Converts match::Record to the Record message of proto/referee/v1/replay.proto and back.
//
// A record has exactly one encoding. The decoder refuses any other, so every byte of a file is
// checked. replay.h and log_format.h frame the records. Thread-compatible.
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

// Encodes records. Reuses its messages, so that after the first turn a turn allocates nothing.
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

// The most records of some kinds in a replay. Without limits, a small file could hold millions of
// equal records. Other kinds are limited by themselves: turns count up, and a seat forfeits once.
inline constexpr int kMaxResumed = 100'000;
inline constexpr int kMaxDraws = 10'000;
inline constexpr int kMaxFaultsOfTurn = limits::kMaxSeats * limits::kMaxTries;

// Decodes the records of one match, in order, and checks the order that replay.proto prescribes.
// Checks form, not truth.
class RecordDecoder {
 public:
  enum class Source {
    kReplay,           // Opening, records
    kReplayOfAnyGame,  // the same; a game with unknown rules is an UnknownGame
    kLog,              // Opening, Secret, records
  };

  explicit RecordDecoder(Source source) : source_(source) {}

  // Decodes the next record. Returns InvalidArgument that says what is wrong and names the turn, if
  // any. After an error Take must not be called again; earlier records stay. Returns an
  // IsUnknownHere error (errors.h) for fields or a game that this program does not know.
  absl::Status Take(absl::string_view bytes);

  // Returns the number of records taken, including the opening and the secret.
  int taken() const { return taken_; }
  // Returns whether the opening was taken; in a log, also the secret.
  bool opened() const { return stage_ > Stage::kSecret; }
  bool ended() const { return stage_ == Stage::kOver; }
  // Returns the turn of the refused record; 0: none.
  uint32_t failed_turn() const { return failed_turn_; }

  // REQUIRES: opened().
  match::Setup& setup() { return setup_; }
  const dice::Seed& secret() const { return secret_; }
  // All records except the opening and the secret.
  std::vector<match::Record>& records() { return records_; }

 private:
  enum class Stage { kOpening, kSecret, kStart, kDraws, kTurns, kNoContest, kOver };

  // Returns the error for the current record, and sets failed_turn_.
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
  int resumed_ = 0;  // Resumed records among them
  int draws_ = 0;
  int faults_ = 0;     // in the current turn
  uint32_t turn_ = 0;  // the last turn that was played
  uint32_t failed_turn_ = 0;
  match::Setup setup_;
  dice::Seed secret_;
  std::vector<match::Record> records_;
  std::vector<match::SeatForfeit> forfeits_;  // so far
  // From the start record.
  std::vector<std::string> nonces_;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes_;
  v1::Record message_;
  RecordEncoder encoder_;
  std::string again_;  // the decoded record, encoded again
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RECORD_CODEC_H_
