// A host::Link that sends nothing: the base class of the fake links of tests.
#ifndef REFEREE_TESTS_SUPPORT_FAKE_LINK_H_
#define REFEREE_TESTS_SUPPORT_FAKE_LINK_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/host/link.h"
#include "referee/host/match_runner.h"

namespace referee::testing {

// Ignores most calls. Keeps notices, the fleet and the reason of Close. Flush marks requests as
// sent, or only as offered while `stuck`. Not thread-safe.
class FakeLink : public host::Link {
 public:
  // `clock` times the requests and pings, and must outlive this object. Null: the test makes no
  // requests.
  explicit FakeLink(const Clock* clock = nullptr) : clock_(clock) {}

  void TellStart(const match::Match&, Seat) override {}
  void AskNonce(const match::Match&, Seat) override {}
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override {
    asked_.push_back({runner, seat, match.turn(), match.request()});
  }
  void TellPlayed(const match::Match&, const match::Played&) override {}
  void TellForfeited(const match::Match&, const match::Forfeited&) override {}
  void TellEnded(const host::MatchRunner&) override {}
  void TellFault(const match::Match&, const match::TellFault&) override {}
  void TellDraining(absl::Duration, bool) override {}
  void TellNotice(absl::string_view text) override { notices.emplace_back(text); }
  void TellFleet(const std::vector<std::string>& addresses) override { fleet = addresses; }
  void Ping() override {
    if (answers_pings && clock_ != nullptr) answered_ = clock_->Now();
  }
  absl::optional<Instant> answered() const override { return answered_; }
  void Flush() override {
    if (stuck) {
      for (Asked& one : asked_) {
        if (std::exchange(one.offered, true)) continue;
        one.runner->RequestOffered(one.seat, one.turn, one.request, clock_->Now());
      }
      return;
    }
    for (const Asked& one : std::exchange(asked_, {})) {
      one.runner->RequestSent(one.seat, one.turn, one.request, clock_->Now());
    }
  }
  void Close(const absl::Status& reason) override { closed = reason; }

  bool stuck = false;
  bool answers_pings = true;
  absl::optional<absl::Status> closed;
  std::vector<std::string> notices;
  std::vector<std::string> fleet;  // the last TellFleet

 private:
  struct Asked {
    std::shared_ptr<host::MatchRunner> runner;
    Seat seat;
    uint32_t turn;
    uint32_t request;
    bool offered = false;
  };
  const Clock* const clock_;
  absl::optional<Instant> answered_;
  std::vector<Asked> asked_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_FAKE_LINK_H_
