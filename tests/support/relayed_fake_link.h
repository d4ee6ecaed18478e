// A FakeLink of a bot whose stream ends at another referee, its entry.
//
// The test answers the requests to the entry.
#ifndef REFEREE_TESTS_SUPPORT_RELAYED_FAKE_LINK_H_
#define REFEREE_TESTS_SUPPORT_RELAYED_FAKE_LINK_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/support/fake_link.h"

namespace referee::testing {

// Not thread-safe.
class RelayedFakeLink final : public FakeLink {
 public:
  using FakeLink::FakeLink;

  bool relayed() const override { return true; }
  void Reserve(const host::SlotsWanted& wanted, std::function<void(bool)> then) override {
    reserved.push_back(wanted.matches);
    oldest = wanted.oldest;
    answer_ = std::move(then);
  }
  void Release(const std::vector<MatchId>& matches) override {
    released.insert(released.end(), matches.begin(), matches.end());
  }
  void AskLag(const std::shared_ptr<host::MatchRunner>&, Seat) override { ++lags_asked; }
  void TellStart(const match::Match&, Seat) override { ++starts; }

  // Answers the last Reserve. REQUIRES: Reserve was called.
  void Answer(bool granted) const { answer_(granted); }

  std::vector<std::vector<MatchId>> reserved;  // by call
  MatchId oldest;                              // of the last call
  std::vector<MatchId> released;
  int lags_asked = 0;
  int starts = 0;

 private:
  std::function<void(bool)> answer_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_RELAYED_FAKE_LINK_H_
