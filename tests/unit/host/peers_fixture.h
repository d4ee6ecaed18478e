// A host in a fleet: bots that are connected to other referees, and owners elsewhere.
#ifndef REFEREE_TESTS_UNIT_HOST_PEERS_FIXTURE_H_
#define REFEREE_TESTS_UNIT_HOST_PEERS_FIXTURE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/relayed_fake_link.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {

// Ignores all calls.
class SilentRelay final : public host::Relay {
 public:
  void Said(absl::string_view, std::string, const host::Measured&) override {}
  void Flush() override {}
};

struct PeersFixture : HostFixture {
  using HostFixture::HostFixture;

  struct Relayed {
    std::shared_ptr<RelayedFakeLink> link;
    std::shared_ptr<host::Bot> bot;

    Guest guest() const { return {nullptr, bot}; }
  };

  // Connects the bot through another referee.
  Relayed ComeVia(absl::string_view name, int max_matches = 1) {
    auto link = std::make_shared<RelayedFakeLink>(&clock);
    host::Hello hello;
    hello.max_matches = max_matches;
    return {link, host->Attach(name, link, hello).value()};
  }
  // Creates a match with pinned dice, so that no bot is asked for a nonce.
  MatchId CreatePinned(std::vector<std::string> bots, int target = 6) {
    host::MatchRequest request = Request(std::move(bots), target);
    request.dice_source.pinned_number = 7;
    return host->Create(request, "").value();
  }
  bool HasBegun(const MatchId& id) const { return host->Find(id)->begun(); }

  // Reserves slots for `owner`. Its oldest match that waits for the bot is `oldest`, or else the
  // first of the new matches. `freed` receives the numbers of slots that become free later.
  bool Reserve(const std::string& bot, int matches, const std::shared_ptr<host::Relay>& owner,
               const MatchId& oldest = MatchId()) {
    std::vector<MatchId> ids;
    for (int i = 0; i < matches; ++i) {
      const uint8_t random[10] = {0xee, static_cast<uint8_t>(++reserved_)};
      ids.push_back(MatchId::Make(clock.WallNow(), random));
    }
    last_reserved = ids.back();
    return host->ReserveSlots(bot, {ids, "counting", oldest.text().empty() ? ids.front() : oldest},
                              owner, [this](int slots) { freed.push_back(slots); });
  }

  MatchId last_reserved;
  std::vector<int> freed;

 private:
  int reserved_ = 0;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_HOST_PEERS_FIXTURE_H_
