#include "referee/service/peer/owner_outbox.h"

#include "referee/service/peer/relayed_link.h"

namespace referee::service {

OwnerOutbox::OwnerOutbox(PeerTransport<peer::v1::AttachResponse>* transport, const Clock* clock)
    : clock_(*clock),
      writer_(transport, {[this](absl::Span<const Asking> asked) { NoteSent(asked); }, nullptr}) {}

void OwnerOutbox::OnWriteDone(bool ok) {
  if (!ok) Break(absl::UnavailableError("the stream from the entry is lost"));
  writer_.OnWriteDone(ok);
}

absl::Status OwnerOutbox::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

void OwnerOutbox::Break(const absl::Status& why) {
  {
    MutexLock lock(&mutex_);
    status_.Update(why);
  }
  writer_.Close();
}

void OwnerOutbox::NoteSent(absl::Span<const Asking> asked) const {
  const Instant now = clock_.Now();
  for (const Asking& asking : asked) asking.link->NoteSent(asking, now);
}

}  // namespace referee::service
