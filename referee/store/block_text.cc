#include "referee/store/block_text.h"

#include <charconv>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"

namespace referee::store {
namespace {

constexpr absl::string_view kCauses = "TIDR";  // in the order of match::Cause

// Takes text from its front.
class TextReader {
 public:
  explicit TextReader(absl::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool TakeInt(int* value) {
    const char* end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data(), end, *value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<size_t>(at - text_.data()));
    return true;
  }
  bool Take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Numbers with `separator` between them, one at least, as many as there are seats at most.
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
      forfeits->push_back({Seat(seat), cause});
    } while (Take(','));
    return true;
  }

 private:
  absl::string_view text_;
};

}  // namespace

std::string PairingText(const rating::Pairing& pairing) { return absl::StrJoin(pairing.bots, " "); }

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
    const match::Verdict& verdict = match.verdict;
    absl::StrAppend(out, absl::StrJoin(verdict.scores, ","), "/", absl::StrJoin(verdict.ranks, ","),
                    "/");
    for (size_t i = 0; i < verdict.forfeits.size(); ++i) {
      const match::SeatForfeit& forfeit = verdict.forfeits[i];
      absl::StrAppend(out, i > 0 ? "," : "", forfeit.seat.index(),
                      kCauses.substr(static_cast<size_t>(forfeit.cause), 1));
    }
  });
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

bool ReadResults(absl::string_view text, std::vector<BlockMatch>* matches) {
  if (text.empty()) return true;
  TextReader reader(text);
  size_t count = 0;
  do {
    if (count == limits::kMaxSeats) return false;
    if (matches->size() == count) matches->emplace_back();
    match::Verdict& verdict = (*matches)[count++].verdict;
    verdict.forfeits.clear();
    if (!reader.TakeInts(',', &verdict.scores) || !reader.Take('/')) return false;
    if (!reader.TakeInts(',', &verdict.ranks) || !reader.Take('/')) return false;
    if (!reader.TakeForfeits(&verdict.forfeits)) return false;
  } while (reader.Take(';'));
  return reader.done();
}

}  // namespace referee::store
