// Tests of the contract of every replay store.
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/shelf/directory_shelf.h"
#include "referee/shelf/shared_shelf.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/shelf/harness.h"

namespace referee::shelf {
namespace {

using ::referee::testing::IdOfDay;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Values;

enum class Kind { kDirectory, kS3, kS3WithoutConditions };

class ShelfContract : public ::testing::TestWithParam<Kind> {
 protected:
  ShelfContract() {
    if (GetParam() == Kind::kDirectory) {
      shelf_ = DirectoryShelf::Open(folder_.path()).value();
      return;
    }
    if (GetParam() == Kind::kS3WithoutConditions) {
      server_.SetConditions(testing::FakeS3::Conditions::kRefused);
    }
    shelf_ = ShelfOf(server_, &clock_);
  }

  std::vector<MatchId> Listed(absl::string_view day, int page_size) {
    std::vector<MatchId> ids;
    std::string token;
    do {
      const absl::StatusOr<ShelfPage> page = shelf_->List(day, page_size, token);
      if (!page.ok()) {
        ADD_FAILURE() << page.status();
        return ids;
      }
      EXPECT_LE(page->replays.size(), static_cast<size_t>(page_size));
      for (const ShelvedReplay& replay : page->replays) ids.push_back(replay.id);
      token = page->next_page_token;
    } while (!token.empty());
    return ids;
  }

  const testing::TempFolder folder_;
  testing::FakeS3 server_;
  testing::SimulatedClock clock_;
  std::unique_ptr<SharedShelf> shelf_;
};

std::string NameOf(const ::testing::TestParamInfo<Kind>& info) {
  if (info.param == Kind::kDirectory) return "Directory";
  return info.param == Kind::kS3 ? "S3" : "S3WithoutConditions";
}

INSTANTIATE_TEST_SUITE_P(All, ShelfContract,
                         Values(Kind::kDirectory, Kind::kS3, Kind::kS3WithoutConditions), NameOf);

// Of S3 without conditional writes SHELF.md promises less.
class ShelfOfManyWriters : public ShelfContract {};
INSTANTIATE_TEST_SUITE_P(All, ShelfOfManyWriters, Values(Kind::kDirectory, Kind::kS3), NameOf);

TEST_P(ShelfContract, WhatWasPutIsGotByteForByte) {
  const std::string file("refrepl\x01\0\xff\r\n", 12);
  ASSERT_EQ(shelf_->Put(IdOfDay(0), file), absl::OkStatus());
  const absl::StatusOr<std::string> got = shelf_->Get(IdOfDay(0));
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(*got, file);
}

TEST_P(ShelfContract, LargeFileIsGotWhole) {
  std::string file(3 * 1024 * 1024, '\0');
  for (size_t i = 0; i < file.size(); ++i) file[i] = static_cast<char>(i * 2654435761u >> 13);
  ASSERT_EQ(shelf_->Put(IdOfDay(0), file), absl::OkStatus());
  EXPECT_TRUE(shelf_->Get(IdOfDay(0)).value() == file);
}

TEST_P(ShelfContract, SameBytesAgainAreOk) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  EXPECT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  EXPECT_THAT(Listed("", 10), ElementsAre(IdOfDay(0)));
}

TEST_P(ShelfContract, OtherBytesAreRefusedAndTheFirstStay) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  for (const char* const other : {"two", "on", "one more"}) {
    EXPECT_TRUE(absl::IsAlreadyExists(shelf_->Put(IdOfDay(0), other))) << other;
  }
  EXPECT_EQ(shelf_->Get(IdOfDay(0)).value(), "one");
}

TEST_P(ShelfContract, MatchThatNobodyPutIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(shelf_->Get(IdOfDay(0)).status()));
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  EXPECT_TRUE(absl::IsNotFound(shelf_->Get(IdOfDay(0, 1)).status()));
}

TEST_P(ShelfContract, EmptyAndTooLargeFilesAreRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(shelf_->Put(IdOfDay(0), "")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      shelf_->Put(IdOfDay(0), std::string(limits::kMaxReplayBytes + 1, 'x'))));
  EXPECT_THAT(Listed("", 10), IsEmpty());
}

TEST_P(ShelfOfManyWriters, OneOfManyWhoPutDifferentBytesAtOnceWins) {
  constexpr int kWriters = 8;
  std::vector<absl::Status> puts(kWriters);
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] { puts[i] = shelf_->Put(IdOfDay(0), std::to_string(i)); });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string there = shelf_->Get(IdOfDay(0)).value();
  for (int i = 0; i < kWriters; ++i) {
    EXPECT_EQ(puts[i].code(),
              there == std::to_string(i) ? absl::StatusCode::kOk : absl::StatusCode::kAlreadyExists)
        << puts[i];
  }
}

TEST_P(ShelfContract, ListsOldestFirstInPages) {
  std::vector<MatchId> ids;
  for (const int day : {0, 1, 20, 60, 430}) {
    for (uint8_t number = 0; number < 2; ++number) ids.push_back(IdOfDay(day, number));
  }
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    ASSERT_EQ(shelf_->Put(*id, id->text()), absl::OkStatus());
  }
  for (const int page_size : {1, 3, 5, 10, 1000}) EXPECT_EQ(Listed("", page_size), ids);
  const absl::StatusOr<ShelfPage> first = shelf_->List("", 1, "");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->replays[0].size, ids[0].text().size());
}

TEST_P(ShelfContract, ListsADayAMonthAYear) {
  for (const int day : {0, 1, 20, 60}) {
    ASSERT_EQ(shelf_->Put(IdOfDay(day), "file"), absl::OkStatus());
  }
  EXPECT_THAT(Listed("2023/11/15", 10), ElementsAre(IdOfDay(1)));
  EXPECT_THAT(Listed("2023/11", 1), ElementsAre(IdOfDay(0), IdOfDay(1)));
  EXPECT_THAT(Listed("2023", 2), ElementsAre(IdOfDay(0), IdOfDay(1), IdOfDay(20)));
  EXPECT_THAT(Listed("2024", 10), ElementsAre(IdOfDay(60)));
  EXPECT_THAT(Listed("2022", 10), IsEmpty());
}

TEST_P(ShelfContract, PagesGoOnAfterATokenOfAnyMatch) {
  for (const int day : {0, 1, 20}) {
    ASSERT_EQ(shelf_->Put(IdOfDay(day), "file"), absl::OkStatus());
  }
  // Of a match that is not there, in a folder that is not there.
  const absl::StatusOr<ShelfPage> page = shelf_->List("", 10, IdOfDay(10).text());
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->replays.size(), 1u);
  EXPECT_EQ(page->replays[0].id, IdOfDay(20));
}

TEST_P(ShelfContract, OtherDaysAndTokensAreRefused) {
  for (const char* const day : {"2023/", "2023-11-14", "20231114", "../..", "2023/11/14/"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(shelf_->List(day, 10, "").status())) << day;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(shelf_->List("", 10, "../../x").status()));
}

}  // namespace
}  // namespace referee::shelf
