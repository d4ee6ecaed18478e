#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/store/spec_wire.h"
#include "tests/support/change_spec.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

TEST_P(StoreContract, SpecIsKeptToTheBit) {
  Competition asked = LadderOf(1, "a cup", {"b", "a", "\xc3\xa4"});
  schedule::Spec& spec = asked.spec;
  spec.format = schedule::Format::kKnockout;
  spec.options = {{"board", std::string("\0\xff\n", 3)}, {"turns", "5"}, {"empty", ""}};
  spec.seats = 6;
  spec.on_timeout = "substitute:3";
  spec.on_illegal = "retry";
  spec.on_lost_link = "grace:30s";
  spec.lag_compensation = "20ms";
  spec.rounds = 3;
  spec.best_of = 5;
  spec.extra_blocks = 6;
  spec.provisional_width = 123;
  spec.pace = 0.125;
  spec.goal_width = 77;
  spec.tie_breaks = {schedule::TieBreak::kWins, schedule::TieBreak::kBuchholz};
  spec.max_running = 7;
  spec.absence_limit = absl::Minutes(3) + absl::Nanoseconds(1);
  spec.silence_limit = 7;
  spec.pinned = true;
  asked.dice_seed = dice::PinnedSeed(7);
  asked.lot_seed = dice::PinnedSeed(8);
  asked.request_id = "r-1";
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  Reopen();
  const Competition kept = store_->GetCompetition(asked.id).value();
  EXPECT_EQ(SpecHash(kept.spec).value(), SpecHash(spec).value());
  EXPECT_EQ(kept.dice_seed, asked.dice_seed);
  EXPECT_EQ(kept.lot_seed, asked.lot_seed);
  EXPECT_EQ(kept.request_id, "r-1");
  EXPECT_EQ(kept.create_time, asked.create_time);
  EXPECT_EQ(kept.state, CompetitionState::kNew);
  EXPECT_EQ(kept.start_time, absl::nullopt);
  EXPECT_EQ(SpecHash(store_->FindCompetition("a cup").value().spec).value(),
            SpecHash(spec).value());
}

TEST_P(StoreContract, PositionsAreKeptInOrderAndReadWhenTheyAreAskedFor) {
  Competition asked = LadderOf(1, "cup", {"b", "a"});
  asked.spec.positions = {"q 2", "p 1", "q 2"};
  asked.request_id = "r-1";
  const Competition made = store_->CreateCompetition(asked, absl::nullopt).value();
  EXPECT_EQ(made.position_count, 3);
  EXPECT_THAT(made.spec.positions, IsEmpty());
  ASSERT_TRUE(store_->CreateCompetition(LadderOf(2, "other", {"a"}), absl::nullopt).ok());
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), asked.id, [](schedule::Spec* spec) {
                spec->name = "spring";
              }).ok());
  Reopen();
  EXPECT_THAT(store_->ReadPositions(asked.id).value(), ElementsAre("q 2", "p 1", "q 2"));
  const Competition found = store_->FindCompetition("spring").value();
  EXPECT_EQ(found.position_count, 3);
  EXPECT_THAT(found.spec.positions, IsEmpty());
  const std::vector<Competition> listed = store_->ListCompetitions(CompetitionId(), 9).value();
  EXPECT_EQ(listed[0].position_count, 0);
  EXPECT_EQ(listed[1].position_count, 3);
  EXPECT_THAT(store_->ReadPositions(listed[0].id).value(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(store_->ReadPositions(CompetitionId("none")).status()));
}

TEST_P(StoreContract, PositionsTellRequestsApart) {
  Competition asked = LadderOf(1, "cup", {"b", "a"});
  asked.spec.positions = {"p", "q"};
  asked.request_id = "r-1";
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  EXPECT_EQ(store_->CreateCompetition(asked, absl::nullopt).value().id, asked.id);
  asked.spec.positions = {"q", "p"};
  EXPECT_TRUE(absl::IsAlreadyExists(store_->CreateCompetition(asked, absl::nullopt).status()));
}

TEST_P(StoreContract, PositionsGoWithTheirCompetition) {
  Competition asked = LadderOf(1, "cup", {"b", "a"});
  asked.spec.positions = {"p", "q"};
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  ASSERT_EQ(store_->RemoveCompetition(asked.id, absl::nullopt), absl::OkStatus());
  asked.spec.positions.clear();
  EXPECT_EQ(store_->CreateCompetition(asked, absl::nullopt).value().position_count, 0);
  EXPECT_THAT(store_->ReadPositions(asked.id).value(), IsEmpty());
}

TEST_P(StoreContract, TestIsKeptWithItsTerms) {
  Competition asked = LadderOf(1, "new", {"b", "a"});
  asked.spec.format = schedule::Format::kTest;
  asked.spec.sprt = rating::SprtTerms{0.5, 2.5, 0.01, 0.1, rating::EloScale::kNormalized};
  asked.spec.priority = -7;
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  Reopen();
  const schedule::Spec kept = store_->GetCompetition(asked.id).value().spec;
  EXPECT_EQ(SpecHash(kept).value(), SpecHash(asked.spec).value());
  EXPECT_EQ(kept.format, schedule::Format::kTest);
  EXPECT_EQ(kept.sprt, asked.spec.sprt);
  EXPECT_EQ(kept.priority, -7);
  EXPECT_EQ(store_->ListUnfinished().value()[0].spec.priority, -7);
}

TEST_P(StoreContract, SpecIsChangedAtOnceButForEntrantsAndPositions) {
  Competition asked = LadderOf(1, "new", {"a", "b"});
  asked.spec.positions = {"p", "q"};
  asked.spec.watch_delay = absl::Seconds(30);
  asked.spec.homes = 3;
  asked.spec.keep_replays = true;
  asked.request_id = "once";
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  Reopen();
  EXPECT_EQ(store_->ListUnfinished().value()[0].spec.watch_delay, absl::Seconds(30));
  EXPECT_EQ(store_->ListUnfinished().value()[0].spec.homes, 3);
  EXPECT_TRUE(store_->ListUnfinished().value()[0].spec.keep_replays);
  schedule::Spec other = asked.spec;
  other.name = "other";
  other.priority = 9;
  other.watch_delay = absl::Milliseconds(1500);
  other.homes = 2;
  other.keep_replays = false;
  other.pace = 3;
  other.entrants = {"c"};
  other.positions = {};
  const Competition changed =
      store_->UpdateSpec(asked.id, 1, other, AuditOf("competition.set", "a")).value();
  EXPECT_EQ(changed.version, 2);
  EXPECT_THAT(changed.spec.entrants, IsEmpty());
  EXPECT_EQ(store_->ListAudit(0, 1).value()[0].action, "competition.set");
  Reopen();
  const Competition kept = store_->GetCompetition(asked.id).value();
  EXPECT_EQ(kept.spec.name, "other");
  EXPECT_EQ(kept.spec.priority, 9);
  EXPECT_EQ(kept.spec.watch_delay, absl::Milliseconds(1500));
  EXPECT_EQ(kept.spec.homes, 2);
  EXPECT_FALSE(kept.spec.keep_replays);
  EXPECT_EQ(kept.spec.pace, 3);
  EXPECT_THAT(kept.spec.entrants, ElementsAre("a", "b"));
  EXPECT_THAT(store_->ReadPositions(asked.id).value(), ElementsAre("p", "q"));
  // Whoever repeats the call that made it has asked for the same.
  EXPECT_EQ(store_->CreateCompetition(asked, absl::nullopt).value().id, asked.id);
}

TEST_P(StoreContract, SpecThatWasDecidedOnAFormerStateIsRefused) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  const Competition now = store_->GetCompetition(ladder.id).value();
  EXPECT_TRUE(absl::IsAborted(
      store_->UpdateSpec(ladder.id, now.version - 1, now.spec, absl::nullopt).status()));
  EXPECT_TRUE(absl::IsNotFound(
      store_->UpdateSpec(CompetitionId("none"), 1, now.spec, absl::nullopt).status()));
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, now.version);
}

TEST_P(StoreContract, OfManyWhoChangeASpecAtOnceNoneIsLost) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  constexpr int kThreads = 4;
  constexpr int kChanges = 10;
  const auto change = [&] {
    for (int made = 0; made < kChanges;) {
      Competition now = store_->GetCompetition(ladder.id).value();
      ++now.spec.priority;
      const absl::Status status =
          store_->UpdateSpec(ladder.id, now.version, now.spec, AuditOf("competition.set", "a"))
              .status();
      EXPECT_TRUE(status.ok() || absl::IsAborted(status)) << status;
      if (!status.ok() && !absl::IsAborted(status)) return;
      if (status.ok()) ++made;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(change);
  for (std::thread& thread : threads) thread.join();
  const Competition now = store_->GetCompetition(ladder.id).value();
  EXPECT_EQ(now.spec.priority, ladder.spec.priority + kThreads * kChanges);
  EXPECT_EQ(now.version, ladder.version + kThreads * kChanges);
}

TEST_P(StoreContract, OnePolicyIsKeptWithoutTheOthers) {
  Competition asked = LadderOf(1, "cup", {"a", "b"});
  asked.spec.on_illegal = "retry";
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  Reopen();
  EXPECT_EQ(store_->GetCompetition(asked.id).value().spec.on_illegal, "retry");
}

TEST_P(StoreContract, ACompetitionIsNotForgottenWhileItsReplaysAreToBeKept) {
  Competition asked = LadderOf(1, "new", {"a", "b"});
  asked.spec.keep_replays = true;
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  const absl::Status refused = store_->RemoveCompetition(asked.id, absl::nullopt);
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), asked.id, [](schedule::Spec* spec) {
                spec->keep_replays = false;
              }).ok());
  EXPECT_TRUE(store_->RemoveCompetition(asked.id, absl::nullopt).ok());
}

TEST_P(StoreContract, ACompetitionMayGetANameThatNoOtherHas) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  ASSERT_TRUE(store_->CreateCompetition(LadderOf(2, "taken", {}), absl::nullopt).ok());
  EXPECT_TRUE(
      absl::IsAlreadyExists(testing::ChangeSpec(store_.get(), ladder.id, [](schedule::Spec* spec) {
                              spec->name = "taken";
                            }).status()));
  const Competition renamed =
      testing::ChangeSpec(store_.get(), ladder.id, [](schedule::Spec* spec) {
        spec->name = "new";
      }).value();
  EXPECT_EQ(renamed.spec.name, "new");
  EXPECT_EQ(renamed.version, ladder.version + 1);
  Reopen();
  EXPECT_EQ(store_->FindCompetition("new").value().id, ladder.id);
  EXPECT_TRUE(absl::IsNotFound(store_->FindCompetition(ladder.spec.name).status()));
}

TEST_P(StoreContract, ACompetitionIsForgottenOnlyWhenItIsOver) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->RemoveCompetition(ladder.id, absl::nullopt)));
  ASSERT_TRUE(store_
                  ->SetState(ladder.id, CompetitionState::kRunning, CompetitionState::kFinished,
                             At(9), absl::nullopt)
                  .ok());
  ASSERT_TRUE(store_->RemoveCompetition(ladder.id, AuditOf("competition.remove", "a")).ok());
  Reopen();
  EXPECT_TRUE(absl::IsNotFound(store_->GetCompetition(ladder.id).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->ReadEntrants(ladder.id).status()));
  EXPECT_TRUE(store_->ListEntries("a", 9).value().empty());
  EXPECT_EQ(store_->ListAudit(0, 1).value()[0].action, "competition.remove");
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveCompetition(ladder.id, absl::nullopt)));
}

TEST_P(StoreContract, SpecTellsNoTieBreaksFromThoseOfTheFormat) {
  Competition asked = LadderOf(1, "a cup", {"a"});
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  Competition without = LadderOf(2, "another", {"a"});
  without.spec.tie_breaks.emplace();
  ASSERT_TRUE(store_->CreateCompetition(without, absl::nullopt).ok());
  Reopen();
  EXPECT_EQ(store_->GetCompetition(asked.id).value().spec.tie_breaks, absl::nullopt);
  EXPECT_EQ(store_->GetCompetition(without.id).value().spec.tie_breaks,
            std::vector<schedule::TieBreak>());
}

TEST_P(StoreContract, CallThatMakesACompetitionIsRepeatable) {
  Competition asked = LadderOf(1, "a cup", {"a"});
  asked.request_id = "r-1";
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  ASSERT_TRUE(store_->Join(asked.id, "b", absl::nullopt).ok());
  asked.id = CompetitionId(MatchIdOf(2).text());
  EXPECT_EQ(store_->CreateCompetition(asked, absl::nullopt).value().id.text(), MatchIdOf(1).text());
  asked.spec.seats = 3;
  EXPECT_TRUE(absl::IsAlreadyExists(store_->CreateCompetition(asked, absl::nullopt).status()));
  asked.request_id.clear();  // the name is taken
  EXPECT_TRUE(absl::IsAlreadyExists(store_->CreateCompetition(asked, absl::nullopt).status()));
  EXPECT_EQ(store_->ListCompetitions(CompetitionId(), 9).value().size(), 1);
}

TEST_P(StoreContract, CompetitionsAreListedNewestFirstPageByPage) {
  for (int i : {2, 1, 3}) {
    const Competition asked = LadderOf(i, absl::StrCat("cup ", i), {"a"});
    ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  }
  const auto names = [](const std::vector<Competition>& page) {
    std::vector<std::string> names;
    for (const Competition& competition : page) {
      names.push_back(competition.spec.name);
      EXPECT_THAT(competition.spec.entrants, IsEmpty());
    }
    return names;
  };
  const std::vector<Competition> page = store_->ListCompetitions(CompetitionId(), 2).value();
  EXPECT_THAT(names(page), ElementsAre("cup 3", "cup 2"));
  EXPECT_THAT(names(store_->ListCompetitions(page.back().id, 2).value()), ElementsAre("cup 1"));
}

TEST_P(StoreContract, CompetitionsOfABotAreListedInTheSameWay) {
  for (int i = 1; i <= 4; ++i) {
    const Competition asked =
        LadderOf(i, absl::StrCat("cup ", i),
                 i % 2 == 0 ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"b"});
    ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  }
  const auto names = [&](const CompetitionId& before, int limit) {
    std::vector<std::string> names;
    const auto page = store_->ListCompetitionsOf("a", before, limit);
    for (const Competition& one : page.value()) names.push_back(one.spec.name);
    return names;
  };
  EXPECT_THAT(names(CompetitionId(), 9), ElementsAre("cup 4", "cup 2"));
  EXPECT_THAT(names(CompetitionId(), 1), ElementsAre("cup 4"));
  EXPECT_THAT(names(CompetitionId(MatchIdOf(4).text()), 9), ElementsAre("cup 2"));
  EXPECT_THAT(store_->ListCompetitionsOf("c", CompetitionId(), 9).value(), IsEmpty());
}

TEST_P(StoreContract, StateIsComparedAndSet) {
  const Competition asked = LadderOf(1, "a cup", {"a"});
  ASSERT_TRUE(store_->CreateCompetition(asked, absl::nullopt).ok());
  const auto set = [&](CompetitionState from, CompetitionState to, int second) {
    return store_->SetState(asked.id, from, to, At(second), AuditOf("competition", "a cup"));
  };
  EXPECT_TRUE(
      absl::IsAborted(set(CompetitionState::kPaused, CompetitionState::kRunning, 1).status()));
  EXPECT_THAT(store_->ListAudit(0, 9).value(), IsEmpty());
  const Competition running = set(CompetitionState::kNew, CompetitionState::kRunning, 2).value();
  EXPECT_EQ(running.version, 2);
  EXPECT_EQ(running.start_time, At(2));
  ASSERT_TRUE(set(CompetitionState::kRunning, CompetitionState::kPaused, 3).ok());
  ASSERT_TRUE(set(CompetitionState::kPaused, CompetitionState::kRunning, 4).ok());
  EXPECT_EQ(store_->ListUnfinished().value().size(), 1);
  ASSERT_TRUE(set(CompetitionState::kRunning, CompetitionState::kFinished, 5).ok());
  Reopen();
  const Competition finished = store_->GetCompetition(asked.id).value();
  EXPECT_EQ(finished.start_time, At(2));
  EXPECT_EQ(finished.finish_time, At(5));
  EXPECT_EQ(finished.version, 5);
  EXPECT_THAT(store_->ListUnfinished().value(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(store_
                                   ->SetState(CompetitionId("none"), CompetitionState::kNew,
                                              CompetitionState::kRunning, At(1), absl::nullopt)
                                   .status()));
}

TEST_P(StoreContract, CompetitionIsNotFinishedWhileABlockRuns) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(ladder, 0, {0, 1})}).ok());
  const auto finish = [&] {
    return store_
        ->SetState(ladder.id, CompetitionState::kRunning, CompetitionState::kFinished, At(1),
                   absl::nullopt)
        .status();
  };
  EXPECT_TRUE(absl::IsFailedPrecondition(finish()));
  ASSERT_TRUE(Apply(store_.get(), {DropOf(ladder, 0)}).ok());
  EXPECT_TRUE(finish().ok());
}

TEST_P(StoreContract, BotsJoinAndLeaveAndComeBackUnderTheirNumber) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a"});
  EXPECT_EQ(store_->Join(ladder.id, "b", AuditOf("join", "b")).value().number, 1);
  EXPECT_EQ(store_->Join(ladder.id, "b", absl::nullopt).value().number, 1);  // changes nothing
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 1);
  const Entrant left =
      store_->TakeOut(ladder.id, "a", Presence::kWithdrawn, "tired", absl::nullopt).value();
  EXPECT_EQ(left.presence, Presence::kWithdrawn);
  EXPECT_EQ(left.reason, "tired");
  Reopen();
  EXPECT_EQ(store_->ReadEntrants(ladder.id).value()[0].reason, "tired");
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 2);
  const Entrant back = store_->Join(ladder.id, "a", absl::nullopt).value();
  EXPECT_EQ(back.number, 0);
  EXPECT_EQ(back.presence, Presence::kIn);
  EXPECT_EQ(back.reason, "");
  EXPECT_THAT(store_->GetCompetition(ladder.id).value().spec.entrants, ElementsAre("a", "b"));
  EXPECT_TRUE(absl::IsNotFound(
      store_->TakeOut(ladder.id, "c", Presence::kWithdrawn, "", absl::nullopt).status()));
}

TEST_P(StoreContract, WhatChangesNothingOfABotsEntryIsNotAudited) {
  const Competition ladder = StartLadder(store_.get(), 1, {});
  const auto join = [&] { return store_->Join(ladder.id, "a", AuditOf("join", "a")).status(); };
  const auto leave = [&] {
    return store_->TakeOut(ladder.id, "a", Presence::kWithdrawn, "", AuditOf("leave", "a"))
        .status();
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(join(), absl::OkStatus());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(leave(), absl::OkStatus());
  EXPECT_EQ(join(), absl::OkStatus());
  std::vector<std::string> actions;
  const std::vector<AuditEntry> entries = store_->ListAudit(0, 9).value();
  for (const AuditEntry& entry : entries) actions.push_back(entry.action);
  EXPECT_THAT(actions, ElementsAre("join", "leave", "join"));
}

TEST_P(StoreContract, BotThatIsSetAsideMayBeWithdrawnButNotTheOtherWay) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a"});
  const auto take_out = [&](Presence out, absl::string_view reason) {
    return store_->TakeOut(ladder.id, "a", out, reason, absl::nullopt).value();
  };
  EXPECT_EQ(take_out(Presence::kSetAside, "silent").presence, Presence::kSetAside);
  EXPECT_EQ(take_out(Presence::kSetAside, "again").reason, "silent");
  EXPECT_EQ(take_out(Presence::kWithdrawn, "left").presence, Presence::kWithdrawn);
  EXPECT_EQ(take_out(Presence::kSetAside, "silent").reason, "left");
  Reopen();
  EXPECT_EQ(store_->ReadEntrants(ladder.id).value()[0].presence, Presence::kWithdrawn);
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, ladder.version + 2);
}

TEST_P(StoreContract, NobodyJoinsACompetitionThatEnds) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a"});
  ASSERT_TRUE(store_
                  ->SetState(ladder.id, CompetitionState::kRunning, CompetitionState::kFinishing,
                             At(1), absl::nullopt)
                  .ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->Join(ladder.id, "b", absl::nullopt).status()));
}

TEST_P(StoreContract, CompetitionHasOnlySoManyEntrants) {
  std::vector<std::string> names;
  for (int i = 0; i < limits::kMaxEntrants; ++i) names.push_back(absl::StrCat("bot", i));
  const Competition ladder = StartLadder(store_.get(), 1, names);
  EXPECT_TRUE(absl::IsResourceExhausted(store_->Join(ladder.id, "late", absl::nullopt).status()));
  EXPECT_TRUE(store_->Join(ladder.id, "bot7", absl::nullopt).ok());
}

TEST_P(StoreContract, BotsEntriesAreListedNewestFirst) {
  const Competition first = StartLadder(store_.get(), 1, {"a", "b"});
  const Competition second = StartLadder(store_.get(), 2, {"b"});
  const std::vector<Entry> entries = store_->ListEntries("b", 9).value();
  ASSERT_THAT(entries, ElementsAre(Field(&Entry::competition, second.id),
                                   Field(&Entry::competition, first.id)));
  EXPECT_EQ(entries[1].entrant.number, 1);
  EXPECT_EQ(entries[1].competition_name, "ladder 1");
  EXPECT_EQ(entries[1].state, CompetitionState::kRunning);
  EXPECT_EQ(store_->ListEntries("b", 1).value().size(), 1);
  EXPECT_THAT(store_->ListEntries("c", 1).value(), IsEmpty());
}

}  // namespace
}  // namespace referee::store
