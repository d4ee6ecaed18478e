// Claims about the watch delay of a competition, from the wire: organisers and the bots that play
// are told at once, everybody else when the delay has passed on the referee's clock, which the test
// moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "referee/base/mutex.h"
#include "tests/contract/moved_time.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kDelay = absl::Hours(1);

class WatchDelay : public ::testing::Test {
 protected:
  using Reader = std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>>;

  // Whoever calls: a name, and whether it reads for observers.
  struct Caller {
    Caller(std::string caller, bool reads_for_observers = false)  // NOLINT
        : name(std::move(caller)), for_observers(reads_for_observers) {}
    std::unique_ptr<grpc::ClientContext> Context() const {
      auto context = NewContext(name);
      if (for_observers) context->AddMetadata("referee-read-as", "observer");
      return context;
    }
    std::string name;
    bool for_observers;
  };
  // Who is told later, and who at once. The bots that play are alice and bob.
  static std::vector<Caller> Late() { return {{"oscar"}, {"carol"}, {""}, {"olga", true}}; }
  static std::vector<Caller> AtOnce() { return {{"olga"}, {"alice"}, {"bob"}}; }

  RefereeUnderTest::Options Options() {
    RefereeUnderTest::Options options;
    options.store = true;
    options.clock = &time_.clock();
    options.timers = &time_.timers();
    return options;
  }

  // A cup of alice and bob: one block, its moves without hurry.
  void StartCup() {
    v1::CreateCompetitionRequest request = RoundRobin("cup");
    request.mutable_spec()->mutable_watch_delay()->set_seconds(absl::ToInt64Seconds(kDelay));
    StartCompetition(cups_.get(), request);
  }

  v1::GetStandingsResponse Table(const Caller& caller) {
    v1::GetStandingsRequest request;
    request.set_name("cup");
    v1::GetStandingsResponse table;
    const grpc::Status status = cups_->GetStandings(caller.Context().get(), request, &table);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return table;
  }
  v1::ListBlocksResponse Blocks(const Caller& caller) {
    v1::ListBlocksRequest request;
    request.set_name("cup");
    v1::ListBlocksResponse blocks;
    const grpc::Status status = cups_->ListBlocks(caller.Context().get(), request, &blocks);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return blocks;
  }
  v1::ListMatchesResponse Matches(const Caller& caller) {
    v1::ListMatchesResponse matches;
    const grpc::Status status =
        referee_.matches().ListMatches(caller.Context().get(), v1::ListMatchesRequest(), &matches);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return matches;
  }
  v1::Snapshot Get(const Caller& caller, const std::string& match_id) {
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    v1::GetMatchResponse response;
    const grpc::Status status =
        referee_.matches().GetMatch(caller.Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.snapshot();
  }
  grpc::Status Fetch(const Caller& caller, const std::string& match_id) {
    v1::GetReplayRequest request;
    request.set_match_id(match_id);
    const auto context = caller.Context();
    const auto reader = referee_.replays().GetReplay(context.get(), request);
    v1::GetReplayResponse chunk;
    while (reader->Read(&chunk)) continue;
    return reader->Finish();
  }
  int Archived(const Caller& caller) {
    v1::ListReplaysResponse replays;
    const grpc::Status status =
        referee_.replays().ListReplays(caller.Context().get(), v1::ListReplaysRequest(), &replays);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return replays.replays_size();
  }
  // Waits until it is FINISHED, as an organiser sees it.
  void WaitUntilFinished() {
    v1::WatchCompetitionRequest request;
    request.set_name("cup");
    const auto context = NewContext("olga");
    const auto reader = cups_->WatchCompetition(context.get(), request);
    v1::WatchCompetitionResponse state;
    while (reader->Read(&state)) continue;
    EXPECT_EQ(state.competition().state(), v1::COMPETITION_STATE_FINISHED);
  }
  // Plays the whole cup.
  void PlayCup() {
    RawBot alice(&referee_, "alice", 2);
    RawBot bob(&referee_, "bob", 2);
    ends_ = PlayAll({&alice, &bob}, 2)[0];
    WaitUntilFinished();
  }

  // An observer of one match, from its start. It listens on a thread of its own.
  class Watcher {
   public:
    Watcher(WatchDelay* test, const Caller& caller, const std::string& match_id,
            bool in_batches = false)
        : context_(caller.Context()) {
      v1::WatchMatchRequest request;
      request.set_match_id(match_id);
      request.set_from_start(true);
      request.set_in_batches(in_batches);
      reader_ = test->referee_.matches().WatchMatch(context_.get(), request);
      listener_ = std::thread([this] { Listen(); });
    }
    ~Watcher() {
      context_->TryCancel();
      listener_.join();
    }
    // The next event; fails the test if the stream ends instead.
    v1::WatchMatchResponse Hear() {
      MutexLock lock(&mutex_);
      while (events_.empty() && !ended_) changed_.Wait(&mutex_);
      EXPECT_FALSE(events_.empty()) << "the stream has ended";
      if (events_.empty()) return v1::WatchMatchResponse();
      v1::WatchMatchResponse event = std::move(events_.front());
      events_.pop_front();
      return event;
    }
    // How many have come that were not heard.
    size_t waiting() {
      MutexLock lock(&mutex_);
      return events_.size();
    }

   private:
    void Listen() {
      v1::WatchMatchResponse event;
      bool more = true;
      while (more) {
        more = reader_->Read(&event);
        MutexLock lock(&mutex_);
        if (more) events_.push_back(std::move(event));
        ended_ = !more;
        changed_.NotifyAll();
      }
    }

    const std::unique_ptr<grpc::ClientContext> context_;
    Reader reader_;
    Mutex mutex_;
    CondVar changed_;
    std::deque<v1::WatchMatchResponse> events_ ABSL_GUARDED_BY(mutex_);
    bool ended_ ABSL_GUARDED_BY(mutex_) = false;
    std::thread listener_;
  };

  // One of the cup's matches, which its bots have been asked for and have not answered.
  std::string WaitForMatch() {
    v1::ListMatchesResponse matches = Matches({"olga"});
    const absl::Time patience = absl::Now() + kPatience;
    while (matches.matches_size() == 0 && absl::Now() < patience) matches = Matches({"olga"});
    EXPECT_NE(matches.matches_size(), 0);
    return matches.matches(0).match_id();
  }

  MovedTime time_;
  RefereeUnderTest referee_{Options()};
  const std::unique_ptr<v1::CompetitionService::Stub> cups_ =
      v1::CompetitionService::NewStub(referee_.NewChannel());
  std::vector<v1::MatchEnd> ends_;
};

TEST_F(WatchDelay, OfResultsTellsOrganisersAndPlayersAtOnceAndAllOthersLater) {
  StartCup();
  PlayCup();
  const std::string match_id = ends_[0].match_id();
  EXPECT_EQ(Table({"olga"}).competition().blocks_counted(), 1u);
  for (const Caller& caller : AtOnce()) {
    EXPECT_EQ(Get(caller, match_id).match().state(), v1::MATCH_STATE_FINISHED) << caller.name;
    EXPECT_EQ(Matches(caller).matches_size(), 2) << caller.name;
    EXPECT_TRUE(Fetch(caller, match_id).ok()) << caller.name;
    EXPECT_EQ(Archived(caller), 2) << caller.name;
  }
  const auto expect_untold = [&](const Caller& caller) {
    EXPECT_EQ(Table(caller).competition().blocks_counted(), 0u) << caller.name;
    EXPECT_EQ(Table(caller).competition().state(), v1::COMPETITION_STATE_RUNNING) << caller.name;
    EXPECT_EQ(Table(caller).standings(0).wins() + Table(caller).standings(0).losses(), 0u);
    EXPECT_EQ(Blocks(caller).blocks_size(), 0) << caller.name;
    EXPECT_EQ(Matches(caller).matches_size(), 0) << caller.name;
    const v1::Snapshot match = Get(caller, match_id);
    EXPECT_NE(match.match().state(), v1::MATCH_STATE_FINISHED) << caller.name;
    EXPECT_FALSE(match.match().has_verdict()) << caller.name;
    EXPECT_EQ(match.match().turns_played(), 0u) << caller.name;
    EXPECT_FALSE(match.has_position()) << caller.name;
    const grpc::Status fetched = Fetch(caller, match_id);
    EXPECT_EQ(fetched.error_code(), grpc::FAILED_PRECONDITION) << caller.name;
    EXPECT_THAT(fetched.error_message(), HasSubstr("has a watch delay of 1h"));
    EXPECT_EQ(Archived(caller), 0) << caller.name;
  };
  for (const Caller& caller : Late()) expect_untold(caller);
  time_.Pass(kDelay - absl::Minutes(5));
  expect_untold({"oscar"});
  time_.Pass(absl::Minutes(5));
  for (const Caller& caller : Late()) {
    const v1::GetStandingsResponse table = Table(caller);
    EXPECT_EQ(table.competition().state(), v1::COMPETITION_STATE_FINISHED) << caller.name;
    EXPECT_EQ(table.competition().blocks_counted(), 1u) << caller.name;
    EXPECT_EQ(Blocks(caller).blocks(0).state(), v1::BLOCK_STATE_PLAYED) << caller.name;
    EXPECT_EQ(Get(caller, match_id).match().state(), v1::MATCH_STATE_FINISHED) << caller.name;
    EXPECT_EQ(Matches(caller).matches_size(), 2) << caller.name;
    EXPECT_TRUE(Fetch(caller, match_id).ok()) << caller.name;
    EXPECT_EQ(Archived(caller), 2) << caller.name;
  }
}

TEST_F(WatchDelay, OfFramesTellsOrganisersAndPlayersAtOnceAndAllOthersLater) {
  StartCup();
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  const std::string match_id = WaitForMatch();
  Watcher organiser(this, {"olga"}, match_id);
  Watcher player(this, {"bob"}, match_id);
  Watcher observer(this, {"oscar"}, match_id);
  Watcher gate(this, {"olga", true}, match_id);
  // They are told of the match, and of nothing in it.
  for (Watcher* const late : {&observer, &gate}) {
    const v1::WatchMatchResponse terms = late->Hear();
    EXPECT_EQ(terms.snapshot().match().state(), v1::MATCH_STATE_WAITING);
    EXPECT_EQ(terms.snapshot().match().bots_size(), 2);
    EXPECT_FALSE(terms.started());
  }
  ends_ = PlayAll({&alice, &bob}, 2)[0];
  for (Watcher* const early : {&organiser, &player}) {
    v1::WatchMatchResponse event = early->Hear();
    while (!event.has_verdict()) event = early->Hear();
    EXPECT_EQ(event.verdict().state(), v1::MATCH_STATE_FINISHED);
  }
  // Who comes now is told no earlier.
  Watcher latecomer(this, {"oscar"}, match_id);
  EXPECT_EQ(latecomer.Hear().snapshot().match().state(), v1::MATCH_STATE_WAITING);
  EXPECT_EQ(observer.waiting() + gate.waiting() + latecomer.waiting(), 0u);
  time_.Pass(kDelay - absl::Minutes(5));
  Watcher later(this, {"oscar"}, match_id);  // what the clock made due comes before its terms
  (void)later.Hear();
  EXPECT_EQ(observer.waiting() + gate.waiting() + latecomer.waiting(), 0u);
  time_.Pass(absl::Minutes(5));
  for (Watcher* const late : {&observer, &gate}) {
    v1::WatchMatchResponse event = late->Hear();
    while (event.has_snapshot()) event = late->Hear();
    ASSERT_TRUE(event.has_turn_played());
    EXPECT_EQ(event.turn_played().turn(), 1u);
    while (!event.has_verdict()) event = late->Hear();
    EXPECT_EQ(event.verdict().state(), v1::MATCH_STATE_FINISHED);
  }
  const v1::WatchMatchResponse over = latecomer.Hear();
  EXPECT_EQ(over.snapshot().match().state(), v1::MATCH_STATE_FINISHED);
  EXPECT_TRUE(latecomer.Hear().has_verdict());
}

TEST_F(WatchDelay, TellsTheSameInFewerMessagesInBatches) {
  StartCup();
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  const std::string match_id = WaitForMatch();
  Watcher one_by_one(this, {"oscar"}, match_id);
  Watcher batches(this, {"oscar"}, match_id, /*in_batches=*/true);
  (void)one_by_one.Hear();  // its terms: it is there
  (void)batches.Hear();
  ends_ = PlayAll({&alice, &bob}, 2)[0];
  WaitUntilFinished();
  time_.Pass(kDelay);
  // What each was told, but for its snapshots: the match may have started between the two.
  std::vector<std::string> expected;
  v1::WatchMatchResponse event;
  while (!event.has_verdict()) {
    event = one_by_one.Hear();
    ASSERT_NE(event.kind_case(), v1::WatchMatchResponse::KIND_NOT_SET);
    EXPECT_EQ(event.further_size(), 0);
    if (!event.has_snapshot()) expected.push_back(event.SerializeAsString());
  }
  std::vector<std::string> told;
  size_t messages = 0;
  for (bool over = false; !over; ++messages) {
    v1::WatchMatchResponse batch = batches.Hear();
    ASSERT_NE(batch.kind_case(), v1::WatchMatchResponse::KIND_NOT_SET);
    std::vector<v1::WatchMatchResponse> events(batch.further().begin(), batch.further().end());
    batch.clear_further();
    events.insert(events.begin(), batch);
    for (const v1::WatchMatchResponse& one : events) {
      if (!one.has_snapshot()) told.push_back(one.SerializeAsString());
      over = over || one.has_verdict();
    }
  }
  EXPECT_EQ(told, expected);
  EXPECT_LT(messages, expected.size());
}

// Else the referee could not stop before the verdict is told.
TEST_F(WatchDelay, LetsThoseGoWhoDoNotWaitForTheEnd) {
  StartCup();
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  {
    Watcher observer(this, {"oscar"}, WaitForMatch());
    (void)observer.Hear();
    ends_ = PlayAll({&alice, &bob}, 2)[0];
    WaitUntilFinished();
  }
  referee_.Stop();
}

TEST_F(WatchDelay, OfACompetitionIsWatchedUntilItsEndIsTold) {
  StartCup();
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  ends_ = PlayAll({&alice, &bob}, 2)[0];
  WaitUntilFinished();
  v1::WatchCompetitionRequest request;
  request.set_name("cup");
  const auto context = NewContext("oscar");
  const auto watch = cups_->WatchCompetition(context.get(), request);
  v1::WatchCompetitionResponse state;
  ASSERT_TRUE(watch->Read(&state));
  EXPECT_EQ(state.competition().state(), v1::COMPETITION_STATE_RUNNING);
  EXPECT_EQ(state.competition().blocks_counted(), 0u);
  time_.Pass(kDelay);
  // The competition ends for those who are told later, too.
  while (watch->Read(&state)) continue;
  EXPECT_TRUE(watch->Finish().ok());
  EXPECT_EQ(state.competition().state(), v1::COMPETITION_STATE_FINISHED);
  EXPECT_EQ(state.competition().blocks_counted(), 1u);
}

TEST_F(WatchDelay, ReadsForNobodyElseThanObservers) {
  const auto context = NewContext("olga");
  context->AddMetadata("referee-read-as", "bot");
  v1::ListMatchesResponse matches;
  const grpc::Status status =
      referee_.matches().ListMatches(context.get(), v1::ListMatchesRequest(), &matches);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("metadata referee-read-as: 'bot'"));
}

TEST_F(WatchDelay, IsNotOfMatchesThatNoCompetitionMade) {
  StartCup();  // there is a competition with one
  const std::string match_id = referee_.Create(std::vector<std::string>{"carol", "dave"});
  RawBot carol(&referee_, "carol");
  RawBot dave(&referee_, "dave");
  PlayAll({&carol, &dave}, 1);
  (void)referee_.WaitForVerdict(match_id);
  EXPECT_EQ(Get({"oscar"}, match_id).match().state(), v1::MATCH_STATE_FINISHED);
  EXPECT_TRUE(Fetch({"oscar"}, match_id).ok());
}

}  // namespace
}  // namespace referee::testing
