// A few lines on a terminal that are drawn again in place whenever they change. Thread-compatible.
#ifndef REFEREE_CTL_TERMINAL_LIVE_SCREEN_H_
#define REFEREE_CTL_TERMINAL_LIVE_SCREEN_H_

#include <cstddef>
#include <ostream>

#include "absl/strings/string_view.h"

namespace referee::ctl {

struct ScreenSize {
  size_t rows = 24;
  size_t columns = 80;
};

// The size of the terminal that is the standard output now.
ScreenSize TerminalSize();

class LiveScreen {
 public:
  // `out`, a terminal, outlives this.
  explicit LiveScreen(std::ostream* out) : out_(out) {}

  // Draws lines of `text` over those drawn before. What does not fit is cut: long lines at their
  // end; lines below the last row are counted in its place.
  void Draw(absl::string_view text, ScreenSize size);
  // Lets what is drawn stand, so that what is written next comes below.
  void Leave() { drawn_ = 0; }

 private:
  std::ostream* const out_;
  size_t drawn_ = 0;  // lines, above the cursor
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_LIVE_SCREEN_H_
