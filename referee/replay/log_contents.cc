// The part of Log that reads the log of an earlier process.
#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "referee/replay/log.h"

namespace referee::replay {
namespace {

constexpr int kRunningTries = 20;

// The records of one match, as far as they were read.
struct Gathered {
  std::string records;
  uint32_t count = 0;
  uint64_t from = 0;
  bool begun = false;
  bool set_aside = false;
  bool sealed = false;
  bool lasting = false;
  std::string damage;

  void Take(const LogHead& head, const LogFrame& frame) {
    if (frame.kind == LogFrame::Kind::kMatch) *this = Gathered();
    if (from == 0) from = head.number;
    lasting = head.lasting;
    switch (frame.kind) {
      case LogFrame::Kind::kMatch:
        begun = true;
        break;
      case LogFrame::Kind::kSealed:
        sealed = true;
        return;
      case LogFrame::Kind::kSetAside:
        set_aside = true;
        return;
      case LogFrame::Kind::kMore:
        break;
    }
    const absl::optional<uint32_t> more = CountSized(frame.records);
    if (!begun) {
      Damaged("its opening is missing");
    } else if (frame.index != count) {
      Damaged(absl::StrCat("after record ", count, " comes record ", frame.index + 1));
    }
    if (!more) Damaged("a record is not whole");
    records.append(frame.records.data(), frame.records.size());
    count = frame.index + more.value_or(0);
  }

  void Damaged(std::string why) {
    if (damage.empty()) damage = std::move(why);
  }
};

struct OneSegment {
  Log::Contents::Segment segment;
  std::string bytes;
  LogContent content;
};

absl::StatusOr<OneSegment> ReadOne(const LogDisk& disk, uint32_t slot) {
  absl::StatusOr<std::string> bytes = disk.Read(slot);
  if (!bytes.ok()) return bytes.status();
  OneSegment one;
  one.bytes = *std::move(bytes);
  absl::StatusOr<LogContent> content = ReadLogSegment(one.bytes);
  if (!content.ok()) return UnknownLog(disk.NameOf(slot), content.status());
  one.content = *std::move(content);
  const bool empty =
      one.content.frames.empty() && one.content.holes.empty() && one.content.torn == 0;
  one.segment = {slot, one.content.head, one.content.torn, empty, one.content.head_damaged};
  return one;
}

void Note(const LogDisk& disk, const OneSegment& one, std::vector<std::string>* notes) {
  const std::string name = disk.NameOf(one.segment.slot);
  if (one.segment.damaged) {
    notes->push_back(absl::StrCat(
        name, ": its head is damaged; matches in it were lost. It is left as it is: move it away"));
  }
  if (one.segment.torn > 0) {
    notes->push_back(
        absl::StrCat(name, ": cut off a write that was not finished, at byte ", one.segment.torn));
  }
  for (const size_t hole : one.content.holes) {
    notes->push_back(absl::StrCat(name, ": byte ", hole, ": damaged; what follows was read"));
  }
}

size_t EndOf(const LogFrame& frame, absl::string_view bytes) {
  return static_cast<size_t>(frame.records.data() + frame.records.size() - bytes.data());
}

// Removes everything after `end`.
void CutAt(size_t end, OneSegment* one) {
  std::vector<LogFrame>& frames = one->content.frames;
  while (!frames.empty() && EndOf(frames.back(), one->bytes) > end) frames.pop_back();
  std::vector<size_t>& holes = one->content.holes;
  while (!holes.empty() && holes.back() >= end) holes.pop_back();
  one->segment.torn = 0;
}

}  // namespace

absl::StatusOr<Log::Contents> Log::Read(const LogDisk& disk) { return ReadTo(nullptr, disk); }

absl::StatusOr<Log::Contents> Log::ReadRunning(const LogDisk& disk) {
  for (int i = 0; i < kRunningTries; ++i) {
    const absl::StatusOr<std::vector<Mark>> marks = ReadMarks(disk);
    absl::StatusOr<Contents> contents =
        marks.ok() ? ReadTo(&*marks, disk) : absl::StatusOr<Contents>(marks.status());
    // NotFound: a segment was removed meanwhile.
    if (!absl::IsAborted(contents.status()) && !absl::IsNotFound(contents.status())) {
      return contents;
    }
  }
  return absl::UnavailableError(
      "the log of the referee goes on faster than it can be read; try again");
}

// Reads one segment at a time, to keep memory low.
absl::StatusOr<std::vector<Log::Mark>> Log::ReadMarks(const LogDisk& disk) {
  const absl::StatusOr<std::vector<uint32_t>> slots = disk.Slots();
  if (!slots.ok()) return slots.status();
  std::vector<Mark> marks;
  for (const uint32_t slot : *slots) {
    const absl::StatusOr<OneSegment> one = ReadOne(disk, slot);
    if (!one.ok()) return one.status();
    const std::vector<LogFrame>& frames = one->content.frames;
    const size_t end = frames.empty() ? 0 : EndOf(frames.back(), one->bytes);
    marks.push_back({slot, one->segment.head, end});
  }
  return marks;
}

absl::StatusOr<Log::Contents> Log::ReadTo(const std::vector<Mark>* marks, const LogDisk& disk) {
  const absl::StatusOr<std::vector<uint32_t>> slots = disk.Slots();
  if (!slots.ok()) return slots.status();
  if (marks != nullptr && marks->size() != slots->size()) return absl::AbortedError("");
  std::vector<OneSegment> segments;
  for (size_t i = 0; i < slots->size(); ++i) {
    absl::StatusOr<OneSegment> one = ReadOne(disk, (*slots)[i]);
    if (!one.ok()) return one.status();
    if (marks != nullptr && !(*marks)[i].IsOf(one->segment)) return absl::AbortedError("");
    segments.push_back(*std::move(one));
  }
  // When the last mark was made, only the newest segment was still written.
  if (marks != nullptr && !segments.empty()) {
    const auto newest = std::max_element(
        marks->begin(), marks->end(),
        [](const Mark& a, const Mark& b) { return a.head.number < b.head.number; });
    CutAt(newest->end, &segments[static_cast<size_t>(newest - marks->begin())]);
  }
  std::sort(segments.begin(), segments.end(), [](const OneSegment& a, const OneSegment& b) {
    return a.segment.head.number < b.segment.head.number;
  });
  Contents contents;
  std::map<MatchId, Gathered> matches;
  for (const OneSegment& one : segments) {
    contents.segments.push_back(one.segment);
    Note(disk, one, &contents.notes);
    for (const LogFrame& frame : one.content.frames) {
      matches[frame.id].Take(one.segment.head, frame);
    }
  }
  for (auto& [id, match] : matches) {
    if (match.set_aside || (match.sealed && (!match.lasting || !match.begun))) continue;
    if (match.sealed) {
      if (match.damage.empty()) contents.sealed.push_back({id, std::move(match.records)});
      continue;
    }
    auto line = std::make_shared<Line>();
    line->id_ = id;
    line->records_ = std::move(match.records);
    line->count_ = match.count;
    line->from_ = match.from;
    line->open_ = true;
    contents.left.push_back({std::move(line), std::move(match.damage)});
  }
  return contents;
}

}  // namespace referee::replay
