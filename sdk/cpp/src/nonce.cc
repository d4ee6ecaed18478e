#include "sdk/cpp/src/nonce.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

#include "referee/dice/dice.h"

namespace referee::sdk {
namespace {

constexpr size_t kNonceBytes = 32;

// 32 bytes from the system's random source.
std::string RandomBytes() {
  // Opening the source costs more than drawing from it.
  thread_local std::random_device source;
  std::string bytes;
  while (bytes.size() < kNonceBytes) {
    const uint32_t word = source();
    bytes.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }
  return bytes;
}

}  // namespace

std::string Sha256(absl::string_view bytes) {
  return std::string(dice::Raw(dice::HashNonce(bytes)));
}

bool Nonce::IsForCommitment(const std::string& commitment) {
  MutexLock lock(&mutex_);
  if (!commitment_.has_value()) commitment_ = commitment;
  return *commitment_ == commitment;
}

void Nonce::NoteStart(const v1::MatchStart& start) {
  MutexLock lock(&mutex_);
  if (AsksNonces(start.match())) part_.seat = start.seat();
  if (!start.has_ready_limit()) part_.came_back = true;
}

std::string Nonce::Hash() {
  MutexLock lock(&mutex_);
  if (nonce_.empty() || part_.revealed.has_value()) nonce_ = RandomBytes();
  part_.revealed.reset();
  return Sha256(nonce_);
}

bool Nonce::drawn() const {
  MutexLock lock(&mutex_);
  return !nonce_.empty();
}

absl::optional<std::string> Nonce::Reveal(std::vector<std::string> hashes, int seat) {
  MutexLock lock(&mutex_);
  const bool there = 0 <= seat && static_cast<size_t>(seat) < hashes.size();
  if (nonce_.empty() || !there || hashes[static_cast<size_t>(seat)] != Sha256(nonce_)) {
    return absl::nullopt;
  }
  // A repeated request, after a lost connection: the hashes of the other bots must not change
  // either.
  if (part_.revealed.has_value() && part_.revealed->hashes != hashes) return absl::nullopt;
  part_.revealed = {nonce_, std::move(hashes)};
  return nonce_;
}

Nonce::Part Nonce::part() const {
  MutexLock lock(&mutex_);
  return part_;
}

bool Nonce::AgreesWith(const v1::Verdict& verdict) {
  std::vector<std::string> told(verdict.nonces().begin(), verdict.nonces().end());
  told.insert(told.end(), verdict.nonce_hashes().begin(), verdict.nonce_hashes().end());
  MutexLock lock(&mutex_);
  if (!told_.has_value()) told_ = told;
  return *told_ == told;
}

std::shared_ptr<Nonce> Nonces::Of(const v1::Match& match) {
  if (match.block().block_id().empty()) return std::make_shared<Nonce>();
  MutexLock lock(&mutex_);
  for (auto it = of_blocks_.begin(); it != of_blocks_.end();) {
    const auto one = it++;
    if (one->second.expired()) of_blocks_.erase(one);
  }
  std::weak_ptr<Nonce>& known = of_blocks_[match.block().block_id()];
  std::shared_ptr<Nonce> nonce = known.lock();
  if (nonce == nullptr) known = nonce = std::make_shared<Nonce>();
  return nonce;
}

bool AsksNonces(const v1::Match& match) { return !match.pinned() && match.block().rotation() == 0; }

}  // namespace referee::sdk
