// Leases, by which daemons that share a store know whose a block is. Plain values.
#ifndef REFEREE_STORE_LEASE_H_
#define REFEREE_STORE_LEASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::store {

// What lets a daemon change blocks. A daemon has one lease at a time. It ends when another daemon
// claims what it left, and then never holds again: the next one of this owner has another term.
struct Lease {
  std::string owner;  // an instance of a daemon: named at random whenever one starts
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
  absl::Duration remaining;  // of that, by the store's clock; above zero
  std::string address;       // where bots dial it; empty: it has not said so
  bool draining = false;     // it takes no home, and gives up those that it has
  bool unable = false;       // it can begin no match for now: the same, if another one can

  // Whether it keeps the homes that it has.
  bool stays() const { return !draining && !unable; }
};

// What a helper of a competition (Competition::spec, homes) has room for, as it said last: a hint.
struct Help {
  std::string owner;        // the helper
  int blocks = 0;           // that it may play at once for this competition
  std::vector<int> places;  // by entrant: matches of this competition that it may play there at
                            // once; entrants beyond its end have none
};

// Who has a lease, or has begun blocks that are RUNNING.
struct LeaseHolder {
  std::string owner;
  // What is left of the lease by the store's clock; zero or less: it lapsed that long ago. Not set:
  // there is none, and the blocks are anybody's to claim.
  absl::optional<absl::Duration> remaining;
  int64_t term = 0;                              // of that lease; 0 without one
  int64_t open_blocks = 0;                       // RUNNING ones that are its own
  int64_t competitions = 0;                      // in which these are
  absl::optional<absl::Time> oldest_begin_time;  // of these; not set: there are none
  std::string address = {};                      // as in Daemon; of a lease that has lapsed, too
  bool draining = false;                         // the same
  bool unable = false;                           // the same
  std::vector<std::string> homes = {};  // names of the competitions that are not FINISHED and whose
                                        // home_term is `term`, in order
  std::vector<std::string> helps = {};  // of those to which it offers help, the same
};

}  // namespace referee::store

#endif  // REFEREE_STORE_LEASE_H_
