#include "tests/simulation/chronicle.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/simulation/random.h"

namespace referee::simulation {
namespace {

// The first instant of a run.
constexpr Instant kStart = Instant::FromNanos(1'000'000'000);

std::string TimeText(Instant now) { return absl::FormatDuration(now - kStart); }

}  // namespace

void Chronicle::Note(absl::string_view what, std::initializer_list<int64_t> numbers) {
  digest_ = Mixed(digest_, static_cast<uint64_t>(queue_->Now().nanos()));
  digest_ = Mixed(digest_, static_cast<uint64_t>(what[0]) << 8 ^ what.size());
  for (const int64_t number : numbers) digest_ = Mixed(digest_, static_cast<uint64_t>(number));
  if (out_ == nullptr) return;
  *out_ << TimeText(queue_->Now()) << "  " << what;
  for (const int64_t number : numbers) *out_ << ' ' << number;
  *out_ << '\n';
}

void Chronicle::Fail(std::string problem) {
  if (out_ != nullptr) *out_ << TimeText(queue_->Now()) << "  FAILED: " << problem << '\n';
  if (failed()) return;
  problem_ = absl::StrCat("at ", TimeText(queue_->Now()), ": ", problem);
}

uint64_t DigestOf(absl::string_view bytes) {
  uint64_t digest = bytes.size();
  for (const char byte : bytes) digest = (digest ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
  return Mixed(digest, bytes.size());
}

}  // namespace referee::simulation
