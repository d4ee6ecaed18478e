// Claims about ReplayService: what was played can be fetched, listed and checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "referee/replay/archive.h"
#include "referee/replay/verifier.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/tampered_replay.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Replays : public ::testing::Test {
 protected:
  // Plays short matches, with lots of turns each if `turns` says so.
  std::vector<std::string> PlaySome(int matches, uint32_t turns = 4) {
    RawBot alice(&referee_, "alice", 16);
    RawBot bob(&referee_, "bob", 16);
    std::vector<std::string> ids;
    for (int i = 0; i < matches; ++i) {
      v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
      request.mutable_options()->mutable_hypnosia()->set_turn_limit(turns);
      ids.push_back(referee_.Create(request));
    }
    PlayAll({&alice, &bob}, matches);
    return ids;
  }
  grpc::Status List(uint32_t page_size, const std::string& token,
                    v1::ListReplaysResponse* response) {
    const auto context = NewContext();
    v1::ListReplaysRequest request;
    request.set_page_size(page_size);
    request.set_page_token(token);
    return referee_.replays().ListReplays(context.get(), request, response);
  }
  grpc::Status Verify(const std::string& match_id, v1::VerifyReplayResponse* response) {
    const auto context = NewContext();
    v1::VerifyReplayRequest request;
    request.set_match_id(match_id);
    return referee_.replays().VerifyReplay(context.get(), request, response);
  }

  RefereeUnderTest referee_;
};

TEST_F(Replays, AreTheFilesOfTheArchive) {
  const std::string match_id = PlaySome(1, 300)[0];
  std::string bytes;
  ASSERT_TRUE(referee_.Fetch(match_id, &bytes).ok());
  const auto file = replay::Archive(referee_.data_dir()).Read(MatchId::Parse(match_id).value());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(bytes, *file);
}

TEST_F(Replays, AreVerifiedByTheReferee) {
  const std::string match_id = PlaySome(1)[0];
  v1::VerifyReplayResponse response;
  ASSERT_TRUE(Verify(match_id, &response).ok());
  EXPECT_TRUE(response.ok()) << response.problem();
  EXPECT_EQ(response.problem(), "");
  EXPECT_EQ(response.public_key().size(), 32u);
}

TEST_F(Replays, ThatWereChangedDoNotVerify) {
  const std::string match_id = PlaySome(1)[0];
  const std::string path =
      replay::Archive(referee_.data_dir()).Find(MatchId::Parse(match_id).value())->path;
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(path) / 2);
    const int byte = file.seekg(middle).get();
    file.seekp(middle).put(static_cast<char>(byte ^ 1));
  }
  v1::VerifyReplayResponse response;
  ASSERT_TRUE(Verify(match_id, &response).ok());
  EXPECT_FALSE(response.ok());
  EXPECT_NE(response.problem(), "");
}

TEST_F(Replays, ThatAnotherRefereeSignedAreNotThisReferees) {
  const MatchId match_id = MatchId::Parse(PlaySome(1)[0]).value();
  const replay::Archive archive(referee_.data_dir());
  const replay::Signer cheat = replay::Signer::FromSeed({1, 2, 3});
  const uint8_t random[10] = {1, 2, 3};
  const MatchId forged_id = MatchId::Make(match_id.created(), random);
  const auto another_name = [&](replay::Replay* replay) {
    replay->setup.id = forged_id;
    replay->setup.bots[0] = "mallory";
  };
  const std::string made_up = Tampered(archive.Read(match_id).value(), another_name, cheat);
  const std::filesystem::path path = archive.PathOf(forged_id);
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << made_up;
  v1::VerifyReplayResponse response;
  ASSERT_TRUE(Verify(forged_id.text(), &response).ok());
  EXPECT_FALSE(response.ok());
  EXPECT_THAT(response.problem(), HasSubstr("not this referee's"));
}

TEST_F(Replays, AreListedPageByPageNewestFirst) {
  std::vector<std::string> played = PlaySome(5);
  std::sort(played.rbegin(), played.rend());
  std::vector<std::string> listed;
  std::string token;
  do {
    v1::ListReplaysResponse page;
    ASSERT_TRUE(List(2, token, &page).ok());
    for (const v1::ReplaySummary& replay : page.replays()) {
      listed.push_back(replay.match_id());
      EXPECT_GT(replay.total_bytes(), 100u);
      EXPECT_GT(replay.create_time().seconds(), 1'700'000'000);
    }
    token = page.next_page_token();
  } while (!token.empty() && listed.size() < 10);
  EXPECT_EQ(listed, played);
  v1::ListReplaysResponse all;
  ASSERT_TRUE(List(4'000'000'000u, "", &all).ok());
  EXPECT_EQ(all.replays_size(), 5);
}

TEST_F(Replays, AreListedWithWhatCameOfTheMatch) {
  const std::string match_id = PlaySome(1)[0];
  v1::ListReplaysResponse page;
  ASSERT_TRUE(List(10, "", &page).ok());
  ASSERT_EQ(page.replays_size(), 1);
  ASSERT_TRUE(page.replays(0).has_outcome());
  const v1::ReplayOutcome& outcome = page.replays(0).outcome();
  EXPECT_EQ(outcome.game(), "hypnosia");
  EXPECT_EQ(outcome.state(), v1::MATCH_STATE_FINISHED);
  EXPECT_EQ(outcome.turns_played(), 4u);
  EXPECT_THAT(outcome.bots(), ElementsAre("alice", "bob"));
  EXPECT_EQ(outcome.scores_size(), 2);
  EXPECT_EQ(outcome.ranks_size(), 2);
  EXPECT_TRUE(outcome.competition_id().empty());
  EXPECT_GE(outcome.end_time().seconds(), page.replays(0).create_time().seconds());
}

TEST_F(Replays, AreFoundByWhoPlayedWhat) {
  std::vector<std::string> ids = PlaySome(3);
  std::sort(ids.begin(), ids.end());  // of one millisecond they are in no order
  v1::ListReplaysRequest request;
  const auto found = [&] {
    v1::ListReplaysResponse page;
    const auto context = NewContext();
    const grpc::Status status = referee_.replays().ListReplays(context.get(), request, &page);
    EXPECT_TRUE(status.ok()) << status.error_message();
    request.set_page_token(page.next_page_token());
    std::vector<std::string> match_ids;
    for (const v1::ReplaySummary& replay : page.replays()) match_ids.push_back(replay.match_id());
    return match_ids;
  };
  request.set_bot("bob");
  request.set_opponent("alice");
  request.set_page_size(2);
  EXPECT_THAT(found(), ElementsAre(ids[2], ids[1]));
  EXPECT_THAT(found(), ElementsAre(ids[0]));
  EXPECT_TRUE(request.page_token().empty());
  request.set_opponent("bob");
  EXPECT_THAT(found(), IsEmpty()) << "nobody is his own opponent";
  request.clear_opponent();
  request.set_game("isaac");
  EXPECT_THAT(found(), IsEmpty());
  request.set_game("hypnosia");
  EXPECT_THAT(found(), SizeIs(2));
  request.set_page_token("x");
  v1::ListReplaysResponse page;
  EXPECT_EQ(referee_.replays().ListReplays(NewContext().get(), request, &page).error_code(),
            grpc::INVALID_ARGUMENT);
}

TEST_F(Replays, AreNotListedFromAForeignPageToken) {
  v1::ListReplaysResponse page;
  EXPECT_EQ(List(2, "../../etc", &page).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Replays, ThatThereAreNotAreNotFound) {
  std::string bytes;
  v1::VerifyReplayResponse response;
  const std::string match_id = "01arz3ndektsv4rrffq69g5fav";
  EXPECT_EQ(referee_.Fetch(match_id, &bytes).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Verify(match_id, &response).error_code(), grpc::StatusCode::NOT_FOUND);
  for (const std::string& bad : {std::string(), std::string("../../../../etc/passwd")}) {
    EXPECT_EQ(referee_.Fetch(bad, &bytes).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_EQ(Verify(bad, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
}

}  // namespace
}  // namespace referee::testing
