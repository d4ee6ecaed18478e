// The pages of a site beside those of replays (page.h): competitions, bots, the archive, and
// matches as they are played. Each is one HTML page with its own script and style. Pure,
// thread-safe.
//
// A page either holds its data and asks for nothing, for any web server or none; or it is a shell
// that asks the server it came from, refgate, whose routes referee/gate/GATE.md has.
#ifndef REFEREE_VIEW_SITE_PAGE_H_
#define REFEREE_VIEW_SITE_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/site.pb.h"

namespace referee::view {

// The page with its data in it, UTF-8. Returns InvalidArgument for a page of no kind.
// REQUIRES: its texts are UTF-8, as those of every message that was received.
absl::StatusOr<std::string> MakeSitePage(const v1::SitePage& page);

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

// The pages that ask for their data. What a page is about it takes from its own address.
enum class SiteShell {
  kIndex,        // at /
  kMatch,        // at /matches/ID
  kCompetition,  // at /competitions/NAME
  kBot,          // at /bots/NAME
  kArchive,      // at /replays
};
std::string MakeSiteShell(SiteShell shell);

// A page that says one thing and asks for nothing.
struct Notice {
  std::string title;
  std::string text;
  std::string root;  // the first page from there, as "../"
};
std::string MakeNoticePage(const Notice& notice);

}  // namespace referee::view

#endif  // REFEREE_VIEW_SITE_PAGE_H_
