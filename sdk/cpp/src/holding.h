// What one referee may take of a bot, and what it plays. Pure. Thread-compatible.
#ifndef REFEREE_SDK_SRC_HOLDING_H_
#define REFEREE_SDK_SRC_HOLDING_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "sdk/cpp/src/places.h"

namespace referee::sdk {

// Streams have numbers, from 1; one is open at a time.
class Holding {
 public:
  // How many matches it plays, as far as is known.
  size_t matches() const { return matches_.size(); }
  // What it may take at most, or plays.
  Share held() const;

  // A stream is opened, whose Hello says `share`.
  void Opened(const Share& share);
  // The referee gives no more than that.
  void Welcomed(int max_matches);
  // Notes that `share` is to hold from now on; returns whether it has to be said.
  bool Say(const Share& share);
  // The referee holds to the next of what was said.
  void Answered();
  // The stream has ended: what it plays goes on.
  void Closed();

  // A match is told on a stream. Returns those that must be over: a match that ended while the link
  // was lost is not told again, and when there would be more matches than the referee may take,
  // those that were not told on this stream must be such.
  std::vector<std::string> Begun(const std::string& match_id, uint64_t stream);
  void Ended(const std::string& match_id);
  // Drops the matches that were not told on that stream, and returns them.
  std::vector<std::string> ForgetAllBut(uint64_t stream);

 private:
  // How many matches it may begin.
  int places() const;
  void NoteTurns();

  // What was said on the open stream: the first holds, the others were not answered yet.
  std::deque<Share> said_;
  absl::optional<int> given_;  // of the first: as many matches as Welcome said
  int turns_ = 0;              // the most that it might take since it last played nothing
  std::map<std::string, uint64_t> matches_;  // with the stream on which each was last told of
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_HOLDING_H_
