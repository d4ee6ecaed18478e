// Strong types for ids: a seat does not convert to a number, nor a match id to a string,
// implicitly.
#ifndef REFEREE_BASE_IDS_H_
#define REFEREE_BASE_IDS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee {

// A player's seat in a match: an index from 0 to 9, written a to j. A default-constructed Seat is
// None().
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
  // letter() as a string. REQUIRES: valid().
  std::string text() const { return std::string(1, letter()); }

  friend constexpr bool operator==(Seat a, Seat b) { return a.index_ == b.index_; }
  friend constexpr bool operator!=(Seat a, Seat b) { return a.index_ != b.index_; }
  friend constexpr bool operator<(Seat a, Seat b) { return a.index_ < b.index_; }

 private:
  int8_t index_ = -1;
};

// A ULID: a globally unique id that sorts by creation time.
//
// 26 lower-case characters of Crockford's base 32: ten for the time in milliseconds and 16 random.
// Each kind of id is a type of its own.
template <typename Kind>
class TimedId {
 public:
  TimedId() = default;
  // Makes an id with the creation time `created`; `random` points to ten random bytes.
  static TimedId Make(absl::Time created, const uint8_t* random);
  // Returns InvalidArgument unless `text` is a ULID in the form above.
  static absl::StatusOr<TimedId> Parse(absl::string_view text);

  const std::string& text() const { return text_; }
  // The creation time, to the millisecond. REQUIRES: not default-constructed.
  absl::Time created() const;
  // The 128 bits of the id as 32 lower-case hex digits. REQUIRES: not default-constructed.
  std::string hex() const;

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
