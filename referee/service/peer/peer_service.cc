#include "referee/service/peer/peer_service.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/call_count.h"
#include "referee/service/client_address.h"
#include "referee/service/peer/peer_transport.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

constexpr char kAttach[] = "referee.peer.v1.PeerService.Attach";
// How long an ended stream is kept for calls in progress, which take microseconds.
constexpr absl::Duration kKeepEnded = absl::Seconds(10);

absl::Status Stopping() { return absl::UnavailableError("the referee is stopping"); }
absl::Status TooManyStrangers() {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", limits::kMaxStrangePeers, " streams have not said hello yet"));
}
absl::Status Replaced() {
  return absl::AbortedError("the same referee has attached itself by another stream");
}

}  // namespace

// Owns itself until the call is done. The service keeps it for a while longer.
class AttachStream final
    : public grpc::ServerBidiReactor<peer::v1::AttachRequest, peer::v1::AttachResponse>,
      private PeerTransport<peer::v1::AttachResponse> {
 public:
  AttachStream(PeerService* service, grpc::CallbackServerContext* context)
      : service_(*service),
        clock_(*service->options_.environment->clock),
        count_(service->options_.metrics, kAttach),
        context_(context),
        peer_(context->peer()),
        address_(ClientAddress(service->options_.connections->ClientOf(peer_))) {}

  // Serves or refuses the call.
  static AttachStream* Serve(PeerService* service, grpc::CallbackServerContext* context) {
    const auto stream = std::make_shared<AttachStream>(service, context);
    stream->Begin(stream);
    return stream.get();
  }

  // Ends the stream. Does nothing if it has ended.
  void End(const absl::Status& status) { Finish(status); }

  // grpc::ServerBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override { End(absl::CancelledError("the stream is lost")); }
  void OnDone() override;

 private:
  void Begin(const std::shared_ptr<AttachStream>& self);
  // Registers the entry once it is known.
  void NoteEntry();
  void LogEnd(const absl::Status& status) const;

  // PeerTransport.
  void Write(const peer::v1::AttachResponse& message) override;
  void Finish(const absl::Status& status) override;

  PeerService& service_;
  const Clock& clock_;
  const CallCount count_;
  grpc::CallbackServerContext* const context_;
  const std::string peer_;     // as gRPC writes it
  const std::string address_;  // of the client
  // Until OnDone.
  std::shared_ptr<AttachStream> self_;
  std::shared_ptr<OwnerSession> session_;  // null: the call is refused
  std::shared_ptr<Use> use_;
  uint64_t number_ = 0;    // in the service; 0: none
  bool attached_ = false;  // the entry has shown the secret; used only in reads
  peer::v1::AttachRequest read_;

  mutable Mutex mutex_;
  std::string entry_ ABSL_GUARDED_BY(mutex_);  // empty: no secret was shown
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

void AttachStream::Begin(const std::shared_ptr<AttachStream>& self) {
  self_ = self;
  const PeerService::Options& options = service_.options_;
  use_ = options.connections->UseOf(peer_);
  const absl::Status let_in = options.authenticator->CheckAddress(address_);
  if (!let_in.ok()) return End(let_in);
  // The session keeps the transport alive, since its holder may be about to write.
  session_ = std::shared_ptr<OwnerSession>(
      new OwnerSession(options.environment, static_cast<PeerTransport*>(this)),
      [self](const OwnerSession* session) { delete session; });
  number_ = service_.Add(self);
  session_->Begin();
  StartRead(&read_);
}

void AttachStream::OnReadDone(bool ok) {
  const Instant when = clock_.Now();
  if (!ok) return End(absl::OkStatus());
  count_.Received();
  use_->AddMessage(read_.ByteSizeLong());
  session_->OnRead(read_, when);
  NoteEntry();
  MutexLock lock(&mutex_);
  if (!finished_) StartRead(&read_);
}

void AttachStream::NoteEntry() {
  if (attached_) return;
  const std::string entry = session_->entry();
  if (entry.empty()) return;
  attached_ = true;
  {
    MutexLock lock(&mutex_);
    if (finished_) return;
    entry_ = entry;
  }
  use_->AddCall();
  service_.options_.connections->Trust(peer_);
  service_.options_.log->TellEach(
      log::Event(log::Level::kInfo, "entry_attached",
                 absl::StrCat("peers: referee ", Quoted(entry), " has attached its bots"))
          .With(log::kAddress, address_));
  service_.NoteEntry(number_, entry);
}

void AttachStream::OnWriteDone(bool ok) {
  {
    MutexLock lock(&mutex_);
    writing_ = false;
  }
  session_->OnWriteDone(ok);
}

void AttachStream::OnDone() {
  const std::shared_ptr<AttachStream> self = std::move(self_);
  const std::shared_ptr<OwnerSession> session = std::move(session_);
  if (session != nullptr) session->OnDone();
  if (number_ != 0) service_.Remove(number_);
}

void AttachStream::Write(const peer::v1::AttachResponse& message) {
  MutexLock lock(&mutex_);
  if (finished_) return;  // the session learns of the end soon
  writing_ = true;
  count_.Sent();
  StartWrite(&message);
}

void AttachStream::Finish(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (std::exchange(finished_, true)) return;
    count_.EndStream(status);
    // Finish alone would wait for a peer that does not read.
    if (writing_) context_->TryCancel();
    grpc::ServerBidiReactor<peer::v1::AttachRequest, peer::v1::AttachResponse>::Finish(
        ToGrpc(status));
  }
  LogEnd(status);
}

void AttachStream::LogEnd(const absl::Status& status) const {
  std::string entry;
  {
    MutexLock lock(&mutex_);
    entry = entry_;
  }
  log::SparseLog& log = *service_.options_.log;
  const std::string why = status.ok() ? "" : absl::StrCat(": ", status.message());
  if (entry.empty()) {
    log.Tell(log::Event(log::Level::kWarning, "entry_refused",
                        absl::StrCat("peers: a stream has ended that had not shown the secret of "
                                     "the fleet",
                                     why))
                 .With(log::kAddress, address_));
  } else {
    log.TellEach(
        log::Event(log::Level::kInfo, "entry_left",
                   absl::StrCat("peers: the stream of referee ", Quoted(entry), " has ended", why))
            .With(log::kAddress, address_));
  }
}

// --- The service ---

PeerService::PeerService(const Options& options) : options_(options) {}
PeerService::~PeerService() = default;

grpc::ServerBidiReactor<peer::v1::AttachRequest, peer::v1::AttachResponse>* PeerService::Attach(
    grpc::CallbackServerContext* context) {
  return AttachStream::Serve(this, context);
}

uint64_t PeerService::Add(const std::shared_ptr<AttachStream>& stream) {
  std::shared_ptr<AttachStream> oldest;
  bool closed;
  uint64_t number;
  {
    MutexLock lock(&mutex_);
    closed = closed_;
    number = ++last_number_;
    strangers_[number] = stream;
    if (strangers_.size() > limits::kMaxStrangePeers) oldest = strangers_.begin()->second;
  }
  if (closed) stream->End(Stopping());
  if (oldest != nullptr) oldest->End(TooManyStrangers());
  return number;
}

void PeerService::NoteEntry(uint64_t number, const std::string& entry) {
  std::shared_ptr<AttachStream> former;
  {
    MutexLock lock(&mutex_);
    const auto stranger = strangers_.find(number);
    if (stranger == strangers_.end()) return;
    entries_[number] = std::move(stranger->second);
    strangers_.erase(stranger);
    const auto [known, is_new] = by_entry_.try_emplace(entry, number);
    if (!is_new) {
      const auto found = entries_.find(std::exchange(known->second, number));
      if (found != entries_.end()) former = found->second;
    }
  }
  if (former != nullptr) former->End(Replaced());
}

void PeerService::Remove(uint64_t number) {
  const Instant now = options_.environment->clock->Now();
  // Destroyed without the lock.
  std::vector<std::shared_ptr<AttachStream>> forgotten;
  MutexLock lock(&mutex_);
  for (Streams* const streams : {&strangers_, &entries_}) {
    const auto found = streams->find(number);
    if (found == streams->end()) continue;
    ended_.emplace_back(now, std::move(found->second));
    streams->erase(found);
  }
  for (auto known = by_entry_.begin(); known != by_entry_.end(); ++known) {
    if (known->second != number) continue;
    by_entry_.erase(known);
    break;
  }
  while (!ended_.empty() && now - ended_.front().first > kKeepEnded) {
    forgotten.push_back(std::move(ended_.front().second));
    ended_.pop_front();
  }
}

void PeerService::Close() {
  std::vector<std::shared_ptr<AttachStream>> open;
  {
    MutexLock lock(&mutex_);
    closed_ = true;
    for (const Streams* const streams : {&strangers_, &entries_}) {
      for (const auto& [number, stream] : *streams) open.push_back(stream);
    }
  }
  for (const std::shared_ptr<AttachStream>& stream : open) stream->End(Stopping());
}

}  // namespace referee::service
