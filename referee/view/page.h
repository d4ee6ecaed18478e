// Self-contained HTML pages, UTF-8, each with its own script and style.
//
// The content security policy of a page allows no other script or style. Pages hold outside text as
// data, never as markup; the script from web/ shows it as text. Pure, thread-safe.
#ifndef REFEREE_VIEW_PAGE_H_
#define REFEREE_VIEW_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/view.pb.h"

namespace referee::view {

// --- Recorded matches. ---

enum class JsonLayout { kCompact, kPretty };

// Returns the views as JSON, or InvalidArgument if a text is not UTF-8.
absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views,
                                      JsonLayout layout = JsonLayout::kCompact);

// Returns the page of matches, or the error of ViewsJson.
absl::StatusOr<std::string> MakePage(const v1::MatchViews& views);

// --- The other pages of a site. ---

// A page of a site that shows answers of refgate (routes: referee/gate/GATE.md). Either the page
// holds its answers and makes no requests, for any web server or none; or it requests them from its
// own server.
enum class SiteKind {
  kIndex,        // at /
  kMatch,        // at /matches/ID
  kCompetition,  // at /competitions/NAME
  kBot,          // at /bots/NAME
  kArchive,      // at /replays
};

// `data` is JSON for the page to hold: Held of web/gate.ts. Empty: the page requests its data, and
// takes its subject from its own address.
std::string MakeSitePage(SiteKind kind, absl::string_view data = "");

// A page with one message, which makes no requests.
struct Notice {
  std::string title;
  std::string text;
  std::string root;  // the relative path to the first page, such as "../"
};
std::string MakeNoticePage(const Notice& notice);

// A digest of all scripts and styles: 64 hexadecimal digits. It changes when the same data would
// make different pages.
std::string MakerOfPages();

// --- Paths of pages on disk. ---

std::string IndexPath();                                     // "index.html"
std::string ArchivePath();                                   // "archive.html"
std::string CompetitionPath(absl::string_view competition);  // "competitions/spring.html"
std::string BotPath(absl::string_view bot);                  // "bots/ann.html"
std::string ReplayPath(absl::string_view match_id);          // "replays/01h2....html"

// A name as part of a file name. Different names give different results, also on file systems that
// ignore case, and no result leaves its folder. Lower-case letters, digits, '-', '_' and dots that
// are not first stay; every other byte becomes '=' and two hexadecimal digits.
std::string FileNameOf(absl::string_view name);

}  // namespace referee::view

#endif  // REFEREE_VIEW_PAGE_H_
