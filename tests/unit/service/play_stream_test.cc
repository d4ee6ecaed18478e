// Tests of parsing a message from gRPC's memory.
#include "referee/service/play/play_stream.h"

#include <grpcpp/support/slice.h>

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;

// Bytes of a message in one slice of gRPC's, which note in what order they are given up.
struct Part {
  std::string bytes;
  const grpc::ByteBuffer* buffer = nullptr;
  std::vector<bool>* by_buffer = nullptr;

  grpc::Slice Slice() { return grpc::Slice(bytes.data(), bytes.size(), &Part::GiveUp, this); }
  // The buffer is valid while it gives up the bytes itself; else a slice held them for longer.
  static void GiveUp(void* part) {
    const auto* self = static_cast<const Part*>(part);
    self->by_buffer->push_back(self->buffer->Valid());
  }
};

TEST(TakeMessage, HasTheBufferGiveUpTheMessageInOnePartAndInSeveral) {
  v1::PlayRequest said;
  said.add_items()->mutable_hello()->set_token(std::string(100, 'b'));
  const std::string bytes = said.SerializeAsString();
  for (const size_t first : {bytes.size(), bytes.size() / 2}) {
    grpc::ByteBuffer buffer;
    std::vector<bool> by_buffer;
    Part parts[] = {{bytes.substr(0, first), &buffer, &by_buffer},
                    {bytes.substr(first), &buffer, &by_buffer}};
    const size_t count = first == bytes.size() ? 1 : 2;
    {
      std::vector<grpc::Slice> slices;
      for (size_t i = 0; i < count; ++i) slices.push_back(parts[i].Slice());
      buffer = grpc::ByteBuffer(slices.data(), slices.size());
    }
    v1::PlayRequest read;
    EXPECT_TRUE(TakeMessage(&buffer, &read));
    EXPECT_EQ(read.SerializeAsString(), bytes);
    EXPECT_FALSE(buffer.Valid());
    EXPECT_EQ(by_buffer, std::vector<bool>(count, true));
  }
}

TEST(TakeMessage, ThatIsMalformedIsGivenUpAsWell) {
  grpc::ByteBuffer buffer;
  std::vector<bool> by_buffer;
  Part part = {std::string(100, '\xff'), &buffer, &by_buffer};
  {
    const grpc::Slice slice = part.Slice();
    buffer = grpc::ByteBuffer(&slice, 1);
  }
  v1::PlayRequest read;
  EXPECT_FALSE(TakeMessage(&buffer, &read));
  EXPECT_THAT(by_buffer, ElementsAre(true));
}

}  // namespace
}  // namespace referee::service
