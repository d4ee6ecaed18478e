// Views as one HTML page that needs nothing else: no server, no network, no rules. Pure,
// thread-safe.
//
// Nothing of a match is ever part of the page's markup: the views are in it as data, and its
// script, the only one that its policy allows to run, puts them on the screen as text. web/ has
// that script.
#ifndef REFEREE_VIEW_PAGE_H_
#define REFEREE_VIEW_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "proto/referee/v1/view.pb.h"

namespace referee::view {

enum class JsonLayout { kCompact, kPretty };

// The views as JSON. Returns InvalidArgument for a text that is not UTF-8.
absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views,
                                      JsonLayout layout = JsonLayout::kCompact);

// The page, UTF-8. Fails as ViewsJson does.
absl::StatusOr<std::string> MakePage(const v1::MatchViews& views);

}  // namespace referee::view

#endif  // REFEREE_VIEW_PAGE_H_
