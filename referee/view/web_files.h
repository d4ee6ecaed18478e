// What esbuild makes of web/, compiled into the program: see CMakeLists.txt.
#ifndef REFEREE_VIEW_WEB_FILES_H_
#define REFEREE_VIEW_WEB_FILES_H_

#include "absl/strings/string_view.h"

namespace referee::view {

// They live for ever, and hold neither "</script" nor "</style".

// Of the pages of matches, recorded or as they are played.
absl::string_view WebScript();
// Of all pages.
absl::string_view WebStyle();
// Of all other pages of a site.
absl::string_view SiteScript();
// Of all pages but those of replays, after WebStyle.
absl::string_view SiteStyle();

}  // namespace referee::view

#endif  // REFEREE_VIEW_WEB_FILES_H_
