// Base class of a service whose unary methods are member functions of a caller, a request and a
// response.
//
// The type of the request determines which method a function serves.
//
//   class ReplayService final : public UnaryService<v1::ReplayService> {
//    public:
//     explicit ReplayService(const ServiceParts& parts) : UnaryService(parts, /*threads=*/2) {
//       Serve(&ReplayService::Verify);
//     }
//    private:
//     absl::Status Verify(const Caller& caller, const v1::VerifyReplayRequest& request,
//                         v1::VerifyReplayResponse* response);
//   };
#ifndef REFEREE_SERVICE_UNARY_SERVICE_H_
#define REFEREE_SERVICE_UNARY_SERVICE_H_

#include <google/protobuf/descriptor.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/service/access/access.h"
#include "referee/service/calls.h"
#include "referee/service/services.h"

namespace referee::service {

// Returns the method of `service` that takes `request`. REQUIRES: there is such a method.
const google::protobuf::MethodDescriptor& MethodTaking(const google::protobuf::Descriptor& request,
                                                       const char* service);

// Writes to the audit log that `who` did `action` to a "match" or "game" (`kind`). Returns the
// store's error, which says that the action is done nevertheless. Does nothing without a store.
absl::Status Audit(const ServerOptions& options, absl::string_view who, absl::string_view action,
                   absl::string_view kind, absl::string_view name, absl::string_view detail);

// Whether legitimate requests can be so large that their bytes must be counted
// (Access::NoteRequest).
enum class Requests { kSmall, kLarge };

// `Api` is a generated service. `Base` is its class with the streaming methods, which a subclass
// overrides.
template <typename Api, typename Base = typename Api::Service>
class UnaryService : public Base {
 protected:
  UnaryService(const ServiceParts& parts, int threads)
      : parts_(parts), calls_(parts.access, parts.deadlines, parts.options.metrics, threads) {}

  // Serves the method of `Request` by `handle`, on a thread of the pool, after authentication. The
  // call ends with the status that `handle` returns.
  template <typename Request, typename Response, typename Handle>
  void ServeBy(Requests size, Handle handle) {
    Register<Request, Response>(
        &Calls::ServeLater, size,
        [handle](const Caller& caller, const Request& request, Response* response, Call* call) {
          const absl::Status done = handle(caller, request, response);
          if (done.ok()) call->End(done);
          return done;
        });
  }
  template <typename Request, typename Response>
  void Serve(absl::Status (*handle)(const ServerOptions&, const Caller&, const Request&, Response*),
             Requests size = Requests::kSmall) {
    ServeBy<Request, Response>(
        size, [this, handle](const Caller& caller, const Request& request, Response* response) {
          return handle(parts_.options, caller, request, response);
        });
  }
  template <typename Self, typename Request, typename Response>
  void Serve(absl::Status (Self::*handle)(const Caller&, const Request&, Response*),
             Requests size = Requests::kSmall) {
    ServeBy<Request, Response>(size, Bound(handle));
  }
  // Serve the method by a `handle` that ends the call itself if it returns OK, as Calls::ServeLater
  // and Calls::ServeAtOnce do.
  template <typename Self, typename Request, typename Response>
  void ServeLater(absl::Status (Self::*handle)(const Caller&, const Request&, Response*, Call*),
                  Requests size = Requests::kSmall) {
    Register<Request, Response>(&Calls::ServeLater, size, Bound(handle));
  }
  template <typename Self, typename Request, typename Response>
  void ServeAtOnce(absl::Status (Self::*handle)(const Caller&, const Request&, Response*, Call*)) {
    Register<Request, Response>(&Calls::ServeAtOnce, Requests::kSmall, Bound(handle));
  }

  const ServiceParts parts_;
  Calls calls_;

 private:
  template <typename Self, typename... Arguments>
  auto Bound(absl::Status (Self::*handle)(Arguments...)) {
    return [self = static_cast<Self*>(this), handle](Arguments... arguments) {
      return (self->*handle)(arguments...);
    };
  }

  // Registers a handler in the same way as the generated classes.
  template <typename Request, typename Response, typename Serve, typename Handle>
  void Register(Serve serve, Requests size, Handle handle) {
    const google::protobuf::MethodDescriptor& method =
        MethodTaking(*Request::descriptor(), Api::service_full_name());
    this->MarkMethodCallback(
        method.index(),
        new grpc::internal::CallbackUnaryHandler<Request, Response>(
            [this, serve, size, handle, name = absl::string_view(method.full_name())](
                grpc::CallbackServerContext* context, const Request* request, Response* response) {
              if (size == Requests::kLarge) {
                parts_.access.NoteRequest(*context, request->ByteSizeLong());
              }
              return (calls_.*serve)(name, context, response,
                                     [=](const Caller& caller, Call* call) {
                                       return handle(caller, *request, response, call);
                                     });
            }));
  }
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_UNARY_SERVICE_H_
