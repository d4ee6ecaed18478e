#include "referee/view/site_page.h"

#include <sodium.h>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "referee/view/markup.h"
#include "referee/view/web_files.h"

namespace referee::view {
namespace {

// Of a page: what its script is to show, and how the first page is reached from there.
struct Place {
  absl::string_view kind;
  absl::string_view root;
};

PageParts Parts(absl::string_view script, absl::string_view body, bool asks) {
  static const std::string* const style = new std::string(absl::StrCat(WebStyle(), SiteStyle()));
  PageParts parts;
  parts.title = "Referee";
  parts.script = script;
  parts.style = *style;
  parts.body = body;
  parts.asks = asks;
  return parts;
}

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

std::string MakeSitePage(SiteKind kind, absl::string_view data) {
  const Place place = PlaceOf(kind);
  const std::string body =
      absl::StrCat("<div id=\"site\" data-kind=\"", place.kind, "\" data-root=\"", place.root,
                   "\"><noscript>This page is drawn by a script of its own: allow scripts to see "
                   "it.</noscript></div>\n",
                   data.empty() ? "" : DataMarkup("data", data));
  return MakeHtml(
      Parts(kind == SiteKind::kMatch ? WebScript() : SiteScript(), body, /*asks=*/data.empty()));
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

std::string MakerOfPages() {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (const absl::string_view part : {WebScript(), WebStyle(), SiteScript(), SiteStyle()}) {
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(part.data()),
                              part.size());
  }
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_final(&state, digest);
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest), sizeof(digest)});
}

std::string MakeNoticePage(const Notice& notice) {
  const std::string body = absl::StrCat("<main id=\"main\"><h1>", Escaped(notice.title), "</h1><p>",
                                        Escaped(notice.text), "</p><p><a href=\"", notice.root,
                                        "\">To the first page</a></p></main>\n");
  return MakeHtml(Parts("", body, /*asks=*/false));
}

}  // namespace referee::view
