#include "referee/metrics/metrics.h"

#include <dirent.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace referee::metrics {
namespace {

// --- The process ---

std::string ReadFile(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

prometheus::MetricFamily One(std::string name, std::string help, prometheus::MetricType type,
                             double value) {
  prometheus::MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  family.metric.resize(1);
  family.metric[0].counter.value = value;
  family.metric[0].gauge.value = value;
  return family;
}

// The fields of /proc/self/stat after the program's name, from the third on (proc(5)).
std::vector<std::string> StatFields() {
  const std::string stat = ReadFile("/proc/self/stat");
  const size_t end = stat.rfind(") ");
  if (end == std::string::npos) return {};
  return absl::StrSplit(stat.substr(end + 2), ' ');
}

// The boot time of the machine, in seconds since 1970; 0: unknown.
double BootTime() {
  const std::string text = ReadFile("/proc/stat");
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::string_view time = line;
    double seconds;
    if (absl::ConsumePrefix(&time, "btime ") && absl::SimpleAtod(time, &seconds)) return seconds;
  }
  return 0;
}

int OpenDescriptors() {
  DIR* const dir = opendir("/proc/self/fd");
  if (dir == nullptr) return 0;
  int entries = 0;
  while (readdir(dir) != nullptr) ++entries;
  closedir(dir);
  return entries - 3;  // without ".", ".." and the directory's own descriptor
}

// Reads the standard process metrics from /proc, such as process_cpu_seconds_total. Each has one
// series. Leaves out values that cannot be read.
std::vector<prometheus::MetricFamily> CollectProcess() {
  using prometheus::MetricType;
  std::vector<prometheus::MetricFamily> all;
  const auto add = [&](const char* name, const char* help, MetricType type, double value) {
    all.push_back(One(name, help, type, value));
  };
  rusage used;
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    add("process_cpu_seconds_total", "Processor time of the process.", MetricType::Counter,
        seconds(used.ru_utime) + seconds(used.ru_stime));
  }
  constexpr size_t kStartTicks = 19;  // field 22
  constexpr size_t kResidentPages = 21;
  const std::vector<std::string> fields = StatFields();
  double ticks;
  double pages;
  if (fields.size() > kResidentPages && absl::SimpleAtod(fields[kStartTicks], &ticks) &&
      absl::SimpleAtod(fields[kResidentPages], &pages)) {
    add("process_resident_memory_bytes", "Memory of the process that is in RAM.", MetricType::Gauge,
        pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
    if (const double boot = BootTime(); boot > 0) {
      add("process_start_time_seconds", "When the process was started, since 1970.",
          MetricType::Gauge, boot + ticks / static_cast<double>(sysconf(_SC_CLK_TCK)));
    }
  }
  add("process_open_fds", "Open file descriptors.", MetricType::Gauge, OpenDescriptors());
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    add("process_max_fds", "How many file descriptors there may be.", MetricType::Gauge,
        static_cast<double>(limit.rlim_cur));
  }
  return all;
}

// --- All ---

std::vector<std::string> WithOthers(std::vector<std::string> games) {
  if (games.size() <= kMaxGames) return games;
  games.resize(kMaxGames);
  games.push_back(kOtherGames);
  return games;
}

std::vector<std::string> FullNames(const std::vector<Method>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const Method& method : methods) names.push_back(method.service + "." + method.name);
  return names;
}

}  // namespace

// Initialises the families in the order of the members.
Metrics::Metrics(const Names& names)
    : games_(WithOthers(names.games)),
      methods_(FullNames(names.methods)),
      matches_running(&families_, "referee_matches_running", "Matches that are being played.",
                      {{"game", games_}}),
      matches_waiting(&families_, "referee_matches_waiting",
                      "Matches that wait for their bots, or for room.", {{"game", games_}}),
      matches_ended(&families_, "referee_matches_ended_total", "Matches that have ended.",
                    {{"game", games_}, {"ending", names.endings}}),
      turns(&families_, "referee_turns_total", "Turns that were played, passes included.",
            {{"game", games_}}),
      turn_own(&families_, "referee_turn_own_seconds", "The referee's own time of a turn."),
      turn_bot(&families_, "referee_turn_bot_seconds", "The bot's time of a turn."),
      turn_network(&families_, "referee_turn_network_seconds", "The network's time of a turn."),
      forfeits(&families_, "referee_forfeits_total", "Seats that were taken out of their matches.",
               {{"game", games_}, {"cause", names.causes}}),
      no_contests(&families_, "referee_no_contests_total",
                  "Turns without a contest, as the referee stood still: void matches."),
      stalls(&families_, "referee_stall_seconds_total",
             "For how long the referee itself has stood still."),
      seals_failed(&families_, "referee_seals_failed_total",
                   "Matches of which the replay could not be archived when they ended."),
      bots_connected(&families_, "referee_bots_connected", "Bots that have a link."),
      connections(&families_, "referee_connections", "Open connections.",
                  {{"state", {"known", "unknown"}}}),
      watchers(&families_, "referee_watchers", "Open calls that watch matches or competitions."),
      answer_bytes(&families_, "referee_memory_budget_used_bytes",
                   "What the answers of open calls keep of their memory budget."),
      answer_budget(&families_, "referee_memory_budget_bytes",
                    "The memory budget of the answers of open calls."),
      calls_started(&families_, "grpc_server_started_total", "Calls that have come.", names.methods,
                    /*only_streams=*/false),
      calls_handled(&families_, "grpc_server_handled_total", "Calls that have ended.",
                    names.methods),
      messages_received(&families_, "grpc_server_msg_received_total",
                        "Messages that streams have brought.", names.methods,
                        /*only_streams=*/true),
      messages_sent(&families_, "grpc_server_msg_sent_total", "Messages that were sent on streams.",
                    names.methods, /*only_streams=*/true),
      calls_handling(&families_, "grpc_server_handling_seconds",
                     "From the coming of a unary call to its answer.", {{"grpc_type", {"unary"}}}),
      blocks(names.has_store ? &families_ : nullptr, "referee_blocks_total",
             "Blocks of competitions that are over.", {{"outcome", names.block_outcomes}}),
      competitions(names.has_store ? &families_ : nullptr, "referee_competitions",
                   "Competitions that go on and live on this referee."),
      blocks_uncounted(names.has_store ? &families_ : nullptr, "referee_blocks_uncounted",
                       "Blocks that are over, and wait for others before they count."),
      lease_remaining(names.has_store ? &families_ : nullptr, "referee_lease_remaining_seconds",
                      "How long this referee's blocks are its own for sure."),
      leases_lost(names.has_store ? &families_ : nullptr, "referee_leases_lost_total",
                  "Leases that another referee has ended."),
      store_apply(names.has_store ? &families_ : nullptr, "referee_store_apply_seconds",
                  "How long the store took for changes of a competition."),
      store_up(names.has_store ? &families_ : nullptr, "referee_store_up",
               "1 if the store can be read and took the latest changes, else 0."),
      shelf_up(names.has_store ? &families_ : nullptr, "referee_shelf_up",
               "0 while the shelf fails that replays are to be put on, else 1."),
      log_sync(names.syncs_log ? &families_ : nullptr, "referee_log_sync_seconds",
               "How long the disk took for a sync of the log."),
      build_info_(&families_, "referee_build_info", "1; what runs.",
                  {{"version", {names.version}}}) {
  build_info_.at().Set(1);
}

size_t Metrics::GameIndex(absl::string_view game) const {
  const auto found = std::find(games_.begin(), games_.end(), game);
  const auto index = static_cast<size_t>(found - games_.begin());
  return std::min(index, games_.size() - 1);
}

size_t Metrics::MethodIndex(absl::string_view method) const {
  const auto found = std::find(methods_.begin(), methods_.end(), method);
  return static_cast<size_t>(found - methods_.begin()) % methods_.size();
}

void Metrics::RefreshBy(std::function<void()> refresh) {
  const MutexLock lock(&mutex_);
  refresh_ = std::move(refresh);
}

std::vector<prometheus::MetricFamily> Metrics::Collect() const {
  const MutexLock lock(&mutex_);
  if (refresh_) refresh_();
  std::vector<prometheus::MetricFamily> all;
  for (const AnyFamily* family : families_) all.push_back(family->Collect());
  for (prometheus::MetricFamily& family : CollectProcess()) all.push_back(std::move(family));
  return all;
}

std::string Metrics::Text() const { return prometheus::TextSerializer().Serialize(Collect()); }

size_t Metrics::series() const {
  size_t all = CollectProcess().size();
  for (const AnyFamily* family : families_) all += family->series();
  return all;
}

}  // namespace referee::metrics
