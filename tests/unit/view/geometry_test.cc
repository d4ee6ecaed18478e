// Tests of board geometry, and that scenes agree with the position strings.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "referee/view/frames.h"
#include "referee/view/view.h"
#include "tests/unit/replay/sample.h"

namespace referee::view {
namespace {

using ::testing::UnorderedElementsAreArray;

v1::BoardGeometry GeometryFor(absl::string_view game, int seats,
                              const std::vector<games::Option>& options = {}) {
  return *GeometryOf(*games::Find(game).value().type->Create(seats, options).value());
}

double Distance(const v1::Place& a, const v1::Place& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y());
}

void ExpectApart(const v1::BoardGeometry& geometry) {
  for (int i = 0; i < geometry.places_size(); ++i) {
    const v1::Place& place = geometry.places(i);
    EXPECT_GE(std::min(place.x(), place.y()), 50) << place.name();
    EXPECT_LE(place.x(), geometry.width() - 50) << place.name();
    EXPECT_LE(place.y(), geometry.height() - 50) << place.name();
    for (int j = 0; j < i; ++j) {
      EXPECT_GE(Distance(place, geometry.places(j)), 98)
          << place.name() << " " << geometry.places(j).name();
    }
  }
}

TEST(Geometry, NoPlaceCoversAnotherOrTheEdge) {
  for (int seats = 2; seats <= 6; ++seats) ExpectApart(GeometryFor("hypnosia", seats));
  ExpectApart(GeometryFor("isaac", 2));
}

// One ring with one space more than a die, and more places in the centre than a ring has.
TEST(Geometry, ABoardOfAnotherShapeIsLaidOutToo) {
  const std::string board =
      R"({"name": "odd", "centre_places": 24, "lane_entries": [0, 1, 2, 3, 4, 5], "rings": [
          {"size": 40, "bridges": [{"from": 7, "to": 3}]}, {"size": 7, "bridges": [{"from": 0}]}]})";
  const v1::BoardGeometry geometry = GeometryFor("hypnosia", 2, {{"board", board}});
  ExpectApart(geometry);
  EXPECT_EQ(geometry.places_size(), 40 + 7 + 24 + 2 * 4);
}

TEST(Geometry, TurningTheBoardPutsTheSeatBelow) {
  for (int seats = 2; seats <= 6; ++seats) {
    const v1::BoardGeometry geometry = GeometryFor("hypnosia", seats);
    for (const v1::Place& place : geometry.places()) {
      if (place.kind() != v1::PLACE_KIND_HOME) continue;
      const double angle = geometry.seat_angles(static_cast<int>(place.seat())) * M_PI / 180;
      const double x = place.x() - geometry.width() / 2.0, y = place.y() - geometry.height() / 2.0;
      EXPECT_NEAR(x * std::cos(angle) - y * std::sin(angle), 0, 10);
      EXPECT_GT(x * std::sin(angle) + y * std::cos(angle), 500);
    }
  }
}

TEST(Geometry, BridgesLeadStraightInwards) {
  const v1::BoardGeometry geometry = GeometryFor("hypnosia", 2);
  int bridges = 0;
  for (const v1::PlaceLink& link : geometry.links()) {
    const v1::Place& from = geometry.places(static_cast<int>(link.from()));
    const v1::Place& to = geometry.places(static_cast<int>(link.to()));
    if (from.kind() != v1::PLACE_KIND_BRIDGE) continue;
    ++bridges;
    const double x = geometry.width() / 2.0, y = geometry.height() / 2.0;
    const double cross = (from.x() - x) * (to.y() - y) - (from.y() - y) * (to.x() - x);
    EXPECT_LT(std::abs(cross) / std::hypot(from.x() - x, from.y() - y), 3) << from.name();
  }
  EXPECT_EQ(bridges, 12);
}

// "a@A17", "A@A17" for a stack, as the position string tells it.
std::vector<std::string> PiecesOfHypnosia(const std::string& position) {
  const std::vector<std::string> fields = absl::StrSplit(position, ' ');
  std::vector<std::string> pieces;
  char ring = 'A';
  for (const absl::string_view text : absl::StrSplit(fields[0], '/')) {
    int space = 0;
    for (size_t i = 0; i < text.size();) {
      if (absl::ascii_isdigit(text[i])) {
        size_t end = i;
        while (end < text.size() && absl::ascii_isdigit(text[end])) ++end;
        int skipped = 0;
        EXPECT_TRUE(absl::SimpleAtoi(text.substr(i, end - i), &skipped));
        space += skipped;
        i = end;
      } else {
        pieces.push_back(absl::StrCat(text.substr(i, 1), "@", std::string(1, ring), space++));
        ++i;
      }
    }
    ++ring;
  }
  const std::vector<std::string> lanes = absl::StrSplit(fields[1], ',');
  for (size_t seat = 0; seat < lanes.size(); ++seat) {
    const std::string letter(1, static_cast<char>('a' + seat));
    for (int k = 1; k <= 4; ++k) {
      if (lanes[seat][static_cast<size_t>(k) - 1] == '1') {
        pieces.push_back(absl::StrCat(letter, "@L", k));
      }
    }
  }
  for (size_t i = 0; fields[2] != "-" && i < fields[2].size(); ++i) {
    pieces.push_back(absl::StrCat(std::string(1, fields[2][i]), "@X", i + 1));
  }
  return pieces;
}

// As in the position string, "a7h33", and for a counter "a@17".
std::vector<std::string> PiecesOfIsaac(const std::string& position) {
  const std::vector<std::string> fields = absl::StrSplit(position, ' ');
  std::vector<std::string> pieces;
  if (fields[0] != "-") pieces = absl::StrSplit(fields[0], ',');
  const std::vector<std::string> scores = absl::StrSplit(fields[2], ',');
  for (int seat = 0; seat < 2; ++seat) {
    int score = 0;
    EXPECT_TRUE(absl::SimpleAtoi(scores[static_cast<size_t>(seat)], &score));
    if (fields[5] == "P" || score >= 100) continue;
    const int cell = seat == 0 ? score : 99 - score;
    pieces.push_back(absl::StrCat(seat == 0 ? "a@" : "b@", cell / 10, cell % 10));
  }
  return pieces;
}

std::string PieceText(const v1::BoardGeometry& geometry, const v1::Piece& piece) {
  const std::string letter(1, static_cast<char>('a' + piece.seat()));
  const v1::Place& place = geometry.places(static_cast<int>(piece.place()));
  if (piece.kind() != v1::PIECE_KIND_BAR) {
    return absl::StrCat(
        piece.kind() == v1::PIECE_KIND_STACK ? absl::AsciiStrToUpper(letter) : letter, "@",
        place.name());
  }
  const v1::Place& end = geometry.places(static_cast<int>(piece.end()));
  const int length = 1 + (std::abs(end.x() - place.x()) + std::abs(end.y() - place.y())) / 100;
  return absl::StrCat(letter, length, end.x() == place.x() ? "v" : "h", place.name());
}

void ExpectScenesAsPositions(const v1::MatchView& view,
                             std::vector<std::string> (*pieces_of)(const std::string&)) {
  ASSERT_GT(view.frames_size(), 5);
  for (const v1::Frame& frame : view.frames()) {
    std::vector<std::string> pieces;
    for (const v1::Piece& piece : frame.pieces()) {
      pieces.push_back(PieceText(view.geometry(), piece));
    }
    // A position that is over does not say whether it is placement or scoring.
    if (frame.next_seat() == 0 && !frame.has_next_seat()) continue;
    ASSERT_THAT(pieces, UnorderedElementsAreArray(pieces_of(frame.position()))) << frame.position();
  }
}

v1::MatchView ViewOfSample(const replay::SampleOptions& options) {
  return MakeView(replay::PlaySample(options), "");
}

TEST(Scene, PiecesStandWhereThePositionSays) {
  for (const int seats : {2, 3, 6}) {
    replay::SampleOptions options;
    options.seats = seats;
    ExpectScenesAsPositions(ViewOfSample(options), PiecesOfHypnosia);
  }
  replay::SampleOptions options;
  options.game = "isaac";
  ExpectScenesAsPositions(ViewOfSample(options), PiecesOfIsaac);
}

bool HasPiece(const v1::Frame& frame, uint32_t seat, uint32_t place) {
  return std::any_of(frame.pieces().begin(), frame.pieces().end(), [&](const v1::Piece& piece) {
    return piece.seat() == seat && piece.place() == place;
  });
}

// The first step leaves a place on which the mover stood, the last ends on one where it now stands;
// what was captured there was another's.
TEST(Scene, MarksLeadFromWhereAPieceWasToWhereOneIs) {
  replay::SampleOptions options;
  options.seats = 3;
  const v1::MatchView view = ViewOfSample(options);
  int captures = 0;
  for (int i = 1; i < view.frames_size(); ++i) {
    const v1::Frame& before = view.frames(i - 1);
    const v1::Frame& frame = view.frames(i);
    if (frame.marks().empty()) continue;
    EXPECT_TRUE(HasPiece(before, frame.seat(), frame.marks(0).from())) << frame.text();
    EXPECT_TRUE(HasPiece(frame, frame.seat(), frame.marks(frame.marks_size() - 1).to()));
    for (const v1::Mark& mark : frame.marks()) {
      if (mark.kind() != v1::MARK_KIND_CAPTURED) continue;
      ++captures;
      EXPECT_TRUE(HasPiece(before, 0, mark.to()) || HasPiece(before, 1, mark.to()) ||
                  HasPiece(before, 2, mark.to()));
      EXPECT_THAT(frame.events(), ::testing::Contains(v1::FRAME_EVENT_CAPTURE));
    }
  }
  EXPECT_GT(captures, 0);
}

TEST(Scene, WhatWasLaidIsThereAndWhatWasRemovedIsNot) {
  replay::SampleOptions options;
  options.game = "isaac";
  const v1::MatchView view = ViewOfSample(options);
  std::map<v1::MarkKind, int> seen;
  for (int i = 1; i < view.frames_size(); ++i) {
    const v1::Frame& frame = view.frames(i);
    for (const v1::Mark& mark : frame.marks()) {
      ++seen[mark.kind()];
      const auto lies = [&](const v1::Frame& where) {
        return std::any_of(where.pieces().begin(), where.pieces().end(), [&](const auto& piece) {
          return piece.place() == mark.from() && piece.end() == mark.to() &&
                 piece.seat() == frame.seat();
        });
      };
      if (mark.kind() == v1::MARK_KIND_MOVED) continue;
      const bool laid = mark.kind() == v1::MARK_KIND_LAID;
      EXPECT_EQ(lies(view.frames(i - 1)), !laid) << frame.text();
      EXPECT_EQ(lies(frame), laid) << frame.text();
    }
  }
  EXPECT_GT(seen[v1::MARK_KIND_LAID], 5);
  EXPECT_GT(seen[v1::MARK_KIND_REMOVED], 5);
  EXPECT_GT(seen[v1::MARK_KIND_MOVED], 0);
}

}  // namespace
}  // namespace referee::view
