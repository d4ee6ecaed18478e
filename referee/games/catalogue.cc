#include "referee/games/catalogue.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/convert.h"
#include "referee/games/hypnosia/type.h"
#include "referee/games/isaac/convert.h"
#include "referee/games/isaac/type.h"

namespace referee::games {

namespace {

// The error of a game that breaks the contract of game.h.
absl::Status BadGameType(absl::string_view name, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("game ", Quoted(name), ": ", why));
}

// Sorted by name.
std::vector<Entry>& Entries() {
  static auto* const entries = new std::vector<Entry>{
      {new hypnosia::HypnosiaType(&hypnosia::HypnosiaWire()), &hypnosia::HypnosiaWire()},
      {new isaac::IsaacType(&isaac::IsaacWire()), &isaac::IsaacWire()},
  };
  return *entries;
}

bool Precedes(const Entry& a, const Entry& b) { return a.type->name() < b.type->name(); }

// Whether `name` follows the rule for names of games and options.
bool IsName(absl::string_view name) {
  const auto fits = [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= limits::kMaxNameBytes && absl::ascii_islower(name[0]) &&
         std::all_of(name.begin(), name.end(), fits);
}

absl::Status CheckOptions(absl::string_view game, absl::Span<const OptionSpec> specs) {
  if (specs.size() > limits::kMaxOptions) {
    return BadGameType(game, absl::StrCat("it has more than ", limits::kMaxOptions, " options"));
  }
  int files = 0;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!IsName(specs[i].name)) {
      return BadGameType(game, absl::StrCat("option ", Quoted(specs[i].name), " has no name"));
    }
    if (i > 0 && specs[i - 1].name >= specs[i].name) {
      return BadGameType(game, "its options are not sorted by name, each once");
    }
    if (specs[i].kind == OptionSpec::Kind::kFile) ++files;
  }
  return files <= 1 ? absl::OkStatus() : BadGameType(game, "more than one option is a file");
}

absl::Status CheckType(const GameType* type) {
  if (type == nullptr) return BadGameType("", "it is null");
  const absl::string_view name = type->name();
  if (!IsName(name)) {
    return BadGameType(name, absl::StrCat("a name is a lower-case letter, then such letters, "
                                          "digits, '_' and '-', at most ",
                                          limits::kMaxNameBytes));
  }
  if (Find(name).ok()) return BadGameType(name, "there is a game of that name already");
  if (type->min_seats() < 2 || type->max_seats() > limits::kMaxSeats ||
      type->min_seats() > type->max_seats()) {
    return BadGameType(name, absl::StrCat("its seats are not within 2 to ", limits::kMaxSeats));
  }
  return CheckOptions(name, type->option_specs());
}

}  // namespace

absl::Span<const Entry> Catalogue() { return Entries(); }

absl::Status AddGames(absl::Span<const std::shared_ptr<const GameType>> types) {
  static auto* const added = new std::vector<std::shared_ptr<const GameType>>;
  for (const std::shared_ptr<const GameType>& type : types) {
    if (absl::Status bad = CheckType(type.get()); !bad.ok()) return bad;
    added->push_back(type);
    const Entry entry{type.get(), &GeneralWire()};
    std::vector<Entry>& entries = Entries();
    entries.insert(std::lower_bound(entries.begin(), entries.end(), entry, Precedes), entry);
  }
  return absl::OkStatus();
}

absl::StatusOr<Entry> Find(absl::string_view name) {
  for (const Entry& entry : Catalogue()) {
    if (entry.type->name() == name) return entry;
  }
  return UnknownGame(name, absl::StrJoin(Catalogue(), ", ", [](std::string* out, const Entry& e) {
                       out->append(e.type->name().data(), e.type->name().size());
                     }));
}

}  // namespace referee::games
