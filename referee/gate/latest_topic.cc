#include "referee/gate/latest_topic.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/gate/content.h"

namespace referee::gate {

void LatestTopic::Set(const std::string& json, bool last) {
  over_ = last;
  std::string id = DigestOf(json);
  if (id == id_) return;
  id_ = std::move(id);
  message_ = std::make_shared<Message>(
      absl::StrCat("id: ", id_, "\nevent: ", event_, "\ndata: ", json, "\n\n"));
  Tell();
}

Place LatestTopic::PlaceOf(absl::string_view event_id) const {
  Place place;
  place.id = std::string(event_id);
  place.ended = over_ && place.id == id_;
  return place;
}

SharedMessage LatestTopic::Next(Place* place) {
  if (message_ == nullptr || place->id == id_) {
    place->ended = over_;
    return nullptr;
  }
  place->id = id_;
  place->ended = over_;
  return message_;
}

}  // namespace referee::gate
