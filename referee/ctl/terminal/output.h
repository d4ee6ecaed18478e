// The output and the exit statuses of refctl: answers on stdout, errors on stderr.
//
// Thread-compatible.
#ifndef REFEREE_CTL_TERMINAL_OUTPUT_H_
#define REFEREE_CTL_TERMINAL_OUTPUT_H_

#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/progress.h"

namespace referee::ctl {

// The exit statuses, which are stable for scripts.
enum class Exit {
  kOk = 0,
  kNegative = 1,  // the question was answered, with no
  kUsage = 2,     // the command line or the machine is at fault
  kInPart = 3,    // no problem found, but not everything could be checked
  kForfeit = 4,   // a bot forfeited a match (--fail-on-forfeit)
};

class Output {
 public:
  // The streams must outlive this object. `colour`: whether `out` may get ANSI colours.
  // `out_is_terminal` and `err_is_terminal`: whether lines on the stream may be rewritten.
  Output(std::ostream* out, std::ostream* err, bool colour, bool err_is_terminal = false,
         bool out_is_terminal = false)
      : out_(out),
        err_(err),
        colour_(colour),
        err_is_terminal_(err_is_terminal),
        out_is_terminal_(out_is_terminal) {}

  // The process's own streams, with colour if stdout is a terminal and NO_COLOR is not set.
  static Output Standard();

  std::ostream& out() const { return *out_; }
  std::ostream& err() const { return *err_; }
  bool colour() const { return colour_; }
  bool out_is_terminal() const { return out_is_terminal_; }
  // How to show progress on err().
  Progress::Style progress_style() const {
    return err_is_terminal_ ? Progress::Style::kTerminal : Progress::Style::kLines;
  }

  // Writes "refctl: <message>" and a newline to err(). The message should state the problem, the
  // place and the correction.
  void Error(absl::string_view message) const;
  void Error(const absl::Status& status) const { Error(status.message()); }

 private:
  std::ostream* out_;
  std::ostream* err_;
  bool colour_;
  bool err_is_terminal_;
  bool out_is_terminal_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_OUTPUT_H_
