#include "referee/store/block_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"

namespace referee::store {
namespace {

constexpr absl::string_view kUnrecorded = "!";  // instead of a result
constexpr absl::string_view kCauses = "TIDR";   // in the order of match::Cause
constexpr char kUnasked = 'u';                  // after a cause

// Parses text from its front.
class TextReader {
 public:
  explicit TextReader(absl::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool Sees(char next) const { return !text_.empty() && text_.front() == next; }
  template <typename Int>
  bool TakeInt(Int* value) {
    const char* end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data(), end, *value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<size_t>(at - text_.data()));
    return true;
  }
  bool Take(char wanted) {
    if (!Sees(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes the numbers before `end`, perhaps none; else as TakeInts.
  bool TakeIntsUntil(char end, char separator, std::vector<int>* values) {
    values->clear();
    return (Sees(end) || TakeInts(separator, values)) && Take(end);
  }
  // Takes one or more numbers separated by `separator`, at most one per seat.
  bool TakeInts(char separator, std::vector<int>* values) {
    values->clear();
    do {
      values->emplace_back();
      if (values->size() > limits::kMaxSeats || !TakeInt(&values->back())) return false;
    } while (Take(separator));
    return true;
  }
  bool TakeCause(match::Cause* cause) {
    const size_t at = done() ? absl::string_view::npos : kCauses.find(text_.front());
    if (at == absl::string_view::npos) return false;
    *cause = static_cast<match::Cause>(at);
    text_.remove_prefix(1);
    return true;
  }
  bool TakeForfeits(std::vector<match::SeatForfeit>* forfeits) {
    if (done() || text_.front() == ';') return true;
    do {
      int seat = 0;
      match::Cause cause = match::Cause::kTimeout;
      if (forfeits->size() == limits::kMaxSeats) return false;
      if (!TakeInt(&seat) || !TakeCause(&cause)) return false;
      if (seat < 0 || seat >= static_cast<int>(limits::kMaxSeats)) return false;
      forfeits->push_back({Seat(seat), cause, Take(kUnasked)});
    } while (Take(','));
    return true;
  }

  // Takes the times of a match's seats, perhaps none before `end`; then the late seat, if any.
  bool TakeTimes(char end, match::MatchTimes* times) {
    if (done() || Sees(end)) return true;
    do {
      int64_t nanos = 0;
      if (times->seats.size() == limits::kMaxSeats) return false;
      match::SeatTime& seat = times->seats.emplace_back();
      if (!TakeInt(&nanos) || !Take(':') || !TakeInt(&seat.time_losses) || !Take(':') ||
          !TakeInt(&seat.lost_links)) {
        return false;
      }
      seat.given_back = absl::Nanoseconds(nanos);
    } while (Take(','));
    if (!Take(' ')) return true;
    int late = 0;
    if (!TakeInt(&late) || late < 0 || late >= static_cast<int>(times->seats.size())) return false;
    times->late = Seat(late);
    return true;
  }

 private:
  absl::string_view text_;
};

std::string TimesText(const match::MatchTimes& times) {
  const auto is_nothing = [](const match::SeatTime& seat) { return seat == match::SeatTime(); };
  if (!times.late.valid() && std::all_of(times.seats.begin(), times.seats.end(), is_nothing)) {
    return "";
  }
  std::string text =
      absl::StrJoin(times.seats, ",", [](std::string* out, const match::SeatTime& seat) {
        absl::StrAppend(out, absl::ToInt64Nanoseconds(seat.given_back), ":", seat.time_losses, ":",
                        seat.lost_links);
      });
  if (times.late.valid()) absl::StrAppend(&text, " ", times.late.index());
  return text;
}

}  // namespace

std::string PairingText(const rating::Pairing& pairing) { return absl::StrJoin(pairing.bots, " "); }

std::string PlacesText(const std::vector<int>& places) { return absl::StrJoin(places, " "); }

bool ReadPlaces(absl::string_view text, std::vector<int>* places) {
  TextReader reader(text);
  places->clear();
  if (reader.done()) return true;
  do {
    places->emplace_back();
    if (places->size() > limits::kMaxEntrants || !reader.TakeInt(&places->back()) ||
        places->back() < 0) {
      return false;
    }
  } while (reader.Take(' '));
  return reader.done();
}

std::string MatchIdsText(const std::vector<BlockMatch>& matches) {
  return absl::StrJoin(matches, " ", [](std::string* out, const BlockMatch& match) {
    absl::StrAppend(out, match.id.text());
  });
}

std::string MatchIdsText(const std::vector<MatchId>& matches) {
  return absl::StrJoin(
      matches, " ", [](std::string* out, const MatchId& id) { absl::StrAppend(out, id.text()); });
}

std::string ResultsText(const std::vector<BlockMatch>& matches) {
  return absl::StrJoin(matches, ";", [](std::string* out, const BlockMatch& match) {
    if (!match.recorded) return absl::StrAppend(out, kUnrecorded);
    const match::Verdict& verdict = match.verdict;
    absl::StrAppend(out, absl::StrJoin(verdict.scores, ","), "/", absl::StrJoin(verdict.ranks, ","),
                    "/");
    for (size_t i = 0; i < verdict.forfeits.size(); ++i) {
      const match::SeatForfeit& forfeit = verdict.forfeits[i];
      absl::StrAppend(out, i > 0 ? "," : "", forfeit.seat.index(),
                      kCauses.substr(static_cast<size_t>(forfeit.cause), 1));
      if (forfeit.unasked) out->push_back(kUnasked);
    }
  });
}

std::string TimesText(const std::vector<BlockMatch>& matches) {
  std::string text = absl::StrJoin(matches, ";", [](std::string* out, const BlockMatch& match) {
    absl::StrAppend(out, TimesText(match.verdict.times));
  });
  return text.find_first_not_of(';') == std::string::npos ? "" : text;
}

bool ReadPairing(absl::string_view text, rating::Pairing* pairing) {
  TextReader reader(text);
  return reader.TakeInts(' ', &pairing->bots) && reader.done();
}

bool ReadMatchIds(absl::string_view text, std::vector<BlockMatch>* matches) {
  size_t count = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    absl::StatusOr<MatchId> id = MatchId::Parse(text.substr(0, end));
    if (!id.ok() || count == limits::kMaxSeats) return false;
    if (matches->size() == count) matches->emplace_back();
    (*matches)[count++].id = *std::move(id);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// Calls `read` for the part of each match in turn; parts are separated by ';'.
template <typename Read>
bool ReadEach(absl::string_view text, std::vector<BlockMatch>* matches, Read read) {
  if (text.empty()) return true;
  TextReader reader(text);
  size_t count = 0;
  do {
    if (count == limits::kMaxSeats) return false;
    if (matches->size() == count) matches->emplace_back();
    if (!read(&reader, &(*matches)[count++])) return false;
  } while (reader.Take(';'));
  return reader.done();
}

bool ReadResults(absl::string_view text, std::vector<BlockMatch>* matches) {
  return ReadEach(text, matches, [](TextReader* reader, BlockMatch* match) {
    match::Verdict& verdict = match->verdict;
    verdict.forfeits.clear();
    match->recorded = !reader->Take(kUnrecorded.front());
    if (!match->recorded) return true;
    return reader->TakeIntsUntil('/', ',', &verdict.scores) &&
           reader->TakeIntsUntil('/', ',', &verdict.ranks) &&
           reader->TakeForfeits(&verdict.forfeits);
  });
}

bool ReadTimes(absl::string_view text, std::vector<BlockMatch>* matches) {
  return ReadEach(text, matches, [](TextReader* reader, BlockMatch* match) {
    match->verdict.times = match::MatchTimes();
    return reader->TakeTimes(';', &match->verdict.times);
  });
}

}  // namespace referee::store
