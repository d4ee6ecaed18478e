// Two bots in a match of a simulated host.
#ifndef REFEREE_TESTS_UNIT_HOST_DUEL_H_
#define REFEREE_TESTS_UNIT_HOST_DUEL_H_

#include "tests/support/memory_recorder.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {

// Two bots in a match that counts to `target`.
struct Duel : HostFixture {
  Guest ada = Come("ada");
  Guest bob = Come("bob");
  MatchId id;

  explicit Duel(int target = 6) : id(Create({"ada", "bob"}, target)) {}

  void BothReady() {
    Ready(id, ada);
    Ready(id, bob);
  }
  const MemoryRecorder::Match& recorded() const { return recorder.matches().at(id.text()); }
};

// Two ready bots in a match. Its records become durable only when the test says so.
struct SlowDisk {
  HostFixture hall;
  HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  MatchId id = hall.Create({"ada", "bob"});

  SlowDisk() {
    hall.Ready(id, ada);
    hall.Ready(id, bob);
  }
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_HOST_DUEL_H_
