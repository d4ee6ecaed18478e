#include "referee/service/opened_calls.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <grpc/grpc.h>
#include <grpc/support/alloc.h>

#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "referee/base/limits.h"

namespace referee::service {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Struct;
using google::protobuf::Value;

// JSON that gRPC allocated, without spaces; null if there is no result.
using Answer = std::unique_ptr<char, decltype(&gpr_free)>;

Struct Parse(char* json) {
  const Answer owned(json, gpr_free);
  Struct parsed;
  if (json != nullptr && !google::protobuf::util::JsonStringToMessage(json, &parsed).ok()) {
    parsed.Clear();
  }
  return parsed;
}

// Finds a number in the JSON of a socket by its quoted name and colon. gRPC omits a number that is
// 0. This scans instead of parsing, as parsing would dominate the cost of reading all sockets. A
// string value cannot match, because quotes in strings are escaped.
uint64_t CountIn(absl::string_view json, absl::string_view quoted_name) {
  const size_t name = json.find(quoted_name);
  if (name == absl::string_view::npos) return 0;
  absl::string_view rest = json.substr(name + quoted_name.size());
  if (!absl::ConsumePrefix(&rest, "\"")) return 0;
  uint64_t number = 0;
  return absl::SimpleAtoi(rest.substr(0, rest.find('"')), &number) ? number : 0;
}

// Returns the member called `name`, or the default value if it is missing.
const Value& Member(const Struct& object, const char* name) {
  const auto found = object.fields().find(name);
  return found == object.fields().end() ? Value::default_instance() : found->second;
}

// Reads a 64-bit number, which JSON encodes as a string.
int64_t Number(const Struct& object, const char* name) {
  int64_t number = 0;
  return absl::SimpleAtoi(Member(object, name).string_value(), &number) ? number : 0;
}

}  // namespace

absl::optional<CallCounts> OpenedCalls::From(const Endpoint& client) {
  if (sockets_.count(client) == 0) NoteNew();
  // NoteNew can miss a socket that was added during an earlier scan.
  if (sockets_.count(client) == 0) NoteAll();
  const auto socket = sockets_.find(client);
  if (socket == sockets_.end()) return absl::nullopt;
  const Answer answer(grpc_channelz_get_socket(socket->second), gpr_free);
  if (answer == nullptr) {  // the socket is closed
    sockets_.erase(socket);
    return absl::nullopt;
  }
  CallCounts counts;
  counts.opened = CountIn(answer.get(), "\"streamsStarted\":");
  const uint64_t ended =
      CountIn(answer.get(), "\"streamsSucceeded\":") + CountIn(answer.get(), "\"streamsFailed\":");
  counts.open = counts.opened - std::min(counts.opened, ended);
  return counts;
}

void OpenedCalls::NoteNew() {
  // A full scan also drops closed sockets.
  if (sockets_.size() >= 2 * limits::kMaxConnections) return NoteAll();
  const Struct answer = Parse(grpc_channelz_get_servers(0));
  for (const Value& server : Member(answer, "server").list_value().values()) {
    NoteSocketsOf(Number(Member(server.struct_value(), "ref").struct_value(), "serverId"));
  }
  for (const auto& [client, socket] : sockets_) last_ = std::max(last_, socket);
}

void OpenedCalls::NoteAll() {
  sockets_.clear();
  last_ = 0;
  NoteNew();
}

void OpenedCalls::NoteSocketsOf(intptr_t server) {
  intptr_t last = last_;
  for (bool end = false; !end;) {
    const Struct page = Parse(grpc_channelz_get_server_sockets(server, last + 1, 0));
    const ListValue& sockets = Member(page, "socketRef").list_value();
    for (const Value& socket : sockets.values()) {
      last = Number(socket.struct_value(), "socketId");
      // The name is "chttp2 " and the peer.
      absl::string_view name = Member(socket.struct_value(), "name").string_value();
      name = name.substr(std::min(name.rfind(' ') + 1, name.size()));
      if (const auto client = Endpoint::FromPeer(name)) sockets_[*client] = last;
    }
    end = sockets.values().empty();
  }
}

}  // namespace referee::service
