// Makes correctly signed replay files with false content.
#ifndef REFEREE_TESTS_SUPPORT_TAMPERED_REPLAY_H_
#define REFEREE_TESTS_SUPPORT_TAMPERED_REPLAY_H_

#include <cstdlib>
#include <functional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"

namespace referee::testing {

// Returns `file` with its match changed by `tamper`, signed anew by `signer`. REQUIRES: `file` is a
// replay of a game of the catalogue.
inline std::string Tampered(absl::string_view file,
                            const std::function<void(replay::Replay*)>& tamper,
                            const replay::Signer& signer) {
  absl::StatusOr<replay::Replay> replay = replay::Parse(file);
  EXPECT_TRUE(replay.ok()) << replay.status();
  if (!replay.ok()) return "";
  tamper(&*replay);
  return replay::Encode(*replay, signer);
}

// The first record of this type. REQUIRES: it exists.
template <typename Record>
Record& FirstRecord(replay::Replay* replay) {
  for (match::Record& record : replay->records) {
    if (auto* const found = std::get_if<Record>(&record)) return *found;
  }
  ADD_FAILURE() << "there is no such record";
  std::abort();
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_TAMPERED_REPLAY_H_
