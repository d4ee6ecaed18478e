// Which daemon of a fleet is to take which competition as its home, as each daemon finds by itself
// from what the store says. Nobody decides that for all: the store gives each home to one. Pure:
// the time is passed in.
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

// The owners in the order in which they are to take a competition of this name: a rendezvous hash,
// the same wherever it is asked. One more owner, or one less, moves no other two.
std::vector<std::string> HomeOrder(absl::string_view competition, std::vector<std::string> owners);

// The daemon that is the home of the competition, or gives it up; null: there is none.
const store::Daemon* HomeOf(const store::Competition& competition,
                            absl::Span<const store::Daemon> daemons);

// The daemons that help the home of the competition, which it gives blocks to play: of those that
// stay, and say where bots dial them, the first of HomeOrder beside the home, as many as
// make spec.homes with it. None while there is no home.
std::vector<const store::Daemon*> HelpersOf(const store::Competition& competition,
                                            absl::Span<const store::Daemon> daemons);

// Where a competition lives. Only its home begins blocks and counts them, and judges who is away. A
// daemon that helps it plays those that the home begins for it, and hands back what cannot be
// played there; any other ends what it has begun, and hands over what is not being played.
struct Home {
  bool here = true;
  std::string owner = {};    // of another daemon; empty: it is here, or nobody knows where
  std::string address = {};  // of that one; empty: the same, or it has not said so
  bool helps = false;        // this daemon does, and the home is another

  friend bool operator==(const Home& a, const Home& b) {
    return a.here == b.here && a.owner == b.owner && a.address == b.address && a.helps == b.helps;
  }
  friend bool operator!=(const Home& a, const Home& b) { return !(a == b); }
};

// Where bots dial the daemons that stay, but for the one of this name, sorted.
std::vector<std::string> OthersOf(absl::string_view owner, absl::Span<const store::Daemon> daemons);

// As the daemon of this name sees it.
Home HomeFor(absl::string_view owner, const store::Competition& competition,
             absl::Span<const store::Daemon> daemons);

// Thread-compatible.
class Homes {
 public:
  // Of the daemon of this name.
  explicit Homes(std::string owner) : owner_(std::move(owner)) {}

  // Those of the competitions that it is to take now: that are free, and whose turn this daemon is.
  // It is at once if it is the first of those that stay (store::Daemon), and later if those before
  // it do not take it. Daemons that can begin no match take part only while no other one can.
  // `draining`: it takes none.
  std::vector<store::CompetitionId> ToTake(absl::Span<const store::Competition> competitions,
                                           absl::Span<const store::Daemon> daemons, bool draining,
                                           Instant now);
  // When ToTake is to be asked again at the latest, as far as its last answer goes.
  Instant asks_again() const { return asks_again_; }

 private:
  const std::string owner_;
  std::map<store::CompetitionId, Instant> free_since_;  // as seen here
  Instant asks_again_ = Instant::InfiniteFuture();
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_HOMES_H_
