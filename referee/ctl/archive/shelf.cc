#include "referee/ctl/archive/shelf.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/client.h"
#include "referee/ctl/terminal/print.h"
#include "referee/shelf/shared_shelf.h"

namespace referee::ctl {
namespace {

// The token of a list that begins with the first match made at `time`.
std::string TokenBefore(absl::Time time) {
  uint8_t last[10];
  std::fill(std::begin(last), std::end(last), 0xff);
  return MatchId::Make(time - absl::Milliseconds(1), last).text();
}

const Columns<shelf::ShelvedReplay>& ShelfColumns() {
  using Replay = shelf::ShelvedReplay;
  static const auto* const columns = new Columns<Replay>{
      {"match", "match_id", kLeft | kData, [](const Replay& r) { return r.id.text(); }},
      {"created", "create_time", kLeft | kData,
       [](const Replay& r) { return Moment(r.id.created()); }},
      {"bytes", kRight | kData, &Replay::size}};
  return *columns;
}

absl::StatusOr<std::string> FirstToken(const ShelfList& list) {
  std::string token;
  if (!list.after.empty()) {
    const absl::StatusOr<MatchId> after = MatchId::Parse(list.after);
    if (!after.ok()) return At("--after", after.status());
    token = after->text();
  }
  // Ids sort as their times do.
  if (list.from && *list.from > absl::UnixEpoch()) {
    token = std::max(token, TokenBefore(*list.from));
  }
  return token;
}

}  // namespace

CLI::Option* AddShelfFlag(CLI::App* command, std::string* shelf, const std::string& description) {
  return AddOption(command, "--shelf", "ADDRESS", shelf, description);
}

CLI::Option* AddPlaceFlags(CLI::App* command, std::string* data_dir, std::string* shelf) {
  CLI::Option* const place =
      AddOption(command, "--data-dir", "DIR", data_dir, "The daemon's data directory");
  return AddShelfFlag(command, shelf,
                      "In place of it: the shelf that daemons share, a directory or "
                      "s3://BUCKET/PREFIX?endpoint=URL&region=REGION")
      ->excludes(place);
}

absl::Status NoArchiveNamed() {
  return absl::InvalidArgumentError(
      "no archive is named: give --data-dir and a daemon's data directory, or --shelf and the "
      "address of a shelf");
}

absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> OpenShelf(const std::string& address) {
  absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf = shelf::OpenShelf(address);
  if (!shelf.ok()) return At("--shelf", shelf.status());
  return shelf;
}

absl::StatusOr<Exit> ListShelf(const ShelfList& list, const Output& output) {
  const absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf = OpenShelf(list.address);
  if (!shelf.ok()) return shelf.status();
  absl::StatusOr<std::string> token = FirstToken(list);
  if (!token.ok()) return token.status();
  std::vector<shelf::ShelvedReplay> replays;
  bool more = true;
  while (more && replays.size() < list.limit) {
    const uint64_t wanted = list.limit - replays.size();
    const int size = static_cast<int>(std::min<uint64_t>(wanted, limits::kMaxPageSize));
    absl::StatusOr<shelf::ShelfPage> page = (*shelf)->List("", size, *token);
    if (!page.ok()) return page.status();
    *token = page->next_page_token;
    more = !token->empty();
    for (shelf::ShelvedReplay& replay : page->replays) {
      more = more && !(list.until && replay.id.created() >= *list.until);
      if (!list.until || replay.id.created() < *list.until) replays.push_back(std::move(replay));
    }
  }
  if (replays.empty() && list.after.empty())
    return Refused(absl::NotFoundError(absl::StrCat(
                       "--shelf ", list.address, ": no replay is there, or none as the flags say")),
                   output);
  output.out() << Printed(ShelfColumns(), replays, list.json ? Form::kJson : Form::kTable);
  return Exit::kOk;
}

}  // namespace referee::ctl
