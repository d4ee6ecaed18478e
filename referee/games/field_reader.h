// Base class of the parsers of position strings.
//
// A position string is a list of fields separated by one space each, read from left to right.
// Errors name the field, the byte and the value.
//
//   class PositionReader : private FieldReader {
//     absl::Status Read() {
//       static constexpr Field<PositionReader> kFields[] = {{"board", &PositionReader::ReadBoard},
//                                                           {"turn", &PositionReader::ReadTurn}};
//       return ReadFields(this, kFields);
//     }
//   };
#ifndef REFEREE_GAMES_FIELD_READER_H_
#define REFEREE_GAMES_FIELD_READER_H_

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"

namespace referee::games {

class FieldReader {
 protected:
  template <typename Reader>
  struct Field {
    absl::string_view name;
    absl::Status (Reader::*read)();
  };

  // REQUIRES: `text` outlives this object.
  explicit FieldReader(absl::string_view text) : text_(text) {}

  // Calls the methods of `reader` in order. Each method reads its field from at() and must stop at
  // the end of the field.
  template <typename Reader, size_t kCount>
  absl::Status ReadFields(Reader* reader, const Field<Reader> (&fields)[kCount]) {
    if (text_.size() > limits::kMaxPositionBytes) {
      return BadPosition(
          "length", limits::kMaxPositionBytes,
          absl::StrCat("a position has at most ", limits::kMaxPositionBytes, " bytes"));
    }
    for (const Field<Reader>& field : fields) {
      field_ = field.name;
      field_start_ = at_;
      if (at_ > text_.size()) {
        return BadPosition(field_, text_.size(),
                           absl::StrCat("is missing; a position has ", kCount, " fields"));
      }
      field_end_ = std::min(text_.find(' ', at_), text_.size());
      absl::Status status = (reader->*field.read)();
      if (!status.ok()) return status;
      if (at_ < field_end_) return BadHere(absl::StrCat("ends before ", Quoted(Rest())));
      at_ = field_end_ + 1;
    }
    if (field_end_ == text_.size()) return absl::OkStatus();
    return BadPosition(field_, at_ - 1,
                       absl::StrCat("the position ends here, after ", kCount, " fields"));
  }

  // Returns an error about the current field. `why` says which values are allowed.
  absl::Status Bad(absl::string_view why, size_t offset) const {
    const absl::string_view field = text_.substr(field_start_, field_end_ - field_start_);
    return BadPosition(field_, offset, absl::StrCat(why, "; the field is ", Quoted(field)));
  }
  absl::Status BadHere(absl::string_view why) const { return Bad(why, at_); }

  size_t at() const { return at_; }
  absl::string_view Since(size_t start) const { return text_.substr(start, at_ - start); }
  bool AtEnd() const { return at_ >= field_end_; }
  // The next byte of the field; NUL at its end.
  char Peek() const { return AtEnd() ? '\0' : text_[at_]; }
  void Advance() { ++at_; }
  bool Skip(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  // The unread part of the field.
  absl::string_view Rest() const { return text_.substr(at_, field_end_ - at_); }
  // Skips a field that is "-". Returns false, and skips nothing, for any other field.
  bool SkipNone() {
    if (Rest() != "-") return false;
    ++at_;
    return true;
  }

 private:
  const absl::string_view text_;
  absl::string_view field_;
  size_t at_ = 0;
  size_t field_start_ = 0;
  size_t field_end_ = 0;
};

}  // namespace referee::games

#endif  // REFEREE_GAMES_FIELD_READER_H_
