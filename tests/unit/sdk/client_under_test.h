// Fixture for tests of the SDK's client: a scripted bot against a FakeReferee.
#ifndef REFEREE_TESTS_UNIT_SDK_CLIENT_UNDER_TEST_H_
#define REFEREE_TESTS_UNIT_SDK_CLIENT_UNDER_TEST_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/sdk/bot.h"
#include "tests/unit/sdk/fake_referee.h"

namespace referee::sdk {

// Makes a thread wait for another; ThreadSanitizer cannot see the order that it creates.
class Gate {
 public:
  void Open() {
    MutexLock lock(&mutex_);
    open_ = true;
    opened_.NotifyAll();
  }
  void WaitUntilOpen() {
    MutexLock lock(&mutex_);
    while (!open_) opened_.Wait(&mutex_);
  }

 private:
  Mutex mutex_;
  CondVar opened_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

// The log lines of a client, from all of its threads.
class LogLines {
 public:
  void Add(absl::string_view line) {
    MutexLock lock(&mutex_);
    lines_.emplace_back(line);
  }
  std::vector<std::string> All() const {
    MutexLock lock(&mutex_);
    return lines_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

// A bot that calls the functions set by the test.
class ScriptedBot : public Bot {
 public:
  Move ChooseTurn(const Turn& turn) override { return choose ? choose(turn) : turn.legal_move(0); }
  void OnMatchStart(const Match& match) override {
    if (on_start) on_start(match);
  }
  void OnTurnPlayed(const Match& match, const TurnPlayed& turn) override {
    if (on_played) on_played(match, turn);
  }
  void OnForfeit(const Match& match, const SeatForfeited& forfeit) override {
    if (on_forfeit) on_forfeit(match, forfeit);
  }
  void OnDiceMismatch(const Match& match, absl::string_view problem) override {
    if (on_mismatch) on_mismatch(match, problem);
  }
  void OnMatchEnd(const Match& match, const Verdict& verdict) override {
    if (on_end) on_end(match, verdict);
  }

  std::function<Move(const Turn&)> choose;
  std::function<void(const Match&)> on_start;
  std::function<void(const Match&, const TurnPlayed&)> on_played;
  std::function<void(const Match&, const SeatForfeited&)> on_forfeit;
  std::function<void(const Match&, absl::string_view)> on_mismatch;
  std::function<void(const Match&, const Verdict&)> on_end;
};

// A client with a bot, on a separate thread, connected to a FakeReferee. It reconnects without
// delay.
class SdkClient : public ::testing::Test {
 protected:
  SdkClient() {
    options_.address = referee_.address();
    options_.token = "secret";
    options_.log_level = LogLevel::kNone;
    options_.backoff = [](int) { return absl::ZeroDuration(); };
    bot_.on_mismatch = [this](const Match& match, absl::string_view problem) {
      mismatches_.push_back(absl::StrCat(match.id(), ": ", problem));
    };
  }
  ~SdkClient() override {
    if (!thread_.joinable()) return;
    client_->Stop();
    thread_.join();
  }

  // Makes the client log lines of `level` and above into log_.
  void KeepLog(LogLevel level) {
    options_.log_level = level;
    options_.log_sink = [this](LogLevel, absl::string_view line) { log_.Add(line); };
  }
  void Start(Bot& bot) {
    client_ = std::make_unique<Client>(bot, options_);
    thread_ = std::thread([this] { status_ = client_->Run(); });
  }
  void Start() { Start(bot_); }
  absl::Status Finish() {
    thread_.join();
    return status_;
  }
  // Shuts the referee down, so that the client handles all its items and ends.
  absl::Status Drain() {
    referee_.Say({DrainingItem()});
    referee_.EndStream(grpc::Status::OK);
    return Finish();
  }
  // Starts the client. Welcomes the bot, and makes it ready for these matches.
  void Begin(const std::vector<std::string>& match_ids = {}) {
    Start();
    referee_.Greet();
    for (const std::string& match_id : match_ids) StartMatch(match_id);
  }
  void LoseStream() { referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "out of order")); }
  // Starts a match, and waits for Ready.
  void StartMatch(const std::string& match_id) {
    referee_.Say({StartItem(match_id)});
    EXPECT_EQ(referee_.Hear().ready().match_id(), match_id);
  }

  FakeReferee referee_;
  ScriptedBot bot_;
  LogLines log_;
  std::vector<std::string> mismatches_;  // "match id: problem" of each OnDiceMismatch
  Options options_;
  std::unique_ptr<Client> client_;
  std::thread thread_;
  absl::Status status_;
};

}  // namespace referee::sdk

#endif  // REFEREE_TESTS_UNIT_SDK_CLIENT_UNDER_TEST_H_
