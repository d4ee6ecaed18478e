// Harms a fleet of referees, again and again: a ladder goes on on three that share a database, and
// one after the other a referee is killed, suspended, cut off from the database, stopped or
// drained, or the database restarted or lost. After each fault the ladder has to go on; at the end
// no block may be missing, doubled or lost, and an audit must find nothing.
//
//   fleet_faults --faults 100 --seed 1 --lease 3s --keep /tmp/findings
//
// Prints a line for each fault, and how long the counting of blocks paused at the most; exits 1
// when something was found, 2 when it could not run, 77 where PostgreSQL is not installed. Referees
// are cut off by root only, where iproute2 is installed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/mutex.h"
#include "tests/end_to_end/fleet.h"
#include "tests/end_to_end/fleet_database.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

// What the counting has to gain after a fault for the ladder to have gone on.
constexpr int64_t kGoesOn = 20;
// A takeover has to come within the minute for which is waited.
constexpr absl::Duration kMostLease = absl::Seconds(30);
// The exit status by which ctest knows that a test could not be done.
constexpr int kSkipped = 77;
// How often is looked how many blocks were counted.
constexpr absl::Duration kSample = absl::Milliseconds(10);

constexpr char kCounted[] = "SELECT counted FROM referee.competition";
constexpr char kReplayed[] = "SELECT replayed FROM referee.competition";
// Without those of blocks that waited for a bot where they were made, which nobody had begun to
// play.
constexpr char kSpoilt[] =
    "SELECT count(*) FROM referee.attempt WHERE reason NOT LIKE '%had not begun when its "
    "competition moved%' AND reason NOT LIKE '%the referee that was to play it%'";
// The attempts that came to nothing last, with their reasons.
constexpr char kLastAttempts[] =
    "SELECT 'block ' || number, 'attempt ' || attempt, reason FROM referee.attempt ORDER BY "
    "end_time DESC LIMIT ";

// Looks all the time how many blocks were counted, and keeps the longest time without one.
class Pulse {
 public:
  explicit Pulse(const std::string& store)
      : queries_(store), rose_(absl::Now()), thread_([this] { Look(); }) {}
  ~Pulse() {
    {
      MutexLock lock(&mutex_);
      ended_ = true;
      changed_.NotifyAll();
    }
    thread_.join();
  }
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  int64_t counted() {
    MutexLock lock(&mutex_);
    return counted_;
  }
  // From now on the longest pause is sought anew.
  void Begin() {
    MutexLock lock(&mutex_);
    rose_ = absl::Now();
    longest_ = absl::ZeroDuration();
  }
  absl::Duration longest() {
    MutexLock lock(&mutex_);
    return longest_;
  }

 private:
  void Look() {
    for (bool ended = false; !ended;) {
      const int64_t counted = queries_.Number(kCounted).value_or(0);
      MutexLock lock(&mutex_);
      if (counted > counted_) {
        const absl::Time now = absl::Now();
        longest_ = std::max(longest_, now - std::exchange(rose_, now));
        counted_ = counted;
      }
      if (!ended_) changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(kSample));
      ended = ended_;
    }
  }

  FleetQueries queries_;
  Mutex mutex_;
  CondVar changed_;
  int64_t counted_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time rose_ ABSL_GUARDED_BY(mutex_);
  absl::Duration longest_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// What a fault is done to. `victim`: a referee.
struct Scene {
  Fleet& fleet;
  FleetDatabase& database;
  FleetNetwork* network;  // null: there is none
  int victim;
};

absl::Status AwaitOtherHome(const Scene& scene) {
  return AwaitCondition("the takeover by another referee", [&] {
    const absl::optional<int> home = scene.fleet.Home();
    return home.has_value() && *home != scene.victim;
  });
}

absl::Status KillAndRestart(const Scene& scene) {
  scene.fleet.Kill(scene.victim);
  return scene.fleet.Start(scene.victim);
}

absl::Status KillUntilTakeover(const Scene& scene) {
  scene.fleet.Kill(scene.victim);
  if (absl::Status taken = AwaitOtherHome(scene); !taken.ok()) return taken;
  return scene.fleet.Start(scene.victim);
}

absl::Status Suspend(const Scene& scene) {
  scene.fleet.Suspend(scene.victim);
  absl::Status waited = AwaitCondition("the end of the lease of a referee that is suspended",
                                       [&] { return scene.fleet.HasLapsed(scene.victim); });
  if (waited.ok()) waited = AwaitOtherHome(scene);
  scene.fleet.Resume(scene.victim);
  return waited;
}

absl::Status Partition(const Scene& scene) {
  if (absl::Status cut = scene.network->Cut(scene.victim); !cut.ok()) return cut;
  absl::Status waited = AwaitCondition("the end of the lease of a referee that is cut off",
                                       [&] { return scene.fleet.HasLapsed(scene.victim); });
  if (waited.ok()) waited = AwaitOtherHome(scene);
  if (absl::Status mended = scene.network->Mend(scene.victim); !mended.ok()) return mended;
  return waited;
}

absl::Status StopAndRestart(const Scene& scene) {
  if (absl::Status stopped = scene.fleet.Stop(scene.victim); !stopped.ok()) return stopped;
  return scene.fleet.Start(scene.victim);
}

absl::Status Drain(const Scene& scene) {
  absl::Status drained = scene.fleet.Drain(scene.victim);
  if (drained.ok()) drained = AwaitOtherHome(scene);
  if (drained.ok()) drained = StopAndRestart(scene);
  return drained;
}

absl::Status RestartDatabase(const Scene& scene) { return scene.database.Restart(); }

absl::Status FailOver(const Scene& scene) {
  const absl::Status promoted = scene.database.FailOver();
  return promoted.ok() ? scene.database.AddStandby() : promoted;
}

constexpr char kPartition[] = "partition";

struct Kind {
  const char* name;
  bool planned;  // no attempt that has begun may come to nothing
  absl::Status (*happen)(const Scene& scene);
};

constexpr Kind kKinds[] = {
    {"kill-restart", false, KillAndRestart},
    {"kill-takeover", false, KillUntilTakeover},
    {"suspend", false, Suspend},
    {kPartition, false, Partition},
    {"stop", true, StopAndRestart},
    {"drain", true, Drain},
    {"database-restart", false, RestartDatabase},
    {"database-failover", false, FailOver},
};

struct Flags {
  int faults = 10;
  uint64_t seed = 1;
  std::string lease = "3s";
  int homes = 1;
  std::string keep;
  std::vector<std::string> only;
};

class Run {
 public:
  // `network` may be null: then no referee is cut off.
  Run(const Flags& flags, FleetOptions options, Sandbox* sandbox, FleetDatabase* database,
      FleetNetwork* network)
      : flags_(flags),
        database_(*database),
        network_(network),
        fleet_(sandbox, std::move(options)),
        random_(flags.seed) {}

  // Returns how many things were found.
  int Do() {
    if (absl::Status begun = fleet_.Begin(); !begun.ok()) return Find(begun), found_;
    {
      Pulse pulse(database_.url());
      for (int number = 1; number <= flags_.faults; ++number) {
        const absl::Status status = Harm(number, &pulse);
        if (!status.ok()) Find(status);
        if (!status.ok() || Interrupted()) return found_;
      }
    }
    const absl::Status finished = fleet_.Finish();
    if (!finished.ok()) return Find(finished), found_;
    Check();
    PrintTable();
    return found_;
  }

 private:
  void Find(const absl::Status& status) {
    ++found_;
    std::printf("FOUND: %s\n", std::string(status.message()).c_str());
    std::fflush(stdout);
  }
  void FindUnless(bool good, const std::string& what) {
    if (!good) Find(absl::InternalError(what));
  }

  const Kind& Draw() {
    std::vector<const Kind*> kinds;
    for (const Kind& kind : kKinds) {
      const bool asked =
          std::find(flags_.only.begin(), flags_.only.end(), kind.name) != flags_.only.end();
      const bool can = network_ != nullptr || kind.name != kPartition;
      if (can && (asked || flags_.only.empty())) kinds.push_back(&kind);
    }
    return *kinds[random_() % kinds.size()];
  }

  // The blocks of a referee whose lease has lapsed are void. The fault before did that, and not a
  // planned one that comes at once after it.
  absl::Status AwaitLeases() {
    return AwaitCondition("the leases of all referees after the fault before", [this] {
      if (!fleet_.Home().has_value()) return false;
      for (int referee = 0; referee < fleet_.referees(); ++referee) {
        if (fleet_.HasLapsed(referee)) return false;
      }
      return true;
    });
  }

  void PrintLastAttempts(int64_t count) {
    for (const std::string& line : fleet_.queries().Lines(absl::StrCat(kLastAttempts, count), 3)) {
      std::printf("        %s\n", line.c_str());
    }
    std::fflush(stdout);
  }

  // One fault; returns once the ladder has gone on.
  absl::Status Harm(int number, Pulse* pulse) {
    const Kind& kind = Draw();
    if (kind.planned) {
      if (absl::Status held = AwaitLeases(); !held.ok()) return held;
    }
    const bool any = random_() % 4 == 0;
    const int drawn = static_cast<int>(random_() % static_cast<uint64_t>(fleet_.referees()));
    const absl::optional<int> home = fleet_.Home();
    const int victim = any ? drawn : home.value_or(drawn);
    const int64_t replayed = fleet_.queries().Number(kReplayed).value_or(0);
    const int64_t spoilt = fleet_.queries().Number(kSpoilt).value_or(0);
    pulse->Begin();
    const absl::Time began = absl::Now();
    absl::Status status = kind.happen({fleet_, database_, network_, victim});
    const int64_t base = pulse->counted();
    if (status.ok()) {
      status = AwaitCondition("that the ladder goes on",
                              [&] { return pulse->counted() >= base + kGoesOn; });
    }
    if (status.ok()) status = fleet_.CheckAlive();
    const int64_t voids = fleet_.queries().Number(kReplayed).value_or(0) - replayed;
    const absl::Duration pause = pulse->longest();
    const char* const whom = victim == home ? "the home" : "another";
    std::printf("%4d  %-18s %-8s  paused %6.2f s of %6.2f s, %lld attempts void\n", number,
                kind.name, whom, absl::ToDoubleSeconds(pause),
                absl::ToDoubleSeconds(absl::Now() - began), static_cast<long long>(voids));
    std::fflush(stdout);
    pauses_[absl::StrCat(kind.name, ", ", whom)].push_back(pause);
    if (status.ok() && kind.planned) {
      const int64_t more = fleet_.queries().Number(kSpoilt).value_or(0) - spoilt;
      FindUnless(more == 0, absl::StrCat(more, " attempts were spoilt by ", kind.name));
      if (more > 0) PrintLastAttempts(voids);
    }
    if (status.ok() || absl::IsCancelled(status)) return status;
    return absl::InternalError(
        absl::StrCat("fault ", number, " (", kind.name, " of ", whom, "): ", status.message()));
  }

  void Check() {
    FleetQueries& queries = fleet_.queries();
    const auto number = [&](const std::string& sql) { return queries.Number(sql).value_or(-1); };
    const int64_t blocks = number("SELECT count(*) FROM referee.block");
    const int64_t distinct = number("SELECT count(DISTINCT number) FROM referee.block");
    const int64_t span = number("SELECT max(number) - min(number) + 1 FROM referee.block");
    FindUnless(
        blocks == distinct && blocks == span,
        absl::StrCat("of ", span, " blocks there are ", blocks, ", with ", distinct, " numbers"));
    FindUnless(number(kCounted) == blocks,
               absl::StrCat("of ", blocks, " blocks ", number(kCounted), " are counted"));
    for (const std::string& line : queries.Lines(
             "SELECT number::text, state, reason FROM referee.block WHERE state <> 'PLAYED'", 3)) {
      FindUnless(false, absl::StrCat("block ", line));
    }
    for (const std::string& line : queries.Lines(
             "SELECT name, presence, reason, 'forfeits ' || forfeits || ', by time ' || "
             "time_losses || ', by links ' || lost_links FROM referee.entrant WHERE presence <> "
             "'IN' OR forfeits > 0 OR time_losses > 0",
             4)) {
      FindUnless(false, absl::StrCat("bot ", line));
    }
    if (const absl::Status audit = fleet_.Audit(); !audit.ok()) Find(audit);
    std::printf("\n%lld blocks, of which %lld attempts were void\n", static_cast<long long>(blocks),
                static_cast<long long>(number(kReplayed)));
  }

  void PrintTable() const {
    std::printf("\nThe longest pause in the counting of blocks, in seconds\n\n");
    std::printf("%-28s %6s %8s %8s %8s\n", "fault", "times", "p50", "p99", "max");
    for (const auto& [what, found] : pauses_) {
      std::vector<absl::Duration> pauses = found;
      std::sort(pauses.begin(), pauses.end());
      const auto at = [&](double share) {
        const double place = std::ceil(share * static_cast<double>(pauses.size()));
        return absl::ToDoubleSeconds(pauses[static_cast<size_t>(std::max(place, 1.0)) - 1]);
      };
      std::printf("%-28s %6zu %8.2f %8.2f %8.2f\n", what.c_str(), pauses.size(), at(0.5), at(0.99),
                  at(1));
    }
  }

  const Flags& flags_;
  FleetDatabase& database_;
  FleetNetwork* const network_;
  Fleet fleet_;
  std::mt19937_64 random_;
  std::map<std::string, std::vector<absl::Duration>> pauses_;
  int found_ = 0;
};

// Copies what the programs wrote and kept; sockets are left.
void Keep(const std::string& from, const std::string& to) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const fs::path copy = fs::path(to) / fs::relative(entry.path(), from);
    fs::create_directories(copy.parent_path(), ignored);
    fs::copy_file(entry.path(), copy, fs::copy_options::overwrite_existing, ignored);
  }
}

CLI::Validator AmongKinds() {
  return CLI::Validator(
      [](const std::string& name) -> std::string {
        for (const Kind& kind : kKinds) {
          if (name == kind.name) return "";
        }
        return absl::StrCat("'", name, "' is no kind of fault");
      },
      "", "kind");
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Harms a fleet of referees, and checks that nothing is lost or doubled.",
               "fleet_faults");
  app.add_option("--faults", flags.faults, "How many, one after the other")->capture_default_str();
  app.add_option("--seed", flags.seed, "Decides which, and whom they befall")
      ->capture_default_str();
  app.add_option("--lease", flags.lease, "Of each referee, as refereed --lease")
      ->capture_default_str();
  app.add_option("--homes", flags.homes, "On how many of the three referees the ladder is played")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  app.add_option("--only", flags.only, "Kinds of faults, such as kill-takeover,stop")
      ->delimiter(',')
      ->check(AmongKinds());
  app.add_option("--keep", flags.keep,
                 "Where data directories and logs go when something is found");
  CLI11_PARSE(app, argc, argv);
  absl::Duration lease;
  if (!absl::ParseDuration(flags.lease, &lease) || lease > kMostLease) {
    std::fprintf(stderr, "fleet_faults: --lease: '%s' is not a duration from 3s to 30s\n",
                 flags.lease.c_str());
    return 2;
  }
  ListenToSignals();
  FleetOptions options{"", {}, lease};
  options.homes = flags.homes;
  auto network = FleetNetwork::Make(options.referees);
  FleetNetwork* const cables = network.ok() ? network->get() : nullptr;
  if (cables == nullptr) {
    std::printf("no referee is cut off: %s\n", std::string(network.status().message()).c_str());
    if (flags.only == std::vector<std::string>{kPartition}) return kSkipped;
  }
  auto database = FleetDatabase::Start(cables);
  if (!database.ok()) {
    std::fprintf(stderr, "fleet_faults: %s\n", std::string(database.status().message()).c_str());
    return absl::IsNotFound(database.status()) ? kSkipped : 2;
  }
  Sandbox sandbox;
  std::printf("seed %llu, lease %s, homes %d\n", static_cast<unsigned long long>(flags.seed),
              flags.lease.c_str(), flags.homes);
  options.store = (*database)->url();
  for (int referee = 0; cables != nullptr && referee < options.referees; ++referee) {
    options.places.push_back({cables->Entry(referee), (*database)->UrlFor(referee)});
  }
  const int found = Run(flags, options, &sandbox, database->get(), cables).Do();
  if (found > 0 && !flags.keep.empty()) Keep(sandbox.path(), flags.keep);
  return found > 0 ? 1 : 0;
}

}  // namespace
}  // namespace referee::end_to_end

int main(int argc, char** argv) { return referee::end_to_end::Main(argc, argv); }
