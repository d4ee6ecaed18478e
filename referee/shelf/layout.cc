#include "referee/shelf/layout.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::shelf {
namespace {

constexpr absl::string_view kSuffix = ".rpl";

// Accepts "2026", "2026/11" and "2026/11/24".
bool IsDay(absl::string_view text) {
  constexpr absl::string_view kForm = "0000/00/00";
  if (text.size() != 4 && text.size() != 7 && text.size() != kForm.size()) return false;
  return std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
    return form == '/' ? c == '/' : absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
}

}  // namespace

std::string KeyOf(const MatchId& id) {
  return absl::StrCat(absl::FormatTime("%E4Y/%m/%d", id.created(), absl::UTCTimeZone()), "/",
                      id.text(), kSuffix);
}

absl::optional<MatchId> IdOfKey(absl::string_view key) {
  absl::string_view name = key;
  if (!absl::ConsumeSuffix(&name, kSuffix)) return absl::nullopt;
  const size_t slash = name.rfind('/');
  if (slash == absl::string_view::npos) return absl::nullopt;
  absl::StatusOr<MatchId> id = MatchId::Parse(name.substr(slash + 1));
  if (!id.ok() || KeyOf(*id) != key) return absl::nullopt;
  return *std::move(id);
}

absl::Status CheckFile(const MatchId& id, absl::string_view file) {
  if (!file.empty() && file.size() <= limits::kMaxReplayBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("match ", id.text(), ": its replay has ",
                                                 file.size(), " bytes; a shelf takes 1 to ",
                                                 limits::kMaxReplayBytes));
}

absl::Status OtherReplayShelved(absl::string_view shelf, const MatchId& id) {
  return absl::AlreadyExistsError(
      absl::StrCat(shelf, ": match ", id.text(),
                   ": another replay of it is there; 'refctl replay verify' tells which is true"));
}

absl::Status NotShelved(absl::string_view shelf, const MatchId& id) {
  return absl::NotFoundError(
      absl::StrCat(shelf, ": match ", id.text(), ": there is no replay of it on the shelf"));
}

absl::StatusOr<Listing> ReadListing(absl::string_view day, int page_size,
                                    absl::string_view page_token) {
  Listing listing;
  if (!day.empty() && !IsDay(day)) {
    return BadValue("day", day, "a day, month or year, such as 2026/11/24, 2026/11 or 2026");
  }
  listing.day = std::string(day);
  if (!page_token.empty()) {
    const absl::StatusOr<MatchId> last = MatchId::Parse(page_token);
    if (!last.ok()) return BadValue("page token", page_token, "one that this list gave");
    listing.after = KeyOf(*last);
  }
  if (page_size == 0) page_size = limits::kDefaultPageSize;
  listing.count = static_cast<size_t>(std::clamp(page_size, 1, limits::kMaxPageSize));
  return listing;
}

}  // namespace referee::shelf
