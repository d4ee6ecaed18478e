#include "referee/service/play/outbox.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::service {
namespace {

void AddFault(size_t bytes, Outbox* outbox) {
  outbox->Filling().Add(
      [&](v1::RefereeItem* item) { item->mutable_fault()->set_message(std::string(bytes, 'x')); });
}

TEST(Outbox, PutsWhatIsToldIntoOneMessage) {
  Outbox outbox;
  EXPECT_TRUE(outbox.empty());
  for (int i = 0; i < 100; ++i) AddFault(10, &outbox);
  EXPECT_EQ(outbox.items(), 100u);
  EXPECT_EQ(outbox.Take()->items(), 100u);
  EXPECT_TRUE(outbox.empty());
  EXPECT_EQ(outbox.items(), 0u);
}

TEST(Outbox, KnowsHowManyBytesWait) {
  Outbox outbox;
  for (int i = 0; i < 100; ++i) AddFault(1'000, &outbox);
  const size_t waiting = outbox.bytes();
  EXPECT_EQ(outbox.Take()->message().items_size(), 100);
  EXPECT_GT(waiting, 100'000u);
  EXPECT_LT(waiting, 102'000u);
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(Outbox, BeginsAnotherMessageBeforeOneIsTooLargeForAClient) {
  Outbox outbox;
  for (int i = 0; i < 100; ++i) AddFault(60'000, &outbox);
  size_t items = 0;
  while (!outbox.empty()) {
    const std::unique_ptr<Batch> batch = outbox.Take();
    EXPECT_LT(batch->message().ByteSizeLong(), size_t{4} << 20);
    items += batch->items();
  }
  EXPECT_EQ(items, 100u);
}

std::string SerializedFault(const std::string& message) {
  v1::PlayResponse response;
  response.add_items()->mutable_fault()->set_message(message);
  return response.SerializeAsString();
}

TEST(Outbox, KeepsItemsThatArePassedOnInTheirPlaces) {
  Outbox outbox;
  AddFault(1, &outbox);
  outbox.Filling().AddBytes(SerializedFault("passed on"));
  AddFault(2, &outbox);
  const std::unique_ptr<Batch> batch = outbox.Take();
  EXPECT_EQ(batch->items(), 3u);
  v1::PlayResponse whole;
  ASSERT_TRUE(whole.ParseFromString(batch->message().SerializeAsString() + batch->rest()));
  ASSERT_EQ(whole.items_size(), 3);
  EXPECT_EQ(whole.items(0).fault().message(), "x");
  EXPECT_EQ(whole.items(1).fault().message(), "passed on");
  EXPECT_EQ(whole.items(2).fault().message(), "xx");
}

TEST(Outbox, CountsTheBytesOfItemsThatArePassedOn) {
  Outbox outbox;
  const std::string item = SerializedFault(std::string(60'000, 'x'));
  for (int i = 0; i < 100; ++i) outbox.Filling().AddBytes(item);
  EXPECT_EQ(outbox.items(), 100u);
  EXPECT_EQ(outbox.bytes(), 100 * item.size());
  while (!outbox.empty()) EXPECT_LT(outbox.Take()->rest().size(), size_t{4} << 20);
}

TEST(Outbox, ReusesNothingButMemory) {
  Outbox outbox;
  AddFault(10, &outbox);
  outbox.Filling().AddAsked({nullptr, Seat(1), 7, 0});
  std::unique_ptr<Batch> batch = outbox.Take();
  ASSERT_EQ(batch->asked().size(), 1u);
  batch->Clear();
  outbox.Reuse(std::move(batch));
  AddFault(10, &outbox);
  EXPECT_EQ(outbox.items(), 1u);
  EXPECT_TRUE(outbox.Take()->asked().empty());
}

}  // namespace
}  // namespace referee::service
