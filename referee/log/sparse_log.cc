#include "referee/log/sparse_log.h"

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/log/limits.h"

namespace referee::log {

void SparseLog::Tell(Event event) {
  if (!log_) return;
  {
    const MutexLock lock(&mutex_);
    const Instant now = clock_.Now();
    Heard& heard = Find(event, now);
    if (now < heard.again) {
      ++heard.left_out;
      return;
    }
    heard.again = now + limits::kSameLineInterval;
    event.left_out = std::exchange(heard.left_out, 0);
  }
  log_(event);
}

SparseLog::Heard& SparseLog::Find(const Event& event, Instant now) {
  std::string key = absl::StrCat(event.name, " ", event.fields[kAccount]);
  const auto found = heard_.find(key);
  if (found != heard_.end()) return found->second;
  if (heard_.size() >= limits::kMaxSparseKeys) {
    for (auto it = heard_.begin(); it != heard_.end();) {
      const bool quiet = it->second.again <= now && it->second.left_out == 0;
      const auto here = it++;
      if (quiet) heard_.erase(here);
    }
  }
  if (heard_.size() >= limits::kMaxSparseKeys) key = std::string(event.name);
  return heard_[key];
}

}  // namespace referee::log
