#include "referee/games/hypnosia/board.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"

namespace referee::games::hypnosia {
namespace {

constexpr uint32_t kMinRingSize = 7;  // so that no die leads around a ring to its start
constexpr uint32_t kMaxCentrePlaces = 24;

absl::Status OutOfRange(absl::string_view field, uint32_t value, uint32_t low, uint32_t high) {
  return BadBoard(field, absl::StrCat(value, " is not a number from ", low, " to ", high));
}

absl::Status CheckName(const std::string& name) {
  const auto allowed = [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-';
  };
  if (!name.empty() && name.size() <= limits::kMaxNameBytes &&
      std::all_of(name.begin(), name.end(), allowed)) {
    return absl::OkStatus();
  }
  return BadBoard("name", absl::StrCat(Quoted(name), " is not 1 to ", limits::kMaxNameBytes,
                                       " lower-case letters, digits and '-'"));
}

// `r` is the index of the ring. REQUIRES: the sizes of this ring and of the next are valid.
absl::Status CheckBridges(const BoardSpec& spec, size_t r) {
  const BoardSpec::Ring& ring = spec.rings[r];
  const bool innermost = r + 1 == spec.rings.size();
  const std::string field = absl::StrCat("rings[", r, "].bridges");
  if (ring.bridges.empty()) return BadBoard(field, "a ring has at least one bridge");
  std::set<uint32_t> starts;
  for (size_t b = 0; b < ring.bridges.size(); ++b) {
    const BoardSpec::Bridge& bridge = ring.bridges[b];
    const std::string from = absl::StrCat(field, "[", b, "].from");
    const std::string to = absl::StrCat(field, "[", b, "].to");
    if (bridge.from >= ring.size) return OutOfRange(from, bridge.from, 0, ring.size - 1);
    if (!starts.insert(bridge.from).second) {
      return BadBoard(from, absl::StrCat("another bridge starts from space ", bridge.from));
    }
    if (innermost && bridge.to.has_value()) {
      return BadBoard(to, "bridges of the innermost ring lead to the centre and have no 'to'");
    }
    if (innermost) continue;
    if (!bridge.to.has_value()) {
      return BadBoard(to, "not set; it is the space of the next ring that the bridge leads to");
    }
    const uint32_t next_size = spec.rings[r + 1].size;
    if (*bridge.to >= next_size) return OutOfRange(to, *bridge.to, 0, next_size - 1);
  }
  return absl::OkStatus();
}

absl::Status CheckRings(const BoardSpec& spec) {
  if (spec.rings.empty() || spec.rings.size() > static_cast<size_t>(kMaxRings)) {
    return BadBoard("rings",
                    absl::StrCat("there are ", spec.rings.size(), " rings, not 1 to ", kMaxRings));
  }
  for (size_t r = 0; r < spec.rings.size(); ++r) {
    const uint32_t size = spec.rings[r].size;
    if (size < kMinRingSize || size > static_cast<uint32_t>(kMaxRingSize)) {
      return OutOfRange(absl::StrCat("rings[", r, "].size"), size, kMinRingSize, kMaxRingSize);
    }
  }
  for (size_t r = 0; r < spec.rings.size(); ++r) {
    const absl::Status status = CheckBridges(spec, r);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckLanes(const BoardSpec& spec) {
  if (spec.lane_entries.size() != static_cast<size_t>(kLanes)) {
    return BadBoard("lane_entries", absl::StrCat("there are ", spec.lane_entries.size(),
                                                 " lane entries, not ", kLanes));
  }
  std::set<uint32_t> entries;
  for (size_t lane = 0; lane < spec.lane_entries.size(); ++lane) {
    const uint32_t entry = spec.lane_entries[lane];
    const std::string field = absl::StrCat("lane_entries[", lane, "]");
    if (entry >= spec.rings[0].size) return OutOfRange(field, entry, 0, spec.rings[0].size - 1);
    if (!entries.insert(entry).second) {
      return BadBoard(field, absl::StrCat("another lane opens onto space ", entry));
    }
  }
  return absl::OkStatus();
}

absl::Status Check(const BoardSpec& spec) {
  for (const auto check :
       {+[](const BoardSpec& s) { return CheckName(s.name); }, &CheckRings, &CheckLanes}) {
    const absl::Status status = check(spec);
    if (!status.ok()) return status;
  }
  if (spec.centre_places < 1 || spec.centre_places > kMaxCentrePlaces) {
    return OutOfRange("centre_places", spec.centre_places, 1, kMaxCentrePlaces);
  }
  return absl::OkStatus();
}

}  // namespace

BoardSpec SpiralBoard() {
  BoardSpec spec;
  spec.name = "spiral-36-24-12";
  spec.rings.resize(3);
  spec.rings[0].size = 36;
  spec.rings[1].size = 24;
  spec.rings[2].size = 12;
  for (uint32_t j = 0; j < 6; ++j) {
    spec.rings[0].bridges.push_back({6 * j + 3, 4 * j});
    spec.rings[1].bridges.push_back({4 * j + 2, 2 * j});
    spec.rings[2].bridges.push_back({2 * j + 1, absl::nullopt});
    spec.lane_entries.push_back(6 * j);
  }
  spec.centre_places = 5;
  return spec;
}

absl::StatusOr<Board> Board::Make(const BoardSpec& spec) {
  const absl::Status status = Check(spec);
  if (!status.ok()) return status;
  return Board(spec);
}

Board::Board(const BoardSpec& spec)
    : name_(spec.name), centre_places_(static_cast<int>(spec.centre_places)) {
  for (size_t r = 0; r < spec.rings.size(); ++r) {
    ring_sizes_.push_back(static_cast<int>(spec.rings[r].size));
    ring_offsets_[r + 1] = ring_offsets_[r] + ring_sizes_[r];
  }
  std::copy(spec.lane_entries.begin(), spec.lane_entries.end(), lane_entries_.begin());
  ComputeWays(spec);
  ComputeCodes();
}

void Board::ComputeWays(const BoardSpec& spec) {
  ways_.resize(spaces());
  const auto advanced = [this](int ring, int index, int by) {
    return static_cast<Space>(ring_offsets_[ring] + (index + by) % ring_sizes_[ring]);
  };
  for (int ring = 0; ring < rings(); ++ring) {
    for (int index = 0; index < ring_size(ring); ++index) {
      Ways& ways = ways_[ring_offset(ring) + index];
      ways.cross.fill(kNowhere);
      for (int die = 1; die <= kDieSides; ++die) {
        ways.walk[die - 1] = advanced(ring, index, die);
      }
    }
    for (const BoardSpec::Bridge& bridge : spec.rings[ring].bridges) {
      Ways& ways = ways_[ring_offset(ring) + bridge.from];
      if (!bridge.to.has_value()) {
        ways.cross[0] = kCentre;
        continue;
      }
      for (int die = 1; die <= kDieSides; ++die) {
        ways.cross[die - 1] = advanced(ring + 1, static_cast<int>(*bridge.to), die - 1);
      }
    }
  }
}

void Board::ComputeCodes() {
  for (Space space = 0; space < kNowhere; ++space) {
    if (space >= spaces() && space < kCentre) continue;
    for (int stack = 0; stack < 2; ++stack) {
      from_codes_[space][stack] = EncodeFrom(place(space), stack == 1);
    }
    for (int captured = 0; captured < 3; ++captured) {
      to_codes_[space][captured] = EncodeTo(place(space), captured);
    }
  }
}

Place Board::place(Space space) const {
  if (space == kCentre) return Place::Centre();
  if (space >= kFirstLaneSpace) return Place::Lane(space - kFirstLaneSpace + 1);
  int ring = 0;
  while (space >= ring_offsets_[ring + 1]) ++ring;
  return Place::Ring(ring, space - ring_offsets_[ring]);
}

Space Board::space(Place place) const {
  if (place.is_centre()) return kCentre;
  if (place.is_lane()) {
    const bool exists = place.index() >= 1 && place.index() <= kLaneSpaces;
    return exists ? static_cast<Space>(kFirstLaneSpace + place.index() - 1) : kNowhere;
  }
  if (!place.is_ring() || place.ring() >= rings() || place.index() >= ring_size(place.ring())) {
    return kNowhere;
  }
  return static_cast<Space>(ring_offsets_[place.ring()] + place.index());
}

}  // namespace referee::games::hypnosia
