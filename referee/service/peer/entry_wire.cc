#include "referee/service/peer/entry_wire.h"

#include <google/protobuf/io/coded_stream.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/ids.h"

namespace referee::service {
namespace {

using peer::v1::Told;

// Larger than any item for a bot. A bot accepts messages of 4 MiB, which hold other items as well.
constexpr size_t kMaxToldBytes = size_t{2} << 20;

// Whether `response` is a serialized v1::PlayResponse of one item. Does not look into the item.
bool IsOneItem(const std::string& response) {
  using google::protobuf::io::CodedInputStream;
  if (response.size() > kMaxToldBytes) return false;
  const int size = static_cast<int>(response.size());
  CodedInputStream in(reinterpret_cast<const uint8_t*>(response.data()), size);
  constexpr uint32_t kItem = v1::PlayResponse::kItemsFieldNumber << 3 | 2;
  uint32_t length = 0;
  if (in.ReadTag() != kItem || !in.ReadVarint32(&length)) return false;
  return length == static_cast<uint32_t>(size - in.CurrentPosition());
}

host::PassedOn::When WhenOf(const Told& told) {
  switch (told.when()) {
    case Told::WHEN_TOGETHER:
      return host::PassedOn::When::kTogether;
    case Told::WHEN_LATER:
      return host::PassedOn::When::kLater;
    default:
      return host::PassedOn::When::kNow;
  }
}

host::PassedOn::Asks AsksOf(const Told& told) {
  switch (told.asks()) {
    case Told::ASKS_READY:
      return host::PassedOn::Asks::kReady;
    case Told::ASKS_NONCE:
      return host::PassedOn::Asks::kNonce;
    case Told::ASKS_MOVE:
      return host::PassedOn::Asks::kMove;
    default:
      return host::PassedOn::Asks::kNothing;
  }
}

void ToWire(const match::Stalls& stalls, peer::v1::Stalls* out) {
  out->set_total(absl::ToInt64Nanoseconds(stalls.total));
  out->set_longest(absl::ToInt64Nanoseconds(stalls.longest));
}

}  // namespace

absl::StatusOr<host::PassedOn> PassedOnOf(const Told& told) {
  if (!IsOneItem(told.response())) {
    return absl::InvalidArgumentError("told.response that is no message of one item");
  }
  host::PassedOn out;
  out.response = told.response();
  out.match_id = told.match_id();
  out.when = WhenOf(told);
  out.asks = AsksOf(told);
  out.turn = told.turn();
  out.request = told.request();
  out.again = told.again();
  out.ends = told.ends();
  out.fault = told.fault();
  out.lost_turn = told.lost_turn();
  out.lost_limit = absl::Nanoseconds(told.lost_limit());
  const bool of_match = told.asks() != Told::ASKS_UNSPECIFIED || told.starts() || told.ends();
  if ((of_match || !out.match_id.empty()) && !MatchId::Parse(out.match_id).ok()) {
    return absl::InvalidArgumentError("told.match_id that is no id of a match");
  }
  return out;
}

host::PassedOn VoidEnd(const std::string& match_id, absl::string_view reason) {
  v1::PlayResponse response;
  v1::MatchEnd* const end = response.add_items()->mutable_match_end();
  end->set_match_id(match_id);
  end->mutable_verdict()->set_state(v1::MATCH_STATE_VOID);
  end->mutable_verdict()->set_reason(reason.data(), reason.size());
  host::PassedOn out;
  out.response = response.SerializeAsString();
  out.match_id = match_id;
  out.ends = true;
  return out;
}

void SaidToWire(std::string item, const host::Measured& measured, peer::v1::BotSaid* out) {
  out->set_item(std::move(item));
  if (measured.thought) out->set_thought(absl::ToInt64Nanoseconds(*measured.thought));
  if (measured.taken) out->set_taken(absl::ToInt64Nanoseconds(*measured.taken));
  ToWire(measured.stalls, out->mutable_stalls());
  out->set_round_trip(absl::ToInt64Nanoseconds(measured.round_trip));
}

void ElapsedToWire(const std::string& match_id, const host::Elapsed& elapsed,
                   peer::v1::Elapsed* out) {
  out->set_match_id(match_id);
  if (elapsed.time) out->set_elapsed(absl::ToInt64Nanoseconds(*elapsed.time));
  out->set_waits(elapsed.waits);
  ToWire(elapsed.stalls, out->mutable_stalls());
}

}  // namespace referee::service
