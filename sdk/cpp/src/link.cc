#include "sdk/cpp/src/link.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sdk/cpp/src/durations.h"

namespace referee::sdk {
namespace {

// How long a SendSoon waits for more items.
constexpr auto kSoon = std::chrono::milliseconds(1);

// The limit of a wait; longer waits end early.
constexpr absl::Duration kLongestWait = absl::Hours(24);

std::chrono::steady_clock::time_point In(absl::Duration delay) {
  return std::chrono::steady_clock::now() +
         absl::ToChronoNanoseconds(std::min(delay, kLongestWait));
}

// The error for people if retrying is pointless; OK if it is not.
absl::Status WhyRefused(const grpc::Status& status, const std::string& address) {
  // gRPC's codes equal Abseil's.
  const auto refused = [&](const auto&... why) {
    return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                        absl::StrCat(why..., ": ", status.error_message()));
  };
  switch (status.error_code()) {
    case grpc::UNAUTHENTICATED:
      return refused("the referee at ", address, " does not know this bot's token");
    case grpc::PERMISSION_DENIED:
      return refused("the referee at ", address, " does not admit this bot");
    case grpc::INVALID_ARGUMENT:
      return refused("the referee at ", address, " did not understand this bot");
    case grpc::ABORTED:
      return refused("another process has connected with this bot's token, and took its place");
    case grpc::ALREADY_EXISTS:
      return refused("another process is connected with this bot's token, and keeps its place");
    case grpc::UNIMPLEMENTED:
      return refused("what listens at ", address, " is not a referee");
    default:
      return absl::OkStatus();
  }
}

}  // namespace

Link::Link(Owner* owner, SettledOptions options, const Logger* log, LinkLimits limits)
    : owner_(owner),
      given_(std::move(options)),
      log_(*log),
      limits_(limits),
      options_(given_),
      lost_(absl::Now()),
      fleet_(&given_, log),
      circle_({given_}) {}

// --- Calls from other threads ---

void Link::Stop() {
  MutexLock lock(&mutex_);
  stopped_ = true;
  cancelled_ = true;
  changed_.NotifyAll();
}

std::shared_ptr<Stream> Link::Current(uint64_t stream) {
  MutexLock lock(&mutex_);
  return stream_ != nullptr && stream_->number() == stream ? stream_ : nullptr;
}

void Link::Say(uint64_t stream, v1::BotItem* item) {
  if (const auto current = Current(stream)) current->Say(item);
}

void Link::Send(uint64_t stream) {
  if (const auto current = Current(stream)) current->Send();
}

void Link::SendSoon(uint64_t stream) {
  MutexLock lock(&mutex_);
  if (to_send_ || stream_ == nullptr || stream_->number() != stream) return;
  // If a write is in progress, the next write sends the item anyway.
  if (!stream_->CanSend()) return;
  to_send_ = true;
  changed_.NotifyOne();
}

// --- Events of the stream ---

void Link::OnBatch(std::shared_ptr<const Batch> batch) {
  for (const v1::RefereeItem& item : batch->message->items()) {
    if (item.has_welcome()) Hear(item.welcome());
    if (item.has_fleet()) Know(item.fleet().addresses());
    if (item.has_draining()) Hear(item.draining());
  }
  owner_->Hear(batch);
}

void Link::Hear(const v1::Welcome& welcome) {
  log_.Info("connected to ", welcome.referee(), " at ", options_.address, " as ", welcome.bot(),
            ", up to ", welcome.max_matches(), " matches at once");
  Know(welcome.addresses());
  MutexLock lock(&mutex_);
  closing_.welcomed = true;
  due_ = In(limits_.retelling);
  changed_.NotifyAll();
}

void Link::Know(const google::protobuf::RepeatedPtrField<std::string>& others) {
  std::vector<SettledOptions> circle = fleet_.Circle(others, options_);
  MutexLock lock(&mutex_);
  circle_ = std::move(circle);
}

void Link::Hear(const v1::Draining& draining) {
  log_.Info("the referee at ", options_.address, " is about to stop; running matches have ",
            absl::FormatDuration(FromWire(draining.time_left())),
            draining.will_return() ? "; it will be back" : " to end");
  MutexLock lock(&mutex_);
  closing_.draining = true;
  closing_.ends = !draining.will_return();
}

void Link::OnClosed(const grpc::Status& status) {
  MutexLock lock(&mutex_);
  closing_.status = status;
  closed_ = true;
  changed_.NotifyAll();
}

// --- The loop of streams ---

absl::Status Link::Run() {
  auto credentials = CredentialsFor(options_);
  if (!credentials.ok()) return credentials.status();
  credentials_ = *std::move(credentials);
  for (;;) {
    const Closed closed = Serve();
    if (closed.stopped) return absl::OkStatus();
    if (closed.welcomed) {
      was_welcomed_ = true;
      attempt_ = 0;
      failed_ = 0;
      lost_ = absl::Now();
    } else {
      ++failed_;
    }
    absl::optional<SettledOptions> next;
    int referees;
    {
      MutexLock lock(&mutex_);
      referees = static_cast<int>(circle_.size());
      if (const SettledOptions* other = NextInCircle(circle_, options_.address)) next = *other;
    }
    if (closed.ends && !next.has_value()) return absl::OkStatus();
    const absl::Status final = WhyFinal(closed);
    const bool for_all = absl::IsAborted(final) || options_.address == given_.address;
    if (!final.ok() && for_all) return final;
    const std::string why = final.ok() ? WhyLost(closed) : std::string(final.message());
    if (absl::Now() - lost_ >= given_.give_up_after) return absl::UnavailableError(why);

    const bool stays = closed.welcomed && final.ok() && !closed.draining;
    const bool moves = !stays && next.has_value() && MoveTo(*std::move(next));
    const absl::Duration delay = given_.backoff(attempt_++ / referees);
    log_.Warning(why,
                 moves ? absl::StrCat("; trying the one at ", options_.address) : "; trying again",
                 " in ", absl::FormatDuration(absl::Trunc(delay, absl::Milliseconds(1))));
    Wait(delay);
  }
}

Link::Closed Link::Serve() {
  std::shared_ptr<Stream> stream = std::make_shared<Stream>(
      NewChannel(options_, credentials_, limits_.keepalive), ++last_stream_, owner_->Hello(), this);
  {
    MutexLock lock(&mutex_);
    closing_ = {};
    closing_.stopped = stopped_;
    if (stopped_) return closing_;
    closed_ = false;
    to_send_ = false;
    cancelled_ = false;
    due_ = In(std::min(limits_.dial * (int64_t{1} << std::min(failed_, 10)), limits_.longest_dial));
    stream_ = stream;
  }
  stream->Start();
  for (Task task; (task = NextTask()) != Task::kNone;) {
    if (task == Task::kSend) stream->Send();
    if (task == Task::kCancel) stream->Cancel();
    if (task == Task::kForget) owner_->ForgetAllBut(stream->number());
  }
  MutexLock lock(&mutex_);
  stream_ = nullptr;
  closing_.stopped = stopped_;
  return closing_;
}

Link::Task Link::NextTask() {
  MutexLock lock(&mutex_);
  while (!to_send_ && !cancelled_ && !closed_) {
    if (!due_.has_value()) {
      changed_.Wait(&mutex_);
    } else if (std::chrono::steady_clock::now() < *due_) {
      changed_.WaitUntil(&mutex_, *due_);
    } else {
      due_.reset();
      if (closing_.welcomed) return Task::kForget;
      closing_.silent = true;
      cancelled_ = true;
    }
  }
  if (cancelled_ && !closed_) {
    cancelled_ = false;
    return Task::kCancel;
  }
  const auto until = std::chrono::steady_clock::now() + kSoon;
  while (!closed_ && !cancelled_ && changed_.WaitUntil(&mutex_, until)) continue;
  to_send_ = false;
  return closed_ ? Task::kNone : Task::kSend;
}

absl::Status Link::WhyFinal(const Closed& closed) const {
  // The existing connection may be this bot's own, whose loss the referee has not noticed yet.
  const bool own_exists =
      was_welcomed_ && closed.status.error_code() == grpc::StatusCode::ALREADY_EXISTS;
  return own_exists ? absl::OkStatus() : WhyRefused(closed.status, options_.address);
}

std::string Link::WhyLost(const Closed& closed) const {
  const std::string& said = closed.status.error_message();
  const bool silent = closed.silent && !closed.welcomed;
  return absl::StrCat(closed.welcomed ? "lost the referee at " : "cannot reach a referee at ",
                      options_.address, ": ",
                      silent               ? "it does not answer"
                      : closed.status.ok() ? "it closed the stream"
                                           : said,
                      closed.welcomed || silent ? "" : TlsAdvice(options_, said));
}

bool Link::MoveTo(SettledOptions next) {
  auto credentials = CredentialsFor(next);
  if (!credentials.ok()) return false;
  options_ = std::move(next);
  credentials_ = *std::move(credentials);
  return true;
}

void Link::Wait(absl::Duration delay) {
  const auto until = In(delay);
  MutexLock lock(&mutex_);
  while (!stopped_ && changed_.WaitUntil(&mutex_, until)) continue;
}

}  // namespace referee::sdk
