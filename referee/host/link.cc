#include "referee/host/link.h"

#include <algorithm>

namespace referee::host {
namespace {

thread_local FlushScope* innermost = nullptr;

}  // namespace

FlushScope::FlushScope() : outer_(innermost) { innermost = this; }

FlushScope::~FlushScope() {
  innermost = outer_;
  for (const auto& link : links_) Flush(link);
}

void FlushScope::Flush(const std::shared_ptr<Link>& link) {
  if (innermost == nullptr) {
    link->Flush();
    return;
  }
  auto& links = innermost->links_;
  if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
}

}  // namespace referee::host
