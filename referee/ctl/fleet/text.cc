#include "referee/ctl/fleet/text.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

bool Lasts(const store::LeaseHolder& holder) {
  return holder.remaining.has_value() && *holder.remaining > absl::ZeroDuration();
}

std::string RemainingText(const store::LeaseHolder& holder) {
  if (!holder.remaining.has_value()) return "none";
  const int64_t seconds = absl::ToInt64Seconds(absl::AbsDuration(*holder.remaining));
  if (Lasts(holder)) return absl::StrCat(seconds, holder.draining ? " s, draining" : " s");
  return absl::StrCat("lapsed ", seconds, " s ago");
}

std::string NamesText(const std::vector<std::string>& all) {
  constexpr size_t kMostNames = 5;
  std::vector<std::string> names;
  for (const std::string& name : all) {
    if (names.size() < kMostNames) names.push_back(Shown(name));
  }
  const size_t more = all.size() - names.size();
  return absl::StrCat(absl::StrJoin(names, ", "), more > 0 ? absl::StrCat(" and ", more) : "");
}

std::string HomesText(const store::LeaseHolder& holder) {
  if (holder.homes.empty() && holder.helps.empty()) return "-";
  const std::string helps =
      holder.helps.empty() ? "" : absl::StrCat("helps ", NamesText(holder.helps));
  if (holder.homes.empty()) return helps;
  return absl::StrCat(NamesText(holder.homes), helps.empty() ? "" : "; ", helps);
}

std::string OldestText(const store::LeaseHolder& holder) {
  if (!holder.oldest_begin_time.has_value()) return "-";
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", *holder.oldest_begin_time, absl::UTCTimeZone());
}

}  // namespace

bool IsToBeClaimed(const store::LeaseHolder& holder) {
  return holder.open_blocks > 0 && !Lasts(holder);
}

std::string LeaseHoldersText(absl::Span<const store::LeaseHolder> holders) {
  if (holders.empty()) return "no referee has a lease, and no block is open\n";
  std::vector<TableRow> rows = {{"referee", "term", "lease", "open blocks", "competitions",
                                 "oldest since", "address", "home of"}};
  int64_t leased = 0;
  int64_t open = 0;
  int64_t unclaimed = 0;
  for (const store::LeaseHolder& holder : holders) {
    if (Lasts(holder)) ++leased;
    open += holder.open_blocks;
    if (IsToBeClaimed(holder)) unclaimed += holder.open_blocks;
    rows.push_back({Shown(holder.owner), holder.remaining ? absl::StrCat(holder.term) : "-",
                    RemainingText(holder), absl::StrCat(holder.open_blocks),
                    absl::StrCat(holder.competitions), OldestText(holder),
                    holder.address.empty() ? "-" : Shown(holder.address), HomesText(holder)});
  }
  return absl::StrCat(TableText("lrlrrlll", rows), "referees with a lease: ", leased,
                      ", open blocks: ", open, ", of these to be claimed: ", unclaimed, "\n");
}

std::string LeaseHolderJson(const store::LeaseHolder& holder) {
  Json json = {{"referee", holder.owner}};
  if (holder.remaining.has_value()) {
    json["term"] = holder.term;
    json["lease_remaining_ns"] = absl::ToInt64Nanoseconds(*holder.remaining);
  }
  if (!holder.address.empty()) json["address"] = holder.address;
  if (holder.draining) json["draining"] = true;
  if (!holder.homes.empty()) json["homes"] = holder.homes;
  if (!holder.helps.empty()) json["helps"] = holder.helps;
  json["open_blocks"] = holder.open_blocks;
  json["competitions"] = holder.competitions;
  if (holder.oldest_begin_time.has_value()) {
    json["oldest_begin_time"] = absl::FormatTime(*holder.oldest_begin_time, absl::UTCTimeZone());
  }
  return JsonLine(json);
}

}  // namespace referee::ctl
