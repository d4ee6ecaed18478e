// Chooses the referee of a fleet that takes over each competition.
//
// Each referee decides for itself from the state of the store; no coordinator exists. The store
// grants each competition to one owner. Pure: the time is passed in.
#ifndef REFEREE_COMPETITION_HOMES_H_
#define REFEREE_COMPETITION_HOMES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/store/store.h"

namespace referee::competition {

// Returns the owners in the order in which they take over a competition: a rendezvous hash, equal
// on every referee. Adding or removing an owner does not reorder the others.
std::vector<std::string> HomeOrder(absl::string_view competition, std::vector<std::string> owners);

// Returns the owner of the competition, also while it hands over; null without an owner.
const store::Daemon* HomeOf(const store::Competition& competition,
                            absl::Span<const store::Daemon> daemons);

// Returns the helpers of a competition: referees that play blocks for its owner. They are the first
// in HomeOrder, other than the owner, that stay (store::Daemon::stays) and have an address. At most
// spec.homes - 1; none while the competition has no owner.
std::vector<const store::Daemon*> HelpersOf(const store::Competition& competition,
                                            absl::Span<const store::Daemon> daemons);

// The owner of a competition, as seen by this referee. Only the owner begins blocks, counts them
// and judges absences. A helper plays the blocks that the owner begins for it, and hands back those
// that it cannot play. Any other referee finishes the blocks that it has begun, and hands over
// blocks that are not being played.
struct Home {
  bool here = true;          // this referee is the owner
  std::string owner = {};    // another owner; empty: this referee, or unknown
  std::string address = {};  // of another owner; empty: this referee, or not announced
  bool helps = false;        // this referee helps another owner

  friend bool operator==(const Home& a, const Home& b) {
    return a.here == b.here && a.owner == b.owner && a.address == b.address && a.helps == b.helps;
  }
  friend bool operator!=(const Home& a, const Home& b) { return !(a == b); }
};

// Returns the addresses of the referees that do not drain, except `owner`, sorted.
std::vector<std::string> OthersOf(absl::string_view owner, absl::Span<const store::Daemon> daemons);

// Returns the Home as the referee named `owner` sees it.
Home HomeFor(absl::string_view owner, const store::Competition& competition,
             absl::Span<const store::Daemon> daemons);

// Thread-compatible.
class Homes {
 public:
  // `owner` names this referee.
  explicit Homes(std::string owner) : owner_(std::move(owner)) {}

  // Returns the competitions that this referee takes over now: it is its turn, and their owner is
  // gone, drains or can begin no match. The first referee in HomeOrder that stays (store::Daemon)
  // takes them at once, the next ones later. Referees that can begin no match take part only while
  // no other can. With `draining`, returns none.
  std::vector<store::CompetitionId> ToTake(absl::Span<const store::Competition> competitions,
                                           absl::Span<const store::Daemon> daemons, bool draining,
                                           Instant now);
  // When to call ToTake again at the latest, according to its last answer.
  Instant asks_again() const { return asks_again_; }

 private:
  const std::string owner_;
  std::map<store::CompetitionId, Instant> free_since_;  // as seen by this referee
  Instant asks_again_ = Instant::InfiniteFuture();
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_HOMES_H_
