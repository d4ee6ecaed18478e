#include "referee/metrics/process.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

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

// What follows the name of the program in /proc/self/stat, from the third field on (proc(5)).
std::vector<std::string> StatFields() {
  const std::string stat = ReadFile("/proc/self/stat");
  const size_t end = stat.rfind(") ");
  if (end == std::string::npos) return {};
  return absl::StrSplit(stat.substr(end + 2), ' ');
}

// When the machine was started, in seconds since 1970; 0: unknown.
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
  return entries - 3;  // without ".", ".." and the folder itself
}

}  // namespace

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

}  // namespace referee::metrics
