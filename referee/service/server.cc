#include "referee/service/server.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/server_interceptor.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/referee/peer/v1/peer_service.grpc.pb.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/limits.h"
#include "referee/log/sparse_log.h"
#include "referee/service/accept/acceptor.h"
#include "referee/service/accept/connections.h"
#include "referee/service/accept/listener.h"
#include "referee/service/accept/received.h"
#include "referee/service/accept/self_check.h"
#include "referee/service/access/access.h"
#include "referee/service/address.h"
#include "referee/service/call_count.h"
#include "referee/service/errors.h"
#include "referee/service/opened_calls.h"
#include "referee/service/peer/peer_service.h"
#include "referee/service/play/play_stream.h"
#include "referee/service/play/sessions.h"
#include "referee/service/services.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

constexpr char kPlay[] = "referee.v1.BotService.Play";

constexpr AccessRule kReflection{"grpc.reflection", Need::kReader, 5, CallAdmission::Kind::kWatch};
constexpr AccessRule kHealth{"grpc.health", Need::kNothing, 1, CallAdmission::Kind::kWatch};

// Interceptor that refuses calls to gRPC's own services. It cannot stop the handler, so it empties
// the request of a refused caller and replaces the status by the refusal. It also cancels a refused
// health watch, which would otherwise stay open as long as the client likes.
class Guard final : public grpc::experimental::Interceptor {
 public:
  Guard(const Access& access, grpc::experimental::ServerRpcInfo* info, bool reflection)
      : access_(access),
        info_(*info),
        reflection_(reflection),
        watches_health_(absl::EndsWith(info->method(), "/Watch")) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    using Hook = grpc::experimental::InterceptionHookPoints;
    if (methods->QueryInterceptionHookPoint(Hook::POST_RECV_INITIAL_METADATA)) {
      access_.Check(reflection_ ? kReflection : kHealth, *info_.server_context(),
                    [this, methods](const absl::StatusOr<Caller>& caller) {
                      refused_ = caller.status();
                      if (caller.ok()) {
                        ticket_ = caller->ticket;
                      } else if (watches_health_) {
                        info_.server_context()->TryCancel();
                      }
                      methods->Proceed();
                    });
      return;
    }
    if (!refused_.ok() && reflection_ &&
        methods->QueryInterceptionHookPoint(Hook::POST_RECV_MESSAGE)) {
      if (void* const asked = methods->GetRecvMessage()) {
        static_cast<google::protobuf::Message*>(asked)->Clear();
      }
    }
    if (!refused_.ok() && methods->QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS)) {
      methods->ModifySendStatus(ToGrpc(refused_));
    }
    methods->Proceed();
  }

 private:
  const Access& access_;
  grpc::experimental::ServerRpcInfo& info_;
  const bool reflection_;
  const bool watches_health_;
  absl::Status refused_;
  std::shared_ptr<CallAdmission::Ticket> ticket_;
};

// Interceptor that reports unreadable requests of unary calls to the referee's services. gRPC
// itself ends such a call with UNIMPLEMENTED and no message, which is misleading.
class RequestGuard final : public grpc::experimental::Interceptor {
 public:
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    using Hook = grpc::experimental::InterceptionHookPoints;
    if (methods->QueryInterceptionHookPoint(Hook::PRE_SEND_STATUS)) {
      const grpc::Status end = methods->GetSendStatus();
      if (end.error_code() == grpc::StatusCode::UNIMPLEMENTED && end.error_message().empty()) {
        methods->ModifySendStatus(ToGrpc(absl::InvalidArgumentError(
            "a request that cannot be read; caller and referee must speak the same version, and "
            "text must be UTF-8")));
      }
    }
    methods->Proceed();
  }
};

// Applies access control and rate limits to gRPC's own services. Reflection requires read access;
// health is public. Both are charged to their callers, and an open one counts as a watch.
// Thread-safe.
class GrpcGuard final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `access` must outlive the server.
  explicit GrpcGuard(const Access& access) : access_(access) {}

  // Returns null for the streams of all other services, which then have no overhead.
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    const absl::string_view method = info->method();
    const bool reflection = absl::StartsWith(method, "/grpc.reflection.");
    if (!reflection && !absl::StartsWith(method, "/grpc.health.")) {
      const bool unary = info->type() == grpc::experimental::ServerRpcInfo::Type::UNARY;
      return unary ? new RequestGuard : nullptr;
    }
    return new Guard(access_, info, reflection);
  }

 private:
  const Access& access_;
};

BotSession::Environment EnvironmentOf(const ServerOptions& options, Admission* admission,
                                      Connections* connections, Sessions* sessions,
                                      log::SparseLog* log) {
  BotSession::Environment environment;
  environment.limits = &options.stream_limits;
  environment.admission = admission;
  environment.sessions = sessions;
  environment.authenticator = options.authenticator;
  environment.host = options.host;
  environment.clock = options.clock;
  environment.timers = options.timers;
  environment.connections = connections;
  environment.log = log;
  if (options.competitions == nullptr) return environment;
  environment.version_changed = [competitions = options.competitions](const std::string& bot) {
    competitions->VersionChanged(bot);
  };
  return environment;
}

class BotService final
    : public v1::BotService::WithRawCallbackMethod_Play<v1::BotService::Service> {
 public:
  BotService(const ServerOptions& options, Connections* connections, Sessions* sessions,
             log::SparseLog* log)
      : metrics_(options.metrics),
        admission_(options.stream_limits),
        environment_(EnvironmentOf(options, &admission_, connections, sessions, log)) {}

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Play(
      grpc::CallbackServerContext* context) override {
    return PlayStream::Serve(&environment_, CallCount(metrics_, kPlay), context);
  }

 private:
  const metrics::Metrics* const metrics_;
  Admission admission_;
  const BotSession::Environment environment_;
};

class GrpcServer final : public Server {
 public:
  GrpcServer(const ServerOptions& options, const ConnectionLimits& connection_limits)
      : options_(options),
        log_(options_.clock, options_.log),
        connections_(
            connection_limits, options_.trusted_proxies, options_.authenticator,
            [opened = std::make_shared<OpenedCalls>()](const Endpoint& client) {
              return opened->From(client);
            },
            [this](const std::string& account) { return options_.host->plays(account); }),
        admission_(std::make_shared<CallAdmission>(options_.call_limits)),
        access_({options_.authenticator, &connections_, admission_.get(), options_.clock,
                 options_.readers, options_.call_limits.page_size_without_token, &log_,
                 [this](const std::string& account) { options_.host->NoteRefused(account); }}),
        deadlines_(options_.clock, options_.timers, options_.call_limits.patience),
        sessions_(std::make_shared<Sessions>(options_.authenticator)),
        bot_service_(options_, &connections_, sessions_.get(), &log_),
        match_service_(MakeMatchService(parts())),
        replay_service_(MakeReplayService(parts())) {
    if (options_.store != nullptr) admin_service_ = MakeAdminService(parts());
    if (options_.competitions != nullptr) competition_service_ = MakeCompetitionService(parts());
    if (options_.peers != nullptr) {
      peer_service_ = std::make_unique<PeerService>(PeerService::Options{
          options_.peers, options_.authenticator, &connections_, &log_, options_.metrics});
    }
  }
  ~GrpcServer() override { Shutdown(absl::ZeroDuration()); }

  absl::Status Listen();
  const std::string& address() const override { return address_; }
  bool AnswersItself(absl::Duration patience) override {
    return Answers(acceptor_->listener(), options_.tls != nullptr, &connections_, patience);
  }
  void TellHealth(const Health& health) override;
  bool hears() const override { return hears_; }
  Traffic traffic() const override {
    const size_t unknown = connections_.unknown();
    return {connections_.size() - unknown, unknown, admission_->open(CallAdmission::Kind::kWatch),
            admission_->kept_bytes()};
  }
  void EndPeers() override {
    if (peer_service_ != nullptr) peer_service_->Close();
  }
  void Shutdown(absl::Duration grace) override;

 private:
  ServiceParts parts() { return {options_, access_, sessions_.get(), &deadlines_}; }
  void Accept(std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> transport,
              Listener listener);

  const ServerOptions options_;
  log::SparseLog log_;
  Connections connections_;
  const std::shared_ptr<CallAdmission> admission_;
  const Access access_;
  CallDeadlines deadlines_;
  const std::shared_ptr<Sessions> sessions_;
  BotService bot_service_;
  const std::unique_ptr<grpc::Service> match_service_;
  const std::unique_ptr<grpc::Service> replay_service_;
  std::unique_ptr<grpc::Service> admin_service_;        // null without options.store
  std::unique_ptr<grpc::Service> competition_service_;  // null without options.competitions
  std::unique_ptr<PeerService> peer_service_;           // null without options.peers
  std::string address_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> hears_{true};
  host::ThreadExecutor hand_over_{limits::kHandOverThreads};
  // Each member needs the ones before it, and is destroyed before them.
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<SelfCheck> self_check_;  // null without options.on_deaf
};

absl::StatusOr<ConnectionLimits> LimitsOf(const ServerOptions& options) {
  absl::StatusOr<ConnectionLimits> limited = LimitConnections(
      options.max_connections, options.max_connections_per_address, DescriptorLimit());
  if (limited.ok()) limited->unused_bytes = options.transport_bytes / limits::kTransportToUnused;
  return limited;
}

std::shared_ptr<grpc::ServerCredentials> TransportCredentials(const ServerOptions& options) {
  return options.tls == nullptr ? grpc::InsecureServerCredentials() : options.tls->NewCredentials();
}

void BoundConnections(grpc::ServerBuilder* builder) {
  const auto set = [builder](const char* argument, absl::Duration value) {
    builder->AddChannelArgument(argument, static_cast<int>(absl::ToInt64Milliseconds(value)));
  };
  // Pings find dead peers, even if they have no call and nothing is sent.
  set(GRPC_ARG_KEEPALIVE_TIME_MS, limits::kKeepaliveTime);
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, limits::kKeepaliveTimeout);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Closes connections that ping more often than a client reasonably needs.
  set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, limits::kMinPingInterval);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, limits::kMaxEarlyPings);
  set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, limits::kHandshakeLimit);
  set(GRPC_ARG_MAX_CONNECTION_IDLE_MS, limits::kIdleConnectionLimit);
  // gRPC decompresses a message before it checks the size, so compressed messages are not accepted.
  builder->AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                              1 << GRPC_COMPRESS_NONE);
  builder->AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits::kMaxCallsPerConnection);
  builder->AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                              static_cast<int>(limits::kMaxMetadataBytes));
}

absl::Status GrpcServer::Listen() {
  static const bool once = [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    return true;
  }();
  (void)once;
  absl::StatusOr<Listener> listener = Listener::Open(options_.listen);
  if (!listener.ok()) return listener.status();
  grpc::ServerBuilder builder;
  BoundConnections(&builder);
  grpc::ResourceQuota quota("referee");
  quota.Resize(options_.transport_bytes);
  quota.SetMaxThreads(limits::kMaxReflections);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(limits::kMaxReceivedBytes);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> guards;
  guards.push_back(std::make_unique<GrpcGuard>(access_));
  builder.experimental().SetInterceptorCreators(std::move(guards));
  using External = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  auto transport = builder.experimental().AddExternalConnectionAcceptor(
      External::FROM_FD, TransportCredentials(options_));
  builder.RegisterService(&bot_service_);
  for (grpc::Service* service :
       {match_service_.get(), replay_service_.get(), admin_service_.get(),
        competition_service_.get(), static_cast<grpc::Service*>(peer_service_.get())}) {
    if (service == nullptr) continue;
    assert(!service->has_synchronous_methods());  // each method has an asynchronous handler
    builder.RegisterService(service);
  }
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) return AddressTaken(options_.listen);
  address_ = listener->address();
  TellHealth(Health());
  Accept(std::move(transport), *std::move(listener));
  if (options_.store != nullptr) {
    sessions_->RecheckFromTimeToTime(options_.clock, options_.timers);
  }
  return absl::OkStatus();
}

void GrpcServer::Accept(std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> transport,
                        Listener listener) {
  AcceptorOptions options;
  options.connections = &connections_;
  options.clock = options_.clock;
  options.log = &log_;
  options.check_peer = options_.check_peer;
  options.refused = [this](const std::string& account) { options_.host->NoteRefused(account); };
  // gRPC reads a connection on the thread that delivers it, while there is data to read. This must
  // not be the acceptor's thread, which disconnects peers that send without end.
  options.hand_over = [this,
                       transport = std::shared_ptr(std::move(transport))](replay::File accepted) {
    auto socket = std::make_shared<replay::File>(std::move(accepted));
    hand_over_.Run([this, transport, socket] {
      if (stopping_) return;
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
      connection.listener_fd = -1;
      const TlsHandOver tls(socket->fd());
      connection.fd = socket->release();
      transport->HandleNewConnection(&connection);
    });
  };
  acceptor_ = std::make_unique<Acceptor>(std::move(listener), std::move(options));
  acceptor_->Start();
  if (!options_.on_deaf) return;
  const auto attempt = [this](absl::Duration patience) {
    hears_ = AnswersItself(patience);
    return hears_.load();
  };
  self_check_ =
      std::make_unique<SelfCheck>(options_.clock, Deafness::Limits(), attempt, options_.on_deaf);
}

void GrpcServer::TellHealth(const Health& health) {
  if (server_ == nullptr) return;
  grpc::HealthCheckServiceInterface& told = *server_->GetHealthCheckService();
  const bool matches = health.any && health.matches;
  const bool store = health.any && health.store;
  const bool competitions = store && health.shelf;
  told.SetServingStatus("", matches && competitions);
  told.SetServingStatus(kMatchesService, matches);
  told.SetServingStatus(v1::BotService::service_full_name(), matches);
  told.SetServingStatus(v1::MatchService::service_full_name(), matches);
  told.SetServingStatus(v1::ReplayService::service_full_name(), health.any);
  if (options_.store != nullptr) {
    told.SetServingStatus(v1::AdminService::service_full_name(), store);
  }
  if (options_.competitions != nullptr) {
    told.SetServingStatus(v1::CompetitionService::service_full_name(), competitions);
  }
}

void GrpcServer::Shutdown(absl::Duration grace) {
  if (server_ == nullptr) return;
  self_check_ = nullptr;
  acceptor_ = nullptr;
  stopping_ = true;
  server_->Shutdown(absl::ToChronoTime(absl::Now() + grace));
  server_->Wait();
  server_ = nullptr;
}

}  // namespace

absl::Status Validate(const ServerOptions& options) {
  const absl::Status address =
      CheckAddress(options.listen, options.tls != nullptr || options.insecure);
  return address.ok() ? LimitsOf(options).status() : address;
}

std::vector<metrics::Method> CountedMethods() {
  std::vector<metrics::Method> methods;
  for (const auto* service :
       {v1::BotService::service_full_name(), v1::MatchService::service_full_name(),
        v1::ReplayService::service_full_name(), v1::AdminService::service_full_name(),
        v1::CompetitionService::service_full_name(), peer::v1::PeerService::service_full_name()}) {
    const auto* const known =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(service);
    for (int i = 0; known != nullptr && i < known->method_count(); ++i) {
      const google::protobuf::MethodDescriptor& method = *known->method(i);
      methods.push_back({known->full_name(), method.name(),
                         method.client_streaming()   ? "bidi_stream"
                         : method.server_streaming() ? "server_stream"
                                                     : "unary"});
    }
  }
  return methods;
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  if (absl::Status valid = Validate(options); !valid.ok()) return valid;
  auto server = std::make_unique<GrpcServer>(options, *LimitsOf(options));
  if (absl::Status listening = server->Listen(); !listening.ok()) return listening;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace referee::service
