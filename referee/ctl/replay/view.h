// A viewer of a match without its terminal: what keys do, and what the window shows.
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
  kLive,  // to the newest step of a match that is watched as it runs; else as kNext
  kGoTo,  // a number and Enter follow
  kNextFault,
  kPreviousFault,
  kNextEvent,
  kPreviousEvent,
  kNextCapture,
  kPreviousCapture,
  kPlay,  // by itself, or no longer
  kFaster,
  kSlower,
  kScrollUp,
  kScrollDown,
  kLegend,
  kCancel,  // Escape
  kQuit,
};

// Takes one key, as a terminal sends it, off the front of `bytes`; kNone for one that means
// nothing. REQUIRES: !bytes->empty().
ViewerKey TakeViewerKey(absl::string_view* bytes);

// The step that a key leads to from `at`, of `count` steps. REQUIRES: at < count.
size_t StepAfterKey(ViewerKey key, size_t at, size_t count);

// Cuts a line with ANSI colours into lines of at most so many columns. A line end is no part of
// `line`. REQUIRES: columns > 0.
std::vector<std::string> WrapLine(absl::string_view line, size_t columns);

// Where a viewer is in a match, and how its window shows that. In a match that runs it begins at
// the newest step, and stays with that until it goes back. A window that is too small for all
// leaves out, one after the other and only as many as need be: blank lines, the curve of the
// points, the position, the title. If that is not enough, what stands above the last turn is
// scrolled. Thread-compatible.
class MatchView {
 public:
  // `course` must outlive this. REQUIRES: !course.steps.empty().
  MatchView(const Course& course, const games::DrawStyle& style);

  // Steps were added to the course, or its end: who was at its last step is so again, who had gone
  // back stays there.
  void Grow();
  // Says something about the match as a whole, until the next key.
  void Say(absl::string_view note) { note_ = std::string(note); }

  void Resize(ScreenSize size) { size_ = size; }

  // Does what the keys in `bytes` ask for. Returns false when the user quits.
  bool Take(absl::string_view bytes);

  // How long a step is shown before Tick is due; infinite unless it plays by itself.
  absl::Duration interval() const;
  // Goes a step on, and stops playing at the last.
  void Tick();

  size_t at() const { return at_; }
  // At most so many lines as the window has rows, each no wider than the window, with a line end
  // but the last, which says which keys there are.
  std::string Screen() const;

 private:
  // A line of the window, and when it is left out: the lower the earlier.
  struct Line {
    std::string text;
    int rank;
  };
  // All lines that are not left out. The first ones scroll if there are more than there is room
  // for; the last ones stay.
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
  bool newest_ = false;  // a match that runs is followed
  size_t scroll_ = 0;    // lines of the upper part above the window
  int speed_ = 1;        // of kIntervals
  bool playing_ = false;
  bool legend_ = false;
  bool asking_ = false;  // for a turn's number
  std::string number_;
  std::string note_;  // about the last key
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEW_H_
