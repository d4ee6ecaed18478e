#include "referee/launch/isolation.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace referee::launch {
namespace {

namespace fs = std::filesystem;

// Readable entries of /etc: settings without secrets that do not concern the network.
constexpr const char* kSettings[] = {"alternatives",
                                     "ca-certificates",
                                     "debian_version",
                                     "default/locale",
                                     "dotnet",
                                     "fonts",
                                     "gai.conf",
                                     "group",
                                     "host.conf",
                                     "hosts",
                                     "java-11-openjdk",
                                     "java-17-openjdk",
                                     "java-21-openjdk",
                                     "ld.so.cache",
                                     "ld.so.conf",
                                     "ld.so.conf.d",
                                     "locale.alias",
                                     "localtime",
                                     "magic",
                                     "mime.types",
                                     "mono",
                                     "nsswitch.conf",
                                     "OpenCL",
                                     "os-release",
                                     "passwd",
                                     "perl",
                                     "protocols",
                                     "python3",
                                     "python3.11",
                                     "python3.12",
                                     "python3.13",
                                     "services",
                                     "ssl/certs",
                                     "ssl/openssl.cnf",
                                     "timezone"};

// Variables that an isolated bot gets, besides PathVariables(). Other variables may contain
// secrets.
constexpr absl::string_view kVariables[] = {"HOME",
                                            "LANG",
                                            "LANGUAGE",
                                            "LOGNAME",
                                            "NODE_ENV",
                                            "NODE_OPTIONS",
                                            "PYTHONDONTWRITEBYTECODE",
                                            "PYTHONHASHSEED",
                                            "PYTHONUNBUFFERED",
                                            "REFEREE_ADDRESS",
                                            "REFEREE_TOKEN",
                                            "SHELL",
                                            "TERM",
                                            "TZ",
                                            "USER"};
constexpr absl::string_view kVariablePrefixes[] = {"LC_", "OMP_"};

// bwrap creates these folders, and the bot may write to them.
constexpr char kScratch[] = "/tmp";
constexpr char kSharedMemory[] = "/dev/shm";
// SIGTERM goes to the whole group: the bot must get it, and end before bwrap.
constexpr const char* kTerminable[] = {"/usr/bin/env", "--default-signal=TERM"};
constexpr char kLimiter[] = "/usr/bin/prlimit";

enum class Sight { kReadable, kHidden };

void Append(std::vector<std::string>* arguments, std::vector<std::string> more) {
  arguments->insert(arguments->end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
}

std::string FindProgram(absl::string_view name, const Surroundings& where) {
  for (const absl::string_view folder : absl::StrSplit(where.ValueOf("PATH"), ':')) {
    std::string path = absl::StrCat(folder, "/", name);
    if (absl::StartsWith(path, "/") && access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::vector<std::string> SystemMounts() {
  std::vector<std::string> mounts;
  for (const absl::string_view folder : SystemFolders()) {
    const std::string path(folder);
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (!error) {
      Append(&mounts, {"--symlink", target.string(), path});
    } else if (fs::is_directory(path, error)) {
      Append(&mounts, {"--ro-bind", path, path});
    }
  }
  for (const char* setting : kSettings) {
    const std::string path = absl::StrCat("/etc/", setting);
    Append(&mounts, {"--ro-bind-try", path, path});
  }
  Append(&mounts, {"--ro-bind-try", "/sys/devices/system", "/sys/devices/system"});
  Append(&mounts, {"--proc", "/proc", "--dev", "/dev"});
  return mounts;
}

void AddScratch(const std::string& folder, std::vector<std::string>* mounts) {
  Append(mounts, {"--size", absl::StrCat(Isolation::kScratchBytes), "--tmpfs", folder});
}

// The path without symbolic links; empty if the file does not exist.
std::string RealPath(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? "" : real.string();
}

// Hides a file from every readable folder that contains it. Does not hide readable paths
// themselves, nor folders that contain them.
void Hide(const std::string& path, const std::vector<std::string>& readable,
          std::map<std::string, Sight>* sight) {
  const std::string real = RealPath(path);
  if (real.empty()) return;
  for (const std::string& one : readable) {
    if (IsWithin(RealPath(one), real)) return;
  }
  const std::map<std::string, Sight> shown = *sight;
  for (const auto& [folder, kind] : shown) {
    const std::string real_folder = RealPath(folder);
    if (kind != Sight::kReadable || !IsWithin(real, real_folder)) continue;
    const std::string below = real.substr(real_folder == "/" ? 0 : real_folder.size());
    (*sight)[folder == "/" ? below : folder + below] = Sight::kHidden;
  }
}

// Sorted, so that a folder comes before its contents. Paths in readable folders are left out.
std::map<std::string, Sight> SightOf(const std::vector<std::string>& readable,
                                     const std::vector<std::string>& hidden) {
  std::map<std::string, Sight> sight;
  for (const std::string& path : readable) {
    const auto has = [&](const std::string& one) { return one != path && IsWithin(path, one); };
    if (std::none_of(readable.begin(), readable.end(), has)) sight[path] = Sight::kReadable;
  }
  for (const std::string& path : hidden) Hide(path, readable, &sight);
  return sight;
}

std::vector<std::string> FileMounts(const std::map<std::string, Sight>& sight) {
  std::vector<std::string> mounts;
  for (const auto& [path, kind] : sight) {
    std::error_code ignored;
    if (kind == Sight::kReadable) {
      Append(&mounts, {"--ro-bind", path, path});
    } else if (fs::is_directory(path, ignored)) {
      AddScratch(path, &mounts);
    } else {
      Append(&mounts, {"--ro-bind", "/dev/null", path});
    }
  }
  return mounts;
}

}  // namespace

absl::StatusOr<Isolation> Isolation::Make(const Options& options, const Surroundings& where) {
  const std::string program = FindProgram("bwrap", where);
  if (program.empty()) {
    return absl::NotFoundError(
        "--isolate: bwrap is not installed; install it ('apt install bubblewrap'), or leave the "
        "flag out if you trust the bots");
  }
  std::vector<std::string> readable = OwnPaths(options.command, where);
  for (const auto& more : {RuntimePaths(where), options.readable}) {
    readable.insert(readable.end(), more.begin(), more.end());
  }
  const std::map<std::string, Sight> sight = SightOf(readable, options.hidden);

  Isolation isolation;
  std::vector<std::string>& wrapper = isolation.wrapper_;
  // A bot that can make namespaces could attack more of the kernel.
  wrapper = {program,      "--unshare-all", "--unshare-user",   "--disable-userns",
             "--cap-drop", "ALL",           "--die-with-parent"};
  Append(&wrapper, SystemMounts());
  AddScratch(kSharedMemory, &wrapper);
  Append(&wrapper, {"--remount-ro", "/dev"});
  AddScratch(kScratch, &wrapper);
  if (!where.home.empty()) AddScratch(where.home, &wrapper);
  Append(&wrapper, FileMounts(sight));
  Append(&wrapper, {"--ro-bind", options.socket, options.socket});
  Append(&wrapper, {"--dir", where.folder});
  // Remounts last: the contents, such as the socket, must exist first.
  for (const auto& [path, kind] : sight) {
    std::error_code ignored;
    if (kind == Sight::kHidden && fs::is_directory(path, ignored)) {
      Append(&wrapper, {"--remount-ro", path});
    }
  }
  Append(&wrapper, {"--remount-ro", "/", "--chdir", where.folder, "--"});
  Append(&wrapper, {std::begin(kTerminable), std::end(kTerminable)});
  Append(&wrapper, {kLimiter, absl::StrCat("--data=", options.memory_bytes),
                    absl::StrCat("--nproc=", kMaxProcesses), "--core=0", "--"});
  return isolation;
}

std::vector<std::string> Isolation::Wrap(std::vector<std::string> arguments) const {
  std::vector<std::string> wrapped = wrapper_;
  Append(&wrapped, std::move(arguments));
  return wrapped;
}

std::vector<std::string> Isolation::Filter(const std::vector<std::string>& environment) const {
  const auto passes = [](absl::string_view entry) {
    const absl::string_view name = entry.substr(0, entry.find('='));
    const auto is = [name](absl::string_view one) { return name == one; };
    const auto begins = [name](absl::string_view prefix) { return absl::StartsWith(name, prefix); };
    return std::any_of(std::begin(kVariables), std::end(kVariables), is) ||
           std::any_of(PathVariables().begin(), PathVariables().end(), is) ||
           std::any_of(std::begin(kVariablePrefixes), std::end(kVariablePrefixes), begins);
  };
  std::vector<std::string> filtered;
  std::copy_if(environment.begin(), environment.end(), std::back_inserter(filtered), passes);
  return filtered;
}

}  // namespace referee::launch
