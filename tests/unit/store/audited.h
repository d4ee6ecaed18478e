// A store and its archive that agree, to be changed in one place and audited: the matches are real,
// and the tallies those that a running competition counts.
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

// What the owner of all blocks does.
absl::Status Apply(Store* store, absl::Span<const Change> changes);

MatchId NumberedMatch(uint8_t number);
std::string NumberedBlock(uint8_t number);

// A round robin of three bots: blocks 0 (alice, bob), 1 (carol, alice), 2 (bob, carol), all played
// and counted, unless a test says otherwise before it is made. The matches of block n are those of
// numbers 2n and 2n + 1.
class Audited : public ::testing::Test {
 protected:
  // What a test changes on the way from the matches to the store.
  std::function<void(replay::Replay*)> change_replay = [](replay::Replay*) {};
  std::function<void(std::vector<BlockMatch>*)> change_results = [](std::vector<BlockMatch>*) {};
  std::function<void(CountBlocks*)> change_count = [](CountBlocks*) {};
  // The bot that does not answer in a match, by its number. In the second of block 1 one does not,
  // whichever.
  std::map<int, int> silent;
  // When a block begins and ends, in seconds from the start, by its number; others take no time.
  std::map<int64_t, std::pair<int, int>> times;
  std::vector<std::string> positions;  // that blocks start from
  bool committed = true;               // the dice of all matches; else they are pinned
  bool named = true;                   // blocks have names in the store

  void Make();
  // Plays block `number`, archives it and stores its result.
  void Play(int64_t number, std::vector<int> bots);
  replay::Replay PlayMatch(int64_t number, int rotation, const std::vector<int>& bots);
  // Counts all that was played.
  void Count();

  void Archive(const replay::Replay& replay, const MatchId& id, uint8_t key = 1);
  void WriteFile(const MatchId& id, const std::string& bytes);
  std::string ReadFile(const MatchId& id) { return archive_.Read(id).value(); }
  // Changes the store behind its back.
  void Sql(const std::string& script);

  // Of AuditOptions; null, unless a test says otherwise.
  std::function<absl::StatusOr<std::string>(const MatchId& id)> find_elsewhere;
  // Everything that an audit finds, as text.
  std::vector<std::string> Findings();

  testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const replay::Archive archive_{directory_.path()};
  std::unique_ptr<Store> store_;
  CompetitionId id_;
  AuditReport report_;
};

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_AUDITED_H_
