// The scripts and styles that esbuild makes from web/, compiled into the program.
//
// CMakeLists.txt has the build rules.
#ifndef REFEREE_VIEW_WEB_FILES_H_
#define REFEREE_VIEW_WEB_FILES_H_

#include "absl/strings/string_view.h"

namespace referee::view {

// All results live for ever, and contain neither "</script" nor "</style".

// For pages of matches, recorded or running.
absl::string_view WebScript();
// For all pages.
absl::string_view WebStyle();
// For all other pages of a site.
absl::string_view SiteScript();
// For all pages except replay pages, after WebStyle.
absl::string_view SiteStyle();

}  // namespace referee::view

#endif  // REFEREE_VIEW_WEB_FILES_H_
