#include "referee/service/peer/peer_streams.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::service {
namespace {

std::string Named(const std::string& owner, const std::string& address) {
  return absl::StrCat("referee ", Quoted(owner), " at ", address);
}

}  // namespace

std::map<std::string, std::string> PeersAmong(absl::Span<const store::Daemon> daemons,
                                              absl::string_view own) {
  std::map<std::string, const store::Daemon*> at;  // by address
  for (const store::Daemon& daemon : daemons) {
    if (daemon.address.empty() || daemon.address.size() > limits::kMaxAddressBytes) continue;
    const store::Daemon*& latest = at[daemon.address];
    const bool stays = latest != nullptr && (latest->owner == own || latest->term > daemon.term);
    if (!stays || daemon.owner == own) latest = &daemon;
  }
  std::map<std::string, std::string> peers;
  for (const auto& [address, daemon] : at) {
    if (daemon->owner != own) peers.emplace(daemon->owner, address);
  }
  return peers;
}

std::shared_ptr<PeerStreams> PeerStreams::Make(Options options) {
  std::shared_ptr<PeerStreams> streams(new PeerStreams(std::move(options)));
  const auto due = [weak = std::weak_ptr<PeerStreams>(streams)] {
    const std::shared_ptr<PeerStreams> self = weak.lock();
    if (self == nullptr) return;
    // Making a channel takes too long for the timer thread.
    self->options_.executor->Run([weak] {
      if (const std::shared_ptr<PeerStreams> dialing = weak.lock()) dialing->DialDue();
    });
  };
  streams->timer_ =
      streams->options_.environment->timers->At(Instant::InfiniteFuture(), std::move(due));
  return streams;
}

void PeerStreams::Update(absl::Span<const store::Daemon> daemons) {
  const auto wanted = PeersAmong(daemons, options_.environment->owner);
  const Instant now = options_.environment->clock->Now();
  std::vector<std::shared_ptr<EntryStream>> gone;
  {
    MutexLock lock(&mutex_);
    if (closed_) return;
    for (auto peer = peers_.begin(); peer != peers_.end();) {
      const auto found = wanted.find(peer->first);
      if (found != wanted.end() && found->second == peer->second.address) {
        ++peer;
        continue;
      }
      if (peer->second.stream != nullptr) gone.push_back(peer->second.stream);
      peer = peers_.erase(peer);
    }
    for (const auto& [owner, address] : wanted) {
      const auto [peer, is_new] = peers_.try_emplace(owner);
      if (!is_new) continue;
      peer->second.address = address;
      peer->second.due = now;
    }
    SetTimer();
  }
  for (const std::shared_ptr<EntryStream>& stream : gone) {
    stream->End(absl::CancelledError("the store does not name it any more"));
  }
}

void PeerStreams::DialDue() {
  const Instant now = options_.environment->clock->Now();
  std::vector<std::pair<std::string, std::string>> due;
  {
    MutexLock lock(&mutex_);
    for (auto& [owner, peer] : peers_) {
      if (peer.stream != nullptr || peer.dialing || peer.due > now) continue;
      peer.dialing = true;
      due.emplace_back(owner, peer.address);
    }
    SetTimer();
  }
  for (const auto& [owner, address] : due) Dial(owner, address);
}

void PeerStreams::Dial(const std::string& owner, const std::string& address) {
  const absl::StatusOr<std::shared_ptr<grpc::Channel>> channel = options_.dial(address);
  std::shared_ptr<EntryStream> stream;
  if (channel.ok()) {
    // Set after Make. Both callbacks run only while the stream exists, so its address is valid
    // there.
    const auto of = std::make_shared<const EntryStream*>(nullptr);
    const auto weak = weak_from_this();
    stream = EntryStream::Make(options_.environment, *channel,
                               {[weak, owner, of] {
                                  if (const auto self = weak.lock()) self->NoteAnswer(owner, *of);
                                },
                                [weak, owner, of](const absl::Status& why) {
                                  if (const auto self = weak.lock()) self->NoteEnd(owner, *of, why);
                                }});
    *of = stream.get();
  }
  bool wanted = false;
  bool news = false;
  {
    MutexLock lock(&mutex_);
    const auto peer = peers_.find(owner);
    wanted = peer != peers_.end() && peer->second.address == address && peer->second.dialing;
    if (wanted) peer->second.dialing = false;
    if (wanted && stream == nullptr) {
      news = Retry(&peer->second);
      SetTimer();
    } else if (stream != nullptr) {
      ++open_;
    }
    if (wanted && stream != nullptr) {
      peer->second.stream = stream;
      peer->second.session = stream->session();
    }
  }
  if (news) {
    Tell(log::Level::kWarning, "peer_silent",
         absl::StrCat("peers: ", Named(owner, address), ": ", channel.status().message()));
  }
  if (stream == nullptr) return;
  if (!wanted) stream->End(absl::CancelledError("the store does not name it any more"));
  stream->Begin();
}

PeerStreams::Peer* PeerStreams::Find(const std::string& owner, const EntryStream* stream) {
  const auto peer = peers_.find(owner);
  return peer == peers_.end() || peer->second.stream.get() != stream ? nullptr : &peer->second;
}

void PeerStreams::NoteAnswer(const std::string& owner, const EntryStream* stream) {
  std::string address;
  std::vector<std::weak_ptr<EntrySession>> former;
  {
    MutexLock lock(&mutex_);
    Peer* const peer = Find(owner, stream);
    if (peer == nullptr) return;
    peer->pause = limits::kFirstPeerPause;
    peer->told_silent = false;
    address = peer->address;
    former.swap(peer->former);
  }
  for (const std::weak_ptr<EntrySession>& session : former) {
    if (const auto left = session.lock()) left->OwnerIsBack();
  }
  Tell(log::Level::kInfo, "peer_answers",
       absl::StrCat("peers: ", Named(owner, address), " takes the bots that are connected here"));
}

void PeerStreams::NoteEnd(const std::string& owner, const EntryStream* stream,
                          const absl::Status& why) {
  std::string address;
  {
    MutexLock lock(&mutex_);
    if (Peer* const peer = Find(owner, stream)) {
      if (Retry(peer)) address = peer->address;
      SetTimer();
    }
    --open_;
    ended_.NotifyAll();
  }
  if (address.empty()) return;
  Tell(log::Level::kWarning, "peer_silent",
       absl::StrCat("peers: the stream to ", Named(owner, address), " has ended",
                    why.ok() ? "" : ": ", why.message()));
}

bool PeerStreams::Retry(Peer* peer) {
  if (peer->session != nullptr) peer->former.push_back(peer->session);
  peer->stream = nullptr;
  peer->session = nullptr;
  peer->due = options_.environment->clock->Now() + peer->pause;
  peer->pause = std::min(2 * peer->pause, limits::kLongestPeerPause);
  return !std::exchange(peer->told_silent, true);
}

void PeerStreams::SetTimer() {
  if (closed_) return;
  Instant next = Instant::InfiniteFuture();
  for (const auto& [owner, peer] : peers_) {
    if (peer.stream == nullptr && !peer.dialing) next = std::min(next, peer.due);
  }
  timer_.SetTo(next);
}

std::vector<std::shared_ptr<EntrySession>> PeerStreams::Sessions() {
  std::vector<std::shared_ptr<EntrySession>> sessions;
  MutexLock lock(&mutex_);
  for (const auto& [owner, peer] : peers_) {
    if (peer.session != nullptr) sessions.push_back(peer.session);
  }
  return sessions;
}

void PeerStreams::BotChanged(absl::string_view bot) {
  for (const auto& session : Sessions()) session->BotChanged(bot);
}

void PeerStreams::BotRefused(absl::string_view bot) {
  for (const auto& session : Sessions()) session->BotRefused(bot);
}

void PeerStreams::Close() {
  Peers peers;
  host::Timer timer;  // cancelled without the lock
  {
    MutexLock lock(&mutex_);
    closed_ = true;
    peers.swap(peers_);
    timer = std::move(timer_);
  }
  for (const auto& [owner, peer] : peers) {
    if (peer.stream != nullptr) peer.stream->End(absl::CancelledError("the referee is stopping"));
  }
  MutexLock lock(&mutex_);
  while (open_ > 0) ended_.Wait(&mutex_);
}

}  // namespace referee::service
