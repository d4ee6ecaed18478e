#include "tests/end_to_end/fleet_database.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/postgres/postgres.h"
#include "tests/end_to_end/program.h"
#include "tests/support/postgres_cluster.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr char kUser[] = "postgres";

int AwaitEnd(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FleetDatabase>> FleetDatabase::Start(const FleetNetwork* network) {
  std::unique_ptr<FleetDatabase> database(new FleetDatabase(network));
  absl::StatusOr<std::string> programs = testing::PostgresCluster::Programs();
  if (!programs.ok()) return programs.status();
  database->programs_ = *std::move(programs);
  absl::Status status = database->MakePrimary();
  if (status.ok()) status = database->StartServer(0);
  if (status.ok()) status = database->AddStandby();
  if (!status.ok()) return status;
  return database;
}

FleetDatabase::~FleetDatabase() {
  for (const int server : {0, 1}) KillServer(server);
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string FleetDatabase::url() const {
  return absl::StrCat("postgresql:///postgres?host=", Folder(0), ",", Folder(1), "&user=referee");
}

std::string FleetDatabase::UrlFor(int referee) const {
  return absl::StrCat("postgresql://referee@", network_->ServerAddress(referee, 0), ",",
                      network_->ServerAddress(referee, 1), "/postgres");
}

std::string FleetDatabase::Folder(int server) const { return absl::StrCat(folder_, "/", server); }

absl::Status FleetDatabase::MakePrimary() {
  folder_ = (fs::temp_directory_path() / "referee-fleet.XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) return absl::ErrnoToStatus(errno, folder_);
  for (const int server : {0, 1}) fs::create_directory(Folder(server));
  if (const passwd* user = getpwnam(kUser); geteuid() == 0 && user != nullptr) {
    for (const std::string& path : {folder_, Folder(0), Folder(1)}) {
      if (chown(path.c_str(), user->pw_uid, user->pw_gid) != 0) {
        return absl::ErrnoToStatus(errno, path);
      }
    }
  }
  absl::Status made = Run({"initdb", "-D", Data(0), "-U", "referee", "-A", "trust", "-E", "UTF8",
                           "--locale=C", "--no-sync"});
  std::ofstream(Data(0) + "/pg_hba.conf", std::ios::app) << "host all all 198.18.0.0/15 trust\n";
  return made;
}

absl::Status FleetDatabase::StartServer(int server) {
  const std::string addresses =
      network_ == nullptr ? "" : absl::StrJoin(network_->ServerAddresses(server), ",");
  servers_[server] =
      Spawn({"postgres", "-D", Data(server), "-k", Folder(server), "-c",
             "listen_addresses=" + addresses, "-c", "fsync=off", "-c", "full_page_writes=off", "-c",
             "shared_buffers=32MB", "-c", "wal_retrieve_retry_interval=100ms"});
  const bool serves = Eventually(
      [&] {
        return Run({"pg_isready", "-q", "-h", Folder(server)}).ok();
      },
      absl::Milliseconds(20));
  if (serves) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("PostgreSQL in ", Folder(server), " does not serve"));
}

void FleetDatabase::KillServer(int server) {
  const pid_t pid = std::exchange(servers_[server], 0);
  if (pid == 0) return;
  kill(pid, SIGKILL);
  AwaitEnd(pid);
}

absl::Status FleetDatabase::Restart() {
  const pid_t pid = std::exchange(servers_[primary_], 0);
  kill(pid, SIGINT);
  AwaitEnd(pid);
  return StartServer(primary_);
}

absl::Status FleetDatabase::FailOver() {
  KillServer(primary_);
  primary_ = 1 - primary_;
  return Run({"pg_ctl", "promote", "-w", "-s", "-D", Data(primary_)});
}

absl::Status FleetDatabase::AddStandby() {
  const int standby = 1 - primary_;
  std::error_code ignored;
  fs::remove_all(Data(standby), ignored);
  absl::Status status =
      Run({"pg_basebackup", "-h", Folder(primary_), "-U", "referee", "-D", Data(standby), "-R",
           "-X", "stream", "--checkpoint=fast", "--no-sync"});
  if (!status.ok()) return status;
  // Once it is promoted it has no standby to wait for.
  std::ofstream(Data(standby) + "/postgresql.auto.conf")
      << "primary_conninfo = 'host=" << Folder(primary_) << " user=referee "
      << "application_name=standby'\n";
  status = StartServer(standby);
  if (!status.ok()) return status;
  const auto db = postgres::Connection::Open(url(), {});
  if (!db.ok()) return db.status();
  for (const char* sql :
       {"ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()"}) {
    if (status = (*db)->RunScript(sql); !status.ok()) return status;
  }
  const bool in_step = Eventually([&] {
    const absl::StatusOr<int64_t> synchronous = (*db)->ReadInt(
        "SELECT count(*) FROM pg_catalog.pg_stat_replication WHERE sync_state = 'sync'");
    return synchronous.ok() && *synchronous == 1;
  });
  return in_step ? absl::OkStatus()
                 : absl::UnavailableError("the standby does not follow the primary");
}

pid_t FleetDatabase::Spawn(std::vector<std::string> command) const {
  command.front() = absl::StrCat(programs_, "/", command.front());
  // PostgreSQL refuses to run as root. A server is gone when this process is, however that ends.
  std::vector<std::string> whole = {"setpriv", "--pdeathsig", "KILL"};
  if (geteuid() == 0) {
    for (const char* part : {"--reuid", kUser, "--regid", kUser, "--init-groups"}) {
      whole.emplace_back(part);
    }
  }
  whole.insert(whole.end(), command.begin(), command.end());
  const std::string log = folder_ + "/log";
  const pid_t pid = fork();
  if (pid != 0) return pid;
  std::vector<char*> argv;
  for (std::string& part : whole) argv.push_back(part.data());
  argv.push_back(nullptr);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) dup2(file, fd);
  if (chdir("/") != 0) _exit(126);
  execvp(argv.front(), argv.data());
  _exit(127);
}

absl::Status FleetDatabase::Run(std::vector<std::string> command) const {
  const std::string line = absl::StrJoin(command, " ");
  if (AwaitEnd(Spawn(std::move(command))) == 0) return absl::OkStatus();
  const std::string said = testing::ReadFile(folder_ + "/log");
  constexpr size_t kShown = 2'000;
  return absl::InternalError(
      absl::StrCat(line, " failed: ", said.substr(said.size() - std::min(said.size(), kShown))));
}

}  // namespace referee::end_to_end
