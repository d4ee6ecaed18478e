#include "referee/view/page.h"

#include <google/protobuf/util/json_util.h>
#include <sodium.h>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "referee/view/deflate.h"
#include "referee/view/web_files.h"

namespace referee::view {
namespace {

struct PageParts {
  absl::string_view title;   // markup
  absl::string_view script;  // without "</"
  std::string style;         // without "</"
  std::string body;          // markup before the script
  bool asks = false;         // the page may make requests to its own server
};

std::string DigestOf(absl::string_view content) {
  std::string digest(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(&digest[0]),
                     reinterpret_cast<const unsigned char*>(content.data()), content.size());
  return digest;
}

// The hash by which a content security policy allows a script or style.
std::string PolicyHash(absl::string_view content) {
  return absl::StrCat("'sha256-", absl::Base64Escape(DigestOf(content)), "'");
}

std::string PagePolicy(const PageParts& parts) {
  return absl::StrCat("default-src 'none'; script-src ", PolicyHash(parts.script), "; style-src ",
                      PolicyHash(parts.style), parts.asks ? "; connect-src 'self'" : "",
                      "; base-uri 'none'; form-action 'none'");
}

std::string MakeHtml(const PageParts& parts) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      PagePolicy(parts),
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>",
      parts.title, "</title>\n<style>", parts.style, "</style>\n</head>\n<body>\n", parts.body,
      "<script>", parts.script, "</script>\n</body>\n</html>\n");
}

// An element that holds `json`, deflated, for the page's script.
std::string DataMarkup(absl::string_view id, absl::string_view json) {
  return absl::StrCat("<script type=\"application/octet-stream\" id=\"", id, "\">",
                      absl::Base64Escape(Deflate(json, Deflated::kRaw, /*level=*/9)),
                      "</script>\n");
}

// The kind of a page, and the relative path to the first page.
struct Place {
  absl::string_view kind;
  absl::string_view root;
};

Place PlaceOf(SiteKind kind) {
  switch (kind) {
    case SiteKind::kIndex:
      return {"index", ""};
    case SiteKind::kMatch:
      return {"match", "../"};
    case SiteKind::kCompetition:
      return {"competition", "../"};
    case SiteKind::kBot:
      return {"bot", "../"};
    case SiteKind::kArchive:
      return {"archive", ""};
  }
  return {"", ""};
}

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

bool Stays(char c) {
  return absl::ascii_islower(static_cast<unsigned char>(c)) ||
         absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
}

std::string HtmlIn(absl::string_view folder, absl::string_view name) {
  return absl::StrCat(folder, "/", FileNameOf(name), ".html");
}

}  // namespace

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
  const std::string body = absl::StrCat(
      "<main id=\"page\"><noscript>This page shows a match with a script of its own: allow "
      "scripts.</noscript></main>\n",
      DataMarkup("views", *json));
  return MakeHtml({"Match", WebScript(), std::string(WebStyle()), body});
}

std::string MakeSitePage(SiteKind kind, absl::string_view data) {
  const Place place = PlaceOf(kind);
  const std::string body =
      absl::StrCat("<div id=\"site\" data-kind=\"", place.kind, "\" data-root=\"", place.root,
                   "\"><noscript>This page is drawn by a script of its own: allow scripts to see "
                   "it.</noscript></div>\n",
                   data.empty() ? "" : DataMarkup("data", data));
  return MakeHtml({"Referee", kind == SiteKind::kMatch ? WebScript() : SiteScript(),
                   absl::StrCat(WebStyle(), SiteStyle()), body, /*asks=*/data.empty()});
}

std::string MakeNoticePage(const Notice& notice) {
  const std::string body = absl::StrCat("<main id=\"main\"><h1>", Escaped(notice.title), "</h1><p>",
                                        Escaped(notice.text), "</p><p><a href=\"", notice.root,
                                        "\">To the first page</a></p></main>\n");
  return MakeHtml({"Referee", "", absl::StrCat(WebStyle(), SiteStyle()), body});
}

std::string MakerOfPages() {
  return absl::BytesToHexString(
      DigestOf(absl::StrCat(WebScript(), WebStyle(), SiteScript(), SiteStyle())));
}

std::string IndexPath() { return "index.html"; }
std::string ArchivePath() { return "archive.html"; }
std::string CompetitionPath(absl::string_view competition) {
  return HtmlIn("competitions", competition);
}
std::string BotPath(absl::string_view bot) { return HtmlIn("bots", bot); }
std::string ReplayPath(absl::string_view match_id) { return HtmlIn("replays", match_id); }

std::string FileNameOf(absl::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (Stays(name[i]) && !(name[i] == '.' && i == 0)) {
      out.push_back(name[i]);
    } else {
      absl::StrAppend(&out, "=", absl::BytesToHexString(name.substr(i, 1)));
    }
  }
  return out;
}

}  // namespace referee::view
