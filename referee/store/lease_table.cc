#include "referee/store/lease_table.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"

namespace referee::store::lease_table {

absl::StatusOr<int64_t> Renew(SqlDatabase* db, absl::string_view owner, absl::Time until) {
  SqlStatement renewed = db->Prepare("UPDATE lease SET until = ? WHERE owner = ? RETURNING term");
  if (renewed.Bind(until, owner).Step()) return renewed.Int(0);
  if (!renewed.status().ok()) return renewed.status();
  // Another may be inserting it, unseen by the update.
  SqlStatement begun = db->Prepare(
      "INSERT INTO lease(owner, until) VALUES(?, ?) ON CONFLICT(owner) DO UPDATE SET until = "
      "excluded.until RETURNING term");
  if (begun.Bind(owner, until).Step()) return begun.Int(0);
  return begun.status().ok() ? LeaseEnded(owner) : begun.status();
}

absl::Status Check(SqlDatabase* db, const Lease& lease, absl::Time now) {
  SqlStatement find = db->Prepare(
      absl::StrCat("SELECT until FROM lease WHERE owner = ? AND term = ?", db->for_key_share()));
  if (find.Bind(lease.owner, lease.term).Step()) {
    return find.Time(0) > now ? absl::OkStatus() : LeaseLapsed(lease.owner);
  }
  return find.status().ok() ? LeaseEnded(lease.owner) : find.status();
}

absl::Status EndLapsed(SqlDatabase* db, absl::Time now) {
  return db->Run("DELETE FROM lease WHERE until <= ?", now);
}

absl::Status End(SqlDatabase* db, absl::Span<const std::string> owners) {
  for (const std::string& owner : owners) {
    const absl::Status ended = db->Run("DELETE FROM lease WHERE owner = ?", owner);
    if (!ended.ok()) return ended;
  }
  return absl::OkStatus();
}

namespace {

// Adds to the holders, by term, the names that a statement gives with each.
absl::Status AddNames(SqlStatement* list, const std::map<int64_t, LeaseHolder*>& by_term,
                      std::vector<std::string> LeaseHolder::*names) {
  while (list->Step()) {
    const auto holder = by_term.find(list->Int(1));
    if (holder != by_term.end()) (holder->second->*names).push_back(list->String(0));
  }
  return list->status();
}

}  // namespace

absl::StatusOr<std::vector<LeaseHolder>> ListHolders(SqlDatabase* db, absl::Time now) {
  std::map<std::string, LeaseHolder> holders;
  std::map<int64_t, LeaseHolder*> by_term;
  SqlStatement leases = db->Prepare("SELECT owner, term, until, address, draining FROM lease");
  while (leases.Step()) {
    LeaseHolder& holder = holders[leases.String(0)];
    holder.term = leases.Int(1);
    holder.remaining = leases.Time(2) - now;
    holder.address = leases.String(3);
    holder.draining = leases.Int(4) != 0;
    by_term[holder.term] = &holder;
  }
  if (!leases.status().ok()) return leases.status();
  SqlStatement homes =
      db->Prepare("SELECT name, home FROM competition WHERE state <> 'FINISHED' ORDER BY name");
  if (absl::Status s = AddNames(&homes, by_term, &LeaseHolder::homes); !s.ok()) return s;
  SqlStatement helps = db->Prepare(
      "SELECT name, term FROM help JOIN competition ON key = competition WHERE blocks > 0 AND "
      "state <> 'FINISHED' ORDER BY name");
  if (absl::Status s = AddNames(&helps, by_term, &LeaseHolder::helps); !s.ok()) return s;
  SqlStatement blocks = db->Prepare(
      "SELECT owner, COUNT(*), COUNT(DISTINCT competition), MIN(begin_time) FROM block INDEXED BY "
      "open_block WHERE state = 'RUNNING' GROUP BY owner");
  while (blocks.Step()) {
    LeaseHolder& holder = holders[blocks.String(0)];
    holder.open_blocks = blocks.Int(1);
    holder.competitions = blocks.Int(2);
    holder.oldest_begin_time = blocks.Time(3);
  }
  if (!blocks.status().ok()) return blocks.status();
  std::vector<LeaseHolder> listed;
  listed.reserve(holders.size());
  for (auto& [owner, holder] : holders) {
    holder.owner = owner;
    listed.push_back(std::move(holder));
  }
  return listed;
}

// --- Homes ---

absl::Status Announce(SqlDatabase* db, const Lease& lease, absl::string_view address,
                      bool draining) {
  return db->Run(draining
                     ? "UPDATE lease SET address = ?, draining = 1 WHERE owner = ? AND term = ?"
                     : "UPDATE lease SET address = ? WHERE owner = ? AND term = ?",
                 address, lease.owner, lease.term);
}

absl::Status AskToDrain(SqlDatabase* db, absl::string_view owner, absl::Time now) {
  const absl::Status asked =
      db->Run("UPDATE lease SET draining = 1 WHERE owner = ? AND until > ?", owner, now);
  if (!asked.ok()) return asked;
  return db->changes() > 0 ? absl::OkStatus() : NoDaemon(owner);
}

absl::StatusOr<std::vector<Daemon>> ListDaemons(SqlDatabase* db, absl::Time now) {
  SqlStatement list = db->Prepare(
      "SELECT owner, term, until, address, draining FROM lease WHERE until > ? ORDER BY owner");
  list.Bind(now);
  std::vector<Daemon> daemons;
  while (list.Step()) {
    daemons.push_back(
        {list.String(0), list.Int(1), list.Time(2) - now, list.String(3), list.Int(4) != 0});
  }
  if (!list.status().ok()) return list.status();
  return daemons;
}

absl::StatusOr<bool> Stays(SqlDatabase* db, int64_t term, absl::Time now) {
  SqlStatement find =
      db->Prepare("SELECT 1 FROM lease WHERE term = ? AND until > ? AND draining = 0");
  const bool stays = find.Bind(term, now).Step();
  if (!find.status().ok()) return find.status();
  return stays;
}

absl::Status OfferHelp(SqlDatabase* db, const Lease& lease, int64_t key, const Help& help) {
  return db->Run(
      "INSERT INTO help(competition, term, blocks, places) VALUES(?, ?, ?, ?) ON "
      "CONFLICT(competition, term) DO UPDATE SET blocks = excluded.blocks, places = "
      "excluded.places",
      key, lease.term, help.blocks, PlacesText(help.places));
}

absl::StatusOr<std::vector<Help>> ListHelp(SqlDatabase* db, int64_t key, absl::Time now) {
  SqlStatement list = db->Prepare(
      "SELECT owner, blocks, places FROM help JOIN lease USING(term) WHERE competition = ? AND "
      "until > ? AND draining = 0 ORDER BY owner");
  list.Bind(key, now);
  std::vector<Help> all;
  while (list.Step()) {
    Help help{list.String(0), static_cast<int>(list.Int(1)), {}};
    if (!ReadPlaces(list.Text(2), &help.places)) {
      return db->Damaged(absl::StrCat("help of ", help.owner));
    }
    all.push_back(std::move(help));
  }
  if (!list.status().ok()) return list.status();
  return all;
}

absl::Status MoveHomes(SqlDatabase* db, const Lease& lease, absl::Span<const std::string> owners) {
  for (const std::string& owner : owners) {
    SqlStatement find = db->Prepare("SELECT term FROM lease WHERE owner = ?");
    if (!find.Bind(owner).Step()) {
      if (!find.status().ok()) return find.status();
      continue;
    }
    const absl::Status moved =
        db->Run("UPDATE competition SET home = ? WHERE home = ? AND state <> 'FINISHED'",
                lease.term, find.Int(0));
    if (!moved.ok()) return moved;
  }
  return absl::OkStatus();
}

}  // namespace referee::store::lease_table
