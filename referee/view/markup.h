// What pages are made of: an HTML page around one script and one style, and data in it.
#ifndef REFEREE_VIEW_MARKUP_H_
#define REFEREE_VIEW_MARKUP_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee::view {

struct PageParts {
  absl::string_view title;   // markup
  absl::string_view script;  // without "</"
  absl::string_view style;   // without "</"
  absl::string_view body;    // markup that stands before the script
  bool asks = false;         // it may ask the server that it came from
};

// The page, UTF-8. Its policy allows its script and its style, by their hashes, and no other.
std::string MakeHtml(const PageParts& parts);

// Markup that holds `json`, deflated, for the page's script.
std::string DataMarkup(absl::string_view id, absl::string_view json);

}  // namespace referee::view

#endif  // REFEREE_VIEW_MARKUP_H_
