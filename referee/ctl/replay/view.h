// The state of a match viewer without its terminal: handles keys and draws the window's text.
//
//   MatchView view(course, style);
//   view.Resize({15, 80});
//   std::string lines = view.Screen();
//   if (!view.Take(bytes)) return;  // the user quits
#ifndef REFEREE_CTL_REPLAY_VIEW_H_
#define REFEREE_CTL_REPLAY_VIEW_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/ctl/replay/course.h"
#include "referee/ctl/terminal/live_screen.h"
#include "referee/games/game.h"

namespace referee::ctl {

enum class ViewerKey {
  kNone,
  kNext,
  kPrevious,
  kPageNext,
  kPagePrevious,
  kFirst,
  kLast,
  kLive,  // to the newest step of a running match; otherwise like kNext
  kGoTo,  // followed by a number and Enter
  kNextFault,
  kPreviousFault,
  kNextEvent,
  kPreviousEvent,
  kNextCapture,
  kPreviousCapture,
  kPlay,  // start or stop playing
  kFaster,
  kSlower,
  kScrollUp,
  kScrollDown,
  kLegend,
  kCancel,  // Escape
  kQuit,
};

// Removes one key, as a terminal sends it, from the front of `bytes`; kNone for an unknown key.
// REQUIRES: !bytes->empty().
ViewerKey TakeViewerKey(absl::string_view* bytes);

// The step that a key leads to from step `at`, of `count` steps. REQUIRES: at < count.
size_t StepAfterKey(ViewerKey key, size_t at, size_t count);

// Cuts a line with ANSI colours into lines of at most `columns` columns. REQUIRES: columns > 0, and
// `line` has no line end.
std::vector<std::string> WrapLine(absl::string_view line, size_t columns);

// The current step of a viewer, and the text of its window. In a running match it starts at the
// newest step, and follows new ones until the user goes back. In a small window, it leaves out in
// this order, only as far as necessary: blank lines, the curve of points, the position, the title.
// If that is not enough, the part above the last turn scrolls. Thread-compatible.
class MatchView {
 public:
  // `course` must outlive this object. REQUIRES: !course.steps.empty().
  MatchView(const Course& course, const games::DrawStyle& style);

  // Call this after the course got more steps or its end. A view at the last step follows;
  // otherwise it stays at its step.
  void Grow();
  // Shows a note about the match until the next key.
  void Say(absl::string_view note) { note_ = std::string(note); }

  void Resize(ScreenSize size) { size_ = size; }

  // Handles the keys in `bytes`. Returns false if the user quits.
  bool Take(absl::string_view bytes);

  // The time after which to call Tick; infinite unless the match is playing.
  absl::Duration interval() const;
  // Moves to the next step; stops playing at the last.
  void Tick();

  size_t at() const { return at_; }
  // The text of the window: no more lines than it has rows, none wider than the window. The last
  // line lists the keys, and is the only one without a line end.
  std::string Screen() const;

 private:
  // A line of the window; lines of a lower rank are left out first.
  struct Line {
    std::string text;
    int rank;
  };
  // The lines to show. If there is not enough room, the upper ones scroll and the lower ones stay.
  struct Layout {
    std::vector<Line> upper;
    std::vector<Line> lower;
    size_t room;

    size_t max_scroll() const;
  };

  bool Do(ViewerKey key);
  void TakeDigit(char digit);
  void GoTo(size_t step);
  void Seek(bool CourseStep::*wanted, bool forwards, absl::string_view what);
  size_t last() const { return course_.steps.size() - 1; }
  std::vector<Line> Upper() const;
  std::vector<Line> Lower() const;
  Layout LayOut() const;
  std::string Status(const Layout& layout) const;

  const Course& course_;
  const games::DrawStyle style_;
  ScreenSize size_;
  size_t at_ = 0;
  bool newest_ = false;  // follows a running match
  size_t scroll_ = 0;    // number of upper lines above the window
  int speed_ = 1;        // index into kIntervals
  bool playing_ = false;
  bool legend_ = false;
  bool asking_ = false;  // reading a turn's number
  std::string number_;
  std::string note_;  // on the last key, or from Say
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEW_H_
