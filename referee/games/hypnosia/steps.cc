#include "referee/games/hypnosia/steps.h"

#include <algorithm>

namespace referee::games::hypnosia {
namespace {

constexpr int kCells = 1 + 2 * kMaxSeats;

// By seat and by whether a stack lands: the result of landing on each cell content.
using LandingTable = std::array<std::array<std::array<int8_t, kCells>, 2>, kMaxSeats>;

constexpr int8_t LandingRule(int seat, bool stack, Cell cell) {
  if (cell == kEmpty) return 0;
  if (cell == StackOf(seat)) return -1;
  if (cell == SingleOf(seat)) return stack ? -1 : 0;
  if (IsStack(cell)) return stack ? 2 : -1;
  return 1;
}

constexpr LandingTable MakeLandingTable() {
  LandingTable table{};
  for (int seat = 0; seat < kMaxSeats; ++seat) {
    for (int stack = 0; stack < 2; ++stack) {
      for (int cell = 0; cell < kCells; ++cell) {
        table[seat][stack][cell] = LandingRule(seat, stack == 1, static_cast<Cell>(cell));
      }
    }
  }
  return table;
}

constexpr LandingTable kLandings = MakeLandingTable();

uint32_t CodeOf(const FoundStep& step) { return step.code; }
uint32_t CodeOf(uint32_t code) { return code; }
void Store(uint32_t code, Space from, Space to, bool stack, FoundStep* out) {
  *out = {code, from, to, stack};
}
void Store(uint32_t code, Space, Space, bool, uint32_t* out) { *out = code; }

// Collects the steps of one die in order of their numbers. They are found nearly in that order, but
// not quite: A1* comes before A10, A1 after it. Collects whole steps, or only their numbers, which
// is enough for the last step of a turn.
template <typename Found>
class StepList {
 public:
  StepList(const Rules& rules, const View& view, int die, Found* out)
      : rules_(rules),
        board_(rules.board()),
        view_(view),
        landings_(kLandings[view.seat]),
        die_(die),
        die_code_(EncodeDie(die)),
        out_(out) {}

  int Find() {
    for (int i = 0; i < view_.pieces.units; ++i) FindFromRing(view_.pieces.at[i]);
    const uint32_t leaving = view_.pieces.lane & ((1u << die_) - 1);
    for (uint32_t pawns = leaving; pawns != 0; pawns &= pawns - 1) {
      const int k = __builtin_ctz(pawns) + 1;
      Add(static_cast<Space>(kFirstLaneSpace + k - 1), false,
          rules_.out_of_lane(view_.seat, k, die_));
    }
    return count_;
  }

 private:
  void FindFromRing(Space from) {
    const bool is_stack = IsStack(view_.cell(from));
    const Space walked = board_.walk(from, die_);
    const Space crossed = board_.cross(from, die_);
    if (is_stack) {
      Add(from, true, walked);
      if (crossed != kNowhere && rules_.stack_bridges()) Add(from, true, crossed);
    }
    Add(from, false, walked);
    if (crossed != kNowhere) Add(from, false, crossed);
  }

  void Add(Space from, bool stack, Space to) {
    int captured = 0;
    if (to != kCentre) {
      captured = landings_[stack][view_.cell(to)];
      if (captured < 0) return;
    }
    const uint32_t code = die_code_ | board_.from_code(from, stack) | board_.to_code(to, captured);
    int at = count_++;
    for (; at > 0 && CodeOf(out_[at - 1]) > code; --at) out_[at] = out_[at - 1];
    Store(code, from, to, stack, &out_[at]);
  }

  const Rules& rules_;
  const Board& board_;
  const View& view_;
  const LandingTable::value_type& landings_;
  const int die_;
  const uint32_t die_code_;
  Found* const out_;
  int count_ = 0;
};

// Writes the moves in sorted order: first steps are found sorted, and so are the second steps of
// each.
class MoveList {
 public:
  MoveList(const Rules& rules, const View& start, uint64_t* out)
      : rules_(rules), start_(start), out_(out) {}

  // Adds the moves that begin with `first_die`.
  void AddOrder(int first_die, int second_die) {
    FoundStep* firsts = firsts_.data() + first_count_;
    const int firsts_found = ListSteps(rules_, start_, first_die, firsts);
    first_count_ += firsts_found;
    for (int i = 0; i < firsts_found; ++i) AddSeconds(firsts[i], second_die);
  }

  int Finish() {
    if (both_dice_played_) return count_;
    if (first_count_ == 0) {
      out_[0] = Move::Pass().code();
      return 1;
    }
    for (int i = 0; i < first_count_; ++i) out_[i] = MoveOf(firsts_[i].code, 0);
    return first_count_;
  }

 private:
  static uint64_t MoveOf(uint32_t first, uint32_t second) {
    return uint64_t{first} << kStepBits | second;
  }

  void AddSeconds(const FoundStep& first, int die) {
    const View after = After(start_, first);
    if (after.over()) {
      out_[count_++] = MoveOf(first.code, 0);
      return;
    }
    uint32_t seconds[kMaxSteps];
    const int found = StepList<uint32_t>(rules_, after, die, seconds).Find();
    for (int i = 0; i < found; ++i) out_[count_++] = MoveOf(first.code, seconds[i]);
    if (found > 0) both_dice_played_ = true;
  }

  const Rules& rules_;
  const View& start_;
  uint64_t* const out_;
  int count_ = 0;
  bool both_dice_played_ = false;
  std::array<FoundStep, 2 * kMaxSteps> firsts_;
  int first_count_ = 0;
};

}  // namespace

int Landing(int seat, bool stack, Cell cell) { return kLandings[seat][stack][cell]; }

int ListSteps(const Rules& rules, const View& view, int die, FoundStep* out) {
  return StepList<FoundStep>(rules, view, die, out).Find();
}

View After(const View& view, const FoundStep& step) {
  View after = view;
  const bool enters = step.to == kCentre;
  const bool moves_both = step.stack && !(enters && view.free_places == 1);
  if (step.from >= kFirstLaneSpace) {
    const int left = 1 << (step.from - kFirstLaneSpace);
    after.pieces.lane = static_cast<uint8_t>(after.pieces.lane & ~left);
  } else {
    const Cell cell = view.cell(step.from);
    after.left = step.from;
    after.left_cell = IsStack(cell) && !moves_both ? SingleOf(view.seat) : kEmpty;
    if (after.left_cell == kEmpty) after.RemoveUnit(step.from);
  }
  if (enters) {
    after.free_places -= moves_both ? 2 : 1;
    after.outside -= moves_both ? 2 : 1;
    return after;
  }
  const Cell landed_on = view.cell(step.to);
  after.entered = step.to;
  if (landed_on == SingleOf(view.seat)) {
    after.entered_cell = StackOf(view.seat);
    return after;
  }
  after.entered_cell = step.stack ? StackOf(view.seat) : SingleOf(view.seat);
  after.outside -= PawnsIn(landed_on);
  after.AddUnit(step.to);
  return after;
}

int ListMoves(const Rules& rules, const Table& table, int seat, const std::array<int, kDice>& dice,
              uint64_t* out) {
  const View start(rules, table, seat);
  MoveList list(rules, start, out);
  const int low = std::min(dice[0], dice[1]);
  const int high = std::max(dice[0], dice[1]);
  list.AddOrder(low, high);
  if (low != high) list.AddOrder(high, low);
  return list.Finish();
}

}  // namespace referee::games::hypnosia
