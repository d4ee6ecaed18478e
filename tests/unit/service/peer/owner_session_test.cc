// Tests of which entries the owner admits, and of how such a stream ends.
#include "referee/service/peer/owner_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/unit/service/peer/owner_session_fixture.h"

namespace referee::service {
namespace {

using peer::v1::EntryItem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// --- The hello ---

TEST_F(OwnerSessionTest, AnEntryThatShowsTheSecretIsLetIn) {
  Begin();
  EXPECT_EQ(session_->entry(), "");
  SayHello("secret");
  EXPECT_THAT(entry_.Words(), ElementsAre("hello owner-1"));
  EXPECT_EQ(session_->entry(), "entry-1");
  EXPECT_EQ(entry_.finished, "");
}

TEST_F(OwnerSessionTest, AWrongSecretEndsTheStream) {
  for (const char* wrong : {"", "secre", "secret2", "Secret", "terces"}) {
    entry_.finished.clear();
    Begin();
    SayHello(wrong);
    EXPECT_EQ(entry_.finished, "UNAUTHENTICATED") << wrong;
    EXPECT_THAT(entry_.Words(), IsEmpty());
    Say(Came(kAlice, "alice"));
    EXPECT_FALSE(host_->connected("alice"));
  }
}

TEST_F(OwnerSessionTest, AFleetWithoutASecretLetsNobodyIn) {
  environment_.secret.clear();
  Begin();
  SayHello("");
  EXPECT_EQ(entry_.finished, "UNAUTHENTICATED");
}

TEST_F(OwnerSessionTest, NothingComesBeforeTheHelloAndNoneAfterIt) {
  const auto refuses = [this](auto say) {
    entry_.finished.clear();
    Begin();
    say();
    return entry_.finished == "INVALID_ARGUMENT";
  };
  EXPECT_TRUE(refuses([this] { Say(Came(kAlice, "alice")); }));
  EXPECT_TRUE(refuses([this] { Say(EntryItem()); }));
  EXPECT_TRUE(refuses([this] { session_->OnRead(peer::v1::AttachRequest(), clock_.Now()); }));
  EXPECT_TRUE(refuses([this] { SayHello("secret", ""); }));
  EXPECT_TRUE(refuses([this] { SayHello("secret", "owner-1"); })) << "its own name";
  EXPECT_TRUE(refuses([this] {
    SayHello("secret");
    SayHello("secret");
  }));
  EXPECT_FALSE(host_->connected("alice"));
}

// --- Bots ---

TEST_F(OwnerSessionTest, TheBotsOfAnEntryAreConnectedHere) {
  BeginWithBots();
  EXPECT_TRUE(host_->connected("alice"));
  EXPECT_TRUE(host_->connected("bob"));
  SaySimple(kAlice, [](EntryItem* item) { item->mutable_went(); });
  EXPECT_FALSE(host_->connected("alice"));
  EXPECT_TRUE(host_->connected("bob"));
  Say(Came(3, "alice", 2));
  EXPECT_TRUE(host_->connected("alice"));
}

TEST_F(OwnerSessionTest, WhatMakesNoSenseEndsTheStreamAndItsBotsWait) {
  std::vector<EntryItem> items(9);
  items[0] = Came(0, "carol");
  items[1] = Came(kAlice, "carol");
  items[2] = Came(7, "");
  items[3] = Came(7, std::string(limits::kMaxNameBytes + 1, 'x'));
  items[4] = Came(7, "carol", 0);
  items[5] = Came(7, "carol", std::numeric_limits<int64_t>::max());
  items[6] = Came(7, "carol");
  for (int i = 0; i <= limits::kMaxGamesInHello; ++i) items[6].mutable_came()->add_games("x");
  items[7].set_stream(99);
  items[7].mutable_went();
  items[8].set_stream(kAlice);
  items[8].mutable_said()->set_item("\xff\xff");
  for (size_t i = 0; i < items.size(); ++i) {
    if (session_ != nullptr) session_->OnDone();
    entry_.finished.clear();
    BeginWithBots();
    Say(items[i]);
    EXPECT_EQ(entry_.finished, "INVALID_ARGUMENT") << i;
    EXPECT_FALSE(host_->connected("alice"));
    EXPECT_FALSE(host_->connected("carol"));
  }
}

TEST_F(OwnerSessionTest, AnItemOfALaterVersionIsIgnored) {
  BeginWithBots();
  Say(EntryItem());
  SaySaid(kAlice, v1::BotItem());
  EXPECT_EQ(entry_.finished, "");
}

TEST_F(OwnerSessionTest, ABotSaysNothingButOfMatches) {
  BeginWithBots();
  v1::BotItem item;
  item.mutable_hello()->set_token("alice");
  SaySaid(kAlice, item);
  EXPECT_EQ(entry_.finished, "INVALID_ARGUMENT");
}

TEST_F(OwnerSessionTest, AnOlderConnectionDoesNotTakeOver) {
  Begin();
  SayHello("secret");
  Say(Came(1, "alice", 5));
  Say(Came(2, "alice", 4));
  SaySimple(2, [](EntryItem* item) { item->mutable_answered(); });
  SaySimple(2, [](EntryItem* item) { item->mutable_went(); });
  EXPECT_TRUE(host_->connected("alice")) << "by the first";
  Say(Came(3, "alice", 6));
  SaySimple(1, [](EntryItem* item) { item->mutable_went(); });
  EXPECT_TRUE(host_->connected("alice")) << "by the third";
  EXPECT_EQ(entry_.finished, "");
}

TEST_F(OwnerSessionTest, SaysWhenABotIsAskedForASignAndHearsOfIt) {
  BeginWithBots();
  host_->Ping("alice");
  EXPECT_THAT(entry_.Words(), ElementsAre("1 ping"));
  clock_.Advance(absl::Milliseconds(3));
  SaySimple(kAlice, [](EntryItem* item) { item->mutable_answered(); });
  EXPECT_EQ(entry_.finished, "");
}

TEST_F(OwnerSessionTest, PassesNoticesOnButNeitherTheFleetNorTheEndOfThisReferee) {
  BeginWithBots();
  host_->TellNotice("alice", "mend it");
  EXPECT_THAT(entry_.Words(), ElementsAre("1 notice mend it"));
  host_->SetFleet({"elsewhere:1"});
  host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_THAT(entry_.Words(), IsEmpty());
}

// --- The stream ---

TEST_F(OwnerSessionTest, SaysThatItIsThereOnceASecondIfItSaysNothingElse) {
  BeginWithBots();
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(entry_.Words(), IsEmpty()) << "it has said hello";
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(entry_.Words(), ElementsAre("alive"));
  host_->TellNotice("bob", "mend it");
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(entry_.Words(), ElementsAre("2 notice mend it"));
}

TEST_F(OwnerSessionTest, AnEntryThatIsSilentIsGone) {
  BeginWithBots();
  timers_.Advance(limits::kPeerSilence - absl::Milliseconds(1));
  Say(EntryItem());
  timers_.Advance(limits::kPeerSilence);
  EXPECT_EQ(entry_.finished, "");
  EXPECT_TRUE(host_->connected("alice"));
  timers_.Advance(limits::kPeerBeat * 2);
  EXPECT_EQ(entry_.finished, "UNAVAILABLE");
  EXPECT_FALSE(host_->connected("alice"));
}

TEST_F(OwnerSessionTest, AStandstillOfThisRefereeIsNoSilenceOfTheEntry) {
  BeginWithBots();
  clock_.Advance(absl::Seconds(30));
  timers_.Advance(absl::ZeroDuration());
  EXPECT_EQ(entry_.finished, "");
}

TEST_F(OwnerSessionTest, AStrangerThatSaysNothingIsNotKept) {
  Begin();
  timers_.Advance(limits::kPeerSilence + limits::kPeerBeat * 2);
  EXPECT_EQ(entry_.finished, "UNAVAILABLE");
  EXPECT_THAT(entry_.Words(), IsEmpty());
}

TEST_F(OwnerSessionTest, AStreamThatIsLostTakesItsBotsWithIt) {
  BeginWithBots();
  session_->OnDone();
  EXPECT_FALSE(host_->connected("alice"));
  EXPECT_FALSE(host_->connected("bob"));
  EXPECT_EQ(entry_.finished, "") << "nobody is there to be told";
  host_->TellNotice("alice", "too late");
  EXPECT_THAT(entry_.Words(), IsEmpty());
}

TEST_F(OwnerSessionTest, BotsOfALostStreamStandStillFromWhenTheEntryHeardOfThisRefereeLast) {
  BeginWithBots();
  clock_.Advance(absl::Seconds(3));
  const Instant reached = clock_.Now() + -absl::Seconds(2);
  EntryItem alive;
  alive.mutable_alive()->set_silence(absl::ToInt64Nanoseconds(absl::Seconds(2)));
  Say(alive);
  clock_.Advance(absl::Seconds(1));
  session_->OnDone();
  EXPECT_EQ(host_->FindBot("alice")->connection().entry_gone, reached);
}

TEST_F(OwnerSessionTest, ABotThatItsEntryAsksToRedialStandsStillFromThen) {
  BeginWithBots();
  SaySimple(kAlice, [](EntryItem* item) { item->mutable_went()->set_asked_to_redial(true); });
  EXPECT_EQ(host_->FindBot("alice")->connection().entry_gone, clock_.Now());
  SaySimple(kBob, [](EntryItem* item) { item->mutable_went(); });
  EXPECT_EQ(host_->FindBot("bob")->connection().entry_gone, Instant::InfiniteFuture());
}

TEST_F(OwnerSessionTest, AWriteThatFailsEndsTheStreamSoon) {
  BeginWithBots();
  entry_.ends_at_once = false;
  host_->TellNotice("alice", "mend it");
  entry_.EndWrite(false);
  timers_.Advance(limits::kPeerBeat);
  EXPECT_EQ(entry_.finished, "UNAVAILABLE");
  EXPECT_FALSE(host_->connected("alice"));
}

TEST_F(OwnerSessionTest, AnEntryThatDoesNotReadIsGivenUp) {
  BeginWithBots();
  entry_.ends_at_once = false;
  const std::string large(size_t{1} << 20, 'x');
  for (size_t bytes = 0; bytes <= limits::kMaxPeerBytes; bytes += large.size()) {
    Say(EntryItem());
    host_->TellNotice("alice", absl::StrCat(bytes, large));
  }
  timers_.Advance(limits::kPeerBeat);
  EXPECT_EQ(entry_.finished, "RESOURCE_EXHAUSTED");
  EXPECT_FALSE(host_->connected("alice"));
}

// --- Anything ---

class AnyItems {
 public:
  explicit AnyItems(std::string match) : match_(std::move(match)) {}

  uint64_t Pick(uint64_t most) { return random_() % (most + 1); }
  // An item that may make sense.
  EntryItem Next() {
    EntryItem item;
    item.set_stream(1 + Pick(2));
    switch (Pick(5)) {
      case 0:
        item.mutable_capacity()->set_max_matches(static_cast<uint32_t>(random_()));
        item.mutable_capacity()->set_taken_elsewhere(static_cast<uint32_t>(random_()));
        break;
      case 1:
        FillSaid(item.mutable_said());
        break;
      case 2:
        item.mutable_reserved()->set_number(Pick(20));
        break;
      case 3:
        item.mutable_slots_free()->set_slots(static_cast<uint32_t>(random_()));
        break;
      case 4:
        item.mutable_elapsed()->set_match_id(match_);
        if (Pick(1) == 0) item.mutable_elapsed()->set_elapsed(Nanos());
        item.mutable_elapsed()->set_waits(Pick(1) == 0);
        break;
      default:
        item.mutable_refused();
        break;
    }
    return item;
  }
  int64_t Nanos() { return static_cast<int64_t>(Pick(1) == 0 ? random_() : Pick(1'000'000)); }

 private:
  void FillSaid(peer::v1::BotSaid* out) {
    v1::BotItem said;
    if (Pick(1) == 0) {
      said.mutable_ready()->set_match_id(Pick(1) == 0 ? match_ : "none");
      said.mutable_ready()->set_nonce_hash(std::string(Pick(40), 'h'));
    } else {
      said.mutable_move()->set_match_id(match_);
      said.mutable_move()->set_turn(static_cast<uint32_t>(Pick(4)));
    }
    out->set_item(said.SerializeAsString());
    if (Pick(3) > 0) out->set_thought(Nanos());
    if (Pick(3) > 0) out->set_taken(Nanos());
    out->mutable_stalls()->set_total(Nanos());
    out->set_round_trip(Nanos());
  }

  const std::string match_;
  std::mt19937_64 random_{20};
};

TEST_F(OwnerSessionTest, NothingThatAnEntrySendsCrashesTheOwner) {
  for (int round = 0; round < 200; ++round) {
    if (session_ != nullptr) session_->OnDone();
    entry_.finished.clear();
    BeginWithBots();
    if (round % 2 == 0) BeginMatch();
    AnyItems any(id_);
    for (int i = 0; i < round; ++i) any.Next();
    for (uint64_t step = 0; step < 50 && entry_.finished.empty(); ++step) {
      Say(any.Pick(8) > 0 ? any.Next() : Came(3 + step, "alice", any.Nanos()));
      timers_.Advance(absl::Milliseconds(any.Pick(1'500)));
    }
    if (round % 2 == 0) host_->Cancel(MatchId::Parse(id_).value(), "enough").IgnoreError();
  }
}

}  // namespace
}  // namespace referee::service
