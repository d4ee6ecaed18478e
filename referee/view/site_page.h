// The pages of a site beside those of replays (page.h): competitions, bots, the archive, and
// matches as they are played. Each is one HTML page with its own script and style. Pure,
// thread-safe.
//
// What a page shows are answers of refgate, whose routes referee/gate/GATE.md has. It either holds
// them and asks for nothing, for any web server or none; or it asks the server that it came from.
#ifndef REFEREE_VIEW_SITE_PAGE_H_
#define REFEREE_VIEW_SITE_PAGE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee::view {

enum class SiteKind {
  kIndex,        // at /
  kMatch,        // at /matches/ID
  kCompetition,  // at /competitions/NAME
  kBot,          // at /bots/NAME
  kArchive,      // at /replays
};

// The page, UTF-8. `data`: the JSON that it holds, Held of web/gate.ts; empty: it asks for its
// data, and takes from its own address what it is about.
std::string MakeSitePage(SiteKind kind, absl::string_view data = "");

// Where a page of a site lies in it, with '/' between folders.
std::string IndexPath();                                     // "index.html"
std::string ArchivePath();                                   // "archive.html"
std::string CompetitionPath(absl::string_view competition);  // "competitions/spring.html"
std::string BotPath(absl::string_view bot);                  // "bots/ann.html"
std::string ReplayPath(absl::string_view match_id);          // "replays/01h2....html"

// A name as part of a file's name: other names give others, also where capitals do not count, and
// none leads out of its folder. Lower-case letters, digits, '-', '_' and dots that do not come
// first stay; each other byte is '=' and two hexadecimal digits.
std::string FileNameOf(absl::string_view name);

// Differs when the same data makes other pages, of sites or of replays. 64 hexadecimal digits.
std::string MakerOfPages();

// A page that says one thing and asks for nothing.
struct Notice {
  std::string title;
  std::string text;
  std::string root;  // the first page from there, as "../"
};
std::string MakeNoticePage(const Notice& notice);

}  // namespace referee::view

#endif  // REFEREE_VIEW_SITE_PAGE_H_
