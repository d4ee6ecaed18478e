#include "tests/unit/store/audited.h"

#include "absl/strings/str_cat.h"
#include "referee/base/rotation.h"
#include "referee/competition/count.h"
#include "referee/schedule/positions.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/files.h"
#include "tests/support/leased.h"

namespace referee::store {
namespace {

constexpr int kMaxTurns = 20;

}  // namespace

absl::Status Apply(Store* store, absl::Span<const Change> changes) {
  return testing::ApplyAs(store, "daemon", changes);
}

MatchId NumberedMatch(uint8_t number) {
  const uint8_t random[10] = {number};
  return MatchId::Make(absl::FromUnixSeconds(1'700'000'000 + number), random);
}

std::string NumberedBlock(uint8_t number) {
  const uint8_t random[10] = {number, 1};
  return BlockId::Make(absl::FromUnixSeconds(1'700'000'000), random).text();
}

void Audited::Make() {
  store_ = OpenSqliteStore(directory_.path() + "/store.db", {}).value();
  Competition competition;
  competition.id = CompetitionId(NumberedMatch(200).text());
  competition.spec.name = "spring";
  competition.spec.game = "hypnosia";
  competition.spec.options = {{"turn_limit", absl::StrCat(kMaxTurns)}};
  competition.spec.positions = positions;
  competition.spec.entrants = {"alice", "bob", "carol"};
  competition.create_time = absl::FromUnixSeconds(1'700'000'000);
  id_ = store_->CreateCompetition(competition, absl::nullopt).value().id;
  ASSERT_TRUE(store_
                  ->SetState(id_, CompetitionState::kNew, CompetitionState::kRunning,
                             competition.create_time, absl::nullopt)
                  .ok());
  Play(0, {0, 1});
  Play(1, {2, 0});
  Play(2, {1, 2});
  Count();
}

void Audited::Play(int64_t number, std::vector<int> bots) {
  const Competition competition = store_->GetCompetition(id_).value();
  const auto [from, to] = times[number];
  const absl::Time time = competition.create_time + absl::Seconds(to);
  BeginBlock begin{
      id_, competition.version, number, {bots}, competition.create_time + absl::Seconds(from)};
  ASSERT_TRUE(Apply(store_.get(), {begin}).ok());
  const std::string block_id = named ? NumberedBlock(static_cast<uint8_t>(number)) : "";
  std::vector<BlockMatch> matches;
  for (int rotation = 0; rotation < 2; ++rotation) {
    replay::Replay replay = PlayMatch(number, rotation, bots);
    matches.push_back({replay.setup.id, *replay.ended()});
    change_replay(&replay);
    Archive(replay, replay.setup.id);
  }
  change_results(&matches);
  FinishBlock finish{id_, number, 0, block_id, matches, time};
  ASSERT_TRUE(Apply(store_.get(), {finish}).ok());
}

replay::Replay Audited::PlayMatch(int64_t number, int rotation, const std::vector<int>& bots) {
  const int match = static_cast<int>(2 * number + rotation);
  const auto bot_of = [&](int seat) {
    return bots[static_cast<size_t>(PlaceOfSeat(seat, rotation, 2))];
  };
  replay::SampleOptions options;
  options.seed = static_cast<uint64_t>(number) + 1;
  options.committed = committed;
  options.options = {{"turn_limit", absl::StrCat(kMaxTurns)}};
  if (!positions.empty()) {
    const int start = schedule::PositionOf(number, static_cast<int>(positions.size()));
    options.options.push_back({"position", positions[static_cast<size_t>(start)]});
  }
  if (match == 3) options.time_out_at = 5;
  replay::Replay replay = replay::PlaySample(options);
  if (const auto found = silent.find(match); found != silent.end()) {
    for (options.time_out_at = 2; options.time_out_at < kMaxTurns; ++options.time_out_at) {
      replay = replay::PlaySample(options);
      const std::vector<match::SeatForfeit>& forfeits = replay.ended()->forfeits;
      if (!forfeits.empty() && bot_of(forfeits[0].seat.index()) == found->second) break;
    }
  }
  // The fourth entrant is a later version of bob.
  const std::vector<std::string> names = {"alice", "bob", "carol", "bob"};
  replay.setup.id = NumberedMatch(static_cast<uint8_t>(match));
  replay.setup.block = {BlockId::Parse(NumberedBlock(static_cast<uint8_t>(number))).value(),
                        rotation};
  for (int seat = 0; seat < 2; ++seat) {
    replay.setup.bots[static_cast<size_t>(seat)] = names[static_cast<size_t>(bot_of(seat))];
  }
  return replay;
}

void Audited::Count() {
  const Competition competition = store_->GetCompetition(id_).value();
  const std::vector<Entrant> entrants = store_->ReadEntrants(id_).value();
  competition::CompetitionCount count(competition, entrants);
  for (int64_t number = competition.counted; number < competition.next_block; ++number) {
    count.Add(store_->GetBlock(id_, number).value());
  }
  CountBlocks change = count.change();
  change_count(&change);
  ASSERT_TRUE(Apply(store_.get(), {change}).ok());
}

void Audited::Archive(const replay::Replay& replay, const MatchId& id, uint8_t key) {
  WriteFile(id, replay::Encode(replay, replay::SampleSigner(key)));
}

void Audited::WriteFile(const MatchId& id, const std::string& bytes) {
  testing::WriteFile(archive_.PathOf(id), bytes);
}

void Audited::Sql(const std::string& script) {
  const auto db = Connection::Open(directory_.path() + "/store.db", false, absl::Seconds(10));
  const absl::Status run = db.value()->RunScript(script);
  ASSERT_TRUE(run.ok()) << run;
}

std::vector<std::string> Audited::Findings() {
  AuditOptions options;
  options.store = store_.get();
  options.data_dir = directory_.path();
  options.keys.emplace(replay::SampleSigner().public_key());
  options.threads = 2;
  options.find_elsewhere = find_elsewhere;
  std::vector<std::string> found;
  const absl::StatusOr<AuditReport> report = Audit(options, [&](const Finding& finding) {
    found.push_back(absl::StrCat(finding.competition, "/",
                                 finding.block ? absl::StrCat(*finding.block) : "", "/",
                                 finding.match_id, ": ", finding.problem));
  });
  EXPECT_TRUE(report.ok()) << report.status();
  if (report.ok()) report_ = *report;
  EXPECT_EQ(report_.findings, static_cast<int64_t>(found.size()));
  return found;
}

}  // namespace referee::store
