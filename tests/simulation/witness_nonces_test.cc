// Claims about what the witness holds to be true of nonces.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/signature_checker.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Hashes = std::vector<absl::optional<dice::NonceHash>>;

// A match with committed dice, of which both bots have told the hashes of their nonces.
struct CommittedMatch {
  EventQueue queue;
  Chronicle chronicle{&queue, nullptr};
  Witness witness{&queue, &chronicle, /*bots=*/2, SignatureChecker(std::array<uint8_t, 32>{})};
  match::Setup setup;
  Account* account;
  const Hashes hashes = {dice::HashNonce("ay"), dice::HashNonce("bee")};

  CommittedMatch() {
    const std::array<uint8_t, 10> random{};
    setup.id = MatchId::Make(queue.WallNow(), random.data());
    account = witness.OnCreated(setup.id, /*match=*/0, {0, 1});
    witness.OnOpened(setup);
    for (int seat = 0; seat < 2; ++seat) witness.OnReady(account, Seat(seat), hashes[seat]);
  }

  std::string Start(std::vector<std::string> nonces, Hashes written) {
    witness.OnFlushed(setup, match::Started{{}, std::move(nonces), std::move(written)});
    return chronicle.problem();
  }
};

TEST(WitnessOfNonces, IsContentWithHashesThatNoBotWasToldBeforeAResignationDecidedTheMatch) {
  EXPECT_THAT(CommittedMatch().Start({"", ""}, CommittedMatch().hashes), IsEmpty());
  EXPECT_THAT(CommittedMatch().Start({"", ""}, Hashes(2)), IsEmpty());
}

TEST(WitnessOfNonces, SeesAHashThatItsBotHasNotTold) {
  CommittedMatch match;
  EXPECT_THAT(match.Start({"", ""}, {match.hashes[1], match.hashes[0]}),
              HasSubstr("a hash was written that its bot has not told"));
}

TEST(WitnessOfNonces, SeesANonceThatWasRevealedBeforeTheHashesWereTold) {
  CommittedMatch match;
  EXPECT_THAT(match.Start({"ay", ""}, match.hashes), HasSubstr("had not revealed"));
}

TEST(WitnessOfNonces, SeesOtherHashesThanThoseThatWereTold) {
  CommittedMatch match;
  match.witness.OnToldHashes(match.account, Seat(0), match.hashes);
  EXPECT_THAT(match.Start({"", ""}, Hashes(2)), HasSubstr("are not those that were told"));
}

}  // namespace
}  // namespace referee::simulation
