#include "referee/view/page.h"

#include "absl/strings/str_cat.h"
#include "referee/view/markup.h"
#include "referee/view/web_files.h"

namespace referee::view {

absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views, JsonLayout layout) {
  return JsonOf(views, layout == JsonLayout::kPretty);
}

absl::StatusOr<std::string> MakePage(const v1::MatchViews& views) {
  const absl::StatusOr<std::string> json = ViewsJson(views);
  if (!json.ok()) return json.status();
  PageParts parts;
  parts.title = "Match";
  parts.script = WebScript();
  parts.style = WebStyle();
  const std::string body = absl::StrCat(
      "<main id=\"page\"><noscript>This page shows a match with a script of its own: allow "
      "scripts.</noscript></main>\n",
      DataMarkup("views", *json));
  parts.body = body;
  return MakeHtml(parts);
}

}  // namespace referee::view
