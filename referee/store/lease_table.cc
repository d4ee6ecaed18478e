// The calls of SqlStore for leases, owners of competitions, helpers and the secret of the fleet.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"
#include "referee/store/sql_store.h"
#include "referee/store/tables.h"

namespace referee::store {

absl::Status CheckLease(SqlDatabase* db, const Lease& lease, absl::Time now) {
  SqlStatement find = db->Prepare(
      absl::StrCat("SELECT until FROM lease WHERE owner = ? AND term = ?", db->for_key_share()));
  if (find.Bind(lease.owner, lease.term).Step()) {
    return find.Time(0) > now ? absl::OkStatus() : LeaseLapsed(lease.owner);
  }
  return find.status().ok() ? LeaseEnded(lease.owner) : find.status();
}

absl::StatusOr<int64_t> SqlStore::RenewLease(absl::string_view owner, absl::Duration ttl) {
  return Write(Writes::kBlocks, [&](SqlDatabase* db) -> absl::StatusOr<int64_t> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    const absl::Time until = *now + ttl;
    SqlStatement renewed = db->Prepare("UPDATE lease SET until = ? WHERE owner = ? RETURNING term");
    if (renewed.Bind(until, owner).Step()) return renewed.Int(0);
    if (!renewed.status().ok()) return renewed.status();
    // Another transaction may be inserting the row, which the update does not see.
    SqlStatement begun = db->Prepare(
        "INSERT INTO lease(owner, until) VALUES(?, ?) ON CONFLICT(owner) DO UPDATE SET until = "
        "excluded.until RETURNING term");
    if (begun.Bind(owner, until).Step()) return begun.Int(0);
    return begun.status().ok() ? LeaseEnded(owner) : begun.status();
  });
}

namespace {

// Appends the names of a statement's rows to the holders with their terms.
absl::Status AddNames(SqlStatement* list, const std::map<int64_t, LeaseHolder*>& by_term,
                      std::vector<std::string> LeaseHolder::*names) {
  while (list->Step()) {
    const auto holder = by_term.find(list->Int(1));
    if (holder != by_term.end()) (holder->second->*names).push_back(list->String(0));
  }
  return list->status();
}

// Returns whether the lease of this term lasts, and its daemon keeps its competitions.
absl::StatusOr<bool> Stays(SqlDatabase* db, int64_t term, absl::Time now) {
  SqlStatement find = db->Prepare(
      "SELECT 1 FROM lease WHERE term = ? AND until > ? AND draining = 0 AND unable = 0");
  const bool stays = find.Bind(term, now).Step();
  if (!find.status().ok()) return find.status();
  return stays;
}

}  // namespace

absl::StatusOr<std::vector<LeaseHolder>> SqlStore::ListLeaseHolders() {
  return ReadNow([](SqlDatabase* db, absl::Time now) -> absl::StatusOr<std::vector<LeaseHolder>> {
    std::map<std::string, LeaseHolder> holders;
    std::map<int64_t, LeaseHolder*> by_term;
    SqlStatement leases =
        db->Prepare("SELECT owner, term, until, address, draining, unable FROM lease");
    while (leases.Step()) {
      LeaseHolder& holder = holders[leases.String(0)];
      holder.term = leases.Int(1);
      holder.remaining = leases.Time(2) - now;
      holder.address = leases.String(3);
      holder.draining = leases.Int(4) != 0;
      holder.unable = leases.Int(5) != 0;
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
        "SELECT owner, COUNT(*), COUNT(DISTINCT competition), MIN(begin_time) FROM block INDEXED "
        "BY "
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
  });
}

// --- Owners of competitions ---

absl::Status SqlStore::Announce(const Lease& lease, absl::string_view address, bool draining) {
  return WriteUnder(Writes::kBlocks, lease, [&](SqlDatabase* db, absl::Time) {
    return db->Run(draining
                       ? "UPDATE lease SET address = ?, draining = 1 WHERE owner = ? AND term = ?"
                       : "UPDATE lease SET address = ? WHERE owner = ? AND term = ?",
                   address, lease.owner, lease.term);
  });
}

absl::Status SqlStore::SetUnable(const Lease& lease, bool unable) {
  return WriteUnder(Writes::kBlocks, lease, [&](SqlDatabase* db, absl::Time) {
    return db->Run("UPDATE lease SET unable = ? WHERE owner = ? AND term = ?", unable ? 1 : 0,
                   lease.owner, lease.term);
  });
}

absl::Status SqlStore::AskToDrain(absl::string_view owner, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    const absl::Status asked =
        db->Run("UPDATE lease SET draining = 1 WHERE owner = ? AND until > ?", owner, *now);
    if (!asked.ok()) return asked;
    return db->changes() > 0 ? absl::OkStatus()
                             : absl::NotFoundError(absl::StrCat(
                                   "no referee ", Quoted(owner),
                                   " has a lease that lasts; 'refctl fleet show' lists "
                                   "those that have"));
  });
}

absl::StatusOr<std::vector<Daemon>> SqlStore::ListDaemons() {
  return ReadNow([](SqlDatabase* db, absl::Time now) {
    SqlStatement list = db->Prepare(
        "SELECT owner, term, until, address, draining, unable FROM lease WHERE until > ? ORDER BY "
        "owner");
    list.Bind(now);
    return ReadRows<Daemon>(&list, [&](const SqlStatement& row) {
      return Daemon{row.String(0), row.Int(1),      row.Time(2) - now,
                    row.String(3), row.Int(4) != 0, row.Int(5) != 0};
    });
  });
}

absl::StatusOr<std::vector<CompetitionId>> SqlStore::TakeHomes(
    const Lease& lease, absl::Span<const CompetitionId> ids) {
  // Lock rows in order of ids, as Apply does.
  std::vector<CompetitionId> wanted(ids.begin(), ids.end());
  std::sort(wanted.begin(), wanted.end());
  using Taken = absl::StatusOr<std::vector<CompetitionId>>;
  return WriteUnder(Writes::kClaim, lease, [&](SqlDatabase* db, absl::Time now) -> Taken {
    std::vector<CompetitionId> taken;
    for (const CompetitionId& id : wanted) {
      const absl::StatusOr<Head> head = ReadHead(db, id);
      if (absl::IsNotFound(head.status())) continue;
      if (!head.ok()) return head.status();
      if (head->home_term != lease.term) {
        const absl::StatusOr<bool> stays = Stays(db, head->home_term, now);
        if (!stays.ok()) return stays.status();
        if (*stays) continue;
        const absl::Status set =
            db->Run("UPDATE competition SET home = ? WHERE key = ?", lease.term, head->key);
        if (!set.ok()) return set;
      }
      taken.push_back(id);
    }
    return taken;
  });
}

absl::Status SqlStore::OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) {
  return WriteUnder(Writes::kBlocks, lease, [&](SqlDatabase* db, absl::Time) -> absl::Status {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    return db->Run(
        "INSERT INTO help(competition, term, blocks, places) VALUES(?, ?, ?, ?) ON "
        "CONFLICT(competition, term) DO UPDATE SET blocks = excluded.blocks, places = "
        "excluded.places",
        head->key, lease.term, help.blocks, PlacesText(help.places));
  });
}

absl::StatusOr<std::vector<Help>> SqlStore::ListHelp(const CompetitionId& id) {
  return ReadNow([&](SqlDatabase* db, absl::Time now) -> absl::StatusOr<std::vector<Help>> {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    SqlStatement list = db->Prepare(
        "SELECT owner, blocks, places FROM help JOIN lease USING(term) WHERE competition = ? AND "
        "until > ? AND draining = 0 AND unable = 0 ORDER BY owner");
    list.Bind(head->key, now);
    return ReadRows<Help>(&list, [&](const SqlStatement& row) -> absl::StatusOr<Help> {
      Help help{row.String(0), static_cast<int>(row.Int(1)), {}};
      if (ReadPlaces(row.Text(2), &help.places)) return help;
      return db->Damaged(absl::StrCat("help of ", help.owner));
    });
  });
}

// --- The secret ---

absl::StatusOr<std::string> SqlStore::FleetSecret(
    absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) {
  std::array<uint8_t, kFleetSecretBytes> drawn;
  entropy(absl::MakeSpan(drawn));
  // Concurrent calls take turns: the first one sets the secret.
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::StatusOr<std::string> {
    const absl::Status kept =
        db->Run("INSERT INTO fleet(one, secret) VALUES(1, ?) ON CONFLICT(one) DO NOTHING", drawn);
    if (!kept.ok()) return kept;
    SqlStatement find = db->Prepare("SELECT secret FROM fleet");
    if (find.Step()) return find.String(0);
    return find.status().ok() ? db->Damaged("the secret of the fleet") : find.status();
  });
}

}  // namespace referee::store
