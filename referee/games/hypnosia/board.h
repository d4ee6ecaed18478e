// A board of Hypnosia: rings, bridges, lanes and centre, validated, with every step precomputed.
//
// Boards are data: see BoardSpec, and RULES.md for board files. Immutable once made; thread-safe.
// Pure: board_file.h parses the files.
#ifndef REFEREE_GAMES_HYPNOSIA_BOARD_H_
#define REFEREE_GAMES_HYPNOSIA_BOARD_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/games/hypnosia/notation.h"

namespace referee::games::hypnosia {

// The content of a board file.
struct BoardSpec {
  struct Bridge {
    uint32_t from = 0;
    absl::optional<uint32_t> to;  // none on the innermost ring: its bridges lead to the centre
  };
  struct Ring {
    uint32_t size = 0;
    std::vector<Bridge> bridges;
  };
  std::string name;
  std::vector<Ring> rings;  // from the outermost inwards
  std::vector<uint32_t> lane_entries;
  uint32_t centre_places = 0;
};

// The default board, "spiral-36-24-12".
BoardSpec SpiralBoard();

// A Place (notation.h) on one board as a small number. Ring spaces count from 0, ring after ring;
// then come the centre and the four lane spaces of the mover.
using Space = uint16_t;
inline constexpr Space kMaxSpaces = kMaxRings * kMaxRingSize;
inline constexpr Space kCentre = kMaxSpaces;
inline constexpr Space kFirstLaneSpace = kCentre + 1;  // L1; L2 to L4 follow
inline constexpr Space kNowhere = kFirstLaneSpace + kLaneSpaces;
inline constexpr Space kSpaceIds = kNowhere + 1;

class Board {
 public:
  // Returns InvalidArgument, with the field name of the board file, unless `spec` is valid.
  static absl::StatusOr<Board> Make(const BoardSpec& spec);

  const std::string& name() const { return name_; }
  int rings() const { return static_cast<int>(ring_sizes_.size()); }
  int ring_size(int ring) const { return ring_sizes_[ring]; }
  // The first space of a ring; ring_offset(rings()) is spaces().
  int ring_offset(int ring) const { return ring_offsets_[ring]; }
  // How many spaces the rings have together.
  int spaces() const { return ring_offsets_[rings()]; }
  int centre_places() const { return centre_places_; }
  // The space of ring A that a lane opens onto.
  Space lane_entry(int lane) const { return lane_entries_[lane]; }

  // The end of a walk or a crossing from a ring space. kNowhere for a crossing that does not exist,
  // or that this die cannot make. REQUIRES: space < spaces(), die 1 to 6.
  Space walk(Space space, int die) const { return ways_[space].walk[die - 1]; }
  Space cross(Space space, int die) const { return ways_[space].cross[die - 1]; }
  bool is_bridge(Space space) const { return cross(space, 1) != kNowhere; }

  // Parts of a step's number (notation.h): how and from where the step starts; where it lands and
  // how many pawns it captures.
  uint32_t from_code(Space space, bool stack) const { return from_codes_[space][stack]; }
  uint32_t to_code(Space space, int captured) const { return to_codes_[space][captured]; }

  Place place(Space space) const;
  // kNowhere if the board has no such place.
  Space space(Place place) const;

 private:
  struct Ways {
    std::array<Space, kDieSides> walk;
    std::array<Space, kDieSides> cross;
  };

  explicit Board(const BoardSpec& spec);
  void ComputeWays(const BoardSpec& spec);
  void ComputeCodes();

  std::string name_;
  std::vector<int> ring_sizes_;
  std::array<int, kMaxRings + 1> ring_offsets_{};
  std::array<Space, kLanes> lane_entries_{};
  int centre_places_ = 0;
  std::vector<Ways> ways_;
  std::array<std::array<uint32_t, 2>, kSpaceIds> from_codes_{};
  std::array<std::array<uint32_t, 3>, kSpaceIds> to_codes_{};
};

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_BOARD_H_
