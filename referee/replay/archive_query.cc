#include "referee/replay/archive_query.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/replay/packs.h"

namespace referee::replay {
namespace {

#define REFEREE_WORD "(SELECT number FROM word WHERE text = ?)"

// The conditions of a query under construction, and the values bound to them, in order.
class Conditions {
 public:
  void Add(absl::string_view condition) { conditions_.emplace_back(condition); }
  void Add(absl::string_view condition, std::string text) {
    Add(condition);
    values_.emplace_back(std::move(text));
  }
  void Add(absl::string_view condition, int64_t number) {
    Add(condition);
    values_.emplace_back(number);
  }

  std::string sql() const {
    return conditions_.empty() ? "" : absl::StrCat(" WHERE ", absl::StrJoin(conditions_, " AND "));
  }
  // Must outlive the execution of the statement.
  void BindTo(sqlite::Statement* statement) const {
    for (const auto& value : values_) {
      std::visit([&](const auto& bound) { statement->Bind(bound); }, value);
    }
  }

 private:
  std::vector<std::string> conditions_;
  std::vector<std::variant<std::string, int64_t>> values_;
};

// Conditions on the match itself, `r`.
void AddOfMatch(const ReplayFilter& filter, Conditions* where) {
  if (!filter.game.empty()) where->Add("r.game = " REFEREE_WORD, filter.game);
  if (!filter.competition.empty()) {
    where->Add("r.competition = " REFEREE_WORD, filter.competition);
  }
  if (filter.ending) where->Add("r.ending = ?", static_cast<int64_t>(*filter.ending));
  if (filter.min_turns) where->Add("r.turns >= ?", *filter.min_turns);
  if (filter.max_turns) where->Add("r.turns <= ?", *filter.max_turns);
  if (filter.before) where->Add("r.id < ?", filter.before->text());
}

void AddOfTime(const ReplayFilter& filter, absl::string_view column, Conditions* where) {
  // Times are stored in whole milliseconds: round up.
  const auto millis = [](absl::Time time) {
    return absl::ToUnixMillis(time + absl::Milliseconds(1) - absl::Nanoseconds(1));
  };
  if (filter.from) where->Add(absl::StrCat(column, " >= ?"), millis(*filter.from));
  if (filter.until) where->Add(absl::StrCat(column, " < ?"), millis(*filter.until));
  if (filter.before) {
    where->Add(absl::StrCat(column, " <= ?"), absl::ToUnixMillis(filter.before->created()));
  }
}

// Conditions on one seat, `s`.
void AddOfSeat(const ReplayFilter& filter, Conditions* where) {
  if (!filter.bot.empty()) where->Add("s.bot = " REFEREE_WORD, filter.bot);
  if (filter.seat) where->Add("s.seat = ?", int64_t{*filter.seat});
  if (filter.cause) {
    where->Add("s.forfeit = ?", static_cast<int64_t>(*filter.cause));
  } else if (filter.forfeit) {
    where->Add("s.forfeit IS NOT NULL");
  }
}

bool NamesSeat(const ReplayFilter& filter) { return !filter.bot.empty() || filter.seat; }

// Conditions of a filter that names no seat: any seat forfeited.
void AddOfSomebody(const ReplayFilter& filter, Conditions* where) {
  if (filter.cause) {
    where->Add("EXISTS (SELECT 1 FROM seat x WHERE x.place = r.place AND x.forfeit = ?)",
               static_cast<int64_t>(*filter.cause));
  } else if (filter.forfeit) {
    where->Add("EXISTS (SELECT 1 FROM seat x WHERE x.place = r.place AND x.forfeit IS NOT NULL)");
  }
}

absl::Status CheckWord(PackIndex* index, absl::string_view what, const std::string& text,
                       absl::string_view used) {
  if (text.empty()) return absl::OkStatus();
  sqlite::Statement find = index->db()->Prepare(
      absl::StrCat("SELECT EXISTS (SELECT 1 FROM ", used, " = " REFEREE_WORD ")"));
  find.Bind(text);
  const bool found = find.Step() && find.Int(0) != 0;
  if (!find.status().ok()) return find.status();
  if (found) return absl::OkStatus();
  const absl::string_view remedy =
      what == "competition" ? "none of its matches is over, or its name is another"
      : what == "game"      ? "'refctl archive stats --by game' shows which are"
                            : "'refctl archive stats --by bot' shows which are";
  return absl::NotFoundError(
      absl::StrCat(what, " ", Quoted(text), ": is in no replay of the archive; ", remedy));
}

// --- Finding ---

std::string FindSql(const ReplayFilter& filter, Conditions* where) {
  const bool by_seat = NamesSeat(filter);
  if (by_seat) {
    AddOfSeat(filter, where);
    AddOfTime(filter, "s.create_ms", where);
  } else {
    AddOfSomebody(filter, where);
    AddOfTime(filter, "r.create_ms", where);
  }
  AddOfMatch(filter, where);
  if (!filter.opponent.empty()) {
    where->Add(absl::StrCat("EXISTS (SELECT 1 FROM seat o WHERE o.place = r.place AND ",
                            by_seat ? "o.seat <> s.seat AND " : "", "o.bot = " REFEREE_WORD ")"),
               filter.opponent);
  }
  const absl::string_view columns =
      "r.id, r.place, r.size, r.end_us, (SELECT text FROM word WHERE number = r.game), "
      "(SELECT text FROM word WHERE number = r.competition), r.block, r.rotation, r.turns, "
      "r.ending, r.opening_roll";
  // Find a match once, even if one bot has several of its seats.
  if (by_seat) {
    return absl::StrCat("SELECT DISTINCT ", columns, ", s.create_ms AS created FROM seat s ",
                        "JOIN replay r ON r.place = s.place", where->sql(),
                        " ORDER BY created DESC, r.id DESC LIMIT ?");
  }
  return absl::StrCat("SELECT ", columns, " FROM replay r", where->sql(),
                      " ORDER BY r.id DESC LIMIT ?");
}

std::string TextOrNothing(const sqlite::Statement& row, int column) {
  return row.IsNull(column) ? "" : row.String(column);
}

absl::optional<int> IntOrNothing(const sqlite::Statement& row, int column) {
  if (row.IsNull(column)) return absl::nullopt;
  return static_cast<int>(row.Int(column));
}

absl::Status ReadSeats(PackIndex* index, int64_t place, ReplaySummary* summary) {
  sqlite::Statement seats = index->db()->Prepare(
      "SELECT (SELECT text FROM word WHERE number = bot), rank, score, forfeit, used_us FROM seat "
      "WHERE place = ? ORDER BY seat");
  seats.Bind(place);
  while (seats.Step()) {
    SeatSummary seat;
    seat.bot = seats.String(0);
    seat.rank = IntOrNothing(seats, 1);
    seat.score = IntOrNothing(seats, 2);
    if (!seats.IsNull(3)) seat.forfeit = static_cast<match::Cause>(seats.Int(3));
    seat.used = absl::Microseconds(seats.Int(4));
    summary->seats.push_back(std::move(seat));
  }
  return seats.status();
}

absl::StatusOr<FoundReplay> ReadFound(PackIndex* index, const sqlite::Statement& row) {
  absl::StatusOr<MatchId> id = MatchId::Parse(row.Text(0));
  if (!id.ok()) return id.status();
  FoundReplay found;
  found.place = PlaceOf(*id, row.Int(1), static_cast<uint32_t>(row.Int(2)));
  ReplaySummary& summary = found.summary;
  summary.id = *std::move(id);
  summary.create_time = summary.id.created();
  summary.end_time = row.Time(3);
  summary.game = row.String(4);
  summary.competition = TextOrNothing(row, 5);
  summary.block = TextOrNothing(row, 6);
  summary.rotation = IntOrNothing(row, 7).value_or(0);
  summary.turns = static_cast<uint32_t>(row.Int(8));
  summary.ending = static_cast<match::Ending>(row.Int(9));
  summary.opening_roll = TextOrNothing(row, 10);
  if (absl::Status s = ReadSeats(index, row.Int(1), &summary); !s.ok()) return s;
  return found;
}

// --- Counting ---

// Name and SQL key of each CountBy, in its order.
struct Counted {
  absl::string_view name;
  absl::string_view sql;
};
constexpr Counted kCounted[] = {
    {"bot", "(SELECT text FROM word WHERE number = s.bot)"},
    {"opponent", "(SELECT text FROM word WHERE number = o.bot)"},
    {"seat", "s.seat"},
    {"game", "(SELECT text FROM word WHERE number = r.game)"},
    {"opening-roll", "r.opening_roll"},
    {"length", "r.turns / 20"},
    {"ending", "r.ending"},
};
static_assert(kLengthStep == 20, "as above");

std::string KeyText(CountBy by, const sqlite::Statement& row, int column) {
  switch (by) {
    case CountBy::kSeat:
      return Seat(static_cast<int>(row.Int(column))).text();
    case CountBy::kLength: {
      const int64_t from = row.Int(column) * kLengthStep;
      return absl::StrCat(from, "-", from + kLengthStep - 1);
    }
    case CountBy::kEnding:
      return std::string(EndingName(static_cast<match::Ending>(row.Int(column))));
    default:
      return row.IsNull(column) ? "-" : row.String(column);
  }
}

bool Has(const std::vector<CountBy>& all, CountBy by) {
  return std::find(all.begin(), all.end(), by) != all.end();
}

// Counts each match once.
std::string CountMatchesSql(const ReplayFilter& filter, absl::string_view keys, Conditions* where) {
  AddOfSomebody(filter, where);
  AddOfMatch(filter, where);
  AddOfTime(filter, "r.create_ms", where);
  if (!filter.opponent.empty()) {
    where->Add("EXISTS (SELECT 1 FROM seat o WHERE o.place = r.place AND o.bot = " REFEREE_WORD ")",
               filter.opponent);
  }
  return absl::StrCat(
      "SELECT count(*), sum(r.ending = 0), 0, 0, 0, sum(EXISTS (SELECT 1 FROM seat x WHERE x.place "
      "= "
      "r.place AND x.forfeit IS NOT NULL)), avg(r.turns), 0",
      keys, " FROM replay r", where->sql());
}

// Counts seats, against one opponent or all.
std::string CountSeatsSql(const ReplayFilter& filter, bool against_one, absl::string_view keys,
                          Conditions* where) {
  AddOfSeat(filter, where);
  AddOfMatch(filter, where);
  AddOfTime(filter, "s.create_ms", where);
  if (!filter.opponent.empty()) where->Add("o.bot = " REFEREE_WORD, filter.opponent);
  const absl::string_view other =
      against_one ? "o.rank"
                  : "(SELECT min(x.rank) FROM seat x WHERE x.place = s.place AND x.seat <> s.seat)";
  return absl::StrCat(
      "SELECT count(*), sum(r.ending = 0), total(s.rank < ", other, "), total(s.rank = ", other,
      "), total(s.rank > ", other, "), sum(s.forfeit IS NOT NULL), avg(r.turns), avg(s.used_us)",
      keys, " FROM seat s JOIN replay r ON r.place = s.place",
      against_one ? " JOIN seat o ON o.place = s.place AND o.seat <> s.seat" : "", where->sql());
}

// --- The whole index ---

// The extent of an index, and the packs whose damaged entries it skipped.
struct Extent {
  Covered covered;
  std::vector<PackName> damaged;
};

absl::StatusOr<Extent> ReadExtent(PackIndex* index) {
  absl::StatusOr<Covered> covered = index->ReadCovered();
  if (!covered.ok()) return covered.status();
  absl::StatusOr<std::vector<PackName>> damaged = index->PacksWithDamage();
  if (!damaged.ok()) return damaged.status();
  return Extent{*std::move(covered), *std::move(damaged)};
}

// Returns the problem of a pack that had damage when it was indexed. Reads the whole pack.
absl::Status DamageIn(const std::string& data_dir, PackName name) {
  const std::string path = PackPath(data_dir, name);
  const absl::StatusOr<PackScan> scan = ScanPack(path, name, 0, [](const PackedReplay&) {});
  if (!scan.ok()) return scan.status();
  const absl::Status problem = PackProblem(path, *scan);
  if (!problem.ok()) return problem;
  return absl::DataLossError(absl::StrCat(
      path,
      ": the index lacks entries that were damaged when it was made, and are whole now; "
      "'refctl archive index' makes it anew while no refereed runs"));
}

}  // namespace

absl::string_view CountByName(CountBy by) { return kCounted[static_cast<size_t>(by)].name; }

bool ReplayFilter::IsAll() const {
  return bot.empty() && opponent.empty() && !seat && game.empty() && competition.empty() &&
         !ending && !forfeit && !cause && !min_turns && !max_turns && !from && !until;
}

absl::Status CheckNames(PackIndex* index, const ReplayFilter& filter) {
  absl::Status checked = CheckWord(index, "bot", filter.bot, "seat WHERE bot");
  checked.Update(CheckWord(index, "bot", filter.opponent, "seat WHERE bot"));
  checked.Update(CheckWord(index, "game", filter.game, "replay WHERE game"));
  checked.Update(CheckWord(index, "competition", filter.competition, "replay WHERE competition"));
  return checked;
}

absl::StatusOr<std::vector<FoundReplay>> FindReplays(PackIndex* index, const ReplayFilter& filter,
                                                     int64_t limit) {
  Conditions where;
  const std::string sql = FindSql(filter, &where);
  sqlite::Statement list = index->db()->Prepare(sql);
  where.BindTo(&list);
  list.Bind(limit);
  std::vector<FoundReplay> all;
  while (list.Step()) {
    absl::StatusOr<FoundReplay> found = ReadFound(index, list);
    if (!found.ok()) return found.status();
    all.push_back(*std::move(found));
  }
  if (!list.status().ok()) return list.status();
  return all;
}

absl::StatusOr<std::vector<ReplayCount>> CountReplays(PackIndex* index, const ReplayFilter& filter,
                                                      const std::vector<CountBy>& by) {
  std::string keys;
  std::vector<std::string> groups;
  for (const CountBy one : by) {
    absl::StrAppend(&keys, ", ", kCounted[static_cast<size_t>(one)].sql, " AS k", groups.size());
    groups.push_back(absl::StrCat("k", groups.size()));
  }
  const bool seats = NamesSeat(filter) || Has(by, CountBy::kBot) || Has(by, CountBy::kOpponent) ||
                     Has(by, CountBy::kSeat);
  const bool against_one = !filter.opponent.empty() || Has(by, CountBy::kOpponent);
  Conditions where;
  std::string sql = seats ? CountSeatsSql(filter, against_one, keys, &where)
                          : CountMatchesSql(filter, keys, &where);
  if (!groups.empty()) {
    const std::string list = absl::StrJoin(groups, ", ");
    absl::StrAppend(&sql, " GROUP BY ", list, " ORDER BY ", list);
  }
  sqlite::Statement rows = index->db()->Prepare(sql);
  where.BindTo(&rows);
  std::vector<ReplayCount> counts;
  constexpr int kFirstKey = 8;
  while (rows.Step()) {
    if (rows.Int(0) == 0) continue;  // without groups, SQL returns one row of zeros
    ReplayCount count;
    count.matches = rows.Int(0);
    count.finished = rows.Int(1);
    count.won = rows.Int(2);
    count.tied = rows.Int(3);
    count.lost = rows.Int(4);
    count.forfeits = rows.Int(5);
    count.turns = rows.Real(6);
    count.used = absl::Microseconds(rows.Real(7));
    for (size_t i = 0; i < by.size(); ++i) {
      count.keys.push_back(KeyText(by[i], rows, kFirstKey + static_cast<int>(i)));
    }
    counts.push_back(std::move(count));
  }
  if (!rows.status().ok()) return rows.status();
  return counts;
}

absl::StatusOr<WholeIndex> WholeIndex::Look(const std::string& data_dir, size_t most) {
  WholeIndex whole(data_dir);
  absl::StatusOr<Extent> extent = ReadIndex(data_dir, ReadExtent);
  if (absl::IsNotFound(extent.status())) {
    whole.has_index_ = false;
    extent = Extent();
  }
  if (!extent.ok()) return extent.status();
  const std::vector<PackName>& damaged = extent->damaged;
  std::vector<PackedReplay> beyond;
  const auto take = [&](PackedReplay replay) {
    if (beyond.size() == most) {
      ++whole.missing_;
    } else {
      beyond.push_back(std::move(replay));
    }
  };
  const absl::Status scanned = ScanBeyond(
      data_dir, extent->covered, take, [&](PackName name, const absl::StatusOr<PackScan>& scan) {
        const bool was_damaged = std::find(damaged.begin(), damaged.end(), name) != damaged.end();
        const absl::Status problem = !scan.ok()    ? scan.status()
                                     : was_damaged ? DamageIn(data_dir, name)
                                                   : PackProblem(PackPath(data_dir, name), *scan);
        if (!problem.ok()) whole.problems_.push_back(problem);
        return absl::OkStatus();
      });
  if (!scanned.ok()) whole.problems_.push_back(scanned);
  const bool nothing = beyond.empty() && whole.problems_.empty();
  if (!whole.has_index_ && (nothing || whole.missing_ > 0)) {
    return PackIndex::Missing(data_dir);
  }
  Packs packs(data_dir, Packs::Writer::kElsewhere);
  for (const PackedReplay& replay : beyond) {
    whole.beyond_.push_back({replay, packs.ReadSummary(replay)});
  }
  return whole;
}

absl::StatusOr<std::unique_ptr<PackIndex>> WholeIndex::Open() const {
  absl::StatusOr<std::unique_ptr<PackIndex>> index =
      has_index_ ? PackIndex::OpenToRead(data_dir_) : PackIndex::InMemory();
  if (!index.ok()) return index;
  absl::Status added;
  if (!has_index_) {
    added = (*index)->Add(beyond_, {});
  } else if (!beyond_.empty()) {
    added = (*index)->Overlay(beyond_);
  }
  if (added.ok()) return index;
  return (*index)->overtaken() ? sqlite::DatabaseBusy(PackIndex::PathIn(data_dir_)) : added;
}

#undef REFEREE_WORD

}  // namespace referee::replay
