#include "tests/unit/games/naive_hypnosia.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace referee::games::hypnosia::naive {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

std::string Model::SpaceName(int ring, int index) const {
  const int size = static_cast<int>(board_.rings[ring].size);
  return std::string(1, "ABCDEFGH"[ring]) + std::to_string(index % size);
}

Position Model::Read(const std::string& text) const {
  const std::vector<std::string> fields = Split(text, ' ');
  Position position;
  const std::vector<std::string> rings = Split(fields[0], '/');
  for (size_t ring = 0; ring < rings.size(); ++ring) {
    int index = 0;
    std::string number;
    for (const char c : rings[ring] + "0") {
      if (std::isdigit(c)) {
        number += c;
        continue;
      }
      if (!number.empty()) index += std::stoi(number);
      number.clear();
      const char seat = static_cast<char>(std::tolower(c));
      position.rings[SpaceName(static_cast<int>(ring), index)] =
          std::string(std::isupper(c) ? 2 : 1, seat);
      ++index;
    }
  }
  const std::vector<std::string> lanes = Split(fields[1], ',');
  const std::vector<std::string> points = Split(fields[3], ',');
  for (int seat = 0; seat < seats_; ++seat) {
    const char letter = static_cast<char>('a' + seat);
    for (int k = 1; k <= 4; ++k) {
      if (lanes[seat][k - 1] == '1') position.lanes[letter].insert(k);
    }
    position.points[letter] = std::stoi(points[seat]);
  }
  if (fields[2] != "-") position.centre = fields[2];
  if (fields[4] != "-") position.forfeits = fields[4];
  position.mover = fields[5][0];
  if (fields[6] != "-") position.dice = {fields[6][0] - '0', fields[6][1] - '0'};
  return position;
}

void Model::TryStep(const Position& position, int die, const std::string& from, int pawns,
                    const std::string& to, std::vector<Play>* plays) const {
  const char me = position.mover;
  Position after = position;
  std::string captured;
  if (from[0] == 'L') {
    after.lanes[me].erase(from[1] - '0');
  } else {
    std::string& unit = after.rings[from];
    int leaving = pawns;
    const int free = static_cast<int>(board_.centre_places - position.centre.size());
    if (to == "X" && leaving > free) leaving = free;
    unit.erase(0, leaving);
    if (unit.empty()) after.rings.erase(from);
    if (to == "X") after.centre += std::string(leaving, me);
  }
  if (to != "X") {
    const auto found = position.rings.find(to);
    const std::string there = found == position.rings.end() ? "" : found->second;
    if (!there.empty() && there[0] == me && (pawns == 2 || there.size() == 2)) return;
    if (!there.empty() && there[0] != me) {
      if (there.size() == 2 && pawns == 1) return;
      const int count = static_cast<int>(there.size());
      captured = std::string(count, 'x');
      after.points[me] += count;
      after.points[there[0]] -= count;
      after.rings.erase(to);
    }
    after.rings[to] += std::string(pawns, me);
  }
  Play play;
  play.text = std::to_string(die) + ":" + from + (pawns == 2 ? "*" : "") + ">" + to + captured;
  play.dice = 1;
  play.position = after;
  play.ended = !EndReason(after).empty();
  plays->push_back(play);
}

std::vector<Model::Play> Model::StepsWith(const Position& position, int die) const {
  std::vector<Play> plays;
  const char me = position.mover;
  const auto lane = position.lanes.find(me);
  if (lane != position.lanes.end()) {
    const int lane_number = (6 - 6 * (me - 'a') / seats_) % 6;
    const int entry = static_cast<int>(board_.lane_entries[lane_number]);
    for (const int k : lane->second) {
      if (die < k) continue;
      TryStep(position, die, "L" + std::to_string(k), 1, SpaceName(0, entry + die - k), &plays);
    }
  }
  for (const auto& [name, unit] : position.rings) {
    if (unit[0] != me) continue;
    const int ring = name[0] - 'A';
    const int index = std::stoi(name.substr(1));
    for (int pawns = 1; pawns <= static_cast<int>(unit.size()); ++pawns) {
      TryStep(position, die, name, pawns, SpaceName(ring, index + die), &plays);
      if (pawns == 2 && !stack_bridges_) continue;
      for (const BoardSpec::Bridge& bridge : board_.rings[ring].bridges) {
        if (static_cast<int>(bridge.from) != index) continue;
        if (bridge.to.has_value()) {
          TryStep(position, die, name, pawns,
                  SpaceName(ring + 1, static_cast<int>(*bridge.to) + die - 1), &plays);
        } else if (die == 1) {
          TryStep(position, die, name, pawns, "X", &plays);
        }
      }
    }
  }
  return plays;
}

std::vector<Model::Play> Model::PlaysInOrder(const Position& position, int first,
                                             int second) const {
  std::vector<Play> plays;
  for (const Play& one : StepsWith(position, first)) {
    plays.push_back(one);
    if (one.ended) continue;
    for (Play two : StepsWith(one.position, second)) {
      two.text = one.text + " " + two.text;
      two.dice = 2;
      plays.push_back(two);
    }
  }
  return plays;
}

std::vector<Model::Play> Model::AllPlays(const Position& position) const {
  std::vector<Play> plays = PlaysInOrder(position, position.dice[0], position.dice[1]);
  const std::vector<Play> other = PlaysInOrder(position, position.dice[1], position.dice[0]);
  plays.insert(plays.end(), other.begin(), other.end());
  return plays;
}

std::set<std::string> Model::LegalMoves(const Position& position) const {
  const std::vector<Play> plays = AllPlays(position);
  int most = 0;
  for (const Play& play : plays) most = std::max(most, play.dice);
  std::set<std::string> legal;
  for (const Play& play : plays) {
    if (play.dice == most || play.ended) legal.insert(play.text);
  }
  if (legal.empty()) legal.insert("-");
  return legal;
}

Position Model::After(const Position& position, const std::string& move) const {
  for (const Play& play : AllPlays(position)) {
    if (play.text == move) return play.position;
  }
  return position;
}

int Model::PawnsToMove(const Position& position, char seat) const {
  int pawns = 0;
  for (const auto& [name, unit] : position.rings) {
    if (unit[0] == seat) pawns += static_cast<int>(unit.size());
  }
  const auto lane = position.lanes.find(seat);
  return pawns + (lane == position.lanes.end() ? 0 : static_cast<int>(lane->second.size()));
}

char Model::NextMover(const Position& position, char mover) const {
  if (!EndReason(position).empty()) return '-';
  for (int i = 1; i <= seats_; ++i) {
    const char seat = static_cast<char>('a' + (mover - 'a' + i) % seats_);
    if (PawnsToMove(position, seat) > 0) return seat;
  }
  return '-';
}

std::string Model::EndReason(const Position& position) const {
  if (static_cast<int>(position.forfeits.size()) == seats_ - 1) return "LAST_SEAT";
  if (position.centre.size() == board_.centre_places) return "CENTRE_FULL";
  for (int seat = 0; seat < seats_; ++seat) {
    if (PawnsToMove(position, static_cast<char>('a' + seat)) > 0) return "";
  }
  return "NO_PAWNS";
}

int Model::Score(const Position& position, char seat) const {
  int score = position.points.at(seat);
  for (size_t i = 0; i < position.centre.size(); ++i) {
    if (position.centre[i] == seat) score += static_cast<int>(board_.centre_places - i);
  }
  return score;
}

}  // namespace referee::games::hypnosia::naive
