#include "referee/view/page.h"

#include <google/protobuf/util/json_util.h>

#include "absl/strings/str_cat.h"
#include "referee/view/markup.h"
#include "referee/view/web_files.h"

namespace referee::view {

absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views, JsonLayout layout) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = layout == JsonLayout::kPretty;
  std::string json;
  const auto written = google::protobuf::util::MessageToJsonString(views, &json, options);
  if (!written.ok()) return absl::InvalidArgumentError(std::string(written.message()));
  return json;
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
