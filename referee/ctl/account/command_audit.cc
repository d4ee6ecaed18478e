// refctl bot audit, refctl bot audit export: what organisers did.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/account/commands.h"
#include "referee/ctl/account/text.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/time_flag.h"
#include "referee/service/access/account_admin.h"

namespace referee::ctl {
namespace {

struct AuditFlags {
  ClientFlags client;
  store::Place store;
  uint32_t limit = 50;
  bool json = false;
  // export
  std::string from;
  std::string until;
  uint64_t after = 0;
  OutputFlags output;
};

absl::StatusOr<v1::ListAuditResponse> ListAudit(const AuditFlags& flags,
                                                const v1::ListAuditRequest& request) {
  return Ask(flags.client, flags.store, Use::kLook, &service::AccountAdmin::ListAudit,
             &AdminStub::ListAudit, request);
}

absl::StatusOr<Exit> List(const AuditFlags& flags, const Output& output) {
  v1::ListAuditRequest request;
  uint32_t left = flags.limit;
  do {
    request.set_page_size(std::min<uint32_t>(left, limits::kMaxPageSize));
    const auto response = ListAudit(flags, request);
    if (!response.ok()) return Refused(response.status(), output);
    for (const v1::AuditEntry& entry : response->entries()) {
      output.out() << (flags.json ? JsonLine(entry) : AuditLine(entry));
    }
    left -= static_cast<uint32_t>(response->entries_size());
    request.set_page_token(response->next_page_token());
  } while (left > 0 && !request.page_token().empty() && output.out());
  return Exit::kOk;
}

absl::Time TimeOf(const v1::AuditEntry& entry) {
  return absl::FromUnixSeconds(entry.time().seconds()) + absl::Nanoseconds(entry.time().nanos());
}

absl::StatusOr<Exit> Export(const AuditFlags& flags, const Output& output) {
  const absl::StatusOr<absl::optional<absl::Time>> from = ReadTimeFlag("--from", flags.from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<absl::optional<absl::Time>> until = ReadTimeFlag("--until", flags.until);
  if (!until.ok()) return until.status();
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  v1::ListAuditRequest request;
  request.set_oldest_first(true);
  request.set_page_size(limits::kMaxPageSize);
  if (flags.after > 0) request.set_page_token(absl::StrCat(flags.after));
  do {
    const auto response = ListAudit(flags, request);
    if (!response.ok()) return Refused(response.status(), output);
    for (const v1::AuditEntry& entry : response->entries()) {
      const absl::Time time = TimeOf(entry);
      if ((*from && time < **from) || (*until && time >= **until)) continue;
      const absl::Status written = file->Write(JsonLine(entry));
      if (!written.ok()) return written;
    }
    request.set_page_token(response->next_page_token());
  } while (!request.page_token().empty());
  if (const absl::Status committed = file->Commit(); !committed.ok()) return committed;
  return Exit::kOk;
}

void AddExport(CLI::App* audit, Chosen* chosen) {
  const Subcommand<AuditFlags> added = AddSubcommand(
      audit, chosen, "export",
      "Writes all entries, or those of a range of time, as lines of JSON, oldest first", Export);
  CLI::App* const command = added.command;
  AuditFlags* const flags = added.flags.get();
  command->footer(kAccountFooter);
  command->add_option("--from", flags->from, "Only entries of this day or time, and later ones")
      ->type_name("TIME");
  command->add_option("--until", flags->until, "Only entries of before this day or time")
      ->type_name("TIME");
  command
      ->add_option("--after", flags->after,
                   "Only entries of higher numbers, such as that of the last one exported before")
      ->check(Whole(1, INT64_MAX))
      ->type_name("NUMBER");
  AddOutputFlags(command, &flags->output);
  AddClientFlags(command, &flags->client);
  AddLocalStoreFlags(command, &flags->store);
}

}  // namespace

void AddAuditCommands(CLI::App* group, Chosen* chosen) {
  const auto flags = std::make_shared<AuditFlags>();
  CLI::App* const audit =
      group->add_subcommand("audit", "Lists what organisers did, newest first; or exports it");
  audit->footer(kAccountFooter);
  audit->add_option("--limit", flags->limit, "How many entries at most")
      ->check(Whole(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N");
  AddClientFlags(audit, &flags->client);
  AddLocalStoreFlags(audit, &flags->store);
  audit->add_flag("--json", flags->json, "Prints JSON, an object a line");
  audit->require_subcommand(0, 1);
  AddExport(audit, chosen);
  // Called after what its subcommand has chosen.
  audit->callback([audit, chosen, flags] {
    if (!audit->get_subcommands().empty()) return;
    chosen->work = [flags](const Output& output) { return List(*flags, output); };
  });
}

}  // namespace referee::ctl
