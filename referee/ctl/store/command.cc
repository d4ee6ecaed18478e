// refctl store: prepares a store in PostgreSQL, and copies a store into it.

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/errors.h"
#include "referee/base/progress.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/terminal/print.h"
#include "referee/store/copy.h"
#include "referee/store/place.h"
#include "referee/store/postgres_store.h"

namespace referee::ctl {
namespace {

constexpr char kFooter[] =
    "URL: postgresql://USER@HOST:PORT/DATABASE. The database is there already ('createdb'), and "
    "the user may make a schema in it, 'referee'. Whoever lists processes sees a password in the "
    "URL; ~/.pgpass and PGPASSWORD keep it from them.";

struct Flags {
  std::string url;
  std::string data_dir;
  bool json = false;
};

std::string MigrationText(const store::PostgresMigration& done) {
  return done.from == 0 ? absl::StrCat(done.database, ": a new store of version ", done.to, "\n")
                        : absl::StrCat(done.database, ": is of version ", done.to, " already\n");
}

absl::StatusOr<Exit> Migrate(const Flags& flags, const Output& output) {
  if (absl::Status s = store::CheckPlace({"", flags.url}); !s.ok()) return At("--store", s);
  const absl::StatusOr<store::PostgresMigration> done =
      store::MigratePostgresStore(flags.url, store::PostgresOptions());
  if (!done.ok()) return At("--store", done.status());
  output.out() << (flags.json ? JsonLine(Json{{"database", done->database},
                                              {"from_version", done->from},
                                              {"to_version", done->to}})
                              : MigrationText(*done));
  return Exit::kOk;
}

absl::StatusOr<Exit> BeginLife(const Flags& flags, const Output& output) {
  const absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenStore({"", flags.url}, store::OpenOptions());
  if (!store.ok()) return At("--store", store.status());
  const std::string life = store::RandomLife();
  if (absl::Status s = (*store)->BeginLife(life); !s.ok()) return At("--store", s);
  output.out() << (flags.json
                       ? JsonLine(Json{{"life", life}})
                       : absl::StrCat(
                             "pinned dice and lots are those of another life from now on: ", life,
                             "\n"));
  return Exit::kOk;
}

absl::StatusOr<Exit> CopyStore(const Flags& flags, const Output& output) {
  if (absl::Status s = store::CheckPlace({"", flags.url}); !s.ok()) return At("--to", s);
  if (absl::Status s = CheckOwner(flags.data_dir); !s.ok()) return s;
  Progress progress(&output.err(), output.progress_style(), "rows written and compared");
  const SystemClock clock;
  const absl::StatusOr<store::CopyReport> report = store::CopyToPostgres(
      flags.data_dir, flags.url, store::PostgresOptions(),
      [&](int64_t done, int64_t total) { progress.Show(done, total, absl::nullopt, clock.Now()); });
  progress.Clear();
  if (!report.ok()) return report.status();
  output.out() << (flags.json
                       ? JsonLine(Json{{"database", report->database},
                                       {"accounts", report->accounts},
                                       {"competitions", report->competitions},
                                       {"blocks", report->blocks},
                                       {"rows", report->rows}})
                       : absl::StrCat(report->database, ": has all that ", flags.data_dir,
                                      "/store.db had, compared row by row: accounts: ",
                                      report->accounts, ", competitions: ", report->competitions,
                                      ", blocks: ", report->blocks, ", rows in all: ", report->rows,
                                      "; start refereed with --store from now on\n"));
  return Exit::kOk;
}

void AddStoreCommand(CLI::App* group, Chosen* chosen, const std::string& name,
                     const std::string& description,
                     absl::StatusOr<Exit> (*work)(const Flags&, const Output&),
                     const std::string& url_flag) {
  const auto [command, flags] = AddSubcommand(group, chosen, name, description, work);
  if (work == CopyStore) {
    AddOption(command, "--from", "DIR", &flags->data_dir, "The data directory that has the store")
        ->required();
  }
  AddOption(command, url_flag, "URL", &flags->url, "The database, as refereed --store takes it")
      ->required();
  command->add_flag("--json", flags->json, "Prints a JSON object");
  command->footer(kFooter);
}

}  // namespace

void AddStoreCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group = app->add_subcommand(
      "store", "Makes a store of accounts and competitions in a PostgreSQL database");
  group->require_subcommand(1);
  AddStoreCommand(group, chosen, "migrate",
                  "Makes the store\n\n"
                  "Does nothing where one of this program's version is. Refuses another version.",
                  Migrate, "--store");
  AddStoreCommand(group, chosen, "restored",
                  "Says that the database was restored from a dump\n\n"
                  "Competitions with pinned dice that are not finished go on with dice that are "
                  "not those of the original, which may be known. Call it before a referee starts "
                  "on the restored database. ('refctl restore' does the same by itself.)",
                  BeginLife, "--store");
  AddStoreCommand(group, chosen, "copy",
                  "Copies the store of a data directory into an empty database\n\n"
                  "Stop the referee on the data directory before. All is copied in one "
                  "transaction, counted, read back and compared; after an error the store there is "
                  "empty still. Then the data directory says where its store is, and refereed does "
                  "not start on it without --store. The file stays as it is.",
                  CopyStore, "--to");
}

}  // namespace referee::ctl
