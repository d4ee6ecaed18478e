// The pages of a site, made of competitions as a referee publishes them. It does no I/O.
// Thread-compatible.
#ifndef REFEREE_VIEW_SITE_CONTENTS_H_
#define REFEREE_VIEW_SITE_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "proto/referee/v1/competition.pb.h"
#include "proto/referee/v1/site.pb.h"

namespace referee::view {

// The newest of many matches, newest first: so many at most.
class NewestMatches {
 public:
  explicit NewestMatches(size_t most) : most_(most) {}

  void Add(const v1::SiteMatch& match);
  uint64_t left_out() const { return left_out_; }
  // Ids sort by time.
  const std::map<std::string, v1::SiteMatch, std::greater<>>& matches() const { return matches_; }

 private:
  const size_t most_;
  std::map<std::string, v1::SiteMatch, std::greater<>> matches_;  // by id
  uint64_t left_out_ = 0;
};

// The matches of a block that are over, also those of its attempts that came to nothing.
std::vector<v1::SiteMatch> MatchesOf(const v1::Block& block, const std::string& competition);

class SiteContents {
 public:
  // How many matches pages show, and the archive.
  static constexpr size_t kShownMatches = 50;
  static constexpr size_t kArchivedMatches = 5000;
  // How many bots' ratings the page of a competition draws.
  static constexpr size_t kDrawnBots = 10;

  // `title`: of the site; may be empty. `replays`: how many of the newest matches of each
  // competition have a page of their own. Those that decided one that is finished have one beside
  // them, but for 0.
  explicit SiteContents(std::string title, size_t replays = 0);

  // Adds a competition, with the ratings of all its bots, newest first; its blocks are added after
  // it, in their order.
  void Begin(v1::SiteCompetition competition);
  void Add(const v1::Block& block);

  // The ids of the matches that are to have a page of their own, newest first.
  std::vector<std::string> Replays() const;

  // Calls `take` with each page and where it lies. `has_page`: the ids of matches that have one.
  void ForEachPage(
      const std::set<std::string>& has_page,
      const std::function<void(const std::string& path, const v1::SitePage& page)>& take) const;

 private:
  struct Added {
    v1::SiteCompetition data;
    NewestMatches matches{kShownMatches};
    std::set<std::string, std::greater<>> newest;  // ids: as many as are to have a page
    std::set<uint64_t> last_round;                 // blocks
    std::set<std::string> deciding;                // ids, once it is finished
  };

  // Notes which matches of the block are to have a page of their own.
  void AddReplays(const v1::Block& block, const std::vector<v1::SiteMatch>& matches, Added* added);

  v1::SitePage NewPage() const;
  v1::SitePage CompetitionPage(const Added& added, const std::set<std::string>& has_page) const;
  v1::SitePage BotPage(const std::string& bot, const std::set<std::string>& has_page) const;

  const std::string title_;
  const size_t replays_;
  std::vector<Added> competitions_;  // newest first
  std::map<std::string, NewestMatches> by_bot_;
  NewestMatches archive_;
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_SITE_CONTENTS_H_
