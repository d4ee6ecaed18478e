// Claims about bots that want other dice than chance gives them: whatever they do with their
// nonces, they do not choose, and who does not play along loses its own match.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/dice/dice.h"
#include "tests/contract/raw_bot.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/open_stream.h"

namespace referee::end_to_end {
namespace {

using testing::NonceFor;
using testing::ReadyFor;
using testing::ResignFrom;
using Kind = v1::RefereeItem::KindCase;

// Mallory, in seat 0, and mallet, who is fair here, in a match whose start they were told.
class HostileDice : public ::testing::Test {
 protected:
  HostileDice() {
    mallory_ = std::make_unique<OpenStream>(venue_.NewChannel(), kMallory);
    mallet_ = std::make_unique<OpenStream>(venue_.NewChannel(), kMallet);
    match_id_ = Create();
    commitment_ = Next(mallory_.get(), Kind::kMatchStart).match_start().match().commitment();
    Next(mallet_.get(), Kind::kMatchStart);
  }

  // A match with committed dice and two seconds to be ready.
  std::string Create() {
    v1::CreateMatchRequest request;
    request.mutable_options()->mutable_hypnosia();
    request.add_bots(kMallory);
    request.add_bots(kMallet);
    request.mutable_time_control()->mutable_per_move()->set_seconds(30);
    request.mutable_time_control()->mutable_ready()->set_seconds(2);
    return venue_.Create(request);
  }
  // The next item of this kind, or the first turn, which comes instead where nonces count at once.
  v1::RefereeItem Next(OpenStream* bot, Kind kind) {
    std::vector<v1::RefereeItem>& heard = heard_[bot == mallory_.get() ? 0 : 1];
    v1::PlayResponse message;
    for (;;) {
      while (!heard.empty()) {
        const v1::RefereeItem item = heard.front();
        heard.erase(heard.begin());
        if (item.kind_case() == kind || item.has_turn_request()) return item;
      }
      if (!bot->Hear(&message)) return {};
      heard.assign(message.items().begin(), message.items().end());
    }
  }
  // Both are ready, and are asked for their nonces.
  void TellHashes() {
    mallet_->Say({ReadyFor(match_id_, "fair")});
    mallory_->Say({ReadyFor(match_id_, "told")});
    ASSERT_TRUE(Next(mallory_.get(), Kind::kRevealNonce).has_reveal_nonce());
    ASSERT_TRUE(Next(mallet_.get(), Kind::kRevealNonce).has_reveal_nonce());
  }

  HostileFixture venue_;
  std::unique_ptr<OpenStream> mallory_;
  std::unique_ptr<OpenStream> mallet_;
  std::vector<v1::RefereeItem> heard_[2];
  std::string match_id_;
  std::string commitment_;
};

TEST_F(HostileDice, BotThatWaitsForTheOthersNoncesCannotChooseItsOwn) {
  TellHashes();
  mallet_->Say({NonceFor(match_id_, "fair")});
  // As if she had seen it now, mallory would rather have another one.
  mallory_->Say({ReadyFor(match_id_, "chosen"), NonceFor(match_id_, "chosen")});
  EXPECT_EQ(Next(mallory_.get(), Kind::kFault).fault().kind(), v1::FAULT_KIND_UNEXPECTED_READY);
  EXPECT_EQ(Next(mallory_.get(), Kind::kFault).fault().kind(), v1::FAULT_KIND_WRONG_NONCE);
  mallory_->Say({NonceFor(match_id_, "told"), ResignFrom(match_id_)});
  const v1::Verdict verdict = venue_.WaitForVerdict(match_id_);
  ASSERT_EQ(verdict.nonces_size(), 2);
  EXPECT_EQ(verdict.nonces(0), "told");
  EXPECT_EQ(verdict.nonces(1), "fair");
  const auto seed = dice::FromRaw(verdict.seed());
  ASSERT_TRUE(seed.has_value());
  EXPECT_EQ(dice::Raw(dice::Commit(dice::Seed{*seed})), commitment_);
}

TEST_F(HostileDice, NonceThatDoesNotFitItsHashIsRefused) {
  TellHashes();
  mallory_->Say({NonceFor(match_id_, "another")});
  EXPECT_EQ(Next(mallory_.get(), Kind::kFault).fault().kind(), v1::FAULT_KIND_WRONG_NONCE);
  mallet_->Say({NonceFor(match_id_, "fair")});
  const v1::Verdict verdict = venue_.WaitForVerdict(match_id_);
  ASSERT_EQ(verdict.ranks_size(), 2);
  EXPECT_EQ(verdict.ranks(0), 2u);
  EXPECT_EQ(verdict.nonces(0), "");
}

TEST_F(HostileDice, BotThatDoesNotRevealIsNotReady) {
  TellHashes();
  mallet_->Say({NonceFor(match_id_, "fair")});
  const v1::Verdict verdict = venue_.WaitForVerdict(match_id_);
  ASSERT_EQ(verdict.forfeits_size(), 1);
  EXPECT_EQ(verdict.forfeits(0).seat(), 0u);
  EXPECT_EQ(verdict.forfeits(0).cause(), v1::FORFEIT_CAUSE_TIMEOUT);
  EXPECT_EQ(verdict.nonces(1), "fair");
}

TEST_F(HostileDice, BotThatNeverTellsAHashDoesNotKeepTheOthersFromTheirs) {
  mallet_->Say({ReadyFor(match_id_, "fair")});
  mallory_->Say({ReadyFor(match_id_, absl::nullopt)});
  EXPECT_EQ(Next(mallory_.get(), Kind::kFault).fault().kind(), v1::FAULT_KIND_WRONG_NONCE);
  ASSERT_TRUE(Next(mallet_.get(), Kind::kRevealNonce).has_reveal_nonce());
  mallet_->Say({NonceFor(match_id_, "fair")});
  const v1::Verdict verdict = venue_.WaitForVerdict(match_id_);
  ASSERT_EQ(verdict.forfeits_size(), 1);
  EXPECT_EQ(verdict.forfeits(0).seat(), 0u);
}

}  // namespace
}  // namespace referee::end_to_end
