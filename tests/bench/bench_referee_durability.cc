#include "tests/bench/bench_referee_durability.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"

namespace referee::bench {
namespace {

// Writes to a file and syncs it again and again, until it is destroyed.
class Syncs {
 public:
  static absl::StatusOr<std::unique_ptr<Syncs>> Start(const std::string& path) {
    replay::File file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file.fd() < 0) return FileError("cannot make", path, errno);
    unlink(path.c_str());
    const std::string zeros(kFileBytes, '\0');
    absl::Status made = replay::WriteAt(file.fd(), zeros, 0, path);
    if (made.ok()) made = replay::SyncData(file.fd(), path);
    if (!made.ok()) return made;
    return std::unique_ptr<Syncs>(new Syncs(path, std::move(file)));
  }
  ~Syncs() {
    ends_.Notify();
    thread_.join();
  }

 private:
  // What matches write to the log in that time.
  static constexpr size_t kBytes = size_t{32} << 10;
  static constexpr size_t kFileBytes = size_t{8} << 20;

  Syncs(std::string path, replay::File file)
      : path_(std::move(path)), file_(std::move(file)), thread_([this] { Loop(); }) {}

  void Loop() {
    const std::string bytes(kBytes, 'x');
    size_t at = 0;
    do {
      absl::Status synced = replay::WriteAt(file_.fd(), bytes, at, path_);
      if (synced.ok()) synced = replay::SyncData(file_.fd(), path_);
      if (!synced.ok()) std::fprintf(stderr, "%s\n", synced.ToString().c_str());
      at = (at + kBytes) % kFileBytes;
    } while (!ends_.WaitForNotificationWithTimeout(limits::kLogGather));
  }

  const std::string path_;
  const replay::File file_;
  absl::Notification ends_;
  std::thread thread_;
};

absl::StatusOr<Figures> MeasureCase(Conditions conditions, const Scenario& scenario,
                                    const DurabilityCase& one) {
  conditions.durability = one.durability;
  if (!one.other_syncs) return MeasureReferee(conditions, scenario);
  const absl::StatusOr<std::unique_ptr<Syncs>> syncs =
      Syncs::Start(absl::StrCat(conditions.work_dir, "/synced"));
  if (!syncs.ok()) return syncs.status();
  return MeasureReferee(conditions, scenario);
}

const std::vector<DurabilityCase>& DurabilityCases() {
  static const auto* const kCases = new std::vector<DurabilityCase>{
      {"none", replay::Durability::kNone},
      {"match", replay::Durability::kMatch},
      {"turn", replay::Durability::kTurn},
      {"other", replay::Durability::kNone, /*other_syncs=*/true},
  };
  return *kCases;
}

}  // namespace

const DurabilityCase& DurabilityCaseOf(const std::string& name) {
  const std::vector<DurabilityCase>& cases = DurabilityCases();
  return *std::find_if(cases.begin(), cases.end(),
                       [&](const DurabilityCase& one) { return one.name == name; });
}

absl::StatusOr<std::vector<DurabilityFigures>> MeasureDurability(
    const Conditions& conditions, const Scenario& scenario,
    const std::vector<DurabilityCase>& cases, int rounds) {
  struct Measured {
    std::vector<double> turns, ratio, own_p50, own_p99;
  };
  std::vector<Measured> measured(cases.size());
  for (int round = 0; round < rounds; ++round) {
    std::fprintf(stderr, "\rmatches %s, round %d of %d   ", scenario.name().c_str(), round + 1,
                 rounds);
    for (size_t i = 0; i < cases.size(); ++i) {
      const absl::StatusOr<Figures> figures = MeasureCase(conditions, scenario, cases[i]);
      if (!figures.ok()) return figures.status();
      measured[i].turns.push_back(figures->per_second);
      measured[i].ratio.push_back(figures->per_second / measured[0].turns.back());
      measured[i].own_p50.push_back(figures->own_p50);
      measured[i].own_p99.push_back(figures->own_p99);
    }
  }
  std::fprintf(stderr, "\r%40s\r", "");
  std::vector<DurabilityFigures> all;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Measured& one = measured[i];
    all.push_back({cases[i].name, MedianOf(one.turns), MedianOf(one.ratio), MedianOf(one.own_p50),
                   MedianOf(one.own_p99)});
  }
  return all;
}

}  // namespace referee::bench
