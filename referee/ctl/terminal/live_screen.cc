#include "referee/ctl/terminal/live_screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::ctl {
namespace {

// The first part of a UTF-8 line that fits.
absl::string_view Cut(absl::string_view line, size_t columns) {
  size_t width = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
    if (begins && ++width > columns) return line.substr(0, i);
  }
  return line;
}

}  // namespace

ScreenSize TerminalSize() {
  winsize size{};
  ScreenSize screen;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
  if (size.ws_row > 0) screen.rows = size.ws_row;
  if (size.ws_col > 0) screen.columns = size.ws_col;
  return screen;
}

void LiveScreen::Draw(absl::string_view text, ScreenSize size) {
  const std::vector<absl::string_view> lines = absl::StrSplit(absl::StripSuffix(text, "\n"), '\n');
  // Reserves the last line for the cursor.
  const size_t room = std::max<size_t>(size.rows, 3) - 1;
  const size_t shown = lines.size() <= room ? lines.size() : room - 1;
  std::string out;
  if (drawn_ > 0) absl::StrAppend(&out, "\033[", drawn_, "F");
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&out, Cut(lines[i], size.columns), "\033[K\n");
  }
  if (shown < lines.size()) {
    absl::StrAppend(&out, "... and ", lines.size() - shown, " more\033[K\n");
  }
  absl::StrAppend(&out, "\033[J");
  drawn_ = shown + (shown < lines.size() ? 1 : 0);
  *out_ << out << std::flush;
}

}  // namespace referee::ctl
