// Reports what a referee started on a data directory and its store would do (--check).
//
// It serves operators before an upgrade or a downgrade. It changes nothing, so it may run beside a
// referee.
#ifndef REFEREE_NODE_START_CHECK_H_
#define REFEREE_NODE_START_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "referee/store/place.h"

namespace referee::node {

struct StartCheck {
  enum class Would {
    kUse,       // use the data as it is
    kMake,      // create it: it does not exist yet
    kSetAside,  // quarantine unknown data (--set-aside-unknown) or a copied log
    kRefuse,    // refuse to start
  };

  struct Part {
    std::string name;   // "store"
    std::string where;  // a file or folder of the data directory, or a database
    int64_t files = 0;
    int64_t found = 0;  // the version; the highest of several files; 0: none
    int64_t known = 0;  // the version that this program writes; 0: no version
    Would would = Would::kUse;
    std::string detail;  // if refused or quarantined: the reason and the remedy
  };

  std::vector<Part> parts;
  // A referee is using the data directory; stop it first.
  bool in_use = false;
  // What would resume: open matches, and open blocks of this referee.
  int64_t open_matches = 0;
  int64_t open_blocks = 0;
  // Other findings: ended matches to archive, damaged matches to quarantine, and open blocks of
  // other referees.
  int64_t over_matches = 0;
  int64_t damaged_matches = 0;
  int64_t blocks_of_others = 0;
  // Torn or damaged places in the archive. A start cuts torn ends off.
  std::vector<std::string> archive_problems;

  bool ready() const;
};

// Returns "use", "make", "set aside" or "refuse".
std::string WouldText(StartCheck::Would would);

// Changes nothing. `set_aside_unknown`: as in NodeOptions.
StartCheck CheckStart(const store::Place& place, bool set_aside_unknown);

}  // namespace referee::node

#endif  // REFEREE_NODE_START_CHECK_H_
