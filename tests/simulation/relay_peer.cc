#include "tests/simulation/relay_peer.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kLatestTimer = absl::Microseconds(200);

}  // namespace

void Gate::At(Instant when, std::function<void()> call) {
  queue_.At(when, [self = shared_from_this(), call = std::move(call)]() mutable {
    if (self->dead) return;
    if (self->queue_.Now() < self->awake) return self->At(self->awake, std::move(call));
    call();
  });
}

void GateTimers::Queue(Instant when, std::function<void()> wake) {
  Random random(seed_, For::kLateTimer, when.nanos());
  gate_->At(when + random.Between(absl::ZeroDuration(), kLatestTimer), std::move(wake));
}

void GateExecutor::Run(std::function<void()> work) {
  HeldExecutor::Run(std::move(work));
  gate_->At(gate_->queue().Now() + takes_, [this] { Step(); });
}

PeerStream::PeerStream(const Side& entry, const Side& owner, Random random, Calls calls)
    : at_entry_(entry),
      at_owner_(owner),
      calls_(std::move(calls)),
      to_owner_(entry.gate, owner.gate, random),
      to_entry_(owner.gate, entry.gate, random) {}

void PeerStream::Begin() {
  to_owner_.keep = to_entry_.keep = [this] { return shared_from_this(); };
  to_owner_.calls = {[this](const peer::v1::AttachRequest& message) {
                       if (cut_ || owner_ == nullptr) return;
                       owner_->OnRead(message, at_owner_.gate->queue().Now());
                       if (attached_ || owner_ == nullptr || owner_->entry().empty()) return;
                       attached_ = true;
                       on_attached();
                     },
                     [this] {
                       if (entry_ != nullptr) entry_->OnWriteDone(true);
                     },
                     [this] { FinishEntry(); }, calls_.delay};
  to_entry_.calls = {[this](const peer::v1::AttachResponse& message) {
                       if (cut_ || entry_ == nullptr) return;
                       entry_->OnRead(message, at_entry_.gate->queue().Now());
                       if (!std::exchange(greeted_, true)) calls_.greeted();
                     },
                     [this] {
                       if (owner_ != nullptr) owner_->OnWriteDone(true);
                     },
                     [this] { FinishOwner(); }, calls_.delay};
  entry_ = std::make_shared<service::EntrySession>(at_entry_.environment, &to_owner_);
  at_owner_.gate->At(to_owner_.NextArrival(), [this, self = shared_from_this()] {
    if (cut_ || entry_ == nullptr) return;
    owner_ = std::make_shared<service::OwnerSession>(at_owner_.environment, &to_entry_);
    owner_->Begin();
  });
  entry_->Begin();
}

bool PeerStream::well() const {
  const Instant now = at_entry_.gate->queue().Now();
  return linked() && !to_owner_.muted && !to_entry_.muted && to_owner_.held_until <= now &&
         to_entry_.held_until <= now;
}

void PeerStream::Cut(absl::Duration entry_after, absl::Duration owner_after) {
  if (std::exchange(cut_, true)) return;
  const Instant now = at_entry_.gate->queue().Now();
  const auto self = shared_from_this();
  if (entry_after < absl::InfiniteDuration()) {
    at_entry_.gate->At(now + entry_after, [self] { self->EndEntry(); });
  }
  if (owner_after < absl::InfiniteDuration()) {
    at_owner_.gate->At(now + owner_after, [self] { self->EndOwner(); });
  }
}

void PeerStream::Mute(bool to_owner) { (to_owner ? to_owner_.muted : to_entry_.muted) = true; }

void PeerStream::Hold(bool to_owner, Instant until) {
  (to_owner ? to_owner_.held_until : to_entry_.held_until) = until;
}

// What was written before arrives before the end.
void PeerStream::FinishEntry() {
  const auto self = shared_from_this();
  at_entry_.gate->At(Instant(), [self] { self->EndEntry(); });
  if (cut_ || to_owner_.muted) return;
  at_owner_.gate->At(to_owner_.NextArrival(), [self] { self->EndOwner(); });
}

void PeerStream::FinishOwner() {
  const auto self = shared_from_this();
  at_owner_.gate->At(Instant(), [self] { self->EndOwner(); });
  if (cut_ || to_entry_.muted) return;
  at_entry_.gate->At(to_entry_.NextArrival(), [self] { self->EndEntry(); });
}

void PeerStream::EndEntry() {
  if (entry_ == nullptr) return;
  const std::shared_ptr<service::EntrySession> session = std::move(entry_);
  entry_ = nullptr;
  session->OnDone();
  on_entry_done();
}

void PeerStream::EndOwner() {
  const std::shared_ptr<service::OwnerSession> session = std::move(owner_);
  owner_ = nullptr;
  if (session != nullptr) session->OnDone();
}

void PeerStream::BuryDead() {
  if (at_entry_.gate->dead && entry_ != nullptr) std::exchange(entry_, nullptr)->OnDone();
  if (at_owner_.gate->dead) EndOwner();
}

}  // namespace referee::simulation
