// A host in a simulated environment: recording links, a test-driven clock, a recorder in memory, a
// small game.
#ifndef REFEREE_TESTS_UNIT_HOST_HOST_FIXTURE_H_
#define REFEREE_TESTS_UNIT_HOST_HOST_FIXTURE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/host/host.h"
#include "tests/support/counting_game.h"
#include "tests/support/fake_link.h"
#include "tests/support/memory_recorder.h"
#include "tests/support/simulated_time.h"

namespace referee::testing {

// A link that notes each call as a word: "start", "resumed", "ask 3", "played 2", "forfeited a",
// "ended", "fault", "draining".
class NotingLink final : public FakeLink {
 public:
  using FakeLink::FakeLink;

  void AskNonce(const match::Match& match, Seat) override {
    if (on_nonce) on_nonce(match.setup().id);
  }
  void TellStart(const match::Match& match, Seat) override {
    const bool resumed = match.stage() == match::Match::Stage::kPlaying;
    notes.push_back(resumed ? "resumed" : "start");
  }
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override {
    notes.push_back(absl::StrCat("ask ", match.turn()));
    FakeLink::AskTurn(runner, match, seat);
  }
  void TellPlayed(const match::Match&, const match::Played& played) override {
    notes.push_back(absl::StrCat("played ", played.number));
  }
  void TellForfeited(const match::Match&, const match::Forfeited& forfeited) override {
    notes.push_back(absl::StrCat("forfeited ", std::string(1, forfeited.seat.letter())));
  }
  void TellEnded(const host::MatchRunner&) override {
    notes.push_back("ended");
    if (on_ended) on_ended();
  }
  void TellFault(const match::Match&, const match::TellFault&) override {
    notes.push_back("fault");
  }
  void TellDraining(absl::Duration, bool will_return) override {
    notes.push_back(will_return ? "draining, to return" : "draining");
  }

  std::vector<std::string> notes;
  std::function<void()> on_ended;                   // called when a match ends
  std::function<void(const MatchId& id)> on_nonce;  // called when a nonce is requested
};

struct HostFixture {
  SimulatedClock clock;
  SimulatedTimers timers{&clock};
  HeldExecutor executor;
  MemoryRecorder recorder;
  host::StallLog stalls;
  std::vector<absl::Status> finished;  // by finished match: the result of sealing
  std::vector<MatchId> archived;       // sealed, possibly after the match had finished
  std::unique_ptr<host::Host> host;

  // `mailboxes`: as in HostOptions; must outlive this object.
  explicit HostFixture(int max_running = 100, host::Executor* mailboxes = nullptr,
                       bool blocks_apart = false) {
    host::HostOptions options;
    options.blocks_apart = blocks_apart;
    options.mailboxes = mailboxes;
    options.clock = &clock;
    options.timers = &timers;
    options.executor = &executor;
    options.recorder = &recorder;
    // Predictable, and different in each call.
    options.entropy = [next = uint8_t{0}](absl::Span<uint8_t> bytes) mutable {
      for (uint8_t& byte : bytes) byte = next++;
    };
    options.software = "test";
    options.stalls = &stalls;
    options.max_running = max_running;
    options.on_finished = [this](const host::MatchRunner&, const absl::Status& sealed) {
      finished.push_back(sealed);
    };
    options.on_sealed = [this](const MatchId& id) { archived.push_back(id); };
    host = std::make_unique<host::Host>(options);
  }
  ~HostFixture() {
    if (host != nullptr) host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  }

  struct Guest {
    std::shared_ptr<NotingLink> link;
    std::shared_ptr<host::Bot> bot;
  };
  Guest Come(absl::string_view name, int max_matches = 1) {
    auto link = std::make_shared<NotingLink>(&clock);
    host::Hello hello;
    hello.max_matches = max_matches;
    Guest guest{link, host->Attach(name, link, hello).value()};
    link->on_nonce = [this, bot = std::weak_ptr<host::Bot>(guest.bot)](const MatchId& id) {
      if (const auto still = bot.lock()) Post(id, {nullptr, still}, match::NonceReceived{});
    };
    return guest;
  }

  host::MatchRequest Request(std::vector<std::string> bots, int target = 6) const {
    CountingRules rules;
    rules.seats = static_cast<int>(bots.size());
    rules.target = target;
    host::MatchRequest request;
    request.game = NewCountingGame(rules);
    request.bots = std::move(bots);
    return request;
  }
  MatchId Create(std::vector<std::string> bots, int target = 6) {
    return host->Create(Request(std::move(bots), target), "").value();
  }
  // Sends a Ready with the hash of an empty nonce. The link later reveals that nonce.
  void Ready(const MatchId& id, const Guest& guest) {
    match::ReadyReceived ready;
    ready.nonce_hash = dice::HashNonce("");
    Post(id, guest, ready);
  }
  void Reply(const MatchId& id, const Guest& guest, uint32_t turn, uint64_t number = 1) {
    match::Replied replied;
    replied.turn = turn;
    replied.claimed = games::Move(number);
    Post(id, guest, replied);
  }
  template <typename Event>
  void Post(const MatchId& id, const Guest& guest, Event event) {
    const host::Bot::Slot slot = guest.bot->FindSlot(id.text());
    if (slot.runner == nullptr) return;
    event.seat = slot.seat;
    slot.runner->Post(event, clock.Now());
  }
  // The last turn of an open match. REQUIRES: a turn was played.
  match::Played LastTurnOf(const MatchId& id) const {
    match::Played played;
    host->Find(id)->Inspect(
        [&](const host::MatchRunner& runner) { played = *runner.match()->last_turn(); });
    return played;
  }
  // The end of the match; nothing while it is running.
  absl::optional<match::Ended> EndOf(const MatchId& id) const {
    absl::optional<match::Ended> ended;
    host->Find(id)->Inspect([&](const host::MatchRunner& runner) {
      if (runner.ended() != nullptr) ended = *runner.ended();
    });
    return ended;
  }
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_HOST_HOST_FIXTURE_H_
