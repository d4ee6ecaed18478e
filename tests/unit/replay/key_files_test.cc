#include "referee/replay/key_files.h"

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/dice/dice.h"
#include "referee/replay/files.h"
#include "tests/support/files.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1'700'000'000);
const absl::Time kLater = kStart + absl::Hours(1);

TEST(KeyFiles, MakesAKeyAtTheFirstStartAndKeepsIt) {
  const testing::TempFolder directory;
  const std::string data_dir = directory.path() + "/data";
  const PublicKey first = LoadOrMakeKeys(data_dir, kStart)->signer.public_key();
  EXPECT_EQ(LoadOrMakeKeys(data_dir, kStart)->signer.public_key(), first);
  EXPECT_EQ(ReadWholeFile(data_dir + "/key.pub", 100).value(), dice::Hex(first) + "\n");
  struct stat info;
  ASSERT_EQ(stat((data_dir + "/key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(KeyFiles, AgreesOnOneKeyWhenManyStartAtOnce) {
  const testing::TempFolder directory;
  std::vector<absl::optional<PublicKey>> keys(8);
  std::vector<std::thread> threads;
  for (auto& key : keys) {
    threads.emplace_back(
        [&] { key = LoadOrMakeKeys(directory.path(), kStart)->signer.public_key(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& key : keys) EXPECT_EQ(key, keys[0]);
}

TEST(KeyFiles, NeverWritesOverAKeyThatItCannotRead) {
  const testing::TempFolder directory;
  const std::string path = directory.path() + "/key";
  std::ofstream(path) << "not a key\n";
  const absl::Status status = LoadOrMakeKeys(directory.path(), kStart).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(path + ": not a key file"));
  EXPECT_EQ(ReadWholeFile(path, 100).value(), "not a key\n");
}

TEST(KeyFiles, LeavesNothingOnAFullDisk) {
  const testing::TempFolder directory;
  {
    const FullDisk full(10);
    EXPECT_TRUE(absl::IsResourceExhausted(LoadOrMakeKeys(directory.path(), kStart).status()));
  }
  EXPECT_TRUE(LoadOrMakeKeys(directory.path(), kStart).ok());
}

// A data directory in which a referee has been.
class KeyFilesTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.Path(name); }
  std::string Read(const std::string& name) const {
    return ReadWholeFile(Path(name), 10'000).value();
  }
  void Write(const std::string& name, const std::string& text) const {
    testing::WriteFile(Path(name), text);
  }
  bool IsThere(const std::string& name) const { return std::filesystem::exists(Path(name)); }
  void Remove(const std::string& name) const { ASSERT_TRUE(std::filesystem::remove(Path(name))); }
  absl::StatusOr<RefereeKeys> Load() const { return LoadOrMakeKeys(folder_.path(), kLater); }
  absl::StatusOr<KeyRing> Rotate(SecretKey former = SecretKey::kThere) const {
    return RotateKey(folder_.path(), kLater, former);
  }
  // Refused, and nothing made in its place.
  void ExpectRefused(const absl::Status& status, const std::string& why) const {
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(why));
  }

  const testing::TempFolder folder_{testing::TempFolderOn::kMemory};
  const PublicKey first_ = LoadOrMakeKeys(folder_.path(), kStart)->signer.public_key();
};

TEST_F(KeyFilesTest, MakesNoKeyInPlaceOfOneThatIsMissing) {
  Remove("key");
  ExpectRefused(Load().status(), "the referee's secret key is missing");
  ExpectRefused(Load().status(), "key rotate --data-dir " + folder_.path() + " --lost");
  EXPECT_FALSE(IsThere("key"));
  Remove("key.ring");
  ExpectRefused(Load().status(), Path("key.pub") + " shows that there was one");
}

TEST_F(KeyFilesTest, MakesNoKeyWhereThereAreReplaysOrALogOfAnother) {
  for (const std::string name : {"key", "key.pub", "key.ring"}) Remove(name);
  const std::string id(SampleSetup({}).id.text());
  Write("log/7.log", "");
  ExpectRefused(Load().status(), "log/7.log shows that there was one");
  Remove("log/7.log");
  Write("replays/2023/11/14/" + id + ".rpl", "");
  ExpectRefused(Load().status(), id + ".rpl shows that there was one");
  EXPECT_FALSE(IsThere("key"));
}

TEST_F(KeyFilesTest, DoesNotSignWithAKeyThatIsNotTheOneInUse) {
  Write("key", std::string(64, '7') + "\n");
  const std::string ring = Read("key.ring");
  ExpectRefused(Load().status(), "is not the key that " + Path("key.ring") + " has in use");
  ExpectRefused(Rotate().status(), "is not the key that");
  ExpectRefused(Rotate(SecretKey::kLost).status(), "is there, and so is not lost");
  EXPECT_EQ(Read("key"), std::string(64, '7') + "\n");
  EXPECT_EQ(Read("key.ring"), ring);
}

TEST_F(KeyFilesTest, RestoresAPublicKeyThatIsMissingOrDamaged) {
  Remove("key.pub");
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(Read("key.pub"), dice::Hex(first_) + "\n");
  Write("key.pub", "damaged");
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(Read("key.pub"), dice::Hex(first_) + "\n");
}

TEST_F(KeyFilesTest, MakesALostRingAnewFromThePublicKey) {
  Remove("key.ring");
  EXPECT_EQ(ReadKeysOf(folder_.path())->keys()[0].key, first_);
  const absl::StatusOr<RefereeKeys> keys = Load();
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->ring.keys()[0].from, absl::InfinitePast());
  EXPECT_EQ(Read("key.ring"), keys->ring.Text());
}

TEST_F(KeyFilesTest, RotationPutsANewKeyIntoUseAndKeepsTheFormerPublicKey) {
  const std::string secret = Read("key");
  const absl::StatusOr<KeyRing> ring = Rotate();
  ASSERT_TRUE(ring.ok()) << ring.status();
  ASSERT_THAT(ring->keys(), SizeIs(2));
  EXPECT_EQ(ring->keys()[0].key, first_);
  EXPECT_EQ(ring->keys()[0].from, kStart);
  EXPECT_EQ(ring->keys()[0].until, kLater);
  EXPECT_EQ(ring->keys()[1].from, kLater);
  EXPECT_NE(Read("key"), secret);
  EXPECT_EQ(Load()->signer.public_key(), ring->current()->key);
  EXPECT_EQ(Read("key.pub"), dice::Hex(ring->current()->key) + "\n");
  EXPECT_EQ(ReadKeyRing(Path("key.ring"))->Text(), ring->Text());
  EXPECT_FALSE(IsThere("key.next"));
}

TEST_F(KeyFilesTest, ALostKeyIsReplacedAndItsPublicKeyStays) {
  Remove("key");
  ExpectRefused(Rotate().status(), "the referee's secret key is missing");
  const absl::StatusOr<KeyRing> ring = Rotate(SecretKey::kLost);
  ASSERT_TRUE(ring.ok()) << ring.status();
  EXPECT_EQ(ring->Find(first_)->until, kLater);
  EXPECT_EQ(Load()->signer.public_key(), ring->current()->key);
}

TEST_F(KeyFilesTest, RotationIsRefusedWhereThereNeverWasAReferee) {
  const testing::TempFolder empty;
  ExpectRefused(RotateKey(empty.path(), kLater, SecretKey::kThere).status(),
                "no referee's key here");
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

// It writes the new key under another name, then the ring, then gives the key its name.
TEST_F(KeyFilesTest, ARotationThatWasInterruptedIsCompletedOrUndone) {
  const std::string old_key = Read("key");
  const std::string old_ring = Read("key.ring");
  const PublicKey next = Rotate()->current()->key;
  const std::string new_key = Read("key");
  const std::string new_ring = Read("key.ring");

  Write("key", old_key);
  Write("key.pub", dice::Hex(first_) + "\n");
  Write("key.next", new_key);
  Write("key.ring", new_ring);
  EXPECT_EQ(Load()->signer.public_key(), next);
  EXPECT_EQ(Read("key.pub"), dice::Hex(next) + "\n");
  EXPECT_FALSE(IsThere("key.next"));

  Write("key", old_key);
  Write("key.next", new_key);
  EXPECT_EQ(Rotate()->keys().size(), 2u);  // completed, and no third made
  EXPECT_EQ(Read("key"), new_key);

  Write("key", old_key);
  Write("key.next", new_key);
  Write("key.ring", old_ring);
  EXPECT_EQ(Load()->signer.public_key(), first_);
  EXPECT_FALSE(IsThere("key.next"));
}

TEST_F(KeyFilesTest, ARotationOnAFullDiskLeavesTheFormerKeyInUse) {
  {
    const FullDisk full(10);
    EXPECT_TRUE(absl::IsResourceExhausted(Rotate().status()));
  }
  EXPECT_EQ(Load()->signer.public_key(), first_);
}

}  // namespace
}  // namespace referee::replay
