// Claims about bots that mean harm: the honest match beside them ends normally, whatever they do,
// and they get what they deserve.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/byte_stream.h"
#include "tests/contract/raw_bot.h"
#include "tests/end_to_end/hostile/field_extremes.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/open_stream.h"

namespace referee::end_to_end {
namespace {

using Over = std::function<bool()>;
using testing::HelloAs;
using testing::MoveIn;
using testing::NonceFor;
using testing::PongTo;
using testing::ReadyFor;
using testing::ResignFrom;

constexpr absl::Duration kPerMove = absl::Seconds(5);

class Hostile : public ::testing::Test {
 protected:
  // Mallory answers her turns in matches with mallet, an honest sample bot, and adds `more`.
  void PlayWithMallet(const Over& over, const OpenStream::More& more) {
    while (!over()) {
      OpenStream mallory(venue_.NewChannel(), kMallory);
      const std::string match_id = venue_.Create({kMallory, kMallet}, kPerMove);
      mallory.Play(over, more);
    }
  }
  // Mallory has a match with mallet in which she owes a move, so that she is listened to. Null if
  // the daemon does not let her in.
  std::unique_ptr<OpenStream> OweAMove(absl::Duration per_move, uint32_t tries = 1) {
    auto mallory = std::make_unique<OpenStream>(venue_.NewChannel(), kMallory);
    v1::PlayResponse heard;
    if (!mallory->Hear(&heard)) return nullptr;
    match_id_ = venue_.Create({kMallory, kMallet}, per_move, tries);
    do {
      for (const v1::RefereeItem& item : heard.items()) {
        if (item.has_match_start()) {
          mallory->Say({ReadyFor(item.match_start().match().match_id())});
        }
        if (item.has_reveal_nonce()) mallory->Say({NonceFor(item.reveal_nonce().match_id())});
        if (!item.has_turn_request()) continue;
        turn_ = item.turn_request().turn();
        return mallory;
      }
    } while (mallory->Hear(&heard));
    return nullptr;
  }
  // Why mallory is out of the match of OweAMove.
  v1::ForfeitCause CauseOfDefeat() {
    const v1::Verdict verdict = venue_.WaitForVerdict(match_id_);
    EXPECT_EQ(verdict.forfeits_size(), 1);
    if (verdict.forfeits_size() != 1) return v1::FORFEIT_CAUSE_UNSPECIFIED;
    EXPECT_EQ(verdict.forfeits(0).seat(), 0u);
    return verdict.forfeits(0).cause();
  }

  HostileFixture venue_;
  std::string match_id_;
  uint32_t turn_ = 0;  // that mallory owes
};

TEST_F(Hostile, StreamsThatNeverSayHelloAreEndedInTime) {
  venue_.PlayBeside([&](const Over&) {
    std::vector<std::unique_ptr<OpenStream>> silent;
    for (int i = 0; i < 50; ++i)
      silent.push_back(std::make_unique<OpenStream>(venue_.NewChannel()));
    for (const auto& stream : silent) {
      EXPECT_EQ(stream->End().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
    }
  });
}

// Floods from a bot that owes a move: one that owes none is hardly listened to.
TEST_F(Hostile, FloodsOfEmptyMessagesAreCut) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over& over) {
    while (!over()) {
      const std::unique_ptr<OpenStream> mallory = OweAMove(kPerMove);
      while (!over() && mallory != nullptr && mallory->Say(v1::PlayRequest())) continue;
    }
  });
}

TEST_F(Hostile, FloodsOfFaultsAreCut) {
  venue_.PlayBeside([&](const Over& over) {
    v1::PlayRequest faults;
    for (int i = 0; i < 100; ++i) *faults.add_items() = MoveIn("no such match", 1, "-");
    while (!over()) {
      OpenStream mallory(venue_.NewChannel(), kMallory);
      std::thread hears([&] { mallory.End(); });
      while (!over() && mallory.Say(faults)) continue;
      mallory.SayLast();
      hears.join();
    }
  });
}

TEST_F(Hostile, MessagesOfFourMebibytesAreRefused) {
  venue_.PlayBeside([&](const Over& over) {
    const std::string huge(4 << 20, 'x');
    while (!over()) {
      testing::ByteStream mallory(venue_.NewChannel(), "/referee.v1.BotService/Play");
      mallory.Write(huge);
      // Who says nothing else is cut off, perhaps before the answer, and then not let in any more.
      const grpc::StatusCode code = mallory.End().error_code();
      EXPECT_TRUE(code == grpc::StatusCode::RESOURCE_EXHAUSTED ||
                  code == grpc::StatusCode::UNAVAILABLE)
          << code;
    }
  });
}

TEST_F(Hostile, OldMovesAreNotPlayedAgain) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over& over) {
    v1::PlayRequest said;
    PlayWithMallet(over, [&](const v1::TurnRequest& asked, v1::PlayRequest* answer) {
      const v1::BotItem now = answer->items(answer->items_size() - 1);
      for (const v1::BotItem& old : said.items()) *answer->add_items() = old;
      *said.add_items() = now;
      if (asked.turn() < 3) said.Clear();
    });
  });
}

TEST_F(Hostile, TurnsOfOtherSeatsAreNotAnsweredForThem) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over& over) {
    PlayWithMallet(over, [&](const v1::TurnRequest& asked, v1::PlayRequest* answer) {
      for (uint32_t ahead = 1; ahead < 4; ++ahead) {
        *answer->add_items() = MoveIn(asked.match_id(), asked.turn() + ahead, asked.legal_moves(0));
      }
    });
  });
}

TEST_F(Hostile, StormsOfReconnectionsAreHeldOff) {
  venue_.PlayBeside([&](const Over& over) {
    std::vector<std::thread> storm;
    for (int i = 0; i < 2; ++i) {
      storm.emplace_back([&] {
        // A connection each, as from a program that is started again and again.
        while (!over()) {
          OpenStream mallory(venue_.NewChannel(), kMallory);
          v1::PlayResponse answer;
          mallory.Hear(&answer);
        }
      });
    }
    for (std::thread& thread : storm) thread.join();
  });
}

TEST_F(Hostile, AThousandStreamsLeaveRoomForOthers) {
  venue_.PlayBeside([&](const Over& over) {
    std::vector<std::unique_ptr<OpenStream>> streams;
    std::shared_ptr<grpc::Channel> channel;
    for (int i = 0; i < 1'000; ++i) {
      if (i % 100 == 0) channel = venue_.NewChannel();
      streams.push_back(i % 2 == 0 ? std::make_unique<OpenStream>(channel)
                                   : std::make_unique<OpenStream>(channel, kMallory));
    }
    Eventually(over);
  });
}

TEST_F(Hostile, BotsThatStopReadingAreCut) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over& over) {
    v1::PlayRequest provoking;
    for (int i = 0; i < 500; ++i) *provoking.add_items() = ResignFrom("no such match");
    while (!over()) {
      const std::unique_ptr<OpenStream> mallory = OweAMove(kPerMove);
      while (!over() && mallory != nullptr && mallory->Say(provoking)) continue;
    }
  });
}

TEST_F(Hostile, ABotThatIsStoppedLosesOnTime) {
  venue_.StartBot(kMallet);
  const pid_t mallory = venue_.StartBot(kMallory);
  venue_.AwaitBots({kMallory, kMallet});
  kill(mallory, SIGSTOP);
  match_id_ = venue_.Create({kMallory, kMallet}, absl::Seconds(1));
  venue_.PlayBeside([&](const Over&) { EXPECT_EQ(CauseOfDefeat(), v1::FORFEIT_CAUSE_TIMEOUT); });
  kill(mallory, SIGKILL);
}

TEST_F(Hostile, ABotThatHalfClosesLosesItsMatchAlone) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over&) {
    const std::unique_ptr<OpenStream> mallory = OweAMove(absl::Seconds(1));
    ASSERT_NE(mallory, nullptr);
    mallory->SayLast();
    EXPECT_TRUE(mallory->End().ok());
    EXPECT_EQ(CauseOfDefeat(), v1::FORFEIT_CAUSE_DISCONNECTED);
  });
}

TEST_F(Hostile, LiesAboutPingsAreFaults) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over& over) {
    uint64_t number = 0;
    PlayWithMallet(over, [&](const v1::TurnRequest&, v1::PlayRequest* answer) {
      for (int i = 0; i < 10; ++i) *answer->add_items() = PongTo(number += 7);
      *answer->add_items() = PongTo(UINT64_MAX);
    });
  });
}

TEST_F(Hostile, FieldsOutOfRangeHarmNobody) {
  venue_.StartBot(kMallet);
  venue_.PlayBeside([&](const Over&) {
    // In place of a hello: each ends the stream.
    v1::PlayRequest greeting;
    int streams = 0;
    const auto channel = venue_.NewChannel();
    ForEachExtreme(greeting, greeting.add_items(), 1,
                   [&](const google::protobuf::Message& message) {
                     OpenStream nobody(channel);
                     nobody.Say(static_cast<const v1::PlayRequest&>(message));
                     EXPECT_FALSE(nobody.End().ok());
                     ++streams;
                   });
    EXPECT_GT(streams, 30);
    // After it, while a move is owed that may be tried again, and when it is so no more.
    std::unique_ptr<OpenStream> mallory = OweAMove(absl::Seconds(30), /*tries=*/50);
    ASSERT_NE(mallory, nullptr);
    v1::PlayRequest request;
    v1::MoveReply* const reply = request.add_items()->mutable_move();
    reply->set_match_id(match_id_);
    reply->set_turn(turn_);
    int messages = 0;
    ForEachExtreme(request, reply->mutable_move(), 6,
                   [&](const google::protobuf::Message& message) {
                     mallory->Say(static_cast<const v1::PlayRequest&>(message));
                     ++messages;
                   });
    EXPECT_GT(messages, 50);
    EXPECT_EQ(CauseOfDefeat(), v1::FORFEIT_CAUSE_ILLEGAL);
    ForEachExtreme(request, request.mutable_items(0), 2,
                   [&](const google::protobuf::Message& message) {
                     mallory->Say(static_cast<const v1::PlayRequest&>(message));
                   });
  });
}

}  // namespace
}  // namespace referee::end_to_end
