// Reads and writes position strings of Hypnosia. The grammar is in RULES.md.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/games/field_reader.h"
#include "referee/games/hypnosia/state.h"

namespace referee::games::hypnosia {
namespace {

constexpr char kNone = '-';

void AppendSmall(int number, std::string* out) {
  if (number >= 10) out->push_back(static_cast<char>('0' + number / 10));
  out->push_back(static_cast<char>('0' + number % 10));
}

void AppendRing(const Cell* cells, int size, std::string* out) {
  int empty = 0;
  for (int i = 0; i < size; ++i) {
    const Cell cell = cells[i];
    if (cell == kEmpty) {
      ++empty;
      continue;
    }
    if (empty > 0) AppendSmall(std::exchange(empty, 0), out);
    out->push_back(static_cast<char>((IsStack(cell) ? 'A' : 'a') + OwnerOf(cell)));
  }
  if (empty > 0) AppendSmall(empty, out);
}

template <typename Seats>
void AppendSeats(const Seats& seats, int count, std::string* out) {
  if (count == 0) out->push_back(kNone);
  for (int i = 0; i < count; ++i) out->push_back(static_cast<char>('a' + seats[i]));
}

// Reads a position string, field by field, into a Table.
class PositionReader final : private FieldReader {
 public:
  // kAny: any position. kStart: one from which a match can start.
  enum class Use { kAny, kStart };

  PositionReader(const Rules& rules, absl::string_view text, Use use)
      : FieldReader(text), rules_(rules), use_(use), table_(StartTable(rules)) {}

  absl::StatusOr<Table> Read() {
    static constexpr Field<PositionReader> kFields[] = {
        {"rings", &PositionReader::ReadRings},       {"lanes", &PositionReader::ReadLanes},
        {"centre", &PositionReader::ReadCentre},     {"points", &PositionReader::ReadPoints},
        {"forfeits", &PositionReader::ReadForfeits}, {"turn", &PositionReader::ReadTurn},
        {"dice", &PositionReader::ReadDice},
    };
    const absl::Status status = ReadFields(this, kFields);
    if (!status.ok()) return status;
    return table_;
  }

 private:
  // The seat of a letter; -1 if this match has no such seat.
  int SeatOf(char letter, char first = 'a') const {
    const int seat = letter - first;
    return seat >= 0 && seat < rules_.seats() ? seat : -1;
  }
  std::string SeatRange() const {
    return absl::StrCat("a to ", std::string(1, static_cast<char>('a' + rules_.seats() - 1)));
  }

  absl::Status ReadRings() {
    for (int ring = 0; ring < rules_.board().rings(); ++ring) {
      if (ring > 0 && !Skip('/')) {
        return BadHere(absl::StrCat("expected '/' and ring ", RingName(ring), ": the board has ",
                                    rules_.board().rings(), " rings"));
      }
      const absl::Status status = ReadRing(ring);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  static std::string RingName(int ring) { return std::string(1, static_cast<char>('A' + ring)); }

  absl::Status ReadRing(int ring) {
    const int size = rules_.board().ring_size(ring);
    const auto wrong_size = [&](int spaces) {
      return BadHere(absl::StrCat("ring ", RingName(ring), " has ", size, " spaces, not ",
                                  spaces > size ? "more" : absl::StrCat(spaces)));
    };
    int index = 0;
    while (!AtEnd() && Peek() != '/') {
      if (absl::ascii_isdigit(Peek())) {
        absl::StatusOr<int> run = ReadRun();
        if (!run.ok()) return run.status();
        index += *run;
        if (index > size) return wrong_size(index);
        continue;
      }
      if (index >= size) return wrong_size(size + 1);
      const absl::Status status = ReadPiece(rules_.board().ring_offset(ring) + index);
      if (!status.ok()) return status;
      ++index;
    }
    return index == size ? absl::OkStatus() : wrong_size(index);
  }

  absl::StatusOr<int> ReadRun() {
    if (Peek() == '0') return BadHere("a run of empty spaces does not begin with 0");
    const size_t start = at();
    while (absl::ascii_isdigit(Peek())) Advance();
    int run;
    if (Since(start).size() > 2 || !absl::SimpleAtoi(Since(start), &run)) {
      return Bad(absl::StrCat("a ring has at most ", kMaxRingSize, " spaces"), start);
    }
    return run;
  }

  absl::Status ReadPiece(int space) {
    const char letter = Peek();
    const bool stack = absl::ascii_isupper(letter);
    const int seat = SeatOf(letter, stack ? 'A' : 'a');
    if (seat < 0) {
      return BadHere(absl::StrCat("expected a number of empty spaces, or a seat's letter, ",
                                  SeatRange(), ", in capitals for a stack"));
    }
    const Cell cell = stack ? StackOf(seat) : SingleOf(seat);
    pawns_[seat] += PawnsIn(cell);
    if (pawns_[seat] > kPawns) return TooManyPawns(seat);
    table_.cells[space] = cell;
    Pieces& pieces = table_.pieces[seat];
    pieces.at[pieces.units++] = static_cast<Space>(space);
    Advance();
    return absl::OkStatus();
  }

  absl::Status TooManyPawns(int seat) const {
    return BadHere(absl::StrCat("seat ", std::string(1, Seat(seat).letter()), " has more than ",
                                kPawns, " pawns"));
  }

  absl::Status ReadLanes() {
    for (int seat = 0; seat < rules_.seats(); ++seat) {
      if (seat > 0 && !Skip(',')) {
        return BadHere(absl::StrCat("expected ',' and the lane of seat ",
                                    std::string(1, Seat(seat).letter())));
      }
      table_.pieces[seat].lane = 0;
      for (int k = 0; k < kLaneSpaces; ++k) {
        if (Peek() != '0' && Peek() != '1') return BadHere("expected four digits, each 0 or 1");
        const int pawn = Peek() - '0';
        pawns_[seat] += pawn;
        if (pawns_[seat] > kPawns) return TooManyPawns(seat);
        table_.pieces[seat].lane = static_cast<uint8_t>(table_.pieces[seat].lane | pawn << k);
        Advance();
      }
    }
    outside_ = pawns_;
    return absl::OkStatus();
  }

  absl::Status ReadCentre() {
    if (SkipNone()) return absl::OkStatus();
    if (AtEnd()) return BadHere("expected seats in order of arrival, or '-'");
    for (; !AtEnd(); Advance()) {
      const int seat = SeatOf(Peek());
      if (seat < 0) return BadHere(absl::StrCat("expected a seat, ", SeatRange()));
      if (table_.centre_count == rules_.board().centre_places()) {
        return BadHere(absl::StrCat("the centre holds ", rules_.board().centre_places()));
      }
      if (++pawns_[seat] > kPawns) return TooManyPawns(seat);
      table_.centre[table_.centre_count++] = static_cast<uint8_t>(seat);
    }
    return absl::OkStatus();
  }

  absl::Status ReadPoints() {
    // The bounds also admit points that no match reaches. They move by one with each captured pawn,
    // so every position that follows from an accepted one is accepted too.
    int all_missing = 0;
    for (int seat = 0; seat < rules_.seats(); ++seat) all_missing += kPawns - pawns_[seat];
    for (int seat = 0; seat < rules_.seats(); ++seat) {
      const int missing = kPawns - pawns_[seat];
      const int least = -kPawns - missing;
      const int most = kPawns * (rules_.seats() - 1) + all_missing - missing;
      if (seat > 0 && !Skip(',')) {
        return BadHere(absl::StrCat("expected ',' and the points of seat ",
                                    std::string(1, Seat(seat).letter())));
      }
      const size_t start = at();
      while (!AtEnd() && Peek() != ',') Advance();
      const absl::string_view number = Since(start);
      int points;
      if (!absl::SimpleAtoi(number, &points) || absl::StrCat(points) != number || points < least ||
          points > most) {
        return Bad(absl::StrCat(Quoted(number), " is not a number from ", least, " to ", most),
                   start);
      }
      table_.points[seat] = static_cast<int8_t>(points);
    }
    return absl::OkStatus();
  }

  absl::Status ReadForfeits() {
    if (SkipNone()) return absl::OkStatus();
    if (use_ == Use::kStart) return BadHere("expected '-': nobody forfeits before the start");
    if (AtEnd()) return BadHere("expected seats in order of forfeiting, or '-'");
    for (; !AtEnd(); Advance()) {
      const int seat = SeatOf(Peek());
      if (seat < 0) return BadHere(absl::StrCat("expected a seat, ", SeatRange()));
      if (HasForfeited(table_, seat)) return BadHere("a seat forfeits once");
      if (outside_[seat] > 0) return BadHere("a seat that has forfeited has no pawns to move");
      if (table_.forfeit_count == rules_.seats() - 1) return BadHere("one seat is always left");
      table_.forfeits[table_.forfeit_count++] = static_cast<uint8_t>(seat);
    }
    return absl::OkStatus();
  }

  absl::Status ReadTurn() {
    int outside = 0;
    for (const int pawns : outside_) outside += pawns;
    table_.outside = static_cast<uint8_t>(outside);
    if (use_ == Use::kAny && SkipNone()) return absl::OkStatus();
    const int seat = SeatOf(Peek());
    if (seat < 0 && use_ == Use::kStart) {
      return BadHere(absl::StrCat("expected the seat that begins, ", SeatRange()));
    }
    if (seat < 0) {
      return BadHere(absl::StrCat("expected a seat, ", SeatRange(), ", or '-' for a game over"));
    }
    if (table_.centre_count == rules_.board().centre_places()) {
      return BadHere("the centre is full: the game is over, expected '-'");
    }
    if (table_.forfeit_count == rules_.seats() - 1) {
      return BadHere("one seat is left: the game is over, expected '-'");
    }
    if (outside_[seat] == 0) return BadHere("the seat to move has no pawn to move");
    table_.mover = static_cast<int8_t>(seat);
    Advance();
    return absl::OkStatus();
  }

  absl::Status ReadDice() {
    if (table_.mover < 0) {
      return SkipNone() ? absl::OkStatus() : BadHere("expected '-': the game is over");
    }
    if (use_ == Use::kStart && SkipNone()) return absl::OkStatus();
    for (int& die : table_.dice) {
      if (Peek() < '1' || Peek() > '6') return BadHere("expected two dice, 1 to 6 each");
      die = Peek() - '0';
      Advance();
    }
    return absl::OkStatus();
  }

  const Rules& rules_;
  const Use use_;
  Table table_;
  std::array<int, kMaxSeats> pawns_{};    // by seat, so far
  std::array<int, kMaxSeats> outside_{};  // by seat: in lanes and on rings
};

}  // namespace

void HypnosiaState::AppendPosition(std::string* out) const {
  const Board& board = rules_->board();
  const int seats = rules_->seats();
  for (int ring = 0; ring < board.rings(); ++ring) {
    if (ring > 0) out->push_back('/');
    AppendRing(table_.cells.data() + board.ring_offset(ring), board.ring_size(ring), out);
  }
  for (int seat = 0; seat < seats; ++seat) {
    out->push_back(seat == 0 ? ' ' : ',');
    for (int k = 0; k < kLaneSpaces; ++k) {
      out->push_back(static_cast<char>('0' + (table_.pieces[seat].lane >> k & 1)));
    }
  }
  out->push_back(' ');
  AppendSeats(table_.centre, table_.centre_count, out);
  for (int seat = 0; seat < seats; ++seat) {
    out->push_back(seat == 0 ? ' ' : ',');
    if (table_.points[seat] < 0) out->push_back('-');
    AppendSmall(std::abs(table_.points[seat]), out);
  }
  out->push_back(' ');
  AppendSeats(table_.forfeits, table_.forfeit_count, out);
  out->push_back(' ');
  if (table_.mover < 0) {
    out->append("- -");
    return;
  }
  out->push_back(static_cast<char>('a' + table_.mover));
  out->push_back(' ');
  for (const int die : table_.dice) out->push_back(static_cast<char>('0' + die));
}

absl::StatusOr<std::unique_ptr<State>> HypnosiaState::Parse(std::shared_ptr<const Rules> rules,
                                                            absl::string_view text) {
  absl::StatusOr<Table> table = PositionReader(*rules, text, PositionReader::Use::kAny).Read();
  if (!table.ok()) return table.status();
  auto state = std::make_unique<HypnosiaState>(std::move(rules));
  state->table_ = *table;
  state->phase_ = Phase::kTurn;
  if (table->mover < 0) {
    // The game is over, and the position shows no reason: it can only be the turn limit.
    const End end = state->EndOnTable();
    state->end_ = end == End::kNone ? End::kTurnLimit : end;
    state->phase_ = Phase::kOver;
  }
  return std::unique_ptr<State>(std::move(state));
}

absl::StatusOr<std::unique_ptr<State>> HypnosiaState::ParseStart(std::shared_ptr<const Rules> rules,
                                                                 std::string* text) {
  const absl::StatusOr<Table> table =
      PositionReader(*rules, *text, PositionReader::Use::kStart).Read();
  if (!table.ok()) return table.status();
  auto state = std::make_unique<HypnosiaState>(std::move(rules));
  state->table_ = *table;
  state->table_.dice = {};
  state->table_.first = table->mover;
  state->AwaitRoll(table->mover);
  text->replace(text->rfind(' ') + 1, std::string::npos, 1, kNone);
  return std::unique_ptr<State>(std::move(state));
}

}  // namespace referee::games::hypnosia
