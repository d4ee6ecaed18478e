// Lines on a terminal that are redrawn in place. Thread-compatible.
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

// The size of the terminal at the standard output.
ScreenSize TerminalSize();

class LiveScreen {
 public:
  // `out` is a terminal, and must outlive this object.
  explicit LiveScreen(std::ostream* out) : out_(out) {}

  // Draws `text` over the previous lines. Cuts long lines. If there are too many lines, the last
  // line shown gives the number left out.
  void Draw(absl::string_view text, ScreenSize size);
  // Keeps the drawn lines on the screen; later output appears below.
  void Leave() { drawn_ = 0; }

 private:
  std::ostream* const out_;
  size_t drawn_ = 0;  // number of lines above the cursor
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_LIVE_SCREEN_H_
