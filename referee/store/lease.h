// Leases, which assign blocks to the daemons that share a store. Plain values.
#ifndef REFEREE_STORE_LEASE_H_
#define REFEREE_STORE_LEASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::store {

// The right of a daemon to change blocks. A daemon has one lease at a time. A lease ends when
// another daemon claims its blocks, and is never valid again: the next one of this owner has
// another term.
struct Lease {
  std::string owner;  // a run of a daemon, with a random name
  int64_t term = 0;   // given by the store, from 1, never twice

  friend bool operator==(const Lease& a, const Lease& b) {
    return a.owner == b.owner && a.term == b.term;
  }
  friend bool operator!=(const Lease& a, const Lease& b) { return !(a == b); }
};

// A daemon whose lease lasts.
struct Daemon {
  std::string owner;
  int64_t term = 0;          // of its lease
  absl::Duration remaining;  // until the lease lapses, by the store's clock; above zero
  std::string address;       // where bots connect to it; empty: not announced
  bool draining = false;     // it takes no competitions, and gives up its own
  bool unable = false;       // it can begin no match for now: as draining, if another one can

  // Returns whether it keeps its competitions.
  bool stays() const { return !draining && !unable; }
};

// The last offer of a helper to a competition (Competition::spec, homes): a hint of its capacity.
struct Help {
  std::string owner;        // the helper
  int blocks = 0;           // that it can play at once for this competition
  std::vector<int> places;  // by entrant: matches that it can play there at once; missing: none
};

// An owner of a lease or of RUNNING blocks.
struct LeaseHolder {
  std::string owner;
  // Time until the lease lapses by the store's clock; zero or less: it lapsed that long ago. Not
  // set: there is no lease, and any daemon may claim the blocks.
  absl::optional<absl::Duration> remaining;
  int64_t term = 0;                              // of that lease; 0 without one
  int64_t open_blocks = 0;                       // RUNNING blocks that it owns
  int64_t competitions = 0;                      // number of competitions of these blocks
  absl::optional<absl::Time> oldest_begin_time;  // of these blocks; not set: there are none
  std::string address = {};                      // as in Daemon; also of a lapsed lease
  bool draining = false;                         // as in Daemon; also of a lapsed lease
  bool unable = false;                           // as in Daemon; also of a lapsed lease
  std::vector<std::string> homes = {};           // names of its unfinished competitions, in order
  std::vector<std::string> helps = {};  // names of unfinished competitions to which it offers help
};

}  // namespace referee::store

#endif  // REFEREE_STORE_LEASE_H_
