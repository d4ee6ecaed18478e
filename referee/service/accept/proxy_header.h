// Parses the PROXY protocol header, versions 1 and 2, that a proxy sends before its client's bytes.
//
// The format is in HAProxy's proxy-protocol.txt. Pure.
#ifndef REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_
#define REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/endpoint.h"

namespace referee::service {

struct ProxyHeader {
  size_t size = 0;  // in bytes; the client's bytes follow
  // The client's endpoint. Not set: the proxy speaks for itself (version 1: UNKNOWN, version 2:
  // LOCAL), or the client has no IP address.
  absl::optional<Endpoint> client;
};

// Parses the header at the beginning of `bytes`. Returns nullopt if it is incomplete. Returns
// InvalidArgument if it is malformed or longer than limits::kMaxProxyHeaderBytes.
absl::StatusOr<absl::optional<ProxyHeader>> ParseProxyHeader(absl::string_view bytes);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_PROXY_HEADER_H_
