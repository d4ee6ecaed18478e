// Tests of the batches of a stream between two referees.
#include "referee/service/peer/peer_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/referee/peer/v1/peer_service.pb.h"

namespace referee::service {
namespace {

using peer::v1::AttachRequest;
using peer::v1::EntryItem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Keeps what is written, and ends a write when the test says so.
class HeldStream final : public PeerTransport<AttachRequest> {
 public:
  void Write(const AttachRequest& message) override {
    EXPECT_LT(message.ByteSizeLong(), size_t{4} << 20);
    std::vector<std::string> streams;
    for (const EntryItem& item : message.items()) streams.push_back(absl::StrCat(item.stream()));
    written.push_back(absl::StrJoin(streams, " "));
    if (on_write) on_write();
  }
  void Finish(const absl::Status&) override {}
  std::vector<std::string> Written() { return std::exchange(written, {}); }

  std::function<void()> on_write;
  std::vector<std::string> written;  // the streams that the items of each message name
};

using Writer = PeerWriter<AttachRequest, int>;

class PeerWriterTest : public ::testing::Test {
 protected:
  bool Add(uint64_t stream, size_t bytes = 0) {
    return writer_.Add([&](EntryItem* item) {
      item->set_stream(stream);
      item->mutable_said()->set_item(std::string(bytes, 'x'));
    });
  }
  bool AddNoted(uint64_t stream) {
    return writer_.Add([&](EntryItem* item) { item->set_stream(stream); },
                       static_cast<int>(stream));
  }
  // Ends writes until none is under way; `most` at most.
  void EndWrites(int most) {
    for (int i = 0; i < most; ++i) writer_.OnWriteDone(true);
  }

  HeldStream stream_;
  std::vector<std::string> notes_;
  Writer writer_{&stream_,
                 {[this](absl::Span<const int> notes) {
                    notes_.push_back(absl::StrCat("goes ", absl::StrJoin(notes, " ")));
                  },
                  [this](absl::Span<const int> notes) {
                    notes_.push_back(absl::StrCat("waits ", absl::StrJoin(notes, " ")));
                  }}};
};

TEST_F(PeerWriterTest, HandsOverNothingBeforeAFlush) {
  EXPECT_TRUE(Add(1));
  EXPECT_TRUE(Add(2));
  EXPECT_THAT(stream_.written, IsEmpty());
  writer_.Flush();
  EXPECT_THAT(stream_.Written(), ElementsAre("1 2"));
  writer_.OnWriteDone(true);
  writer_.Flush();
  EXPECT_THAT(stream_.Written(), IsEmpty());
}

TEST_F(PeerWriterTest, WhatIsFlushedDuringAWriteGoesOutTogetherAfterIt) {
  Add(1);
  writer_.Flush();
  for (const uint64_t stream : {2, 3}) {
    Add(stream);
    writer_.Flush();
  }
  Add(4);
  EXPECT_THAT(stream_.Written(), ElementsAre("1"));
  writer_.OnWriteDone(true);
  EXPECT_THAT(stream_.Written(), ElementsAre("2 3 4"));
  Add(5);
  writer_.OnWriteDone(true);
  EXPECT_THAT(stream_.Written(), IsEmpty()) << "it is not flushed";
  writer_.Flush();
  EXPECT_THAT(stream_.Written(), ElementsAre("5"));
}

TEST_F(PeerWriterTest, TellsTheNotesOfABatchJustBeforeItIsHandedOver) {
  stream_.on_write = [this] { notes_.push_back("write"); };
  AddNoted(1);
  Add(2);
  AddNoted(3);
  writer_.Flush();
  EXPECT_THAT(notes_, ElementsAre("goes 1 3", "write"));
}

TEST_F(PeerWriterTest, TellsOnceThatANoteWaits) {
  Add(1);
  writer_.Flush();
  AddNoted(2);
  EXPECT_THAT(notes_, IsEmpty());
  writer_.Flush();
  AddNoted(3);
  writer_.Flush();
  writer_.Flush();
  EXPECT_THAT(notes_, ElementsAre("waits 2", "waits 3"));
  notes_.clear();
  writer_.OnWriteDone(true);
  EXPECT_THAT(notes_, ElementsAre("goes 2 3"));
  EXPECT_THAT(stream_.Written(), ElementsAre("1", "2 3"));
}

TEST_F(PeerWriterTest, AWriteThatIsDoneAtOnceLeadsToTheNext) {
  stream_.on_write = [this] { writer_.OnWriteDone(true); };
  for (const uint64_t stream : {1, 2, 3}) {
    Add(stream);
    writer_.Flush();
  }
  EXPECT_THAT(stream_.Written(), ElementsAre("1", "2", "3"));
}

TEST_F(PeerWriterTest, SplitsWhatIsTooLargeForOneMessage) {
  constexpr size_t kBytes = size_t{1} << 20;
  for (const uint64_t stream : {1, 2, 3, 4, 5, 6, 7}) EXPECT_TRUE(Add(stream, kBytes));
  writer_.Flush();
  EndWrites(2);
  EXPECT_THAT(stream_.Written(), ElementsAre("1 2 3", "4 5 6", "7"));
}

TEST_F(PeerWriterTest, TakesManySmallItemsInAMessage) {
  for (int i = 0; i < 300'000; ++i)
    EXPECT_TRUE(writer_.Add([](EntryItem* item) { item->mutable_elapsed()->set_elapsed(1); }));
  writer_.Flush();
  EndWrites(2);
  EXPECT_EQ(stream_.written.size(), 1u);
}

TEST_F(PeerWriterTest, RefusesAnItemThatIsTooLargeForAMessage) {
  EXPECT_FALSE(Add(1, size_t{4} << 20));
  EXPECT_TRUE(Add(2));
  writer_.Flush();
  EXPECT_THAT(stream_.Written(), ElementsAre("2"));
}

TEST_F(PeerWriterTest, TakesNoMoreThanAPeerMayLeaveUnread) {
  constexpr size_t kBytes = size_t{1} << 20;
  uint64_t added = 0;
  while (added < 1'000 && Add(added + 1, kBytes)) {
    ++added;
    writer_.Flush();
  }
  EXPECT_GT((added + 1) * kBytes, limits::kMaxPeerBytes - kBytes);
  EXPECT_LT(added * kBytes, limits::kMaxPeerBytes);
  EXPECT_TRUE(Add(0)) << "a little more";
  // What the peer reads makes room.
  EndWrites(2);
  EXPECT_TRUE(Add(added + 1, kBytes));
}

TEST_F(PeerWriterTest, SaysNothingMoreAfterClose) {
  Add(1);
  writer_.Flush();
  AddNoted(2);
  writer_.Flush();
  notes_.clear();
  writer_.Close();
  EXPECT_FALSE(Add(3));
  writer_.Flush();
  writer_.OnWriteDone(true);
  EXPECT_THAT(stream_.Written(), ElementsAre("1"));
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(PeerWriterTest, SaysNothingMoreAfterAWriteThatFailed) {
  Add(1);
  writer_.Flush();
  Add(2);
  writer_.Flush();
  writer_.OnWriteDone(false);
  EXPECT_FALSE(Add(3));
  EXPECT_THAT(stream_.Written(), ElementsAre("1"));
}

TEST_F(PeerWriterTest, ABatchWhoseNotesCloseItIsNotWritten) {
  Writer* closing = nullptr;
  Writer writer(&stream_, {[&](absl::Span<const int>) { closing->Close(); }, nullptr});
  closing = &writer;
  writer.Add([](EntryItem* item) { item->set_stream(1); }, 1);
  writer.Flush();
  EXPECT_THAT(stream_.written, IsEmpty());
}

TEST(PeerWriter, DoesNotCallATransportThatIsGone) {
  for (int round = 0; round < 200; ++round) {
    auto stream = std::make_unique<HeldStream>();
    Writer writer(stream.get(), {});
    stream->on_write = [&] { writer.OnWriteDone(true); };
    std::atomic<bool> begun{false};
    std::thread says([&] {
      do {
        writer.Flush();
        begun = true;
      } while (writer.Add([](EntryItem* item) { item->set_stream(1); }));
    });
    while (!begun) std::this_thread::yield();
    writer.CloseAndWait();
    stream = nullptr;
    says.join();
  }
}

}  // namespace
}  // namespace referee::service
