#include "referee/gate/latest_topic.h"

#include <sodium.h>

#include <memory>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace referee::gate {
namespace {

constexpr size_t kIdBytes = 8;

std::string IdOf(absl::string_view json) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(json.data()), json.size());
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest), kIdBytes));
}

}  // namespace

void LatestTopic::Set(const std::string& json, bool last) {
  over_ = last;
  std::string id = IdOf(json);
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
