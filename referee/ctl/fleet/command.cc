// refctl fleet: shows and drains the referees that share a store.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/fleet/text.h"
#include "referee/ctl/terminal/table.h"
#include "referee/store/place.h"
#include "referee/store/store.h"

namespace referee::ctl {
namespace {

struct Flags {
  store::Place place;
  bool json = false;
};

absl::Status CheckNamed(const store::Place& place) {
  if (!place.data_dir.empty() || !place.url.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "no store is named: give --store and the URL of a database, or --data-dir and the data "
      "directory of a referee that has its store there");
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  if (absl::Status named = CheckNamed(flags.place); !named.ok()) return named;
  const absl::StatusOr<std::unique_ptr<store::Store>> store = store::OpenStoreToRead(flags.place);
  if (!store.ok()) return AtStoreFlag(flags.place, store.status());
  const absl::StatusOr<std::vector<store::LeaseHolder>> holders = (*store)->ListLeaseHolders();
  if (!holders.ok()) return AtStoreFlag(flags.place, holders.status());
  output.out() << LeaseHoldersText(*holders, flags.json ? Form::kJson : Form::kTable);
  return std::any_of(holders->begin(), holders->end(), IsToBeClaimed) ? Exit::kNegative : Exit::kOk;
}

struct DrainFlags {
  store::Place place;
  std::string referee;
};

// The referee with this name, or the only one with this address.
absl::StatusOr<store::Daemon> FindDaemon(store::Store* store, const std::string& referee) {
  const absl::StatusOr<std::vector<store::Daemon>> daemons = store->ListDaemons();
  if (!daemons.ok()) return daemons.status();
  std::vector<store::Daemon> found;
  for (const store::Daemon& daemon : *daemons) {
    if (daemon.owner == referee) return daemon;
    if (daemon.address == referee) found.push_back(daemon);
  }
  if (found.empty())
    return absl::NotFoundError(
        absl::StrCat("no referee of this name or address has a lease that lasts: ", Quoted(referee),
                     "; 'refctl fleet show' lists them"));
  if (found.size() > 1)
    return absl::InvalidArgumentError(
        absl::StrCat(static_cast<int64_t>(found.size()), " referees are dialled at ",
                     Quoted(referee), "; give one's name, as 'refctl fleet show' has it"));
  return found.front();
}

absl::StatusOr<Exit> Drain(const DrainFlags& flags, const Output& output) {
  if (absl::Status named = CheckNamed(flags.place); !named.ok()) return named;
  const absl::StatusOr<std::unique_ptr<store::Store>> store = store::OpenStore(flags.place, {});
  if (!store.ok()) return AtStoreFlag(flags.place, store.status());
  const absl::StatusOr<store::Daemon> daemon = FindDaemon(store->get(), flags.referee);
  if (!daemon.ok()) return daemon.status();
  store::AuditEntry audit;
  audit.time = absl::Now();
  audit.who = "local";
  audit.action = "fleet.drain";
  audit.subject = daemon->owner;
  audit.detail = daemon->address;
  if (absl::Status asked = (*store)->AskToDrain(daemon->owner, audit); !asked.ok()) {
    return AtStoreFlag(flags.place, asked);
  }
  output.out() << "referee " << Shown(daemon->owner)
               << " gives its competitions to others within seconds, and takes none until it is "
                  "started again\n";
  return Exit::kOk;
}

// Adds the flags that name the store.
void AddPlace(CLI::App* command, store::Place* place) {
  CLI::Option* const data_dir = AddOption(command, "--data-dir", "DIR", &place->data_dir,
                                          "The referee's data directory, which has the store");
  AddStoreFlag(command, &place->url,
               "In place of it: the database that the store is in (refereed --store)")
      ->excludes(data_dir);
}

}  // namespace

void AddFleetCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group =
      app->add_subcommand("fleet", "Looks at the referees that share a store, and drains them");
  group->require_subcommand(1);
  const auto [show, flags] = AddSubcommand<Flags>(
      group, chosen, "show",
      "Shows who has a lease in the store, and whose blocks are open\n\n"
      "A line for each referee, by the name that it drew when it started: the term of its lease, "
      "how\n"
      "long that still lasts by the store's clock and whether it drains, its open blocks and in "
      "how "
      "many\n"
      "competitions they are, when the oldest of them began, where bots dial it, and which "
      "competitions\n"
      "live there. Reads only; the referees may go on meanwhile.\n\n"
      "Exit status 0; 1 when blocks are open under a lease that has lapsed, or under none: nobody "
      "plays\n"
      "them until a referee claims them, or theirs is started again; 2 if the store could not be "
      "read.",
      Show);
  AddPlace(show, &flags->place);
  show->add_flag("--json", flags->json, "Prints a JSON object for each referee, one a line");
  const auto [drain, drained] = AddSubcommand<DrainFlags>(
      group, chosen, "drain",
      "Has a referee give its competitions to the others\n\n"
      "It takes none any more until it is started again, begins no block as soon as another has "
      "taken\n"
      "what lives there, and lets those that are played end. SIGTERM does the same, asks its "
      "bots to\n"
      "connect to the others, and ends it.\n\n"
      "Example:\n"
      "  refctl fleet drain games1.example.org:7450 --store postgresql://referee@db1/games",
      Drain);
  AddOption(drain, "referee", "NAME|ADDRESS", &drained->referee,
            "Its name or address, as 'refctl fleet show' has them")
      ->required();
  AddPlace(drain, &drained->place);
}

}  // namespace referee::ctl
