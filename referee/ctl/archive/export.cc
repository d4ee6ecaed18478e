// refctl archive export: writes the turns of an archive's matches, to train bots or study a game.
#include <zstd.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/filter.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/replay/source.h"
#include "referee/replay/archive.h"
#include "referee/replay/archive_query.h"
#include "referee/replay/json.h"

namespace referee::ctl {
namespace {

constexpr size_t kFlushedBytes = 4 * 1024 * 1024;  // of lines, before each compression
constexpr int kCompressionLevel = 3;

struct TurnsFlags {
  std::string data_dir;
  FilterFlags filter;
  std::string format = "jsonl";
  OutputFlags output;
};

// Writes lines to a file as one zstd frame.
class LineWriter {
 public:
  explicit LineWriter(ExportFile* file) : file_(file), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kCompressionLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  std::string* lines() { return &lines_; }
  absl::Status FlushIfLarge() {
    return lines_.size() < kFlushedBytes ? absl::OkStatus() : Compress(ZSTD_e_continue);
  }
  absl::Status End() { return Compress(ZSTD_e_end); }

 private:
  absl::Status Compress(ZSTD_EndDirective directive) {
    ZSTD_inBuffer in = {lines_.data(), lines_.size(), 0};
    buffer_.resize(ZSTD_CStreamOutSize());
    size_t left;
    do {
      ZSTD_outBuffer out = {&buffer_[0], buffer_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
      if (ZSTD_isError(left)) return absl::InternalError(ZSTD_getErrorName(left));
      const absl::Status written = file_->Write(absl::string_view(buffer_).substr(0, out.pos));
      if (!written.ok()) return written;
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
    lines_.clear();
    return absl::OkStatus();
  }

  ExportFile* const file_;
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::string lines_;
  std::string buffer_;
};

absl::Status AppendReplay(const replay::Archive& archive, const MatchId& id, std::string* lines) {
  const absl::StatusOr<std::string> bytes = archive.Read(id);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) return At("match " + id.text(), replay.status());
  const absl::Status appended = replay::AppendTurnLines(*replay, lines);
  return appended.ok() ? appended : At("match " + id.text(), appended);
}

struct Counts {
  size_t all = 0;
  size_t bad = 0;
};

// Writes the turns of all matches that pass the filter, newest first.
absl::StatusOr<Counts> WriteTurns(const std::string& data_dir, const replay::WholeIndex& whole,
                                  replay::ReplayFilter filter, const Output& output,
                                  LineWriter* writer) {
  const replay::Archive archive(data_dir);
  Counts counts;
  while (true) {
    const auto found = whole.Ask([&](replay::PackIndex* index) {
      return replay::FindReplays(index, filter, limits::kMaxPageSize);
    });
    if (!found.ok()) return found.status();
    if (found->empty()) return counts;
    for (const replay::FoundReplay& replay : *found) {
      ++counts.all;
      const absl::Status appended = AppendReplay(archive, replay.place.id, writer->lines());
      if (!appended.ok()) {
        output.Error(appended);
        ++counts.bad;
      }
      if (absl::Status s = writer->FlushIfLarge(); !s.ok()) return At("--output", s);
    }
    filter.before = found->back().place.id;
  }
}

absl::StatusOr<Exit> ExportTurns(const TurnsFlags& flags, const Output& output) {
  if (flags.output.file.empty() && output.out_is_terminal())
    return absl::InvalidArgumentError(
        "--output: what comes is compressed, and not for a terminal; name a file, or pipe it into "
        "'zstdcat'");
  if (absl::Status s = CheckArchiveIn(flags.data_dir); !s.ok()) return s;
  const absl::StatusOr<replay::ReplayFilter> filter = ReadFilter(flags.filter, flags.data_dir);
  if (!filter.ok()) return filter.status();
  const absl::StatusOr<replay::WholeIndex> whole = LookIntoArchive(flags.data_dir, output);
  if (!whole.ok()) return whole.status();
  // Opens no output file if no match is found.
  const auto first = whole->Ask(
      [&](replay::PackIndex* index) { return replay::FindReplays(index, *filter, /*limit=*/1); });
  if (!first.ok()) return first.status();
  if (first->empty()) return ExitOf(*whole, *filter, 0, output);
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  LineWriter writer(&*file);
  const absl::StatusOr<Counts> counts =
      WriteTurns(flags.data_dir, *whole, *filter, output, &writer);
  if (!counts.ok()) return counts.status();
  if (absl::Status s = writer.End(); !s.ok()) return At("--output", s);
  if (absl::Status s = file->Commit(); !s.ok()) return At("--output", s);
  if (counts->bad > 0) return ReplaysNotRead(counts->bad, counts->all);
  return ExitOf(*whole, *filter, counts->all, output);
}

}  // namespace

void AddArchiveExport(CLI::App* archive, Chosen* chosen) {
  const auto [exported, flags] = AddSubcommand(
      archive, chosen, "export",
      "Writes the turns of all matches, or of those that the flags say, as lines of JSON\n\n"
      "A line a turn: the position before it, the roll, how many moves were legal, the move, its "
      "time, the seat and its bot, and how the match ended for it. Compressed with zstd; 'zstdcat' "
      "shows it. Newest matches first. It goes on after a replay that it cannot read, and the exit "
      "status is 2 then. The daemon may go on meanwhile.",
      ExportTurns);
  AddDataDirFlag(exported, &flags->data_dir);
  AddFilterFlags(exported, &flags->filter);
  AddOption(exported, "--format", "FORMAT", &flags->format, "jsonl, the only one")
      ->check(OneOf({"jsonl"}));
  AddOutputFlags(exported, &flags->output);
}

}  // namespace referee::ctl
