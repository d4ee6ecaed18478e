// Tests of which owners an entry dials, and of batches too large for one message.
#include "referee/service/peer/peer_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "referee/base/limits.h"
#include "referee/service/peer/entry_stream.h"
#include "referee/store/lease.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

store::Daemon DaemonOf(const std::string& owner, int64_t term, const std::string& address) {
  store::Daemon daemon;
  daemon.owner = owner;
  daemon.term = term;
  daemon.remaining = absl::Seconds(10);
  daemon.address = address;
  return daemon;
}

TEST(PeersAmong, AreAllOthersThatSayWhereTheyAre) {
  EXPECT_THAT(PeersAmong({DaemonOf("a", 1, "host-a:1"), DaemonOf("b", 2, "host-b:1"),
                          DaemonOf("c", 3, ""), DaemonOf("d", 4, "unix:/d")},
                         "a"),
              ElementsAre(Pair("b", "host-b:1"), Pair("d", "unix:/d")));
}

TEST(PeersAmong, HaveTheDrainingOnesWhoseMatchesGoOn) {
  store::Daemon draining = DaemonOf("b", 2, "host-b:1");
  draining.draining = true;
  EXPECT_THAT(PeersAmong({draining}, "a"), ElementsAre(Pair("b", "host-b:1")));
}

TEST(PeersAmong, AreTheLatestAtTheirAddresses) {
  const std::vector<store::Daemon> lives = {DaemonOf("a", 1, "host-a:1"),
                                            DaemonOf("former", 2, "host-b:1"),
                                            DaemonOf("later", 3, "host-b:1")};
  EXPECT_THAT(PeersAmong(lives, "a"), ElementsAre(Pair("later", "host-b:1")));
  EXPECT_THAT(PeersAmong({lives[0], lives[2], lives[1]}, "a"),
              ElementsAre(Pair("later", "host-b:1")));
}

TEST(PeersAmong, AreNotFormerLivesOfTheSameReferee) {
  EXPECT_THAT(PeersAmong({DaemonOf("a", 1, "host:1"), DaemonOf("former", 2, "host:1")}, "a"),
              IsEmpty());
  EXPECT_THAT(PeersAmong({DaemonOf("former", 1, "host:1"), DaemonOf("z", 2, "host:1")}, "z"),
              IsEmpty());
}

TEST(PeersAmong, HaveNoAddressThatIsTooLong) {
  EXPECT_THAT(PeersAmong({DaemonOf("b", 1, std::string(limits::kMaxAddressBytes + 1, 'x'))}, "a"),
              IsEmpty());
}

// A batch of things that bots have said, of so many bytes each.
peer::v1::AttachRequest BatchOf(const std::vector<size_t>& sizes) {
  peer::v1::AttachRequest batch;
  for (size_t i = 0; i < sizes.size(); ++i) {
    peer::v1::EntryItem* const item = batch.add_items();
    item->set_stream(i + 1);
    item->mutable_said()->set_item(std::string(sizes[i], 'x'));
  }
  return batch;
}

TEST(PiecesOfABatch, FitAndHaveAllItemsInOrder) {
  constexpr size_t kMost = 1000;
  const auto pieces = PiecesOf(BatchOf(std::vector<size_t>(50, 150)), kMost);
  EXPECT_GE(pieces.size(), 8u);
  EXPECT_LE(pieces.size(), 10u);
  uint64_t stream = 0;
  for (const peer::v1::AttachRequest& piece : pieces) {
    EXPECT_LE(piece.ByteSizeLong(), kMost);
    for (const peer::v1::EntryItem& item : piece.items()) EXPECT_EQ(item.stream(), ++stream);
  }
  EXPECT_EQ(stream, 50u);
}

TEST(PiecesOfABatch, LeaveOutAnItemThatFitsInNone) {
  const auto pieces = PiecesOf(BatchOf({100, 2000, 100}), 1000);
  ASSERT_THAT(pieces, SizeIs(1));
  ASSERT_EQ(pieces[0].items_size(), 2);
  EXPECT_EQ(pieces[0].items(0).stream(), 1u);
  EXPECT_EQ(pieces[0].items(1).stream(), 3u);
}

TEST(PiecesOfABatch, AreOneAtLeast) { EXPECT_THAT(PiecesOf(BatchOf({2000}), 1000), SizeIs(1)); }

}  // namespace
}  // namespace referee::service
