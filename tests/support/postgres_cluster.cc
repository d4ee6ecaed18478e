#include "tests/support/postgres_cluster.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace referee::testing {
namespace {

// Debian's folders, one for each major version. The newest sorts last.
constexpr char kVersions[] = "/usr/lib/postgresql";

// The keeper: a shell that runs the server until every other end of its input is closed, then
// removes the server and the folder. It runs in the background, not as a child of the program, so
// it survives when the program is killed with all its children. $1 is the folder, $2 the folder of
// PostgreSQL's programs. PostgreSQL refuses to run as root.
constexpr char kKeeper[] = R"sh(
folder=$1
programs=$2
as() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
{
  cd /
  [ "$(id -u)" = 0 ] && chown postgres "$folder"
  if as "$programs/initdb" -D "$folder/data" -U referee -A trust -E UTF8 --locale=C --no-sync \
      > "$folder/log" 2>&1; then
    as "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \
      -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c shared_buffers=64MB \
      -c max_wal_size=2GB >> "$folder/log" 2>&1 < /dev/null &
    server=$!
    until "$programs/pg_isready" -q -h "$folder"; do
      kill -0 $server 2> /dev/null || break
      sleep 0.02
    done
  fi
  if "$programs/pg_isready" -q -h "$folder"; then echo ready; else cat "$folder/log"; echo; fi
  read -r _
  server=$(head -n 1 "$folder/data/postmaster.pid" 2> /dev/null)
  if [ -n "$server" ]; then
    kill -QUIT "$server"
    while kill -0 "$server" 2> /dev/null; do sleep 0.02; done
  fi
  rm -rf "$folder"
} <&3 2>&1 &
)sh";

// Reads to the end of a line or of the input. Returns whether there was a line.
bool ReadLine(int fd, std::string* line) {
  line->clear();
  char next;
  for (;;) {
    const ssize_t got = read(fd, &next, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (next == '\n') return true;
    line->push_back(next);
  }
}

}  // namespace

absl::StatusOr<std::string> PostgresCluster::Programs() {
  std::error_code ignored;
  std::vector<std::pair<int, std::string>> found;
  for (const auto& entry : std::filesystem::directory_iterator(kVersions, ignored)) {
    const std::string programs = entry.path().string() + "/bin";
    if (access((programs + "/initdb").c_str(), X_OK) != 0) continue;
    found.emplace_back(std::atoi(entry.path().filename().c_str()), programs);
  }
  if (!found.empty()) return std::max_element(found.begin(), found.end())->second;
  return absl::NotFoundError(absl::StrCat("no PostgreSQL in ", kVersions,
                                          "; 'deploy/install --tests' installs postgresql-15"));
}

absl::StatusOr<std::unique_ptr<PostgresCluster>> PostgresCluster::Start() {
  const absl::StatusOr<std::string> programs = Programs();
  if (!programs.ok()) return programs.status();
  std::unique_ptr<PostgresCluster> cluster(new PostgresCluster);
  absl::Status status = cluster->StartKeeper(*programs);
  if (!status.ok()) return status;
  return cluster;
}

absl::StatusOr<const PostgresCluster*> PostgresCluster::Get() {
  // Destroyed at the end of the program, when no test uses it.
  static const absl::StatusOr<std::unique_ptr<PostgresCluster>> cluster = Start();
  if (!cluster.ok()) return cluster.status();
  return cluster->get();
}

absl::Status PostgresCluster::StartKeeper(absl::string_view programs) {
  folder_ = (std::filesystem::temp_directory_path() / "referee-postgres.XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) return absl::ErrnoToStatus(errno, folder_);
  int alive[2];
  int report[2];
  if (pipe2(alive, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "pipe");
  }
  alive_ = alive[1];
  report_ = report[0];

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, report[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, alive[0], 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string script = kKeeper;
  std::string path(programs);
  char shell[] = "/bin/sh";
  char name[] = "referee-postgres";
  char option[] = "-c";
  char* const arguments[] = {shell,          option,      script.data(), name,
                             folder_.data(), path.data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, shell, &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(alive[0]);
  close(report[1]);
  if (error != 0) return absl::ErrnoToStatus(error, shell);
  waitpid(pid, nullptr, 0);

  std::string said;
  std::string line;
  while (ReadLine(report_, &line) && !line.empty()) {
    if (line == "ready") return absl::OkStatus();
    absl::StrAppend(&said, line, "\n");
  }
  return absl::InternalError(absl::StrCat("PostgreSQL did not start: ", said));
}

PostgresCluster::~PostgresCluster() {
  if (alive_ >= 0) close(alive_);
  std::string line;
  while (report_ >= 0 && ReadLine(report_, &line)) continue;
  if (report_ >= 0) close(report_);
}

std::string PostgresCluster::conninfo() const {
  return absl::StrCat("host=", folder_, " user=referee dbname=postgres");
}

std::string PostgresCluster::url(absl::string_view database) const {
  return absl::StrCat("postgresql:///", database, "?host=", folder_, "&user=referee");
}

}  // namespace referee::testing
