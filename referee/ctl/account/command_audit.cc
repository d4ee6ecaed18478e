// refctl bot audit, refctl bot audit export: lists the actions of organisers.

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/account/text.h"
#include "referee/ctl/client.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/time_flag.h"
#include "referee/service/access/account_admin.h"

namespace referee::ctl {
namespace {

struct AuditFlags : AdminFlags {
  uint32_t limit = 50;
  bool json = false;
  // export
  std::string from;
  std::string until;
  uint64_t after = 0;
  OutputFlags output;
};

// Passes each entry to `take` until it returns false.
template <typename Take>
absl::Status ForEachEntry(const AuditFlags& flags, const v1::ListAuditRequest& wanted,
                          const Take& take) {
  const auto call = [&](const v1::ListAuditRequest& request) {
    return Ask(flags, Use::kLook, &service::AccountAdmin::ListAudit, &AdminStub::ListAudit,
               request);
  };
  return ForEachPage(call, wanted, [&](const v1::ListAuditResponse& page) {
    return std::all_of(page.entries().begin(), page.entries().end(), take);
  });
}

absl::StatusOr<Exit> ListAudit(const AuditFlags& flags, const Output& output) {
  uint32_t left = flags.limit;
  v1::ListAuditRequest request;
  request.set_page_size(std::min<uint32_t>(left, limits::kMaxPageSize));
  const auto print = [&](const v1::AuditEntry& entry) {
    output.out() << (flags.json ? JsonLine(entry) : AuditLine(entry));
    return --left > 0 && output.out();
  };
  return Ended(ForEachEntry(flags, request, print), output);
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
  if (flags.after > 0) request.set_page_token(absl::StrCat(flags.after));
  absl::Status written;
  const absl::Status read = ForEachEntry(flags, request, [&](const v1::AuditEntry& entry) {
    const absl::Time time = TimeOf(entry);
    if ((*from && time < **from) || (*until && time >= **until)) return true;
    written = file->Write(JsonLine(entry));
    return written.ok();
  });
  if (!read.ok()) return Refused(read, output);
  if (!written.ok()) return written;
  if (const absl::Status committed = file->Commit(); !committed.ok()) return committed;
  return Exit::kOk;
}

void AddExport(CLI::App* audit, Chosen* chosen) {
  const auto [command, flags] = AddSubcommand(
      audit, chosen, "export",
      "Writes all entries, or those of a range of time, as lines of JSON, oldest first", Export);
  command->footer(kAccountFooter);
  AddOption(command, "--from", "TIME", &flags->from,
            "Only entries of this day or time, and later ones");
  AddOption(command, "--until", "TIME", &flags->until, "Only entries of before this day or time");
  AddOption(command, "--after", "NUMBER", &flags->after,
            "Only entries of higher numbers, such as that of the last one exported before")
      ->check(Whole(1, INT64_MAX));
  AddOutputFlags(command, &flags->output);
  AddAdminFlags(command, flags.get());
}

}  // namespace

void AddAuditCommands(CLI::App* group, Chosen* chosen) {
  const Subcommand<AuditFlags> audit = AddSubcommand(
      group, chosen, "audit", "Lists what organisers did, newest first; or exports it", ListAudit);
  audit.command->footer(kAccountFooter);
  AddOption(audit.command, "--limit", "N", &audit.flags->limit, "How many entries at most")
      ->check(Whole(1, 1'000'000))
      ->capture_default_str();
  AddAdminFlags(audit.command, audit.flags.get());
  AddJsonFlag(audit.command, &audit.flags->json);
  audit.command->require_subcommand(0, 1);
  AddExport(audit.command, chosen);
  // CLI11 calls this after the callback of the subcommand.
  audit.command->callback([audit, chosen] {
    if (!audit.command->get_subcommands().empty()) return;
    chosen->work = [audit](const Output& output) { return ListAudit(*audit.flags, output); };
  });
}

}  // namespace referee::ctl
