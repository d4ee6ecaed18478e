#include "sdk/cpp/src/holding.h"

#include <algorithm>

namespace referee::sdk {

Share Holding::held() const {
  return {std::max(places(), static_cast<int>(matches_.size())), turns_};
}

void Holding::Opened(const Share& share) {
  said_ = {share};
  given_.reset();
  NoteTurns();
}

void Holding::Welcomed(int max_matches) {
  if (!said_.empty()) given_ = std::min(said_.front().places, max_matches);
}

bool Holding::Say(const Share& share) {
  if (said_.empty() || said_.back() == share) return false;
  said_.push_back(share);
  NoteTurns();
  return true;
}

void Holding::Answered() {
  if (said_.size() > 1) {
    said_.pop_front();
    given_.reset();
  }
  NoteTurns();
}

void Holding::Closed() {
  said_.clear();
  given_.reset();
  NoteTurns();
}

std::vector<std::string> Holding::Begun(const std::string& match_id, uint64_t stream) {
  std::vector<std::string> over;
  const bool full = static_cast<int>(matches_.size()) >= places();
  if (full && matches_.find(match_id) == matches_.end()) over = ForgetAllBut(stream);
  matches_[match_id] = stream;
  return over;
}

void Holding::Ended(const std::string& match_id) {
  matches_.erase(match_id);
  NoteTurns();
}

std::vector<std::string> Holding::ForgetAllBut(uint64_t stream) {
  std::vector<std::string> over;
  for (auto it = matches_.begin(); it != matches_.end();) {
    if (it->second == stream) {
      ++it;
    } else {
      over.push_back(it->first);
      it = matches_.erase(it);
    }
  }
  NoteTurns();
  return over;
}

int Holding::places() const {
  int most = 0;
  for (const Share& share : said_) {
    most = std::max(most, given_ && &share == &said_.front() ? *given_ : share.places);
  }
  return most;
}

void Holding::NoteTurns() {
  int said = 0;
  for (const Share& share : said_) said = std::max(said, share.turns);
  turns_ = matches_.empty() ? said : std::max(said, turns_);
}

}  // namespace referee::sdk
