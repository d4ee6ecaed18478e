#include "referee/replay/signer.h"

#include <sys/stat.h>

#include <fstream>
#include <thread>
#include <vector>

#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/dice/dice.h"
#include "referee/replay/files.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

TEST(Signer, MakesAKeyAtTheFirstStartAndKeepsIt) {
  const testing::TempFolder directory;
  const std::string data_dir = directory.path() + "/data";
  const PublicKey first = Signer::LoadOrCreate(data_dir)->public_key();
  EXPECT_EQ(Signer::LoadOrCreate(data_dir)->public_key(), first);
  EXPECT_EQ(*ReadPublicKey(data_dir + "/key.pub"), first);
  struct stat info;
  ASSERT_EQ(stat((data_dir + "/key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(Signer, AgreesOnOneKeyWhenManyStartAtOnce) {
  const testing::TempFolder directory;
  std::vector<absl::optional<PublicKey>> keys(8);
  std::vector<std::thread> threads;
  for (auto& key : keys) {
    threads.emplace_back([&] { key = Signer::LoadOrCreate(directory.path())->public_key(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& key : keys) EXPECT_EQ(key, keys[0]);
}

TEST(Signer, SignsWhatOnlyItsKeyVerifies) {
  const Signer signer = SampleSigner(1);
  const Signature signature = signer.Sign("message");
  EXPECT_TRUE(VerifySignature("message", signature, signer.public_key()));
  EXPECT_FALSE(VerifySignature("massage", signature, signer.public_key()));
  EXPECT_FALSE(VerifySignature("message", signature, SampleSigner(2).public_key()));
}

TEST(Signer, NeverWritesOverAKeyThatItCannotRead) {
  const testing::TempFolder directory;
  const std::string path = directory.path() + "/key";
  std::ofstream(path) << "not a key\n";
  const absl::Status status = Signer::LoadOrCreate(directory.path()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(path + ": not a key file"));
  EXPECT_EQ(ReadWholeFile(path, 100).value(), "not a key\n");
}

TEST(Signer, LeavesNothingOnAFullDisk) {
  const testing::TempFolder directory;
  {
    const FullDisk full(10);
    EXPECT_TRUE(absl::IsResourceExhausted(Signer::LoadOrCreate(directory.path()).status()));
  }
  EXPECT_TRUE(Signer::LoadOrCreate(directory.path()).ok());
}

TEST(Fingerprint, IsThirtyTwoHexDigits) {
  const std::string fingerprint = Fingerprint(SampleSigner().public_key());
  EXPECT_EQ(fingerprint.size(), 32u);
  EXPECT_NE(fingerprint, Fingerprint(SampleSigner(2).public_key()));
}

}  // namespace
}  // namespace referee::replay
