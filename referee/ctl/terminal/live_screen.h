// Lines on a terminal that are redrawn in place when they change. Thread-compatible.
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

  // Draws lines of `text` over those drawn before. Cuts long lines at their end; if there are too
  // many lines, a last line says how many are left out.
  void Draw(absl::string_view text, ScreenSize size);
  // Leaves the drawn lines on the screen; later output comes below them.
  void Leave() { drawn_ = 0; }

 private:
  std::ostream* const out_;
  size_t drawn_ = 0;  // lines, above the cursor
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_LIVE_SCREEN_H_
