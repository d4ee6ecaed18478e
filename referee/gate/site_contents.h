// The content of the site that refgate --export writes: each page with the answers that it shows.
//
// Does no I/O. Thread-compatible.
#ifndef REFEREE_GATE_SITE_CONTENTS_H_
#define REFEREE_GATE_SITE_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proto/referee/v1/competition_service.pb.h"
#include "referee/view/page.h"

namespace referee::gate {

// A competition as a referee publishes it, without its blocks. Each list is complete.
struct PublishedCompetition {
  v1::GetStandingsResponse table;
  v1::ListPairsResponse pairs;
  v1::ListRoundsResponse rounds;
  v1::ListRatingHistoriesResponse ratings;

  const std::string& name() const { return table.competition().spec().name(); }
};

// The newest blocks: the fewest that hold at least `most` matches.
class NewestBlocks {
 public:
  struct Kept {
    std::string competition;  // its name
    std::shared_ptr<const v1::Block> block;
    std::vector<std::string> matches;  // ids
  };

  explicit NewestBlocks(size_t most) : most_(most) {}

  // REQUIRES: the block has a match.
  void Add(const Kept& block);
  // The number of matches left out.
  uint64_t left_out() const { return left_out_; }
  // By the id of their newest match, as ids sort by time.
  const std::map<std::string, Kept, std::greater<>>& blocks() const { return blocks_; }

 private:
  const size_t most_;
  std::map<std::string, Kept, std::greater<>> blocks_;
  size_t matches_ = 0;
  uint64_t left_out_ = 0;
};

class SiteContents {
 public:
  // The number of matches on a page, and in the archive.
  static constexpr size_t kShownMatches = 50;
  static constexpr size_t kArchivedMatches = 5000;
  // The number of bots whose ratings the page of a competition draws: mostDrawn of
  // competition_page.ts.
  static constexpr size_t kDrawnBots = 10;

  // `title` is the title of the site; may be empty. `replays` newest matches of each competition
  // get their own page. So do the matches that decided a finished competition, unless `replays` is
  // 0.
  explicit SiteContents(std::string title, size_t replays = 0);

  // Adds a competition; call in order from the newest. Its blocks are added after it, in order.
  void Begin(PublishedCompetition competition);
  void Add(v1::Block block);

  // The ids of the matches that get their own page, newest first.
  std::vector<std::string> Replays() const;

  // `data` as view::MakeSitePage takes it.
  using Take =
      std::function<void(const std::string& path, view::SiteKind kind, const std::string& data)>;
  // Calls `take` with each page and its path. `has_page`: the ids of matches that have a page.
  void ForEachPage(const std::set<std::string>& has_page, const Take& take) const;

 private:
  struct Added {
    PublishedCompetition data;
    NewestBlocks blocks{kShownMatches};
    std::set<std::string, std::greater<>> newest;  // ids of the matches that get a page
    std::set<uint64_t> last_round;                 // blocks
    std::set<std::string> deciding;                // ids, once it is finished
  };

  // Notes which matches of the block get their own page.
  void AddReplays(const NewestBlocks::Kept& kept, Added* added) const;

  const std::string title_;
  const size_t replays_;
  std::vector<Added> competitions_;  // newest first
  // The newest blocks of each bot, by name.
  std::map<std::string, NewestBlocks> by_bot_;
  NewestBlocks archive_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_SITE_CONTENTS_H_
