// Fixture for audits: a store and an archive that agree, which a test changes in one place.
//
// The matches are real, and the tallies are those that a running competition counts.
#ifndef REFEREE_TESTS_UNIT_STORE_AUDITED_H_
#define REFEREE_TESTS_UNIT_STORE_AUDITED_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "referee/store/audit.h"
#include "referee/store/store.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/replay/sample.h"

namespace referee::store {

// Applies changes as the owner of all blocks.
absl::Status Apply(Store* store, absl::Span<const Change> changes);

MatchId NumberedMatch(uint8_t number);
std::string NumberedBlock(uint8_t number);

// A round robin of three bots: blocks 0 (alice, bob), 1 (carol, alice), 2 (bob, carol). All are
// played and counted, unless a test sets otherwise before Make. Block n has the matches 2n and 2n +
// 1.
class Audited : public ::testing::Test {
 protected:
  // Changes of a test on the way from the matches to the store.
  std::function<void(replay::Replay*)> change_replay = [](replay::Replay*) {};
  std::function<void(std::vector<BlockMatch>*)> change_results = [](std::vector<BlockMatch>*) {};
  std::function<void(CountBlocks*)> change_count = [](CountBlocks*) {};
  // By match number: the bot that does not answer. In the second match of block 1, some bot does
  // not answer in any case.
  std::map<int, int> silent;
  // By block number: begin and end, in seconds from the start. Other blocks take no time.
  std::map<int64_t, std::pair<int, int>> times;
  std::vector<std::string> positions;  // the start positions of blocks
  bool committed = true;               // whether the dice of all matches are committed; else pinned
  bool named = true;                   // whether blocks have names in the store

  void Make();
  // Plays block `number`, archives it and stores its result.
  void Play(int64_t number, std::vector<int> bots);
  replay::Replay PlayMatch(int64_t number, int rotation, const std::vector<int>& bots);
  // Counts all played blocks.
  void Count();

  void Archive(const replay::Replay& replay, const MatchId& id, uint8_t key = 1);
  void WriteFile(const MatchId& id, const std::string& bytes);
  std::string ReadFile(const MatchId& id) { return archive_.Read(id).value(); }
  // Changes the database directly.
  void Sql(const std::string& script);

  // As in AuditOptions; null by default.
  std::function<absl::StatusOr<std::string>(const MatchId& id)> find_elsewhere;
  // All findings of an audit, as text.
  std::vector<std::string> Findings();

  testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const replay::Archive archive_{directory_.path()};
  std::unique_ptr<Store> store_;
  CompetitionId id_;
  AuditReport report_;
};

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_AUDITED_H_
