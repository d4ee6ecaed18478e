#include "referee/ctl/replay/view.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/ctl/replay/screen.h"
#include "referee/games/viewable.h"

namespace referee::ctl {
namespace {

constexpr size_t kPage = 10;

struct KeyBytes {
  absl::string_view bytes;
  ViewerKey key;
};

// Among keys with a common prefix, the longer comes first.
constexpr KeyBytes kKeys[] = {
    {"\x1b[C", ViewerKey::kNext},
    {"\x1b[B", ViewerKey::kNext},
    {"\x1bOC", ViewerKey::kNext},
    {"\x1bOB", ViewerKey::kNext},
    {"\x1b[D", ViewerKey::kPrevious},
    {"\x1b[A", ViewerKey::kPrevious},
    {"\x1bOD", ViewerKey::kPrevious},
    {"\x1bOA", ViewerKey::kPrevious},
    {"\x1b[6~", ViewerKey::kPageNext},
    {"\x1b[5~", ViewerKey::kPagePrevious},
    {"\x1b[H", ViewerKey::kFirst},
    {"\x1b[1~", ViewerKey::kFirst},
    {"\x1b[7~", ViewerKey::kFirst},
    {"\x1bOH", ViewerKey::kFirst},
    {"\x1b[F", ViewerKey::kLast},
    {"\x1b[4~", ViewerKey::kLast},
    {"\x1b[8~", ViewerKey::kLast},
    {"\x1bOF", ViewerKey::kLast},
    {"\r", ViewerKey::kNext},
    {"\n", ViewerKey::kNext},
    {"l", ViewerKey::kLive},
    {"j", ViewerKey::kNext},
    {"h", ViewerKey::kPrevious},
    {"k", ViewerKey::kPrevious},
    {"\x7f", ViewerKey::kPrevious},
    {"G", ViewerKey::kLast},
    {"g", ViewerKey::kGoTo},
    {"f", ViewerKey::kNextFault},
    {"F", ViewerKey::kPreviousFault},
    {"e", ViewerKey::kNextEvent},
    {"E", ViewerKey::kPreviousEvent},
    {"c", ViewerKey::kNextCapture},
    {"C", ViewerKey::kPreviousCapture},
    {" ", ViewerKey::kPlay},
    {"+", ViewerKey::kFaster},
    {"-", ViewerKey::kSlower},
    {"u", ViewerKey::kScrollUp},
    {"d", ViewerKey::kScrollDown},
    {"?", ViewerKey::kLegend},
    {"q", ViewerKey::kQuit},
    {"Q", ViewerKey::kQuit},
    {"\x03", ViewerKey::kQuit},
    {"\x04", ViewerKey::kQuit},
};

constexpr absl::string_view kKeysExplained =
    "arrows h j k l   turn by turn            PgUp PgDn   by ten turns\n"
    "Home End         to the start, the end   g N Enter   to turn N\n"
    "f F              to the next, the previous fault or forfeit\n"
    "c C              to the next, the previous capture\n"
    "e E              to the next, the previous event: these, a new leader, the end\n"
    "space            plays by itself, or no longer; + - faster, slower\n"
    "u d              scroll up, down         ?           this, or no longer\n"
    "q                quits\n";

constexpr absl::string_view kLiveExplained =
    "l                in a match that is watched: to what happens now, and on with it\n";

constexpr absl::string_view kShortHelp =
    "? help  arrows: turns  space: play  e: event  f: fault  g N: turn  q: quit";

// How long a step is shown, in seconds, slowest first.
constexpr double kIntervals[] = {2, 1, 0.5, 0.25, 0.1};

// The order in which lines are left out of a small window.
enum Rank { kBlank, kCurveRank, kPositionRank, kTitleRank, kKept };

// Puts texts side by side, as many as fit on each line.
std::vector<std::string> Flow(const std::vector<std::string>& texts, size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    if (!lines.empty() && lines.back().size() + 3 + text.size() <= columns) {
      absl::StrAppend(&lines.back(), "   ", text);
    } else {
      lines.push_back(text);
    }
  }
  return lines;
}

}  // namespace

ViewerKey TakeViewerKey(absl::string_view* bytes) {
  for (const KeyBytes& known : kKeys) {
    if (bytes->substr(0, known.bytes.size()) != known.bytes) continue;
    bytes->remove_prefix(known.bytes.size());
    return known.key;
  }
  // A lone escape is the Escape key; an escape before an unknown sequence discards the sequence.
  const bool escape = bytes->front() == '\x1b';
  const ViewerKey key = escape && bytes->size() == 1 ? ViewerKey::kCancel : ViewerKey::kNone;
  bytes->remove_prefix(escape ? bytes->size() : 1);
  return key;
}

size_t StepAfterKey(ViewerKey key, size_t at, size_t count) {
  const size_t last = count - 1;
  switch (key) {
    case ViewerKey::kNext:
      return std::min(at + 1, last);
    case ViewerKey::kPrevious:
      return at - std::min<size_t>(at, 1);
    case ViewerKey::kPageNext:
      return std::min(at + kPage, last);
    case ViewerKey::kPagePrevious:
      return at - std::min(at, kPage);
    case ViewerKey::kFirst:
      return 0;
    case ViewerKey::kLast:
      return last;
    default:
      return at;
  }
}

std::vector<std::string> WrapLine(absl::string_view line, size_t columns) {
  std::vector<std::string> lines(1);
  size_t width = 0;
  for (size_t i = 0; i < line.size();) {
    size_t end = i + 1;
    if (line[i] == '\x1b') {  // a colour, up to its final letter, takes no columns
      while (end < line.size() && !absl::ascii_isalpha(line[end - 1])) ++end;
    } else {
      while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
      if (width == columns) {
        lines.emplace_back();
        width = 0;
      }
      ++width;
    }
    lines.back().append(line.data() + i, end - i);
    i = end;
  }
  return lines;
}

MatchView::MatchView(const Course& course, const games::DrawStyle& style)
    : course_(course), style_(style) {
  if (course.live) GoTo(last());
}

void MatchView::Grow() {
  if (newest_ && !asking_) at_ = last();
  scroll_ = std::min(scroll_, LayOut().max_scroll());
}

bool MatchView::Take(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (asking_ && absl::ascii_isdigit(bytes.front())) {
      TakeDigit(bytes.front());
      bytes.remove_prefix(1);
    } else if (!Do(TakeViewerKey(&bytes))) {
      return false;
    }
  }
  scroll_ = std::min(scroll_, LayOut().max_scroll());
  return true;
}

void MatchView::TakeDigit(char digit) {
  if (number_.size() < 9) number_.push_back(digit);
}

bool MatchView::Do(ViewerKey key) {
  note_.clear();
  if (std::exchange(asking_, false)) {
    uint32_t turn;
    // Any key ends the number. Only Enter uses it; other keys have no further effect.
    if (key == ViewerKey::kNext && absl::SimpleAtoi(number_, &turn)) {
      GoTo(course_.StepOfTurn(turn));
    }
    return true;
  }
  switch (key) {
    case ViewerKey::kQuit:
      return false;
    case ViewerKey::kCancel:
    case ViewerKey::kLegend:
      // Escape quits unless it closes the legend.
      if (key == ViewerKey::kCancel && !legend_) return false;
      legend_ = !legend_;
      scroll_ = 0;
      break;
    case ViewerKey::kGoTo:
      asking_ = true;
      playing_ = false;
      number_.clear();
      break;
    case ViewerKey::kNextFault:
    case ViewerKey::kPreviousFault:
      Seek(&CourseStep::fault, key == ViewerKey::kNextFault, "fault");
      break;
    case ViewerKey::kNextCapture:
    case ViewerKey::kPreviousCapture:
      Seek(&CourseStep::capture, key == ViewerKey::kNextCapture, "capture");
      break;
    case ViewerKey::kNextEvent:
    case ViewerKey::kPreviousEvent:
      Seek(&CourseStep::event, key == ViewerKey::kNextEvent, "event");
      break;
    case ViewerKey::kPlay:
      playing_ = !playing_ && at_ + 1 < course_.steps.size();
      break;
    case ViewerKey::kFaster:
      speed_ = std::min(speed_ + 1, static_cast<int>(std::size(kIntervals)) - 1);
      break;
    case ViewerKey::kSlower:
      speed_ = std::max(speed_ - 1, 0);
      break;
    case ViewerKey::kScrollUp:
      scroll_ -= std::min<size_t>(scroll_, 1);
      break;
    case ViewerKey::kScrollDown:
      ++scroll_;
      break;
    case ViewerKey::kLive:
      GoTo(course_.live ? last() : StepAfterKey(ViewerKey::kNext, at_, course_.steps.size()));
      break;
    case ViewerKey::kNone:
      break;
    default:
      GoTo(StepAfterKey(key, at_, course_.steps.size()));
  }
  return true;
}

void MatchView::GoTo(size_t step) {
  at_ = step;
  newest_ = course_.live && at_ == last();
  legend_ = false;
  playing_ = playing_ && at_ + 1 < course_.steps.size();
}

void MatchView::Seek(bool CourseStep::*wanted, bool forwards, absl::string_view what) {
  for (size_t step = at_; forwards ? ++step < course_.steps.size() : step-- > 0;) {
    if (course_.steps[step].*wanted) return GoTo(step);
  }
  note_ = absl::StrCat("no ", what, forwards ? " after this" : " before this");
}

absl::Duration MatchView::interval() const {
  return playing_ ? absl::Seconds(kIntervals[speed_]) : absl::InfiniteDuration();
}

void MatchView::Tick() {
  if (playing_) GoTo(StepAfterKey(ViewerKey::kNext, at_, course_.steps.size()));
}

std::vector<MatchView::Line> MatchView::Upper() const {
  std::vector<Line> lines;
  const auto add = [&](absl::string_view text, int rank) {
    for (const absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
      for (std::string& row : WrapLine(line, size_.columns)) {
        const int row_rank = row.empty() ? kBlank : rank;
        lines.push_back({std::move(row), row_rank});
      }
    }
  };
  const ScreenParts parts = PartsOfStep(course_, at_, style_);
  add(parts.title, kTitleRank);
  for (const std::string& row : Flow(parts.seats, size_.columns)) add(row, kKept);
  for (const std::string& row : Flow(parts.clocks, size_.columns)) add(row, kKept);
  add("", kBlank);
  if (!legend_) {
    add(parts.board, kKept);
    add("", kBlank);
    return lines;
  }
  add(kKeysExplained, kKept);
  if (course_.live) add(kLiveExplained, kKept);
  add("", kBlank);
  const games::Viewable* const game = games::ViewableOf(*course_.game);
  if (game != nullptr) add(game->Legend(), kKept);
  return lines;
}

std::vector<MatchView::Line> MatchView::Lower() const {
  const ScreenParts parts = PartsOfStep(course_, at_, style_);
  std::vector<Line> lines;
  for (std::string& row : ScoreCurve(course_, at_, size_.columns, !style_.colour)) {
    lines.push_back({std::move(row), kCurveRank});
  }
  for (const auto& [text, rank] : {std::pair<absl::string_view, int>(parts.happened, kKept),
                                   {parts.next, kKept},
                                   {parts.position, kPositionRank}}) {
    if (text.empty()) continue;
    for (std::string& row : WrapLine(absl::StripSuffix(text, "\n"), size_.columns)) {
      lines.push_back({std::move(row), rank});
    }
  }
  return lines;
}

MatchView::Layout MatchView::LayOut() const {
  const size_t room = std::max<size_t>(size_.rows, 2) - 1;  // the last line is the status
  std::vector<Line> upper = Upper();
  std::vector<Line> lower = Lower();
  for (int rank = kBlank; rank < kKept; ++rank) {
    for (std::vector<Line>* lines : {&lower, &upper}) {
      for (size_t i = lines->size(); i-- > 0 && upper.size() + lower.size() > room;) {
        if ((*lines)[i].rank == rank) lines->erase(lines->begin() + static_cast<ptrdiff_t>(i));
      }
    }
  }
  // If even the last turn does not fit, everything scrolls.
  if (lower.size() >= room) {
    std::move(lower.begin(), lower.end(), std::back_inserter(upper));
    lower.clear();
  }
  return {std::move(upper), std::move(lower), room};
}

size_t MatchView::Layout::max_scroll() const {
  const size_t all = upper.size() + lower.size();
  return all - std::min(all, room);
}

std::string MatchView::Status(const Layout& layout) const {
  if (asking_) return absl::StrCat("to turn: ", number_, "_   (Enter goes there)");
  std::string status;
  if (!note_.empty()) absl::StrAppend(&status, note_, "   ");
  if (course_.runs()) {
    absl::StrAppend(&status, newest_ ? "live" : absl::StrCat(last() - at_, " behind (l: live)"),
                    "   ");
  }
  if (playing_) {
    absl::StrAppend(&status, "playing, ", absl::FormatDuration(interval()), " a turn (+ -)   ");
  }
  if (layout.max_scroll() > 0) {
    const size_t above = std::min(scroll_, layout.max_scroll());
    absl::StrAppend(&status, "lines above ", above, ", below ", layout.max_scroll() - above,
                    " (u d)   ");
  }
  return absl::StrCat(status, kShortHelp);
}

std::string MatchView::Screen() const {
  const Layout layout = LayOut();
  const size_t first = std::min(scroll_, layout.max_scroll());
  const size_t end = layout.upper.size() - (layout.max_scroll() - first);
  std::string screen;
  for (size_t i = first; i < end; ++i) absl::StrAppend(&screen, layout.upper[i].text, "\n");
  for (const Line& line : layout.lower) absl::StrAppend(&screen, line.text, "\n");
  return absl::StrCat(screen, WrapLine(Status(layout), size_.columns).front());
}

}  // namespace referee::ctl
