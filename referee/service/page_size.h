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
  const uint32_t wanted = asked == 0 ? limits::kDefaultPageSize : asked;
  return static_cast<int>(std::min<uint32_t>(wanted, caller.max_page_size));
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PAGE_SIZE_H_
