// Shows the progress of a long job on stderr. Thread-compatible.
//
// On a terminal, rewrites one line in place. Elsewhere, prints a line now and then.
#ifndef REFEREE_BASE_PROGRESS_H_
#define REFEREE_BASE_PROGRESS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"

namespace referee {

class Progress {
 public:
  enum class Style { kNone, kTerminal, kLines };

  // Whether `total` is the exact number or an upper bound.
  enum class Total { kExact, kMost };

  // `out` must outlive this object. `what` names the things counted.
  Progress(std::ostream* out, Style style, std::string what = "matches")
      : out_(out), style_(style), what_(std::move(what)) {}

  void set_total(Total total) { total_ = total; }

  // Shows "3 of 10 matches, 2 running, ..." and then `more`, if the next update is due. Without
  // `running`, omits the number of running ones.
  void Show(int64_t done, int64_t total, absl::optional<int> running, Instant now,
            absl::string_view more = "");
  // Shows `text` at once, unless it is on display already. Terminals only.
  void Note(const std::string& text);
  // Erases the line, if there is one.
  void Clear();

 private:
  void Rewrite(const std::string& text);

  std::ostream* const out_;
  const Style style_;
  const std::string what_;
  Total total_ = Total::kExact;
  bool begun_ = false;
  Instant start_;
  Instant next_;
  std::string shown_;
};

// Returns "3 of 10 matches, 2 running, 1.5s, about 4s left", or "3 of at most 10 matches, 2
// running, 1.5s".
std::string ProgressText(int64_t done, int64_t total, absl::string_view what,
                         absl::optional<int> running, absl::Duration elapsed,
                         Progress::Total means = Progress::Total::kExact);

}  // namespace referee

#endif  // REFEREE_BASE_PROGRESS_H_
