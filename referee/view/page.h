// HTML pages that need nothing else, UTF-8: each has its own script and style, and its policy
// allows no others. Pure, thread-safe.
//
// What comes from outside is never markup: pages hold data, and the script, of web/, puts it on the
// screen as text.
#ifndef REFEREE_VIEW_PAGE_H_
#define REFEREE_VIEW_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/view.pb.h"

namespace referee::view {

// --- Recorded matches. ---

enum class JsonLayout { kCompact, kPretty };

// The views as JSON. Returns InvalidArgument for a text that is not UTF-8.
absl::StatusOr<std::string> ViewsJson(const v1::MatchViews& views,
                                      JsonLayout layout = JsonLayout::kCompact);

// The page of matches. Fails as ViewsJson does.
absl::StatusOr<std::string> MakePage(const v1::MatchViews& views);

// --- The other pages of a site. ---

// What these show are answers of refgate, whose routes referee/gate/GATE.md has. A page either
// holds them and asks for nothing, for any web server or none; or it asks the server that it came
// from.
enum class SiteKind {
  kIndex,        // at /
  kMatch,        // at /matches/ID
  kCompetition,  // at /competitions/NAME
  kBot,          // at /bots/NAME
  kArchive,      // at /replays
};

// `data`: the JSON that it holds, Held of web/gate.ts; empty: it asks for its data, and takes from
// its own address what it is about.
std::string MakeSitePage(SiteKind kind, absl::string_view data = "");

// A page that says one thing and asks for nothing.
struct Notice {
  std::string title;
  std::string text;
  std::string root;  // the first page from there, as "../"
};
std::string MakeNoticePage(const Notice& notice);

// Differs when the same data makes other pages, of any kind. 64 hexadecimal digits.
std::string MakerOfPages();

// --- Where pages from disk lie. ---

std::string IndexPath();                                     // "index.html"
std::string ArchivePath();                                   // "archive.html"
std::string CompetitionPath(absl::string_view competition);  // "competitions/spring.html"
std::string BotPath(absl::string_view bot);                  // "bots/ann.html"
std::string ReplayPath(absl::string_view match_id);          // "replays/01h2....html"

// A name as part of a file's name: other names give others, also where capitals do not count, and
// none leads out of its folder. Lower-case letters, digits, '-', '_' and dots that do not come
// first stay; each other byte is '=' and two hexadecimal digits.
std::string FileNameOf(absl::string_view name);

}  // namespace referee::view

#endif  // REFEREE_VIEW_PAGE_H_
