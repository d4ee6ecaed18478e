// What this program would do with a data directory and its store, if a referee were started there:
// for whoever is about to upgrade, or to go back. It looks only, so it may run beside a referee.
#ifndef REFEREE_NODE_START_CHECK_H_
#define REFEREE_NODE_START_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "referee/store/place.h"

namespace referee::node {

struct StartCheck {
  enum class Would {
    kUse,       // as it is
    kMake,      // there is none yet
    kSetAside,  // give up what it does not know (--set-aside-unknown), or a log that was copied
    kRefuse,    // to start
  };

  struct Part {
    std::string name;   // "store"
    std::string where;  // a file or folder of the data directory, or a database
    int64_t files = 0;
    int64_t found = 0;  // the version; of several files the highest; 0: none
    int64_t known = 0;  // that this program writes; 0: it has none
    Would would = Would::kUse;
    std::string detail;  // of what is refused or set aside: why, and what to do
  };

  std::vector<Part> parts;
  // A referee runs there now: it is to be stopped before.
  bool in_use = false;
  // What would go on: of competitions' blocks, those that this referee has begun.
  int64_t open_matches = 0;
  int64_t open_blocks = 0;
  // What else there is: matches that are over and would be archived, or are damaged and would be
  // set aside; blocks that others have begun, which are played by them, or claimed from them.
  int64_t over_matches = 0;
  int64_t damaged_matches = 0;
  int64_t blocks_of_others = 0;
  // What of the archive is torn or damaged, and where. A start cuts torn ends off.
  std::vector<std::string> archive_problems;

  bool ready() const;
};

// "use", "make", "set aside", "refuse".
std::string WouldText(StartCheck::Would would);

// Changes nothing. `set_aside_unknown`: as NodeOptions has it.
StartCheck CheckStart(const store::Place& place, bool set_aside_unknown);

}  // namespace referee::node

#endif  // REFEREE_NODE_START_CHECK_H_
