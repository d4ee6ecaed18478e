#include "referee/shelf/s3_listing.h"

#include <string>

#include "gtest/gtest.h"

namespace referee::shelf {
namespace {

// As Amazon's reference shows it.
constexpr char kPage[] = R"(<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><Prefix/><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys>
  <IsTruncated>true</IsTruncated>
  <Contents><Key>my &amp; image.jpg</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified>
    <ETag>"fba9dede5f27731c9771645a39863328"</ETag><Size>434234</Size>
    <StorageClass>STANDARD</StorageClass></Contents>
  <Contents><Size>0</Size><Key>z&lt;Size&gt;</Key></Contents>
</ListBucketResult>)";

TEST(S3Listing, KeysAndSizesAreReadInTheirOrder) {
  const absl::optional<S3Listing> listing = ReadS3Listing(kPage);
  ASSERT_TRUE(listing.has_value());
  EXPECT_TRUE(listing->truncated);
  ASSERT_EQ(listing->objects.size(), 2u);
  EXPECT_EQ(listing->objects[0].key, "my & image.jpg");
  EXPECT_EQ(listing->objects[0].size, 434234u);
  EXPECT_EQ(listing->objects[1].key, "z<Size>");
}

TEST(S3Listing, PageThatIsCutAnywhereIsNone) {
  const std::string page = kPage;
  for (size_t size = 0; size < page.size(); ++size) {
    EXPECT_FALSE(ReadS3Listing(page.substr(0, size)).has_value()) << size;
  }
}

TEST(S3Listing, OtherDocumentsAreNone) {
  EXPECT_FALSE(ReadS3Listing("<html></html>").has_value());
  EXPECT_FALSE(ReadS3Listing("<ListBucketResult></ListBucketResult>").has_value());
  EXPECT_FALSE(ReadS3Listing("<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a"
                             "</Key><Size>-1</Size></Contents></ListBucketResult>")
                   .has_value());
}

TEST(S3ErrorCode, IsOneWordOrNothing) {
  EXPECT_EQ(S3ErrorCode("<Error><Code>NoSuchKey</Code><Key>x</Key></Error>"), "NoSuchKey");
  EXPECT_EQ(S3ErrorCode("<Error><Code>No\x1b[31m</Code></Error>"), "");
  EXPECT_EQ(S3ErrorCode("<Error><Code>" + std::string(1000, 'x') + "</Code></Error>"), "");
  EXPECT_EQ(S3ErrorCode("oops"), "");
}

}  // namespace
}  // namespace referee::shelf
