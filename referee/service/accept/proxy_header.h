// The header that a proxy sends before what its client says: the PROXY protocol, versions 1 and 2,
// as HAProxy's proxy-protocol.txt describes it. Pure.
#ifndef REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_
#define REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/endpoint.h"

namespace referee::service {

struct ProxyHeader {
  size_t size = 0;  // in bytes; what follows is the client's
  // Where the client is. Not set: the proxy speaks for itself (version 1: UNKNOWN, version 2:
  // LOCAL) or its client has no IP address.
  absl::optional<Endpoint> client;
};

// Reads the header at the beginning of `bytes`. Returns nullopt while there may be more of it to
// come, and InvalidArgument as soon as it is none, or longer than limits::kMaxProxyHeaderBytes.
absl::StatusOr<absl::optional<ProxyHeader>> ParseProxyHeader(absl::string_view bytes);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_
