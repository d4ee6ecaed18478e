#include "sdk/cpp/src/link.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sdk/cpp/src/backoff.h"
#include "sdk/cpp/src/channel.h"

namespace referee::sdk {
namespace {

// How long what is to be sent soon waits for more.
constexpr auto kSoon = std::chrono::milliseconds(1);

// How long the matches of a lost stream are waited for at a home that the bot leaves and that has
// not said for how long, until there is a next stream.
constexpr absl::Duration kPatience = absl::Seconds(30);
// How long after its Welcome a referee may take to tell again of the matches that go on; it does at
// once, unless it is busy.
constexpr absl::Duration kRetelling = absl::Seconds(5);

// Waits are loops: one that is longer begins again.
constexpr absl::Duration kLongestWait = absl::Hours(24);

std::chrono::steady_clock::time_point In(absl::Duration delay) {
  return std::chrono::steady_clock::now() +
         absl::ToChronoNanoseconds(std::min(delay, kLongestWait));
}

// So many dials in a row fail before the referee is taken for gone.
constexpr int kDialsOfOneGone = 3;

// What to tell people when there is no point in trying again; OK if there is.
absl::Status WhyRefused(const grpc::Status& status, const std::string& address) {
  // gRPC's codes are Abseil's.
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

Link::Link(Owner* owner, Mutex* mutex, SettledOptions options, bool is_home, const Logger* log)
    : owner_(owner),
      mutex_(mutex),
      options_(std::move(options)),
      first_address_(options_.address),
      is_home_(is_home),
      log_(*log),
      lost_(absl::Now()) {}

// --- With the mutex ---

void Link::SetWelcomed() {
  welcomed_ = true;
  welcomed_at_ = absl::Now();
  changed_.NotifyAll();
}

void Link::SetDraining(bool will_return) {
  ends_ = !will_return;
  draining_ = is_home_;
}

void Link::SetLeaving(bool leaving) {
  if (leaving_ && !leaving) {
    stays_ = true;
    changed_.NotifyAll();
  }
  leaving_ = leaving;
}

void Link::Offer(const Share& share) {
  share_ = share;
  if (stream_ != nullptr && IsDone()) {
    cancelled_ = true;
  } else if (stream_ != nullptr && holding_.Say(share)) {
    v1::BotItem item;
    item.mutable_capacity()->set_max_matches(static_cast<uint32_t>(share.places));
    item.mutable_capacity()->set_parallel_turns(static_cast<uint32_t>(share.turns));
    stream_->Say(&item);
    to_send_ = true;
  }
  changed_.NotifyAll();
}

void Link::SendSoon() {
  if (to_send_ || stream_ == nullptr) return;
  // Else it goes out when the write that is under way is done.
  if (!stream_->CanSend()) return;
  to_send_ = true;
  changed_.NotifyOne();
}

void Link::Stop() {
  stopped_ = true;
  cancelled_ = true;
  changed_.NotifyAll();
}

// --- Stream::Listener ---

void Link::OnBatch(std::shared_ptr<const Batch> batch) { owner_->Hear(this, std::move(batch)); }

void Link::OnClosed(const grpc::Status& status) {
  MutexLock lock(mutex_);
  closed_ = status;
  changed_.NotifyAll();
}

// --- One stream after the other ---

absl::Status Link::Run() {
  absl::Status status = KeepConnected();
  MutexLock lock(mutex_);
  over_ = true;
  if (is_home_ && !stopped_) owner_->Forget(holding_.ForgetAllBut(0));
  owner_->Review();
  return status;
}

absl::Status Link::KeepConnected() {
  auto credentials = CredentialsFor(options_);
  if (!credentials.ok()) return credentials.status();
  credentials_ = *std::move(credentials);
  while (WaitForReason()) {
    const Closed closed = Serve();
    const absl::Status final = WhyFinal(closed);
    if (closed.welcomed) {
      was_welcomed_ = true;
      attempt_ = 0;
    }
    const std::string why = final.ok() ? WhyLost(closed) : std::string(final.message());
    const bool moves = Move(final);
    if (!moves && IsAtEnd()) return absl::OkStatus();
    if (!moves && !final.ok()) {
      if (!is_home_ || absl::IsAborted(final)) return final;
      log_.Warning(why, "; left alone until the bot is referred there anew");
      return absl::OkStatus();
    }
    if (GivesUp()) return absl::UnavailableError(why);
    absl::Duration delay = owner_->Backoff(attempt_++);
    if (const absl::Duration left = PatienceLeft(); left < absl::InfiniteDuration()) {
      delay = std::min({delay, left, kMaxBackoffOfMatches});
    }
    log_.Warning(why, moves ? absl::StrCat("; trying the one at ", address()) : "; trying again",
                 " in ", absl::FormatDuration(absl::Trunc(delay, absl::Milliseconds(1))));
    Wait(delay);
  }
  return absl::OkStatus();
}

absl::Status Link::WhyFinal(const Closed& closed) const {
  // What exists may be this client's own stream, whose end the referee has not noticed yet.
  const bool own_exists =
      was_welcomed_ && closed.status.error_code() == grpc::StatusCode::ALREADY_EXISTS;
  return own_exists ? absl::OkStatus() : WhyRefused(closed.status, address());
}

bool Link::IsAtEnd() const {
  MutexLock lock(mutex_);
  return stopped_ || ends_;
}

bool Link::GivesUp() const {
  MutexLock lock(mutex_);
  return !is_home_ && absl::Now() - lost_ >= options_.give_up_after && owner_->Alone();
}

absl::Duration Link::PatienceLeft() const {
  MutexLock lock(mutex_);
  if (holding_.matches() == 0) return absl::InfiniteDuration();
  return std::max(Patience() - (absl::Now() - lost_), absl::ZeroDuration());
}

absl::Duration Link::Patience() const {
  if (patience_ > absl::ZeroDuration()) return patience_;
  return HasReason() ? absl::InfiniteDuration() : kPatience;
}

bool Link::Move(const absl::Status& final) {
  // What the referee at the address that the bot was given refuses, none will do.
  if (is_home_ || absl::IsAborted(final)) return false;
  if (!final.ok() && address() == first_address_) return false;
  const absl::Duration left = PatienceLeft();
  const bool waits = left > absl::ZeroDuration() && left < absl::InfiniteDuration();
  MutexLock lock(mutex_);
  if (stopped_) return false;
  const bool gone = attempt_ >= kDialsOfOneGone && !waits;
  if (final.ok() && !ends_ && !gone) return false;
  absl::optional<SettledOptions> next = owner_->Next(*this);
  if (!next.has_value()) return false;
  auto credentials = CredentialsFor(*next);
  if (!credentials.ok()) return false;
  options_ = *std::move(next);
  credentials_ = *std::move(credentials);
  // It may have been given time, and dialled seldom in the end. The others are there, if it is
  // alone.
  if (was_welcomed_) attempt_ = std::min(attempt_, kDialsOfOneGone);
  was_welcomed_ = false;
  ends_ = false;
  owner_->Forget(holding_.ForgetAllBut(0));
  owner_->Review();
  return true;
}

bool Link::WaitForReason() {
  MutexLock lock(mutex_);
  while (!stopped_) {
    if (holding_.matches() > 0 && absl::Now() - lost_ >= Patience()) {
      // They are played elsewhere by now, and need the places that they have here.
      owner_->Forget(holding_.ForgetAllBut(0));
      owner_->Review();
    }
    if (HasReason() || holding_.matches() > 0) return true;
    if (leaving_) break;
    changed_.Wait(mutex_);
  }
  over_ = true;
  return false;
}

Link::Closed Link::Serve() {
  std::shared_ptr<grpc::Channel> channel = NewChannel(options_, credentials_);
  std::shared_ptr<Stream> stream;
  bool waits = false;
  {
    MutexLock lock(mutex_);
    if (stopped_) return {};
    welcomed_ = false;
    draining_ = false;
    to_send_ = false;
    cancelled_ = false;
    stays_ = false;
    closed_.reset();
    waits = holding_.matches() > 0;
    holding_.Opened(share_);
    stream = std::make_shared<Stream>(std::move(channel), owner_->NextStream(),
                                      owner_->Hello(share_), this);
    stream_ = stream;
    owner_->Opened(this, stream);
  }
  stream->Start();
  for (Task task; (task = NextTask(stream->number(), &waits)) != Task::kNone;) {
    if (task == Task::kSend) {
      stream->Send();
    } else {
      stream->Cancel();
    }
  }
  MutexLock lock(mutex_);
  const Closed closed{*closed_, welcomed_};
  stream_ = nullptr;
  welcomed_ = false;
  draining_ = is_home_ && ends_;
  if (closed.welcomed) lost_ = absl::Now();
  holding_.Closed();
  owner_->Closed(stream->number());
  owner_->Review();
  return closed;
}

Link::Task Link::NextTask(uint64_t stream, bool* waits) {
  MutexLock lock(mutex_);
  // What is not told again on a stream has ended before it.
  const auto forgets = [&] { return welcomed_ ? welcomed_at_ + kRetelling : lost_ + Patience(); };
  while (!to_send_ && !cancelled_ && !closed_.has_value()) {
    if (!*waits) {
      changed_.Wait(mutex_);
    } else if (absl::Now() < forgets()) {
      changed_.WaitUntil(mutex_, In(forgets() - absl::Now()));
    } else {
      owner_->Forget(holding_.ForgetAllBut(welcomed_ ? stream : 0));
      owner_->Review();
      *waits = false;
    }
  }
  if (cancelled_ && !closed_.has_value()) {
    cancelled_ = false;
    return Task::kCancel;
  }
  const auto until = std::chrono::steady_clock::now() + kSoon;
  while (!closed_.has_value() && !cancelled_ && changed_.WaitUntil(mutex_, until)) continue;
  to_send_ = false;
  return closed_.has_value() ? Task::kNone : Task::kSend;
}

void Link::Wait(absl::Duration delay) {
  const auto until = In(delay);
  MutexLock lock(mutex_);
  while (!stopped_ && !stays_ && !IsDone() && changed_.WaitUntil(mutex_, until)) continue;
  if (stays_) attempt_ = 0;
}

std::string Link::WhyLost(const Closed& closed) const {
  const std::string& said = closed.status.error_message();
  return absl::StrCat(closed.welcomed ? "lost the referee at " : "cannot reach a referee at ",
                      address(), ": ", closed.status.ok() ? "it closed the stream" : said,
                      closed.welcomed ? "" : TlsAdvice(options_, said));
}

}  // namespace referee::sdk
