#include "referee/gate/match_topic.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/gate/bounds.h"

namespace referee::gate {
namespace {

constexpr absl::string_view kEndId = "end";

// How many of `waiting` frames the next event has.
size_t FramesNow(size_t waiting) {
  static const auto kEvents = static_cast<size_t>(kCatchUpTime / kEventInterval);
  return std::min((waiting + kEvents - 1) / kEvents, kMaxFramesPerEvent);
}

}  // namespace

void MatchTopic::SetHead(std::string json) {
  json.pop_back();
  json += ",\"frames\":[";
  head_ = MakeBytes(std::move(json));
  view_event_ = nullptr;
}

void MatchTopic::Append(std::string json) { frames_.push_back(MakeBytes(absl::StrCat(",", json))); }

void MatchTopic::Replace(std::vector<std::string> frames) {
  size_t same = 0;
  while (same < std::min(frames.size(), frames_.size()) &&
         absl::string_view(*frames_[same]).substr(1) == frames[same]) {
    ++same;
  }
  frames_.resize(same);
  for (size_t i = same; i < frames.size(); ++i) Append(std::move(frames[i]));
  if (same >= told_) return;
  ++generation_;
  told_ = same;
  view_event_ = nullptr;
  frame_event_ = nullptr;
}

void MatchTopic::End(std::string verdict_json) { verdict_ = MakeBytes(std::move(verdict_json)); }

void MatchTopic::Open() {
  told_ = frames_.size();
  over_ = verdict_ != nullptr;
  view_event_ = nullptr;
}

Instant MatchTopic::Advance(Instant now) {
  const bool ends = told_ == frames_.size() && verdict_ != nullptr && !over_;
  if (told_ == frames_.size() && !ends) return Instant::InfiniteFuture();
  const Instant next = last_ ? *last_ + kEventInterval : now;
  if (now < next) return next;
  told_ += FramesNow(frames_.size() - told_);
  over_ = ends;
  last_ = now;
  view_event_ = nullptr;
  frame_event_ = nullptr;
  Tell();
  return now + kEventInterval;
}

void MatchTopic::AddView(Message* message) const {
  message->Add(head_);
  for (size_t i = 0; i < told_; ++i) message->Add(frames_[i], i == 0 ? 1 : 0);
  if (!over_) return message->Add("]}");
  message->Add("],\"verdict\":");
  message->Add(verdict_);
  message->Add("}");
}

Message MatchTopic::View() const {
  Message message;
  AddView(&message);
  return message;
}

Place MatchTopic::PlaceOf(absl::string_view event_id) const {
  Place place;
  uint64_t frames = 0;
  if (event_id == kEndId) {
    place.generation = generation_;
    place.frames = frames_.size();
    place.ended = true;
  } else if (absl::SimpleAtoi(event_id, &frames) && frames <= frames_.size()) {
    place.generation = generation_;
    place.frames = static_cast<size_t>(frames);
  }
  return place;
}

SharedMessage MatchTopic::Next(Place* place) {
  const bool whole = place->generation != generation_ ||
                     (told_ > place->frames && told_ - place->frames > kMaxFramesPerEvent);
  if (whole) {
    *place = {generation_, told_, "", false};
    return ViewEvent();
  }
  if (place->frames < told_) {
    const size_t from = place->frames;
    place->frames = told_;
    return FrameEvent(from);
  }
  if (!over_ || place->ended) return nullptr;
  place->ended = true;
  return VerdictEvent();
}

SharedMessage MatchTopic::ViewEvent() {
  if (view_event_ != nullptr) return view_event_;
  const auto message = std::make_shared<Message>();
  message->Add(absl::StrCat("id: ", told_, "\nevent: view\ndata: "));
  AddView(message.get());
  message->Add("\n\n");
  return view_event_ = message;
}

SharedMessage MatchTopic::FrameEvent(size_t from) {
  if (frame_event_ != nullptr && frame_event_from_ == from) return frame_event_;
  const auto message = std::make_shared<Message>();
  std::string start = absl::StrCat("id: ", told_, "\nevent: frame\ndata: [");
  // A single part for a single frame: most events have one, and each part costs time for each
  // watcher.
  if (told_ - from == 1) {
    message->Add(absl::StrCat(start, frames_[from]->substr(1), "]\n\n"));
  } else {
    message->Add(std::move(start));
    for (size_t i = from; i < told_; ++i) message->Add(frames_[i], i == from ? 1 : 0);
    message->Add("]\n\n");
  }
  frame_event_from_ = from;
  return frame_event_ = message;
}

SharedMessage MatchTopic::VerdictEvent() {
  if (verdict_event_ == nullptr) {
    verdict_event_ = std::make_shared<Message>(
        absl::StrCat("id: ", kEndId, "\nevent: verdict\ndata: ", *verdict_, "\n\n"));
  }
  return verdict_event_;
}

}  // namespace referee::gate
