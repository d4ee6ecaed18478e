#include "referee/base/progress.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace referee {
namespace {

constexpr absl::Duration kRewriteEvery = absl::Milliseconds(100);
constexpr absl::Duration kLineEvery = absl::Seconds(10);

std::string Seconds(absl::Duration duration) {
  if (duration < absl::Minutes(1)) {
    return absl::StrFormat("%.1fs", absl::ToDoubleSeconds(duration));
  }
  return absl::FormatDuration(absl::Trunc(duration, absl::Seconds(1)));
}

}  // namespace

std::string ProgressText(int64_t done, int64_t total, absl::string_view what,
                         absl::optional<int> running, absl::Duration elapsed,
                         Progress::Total means) {
  const bool most = means == Progress::Total::kMost;
  std::string text =
      absl::StrCat(done, most ? " of at most " : " of ", total, " ", what, ", ",
                   running ? absl::StrCat(*running, " running, ") : "", Seconds(elapsed));
  if (done > 0 && done < total && !most) {
    absl::StrAppend(&text, ", about ", Seconds(elapsed / done * (total - done)), " left");
  }
  return text;
}

void Progress::Show(int64_t done, int64_t total, absl::optional<int> running, Instant now,
                    absl::string_view more) {
  if (style_ == Style::kNone) return;
  if (!begun_) {
    begun_ = true;
    start_ = now;
    // A terminal shows the progress from the start.
    next_ = style_ == Style::kTerminal ? now : now + kLineEvery;
  }
  if (now < next_) return;
  std::string text = ProgressText(done, total, what_, running, now - start_, total_);
  if (!more.empty()) absl::StrAppend(&text, ", ", more);
  if (style_ == Style::kTerminal) {
    next_ = now + kRewriteEvery;
    Rewrite(text);
  } else {
    next_ = now + kLineEvery;
    *out_ << text << std::endl;
  }
}

void Progress::Note(const std::string& text) {
  if (style_ == Style::kTerminal) Rewrite(text);
}

void Progress::Clear() {
  if (style_ == Style::kTerminal) Rewrite("");
}

void Progress::Rewrite(const std::string& text) {
  if (text == shown_) return;
  shown_ = text;
  // Moves to the start of the line and erases the rest.
  *out_ << "\r\033[K" << text << std::flush;
}

}  // namespace referee
