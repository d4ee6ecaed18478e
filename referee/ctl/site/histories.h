// How the ratings of a competition's bots went, reckoned anew from its blocks as the referee
// reckons them (rating/rating.h). Thread-compatible.
#ifndef REFEREE_CTL_SITE_HISTORIES_H_
#define REFEREE_CTL_SITE_HISTORIES_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proto/referee/v1/competition.pb.h"
#include "proto/referee/v1/site.pb.h"
#include "referee/rating/rating.h"

namespace referee::ctl {

class Histories {
 public:
  // The most points of a history; of more blocks every second is left out, and so on.
  static constexpr size_t kMaxPoints = 120;

  // Takes the next block, in order of their numbers. From the first one on that is still played
  // none counts.
  void Add(const v1::Block& block);

  // Of a bot in a version, with its last point always; without points if it has played no block
  // that counts.
  v1::RatingHistory Of(const std::string& bot, const std::string& version) const;

 private:
  using Key = std::pair<std::string, std::string>;  // the bot and its version
  struct Line {
    rating::Rating rating;
    uint32_t season = 1;
    uint64_t blocks = 0;
    uint64_t every = 1;  // a point after so many of its blocks
    std::vector<v1::RatingPoint> points;
    v1::RatingPoint last;
  };

  Line* LineOf(const Key& key, uint32_t season);

  std::map<Key, Line> lines_;
  std::map<std::string, std::string> versions_;  // the last that a bot was seen with
  uint64_t counted_ = 0;
  bool open_ = false;  // a block before the next is still played: what follows does not count yet
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_SITE_HISTORIES_H_
