// A log for what happens over and over while somebody does harm: each topic is heard at once, and
// then at most once a minute, with how often there was cause meanwhile.
#ifndef REFEREE_SERVICE_ACCEPT_SPARSE_LOG_H_
#define REFEREE_SERVICE_ACCEPT_SPARSE_LOG_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"

namespace referee::service {

// Thread-compatible.
class SparseLog {
 public:
  using Log = std::function<void(absl::string_view line)>;

  // `clock` must outlive this; `log` may be null.
  SparseLog(const Clock* clock, Log log) : clock_(*clock), log_(std::move(log)) {}

  void Say(int topic, absl::string_view line) {
    Said& said = said_[topic];
    if (clock_.Now() < said.again) {
      ++said.unheard;
      return;
    }
    said.again = clock_.Now() + limits::kSameLineInterval;
    const int64_t unheard = std::exchange(said.unheard, 0);
    if (!log_) return;
    log_(unheard == 0 ? line : absl::StrCat(line, " (and ", unheard, " times before)"));
  }

 private:
  struct Said {
    Instant again;  // when it may be heard next
    int64_t unheard = 0;
  };

  const Clock& clock_;
  const Log log_;
  std::map<int, Said> said_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_SPARSE_LOG_H_
