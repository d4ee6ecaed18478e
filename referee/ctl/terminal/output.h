// refctl's output and exit statuses: answers go to stdout, errors to stderr, and there are four
// exit statuses. Thread-compatible.
#ifndef REFEREE_CTL_TERMINAL_OUTPUT_H_
#define REFEREE_CTL_TERMINAL_OUTPUT_H_

#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/progress.h"

namespace referee::ctl {

// The exit statuses, on which scripts may rely.
enum class Exit {
  kOk = 0,
  kNegative = 1,  // the question was answered, and the answer is no
  kUsage = 2,     // the question, or the machine, is at fault
  kInPart = 3,    // nothing was found wrong, but not everything could be checked
  kForfeit = 4,   // a bot forfeited a match, and that was to be told
};

class Output {
 public:
  // The streams outlive this. `colour` says whether `out` may be sent ANSI colours,
  // `out_is_terminal` and `err_is_terminal` whether lines on them may be rewritten.
  Output(std::ostream* out, std::ostream* err, bool colour, bool err_is_terminal = false,
         bool out_is_terminal = false)
      : out_(out),
        err_(err),
        colour_(colour),
        err_is_terminal_(err_is_terminal),
        out_is_terminal_(out_is_terminal) {}

  // The process's own streams: colour if stdout is a terminal and NO_COLOR is not set.
  static Output Standard();

  std::ostream& out() const { return *out_; }
  std::ostream& err() const { return *err_; }
  bool colour() const { return colour_; }
  bool out_is_terminal() const { return out_is_terminal_; }
  // How progress is shown on err().
  Progress::Style progress_style() const {
    return err_is_terminal_ ? Progress::Style::kTerminal : Progress::Style::kLines;
  }

  // Writes "refctl: <message>" and a newline to err(). The message says what was wrong, where, and
  // what would be right.
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
