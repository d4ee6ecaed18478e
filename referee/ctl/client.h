// Shared by the commands that call a referee: a client, its flags, and the end of the command.
//
//   const auto shown = CallOnce(flags.client, &v1::MatchService::Stub::GetMatch, request);
//   return Answer(shown, output, [](const auto& found) { return JsonLine(found.snapshot()); });
#ifndef REFEREE_CTL_CLIENT_H_
#define REFEREE_CTL_CLIENT_H_

#include <grpcpp/client_context.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/limits.h"
#include "referee/client/connection.h"
#include "referee/client/flags.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

using client::AddClientFlags;
using client::ClientFlags;
using client::ClientOptions;
using client::Connect;
using client::Connection;
using client::ReadClientFlags;

// The help footer of commands about competitions.
inline constexpr char kOrganiserFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. What "
    "changes something takes an organiser's token, as soon as the referee knows an organiser.";

// Prints the referee's error and returns Exit::kNegative if it concerns the requested object (not
// found, over, exists already). Otherwise returns the error itself.
absl::StatusOr<Exit> Refused(const absl::Status& status, const Output& output);
// Ends a command whose call has no answer to print: kOk on success, else as Refused.
absl::StatusOr<Exit> Ended(const absl::Status& status, const Output& output);

// Prints `text` of the response, or ends as Refused does on an error.
template <typename Response, typename Text>
absl::StatusOr<Exit> Answer(const absl::StatusOr<Response>& response, const Output& output,
                            const Text& text) {
  if (!response.ok()) return Refused(response.status(), output);
  output.out() << text(*response);
  return Exit::kOk;
}

// Calls `call` for page after page, and passes each to `take` until it returns false. If `request`
// has no page size, uses the largest.
template <typename Call, typename Request, typename Take>
absl::Status ForEachPage(const Call& call, Request request, const Take& take) {
  if (request.page_size() == 0) request.set_page_size(limits::kMaxPageSize);
  do {
    const auto page = call(request);
    if (!page.ok()) return page.status();
    if (!take(*page)) break;
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return absl::OkStatus();
}

// A client of one service of a referee, with error messages for people. Thread-safe.
template <typename Stub>
class Client {
 public:
  template <typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

  explicit Client(Connection connection)
      : connection_(std::move(connection)), stub_(std::make_unique<Stub>(connection_.channel())) {}
  // Makes a client from the flags; it accepts matches of any length. Returns the errors of Connect.
  static absl::StatusOr<Client> Make(const ClientFlags& flags) {
    absl::StatusOr<Connection> connection = Connect(flags, client::kWholeMatchBytes);
    if (!connection.ok()) return connection.status();
    return Client(*std::move(connection));
  }

  const Connection& connection() const { return connection_; }
  Stub& stub() const { return *stub_; }

  // Returns the errors of Connection::Call.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(Method<Request, Response> method, const Request& request) const {
    return connection_.Call(stub_.get(), method, request);
  }
  // Calls `method` for each page of a list; see ctl::ForEachPage.
  template <typename Request, typename Response, typename Take>
  absl::Status ForEachPage(Method<Request, Response> method, Request request,
                           const Take& take) const {
    const auto call = [&](const Request& page) { return Call(method, page); };
    return ctl::ForEachPage(call, std::move(request), take);
  }

 private:
  Connection connection_;
  std::unique_ptr<Stub> stub_;
};

// Makes a client from the flags, and one call. Returns InvalidArgument if it cannot make the
// client.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> CallOnce(const ClientFlags& flags,
                                  grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                               Response*),
                                  const Request& request) {
  const absl::StatusOr<Client<Stub>> client = Client<Stub>::Make(flags);
  if (!client.ok()) return absl::InvalidArgumentError(client.status().message());
  return client->Call(method, request);
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_CLIENT_H_
