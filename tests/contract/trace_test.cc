// In which trace a match is, as whoever makes it says, and as the log tells.
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/mutex.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kTraceParent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr char kTrace[] = "4bf92f3577b34da6a3ce929d0e0e4736";

// Keeps what the log is told. Thread-safe.
class Heard {
 public:
  log::Log log() {
    return [this](const log::Event& event) {
      MutexLock lock(&mutex_);
      events_.push_back(event);
      changed_.NotifyAll();
    };
  }
  int Count(absl::string_view name) {
    MutexLock lock(&mutex_);
    int count = 0;
    for (const log::Event& event : events_) count += event.name == name;
    return count;
  }
  // The first event of this name, of this match unless that is empty, when it is there.
  log::Event Await(absl::string_view name, absl::string_view match_id) {
    const absl::Time until = absl::Now() + kPatience;
    MutexLock lock(&mutex_);
    while (absl::Now() < until) {
      for (const log::Event& event : events_) {
        if (event.name != name) continue;
        if (match_id.empty() || event.fields[log::kMatch] == match_id) return event;
      }
      changed_.WaitFor(&mutex_, std::chrono::seconds(1));
    }
    ADD_FAILURE() << "the log is not told of " << name;
    return {log::Level::kInfo, "", ""};
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<log::Event> events_ ABSL_GUARDED_BY(mutex_);
};

class TraceOfMatches : public ::testing::Test {
 protected:
  static RefereeUnderTest::Options Told(Heard* heard) {
    RefereeUnderTest::Options options;
    options.log = heard->log();
    return options;
  }

  // Makes a match in a call with these traceparents, and cancels it; returns what the log says.
  log::Event MakeIn(const std::vector<std::string>& trace_parents,
                    const v1::CreateMatchRequest& request) {
    const auto context = NewContext("olga");
    for (const std::string& one : trace_parents) context->AddMetadata("traceparent", one);
    v1::CreateMatchResponse made;
    const grpc::Status status = referee_.matches().CreateMatch(context.get(), request, &made);
    EXPECT_TRUE(status.ok()) << status.error_message();
    v1::CancelMatchRequest cancel;
    cancel.set_match_id(made.match().match_id());
    v1::CancelMatchResponse cancelled;
    static_cast<void>(referee_.matches().CancelMatch(NewContext("olga").get(), cancel, &cancelled));
    return heard_.Await("match_cancelled", made.match().match_id());
  }
  log::Event MakeIn(const std::vector<std::string>& trace_parents) {
    return MakeIn(trace_parents, RefereeUnderTest::Request({"alice", "bob"}));
  }
  static std::string OwnTrace(const log::Event& event) {
    return MatchId::Parse(event.fields[log::kMatch]).value().hex();
  }

  Heard heard_;
  RefereeUnderTest referee_{Told(&heard_)};
};

TEST_F(TraceOfMatches, IsTheOneOfTheCall) {
  EXPECT_EQ(MakeIn({kTraceParent}).fields[log::kTrace], kTrace);
  EXPECT_EQ(heard_.Count("trace_ignored"), 0);
}

TEST_F(TraceOfMatches, IsTheirOwnWithoutOne) {
  const log::Event told = MakeIn({});
  EXPECT_EQ(told.fields[log::kTrace], OwnTrace(told));
  EXPECT_EQ(heard_.Count("trace_ignored"), 0);
}

TEST_F(TraceOfMatches, IsTheirOwnWhereTheOneOfTheCallCannotBeReadAndTheLogSaysSo) {
  const log::Event told = MakeIn({"00-not-a-trace"});
  EXPECT_EQ(told.fields[log::kTrace], OwnTrace(told));
  const log::Event ignored = heard_.Await("trace_ignored", "");
  EXPECT_EQ(ignored.level, log::Level::kWarning);
  EXPECT_THAT(ignored.message, HasSubstr("'00-not-a-trace'"));
  EXPECT_EQ(ignored.fields[log::kAccount], "olga");
}

TEST_F(TraceOfMatches, IsTheirOwnWhereTheCallHasTwo) {
  const log::Event told = MakeIn({kTraceParent, kTraceParent});
  EXPECT_EQ(told.fields[log::kTrace], OwnTrace(told));
  EXPECT_THAT(heard_.Await("trace_ignored", "").message, HasSubstr("several"));
}

TEST_F(TraceOfMatches, ThatAreMadeOnceForARequestIdIsTheOneOfTheFirstCall) {
  v1::CreateMatchRequest request = RefereeUnderTest::Request({"alice", "bob"});
  request.set_request_id("monday");
  const log::Event first = MakeIn({kTraceParent}, request);
  const log::Event again =
      MakeIn({"00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-00f067aa0ba902b7-01"}, request);
  EXPECT_EQ(again.fields[log::kMatch], first.fields[log::kMatch]);
  EXPECT_EQ(again.fields[log::kTrace], kTrace);
}

}  // namespace
}  // namespace referee::testing
