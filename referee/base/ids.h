// Strong ids: a seat is no number, a match id no string, until somebody says so.
#ifndef REFEREE_BASE_IDS_H_
#define REFEREE_BASE_IDS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee {

// A place at the table: 0 to 9, written a to j. A default-made Seat is none.
class Seat {
 public:
  constexpr Seat() = default;
  explicit constexpr Seat(int index) : index_(static_cast<int8_t>(index)) {}
  static constexpr Seat None() { return Seat(); }

  constexpr bool valid() const { return index_ >= 0; }
  // REQUIRES: valid().
  constexpr int index() const { return index_; }
  // REQUIRES: valid().
  constexpr char letter() const { return static_cast<char>('a' + index_); }
  // The same as a text. REQUIRES: valid().
  std::string text() const { return std::string(1, letter()); }

  friend constexpr bool operator==(Seat a, Seat b) { return a.index_ == b.index_; }
  friend constexpr bool operator!=(Seat a, Seat b) { return a.index_ != b.index_; }
  friend constexpr bool operator<(Seat a, Seat b) { return a.index_ < b.index_; }

 private:
  int8_t index_ = -1;
};

// Names a thing of one kind for ever and everywhere: 26 characters of Crockford's base 32 in lower
// case, the first ten the time of creation in milliseconds, the rest random (the ULID layout), so
// that ids sort by time. Ids of different kinds are different types.
template <typename Kind>
class TimedId {
 public:
  TimedId() = default;
  // Makes the id of what is created at `created`; `random` points at ten random bytes.
  static TimedId Make(absl::Time created, const uint8_t* random);
  // Returns InvalidArgument unless `text` has the form above.
  static absl::StatusOr<TimedId> Parse(absl::string_view text);

  const std::string& text() const { return text_; }
  // The time that the id was made with, to the millisecond. REQUIRES: not default-made.
  absl::Time created() const;

  friend bool operator==(const TimedId& a, const TimedId& b) { return a.text_ == b.text_; }
  friend bool operator!=(const TimedId& a, const TimedId& b) { return a.text_ != b.text_; }
  friend bool operator<(const TimedId& a, const TimedId& b) { return a.text_ < b.text_; }
  template <typename H>
  friend H AbslHashValue(H h, const TimedId& id) {
    return H::combine(std::move(h), id.text_);
  }

 private:
  explicit TimedId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

struct MatchKind;
struct BlockKind;
using MatchId = TimedId<MatchKind>;
// A block: matches of the same bots with the same dice, one for each rotation of the seats.
using BlockId = TimedId<BlockKind>;

}  // namespace referee

#endif  // REFEREE_BASE_IDS_H_
