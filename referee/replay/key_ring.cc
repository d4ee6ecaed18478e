#include "referee/replay/key_ring.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/dice/dice.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxRingBytes = 64 * 1024;
constexpr absl::string_view kLineForm =
    "64 hex digits and, if they are known, from when and until when, such as 2026-11-22T10:00:00Z";
constexpr absl::string_view kNotKnown = "-";
constexpr absl::string_view kHeading =
    "# The public keys of a referee, oldest first: key, from when, until when (UTC). '-' is not "
    "known,\n"
    "# or still in use.\n";

// Formats to the microsecond, as in replays.
std::string RingTime(absl::Time time) {
  if (time == absl::InfinitePast() || time == absl::InfiniteFuture()) return std::string(kNotKnown);
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", absl::FromUnixMicros(absl::ToUnixMicros(time)),
                          absl::UTCTimeZone());
}

bool ReadTime(absl::string_view text, absl::Time* time) {
  if (text == kNotKnown) return true;
  std::string error;
  return absl::ParseTime(absl::RFC3339_full, text, time, &error) && *time > absl::InfinitePast() &&
         *time < absl::InfiniteFuture();
}

bool ReadLine(absl::string_view line, RingKey* key) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
  if (words.size() > 3) return false;
  const absl::StatusOr<dice::Bytes32> bytes = dice::ParseHex32(words[0]);
  if (!bytes.ok()) return false;
  key->key = *bytes;
  return (words.size() < 2 || ReadTime(words[1], &key->from)) &&
         (words.size() < 3 || ReadTime(words[2], &key->until));
}

}  // namespace

absl::StatusOr<KeyRing> KeyRing::Parse(absl::string_view text, absl::string_view path) {
  KeyRing ring;
  const absl::StatusOr<absl::string_view> lines = TextOfFile(text);
  if (!lines.ok()) return At(path, lines.status());
  int number = 0;
  for (absl::string_view line : absl::StrSplit(*lines, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    RingKey key;
    if (!ReadLine(line, &key))
      return BadKeyFile(path, absl::StrCat("in line ", number, " ", kLineForm));
    if (ring.Find(key.key) != nullptr) {
      return BadKeyFile(
          path, absl::StrCat("another key in line ", number, " than in the lines before it"));
    }
    ring.keys_.push_back(key);
  }
  if (ring.keys_.empty()) return BadKeyFile(path, absl::StrCat("a line of ", kLineForm));
  return ring;
}

std::string KeyRing::Text() const {
  std::string text(kHeading);
  for (const RingKey& key : keys_) {
    absl::StrAppend(&text, dice::Hex(key.key), " ", RingTime(key.from), " ", RingTime(key.until),
                    "\n");
  }
  return text;
}

const RingKey* KeyRing::Find(const PublicKey& key) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const RingKey& known) { return known.key == key; });
  return found == keys_.end() ? nullptr : &*found;
}

const RingKey* KeyRing::current() const {
  const auto found = std::find_if(keys_.rbegin(), keys_.rend(), [](const RingKey& key) {
    return key.until == absl::InfiniteFuture();
  });
  return found == keys_.rend() ? nullptr : &*found;
}

void KeyRing::Replace(const PublicKey& key, absl::Time now) {
  for (RingKey& former : keys_) former.until = std::min(former.until, now);
  RingKey next;
  next.key = key;
  next.from = now;
  keys_.push_back(next);
}

std::string KeyRing::Problem(const PublicKey& key, absl::Time end) const {
  const RingKey* const known = Find(key);
  if (known == nullptr) {
    return absl::StrCat("signature: not this referee's: by the key with fingerprint ",
                        Fingerprint(key), ", not ",
                        absl::StrJoin(keys_, " or ", [](std::string* out, const RingKey& one) {
                          out->append(Fingerprint(one.key));
                        }));
  }
  if (end <= known->until) return "";
  return absl::StrCat("signature: by the former key with fingerprint ", Fingerprint(key),
                      ", which was in use until ", RingTime(known->until),
                      ", but the match ended at ", RingTime(end));
}

absl::StatusOr<KeyRing> ReadKeyRing(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxRingBytes);
  if (!text.ok()) return text.status();
  return KeyRing::Parse(*text, path);
}

}  // namespace referee::replay
