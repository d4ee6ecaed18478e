#include "referee/ctl/fleet/text.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using store::LeaseHolder;

bool Lasts(const LeaseHolder& holder) {
  return holder.remaining.has_value() && *holder.remaining > absl::ZeroDuration();
}

std::string RemainingText(const LeaseHolder& holder) {
  if (!holder.remaining.has_value()) return "none";
  const int64_t seconds = absl::ToInt64Seconds(absl::AbsDuration(*holder.remaining));
  if (Lasts(holder)) {
    return absl::StrCat(seconds, holder.draining ? " s, draining"
                                 : holder.unable ? " s, begins no match"
                                                 : " s");
  }
  return absl::StrCat("lapsed ", seconds, " s ago");
}

Json RemainingJson(const LeaseHolder& holder) {
  return holder.remaining ? Json(absl::ToInt64Nanoseconds(*holder.remaining)) : Json();
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

std::string HomesText(const LeaseHolder& holder) {
  if (holder.homes.empty() && holder.helps.empty()) return "-";
  const std::string helps =
      holder.helps.empty() ? "" : absl::StrCat("helps ", NamesText(holder.helps));
  if (holder.homes.empty()) return helps;
  return absl::StrCat(NamesText(holder.homes), helps.empty() ? "" : "; ", helps);
}

const Columns<LeaseHolder>& HolderColumns() {
  static const auto* const columns = new Columns<LeaseHolder>{
      {"referee", kLeft | kJson, &LeaseHolder::owner},
      {"term", kRight | kJson,
       [](const LeaseHolder& h) { return h.remaining ? Cell(h.term) : Cell(); }},
      {"lease", "lease_remaining_ns", kLeft | kJson,
       [](const LeaseHolder& h) { return Cell(RemainingText(h), RemainingJson(h)); }},
      {"draining", kJson, &LeaseHolder::draining},
      {"unable", kJson, &LeaseHolder::unable},
      {"open blocks", "open_blocks", kRight | kJson, &LeaseHolder::open_blocks},
      {"competitions", kRight | kJson, &LeaseHolder::competitions},
      {"oldest since", "oldest_begin_time", kLeft | kJson,
       [](const LeaseHolder& h) {
         return h.oldest_begin_time ? Moment(*h.oldest_begin_time) : Cell();
       }},
      {"address", kLeft | kJson,
       [](const LeaseHolder& h) { return h.address.empty() ? Cell() : Cell(h.address); }},
      {"home of", "homes", kLeft | kJson,
       [](const LeaseHolder& h) { return Cell(HomesText(h), h.homes); }},
      {"helps", kJson, &LeaseHolder::helps}};
  return *columns;
}

}  // namespace

bool IsToBeClaimed(const LeaseHolder& holder) { return holder.open_blocks > 0 && !Lasts(holder); }

std::string LeaseHoldersText(absl::Span<const LeaseHolder> holders, Form form) {
  if (form != Form::kTable) return Printed(HolderColumns(), holders, form);
  if (holders.empty()) return "no referee has a lease, and no block is open\n";
  int64_t leased = 0;
  int64_t open = 0;
  int64_t unclaimed = 0;
  for (const LeaseHolder& holder : holders) {
    if (Lasts(holder)) ++leased;
    open += holder.open_blocks;
    if (IsToBeClaimed(holder)) unclaimed += holder.open_blocks;
  }
  return absl::StrCat(Printed(HolderColumns(), holders, form), "referees with a lease: ", leased,
                      ", open blocks: ", open, ", of these to be claimed: ", unclaimed, "\n");
}

}  // namespace referee::ctl
