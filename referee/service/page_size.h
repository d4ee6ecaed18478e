// How many entries a page of a list has.
#ifndef REFEREE_SERVICE_PAGE_SIZE_H_
#define REFEREE_SERVICE_PAGE_SIZE_H_

#include <algorithm>
#include <cstdint>

#include "referee/base/limits.h"
#include "referee/service/access/access.h"

namespace referee::service {

// `asked` is the page_size of a request: 0 for the default, and never more than the caller may.
inline int PageSize(uint32_t asked, const Caller& caller) {
  if (asked == 0) return limits::kDefaultPageSize;
  const int most = caller.name.empty() ? limits::kMaxPageSizeWithoutToken : limits::kMaxPageSize;
  return static_cast<int>(std::min<uint32_t>(asked, static_cast<uint32_t>(most)));
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PAGE_SIZE_H_
